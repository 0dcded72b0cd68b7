"""The erasure ledger as writers and forgets use it: noted before a commit, asked where something
new begins (RULES 15.4).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from muniment.domain.erasures import Entry, LedgerLostError, Step, digest_of, line_of
from muniment.errors import Forgotten
from muniment.ports import Context, Unit

_USER, _SESSION, _SCOPE, _ITEM, _SOURCE = "user", "session", "scope", "item", "source"


@dataclass(frozen=True)
class Taken:
    """What a forget took: ids that no row names any more, and the scopes in which it erased.

    ``user_id``: everything of that user. ``session``: a session by its scope and name.
    """

    ids: Sequence[UUID] = ()
    places: Sequence[UUID] = ()
    user_id: str | None = None
    scope_id: UUID | None = None
    session: str | None = None


async def erasure_key(ctx: Context) -> bytes:
    """The key of the digests of this installation."""
    return bytes.fromhex(await ctx.unit.value("erasure_key"))


def user_name(key: bytes, tenant_id: UUID, user_id: str) -> str:
    """A user in the ledger."""
    return digest_of(key, tenant_id, _USER, user_id)


def scope_name(key: bytes, tenant_id: UUID, scope_id: UUID) -> str:
    """A scope in the ledger."""
    return digest_of(key, tenant_id, _SCOPE, str(scope_id))


def item_name(key: bytes, tenant_id: UUID, item_id: UUID) -> str:
    """A turn, summary, memory or session in the ledger."""
    return digest_of(key, tenant_id, _ITEM, str(item_id))


def source_name(key: bytes, tenant_id: UUID, data_source: str) -> str:
    """A source of data in the ledger."""
    return digest_of(key, tenant_id, _SOURCE, data_source)


async def lock_name(ctx: Context, user_id: str) -> str:
    """Wait for whoever forgets this user or makes a scope of theirs, and hold them back; the user
    in the ledger.
    """
    name = user_name(await erasure_key(ctx), ctx.unit.tenant_id, user_id)
    await ctx.unit.run("erasure_lock", name_key=name)
    return name


async def refuse_forgotten_user(ctx: Context, user_id: str) -> None:
    """Where a scope of a user is made: raises Forgotten for one who takes no writes any more."""
    name = await lock_name(ctx, user_id)
    if await ctx.unit.value("erasure_of", name_key=name):
        raise Forgotten("This user was forgotten.")


async def refuse_forgotten_session(ctx: Context, scope_id: UUID, session_id: str) -> None:
    """Where a session is made, under its scope's lock: raises Forgotten for one that went."""
    key = await erasure_key(ctx)
    name = digest_of(key, ctx.unit.tenant_id, _SESSION, str(scope_id), session_id)
    if await ctx.unit.value("erasure_of", name_key=name):
        raise Forgotten("This session was forgotten; take another name for a new one.")


async def note_erasure(ctx: Context, entry_id: UUID, target: str, taken: Taken) -> None:
    """Write the line of an erasure, here and in the ledger. Last before the commit: should that
    not come, the line is taken back, or carried out at the next start if this process dies.

    Raises Unavailable and StorageFull where the ledger cannot be written: nothing is erased then.
    """
    key, tenant_id = await erasure_key(ctx), ctx.unit.tenant_id
    entry = _entry(ctx, entry_id, "parts", target)
    if taken.user_id is not None:
        entry = replace(entry, step="user", name=user_name(key, tenant_id, taken.user_id))
    elif taken.scope_id is None:
        return
    else:
        if taken.session is not None:
            told = str(taken.scope_id), taken.session
            entry = replace(entry, name=digest_of(key, tenant_id, _SESSION, *told))
        items = tuple(item_name(key, tenant_id, one) for one in taken.ids)
        entry = replace(entry, scope=scope_name(key, tenant_id, taken.scope_id), items=items)
    await _write(ctx, key, entry)


@dataclass(frozen=True)
class _Ended:
    entry_id: UUID


