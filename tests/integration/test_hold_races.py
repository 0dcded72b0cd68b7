"""Holds beside forgets, writes and releases at the same time.

| at once | then, whoever came first |
|---|---|
| place, forget of the user | the hold keeps all of it, or nothing is kept and it answers NotFound |
| release, forget | the release took what was kept, or the forget erased: nothing is left |
| two releases | one says Conflict |
| forget, forget under a hold | one finds nothing; all is kept once |
"""

import asyncio
from typing import Any

from muniment.errors import Conflict, NotFound
from tests.integration.forgetting import CANARY, mentions, turn
from tests.integration.test_holds import kept
from tests.support.databases import Database
from tests.support.world import Tenant

ROUNDS = 8


async def say(tenant: Tenant, user: str) -> None:
    events = [turn(1, f"I live in {CANARY}."), turn(2, f"My dog is called {CANARY}.")]
    await tenant("events.write", user_id=user, session_id="s", events=events)


async def both(one: Any, other: Any) -> tuple[Any, Any]:
    found = await asyncio.gather(one, other, return_exceptions=True)
    return found[0], found[1]


async def test_place_beside_forget(database: Database, tenant: Tenant) -> None:
    held = 0
    for number in range(ROUNDS):
        user = f"u{number}"
        await say(tenant, user)
        placed, gone = await both(
            tenant("holds.place", user_id=user, reason="A case."), tenant("forget", user_id=user)
        )
        if isinstance(placed, NotFound):
            assert gone.held == {}
            assert kept(database, tenant) == {}
        else:
            assert (gone.held["event"], "event" in gone.counts) == (2, False)
            assert kept(database, tenant) == gone.held
            released = await tenant("holds.release", hold_id=placed.hold_id, reason="Over.")
            assert released.counts == gone.held
            held += 1
        assert mentions(database, tenant, CANARY) == []


async def test_release_beside_forget(database: Database, tenant: Tenant) -> None:
    for number in range(ROUNDS):
        user = f"u{number}"
        await say(tenant, user)
        hold = (await tenant("holds.place", user_id=user, reason="A case.")).hold_id
        released, gone = await both(
            tenant("holds.release", hold_id=hold, reason="Over."), tenant("forget", user_id=user)
        )
        assert released.counts == gone.held
        assert gone.held.get("event", 0) + gone.counts.get("event", 0) == 2
        assert mentions(database, tenant, CANARY) == []
        assert kept(database, tenant) == {}


async def test_released_once_and_forgotten_once(database: Database, tenant: Tenant) -> None:
    await say(tenant, "u")
    hold = (await tenant("holds.place", user_id="u", reason="A case.")).hold_id
    gone = await both(tenant("forget", user_id="u"), tenant("forget", user_id="u"))
    assert sorted(one.held.get("event", 0) for one in gone) == [0, 2]
    release = {"hold_id": hold, "reason": "Over."}
    done = await both(tenant("holds.release", **release), tenant("holds.release", **release))
    assert sorted(isinstance(one, Conflict) for one in done) == [False, True]
    assert mentions(database, tenant, CANARY) == []
