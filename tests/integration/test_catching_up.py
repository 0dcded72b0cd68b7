"""An older database carries out the erasure ledger before it serves (RULES 15.4).

| forgotten since | on the older database |
|---|---|
| a user, a session, items, what a filter admits, a source | gone, in every table; a receipt by the same id with the same counts |
| a user who was reopened since | gone; writes are taken |
| a user under a hold that is older still | hidden, kept until the release |
| a user under a hold that was placed since, on the user, a session, a source, a filter | the same; the hold is there by its id |
| that, and the hold was released | gone, with a receipt of its own |
| a forget that was taken back | stays |
| anything, once more | nothing is done twice |

| the ledger | then |
|---|---|
| lost lines that the database has | they are written again, before what came after them |
| is gone or shortened at the next forget | the same, and the forget behind them |
| lost lines that the database does not have | StartRefused, nothing carried out |
| damaged, of another installation | StartRefused, nothing carried out |
| none, and a new one cannot be made | Unavailable |

The older database is a copy of the one that goes on.
"""

import contextlib
import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from muniment.errors import Forgotten, StartRefused, Unavailable
from muniment.postgres.embedded import ADMIN, WORKER
from muniment.providers.erasure_ledger import FileLedger
from muniment.records.catching_up import catch_up, open_ledger
from muniment.worker import mend_ledger as duty
from tests.integration.forgetting import CANARY, counts, live, mentions
from tests.support.databases import Database
from tests.support.interposing import interposed
from tests.support.told import untold
from tests.support.world import Local, Tenant, local_service

pytestmark = pytest.mark.long

OTHER = "merganser"
SEEDS = itertools.count()


