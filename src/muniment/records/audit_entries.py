"""Audit entries of what a context does: by surrogate ids, counts and salted digests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any
from uuid import UUID

from muniment.ports import Context


@dataclass(frozen=True)
class Told:
    """A record that is there: its digest, and the one that the trail told last, in which entry.

    None: of what is not held any more, and where no entry tells of it.
    """

    id: UUID
    entry_id: str | None
    after: str | None
    digest: str | None


@dataclass(frozen=True)
class _Change:
    id: UUID
    before: str | None
    after: str | None
    version: int


async def write_entry(
    ctx: Context, operation: str, effect: str, subjects: Sequence[UUID], detail: Mapping[str, Any]
) -> UUID:
    """Store an entry in the transaction of what it tells; its id. The sealer chains it later."""
    entry_id = ctx.ids.new()
    changes = await _changes(ctx, effect)
    await ctx.unit.later(
        "audit_insert",
        entry_id=entry_id,
        at=ctx.now,
        operation=operation,
        effect=effect,
        key_id=ctx.caller.key_id,
        request=ctx.digest(ctx.request_id),
        subjects=list(subjects),
        detail=dict(detail),
        changes=changes,
    )
    return entry_id


async def _changes(ctx: Context, effect: str) -> dict[str, tuple[str | int | None, ...]]:
    """Digests before and after of every record that the transaction changed since the last entry.

    What an erasure rewrote has none from before: its text is not there any more.
    """
    changes: dict[str, tuple[str | int | None, ...]] = {**ctx.trail.changes}
    for scope_id, mark in ctx.trail.opened.items():
        for one in await ctx.unit.rows(
            _Change, "audit_changes", scope_id=scope_id, rev=mark.version, moment=mark.watermark
        ):
            before = None if effect == "destructive" else one.before
            changes[str(one.id)] = (before, one.after, one.version)
    ctx.trail.opened.clear()
    ctx.trail.changes.clear()
    return changes


def note_change(ctx: Context, what: str, before: object, after: object) -> None:
    """Note what the operation makes of a thing of the tenant's that has no salt of its own, such as
    a policy; None: it was or is not there.
    """
    ctx.trail.changes[what] = (_digest(ctx, before), _digest(ctx, after))


def note_record(
    ctx: Context, record: UUID, before: str | None, after: str | None, version: int
) -> None:
    """Note what a record that has a salt of its own was and is, by the digests that this makes;
    ``version`` is that of its scope.
    """
    ctx.trail.changes[str(record)] = (before, after, version)


def _digest(ctx: Context, state: object) -> str | None:
    return None if state is None else ctx.digest(dumps(state, sort_keys=True, default=str))


async def records_told(ctx: Context, ids: Sequence[UUID]) -> list[Told]:
    """Those of these turns, summaries, memories and documents that are there, as the trail tells
    of them.
    """
    return await ctx.unit.rows(Told, "records_told", ids=list(ids))
