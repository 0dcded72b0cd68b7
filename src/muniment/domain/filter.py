"""The filter grammar of RULES 11.4, compiled to a jsonpath predicate whose values are variables.

``{field: value}`` or ``{field: {operator: value}}``, joined by ``$and``, ``$or``, ``$not``. Fields
are a fixed list and ``metadata.*``. Nothing of the input but an escaped metadata key ever becomes
part of the path: values travel as jsonpath variables and can only be compared.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from muniment.domain.timeline import micros

TEXT_FIELDS = (
    "id", "tier", "kind", "session_id", "role", "name", "data_source", "tool", "agent_id",
    "subject", "slot", "value", "trust", "standing", "category",
)  # fmt: skip
TIME_FIELDS = ("as_of", "valid_from", "valid_to", "recorded_at", "expires_at")
NUMBER_FIELDS = ("turn", "importance", "confidence")
FLAG_FIELDS = ("pinned", "is_durative", "archived")
FIELDS = (*TEXT_FIELDS, *TIME_FIELDS, *NUMBER_FIELDS, *FLAG_FIELDS)

_COMPARISONS = {"$eq": "==", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
OPERATORS = (*_COMPARISONS, "$ne", "$in", "$exists")
_MAX_NODES = 200


class FilterError(ValueError):
    """The filter breaks the grammar at ``pointer`` (a JSON pointer inside the filter)."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message


@dataclass(frozen=True)
class Predicate:
    """A jsonpath predicate for ``jsonb_path_match(document, path, variables)``."""

    path: str
    variables: Mapping[str, Any]

    @property
    def json(self) -> str:
        """The variables as JSON."""
        return json.dumps(dict(self.variables))

    def both(self, field: str, value: str) -> "Predicate":
        """This predicate, and a text field that equals a value."""
        other = compile_filter({field: value})
        return Predicate(
            f"({self.path}) && ({other.path.replace('$v0', '$w0')})",
            {**self.variables, "w0": other.variables["v0"]},
        )


def compile_filter(expression: Mapping[str, Any]) -> Predicate:
    """Compile a decoded filter. Raises FilterError for what the grammar does not know."""
    compiler = _Compiler()
    path = compiler.group(expression, "")
    return Predicate(path, compiler.variables)


@dataclass
class _Compiler:
    variables: dict[str, Any] = field(default_factory=dict)
    nodes: int = 0

    def group(self, expression: Any, at: str) -> str:
        """Every entry of an object must hold; an empty object holds always."""
        if not isinstance(expression, Mapping):
            raise FilterError(at, "expected an object")
        parts = [
            self._entry(key, value, f"{at}/{_escape(key)}") for key, value in expression.items()
        ]
        return " && ".join(f"({part})" for part in parts) if parts else "(1 == 1)"

    def _entry(self, key: str, value: Any, at: str) -> str:
        self.nodes += 1
        if self.nodes > _MAX_NODES:
            raise FilterError(at, f"a filter has at most {_MAX_NODES} conditions")
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
            there = f"exists({accessor} ? (@ != null))"
            return there if operand else f"!({there})"
        if operator == "$in":
            if not isinstance(operand, list) or not operand or len(operand) > _MAX_NODES:
                raise FilterError(at, f"$in takes a list of 1 to {_MAX_NODES} values")
            parts = [
                self._test(name, accessor, "==", item, f"{at}/{i}")
                for i, item in enumerate(operand)
            ]
            return " || ".join(parts)
        if operator == "$ne":
            return f"!({self._test(name, accessor, '==', operand, at)})"
        if operator not in _COMPARISONS:
            raise FilterError(at, f"unknown operator; use one of {', '.join(OPERATORS)}")
        return self._test(name, accessor, _COMPARISONS[operator], operand, at)

    def _test(self, name: str, accessor: str, sign: str, operand: Any, at: str) -> str:
        variable = f"v{len(self.variables)}"
        self.variables[variable] = _literal(name, operand, at)
        return f"exists({accessor} ? (@ {sign} ${variable}))"


def _accessor(name: str, at: str) -> str:
    if name in FIELDS:
        return f'$."{name}"'
    if name.startswith("metadata.") and len(name) > len("metadata."):
        keys = name.removeprefix("metadata.").split(".")
        if all(keys):
            return "$.metadata" + "".join(f".{json.dumps(key)}" for key in keys)
    raise FilterError(at, f"unknown field; use one of {', '.join(FIELDS)} or metadata.KEY")


def _literal(name: str, operand: Any, at: str) -> Any:
    if operand is None:
        return None
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
    return operand


def _instant(operand: Any, at: str) -> int:
    if isinstance(operand, str):
        try:
            moment = datetime.fromisoformat(operand)
        except ValueError:
            moment = None
        if moment is not None and moment.tzinfo is not None:
            return micros(moment)
    raise FilterError(at, "expected an instant with an offset, such as 2026-05-26T00:00:00Z")


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
