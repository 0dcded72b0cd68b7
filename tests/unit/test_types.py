"""The field types of commands: what they take, what they make of it, what they refuse (RULES 1, 2).

| type | takes | refuses |
|---|---|---|
| Identifier | 1 to 256 bytes of UTF-8 in NFC | more, nothing to see, characters without a place in a name |
| Text, Content, Value | up to 64 KiB (a value 1 KiB), in bytes | one byte more; Text and Value also nothing |
| Statement, Value | what has a character that can be seen | white space, controls and what shows nothing |
| Metadata | an object of up to 16 KiB as compact JSON | one byte more, other JSON |
| Instant | RFC 3339 with an offset | every other form, and numbers |
| Turn, Count, Page | whole numbers in their range | numeric strings, booleans, fractions |
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from muniment.operations import types
from tests.unit.test_timeline import NOT_INSTANTS

IDENTIFIER: TypeAdapter[str] = TypeAdapter(types.Identifier)
TEXT: TypeAdapter[str] = TypeAdapter(types.Text)
STATEMENT: TypeAdapter[str] = TypeAdapter(types.Statement)
CONTENT: TypeAdapter[str] = TypeAdapter(types.Content)
VALUE: TypeAdapter[str] = TypeAdapter(types.Value)
METADATA: TypeAdapter[dict[str, Any]] = TypeAdapter(types.Metadata)
INSTANT: TypeAdapter[datetime] = TypeAdapter(types.Instant)
TURN: TypeAdapter[int] = TypeAdapter(types.Turn)
COUNT: TypeAdapter[int] = TypeAdapter(types.Count)
PAGE: TypeAdapter[int] = TypeAdapter(types.Page)


def read(adapter: TypeAdapter[Any], value: Any) -> Any:
    """The value as the service reads it from JSON."""
    return adapter.validate_json(json.dumps(value), strict=True)


def refusal(adapter: TypeAdapter[Any], value: Any) -> str:
    """Why it is refused."""
    with pytest.raises(ValidationError) as caught:
        read(adapter, value)
    return "; ".join(one["msg"] for one in caught.value.errors(include_url=False))


@pytest.mark.parametrize(
    "name",
    ["a", "x" * 256, "é" * 128, "東" * 85, "😀" * 64, "a b", " a", "a/b", "..", "%2F", "{id}", "0",
     "'; --", "a\u00a0b", "नमस्ते", "עברית", "a\u0338", "❤\ufe0f"],
)  # fmt: skip
def test_identifiers(name: str) -> None:
    assert read(IDENTIFIER, name) == name


@pytest.mark.parametrize(
    ("name", "because"),
    [
        ("", "white space"),
        (" ", "white space"),
        ("\u00a0\u2003\u3000", "white space"),
        ("x" * 257, "256 bytes"),
        ("é" * 128 + "x", "256 bytes"),
        ("😀" * 64 + "x", "256 bytes"),
        ("x" * 1_000_000, "256 bytes"),
        ("a\x00", "characters"),
        ("a\n", "characters"),
        ("a\tb", "characters"),
        ("\x1b[31m", "characters"),
        ("a\x7f", "characters"),
        ("a\x85", "characters"),
        ("a\u2028", "characters"),
        ("a\u2029", "characters"),
        ("a\u200b", "characters"),  # zero width
        ("a\u034f", "characters"),  # a joiner that shows nothing
        ("a\ufe0f", "characters"),  # a variation of what is no emoji
        ("a\U000e0100", "characters"),
        ("a\u180b", "characters"),
        ("a\u17b4", "characters"),
        ("\u115f", "characters"),  # fillers
        ("a\u3164", "characters"),
        ("a\uffff", "characters"),  # no character
        ("a\U0010ffff", "characters"),
        ("a\u200d", "characters"),
        ("a\u2060", "characters"),
        ("\ufeffa", "characters"),
        ("a\u00ad", "characters"),
        ("a\u202e", "characters"),  # bidirectional
        ("a\u2066b\u2069", "characters"),
        ("a\u200f", "characters"),
        ("a\u061c", "characters"),
        ("a\U000e0061", "characters"),  # tag
        ("a\U000e0001", "characters"),
        ("a\ue000", "characters"),  # private use
        ("a\U000f0000", "characters"),
        ("a\U0010fffd", "characters"),
        ("a\ufffd", "characters"),  # what a broken character was replaced by
        ("\u200b", "characters"),
    ],
)
def test_what_is_no_identifier(name: str, because: str) -> None:
    message = refusal(IDENTIFIER, name)
    assert because in message
    assert not name.strip() or name not in message


BLANK = [
    " ", "   ", "\t\n", "\u00a0\u2003\u3000", "\u200b", "\u200b \u2060", "\x00", "\ufffd", "\u3164",
    "\u2800", "\ufeff", "\u202e\u202c", "\u00ad", "\ufe0f", "\U000e0061", "\u2028", "\ue000",
]  # fmt: skip


@pytest.mark.parametrize("adapter", [STATEMENT, VALUE])
@pytest.mark.parametrize("blank", BLANK)
def test_what_says_nothing(adapter: TypeAdapter[str], blank: str) -> None:
    assert "white space or invisible" in refusal(adapter, blank)
    assert read(adapter, f"{blank}x{blank}") == f"{blank}x{blank}"


@pytest.mark.parametrize("text", ["0", ".", "東", "❤\ufe0f", "👨\u200d👩", "नमस्ते", "-", " a "])
def test_what_can_be_seen_says_something(text: str) -> None:
    assert read(STATEMENT, text) == read(VALUE, text) == text


def test_an_unpaired_surrogate_is_no_identifier() -> None:
    with pytest.raises(ValidationError):
        IDENTIFIER.validate_json(b'"a\\ud800"', strict=True)
    with pytest.raises(ValidationError):
        IDENTIFIER.validate_python("a\ud800", strict=True)


def test_composed_and_decomposed_are_one_identity() -> None:
    assert read(IDENTIFIER, "Zu\u0308rich") == read(IDENTIFIER, "Zürich") == "Zürich"
    assert read(IDENTIFIER, "\u212b") == read(IDENTIFIER, "A\u030a") == "Å"
    assert read(IDENTIFIER, "각") == read(IDENTIFIER, "각")
    # Compatibility forms are other names.
    assert read(IDENTIFIER, "ａ") != read(IDENTIFIER, "a")


def test_the_limit_is_on_the_normal_form() -> None:
    decomposed = "e\u0301" * 128
    assert len(decomposed.encode()) == 384
    assert read(IDENTIFIER, decomposed) == "é" * 128
    # Each of these three bytes becomes two of two.
    assert "256 bytes" in refusal(IDENTIFIER, "\u0958" * 85)


def test_a_long_run_of_marks_takes_no_time() -> None:
    """Putting it into normal form would take minutes."""
    assert "256 bytes" in refusal(IDENTIFIER, "a" + "\u0315\u0300" * 500_000)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_accepted_identifier_is_its_own_normal_form(name: str) -> None:
    try:
        found = read(IDENTIFIER, name)
    except ValidationError:
        return
    assert read(IDENTIFIER, found) == found
    assert 1 <= len(found.encode()) <= 256
    assert found.isprintable() or " " in found or not found.isascii()


@pytest.mark.parametrize(
    ("adapter", "limit"),
    [(TEXT, 64 * 1024), (CONTENT, 64 * 1024), (VALUE, 1024)],
    ids=["text", "content", "value"],
)
@pytest.mark.parametrize("char", ["x", "é", "東", "😀", "\u0301", "\n"])
def test_texts_are_measured_in_bytes(adapter: TypeAdapter[str], limit: int, char: str) -> None:
    size = len(char.encode())
    seen = limit % size or size
    longest = char * ((limit - seen) // size) + "x" * seen
    assert read(adapter, longest) == longest
    message = refusal(adapter, longest + "x")
    assert message == f"Value error, at most {limit} bytes of UTF-8"


def test_texts_are_kept_as_they_were_written() -> None:
    for text in (" e\u0301 \t\n", "\u202e\u200b\x1b", "\ufffd"):
        assert read(TEXT, text) == text


def test_empty_texts() -> None:
    assert read(CONTENT, "") == ""
    assert "at least 1" in refusal(TEXT, "")
    assert "at least 1" in refusal(VALUE, "")


def filled(size: int, char: str = "x") -> dict[str, str]:
    """Metadata that is ``size`` bytes long as compact JSON."""
    room = size - len('{"k":""}')
    return {"k": char * (room // len(char.encode())) + "x" * (room % len(char.encode()))}


@pytest.mark.parametrize("char", ["x", "é", "😀"])
def test_metadata_is_measured_as_compact_json(char: str) -> None:
    assert read(METADATA, filled(16 * 1024, char)) == filled(16 * 1024, char)
    message = refusal(METADATA, filled(16 * 1024 + 1, char))
    assert message == "Value error, at most 16384 bytes as JSON"


def test_space_between_members_does_not_count() -> None:
    many = {f"k{n:04}": n for n in range(1000, 2250)}
    compact = json.dumps(many, separators=(",", ":"))
    assert len(compact) <= 16 * 1024 < len(json.dumps(many))
    assert read(METADATA, many) == many


@pytest.mark.parametrize("value", [None, [], "x", 1, [["k", "v"]]])
def test_metadata_is_an_object(value: Any) -> None:
    assert refusal(METADATA, value)


def test_numbers_in_metadata_are_intact() -> None:
    numbers = {"a": 2**53 + 1, "b": 2**200, "c": -(10**999), "d": 0.1, "e": [1.0, 1]}
    found = read(METADATA, numbers)
    assert found == numbers
    assert [type(one) for one in found["e"]] == [float, int]


@pytest.mark.parametrize("text", NOT_INSTANTS)
def test_what_is_no_instant(text: str) -> None:
    assert "Value error, " in refusal(INSTANT, text)


@pytest.mark.parametrize("value", [0, 1780000000, 1780000000.5, True, None, [], {}])
def test_no_instant_of_another_type(value: Any) -> None:
    assert "expected a string" in refusal(INSTANT, value)


def test_an_instant_keeps_its_offset_and_is_shown_in_utc() -> None:
    found = read(INSTANT, "2026-05-26T09:30:00+02:00")
    assert found.isoformat() == "2026-05-26T09:30:00+02:00"
    assert INSTANT.dump_json(found) == b'"2026-05-26T07:30:00Z"'
    assert INSTANT.dump_json(datetime(1, 1, 1, tzinfo=UTC)) == b'"0001-01-01T00:00:00Z"'


@pytest.mark.parametrize(
    ("adapter", "low", "high"),
    [(TURN, 0, 2**31 - 1), (COUNT, 0, 2**100), (PAGE, 1, 200)],
    ids=["turn", "count", "page"],
)
def test_whole_numbers(adapter: TypeAdapter[int], low: int, high: int) -> None:
    assert read(adapter, low) == low
    assert read(adapter, high) == high
    assert refusal(adapter, low - 1)
    if adapter is not COUNT:
        assert refusal(adapter, high + 1)
    for other in ("1", "", True, 1.0, 1.5, None, [1]):
        assert "valid integer" in refusal(adapter, other)


def test_a_fraction_that_is_whole_is_still_no_whole_number() -> None:
    with pytest.raises(ValidationError):
        TURN.validate_json(b"1.0", strict=True)
    with pytest.raises(ValidationError):
        TURN.validate_json(b"1e2", strict=True)
