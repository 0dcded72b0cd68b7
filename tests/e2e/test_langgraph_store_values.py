"""What ``MunimentStore`` takes otherwise than a store in memory, which keeps any object as it is.

| given | then |
|---|---|
| a value or a filter with what would come back as something else | InvalidInput with its place, nothing is stored |
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
