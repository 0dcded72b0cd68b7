"""What a table of the schema is, by its comment, and how its rows go: what a report is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muniment.domain.policy import Retention

SUBJECTS = frozenset(
    {"scope_id", "source_scope_id", "session_pk", "user_pk", "user_id", "user_key"}
)
"""Columns by which a row is somebody's."""
_ROOTS = frozenset({"end_user", "scope", "session"})
_NAMED = frozenset({"layer", "retention", "owner"})


@dataclass(frozen=True)
class Registered:
    """What a table says of itself: ``what | layer: x | retention: class | owner: who``."""

    what: str
    layer: str
    retention: str
    owner: str


def registered(comment: str | None) -> Registered | None:
    """What the comment of a table says, or None where it does not say all."""
    what, *parts = [part.strip() for part in (comment or "").split("|")]
    named = {part.partition(": ")[0]: part.partition(": ")[2] for part in parts}
    return Registered(what, **named) if named.keys() == _NAMED else None


def deletion_path(
    table: str, parents: Mapping[str, Sequence[str]], by_statement: Mapping[str, str]
) -> str | None:
    """How a forget reaches a table: with which tables its rows go (``parents``, by cascade), or by
    a statement that is named for it. None where neither reaches it.
    """
    if table in by_statement:
        return by_statement[table]
    if table == "end_user":
        return "forget"
    above = parents.get(table, ())
    return f"with {', '.join(above)}" if _leads_to_a_root(table, parents) else None


def _leads_to_a_root(table: str, parents: Mapping[str, Sequence[str]]) -> bool:
    seen: set[str] = set()
    ahead = list(parents.get(table, ()))
    while ahead:
        one = ahead.pop()
        if one in _ROOTS:
            return True
        if one not in seen:
            seen.add(one)
            ahead += parents.get(one, ())
    return False


def unregistered(
    columns: Mapping[str, Sequence[str]],
    parents: Mapping[str, Sequence[str]],
    by_statement: Mapping[str, str],
) -> list[str]:
    """Tables with rows of somebody that no forget reaches."""
    return sorted(
        table
        for table, names in columns.items()
        if SUBJECTS & set(names) and deletion_path(table, parents, by_statement) is None
    )


def ends(retention: Retention) -> str:
    """When rows of a class go, in words."""
    if retention.days is None:
        return _ENDS[retention.ends]
    days = sorted(set(retention.days.values()))
    span = str(days[0]) if len(days) == 1 else f"{days[0]} to {days[-1]}"
    said = "kept for ever, at least" if retention.ends == "at_least" else "expires after"
    return f"{said} {span} days"


_ENDS = {
    "kind": "with the life of its kind",
    "contents": "when nothing is left of its contents",
    "session": "hours after the last write",
    "source": "with what it was made of",
    "forget": "with a forget of its subject",
    "operator": "when an operator says so",
    "hold": "when its hold is released",
    "application": "when the application says so, at once or beforehand",
}
