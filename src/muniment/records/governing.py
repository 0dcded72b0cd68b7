"""Which versions of documents a run went by, and which of them are in force still (RULES 14.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.ports import Context


@dataclass(frozen=True)
class GoverningRow:
    """A version of a document that a run went by; without a source it is there no more."""

    document_id: UUID
    version: int
    source: str | None
    retired: bool


@dataclass(frozen=True)
class _Recalled:
    document_id: UUID
    version: int


@dataclass(frozen=True)
class _Held:
    document_id: UUID
    version: int
    source: str


async def recalled_documents(ctx: Context, scope_id: UUID, run_id: UUID) -> list[dict[str, Any]]:
    """The versions of documents that a run recalled, as its episode keeps them."""
    rows = await ctx.unit.rows(_Recalled, "documents_of_run", scope_id=scope_id, run_id=str(run_id))
    return [{"document": str(row.document_id), "version": row.version} for row in rows]


async def governing(
    ctx: Context, kept: Sequence[Sequence[dict[str, Any]]], as_of: datetime
) -> list[tuple[GoverningRow, ...]]:
    """What episodes keep of documents, with what became of these: retired is a version that another
    took the place of, that is not in force at ``as_of``, or whose document was deleted.
    """
    ids = sorted({one["document"] for every in kept for one in every})
    found = {
        row.document_id: row
        for row in await ctx.unit.rows(_Held, "documents_in_force", ids=ids, as_of=as_of)
    }
    return [tuple(_row(one, found.get(UUID(one["document"]))) for one in every) for every in kept]


def _row(one: dict[str, Any], held: _Held | None) -> GoverningRow:
    return GoverningRow(
        document_id=UUID(one["document"]),
        version=one["version"],
        source=None if held is None else held.source,
        retired=held is None or held.version != one["version"],
    )
