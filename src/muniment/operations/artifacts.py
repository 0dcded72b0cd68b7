"""artifacts.*: the blackboard of a run, where agents leave typed documents for each other."""

import hashlib
from dataclasses import dataclass
from json import dumps
from typing import Annotated
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain.artifacts import MOST_CHANGES, ChangeKind, changes
from muniment.domain.schemas import UncheckableError, value_flaws
from muniment.errors import (
    Conflict,
    Fault,
    InvalidInput,
    NotFound,
    RunClosed,
    StaleVersion,
    WritesRefused,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.run_state import json_within
from muniment.operations.types import Count, Identifier, Instant, Json, Page, command
from muniment.ports import Context
from muniment.records.apart import worked_out_in_turn
from muniment.records.artifacts import (
    ArtifactRow,
    SchemaRow,
    VersionRow,
    find_artifact,
    find_schema,
)
from muniment.records.runs import RunRow, find_run, lock_run, may_store, note_state

MAX_ARTIFACT_BYTES = 64 * 1024
MOST_ARTIFACTS = 1000
_NAMES = Cursors(tuple[Identifier])
_VERSIONS = Cursors(tuple[int])
Version = Annotated[int, Ge(1), Le(2**31 - 1)]


@command
class PutArtifact:
    """Write the next version of an artifact of a run. ``if_version`` is the one that it follows, 0
    for a new one. It is of the last version of its ``schema``, or of another ``schema_version``.

    No lease is needed: agents share a blackboard, and the version says who was first.
    """

    run_id: UUID
    name: Identifier
    schema: Identifier
    value: Annotated[Json, json_within(MAX_ARTIFACT_BYTES)]
    if_version: Annotated[int, Ge(0), Le(2**31 - 2)]
    schema_version: Version | None = None
    agent_id: Identifier | None = None


@command
class GetArtifact:
    """An artifact as it is, or a ``version`` that does not change any more."""

    run_id: UUID
    name: Identifier
    version: Version | None = None


@command
class ListArtifacts:
    """The artifacts of a run by name, without their values."""

    run_id: UUID
    cursor: Cursor | None = None
    limit: Page = 50


@command
class ArtifactHistory:
    """The versions of an artifact, latest first, without their values."""

    run_id: UUID
    name: Identifier
    cursor: Cursor | None = None
    limit: Page = 50


@command
class DiffArtifact:
    """What changed between two versions of an artifact."""

    run_id: UUID
    name: Identifier
    from_version: Version
    to_version: Version


@dataclass(frozen=True)
class Artifact:
    """A version of an artifact; ``step`` is the run's checkpoint after which it was put."""

    run_id: UUID
    name: str
    version: Count
    schema: str
    schema_version: Count
    value: Json
    step: Count
    agent_id: str | None
    put_at: Instant


@dataclass(frozen=True)
class ArtifactVersion:
    """The same without its value; ``bytes`` are those of its JSON."""

    name: str
    version: Count
    schema: str
    schema_version: Count
    bytes: Count
    step: Count
    agent_id: str | None
    put_at: Instant


@dataclass(frozen=True)
class ArtifactVersions:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ArtifactVersion, ...]
    next: str | None


@dataclass(frozen=True)
class PutDone:
    """The version that was written, and the one of its type."""

    run_id: UUID
    name: str
    version: Count
    schema: str
    schema_version: Count


@dataclass(frozen=True)
class ArtifactChange:
    """What is at a place before and after; of lists, at the same index."""

    pointer: str
    change: ChangeKind
    before: Json
    after: Json


@dataclass(frozen=True)
class ArtifactDifference:
    """The smallest places that changed: the first 1,000; ``whole`` says whether that is all."""

    name: str
    from_version: Count
    to_version: Count
    changes: tuple[ArtifactChange, ...]
    whole: bool


