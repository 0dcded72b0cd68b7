"""A forget and other calls at once.

A call that a forget overtakes is tried anew inside, and answers what it would after the forget:

| call about the user | after the forget |
|---|---|
| events.write, working.put, memories.remember | Forgotten: the user takes no writes until reopened |
| memories.remember of the organisation that cites a turn of theirs | InvalidInput: there is no such turn |
| recall, profile.get, memories.list | as of an unknown user: nothing |
| memories.get, memories.history, sessions.*, working.get, .list, .delete | NotFound, as of what never was |
| anything under a key of that user | Unauthenticated; Forgotten where a write had shown it already |
| overtaken each of five times | Overtaken: send it again |

A call that came first is waited for, and what it wrote goes too, wherever it lies. Locks are taken
in one order, so nobody waits in a circle.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from muniment.errors import (
    Forgotten,
    InvalidInput,
    NotFound,
    Overtaken,
    TurnConflict,
    Unauthenticated,
)
from muniment.postgres.embedded import ADMIN
from tests.integration.forgetting import CANARY, live, mentions, turn
from tests.support.databases import Database
from tests.support.interposing import interposed
from tests.support.waiting import until
from tests.support.world import Local, Tenant

pytestmark = pytest.mark.long

PLACE: dict[str, Any] = {"user_id": "u", "session_id": "u-1"}
CITES: dict[str, Any] = {"user_id": "u", "session_id": "u-1", "turn": 1}
FACT: dict[str, Any] = {"kind": "fact", "user_id": "u", "text": "Likes herons."}
QUALITY: dict[str, Any] = {"kind": "data_quality", "text": "It lags.", "evidence": [CITES]}
EVENTS: dict[str, Any] = PLACE | {"events": [turn(9, "I prefer weekly reports.")]}
PUT: dict[str, Any] = PLACE | {"key": "k", "value": 1}
ASK: dict[str, Any] = {"user_id": "u", "query": "Where do I live?"}

WRITES = [
    ("events.write", "scope_bump_known", EVENTS),
    ("events.write", "user_find", EVENTS | {"namespace": "new"}),
    ("events.write", "scope_find", EVENTS | {"namespace": "new"}),
    ("events.write", "erasure_lock", EVENTS | {"namespace": "new"}),
    ("working.put", "scope_bump_known", PUT),
    ("memories.remember", "scope_bump_known", FACT),
    ("memories.remember", "scope_bump_known", FACT | {"evidence": [CITES]}),
]
CITING = [
    ("memories.remember", "scope_share", QUALITY),
    ("memories.remember", "scope_find", QUALITY),
]
READS = [
    ("recall", "index_load", ASK),
    ("recall", "items_fetch", ASK),
    ("recall", "items_matching", ASK | {"filter": {"turn": 1}}),
    ("recall", "recall_insert", ASK | {"run_id": "r"}),
    ("profile.get", "items_profile", {"user_id": "u"}),
    ("profile.get", "items_fetch", {"user_id": "u"}),
    ("memories.list", "items_page", {"user_id": "u"}),
    ("memories.list", "items_fetch", {"user_id": "u"}),
    ("events.list", "turns_on", PLACE),
]
SINGLE = [
    ("sessions.get", "session_find", PLACE),
    ("sessions.close", "scope_bump", PLACE),
    ("sessions.consolidate", "scope_bump", PLACE),
    ("working.get", "working_get", PLACE | {"key": CANARY}),
    ("events.list", "session_find", PLACE),
    ("working.list", "session_find", PLACE),
    ("working.delete", "working_delete", PLACE | {"key": CANARY}),
]


def forgetting(tenant: Tenant) -> Callable[[], Awaitable[Any]]:
    """Forget the user, in a transaction of its own."""
    return lambda: tenant("forget", user_id="u")


@pytest.mark.parametrize(("name", "statement", "arguments"), WRITES)
async def test_a_write_is_refused(
    database: Database, tenant: Tenant, name: str, statement: str, arguments: dict[str, Any]
) -> None:
    await live(tenant, "u", CANARY)
    within, units = interposed(tenant, statement, forgetting(tenant))
    with pytest.raises(Forgotten):
        await within(name, **arguments)
    assert units.happened == 1
    assert mentions(database, tenant, CANARY) == []
    with database.connect(ADMIN) as admin:
        held = admin.execute(
            "SELECT count(*) FROM muniment.scope WHERE tenant_id = %s AND level = 'user'",
            [tenant.tenant_id],
        ).fetchone()
    assert held == (0,)
    assert (await tenant("forget", user_id="u", dry_run=True)).counts == {}


@pytest.mark.parametrize(("name", "statement", "arguments"), CITING)
async def test_what_is_cited_is_gone(
    database: Database, tenant: Tenant, name: str, statement: str, arguments: dict[str, Any]
) -> None:
    await live(tenant, "u", CANARY)
    within, units = interposed(tenant, statement, forgetting(tenant))
    with pytest.raises(InvalidInput) as caught:
        await within(name, **arguments)
    assert caught.value.faults[0].pointer == "/evidence/0"
    assert units.happened == 1
    assert mentions(database, tenant, CANARY) == []


@pytest.mark.parametrize(("name", "statement", "arguments"), READS)
async def test_a_read_finds_nothing(
    tenant: Tenant, name: str, statement: str, arguments: dict[str, Any]
) -> None:
    await live(tenant, "u", CANARY)
    # The cached index is behind.
    await tenant("working.put", **PUT)
    within, units = interposed(tenant, statement, forgetting(tenant))
    assert (await within(name, **arguments)).items == ()
    assert units.happened == 1


@pytest.mark.parametrize(("name", "statement", "arguments"), SINGLE)
async def test_what_was_named_is_not_there(
    tenant: Tenant, name: str, statement: str, arguments: dict[str, Any]
) -> None:
    await live(tenant, "u", CANARY)
    within, units = interposed(tenant, statement, forgetting(tenant))
    with pytest.raises(NotFound):
        await within(name, **arguments)
    assert units.happened == 1


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("memories.get", "item_places"),
        ("memories.get", "scope_mark"),
        ("memories.get", "items_fetch"),
        ("memories.lineage", "item_places"),
        ("memories.lineage", "lineage_evidence"),
        ("memories.pin", "item_places"),
        ("memories.undo", "scope_bump_known"),
        ("memories.retract", "scope_bump_known"),
        ("memories.history", "item_places"),
        ("memories.history", "memory_history"),
    ],
)
async def test_an_item_is_not_there(tenant: Tenant, name: str, statement: str) -> None:
    made = await live(tenant, "u", CANARY)
    within, units = interposed(tenant, statement, forgetting(tenant))
    with pytest.raises(NotFound):
        await within(name, id=made["city"])
    assert units.happened == 1


async def test_a_key_of_the_user_is_none(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    key = await tenant.key_for(user_id="u")
    within, _ = interposed(tenant, "scope_bump", forgetting(tenant))
    with pytest.raises(Unauthenticated):
        await within("sessions.close", _as=key, **PLACE)


async def test_overtaken_again_and_again(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)

    async def forget_and_return() -> None:
        await tenant("forget", user_id="u")
        await tenant("users.reopen", user_id="u")
        await tenant("working.put", **PUT)

    within, units = interposed(tenant, "erasure_lock", forget_and_return, times=10)
    with pytest.raises(Overtaken):
        await within("events.write", **EVENTS, namespace="new")
    assert units.happened == 5


class Meeting:
    """A place where one call waits until the test has seen the other wait for it."""

    def __init__(self) -> None:
        self._arrived, self._go = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        """Arrive, and wait to go on."""
        self._arrived.set()
        await self._go.wait()

    async def both(self, database: Database, first: Awaitable[Any], second: Awaitable[Any]) -> Any:
        """Start ``second`` when ``first`` has arrived; go on when it waits for a lock."""
        one = asyncio.ensure_future(first)
        await self._arrived.wait()
        other = asyncio.ensure_future(second)
        with database.connect(ADMIN) as admin:
            waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            await asyncio.to_thread(
                until, lambda: other.done() or admin.execute(waiting).rowcount > 0
            )
        self._go.set()
        return await asyncio.gather(one, other, return_exceptions=True)


@pytest.mark.parametrize(
    "statement", ["erase_scope", "erase_user", "receipt_insert", "audit_insert"]
)
@pytest.mark.parametrize(("name", "arguments"), [(n, a) for n, _, a in (*WRITES, *READS, *CITING)])
async def test_calls_that_come_while_a_forget_runs(
    database: Database, tenant: Tenant, name: str, arguments: dict[str, Any], statement: str
) -> None:
    await live(tenant, "u", CANARY)
    meeting = Meeting()
    within, _ = interposed(tenant, statement, meeting)
    forgot, answer = await meeting.both(
        database, within("forget", user_id="u"), tenant(name, **arguments)
    )
    assert forgot.counts["end_user"] == 1
    assert not isinstance(answer, Exception) or isinstance(answer, InvalidInput | Forgotten)
    await tenant.service.recalls.flush()
    assert mentions(database, tenant, CANARY) == []


@pytest.mark.parametrize(
    "statement", ["turns_cited", "memory_insert", "evidence_insert", "audit_insert"]
)
@pytest.mark.parametrize("target", [{}, {"session_id": "u-1"}, {"filter": {"turn": 1}}])
async def test_what_came_first_goes_too(
    database: Database, tenant: Tenant, statement: str, target: dict[str, Any]
) -> None:
    """The organisation's scope is not known to hold anything of the user's yet."""
    await tenant("events.write", **(PLACE | {"events": [turn(1, f"The table {CANARY} lags.")]}))
    meeting = Meeting()
    within, _ = interposed(tenant, statement, meeting)
    told = QUALITY | {"text": f"The table {CANARY} lags.", "subject": CANARY}
    made, forgot = await meeting.both(
        database, within("memories.remember", **told), tenant("forget", user_id="u", **target)
    )
    assert made.outcome == "inserted"
    assert {"memory", "memory_evidence", "entity"} <= set(forgot.counts)
    assert mentions(database, tenant, CANARY) == []
    assert (await tenant("memories.list")).items == ()


async def test_what_was_recalled_is_not_noted_while_it_goes(
    database: Database, tenant: Tenant
) -> None:
    """Not between what the forget erases and what it looks through afterwards."""
    await live(tenant, "u", CANARY)
    assert (await tenant("recall", **ASK)).items
    meeting = Meeting()
    within, units = interposed(tenant, "rows_mentioning", meeting)
    forgot, noted = await meeting.both(
        database,
        within("forget", user_id="u", session_id="u-1"),
        tenant.service.recalls.flush(),
    )
    assert (units.happened, noted, forgot.counts["event"]) == (1, None, 2)
    with database.connect(ADMIN) as admin:
        left = admin.execute(
            "SELECT FROM muniment.access a WHERE tenant_id = %s AND NOT EXISTS (SELECT FROM"
            " muniment.memory_index i WHERE a.item_id IN (i.id, i.group_id))",
            [tenant.tenant_id],
        )
        assert left.rowcount == 0


async def test_a_scope_that_is_being_made_goes_too(database: Database, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    meeting = Meeting()
    within, _ = interposed(tenant, "scope_bump", meeting)
    written, forgot = await meeting.both(
        database,
        within("events.write", **EVENTS, namespace=CANARY),
        tenant("forget", user_id="u"),
    )
    assert (written.stored, forgot.counts["scope"]) == (1, 2)
    assert mentions(database, tenant, CANARY) == []


async def test_nobody_waits_in_a_circle(service: Local, tenant: Tenant) -> None:
    """Everything at once, again and again: forgets of each other's evidence, writes and reads."""
    users = ("u", "v", "w")
    for user in users:
        await live(tenant, user, user * 5)
    everyone = [{"user_id": user, "session_id": f"{user}-1", "turn": 1} for user in users]

    async def round_of(user: str) -> list[Any]:
        told = {"kind": "data_quality", "text": "The table lags."}
        place = {"user_id": user, "session_id": f"{user}-1"}
        return await asyncio.gather(
            tenant("memories.remember", **told, evidence=everyone),
            tenant("memories.remember", **told, evidence=everyone[::-1]),
            tenant("forget", user_id=user),
            tenant("forget", **place),
            tenant("events.write", **place, events=[turn(1, "I live in Gouda.")]),
            tenant(
                "events.write", **place, namespace="second", events=[turn(1, "I live in Breda.")]
            ),
            tenant("recall", user_id=user, query="Where do I live?"),
            service.recalls.flush(),
            return_exceptions=True,
        )

    for _ in range(4):
        for user in users:
            with contextlib.suppress(NotFound):
                await tenant("users.reopen", user_id=user)
        answers = [one for found in await asyncio.gather(*map(round_of, users)) for one in found]
        wrong = [one for one in answers if isinstance(one, Exception)]
        # No such turn any more; or the turn of before is still there.
        assert [
            one for one in wrong if not isinstance(one, InvalidInput | TurnConflict | Forgotten)
        ] == []
    # Whoever is forgotten last leaves nothing to the organisation.
    for user in users:
        await tenant("forget", user_id=user)
    items = (await tenant("memories.list")).items
    assert [item for item in items if item.evidence] == []
    assert items == ()
