"""What is kept as turns of a session comes back as it was.

| an item | then |
|---|---|
| any JSON, with NUL, lone surrogates, large numbers, any order of keys | the same, exactly |
| one that is longer than a turn's metadata may be | in pieces, each within the limit |
| of which a piece is missing | is not there |
| the same twice | twice |
| more turns than a call takes | in calls of a bearable size, none lost |
"""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.client.models import WrittenTurn
from muniment.client.pieces import batches, joined, turns_of
from muniment.operations.operation import Operation
from muniment.operations.registry import REGISTRY

MARK = "mark"
WRITE: Operation[Any, Any] = REGISTRY["events.write"]
texts = st.text(st.characters(codec=None), max_size=50)
items = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=8,
    ),
)


def stored(turns: list[Any]) -> list[WrittenTurn]:
    """The turns as the service takes them and gives them back."""
    told = [
        turn | {"turn": at, "occurred_at": turn["occurred_at"].isoformat()}
        for at, turn in enumerate(turns)
    ]
    parsed = WRITE.parse(
        json.dumps({"user_id": "u", "session_id": "s", "events": told}).encode(), {}
    )
    return [
        WrittenTurn(
            event_id=uuid4(), turn=one.turn, role=one.role, content=one.content, name=None,
            occurred_at=datetime.now(UTC), data_source=None, tool=None, metadata=one.metadata,
            kept=True, reason="", rule="", quarantined=False, redacted=(), expires_at=None,
        )
        for one in parsed.command.events
    ]  # fmt: skip


@given(st.lists(items, min_size=1, max_size=4))
def test_any_json_comes_back(given: list[Any]) -> None:
    turns = [turn for item in given for turn in turns_of(item, MARK, "user", "said")]
    found = [item for item, _ in joined(stored(turns), MARK)]
    assert [json.dumps(item) for item in found] == [json.dumps(item) for item in given]


@pytest.mark.parametrize("character", ["a", "é", "😀", '"', "\\", "\x00", "\ud800", "\n"])
@pytest.mark.parametrize("length", [14_900, 15_100, 100_000])
def test_what_is_long_comes_in_pieces(character: str, length: int) -> None:
    item = {"type": "message", "content": character * length}
    turns = list(turns_of(item, MARK, "user", character * length))
    ((found, ids),) = joined(reversed(stored(turns)), MARK)
    assert (found, len(ids)) == (item, len(turns))
    assert list(joined(stored(turns)[1:], MARK)) == []


def test_calls_are_of_a_bearable_size() -> None:
    turns = [turn for at in range(600) for turn in turns_of({"a": at}, MARK, "user", "x" * 9000)]
    made = list(batches(turns))
    assert [turn for batch in made for turn in batch] == turns
    assert max(len(batch) for batch in made) <= 500
    assert max(len(json.dumps(batch, default=str)) for batch in made) < 4 * 1024 * 1024
    assert list(batches([])) == []
