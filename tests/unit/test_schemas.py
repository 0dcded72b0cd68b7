"""What a schema may say, and what a value breaks: JSON Schema 2020-12 without what can hang.

| a schema | then |
|---|---|
| of 2020-12, with references into itself, anchors, RE2 patterns | taken |
| of another dialect; with a reference elsewhere or nowhere; a pattern that is none; dynamic references; ids below its root | refused, with the place |
| with a pointer to where no keyword has a schema | read as any other, or refused at the place; an anchor there is none |
| a value that breaks it | where, and which place of the schema; nothing of the value |
| with patterns whose programs are large, each or together, or too many; with too many objects | refused at once, with the place |
| patterns that backtrack, or whose automata have too many states; references that double; that go round for ever; deep values; many items; large values that are compared or told of over and over; keywords that nothing reads | an answer within half a second, or UncheckableError |
| that takes multiples of a decimal, or of a number of any size | a value is one by its digits |
| registered when less of a schema was looked at | UncheckableError |
| full of plain items, texts or lines | checked |
"""

import copy
import random
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.artifacts import MOST_CHANGES, changes
from muniment.domain.schema_reading import DIALECT, MOST_FAULTS, Flaw, schema_flaws
from muniment.domain.schemas import UncheckableError, value_flaws

INVOICE: dict[str, Any] = {
    "$schema": DIALECT,
    "$id": "https://example.org/invoice",
    "type": "object",
    "required": ["number", "lines"],
    "properties": {
        "number": {"type": "string", "pattern": "^INV-[0-9]+$"},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}, "uniqueItems": True},
        "note": {"$ref": "#text"},
    },
    "patternProperties": {"^x-": {"type": "string"}},
    "additionalProperties": False,
    "$defs": {
        "line": {"type": "object", "properties": {"amount": {"type": "number", "minimum": 0}}},
        "text": {"$anchor": "text", "type": "string", "maxLength": 5},
    },
}


@pytest.mark.parametrize(
    "schema",
    [
        {}, INVOICE, {"const": {"$ref": "http://elsewhere"}}, {"enum": [{"$dynamicRef": "#x"}]},
        {"properties": {"$ref": {"type": "string"}, "$id": True}}, {"$ref": "#"},
        {"$ref": "#/$defs/a~1b/items", "$defs": {"a/b": {"items": {"type": "string"}}}},
        {"$defs": {"a": {"$ref": "#/x/y"}}, "x": {"y": {"type": "null"}}}, {"$schema": f"{DIALECT}#"},
        {"not": False, "pattern": r"^\p{L}+\s*$"}, {"format": "email"}, {"unevaluatedProperties": False},
    ],
)  # fmt: skip
def test_schemas_that_are_taken(schema: dict[str, Any]) -> None:
    assert schema_flaws(schema) == []


@pytest.mark.parametrize(
    ("schema", "pointer", "what"),
    [
        ({"type": "text"}, "/type", "breaks"),
        ({"minimum": "1"}, "/minimum", "breaks"),
        ({"properties": {"a/b": {"required": 1}}}, "/properties/a~1b/required", "breaks"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "/$schema", "2020-12"),
        ({"$ref": "http://127.0.0.1:1/secret.json"}, "/$ref", "fetched"),
        ({"items": {"$ref": "file:///etc/passwd"}}, "/items/$ref", "fetched"),
        ({"$ref": "other.json#/a"}, "/$ref", "fetched"),
        ({"$ref": DIALECT}, "/$ref", "fetched"),
        ({"$ref": "#/$defs/none"}, "/$ref", "nowhere"),
        ({"$ref": "#none"}, "/$ref", "nowhere"),
        ({"$ref": "#/$defs/a%20b", "$defs": {"a b": {}}}, "/$ref", "not read"),
        ({"$ref": "#/title", "title": "t"}, "/$ref", "no schema"),
        ({"$ref": "#/x", "x": {"$ref": "http://elsewhere"}}, "/x/$ref", "fetched"),
        ({"$ref": "#/x", "x": {"pattern": "(?=a)"}}, "/x/pattern", "RE2"),
        ({"allOf": [{}, {"pattern": "("}]}, "/allOf/1/pattern", "RE2"),
        ({"pattern": r"(a)\1"}, "/pattern", "RE2"),
        ({"patternProperties": {"(?!a)": {}}}, "/patternProperties/(?!a)", "RE2"),
        ({"$dynamicRef": "#a"}, "/$dynamicRef", "not read"),
        ({"properties": {"a": {"$id": "http://a"}}}, "/properties/a", "of its own"),
        ({"items": {"$schema": "http://json-schema.org/draft-04/schema#"}}, "/items", "of its own"),
        ({"patternProperties": {"a": {}}, "not": {"unevaluatedProperties": False}}, "", "beside"),
        ({"pattern": "a{1000}" * 500}, "/pattern", "too large"),
        (
            {"patternProperties": {r"\p{L}{1,500}": {}}},
            r"/patternProperties/\p{L}{1,500}",
            "too large",
        ),
        ({"propertyNames": {"pattern": "(a{1000}){1000}"}}, "/propertyNames/pattern", "RE2"),
        ({"$ref": "#/x", "x": {"pattern": "a{1000}" * 500}}, "/x/pattern", "too large"),
        (
            {"prefixItems": [{"pattern": "a{900}" * 5 + str(n)} for n in range(9)]},
            "/prefixItems/4/pattern",
            "before it",
        ),
        (
            {"prefixItems": [{"pattern": str(n)} for n in range(300)]},
            "/prefixItems/256/pattern",
            "more than",
        ),
        ({"allOf": [{}] * 8000}, "", "objects"),
    ],
)
def test_schemas_that_are_refused(schema: dict[str, Any], pointer: str, what: str) -> None:
    (flaw, *_) = schema_flaws(schema)
    assert (flaw.pointer, what in flaw.what) == (pointer, True), flaw


