"""JSON Schema 2020-12 as artifacts use it: what a schema may say, and what a value breaks.

A schema stands for itself: nothing is fetched. Patterns are those of RE2, which reads in linear
time. What every keyword costs is counted beforehand, and a check that costs too much is given up.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema._utils import (
    find_evaluated_item_indexes_by_schema,
    find_evaluated_property_keys_by_schema,
)
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from muniment.domain.patterns import PatternError, Patterns, cost_of, is_found

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOST_MICROSECONDS = 250_000
"""That a check may take, by what its keywords take at most; no clock is read."""
MOST_OBJECTS = 600
MOST_FAULTS = 20
_ONE = {
    "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
    "unevaluatedItems", "unevaluatedProperties",
}  # fmt: skip
_MANY = {"allOf", "anyOf", "oneOf", "prefixItems"}
_NAMED = {"$defs", "dependentSchemas", "patternProperties", "properties"}
_UNREAD = {"$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary"}
_NO_FORMATS = FormatChecker(formats=())
Path = tuple[str | int, ...]
Schema = Mapping[str, Any]


class UncheckableError(ValueError):
    """The value cannot be held against the schema: too long, too deep, or no number."""


@dataclass(frozen=True)
class Flaw:
    """What is wrong, and where, as a JSON pointer."""

    pointer: str
    what: str


def pointer_of(path: Iterable[str | int]) -> str:
    """A path as a JSON pointer."""
    return "".join(f"/{str(one).replace('~', '~0').replace('/', '~1')}" for one in path)


# What a schema may say ------------------------------------------------------------------------


def schema_flaws(schema: Schema) -> list[Flaw]:
    """Why a document is no schema that this service takes; empty if it is one."""
    if _objects(schema) > MOST_OBJECTS:
        return [Flaw("", f"has more than {MOST_OBJECTS} objects and booleans")]
    try:
        Draft202012Validator.check_schema(dict(schema), format_checker=_NO_FORMATS)
    except SchemaError as error:
        return [Flaw(pointer_of(error.absolute_path), f"breaks `{error.validator}` of its dialect")]
    except RecursionError:
        return [Flaw("", "nests too deep")]
    return list(islice(_flaws(schema), MOST_FAULTS))


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
    anchors, unseen = set(), deque[tuple[Path, Any]]([((), schema)])
    seen: set[Path] = set()
    named: list[tuple[Path, str]] = []
    kinds: set[str] = set()
    patterns = Patterns()
    while unseen:
        path, one = unseen.popleft()
        if path in seen or not isinstance(one, Mapping):
            continue
        seen.add(path)
        kinds |= one.keys() & {"patternProperties", "unevaluatedProperties"}
        anchors |= {one["$anchor"]} if "$anchor" in one else set()
        yield from _own_flaws(path, one)
        yield from _pattern_flaws(path, one, patterns)
        unseen.extend(_below(path, one))
        if "$ref" not in one:
            continue
        kind, target = _target(schema, str(one["$ref"]))
        if kind == "anchor":
            named.append((path, str(target)))
        elif kind == "place":
            unseen.append(target)
        else:
            yield Flaw(pointer_of((*path, "$ref")), kind)
    yield from (
        Flaw(pointer_of((*path, "$ref")), "leads nowhere")
        for path, name in named
        if name not in anchors
    )
    if len(kinds) == 2:
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
        if key in _ONE:
            yield (*path, key), value
        elif key in _MANY:
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


# What a value breaks --------------------------------------------------------------------------


class _Meter:
    """What a check has cost so far, in microseconds, and how large its documents are."""

    def __init__(self, schema: Any, value: Any) -> None:
        self._spent = 0
        self._sizes: dict[int, int] = {}
        self._widest = 0
        self._measure(schema)
        self.descent = 15 + self._widest // 15
        """What it takes to go into one more schema, which may have keys that are not read."""
        self._measure(value)

    def _measure(self, one: Any) -> int:
        """In characters, about."""
        if isinstance(one, dict):
            self._widest = max(self._widest, len(one))
            inner = sum(len(key) + 4 + self._measure(each) for key, each in one.items())
        elif isinstance(one, list):
            inner = sum(2 + self._measure(each) for each in one)
        else:
            return self.size(one)
        self._sizes[id(one)] = 2 + inner
        return 2 + inner

    def size(self, one: Any) -> int:
        """Of a part of a document, which lives as long as this does."""
        if isinstance(one, str):
            return 2 + len(one)
        if isinstance(one, int):
            return 1 + one.bit_length() // 3
        return self._sizes.get(id(one), 20)

    def spend(self, microseconds: int) -> None:
        """Raises UncheckableError where that is too much."""
        self._spent += microseconds
        if self._spent > MOST_MICROSECONDS:
            raise UncheckableError("takes too long to check")


_meter: ContextVar[_Meter] = ContextVar("meter")
Check = Callable[[Any, Any, Any, Any], Iterable[ValidationError] | None]


def _counted(key: str, check: Check) -> Check:
    """The same while something is left to spend: on what it looks through, on the schemas that it
    goes into, and on saying what is wrong, which the library does with all of both documents.
    """

    def counts(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        meter = _meter.get()
        meter.spend(5 + len(schema) // 10 + _cost(meter, key, value, instance))
        for error in check(validator, value, instance, schema) or ():
            meter.spend(10 + (meter.size(instance) + meter.size(value)) // 20)
            yield error

    return counts


def _cost(meter: _Meter, key: str, value: Any, instance: Any) -> int:
    within = len(instance) if isinstance(instance, dict | list) else 0
    if key in {"const", "enum", "uniqueItems", "dependentRequired"}:
        return meter.size(value) // 2 + meter.size(instance)
    if key == "pattern":
        return cost_of([value], instance) if isinstance(instance, str) else 0
    if key == "$ref":
        return 35 + meter.descent
    if key in _MANY:
        return len(value) * (10 + meter.descent)
    if key in {"properties", "dependentSchemas"}:
        return min(len(value), within) * meter.descent + len(value) // 5
    if key == "required":
        return len(value) // 5
    descent = 1 if isinstance(value, bool) else meter.descent
    return within * descent if key in _GOES_INTO_EACH else descent * (key in _ONE)


_GOES_INTO_EACH = {
    "additionalProperties", "contains", "items", "patternProperties", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties",
}  # fmt: skip


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not is_found(pattern, instance):
        yield ValidationError("pattern")


def _names_with(patterns: Iterable[str], name: str) -> list[str]:
    """Which of the patterns a name has."""
    _meter.get().spend(cost_of(patterns, name))
    return [one for one in patterns if is_found(one, name)]


def _pattern_properties(
    validator: Any, patterns: Schema, instance: Any, _: Any
) -> Iterator[ValidationError]:
    for name, value in instance.items() if isinstance(instance, dict) else ():
        for pattern in _names_with(patterns, name):
            _meter.get().spend(_meter.get().descent)
            yield from validator.descend(value, patterns[pattern], path=name, schema_path=pattern)


def _additional(
    validator: Any, schema: Any, instance: Any, whole: Schema
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    patterns = whole.get("patternProperties", {})
    for name, value in instance.items():
        if name in whole.get("properties", {}) or _names_with(patterns, name):
            continue
        if schema is False:
            yield ValidationError("additionalProperties", path=[name])
        else:
            yield from validator.descend(value, schema, path=name)


def _unevaluated_properties(
    validator: Any, schema: Any, instance: Any, whole: Schema
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        known = set(find_evaluated_property_keys_by_schema(validator, instance, whole))
        for name, value in instance.items():
            if name not in known and next(validator.descend(value, schema), None) is not None:
                yield ValidationError("unevaluatedProperties")
                return


def _unevaluated_items(
    validator: Any, _: Any, instance: Any, whole: Schema
) -> Iterator[ValidationError]:
    if isinstance(instance, list):
        known = set(find_evaluated_item_indexes_by_schema(validator, instance, whole))
        if not known.issuperset(range(len(instance))):
            yield ValidationError("unevaluatedItems")


def _unique(_: Any, wanted: bool, instance: Any, __: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(instance, list):
        said = [json.dumps(_normal(one), sort_keys=True) for one in instance]
        if len(set(said)) < len(said):
            yield ValidationError("uniqueItems")


def _normal(value: Any) -> Any:
    """Numbers that are equal are one: 1 and 1.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_normal(one) for one in value]
    if isinstance(value, dict):
        return {key: _normal(one) for key, one in value.items()}
    return value


