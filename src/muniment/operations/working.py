"""working.*: scratch state of a session, by key; never embedded, never searched."""

from dataclasses import dataclass
from datetime import timedelta
from json import dumps
from typing import Annotated

from annotated_types import Ge, Le

from muniment.errors import Conflict, NotFound, WritesRefused
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Json, Page, command
from muniment.ports import Context
from muniment.records.scopes import DEFAULT_NAMESPACE, open_scope
from muniment.records.sessions import open_session, require_session

_PATH = "/v1/users/{user_id}/sessions/{session_id}/working"
_MONTH = 30 * 24 * 3600
_CURSORS = Cursors(tuple[Identifier])


@command
class PutWorking:
    """Set a key. ``if_version`` 0 asks that there be none, N that version N is there."""

    user_id: Identifier
    session_id: Identifier
    key: Identifier
    value: Json
    namespace: Identifier = DEFAULT_NAMESPACE
    ttl_seconds: Annotated[int, Ge(1), Le(_MONTH)] | None = None
    if_version: Annotated[int, Ge(0), Le(2**53 - 1)] | None = None


@command
class GetWorking:
    """The value of a key."""

    user_id: Identifier
    session_id: Identifier
    key: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class ListWorking:
    """Keys of a session in order."""

    user_id: Identifier
    session_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    cursor: Cursor | None = None
    limit: Page = 100


@command
class DeleteWorking:
    """Remove a key."""

    user_id: Identifier
    session_id: Identifier
    key: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE


@dataclass(frozen=True)
class WorkingStored:
    """The version that the key has now, and when it goes."""

    key: str
    version: int
    expires_at: Instant


@dataclass(frozen=True)
class WorkingItem:
    """A value with its version."""

    key: str
    value: Json
    version: int
    updated_at: Instant
    expires_at: Instant


@dataclass(frozen=True)
class WorkingKey:
    """A key without its value."""

    key: str
    version: int
    updated_at: Instant
    expires_at: Instant


@dataclass(frozen=True)
class WorkingKeys:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[WorkingKey, ...]
    next: str | None


@dataclass(frozen=True)
class WorkingDeleted:
    """Which key went."""

    key: str


async def put(command: PutWorking, ctx: Context) -> WorkingStored:
    """Raises Conflict when ``if_version`` is not the version that is there."""
    mark = await open_scope(ctx, command.user_id, command.namespace)
    session = await open_session(
        ctx, mark.scope_id, command.session_id, mark.watermark, scratch=True
    )
    life = ctx.policy.working_ttl
    if command.ttl_seconds is not None:
        life = timedelta(seconds=command.ttl_seconds)
    version = await ctx.unit.value(
        "working_put",
        scope_id=mark.scope_id,
        session_pk=session.session_pk,
        key=command.key,
        value=dumps(command.value),
        now=ctx.now,
        expires_at=ctx.now + life,
        if_version=command.if_version,
    )
    if version is None or (command.if_version and version == 1):
        raise Conflict("The key has another version now.")
    ctx.trail.subjects.append(session.session_pk)
    return WorkingStored(command.key, version, ctx.now + life)


async def get(command: GetWorking, ctx: Context) -> WorkingItem:
    """Raises NotFound for a key that is not there or has expired."""
    session = await require_session(ctx, command.user_id, command.namespace, command.session_id)
    item = await ctx.unit.one(
        WorkingItem,
        "working_get",
        scope_id=session.scope_id,
        session_pk=session.session_pk,
        key=command.key,
        now=ctx.now,
    )
    if item is None:
        raise NotFound("There is no such key in this session.")
    return item


async def list_keys(command: ListWorking, ctx: Context) -> WorkingKeys:
    """Keys without values, a page at a time."""
    place = _CURSORS.read(command.cursor)
    session = await require_session(ctx, command.user_id, command.namespace, command.session_id)
    rows = await ctx.unit.rows(
        WorkingKey,
        "working_list",
        scope_id=session.scope_id,
        session_pk=session.session_pk,
        now=ctx.now,
        after=None if place is None else place[0],
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return WorkingKeys(tuple(page), None if last is None else _CURSORS.after((last.key,)))


async def delete(command: DeleteWorking, ctx: Context) -> WorkingDeleted:
    """Raises NotFound for a key that is not there."""
    session = await require_session(ctx, command.user_id, command.namespace, command.session_id)
    alive = await ctx.unit.value(
        "working_delete",
        scope_id=session.scope_id,
        session_pk=session.session_pk,
        key=command.key,
        now=ctx.now,
    )
    if not alive:
        raise NotFound("There is no such key in this session.")
    ctx.trail.subjects.append(session.session_pk)
    return WorkingDeleted(command.key)


OPERATIONS = (
    Operation(
        name="working.put",
        summary="Set a key of a session's working memory",
        command=PutWorking,
        result=WorkingStored,
        handler=put,
        effect=Effect.WRITE,
        verb="write",
        layer="working",
        http=Http("PUT", f"{_PATH}/{{key}}"),
        errors=(Conflict, WritesRefused),
        exact=("value",),
    ),
    Operation(
        name="working.get",
        summary="Read a key of a session's working memory",
        command=GetWorking,
        result=WorkingItem,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="working",
        http=Http("GET", f"{_PATH}/{{key}}"),
        errors=(NotFound,),
    ),
    Operation(
        name="working.list",
        summary="List the keys of a session's working memory",
        command=ListWorking,
        result=WorkingKeys,
        handler=list_keys,
        effect=Effect.READ,
        verb="read",
        layer="working",
        http=Http("GET", _PATH),
        errors=(NotFound,),
        columns=("items.key", "items.version", "items.updated_at", "items.expires_at"),
    ),
    Operation(
        name="working.delete",
        summary="Remove a key of a session's working memory",
        command=DeleteWorking,
        result=WorkingDeleted,
        handler=delete,
        effect=Effect.DESTRUCTIVE,
        verb="write",
        layer="working",
        http=Http("DELETE", f"{_PATH}/{{key}}"),
        errors=(NotFound,),
    ),
)
