"""What a scope holds that says the same as a candidate without a slot (RULES 8)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from uuid import UUID

from muniment.domain.duplicates import Nearness, alike_key, nearness
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


@dataclass(frozen=True)
class Alike:
    """The versions of the memory that says the same, and how near it is; none where it is the same
    text, or where there is none.
    """

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


def alike_hash(ctx: Context, kind: str, data_source: str | None, text: str) -> int:
    """By what a memory without a slot is found when its like is told."""
    said = _compared(ctx, text)
    if said is None:
        return alike_key(kind, data_source, normalise(text))
    return alike_key(kind, data_source, said.key)


async def said_before(ctx: Context, mark: ScopeMark, subject_id: UUID, new: NewMemory) -> Alike:
    """What is held of the same subject, kind and data source that says the same: in the same
    words, else in others. The caller holds the scope's lock.
    """
    rows = await ctx.unit.rows(
        _Near,
        "versions_alike",
        scope_id=mark.scope_id,
        subject_id=subject_id,
        kind=new.kind,
        data_source=new.data_source,
        alike=alike_hash(ctx, new.kind, new.data_source, new.text),
        text=new.text,
        emb=vector_of(ctx, f"{new.text}{about(None, new.subject)}"),
        now=ctx.now,
        limit=_MOST_COMPARED,
    )
    again = [row.held for row in rows if row.text == new.text]
    if again:
        return Alike(again)
    near = _nearest(ctx, new, rows)
    if near is None:
        return Alike()
    row, how = near
    return Alike([one.held for one in rows if one.memory_id == row.memory_id], how)


def _nearest(ctx: Context, new: NewMemory, rows: Sequence[_Near]) -> tuple[_Near, Nearness] | None:
    """The row that is nearest of those that say the same; what is asserted comes first."""
    threshold = ctx.policy.kinds[new.kind].threshold(ctx.embedder.name)
    said = _compared(ctx, new.text) if rows else None
    if threshold is None or said is None:
        return None
    found: list[tuple[_Near, Nearness]] = []
    for row in rows:
        other = _compared(ctx, row.text)
        how = None if other is None else nearness(said, other, row.distance)
        if how is not None and threshold.admits(how):
            found.append((row, how))
    return max(found, key=lambda one: (one[0].standing == "asserted", one[1].overlap), default=None)


def _compared(ctx: Context, text: str) -> Gist | None:
    """The gist of an English text; None for what is compared as a whole alone."""
    if ctx.language != "english" or len(text) > LONG or is_foreign(text):
        return None
    return gist(text, analyzer_for(ctx.language))
