"""Sessions: found or opened by the name that the caller gave them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.errors import NotFound, Overtaken, WritesRefused
from muniment.ports import Context
from muniment.records.ledger import refuse_forgotten_session
from muniment.records.scopes import find_scope

CONSOLIDATE = "consolidate_session"


@dataclass(frozen=True)
class SessionRow:
    """A session as it is stored."""

    session_pk: UUID
    scope_id: UUID
    session_id: str
    no_store: bool
    opened_at: datetime
    last_event_at: datetime
    dirty_since: datetime | None
    closed_at: datetime | None
    outcome: str | None
    run_id: UUID | None
    erased_turns: str = "{}"

    @property
    def place(self) -> dict[str, UUID]:
        """Where its rows are, as parameters of statements."""
        return {"scope_id": self.scope_id, "session_pk": self.session_pk}

    def refuse_runs(self) -> None:
        """Raises WritesRefused for the session that tells of a run."""
        if self.run_id is not None:
            raise WritesRefused("This session tells of a run, and takes nothing else.")


async def find_session(ctx: Context, scope_id: UUID, session_id: str) -> SessionRow | None:
    """The session of this name in a scope, if there is one."""
    return await ctx.unit.one(SessionRow, "session_find", scope_id=scope_id, session_id=session_id)


async def require_session(
    ctx: Context, user_id: str, namespace: str, session_id: str
) -> SessionRow:
    """The session of this name; raises NotFound."""
    scope = await find_scope(ctx, user_id, namespace)
    found = None if scope is None else await find_session(ctx, scope.scope_id, session_id)
    if found is None:
        raise NotFound("There is no such session of this user.")
    return found


async def open_session(
    ctx: Context, scope_id: UUID, session_id: str, at: datetime, *, scratch: bool = False
) -> SessionRow:
    """The session for a write, made on first use. Raises Forgotten for one that was forgotten,
    WritesRefused for one that tells of a run, and when it stores nothing, unless what is written is
    ``scratch``: that is not remembered anyway.
    """
    found = await find_session(ctx, scope_id, session_id)
    if found is None:
        await refuse_forgotten_session(ctx, scope_id, session_id)
        await ctx.unit.run(
            "session_ensure",
            scope_id=scope_id,
            session_pk=ctx.ids.new(),
            session_id=session_id,
            at=at,
        )
        found = await find_session(ctx, scope_id, session_id)
    if found is None:
        raise Overtaken
    found.refuse_runs()
    if found.no_store and not scratch:
        raise WritesRefused("This session stores nothing.")
    return found


async def enqueue_consolidation(ctx: Context, scope_id: UUID, session_pk: UUID) -> int | None:
    """One job a session: None if one waits already."""
    return await ctx.queue.defer(
        ctx.unit,
        CONSOLIDATE,
        f"{CONSOLIDATE}:{session_pk}",
        tenant_id=str(ctx.unit.tenant_id),
        scope_id=str(scope_id),
        session_pk=str(session_pk),
    )