_OWN = {
    "pattern": _pattern, "patternProperties": _pattern_properties,
    "additionalProperties": _additional, "uniqueItems": _unique,
    "unevaluatedItems": _unevaluated_items, "unevaluatedProperties": _unevaluated_properties,
}  # fmt: skip
_Validator: Any = extend(
    Draft202012Validator,
    {key: _counted(key, check) for key, check in (Draft202012Validator.VALIDATORS | _OWN).items()},
)


def value_flaws(schema: Schema, value: Any) -> list[Flaw]:
    """Where a value breaks a schema, and which place of it; the first 20. Says nothing of values.

    Raises UncheckableError.
    """
    own = {key: one for key, one in schema.items() if key not in {"$schema", "$id"}}
    try:
        _meter.set(_Meter(own, value))
        found = list(islice(_Validator(own, registry=Registry()).iter_errors(value), MOST_FAULTS))
    except RecursionError:
        raise UncheckableError("nests too deep to check") from None
    except PatternError as error:
        raise UncheckableError(f"has a type with a pattern that {error}") from None
    except ArithmeticError:
        raise UncheckableError("has a number that cannot be checked") from None
    return [
        Flaw(
            pointer_of(one.absolute_path),
            f"breaks {pointer_of(one.absolute_schema_path)} of the schema",
        )
        for one in found
    ]
