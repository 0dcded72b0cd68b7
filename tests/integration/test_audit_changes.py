"""Whatever a superuser does to the trail, `audit.verify` finds it with a head that was kept.

| done, past every constraint, at a random place | how often |
|---|---|
| a column of an entry or a seal changed by a bit, a character, a member | half of all |
| an entry, a seal, or both removed | |
| two entries or two seals in each other's place, whole or by one column | |
| the end of the chain cut off, with its entries or without | |
| the note removed by which an entry waits for its seal | |
| nothing | between all of them: nothing is found |

Each is done in a transaction that is rolled back. ``make faults`` tries 1,000 (TEST_KILLS=20).
"""

import os
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from muniment.domain.sealing import ChainCheck
from muniment.postgres.connection import Connection
from muniment.postgres.embedded import ADMIN
from muniment.postgres.unit_of_work import PostgresUnit
from muniment.records.sealing import Head, chain_head, check_chain
from muniment.worker import seal_audit
from tests.support.databases import Database
from tests.support.world import Local, Tenant

TRIES = 1000 if int(os.environ.get("TEST_KILLS", "3")) >= 20 else 100
SEALED, WAITING = 12, 2
EFFECTS = ["read", "write", "destructive", "refused"]
ENTRY, SEAL = "audit_entry", "audit_seal"


class Superuser:
    """Does one random thing to the trail of a tenant."""

    def __init__(
        self, connection: psycopg.AsyncConnection[Any], tenant_id: UUID, seed: int
    ) -> None:
        self.connection = connection
        self.tenant_id = tenant_id
        self.random = random.Random(seed)
        self.kinds: tuple[Callable[[], Any], ...] = (
            self.flip, self.flip, self.flip, self.flip, self.delete, self.swap_entries,
            self.swap_seals, self.truncate, self.unwait,
        )  # fmt: skip

    async def strike(self) -> str:
        """What was done."""
        kind = self.random.choice(self.kinds)
        return f"{kind.__name__}: {await kind()}"

    async def run(self, statement: str, *values: Any, **names: str) -> int:
        cursor = await self.connection.execute(
            sql.SQL(statement).format(
                **{name: sql.Identifier(value) for name, value in names.items()}
            ),
            values,
        )
        return cursor.rowcount

    async def rows(self, table: str, only: str = "true") -> list[dict[str, Any]]:
        async with self.connection.cursor(row_factory=psycopg.rows.dict_row) as cursor:
            statement = f"SELECT * FROM {table} WHERE tenant_id = %s AND {only} ORDER BY entry_id"  # noqa: S608
            await cursor.execute(statement.encode(), [self.tenant_id])
            return await cursor.fetchall()

    async def sealed(self) -> list[dict[str, Any]]:
        """Entries that have a seal."""
        return await self.rows(
            ENTRY, "entry_id IN (SELECT s.entry_id FROM audit_seal s WHERE s.tenant_id = tenant_id)"
        )

    async def flip(self) -> str:
        table = self.random.choice([ENTRY, SEAL])
        row = self.random.choice(await (self.sealed() if table == ENTRY else self.rows(SEAL)))
        column = self.random.choice(sorted(row))
        changed = self.changed(column, row[column])
        await self.run(
            "UPDATE {table} SET {column} = %s WHERE tenant_id = %s AND entry_id = %s",
            Jsonb(changed) if column in {"detail", "changes"} else changed,
            self.tenant_id,
            row["entry_id"],
            table=table,
            column=column,
        )
        return f"{table}.{column} of {row['entry_id']}"

    def changed(self, column: str, value: Any) -> Any:
        """Another value of the column, near it."""
        pick = self.random
        if column == "effect":
            return pick.choice([one for one in EFFECTS if one != value])
        if column == "seq":
            return value + SEALED * (1 << pick.randrange(20))
        if isinstance(value, UUID):
            return UUID(int=value.int ^ (1 << pick.randrange(128)))
        if isinstance(value, bytes):
            at = pick.randrange(len(value))
            return value[:at] + bytes([value[at] ^ (1 << pick.randrange(8))]) + value[at + 1 :]
        if isinstance(value, datetime):
            return value + timedelta(microseconds=pick.choice([-1, 1]) << pick.randrange(40))
        if isinstance(value, str):
            at = pick.randrange(len(value) + 1)
            return value[:at] + chr(pick.randrange(32, 0x3000)) + value[at:]
        if isinstance(value, list):
            return pick.choice(
                [[*value, UUID(int=pick.getrandbits(128))], value[1:] or [self.tenant_id]]
            )
        return {**value, "count": pick.random()}

    async def delete(self) -> str:
        seal = self.random.choice(await self.rows(SEAL))
        tables = self.random.choice([[ENTRY], [SEAL], [ENTRY, SEAL]])
        for table in tables:
            await self.run(
                "DELETE FROM {table} WHERE tenant_id = %s AND entry_id = %s",
                self.tenant_id,
                seal["entry_id"],
                table=table,
            )
        return f"{tables} of {seal['seq']}"

    async def swap_entries(self) -> str:
        one, other = self.random.sample(await self.sealed(), 2)
        columns = sorted(name for name in one if one[name] != other[name] and name != "entry_id")
        for column in columns:
            for row, value in ((one, other[column]), (other, one[column])):
                await self.run(
                    "UPDATE audit_entry SET {column} = %s WHERE tenant_id = %s AND entry_id = %s",
                    Jsonb(value) if column in {"detail", "changes"} else value,
                    self.tenant_id,
                    row["entry_id"],
                    column=column,
                )
        return f"{columns} of {one['entry_id']} and {other['entry_id']}"

    async def swap_seals(self) -> str:
        one, other = self.random.sample(await self.rows(SEAL), 2)
        column = self.random.choice(["seq", "entry_id", "digest", "hash"])
        spare = {"seq": 10**9, "entry_id": UUID(int=9)}.get(column, one[column])
        place = "seq" if column != "seq" else "entry_id"
        for row, value in ((one, spare), (other, one[column]), (one, other[column])):
            await self.run(
                "UPDATE audit_seal SET {column} = %s WHERE tenant_id = %s AND {place} = %s",
                value,
                self.tenant_id,
                row[place],
                column=column,
                place=place,
            )
        return f"{column} of {one['seq']} and {other['seq']}"

    async def truncate(self) -> str:
        keep = self.random.randrange(SEALED)
        if self.random.random() < 0.5:
            await self.run(
                "DELETE FROM audit_entry WHERE tenant_id = %s AND entry_id IN"
                " (SELECT entry_id FROM audit_seal WHERE tenant_id = %s AND seq > %s)",
                self.tenant_id, self.tenant_id, keep,
            )  # fmt: skip
        await self.run(
            "DELETE FROM audit_seal WHERE tenant_id = %s AND seq > %s", self.tenant_id, keep
        )
        return f"behind {keep}"

    async def unwait(self) -> str:
        waiting = self.random.choice(await self.rows("audit_pending"))
        await self.run(
            "DELETE FROM audit_pending WHERE tenant_id = %s AND entry_id = %s",
            self.tenant_id,
            waiting["entry_id"],
        )
        return str(waiting["entry_id"])


