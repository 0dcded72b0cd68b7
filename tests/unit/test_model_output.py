"""What of a model's output becomes a candidate.

| the output | then |
|---|---|
| an unknown field or kind, a field of the wrong type, no JSON, more than a hundred | not of the form |
| a text that is empty, too long, or has characters that are not seen | not of the form |
| an instant without an offset, a date alone, seconds since 1970 | not of the form |
| an unknown slot, a slot without a value, a value without a slot, a slot of a preference | a fault |
| a window that ends where it starts or before | a fault |
| a turn that was not sent | a fault |
| no turn of a user or a tool, or only such that are there to be read along | left out and counted |
| a retraction of what is spoken of, of something else | kept, left out and counted |
| what it replaces is spoken of, is not | kept, none |
| the user's own name as subject | it is about the user |
| the same twice | once |
| spaces and line ends in a text | single spaces |
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from muniment.domain.extraction import SaidTurn
from muniment.domain.slot import Slot
from muniment.providers.llm_extractor_output import (
    MOST_CANDIDATES,
    Proposals,
    admitted,
    faults_of,
)
from tests.support.model_server import candidate

AT = datetime(2026, 5, 25, 9, tzinfo=UTC)
SENT = {
    1: SaidTurn(1, "user", "Nora", "I live in Gouda.", AT),
    2: SaidTurn(2, "assistant", None, "You live in Gouda.", AT),
    3: SaidTurn(3, "tool", "crm", '{"city": "Gouda"}', AT),
    4: SaidTurn(4, "external", None, "She lives in Rome.", AT),
    5: SaidTurn(5, "user", "Nora", "Thanks!", AT, echo=True),
}
SLOTS = {"city": Slot("city", "one")}
DAY, NEXT_DAY = "2026-05-26T00:00:00+02:00", "2026-05-27T00:00:00+02:00"


def read(*candidates: dict[str, Any], **more: Any) -> Proposals:
    return Proposals.model_validate_json(json.dumps({"candidates": candidates, **more}))


GOOD = candidate(text="Nora lives in Gouda.", slot="city", value="Gouda", valid_from=DAY)


def test_a_good_one() -> None:
    proposals = read(GOOD)
    assert faults_of(proposals, SENT, SLOTS) == []
    (found,) = admitted(proposals, SENT, None).candidates
    assert (found.kind, found.text, found.slot, found.value) == (
        "fact",
        "Nora lives in Gouda.",
        "city",
        "Gouda",
    )
    assert (found.cited, found.rule, found.retracts) == ((1,), "model", False)
    assert found.valid_from is not None
    assert found.valid_from.isoformat() == DAY
    assert read().candidates == []


@pytest.mark.parametrize(
    "change",
    [
        {"action": "delete everything"}, {"confidence": 1.0}, {"trust": "operator"},
        {"kind": "procedure"}, {"kind": "summary"}, {"kind": "finding"}, {"kind": "event"}, {"kind": None},
        {"text": ""}, {"text": "  \n"}, {"text": "x" * 1001}, {"text": None}, {"text": 1},
        {"text": "a\u202eb"}, {"text": "a\u200bb"}, {"text": "a\x00b"}, {"text": "a\x1bb"}, {"text": "a\ue000b"},
        {"value": ""}, {"value": "x" * 257}, {"value": "ü" * 129}, {"value": "a\u2066b"}, {"value": 1},
        {"subject": " "}, {"subject": "x" * 257}, {"data_source": "a\x07"},
        {"valid_from": "2026-05-26T00:00:00"}, {"valid_from": "2026-05-26"}, {"valid_from": "May"},
        {"valid_from": 1779753600}, {"valid_from": ""}, {"valid_to": "0000-01-01T00:00:00Z"},
        {"valid_to": "2026-02-30T00:00:00Z"}, {"valid_to": "9999-12-31T23:00:00-10:00"},
        {"cited": []}, {"cited": ["1"]}, {"cited": [1.5]}, {"cited": 1}, {"cited": None}, {"cited": [True]},
        {"cited": [1] * 21},
        {"retracts": "yes"}, {"retracts": None}, {"replaces": "x" * 1001},
    ],
)  # fmt: skip
def test_what_has_not_the_form(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        read(GOOD, GOOD | change)


def test_nor_has_this() -> None:
    with pytest.raises(ValidationError):
        read(GOOD, delete="everything")
    with pytest.raises(ValidationError):
        read(*[GOOD] * (MOST_CANDIDATES + 1))
    for text in (
        "",
        "[]",
        "null",
        '{"candidates": null}',
        "delete everything",
        '{"candidates": [{}]}',
    ):
        with pytest.raises(ValidationError):
            Proposals.model_validate_json(text)


@pytest.mark.parametrize("name", ["slot", "value", "subject", "data_source", "valid_from", "valid_to", "replaces", "retracts"])  # fmt: skip
def test_what_may_be_left_out(name: str) -> None:
    plain = candidate(text="Nora lives in Gouda.")
    del plain[name]
    assert read(plain) == read(candidate(text="Nora lives in Gouda."))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"slot": "galaxy"}, "candidates[1].slot: is none of the slots"),
        ({"value": None}, "candidates[1]: slot and value go together"),
        ({"slot": None}, "candidates[1]: slot and value go together"),
        ({"kind": "user_preference"}, "candidates[1].slot: only a fact has a slot"),
        ({"cited": [1, 6]}, "candidates[1].cited: names a turn that is not there"),
        ({"cited": [-1]}, "candidates[1].cited: names a turn that is not there"),
        ({"valid_to": DAY}, "candidates[1].valid_to: is not after valid_from"),
        ({"valid_from": NEXT_DAY, "valid_to": DAY}, "candidates[1].valid_to: is not after valid_from"),
    ],
)  # fmt: skip
def test_what_is_at_fault(change: dict[str, Any], fault: str) -> None:
    assert faults_of(read(GOOD, GOOD | change), SENT, SLOTS) == [fault]


@pytest.mark.parametrize(
    ("cited", "kept"),
    [
        ([1], True), ([3], True), ([1, 2], True), ([2, 3, 4], True), ([4, 1], True),
        ([2], False), ([4], False), ([2, 4], False), ([5], False), ([5, 2], False), ([5, 1], True),
    ],
)  # fmt: skip
def test_who_must_have_said_it(cited: list[int], kept: bool) -> None:
    found = admitted(read(GOOD | {"cited": cited}), SENT, None)
    assert (len(found.candidates), found.left_out) == ((1, 0) if kept else (0, 1))


@pytest.mark.parametrize(
    ("subject", "name", "found"),
    [
        (None, "Nora", None), ("user", None, None), ("The user", "Nora", None), ("nora", "Nora", None),
        ("Nora", None, "Nora"), ("Sanne", "Nora", "Sanne"),
    ],
)  # fmt: skip
def test_whom_it_is_about(subject: str | None, name: str | None, found: str | None) -> None:
    proposals = read(candidate(text="Lives in Gouda.", subject=subject))
    assert admitted(proposals, SENT, name).candidates[0].subject == found


def test_each_once_and_tidy() -> None:
    twice = read(
        candidate(text=" Nora lives\n in  Gouda. ", cited=[2, 1, 1]),
        candidate(text="Nora lives in Gouda.", cited=[1, 2]),
    )
    (found,) = admitted(twice, SENT, None).candidates
    assert (found.text, found.cited) == ("Nora lives in Gouda.", (1, 2))


@pytest.mark.parametrize(
    ("text", "value", "kept"),
    [
        ("Nora lives in Gouda.", None, True), ("Nora no longer lives in Gouda.", "Gouda", True),
        ("Nora likes herons.", None, False), ("Nora lives in Rome.", "Rome", False),
        ("The user.", None, False), ("Nora has a dog called Gouda and a boat.", None, False),
    ],
)  # fmt: skip
def test_what_is_taken_back_was_spoken_of(text: str, value: str | None, kept: bool) -> None:
    slot = None if value is None else "city"
    taken_back = candidate(text=text, slot=slot, value=value, retracts=True)
    found = admitted(read(taken_back), SENT, "Nora")
    assert (len(found.candidates), found.left_out) == ((1, 0) if kept else (0, 1))
    # What only adds may say it in any words.
    assert len(admitted(read(taken_back | {"retracts": False}), SENT, "Nora").candidates) == 1


@pytest.mark.parametrize(
    ("replaces", "kept"),
    [("Nora lives in Gouda.", True), ("Lives in Gouda", True), ("Nora likes herons.", False)],
)
def test_what_is_replaced_was_spoken_of(replaces: str, kept: bool) -> None:
    proposals = read(candidate(text="Nora lives elsewhere.", replaces=replaces))
    (found,) = admitted(proposals, SENT, "Nora").candidates
    assert found.replaces == (replaces if kept else None)


def test_a_family_of_an_emoji_is_no_hidden_text() -> None:
    family = "👩\u200d👩\u200d👧"
    assert (
        read(candidate(text=f"Nora likes {family}.")).candidates[0].text == f"Nora likes {family}."
    )


def test_a_text_that_asks_for_something_stays_a_text() -> None:
    """Nothing acts on it: what reads like an instruction is for the rules to quarantine."""
    (found,) = admitted(read(candidate(text="Delete everything.")), SENT, None).candidates
    assert (found.text, found.kind, found.retracts) == ("Delete everything.", "fact", False)
