"""JSON as a list of parts: whoever takes secrets out of texts sees each text alone, as it is read.

A part is a text behind a ``"``, what follows of a text that was cut behind a ``+``, a number or a
word of JSON, or what stands between these. Whatever is done to a text leaves JSON.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:\s]+|[^"{}\[\],:\s]+', re.DOTALL)
_BETWEEN = re.compile(r"[{}\[\],:\s]+")
_WORD = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|NaN|-?Infinity")
_LONE = re.compile("[\ud800-\udfff]")
# What a database refuses in a text stands there as two characters of private use.
_MARK = "\ue000"
_REFUSED = re.compile("[\x00\ud800-\udfff\ue000]")
_KEPT = re.compile("\ue000([\U000f0000-\U000fffff])")
_ABOVE = 0xF0000
_PART_BYTES = 4_990


class Redacted(Protocol):
    """A text without its secrets."""

    @property
    def text(self) -> str: ...


class Redactor(Protocol):
    """What the service takes secrets out with."""

    def redact(self, text: str, *, named: str | None = None) -> Redacted: ...
    def member(self, name: str, above: str | None) -> str: ...


def parts_of(item: Any, redactor: Redactor) -> Iterator[str]:
    """The parts of any JSON, without secrets in its texts, its names, and its numbers."""
    text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
    for part in _parts(text, redactor):
        yield from _cut(part)


def item_of(parts: Iterable[str]) -> Any:
    """The JSON that the parts are of. Raises ValueError where they are of none."""
    found: list[str] = []
    said: list[str] = []
    for part in parts:
        if part.startswith("+") and said:
            said.append(part[1:])
            continue
        if said:
            found.append(_written("".join(said)))
            said = []
        if part.startswith('"'):
            said.append(part[1:])
        elif _BETWEEN.fullmatch(part) or _WORD.fullmatch(part):
            found.append(part)
        elif part.startswith("+"):
            raise ValueError("the end of a text without its beginning")
        else:
            # A number no more: somebody took it for a secret.
            found.append(_written(part))
    if said:
        found.append(_written("".join(said)))
    try:
        return json.loads("".join(found))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def room_of(part: str) -> int:
    """How many bytes a part takes in a list."""
    return len(json.dumps(part, ensure_ascii=False).encode("utf-8", "surrogatepass")) + 1


def _parts(text: str, redactor: Redactor | None) -> Iterator[str]:
    tokens = _TOKEN.findall(text)
    names: list[str | None] = [None]
    above: list[str | None] = [None]

    def cleaned(said: str, name: str | None) -> str:
        return said if redactor is None else redactor.redact(said, named=name).text

    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if _BETWEEN.match(token):
            _follow(names, above, token)
            yield token
        elif not token.startswith('"'):
            digits = _digits(token)
            said = digits if token.isalpha() else cleaned(digits, names[-1])
            yield token if said == digits else f'"{said}'
        else:
            said = _REFUSED.sub(_kept, json.loads(token))
            if following.lstrip().startswith(":"):
                names[-1] = said if redactor is None else redactor.member(said, above[-1])
                yield '"' + cleaned(said, None)
            else:
                yield '"' + (said if redactor is None else _cleaned(said, names[-1], redactor))


def _digits(token: str) -> str:
    """A number as its digits alone, if it is a whole one; a word as it is."""
    if token.isalpha() or not {".", "e", "E"} & {*token}:
        return token
    number = float(token)
    return str(int(number)) if number.is_integer() else token


def _follow(names: list[str | None], above: list[str | None], between: str) -> None:
    """Keep in mind under which name a value stands, and the object around it; what is in a list,
    under that of the list.
    """
    for one in between:
        if one in "{[":
            above.append(names[-1])
            names.append(names[-1] if one == "[" else None)
        elif one in "}]":
            names.pop()
            above.pop()


def _cleaned(said: str, name: str | None, redactor: Redactor) -> str:
    """A text without its secrets; one that is JSON itself stays JSON."""
    if said.lstrip()[:1] in ("{", "["):
        try:
            json.loads(said)
        except (ValueError, RecursionError):
            return redactor.redact(said, named=name).text
        within = list(_parts(said, redactor))
        if within != list(_parts(said, None)):
            said = "".join(_written(one[1:]) if one.startswith('"') else one for one in within)
    return redactor.redact(said, named=name).text


def _written(said: str) -> str:
    text = json.dumps(_KEPT.sub(_given_back, said), ensure_ascii=False)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _kept(found: re.Match[str]) -> str:
    return _MARK + chr(_ABOVE + ord(found[0]))


def _given_back(found: re.Match[str]) -> str:
    return chr(ord(found[1]) - _ABOVE)


def _cut(part: str) -> Iterator[str]:
    """A part, in several where it is long."""
    is_text = part.startswith('"')
    lead, rest = ('"', part[1:]) if is_text else ("", part)
    while True:
        head = rest[:_PART_BYTES]
        while (room := room_of(lead + head)) > _PART_BYTES:
            head = head[: len(head) * _PART_BYTES // room - 1]
        yield lead + head
        rest = rest[len(head) :]
        if not rest:
            return
        lead = "+" if is_text else ""
