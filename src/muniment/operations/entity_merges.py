"""entities.*: what turns out to be one, and what is not needed any more."""

from dataclasses import dataclass
from uuid import UUID

from muniment.errors import Conflict, Fault, Forbidden, InvalidInput, NotFound, WritesRefused
from muniment.operations.entity_items import (
    NO_ENTITY,
    Entity,
    entity_named,
    entity_of,
    entity_there,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Identifier, command
from muniment.ports import Context, ScopeMark
from muniment.records import entity_merges
from muniment.records.entities import EntityRow
from muniment.records.entity_merges import Merge, open_versions, supporting
from muniment.records.memories import subject_of
from muniment.records.scopes import (
    DEFAULT_NAMESPACE,
    find_scope,
    hold_scopes,
    lock_scope,
    open_scope,
)


@command
class MergeEntities:
    """Two entities are one: what is held of ``name`` is stated of ``into``, by the rules of trust
    and supersession. Without ``into`` it turned out to be the user.
    """

    name: Identifier
    into: Identifier | None = None
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class UnmergeEntities:
    """Undo a merge: what was held of both before is held again."""

    merge_id: UUID


@command
class RemoveEntity:
    """Let go of an entity and its names. What is said of it is forgotten first."""

    name: Identifier
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE


@dataclass(frozen=True)
class Merged:
    """What was merged into what, and how many facts were stated anew."""

    merge_id: UUID
    entity: Entity
    facts: Count


@dataclass(frozen=True)
class Unmerged:
    """How many facts are held again as they were."""

    merge_id: UUID
    facts: Count


@dataclass(frozen=True)
class Removed:
    """What is not there any more."""

    id: UUID


async def merge(command: MergeEntities, ctx: Context) -> Merged:
    """Raises NotFound for a name that nothing goes by, Conflict where both are one already."""
    if command.into is None and command.user_id is None:
        raise InvalidInput(faults=[Fault("/into", "is needed: the organisation is no entity")])
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        raise NotFound(NO_ENTITY)
    source = await entity_named(ctx, scope.scope_id, command.name, "/name")
    sources = await _sources(ctx, scope.scope_id, source)
    await hold_scopes(ctx, sources - {scope.scope_id})
    mark = await open_scope(ctx, command.user_id, command.namespace)
    source = await entity_named(ctx, mark.scope_id, command.name, "/name")
    if not await _sources(ctx, mark.scope_id, source) <= sources:
        raise Conflict("Something was said of it meanwhile; try again.")
    target = await _target(ctx, mark, command.into)
    if source.entity_id == target.entity_id:
        raise Conflict("Both names are of one entity already.", faults=[Fault("/into", "")])
    if source.kind == "self":
        raise InvalidInput(faults=[Fault("/name", "is the user; merge into the user instead")])
    merge_id = ctx.ids.new()
    count = await entity_merges.merge(ctx, mark, source, target, merge_id)
    ctx.trail.subjects += [source.entity_id, target.entity_id, merge_id]
    ctx.trail.detail["facts"] = count
    return Merged(
        merge_id, entity_of(await entity_there(ctx, mark.scope_id, target.entity_id)), count
    )


async def unmerge(command: UnmergeEntities, ctx: Context) -> Unmerged:
    """Raises NotFound, and Conflict where it was undone before or facts have changed since."""
    done = await ctx.unit.one(Merge, "entity_merge_find", merge_id=command.merge_id)
    if done is None or not _reaches(ctx, done):
        raise NotFound("There is no such merge.")
    mark = await lock_scope(ctx, done.scope_id)
    done = await ctx.unit.one(Merge, "entity_merge_find", merge_id=command.merge_id)
    if done is None:
        raise NotFound("There is no such merge.")
    if done.undone_at is not None:
        raise Conflict("This merge was undone before.")
    count = await entity_merges.undo(ctx, mark, done, command.merge_id)
    ctx.trail.subjects += [done.source_id, done.target_id, command.merge_id]
    ctx.trail.detail["facts"] = count
    return Unmerged(command.merge_id, count)


async def remove(command: RemoveEntity, ctx: Context) -> Removed:
    """Raises NotFound, and Conflict while something is said of it."""
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        raise NotFound(NO_ENTITY)
    mark = await lock_scope(ctx, scope.scope_id)
    entity = await entity_named(ctx, mark.scope_id, command.name, "/name")
    place = {"scope_id": mark.scope_id, "entity_id": entity.entity_id}
    if entity.kind == "self" or await ctx.unit.value("entity_said_of", **place):
        raise Conflict("Something is said of it; forget that first, by its subject.")
    await ctx.unit.run("entity_remove", scope_id=mark.scope_id, entities=[entity.entity_id])
    ctx.trail.subjects.append(entity.entity_id)
    return Removed(entity.entity_id)


def _reaches(ctx: Context, done: Merge) -> bool:
    """A key of one user sees that user's alone."""
    return ctx.caller.user_id is None or ctx.caller.user_id == done.user_id


async def _sources(ctx: Context, scope_id: UUID, source: EntityRow) -> set[UUID]:
    """The scopes of the turns that what is held of an entity rests on."""
    held = await open_versions(ctx, scope_id, source.entity_id)
    return {one.scope_id for one in await supporting(ctx, scope_id, held)}


async def _target(ctx: Context, mark: ScopeMark, name: str | None) -> EntityRow:
    if name is not None:
        return await entity_named(ctx, mark.scope_id, name, "/into")
    return await entity_there(ctx, mark.scope_id, await subject_of(ctx, mark, None))


OPERATIONS = (
    Operation(
        name="entities.merge",
        summary="State of one entity what is held of another that turned out to be the same",
        command=MergeEntities,
        result=Merged,
        handler=merge,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/entities/{name}/merge"),
        errors=(NotFound, Conflict, Forbidden, WritesRefused),
    ),
    Operation(
        name="entities.unmerge",
        summary="Undo a merge of entities",
        command=UnmergeEntities,
        result=Unmerged,
        handler=unmerge,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/entity-merges/{merge_id}/undo"),
        checks_user=True,
        errors=(NotFound, Conflict, Forbidden),
    ),
    Operation(
        name="entities.remove",
        summary="Let go of an entity that nothing is said of",
        command=RemoveEntity,
        result=Removed,
        handler=remove,
        effect=Effect.DESTRUCTIVE,
        verb="forget",
        layer="semantic",
        http=Http("DELETE", "/v1/entities/{name}"),
        errors=(NotFound, Conflict),
    ),
)
