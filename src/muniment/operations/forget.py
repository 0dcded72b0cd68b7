"""forget: one call that deletes a target in every layer, with a dry run that counts first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from json import dumps
from typing import Annotated, Literal
from uuid import UUID

from annotated_types import MaxLen, MinLen
from pydantic import StringConstraints

from muniment.errors import Changed, Fault, InvalidInput
from muniment.operations.items import predicate_of
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.targets import named_target
from muniment.operations.types import Identifier, Instant, Json, command
from muniment.ports import Context
from muniment.records.erasure import (
    Counts,
    count_extent,
    erase_parts,
    erase_user,
    extent_of_parts,
    extent_of_user,
    items_matching,
    scopes_with_source,
    sessions_named,
)
from muniment.records.holds import any_open, begin_receipt, kept_back, not_held
from muniment.records.knowledge import documents_of_source, take_knowledge
from muniment.records.ledger import Taken, lock_name, note_erasure
from muniment.records.receipts import verified, write_receipt
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope, lock_scope
from muniment.records.sources import names_of

Target = Literal["user", "session", "source", "items", "filter"]
_TARGETS: Mapping[str, Target] = {
    "session_id": "session", "data_source": "source", "ids": "items", "filter": "filter",
}  # fmt: skip
Token = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


@command
class Forget:
    """Forget a user; or one of their sessions, a source, items by id, or what a filter admits.

    A source is meant by every name that it has. Without a ``user_id`` items and filters are the
    organisation's, and a source that of the whole tenant. A namespace narrows sessions, items,
    filters and the source of a user; a user is forgotten in all of them. ``confirm`` is
    what a dry run of the same answered: what would go must be the same still. What was
    forgotten takes no writes any more: a user until ``users.reopen``. ``scrub``: the bytes go
    at once, not within the day.
    """

    user_id: Identifier | None = None
    session_id: Identifier | None = None
    data_source: Identifier | None = None
    ids: Annotated[tuple[UUID, ...], MinLen(1), MaxLen(1000)] | None = None
    filter: dict[str, Json] | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    dry_run: bool = False
    scrub: bool = False
    confirm: Token | None = None


@dataclass(frozen=True)
class Forgotten:
    """Rows by table that were deleted, or in a dry run would be; of ``api_key`` those that ended.
    ``held`` are those that a hold keeps back: no operation answers with them any more, and they are
    erased on its release; until then there is no ``erased_at``.

    ``receipts.get`` shows the receipt, and how far the erasure has come. A target that is not there
    is answered with no rows.
    """

    target: Target
    dry_run: bool
    counts: Mapping[str, int]
    held: Mapping[str, int]
    confirm: str | None
    receipt_id: UUID | None
    erased_at: Instant | None


@dataclass(frozen=True)
class _Outcome:
    """What goes, what of it a hold keeps, and what names both: the same, if the same goes."""

    counts: Counts
    held: Counts
    confirm: str
    taken: Sequence[Taken]


async def forget(command: Forget, ctx: Context) -> Forgotten:
    """Deletes in one transaction: once this returns no operation answers with it.

    Raises Changed where something else would go than ``confirm`` says.
    """
    target = _target(command, ctx)
    receipt_id = await begin_receipt(ctx)
    if command.dry_run:
        found = await _tried(command, target, ctx, receipt_id)
        return Forgotten(target, True, found.counts, found.held, found.confirm, None, None)
    done = await _carried_out(command, target, ctx, receipt_id, erase=True)
    if command.confirm not in (None, done.confirm):
        raise Changed
    receipt = await write_receipt(
        ctx,
        receipt_id,
        target,
        done.counts,
        hidden_at=ctx.now,
        verification=await verified(ctx, *done.taken),
        held=done.held,
        at_once=command.scrub,
    )
    ctx.trail.subjects.append(receipt_id)
    ctx.trail.detail |= {"target": target, "counts": dict(done.counts), "receipt": receipt.digest}
    if done.held:
        ctx.trail.detail |= {"held": dict(done.held)}
    for number, taken in enumerate(done.taken):
        await note_erasure(ctx, ctx.ids.new() if number else receipt_id, target, taken)
    return Forgotten(target, False, done.counts, done.held, None, receipt_id, receipt.erased_at)


async def _tried(command: Forget, target: Target, ctx: Context, receipt_id: UUID) -> _Outcome:
    """What a forget would do. Where a hold or several scopes have a say it is done, and undone."""
    if target != "source" and not await any_open(ctx):
        return await _carried_out(command, target, ctx, receipt_id, erase=False)
    async with ctx.unit.undone():
        return await _carried_out(command, target, ctx, receipt_id, erase=True)


def _target(command: Forget, ctx: Context) -> Target:
    names = ("session_id", "data_source", "ids", "filter")
    given = named_target(command, names, "name a user, ids or a filter")
    if command.dry_run and command.confirm is not None:
        raise InvalidInput(faults=[Fault("/confirm", "does not go with dry_run")])
    if not command.dry_run and command.confirm is None and ctx.policy.confirms_forget:
        fault = Fault("/confirm", "is needed: the policy asks for a dry run first")
        raise InvalidInput(faults=[fault])
    return "user" if given is None else _TARGETS[given]


async def _carried_out(
    command: Forget, target: Target, ctx: Context, receipt_id: UUID, *, erase: bool
) -> _Outcome:
    counts: Counter[str] = Counter()
    step = _user if target == "user" else _parts
    named, taken = await step(command, ctx, counts, erase=erase)
    held = await kept_back(ctx, receipt_id)
    asked = {name: one for name, one in asdict(command).items() if name not in _NOT_ASKED}
    shown = {table: count for table, count in counts.items() if table not in _OF_READS}
    confirm = dumps([asked, shown, held, named], default=str, sort_keys=True)
    return _Outcome(not_held(counts, held), held, ctx.digest(confirm), taken)


_NOT_ASKED = ("dry_run", "confirm", "scrub")
# What reading leaves, up to a second later: it goes as well, and is nothing else that would go.
_OF_READS = ("access", "recall_log")


async def _user(
    command: Forget, ctx: Context, counts: Counter[str], *, erase: bool
) -> tuple[list[object], list[Taken]]:
    """Forget a user, or count what that takes; what names what goes, and what that was."""
    if erase:
        await lock_name(ctx, command.user_id or "")
    user = await extent_of_user(ctx, command.user_id or "", lock=erase)
    counts.update(await count_extent(ctx, user.extent, user))
    if erase:
        await erase_user(ctx, user)
    return [user.versions, user.extent.named], [user.taken]


async def _parts(
    command: Forget, ctx: Context, counts: Counter[str], *, erase: bool
) -> tuple[list[object], list[Taken]]:
    """The same for parts of a scope; for those of every scope where a source has no user."""
    sources = await names_of(ctx, command.data_source)
    predicate = predicate_of(command.filter, sources)
    if erase and command.user_id is None:
        await take_knowledge(ctx)
    if sources and command.user_id is None:
        scopes = await scopes_with_source(ctx, sources)
    else:
        scope = await find_scope(ctx, command.user_id, command.namespace)
        scopes = [] if scope is None else [scope.scope_id]
    if erase:
        for scope_id in scopes:
            await lock_scope(ctx, scope_id)
    named: list[object] = []
    went: list[Taken] = []
    for scope_id in scopes:
        sessions: list[UUID] = []
        items = list(command.ids or ())
        if command.session_id is not None:
            sessions = await sessions_named(ctx, scope_id, command.session_id)
        if predicate is not None:
            items = await items_matching(ctx, scope_id, predicate)
        if sources and command.user_id is None:
            items += await documents_of_source(ctx, scope_id, sources)
        extent = await extent_of_parts(ctx, scope_id, sessions, items, lock=erase, sources=sources)
        counts.update(await count_extent(ctx, extent))
        named.append(extent.named)
        went.append(extent.taken_in(scope_id, command.session_id))
        if erase:
            await erase_parts(ctx, scope_id, command.user_id, extent)
    return named, went


OPERATIONS = (
    Operation(
        name="forget",
        summary="Forget a user, a session, a source, items or what a filter admits",
        command=Forget,
        result=Forgotten,
        handler=forget,
        effect=Effect.DESTRUCTIVE,
        verb="forget",
        layer=None,
        http=Http("POST", "/v1/forget"),
        errors=(Changed,),
    ),
)
