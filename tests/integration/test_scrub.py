"""The scrub notes only what it did (DESIGN 10).

| the administrator | a scrub |
|---|---|
| a superuser | every receipt scrubbed, its digest anew; left: backups |
| a member of the owner who sees sessions | the same; left: the log and the statistics too |
| one who does not see sessions | waits and says why; receipts stay erased |
| one who is not a member of the owner | refused; receipts stay erased |

| meanwhile | a scrub |
|---|---|
| a transaction that still sees what was erased | waits; once that has ended, done |
| a table is locked | waits; once it is free, done |
| nothing was erased | does nothing |
| a document of shared knowledge went; nothing of it went | its tables are rewritten; are left alone |
"""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from muniment.postgres import scrub as module
from muniment.postgres.embedded import ADMIN
from muniment.postgres.scrub import scrub, scrub_due
from tests.integration.digests import digest
from tests.integration.forgetting import CANARY, live
from tests.support.databases import Database
from tests.support.world import Local, Tenant, local_service

ROLE = "muniment_scrubber"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be done is given up at once."""
    monkeypatch.setattr(module, "_TRIES", 1)
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.0)


@contextlib.contextmanager
def administrator(database: Database, *member_of: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection as somebody who is no superuser, a member of these roles."""
    with database.connect(ADMIN) as admin:
        name = sql.Identifier(ROLE)
        admin.execute(sql.SQL("CREATE ROLE {}").format(name))
        for role in member_of:
            admin.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(role), name))
        admin.execute(sql.SQL("SET SESSION AUTHORIZATION {}").format(name))
        try:
            yield admin
        finally:
            with database.connect(ADMIN) as again:
                again.execute(sql.SQL("DROP ROLE {}").format(name))


@pytest.fixture
async def tenant(own_database: Database, request: pytest.FixtureRequest) -> Any:
    """A tenant who forgot somebody, in a database of its own."""
    async with local_service(own_database.conninfo(), seed=request.node.nodeid) as service:
        made = await service.tenant()
        await live(made, "u", CANARY)
        await made("forget", user_id="u")
        yield made


async def states(tenant: Tenant) -> set[str]:
    """Of all receipts."""
    return {one.state for one in (await tenant("receipts.list")).items}


def clock(tenant: Tenant) -> Any:
    """The service's."""
    service: Local = tenant.service
    return service.clock.now


async def test_a_superuser(own_database: Database, tenant: Tenant) -> None:
    with own_database.connect(ADMIN) as admin:
        assert scrub_due(admin, clock(tenant)())
        done = scrub(admin, clock(tenant))
        assert (done.receipts, done.waiting) == (1, None)
        assert not scrub_due(admin, clock(tenant)())
    (shown,) = (await tenant("receipts.list")).items
    assert (shown.state, shown.scrub["left"]) == ("scrubbed", list(done.left))
    assert "statistics" not in done.left
    assert shown.digest == digest(tenant, shown)
    with own_database.connect(ADMIN) as admin:
        assert scrub(admin, clock(tenant)) == module.Scrubbed()


async def test_a_member_of_the_owner(own_database: Database, tenant: Tenant) -> None:
    with administrator(own_database, "muniment_owner", "pg_monitor") as admin:
        # The server's own vacuum may look at the rows at this moment.
        done = next(one for one in iter(lambda: scrub(admin, clock(tenant)), None) if one.receipts)
    assert (done.receipts, done.waiting) == (1, None)
    assert {"statistics", "log"} <= set(done.left)
    (shown,) = (await tenant("receipts.list")).items
    assert (shown.state, shown.scrub["statistics"]) == ("scrubbed", "not looked at")


async def test_who_does_not_see_sessions(own_database: Database, tenant: Tenant) -> None:
    with administrator(own_database, "muniment_owner") as admin:
        assert "pg_monitor" in str(scrub(admin, clock(tenant)).waiting)
    assert await states(tenant) == {"erased"}


async def test_who_is_no_member(own_database: Database, tenant: Tenant) -> None:
    with (
        administrator(own_database, "pg_monitor") as admin,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        scrub(admin, clock(tenant))
    assert await states(tenant) == {"erased"}


@pytest.mark.parametrize(
    "holding",
    [
        "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM muniment.tenant",
        "BEGIN; LOCK TABLE muniment.end_user IN ACCESS SHARE MODE",
    ],
    ids=["snapshot", "lock"],
)
async def test_what_holds_it_up(
    own_database: Database, tenant: Tenant, holding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own_database.connect(ADMIN) as other:
        other.execute(holding.encode())
        await tenant("forget", user_id="v")
        with own_database.connect(ADMIN) as admin:
            assert scrub(admin, clock(tenant)).waiting is not None
        assert await states(tenant) == {"erased"}
        other.execute("ROLLBACK")
    # The service ends its own transactions while the scrub waits.
    monkeypatch.undo()
    with own_database.connect(ADMIN) as admin:
        done = await asyncio.to_thread(scrub, admin, clock(tenant))
        assert (done.receipts, done.waiting) == (2, None)
    assert await states(tenant) == {"scrubbed"}


async def test_shared_knowledge_is_rewritten_where_some_of_it_went(
    own_database: Database, tenant: Tenant
) -> None:
    document: dict[str, Any] = {"source": CANARY, "version": 1, "title": "t", "text": CANARY}
    await tenant("knowledge.put", None, **document)
    with own_database.connect(ADMIN) as admin:
        before = _files(admin)
        assert scrub(admin, tenant.service.clock.now).receipts == 1
    with own_database.connect(ADMIN) as admin:
        assert _files(admin) == before
        await tenant("forget", data_source=CANARY)
        assert scrub(admin, tenant.service.clock.now).receipts == 1
    with own_database.connect(ADMIN) as admin:
        assert _files(admin) != before


def _files(admin: psycopg.Connection[Any]) -> list[Any]:
    """The files of the chunks of shared knowledge; a rewrite makes others."""
    return admin.execute(
        "SELECT relname, pg_relation_filenode(oid) FROM pg_class"
        " WHERE relname ~ '^knowledge_chunk_p[0-9]+$' ORDER BY 1"
    ).fetchall()
