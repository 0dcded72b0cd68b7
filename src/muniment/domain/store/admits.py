"""A filter over values, as conditions on places in them; what is compared stays a value.

``{name: value}`` or ``{name: {operator: value}}``, each of which must hold. An object without an
operator must be in the value, member by member; a list is compared member by member too. A name
that is not there is null. Numbers are below numbers and texts below texts, nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from muniment.domain.filter import FilterError

ORDER = ("$gt", "$gte", "$lt", "$lte")
OPERATORS = ("$eq", "$ne", *ORDER)
MOST_CONDITIONS = 200
MOST_BYTES = 64 * 1024
"""Of the conditions as JSON: they are read again for every item."""


@dataclass(frozen=True)
class Condition:
    """What must hold at a place: an operator with its operand; or ``object``, or a ``list`` of so
    many members, before what is inside is looked at.
    """

    at: tuple[str, ...]
    test: str
    operand: Any


def conditions(expression: Mapping[str, Any]) -> tuple[Condition, ...]:
    """The conditions of a filter. Raises FilterError for an operator that there is not, an operand
    that has no order, and too many of them.
    """
    found: list[Condition] = []
    for name, wanted in expression.items():
        for one in _wanted((name,), wanted):
            if len(found) == MOST_CONDITIONS:
                raise FilterError("", f"at most {MOST_CONDITIONS} conditions")
            found.append(one)
    if len(json.dumps([asdict(one) for one in found], ensure_ascii=False).encode()) > MOST_BYTES:
        raise FilterError("", f"at most {MOST_BYTES} bytes of conditions")
    return tuple(found)


def _wanted(at: tuple[str, ...], wanted: Any) -> Iterator[Condition]:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            yield from _operators(at, wanted)
            return
        yield Condition(at, "object", None)
        for name, inner in wanted.items():
            yield from _wanted((*at, name), inner)
    elif isinstance(wanted, list):
        yield Condition(at, "list", len(wanted))
        for place, inner in enumerate(wanted):
            yield from _wanted((*at, str(place)), inner)
    else:
        yield Condition(at, "$eq", wanted)


def _operators(at: tuple[str, ...], wanted: Mapping[str, Any]) -> Iterator[Condition]:
    for name, operand in wanted.items():
        if name not in OPERATORS:
            raise FilterError(_pointer(at), f"operators are {', '.join(OPERATORS)}")
        if name in ORDER and (
            isinstance(operand, bool) or not isinstance(operand, int | float | str)
        ):
            raise FilterError(_pointer(at), f"{name} takes a number or a text")
        yield Condition(at, name, operand)


def _pointer(at: tuple[str, ...]) -> str:
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in at)
