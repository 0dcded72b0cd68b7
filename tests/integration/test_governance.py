"""governance.report against the schema, and classes that are locked.

| in the schema | in the report |
|---|---|
| a table | a line with layer, owner, class, driver, end, path, rows, oldest row |
| a table that was added | by itself |
| a table of somebody's that no forget reaches, or one without a comment | `unregistered` |
| a kind of the policy | a line, with rows of it in every version |
| a row past its time that is still there | `overdue`; a finding only after its grace |
| another tenant's | not counted |

| a class | put | answered |
|---|---|---|
| open | longer, locked | yes, and the audit entry says so |
| locked | longer still | yes |
| locked | shorter, unlocked, taken back | retention_locked; nothing has changed |
"""

from datetime import timedelta
from typing import Any

import pytest

from muniment.errors import Forbidden, RetentionLocked
from muniment.postgres.embedded import ADMIN
from tests.integration.forgetting import CANARY, live
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant, local_service

LONG = {"public": 400, "internal": 400, "personal": 400, "regulated": 400}


async def test_every_table_and_kind(database: Database, service: Local, tenant: Tenant) -> None:
    other = await service.tenant("other")
    await live(other, "v", "merganser")
    await live(tenant, "u", CANARY)
    found = await tenant("governance.report")
    assert found.unregistered == ()
    with database.connect(ADMIN) as admin:
        names = admin.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
        ).fetchall()
    tables = {line.name: line for line in found.tables}
    assert list(tables) == [name for (name,) in names]
    event = tables["event"]
    assert (event.layer, event.owner, event.retention_class) == ("episodic", "subject", "episode")
    assert (event.driver, event.ends) == ("purpose", "expires after 30 to 365 days")
    assert (event.deletion, event.held, event.rows, event.oldest) == (
        "with session",
        True,
        3,
        START,
    )
    assert (tables["end_user"].rows, tables["end_user"].deletion) == (1, "forget")
    assert not tables["audit_entry"].held
    assert "nobody's" in tables["audit_entry"].deletion
    assert tables["audit_entry"].locked
    kinds = {line.name: line for line in found.kinds}
    assert set(kinds) == set(service.world.policy.kinds)
    assert (kinds["event"].rows, kinds["finding"].rows) == (3, 1)
    assert kinds["finding"].ends == "expires after 270 days"


async def test_what_is_overdue(service: Local, tenant: Tenant) -> None:
    await live(tenant, "u", CANARY)
    await tenant("memories.remember", kind="finding", user_id="u", text="Sales fell.")
    service.clock.moment = START + timedelta(days=181)
    found = await tenant("governance.report")
    late = {line.name: line.overdue for line in found.tables if line.overdue}
    assert late["event"] == 3
    assert late["recall_log"] == late["working_item"] == 1
    assert "memory_version" not in late
    kinds = {line.name: line.overdue for line in found.kinds if line.overdue}
    assert (kinds["event"], "finding" in kinds) == (3, False)
    service.clock.moment = START + timedelta(days=271)
    kinds = {line.name: line.overdue for line in (await tenant("governance.report")).kinds}
    assert kinds["finding"] == 2


async def test_a_new_table_appears_by_itself(own_database: Database) -> None:
    with own_database.connect(ADMIN) as admin:
        admin.execute("SET ROLE muniment_owner")
        for name, column in (
            ("extra", "number int"),
            ("notes", "user_id text"),
            ("bare", "number int"),
        ):
            admin.execute(f"CREATE TABLE muniment.{name} (tenant_id uuid PRIMARY KEY, {column})")
            if name != "bare":
                admin.execute(
                    f"COMMENT ON TABLE muniment.{name} IS 'New | layer: run | retention: working | owner: agent'"
                )
    async with local_service(own_database.conninfo()) as service:
        found = await (await service.tenant())("governance.report")
    assert found.unregistered == ("bare", "notes")
    assert {"extra", "notes"} <= {line.name for line in found.tables}


async def test_who_may(tenant: Tenant) -> None:
    for grant in ({"verbs": ["read"]}, {"verbs": ["operate"], "layers": ["semantic"]},
                  {"verbs": ["operate"], "layers": ["governance"], "user_id": "u"}):  # fmt: skip
        with pytest.raises(Forbidden):
            await tenant("governance.report", _as=await tenant.key_for(**grant))


async def test_a_class_that_is_locked(tenant: Tenant) -> None:
    locked = {"retention": {"episode": {"days": LONG, "locked": True}}}
    await tenant("policy.put", document=locked)
    (entry,) = (await tenant("audit.list", operation="policy.put")).items
    assert entry.detail["retention"]["lengthened"]["episode.personal"] == 400
    refused: list[tuple[dict[str, Any], str]] = [
        ({}, "/document/retention/episode/locked"),
        ({"retention": {"episode": {"days": LONG}}}, "/document/retention/episode/locked"),
        ({"retention": {"episode": {"days": LONG | {"public": 399}, "locked": True}}},
         "/document/retention/episode/days/public"),
    ]  # fmt: skip
    for document, pointer in refused:
        with pytest.raises(RetentionLocked) as caught:
            await tenant("policy.put", document=document)
        assert caught.value.faults[0].pointer == pointer
    assert (await tenant("policy.get")).document == locked
    longer = {"retention": {"episode": {"days": LONG | {"public": 401}, "locked": True}}}
    await tenant("policy.put", document=longer)
    assert (await tenant("policy.get")).document == longer
