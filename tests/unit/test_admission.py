"""What a candidate is worth before anything held is looked at (RULES 4, 5, 7).

| of | follows |
|---|---|
| the turns that say it | trust, and 0.90 if literally stated, else 0.70 |
| a retraction | trust, as `memories.retract` grades it |
| its slot, else the reasons for which the turns were kept | importance |
| the most sensitive turn | category |
| what it names, else the first new turn that says it | since when |
| the latest turn | when it was observed |
| several people who speak as the user | whom it is about |
| an end before it was said, and no beginning | a retraction |
| the last turns, or all since the last pass | where the transcript pass begins |
"""

import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.admission import (
    Admitted,
    SessionTurn,
    admitted,
    digest_of,
    transcript_start,
)
from muniment.domain.extraction import Extracted
from muniment.domain.gate import IMPORTANCE
from muniment.domain.policy import Policy

POLICY = Policy.parse(
    tomllib.loads((files("muniment.policy") / "default.toml").read_text(encoding="utf-8"))
)
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLAIN = SessionTurn(
    turn=0, role="user", name=None, content="I live in Gouda.", occurred_at=NOON,
    trust="user_stated", standing="asserted", category="personal", reason="fact",
    data_source=None, agent_id=None, echo=False, fresh=True,
)  # fmt: skip
CITY = Extracted(
    kind="fact", text="The user lives in Gouda.", subject=None, slot="city", value="Gouda",
    data_source=None, valid_from=None, valid_to=None, cited=(0,), rule="r",
)  # fmt: skip
GONE = replace(CITY, text="No longer so: The user lives in Gouda.", retracts=True)
LASTING = replace(CITY, text="The user sings.", slot=None, value=None)


def judged(candidate: Extracted, *turns: SessionTurn, name: str | None = None) -> Any:
    numbered = [replace(one, turn=at) for at, one in enumerate(turns)]
    cited = replace(candidate, cited=tuple(range(len(turns))))
    return admitted(cited, {one.turn: one for one in numbered}, POLICY, name)


def worth(candidate: Extracted, *turns: SessionTurn, name: str | None = None) -> Admitted:
    found = judged(candidate, *turns, name=name)
    assert isinstance(found, Admitted), found
    return found


@pytest.mark.parametrize(
    ("candidate", "content", "trust", "confidence"),
    [
        (CITY, "I live in Gouda.", "user_stated", 0.9),
        (CITY, "Gouda is where my heart is, and my house.", "user_stated", 0.9),
        (CITY, "I do not live in Gouda.", "agent_inferred", 0.7),
        (CITY, "The town on the river is home.", "agent_inferred", 0.7),
        (LASTING, "I sing.", "user_stated", 0.9),
        (LASTING, "Music is my life.", "agent_inferred", 0.7),
        (GONE, "I no longer live in Gouda.", "user_stated", 0.9),
        (GONE, "I don't live in Gouda anymore.", "user_stated", 0.9),
        (GONE, "I do not live in Gouda any more.", "user_stated", 0.9),
        (GONE, "Forget that I live in Gouda.", "user_stated", 0.9),
        (GONE, "I live in Gouda.", "agent_inferred", 0.7),
        (GONE, "The town on the river is home.", "agent_inferred", 0.7),
    ],
)
def test_grades(candidate: Extracted, content: str, trust: str, confidence: float) -> None:
    found = worth(candidate, replace(PLAIN, content=content))
    assert (found.trust, found.confidence) == (trust, confidence)


def test_what_it_calls_the_user_is_known() -> None:
    told = replace(LASTING, text="Nora sings.")
    turn = replace(PLAIN, content="I sing.")
    assert worth(told, turn, name="Nora").trust == "user_stated"
    assert worth(told, replace(turn, name="Nora")).trust == "user_stated"
    assert worth(told, turn).trust == "agent_inferred"


@pytest.mark.parametrize(
    ("candidate", "reasons", "importance"),
    [
        (CITY, ["fact"], POLICY.slots["city"].importance),
        (replace(CITY, slot="allergy"), ["fact"], 10),
        (LASTING, ["fact"], 5),
        (LASTING, ["fact", "correction"], 7),
        (LASTING, ["greeting"], 1),
        (replace(LASTING, kind="user_preference"), ["fact"], 6),
        (replace(LASTING, kind="user_preference"), ["standing_instruction"], 7),
    ],
)
def test_importance(candidate: Extracted, reasons: list[str], importance: int) -> None:
    turns = [replace(PLAIN, reason=reason) for reason in reasons]
    assert worth(candidate, *turns).importance == importance


def test_the_table_is_the_gates() -> None:
    slots = {"allergy", "do_not_contact", "pet"}
    gate = {str(name): weight for name, weight in IMPORTANCE.items() if name not in slots}
    assert dict(POLICY.importance) == gate


