"""What ``MunimentStore`` takes otherwise than a store in memory, which keeps any object as it is.

| given | then |
|---|---|
| a value or a filter with what would come back as something else | InvalidInput with its place, nothing is stored |
| whatever the service refuses of a batch, also behind the first hundred | at its place in the batch, as LangGraph names it |
| keys and labels in two writings of one normal form | one item, the last write counts |
| reads of more than an answer holds | several calls, the same results |
| a filter of too many conditions or bytes, texts of a write that are too long together | InvalidInput |
"""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    SearchOp,
)

from muniment.client import AsyncClient, Client
from muniment.errors import InvalidInput
from muniment.langgraph import MunimentStore
from muniment.testing import Running

A = ("a",)


@pytest.fixture(scope="module")
def client(running: Running) -> Iterator[Client]:
    """The admin of a tenant of this module."""
    with (
        Client(running.url, running.key) as installation,
        Client(running.url, installation.tenants.create(name="values").key.secret) as made,
    ):
        yield made


@pytest.fixture
def store(client: Client) -> MunimentStore:
    """A user of their own."""
    return MunimentStore(client, user_id=uuid4().hex)


def nested(depth: int) -> dict[str, Any]:
    """Objects in objects."""
    made: dict[str, Any] = {}
    for _ in range(depth):
        made = {"a": made}
    return made


CHANGED: list[tuple[dict[Any, Any], str]] = [
    ({"a": "b\x00"}, "/a"),
    ({"a": ["x", "\ud800"]}, "/a/1"),
    ({"a\x00": 1, "a\ufffd": 2}, ""),
    ({"a": {"\udfff": 1}}, "/a"),
    ({"a": b"bytes"}, "/a"),
    ({"a/b": {"~": datetime(2026, 1, 1, tzinfo=UTC)}}, "/a~1b/~0"),
    ({"a": [uuid4()]}, "/a/0"),
    ({"a": Decimal("1.5")}, "/a"),
    ({"a": {1, 2}}, "/a"),
    ({"a": object()}, "/a"),
    ({1: "a", "1": "b"}, ""),
    ({"a": {None: 1}}, "/a"),
    ({"a": math.inf}, "/a"),
    ({"a": 10**1000}, "/a"),
    (nested(70), "/a" * 65),
]


@pytest.mark.parametrize(("value", "at"), CHANGED, ids=lambda one: type(one).__name__)
def test_what_would_come_back_as_something_else_is_refused(
    store: MunimentStore, value: dict[Any, Any], at: str
) -> None:
    tries: list[tuple[Op, str]] = [
        (PutOp(A, "k", value), "value"),
        (SearchOp((), value), "filter"),
    ]
    for op, place in tries:
        with pytest.raises(InvalidInput) as refused:
            store.batch([PutOp(A, "other", {}), op])
        assert [one.pointer for one in refused.value.faults] == [f"/1/{place}{at}"]
    assert store.search(()) == []


LONG = "x" * 300
REFUSED: list[tuple[Op, str]] = [
    (PutOp(A, LONG, {"a": 1}), "key"),
    (PutOp((LONG,), "k", {"a": 1}), "namespace/0"),
    (PutOp(A, LONG, None), "key"),
    (GetOp(A, LONG), "key"),
    (SearchOp((LONG,)), "namespace_prefix/0"),
    (SearchOp(A, {"a": {"$wrong": 1}}), "filter"),
    (ListNamespacesOp(limit=-1), "limit"),
]


@pytest.mark.parametrize("before", [0, 3, 130])
@pytest.mark.parametrize(("op", "at"), REFUSED, ids=lambda one: type(one).__name__)
async def test_faults_are_at_their_place_in_the_batch(
    client: Client, running: Running, store: MunimentStore, op: Op, at: str, before: int
) -> None:
    same = [PutOp(A, "same", {"n": number}) for number in range(3)]
    others: list[Op] = [*same, GetOp(A, "x"), SearchOp(A), ListNamespacesOp()]
    others += [made for n in range(before) for made in (PutOp(A, f"k{n}", {}), GetOp(A, f"k{n}"), PutOp(A, f"d{n}", None))]  # fmt: skip
    with pytest.raises(InvalidInput) as told:
        store.batch([*others, op])
    async with AsyncClient(running.url, client._key) as made:
        with pytest.raises(InvalidInput) as again:
            await MunimentStore(async_client=made, user_id="other").abatch([*others, op])
    for refused in (told, again):
        (fault,) = refused.value.faults
        assert fault.pointer.startswith(f"/{len(others)}/{at}")


def test_names_of_one_form_are_one(store: MunimentStore) -> None:
    two = ["e\u0301", "\u00e9"]
    store.batch([PutOp((one,), one, {"n": n}) for n, one in enumerate(two)])
    assert [(one.namespace, one.key, one.value) for one in store.search(())] == [
        (("\u00e9",), "\u00e9", {"n": 1})
    ]
    store.batch([PutOp((two[0],), two[1], {"n": 2}), PutOp((two[1],), two[0], None)])
    assert store.search(()) == []


async def test_an_answer_larger_than_a_call(running: Running, client: Client) -> None:
    user = uuid4().hex
    store = MunimentStore(client, user_id=user, index=False)
    large = "x" * (3 * 2**20 - 1000)
    for n in range(6):
        store.put(A, str(n), {"n": n, "pad": large})
    ops: list[Op] = [GetOp(A, str(n)) for n in (5, 1, 4, 0, 3, 2, 9)]
    ops += [SearchOp(A, {"n": {"$lt": 2}}, offset=1), ListNamespacesOp()]
    found = store.batch(ops)
    assert [one.value["n"] for one in found[:6] if isinstance(one, Item)] == [5, 1, 4, 0, 3, 2]
    assert found[6] is None
    assert [one.value["n"] for one in found[7]] == [0]  # type: ignore[union-attr]
    assert found[8] == [A]
    async with AsyncClient(running.url, client._key) as made:
        others = MunimentStore(async_client=made, user_id=user)
        searched = await others.asearch(A, limit=100, offset=0)
    assert [one.value["n"] for one in searched] == [5, 4, 3, 2, 1, 0]
