"""entities.*: who and what facts are about, the names they go by, and what stands around them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, cast
from uuid import UUID

from annotated_types import Ge, Le, MaxLen

from muniment.domain.entity import is_the_user, name_key
from muniment.domain.instructions import is_suspect
from muniment.errors import Conflict, Fault, InvalidInput, NotFound, WritesRefused
from muniment.operations.entity_items import NO_ENTITY, Entity, entity_of, entity_there
from muniment.operations.items import Item, item_of
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Level, Page, command
from muniment.ports import Context, ScopeRow
from muniment.records.entities import (
    FactRow,
    entity_rows,
    facts_of,
    find_entity,
    mentions_of,
    named_by,
    put_entity,
    taken_names,
)
from muniment.records.items import Moment, fetch_items, moment_of
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope, open_scope

_MOST_ALIASES = 50
_MOST_AROUND = 20
_FACTS_AROUND = 5
_CURSORS = Cursors(tuple[str])


@command
class DefineEntity:
    """Name an entity: its kind (person, team, account, system, ...) and its other names.

    What is remembered with any of the names for its ``subject`` is about it. Defining it again
    gives it this kind and these aliases. Without a ``user_id`` it is the organisation's.
    """

    name: Identifier
    kind: Identifier
    aliases: Annotated[tuple[Identifier, ...], MaxLen(_MOST_ALIASES)] = ()
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class GetEntity:
    """An entity by a name that it goes by, with what holds of it and one hop around it."""

    name: Identifier
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    as_of: Instant | None = None
    known_at: Instant | None = None
    limit: Annotated[int, Ge(1), Le(200)] = 50


@command
class ListEntities:
    """Entities of a user (or, without one, of the organisation), in the order of their names."""

    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    kind: Identifier | None = None
    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class Related:
    """An entity one hop away: the facts that relate the two, and some of what holds of it.

    ``entity`` is none where the facts are about the user.
    """

    entity: Entity | None
    relations: tuple[Item, ...]
    facts: tuple[Item, ...]


@dataclass(frozen=True)
class EntityView:
    """What holds of an entity, most important first, and what stands around it."""

    entity: Entity
    facts: tuple[Item, ...]
    related: tuple[Related, ...]
    watermark: Instant


@dataclass(frozen=True)
class Entities:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Entity, ...]
    next: str | None


@dataclass(frozen=True)
class _PageRow:
    entity_id: UUID
    name_key: str


async def define(command: DefineEntity, ctx: Context) -> Entity:
    """Raises Conflict for a name that another entity has, InvalidInput for what reads like an
    instruction: names stand in answers and prompts, and cannot wait for review.
    """
    if command.kind == "self":
        raise InvalidInput(faults=[Fault("/kind", "stands for the user; choose another")])
    if is_the_user(command.name, command.user_id):
        raise InvalidInput(faults=[Fault("/name", "is how the user is called; choose another")])
    if faults := _instructing(command):
        raise InvalidInput(faults=faults)
    mark = await open_scope(ctx, command.user_id, command.namespace)
    known = await find_entity(ctx, mark.scope_id, command.name)
    if known is not None and name_key(known.name) != name_key(command.name):
        raise Conflict("This is another name of an entity already.", faults=[Fault("/name", "")])
    entity_id = ctx.ids.new() if known is None else known.entity_id
    taken = await taken_names(ctx, mark, entity_id, command.aliases)
    if taken:
        faults = [
            Fault(f"/aliases/{at}", "names another entity; merge the two if they are one")
            for at, alias in enumerate(command.aliases)
            if alias in taken
        ]
        raise Conflict("Another entity goes by this name.", faults=faults)
    await put_entity(ctx, mark, entity_id, command.name, command.kind, command.aliases)
    ctx.trail.subjects.append(entity_id)
    return entity_of(await entity_there(ctx, mark.scope_id, entity_id))


def _instructing(command: DefineEntity) -> list[Fault]:
    """Where a name talks to an agent; ``/name`` where all of them do so only together."""
    names = {"/name": command.name, "/kind": command.kind}
    names |= {f"/aliases/{at}": alias for at, alias in enumerate(command.aliases)}
    places = [place for place, name in names.items() if _suspect(name)]
    if not places and (_suspect(" ".join(names.values())) or _suspect("\n".join(names.values()))):
        places = ["/name"]
    return [Fault(place, "reads like an instruction") for place in places]


def _suspect(text: str) -> bool:
    return is_suspect([text], "agent_inferred")


async def get(command: GetEntity, ctx: Context) -> EntityView:
    """Raises NotFound for a name that nothing goes by."""
    scope = await find_scope(ctx, command.user_id, command.namespace)
    entity = None if scope is None else await find_entity(ctx, scope.scope_id, command.name)
    if scope is None or entity is None or not entity.shown:
        raise NotFound(NO_ENTITY)
    moment = moment_of(ctx, scope.watermark, command.as_of, command.known_at)
    own = await facts_of(ctx, scope.scope_id, [entity.entity_id], moment, command.limit)
    around = await mentions_of(ctx, scope.scope_id, entity, moment, command.limit)
    named = await named_by(ctx, scope.scope_id, {one.value for one in own if one.value})
    hops: dict[UUID, list[FactRow]] = {}
    for one in own:
        other = named.get(one.value or "")
        if other is not None and other != entity.entity_id:
            hops.setdefault(other, []).append(one)
    for one in around:
        hops.setdefault(one.subject_id, []).append(one)
    near = dict(islice(hops.items(), _MOST_AROUND))
    entities = await entity_rows(ctx, scope.scope_id, near)
    if len(entities) < len(near):
        raise NotFound(NO_ENTITY)
    near = {other: by for other, by in near.items() if entities[other].shown}
    around_them = {
        other: await _rest(ctx, scope, other, by, moment)
        for other, by in near.items()
        if entities[other].kind != "self"
    }
    shown = [own, *near.values(), *around_them.values()]
    items = await _items(ctx, scope, [one for facts in shown for one in facts], moment)

    def of(facts: Iterable[FactRow]) -> tuple[Item, ...]:
        return tuple(items[one.index_id] for one in facts if one.index_id in items)

    related = tuple(
        Related(
            entity_of(entities[other]) if other in around_them else None,
            of(by),
            of(around_them.get(other, ())),
        )
        for other, by in near.items()
    )
    return EntityView(entity_of(entity), of(own), related, moment.known_at)


async def list_entities(command: ListEntities, ctx: Context) -> Entities:
    """An unknown user has none."""
    (after,) = _CURSORS.read(command.cursor) or (None,)
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return Entities((), None)
    rows = await ctx.unit.rows(
        _PageRow,
        "entities_page",
        scope_id=scope.scope_id,
        kind=command.kind,
        after=after,
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    found = await entity_rows(ctx, scope.scope_id, [row.entity_id for row in page])
    return Entities(
        tuple(entity_of(found[row.entity_id]) for row in page if row.entity_id in found),
        None if last is None else _CURSORS.after((last.name_key,)),
    )


async def _rest(
    ctx: Context, scope: ScopeRow, other: UUID, by: Sequence[FactRow], moment: Moment
) -> list[FactRow]:
    """Some of what holds of an entity besides the facts that led to it."""
    shown = {one.index_id for one in by}
    facts = await facts_of(ctx, scope.scope_id, [other], moment, _FACTS_AROUND + len(shown))
    return [one for one in facts if one.index_id not in shown][:_FACTS_AROUND]


async def _items(
    ctx: Context, scope: ScopeRow, facts: Iterable[FactRow], moment: Moment
) -> dict[UUID, Item]:
    """The items behind facts, by their rows of the index."""
    ids = list(dict.fromkeys(one.index_id for one in facts))
    fetched = await fetch_items(ctx, scope.scope_id, ids, moment)
    level = cast("Level", scope.level)
    return {
        row.index_id: item_of(ctx, row, level, moment)
        for row in fetched.rows
        if row.index_id is not None
    }


OPERATIONS = (
    Operation(
        name="entities.define",
        summary="Name an entity that facts are about",
        command=DefineEntity,
        result=Entity,
        handler=define,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("PUT", "/v1/entities/{name}"),
        errors=(Conflict, WritesRefused),
    ),
    Operation(
        name="entities.get",
        summary="Show an entity with what holds of it and around it",
        command=GetEntity,
        result=EntityView,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/entities/{name}"),
        errors=(NotFound,),
        columns=("facts.id", "facts.as_of", "facts.trust", "facts.text"),
    ),
    Operation(
        name="entities.list",
        summary="List the entities of a user or of the organisation",
        command=ListEntities,
        result=Entities,
        handler=list_entities,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/entities"),
        columns=("items.name", "items.kind", "items.aliases", "items.defined"),
    ),
)