def test_a_deep_schema_is_refused() -> None:
    schema: dict[str, Any] = {}
    for _ in range(300):
        schema = {"not": schema}
    assert schema_flaws(schema) == [Flaw("", "nests too deep")]


BROKEN = [
    ({"type": "text"}, "/type"), ({"minLength": "a"}, "/minLength"), ({"properties": 5}, "/properties"),
    ({"allOf": 5}, "/allOf"), ({"allOf": [5]}, "/allOf/0"), ({"$ref": 5}, "/$ref"), ({"pattern": 5}, "/pattern"),
    ({"required": 5}, "/required"), ({"enum": 5}, "/enum"), ({"items": 5}, "/items"), ({"not": 5}, "/not"),
    ({"multipleOf": 0}, "/multipleOf"), ({"$defs": []}, "/$defs"), ({"patternProperties": [1]}, "/patternProperties"),
    ({"$anchor": []}, "/$anchor"), ({"dependentRequired": {"a": 5}}, "/dependentRequired/a"),
]  # fmt: skip


@pytest.mark.parametrize("at", ["x", "const", "default"])
@pytest.mark.parametrize(("there", "place"), BROKEN)
def test_what_only_a_pointer_leads_to(there: dict[str, Any], place: str, at: str) -> None:
    schema = {"items": {"$ref": f"#/{at}/deep"}, at: {"deep": there}}
    assert schema_flaws({at: {"deep": there}}) == []
    assert [one.pointer for one in schema_flaws(schema)] == [f"/{at}/deep{place}"]


def test_an_anchor_that_only_a_pointer_leads_to() -> None:
    there = {"allOf": [{"$ref": "#/x/y"}, {"$ref": "#q"}], "x": {"y": {"$anchor": "q"}}}
    assert schema_flaws(there) == [Flaw("/allOf/1/$ref", "leads nowhere")]
    assert schema_flaws({"$ref": "#q", "$defs": {"a": {"$anchor": "q"}}}) == []


def test_pointers_into_what_pointers_lead_to_take_no_longer() -> None:
    there: dict[str, Any] = {}
    for _ in range(40):
        there = {"y": there, "properties": {str(n): {} for n in range(11)}}
    pointers = {str(n): {"$ref": "#/x" + n * "/y"} for n in reversed(range(40))}
    begun = time.perf_counter()
    (flaw,) = schema_flaws({"x": there, "properties": pointers})
    assert time.perf_counter() - begun < 1
    assert "more than" in flaw.what


