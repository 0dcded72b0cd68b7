"""A user's memories as a knowledge graph: entities, what was observed of them, relations.

An observation is a memory about an entity; a relation is one that says in its metadata which
other entity it leads to. What was remembered otherwise about entities shows as observations.
"""

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any
from uuid import UUID

from muniment.errors import Changed, InvalidInput, NotFound, TooLarge
from muniment.operations.entity_items import is_the_user, name_key
from muniment.operations.registry import REGISTRY
from muniment.operations.relation_facts import (
    RELATION_TO,
    RELATION_TYPE,
    relation_of,
    spelling_apart,
)
from muniment.surfaces.mcp.calls import Calls
from muniment.surfaces.mcp.graph_shapes import GraphView, Node, Relation, SeenNode, SeenRelation
from muniment.surfaces.mcp.incoming import Incoming

_PAGE = 200
_MOST_PAGES = 50
_MOST_IDS = 1000
_FOUND = 50
_TRIES = 5
_OF_THE_USER = "user"
# Of a repetition nothing new is held.
_KEPT = frozenset({"inserted", "superseded"})


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
        to, relation = relation_of(item["metadata"]) or (None, None)
        return Fact(UUID(item["id"]), item["subject"], item["text"], to, relation)


@dataclass
class Kept:
    """What a write kept: what is held, what waits for a person, and whether it was proposed."""

    held: list[Any] = field(default_factory=list)
    waiting: list[Any] = field(default_factory=list)
    proposed: bool = False

    def __bool__(self) -> bool:
        return bool(self.held or self.waiting)

    def note(self, told: Mapping[str, Any], what: Any) -> None:
        """What a write answered of it."""
        (self.waiting if told["outcome"] == "quarantined" else self.held).append(what)
        self.proposed |= told["rule"] == "proposed"


