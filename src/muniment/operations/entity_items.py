"""The entity that operations answer with, and how one is found."""

from dataclasses import dataclass
from uuid import UUID

from muniment.domain.entity import is_the_user as is_the_user
from muniment.domain.entity import name_key as name_key
from muniment.errors import Fault, NotFound
from muniment.ports import Context
from muniment.records.entities import EntityRow, entity_row, find_entity

NO_ENTITY = "There is no such entity."


@dataclass(frozen=True)
class Entity:
    """An entity. One that is not ``defined`` came about because something was said of it."""

    id: UUID
    name: str
    kind: str
    aliases: tuple[str, ...]
    defined: bool


def entity_of(row: EntityRow) -> Entity:
    """A row as it is answered."""
    return Entity(row.entity_id, row.name, row.kind, tuple(row.aliases), row.defined)


async def entity_named(ctx: Context, scope_id: UUID, name: str, place: str = "/name") -> EntityRow:
    """The entity that goes by a name; raises NotFound, pointing at ``place``."""
    found = await find_entity(ctx, scope_id, name)
    if found is None:
        raise NotFound(NO_ENTITY, faults=[Fault(place, "names no entity")])
    return found


async def entity_there(ctx: Context, scope_id: UUID, entity_id: UUID) -> EntityRow:
    """An entity by its id; raises NotFound."""
    found = await entity_row(ctx, scope_id, entity_id)
    if found is None:
        raise NotFound(NO_ENTITY)
    return found
