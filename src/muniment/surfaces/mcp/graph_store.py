"""A user's memories as a knowledge graph: entities, what was observed of them, relations.

An observation is a memory about an entity; a relation is one that says in its metadata which
other entity it leads to. What was remembered otherwise about entities shows as observations.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from muniment.errors import NotFound, TooLarge
from muniment.operations.registry import REGISTRY
from muniment.surfaces.mcp.calls import Calls
from muniment.surfaces.mcp.graph_shapes import GraphView, Relation, SeenNode, SeenRelation
from muniment.surfaces.mcp.incoming import Incoming

_TO, _TYPE = "graph_to", "graph_relation"
_PAGE = 200
_MOST_PAGES = 50
_MOST_IDS = 1000
_FOUND = 50
_OF_THE_USER = "user"


@dataclass(frozen=True)
class Fact:
    """A memory, as far as the graph has a use for it."""

    id: UUID
    subject: str | None
    text: str
    to: str | None
    relation: str | None

    @staticmethod
    def of(item: Mapping[str, Any]) -> "Fact":
        """From an item of an answer."""
        metadata = item["metadata"]
        to, relation = metadata.get(_TO), metadata.get(_TYPE)
        if not isinstance(to, str) or not isinstance(relation, str):
            to = relation = None
        return Fact(UUID(item["id"]), item["subject"], item["text"], to, relation)


class GraphStore:
    """The graph of the user whom the address names, by operations of the service."""

    def __init__(self, calls: Calls, incoming: Incoming, key: str | None) -> None:
        self._calls = calls
        self._incoming = incoming
        self._key = key
        self.user = incoming.bound["user_id"]

    async def ask(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer of an operation; a write is done once under the key of the call."""
        told = json.dumps([self._key, name, arguments], sort_keys=True)
        key = None if self._key is None else sha256(told.encode("utf-8", "replace")).hexdigest()
        answered = await self._calls.run(REGISTRY[name], self._incoming, arguments, key)
        found: dict[str, Any] = json.loads(answered.text)
        return found

    async def entity(self, name: str) -> Mapping[str, Any] | None:
        """The entity that goes by a name, with its facts; None where there is none."""
        try:
            return await self.ask("entities.get", name=name, limit=_PAGE)
        except NotFound:
            return None

    async def known(self, name: str) -> str:
        """The name under which an entity is kept. Raises NotFound."""
        found = await self.entity(name)
        if found is None:
            raise NotFound("There is no such entity.")
        return str(found["entity"]["name"])

    async def entities(self) -> dict[str, str]:
        """Kinds by name, of all of them."""
        return {one["name"]: one["kind"] for one in await self._all("entities.list")}

    async def facts(self, **narrowed: Any) -> list[Fact]:
        """What is held of entities and of the user."""
        return [Fact.of(one) for one in await self._all("memories.list", **narrowed)]

    async def facts_of(self, name: str) -> list[Fact]:
        """What is held of one entity."""
        return await self.facts(filter={"subject": name})

    async def observe(self, name: str, contents: Iterable[str]) -> tuple[str, ...]:
        """Remember what was observed of an entity; what of it was new."""
        there = {fact.text for fact in await self.facts_of(name)}
        new = [one for one in dict.fromkeys(contents) if one not in there]
        for one in new:
            await self.ask("memories.remember", kind="fact", subject=name, text=one)
        return tuple(new)

    async def relate(self, relation: Relation) -> bool:
        """Remember a relation; whether it was new."""
        start, end = await self.known(relation.from_), await self.known(relation.to)
        if await self.relations([relation]):
            return False
        metadata = {_TO: end, _TYPE: relation.relation_type}
        said = f"{start} {relation.relation_type} {end}."
        await self.ask(
            "memories.remember", kind="fact", subject=start, text=said, metadata=metadata
        )
        return True

    async def relations(self, wanted: Iterable[Relation]) -> list[Fact]:
        """The facts that say just these relations."""
        found = []
        for one in wanted:
            terms = {
                "subject": one.from_,
                f"metadata.{_TO}": one.to,
                f"metadata.{_TYPE}": one.relation_type,
            }
            found += await self.facts(filter=terms)
        return found

    async def forget(self, facts: Sequence[Fact]) -> int:
        """Erase facts for good; how many there were."""
        ids = [str(fact.id) for fact in facts]
        for at in range(0, len(ids), _MOST_IDS):
            await self.ask("forget", ids=ids[at : at + _MOST_IDS])
        return len(ids)

    async def remove(self, name: str) -> bool:
        """Erase an entity, what is held of it, and the relations that lead to it."""
        found = await self.entity(name)
        if found is None:
            return False
        kept = found["entity"]["name"]
        await self.forget(
            [*await self.facts_of(kept), *await self.facts(filter={f"metadata.{_TO}": kept})]
        )
        await self.ask("entities.remove", name=kept)
        return True

    async def found(self, query: str) -> set[str]:
        """Names of entities that recall finds something about."""
        view = await self.ask("recall", query=query, k=_FOUND, tiers=["semantic"])
        return {one["subject"] or self.user for one in view["items"]}

    async def _all(self, name: str, /, **arguments: Any) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        cursor: dict[str, Any] = {}
        for _ in range(_MOST_PAGES):
            page = await self.ask(name, **arguments, **cursor, limit=_PAGE)
            items += page["items"]
            if page["next"] is None:
                return items
            cursor = {"cursor": page["next"]}
        raise TooLarge("The graph is too large to be read whole; search it instead.")


def view_of(
    kinds: Mapping[str, str], facts: Sequence[Fact], user: str, only: set[str] | None = None
) -> GraphView:
    """Facts as a graph: the whole of it, or what is at the entities named in ``only``."""
    kinds = dict(kinds)
    if any(fact.subject is None for fact in facts):
        kinds.setdefault(user, _OF_THE_USER)
    observed: dict[str, list[str]] = {name: [] for name in kinds if only is None or name in only}
    relations = []
    for fact in facts:
        start = fact.subject or user
        if fact.to is None or fact.relation is None:
            observed.get(start, []).append(fact.text)
        elif only is None or {start, fact.to} & only:
            relations.append(SeenRelation(from_=start, to=fact.to, relation_type=fact.relation))
    nodes = tuple(
        SeenNode(name=name, entity_type=kinds[name], observations=tuple(texts))
        for name, texts in observed.items()
    )
    return GraphView(entities=nodes, relations=tuple(relations))
