"""The one way in: JSON text and path parameters to a valid command, or a fault with its pointer.

| input | answer |
|---|---|
| not an object | InvalidInput at the whole |
| a field that is not one of the command's, at any depth | InvalidInput at its pointer |
| a numeric string, a boolean, a fraction for a whole number; a number for a text | InvalidInput |
| a field that the path gives already | InvalidInput |
| NUL and lone surrogates | repaired with a note in text, refused in names |
| a number of any field of any operation | has both bounds, which the database can hold |
| any of it | no message quotes a value, no exception but those of the tree |
"""

import json
from collections.abc import Iterator
from dataclasses import field, fields
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import Fault, InvalidInput, MalformedBody
from muniment.operations.operation import Effect, Http, Operation, Parsed
from muniment.operations.registry import REGISTRY
from muniment.operations.types import Identifier, Instant, Json, Metadata, Text, Turn, command
from muniment.ports import Context

SECRET = "hunter2"


@command
class Part:
    """A part of a probe."""

    name: Identifier
    count: Turn = 0


@command
class Probe:
    """One field of each kind."""

    user_id: Identifier
    number: Turn = 0
    text: Text = "-"
    at: Instant | None = None
    id: UUID | None = None
    flag: bool = False
    share: float = 0.0
    word: Literal["red", "blue"] = "red"
    names: tuple[Identifier, ...] = ()
    parts: tuple[Part, ...] = ()
    metadata: Metadata = field(default_factory=dict)
    anything: Json = None


async def handle(command: Probe, ctx: Context) -> Part:
    return Part(name=command.user_id)


PROBE: Operation[Probe, Part] = Operation(
    name="probes.put",
    summary="Probe",
    command=Probe,
    result=Part,
    handler=handle,
    effect=Effect.WRITE,
    verb="write",
    layer="semantic",
    http=Http("PUT", "/v1/probes/{user_id}/{number}/x"),
)


def parse(body: Any, **path: str) -> Parsed[Probe]:
    return PROBE.parse(json.dumps(body).encode(), path)


def faults(body: Any, **path: str) -> list[Fault]:
    with pytest.raises(InvalidInput) as caught:
        parse(body, **path)
    return list(caught.value.faults)


def test_names_of_an_operation() -> None:
    assert (PROBE.family, PROBE.action) == ("probes", "put")
    assert PROBE.http.path_fields == ("user_id", "number")
    assert PROBE.field_names == tuple(one.name for one in fields(Probe))
    recall = REGISTRY["recall"]
    assert (recall.family, recall.action) == ("recall", "recall")


def test_a_command() -> None:
    found = parse(
        {
            "text": "x",
            "at": "2026-05-26T09:30:00+02:00",
            "id": "018f2a6c-0000-7000-8000-000000000000",
            "flag": True,
            "share": 1,
            "word": "blue",
            "names": ["b", "a"],
            "parts": [{"name": "p", "count": 2}],
            "metadata": {"k": [2**200]},
            "anything": {"a": None},
        },
        user_id="a/b",
        number="7",
    )
    assert found.repairs == ()
    assert found.command == Probe(
        user_id="a/b",
        number=7,
        text="x",
        at=datetime.fromisoformat("2026-05-26T09:30:00+02:00"),
        id=UUID("018f2a6c-0000-7000-8000-000000000000"),
        flag=True,
        share=1.0,
        word="blue",
        names=("b", "a"),
        parts=(Part(name="p", count=2),),
        metadata={"k": [2**200]},
        anything={"a": None},
    )


def test_no_body_is_an_empty_object() -> None:
    assert PROBE.parse(b"", {"user_id": "u"}).command == Probe(user_id="u")


@pytest.mark.parametrize("body", [[], "x", 1, None, True, [{}]])
def test_what_is_no_object(body: Any) -> None:
    assert faults(body) == [Fault("", "expected an object")]


