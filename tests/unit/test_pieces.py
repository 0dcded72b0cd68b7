"""What is kept as turns of a session comes back as it was.

| an item | then |
|---|---|
| any JSON, with NUL, lone surrogates, large numbers, any order of keys | the same, exactly |
| one that is longer than a turn's metadata may be | in pieces, each within the limit |
| of which a piece is missing | is not there |
| the same twice | twice |
| with secrets: in texts, in names, numbers, under a name, over several texts, in JSON within a text | without them, and it can be read; JSON within a text too |
| a secret where a cut would go, in the item or in what is said | nothing of it is stored |
| whose parts somebody spoilt, or whose mark is of another form | is left out; the others are there |
| more turns than a call takes | in calls of a bearable size, none lost |
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.client.json_parts import item_of
from muniment.client.models import WrittenTurn
from muniment.client.pieces import batches, joined, turns_of
from muniment.operations.operation import Operation
from muniment.operations.registry import REGISTRY
from muniment.providers.redactor import SecretRedactor
from muniment.records.secrets import Cleaner

MARK = "mark"
WRITE: Operation[Any, Any] = REGISTRY["events.write"]
REDACTOR = SecretRedactor()
texts = st.text(st.characters(codec=None), max_size=50)


def harmless(item: Any) -> bool:
    """By chance a number may be that of a card, or stand under a name of secrets."""
    cleaner = Cleaner(REDACTOR)
    cleaner.value(item)
    return not cleaner.kinds


items = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=8,
    ),
).filter(harmless)


def redact(text: str, name: str | None) -> str:
    return REDACTOR.redact(text, named=name).text


def kept(item: Any, said: str = "said") -> list[Any]:
    return list(turns_of(item, MARK, "user", said, REDACTOR))


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
            occurred_at=datetime.now(UTC), data_source=None, tool=None,
            metadata=Cleaner(REDACTOR).metadata(one.metadata),
            kept=True, reason="", rule="", quarantined=False, redacted=(), expires_at=None,
            proposed=False,
        )
        for one in parsed.command.events
    ]  # fmt: skip


@given(st.lists(items, min_size=1, max_size=4))
def test_any_json_comes_back(given: list[Any]) -> None:
    turns = [turn for item in given for turn in kept(item)]
    found = [item for item, _ in joined(stored(turns), MARK)]
    assert [json.dumps(item) for item in found] == [json.dumps(item) for item in given]


@pytest.mark.parametrize("character", ["a", "é", "😀", '"', "\\", "\x00", "\ud800", "\n"])
@pytest.mark.parametrize("length", [14_900, 15_100, 100_000])
def test_what_is_long_comes_in_pieces(character: str, length: int) -> None:
    item = {"type": "message", "content": character * length}
    turns = kept(item, character * length)
    ((found, ids),) = joined(reversed(stored(turns)), MARK)
    assert (found, len(ids)) == (item, len(turns))
    assert list(joined(stored(turns)[1:], MARK)) == []


def test_calls_are_of_a_bearable_size() -> None:
    turns = [turn for at in range(600) for turn in kept({"a": at}, "x" * 9000)]
    made = list(batches(turns))
    assert [turn for batch in made for turn in batch] == turns
    assert max(len(batch) for batch in made) <= 500
    assert max(len(json.dumps(batch, default=str)) for batch in made) < 4 * 1024 * 1024
    assert list(batches([])) == []


KEY = "sk" + "-ant-api03-" + "Qw3rTy9ZxCvB" * 4
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKC", "\n-----END RSA PRIVATE KEY-----"
CARD = 4111111111111111


@pytest.mark.parametrize(
    ("item", "gone", "back"),
    [
        ({"id": CARD, "of": [CARD, 2]}, [str(CARD)], {"id": "[redacted: card-number]", "of": ["[redacted: card-number]", 2]}),
        ({"password": 1234567, "n": 1234567}, [], {"password": "[redacted: password]", "n": 1234567}),
        ({"a": BEGIN, "b": ["AAAA" + END]}, ["BEGIN RSA", "MIIEowIB"], None),
        ({"password": "a\\b\\c9", "x": "pwd='it\\'s9x'"}, ["a\\b\\c9"], None),
        ({"x": f"card\n{CARD}\\"}, [str(CARD)], {"x": "card\n[redacted: card-number]\\"}),
        ({f"{KEY}": 1}, [KEY], {"[redacted: anthropic-key]": 1}),
        ({"api_key": ["abcdefgh12345678xyz"]}, ["abcdefgh12345678xyz"], {"api_key": ["[redacted: secret]"]}),
        ({"password": {"value": 1234567, "id": [{"k": 1}]}}, ["1234567"], {"password": {"value": "[redacted: password]", "id": [{"k": 1}]}}),
        ({"password": [{"x": {"y": "sword9"}}], "x": {"y": "sword9"}}, [], {"password": [{"x": {"y": "[redacted: password]"}}], "x": {"y": "sword9"}}),
        ({"arguments": '{"password": {"value": "sword9"}}'}, ["sword9"], None),
        ({"arguments": '{"password": 1234567, "a": "\\u00e9\\ud800\ue000"}'}, ["1234567"], None),
        ({"arguments": '{"a": "\\u00e9", "b": [ 1 ]}'}, [], {"arguments": '{"a": "\\u00e9", "b": [ 1 ]}'}),
        ({"x": f"\ud800 {KEY} \x00"}, [KEY], {"x": "\ud800 [redacted: anthropic-key] \x00"}),
        ({"password": None, "token": True, "passwd": float("inf")}, [], {"password": None, "token": True, "passwd": float("inf")}),
    ],
)  # fmt: skip
def test_without_secrets_an_item_is_json(item: Any, gone: list[str], back: Any) -> None:
    turns = kept(item)
    ((found, _),) = joined(stored(turns), MARK)
    assert not [one for one in gone if one in repr(turns) or one in repr(found)]
    if back is not None:
        assert found == back
    if "arguments" in item:
        json.loads(found["arguments"])


def texts_in(value: Any) -> Iterator[str]:
    """Texts and names of any JSON, without what no redactor reads."""
    if isinstance(value, str):
        yield re.sub("[\ud800-\udfff]", "", value)
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one)
    elif isinstance(value, dict):
        for one in value.items():
            yield from texts_in(list(one))


secrets = st.sampled_from(
    [KEY, f"password={KEY[-12:]}", str(CARD), BEGIN, END, '"password": ', "1234567", "\\", '"']
)


@given(st.lists(st.dictionaries(texts | secrets, st.one_of(texts, secrets, st.just(CARD),
       st.lists(secrets).map("".join), st.dictionaries(secrets, secrets).map(json.dumps)), max_size=4), min_size=1, max_size=3))  # fmt: skip
def test_no_secret_makes_an_item_unreadable(given: list[Any]) -> None:
    turns = [turn for item in given for turn in kept(item)]
    found = [item for item, _ in joined(stored(turns), MARK)]
    assert len(found) == len(given)
    assert all(redact(text, None) == text for text in texts_in(found))


@pytest.mark.parametrize("before", range(4_900, 5_000, 10))
def test_no_cut_goes_through_a_secret(before: int) -> None:
    for times in (1, 3):
        item = {"content": ("x " * before)[: before * times] + KEY + " tail" + "y" * 9000}
        assert KEY[20:30] not in json.dumps([turn["metadata"] for turn in kept(item)])
    said = "x " * ((64 * 1024 - 30) // 2) + KEY
    (turn,) = kept({"a": 1}, said)
    assert KEY[:20] not in turn["content"]
    assert len(turn["content"].encode()) <= 64 * 1024


@pytest.mark.parametrize(
    "spoilt",
    [["{"], ["{", '"a'], ["+a"], [], ["[" * 100_000], {"json": 1}, 7, ["{", 1, "}"] * 2],
    ids=repr,
)  # fmt: skip
def test_what_cannot_be_read_hides_nothing_else(spoilt: Any) -> None:
    turns = [turn for at in range(3) for turn in kept({"a": at})]
    turns[1]["metadata"][MARK]["json"] = spoilt
    if isinstance(spoilt, int):
        turns[1]["metadata"][MARK] = spoilt
    found = stored([turns[0], turns[2]])
    broken = stored([turns[0]])[0]
    found.insert(1, replace(broken, event_id=uuid4(), metadata=turns[1]["metadata"]))
    assert [item for item, _ in joined(found, MARK)] == [{"a": 0}, {"a": 2}]


def test_a_number_that_is_one_no_more_is_a_text() -> None:
    assert item_of(["{", '"id', ":", "[redacted: card-number]", "}"]) == {
        "id": "[redacted: card-number]"
    }
