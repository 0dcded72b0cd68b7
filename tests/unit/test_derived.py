"""What a memory becomes when turns that it rests on are erased.

| evidence left | first statement | its words | becomes |
|---|---|---|---|
| none | | | goes |
| some | lost nothing | | stays |
| some | lost a turn, and one that lost none says the same (no slot) | | stays |
| some | lost a turn | no word that only an erased turn has | stays |
| some | lost a turn | such words, but what is left gives the slot its value | said anew by slot and value |
| some | lost a turn | such words | goes |
| some | | name the person who is forgotten | goes |

Grades come from what is left, and nothing rises.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from muniment.domain.derived import (
    Grades,
    HeldVersion,
    Statement,
    Support,
    Wording,
    regraded,
    reworded,
)
from muniment.domain.slot import Slot
from muniment.domain.text import analyzer_for
from muniment.domain.trust import Role, Trust

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
CITY = Slot("city", "one")
SAID = Wording("Lives in Gouda.", CITY, "Gouda", None, None, "As told.", "bot", {"a": "told"})
SINCE = replace(SAID, text="Lives in Gouda since spring.")
PLAIN = replace(SAID, slot=None, value=None)


def told(
    content: str | None,
    *,
    erased: bool = False,
    at: int = 0,
    role: Role = "user",
    trust: Trust = "user_stated",
    name: str | None = None,
) -> Support:
    """A turn that was said, and cited, ``at`` hours on."""
    moment = NOW + at * HOUR
    return Support(moment, moment - HOUR, trust, erased, role, content, name)


def stated(
    *supports: Support, at: int = 0, trust: Trust = "user_stated", confidence: float = 0.9
) -> Statement:
    """A statement that cites these."""
    return Statement(NOW + at * HOUR, trust, confidence, supports)


GONE = told("I live in Gouda.", erased=True)
KNOWN = stated(GONE)
FULLY = stated(told("I live in Gouda since spring.", erased=True))
NO_TURN = Support(NOW + HOUR, NOW + HOUR, "agent_inferred", False)


@pytest.mark.parametrize(
    ("said", "statements", "fate"),
    [
        (SAID, [KNOWN], "goes"),
        (SAID, [KNOWN, stated(told("Gouda is home. I live here."), at=1)], "stays"),
        (SINCE, [FULLY, stated(told("Gouda it is."), at=1)], "said_anew"),
        (SINCE, [FULLY, stated(NO_TURN, at=1)], "said_anew"),
        (SINCE, [FULLY, stated(told("Living in Gouda, since spring."), at=1)], "stays"),
        (SAID, [stated(GONE, told("Noted."))], "goes"),
        (SAID, [stated(GONE, told("You live in Gouda.", role="assistant"))], "stays"),
        (SAID, [stated(told("I live in Gouda.")), stated(GONE, at=1)], "stays"),
        (SAID, [stated(NO_TURN), stated(GONE, at=1)], "stays"),
        (PLAIN, [KNOWN, stated(told("Right."), at=1)], "stays"),
        (PLAIN, [stated(GONE, told("Right."))], "goes"),
        (PLAIN, [stated(GONE, told("Right.")), stated(GONE, told("Yes."), at=1)], "goes"),
        (replace(PLAIN, text="The table lags."), [stated(GONE, told("It lags."))], "stays"),
        (replace(PLAIN, text="It lags.", subject="Gouda"), [stated(GONE, told("It lags."))], "goes"),
        (replace(PLAIN, text="It lags.", data_source="gouda"), [stated(GONE, told("."))], "goes"),
    ],
)  # fmt: skip
def test_words(said: Wording, statements: list[Statement], fate: str) -> None:
    assert reworded(said, NOW, statements, (), analyzer_for())[0] == fate


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("As Nora@x.example said, the table lags.", "goes"),
        ("Nora-Jane says that it lags.", "goes"),
        ("Noras say that it lags.", "stays"),
        ("The table lags.", "stays"),
    ],
)
def test_who_is_forgotten_is_not_named(text: str, fate: str) -> None:
    said = replace(PLAIN, text=text)
    lost = stated(told("It lags.", erased=True, name="Nora-Jane"), at=1)
    statements = [stated(told("It lags.")), lost]
    assert reworded(said, NOW, statements, ("nora@x.example",), analyzer_for())[0] == fate
    # Who forgets a part of what they said keeps their name.
    assert reworded(said, NOW, statements, (), analyzer_for())[0] == "stays"


def test_said_anew_by_slot_and_value() -> None:
    _, said = reworded(SINCE, NOW, [FULLY, stated(NO_TURN, at=1)], (), analyzer_for())
    assert (said.text, said.value) == ("City: Gouda.", "Gouda")


@pytest.mark.parametrize(
    ("first", "detail", "agent_id", "metadata"),
    [
        ([GONE], None, None, {}),
        ([GONE, told("Gouda. I live there.")], "As told.", "bot", {"a": "told"}),
        ([told("I live in Gouda.")], "As told.", "bot", {"a": "told"}),
        ([told("As told, I live in Gouda.", erased=True), told("I live in Gouda.")], None, "bot", {}),
    ],
)  # fmt: skip
def test_what_was_said_beside_it(
    first: list[Support], detail: str | None, agent_id: str | None, metadata: dict[str, str]
) -> None:
    again = stated(told("Gouda is where I live."), at=1)
    _, said = reworded(SAID, NOW, [stated(*first), again], (), analyzer_for())
    assert (said.detail, said.agent_id, said.metadata) == (detail, agent_id, metadata)


HELD = HeldVersion(UUID(int=1), NOW, None, "user_stated", 0.9, NOW + 5 * HOUR)
GUESS = stated(told("Gouda?", at=2, role="assistant", trust="agent_inferred"), at=2,
               trust="agent_inferred", confidence=0.7)  # fmt: skip


@pytest.mark.parametrize(
    ("statements", "grades"),
    [
        ([KNOWN], None),
        ([KNOWN, GUESS], ("agent_inferred", 0.7, 1, 2)),
        ([stated(told("I live in Gouda.")), stated(GONE, at=1)], ("user_stated", 0.9, -1, 0)),
        ([stated(GONE, told("Noted.", role="assistant", trust="agent_inferred"))],
         ("agent_inferred", 0.7, -1, 0)),
        ([stated(GONE, told("I live in Gouda.", at=3))], ("user_stated", 0.9, 2, 0)),
        ([stated(GONE, told(None))], ("agent_inferred", 0.7, -1, 0)),
        ([stated(GONE, told("Noted."), trust="operator", confidence=0.9)],
         ("operator", 0.9, -1, 0)),
        # A guess that was graded low does not rise by what is left.
        ([stated(GONE, told("I live in Gouda."), trust="agent_inferred", confidence=0.7)],
         ("agent_inferred", 0.7, -1, 0)),
    ],
)  # fmt: skip
def test_grades(statements: list[Statement], grades: tuple[Trust, float, int, int] | None) -> None:
    found = regraded(HELD, SAID, statements, lambda known: 0.9 if known else 0.7)
    if grades is None:
        assert found is None
        return
    trust, confidence, observed, recorded = grades
    assert found == Grades(NOW + recorded * HOUR, trust, confidence, NOW + observed * HOUR)


def test_a_version_rests_on_what_was_stated_while_it_was_held() -> None:
    earlier = replace(HELD, recorded_to=NOW + HOUR)
    confidence = {True: 0.9, False: 0.7}
    assert regraded(earlier, SAID, [KNOWN, GUESS], confidence.__getitem__) is None
    later = replace(HELD, recorded_from=NOW + 3 * HOUR)
    found = regraded(later, SAID, [KNOWN, GUESS], confidence.__getitem__)
    assert found is not None
    assert found.recorded_from == later.recorded_from