async def put(command: PutArtifact, ctx: Context) -> PutDone:
    """The same again answers the same. Raises StaleVersion where another version is the last, and
    InvalidInput for a value that breaks its schema, or another type than the artifact has.
    """
    found = await find_run(ctx, command.run_id)
    done = _again(found, command, await find_artifact(ctx, found, command.name))
    if done is not None:
        await _lock(ctx, command)
        return done
    schema = await _schema(ctx, command)
    await _check(command, schema)
    run = await _lock(ctx, command)
    last = await find_artifact(ctx, run, command.name)
    done = _again(run, command, last)
    if done is not None:
        return done
    await may_store(ctx, run)
    version, digest = command.if_version + 1, _digest(command, schema.version)
    done = PutDone(run.run_id, command.name, version, schema.name, schema.version)
    if (last.version if last else 0) != command.if_version:
        raise StaleVersion(extra={"version": last.version if last else 0})
    if last is not None and last.schema != schema.name:
        raise InvalidInput(faults=[Fault("/schema", "is not the type of this artifact")])
    await _store(ctx, run, command, done, digest)
    name = f"artifact:{ctx.digest(command.name)}"
    note_state(ctx, run, name, None if last is None else last.digest, digest)
    return done


async def _schema(ctx: Context, command: PutArtifact) -> SchemaRow:
    found = await find_schema(ctx, command.schema, command.schema_version)
    if found is not None:
        return found
    if command.schema_version is None or await find_schema(ctx, command.schema) is None:
        raise InvalidInput(faults=[Fault("/schema", "is not registered; see schemas.register")])
    raise InvalidInput(faults=[Fault("/schema_version", "is no version of this type")])


async def _lock(ctx: Context, command: PutArtifact) -> RunRow:
    run = await lock_run(ctx, command.run_id)
    if run.closed_at is not None:
        raise RunClosed
    version = command.if_version + 1
    ctx.trail.detail |= {"artifact": ctx.digest(command.name), "version": version}
    return run


def _again(run: RunRow, command: PutArtifact, last: ArtifactRow | None) -> PutDone | None:
    """The answer to who puts the last version again, whatever became of its type meanwhile."""
    if last is None or last.version != command.if_version + 1:
        return None
    if command.schema_version not in {None, last.schema_version}:
        return None
    if _digest(command, last.schema_version) != last.digest:
        return None
    return PutDone(run.run_id, command.name, last.version, last.schema, last.schema_version)


async def _check(command: PutArtifact, schema: SchemaRow) -> None:
    try:
        flaws = await worked_out_in_turn(lambda: value_flaws(schema.schema, command.value))
    except UncheckableError as error:
        raise InvalidInput(faults=[Fault("/value", str(error))]) from None
    if flaws:
        raise InvalidInput(faults=[Fault(f"/value{one.pointer}", one.what) for one in flaws])


def _digest(command: PutArtifact, schema_version: int) -> bytes:
    said = [command.schema, schema_version, command.value, command.agent_id]
    return hashlib.sha256(dumps(said, sort_keys=True).encode()).digest()


async def _store(
    ctx: Context, run: RunRow, command: PutArtifact, done: PutDone, digest: bytes
) -> None:
    if command.if_version == 0:
        held = int(await ctx.unit.value("artifacts_held", **run.place))
        if held >= MOST_ARTIFACTS:
            raise Conflict(f"A run has {MOST_ARTIFACTS} artifacts at most.")
    await ctx.unit.run(
        "artifact_insert",
        **run.place,
        name=command.name,
        version=done.version,
        schema=done.schema,
        schema_version=done.schema_version,
        value=dumps(command.value, ensure_ascii=False),
        digest=digest,
        step=run.step,
        agent_id=command.agent_id,
        key_id=ctx.caller.key_id,
        now=ctx.now,
    )


