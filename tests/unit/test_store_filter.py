"""A filter of the application's own items, as conditions on places of a value.

| filter | conditions |
|---|---|
| a value for a name | equal |
| operators for a name | each of them |
| an object without operators | an object there, and each member of it |
| a list | a list as long, and each member of it |
| another operator, one among names, an order of what has none | refused, with its place |
"""

from typing import Any

import pytest

from muniment.domain.filter import FilterError
from muniment.domain.store import Condition, conditions
from muniment.domain.store.admits import MOST_BYTES, MOST_CONDITIONS

CASES: list[tuple[dict[str, Any], list[tuple[tuple[str, ...], str, Any]]]] = [
    ({}, []),
    ({"a": 1}, [(("a",), "$eq", 1)]),
    ({"a": None}, [(("a",), "$eq", None)]),
    ({"$eq": 1}, [(("$eq",), "$eq", 1)]),
    ({"a.b": "x"}, [(("a.b",), "$eq", "x")]),
    ({"a": {"$gt": 1, "$lte": 4.5}}, [(("a",), "$gt", 1), (("a",), "$lte", 4.5)]),
    ({"a": {"$ne": {"b": 1}}}, [(("a",), "$ne", {"b": 1})]),
    ({"a": {}}, [(("a",), "object", None)]),
    ({"a": {"b": {"$lt": "x"}}}, [(("a",), "object", None), (("a", "b"), "$lt", "x")]),
    ({"a": []}, [(("a",), "list", 0)]),
    (
        {"a": [1, {"b": 2}]},
        [(("a",), "list", 2), (("a", "0"), "$eq", 1), (("a", "1"), "object", None), (("a", "1", "b"), "$eq", 2)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "wanted"), CASES)
def test_conditions(expression: dict[str, Any], wanted: list[tuple[Any, ...]]) -> None:
    assert conditions(expression) == tuple(Condition(*one) for one in wanted)


@pytest.mark.parametrize(
    ("expression", "pointer"),
    [
        ({"a": {"$in": [1]}}, "/a"),
        ({"a": {"$gt": 1, "b": 2}}, "/a"),
        ({"a/b": {"c~": {"$regex": "x"}}}, "/a~1b/c~0"),
        ({"a": {"$gt": None}}, "/a"),
        ({"a": {"$gte": True}}, "/a"),
        ({"a": {"$lt": [1]}}, "/a"),
        ({"a": [{"$lte": {}}]}, "/a/0"),
        ({str(n): n for n in range(MOST_CONDITIONS + 1)}, ""),
        ({"a": "x" * MOST_BYTES}, ""),
        ({"a": "é" * (MOST_BYTES // 2)}, ""),
        ({"a" * MOST_BYTES: 1}, ""),
    ],
)
def test_what_is_refused(expression: dict[str, Any], pointer: str) -> None:
    with pytest.raises(FilterError) as refused:
        conditions(expression)
    assert refused.value.pointer == pointer
