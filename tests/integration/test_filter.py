"""Filters against PostgreSQL: what a compiled predicate answers is what the filter means (RULES
11.4), for any document, and whatever a filter holds the database never refuses it.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.domain.filter import FIELDS, FilterError, compile_filter
from muniment.postgres.embedded import ADMIN
from tests.support.databases import Database
from tests.support.filters import HOSTILE, admits, documents, filters, names, texts

Asked = psycopg.Connection[Any]
slow = settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def connection(database: Database) -> Iterator[Asked]:
    with database.connect(ADMIN) as made:
        yield made


def ask(connection: Asked, expression: Mapping[str, Any], document: Mapping[str, Any]) -> Any:
    """What the database answers."""
    predicate = compile_filter(expression)
    return _match(connection, document, predicate.path, predicate.json)


def _match(connection: Asked, document: Mapping[str, Any], path: str, variables: str) -> Any:
    row = connection.execute(
        "SELECT jsonb_path_match(%s::jsonb, %s::jsonpath, %s::jsonb)",
        [json.dumps(document), path, variables],
    ).fetchone()
    return row[0] if row else None


@given(filters, documents())
@slow
def test_a_predicate_means_what_the_filter_says(
    connection: Asked, expression: dict[str, Any], document: dict[str, Any]
) -> None:
    assert ask(connection, expression, document) is admits(expression, document)


@given(filters, documents(), names)
@slow
def test_both_holds_where_each_does(
    connection: Asked, expression: dict[str, Any], document: dict[str, Any], source: str
) -> None:
    document["data_source"] = source
    for wanted in (source, source + "x"):
        predicate = compile_filter(expression).both("data_source", wanted).both("kind", "fact")
        found = _match(connection, document | {"kind": "fact"}, predicate.path, predicate.json)
        expected = admits(expression, document | {"kind": "fact"}) and admits(
            {"data_source": wanted}, document
        )
        assert found is expected


@given(st.lists(texts, min_size=1, max_size=4), texts, texts)
@slow
def test_hostile_keys_and_values_are_data(
    connection: Asked, path: list[str], value: str, other: str
) -> None:
    """The document has exactly this value at exactly this key: nothing else matches it."""
    keys = [part.replace(".", "") or "k" for part in path]
    document: Any = value
    for key in reversed(keys):
        document = {key: document}
    field = ".".join(["metadata", *keys])
    held = {"metadata": document}
    assert ask(connection, {field: value}, held) is True
    assert ask(connection, {field: {"$in": [value]}}, held) is True
    assert ask(connection, {field: other}, held) is (other == value)
    assert ask(connection, {f"{field}x": {"$exists": True}}, held) is False
    assert ask(connection, {field: {"$exists": True}}, held) is True


@pytest.mark.parametrize("text", HOSTILE)
def test_each_hostile_text_in_each_place(connection: Asked, text: str) -> None:
    key = text.replace(".", "") or "k"
    document = {"metadata": {key: text, "list": [1, text]}, "value": text}
    for expression in (
        {f"metadata.{key}": text},
        {"metadata.list": text},
        {"value": text},
        {"value": {"$in": ["other", text]}},
        {"$not": {"value": text + "x"}},
    ):
        assert ask(connection, expression, document) is True
        assert admits(expression, document)


@pytest.mark.parametrize(
    ("expression", "admitted"),
    [
        ({}, True),
        ({"kind": "fact"}, True),
        ({"kind": "fact", "tier": "semantic"}, True),
        ({"kind": "fact", "tier": "episodic"}, False),
        ({"kind": {"$ne": "finding"}}, True),
        ({"kind": {"$in": ["finding", "fact"]}}, True),
        ({"slot": None}, True),
        ({"slot": {"$exists": False}}, True),
        ({"slot": {"$ne": "city"}}, True),
        ({"slot": {"$gt": ""}}, False),
        ({"kind": {"$ne": None}}, True),
        ({"importance": 5}, True),
        ({"importance": 5.0}, True),
        ({"importance": {"$gte": 5, "$lt": 6}}, True),
        ({"importance": {"$gt": 5}}, False),
        ({"pinned": True}, True),
        ({"as_of": {"$lt": "2026-05-26T00:00:01Z"}}, True),
        ({"as_of": "2026-05-26T02:00:00+02:00"}, True),
        ({"valid_to": None}, True),
        ({"metadata.team": "red"}, True),
        ({"metadata.team": {"$exists": True}}, True),
        ({"metadata.nothing": None}, True),
        ({"metadata.null": None}, True),
        ({"metadata.null": {"$exists": True}}, False),
        ({"metadata.tags": "b"}, True),
        ({"metadata.tags": {"$ne": "b"}}, False),
        ({"metadata.tags": {"$in": ["z", "a"]}}, True),
        ({"metadata.empty": {"$exists": True}}, True),
        ({"metadata.empty": {"$ne": "a"}}, True),
        ({"metadata.deep.er": 1}, True),
        ({"metadata.deep": {"$exists": True}}, True),
        ({"metadata.number": "1"}, False),
        ({"metadata.number": True}, False),
        ({"metadata.number": {"$lt": "2"}}, False),
        ({"$or": [{"kind": "finding"}, {"importance": 5}]}, True),
        ({"$and": [{"kind": "fact"}, {"$not": {"importance": 5}}]}, False),
        ({"$not": {}}, False),
        ({"session_id": "e\u0301"}, True),  # a name is kept in its normal form
    ],
)
def test_what_filters_mean(connection: Asked, expression: dict[str, Any], admitted: bool) -> None:
    document = {
        "kind": "fact",
        "tier": "semantic",
        "slot": None,
        "session_id": "é",
        "importance": 5,
        "pinned": True,
        "as_of": 1_779_753_600_000_000,
        "valid_to": None,
        "metadata": {
            "team": "red",
            "null": None,
            "tags": ["a", "b"],
            "empty": [],
            "deep": {"er": 1},
            "number": 1,
        },
    }
    assert ask(connection, expression, document) is admitted
    assert admits(expression, document) is admitted


def _within(depth: int, wrap: str) -> dict[str, Any]:
    expression: dict[str, Any] = {"kind": "fact"}
    for _ in range(depth):
        expression = {wrap: expression if wrap == "$not" else [expression]}
    return expression


@pytest.mark.parametrize(
    "largest",
    [
        {"$or": [{"kind": "x"} for _ in range(198)] + [{"kind": "fact"}]},
        {"$and": [{} for _ in range(199)]},
        {f"metadata.{'k' * 10_000}{n}": {"$exists": False} for n in range(200)},
        {f"metadata.k{n}": {"$in": [None, *range(199)]} for n in range(200)},
        {
            f"metadata.k{n}": {"$ne": 1, "$exists": False, "$in": [None], "$eq": None}
            for n in range(200)
        },
        _within(62, "$not"),
        _within(31, "$and"),
        {"kind": {"$in": ["fact", *("x" * n for n in range(199))]}},
        {"kind": {"$in": ["fact", "y" * 1_000_000]}},
    ],
    ids=range(9),
)
def test_the_largest_filters_are_asked(connection: Asked, largest: dict[str, Any]) -> None:
    assert ask(connection, largest, {"kind": "fact", "metadata": {}}) is True


@given(st.dictionaries(st.text() | st.just("metadata.\ud800"), st.text() | st.floats(), max_size=3))
@slow
def test_whatever_compiles_the_database_reads(
    connection: Asked, expression: dict[str, Any]
) -> None:
    try:
        answer = ask(connection, expression, {"metadata": {}})
    except FilterError:
        return
    assert answer in (True, False)


def test_the_fields_are_those_of_an_item(connection: Asked) -> None:
    rows = connection.execute("SELECT jsonb_object_keys(item_document(NULL::item))").fetchall()
    assert sorted(row[0] for row in rows) == sorted([*FIELDS, "metadata"])
