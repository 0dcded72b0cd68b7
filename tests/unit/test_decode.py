"""JSON as the service reads it.

| input | answer |
|---|---|
| a byte-order mark, UTF-16, UTF-32, broken UTF-8 | MalformedBody |
| the same key twice, whatever is said under it, also once NUL and such are replaced | MalformedBody |
| NaN, infinities, numbers beyond a double, integers of more than 1000 digits | MalformedBody |
| 2^53 + 1, 2^200 | as written |
| depth 64 | read |
| depth 65, 10,000, 200,000 | MalformedBody, in time linear in the text |
| NUL and lone surrogates in text | U+FFFD, with a note of the pointer |
"""

import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import Fault, MalformedBody
from muniment.operations.decode import MAX_DEPTH, MAX_DIGITS, clean, decode, pointer
from tests.support.growth import grows_linearly

ANY_TEXT = st.text(st.characters(exclude_categories=()))
WHOLE_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


def documents(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    leaves = (
        st.none()
        | st.booleans()
        | st.integers(-(10**40), 10**40)
        | st.floats(allow_nan=False, allow_infinity=False)
        | texts
    )
    return st.recursive(
        leaves, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=10
    )


@given(documents(ANY_TEXT), st.booleans())
def test_what_is_written_is_read(document: Any, escaped: bool) -> None:
    text = json.dumps(document, ensure_ascii=escaped or "\\ud" in json.dumps(document))
    assert decode(text.encode()) == document


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "nul", "{", "}", "[1,]", "{'a': 1}", '{"a": 1,}', '{"a"}', "01", "1.", ".5", "+1",
        "0x10", "1_000", "[1] [2]", "// no\n1", '"\x01"', '"\n"', '"\\x41"', '"\\u12"', "'a'", "True",
        "undefined", "1e", "--1", '"a', "\x00", "[\x0b1]", "\u00a01", "[1]\x00",
    ],
)  # fmt: skip
def test_what_is_not_json(text: str) -> None:
    with pytest.raises(MalformedBody, match="is not JSON at line 1, column"):
        decode(text.encode())


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xef\xbb\xbf{}", "byte-order mark"),
        ("{}".encode("utf-16"), "is not UTF-8 at byte 0"),
        ("{}".encode("utf-16-le"), "is not JSON"),
        ("{}".encode("utf-16-be"), "is not JSON"),
        ("{}".encode("utf-32"), "is not UTF-8 at byte 0"),
        ('"é"'.encode("latin-1"), "is not UTF-8 at byte 1"),
        (b'"\xff"', "is not UTF-8 at byte 1"),
        (b'"\xc0\xaf"', "is not UTF-8 at byte 1"),
        (b'"\xed\xa0\x80"', "is not UTF-8 at byte 1"),
        (b'"\xf4\x90\x80\x80"', "is not UTF-8 at byte 1"),
        (b'"\xe2\x82', "is not UTF-8 at byte 1"),
    ],
)
def test_other_encodings(raw: bytes, said: str) -> None:
    with pytest.raises(MalformedBody, match=said):
        decode(raw)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"a": 1, "\\u0061": 2}',
        '{"": 1, "": 2}',
        '[{"deep": {"a": 1, "b": 2, "a": 3}}]',
    ],
)
def test_the_same_key_twice(text: str) -> None:
    with pytest.raises(MalformedBody, match="same key twice"):
        decode(text.encode())


@pytest.mark.parametrize(
    "number",
    ["NaN", "Infinity", "-Infinity", "1e5000", "-1e5000", "1e131000", "1e309", "1.8e308",
     "1" + "0" * 400 + ".0", "1" + "0" * 5000, "-1" + "0" * 5000, "1" + "0" * MAX_DIGITS],
)  # fmt: skip
def test_numbers_out_of_range(number: str) -> None:
    with pytest.raises(MalformedBody, match=r"has NaN|has a number"):
        decode(f'{{"a": [{number}]}}'.encode())


@pytest.mark.parametrize(
    "number",
    [2**53 + 1, -(2**53) - 1, 2**63, 2**64, 2**200, -(2**200), 10 ** (MAX_DIGITS - 1), 0,
     0.1, 1e-400, 5e-324, 1.7976931348623157e308, 123456789.123456789],
)  # fmt: skip
def test_numbers_in_range_are_intact(number: float) -> None:
    found = decode(json.dumps(number).encode())
    assert (found, type(found)) == (number, type(number))


def test_a_number_too_small_is_zero() -> None:
    assert decode(b"1e-5000") == 0.0


