"""Versions with all that is stored of them: found by memory, by content, by place; and copied."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.memory import Version
from muniment.domain.slot import Cardinality, Slot, defined_now
from muniment.ports import Context, ScopeMark
from muniment.records.index_rows import end_index, write_index
from muniment.records.versions import HeldRow, about, indexed, remaining


@dataclass(frozen=True)
class KeptRow(HeldRow):
    """A version of any record, with its memory. ``root`` is the first one with its content."""

    recorded_to: datetime | None
    slot: str | None
    cardinality: Cardinality | None
    value: str | None
    subject_id: UUID
    subject: str
    of_self: bool
    data_source: str | None
    root: UUID

    @property
    def is_open(self) -> bool:
        """True if the service holds it still."""
        return self.recorded_to is None

    @property
    def same(self) -> Version:
        """The version for rules that ask whether two say the same: without a slot, by the text."""
        return self.version if self.slot else replace(self.version, value_key=self.text)

    @property
    def about(self) -> str | None:
        """Whom or what it is about, if not the user."""
        return None if self.of_self else self.subject

    def live(self, now: datetime) -> bool:
        """True if it is held and not expired."""
        return self.is_open and (self.expires_at is None or self.expires_at > now)

    def slot_of(self, slots: Mapping[str, Slot]) -> Slot | None:
        """Its slot as the policy has it now, or as much as is stored of it."""
        return defined_now(slots, self.slot, self.cardinality)


@dataclass(frozen=True)
class _Id:
    version_id: UUID


async def rows_of_memory(ctx: Context, scope_id: UUID, memory_id: UUID) -> list[KeptRow]:
    """Every version of a memory, in the order of their windows."""
    ids = await ctx.unit.rows(_Id, "version_ids_of_memory", scope_id=scope_id, memory_id=memory_id)
    return await rows_of(ctx, scope_id, [row.version_id for row in ids])


async def rows_with_copies(ctx: Context, scope_id: UUID, ids: Collection[UUID]) -> list[KeptRow]:
    """These versions and every one with the content of one of them."""
    named = await rows_of(ctx, scope_id, ids)
    roots = list({row.root for row in named})
    found = await ctx.unit.rows(_Id, "version_ids_of_roots", scope_id=scope_id, roots=roots)
    others = {row.version_id for row in found} - {row.version_id for row in named}
    return [*named, *await rows_of(ctx, scope_id, others)]


async def rows_beside(ctx: Context, scope_id: UUID, rows: Sequence[KeptRow]) -> list[KeptRow]:
    """What is held in the slot of these versions, or, without one, in their words, or what they
    replaced; expired too.
    """
    found = await ctx.unit.rows(
        _Id,
        "version_ids_beside",
        scope_id=scope_id,
        subject_id=rows[0].subject_id,
        slot=rows[0].slot,
        texts=list({row.text for row in rows}),
        memories=list({row.memory_id for row in rows}),
    )
    return await rows_of(ctx, scope_id, [row.version_id for row in found])


async def rows_of(ctx: Context, scope_id: UUID, ids: Collection[UUID]) -> list[KeptRow]:
    """The versions with these ids, in the order of their windows."""
    if not ids:
        return []
    return await ctx.unit.rows(KeptRow, "versions_kept", scope_id=scope_id, ids=list(ids))


async def end_versions(ctx: Context, mark: ScopeMark, ids: Sequence[UUID]) -> None:
    """The record of these versions ends at the scope's moment; nothing takes their place."""
    common = {"scope_id": mark.scope_id, "at": mark.watermark, "ended_by": None}
    await ctx.unit.many("version_end", [common | {"version_id": one} for one in ids])
    await end_index(ctx, mark, ids)


async def write_copies(
    ctx: Context, mark: ScopeMark, copies: Sequence[tuple[KeptRow, Mapping[str, Any]]]
) -> list[UUID]:
    """New versions like these but for what is given for each; their ids."""
    versions = [
        remaining(row, row.version.valid)
        | {
            "scope_id": mark.scope_id,
            "version_id": ctx.ids.new(),
            "subject_id": row.subject_id,
            "slot": row.slot,
            "cardinality": row.cardinality,
            "recorded_from": mark.watermark,
            "recorded_to": None,
            "retracted": row.retracted,
            "superseded_by": row.superseded_by,
        }
        | dict(changes)
        for row, changes in copies
    ]
    await ctx.unit.many("version_insert", versions)
    if versions:
        entries = [
            indexed(version, f"{row.text}{about(row.slot_of({}), row.about)}", row.kind)
            for version, (row, _) in zip(versions, copies, strict=True)
        ]
        await write_index(ctx, mark, entries)
    return [version["version_id"] for version in versions]
