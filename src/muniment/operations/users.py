"""users.*: who is known, whether anything is stored about them, and again once forgotten."""

from dataclasses import dataclass

from muniment.errors import Forbidden, NotFound
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Count, Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.ledger import reopen_user
from muniment.records.rereviews import open_rereview
from muniment.records.scopes import UserRow, ensure_user, find_user

_CURSORS = Cursors(tuple[Identifier])


@command
class OptOut:
    """Refuse what is written about a user from now on, known before or not.

    What is held stays: ``forget`` removes it, and comes first, since it removes this too.
    """

    user_id: Identifier


@command
class OptIn:
    """End an opting out. What was refused meanwhile does not come back."""

    user_id: Identifier


@command
class Reopen:
    """Take writes about a forgotten user again. Nothing that went comes back: it is a new start."""

    user_id: Identifier


@command
class ListUsers:
    """The users of whom something is or was stored and who were not forgotten, by their names."""

    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class KnownUser:
    """A user, since when they are known, and since when they have opted out, if they have."""

    user_id: str
    known_since: Instant
    opted_out_at: Instant | None


@dataclass(frozen=True)
class Users:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[KnownUser, ...]
    next: str | None


@dataclass(frozen=True)
class Reopened:
    """Whose writes are taken again, and how many forgets had closed them."""

    user_id: str
    forgets: Count


@dataclass(frozen=True)
class UserConsent:
    """Since when a user has opted out; none if they have not."""

    user_id: str
    opted_out_at: Instant | None


async def opt_out(command: OptOut, ctx: Context) -> UserConsent:
    """Doing it again changes nothing. A write that was under way before may still be stored."""
    user = await ensure_user(ctx, command.user_id)
    await ctx.unit.run("user_opt_out", user_pk=user.user_pk, now=ctx.now)
    return await _consent(ctx, command.user_id, user)


async def opt_in(command: OptIn, ctx: Context) -> UserConsent:
    """Raises NotFound for a user who is not known, and so has not opted out."""
    user = await find_user(ctx, command.user_id)
    if user is None:
        raise NotFound("There is no such user.")
    await ctx.unit.run("user_opt_in", user_pk=user.user_pk)
    if user.opted_out_at is not None:
        await open_rereview(ctx, "consent", "users.opt_in", {}, user_pk=user.user_pk)
    return await _consent(ctx, command.user_id, user)


async def reopen(command: Reopen, ctx: Context) -> Reopened:
    """Raises NotFound for a user who was not forgotten, or was reopened since, and Forbidden for a
    key of one user, which is not above what was decided of that user.
    """
    if ctx.caller.user_id is not None:
        raise Forbidden("This key is for one user: it reopens nobody.")
    ended = await reopen_user(ctx, command.user_id)
    if not ended:
        raise NotFound("No such user was forgotten.")
    ctx.trail.subjects += ended
    ctx.trail.detail |= {"forgets": len(ended)}
    return Reopened(command.user_id, len(ended))


async def list_users(command: ListUsers, ctx: Context) -> Users:
    """One page. A key of one user lists nobody."""
    rows = await ctx.unit.rows(
        KnownUser,
        "users_page",
        after=(_CURSORS.read(command.cursor) or (None,))[0],
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return Users(tuple(page), None if last is None else _CURSORS.after((last.user_id,)))


async def _consent(ctx: Context, user_id: str, user: UserRow) -> UserConsent:
    now = await find_user(ctx, user_id)
    ctx.trail.subjects.append(user.user_pk)
    return UserConsent(user_id, None if now is None else now.opted_out_at)


OPERATIONS = (
    Operation(
        name="users.list",
        summary="List the users who are known",
        command=ListUsers,
        result=Users,
        handler=list_users,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("GET", "/v1/users"),
        columns=("items.user_id", "items.known_since", "items.opted_out_at"),
    ),
    Operation(
        name="users.opt_out",
        summary="Refuse what is written about a user",
        command=OptOut,
        result=UserConsent,
        handler=opt_out,
        effect=Effect.WRITE,
        verb="forget",
        layer=None,
        http=Http("POST", "/v1/users/{user_id}/opt-out"),
    ),
    Operation(
        name="users.opt_in",
        summary="Take what is written about a user again",
        command=OptIn,
        result=UserConsent,
        handler=opt_in,
        effect=Effect.WRITE,
        verb="operate",
        layer=None,
        http=Http("POST", "/v1/users/{user_id}/opt-in"),
        errors=(NotFound,),
    ),
    Operation(
        name="users.reopen",
        summary="Take what is written about a forgotten user again",
        command=Reopen,
        result=Reopened,
        handler=reopen,
        effect=Effect.WRITE,
        verb="operate",
        layer=None,
        http=Http("POST", "/v1/users/{user_id}/reopen"),
        errors=(NotFound,),
    ),
)
