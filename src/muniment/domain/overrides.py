"""What a tenant changes of the policy: numbers of the tables that there are, and its own slots.

Kinds keep their layer, scope, class, owner and writers: what is stored rests on those.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, Literal

from muniment.domain.policy import CATEGORIES, Policy, PolicyError
from muniment.domain.slot import Slot

Origin = Literal["default", "own", "overrides", "hidden"]
SlotTable = Mapping[str, Mapping[str, Any] | None]
"""A tenant's slots by name; None hides a default."""

MOST_FAULTS: Final = 20
_OF_KIND: Final = ("ttl", "grace", "refreshed", "decays", "duplicates")
_TABLES: Final = (
    "confidence", "working", "session", "forget", "transcript", "curation", "decay", "gathering",
    "profile", "context", "ranking", "importance",
)  # fmt: skip
_Known = Mapping[str, Any]
_Place = tuple[str | int, ...]


def effective(
    base: Policy, overrides: Mapping[str, Any], slots: SlotTable, revision: int
) -> Policy:
    """The policy of a tenant. Raises PolicyError naming every place that is wrong."""
    faults = list(islice(_faults(base, overrides), MOST_FAULTS))
    if faults:
        raise PolicyError(faults)
    document = _merged(base.document, overrides)
    defined = dict(base.document["slots"]) | dict(slots)
    document["slots"] = {name: one for name, one in defined.items() if one is not None}
    policy = replace(Policy.parse(document), revision=revision, base=base.installed)
    keep_locks(base, policy)
    return policy


def keep_locks(before: Policy, after: Policy) -> None:
    """Raises PolicyError where a class that is locked before would be kept shorter, or unlocked."""
    faults = list(islice(_loosened(before, after), MOST_FAULTS))
    if faults:
        raise PolicyError(faults, locked=True)


def still_effective(
    base: Policy, overrides: Mapping[str, Any], slots: SlotTable, revision: int
) -> Policy:
    """The same of what was valid once, without what ``base`` does not admit any more: the policy of
    an installation may change under its tenants.
    """
    while True:
        try:
            return effective(base, overrides, slots, revision)
        except PolicyError as error:
            places = [place for place, _ in error.faults]
            named = {str(place[1]) for place in places if len(place) > 1 and place[0] == "slots"}
            pruned = overrides
            for place in places:
                pruned = _without(pruned, place)
            left = {name: one for name, one in slots.items() if name not in named}
            if (pruned, left) == (overrides, dict(slots)):
                return replace(base, revision=revision, base=base.installed)
            overrides, slots = pruned, left


def origin(name: str, base: Policy, slots: SlotTable) -> Origin:
    """Where the definition of a slot that is known comes from."""
    if name not in slots:
        return "default"
    if name not in base.slots:
        return "own"
    return "hidden" if slots[name] is None else "overrides"


def shorter_lives(before: Policy, after: Policy) -> dict[str, dict[str, int]]:
    """Days of the kinds, and of the slots, whose memories live shorter under ``after``."""
    kinds = {
        name: kind.ttl
        for name, kind in after.kinds.items()
        if kind.ttl is not None and _is_less(kind.ttl, before.kinds[name].ttl)
    }
    slots = {
        name: days
        for name, slot in after.slots.items()
        if (days := _days(slot)) is not None and _is_less(days, _days(before.slots.get(name)))
    }
    return {"kinds": kinds, "slots": slots}


def shorter_classes(before: Policy, after: Policy) -> list[tuple[str, str, int]]:
    """Retention class, category and days, of those that are kept shorter under ``after``."""
    return [
        (name, category, days)
        for name, retention in after.retention.items()
        for category, days in (retention.days or {}).items()
        if _is_less(days, (before.retention[name].days or {}).get(category))
    ]


def changed_places(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Tables of a document that differ, each with the name in it that does, as ``kinds.fact``."""
    found = []
    for table in sorted({*before, *after}):
        was, now = before.get(table), after.get(table)
        if was == now:
            continue
        names = {
            *(was if isinstance(was, Mapping) else ()),
            *(now if isinstance(now, Mapping) else ()),
        }
        differ = [name for name in sorted(names) if (was or {}).get(name) != (now or {}).get(name)]
        found += [f"{table}.{name}" for name in differ] or [table]
    return found


def longer_classes(before: Policy, after: Policy) -> list[tuple[str, str, int]]:
    """The same of those that are kept longer."""
    return [
        (name, category, days)
        for name, retention in after.retention.items()
        for category, days in (retention.days or {}).items()
        if days > (before.retention[name].days or {}).get(category, days)
    ]


def _days(slot: Slot | None) -> int | None:
    return None if slot is None or slot.ttl is None else slot.ttl.days


def _is_less(days: int, than: int | None) -> bool:
    return than is None or days < than


def _faults(base: Policy, overrides: Mapping[str, Any]) -> Iterator[tuple[_Place, str]]:
    if "slots" in overrides:
        yield ("slots",), "is not for the policy: slots.define defines one"
        return
    yield from _unknown(_changeable(base), overrides, ())
    kinds = overrides.get("profile", {})
    kinds = kinds.get("kinds") if isinstance(kinds, Mapping) else None
    for at, name in enumerate(kinds if isinstance(kinds, list) else ()):
        if name not in base.kinds:
            yield ("profile", "kinds", at), "is not a kind"


def _changeable(base: Policy) -> _Known:
    """The places that a tenant may set, as nested tables; None is a value."""
    tables: dict[str, Any] = {
        "kinds": {name: dict.fromkeys(_OF_KIND) for name in base.kinds},
        "retention": {
            name: {"days": dict.fromkeys(CATEGORIES), "locked": None}
            for name, one in base.retention.items()
            if one.days is not None
        },
    }
    return tables | {name: dict.fromkeys(base.document[name]) for name in _TABLES}


def _unknown(known: _Known, given: Mapping[str, Any], at: _Place) -> Iterator[tuple[_Place, str]]:
    for name, value in given.items():
        place = (*at, name)
        if name not in known:
            yield place, f"is not for a tenant to set; these are: {', '.join(sorted(known))}"
        elif known[name] is not None:
            if isinstance(value, Mapping):
                yield from _unknown(known[name], value, place)
            else:
                yield place, "expected an object"


def _merged(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in given.items():
        inner = base.get(name)
        both = isinstance(inner, Mapping) and isinstance(value, Mapping)
        merged[name] = _merged(inner, value) if both else value  # type: ignore[arg-type]
    return merged


def _without(table: Mapping[str, Any], place: Sequence[str | int]) -> dict[str, Any]:
    """The table without what stands at the place, or without the nearest that holds it."""
    found = dict(table)
    name, rest = str(place[0]) if place else "", place[1:]
    inner = found.get(name)
    if rest and isinstance(inner, Mapping) and rest[0] in inner:
        found[name] = _without(inner, rest)
    else:
        found.pop(name, None)
    return found


def _loosened(before: Policy, after: Policy) -> Iterator[tuple[_Place, str]]:
    for name, retention in before.retention.items():
        kept = after.retention[name].days or {}
        if retention.locked and not after.retention[name].locked:
            yield ("retention", name, "locked"), "this class is locked, and stays so"
        for category, days in (retention.days or {}).items():
            if retention.locked and kept[category] < days:
                place: _Place = ("retention", name, "days", category)
                yield place, f"at least {days}: this class is locked"
