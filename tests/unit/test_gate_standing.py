"""A standing instruction is kept, a one-off request in like words is not."""

import csv
from pathlib import Path

import pytest

from muniment.domain.gate import GateInput, Reason, judge

WORDINGS = Path(__file__).parent / "data" / "standing_wordings.tsv"


def wordings(label: str) -> list[str]:
    with WORDINGS.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row["text"] for row in rows if row["label"] == label]


@pytest.mark.parametrize("text", wordings("keep"))
def test_a_standing_instruction_is_kept(text: str) -> None:
    verdict = judge(GateInput("user", text))
    assert (verdict.kept, verdict.reason) == (True, Reason.STANDING_INSTRUCTION)


@pytest.mark.parametrize("text", wordings("drop"))
def test_a_request_for_once_is_dropped(text: str) -> None:
    verdict = judge(GateInput("user", text))
    assert not verdict.kept
    assert verdict.reason in {Reason.BARE_REQUEST, Reason.QUESTION}


@pytest.mark.parametrize(
    "text",
    [
        "Always Coming Home is a good book, can you find it?",
        "Can you find Always Coming Home?",
        "Can you find the book Never Let Me Go?",
    ],
)
def test_a_title_orders_nothing(text: str) -> None:
    assert judge(GateInput("user", text)).reason is not Reason.STANDING_INSTRUCTION


@pytest.mark.parametrize("text", ["Can you always cc Anna?", "Could you use Fahrenheit?"])
def test_only_a_user_gives_standing_instructions(text: str) -> None:
    assert judge(GateInput("assistant", text)).reason is not Reason.STANDING_INSTRUCTION
