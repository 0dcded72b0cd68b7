"""What a scope holds that says the same as a candidate without a slot (RULES 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final
from uuid import UUID

from muniment.domain.duplicates import Nearness, Threshold, alike_key, nearness, relation_of
from muniment.domain.gate.language import is_foreign
from muniment.domain.gist import Gist, gist
from muniment.domain.text import analyzer_for, normalise
from muniment.ports import Context, ScopeMark
from muniment.records.index_rows import vector_of
from muniment.records.versions import HeldRow, NewMemory, about

_MOST_COMPARED = 24
"""Versions that a candidate is compared with word by word, the nearest ones."""
LONG = 2_000
"""A text of more characters is compared as a whole alone."""
NOT_FOUND: Final = {"alike": None, "said": None}
"""What ``hashes_of`` is of a memory in a slot."""


@dataclass(frozen=True)
class Alike:
    """The versions of the memory that says the same, and how near it is; none where it is the same
    text, or where there is none. ``hashes``: by what the candidate is found itself.
    """

    hashes: Mapping[str, int]
    held: Sequence[HeldRow] = ()
    near: Nearness | None = None

    @property
    def told(self) -> dict[str, Any]:
        """What a decision says of it."""
        if self.near is None:
            return {}
        distance = self.near.distance
        return {
            "near": {
                "overlap": round(self.near.overlap, 4),
                "distance": None if distance is None else round(distance, 4),
            }
        }


@dataclass(frozen=True)
class _Near(HeldRow):
    distance: float | None = field(kw_only=True)

    @property
    def held(self) -> HeldRow:
        return HeldRow(**{one.name: getattr(self, one.name) for one in fields(HeldRow)})


def hashes_of(
    ctx: Context, kind: str, data_source: str | None, text: str, metadata: Mapping[str, Any]
) -> dict[str, int]:
    """By what a memory without a slot is found when its like is told: what it has exactly the same,
    without and with its words; and the relation that it states, if it is one.
    """
    return _hashes(kind, data_source, text, metadata, _compared(ctx, text, data_source))


def _hashes(
    kind: str,
    data_source: str | None,
    text: str,
    metadata: Mapping[str, Any],
    read: Gist | None,
) -> dict[str, int]:
    whole, relation = normalise(text), relation_of(metadata)
    return {
        "alike": alike_key(kind, data_source, whole if read is None else read.key, relation),
        "said": alike_key(kind, data_source, whole if read is None else read.said, relation),
    }


async def said_before(ctx: Context, mark: ScopeMark, subject_id: UUID, new: NewMemory) -> Alike:
    """What is held of the same subject, kind and data source that says the same: in the same
    words, else in others. The caller holds the scope's lock.
    """
    read = _compared(ctx, new.text, new.data_source)
    keys = _hashes(new.kind, new.data_source, new.text, new.metadata, read)
    place = {
        "scope_id": mark.scope_id,
        "subject_id": subject_id,
        "kind": new.kind,
        "data_source": new.data_source,
        "text": new.text,
        "now": ctx.now,
        "limit": _MOST_COMPARED,
    }
    held = await ctx.unit.rows(HeldRow, "versions_said", said=keys["said"], **place)
    again = [row for row in held if row.text == new.text]
    if again:
        return Alike(keys, again)
    threshold = ctx.policy.kinds[new.kind].threshold(ctx.embedder.name)
    if threshold is None or read is None:
        return Alike(keys)
    alike = _best(ctx, new, threshold, read, [(row, None) for row in held])
    if alike is not None:
        return Alike(keys, *alike)
    if threshold.distance is None:
        return Alike(keys)
    column = ctx.policy.embedding.place
    vector = vector_of(ctx, f"{new.text}{about(None, new.subject)}")
    near = await ctx.unit.rows(
        _Near, "versions_alike", alike=keys["alike"], emb=vector, place=column, **place
    )
    alike = _best(ctx, new, threshold, read, [(row.held, row.distance) for row in near])
    return Alike(keys) if alike is None else Alike(keys, *alike)


def _best(
    ctx: Context,
    new: NewMemory,
    threshold: Threshold,
    said: Gist,
    rows: Sequence[tuple[HeldRow, float | None]],
) -> tuple[Sequence[HeldRow], Nearness] | None:
    """The memory that is nearest of those that say the same; what is asserted comes first."""
    found: list[tuple[HeldRow, Nearness]] = []
    for row, distance in rows:
        other = _compared(ctx, row.text, new.data_source)
        how = None if other is None else nearness(said, other, distance)
        if how is not None and threshold.admits(how):
            found.append((row, how))
    if not found:
        return None
    best, how = max(found, key=lambda one: (one[0].standing == "asserted", one[1].overlap))
    return [row for row, _ in rows if row.memory_id == best.memory_id], how


def _compared(ctx: Context, text: str, source: str | None) -> Gist | None:
    """The gist of an English text; None for what is compared as a whole alone."""
    if ctx.language != "english" or len(text) > LONG or is_foreign(text):
        return None
    return gist(text, analyzer_for(ctx.language), source)