@pytest.mark.parametrize(
    ("body", "pointer", "message"),
    [
        ({}, "/user_id", "Field required"),
        ({"user_id": "u", SECRET: 1}, f"/{SECRET}", "is not a field here"),
        ({"user_id": "u", "a/b~c": 1}, "/a~1b~0c", "is not a field here"),
        ({"user_id": "u", "\ud800\x00": 1}, "/\ufffd\ufffd", "is not a field here"),
        ({"user_id": "u", "": 1}, "/", "is not a field here"),
        ({"user_id": "u", "User_id": "v"}, "/User_id", "is not a field here"),
        ({"user_id": "u", "parts": [{"name": "p"}, {"name": "q", "x": 1}]}, "/parts/1/x",
         "is not a field here"),
        ({"user_id": "u", "parts": [{}]}, "/parts/0/name", "Field required"),
        ({"user_id": "u", "number": "7"}, "/number", "Input should be a valid integer"),
        ({"user_id": "u", "number": True}, "/number", "Input should be a valid integer"),
        ({"user_id": "u", "number": 7.0}, "/number", "Input should be a valid integer"),
        ({"user_id": "u", "number": None}, "/number", "Input should be a valid integer"),
        ({"user_id": "u", "number": -1}, "/number",
         "Input should be greater than or equal to 0"),
        ({"user_id": 7}, "/user_id", "Input should be a valid string"),
        ({"user_id": None}, "/user_id", "Input should be a valid string"),
        ({"user_id": ["u"]}, "/user_id", "Input should be a valid string"),
        ({"user_id": "u", "flag": "true"}, "/flag", "Input should be a valid boolean"),
        ({"user_id": "u", "flag": 1}, "/flag", "Input should be a valid boolean"),
        ({"user_id": "u", "share": "0.5"}, "/share", "Input should be a valid number"),
        ({"user_id": "u", "share": True}, "/share", "Input should be a valid number"),
        ({"user_id": "u", "word": SECRET}, "/word", "Input should be 'red' or 'blue'"),
        ({"user_id": "u", "word": "RED"}, "/word", "Input should be 'red' or 'blue'"),
        ({"user_id": "u", "id": SECRET}, "/id", "expected a UUID"),
        ({"user_id": "u", "id": ""}, "/id", "expected a UUID"),
        ({"user_id": "u", "id": 7}, "/id", "expected a UUID"),
        ({"user_id": "u", "at": 1780000000}, "/at",
         "expected a string such as 2026-05-26T09:30:00+02:00"),
        ({"user_id": "u", "at": SECRET}, "/at",
         "expected an instant with an offset, such as 2026-05-26T09:30:00+02:00"),
        ({"user_id": "u", "names": SECRET}, "/names", "Input should be a valid array"),
        ({"user_id": "u", "names": {"0": "a"}}, "/names", "Input should be a valid array"),
        ({"user_id": "u", "names": ["a", "\u200b"]}, "/names/1",
         "no control, zero-width, bidirectional, private or broken characters"),
        ({"user_id": "u", "metadata": []}, "/metadata", "Input should be an object"),
        ({"user_id": "u", "text": ""}, "/text", "String should have at least 1 character"),
    ],
)  # fmt: skip
def test_a_fault_says_where_and_which_rule(body: Any, pointer: str, message: str) -> None:
    (found,) = faults(body)
    assert found.pointer == pointer
    assert found.message == message


def test_every_fault_is_told_up_to_twenty() -> None:
    assert [one.pointer for one in faults({"number": "7", "flag": 1})] == [
        "/user_id", "/number", "/flag",
    ]  # fmt: skip
    assert len(faults({"user_id": "u", "names": [""] * 100})) == 20


def test_what_the_path_gives_is_not_given_again() -> None:
    (found,) = faults({"user_id": "u"}, user_id="u")
    assert found == Fault("/user_id", "is given by the path already")


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ({"user_id": ""}, "/user_id"),
        ({"user_id": "a\x00"}, "/user_id"),
        ({"user_id": "x" * 257}, "/user_id"),
        ({"user_id": "u", "number": ""}, "/number"),
        ({"user_id": "u", "number": "x"}, "/number"),
        ({"user_id": "u", "number": "1.0"}, "/number"),
        ({"user_id": "u", "number": '"1"'}, "/number"),
        ({"user_id": "u", "number": "true"}, "/number"),
        ({"user_id": "u", "number": "[1]"}, "/number"),
        ({"user_id": "u", "number": "NaN"}, "/number"),
        ({"user_id": "u", "number": "1" * 5000}, "/number"),
    ],
)
def test_the_path_is_held_to_the_same_rules(path: dict[str, str], pointer: str) -> None:
    assert [one.pointer for one in faults({}, **path)] == [pointer]


def test_text_is_repaired_and_names_are_not() -> None:
    found = parse({"user_id": "u", "text": "a\x00\ud800", "metadata": {"k\x00": ["\udc00"]}})
    assert (found.command.text, found.command.metadata) == (
        "a\ufffd\ufffd",
        {"k\ufffd": ["\ufffd"]},
    )
    assert [one.pointer for one in found.repairs] == ["/text", "/metadata", "/metadata/k\ufffd/0"]
    for broken in ("a\x00", "a\ud800"):
        assert [one.pointer for one in faults({"user_id": broken})] == ["/user_id"]
        assert [one.pointer for one in faults({"user_id": "u", "parts": [{"name": broken}]})] == [
            "/parts/0/name"
        ]


