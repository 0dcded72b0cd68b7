"""Which mode, who decided, and why.

| asked for | prior findings | then |
|---|---|---|
| nothing | 0, 1, 2 | `fresh`, by default |
| nothing | 3 or more, stale ones counted | no mode; the gate is open |
| a mode | any | that mode, by the user; what it lacks is a reason |
| `auto` | none, nothing run either | `fresh`: nothing is known |
| `auto`, words of a mode in the wish | some | that mode, with the words as the reason |
| `auto`, the same words in the subject | some | not by them |
| `auto`, no such words, about a finding; same data, recent | some | `extend` |
| the same, the data changed, or the finding is past its time | some | `revalidate` |
| `auto`, no such words, about something else, long ago | some | `fresh` |
| `auto`, words for more, every finding past its time | some | `revalidate`: nothing to build on |
| `auto`, words for the same again, no battery | some | `extend`, else `fresh` |
| anything twice | any | the same decision |
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.mode import CHOICES, GATE, Known, Mode, Situation, choose
from muniment.domain.mode.clauses import clauses_of
from muniment.domain.mode.wording import cues_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
FINDINGS = (
    Known("Returns rose to 9 % with the new courier.", 0.9, NOW - DAY),
    Known("Baskets average 54 euros.", 0.7, NOW - DAY),
    Known("Weekend orders are 22 % below weekdays.", 0.9, NOW - DAY),
)
BEFORE = Situation(
    "?", NOW, FINDINGS, steps=("return rate by courier", "orders by weekday"),
    unknowns=("whether returns differ by category",), last_at=NOW - DAY, fingerprint="same",
)  # fmt: skip
STALE = tuple(replace(one, stale=True, observed_at=NOW - 120 * DAY) for one in FINDINGS)
OLD = replace(BEFORE, findings=STALE, last_at=NOW - 120 * DAY, fingerprint="unknown")


def asked(question: str, of: Situation = BEFORE, **changes: Any) -> Situation:
    return replace(of, question=question, **changes)


@pytest.mark.parametrize("count", range(5))
def test_the_gate_opens_at_three(count: int) -> None:
    findings = (*STALE[:1], *FINDINGS, *FINDINGS)[:count]
    decision = choose(None, replace(BEFORE, findings=findings))
    assert decision.gate_open is (count >= GATE)
    assert decision.mode == (None if count >= GATE else "fresh")
    assert decision.decided_by == "default"


def test_of_two_that_are_as_near_the_one_that_says_less_else_is_tested() -> None:
    about = Known("Returns rose by 9 %.", 0.9, NOW - DAY)
    among = Known("Returns, refunds and complaints about couriers rose most.", 0.9, NOW)
    for findings in ((about, among), (among, about)):
        assert asked("Do returns still rise?", findings=findings).target == about


@pytest.mark.parametrize("mode", CHOICES)
def test_a_mode_that_is_named_is_taken(mode: Mode) -> None:
    for situation in (BEFORE, OLD, Situation("Anything new?", NOW)):
        decision = choose(mode, situation)
        assert (decision.mode, decision.decided_by) == (mode, "user")
        assert decision.reasons[0].code == "asked"
    lacking = {"extend": "nothing_known", "revalidate": "nothing_to_confirm", "re-run": "nothing_to_repeat"}  # fmt: skip
    codes = [reason.code for reason in choose(mode, Situation("?", NOW)).reasons]
    assert codes == ["asked", *([lacking[mode]] if mode in lacking else [])]


@pytest.mark.parametrize(
    ("situation", "mode", "code"),
    [
        (Situation("Run it again.", NOW), "fresh", "nothing_known"),
        (asked("Start over, please."), "fresh", "wording:starts_over"),
        (asked("Dig deeper into returns."), "extend", "wording:goes_on"),
        (asked("Does the courier effect still hold?"), "revalidate", "wording:still_so"),
        (asked("Rerun the checks."), "re-run", "wording:runs_again"),
        (asked("Don't start over, continue."), "extend", "wording:goes_on"),
        (asked("Instead of continuing, start from scratch."), "fresh", "wording:from_scratch"),
        (asked("How many customers start over after a return?"), "extend", "near_ground"),
        (asked('Who clicks "run it again"?', last_at=NOW - 60 * DAY, fingerprint="changed"), "fresh", "other_ground"),
        (asked("How high are returns with the new courier?"), "extend", "known_ground"),
        (asked("How high are returns with the new courier?", fingerprint="changed"), "revalidate", "changed_data"),
        (asked("How high are returns with the new courier?", OLD), "revalidate", "stale_finding"),
        (asked("Do returns differ by category?"), "extend", "open_unknown"),
        (asked("Which warehouse burned down?", last_at=NOW - 60 * DAY, fingerprint="changed"), "fresh", "other_ground"),
        (asked("What else is there on returns?", OLD), "revalidate", "nothing_current"),
        (asked("Rerun the checks.", steps=()), "extend", "nothing_to_repeat"),
        (asked("Is it fixed?", findings=(), steps=(), unknowns=(), flags=(Known("Orders load late."),)), "fresh", "nothing_to_confirm"),
        (asked("Are orders still loaded late?", findings=(), flags=(Known("Orders load late."),)), "revalidate", "wording:still_so"),
    ],
)  # fmt: skip
def test_the_mode_is_inferred_and_explained(situation: Situation, mode: Mode, code: str) -> None:
    decision = choose("auto", situation)
    codes = [reason.code for reason in decision.reasons]
    assert (decision.mode, decision.decided_by) == (mode, "inferred")
    assert code in codes
    assert all(reason.words for reason in decision.reasons)


@pytest.mark.parametrize(
    ("question", "forms"),
    [
        ("Please rerun it.", ["request"]),
        ("Which region churns most?", ["open"]),
        ("Is that still so?", ["polar"]),
        ("We switched couriers. Did it help?", ["told", "polar"]),
        ("Do this one cold: what drives it?", ["request", "open"]),
        ("Before we go on, check it.", ["request"]),
    ],
)
def test_clauses(question: str, forms: list[str]) -> None:
    assert [clause.form for clause in clauses_of(question)] == forms


WORDS = ["start over", "again", "still", "don't", "what else", "is", "the", "returns", "rerun", "verify", "?", ".", ",", "\n", '"', "instead of", "churn"]  # fmt: skip
QUESTIONS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))  # fmt: skip


@given(
    QUESTIONS,
    st.sampled_from([None, "auto", *CHOICES]),
    st.integers(0, 4),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["same", "changed", "unknown"]),
    st.one_of(st.none(), st.integers(0, 400)),
)
def test_a_decision_is_repeatable_explained_and_possible(
    question: str, mode: Any, count: int, stale: bool, ran: bool, fingerprint: Any, days: int | None
) -> None:
    findings = (STALE if stale else FINDINGS)[:count]
    situation = Situation(
        question, NOW, findings, steps=BEFORE.steps if ran else (), fingerprint=fingerprint,
        last_at=None if days is None else NOW - days * DAY,
    )  # fmt: skip
    decision = choose(mode, situation)
    assert decision == choose(mode, replace(situation))
    assert decision.reasons
    assert (decision.mode is None) is decision.gate_open
    if mode == "auto":
        assert decision.mode != "extend" or not (findings and all(one.stale for one in findings))
        assert decision.mode != "revalidate" or situation.target is not None
        assert decision.mode != "re-run" or situation.steps


def test_a_long_question_is_read_at_its_beginning_alone() -> None:
    assert cues_of("x " * 1000 + "start over") == []
    assert cues_of("the same " * 8000) == cues_of(("the same " * 8000)[:2000])
