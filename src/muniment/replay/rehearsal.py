"""A user's agent against recorded answers: does it ask the same of memory as it did then?"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any
from uuid import UUID

from muniment.errors import MunimentError
from muniment.operations.registry import REGISTRY
from muniment.replay.comparing import Comparison, class_of, differences
from muniment.replay.loopback import Asked, Told, operation_of
from muniment.replay.names import Names, pruned, written
from muniment.replay.trajectory import Call, Trajectory

_EMPTY: Mapping[str, Any] = {
    "array": [], "object": {}, "boolean": False, "string": "", "integer": 0, "number": 0.0,
}  # fmt: skip
_JSON = {"content-type": "application/json"}
_CONFLICT = 409


class Rehearsal:
    """Answers as it was answered then, each recorded call once; what it has not is a conflict."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._at = trajectory.at.isoformat()
        steps = enumerate(trajectory.steps, 1)
        self._waiting = [(number, one) for number, one in steps if isinstance(one, Call)]
        self._more = 0
        self._names = Names()
        for field, name in _names_in([one.gives for _, one in self._waiting]):
            if self._names.known(name) is None:
                self._names.bind(name, _made_of(field, name))
        self.found = Comparison(trajectory.name)
        self.found.compared["step"] = len(self._waiting)

    def answer(self, asked: Asked) -> Told:
        """The recorded answer to a request, and a note where it was another one then."""
        try:
            request = operation_of(asked)
        except (ValueError, MunimentError):
            return _problem("invalid_input", 422)
        if request is None:
            return _problem("not_found", 404)
        operation, arguments = request
        told = self._names.symbolic(written(pruned(arguments)))
        number, call = self._taken(operation, told)
        kind = class_of(operation)
        self.found.compared[kind] += 1
        if call is None:
            self._more += 1
            self.found.add(self.found.steps + self._more, operation, kind, "was not asked then")
            return _problem("conflict", _CONFLICT)
        if (before := pruned(call.arguments)) != told:
            self.found.add(number, operation, kind, f"asked with {differences(before, told)}")
        if call.refused is not None:
            return _problem(call.refused, _CONFLICT)
        results = REGISTRY[operation].results.json_schema(mode="serialization")
        gives = _completed(call.gives, results, results.get("$defs", {}), self._at)
        return Told(200, json.dumps(self._names.concrete(gives)).encode(), _JSON)

    def _taken(self, operation: str, told: Any) -> tuple[int, Call | None]:
        """The first call of this operation that waits, rather one with the same arguments."""
        alike = [one for one in self._waiting if one[1].operation == operation]
        if not alike:
            return 0, None
        same = [one for one in alike if pruned(one[1].arguments) == told]
        chosen = (same or alike)[0]
        self._waiting.remove(chosen)
        return chosen

    def finished(self) -> Comparison:
        """What differs in the end: what was asked then and not now is noted as well."""
        for number, one in self._waiting:
            kind = class_of(one.operation)
            self.found.compared[kind] += 1
            self.found.add(number, one.operation, kind, "is not asked any more")
        self._waiting = []
        return self.found


def _problem(code: str, status: int) -> Told:
    body = {"type": f"urn:muniment:{code}", "title": code, "status": status, "code": code,
            "detail": "This is a rehearsal: recorded answers alone."}  # fmt: skip
    return Told(status, json.dumps(body).encode(), {"content-type": "application/problem+json"})


def _names_in(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Names in answers, each with the field that has it."""
    if isinstance(value, Mapping):
        for field, inner in value.items():
            yield from _names_in(inner, field)
    elif isinstance(value, list):
        for inner in value:
            yield from _names_in(inner, key)
    elif isinstance(value, str) and value.startswith("@") and not value.startswith("@@"):
        yield key, value[1:]


def _made_of(field: str, name: str) -> str | int:
    """A value for a name, always the same: a number for a job, an identifier for the rest."""
    drawn = sha256(name.encode()).digest()
    return (
        int.from_bytes(drawn[:4]) + 1
        if field == "job_id"
        else str(UUID(bytes=drawn[:16], version=4))
    )


def _completed(value: Any, schema: Mapping[str, Any], known: Mapping[str, Any], at: str) -> Any:
    """An answer as it was kept, with what was empty in it, so that a client can read it."""
    schema = _resolved(schema, known)
    if isinstance(value, list):
        return [_completed(one, schema.get("items", {}), known, at) for one in value]
    if not isinstance(value, Mapping) or "properties" not in schema:
        return value
    whole = {
        name: _completed(value[name], field, known, at)
        if name in value
        else _nothing(field, known, at)
        for name, field in schema["properties"].items()
    }
    return {**value, **whole}


def _resolved(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference means; of several forms the first that is not null."""
    while True:
        if "$ref" in schema:
            schema = known[schema["$ref"].rpartition("/")[2]]
        elif "anyOf" in schema:
            schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
        else:
            return schema


def _nothing(schema: Mapping[str, Any], known: Mapping[str, Any], at: str) -> Any:
    if any(one.get("type") == "null" for one in schema.get("anyOf", ())):
        return None
    schema = _resolved(schema, known)
    if "properties" in schema:
        return _completed({}, schema, known, at)
    if schema.get("format") == "date-time":
        return at
    return _EMPTY.get(schema.get("type", ""), None)
