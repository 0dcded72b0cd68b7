"""The filter grammar of RULES 11.4, compiled to a jsonpath predicate whose values are variables.

``{field: value}`` or ``{field: {operator: value}}``, joined by ``$and``, ``$or``, ``$not``. Fields
are a fixed list and ``metadata.*``. Nothing of the input but an escaped metadata key ever becomes
part of the path: values travel as jsonpath variables and can only be compared.

A missing field and null are the same: nothing there. A list in ``metadata`` holds a value if one
of its members does. Values of different types are never equal, nor one below the other. Grades of
``trust`` are compared by their rank.
"""

import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from muniment.domain.timeline import micros, parse_instant
from muniment.domain.trust import GRADES, Trust, rank

TEXT_FIELDS = (
    "id", "tier", "kind", "session_id", "role", "name", "data_source", "tool", "agent_id",
    "subject", "slot", "value", "trust", "standing", "category",
)  # fmt: skip
TIME_FIELDS = ("as_of", "valid_from", "valid_to", "recorded_at", "expires_at")
NUMBER_FIELDS = ("turn", "importance", "confidence")
FLAG_FIELDS = ("pinned", "is_durative", "archived")
FIELDS = (*TEXT_FIELDS, *TIME_FIELDS, *NUMBER_FIELDS, *FLAG_FIELDS)

