"""``MunimentStore`` beside LangGraph's own ``InMemoryStore``: the same operations, the same answers.

| operations | the same as in memory |
|---|---|
| batches: order, reads before writes, the last write of a key counts | every result |
| prefixes by whole labels, in any writing; `%`, `_`, `*`, dots and more in labels | which items |
| filters: equal, operators, objects, lists, values that look like operators or SQL | which items |
| lists of namespaces: prefix, suffix, wildcards, depth, pages | in order |
| several texts an item, none, places; `query=""` | the nearest first, with its cosine |

What memory does otherwise: a namespace stays listed once it was looked at; a number is below a
text that reads as one; True is 1; what was searched for before and is not any more.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from muniment.client import AsyncClient, Client
from muniment.errors import InvalidInput, TooLarge
from muniment.langgraph import MunimentStore
from muniment.testing import Running
from tests.support.world import EMBEDDER

Labels = tuple[str, ...]


@pytest.fixture(scope="module")
def client(running: Running) -> Iterator[Client]:
    """The admin of a tenant of this module."""
    with (
        Client(running.url, running.key) as installation,
        Client(running.url, installation.tenants.create(name="store").key.secret) as made,
    ):
        yield made


@pytest.fixture
def store(client: Client) -> MunimentStore:
    """A user of their own."""
    return MunimentStore(client, user_id=uuid4().hex)


def put(path: Labels, key: str, value: dict[str, Any] | None, **more: Any) -> PutOp:
    return PutOp(path, key, value, **more)


def plain(result: Any) -> Any:
    """A result without its times; items of a search in any order, since theirs differ."""
    if isinstance(result, Item):
        return result.namespace, result.key, result.value
    if isinstance(result, list) and result and isinstance(result[0], Item):
        return sorted((one.namespace, one.key, repr(sorted(one.value.items()))) for one in result)
    return result


A, AB, ABC = ("a",), ("a", "b"), ("a", "b", "c")
ODD = [
    ("a", "%"),
    ("a", "_"),
    ("a_",),
    ("ab",),
    ("A",),
    ("*",),
    ("a", "*"),
    ("a.b",),
    ("é", "𝒳"),
    ("a", "'--"),
    ("a b",),
    ("a", "{}"),
]
MIXED: list[PutOp] = [put(path, "k", {"at": list(path)}) for path in [A, AB, ABC, ("b", "c"), *ODD]]
ALL = SearchOp((), limit=100)


def listing(
    depth: int | None = None, limit: int = 100, offset: int = 0, **paths: Labels
) -> ListNamespacesOp:
    conditions = tuple(MatchCondition(kind, path) for kind, path in paths.items())  # type: ignore[arg-type]
    return ListNamespacesOp(conditions, depth, limit, offset)


BATCHES: dict[str, Sequence[Sequence[Op]]] = {
    "results in order": [[put(A, "k", {"n": 1}), GetOp(A, "k"), put(AB, "k", {"n": 2})], [GetOp(AB, "k"), GetOp(A, "x"), ALL, GetOp(A, "k"), listing()]],
    "the last write counts": [[put(A, "k", {"n": 1}), put(A, "k", {"n": 2}), put(AB, "k", {"n": 3}), put(AB, "k", None)], [ALL]],
    "reads see what was before": [[put(A, "k", {"n": 1})], [put(A, "k", {"n": 2}), GetOp(A, "k"), ALL, put(A, "l", {})], [ALL]],
    "deletions": [[put(A, "k", {}), put(A, "l", {})], [put(A, "k", None), put(A, "none", None)], [GetOp(A, "k"), ALL], [put(A, "k", {"n": 2})], [ALL]],
    "values": [[put(A, str(n), {"v": v}) for n, v in enumerate([None, True, 0, -1.5, 2**53 + 1, 10**40, 1e23, 1e-300, "", "𝒳 \u202e", [], {}, [1, [{"a": None}]], {"": {"$gt": 1}}])], [ALL, *(GetOp(A, str(n)) for n in range(14))]],
    "keys": [[put(A, key, {"k": key}) for key in ["k", "K", "k ", "%", "_", "a.b", "a/b", "..", "*", "é", "'"]], [ALL, GetOp(A, "k"), GetOp(A, "K"), GetOp(A, "%"), GetOp(A, "..")]],
    "prefixes": [MIXED, [SearchOp(path, limit=100) for path in [(), A, AB, ABC, ("ab",), ("A",), ("*",), ("a", "%"), ("a", "_"), ("a.b",), ("é",), ("a", "*"), ("x",)]]],
    "namespaces": [MIXED, [
        listing(), listing(1), listing(2), listing(2, 3, 2), listing(prefix=A), listing(prefix=("*",)), listing(prefix=("*", "b")), listing(2, prefix=A), listing(1, prefix=("a", "*")),
        listing(suffix=("c",)), listing(suffix=("b", "*")), listing(suffix=("*", "*", "c")), listing(prefix=A, suffix=("c",)), listing(prefix=ABC, suffix=ABC), listing(prefix=("a", "%")), listing(limit=0), listing(prefix=("x",)),
    ]],
    "pages": [[put(A, "k", {"n": 1})], [SearchOp(A, limit=0), SearchOp(A, offset=1), SearchOp(A, limit=1)]],
}  # fmt: skip


@pytest.mark.parametrize("name", BATCHES)
def test_batches(store: MunimentStore, name: str) -> None:
    memory = InMemoryStore()
    for batch in BATCHES[name]:
        here, there = store.batch(batch), memory.batch(batch)
        assert [plain(one) for one in here] == [plain(one) for one in there]


FILTERS: list[dict[str, Any]] = [
    {}, {"a": 1}, {"a": 2}, {"a": None}, {"b": None}, {"a": "1"}, {"a": {"b": 1}}, {"a": {}}, {"a": []}, {"a": [1]}, {"a": [1, {"b": 2}]}, {"a": [1, {}]},
    {"a": {"$eq": 1}}, {"a": {"$ne": 1}}, {"a": {"$ne": None}}, {"a": {"$eq": None}}, {"a": {"$eq": {"b": 1, "c": 2}}}, {"a": {"$ne": {"b": 1, "c": 2}}},
    {"a": {"$eq": [1]}}, {"a": {"b": {"$ne": 2}, "c": {"$eq": 2}}}, {"a": 1, "b": 2}, {"a": {"$ne": "x"}, "b": {"$eq": 2}}, {"$eq": 1}, {"a.b": 1},
    {"a": "%"}, {"a": "' OR 1=1 --"}, {"a": "$.a"}, {"a": 1.0}, {"a": ""}, {"": 1}, {"a": [{"$ne": 5}]}, {"a": {"0": 1}}, {"a": {"b": {"c": 1}}},
]  # fmt: skip
HELD: list[dict[str, Any]] = [
    {}, {"a": 1}, {"a": 1.5, "b": 2}, {"a": None}, {"a": "1"}, {"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, {"a": []}, {"a": [1]}, {"a": [1, {"b": 2, "c": 3}]},
    {"a": "%"}, {"a": "' OR 1=1 --"}, {"$eq": 1}, {"a.b": 1}, {"a": ""}, {"": 1}, {"a": {}}, {"a": "$.a"}, {"a": 1, "b": 2}, {"a": {"0": 1}},
]  # fmt: skip
NUMBERS = [
    {"n": {operator: bound}} for operator in ("$gt", "$gte", "$lt", "$lte") for bound in (-1, 2, 2.5, 2**53)
]  # fmt: skip


@pytest.mark.parametrize(
    ("held", "filters"),
    [(HELD, FILTERS), ([{"n": n} for n in (-2, -1, 0, 2, 2.5, 3, 2**53, 2**53 + 2)], NUMBERS)],
    ids=["equality", "order"],
)
def test_filters(
    store: MunimentStore, held: list[dict[str, Any]], filters: list[dict[str, Any]]
) -> None:
    memory = InMemoryStore()
    fill = [put(A, str(at), value) for at, value in enumerate(held)]
    ask = [SearchOp((), one, 100) for one in filters]
    store.batch(fill), memory.batch(fill)
    for one, here, there in zip(filters, store.batch(ask), memory.batch(ask), strict=True):
        assert plain(here) == plain(there), one


def test_texts_are_in_order_among_themselves(store: MunimentStore) -> None:
    store.batch([put(A, at, {"at": at}) for at in ["2026-01-02", "2026-11-01", "2025", "Ab", "ab"]])
    store.put(A, "number", {"at": 5})

    def keys(**bounds: Any) -> list[str]:
        return sorted(one.key for one in store.search(A, filter={"at": bounds}, limit=100))

    assert keys(**{"$gte": "2026", "$lt": "2027"}) == ["2026-01-02", "2026-11-01"]
    assert keys(**{"$gt": "Ab"}) == ["ab"]
    assert keys(**{"$lt": 6}) == ["number"]


labels = st.lists(st.sampled_from(["a", "b", "ab", "*", "%"]), min_size=1, max_size=3).map(tuple)
keys = st.sampled_from(["k", "l"])
leaf = st.none() | st.integers(-2, 2) | st.sampled_from(["x", "$gt", ""])
value = st.dictionaries(
    st.sampled_from(["a", "b"]), leaf | st.lists(leaf, max_size=2) | st.dictionaries(st.just("a"), leaf), max_size=2
)  # fmt: skip
compared = leaf | st.dictionaries(st.sampled_from(["$eq", "$ne"]), leaf, min_size=1)
wanted = st.none() | st.dictionaries(
    st.sampled_from(["a", "b"]), compared | st.lists(leaf, max_size=2)
)
patterns = st.dictionaries(st.sampled_from(["prefix", "suffix"]), labels, max_size=2)
ops = st.one_of(
    st.builds(put, labels, keys, st.none() | value),
    st.builds(put, labels, keys, value),
    st.tuples(labels, keys).map(lambda of: GetOp(*of)),
    st.tuples(labels | st.just(()), wanted).map(lambda of: SearchOp(*of, 100)),
    st.builds(lambda given, depth: listing(depth, **given), patterns, st.none() | st.integers(1, 3)),
)  # fmt: skip


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(ops, min_size=1, max_size=12), min_size=2, max_size=6))
def test_any_history(client: Client, batches: list[list[Op]]) -> None:
    store, held = MunimentStore(client, user_id=uuid4().hex), list[Item]()
    for batch in batches:
        # Each asks a store of its own, in which nothing was ever looked at or deleted.
        wanted = [in_memory(held).batch([one])[0] for one in batch]
        assert [plain(one) for one in store.batch(batch)] == [plain(one) for one in wanted]
        after = in_memory(held)
        after.batch([one for one in batch if isinstance(one, PutOp)])
        held = list(after.search((), limit=1000))


def in_memory(items: Sequence[Item]) -> InMemoryStore:
    """A store in memory with these items."""
    made = InMemoryStore()
    made.batch([put(one.namespace, one.key, one.value) for one in items])
    return made


def embed(texts: Sequence[str]) -> list[list[float]]:
    return [list(map(float, row)) for row in EMBEDDER.embed(list(texts))]


NOTES: dict[str, dict[str, Any]] = {
    "tea": {"text": "Takes her tea without milk.", "tags": ["drinks", "habits"], "n": 1},
    "train": {"text": "The train to Utrecht was late.", "tags": ["trains", "travel"], "n": 2},
    "both": {"text": "An invoice for paper.", "tags": ["tea with milk", "late trains"], "n": 3},
    "none": {"other": "Tea!"},
}  # fmt: skip


@pytest.mark.parametrize("fields", [["text"], ["tags[*]"], ["text", "tags[*]"], ["$"], None])
def test_the_best_of_several_texts_counts(client: Client, fields: list[str] | None) -> None:
    index: Any = None if fields is None else {"fields": fields}
    store = MunimentStore(client, user_id=uuid4().hex, index=index)
    memory = InMemoryStore(index={"dims": 256, "embed": embed, "fields": fields or ["$"]})
    fill = [put(A, key, value) for key, value in NOTES.items()]
    fill.append(put(A, "silent", {"text": "Tea, and trains."}, index=False))
    fill.append(put(A, "other", {"said": "Milk and tea."}, index=["said"]))
    store.batch(fill), memory.batch(fill)
    for query in ["Does she take milk in her tea?", "late trains", "an invoice"]:
        here, there = (one.search(A, query=query, limit=20) for one in (store, memory))
        assert [one.key for one in here if one.score is not None] == [
            one.key for one in there if one.score is not None
        ]
        assert {one.key for one in here} == {one.key for one in there}
        for mine, theirs in zip(here, there, strict=True):
            assert mine.score == pytest.approx(theirs.score, abs=2e-3)
        assert store.search(A, query=query, limit=1, offset=1)[0].key == here[1].key
        assert [one.key for one in store.search(A, query=query, filter={"n": 1})] == ["tea"]
    for nothing in ("", None):
        assert [one.score for one in store.search(A, query=nothing)] == [None] * 6


def test_an_item_is_searched_as_it_was_written_last(store: MunimentStore) -> None:
    store.put(A, "k", {"text": "tea"})
    assert store.search(A, query="tea")[0].score
    store.put(A, "k", {"text": "tea"}, index=False)
    assert store.search(A, query="tea")[0].score is None
    kept = MunimentStore(store._client, user_id=store._whose(()), index=False)
    kept.put(A, "l", {"text": "tea"}, index=["text"])
    assert [one.score for one in kept.search(A, query="tea")] == [None, None]


def test_when_an_item_was_made_and_written(store: MunimentStore) -> None:
    store.put(A, "k", {"n": 1})
    first = store.get(A, "k")
    store.put(A, "k", {"n": 2})
    second = store.get(A, "k")
    assert first is not None
    assert second is not None
    assert first.created_at == first.updated_at == second.created_at < second.updated_at
    store.put(A, "l", {})
    assert [one.key for one in store.search(A)] == ["l", "k"]


def test_a_batch_larger_than_a_call(store: MunimentStore) -> None:
    store.batch([put(A, f"{n:03}", {"n": n, "pad": "x" * 20_000}, index=False) for n in range(250)])
    found = store.batch([GetOp(A, f"{n:03}") for n in range(250)])
    assert [one.value["n"] for one in found if isinstance(one, Item)] == list(range(250))
    assert store.batch([listing()] * 21 + [ALL] * 3)[20] == [A]


def test_async_is_the_same(running: Running, client: Client, store: MunimentStore) -> None:
    async def lives(one: MunimentStore) -> list[Any]:
        await one.aput(A, "k", {"text": "tea"}, ttl=5)
        written = await asyncio.gather(*(one.aput(AB, str(n), {"n": n}) for n in range(8)))
        found = await one.asearch(A, query="tea", limit=20)
        await one.adelete(AB, "0")
        return [
            written,
            len(found),
            found[0].key,
            await one.alist_namespaces(),
            await one.aget(AB, "0"),
        ]

    async def both() -> tuple[list[Any], list[Any]]:
        async with AsyncClient(running.url, client._key) as made:
            own = MunimentStore(async_client=made, user_id=uuid4().hex)
            with pytest.raises(RuntimeError):
                own.get(A, "k")
            return await lives(own), await lives(store)

    of_async, of_threads = asyncio.run(both())
    assert of_async == of_threads == [[None] * 8, 9, "k", [A, AB], None]


TEXT: Any = "a"
NO_OBJECTS: list[Any] = [[["a", 1]], ["a"], "ab", 5, [], ""]


@pytest.mark.parametrize(
    ("op", "raised"),
    [
        (put(A, "\x00", {}), InvalidInput),
        (put(A, "\ud800", {}), InvalidInput),
        (put(A, "\u202e", {}), InvalidInput),
        (put(A, " ", {}), InvalidInput),
        (put(A, "é" * 129, {}), InvalidInput),
        (put(("a" * 257,), "k", {}), InvalidInput),
        (put(A * 17, "k", {}), InvalidInput),
        (put((), "k", {}), InvalidInput),
        (put(A, "k", {}, ttl=-1), InvalidInput),
        (put(A, "k", {}, index=[""]), InvalidInput),
        (put(A, "k", {"pad": "x" * 5 * 2**20}), TooLarge),
        (GetOp(A, "\x00"), InvalidInput),
        (GetOp(TEXT, "k"), InvalidInput),
        (put(TEXT, "k", {}), InvalidInput),
        (put(TEXT, "k", None), InvalidInput),
        (SearchOp(TEXT), InvalidInput),
        (SearchOp(("\ud800",)), InvalidInput),
        (SearchOp((), {"a": {"$in": [1]}}), InvalidInput),
        (SearchOp((), {"a": {"$gt": None}}), InvalidInput),
        *((put(A, "k", value), InvalidInput) for value in NO_OBJECTS),
        *((SearchOp((), filter=value), InvalidInput) for value in NO_OBJECTS),
        (SearchOp((), limit=1001), InvalidInput),
        (SearchOp((), offset=-1), InvalidInput),
        (listing(0), InvalidInput),
        (listing(prefix=("",)), InvalidInput),
    ],
)
def test_what_is_refused_leaves_nothing(
    store: MunimentStore, op: Op, raised: type[Exception]
) -> None:
    with pytest.raises(raised):
        store.batch([op, put(A, "other", {})])
    assert store.search(()) == []


def test_whose_an_item_is(client: Client) -> None:
    name, other = uuid4().hex, uuid4().hex
    store = MunimentStore(client, user_id=("memories", "{user_id}"))
    of = {user: MunimentStore(client, user_id=user) for user in (name, other)}
    store.batch([put(("memories", user, "x"), "k", {"of": user}) for user in (name, other)])
    for user, own in of.items():
        assert [one.value for one in own.search(())] == [{"of": user}]
        assert [one.value for one in store.search(("memories", user))] == [{"of": user}]
        assert store.list_namespaces(prefix=("memories", user)) == [("memories", user, "x")]
    for namespace in [("memories",), ("x", name), (), ("Memories", name)]:
        with pytest.raises(InvalidNamespaceError):
            store.search(namespace)
        with pytest.raises(InvalidNamespaceError):
            store.list_namespaces(prefix=namespace)
    with pytest.raises(InvalidNamespaceError):
        store.list_namespaces(prefix=("memories", "*"), suffix=("x",))
    with pytest.raises(InvalidNamespaceError):
        MunimentStore(client).put(("a.b",), "k", {})
    shared = MunimentStore(client, user_id=lambda path: name if path[:1] == ("mine",) else None)
    shared.batch([put(("mine",), name, {}), put(("ours",), name, {})])
    assert of[name].get(("mine",), name)
    assert of[name].get(("ours",), name) is None
    assert MunimentStore(client).get(("ours",), name)
    for wrong in ((), ("x",), ("{user_id}", "{user_id}")):
        with pytest.raises(ValueError, match="template"):
            MunimentStore(client, user_id=wrong)
