"""The family entities. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint
from muniment.client.generated.shared import (
    Item,
)


@dataclass(frozen=True)
class Entity:
    """An entity. One that is not ``defined`` came about because something was said of it."""

    id: UUID
    name: str
    kind: str
    aliases: tuple[str, ...]
    defined: bool


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
    watermark: datetime


@dataclass(frozen=True)
class Entities:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Entity, ...]
    next: str | None


@dataclass(frozen=True)
class Merged:
    """What was merged into what, and how many facts were stated anew."""

    merge_id: UUID
    entity: Entity
    facts: int


@dataclass(frozen=True)
class Unmerged:
    """How many facts are held again as they were."""

    merge_id: UUID
    facts: int


@dataclass(frozen=True)
class Removed:
    """What is not there any more."""

    id: UUID


_DEFINE = Endpoint("entities.define", "PUT", "/v1/entities/{name}", writes=True)
_GET = Endpoint("entities.get", "GET", "/v1/entities/{name}")
_LIST = Endpoint("entities.list", "GET", "/v1/entities")
_MERGE = Endpoint("entities.merge", "POST", "/v1/entities/{name}/merge", writes=True)
_UNMERGE = Endpoint("entities.unmerge", "POST", "/v1/entity-merges/{merge_id}/undo", writes=True)
_REMOVE = Endpoint("entities.remove", "DELETE", "/v1/entities/{name}", writes=True)


class EntitiesCalls:
    """Calls of the family entities."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def define(
        self,
        *,
        name: str,
        kind: str,
        aliases: Sequence[str] = (),
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> Entity:
        """Name an entity that facts are about.

        Name an entity: its kind (person, team, account, system, ...) and its other names.

        What is remembered with any of the names for its ``subject`` is about it. Defining it
        again gives it this kind and these aliases. Without a ``user_id`` it is the
        organisation's.

        >>> client.entities.define(name="Acme", kind="account", user_id="nora")
        """
        return self._call(
            _DEFINE, {'name': name, 'kind': kind, 'aliases': aliases, 'user_id': user_id,
            'namespace': namespace}, Entity, idempotency_key
        )  # fmt: skip

    def get(
        self,
        *,
        name: str,
        user_id: str | None = None,
        namespace: str = "default",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: int = 50,
    ) -> EntityView:
        """Show an entity with what holds of it and around it.

        An entity by a name that it goes by, with what holds of it and one hop around it.

        >>> client.entities.get(name="Acme", user_id="nora")
        """
        return self._call(
            _GET, {'name': name, 'user_id': user_id, 'namespace': namespace, 'as_of': as_of,
            'known_at': known_at, 'limit': limit}, EntityView
        )  # fmt: skip

    def list(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        kind: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Entities:
        """List the entities of a user or of the organisation.

        Entities of a user (or, without one, of the organisation), in the order of their names.

        >>> client.entities.list()
        """
        return self._call(
            _LIST, {'user_id': user_id, 'namespace': namespace, 'kind': kind, 'cursor': cursor,
            'limit': limit}, Entities
        )  # fmt: skip

    def merge(
        self,
        *,
        name: str,
        into: str | None = None,
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> Merged:
        """State of one entity what is held of another that turned out to be the same.

        Two entities are one: what is held of ``name`` is stated of ``into``, by the rules of
        trust and supersession. Without ``into`` it turned out to be the user.

        >>> client.entities.merge(name="Acme Inc", into="Acme", user_id="nora")
        """
        return self._call(
            _MERGE, {'name': name, 'into': into, 'user_id': user_id, 'namespace': namespace},
            Merged, idempotency_key
        )  # fmt: skip

    def unmerge(self, *, merge_id: UUID, idempotency_key: str | None = None) -> Unmerged:
        """Undo a merge of entities.

        Undo a merge: what was held of both before is held again.

        >>> client.entities.unmerge(merge_id=merge_id)
        """
        return self._call(_UNMERGE, {"merge_id": merge_id}, Unmerged, idempotency_key)

    def remove(
        self,
        *,
        name: str,
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> Removed:
        """Let go of an entity that nothing is said of.

        Let go of an entity and its names. What is said of it is forgotten first.

        >>> client.entities.remove(name="Acme", user_id="nora")
        """
        return self._call(
            _REMOVE, {'name': name, 'user_id': user_id, 'namespace': namespace}, Removed,
            idempotency_key
        )  # fmt: skip


class AsyncEntitiesCalls:
    """Calls of the family entities."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def define(
        self,
        *,
        name: str,
        kind: str,
        aliases: Sequence[str] = (),
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> Entity:
        """Name an entity that facts are about.

        Name an entity: its kind (person, team, account, system, ...) and its other names.

        What is remembered with any of the names for its ``subject`` is about it. Defining it
        again gives it this kind and these aliases. Without a ``user_id`` it is the
        organisation's.

        >>> await client.entities.define(name="Acme", kind="account", user_id="nora")
        """
        return await self._call(
            _DEFINE, {'name': name, 'kind': kind, 'aliases': aliases, 'user_id': user_id,
            'namespace': namespace}, Entity, idempotency_key
        )  # fmt: skip

    async def get(
        self,
        *,
        name: str,
        user_id: str | None = None,
        namespace: str = "default",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: int = 50,
    ) -> EntityView:
        """Show an entity with what holds of it and around it.

        An entity by a name that it goes by, with what holds of it and one hop around it.

        >>> await client.entities.get(name="Acme", user_id="nora")
        """
        return await self._call(
            _GET, {'name': name, 'user_id': user_id, 'namespace': namespace, 'as_of': as_of,
            'known_at': known_at, 'limit': limit}, EntityView
        )  # fmt: skip

    async def list(
        self,
        *,
        user_id: str | None = None,
        namespace: str = "default",
        kind: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Entities:
        """List the entities of a user or of the organisation.

        Entities of a user (or, without one, of the organisation), in the order of their names.

        >>> await client.entities.list()
        """
        return await self._call(
            _LIST, {'user_id': user_id, 'namespace': namespace, 'kind': kind, 'cursor': cursor,
            'limit': limit}, Entities
        )  # fmt: skip

    async def merge(
        self,
        *,
        name: str,
        into: str | None = None,
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> Merged:
        """State of one entity what is held of another that turned out to be the same.

        Two entities are one: what is held of ``name`` is stated of ``into``, by the rules of
        trust and supersession. Without ``into`` it turned out to be the user.

        >>> await client.entities.merge(name="Acme Inc", into="Acme", user_id="nora")
        """
        return await self._call(
            _MERGE, {'name': name, 'into': into, 'user_id': user_id, 'namespace': namespace},
            Merged, idempotency_key
        )  # fmt: skip

    async def unmerge(self, *, merge_id: UUID, idempotency_key: str | None = None) -> Unmerged:
        """Undo a merge of entities.

        Undo a merge: what was held of both before is held again.

        >>> await client.entities.unmerge(merge_id=merge_id)
        """
        return await self._call(_UNMERGE, {"merge_id": merge_id}, Unmerged, idempotency_key)

    async def remove(
        self,
        *,
        name: str,
        user_id: str | None = None,
        namespace: str = "default",
        idempotency_key: str | None = None,
    ) -> Removed:
        """Let go of an entity that nothing is said of.

        Let go of an entity and its names. What is said of it is forgotten first.

        >>> await client.entities.remove(name="Acme", user_id="nora")
        """
        return await self._call(
            _REMOVE, {'name': name, 'user_id': user_id, 'namespace': namespace}, Removed,
            idempotency_key
        )  # fmt: skip
