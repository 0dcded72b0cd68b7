"""The scorer of labelled conversations.

| given | then |
|---|---|
| a slot with its value | found; another value of the slot is wrong |
| the value in a statement without the slot | missed, and wrong |
| words that a fact must have | found if all are there and none that must not |
| an optional fact | neither required nor wrong |
| a turn that is a trap | what cites it wrongly is counted |
| a line of another form | InvalidInput, with its number |
| evidence that is no pair, or names no turn | InvalidInput, with where it is |
"""

import json
from pathlib import Path
from typing import Any

import pytest

from muniment.errors import InvalidInput
from muniment_evals.extraction import Report, details, evaluate


def turn(
    number: int, content: str, *, trap: str | None = None, signal: bool = True
) -> dict[str, Any]:
    return {
        "turn": number,
        "role": "user",
        "name": "Nora",
        "content": content,
        "occurred_at": "2026-05-13T10:00:00+02:00",
        "signal": signal,
        "trap": trap,
    }


def fact(evidence: int, **said: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "kind": "fact",
        "slot": None,
        "value": None,
        "must": [],
        "must_not": [],
    }
    days = {"valid_from": None, "valid_to": None, "status": "current", "polarity": "positive"}
    return empty | days | {"evidence": [["s", evidence]], "optional": False} | said


def scored(tmp_path: Path, turns: list[dict[str, Any]], facts: list[dict[str, Any]]) -> Report:
    file = tmp_path / "set.jsonl"
    session = {"session_id": "s", "turns": turns}
    line = {"id": "c", "timezone": "Europe/Amsterdam", "sessions": [session], "facts": facts}
    file.write_text(json.dumps(line) + "\n\n", encoding="utf-8")
    return evaluate(file)


def test_a_value_of_its_slot_is_found_with_its_day(tmp_path: Path) -> None:
    facts = [fact(1, slot="city", value="ghent", valid_from="2026-05-12")]
    report = scored(tmp_path, [turn(1, "I moved to Ghent yesterday.")], facts)
    assert report.overall["precision"] == report.overall["recall"] == 1
    assert report.overall["dates_exact"] == report.overall["kinds_right"] == 1
    assert list(details(report)) == []


def test_another_value_is_wrong_and_the_fact_missed(tmp_path: Path) -> None:
    facts = [fact(1, slot="city", value="Bruges")]
    report = scored(tmp_path, [turn(1, "I live in Ghent.", trap="joke")], facts)
    assert (report.overall["precision"], report.overall["recall"]) == (0, 0)
    assert report.wrong_by_trap == {"joke": 1}
    assert [line.split(":")[0] for line in details(report)] == ["wrong", "missed"]


@pytest.mark.parametrize(
    ("must", "must_not", "recall"),
    [
        ([["weekly", "week"], ["grain"]], [], 1),
        ([["weekly"], ["monthly"]], [], 0),
        ([["week"]], [], 0),
        ([["weekly"]], ["daily"], 0),
    ],
)
def test_words_that_a_fact_must_have_are_whole_words(
    tmp_path: Path, must: list[list[str]], must_not: list[str], recall: int
) -> None:
    facts = [fact(1, kind="user_preference", must=must, must_not=must_not)]
    report = scored(tmp_path, [turn(1, "I always want weekly grain, not daily.")], facts)
    assert report.overall["recall"] == recall


def test_an_optional_fact_is_neither_required_nor_wrong(tmp_path: Path) -> None:
    turns = [turn(1, "I live in Ghent."), turn(2, "I'm allergic to soy.")]
    facts = [
        fact(1, slot="city", value="Ghent", optional=True),
        fact(2, slot="allergy", value="nuts"),
    ]
    report = scored(tmp_path, turns, facts)
    assert report.counts["required"] == 1
    assert report.counts["matching_optional_only"] == 1
    assert (report.overall["precision"], report.overall["precision_of_required"]) == (0.5, 0)


def test_the_gate_is_scored_where_a_turn_is_labelled(tmp_path: Path) -> None:
    turns = [turn(1, "I live in Ghent."), turn(2, "Thanks!", signal=False)]
    report = scored(tmp_path, turns, [fact(1, slot="city", value="Ghent")])
    assert report.overall["gate_drops_noise"] == report.overall["gate_keeps_signal"] == 1


@pytest.mark.parametrize(
    "line", ["{", '{"id": "c"}', "[]", '{"id": "c", "sessions": [], "facts": [{}]}']
)
def test_a_line_of_another_form_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="line 2"):
        evaluate(file)


@pytest.mark.parametrize(
    "evidence",
    [[], ["s1"], [["s", 2]], [["t", 1]], [["s"]], [{"session_id": "s", "turn": 1}], [["s", "1"]]],
)
def test_evidence_that_is_not_there_is_refused(tmp_path: Path, evidence: list[Any]) -> None:
    facts = [fact(1, must=[["ghent"]]), fact(1, must=[["ghent"]]) | {"evidence": evidence}]
    with pytest.raises(InvalidInput, match=r"line 1.*/facts/1/evidence"):
        scored(tmp_path, [turn(1, "I moved to Ghent yesterday.")], facts)


def test_a_set_without_a_required_fact_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="required"):
        scored(tmp_path, [turn(1, "I live in Ghent.")], [])