@contextlib.asynccontextmanager
async def on(database: Database, ledger: Path, tenant: Tenant | None = None) -> AsyncIterator[Any]:
    """A service on a database, and the tenant there; its first one is made."""
    seed = f"{database.name} {next(SEEDS)}"
    async with local_service(database.conninfo(), seed=seed, ledger=ledger) as service:
        if tenant is not None:
            service.clock.moment = tenant.service.clock.moment
            yield replace(tenant, service=service)
        else:
            yield await service.tenant()


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Where both databases have their ledger."""
    return tmp_path / "erasures"


async def lived(database: Database, ledger: Path, **hold: Any) -> tuple[Tenant, dict[str, UUID]]:
    """Two users who lived; and then the service is stopped, so that a copy can be made."""
    async with on(database, ledger) as tenant:
        await open_ledger(tenant.service.world)
        made = await live(tenant, "u", CANARY)
        await live(tenant, "v", OTHER)
        if hold:
            await tenant("holds.place", reason="case", **hold)
        return tenant, made


def lines_of(ledger: Path) -> list[str]:
    """The lines of the file."""
    return ledger.read_text(encoding="utf-8").splitlines(keepends=True)


def put(ledger: Path, text: str) -> None:
    """Give the ledger this text; none, and it is gone."""
    ledger.unlink()
    if text:
        ledger.write_text(text, encoding="utf-8")


def copied(database: Database) -> Database:
    """A backup, as it would be restored."""
    return Database.copy(database.cluster, database.name)


async def test_what_was_forgotten_since_goes(own_database: Database, ledger: Path) -> None:
    tenant, made = await lived(own_database, ledger)
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        done = {
            "items": await here("forget", user_id="u", ids=[made["dog"]]),
            "filter": await here("forget", user_id="u", filter={"turn": 2}),
            "session": await here("forget", user_id="u", session_id="u-1"),
            "source": await here("forget", data_source=OTHER),
            "user": await here("forget", user_id="u"),
        }
        left = counts(own_database, here)
        receipts = (await here("receipts.list")).items
    async with on(older, ledger, tenant) as there:
        before = counts(older, there)
        caught = await catch_up(there.service.world)
        assert (caught.carried_out, caught.written_again) == (len(done), 0)
        assert mentions(older, there, CANARY) == []
        told = {
            one.receipt_id: (one.target, one.state, one.counts)
            for one in (await there("receipts.list")).items
        }
        assert told == {one.receipt_id: (one.target, one.state, one.counts) for one in receipts}
        assert set(told) == {one.receipt_id for one in done.values()}
        found = counts(older, there)
        # What the calls themselves wrote down is the other database's.
        unlike = {name for name in found if found[name] != left[name]}
        assert unlike <= {"audit_entry", "audit_pending", "idempotency"}, unlike
        assert found["event"] < before["event"]
        carried = (await there("audit.list", limit=200)).items
        steps = [one for one in carried if one.operation.startswith("ledger.")]
        assert {one for entry in steps for one in entry.subjects} >= set(told)
        assert {one.operation for one in steps} == {"ledger.user", "ledger.parts"}
        assert all(one.detail["counts"] for one in steps)
        with older.connect(ADMIN) as admin:
            assert await untold(there, admin) == []
        with pytest.raises(Forgotten):
            await there("working.put", user_id="u", session_id="s", key="k", value=1)
        assert (await catch_up(there.service.world)).carried_out == 0
        assert counts(older, there) == found
    older.drop()


async def test_who_was_reopened_since_is_a_new_start(own_database: Database, ledger: Path) -> None:
    tenant, _ = await lived(own_database, ledger)
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        await here("forget", user_id="u")
        await here("users.reopen", user_id="u")
        await here("memories.remember", kind="fact", user_id="u", text=f"Sails in {CANARY}.")
    async with on(older, ledger, tenant) as there:
        assert (await catch_up(there.service.world)).carried_out == 2
        assert mentions(older, there, CANARY) == []
        await there("memories.remember", kind="fact", user_id="u", text="Sails again.")
    older.drop()


async def test_a_hold_of_before_keeps(own_database: Database, ledger: Path) -> None:
    tenant, _ = await lived(own_database, ledger, user_id="u")
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        told = await here("forget", user_id="u")
    held = told.held
    assert held
    async with on(older, ledger, tenant) as there:
        await catch_up(there.service.world)
        assert mentions(older, there, CANARY) == ["kept_row"]
        (receipt,) = (await there("receipts.list")).items
        assert (receipt.held, receipt.counts) == (held, told.counts)
        assert (receipt.state, receipt.erased_at) == ("hidden", None)
        (hold,) = (await there("holds.list")).items
        await there("holds.release", hold_id=hold.hold_id, reason="over")
        assert mentions(older, there, CANARY) == []
    older.drop()


@pytest.mark.parametrize(
    "target",
    [
        {"user_id": "u"},
        {"user_id": "u", "session_id": "u-1"},
        {"data_source": CANARY},
        {"user_id": "u", "filter": {"turn": 1}},
    ],
    ids=["user", "session", "source", "filter"],
)
async def test_a_hold_of_since_keeps(
    own_database: Database, ledger: Path, target: dict[str, Any]
) -> None:
    tenant, _ = await lived(own_database, ledger)
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        hold_id = (await here("holds.place", reason="case", **target)).hold_id
        again = (await here("holds.place", reason="case", user_id="v")).hold_id
        held = (await here("forget", user_id="u")).held
        await here("forget", user_id="v")
        await here("holds.release", hold_id=again, reason="over")
    assert held
    async with on(older, ledger, tenant) as there:
        assert (await catch_up(there.service.world)).carried_out == 5
        # A hold on a source names it.
        named = {"hold"} if "data_source" in target else set()
        assert set(mentions(older, there, CANARY)) - named == {"kept_row"}
        assert mentions(older, there, OTHER) == []
        receipts = {one.target: one for one in (await there("receipts.list")).items}
        assert set(receipts) == {"user", "hold"}
        (hold,) = (await there("holds.list")).items
        assert hold.hold_id == hold_id
        assert hold.kept == sum(held.values())
        await there("holds.release", hold_id=hold_id, reason="over")
        assert set(mentions(older, there, CANARY)) - named == set()
    older.drop()


async def test_a_second_hold_of_since(own_database: Database, ledger: Path) -> None:
    """On a user who was forgotten under a first one that the backup has."""
    tenant, _ = await lived(own_database, ledger, user_id="u")
    async with on(own_database, ledger, tenant) as here:
        await here("forget", user_id="u")
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        second = (await here("holds.place", reason="case", user_id="u")).hold_id
    async with on(older, ledger, tenant) as there:
        assert (await catch_up(there.service.world)).carried_out == 1
        holds = {one.hold_id for one in (await there("holds.list")).items}
        (first,) = holds - {second}
        assert second in holds
        await there("holds.release", hold_id=first, reason="over")
        assert mentions(older, there, CANARY) == ["kept_row"]
        await there("holds.release", hold_id=second, reason="over")
        assert mentions(older, there, CANARY) == []
    older.drop()


async def test_a_forget_that_was_taken_back_stays(own_database: Database, ledger: Path) -> None:
    tenant, _ = await lived(own_database, ledger)
    older = copied(own_database)

    async def fail() -> None:
        raise Unavailable

    async with on(own_database, ledger, tenant) as here:
        within, _ = interposed(here, "audit_insert", fail)
        with pytest.raises(Unavailable):
            await within("forget", user_id="u")
    async with on(older, ledger, tenant) as there:
        before = counts(older, there)
        assert (await catch_up(there.service.world)).carried_out == 0
        assert counts(older, there) == before
    older.drop()


async def test_lines_that_were_lost_are_written_again(own_database: Database, ledger: Path) -> None:
    tenant, _ = await lived(own_database, ledger)
    conninfo = own_database.conninfo(WORKER)
    async with (
        on(own_database, ledger, tenant) as here,
        local_service(conninfo, seed="worker", ledger=ledger) as worker,
    ):
        for user in ("u", "v"):
            await here("forget", user_id=user)
        whole = lines_of(ledger)
        for left in (0, 1, 2):
            put(ledger, "".join(whole[:left]))
            assert await duty.run_once(worker.world) == len(whole) - max(left, 1)
            assert lines_of(ledger) == whole
        put(ledger, "".join([whole[0], *whole[2:]]))
        assert await duty.run_once(worker.world) == 1
        assert await duty.run_once(worker.world) == 0
        assert lines_of(ledger) == whole


@pytest.mark.parametrize("left", [0, 1, 2])
async def test_a_forget_that_finds_the_ledger_shortened(
    own_database: Database, ledger: Path, left: int
) -> None:
    """Gone, cut to its title, to a line: the next forget writes it again, of all tenants."""
    tenant, _ = await lived(own_database, ledger, user_id="u")
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        other = await here.service.tenant()
        await here("forget", user_id="u")
        await other("forget", user_id="w")
        whole = lines_of(ledger)
        put(ledger, "".join(whole[:left]))
        await here("forget", user_id="v")
        assert lines_of(ledger)[1 : len(whole)] == whole[1:]
        assert len(lines_of(ledger)) == len(whole) + 1
    async with on(older, ledger, tenant) as there:
        assert (await catch_up(there.service.world)).carried_out == 2
        assert mentions(older, there, OTHER) == []
        assert mentions(older, there, CANARY) == ["kept_row"]
    older.drop()


async def test_a_ledger_that_cannot_be_used(own_database: Database, ledger: Path) -> None:
    tenant, _ = await lived(own_database, ledger)
    older = copied(own_database)
    async with on(own_database, ledger, tenant) as here:
        await here("forget", user_id="u")
    title, line = lines_of(ledger)
    whole = title + line
    async with on(older, ledger, tenant) as there:
        before = counts(older, there)
        for text, said in (
            (whole.replace("muniment", "other"), "another installation"),
            (whole.replace('"user"', '"used"', 1), "damaged in line 2"),
            (title, "1 lines of the erasure ledger are missing"),
            (whole[:-2], "1 lines of the erasure ledger are missing"),
        ):
            put(ledger, text)
            with pytest.raises(StartRefused, match=said):
                await catch_up(there.service.world)
        assert counts(older, there) == before
        shut = FileLedger(ledger / "below")
        world = replace(there.service.world, ledger=shut)
        with pytest.raises(Unavailable):
            await open_ledger(world)
        await serving(Local(world, there.service.clock, there.service.recalls), there)
    older.drop()


async def serving(service: Local, tenant: Tenant) -> None:
    """Nothing is forgotten where nobody could keep it from coming back."""
    with pytest.raises(Unavailable):
        await replace(tenant, service=service)("forget", user_id="u")