async def get(command: GetArtifact, ctx: Context) -> Artifact:
    """Raises NotFound for a run, an artifact or a version that is not there."""
    run = await find_run(ctx, command.run_id)
    row = await _found(ctx, run, command.name, command.version)
    known = {key: value for key, value in vars(row).items() if key != "digest"}
    return Artifact(run_id=run.run_id, **known)


async def _found(ctx: Context, run: RunRow, name: str, version: int | None) -> ArtifactRow:
    row = await find_artifact(ctx, run, name, version)
    if row is None:
        raise NotFound("There is no such artifact, or no such version of it.")
    return row


async def list_artifacts(command: ListArtifacts, ctx: Context) -> ArtifactVersions:
    """Raises NotFound."""
    place = _NAMES.read(command.cursor)
    run = await find_run(ctx, command.run_id)
    rows = await ctx.unit.rows(
        VersionRow,
        "artifact_page",
        **run.place,
        after=None if place is None else place[0],
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return ArtifactVersions(
        items=tuple(ArtifactVersion(**vars(row)) for row in page),
        next=None if last is None else _NAMES.after((last.name,)),
    )


async def history(command: ArtifactHistory, ctx: Context) -> ArtifactVersions:
    """Raises NotFound for a run that is not there; of an unknown artifact there are no versions."""
    place = _VERSIONS.read(command.cursor)
    run = await find_run(ctx, command.run_id)
    rows = await ctx.unit.rows(
        VersionRow,
        "artifact_versions",
        **run.place,
        name=command.name,
        after=None if place is None else min(place[0], 2**31 - 1),
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return ArtifactVersions(
        items=tuple(ArtifactVersion(**vars(row)) for row in page),
        next=None if last is None else _VERSIONS.after((last.version,)),
    )


async def diff(command: DiffArtifact, ctx: Context) -> ArtifactDifference:
    """Raises NotFound for a version that is not there."""
    run = await find_run(ctx, command.run_id)
    before = await _found(ctx, run, command.name, command.from_version)
    after = await _found(ctx, run, command.name, command.to_version)
    found = changes(before.value, after.value)
    return ArtifactDifference(
        name=command.name,
        from_version=before.version,
        to_version=after.version,
        changes=tuple(ArtifactChange(**vars(one)) for one in found[:MOST_CHANGES]),
        whole=len(found) <= MOST_CHANGES,
    )


OPERATIONS = (
    Operation(
        name="artifacts.put",
        summary="Write the next version of an artifact of a run",
        command=PutArtifact,
        result=PutDone,
        handler=put,
        effect=Effect.WRITE,
        verb="write",
        layer="run",
        http=Http("PUT", "/v1/runs/{run_id}/artifacts/{name}"),
        checks_user=True,
        errors=(NotFound, StaleVersion, RunClosed, Conflict, WritesRefused),
    ),
    Operation(
        name="artifacts.get",
        summary="Show an artifact of a run, or a version of it",
        command=GetArtifact,
        result=Artifact,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/artifacts/{name}"),
        checks_user=True,
        errors=(NotFound,),
    ),
    Operation(
        name="artifacts.list",
        summary="List the artifacts of a run",
        command=ListArtifacts,
        result=ArtifactVersions,
        handler=list_artifacts,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/artifacts"),
        checks_user=True,
        errors=(NotFound,),
        columns=("items.name", "items.version", "items.schema", "items.bytes", "items.put_at"),
    ),
    Operation(
        name="artifacts.history",
        summary="List the versions of an artifact",
        command=ArtifactHistory,
        result=ArtifactVersions,
        handler=history,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/artifacts/{name}/versions"),
        checks_user=True,
        errors=(NotFound,),
        columns=("items.version", "items.schema_version", "items.bytes", "items.put_at"),
    ),
    Operation(
        name="artifacts.diff",
        summary="Show what changed between two versions of an artifact",
        command=DiffArtifact,
        result=ArtifactDifference,
        handler=diff,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/artifacts/{name}/diff"),
        checks_user=True,
        errors=(NotFound,),
    ),
)
