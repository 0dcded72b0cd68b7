"""Exports and imports under way: lines that wait until they are fetched, or made rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from muniment.errors import Conflict, NotFound
from muniment.ports import Context
from muniment.records.credentials import WORKER_KEY

EXPORT_KEPT = timedelta(hours=1)
IMPORT_KEPT = timedelta(days=1)

Direction = Literal["out", "in"]


@dataclass(frozen=True)
class TransferRow:
    """One that has begun; ``done``: what an import made, once it has."""

    transfer_id: UUID
    user_id: str
    expires_at: datetime
    done: Mapping[str, int] | None


@dataclass(frozen=True)
class Waiting:
    """A line that waits: as a row, with digests of what it is named by and what it refers to."""

    line: int
    kind: str
    namespace: str | None
    record: dict[str, Any]
    keys: Sequence[str]
    refs: Sequence[str]
    recorded_at: datetime | None


@dataclass(frozen=True)
class ExportedLine:
    """A line of an export by its number."""

    line: int
    record: dict[str, Any]


@dataclass(frozen=True)
class _Key:
    key_id: UUID


async def find_transfer(
    ctx: Context,
    direction: Direction,
    transfer_id: UUID,
    user_id: str | None,
    *,
    lock: bool = False,
) -> TransferRow:
    """One under way, of this user if one is named. Raises NotFound."""
    query = "transfer_lock" if lock else "transfer_find"
    found = await ctx.unit.one(
        TransferRow, query, transfer_id=transfer_id, direction=direction, now=ctx.now
    )
    if found is None or user_id not in {None, found.user_id}:
        raise NotFound("There is no such export or import, or its time is over.")
    return found


async def begin_transfer(
    ctx: Context, direction: Direction, transfer_id: UUID, user_id: str
) -> datetime:
    """Begin one, unless it has begun; when it ends by time."""
    expires_at = ctx.now + (EXPORT_KEPT if direction == "out" else IMPORT_KEPT)
    await ctx.unit.run(
        "transfer_begin",
        transfer_id=transfer_id,
        direction=direction,
        user_id=user_id,
        now=ctx.now,
        expires_at=expires_at,
    )
    return expires_at


async def take_export(
    ctx: Context, transfer_id: UUID, user_id: str, user_pk: UUID, form: tuple[str, int]
) -> int:
    """Copy all that is held of a user, as of one moment, into lines; how many there are."""
    place = {"transfer_id": transfer_id, "now": ctx.now}
    await ctx.unit.run("export_take", user_pk=user_pk, **place)
    name, version = form
    lines = await ctx.unit.value(
        "export_frame", user_id=user_id, format=name, version=version, **place
    )
    return int(lines)


async def export_page(
    ctx: Context, transfer_id: UUID, after: int, limit: int, size: int
) -> list[ExportedLine]:
    """The next lines, at most so many, in about so many bytes."""
    return await ctx.unit.rows(
        ExportedLine,
        "export_page",
        transfer_id=transfer_id,
        after=after,
        limit=limit,
        size=size,
    )


async def put_lines(
    ctx: Context, transfer_id: UUID, user_id: str, first: int, lines: Sequence[Waiting]
) -> TransferRow:
    """Let lines of an import wait, in the place of those that had their numbers; the import, which
    takes none if it is done. Raises Conflict for an id that is another's.
    """
    await begin_transfer(ctx, "in", transfer_id, user_id)
    try:
        found = await find_transfer(ctx, "in", transfer_id, user_id, lock=True)
    except NotFound:
        raise Conflict("This id is taken, by an export or another user's import.") from None
    if found.done is not None:
        return found
    place = {"transfer_id": transfer_id}
    await ctx.unit.run("transfer_line_replace", first=first, after=first + len(lines), **place)
    await ctx.unit.many("transfer_line_insert", [place | vars(line) for line in lines])
    return found


async def own_keys(ctx: Context, ids: set[UUID]) -> set[UUID]:
    """Those of the ids that are keys of this tenant, or its worker's."""
    rows = await ctx.unit.rows(_Key, "import_known_keys", ids=sorted(ids))
    return {row.key_id for row in rows} | {WORKER_KEY}


async def erase_transfers(ctx: Context, scope_id: UUID) -> None:
    """What waits of the user of a scope goes: some of it is to be forgotten."""
    await ctx.unit.run("transfer_erase_of_scope", scope_id=scope_id)


async def expire_transfers(ctx: Context) -> int:
    """Remove what nobody came back for; how many."""
    return await ctx.unit.run("transfer_expire", now=ctx.now)