class GraphStore:
    """The graph of the user whom the address names, by operations of the service."""

    def __init__(self, calls: Calls, incoming: Incoming, key: str | None) -> None:
        self._calls = calls
        self._incoming = incoming
        self._key = key
        self.user = incoming.bound["user_id"]
        verbs = frozenset[str]() if incoming.caller is None else incoming.caller.verbs
        self._defines = REGISTRY["entities.define"].allows(verbs)
        self._kept: set[str] = set()

    async def ask(self, name: str, /, *, attempt: int = 0, **arguments: Any) -> dict[str, Any]:
        """The answer of an operation; a write is done once under the key of the call."""
        key = self._key_of(name, arguments, attempt)
        answered = await self._calls.run(REGISTRY[name], self._incoming, arguments, key)
        found: dict[str, Any] = json.loads(answered.text)
        return found

    async def again(self, name: str, /, **arguments: Any) -> dict[str, Any] | None:
        """The answer of a write that was done under the key of the call before; else None."""
        key = self._key_of(name, arguments)
        try:
            answered = await self._calls.run(
                REGISTRY[name], self._incoming, arguments, key, again=True
            )
        except NotFound:
            return None
        found: dict[str, Any] = json.loads(answered.text)
        return found

    async def entity(self, name: str) -> Mapping[str, Any] | None:
        """The entity that goes by a name; None where there is none, and for the user."""
        if is_the_user(name, self.user):
            return None
        try:
            found: Mapping[str, Any] = (await self.ask("entities.get", name=name, limit=1))[
                "entity"
            ]
        except NotFound:
            return None
        return found

    async def known(self, name: str) -> str:
        """The name under which an entity is kept, or the user's. Raises NotFound."""
        names = await self._names(name)
        if not names:
            raise NotFound("There is no such entity.")
        return names[0]

    async def whole(self) -> "Whole":
        """All of it."""
        entities = await self._all("entities.list")
        leads = {name_key(one): at["name"] for at in entities for one in at["aliases"]}
        leads |= {name_key(at["name"]): at["name"] for at in entities}
        facts = [
            fact if fact.to is None else replace(fact, to=leads.get(name_key(fact.to), fact.to))
            for fact in await self.facts()
        ]
        kinds = {one["name"]: one["kind"] for one in entities}
        if any(fact.subject is None or fact.to == self.user for fact in facts):
            kinds.setdefault(self.user, _OF_THE_USER)
        return Whole(self.user, kinds, leads, facts)

    async def facts(self, **narrowed: Any) -> list[Fact]:
        """What is held of entities and of the user."""
        return [Fact.of(one) for one in await self._all("memories.list", **narrowed)]

    async def facts_of(self, name: str) -> list[Fact]:
        """What is held of one entity, by the name that it is kept under, or of the user."""
        if name == self.user:
            return [fact for fact in await self.facts() if fact.subject is None]
        return await self.facts(filter={"subject": name})

    async def create(self, node: Node) -> Kept | None:
        """Remember what was observed of an entity, then define it, so that one that was left
        half done is created by a repetition; None for one that is there.
        """
        if is_the_user(node.name, self.user):
            return await self.observe(self.user, node.observations) or None
        there = await self.entity(node.name)
        name = node.name if there is None else there["name"]
        done = there is not None and there["defined"]
        define: dict[str, Any] = {"name": name, "kind": node.entity_type}
        if done and not (self._defines and await self.again("entities.define", **define)):
            return None
        kept = await self.observe(name, node.observations)
        if not done and not kept.proposed:
            await self.ask("entities.define", **define)
        return kept

    async def observe(self, name: str, contents: Iterable[str]) -> Kept:
        """Remember what was observed of an entity; what of it was new to this call's key, as it is
        held.
        """
        kept = Kept()
        there = {fact.text for fact in await self.facts_of(name) if fact.to is None}
        for text in dict.fromkeys(contents):
            told = await self._remember(text in there, subject=name, text=text)
            held = None if told is None else await self._as_held(told)
            if told is not None:
                kept.note(told, text if held is None else held.text)
        return kept

    async def relate(self, one: Relation, kept: Kept) -> None:
        """Remember a relation between what is known; ``kept`` has it if it was new to this call's
        key.
        """
        start, end = await self.known(one.from_), await self.known(one.to)
        said = f"{start} {one.relation_type} {end}."
        metadata = {RELATION_TO: end, RELATION_TYPE: one.relation_type}
        there = bool(await self.relations([one]))
        told = await self._remember(there, subject=start, text=said, metadata=metadata)
        if told is not None:
            held = await self._as_held(told)
            kind = None if held is None else held.relation
            kept.note(told, one if kind is None else replace(one, relation_type=kind))

    async def _remember(self, there: bool, **said: Any) -> dict[str, Any] | None:
        """Remember it unless it is ``there``, other than by an earlier try of this very call; the
        answer if there is something new by it.
        """
        write = self.again if there else self.ask
        told = await write("memories.remember", kind="fact", **said)
        if told is None or told["outcome"] not in _KEPT | {"quarantined"}:
            return None
        known = told["id"] in self._kept
        self._kept.add(told["id"])
        return None if known else told

    async def _as_held(self, told: Mapping[str, Any]) -> Fact | None:
        """The fact behind an answer that says that it is held otherwise than it was given."""
        if not told["warnings"]:
            return None
        found = await self.facts(filter={"id": told["id"]}, standing=["asserted", "quarantined"])
        return found[0] if found else None

    async def relations(self, wanted: Iterable[Relation]) -> list[Fact]:
        """The facts that say just these relations."""
        found = []
        for one in wanted:
            start, end = await self._names(one.from_), await self._names(one.to)
            if start and end:
                terms = {
                    f"metadata.{RELATION_TO}": {"$in": end},
                    f"metadata.{RELATION_TYPE}": one.relation_type,
                }
                facts = await self.facts(filter=terms)
                found += [fact for fact in facts if (fact.subject or self.user) == start[0]]
        return found

    async def forget(self, facts: Sequence[Fact]) -> int:
        """Erase facts for good, and what they took the place of; how many there were."""
        doomed: dict[str, None] = {}
        left = [str(fact.id) for fact in facts]
        while left:
            one = left.pop()
            if one not in doomed:
                doomed[one] = None
                left += (await self.ask("memories.lineage", id=one))["supersedes"]
        ids = sorted(doomed)
        for at in range(0, len(ids), _MOST_IDS):
            await self._forget(ids=ids[at : at + _MOST_IDS])
        return len({fact.id for fact in facts})

    async def remove(self, name: str) -> bool:
        """Erase an entity, all that was ever said of it, and the relations that lead to it. Of the
        user what is held.
        """
        names = await self._names(name)
        if not names:
            return await self.again("entities.remove", name=name) is not None
        if names[0] == self.user:
            led = await self.facts(filter={f"metadata.{RELATION_TO}": self.user})
            return await self.forget([*await self.facts_of(self.user), *led]) > 0
        said = [{"subject": {"$in": names}}, {f"metadata.{RELATION_TO}": {"$in": names}}]
        await self._forget(filter={"$or": said})
        for one in names:  # What was merged into it stands for itself once it is gone.
            with contextlib.suppress(NotFound):
                await self.ask("entities.remove", name=one)
        return True

    async def _forget(self, **target: Any) -> None:
        """A forget, by way of a dry run where the policy asks for one."""
        try:
            await self.ask("forget", **target)
        except InvalidInput as error:
            if [fault.pointer for fault in error.faults] != ["/confirm"]:
                raise
        else:
            return
        for attempt in range(_TRIES):
            tried = await self.ask("forget", attempt=attempt, dry_run=True, **target)
            try:
                await self.ask("forget", confirm=tried["confirm"], **target)
            except Changed:
                continue
            return
        raise Changed

    async def _names(self, name: str) -> list[str]:
        """Every name of an entity, the one that it is kept under first; none for what is none."""
        if is_the_user(name, self.user):
            return [self.user]
        found = await self.entity(name)
        return [] if found is None else [found["name"], *found["aliases"]]

    def _key_of(self, name: str, arguments: Mapping[str, Any], attempt: int = 0) -> str | None:
        if self._key is None:
            return None
        told = json.dumps(
            [self._key, name, arguments, *([attempt] if attempt else [])], sort_keys=True
        )
        return sha256(told.encode("utf-8", "replace")).hexdigest()

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