def test_a_repair_does_not_hide_a_key() -> None:
    with pytest.raises(MalformedBody, match="same key twice"):
        parse({"user_id": "u", "metadata": {"a\x00": 1, "a\ufffd": 2}})
    with pytest.raises(MalformedBody, match="same key twice"):
        parse({"user_id": "u", "a\x00": 1, "a\ud800": 2})


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ({"text": "7"}, {"text": "7"}),
        ({"text": "null"}, {"text": "null"}),
        ({"text": "[1]"}, {"text": "[1]"}),
        ({"number": "7"}, {"number": 7}),
        ({"flag": "true"}, {"flag": True}),
        ({"share": "0.5"}, {"share": 0.5}),
        ({"word": "blue"}, {"word": "blue"}),
        ({"names": "a,b"}, {"names": ("a", "b")}),
        ({"names": "a"}, {"names": ("a",)}),
        ({"names": '["a,b", "c"]'}, {"names": ("a,b", "c")}),
        ({"parts": '[{"name": "p"}]'}, {"parts": (Part(name="p"),)}),
        ({"metadata": '{"k": 1}'}, {"metadata": {"k": 1}}),
        ({"anything": '"x"'}, {"anything": "x"}),
        ({"at": "2026-05-26T09:30:00Z"}, {"at": datetime.fromisoformat("2026-05-26T09:30:00Z")}),
    ],
)
def test_texts_become_what_the_field_is(texts: dict[str, str], found: dict[str, Any]) -> None:
    assert PROBE.parse_texts(texts, {"user_id": "u"}).command == Probe(user_id="u", **found)


@pytest.mark.parametrize(
    ("texts", "pointer"),
    [
        ({"number": "seven"}, "/number"),
        ({"flag": "yes"}, "/flag"),
        ({"flag": "1"}, "/flag"),
        ({"share": "0,5"}, "/share"),
        ({"names": "a,,b"}, "/names/1"),
        ({"names": "[a]"}, "/names"),
        ({"parts": "p"}, "/parts/0"),
        ({"metadata": "k=1"}, "/metadata"),
        ({"metadata": '{"k": 1, "k": 2}'}, "/metadata"),
        ({"anything": "x"}, "/anything"),
        ({"at": "today"}, "/at"),
        ({"hunch": "x"}, "/hunch"),
    ],
)
def test_texts_that_are_not(texts: dict[str, str], pointer: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        PROBE.parse_texts(texts, {"user_id": "u"})
    assert [one.pointer for one in caught.value.faults] == [pointer]


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(
    st.sampled_from([PROBE, *REGISTRY.values()]),
    st.data(),
    st.dictionaries(ANY_TEXT, ANYTHING, max_size=2),
)
def test_any_body_is_a_command_or_a_fault(
    operation: Operation[Any, Any], data: st.DataObject, more: dict[str, Any]
) -> None:
    """Nothing but the two errors comes out, and what they say can be sent."""
    names = operation.field_names
    chosen = data.draw(st.sets(st.sampled_from(names))) if names else set()
    body = more | {name: data.draw(ANYTHING) for name in sorted(chosen)}
    path = {
        name: data.draw(ANY_TEXT) for name in operation.http.path_fields if data.draw(st.booleans())
    }
    try:
        parsed = operation.parse(json.dumps(body, allow_nan=True).encode(), path)
        told = list(parsed.repairs)
    except (InvalidInput, MalformedBody) as error:
        told = list(error.faults)
        assert told
    for fault in told:
        f"{fault.pointer}{fault.message}".encode()


@given(st.sampled_from([PROBE, *(one for one in REGISTRY.values() if one.field_names)]), st.data())
def test_no_message_quotes_a_value(operation: Operation[Any, Any], data: st.DataObject) -> None:
    secret = "hunter2-" + data.draw(st.sampled_from(["", "é", "\u202e", "9" * 300, "\x00", "{}"]))
    name = data.draw(st.sampled_from(operation.field_names))
    value = data.draw(st.sampled_from([secret, [secret], {"k": secret}, [{"k": [secret]}]]))
    try:
        operation.parse(json.dumps({name: value}).encode(), {})
    except InvalidInput as error:
        assert not any("hunter2" in one.message for one in error.faults)  # noqa: PT017
        assert "hunter2" not in error.detail  # noqa: PT017


def _numbers(schema: Any, definitions: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Every number in a schema, with its place."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    if schema.get("type") in ("integer", "number"):
        yield at, schema
    for option in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        yield from _numbers(option, definitions, at)
    for name, one in schema.get("properties", {}).items():
        yield from _numbers(one, definitions, f"{at}/{name}")


@pytest.mark.parametrize("operation", REGISTRY.values(), ids=list(REGISTRY))
def test_every_number_has_both_bounds(operation: Operation[Any, Any]) -> None:
    """One that the database cannot hold is a fault of the input, not of the service."""
    schema = operation.schema
    for place, one in _numbers(schema, schema.get("$defs", {}), ""):
        least = one["exclusiveMinimum"] if "exclusiveMinimum" in one else one["minimum"]
        assert -(2**63) <= least <= one["maximum"] < 2**63, f"{operation.name}{place}"