@pytest.fixture
async def trail(tenant: Tenant, worker: Local) -> Tenant:
    """Sealed entries that differ in every column that can, and some that wait."""
    for number in range(SEALED + WAITING):
        if number == SEALED:
            await seal_audit.run_once(worker.world)
        tenant.service.clock.advance(seconds=1)
        if number % 2:
            await tenant("memories.remember", kind="fact", user_id="u", text=f"Has {number} cats.")
        else:
            await tenant("forget", user_id=f"u{number}")
    return tenant


async def test_whatever_is_done_is_found(trail: Tenant, database: Database) -> None:
    tenant_id = trail.tenant_id
    async with await Connection.connect(database.conninfo(ADMIN), autocommit=True) as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET search_path = muniment")
        unit = PostgresUnit(connection, tenant_id)
        await unit.begin()
        head = await chain_head(unit)
        assert head.seq == SEALED
        missed = []
        for seed in range(TRIES):
            superuser = Superuser(connection, tenant_id, seed)
            async with unit.undone():
                done = await superuser.strike()
                if _found(await check_chain(unit, Head(), head)) == []:
                    missed.append(done)
            assert _found(await check_chain(unit, Head(), head)) == []
        assert missed == []
        await unit.rollback()


def _found(check: ChainCheck) -> list[str]:
    return [one.wrong for one in check.findings()]
