"""Evidence on whole turns of a person to an assistant: the table of turns by kind, and results.

Most of a kind is told; what a kind has in common with another is not always to be told by signs.
"""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from muniment.domain.gate import GateContext, GateInput, judge
from muniment.domain.gate.evidence import against, doubted, weight_of
from muniment.domain.gate.results import only_read
from muniment.domain.gate.signs import signs

TALK = Path(__file__).parent / "data" / "gate_talk.tsv"


def shares() -> dict[tuple[str, str], list[bool]]:
    """Whether each turn of a label and kind is judged as labelled."""
    right = defaultdict(list)
    with TALK.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            before = GateInput("assistant", row["before"] or "Here it is.")
            said = GateInput("user", row["text"].replace("\\n", "\n"))
            kept = judge(said, GateContext(before)).kept
            right[row["label"], row["kind"]].append(kept == (row["label"] == "keep"))
    return right


@pytest.mark.parametrize(("label", "least"), [("keep", 0.84), ("drop", 0.55)])
def test_turns_are_judged_as_labelled(label: str, least: float) -> None:
    """What is lost is gone, what is kept too much decays: doubt goes to what keeps."""
    right = [one for (of, _), ones in shares().items() if of == label for one in ones]
    assert sum(right) / len(right) >= least


def test_no_kind_is_out_of_reach() -> None:
    low = {kind: sum(ones) / len(ones) for kind, ones in shares().items() if len(ones) >= 10}
    assert {kind: share for kind, share in low.items() if share < 0.3} == {}


def test_people_among_themselves_are_not_weighed() -> None:
    said = GateInput("user", "Great, another lovely day of rain, lol.", "Ann")
    told = judge(said, GateContext(GateInput("user", "We went to the sea.", "Bob")))
    assert not told.rule.startswith("evidence.")
    assert not judge(GateInput("user", "Hey Bob! We had a lovely day.")).rule.startswith("evidence")


@pytest.mark.parametrize(
    "text",
    [
        "Can you recommend a school for my son, he's dyslexic?",
        "Always round up.",
        "no raisins, ever",
    ],
)
def test_what_rests_on_ones_own_and_orders_for_every_time_are_not_weighed(text: str) -> None:
    assert judge(GateInput("user", text), GateContext(GateInput("assistant", "Done."))).kept


def test_the_sign_that_weighs_most_against_names_the_rule() -> None:
    found = signs("lovely weather", ["lovely weather"], "Here it is.", "statement")
    reason, rule = against(found)
    assert weight_of(found) < 0
    assert rule.removeprefix("evidence.") in found
    assert reason


@pytest.mark.parametrize(
    "text",
    [
        "metres please, feet mean nothing to me",
        "from now on weekly grain",
        "always answer in French",
    ],
)
def test_what_is_said_for_every_time_casts_no_doubt(text: str) -> None:
    assert not doubted(signs(text, [text], None, "nothing"))
    assert judge(GateInput("user", text), GateContext(GateInput("assistant", "Done."))).kept


@pytest.mark.parametrize(
    "content",
    [
        "orders.search: 14 rows",
        "calendar.list(2026-05): 3 entries",
        "Plan: 2 to add, 0 to change, 0 to destroy.",
        "week,kilometres\n18,1200\n19,1330\n20,1180",
        "3 results",
        "weather: Turku 2026-05-02 rain 9C",
    ],
)
def test_a_result_that_was_only_read_is_dropped(content: str) -> None:
    assert only_read(content)
    assert not judge(GateInput("tool", content)).kept


@pytest.mark.parametrize(
    "content",
    [
        "calendar.create: dentist 2026-05-12T08:40",
        "sent to anna@example.com",
        "12 rows written",
        "deploy shop v3 -> eu-north-1: ok",
        "Apply complete! Resources: 2 added, 0 changed, 0 destroyed.",
        "price 14.00 -> 15.50",
        "ok",
    ],
)
def test_a_result_that_may_have_changed_something_is_kept(content: str) -> None:
    assert judge(GateInput("tool", content)).kept
