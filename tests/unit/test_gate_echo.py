"""Echoes at the gate (RULES 10). What nearly the same words are is held by tests/unit/test_echo.py.

| turn, after a recall into its session | verdict |
|---|---|
| of an assistant, a tool, from outside: nearly a recalled text | echo |
| the same of a user, not of themselves | echo |
| a user says it of themselves, corrects it, makes it a standing instruction | as without the recall |
| recalled sentences with thanks and the like around them | echo |
| every sentence recalled, of several items | echo |
| a recalled sentence beside a new one | as without the recall |
| some words of a long recalled text, of no one sentence of it | as without the recall |
| very long | as without the recall |
| dropped anyway | as without the recall |
"""

import pytest

from muniment.domain.gate import GateInput, Reason, Role, judge
from muniment.domain.gate.echoing import LONGEST, Heard, unless_echo
from muniment.domain.text import analyzer_for
from tests.support.growth import grows_linearly

TEAM = "Nora's team releases every Tuesday from the harbour office in Gouda."
LAG = "The orders table lags three days behind, 72 hours at most."
RULE = "Nora excludes OpenAI namespaces from all revenue queries."
SUMMARY = (
    "On 3 May 2026 Nora talked about the office. " * 8
    + "The harbour crane was painted green in March. The orders table moved to another cluster."
)
HEARD = Heard([TEAM, LAG, RULE, SUMMARY], analyzer_for())


def is_echo(text: str, role: Role, heard: Heard | None = HEARD) -> bool:
    said = GateInput(role, text)
    verdict = judge(said)
    found = unless_echo(said, verdict, heard)
    if found == verdict:
        return False
    assert (found.kept, found.reason, found.importance) == (False, Reason.ECHO, 1)
    assert found.rule == "session.recalled"
    return True


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (TEAM, "assistant external user"),
        ("From now on exclude OpenAI namespaces from all revenue queries.", "assistant external"),
        ("Your team releases every Tuesday from the harbour office in Gouda.", "assistant external user"),
        ("The orders table lags 72 hours behind.", "assistant external user"),
        (f"Sure! {LAG} Hope that helps!", "assistant external user"),
        (f"{TEAM} {LAG}", "assistant external user"),
        ("The harbour crane was painted green in March.", "assistant external user"),
        (f"{TEAM} It moves to Thursday in June.", ""),
        ("The orders table lags 48 hours behind.", ""),
        ("The office crane moved to another harbour in May.", ""),
        ("Always exclude OpenAI namespaces from all revenue queries.", ""),
        ("My team releases every Tuesday from the harbour office in Gouda.", "assistant external"),
        ("No, actually the orders table lags three days behind.", ""),
        ("Okay!", ""),
        (TEAM + " x" * LONGEST, ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("role", ["assistant", "external", "user"])
def test_what_is_an_echo(text: str, roles: str, role: Role) -> None:
    assert is_echo(text, role) is (role in roles.split())


def test_a_tool_that_returns_what_was_recalled() -> None:
    assert is_echo(LAG, "tool")
    assert not is_echo("Order 17 was shipped to Gouda.", "tool")


def test_nothing_recalled() -> None:
    assert not is_echo(TEAM, "assistant", None)
    assert not is_echo(TEAM, "assistant", Heard([], analyzer_for()))


@pytest.mark.parametrize("unit", ["a ", "harbour. ", "Gouda ", "x", "?!", "\n", "東京。", "the "])
def test_work_is_bounded(unit: str) -> None:
    text = (unit * 65_536)[:65_536]
    heard = Heard([text[:2000]] * 64, analyzer_for())

    def read(size: int) -> None:
        for length in (min(LONGEST, size), size):
            said = GateInput("assistant", text[:length])
            unless_echo(said, judge(said), heard)

    assert grows_linearly(read, 65_536)
