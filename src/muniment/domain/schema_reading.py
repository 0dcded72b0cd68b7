"""What a schema of artifacts may say.

A schema of JSON Schema 2020-12 stands for itself: nothing is fetched. Patterns are those of RE2,
which reads in linear time.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError

from muniment.domain.patterns import PatternError, Patterns

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOST_OBJECTS = 600
MOST_FAULTS = 20
ONE = {
    "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
    "unevaluatedItems", "unevaluatedProperties",
}  # fmt: skip
"""Keywords with one schema."""
MANY = {"allOf", "anyOf", "oneOf", "prefixItems"}
"""Keywords with a list of schemas."""
_NAMED = {"$defs", "dependentSchemas", "patternProperties", "properties"}
_UNREAD = {"$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary"}
_NO_FORMATS = FormatChecker(formats=())
Path = tuple[str | int, ...]
Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Flaw:
    """What is wrong, and where, as a JSON pointer."""

    pointer: str
    what: str


def pointer_of(path: Iterable[str | int]) -> str:
    """A path as a JSON pointer."""
    return "".join(f"/{str(one).replace('~', '~0').replace('/', '~1')}" for one in path)


def schema_flaws(schema: Schema) -> list[Flaw]:
    """Why a document is no schema that this service takes; empty if it is one."""
    if _objects(schema) > MOST_OBJECTS:
        return [Flaw("", f"has more than {MOST_OBJECTS} objects and booleans")]
    wrong = _dialect_flaw((), schema)
    return [wrong] if wrong else list(islice(_flaws(schema), MOST_FAULTS))


def _dialect_flaw(path: Path, schema: Any) -> Flaw | None:
    """Why what is at a place is no schema of 2020-12; None if it is one."""
    try:
        Draft202012Validator.check_schema(schema, format_checker=_NO_FORMATS)
    except SchemaError as error:
        at = pointer_of((*path, *error.absolute_path))
        return Flaw(at, f"breaks `{error.validator}` of its dialect")
    except RecursionError:
        return Flaw(pointer_of(path), "nests too deep")
    return None


def _objects(document: Any) -> int:
    """How many a document has, and booleans, each of which may be a schema to check."""
    found, unseen = 0, [document]
    while unseen:
        one = unseen.pop()
        found += not isinstance(one, list)
        inner = one.values() if isinstance(one, Mapping) else one if isinstance(one, list) else ()
        unseen.extend(each for each in inner if isinstance(each, Mapping | list | bool))
    return found


def _flaws(schema: Schema) -> Iterator[Flaw]:
    """Of every place that is read as a schema, those that pointers lead to included."""
    reading = _Reading(schema)
    yield from reading.by_keywords(((), schema))
    # What only a pointer leads to was not held against the dialect with the whole.
    left = MOST_OBJECTS
    while reading.pointed:
        at, (path, one) = reading.pointed.popleft()
        if path in reading.seen:
            continue
        left -= _objects(one)
        if left < 0:
            yield Flaw(pointer_of(at), f"leads to more than {MOST_OBJECTS} objects")
            return
        wrong = _dialect_flaw(path, one)
        yield from [wrong] if wrong else reading.by_keywords((path, one), pointed=True)
    yield from reading.flaws_of_all()


class _Reading:
    """What was met in a schema so far."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.seen: set[Path] = set()
        self.pointed = deque[tuple[Path, tuple[Path, Any]]]()
        """Pointers, each with the place that it leads to, and what is there."""
        self._anchors: set[str] = set()
        self._named: list[tuple[Path, str]] = []
        self._kinds: set[str] = set()
        self._patterns = Patterns()

    def by_keywords(self, start: tuple[Path, Any], *, pointed: bool = False) -> Iterator[Flaw]:
        """The flaws of a place and of what its keywords lead to. Anchors are not found beyond a
        pointer.
        """
        unseen = deque([start])
        while unseen:
            path, one = unseen.popleft()
            if path in self.seen or not isinstance(one, Mapping):
                continue
            self.seen.add(path)
            self._kinds |= one.keys() & {"patternProperties", "unevaluatedProperties"}
            if "$anchor" in one and not pointed:
                self._anchors.add(one["$anchor"])
            yield from _own_flaws(path, one)
            yield from _pattern_flaws(path, one, self._patterns)
            unseen.extend(_below(path, one))
            if "$ref" in one:
                yield from self._follow((*path, "$ref"), str(one["$ref"]))

    def _follow(self, at: Path, ref: str) -> Iterator[Flaw]:
        kind, target = _target(self._schema, ref)
        if kind == "anchor":
            self._named.append((at, str(target)))
        elif kind == "place":
            self.pointed.append((at, target))
        else:
            yield Flaw(pointer_of(at), kind)

    def flaws_of_all(self) -> Iterator[Flaw]:
        """Those that are known in the end."""
        for at, name in self._named:
            if name not in self._anchors:
                yield Flaw(pointer_of(at), "leads nowhere")
        if len(self._kinds) == 2:
            yield Flaw("", "has patternProperties beside unevaluatedProperties, which is not read")


def _own_flaws(path: Path, one: Schema) -> Iterator[Flaw]:
    for key in sorted(one.keys() & _UNREAD):
        yield Flaw(pointer_of((*path, key)), "is not read here")
    if path and one.keys() & {"$id", "$schema"}:
        yield Flaw(pointer_of(path), "has an $id or a $schema of its own")
    if not path and str(one.get("$schema", DIALECT)).rstrip("#") != DIALECT:
        yield Flaw("/$schema", "is not that of JSON Schema 2020-12")


def _pattern_flaws(path: Path, one: Schema, patterns: Patterns) -> Iterator[Flaw]:
    met: list[tuple[Path, Any]] = [
        (("patternProperties", key), key) for key in one.get("patternProperties", {})
    ]
    if "pattern" in one:
        met.append((("pattern",), one["pattern"]))
    for at, pattern in met:
        try:
            patterns.meet(str(pattern))
        except PatternError as error:
            yield Flaw(pointer_of((*path, *at)), str(error))


def _below(path: Path, one: Schema) -> Iterator[tuple[Path, Any]]:
    for key, value in one.items():
        if key in ONE:
            yield (*path, key), value
        elif key in MANY:
            yield from (((*path, key, place), each) for place, each in enumerate(value))
        elif key in _NAMED:
            yield from (((*path, key, name), each) for name, each in value.items())


def _target(schema: Schema, ref: str) -> tuple[str, Any]:
    """Where a reference leads: a place, the name of an anchor, or why it leads nowhere."""
    if not ref.startswith("#"):
        return "names a schema elsewhere, and nothing is fetched", None
    fragment = ref[1:]
    if "%" in fragment:
        return "has a percent sign, which is not read", None
    if fragment and not fragment.startswith("/"):
        return "anchor", fragment
    found: Any = schema
    path: list[str | int] = []
    for part in fragment.split("/")[1:]:
        key: str | int = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and str(key).isdecimal() and int(key) < len(found):
            key = int(key)
        elif not isinstance(found, Mapping) or key not in found:
            return "leads nowhere", None
        found = found[key]
        path.append(key)
    if not isinstance(found, Mapping | bool):
        return "leads to no schema", None
    return "place", (tuple(path), found)