@pytest.mark.parametrize("wrap", [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 10_000, 200_000])
def test_too_deep(wrap: tuple[str, str], depth: int) -> None:
    brackets = wrap[0].count("[") + wrap[0].count("{")
    times = -(-depth // brackets)
    raw = (wrap[0] * times + "1" + wrap[1] * times).encode()
    with pytest.raises(MalformedBody, match="nests deeper than 64"):
        decode(raw)
    with pytest.raises(MalformedBody, match="nests deeper than 64"):
        decode(raw[: len(wrap[0]) * times])


def test_deep_enough() -> None:
    found = decode(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    for _ in range(MAX_DEPTH - 1):
        (found,) = found
    assert found == []


def test_brackets_in_strings_are_no_depth() -> None:
    text = json.dumps(['[{"\\' * 1000, "]" * 99, {"[" * 99: "\\"}])
    assert decode(text.encode()) == json.loads(text)


def test_closing_brackets_do_not_make_room() -> None:
    with pytest.raises(MalformedBody):
        decode(b"]" * 200 + b"[" * 264)


MIB = 1024 * 1024
LARGE: list[Callable[[int], bytes]] = [
    lambda size: b"[" * size,
    lambda size: b"[" * 70 + b'"' + b'\\"' * (size // 2),
    lambda size: b"[" * 70 + b'"' + b"\\" * size,
    lambda size: b"[" * 70 + b'""' * (size // 2),
    lambda size: b'["' + b"[" * size + b'"]',
    lambda size: b"[" + b"[]," * (size // 3) + b"1]",
    lambda size: b"[0." + b"1" * size + b"]",
    lambda size: b"[1e" + b"9" * size + b"]",
    lambda size: b"[" + b"9" * size + b"]",
    lambda size: b'{"' + b"\\u0000" * (size // 6) + b'": 1}',
]


@pytest.mark.parametrize("make", LARGE, ids=range(len(LARGE)))
def test_time_is_linear_in_the_text(make: Callable[[int], bytes]) -> None:
    texts = {size: make(size) for size in (MIB // 4, MIB)}

    def read(size: int) -> None:
        with contextlib.suppress(MalformedBody):
            clean(decode(texts[size]), "", [])

    assert grows_linearly(read, MIB)


@given(documents(ANY_TEXT))
def test_repaired_documents_can_be_stored(document: Any) -> None:
    repairs: list[Fault] = []
    try:
        found = clean(document, "", repairs)
    except MalformedBody:
        assert _broken(document)
        return
    text = json.dumps(found, ensure_ascii=False)
    text.encode()
    assert "\x00" not in text
    assert "\\u0000" not in text
    assert bool(repairs) == _broken(document)
    again: list[Fault] = []
    assert clean(found, "", again) == found
    assert again == []


def _broken(document: Any) -> bool:
    text = json.dumps(document)
    return "\\u0000" in text or _surrogates(json.dumps(document, ensure_ascii=False))


def _surrogates(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


@given(documents(WHOLE_TEXT))
def test_whole_text_is_left_alone(document: Any) -> None:
    repairs: list[Fault] = []
    assert clean(document, "", repairs) == document
    assert repairs == []


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("a\x00b", "a\ufffdb"),
        ("\x00\x00", "\ufffd\ufffd"),
        ("a\ud800b", "a\ufffdb"),
        ("x\udfffy", "x\ufffdy"),
        ("\udc00\ud800", "\ufffd\ufffd"),
        ("\ud800\ud800\udc00", "\ufffd\U00010000"),
        ("end\ud800", "end\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ufeffa\x00", "\ufeffa\ufffd"),
        ("\ufffea\x00", "\ufffea\ufffd"),
    ],
)
def test_what_broken_text_becomes(text: str, repaired: str) -> None:
    repairs: list[Fault] = []
    assert clean({"a": [text]}, "", repairs) == {"a": [repaired]}
    assert [fault.pointer for fault in repairs] == ["/a/0"]
    assert text not in repairs[0].message


def test_the_note_says_where_in_what_was_kept() -> None:
    repairs: list[Fault] = []
    found = clean({"m~/\x00": {"k": ["ok", "\x00"]}, "ok": 1}, "/at", repairs)
    assert found == {"m~/\ufffd": {"k": ["ok", "\ufffd"]}, "ok": 1}
    assert [fault.pointer for fault in repairs] == ["/at", "/at/m~0~1\ufffd/k/1"]


def test_a_repair_does_not_make_two_keys_one() -> None:
    with pytest.raises(MalformedBody, match="same key twice"):
        clean({"a\x00": 1, "a\ud800": 2}, "", [])


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ([], ""),
        (["a", 0, "b"], "/a/0/b"),
        (["a/b", "~", "~1"], "/a~1b/~0/~01"),
        ([""], "/"),
        (["\ud800"], "/?"),
    ],
)
def test_pointers(parts: list[str | int], found: str) -> None:
    assert pointer(parts) == found


@given(st.lists(ANY_TEXT))
def test_pointers_can_be_sent(parts: list[str]) -> None:
    found = pointer(parts)
    found.encode()
    assert found.count("/") == len(parts)


@given(st.binary())
def test_any_bytes_are_read_or_malformed(raw: bytes) -> None:
    try:
        decode(raw)
    except MalformedBody as error:
        assert [fault.pointer for fault in error.faults] == [""]  # noqa: PT017
