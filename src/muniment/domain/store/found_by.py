"""The texts by which an item is found: what stands at the named places of its value.

A place is names with dots between (``a.b``), members of lists (``a[0]``, ``a[-1]``, ``a[*]``), all
members (``*``), or several names (``{a,b.c}``). ``$`` is the value as a whole, as JSON.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

MOST_TEXTS = 100
MOST_CHARACTERS = 65_536
"""Of one text; what follows is not looked for."""
# The same text may stand at many places, and a large one is made anew for each.
_MOST_LOOKED_AT = 1000
_PORTION = 32_768

# A part in brackets or braces, which may stand inside each other, or a name up to the next of them.
_NAME = re.compile(r"[^.\[{]+")
_CLOSES = {"[": "]", "{": "}"}


class TooManyTexts(ValueError):
    """A value has more texts at the named places than one item is found by."""


def texts_of(value: Any, places: Sequence[str]) -> list[str]:
    """Each different text, once. Raises TooManyTexts."""
    found: dict[str, None] = {}
    looked_at = 0
    for text in chain.from_iterable(_texts(value, place) for place in places):
        looked_at += 1 + len(text) // _PORTION
        if text:
            found[text[:MOST_CHARACTERS]] = None
        if len(found) > MOST_TEXTS or looked_at > _MOST_LOOKED_AT:
            raise TooManyTexts
    return list(found)


def _texts(value: Any, place: str) -> Iterator[str]:
    if place in {"", "$"}:
        yield _json(value)
    else:
        yield from _at(value, _parts(place))


def _parts(place: str) -> list[str]:
    parts: list[str] = []
    at = 0
    while at < len(place):
        closing = _CLOSES.get(place[at])
        if closing is not None:
            end = _end(place, at, closing)
            parts.append(place[at:end])
            at = end
        elif found := _NAME.match(place, at):
            parts.append(found[0])
            at = found.end()
        else:
            at += 1
    return parts


def _end(place: str, at: int, closing: str) -> int:
    """Behind the sign that closes the one at ``at``; the end of the text where none does."""
    depth = 0
    for end in range(at, len(place)):
        depth += (place[end] == place[at]) - (place[end] == closing)
        if depth == 0:
            return end + 1
    return len(place)


def _at(value: Any, parts: Sequence[str]) -> Iterator[str]:
    if not parts:
        yield from _text(value)
        return
    part, rest = parts[0], parts[1:]
    if part.startswith("[") and part.endswith("]"):
        yield from _of_list(value, part[1:-1], rest)
    elif part.startswith("{") and part.endswith("}"):
        yield from _of_names(value, part[1:-1])
    elif part == "*":
        members = value.values() if isinstance(value, dict) else value
        if isinstance(value, dict | list):
            for member in members:
                yield from _at(member, rest)
    elif isinstance(value, dict) and part in value:
        yield from _at(value[part], rest)


def _of_list(value: Any, which: str, rest: Sequence[str]) -> Iterator[str]:
    if not isinstance(value, list):
        return
    if which == "*":
        for member in value:
            yield from _at(member, rest)
    elif re.fullmatch(r"-?[0-9]{1,9}", which) and -len(value) <= int(which) < len(value):
        yield from _at(value[int(which)], rest)


def _of_names(value: Any, names: str) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    for name in names.split(","):
        inner: Any = value
        for part in _parts(name.strip()):
            inner = inner.get(part) if isinstance(inner, dict) else None
        if name.strip():
            yield from _text(inner)


def _text(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        yield _json(value)
    elif value is not None:
        yield str(value)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
