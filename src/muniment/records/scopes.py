"""Users, scopes and their marks: where a read looks and what a write locks first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.errors import Forgotten, Overtaken, WritesRefused
from muniment.ports import Context, ScopeMark, ScopeRow
from muniment.records.ledger import refuse_forgotten_user
from muniment.records.tenant_policy import hold_policy

DEFAULT_NAMESPACE = "default"


@dataclass(frozen=True)
class UserRow:
    """A person as the tenant knows them."""

    user_pk: UUID
    opted_out_at: datetime | None


async def find_user(ctx: Context, user_id: str) -> UserRow | None:
    """The user of this tenant, if there is one."""
    return await ctx.unit.one(UserRow, "user_find", user_id=user_id)


async def follow_user(ctx: Context, user_pk: UUID, user_id: str) -> None:
    """Who was forgotten under a hold that is open still, and comes back, is under it again."""
    await ctx.unit.run("hold_follow", user_pk=user_pk, user_key=ctx.digest(user_id))


async def ensure_user(ctx: Context, user_id: str) -> UserRow:
    """The user for a write, made on first use. Raises Overtaken when they were forgotten."""
    user = await find_user(ctx, user_id)
    if user is None:
        user_pk = ctx.ids.new()
        if await ctx.unit.run("user_ensure", user_pk=user_pk, user_id=user_id, now=ctx.now):
            await follow_user(ctx, user_pk, user_id)
        user = await find_user(ctx, user_id)
    if user is None:
        raise Overtaken
    return user


async def find_scope(ctx: Context, user_id: str | None, namespace: str) -> ScopeRow | None:
    """The scope of a user, or of the organisation (``user_id`` None), if it exists."""
    user_pk = None
    if user_id is not None:
        user = await find_user(ctx, user_id)
        if user is None:
            return None
        user_pk = user.user_pk
    return await ctx.unit.one(ScopeRow, "scope_find", user_pk=user_pk, namespace=namespace)


async def reader_scopes(
    ctx: Context, user_id: str | None, namespace: str, *, org: bool
) -> list[ScopeRow]:
    """The scopes that a reader asks about, the user's first."""
    return await ctx.unit.rows(
        ScopeRow, "scopes_of_reader", user_id=user_id, namespace=namespace, org=org
    )


async def scope_mark(ctx: Context, scope_id: UUID) -> ScopeMark:
    """Where a scope stands now; raises Overtaken when it was forgotten."""
    mark = await ctx.unit.one(ScopeMark, "scope_mark", scope_id=scope_id)
    if mark is None:
        raise Overtaken
    return mark


async def lock_scope(ctx: Context, scope_id: UUID) -> ScopeMark:
    """Take the scope's row lock and its next version and moment: first in every write.

    Raises Overtaken when it was forgotten, or the tenant's policy has changed.
    """
    hold_policy(ctx)
    mark = await ctx.unit.one(ScopeMark, "scope_bump", scope_id=scope_id, now=ctx.now)
    if mark is None:
        raise Overtaken
    return _opened(ctx, mark)


async def _lock_known(ctx: Context, user_id: str, namespace: str) -> ScopeMark | None:
    """The same for a scope that is there, of a user who takes writes; one round trip, in which the
    transaction begins. None: whoever asks looks closer.
    """
    hold_policy(ctx)
    mark = await ctx.unit.one(
        ScopeMark, "scope_bump_known", user_id=user_id, namespace=namespace, now=ctx.now
    )
    return None if mark is None else _opened(ctx, mark)


def _opened(ctx: Context, mark: ScopeMark) -> ScopeMark:
    ctx.trail.opened.setdefault(mark.scope_id, mark)
    return mark


async def hold_scopes(ctx: Context, scope_ids: Iterable[UUID]) -> None:
    """Hold back writers of other scopes that a write reads from, a forget among them.

    Before the write's own scope is opened, and in one order: users' scopes come before the
    organisation's, each by their ids, wherever several are locked.
    """
    hold_policy(ctx)
    for scope_id in sorted(scope_ids):
        if await ctx.unit.one(ScopeMark, "scope_share", scope_id=scope_id) is None:
            raise Overtaken


async def open_scope(ctx: Context, user_id: str | None, namespace: str) -> ScopeMark:
    """The scope for a write, made on first use, locked and moved on.

    Raises WritesRefused when the user opted out, Forgotten when they were forgotten,
    QuotaExceeded and StorageFull when there is no room, Overtaken when the user was forgotten
    meanwhile.
    """
    mark = await enter_scope(ctx, user_id, namespace)
    await ctx.quotas.check(ctx.unit, mark.scope_id)
    return mark


async def enter_scope(ctx: Context, user_id: str | None, namespace: str) -> ScopeMark:
    """The same for a write that asks the quotas once it knows by how much more it stores."""
    user_pk = None
    if user_id is not None:
        known = await _lock_known(ctx, user_id, namespace)
        if known is not None:
            return known
        user = await ensure_user(ctx, user_id)
        if user.opted_out_at is not None:
            raise WritesRefused("This user takes no writes.")
        user_pk = user.user_pk
    found = await _ensure_scope(ctx, user_id, user_pk, namespace)
    return await lock_scope(ctx, found.scope_id)


async def scope_to_clear(ctx: Context, user_id: str | None, namespace: str) -> ScopeMark | None:
    """The scope for a deletion, locked and moved on, if it is there. Deleting needs no consent and
    no room, and makes no user.
    """
    found = await find_scope(ctx, user_id, namespace)
    return None if found is None else await lock_scope(ctx, found.scope_id)


async def ensure_org_scope(ctx: Context, namespace: str) -> ScopeRow:
    """The scope of the organisation, made on first use; it is not locked."""
    return await _ensure_scope(ctx, None, None, namespace)


async def _ensure_scope(
    ctx: Context, user_id: str | None, user_pk: UUID | None, namespace: str
) -> ScopeRow:
    given = {"user_pk": user_pk, "namespace": namespace}
    found = await ctx.unit.one(ScopeRow, "scope_find", **given)
    if found is None:
        if user_id is not None:
            await refuse_forgotten_user(ctx, user_id)
        level = "org" if user_pk is None else "user"
        await ctx.unit.run("scope_ensure", scope_id=ctx.ids.new(), level=level, **given)
        found = await ctx.unit.one(ScopeRow, "scope_find", **given)
    if found is None:
        raise Overtaken
    return found


async def open_known_scope(ctx: Context, user_id: str | None, namespace: str) -> ScopeMark:
    """The scope of something that was found in it just now; raises Overtaken when it went since."""
    try:
        return await open_scope(ctx, user_id, namespace)
    except Forgotten:
        raise Overtaken from None
