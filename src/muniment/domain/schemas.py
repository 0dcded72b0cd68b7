"""JSON Schema 2020-12 as artifacts use it: what a value breaks.

What every keyword costs is counted beforehand, and a check that costs too much is given up.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from decimal import Decimal
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema._utils import (
    find_evaluated_item_indexes_by_schema,
    find_evaluated_property_keys_by_schema,
)
from jsonschema.exceptions import UnknownType, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from muniment.domain.patterns import PatternError, cost_of, is_found
from muniment.domain.schema_reading import (
    MANY,
    MOST_FAULTS,
    ONE,
    Flaw,
    Schema,
    pointer_of,
    schema_flaws,
)

MOST_MICROSECONDS = 250_000
"""That a check may take, by what its keywords take at most; no clock is read."""


class UncheckableError(ValueError):
    """The value cannot be held against the schema: too long, too deep, or no number."""


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
    if key == "multipleOf":
        return 10
    if key == "$ref":
        return 35 + meter.descent
    if key in MANY:
        return len(value) * (10 + meter.descent)
    if key in {"properties", "dependentSchemas"}:
        return min(len(value), within) * meter.descent + len(value) // 5
    if key == "required":
        return len(value) // 5
    descent = 1 if isinstance(value, bool) else meter.descent
    return within * descent if key in _GOES_INTO_EACH else descent * (key in ONE)


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


def _multiple_of(validator: Any, of: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    """By the digits that were written: 19.99 is a multiple of 0.01."""
    if validator.is_type(instance, "number"):
        (above, below), (times, parts) = _ratio(instance), _ratio(of)
        if above * parts % (below * times):
            yield ValidationError("multipleOf")


def _ratio(number: Any) -> tuple[int, int]:
    return Decimal(repr(number)).as_integer_ratio() if isinstance(number, float) else (number, 1)


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
    "additionalProperties": _additional, "uniqueItems": _unique, "multipleOf": _multiple_of,
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
    except (UnknownType, Unresolvable, TypeError, ValueError, AttributeError):
        # A type that was registered when less of it was looked at.
        if schema_flaws(schema):
            raise UncheckableError("has a type that is read no more") from None
        raise
    return [
        Flaw(
            pointer_of(one.absolute_path),
            f"breaks {pointer_of(one.absolute_schema_path)} of the schema",
        )
        for one in found
    ]