@pytest.mark.parametrize(
    ("of", "fits", "other"),
    [
        (0.01, [19.99, 4.35, 0.07, 1, 0, -0.0, 1e300, 10**900], [1.005, 0.001]),
        (0.1, [0.3, 1e22], [0.30000000000000004]),
        (1e-308, [1e308, 1], [1.5e-308]), (10**400, [10**400, 0], [10**401 + 1, 1.0]),
        (2.5, [5, 7.5], [4, 1e-300]), (3, [3.0, 10**30 - 1], [10**30, 1e22]),
    ],
)  # fmt: skip
def test_multiples_by_their_digits(of: float, fits: list[float], other: list[float]) -> None:
    for number in (*fits, True, "x"):
        assert value_flaws({"multipleOf": of}, number) == []
    for number in other:
        assert len(value_flaws({"multipleOf": of}, number)) == 1, number


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ({"number": "INV-1", "lines": [{"amount": 1}], "x-a": "b"}, []),
        ({"number": "INV-1", "lines": [{"amount": 1}, {"amount": 1.0}]}, ["/lines /properties/lines/uniqueItems"]),
        ({"number": "INV-1", "lines": [True, 1]}, ["/lines/0 /properties/lines/items/type", "/lines/1 /properties/lines/items/type"]),
        ({"number": "a", "lines": []}, ["/number /properties/number/pattern"]),
        ({"lines": [{"amount": -1}]}, [" /required", "/lines/0/amount /properties/lines/items/properties/amount/minimum"]),
        ({"number": "INV-1", "lines": [], "a/b": 1}, ["/a~1b /additionalProperties"]),
        ({"number": "INV-1", "lines": [], "x-a": 1}, ["/x-a /patternProperties/^x-/type"]),
        ({"number": "INV-1", "lines": [], "note": "secret text"}, ["/note /properties/note/maxLength"]),
        ([], [" /type"]),
    ],
)  # fmt: skip
def test_what_a_value_breaks(value: Any, places: list[str]) -> None:
    found = value_flaws(INVOICE, value)
    said = {f"{one.pointer} {one.what.removeprefix('breaks ').removesuffix(' of the schema')}" for one in found}  # fmt: skip
    assert said == set(places)
    assert "secret" not in str(found)


def doubling(leaf: dict[str, Any], kind: str = "anyOf", levels: int = 40) -> dict[str, Any]:
    """A small schema that reads its leaf two to the power of its levels times."""
    pairs = {f"d{n}": {kind: [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**pairs, f"d{levels}": leaf}}


DEEP: Any = 1
for _ in range(60):
    DEEP = [DEEP]
PAIRS = [[n, str(n)] for n in range(5000)]
NAMES = {f"a{n}": 1 for n in range(5000)}
UNREAD = dict.fromkeys((f"x{n}" for n in range(3000)), 0)
MIXED = "".join(random.Random(7).choices("ab", k=60_000))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "^(a+)+$"}, "a" * 60_000 + "!"),
        ({"patternProperties": {"^(a|aa)+$": True}}, {"a" * 60_000 + "!": 1}),
        ({"additionalProperties": False, "patternProperties": {"(x+x+)+y": {}}}, {"x" * 60_000: 1}),
        ({"pattern": "a{1000}" * 4}, "a" * 60_000),
        ({"pattern": "[ab]*a[ab]{900}c"}, MIXED),
        ({"items": {"pattern": "[ab]*a[ab]{30}c"}}, [MIXED[n : n + 600] for n in range(0, 60_000, 600)]),
        ({"patternProperties": {"[ab]*a[ab]{900}c": True}}, {MIXED: 1}),
        ({"propertyNames": {"pattern": "[ab]*a[ab]{900}c"}}, {MIXED: 1}),
        ({"patternProperties": {f"a{n}": True for n in range(250)}}, NAMES),
        (doubling({"pattern": "[ab]*a[ab]{100}c"}, levels=12), MIXED),
        ({"uniqueItems": True}, [*range(10_000), *([n] for n in range(10_000)), *map(str, range(9000))]),
        ({"$ref": "#"}, 1),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, 1),
        ({"unevaluatedProperties": False, "allOf": [{"$ref": "#"}]}, {"a": 1}),
        (doubling({"type": "string"}), 5),
        (doubling({"type": "string"}, "allOf"), "a"),
        (doubling({"type": "string"}, "oneOf"), "a"),
        (doubling({"type": "string"}, levels=12), PAIRS),
        (doubling({"const": PAIRS[:2000]}, "allOf", 12), PAIRS[:2000]),
        (doubling({"enum": PAIRS[:2000]}, levels=12), PAIRS[:2000]),
        (doubling({"uniqueItems": True}, "allOf", 12), PAIRS),
        (doubling({"not": {}}, levels=12), PAIRS),
        (doubling({"dependentRequired": {"a1": [*NAMES][:3000]}}, "allOf", 12), NAMES),
        ({"items": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}, "type": "array"}, DEEP),
        ({"items": {"enum": list(range(10_000))}}, list(range(10_000, 20_000))),
        ({"items": UNREAD}, [1] * 30_000),
        ({"items": {**UNREAD, "type": "integer"}}, [1] * 30_000),
        ({"allOf": [{"items": True}] * 50, "unevaluatedItems": False}, [1] * 30_000),
        ({"properties": dict.fromkeys([*NAMES][:500], True), "unevaluatedProperties": True}, NAMES),
        ({"multipleOf": 1e-320}, 10**400),
        ({"multipleOf": 0.1}, 10**400),
        ({"multipleOf": 1e-300}, 1e300),
    ],
)  # fmt: skip
def test_nothing_hangs(schema: dict[str, Any], value: Any) -> None:
    assert schema_flaws(schema) == []
    began = time.thread_time()
    with suppress(UncheckableError):
        value_flaws(schema, value)
    assert time.thread_time() - began < 0.75, "three times of what is counted on"


