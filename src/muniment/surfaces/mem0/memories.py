"""Memories as mem0's client knows them, with what the turns that they rest on came with."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from muniment.errors import NotFound
from muniment.operations.items import Evidence, Item
from muniment.surfaces.mem0.asking import Asking
from muniment.surfaces.mem0.filters import ENTITIES, Conditions, Filter, of_entities

SESSION = "mem0-"
"""Sessions of turns that came this way begin like this."""
MARK = "Memories were added here as they stand."
"""What a turn says that only tells by whom a memory was added as it stands."""
_MOST_IN = 200
_MOST_CHAIN = 200
_NONE = {"id": {"$in": ["00000000-0000-0000-0000-000000000000"]}}


def shown(
    item: Item, user_id: str | None, carried: Mapping[str, Any], *, scored: bool = False
) -> dict[str, Any]:
    """A memory in mem0's shape; what this service knows besides stands under ``muniment``."""
    metadata = {**carried, **item.metadata}
    ends = item.valid_to or item.expires_at
    told: dict[str, Any] = {
        "id": item.id,
        "memory": item.text,
        "user_id": user_id,
        **{name: metadata.pop(name, None) for name in ENTITIES},
        "metadata": metadata or None,
        "categories": [item.kind],
        "created_at": item.valid_from or item.recorded_at,
        "updated_at": item.recorded_at,
        "expiration_date": None if ends is None else ends.date(),
        "muniment": {"trust": item.trust, "status": item.status, "kind": item.kind},
    }
    return told | ({"score": item.score} if scored else {})


def only(told: Mapping[str, Any], fields: Collection[str] | None) -> dict[str, Any]:
    """The fields that were asked for; the id always."""
    return {k: v for k, v in told.items() if fields is None or k in fields or k == "id"}


async def carried(asking: Asking, user_id: str, items: Sequence[Item]) -> dict[UUID, Any]:
    """By memory, the metadata of the turns that came this way and that it rests on; none of them
    for a key that reaches no turns.
    """
    cited = {one.id: _places(one.evidence) for one in items}
    sessions = sorted({session for places in cited.values() for session, _ in places})
    if sessions and not await asking.may("events.list"):
        sessions = []
    turns: dict[tuple[str, int], Mapping[str, Any]] = {}
    for at in range(0, len(sessions), _MOST_IN):
        wanted = {"session_id": {"$in": sessions[at : at + _MOST_IN]}}
        for turn in await _turns(asking, user_id, wanted):
            turns |= dict.fromkeys(_places(turn.evidence), turn.metadata)
    found: dict[UUID, Any] = {}
    for memory, places in cited.items():
        found[memory] = {}
        for place in places:
            found[memory] |= turns.get(place, {})
    return found


async def marks(asking: Asking, user_id: str, item: Item) -> list[Item]:
    """The turns that tell of whom a memory is that was added as it stands."""
    cited = _places(item.evidence)
    sessions = sorted({session for session, _ in cited})[:_MOST_IN]
    if not sessions:
        return []
    turns = await _turns(asking, user_id, {"session_id": {"$in": sessions}})
    return [one for one in turns if one.text == MARK and _places(one.evidence) & cited]


async def of_others_too(asking: Asking, user_id: str, named: Mapping[str, str]) -> list[str]:
    """The memories of an agent, application or run that rest on turns of another as well."""
    own = await asking.all_of(
        "memories.list",
        user_id=user_id,
        filter=of_entities(**named),
        standing=["asserted", "contested", "quarantined"],
    )
    cited = {str(one.id): _places(one.evidence) for one in own}
    sessions = sorted({session for places in cited.values() for session, _ in places})
    others: set[tuple[str, int]] = set()
    for at in range(0, len(sessions), _MOST_IN):
        wanted = {"session_id": {"$in": sessions[at : at + _MOST_IN]}}
        for turn in await _turns(asking, user_id, wanted):
            if any(turn.metadata.get(name) != one for name, one in named.items()):
                others |= _places(turn.evidence)
    return [memory for memory, places in cited.items() if places & others]


async def filter_of(asking: Asking, wanted: Conditions) -> Filter:
    """The filter of an operation, with the memories that rest on turns that meet a condition."""
    if not wanted.turns:
        return wanted.filter(lambda _: _NONE)
    memories = await asking.all_of("memories.list", user_id=wanted.user_id)
    places = [(one.id, _places(one.evidence)) for one in memories]
    resting: list[tuple[Filter, Filter]] = []
    for one in wanted.turns:
        met: set[tuple[str, int]] = set()
        for turn in await _turns(asking, wanted.user_id, one):
            met |= _places(turn.evidence)
        ids = [str(memory) for memory, cited in places if cited & met]
        resting.append((one, any_of(ids)))
    return wanted.filter(lambda one: next(ids for given, ids in resting if given == one))


async def corrected(asking: Asking, memory_id: UUID) -> list[UUID]:
    """What a memory was before it was updated and is since, the oldest first: for mem0 one memory.

    Raises NotFound.
    """
    chain, sought = [memory_id], [memory_id]
    while sought and len(chain) < _MOST_CHAIN:
        current = sought.pop()
        lineage = await asking("memories.lineage", id=current)
        for one in lineage.decisions:
            if one.rule != "corrected" or one.undone or one.incumbent_id is None:
                continue
            if one.incumbent_id == current and one.memory_id not in chain:
                chain.insert(chain.index(current) + 1, one.memory_id)
                sought.append(one.memory_id)
            elif one.memory_id == current and one.incumbent_id not in chain:
                chain.insert(chain.index(current), one.incumbent_id)
                sought.append(one.incumbent_id)
    return chain


async def current(asking: Asking, memory_id: UUID) -> Item:
    """The memory as it is now, under the id that it had at any time.

    Raises NotFound for what is no memory of a user, and for one that is held no more.
    """
    item: Item = await asking("memories.get", id=memory_id)
    if item.tier == "semantic" and item.status == "superseded":
        chain = await corrected(asking, memory_id)
        item = await asking("memories.get", id=chain[-1])
    if item.tier != "semantic" or item.scope != "user" or item.user_id is None:
        raise NotFound("There is no such memory.")
    return item


async def _turns(asking: Asking, user_id: str, wanted: Filter) -> list[Item]:
    # Summaries of sessions are of this tier too.
    each = {"$and": [wanted, {"turn": {"$exists": True}}]}
    turns: list[Item] = await asking.all_of(
        "memories.list", user_id=user_id, tiers=["episodic"], filter=each
    )
    return turns


def _places(evidence: Iterable[Evidence]) -> set[tuple[str, int]]:
    return {(one.session_id, one.turn) for one in evidence if one.session_id.startswith(SESSION)}


def any_of(ids: Sequence[str]) -> Filter:
    """What has one of these ids."""
    parts = [{"id": {"$in": ids[at : at + _MOST_IN]}} for at in range(0, len(ids), _MOST_IN)]
    return {"$or": parts or [_NONE]}
