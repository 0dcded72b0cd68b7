"""Something is said, and at a later time said again: then one of the two is forgotten.

| forgotten | the memory | what its decisions say of versions |
|---|---|---|
| the first saying: its turn, its session, its user | rests on the second | the nil UUID for each that went |
| the second saying | rests on the first | what they said: the first saying's version stays, and the second's as a copy |
| both, one after the other | goes | |
| the only saying, of the organisation | goes; stays if somebody confirmed it before | |

A decision that made or ended what was erased is not taken back.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from muniment.errors import CannotUndo, NotFound
from muniment.postgres.embedded import ADMIN
from tests.integration.forgetting import counts, difference, turn
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

NIL = UUID(int=0)
KINDS: dict[str, dict[str, Any]] = {
    "finding of an agent": {"kind": "finding", "text": "Sales fall in August.", "role": "assistant", "data_source": "sales"},
    "finding of the user": {"kind": "finding", "text": "Sales fall in August.", "data_source": "sales"},
    "preference": {"kind": "user_preference", "text": "Prefers reports on Monday."},
    "fact": {"kind": "fact", "text": "Has a boat."},
    "fact in a slot": {"kind": "fact", "text": "Lives in Goes.", "slot": "city", "value": "Goes"},
    "fact in a slot of many": {"kind": "fact", "text": "Knows Rust.", "slot": "skill", "value": "Rust"},
}  # fmt: skip
FORGOTTEN = ("turn", "session")


async def say(
    service: Local, tenant: Tenant, user: str, session: str, days: int, kind: dict[str, Any]
) -> Any:
    """A turn that says it, and the memory that rests on it."""
    said = dict(kind)
    role = said.pop("role", "user")
    occurred_at = START - timedelta(days=30 - days)
    event = turn(1, said["text"], role=role, occurred_at=occurred_at)
    written = await tenant("events.write", user_id=user, session_id=session, events=[event])
    service.clock.advance(hours=1)
    about: dict[str, Any] = {} if said["kind"] == "data_quality" else {"user_id": user}
    cited = {"user_id": user, "session_id": session, "turn": 1}
    told = await tenant("memories.remember", evidence=[cited], **about, **said)
    return {"turn": written.verdicts[0].event_id, "session": session, "memory": told.id}


def asked(said: dict[str, Any], target: str) -> dict[str, Any]:
    """A forget of one saying."""
    return {"session_id": said["session"]} if target == "session" else {"ids": [said["turn"]]}


def versions(database: Database, memory: UUID) -> set[UUID]:
    """Every version that is held of it."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT version_id FROM muniment.memory_version WHERE memory_id = %s", [memory]
        ).fetchall()
    return {one for (one,) in rows}


def decided(database: Database) -> set[UUID]:
    """Versions that a decision names."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute("SELECT unnest(made || ended) FROM muniment.decision").fetchall()
    return {one for (one,) in rows}


async def not_taken_back(tenant: Tenant, memory: UUID) -> None:
    """Decisions with a nil in the place of a version are told, and refused to be undone."""
    story = await tenant("memories.lineage", id=memory)
    maimed = [one for one in story.decisions if NIL in (*one.made, *one.ended)]
    assert maimed
    for one in maimed:
        with pytest.raises(CannotUndo):
            await tenant("memories.undo", id=memory, decision_id=one.decision_id)


@pytest.mark.parametrize("target", FORGOTTEN)
@pytest.mark.parametrize("which", [(0, 1), (1, 0)], ids=["first", "second"])
@pytest.mark.parametrize("kind", KINDS)
async def test_one_saying_goes(
    database: Database,
    service: Local,
    tenant: Tenant,
    kind: str,
    which: Sequence[int],
    target: str,
) -> None:
    said = [
        await say(service, tenant, "u", f"s-{place}", place * 5, KINDS[kind]) for place in (0, 1)
    ]
    memory = said[0]["memory"]
    assert said[1]["memory"] == memory
    held = versions(database, memory)
    before = counts(database, tenant)
    one, other = (said[place] for place in which)
    dry = await tenant("forget", user_id="u", **asked(one, target), dry_run=True)
    done = await tenant("forget", user_id="u", **asked(one, target))
    assert done.counts == dry.counts == difference(before, counts(database, tenant))
    left = versions(database, memory)
    assert left
    # What the second saying wrote held by the first one already.
    assert (left < held) == (which[0] == 0)
    assert not decided(database) & (held - left)
    item = await tenant("memories.get", id=memory)
    assert [cited.session_id for cited in item.evidence] == [other["session"]]
    if which[0] == 0:
        await not_taken_back(tenant, memory)
    await tenant("forget", user_id="u", **asked(other, target))
    with pytest.raises(NotFound):
        await tenant("memories.get", id=memory)


async def test_one_of_two_users_goes(database: Database, service: Local, tenant: Tenant) -> None:
    fault = {"kind": "data_quality", "text": "The sales table lags.", "data_source": "sales"}
    said = [
        await say(service, tenant, user, "s", days, fault)
        for user, days in (("u", 0), ("v", 5), ("u2", 9))
    ]
    memory = said[0]["memory"]
    assert {one["memory"] for one in said} == {memory}
    held = versions(database, memory)
    for user in ("u", "u2"):
        await tenant("forget", user_id=user)
        left = versions(database, memory)
        assert left < held
        assert not decided(database) & (held - left)
    await not_taken_back(tenant, memory)
    await tenant("forget", user_id="v")
    with pytest.raises(NotFound):
        await tenant("memories.get", id=memory)


@pytest.mark.parametrize("confirmed", [False, True])
async def test_what_one_person_said_goes_unless_it_was_confirmed(
    service: Local, tenant: Tenant, confirmed: bool
) -> None:
    fault = {"kind": "data_quality", "text": "The sales table lags.", "data_source": "sales"}
    said = await say(service, tenant, "u", "s", 0, fault)
    if confirmed:
        await tenant("memories.confirm", id=said["memory"])
    await tenant("forget", user_id="u")
    if confirmed:
        item = await tenant("memories.get", id=said["memory"])
        assert (item.text, item.evidence) == (fault["text"], ())
    else:
        with pytest.raises(NotFound):
            await tenant("memories.get", id=said["memory"])
