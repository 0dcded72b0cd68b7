"""memories.pin, unpin, restore and undo: how a memory is kept, and what is taken back of it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.domain.reconcile import Decided
from muniment.errors import CannotUndo, Forbidden, NotFound, NotHeld, OwnRequest, WritesRefused
from muniment.operations.citing import Speaker, check_speaker
from muniment.operations.items import find_place
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import command
from muniment.ports import Context
from muniment.records.changing import Target, change_all, target_of
from muniment.records.decisions import Decision
from muniment.records.held import KeptRow
from muniment.records.scopes import open_known_scope
from muniment.records.undoing import decisions_of, undo_decision


@command
class PinMemory:
    """Keep a memory on the profile, and from decay. One that was archived comes back."""

    id: UUID


@command
class UnpinMemory:
    """Let a memory be kept and shown like any other."""

    id: UUID


@command
class RestoreMemory:
    """Bring back a memory that was archived or retracted, as it was before.

    What was rejected in review needs the verb ``review``, and another than who asked for it.
    """

    id: UUID


@command
class UndoDecision:
    """Take back the last decision about a memory (an undo too), or the one that is named.

    Histories and lineages name decisions. What the decision ended is held again, as new versions.
    What was decided in review needs the verb ``review``, and another than who asked for it.
    """

    id: UUID
    decision_id: UUID | None = None


@dataclass(frozen=True)
class Kept:
    """What was done; no ``decision_id`` where nothing had to be."""

    id: UUID
    outcome: Decided
    rule: str
    decision_id: UUID | None


@dataclass(frozen=True)
class UndoneDecision:
    """The undo, a decision itself: memories that are not held so any more, and those that are."""

    id: UUID
    outcome: Decided
    rule: str
    decision_id: UUID
    undid: UUID
    ended: tuple[UUID, ...]
    restored: tuple[UUID, ...]


async def pin(command: PinMemory, ctx: Context) -> Kept:
    """Raises NotFound and NotHeld."""
    return await _pin(command.id, ctx, pinned=True)


async def unpin(command: UnpinMemory, ctx: Context) -> Kept:
    """Raises NotFound and NotHeld."""
    return await _pin(command.id, ctx, pinned=False)


async def _pin(memory_id: UUID, ctx: Context, *, pinned: bool) -> Kept:
    target = await _open(memory_id, ctx)
    held = target.held(ctx.now)
    faded = pinned and any(row.archived for row in held)
    rows = [row for row in held if row.pinned is not pinned or (faded and row.archived)]
    rule = "pinned" if pinned else "unpinned"
    decision_id = None
    if rows:
        decision = Decision(memory_id, "changed", rule)
        back = _back(target, rows[0], ctx) if faded else {}
        decision_id = await change_all(ctx, target, rows, decision, pinned=pinned, **back)
    _trail(ctx, memory_id, rule)
    return Kept(memory_id, "changed", rule, decision_id)


def _back(target: Target, row: KeptRow, ctx: Context) -> dict[str, Any]:
    """What an archived version is again: held, with its own life."""
    expiry = ctx.policy.expiry(row.kind, target.slot, row.observed_at)
    return {"archived": False, "expires_at": expiry}


async def restore(command: RestoreMemory, ctx: Context) -> Kept:
    """Raises NotFound, NotHeld where it is neither archived nor retracted, and CannotUndo and
    Forbidden as an undo does.
    """
    target = await _open(command.id, ctx)
    live = [row for row in target.rows if row.live(ctx.now)]
    archived = [row for row in live if row.archived]
    if archived:
        return await _unarchive(target, command.id, ctx)
    taken_back = [
        one
        for one in await decisions_of(ctx, target.mark.scope_id, command.id, standing=True)
        if one.outcome == "retracted"
    ]
    if not taken_back:
        raise NotHeld("This memory is neither archived nor retracted.")
    rule = "retraction_undone"
    done = await undo_decision(ctx, target.mark, taken_back[-1], outcome="restored", rule=rule)
    _trail(ctx, command.id, rule)
    return Kept(command.id, "restored", rule, done.decision_id)


async def _unarchive(target: Target, memory_id: UUID, ctx: Context) -> Kept:
    """Back as it was, with its own life again; a new version, so that decay counts from now."""
    rows = [row for row in target.rows if row.live(ctx.now) and row.archived]
    decision = Decision(memory_id, "restored", "unarchived")
    decision_id = await change_all(ctx, target, rows, decision, **_back(target, rows[0], ctx))
    _trail(ctx, memory_id, "unarchived")
    return Kept(memory_id, "restored", "unarchived", decision_id)


async def undo(command: UndoDecision, ctx: Context) -> UndoneDecision:
    """Raises NotFound, CannotUndo with the reason, and Forbidden for a key that could not have
    said, or decided, what it takes back.
    """
    target = await _open(command.id, ctx)
    found = await decisions_of(
        ctx, target.mark.scope_id, command.id, standing=command.decision_id is None
    )
    chosen = [one for one in found if command.decision_id in (None, one.decision_id)]
    if not chosen:
        raise NotFound("There is no such decision about this memory.")
    done = await undo_decision(ctx, target.mark, chosen[-1])
    ctx.trail.subjects += [*done.ended, *done.again]
    ctx.trail.detail |= {"outcome": done.outcome, "decision": str(done.undoes)}
    return UndoneDecision(
        id=command.id,
        outcome=done.outcome,
        rule=done.rule,
        decision_id=done.decision_id,
        undid=done.undoes,
        ended=done.ended,
        restored=done.again,
    )


async def _open(memory_id: UUID, ctx: Context) -> Target:
    """The memory, its scope locked; raises Forbidden for who may not write it."""
    place = await find_place(ctx, memory_id)
    if place.level == "org" and ctx.caller.user_id is not None:
        raise Forbidden("This key is for one user.")
    user_id = place.user_id if place.level == "user" else None
    target = await target_of(ctx, await open_known_scope(ctx, user_id, place.namespace), memory_id)
    speaker: Speaker = "operator" if "operator" in ctx.caller.roles else "assistant"
    check_speaker(ctx, speaker, target.rows[0].kind)
    return target


def _trail(ctx: Context, memory_id: UUID, rule: str) -> None:
    ctx.trail.subjects.append(memory_id)
    ctx.trail.detail |= {"rule": rule}


_ERRORS = (NotFound, NotHeld, WritesRefused)
OPERATIONS = (
    Operation(
        name="memories.pin",
        summary="Pin a memory",
        command=PinMemory,
        result=Kept,
        handler=pin,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories/{id}/pin"),
        checks_user=True,
        errors=_ERRORS,
    ),
    Operation(
        name="memories.unpin",
        summary="Unpin a memory",
        command=UnpinMemory,
        result=Kept,
        handler=unpin,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories/{id}/unpin"),
        checks_user=True,
        errors=_ERRORS,
    ),
    Operation(
        name="memories.restore",
        summary="Bring back an archived or retracted memory",
        command=RestoreMemory,
        result=Kept,
        handler=restore,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories/{id}/restore"),
        checks_user=True,
        errors=(*_ERRORS, CannotUndo, OwnRequest),
    ),
    Operation(
        name="memories.undo",
        summary="Take a decision about a memory back",
        command=UndoDecision,
        result=UndoneDecision,
        handler=undo,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories/{id}/undo"),
        checks_user=True,
        errors=(NotFound, CannotUndo, OwnRequest, WritesRefused),
    ),
)
