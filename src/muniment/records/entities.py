"""Entities of a scope: their names, what holds of them, and what stands around them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from muniment.domain.entity import by_key, name_key
from muniment.ports import Context, ScopeMark
from muniment.records.items import Moment


@dataclass(frozen=True)
class EntityRow:
    """An entity, with every other name that it goes by. One that nobody defined, and that only what
    waits for a person or was rejected is about, is not ``shown``.
    """

    entity_id: UUID
    kind: str
    name: str
    defined: bool
    shown: bool
    aliases: list[str]

    @property
    def names(self) -> list[str]:
        """Every name that it goes by."""
        return [self.name, *self.aliases]


@dataclass(frozen=True)
class FactRow:
    """A fact by its row of the index: what it is about, and its value."""

    index_id: UUID
    subject_id: UUID
    value: str | None


@dataclass(frozen=True)
class _Named:
    key: str
    entity_id: UUID


@dataclass(frozen=True)
class _Key:
    key: str


async def find_entity(ctx: Context, scope_id: UUID, name: str) -> EntityRow | None:
    """The entity that a name stands for, if there is one."""
    found = await ctx.unit.value("entity_find", scope_id=scope_id, name_key=name_key(name))
    return None if found is None else await entity_row(ctx, scope_id, found)


async def entity_row(ctx: Context, scope_id: UUID, entity_id: UUID) -> EntityRow | None:
    """An entity by its id."""
    return (await entity_rows(ctx, scope_id, [entity_id])).get(entity_id)


async def entity_rows(
    ctx: Context, scope_id: UUID, entities: Collection[UUID]
) -> dict[UUID, EntityRow]:
    """Those of the entities that are there, by their ids."""
    rows = await ctx.unit.rows(EntityRow, "entity_rows", scope_id=scope_id, entities=list(entities))
    return {row.entity_id: row for row in rows}


async def taken_names(
    ctx: Context, mark: ScopeMark, entity_id: UUID, names: Iterable[str]
) -> set[str]:
    """Those of the names that stand for another entity."""
    keys = by_key(names)
    rows = await ctx.unit.rows(
        _Key,
        "entity_names_taken",
        scope_id=mark.scope_id,
        entity_id=entity_id,
        keys=list(keys),
    )
    return {keys[row.key] for row in rows}


async def put_entity(
    ctx: Context, mark: ScopeMark, entity_id: UUID, name: str, kind: str, aliases: Sequence[str]
) -> None:
    """Write an entity down under its name, with these other names and no more."""
    place = {"scope_id": mark.scope_id, "entity_id": entity_id}
    await ctx.unit.run("entity_put", **place, kind=kind, name=name, name_key=name_key(name))
    await ctx.unit.run("entity_aliases_drop", **place)
    rows = [
        {**place, "alias_key": key, "alias": alias}
        for key, alias in by_key(aliases).items()
        if key != name_key(name)
    ]
    await ctx.unit.many("entity_alias_insert", rows)


async def facts_of(
    ctx: Context, scope_id: UUID, entities: Sequence[UUID], moment: Moment, limit: int
) -> list[FactRow]:
    """What holds of entities at a moment, at most ``limit`` facts of all together."""
    return await ctx.unit.rows(
        FactRow,
        "entity_facts",
        scope_id=scope_id,
        entities=list(entities),
        limit=limit,
        **vars(moment),
    )


async def mentions_of(
    ctx: Context, scope_id: UUID, entity: EntityRow, moment: Moment, limit: int
) -> list[FactRow]:
    """What holds of others and has the entity for its value."""
    return await ctx.unit.rows(
        FactRow,
        "entity_mentions",
        scope_id=scope_id,
        entity_id=entity.entity_id,
        names=entity.names,
        limit=limit,
        **vars(moment),
    )


async def named_by(ctx: Context, scope_id: UUID, values: Iterable[str]) -> dict[str, UUID]:
    """The entities that values name, by value."""
    given = list(values)
    rows = await ctx.unit.rows(
        _Named, "entities_named", scope_id=scope_id, keys=sorted({name_key(one) for one in given})
    )
    by = {row.key: row.entity_id for row in rows}
    return {value: by[name_key(value)] for value in given if name_key(value) in by}
