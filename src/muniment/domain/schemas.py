"""JSON Schema 2020-12 as artifacts use it: what a schema may say, and what a value breaks.

A schema stands for itself: nothing is fetched. Patterns are those of RE2, which reads in linear
time, and a check that takes too many steps is given up.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import re2
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import extend
from referencing import Registry

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOST_STEPS = 100_000
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
    """The value cannot be held against the schema: too many steps, too deep, or no number."""


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
    try:
        Draft202012Validator.check_schema(dict(schema), format_checker=_NO_FORMATS)
    except SchemaError as error:
        return [Flaw(pointer_of(error.absolute_path), f"breaks `{error.validator}` of its dialect")]
    except RecursionError:
        return [Flaw("", "nests too deep")]
    return list(islice(_flaws(schema), MOST_FAULTS))


def _flaws(schema: Schema) -> Iterator[Flaw]:
    """Of every place that is read as a schema, those that pointers lead to included."""
    anchors, unseen = set(), deque[tuple[Path, Any]]([((), schema)])
    seen: set[Path] = set()
    named: list[tuple[Path, str]] = []
    kinds: set[str] = set()
    while unseen:
        path, one = unseen.popleft()
        if path in seen or not isinstance(one, Mapping):
            continue
        seen.add(path)
        kinds |= one.keys() & {"patternProperties", "unevaluatedProperties"}
        anchors |= {one["$anchor"]} if "$anchor" in one else set()
        yield from _own_flaws(path, one)
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
    named = one.get("patternProperties", {})
    patterns: list[tuple[Path, Any]] = [(("patternProperties", key), key) for key in named]
    if "pattern" in one:
        patterns.append((("pattern",), one["pattern"]))
    for at, pattern in patterns:
        if not _reads(str(pattern)):
            yield Flaw(pointer_of((*path, *at)), "is no regular expression of RE2")


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


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options=options)


def _reads(pattern: str) -> bool:
    try:
        _compiled(pattern)
    except re2.error:
        return False
    return True


# What a value breaks --------------------------------------------------------------------------


_steps: ContextVar[int] = ContextVar("steps", default=0)
Check = Callable[[Any, Any, Any, Any], Iterable[ValidationError] | None]


def _counted(check: Check) -> Check:
    """The same while steps are left: one each, and one for everything to look through."""

    def counts(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        spent = _steps.get() + 1
        spent += sum(len(one) for one in (value, instance) if isinstance(one, dict | list))
        if spent > MOST_STEPS:
            raise UncheckableError("takes too many steps to check")
        _steps.set(spent)
        yield from check(validator, value, instance, schema) or ()

    return counts


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _compiled(pattern).search(instance):
        yield ValidationError("pattern")


def _pattern_properties(
    validator: Any, patterns: Schema, instance: Any, _: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, schema in patterns.items():
        for name, value in instance.items():
            if _compiled(pattern).search(name):
                yield from validator.descend(value, schema, path=name, schema_path=pattern)


def _additional(
    validator: Any, schema: Any, instance: Any, whole: Schema
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    patterns = whole.get("patternProperties", {})
    for name, value in instance.items():
        known = name in whole.get("properties", {})
        if not known and not any(_compiled(pattern).search(name) for pattern in patterns):
            if schema is False:
                yield ValidationError("additionalProperties", path=[name])
            else:
                yield from validator.descend(value, schema, path=name)


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
}  # fmt: skip
_Validator: Any = extend(
    Draft202012Validator,
    {key: _counted(check) for key, check in (Draft202012Validator.VALIDATORS | _OWN).items()},
)


def value_flaws(schema: Schema, value: Any) -> list[Flaw]:
    """Where a value breaks a schema, and which place of it; the first 20. Says nothing of values.

    Raises UncheckableError.
    """
    own = {key: one for key, one in schema.items() if key not in {"$schema", "$id"}}
    _steps.set(0)
    try:
        found = list(islice(_Validator(own, registry=Registry()).iter_errors(value), MOST_FAULTS))
    except RecursionError:
        raise UncheckableError("nests too deep to check") from None
    except ArithmeticError:
        raise UncheckableError("has a number that cannot be checked") from None
    return [
        Flaw(
            pointer_of(one.absolute_path),
            f"breaks {pointer_of(one.absolute_schema_path)} of the schema",
        )
        for one in found
    ]