async def reopen_user(ctx: Context, user_id: str) -> list[UUID]:
    """Take writes about a forgotten user again; which forgets that ends."""
    name = await lock_name(ctx, user_id)
    ended = await end_forgets(ctx, name)
    if ended:
        entry = _entry(ctx, ctx.ids.new(), "reopen", "user")
        await _write(ctx, await erasure_key(ctx), replace(entry, name=name))
    return ended


async def end_forgets(ctx: Context, name: str | None) -> list[UUID]:
    """Let no erasure refuse writes under this keyed name any more; which ones did."""
    rows = await ctx.unit.rows(_Ended, "erasure_reopen", name_key=name)
    return sorted(row.entry_id for row in rows)


@dataclass(frozen=True)
class Held:
    """What a hold names: a user, a scope, ids in it, a source of data by all its names."""

    user_id: str | None = None
    scope_id: UUID | None = None
    ids: Sequence[UUID] = ()
    sources: Sequence[str] = ()


async def note_hold(ctx: Context, hold_id: UUID, target: str, held: Held) -> None:
    """Write the line of a hold, so that an older database that is restored has it again, before it
    carries out what was forgotten under it. Raises as ``note_erasure``.
    """
    key, tenant_id = await erasure_key(ctx), ctx.unit.tenant_id
    items = [item_name(key, tenant_id, one) for one in held.ids]
    items += [source_name(key, tenant_id, one) for one in held.sources]
    user, scope = held.user_id, held.scope_id
    entry = replace(
        _entry(ctx, hold_id, "hold", target),
        name=None if user is None else user_name(key, tenant_id, user),
        scope=None if scope is None else scope_name(key, tenant_id, scope),
        items=tuple(items),
    )
    await _write(ctx, key, entry)


async def note_widening(ctx: Context, hold_id: UUID, names: Sequence[str]) -> None:
    """Write the line of names that a source under a hold got. Raises as ``note_erasure``."""
    key, tenant_id = await erasure_key(ctx), ctx.unit.tenant_id
    entry = replace(
        _entry(ctx, ctx.ids.new(), "widen", "hold"),
        name=item_name(key, tenant_id, hold_id),
        items=tuple(source_name(key, tenant_id, one) for one in names),
    )
    await _write(ctx, key, entry)


async def note_release(ctx: Context, hold_id: UUID) -> None:
    """Write the line of a release. Raises as ``note_erasure``."""
    key = await erasure_key(ctx)
    name = item_name(key, ctx.unit.tenant_id, hold_id)
    await _write(ctx, key, replace(_entry(ctx, ctx.ids.new(), "release", "hold"), name=name))


def _entry(ctx: Context, entry_id: UUID, step: Step, target: str) -> Entry:
    return Entry(entry_id, ctx.unit.tenant_id, ctx.now, step, target, ctx.caller.key_id)


async def _write(ctx: Context, key: bytes, entry: Entry) -> None:
    line = line_of(key, entry)
    await ctx.unit.run(
        "erasure_insert",
        entry_id=entry.entry_id,
        name_key=entry.closes,
        line=line,
    )
    void = line_of(key, replace(entry, step="void", name=None, scope=None, items=()))
    ctx.drill.reached("ledger.before_append")
    ctx.unit.after_rollback(partial(ctx.ledger.retract, key, void))
    try:
        await ctx.ledger.append(key, line)
    except LedgerLostError:
        # Else a restore would go by the new lines alone.
        others = [
            one.line for one in await ledger_lines(ctx.unit) if one.entry_id != entry.entry_id
        ]
        await ctx.ledger.mend(key, others)
        await ctx.ledger.append(key, line)
    ctx.drill.reached("ledger.appended")


@dataclass(frozen=True)
class LedgerLine:
    """A line of the ledger that was carried out here, of whatever tenant."""

    tenant_id: UUID
    entry_id: UUID
    line: str


async def ledger_lines(unit: Unit) -> list[LedgerLine]:
    """Every line of the ledger that this database carried out, oldest first."""
    return await unit.rows(LedgerLine, "erasure_lines")
