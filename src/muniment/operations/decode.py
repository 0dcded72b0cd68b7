"""JSON as the service reads it: strict where parsers differ, repaired where text is broken."""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Never

from muniment.errors import Fault, MalformedBody

MAX_DEPTH = 64
MAX_DIGITS = 1000

# A string that never ends takes the rest of the text, or every quote in it would be tried anew.
_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)


def decode(raw: bytes) -> Any:
    """Decode UTF-8 JSON. Raises MalformedBody for a byte-order mark, other encodings, duplicate
    keys, NaN, infinities, numbers out of range, and nesting deeper than 64.
    """
    if raw.startswith(b"\xef\xbb\xbf"):
        raise _malformed("starts with a byte-order mark")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _malformed(f"is not UTF-8 at byte {error.start}") from None
    if _depth(text) > MAX_DEPTH:
        raise _malformed(f"nests deeper than {MAX_DEPTH}")
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except json.JSONDecodeError as error:
        raise _malformed(f"is not JSON at line {error.lineno}, column {error.colno}") from None


def clean(value: Any, place: str, repairs: list[Fault]) -> Any:
    """Replace NUL and lone surrogates in every string by U+FFFD, noting at which pointer.

    Raises MalformedBody where that makes two keys of an object the same.
    """
    if isinstance(value, str):
        return _repaired(value, place, repairs)
    if isinstance(value, Mapping):
        cleaned = {}
        for given, item in value.items():
            key = _repaired(given, place, repairs)
            if key in cleaned:
                raise _malformed("has an object with the same key twice")
            cleaned[key] = clean(item, place + pointer([key]), repairs)
        return cleaned
    if isinstance(value, list):
        return [clean(item, f"{place}/{i}", repairs) for i, item in enumerate(value)]
    return value


def _repaired(text: str, place: str, repairs: list[Fault]) -> str:
    if "\x00" not in text and text.isascii():
        return text
    repaired = text.replace("\x00", "\ufffd")
    repaired = repaired.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if repaired != text:
        repairs.append(Fault(place, "NUL or broken characters were replaced by U+FFFD"))
    return repaired


def _malformed(message: str) -> MalformedBody:
    return MalformedBody(f"The body {message}.", faults=[Fault("", message)])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _malformed("has an object with the same key twice")
    return found


def _constant(_name: str) -> Never:
    raise _malformed("has NaN or an infinity, which JSON does not know")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _malformed("has a number out of the range of a double")
    return value


def _int(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _malformed(f"has a number of more than {MAX_DIGITS} digits")
    return int(text)


def pointer(parts: Iterable[str | int]) -> str:
    """A JSON pointer (RFC 6901); broken characters in a key show as ``?``."""
    return "".join(f"/{_escape(str(part))}" for part in parts)


def place_of(loc: Sequence[str | int]) -> str:
    """The pointer of pydantic's ``loc``; a fault in a property's name is one of the property."""
    return pointer(loc[:-1] if loc and loc[-1] == "[key]" else loc)


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1").encode("utf-8", "replace").decode()


def _depth(text: str) -> int:
    """Nesting by brackets outside strings, without recursion; more than the limit is not counted.

    In time linear in the text, whatever it holds.
    """
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return 0
    deepest = depth = 0
    for token in _TOKENS.finditer(text):
        char = text[token.start()]
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
            if depth > MAX_DEPTH:
                break
        elif char in "]}":
            depth -= 1
    return deepest
