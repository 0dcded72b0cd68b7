"""Filters of mem0 as filters of this service, for one user whom they name.

A memory that was drawn from turns counts as of the agent, application, run and metadata that the
turns came with: such a condition is met by what the memory carries itself, or by a turn that it
rests on.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from muniment.errors import Fault, InvalidInput
from muniment.operations.decode import pointer
from muniment.operations.types import Instant

Filter = dict[str, Any]
Derived = Callable[[Filter], Filter]
ENTITIES = ("agent_id", "app_id", "run_id")
_OPERATORS = {
    "eq": "$eq", "gt": "$gt", "gte": "$gte", "lt": "$lt", "lte": "$lte",
}  # fmt: skip
_PLAIN = {
    "categories": "kind", "created_at": "valid_from", "timestamp": "valid_from",
    "updated_at": "recorded_at", "memory_ids": "id", "id": "id",
}  # fmt: skip
_TIMES = ("created_at", "updated_at", "timestamp")
_INSTANTS: TypeAdapter[datetime] = TypeAdapter(Instant)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DATE = len("2026-05-04")
_NO_USER = "name one user_id: memories here belong to a user"


@dataclass(frozen=True)
class Conditions:
    """A filter for one user. ``turns`` are the conditions that turns may meet for a memory."""

    user_id: str
    turns: tuple[Filter, ...]
    _read: Callable[[Derived], Filter]

    def filter(self, derived: Derived) -> Filter:
        """In the grammar of this service; ``derived`` says for a condition on turns which memories
        rest on such.
        """
        return self._read(derived)


def conditions(filters: Mapping[str, Any], at: str = "/filters") -> Conditions:
    """Read a filter. Raises InvalidInput where it does not narrow to one user, and for what cannot
    be held to: nothing is left out of a filter.
    """
    users = _users(filters, at)
    if len(users) != 1:
        raise InvalidInput(faults=[Fault(at, _NO_USER)])
    turns: dict[str, Filter] = {}

    def noted(one: Filter) -> Filter:
        turns[json.dumps(one, sort_keys=True)] = one
        return one

    def read(derived: Derived) -> Filter:
        return _Reader(derived).group(filters, at, joined=True)

    read(noted)
    return Conditions(users.pop(), tuple(turns.values()), read)


def of_entities(**named: str | None) -> Filter:
    """What an agent, an application and a run wrote, turns and memories alike; of everything, if
    none is named.
    """
    parts = [_own(name, {"$eq": value}) for name, value in named.items() if value is not None]
    return {"$and": parts} if parts else {}


def check_own(metadata: Mapping[str, Any], named: Mapping[str, Any]) -> None:
    """Metadata of the application's own name no other agent, application or run than who wrote it:
    they would count as that, and go with it. Raises InvalidInput.
    """
    faults = [
        Fault(f"/metadata/{name}", "says who wrote it; give it beside the metadata")
        for name in ENTITIES
        if name in metadata and metadata[name] != named.get(name)
    ]
    if faults:
        raise InvalidInput(faults=faults)


def moment(given: Any, at: str) -> str:
    """A date, a time or seconds since 1970 as a time with an offset. Raises InvalidInput."""
    try:
        if isinstance(given, str):
            text = f"{given}T00:00:00Z" if len(given) == _DATE else given
            return _told(_INSTANTS.validate_python(text))
        if isinstance(given, int | float) and not isinstance(given, bool):
            return _told(_EPOCH + timedelta(seconds=given))
    except (ValueError, OverflowError):
        pass
    raise InvalidInput(faults=[Fault(at, "is not a date or a time with an offset")])


def end_of(date: str | None) -> str | None:
    """The end of a day that stands under ``/expiration_date``. Raises InvalidInput."""
    return None if date is None else moment(f"{date}T23:59:59Z", "/expiration_date")


def _told(at: datetime) -> str:
    told: str = _INSTANTS.dump_python(at)
    return told


def _users(filters: Any, at: str) -> set[str]:
    """The users whom all of it is about: named beside what else is asked, not as one of several."""
    found: set[str] = set()
    for key, value in filters.items() if isinstance(filters, Mapping) else ():
        if key == "AND" and isinstance(value, list):
            found = found.union(*(_users(one, f"{at}/AND/{i}") for i, one in enumerate(value)))
        elif key == "user_id":
            if not isinstance(value, str) or value == "*":
                raise InvalidInput(faults=[Fault(f"{at}/user_id", _NO_USER)])
            found.add(value)
    return found


class _Reader:
    def __init__(self, derived: Derived) -> None:
        self._derived = derived

    def group(self, filters: Any, at: str, *, joined: bool) -> Filter:
        """An object, whose entries all hold. ``joined``: whatever it says holds of all results."""
        if not isinstance(filters, Mapping):
            raise InvalidInput(faults=[Fault(at, "expected an object")])
        if not filters and not joined:
            raise InvalidInput(faults=[Fault(at, "says nothing, which is met by everything")])
        parts = [self._entry(key, one, at, joined=joined) for key, one in filters.items()]
        parts = [part for part in parts if part]
        return {"$and": parts} if parts else {}

    def _entry(self, key: str, value: Any, outer: str, *, joined: bool) -> Filter:
        at = outer + pointer([key])
        if key in ("AND", "OR", "NOT"):
            return self._joined(key, value, at, joined=joined)
        if key == "user_id":
            if not joined:
                raise InvalidInput(faults=[Fault(at, _NO_USER)])
            return {}
        if key == "metadata":
            return self._metadata(value, at)
        if key in ENTITIES:
            return self._conditions(value, at, lambda one: self._carried(_own(key, one)))
        if key in _PLAIN:
            return self._conditions(_plain(key, value, at), at, lambda one: {_PLAIN[key]: one})
        raise InvalidInput(faults=[Fault(at, "is not a filter that is known here")])

    def _joined(self, key: str, value: Any, at: str, *, joined: bool) -> Filter:
        if key == "NOT" and isinstance(value, Mapping):
            value = [value]
        if not isinstance(value, list) or not value:
            raise InvalidInput(faults=[Fault(at, "expected a list of filters")])
        inner = joined and key == "AND"
        parts = [self.group(one, f"{at}/{i}", joined=inner) for i, one in enumerate(value)]
        if key == "NOT":
            return {"$not": {"$or": parts}}
        return {f"${key.lower()}": parts}

    def _metadata(self, value: Any, at: str) -> Filter:
        if not isinstance(value, Mapping) or not value:
            raise InvalidInput(faults=[Fault(at, "expected an object of names and values")])
        parts = []
        for name, one in value.items():
            inner = at + pointer([name])
            if not name or "." in name:
                raise InvalidInput(faults=[Fault(inner, "a name without dots, please")])
            parts.append(self._conditions(one, inner, self._within(f"metadata.{name}")))
        return {"$and": parts}

    def _conditions(self, value: Any, at: str, leaf: Callable[[Filter], Filter]) -> Filter:
        """A value that is equal, ``*`` for any, or operators that all hold."""
        if not isinstance(value, Mapping):
            return leaf({"$exists": True} if value == "*" else {"$eq": _comparable(value, at)})
        parts = []
        for operator, operand in value.items():
            inner = at + pointer([operator])
            if operator == "in" and isinstance(operand, list):
                found = [_comparable(one, f"{inner}/{i}") for i, one in enumerate(operand)]
                parts.append(leaf({"$in": found}))
            elif operator == "ne":
                parts.append({"$not": leaf({"$eq": _comparable(operand, inner)})})
            elif operator in _OPERATORS:
                parts.append(leaf({_OPERATORS[operator]: _comparable(operand, inner)}))
            else:
                fault = Fault(inner, "is not an operator that is known here")
                raise InvalidInput(faults=[fault])
        if not parts:
            raise InvalidInput(faults=[Fault(at, "expected an operator")])
        return {"$and": parts}

    def _within(self, field: str) -> Callable[[Filter], Filter]:
        return lambda condition: self._carried({field: condition})

    def _carried(self, own: Filter) -> Filter:
        return {"$or": [own, self._derived(own)]}


def _comparable(value: Any, at: str) -> Any:
    if isinstance(value, Mapping | list):
        raise InvalidInput(faults=[Fault(at, "expected a text, a number, true, false or null")])
    return value


def _own(name: str, condition: Filter) -> Filter:
    """What turns and memories carry themselves; agents have a field beside the metadata."""
    inside = {f"metadata.{name}": condition}
    return {"$or": [{"agent_id": condition}, inside]} if name == "agent_id" else inside


def _plain(key: str, value: Any, at: str) -> Any:
    """Operands of the fields that are not metadata, in this service's forms."""
    if key == "memory_ids":
        return {"in": value} if isinstance(value, list) else value
    if isinstance(value, Mapping) and key == "categories":
        return {"eq" if name == "contains" else name: one for name, one in value.items()}
    if key in _TIMES:
        if isinstance(value, Mapping):
            return {name: moment(one, at) for name, one in value.items()}
        return moment(value, at)
    return value
