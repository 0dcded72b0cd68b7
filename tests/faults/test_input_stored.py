"""What is stored comes back as it was written: the big list of naughty strings and our own.

| written to | read from |
|---|---|
| event content, metadata keys and values | the item, and the row behind it |
| event name, data source | the item, and by a filter |
| memory text, subject, value, data source, metadata; detail | the item; the row |
| working keys and values | ``working.get``, ``working.list`` |
| NUL or lone surrogates in working values, items of the store, files | 422: they come back exactly or not at all |
| user ids, session ids, namespaces | the sessions and working memory under them |
| metadata, as key and as value of a filter | exactly what has it |
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from muniment.client import Client
from muniment.client.models import Item
from muniment.errors import InvalidInput
from muniment.postgres.embedded import ADMIN, Layout
from muniment.records.credentials import read_token
from muniment.testing import Running
from tests.faults.input_fields import EVENT
from tests.faults.input_size import LONG
from tests.faults.input_strings import (
    BROKEN,
    WHOLE,
    as_name,
    fits_a_name,
    naughty,
    needs_blns,
    shows,
)

pytestmark = pytest.mark.long

pytest_plugins = ["tests.faults.input_service"]
OURS = list(dict.fromkeys([*WHOLE, *BROKEN]))
STRINGS = list(dict.fromkeys([*OURS, *naughty()]))


def names(texts: list[str]) -> list[str]:
    """Those that may be identifiers, each once as it is kept."""
    return list(dict.fromkeys(as_name(text) for text in texts if fits_a_name(text)))


def part(every: int) -> list[str]:
    """All of ours and every so many of the others; all of them in the long run."""
    return STRINGS if LONG else [*OURS, *STRINGS[len(OURS) :: every]]


def kept(text: str) -> str:
    """A text as the service keeps it."""
    return BROKEN.get(text, text)


def items(sdk: Client, **which: Any) -> Iterator[Item]:
    """Every page of a list."""
    cursor = None
    while True:
        page = sdk.memories.list(user_id="u", limit=200, cursor=cursor, **which)
        yield from page.items
        cursor = page.next
        if cursor is None:
            return


@pytest.fixture
def rows(unlimited: Running, key: str) -> Iterator[Any]:
    """Reads rows of the test's tenant."""
    tenant_id = read_token(key).tenant_id
    conninfo = Layout.of(unlimited.data_dir).conninfo(ADMIN)
    with psycopg.connect(conninfo, autocommit=True) as admin:
        admin.execute("SET search_path = muniment")
        yield lambda select: admin.execute(f"{select} WHERE tenant_id = %s", [tenant_id]).fetchall()


@needs_blns
def test_the_big_list_is_there() -> None:
    assert len(STRINGS) > 550


def test_event_content_and_metadata(sdk: Client, rows: Any) -> None:
    """Dropped turns too, which no operation shows: they are evidence."""
    turns = [
        EVENT | {"turn": at, "content": text, "metadata": {text: text, "k": [text]}}
        for at, text in enumerate(STRINGS)
    ]
    for start in range(0, len(turns), 500):
        sdk.events.write(user_id="u", session_id="s", events=turns[start : start + 500])  # type: ignore[arg-type]
    expected = {
        at: (kept(text), {kept(text): kept(text), "k": [kept(text)]})
        for at, text in enumerate(STRINGS)
    }
    stored = {
        turn: (content, data)
        for turn, content, data in rows("SELECT turn, content, metadata FROM event")
    }
    assert stored == expected
    shown = {
        item.evidence[0].turn: (item.text, item.metadata)
        for item in items(sdk, tiers=["episodic"], kinds=["event"])
    }
    assert len(shown) > len(STRINGS) // 3
    assert shown == {at: expected[at] for at in shown}


def test_names_and_data_sources(sdk: Client) -> None:
    given = names(part(20))
    turns = [
        EVENT
        | {"turn": at, "content": f"I moved to house {at}.", "name": name, "data_source": name}
        for at, name in enumerate(given)
    ]
    for start in range(0, len(turns), 500):
        sdk.events.write(user_id="u", session_id="s", events=turns[start : start + 500])  # type: ignore[arg-type]
    shown = {
        item.evidence[0].turn: (item.name, item.data_source)
        for item in items(sdk, tiers=["episodic"], kinds=["event"])
    }
    assert shown == {at: (name, name) for at, name in enumerate(given)}
    for at, name in enumerate(given):
        for which in ({"filter": {"name": name}}, {"data_source": name}):
            page = sdk.memories.list(user_id="u", tiers=["episodic"], **which)
            assert [item.evidence[0].turn for item in page.items] == [at], name


