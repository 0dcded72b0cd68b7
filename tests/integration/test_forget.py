"""forget against the database.

| target | goes | stays |
|---|---|---|
| user | every row of theirs in every table, org memories that rest on them alone | other users, org memories with other evidence |
| session | turns, summary, working memory, memories that rest on it alone | memories with evidence elsewhere |
| items | the items; summaries that quote them are made anew without them | the rest of the session |
| filter | what it admits in the scope | the rest |
| not there | nothing; the answer is the same as for an empty target | |

A dry run counts the same and deletes nothing.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg import sql

from muniment.errors import InvalidInput
from muniment.postgres.embedded import ADMIN
from muniment.postgres.queries import named_queries
from muniment.records.consolidation import consolidate_session
from muniment.worker.duty import as_worker
from tests.support.databases import Database
from tests.support.world import START, LocalService, Tenant

CANARY = "kestrelwood"
DAY = timedelta(days=1)


def turn(number: int, content: str, **more: Any) -> dict[str, Any]:
    """A user's turn."""
    return {"turn": number, "role": "user", "content": content, "occurred_at": START - DAY} | more


async def live(tenant: Tenant, user: str, word: str) -> dict[str, UUID]:
    """A bit of everything for one user; returns ids of what was made."""
    place = {"user_id": user, "session_id": f"{user}-1"}
    written = await tenant(
        "events.write",
        **place,
        agent_id=word,
        events=[
            turn(1, f"I live in {word}.", name=word, metadata={word: word}, data_source=word),
            turn(2, f"My dog is called {word} too.", tool=word),
        ],
    )
    await tenant(
        "events.write",
        user_id=user,
        session_id=f"{user}-2",
        events=[turn(1, f"I still live in {word}.")],
    )
    await tenant("working.put", **place, key=word, value={word: word})
    cite = [{"session_id": f"{user}-1", "turn": 1}]
    city = await tenant(
        "memories.remember", kind="fact", text=f"Lives in {word}.", user_id=user, slot="city", value=word,
        detail=word, evidence=cite, metadata={word: 1}, agent_id=word,
    )  # fmt: skip
    await tenant(
        "memories.remember", kind="fact", text=f"Lives in {word}.", user_id=user, slot="city", value=word,
        evidence=[{"session_id": f"{user}-2", "turn": 1}],
    )  # fmt: skip
    dog = await tenant(
        "memories.remember", kind="fact", text=f"Has a dog, {word}.", user_id=user, subject=f"{word} the dog",
        evidence=[{"session_id": f"{user}-1", "turn": 2}],
    )  # fmt: skip
    quality = await tenant(
        "memories.remember", kind="data_quality", text=f"The table {word} lags.",
        evidence=[{"user_id": user, "session_id": f"{user}-1", "turn": 1}],
    )  # fmt: skip
    await tenant("recall", user_id=user, query=f"Where is {word}?", agent_id=word, run_id=word)
    await tenant.service.recalls.flush()
    return {
        "first": written.verdicts[0].event_id, "second": written.verdicts[1].event_id,
        "city": city.id, "dog": dog.id, "quality": quality.id,
    }  # fmt: skip


