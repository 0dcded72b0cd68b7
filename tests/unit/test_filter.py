"""The filter grammar (RULES 11.4): what compiles, what is refused and where, and that nothing of a
filter but an escaped key of ``metadata`` is ever part of the path.

What a compiled predicate means is tested against PostgreSQL in ``integration/test_filter.py``.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.filter import FIELDS, FilterError, compile_filter
from tests.support.filters import HOSTILE, filters

_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
# What is left of a path once its strings are gone: no letter that comes from outside.
_SHAPE = re.compile(
    r"(?:[() !]|&&|\|\||1 == 1|exists\(|\$(?:\.metadata)?(?:\.S)+|\.type\(\) != S"
    r"| \? \(@ (?:==|>=?|<=?) \$v[0-9]+(?:\[\*\])?\))*"
)


def strings(path: str) -> list[str]:
    return [json.loads(found) for found in _STRING.findall(path)]


@given(filters)
def test_the_path_holds_fields_and_escaped_keys_alone(expression: dict[str, Any]) -> None:
    predicate = compile_filter(expression)
    assert _SHAPE.fullmatch(_STRING.sub("S", predicate.path))
    parts = {part for name in _names(expression) for part in name.split(".")}
    assert set(strings(predicate.path)) <= {*FIELDS, "null", *parts}
    assert predicate.path.isascii()
    variables = json.loads(predicate.json)
    assert set(variables) == {f"v{n}" for n in range(len(variables))}
    assert {f"${name}" for name in variables} == set(re.findall(r"\$v[0-9]+", predicate.path))


def _names(expression: Any) -> Iterator[str]:
    for key, value in expression.items():
        if key in ("$and", "$or"):
            for group in value:
                yield from _names(group)
        elif key == "$not":
            yield from _names(value)
        else:
            yield key


@pytest.mark.parametrize("text", HOSTILE)
def test_a_value_is_a_variable(text: str) -> None:
    predicate = compile_filter({"value": text})
    assert predicate.path == '(exists($."value" ? (@ == $v0)))'
    assert dict(predicate.variables) == {"v0": text}


@pytest.mark.parametrize(
    ("operator", "grades"),
    [
        ("$gt", ["user_stated", "operator"]),
        ("$gte", ["user_stated", "operator", "tool_verified"]),
        ("$lt", ["agent_inferred", "external_content"]),
        ("$lte", ["agent_inferred", "external_content", "tool_verified"]),
    ],
)
def test_grades_are_compared_by_rank(operator: str, grades: list[str]) -> None:
    predicate = compile_filter({"trust": {operator: "tool_verified"}})
    assert dict(predicate.variables) == {"v0": grades}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_key_is_one_string(text: str) -> None:
    key = text.replace(".", "")
    predicate = compile_filter({f"metadata.{key}": "x"})
    assert strings(predicate.path) == [key]
    assert _STRING.sub("S", predicate.path) == "(exists($.metadata.S ? (@ == $v0)))"


@pytest.mark.parametrize(
    ("expression", "pointer"),
    [
        ([], ""),
        ("kind", ""),
        (None, ""),
        ({"hunch": "x"}, "/hunch"),
        ({"text": "x"}, "/text"),
        ({"": "x"}, "/"),
        ({"Kind": "x"}, "/Kind"),
        ({"metadata": "x"}, "/metadata"),
        ({"metadata.": "x"}, "/metadata."),
        ({"metadata..a": "x"}, "/metadata..a"),
        ({"metadata.a.": "x"}, "/metadata.a."),
        ({"$nor": []}, "/$nor"),
        ({"$expr": "x"}, "/$expr"),
        ({"a/b~c": "x"}, "/a~1b~0c"),
        ({"kind": {}}, "/kind"),
        ({"kind": {"$regex": "x"}}, "/kind/$regex"),
        ({"kind": {"eq": "x"}}, "/kind/eq"),
        ({"kind": []}, "/kind"),
        ({"kind": ["fact"]}, "/kind"),
        ({"kind": 1}, "/kind"),
        ({"kind": True}, "/kind"),
        ({"kind": {"$eq": {"$eq": "x"}}}, "/kind/$eq"),
        ({"metadata.a": ["x"]}, "/metadata.a"),
        ({"metadata.a": {"$gt": None}}, "/metadata.a/$gt"),
        ({"importance": {"$lte": None}}, "/importance/$lte"),
        ({"importance": "5"}, "/importance"),
        ({"importance": True}, "/importance"),
        ({"pinned": "true"}, "/pinned"),
        ({"pinned": 1}, "/pinned"),
        ({"as_of": "2026-05-26T00:00:00"}, "/as_of"),
        ({"as_of": "yesterday"}, "/as_of"),
        ({"as_of": 1779753600}, "/as_of"),
        ({"as_of": {"$in": ["2026-05-26T00:00:00Z", "x"]}}, "/as_of/$in/1"),
        ({"kind": {"$in": []}}, "/kind/$in"),
        ({"kind": {"$in": "fact"}}, "/kind/$in"),
        ({"kind": {"$in": ["fact", 1]}}, "/kind/$in/1"),
        ({"kind": {"$in": ["x"] * 201}}, "/kind/$in"),
        ({"kind": {"$exists": 1}}, "/kind/$exists"),
        ({"kind": {"$exists": None}}, "/kind/$exists"),
        ({"trust": {"$gte": "high"}}, "/trust/$gte"),
        ({"trust": {"$lt": 1}}, "/trust/$lt"),
        ({"trust": {"$lt": None}}, "/trust/$lt"),
        ({"$and": {}}, "/$and"),
        ({"$and": []}, "/$and"),
        ({"$or": None}, "/$or"),
        ({"$or": [{"kind": "x"}, "y"]}, "/$or/1"),
        ({"$not": []}, "/$not"),
        ({"$not": {"$not": {"hunch": 1}}}, "/$not/$not/hunch"),
        ({"$and": [{"$or": [{"kind": {"$in": [None, 2]}}]}]}, "/$and/0/$or/0/kind/$in/1"),
        ({"value": "a\x00"}, "/value"),
        ({"value": "a\ud800"}, "/value"),
        ({"metadata.a\x00": 1}, "/metadata.a\x00"),
        ({"metadata.\ud800": 1}, "/metadata.?"),
        ({"metadata.a": float("nan")}, "/metadata.a"),
        ({"metadata.a": float("-inf")}, "/metadata.a"),
        ({"metadata.a": 10**1000}, "/metadata.a"),
        ({"metadata.a": -(10**5000)}, "/metadata.a"),
    ],
)
def test_what_is_refused_and_where(expression: Any, pointer: str) -> None:
    with pytest.raises(FilterError) as caught:
        compile_filter(expression)
    assert caught.value.pointer == pointer


@pytest.mark.parametrize(
    ("expression", "secret"),
    [
        ({"importance": "hunter2"}, "hunter2"),
        ({"as_of": "hunter2"}, "hunter2"),
        ({"kind": {"$in": ["fact", {"hunter2": 1}]}}, "hunter2"),
        ({"value": "hunter2\x00"}, "hunter2"),
        ({"hunter2": 1}, "hunter2"),
        ({"kind": {"$hunter2": 1}}, "hunter2"),
    ],
)
def test_messages_do_not_quote(expression: dict[str, Any], secret: str) -> None:
    with pytest.raises(FilterError) as caught:
        compile_filter(expression)
    assert secret not in caught.value.message


def nested(depth: int, wrap: str) -> dict[str, Any]:
    expression: dict[str, Any] = {"kind": "fact"}
    for _ in range(depth):
        expression = {wrap: expression if wrap == "$not" else [expression]}
    return expression


@pytest.mark.parametrize(
    "too_much",
    [
        {f"metadata.k{n}": 1 for n in range(201)},
        {"$or": [{"kind": "x"}] * 200},
        {"$and": [{}] * 200},
        {"$and": [{}] * 100_000},
        {"$or": [{"kind": "x", "tier": "y"}] * 100},
        nested(65, "$not"),
        nested(33, "$and"),
        nested(300, "$or"),
    ],
    ids=range(8),
)
def test_there_is_an_end_to_size_and_depth(too_much: dict[str, Any]) -> None:
    with pytest.raises(FilterError, match="at most"):
        compile_filter(too_much)


def test_sizes_at_the_limit() -> None:
    compile_filter({f"metadata.k{n}": 1 for n in range(200)})
    compile_filter({"$or": [{"kind": "x"}] * 199})
    compile_filter(nested(64, "$not"))
    compile_filter(nested(32, "$and"))


@given(filters, st.text(), st.text())
def test_both_keeps_each_part(expression: dict[str, Any], first: str, second: str) -> None:
    once = compile_filter(expression)
    first, second = _storable(first), _storable(second)
    twice = once.both("value", first).both("value", second)
    assert len(twice.variables) == len(once.variables) + 2
    assert list(twice.variables.values())[-2:] == [first, second]
    assert once.variables.items() <= twice.variables.items()
    assert twice.path.startswith(f"(({once.path})")


def _storable(text: str) -> str:
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def test_names_are_asked_for_in_their_normal_form() -> None:
    predicate = compile_filter({"session_id": "e\u0301", "value": "e\u0301"})
    assert list(predicate.variables.values()) == ["é", "e\u0301"]
    marks = "e" + "\u0301\u0315" * 500_000
    assert compile_filter({"session_id": marks}).variables["v0"] == marks