def test_memories(sdk: Client, rows: Any) -> None:
    """Each with a data source of its own, or equal texts would be one memory."""
    texts = [text for text in part(6) if shows(text)]
    expected = {}
    for at, text in enumerate(texts):
        subject = as_name(text) if fits_a_name(text) else None
        sdk.memories.remember(
            kind="fact", user_id="u", text=text, detail=text, subject=subject,
            data_source=f"d{at}", metadata={text: {text: text}},
        )  # fmt: skip
        expected[f"d{at}"] = (kept(text), subject, {kept(text): {kept(text): kept(text)}})
    standing = ["asserted", "contested", "quarantined"]
    shown = {
        item.data_source: (item.text, item.subject, item.metadata)
        for item in items(sdk, standing=standing)
    }
    assert shown == expected
    details = dict(rows("SELECT data_source, detail FROM memory"))
    assert details == {source: text for source, (text, _, _) in expected.items()}


def test_values_of_slots(sdk: Client) -> None:
    texts = [text for text in part(12) if shows(text)]
    for at, text in enumerate(texts):
        sdk.memories.remember(
            kind="fact", user_id="u", text="A pet.", slot="pet", value=text, subject=f"s{at}"
        )
    shown = {
        item.subject: item.value
        for item in items(sdk, standing=["asserted", "contested", "quarantined"])
    }
    assert shown == {f"s{at}": kept(text) for at, text in enumerate(texts)}


def test_working_memory(sdk: Client) -> None:
    given = names(part(12))
    for name in given:
        sdk.working.put(user_id="u", session_id="s", key=name, value={name: [name]})
    for name in given:
        assert sdk.working.get(user_id="u", session_id="s", key=name).value == {name: [name]}
    listed: list[str] = []
    cursor = None
    while True:
        page = sdk.working.list(user_id="u", session_id="s", limit=100, cursor=cursor)
        listed += [item.key for item in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert sorted(listed) == sorted(given)
    assert len(set(listed)) == len(listed)
    texts = [text for text in part(12) if text not in BROKEN]
    sdk.working.put(user_id="u", session_id="s", key="all", value=texts)
    assert sdk.working.get(user_id="u", session_id="s", key="all").value == texts


@pytest.mark.parametrize("text", BROKEN, ids=repr)
def test_what_must_come_back_exactly_is_not_changed(sdk: Client, text: str) -> None:
    """Refused as a value, within one, and as the name of a field."""
    session: dict[str, Any] = {"user_id": "u", "session_id": "s", "key": "k"}
    for value, place in ((text, "/value"), ({"a": [1, text]}, "/value/a/1"), ({text: 1}, "/value")):
        with pytest.raises(InvalidInput) as refused:
            sdk.working.put(**session, value=value)
        assert [one.pointer for one in refused.value.faults] == [place]
    put: Any = {"path": ["p"], "key": "k", "value": {"a": text}}
    with pytest.raises(InvalidInput) as refused:
        sdk.store.write(user_id="u", puts=[put])
    assert [one.pointer for one in refused.value.faults] == ["/puts/0/value/a"]
    with pytest.raises(InvalidInput) as refused:
        sdk.files.put(user_id="u", path="a.txt", content=text)
    assert [one.pointer for one in refused.value.faults] == ["/content"]


def test_users_sessions_and_namespaces(sdk: Client) -> None:
    given = names(part(20))
    for name in given:
        place: dict[str, Any] = {"user_id": name, "session_id": name, "namespace": name}
        sdk.working.put(**place, key=name, value=name)
    for name in given:
        place = {"user_id": name, "session_id": name, "namespace": name}
        assert sdk.sessions.get(**place).session_id == name
        assert sdk.working.get(**place, key=name).value == name
        keys = sdk.working.list(**place)
        assert [(one.key, one.version) for one in keys.items] == [(name, 1)]


def test_filters_find_exactly_what_has_it(sdk: Client) -> None:
    """Values and keys that are SQL, LIKE, tsquery or jsonpath are only text."""
    texts = list(dict.fromkeys(kept(text) for text in part(40)))
    for at, text in enumerate(texts):
        sdk.memories.remember(
            kind="fact", user_id="u", text="A fact.", data_source=f"d{at}",
            metadata={"k": text, text: "here"},
        )  # fmt: skip
    for at, text in enumerate(texts):
        wanted: list[dict[str, Any]] = [
            {"metadata.k": text},
            {"metadata.k": {"$in": [text]}},
            {"$not": {"metadata.k": {"$ne": text}}},
        ]
        if text and "." not in text:
            wanted.append({f"metadata.{text}": "here"})
            wanted.append({f"metadata.{text}": {"$exists": True}})
        for expression in wanted:
            found = [item.data_source for item in items(sdk, filter=expression)]
            assert found == ([f"d{at}"] if text != "k" else found), (text, expression)
