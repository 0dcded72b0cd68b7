"""Artifacts: what changed between two versions of one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from muniment.domain.schema_reading import Path, pointer_of

MOST_CHANGES = 1000
ChangeKind = Literal["added", "removed", "replaced"]


@dataclass(frozen=True)
class Change:
    """What is at a place of a document before and after; of lists, at the same index."""

    pointer: str
    change: ChangeKind
    before: Any
    after: Any


def changes(before: Any, after: Any) -> list[Change]:
    """What changed from one document to another: the smallest places, 1,001 of them at most."""
    return list(islice(_changes((), before, after), MOST_CHANGES + 1))


def _changes(path: Path, before: Any, after: Any) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        keys: list[Any] = [*before, *(key for key in after if key not in before)]
        pairs = [(key, key in before, key in after) for key in keys]
    elif isinstance(before, list) and isinstance(after, list):
        longest = max(len(before), len(after))
        pairs = [(place, place < len(before), place < len(after)) for place in range(longest)]
    else:
        if not _same(before, after):
            yield Change(pointer_of(path), "replaced", before, after)
        return
    for key, was, stays in pairs:
        at = (*path, key)
        if was and stays:
            yield from _changes(at, before[key], after[key])
        elif was:
            yield Change(pointer_of(at), "removed", before[key], None)
        else:
            yield Change(pointer_of(at), "added", None, after[key])


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1, and 1 is 1.0."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
