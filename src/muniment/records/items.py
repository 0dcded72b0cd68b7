"""Items as people see them: rows behind recall, profile, list and get."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.memory import Standing, Status, Version, status_of
from muniment.domain.timeline import Window, later
from muniment.domain.trust import Trust
from muniment.errors import Overtaken
from muniment.ports import Context
from muniment.records.governing import GoverningRow, governing

RECALLED = ("asserted",)
HELD_STANDINGS = ("asserted", "contested", "quarantined", "archived")


@dataclass(frozen=True)
class Passage:
    """Where an item of shared knowledge stands: in which document, under which headings."""

    document_id: UUID
    source: str
    version: int
    title: str
    headings: tuple[str, ...]
    position: int


@dataclass(frozen=True)
class ItemRow:
    """One item as the database answers it; without ``index_id`` it says the version alone."""

    version: int
    watermark: datetime
    index_id: UUID | None
    tier: str
    kind: str
    id: UUID
    text: str
    name: str | None
    as_of: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    standing: Standing
    trust: Trust
    confidence: float
    importance: int
    expires_at: datetime | None
    slot: str | None
    value: str | None
    subject: str | None
    subject_kind: str | None
    data_source: str | None
    pinned: bool
    superseded_by: UUID | None
    retracted: bool
    archived: bool
    metadata: dict[str, Any]
    evidence: list[dict[str, Any]] | None
    contested_by: list[UUID] | None
    is_durative: bool
    observers: int | None
    knowledge: list[dict[str, Any]] | None = None  # of the episode of a run
    governing: tuple[GoverningRow, ...] = ()
    document: Passage | None = None


@dataclass(frozen=True)
class Moment:
    """The instants that a read is about: world, record, and the clock for expiry."""

    as_of: datetime
    known_at: datetime
    now: datetime


def moment_of(
    ctx: Context, watermark: datetime, as_of: datetime | None, known_at: datetime | None
) -> Moment:
    """The instants of a read of one scope; by default the world as it is now and the record as it
    stood at the watermark that the read found, so that a write that comes in between is left out.
    The same for what is asked of a later record, which is not known yet.

    A record may be ahead of this process's clock, and what was written before is true by then.
    """
    return Moment(
        as_of=as_of or max(ctx.now, watermark),
        known_at=min(known_at or watermark, watermark),
        now=ctx.now,
    )


def known_of_nothing(ctx: Context, known_at: datetime | None) -> datetime:
    """The moment of the record that an answer echoes where there is no scope."""
    return min(known_at or ctx.now, ctx.now)


@dataclass(frozen=True)
class Fetched:
    """Items of one scope in the order asked for, and the version of the scope they hold for."""

    version: int
    watermark: datetime
    rows: list[ItemRow]


async def fetch_items(
    ctx: Context,
    scope_id: UUID,
    ids: Sequence[UUID],
    moment: Moment,
    standings: Sequence[str] = RECALLED,
    *,
    anytime: bool = False,
) -> Fetched:
    """The items behind index ids that hold at the moment (or ``anytime``); others are left out.

    An expired item is never there. Raises Overtaken for a scope that was forgotten.
    """
    found = await ctx.unit.rows(
        ItemRow,
        "items_fetch",
        scope_id=scope_id,
        ids=list(ids),
        standings=list(standings),
        as_of=moment.as_of,
        known_at=moment.known_at,
        now=moment.now,
        anytime=anytime,
    )
    if not found:
        raise Overtaken
    by_id = {row.index_id: row for row in found if row.index_id is not None}
    governed = {key: row.knowledge for key, row in by_id.items() if row.knowledge}
    if governed:
        told = await governing(ctx, list(governed.values()), moment.as_of)
        for key, said in zip(governed, told, strict=True):
            by_id[key] = replace(by_id[key], governing=said)
    return Fetched(
        found[0].version, found[0].watermark, [by_id[one] for one in ids if one in by_id]
    )


def status(row: ItemRow, moment: Moment) -> Status:
    """The status of an item for a reader at this moment; documents are read while in force."""
    if row.document is not None:
        return "active"
    version = Version(
        version_id=row.index_id or row.id,
        memory_id=row.id,
        valid=Window(row.valid_from or row.recorded_at, row.valid_to),
        recorded=Window(row.recorded_at, row.superseded_at),
        standing=row.standing,
        trust=row.trust,
        superseded_by=row.superseded_by,
        retracted=row.retracted,
        archived=row.archived,
        expires_at=row.expires_at,
    )
    as_of = moment.as_of if row.valid_from is not None else max(moment.as_of, row.recorded_at)
    return status_of(version, as_of=as_of, known_at=moment.known_at, now=moment.now)


def is_stale(ctx: Context, row: ItemRow, moment: Moment) -> bool:
    """True past the slot's ``stale_after`` since the value was last observed (RULES 3.3)."""
    return is_past(ctx, row.slot, row.as_of, moment)


def is_past(ctx: Context, slot_name: str | None, observed_at: datetime, moment: Moment) -> bool:
    """The same of a value in a slot, or none."""
    slot = ctx.policy.slots.get(slot_name) if slot_name is not None else None
    if slot is None or slot.stale_after is None:
        return False
    return later(observed_at, slot.stale_after) <= moment.as_of
