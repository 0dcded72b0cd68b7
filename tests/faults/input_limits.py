"""Limits of items of the application's own, as the table of ``test_input_limits`` has them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from muniment.domain.store import admits, found_by
from muniment.operations import store, store_fields, types
from muniment.records.store import MOST_ANSWERED, MOST_SEARCHED

More = Callable[[int], dict[str, Any]]


@dataclass(frozen=True)
class Limit:
    """The number in the code, and calls with so much of it: (operation, what it adds, pointer)."""

    most: int
    calls: tuple[tuple[str, More, str], ...]
    code: str = "invalid_input"


def words(size: int) -> str:
    """A text of so many bytes, of characters of several bytes."""
    return "é" * (size // 2) + "x" * (size % 2)


def put(**more: Any) -> dict[str, Any]:
    return {"puts": [{"path": ["a"], "key": "k", "value": {}} | more]}


def several(count: int) -> list[dict[str, Any]]:
    return [{"path": ["a"], "key": str(at)} for at in range(count)]


def searching(**more: Any) -> dict[str, Any]:
    return {"searches": [more]}


def listing(**more: Any) -> dict[str, Any]:
    return {"listings": [more]}


def put_each(count: int) -> dict[str, Any]:
    return {"puts": [one | {"value": {}} for one in several(count)]}


def searches_of(count: int) -> dict[str, Any]:
    filters = [
        {f"k{at}": 1 for at in range(min(200, count - first))} for first in range(0, count, 200)
    ]
    return {"searches": [{"filter": one} for one in filters]}


CONDITION = len('[{"at": ["k"], "test": "$eq", "operand": ""}]')


def path_of(size: int) -> list[str]:
    return [words(size // 8)] * 7 + [words(size - 7 * (size // 8))]


LIMITS_OF_STORE: dict[str, Limit] = {
    "key of an item, and a label of its path": Limit(
        types.MAX_IDENTIFIER_BYTES,
        (("store.write", lambda n: put(key=words(n)), "/puts/0/key"),
         ("store.write", lambda n: put(path=[words(n)]), "/puts/0/path/0"),
         ("store.read", lambda n: searching(prefix=[words(n)]), "/searches/0/prefix/0"),
         ("store.read", lambda n: listing(patterns=[{"labels": [words(n)]}]), "/listings/0/patterns/0/labels/0")),
    ),
    "path of an item": Limit(
        store_fields.MAX_PATH_BYTES,
        (("store.write", lambda n: put(path=path_of(n)), "/puts/0/path"),
         ("store.read", lambda n: searching(prefix=path_of(n)), "/searches/0/prefix")),
    ),
    "place of an item's value (`fields`)": Limit(
        store_fields.MAX_PLACE, (("store.write", lambda n: put(fields=[words(n)]), "/puts/0/fields/0"),)
    ),
    "query of a search of items": Limit(
        types.MAX_TEXT_BYTES, (("store.read", lambda n: searching(query=words(n)), "/searches/0/query"),)
    ),
    "labels of the path of an item": Limit(
        store_fields.MAX_LABELS,
        (("store.write", lambda n: put(path=["a"] * n), "/puts/0/path"),
         ("store.read", lambda n: listing(max_depth=n), "/listings/0/max_depth")),
    ),
    "items to put, to delete or to get in a call": Limit(
        store.MAX_ITEMS,
        (("store.write", put_each, "/puts"), ("store.write", lambda n: {"puts": [], "deletes": several(n)}, "/deletes"),
         ("store.read", lambda n: {"gets": several(n)}, "/gets")),
    ),
    "searches or listings of items in a call": Limit(
        store.MAX_SEARCHES,
        (("store.read", lambda n: {"searches": [{}] * n}, "/searches"),
         ("store.read", lambda n: {"listings": [{}] * n}, "/listings")),
    ),
    "patterns of a listing of items": Limit(
        store.MAX_SEARCHES,
        (("store.read", lambda n: listing(patterns=[{"labels": ["a"]}] * n), "/listings/0/patterns"),),
    ),
    "places of an item's value (`fields`) by which it is found": Limit(
        store_fields.MAX_FIELDS, (("store.write", lambda n: put(fields=["a"] * n), "/puts/0/fields"),)
    ),
    "texts by which one item is found": Limit(
        found_by.MOST_TEXTS,
        (("store.write", lambda n: put(value={"a": [str(at) for at in range(n)]}, fields=["a[*]"]), "/puts/0/fields"),),
    ),
    "conditions of a filter of items": Limit(
        admits.MOST_CONDITIONS,
        (("store.read", lambda n: searching(filter={f"k{at}": 1 for at in range(n)}), "/searches/0/filter"),),
    ),
    "conditions of all searches of items in a call": Limit(
        store.MOST_TESTS, (("store.read", searches_of, "/searches"),)
    ),
    "bytes of the conditions of a filter of items as JSON": Limit(
        admits.MOST_BYTES,
        (("store.read", lambda n: searching(filter={"k": words(n - CONDITION)}), "/searches/0/filter"),),
    ),
    "items of a search, paths of a listing (`limit`)": Limit(
        store.MAX_PAGE,
        (("store.read", lambda n: searching(limit=n), "/searches/0/limit"),
         ("store.read", lambda n: listing(limit=n), "/listings/0/limit")),
    ),
    "items or paths to pass over (`offset`)": Limit(
        store.MAX_OFFSET,
        (("store.read", lambda n: searching(offset=n), "/searches/0/offset"),
         ("store.read", lambda n: listing(offset=n), "/listings/0/offset")),
    ),
    "life of an item": Limit(
        store_fields.MAX_LIFE, (("store.write", lambda n: put(ttl_seconds=n), "/puts/0/ttl_seconds"),)
    ),
}  # fmt: skip
NUMBERS_OF_STORE: dict[str, int | float] = {
    "bytes of the values of items in an answer": MOST_ANSWERED,  # integration/test_store
    "characters of the texts by which the items of a call are found, together": MOST_SEARCHED,  # integration/test_store
}