def test_category_and_dates() -> None:
    turns = [
        replace(PLAIN, category="public", occurred_at=NOON + HOUR),
        replace(PLAIN, category="regulated", occurred_at=NOON + 2 * HOUR),
        replace(PLAIN, category="internal", role="assistant", occurred_at=NOON + 3 * HOUR),
    ]
    found = worth(CITY, *turns)
    assert found.category == "regulated"
    assert (found.valid_from, found.valid_to) == (NOON + HOUR, None)
    assert found.observed_at == NOON + 3 * HOUR
    old, new = replace(turns[0], fresh=False), turns[1]
    assert worth(CITY, old, new).valid_from == NOON + 2 * HOUR


@pytest.mark.parametrize(
    ("more", "window", "retracts"),
    [
        ({"valid_from": NOON - HOUR}, (NOON - HOUR, None), False),
        ({"valid_to": NOON + HOUR}, (NOON, NOON + HOUR), False),
        ({"valid_to": NOON - HOUR}, (NOON - HOUR, None), True),
        ({"valid_from": NOON - HOUR, "valid_to": NOON}, (NOON - HOUR, NOON), False),
        ({"retracts": True}, (NOON, None), True),
        ({"retracts": True, "valid_to": NOON - HOUR}, (NOON - HOUR, None), True),
    ],
)
def test_windows(more: dict[str, Any], window: tuple[Any, Any], retracts: bool) -> None:
    found = worth(replace(CITY, **more), PLAIN)
    assert (found.valid_from, found.valid_to) == window
    assert found.retracts is retracts


@pytest.mark.parametrize(
    ("names", "subject"),
    [
        ([None], None),
        (["Nora"], None),
        (["Nora", "Nora"], None),
        (["Nora", "Pim"], "Pim"),
    ],
)
def test_whom_it_is_about(names: list[str | None], subject: str | None) -> None:
    turns = {at: replace(PLAIN, turn=at, name=name) for at, name in enumerate(names)}
    found = admitted(replace(CITY, cited=(len(names) - 1,)), turns, POLICY)
    assert isinstance(found, Admitted)
    assert found.subject == subject


def test_what_it_is_about_when_it_is_data() -> None:
    turn = replace(PLAIN, data_source="orders", content="The orders lag.")
    fault = replace(LASTING, kind="data_quality", text="The orders lag.")
    assert worth(fault, turn).data_source == "orders"
    assert worth(LASTING, turn).data_source is None
    assert worth(fault, turn, replace(turn, data_source="invoices")).data_source is None


@pytest.mark.parametrize(
    ("turns", "rule"),
    [
        ([replace(PLAIN, role="assistant")], "assistant_alone"),
        ([replace(PLAIN, role="external")], "assistant_alone"),
        ([replace(PLAIN, echo=True)], "echo"),
        ([replace(PLAIN, echo=True, standing="quarantined")], "echo"),
        ([replace(PLAIN, fresh=False)], "nothing_new"),
    ],
)
def test_refusals(turns: list[SessionTurn], rule: str) -> None:
    assert judged(CITY, *turns) == rule


def test_beside_what_is_quarantined_it_is_suspect() -> None:
    apart = replace(
        PLAIN, role="external", standing="quarantined", trust="external_content", echo=True
    )
    guess = replace(PLAIN, content="See the mail.")
    assert worth(CITY, guess, apart).suspect
    assert not worth(CITY, guess).suspect
    assert not worth(CITY, PLAIN, apart).suspect  # the user said so themselves


def test_digests() -> None:
    slot = POLICY.slots["city"]
    one = digest_of(CITY, slot, b"s")
    assert one == digest_of(replace(CITY, value=" gouda ", text="Other words."), slot, b"s")
    others = [
        digest_of(replace(CITY, value="Delft"), slot, b"s"),
        digest_of(replace(CITY, cited=(0, 1)), slot, b"s"),
        digest_of(replace(CITY, retracts=True), slot, b"s"),
        digest_of(replace(CITY, kind="finding"), slot, b"s"),
        digest_of(CITY, slot, b"t"),
        digest_of(LASTING, None, b"s"),
    ]
    assert len({one, *others}) == 7
    same = replace(LASTING, text="the  user SINGS.")
    assert digest_of(LASTING, None, b"s") == digest_of(same, None, b"s")


@pytest.mark.parametrize(
    ("fresh", "least", "start"),
    [
        ([True] * 5, 3, 0),
        ([False] * 5 + [True], 3, 3),
        ([False] * 2 + [True] * 4, 3, 2),
        ([False] * 5, 3, 2),
        ([True], 3, 0),
        ([], 3, 0),
    ],
)
def test_where_the_transcript_pass_begins(fresh: list[bool], least: int, start: int) -> None:
    assert transcript_start(fresh, least) == start


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 40))
def test_the_transcript_pass_misses_nothing_new(fresh: list[bool], least: int) -> None:
    start = transcript_start(fresh, least)
    assert not any(fresh[:start])
    assert len(fresh) - start >= min(least, len(fresh))