async def consolidate(database: Database, worker: LocalService, tenant: Tenant) -> None:
    """Summaries of every session that is behind."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT scope_id, session_pk FROM muniment.session WHERE tenant_id = %s",
            [tenant.tenant_id],
        ).fetchall()
    for scope_id, session_pk in rows:
        async with as_worker(worker.world, tenant.tenant_id) as ctx:
            await consolidate_session(ctx, scope_id, session_pk)


def counts(database: Database, tenant: Tenant) -> dict[str, int]:
    """Rows of the tenant by table."""
    with database.connect(ADMIN) as admin:
        names = admin.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition"
        ).fetchall()
        found = {}
        for (name,) in names:
            row = admin.execute(
                sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = %s").format(
                    sql.Identifier("muniment", name)
                ),
                [tenant.tenant_id],
            ).fetchone()
            found[name] = int(row[0]) if row else 0
    return found


def mentions(database: Database, tenant: Tenant, word: str) -> list[str]:
    """Tables with a row of the tenant that mentions a word anywhere."""
    with database.connect(ADMIN) as admin:
        names = admin.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
        ).fetchall()
        return [
            name
            for (name,) in names
            if admin.execute(
                sql.SQL("SELECT FROM {} r WHERE tenant_id = %s AND r::text ILIKE %s").format(
                    sql.Identifier("muniment", name)
                ),
                [tenant.tenant_id, f"%{word}%"],
            ).rowcount
        ]


def difference(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Rows that went, by table."""
    return {name: before[name] - after[name] for name in before if before[name] > after[name]}


async def seen(tenant: Tenant, user: str) -> Any:
    """Everything that operations answer about a user."""
    asked: dict[str, Any] = {"user_id": user, "tiers": ["episodic", "semantic"]}
    return (
        (
            await tenant(
                "memories.list", **asked, standing=["asserted", "contested", "quarantined"]
            )
        ).items,
        (await tenant("profile.get", user_id=user)).items,
        [
            item.text
            for item in (
                await tenant("recall", user_id=user, query="Where do I live?", as_of=START)
            ).items
        ],
    )


async def test_a_user(
    database: Database, service: LocalService, worker: LocalService, tenant: Tenant
) -> None:
    await live(tenant, "u", CANARY)
    await live(tenant, "v", "merganser")
    await consolidate(database, worker, tenant)
    other = await seen(tenant, "v")
    before = counts(database, tenant)
    assert {"event", "episode", "memory", "working_item", "recall_log", "entity"} <= set(
        mentions(database, tenant, CANARY)
    )
    dry = await tenant("forget", user_id="u", dry_run=True)
    assert (dry.dry_run, dry.receipt_id) == (True, None)
    after_dry = counts(database, tenant)
    assert difference(before, after_dry) == {}
    done = await tenant("forget", user_id="u")
    assert done.counts == dry.counts
    assert done.receipt_id is not None
    after = counts(database, tenant)
    gone = difference(before, after)
    assert done.counts == gone
    assert mentions(database, tenant, CANARY) == []
    assert await seen(tenant, "u") == ((), (), [])
    assert await seen(tenant, "v") == other
    nothing = await tenant("forget", user_id="u")
    assert (nothing.counts, nothing.target) == ({}, "user")


async def test_a_session(database: Database, worker: LocalService, tenant: Tenant) -> None:
    made = await live(tenant, "u", CANARY)
    await consolidate(database, worker, tenant)
    before = counts(database, tenant)
    dry = await tenant("forget", user_id="u", session_id="u-1", dry_run=True)
    assert difference(before, counts(database, tenant)) == {}
    done = await tenant("forget", user_id="u", session_id="u-1")
    assert (done.target, done.counts) == ("session", dry.counts)
    gone = difference(before, counts(database, tenant))
    assert done.counts == gone
    left = await tenant("memories.list", user_id="u", tiers=["episodic", "semantic"])
    # The city was told in another session as well; the dog was not.
    assert {item.id for item in left.items if item.tier == "semantic"} == {made["city"]}
    assert {e.session_id for item in left.items for e in item.evidence} == {"u-2"}
    assert (await tenant("memories.list")).items == ()
    assert "entity" not in mentions(database, tenant, f"{CANARY} the dog")