LINE = {f"k{n}": {"type": "string", "pattern": "^[a-z]{1,40}$"} for n in range(4)}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"type": "integer"}}, list(range(10_000))),
        ({"items": {"$ref": "#/x"}, "x": {"properties": LINE, "required": [*LINE], "additionalProperties": False}}, [dict.fromkeys(LINE, "abcde")] * 800),
        ({"pattern": "^(a+)+$", "maxLength": 60_000}, "a" * 60_000),
        ({"items": {"pattern": r"^\p{L}+$"}}, ["Zürich"] * 1000),
        ({"properties": {"a": True}, "unevaluatedProperties": {"type": "integer"}}, NAMES),
        ({"items": {"enum": [f"state {n}" for n in range(20)]}}, ["state 19"] * 1000),
    ],
)  # fmt: skip
def test_plain_values_are_checked(schema: dict[str, Any], value: Any) -> None:
    assert schema_flaws(schema) == []
    assert value_flaws(schema, value) == []


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ({"a": 1, "b": 2}, []),
        ({"a": 1, "b": 2, "c": 3}, ["/unevaluatedProperties"]),
        ({"a": 1, "c": 3, "d": 4}, ["/unevaluatedProperties"]),
        ({"l": [1, 2]}, ["/properties/l/unevaluatedItems"]),
        ({"l": [1]}, []),
    ],
)
def test_what_nothing_else_looked_at(value: Any, places: list[str]) -> None:
    schema = {
        "properties": {"a": True, "l": {"prefixItems": [True], "unevaluatedItems": False}},
        "allOf": [{"properties": {"b": True}}],
        "unevaluatedProperties": {"const": 5},
    }
    assert [one.what for one in value_flaws(schema, value)] == [f"breaks {at} of the schema" for at in places]  # fmt: skip


def test_a_pattern_that_is_read_no_more_is_told_of() -> None:
    with pytest.raises(UncheckableError, match="pattern"):
        value_flaws({"pattern": "a{1000}" * 500}, "a")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"$ref": "#/x", "x": {"type": "text"}}, 1),
        ({"$ref": "#/x", "x": {"minLength": "a"}}, "a"),
        ({"$ref": "#/x", "x": {"required": 5}}, {}),
        ({"$ref": "#/x", "x": {"properties": 5}}, {}),
        ({"$ref": "#/x", "x": {"multipleOf": 0}}, 1),
        ({"$ref": "#/x/y", "x": {"y": {"$anchor": "q"}}, "allOf": [{"$ref": "#q"}]}, 1),
    ],
)
def test_a_type_that_is_read_no_more_is_told_of(schema: dict[str, Any], value: Any) -> None:
    with pytest.raises(UncheckableError):
        value_flaws(schema, value)


def test_flaws_are_few() -> None:
    assert len(value_flaws({"items": {"type": "string"}}, [1] * 1000)) == MOST_FAULTS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab/~"), inner, max_size=3),
)  # fmt: skip


def _applied(value: Any, pointer: str, kind: str, after: Any) -> Any:
    """A document with one change carried out."""
    parts = [one.replace("~1", "/").replace("~0", "~") for one in pointer.split("/")[1:]]
    if not parts:
        return after
    holder = value
    for part in parts[:-1]:
        holder = holder[int(part) if isinstance(holder, list) else part]
    key: Any = int(parts[-1]) if isinstance(holder, list) else parts[-1]
    if kind == "removed":
        del holder[key]
    elif isinstance(holder, list) and kind == "added":
        holder.insert(key, after)
    else:
        holder[key] = after
    return value


@given(JSON, JSON)
def test_changes_carried_out_make_the_one_of_the_other(before: Any, after: Any) -> None:
    found = changes(before, after)
    made = copy.deepcopy(before)
    for one in reversed([change for change in found if change.change == "removed"]):
        made = _applied(made, one.pointer, "removed", None)
    for one in (change for change in found if change.change != "removed"):
        made = _applied(made, one.pointer, one.change, copy.deepcopy(one.after))
    assert changes(made, after) == []
    assert (found == []) == (changes(after, before) == [])


def test_numbers_and_truths_apart() -> None:
    assert changes([1, True, {"a": 0}], [1.0, 1, {"a": False}]) != []
    assert [one.pointer for one in changes([1, True], [1.0, 1])] == ["/1"]
    assert len(changes(list(range(5000)), [])) == MOST_CHANGES + 1