_COMPARISONS = {"$eq": "==", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_ORDER = ", ".join(GRADES)
OPERATORS = (*_COMPARISONS, "$ne", "$in", "$exists")
MAX_NODES = 200
_MAX_DEPTH = 64
# No number that JSON of this service can hold is larger.
_MAX_INTEGER = 10**1000
# What is stored in normal form is shorter than this.
_MAX_NORMALISED = 1024


class FilterError(ValueError):
    """The filter breaks the grammar at ``pointer`` (a JSON pointer inside the filter)."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message


@dataclass(frozen=True)
class Predicate:
    """A jsonpath predicate for ``jsonb_path_match(document, path, variables)``: true or false."""

    path: str
    variables: Mapping[str, Any]

    @property
    def json(self) -> str:
        """The variables as JSON."""
        return json.dumps(dict(self.variables))

    def both(self, field: str, *values: str) -> "Predicate":
        """This predicate, and a text field that equals one of these values."""
        compiler = _Compiler(dict(self.variables))
        path = compiler.group(_one_of(field, values), "")
        return Predicate(f"({self.path}) && ({path})", compiler.variables)


def compile_filter(expression: Mapping[str, Any]) -> Predicate:
    """Compile a decoded filter. Raises FilterError for what the grammar does not know."""
    compiler = _Compiler()
    path = compiler.group(expression, "")
    return Predicate(path, compiler.variables)


def one_of(field: str, *values: str) -> Predicate:
    """A text field equals one of these values."""
    return compile_filter(_one_of(field, values))


def _one_of(field: str, values: Sequence[str]) -> Mapping[str, Any]:
    return {field: values[0] if len(values) == 1 else {"$in": list(values)}}


@dataclass
class _Compiler:
    variables: dict[str, Any] = field(default_factory=dict)
    nodes: int = 0

    def group(self, expression: Any, at: str) -> str:
        """Every entry of an object must hold; an empty object holds always."""
        if not isinstance(expression, Mapping):
            raise FilterError(at, "expected an object")
        if at.count("/") > _MAX_DEPTH:
            raise FilterError(at, f"a filter nests at most {_MAX_DEPTH} deep")
        if not expression:
            self._count(at)
            return "1 == 1"
        parts = [self._entry(key, value, at) for key, value in expression.items()]
        return " && ".join(f"({part})" for part in parts)

    def _count(self, at: str) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise FilterError(at, f"a filter has at most {MAX_NODES} conditions")

    def _entry(self, key: str, value: Any, outer: str) -> str:
        at = f"{outer}/{_escape(key)}"
        self._count(outer)
        if key in ("$and", "$or"):
            if not isinstance(value, list) or not value:
                raise FilterError(at, f"{key} takes a list of at least one filter")
            groups = [self.group(item, f"{at}/{i}") for i, item in enumerate(value)]
            return (" && " if key == "$and" else " || ").join(f"({group})" for group in groups)
        if key == "$not":
            return f"!({self.group(value, at)})"
        return self._conditions(key, value, at)

    def _conditions(self, name: str, value: Any, at: str) -> str:
        accessor = _accessor(name, at)
        if not isinstance(value, Mapping):
            return self._compare(name, accessor, "$eq", value, at)
        if not value:
            raise FilterError(at, "expected an operator")
        parts = [
            self._compare(name, accessor, operator, operand, f"{at}/{_escape(operator)}")
            for operator, operand in value.items()
        ]
        return " && ".join(f"({part})" for part in parts)

    def _compare(self, name: str, accessor: str, operator: str, operand: Any, at: str) -> str:
        if operator == "$exists":
            if not isinstance(operand, bool):
                raise FilterError(at, "$exists takes true or false")
            return _present(accessor) if operand else f"!({_present(accessor)})"
        if operator == "$in":
            return self._any_of(name, accessor, operand, at)
        if operator == "$ne":
            return f"!({self._compare(name, accessor, '$eq', operand, at)})"
        if operator not in _COMPARISONS:
            raise FilterError(at, f"unknown operator; use one of {', '.join(OPERATORS)}")
        if operand is None:
            if operator == "$eq":
                return f"!({_present(accessor)})"
            raise FilterError(at, "nothing is above or below null")
        if name == "trust" and operator != "$eq":
            return self._among(accessor, _grades(operator, operand, at))
        variable = self._variable(_literal(name, operand, at))
        return f"exists({accessor} ? (@ {_COMPARISONS[operator]} ${variable}))"

    def _any_of(self, name: str, accessor: str, operand: Any, at: str) -> str:
        if not isinstance(operand, list) or not operand or len(operand) > MAX_NODES:
            raise FilterError(at, f"$in takes a list of 1 to {MAX_NODES} values")
        values = [
            _literal(name, item, f"{at}/{i}") for i, item in enumerate(operand) if item is not None
        ]
        found = self._among(accessor, values)
        return found if None not in operand else f"{found} || !({_present(accessor)})"

    def _among(self, accessor: str, values: Sequence[Any]) -> str:
        return f"exists({accessor} ? (@ == ${self._variable(values)}[*]))"

    def _variable(self, value: Any) -> str:
        name = f"v{len(self.variables)}"
        self.variables[name] = value
        return name


def _grades(operator: str, operand: Any, at: str) -> list[Trust]:
    """Grades above or below one, in the order of a slot that the user owns."""
    if operand not in GRADES:
        raise FilterError(at, f"is no grade of trust; these are, highest first: {_ORDER}")
    place = rank(operand)
    found = GRADES[:place] if operator in ("$gt", "$gte") else GRADES[place + 1 :]
    return [*found, operand] if operator in ("$gte", "$lte") else [*found]


def _present(accessor: str) -> str:
    return f'{accessor}.type() != "null"'


def _accessor(name: str, at: str) -> str:
    if name in FIELDS:
        return f'$."{name}"'
    if name.startswith("metadata."):
        keys = name.removeprefix("metadata.").split(".")
        if all(keys):
            return "$.metadata" + "".join(f".{json.dumps(_stored(key, at))}" for key in keys)
    raise FilterError(at, f"unknown field; use one of {', '.join(FIELDS)} or metadata.KEY")


def _stored(text: str, at: str) -> str:
    """The text, if it is one that the store can hold."""
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise FilterError(at, "has NUL or a broken character")
    return text


def _literal(name: str, operand: Any, at: str) -> Any:
    if name in TIME_FIELDS:
        return _instant(operand, at)
    wanted: type | tuple[type, ...] = (str, int, float, bool)
    if name in TEXT_FIELDS:
        wanted = str
    elif name in FLAG_FIELDS:
        wanted = bool
    elif name in NUMBER_FIELDS:
        wanted = (int, float)
    if not isinstance(operand, wanted) or (name in NUMBER_FIELDS and isinstance(operand, bool)):
        raise FilterError(at, "this field is compared with a value of another type")
    if isinstance(operand, str):
        return _text(name, operand, at)
    if isinstance(operand, float) and not math.isfinite(operand):
        raise FilterError(at, "is not a number that JSON knows")
    if isinstance(operand, int) and abs(operand) >= _MAX_INTEGER:
        raise FilterError(at, "has more digits than a number may have")
    return operand


def _text(name: str, operand: str, at: str) -> str:
    """Names are stored in their normal form; ``value`` and ``metadata`` as they were written."""
    text = _stored(operand, at)
    if name in TEXT_FIELDS and name != "value" and len(text) <= _MAX_NORMALISED:
        return unicodedata.normalize("NFC", text)
    return text


def _instant(operand: Any, at: str) -> int:
    if not isinstance(operand, str):
        raise FilterError(at, "expected a string such as 2026-05-26T09:30:00+02:00")
    try:
        return micros(parse_instant(operand))
    except ValueError as error:
        raise FilterError(at, str(error)) from None


def _escape(key: str) -> str:
    escaped = key.replace("~", "~0").replace("/", "~1")
    return escaped.encode("utf-8", "replace").decode()
