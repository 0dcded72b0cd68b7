"""sessions.*: look at a session, close it, consolidate it."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.domain.reconcile import Outcome
from muniment.errors import Forbidden, NotFound, WritesRefused
from muniment.operations.items import readable_tiers
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Identifier, Instant, command
from muniment.ports import Context
from muniment.records.candidates import Decided
from muniment.records.consolidation import foresee
from muniment.records.scopes import DEFAULT_NAMESPACE, lock_scope, open_scope
from muniment.records.sessions import (
    SessionRow,
    enqueue_consolidation,
    open_session,
    require_session,
)

_PATH = "/v1/users/{user_id}/sessions/{session_id}"
SessionOutcome = Literal["success", "failure", "partial", "abandoned"]


@command
class GetSession:
    """A session by its name."""

    user_id: Identifier
    session_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class OpenSession:
    """Open a session, or say anew whether it stores what is said in it.

    With ``no_store`` it takes no events and nothing rests on it, from here on; working memory it
    takes. Without the field a session that there is stays as it is, and a new one stores.
    """

    user_id: Identifier
    session_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    no_store: bool | None = None


@command
class CloseSession:
    """Close a session; ``outcome`` labels the episode that is made of it."""

    user_id: Identifier
    session_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    outcome: SessionOutcome | None = None


@command
class ConsolidateSession:
    """Consolidate what was written so far, whether or not the session is closed.

    With ``dry_run`` nothing is enqueued nor written: the answer says what would become of it.
    """

    user_id: Identifier
    session_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    dry_run: bool = False


@dataclass(frozen=True)
class Session:
    """A session. ``dirty``: events came in since it was last consolidated. ``no_store``: it takes
    none.
    """

    session_id: str
    no_store: bool
    opened_at: Instant
    last_event_at: Instant
    closed_at: Instant | None
    outcome: str | None
    dirty: bool
    events: int
    kept: int


@dataclass(frozen=True)
class SessionJob:
    """The session, and the number of the job that consolidates it, if one was enqueued now."""

    session: Session
    job_id: int | None


@dataclass(frozen=True)
class CandidateMemory:
    """What a session's ``turns`` say, and what became or would become of it, by which rule.

    ``memory_id`` is the memory that it concerns, if that is there already.
    """

    kind: str
    text: str
    slot: str | None
    value: str | None
    subject: str | None
    data_source: str | None
    valid_from: Instant | None
    valid_to: Instant | None
    retracts: bool
    turns: tuple[int, ...]
    outcome: Outcome
    rule: str
    memory_id: UUID | None


@dataclass(frozen=True)
class Consolidation:
    """The session, and the number of the job that consolidates it, if one was enqueued now.

    Of a dry run: the ``candidates`` that are new, and the tokens that a model may use for them at
    most. ``unsupported_language``: the rules do not read this session's language.
    """

    session: Session
    job_id: int | None
    candidates: tuple[CandidateMemory, ...]
    estimated_tokens: int | None
    unsupported_language: bool


@dataclass(frozen=True)
class _Counts:
    events: int
    kept: int


async def get(command: GetSession, ctx: Context) -> Session:
    """Raises NotFound."""
    row = await require_session(ctx, command.user_id, command.namespace, command.session_id)
    return await _session(ctx, row)


async def open_(command: OpenSession, ctx: Context) -> Session:
    """Opening again changes nothing but what it says."""
    mark = await open_scope(ctx, command.user_id, command.namespace)
    row = await open_session(ctx, mark.scope_id, command.session_id, mark.watermark, scratch=True)
    if command.no_store is not None and command.no_store != row.no_store:
        row = replace(row, no_store=command.no_store)
        await ctx.unit.run(
            "session_store",
            scope_id=row.scope_id,
            session_pk=row.session_pk,
            no_store=row.no_store,
        )
    ctx.trail.subjects.append(row.session_pk)
    ctx.trail.detail |= {"no_store": row.no_store}
    return await _session(ctx, row)


async def close(command: CloseSession, ctx: Context) -> SessionJob:
    """Closing again changes nothing; new events open the session again.

    Raises WritesRefused for the session that tells of a run, as ``sessions.consolidate`` does.
    """
    row = await require_session(ctx, command.user_id, command.namespace, command.session_id)
    row.refuse_runs()
    mark = await lock_scope(ctx, row.scope_id)
    await ctx.unit.run(
        "session_close",
        scope_id=row.scope_id,
        session_pk=row.session_pk,
        at=mark.watermark,
        outcome=command.outcome,
    )
    if command.outcome is not None and command.outcome != row.outcome:
        await _mark_dirty(ctx, row, mark.watermark)
    await ctx.unit.run("working_clear", scope_id=row.scope_id, session_pk=row.session_pk)
    return await _enqueued(ctx, row)


async def consolidate(command: ConsolidateSession, ctx: Context) -> Consolidation:
    """Enqueue the consolidation of a session that is behind, or say what it would decide.

    A dry run shows memories: raises Forbidden for a key that does not reach them.
    """
    row = await require_session(ctx, command.user_id, command.namespace, command.session_id)
    if command.dry_run:
        return await _foreseen(ctx, row)
    row.refuse_runs()
    await lock_scope(ctx, row.scope_id)
    done = await _enqueued(ctx, row)
    return Consolidation(done.session, done.job_id, (), None, unsupported_language=False)


async def _foreseen(ctx: Context, row: SessionRow) -> Consolidation:
    if "semantic" not in readable_tiers(ctx, None):
        raise Forbidden("A dry run shows memories; this key does not reach the layer 'semantic'.")
    foreseen = await foresee(ctx, row.scope_id, row.session_pk)
    if foreseen is None:
        raise NotFound("The session was forgotten.")
    ctx.trail.subjects.append(row.session_pk)
    ctx.trail.detail |= {"dry_run": True}
    return Consolidation(
        session=await _session(ctx, row),
        job_id=None,
        candidates=tuple(_shown(one) for one in foreseen.decided),
        estimated_tokens=foreseen.tokens,
        unsupported_language=foreseen.unsupported_language,
    )


def _shown(one: Decided) -> CandidateMemory:
    said = one.candidate
    return CandidateMemory(
        kind=said.kind,
        text=said.text,
        slot=said.slot,
        value=said.value,
        subject=said.subject,
        data_source=said.data_source,
        valid_from=said.valid_from,
        valid_to=said.valid_to,
        retracts=said.retracts,
        turns=said.cited,
        outcome=one.outcome,
        rule=one.rule,
        memory_id=None if one.made else one.memory_id,
    )


async def _mark_dirty(ctx: Context, row: SessionRow, at: datetime) -> None:
    await ctx.unit.run("session_dirty", scope_id=row.scope_id, session_pk=row.session_pk, at=at)


async def _enqueued(ctx: Context, row: SessionRow) -> SessionJob:
    now = await ctx.unit.one(
        SessionRow, "session_by_pk", scope_id=row.scope_id, session_pk=row.session_pk
    )
    if now is None:
        raise NotFound("The session was forgotten.")
    job_id = None
    if now.dirty_since is not None:
        job_id = await enqueue_consolidation(ctx, row.scope_id, row.session_pk)
    ctx.trail.subjects.append(row.session_pk)
    return SessionJob(await _session(ctx, now), job_id)


async def _session(ctx: Context, row: SessionRow) -> Session:
    counts = await ctx.unit.one(
        _Counts,
        "session_counts",
        scope_id=row.scope_id,
        session_pk=row.session_pk,
        now=ctx.now,
    ) or _Counts(0, 0)
    return Session(
        session_id=row.session_id,
        no_store=row.no_store,
        opened_at=row.opened_at,
        last_event_at=row.last_event_at,
        closed_at=row.closed_at,
        outcome=row.outcome,
        dirty=row.dirty_since is not None,
        events=counts.events,
        kept=counts.kept,
    )


OPERATIONS = (
    Operation(
        name="sessions.get",
        summary="Show a session",
        command=GetSession,
        result=Session,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="episodic",
        http=Http("GET", _PATH),
        errors=(NotFound,),
    ),
    Operation(
        name="sessions.open",
        summary="Open a session, one that stores nothing if wanted",
        command=OpenSession,
        result=Session,
        handler=open_,
        effect=Effect.WRITE,
        verb="write",
        layer="episodic",
        http=Http("PUT", _PATH),
        errors=(WritesRefused,),
    ),
    Operation(
        name="sessions.close",
        summary="Close a session and consolidate it",
        command=CloseSession,
        result=SessionJob,
        handler=close,
        effect=Effect.WRITE,
        verb="write",
        layer="episodic",
        http=Http("POST", f"{_PATH}/close"),
        errors=(NotFound, WritesRefused),
    ),
    Operation(
        name="sessions.consolidate",
        summary="Consolidate a session",
        command=ConsolidateSession,
        result=Consolidation,
        handler=consolidate,
        effect=Effect.WRITE,
        verb="write",
        layer="episodic",
        http=Http("POST", f"{_PATH}/consolidate"),
        errors=(Forbidden, NotFound, WritesRefused),
        columns=(
            "candidates.outcome",
            "candidates.rule",
            "candidates.kind",
            "candidates.text",
            "candidates.turns",
        ),
    ),
)
