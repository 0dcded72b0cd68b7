"""What the tools of a knowledge graph take and answer with, as its reference server has it."""

from dataclasses import dataclass
from typing import Annotated, TypeVar, dataclass_transform

from annotated_types import MaxLen
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from muniment.operations.types import Identifier, Statement

C = TypeVar("C")
_MOST = 500


@dataclass_transform(kw_only_default=True, frozen_default=True)
def _shape(cls: type[C]) -> type[C]:
    """A frozen dataclass under the names of the wire, that refuses fields it does not know."""
    config = ConfigDict(extra="forbid", alias_generator=to_camel)
    cls.__pydantic_config__ = config  # type: ignore[attr-defined]
    return dataclass(frozen=True, kw_only=True)(cls)


@_shape
class Node:
    """An entity with what was observed of it."""

    name: Identifier
    entity_type: Identifier
    observations: Annotated[tuple[Statement, ...], MaxLen(_MOST)]


@_shape
class Relation:
    """One entity stands to another in a relation, said in active voice."""

    from_: Annotated[Identifier, Field(alias="from")]
    to: Identifier
    relation_type: Identifier


@_shape
class SeenNode:
    """An entity as it is told."""

    name: str
    entity_type: str
    observations: tuple[str, ...]


@_shape
class SeenRelation:
    """A relation as it is told."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    relation_type: str


@_shape
class Observed:
    """What is to be added to an entity."""

    entity_name: Identifier
    contents: Annotated[tuple[Statement, ...], MaxLen(_MOST)]


@_shape
class Added:
    """What was new of it; ``waiting`` is what waits until a person decides."""

    entity_name: str
    added_observations: tuple[str, ...]
    waiting: tuple[str, ...] | None = None


@_shape
class Unobserved:
    """What is to be deleted of an entity."""

    entity_name: Identifier
    observations: Annotated[tuple[Statement, ...], MaxLen(_MOST)]


@_shape
class CreateEntities:
    """Entities to create; those that are there already stay as they are."""

    entities: Annotated[tuple[Node, ...], MaxLen(_MOST)]


@_shape
class CreateRelations:
    """Relations to create, between entities that are there."""

    relations: Annotated[tuple[Relation, ...], MaxLen(_MOST)]


@_shape
class AddObservations:
    """Observations to add to entities that are there."""

    observations: Annotated[tuple[Observed, ...], MaxLen(_MOST)]


@_shape
class DeleteEntities:
    """Entities to delete, with what was observed of them and their relations."""

    entity_names: Annotated[tuple[Identifier, ...], MaxLen(_MOST)]


@_shape
class DeleteObservations:
    """Observations to delete."""

    deletions: Annotated[tuple[Unobserved, ...], MaxLen(_MOST)]


@_shape
class DeleteRelations:
    """Relations to delete."""

    relations: Annotated[tuple[Relation, ...], MaxLen(_MOST)]


@_shape
class ReadGraph:
    """The whole graph."""


@_shape
class SearchNodes:
    """What to look for."""

    query: Statement


@_shape
class OpenNodes:
    """Which entities to show."""

    names: Annotated[tuple[Identifier, ...], MaxLen(_MOST)]


@_shape
class CreatedEntities:
    """Those that were not there before; ``waiting``, with what waits until a person decides."""

    entities: tuple[SeenNode, ...]
    waiting: tuple[SeenNode, ...] | None = None


@_shape
class CreatedRelations:
    """Those that were not there before; ``waiting`` are those on which a person decides first."""

    relations: tuple[SeenRelation, ...]
    waiting: tuple[SeenRelation, ...] | None = None


@_shape
class AddedObservations:
    """What was new, by entity."""

    results: tuple[Added, ...]


@_shape
class Deleted:
    """What became of it, in words."""

    success: bool
    message: str


@_shape
class GraphView:
    """Entities, and every relation that begins or ends at one of them."""

    entities: tuple[SeenNode, ...]
    relations: tuple[SeenRelation, ...]