async def test_items(database: Database, worker: LocalService, tenant: Tenant) -> None:
    made = await live(tenant, "u", CANARY)
    await consolidate(database, worker, tenant)
    before = counts(database, tenant)
    asked: dict[str, Any] = {"user_id": "u", "ids": [made["first"], made["dog"]]}
    dry = await tenant("forget", **asked, dry_run=True)
    done = await tenant("forget", **asked)
    assert (done.target, done.counts) == ("items", dry.counts)
    assert done.counts == difference(before, counts(database, tenant))
    assert done.counts["event"] == 1
    assert done.counts["episode"] == 1
    left = await tenant("memories.list", user_id="u", tiers=["episodic", "semantic"])
    texts = [item.text for item in left.items]
    assert f"I live in {CANARY}." not in texts
    assert f"Has a dog, {CANARY}." not in texts
    assert f"My dog is called {CANARY} too." in texts
    assert not any("I live in" in text for text in texts if text.startswith("On "))
    await consolidate(database, worker, tenant)
    left = await tenant("memories.list", user_id="u", kinds=["session_summary"], tiers=["episodic"])
    again = [item.text for item in left.items if "My dog" in item.text]
    assert len(again) == 1
    assert "I live in" not in again[0]


async def test_a_filter(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    done = await tenant("forget", user_id="u", filter={"turn": 2, "session_id": "u-1"})
    assert (done.target, done.counts["event"]) == ("filter", 1)
    left = await tenant("memories.list", user_id="u", tiers=["episodic"])
    assert [(e.session_id, e.turn) for item in left.items for e in item.evidence] == [
        ("u-1", 1),
        ("u-2", 1),
    ]


async def test_the_organisations_own(tenant: Tenant) -> None:
    made = await live(tenant, "u", CANARY)
    done = await tenant("forget", ids=[made["quality"]])
    assert done.counts["memory"] == 1
    assert (await tenant("memories.list")).items == ()
    # Ids of a user are not found among the organisation's.
    assert (await tenant("forget", ids=[made["city"]])).counts == {}


async def test_organisation_memories_with_other_evidence_stay(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    await live(tenant, "v", "merganser")
    made: Any = None
    shared = {"kind": "data_quality", "text": "The returns table lags.", "data_source": "returns"}
    for user in ("u", "v"):
        cite = [{"user_id": user, "session_id": f"{user}-1", "turn": 1}]
        made = await tenant("memories.remember", **shared, evidence=cite)
    await tenant("forget", user_id="u")
    left = await tenant("memories.list", data_source="returns")
    assert [item.id for item in left.items] == [made.id]
    assert [e.session_id for e in left.items[0].evidence] == ["v-1"]


@pytest.mark.parametrize(
    ("target", "pointer"),
    [
        ({}, "/user_id"),
        ({"session_id": "s"}, "/user_id"),
        ({"user_id": "u", "session_id": "s", "ids": [str(UUID(int=1))]}, "/ids"),
        ({"user_id": "u", "ids": []}, "/ids"),
        ({"user_id": "u", "ids": ["x"]}, "/ids/0"),
        ({"user_id": "u", "filter": {"x": 1}}, "/filter/x"),
    ],
)
async def test_targets_that_are_none(tenant: Tenant, target: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await tenant("forget", **target)
    assert caught.value.faults[0].pointer == pointer


async def test_what_is_not_there_is_answered_like_what_is_empty(tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    for target in (
        {"user_id": "nobody"},
        {"user_id": "nobody", "session_id": "s"},
        {"user_id": "u", "session_id": "none"},
        {"user_id": "u", "ids": [UUID(int=1)]},
        {"user_id": "u", "filter": {"turn": 999}},
    ):
        assert (await tenant("forget", **target)).counts == {}


async def test_every_table_with_a_scope_is_counted(database: Database) -> None:
    """A table that is added and forgotten here would go uncounted."""
    text = sql_of("erasure_scope_counts")
    with database.connect(ADMIN) as admin:
        names = admin.execute(
            "SELECT relname FROM pg_class c WHERE relnamespace = 'muniment'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition"
            " AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'scope_id')"
        ).fetchall()
    assert [name for (name,) in names if f"FROM {name} " not in text] == []


def sql_of(name: str) -> str:
    """The text of a named statement."""
    return named_queries()[name]