class Observed:
    """Facts, found by what they say."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._exact: dict[str, list[Fact]] = {}
        self._alike: dict[str, list[Fact]] = {}
        for fact in facts:
            self._exact.setdefault(fact.text, []).append(fact)
            self._alike.setdefault(spelling_apart(fact.text), []).append(fact)

    def saying(self, text: str) -> Sequence[Fact]:
        """Those of this very text; else those that differ from it in spelling alone, in the place
        of which no other was added.
        """
        return self._exact.get(text) or self._alike.get(spelling_apart(text), [])


@dataclass(frozen=True)
class Whole:
    """The graph of a user: kinds by name, the names that all names lead to by key, and facts."""

    user: str
    kinds: Mapping[str, str]
    leads: Mapping[str, str]
    facts: Sequence[Fact]

    def named(self, names: Iterable[str]) -> set[str]:
        """The nodes that go by these names."""
        return {
            self.user if is_the_user(one, self.user) else self.leads.get(name_key(one), one)
            for one in names
        }

    def observed(self, name: str) -> "Observed":
        """What was observed of the entity that goes by a name."""
        nodes = self.named([name])
        return Observed(
            [one for one in self.facts if one.to is None and (one.subject or self.user) in nodes]
        )

    def view(self, only: set[str] | None = None) -> GraphView:
        """The whole of it, or what is at the nodes named in ``only``."""
        kinds = self.kinds
        if only is not None and self.user in only:
            kinds = {self.user: _OF_THE_USER, **kinds}
        observed: dict[str, list[str]] = {
            name: [] for name in kinds if only is None or name in only
        }
        relations = []
        for fact in self.facts:
            start = fact.subject or self.user
            if fact.to is None or fact.relation is None:
                observed.get(start, []).append(fact.text)
            elif only is None or {start, fact.to} & only:
                one = SeenRelation(from_=start, to=fact.to, relation_type=fact.relation)
                relations.append(one)
        nodes = tuple(
            SeenNode(name=name, entity_type=kinds[name], observations=tuple(texts))
            for name, texts in observed.items()
        )
        return GraphView(entities=nodes, relations=tuple(dict.fromkeys(relations)))
