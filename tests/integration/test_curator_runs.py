"""Runs of the curator: again, stopped, with a model, beside other writes.

| then | and |
|---|---|
| the memory is forgotten | it does not come back from the same turns |
| run again; the same with nothing new | changes no row |
| a session of its evidence is forgotten | it stays with what is left, as other memories do |
| all of them | it goes |
| a model is the extractor | it is asked about what the rules have no words for, once |
| the model fails | what the rules promote is written, and it is asked again |
| a scope cannot take more | the others are curated |
| it is stopped at any step, and run again | the end is that of a run without a stop |
"""

from dataclasses import replace
from typing import Any, LiteralString

import pytest
from psycopg import sql

from muniment.errors import ModelUnavailable
from muniment.postgres.quota import QuotaLimits, StorageQuotas
from muniment.worker import curate
from tests.integration.curating import BY_WEEK, Curator
from tests.integration.extracting import (
    DAY,
    Scripted,
    candidate,
    held,
    say,
    scripted,
    tables,
    texts,
)
from tests.support.world import SCHEMA, START, Tenant

pytestmark = pytest.mark.long


@pytest.fixture
def tenant(curator: Curator) -> Tenant:
    return curator.tenant


async def test_it_does_not_come_back(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    (item,) = await held(tenant)
    await tenant("forget", user_id="u", ids=[item.id])
    assert await curator.run() == 0
    await curator.sessions(*BY_WEEK[:2])
    assert await curator.run() == 0
    await curator.sessions(BY_WEEK[2])
    assert await curator.run() == 1
    (again,) = await held(tenant)
    assert len(again.evidence) == 3


async def test_evidence_that_goes(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    (before,) = await held(tenant)
    await tenant("forget", user_id="u", session_id="s2")
    (item,) = await held(tenant)
    assert (item.text, item.trust, item.confidence) == (before.text, "agent_inferred", 0.7)
    assert item.as_of == START - 9 * DAY
    assert [e.session_id for e in item.evidence] == ["s0", "s1"]
    assert await curator.run() == 0
    for session in ("s0", "s1"):
        await tenant("forget", user_id="u", session_id=session)
    assert await held(tenant) == []
    assert curator.query("SELECT * FROM muniment.promotion") == []


EVERY_TABLE = (
    "memory", "memory_version", "memory_evidence", "decision", "memory_index", "promotion",
    "scope_state", "session", "event", "episode",
)  # fmt: skip


async def test_nothing_new_changes_no_row(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK, "I live in Gouda.")
    await curator.run()
    before = tables(curator.database, tenant, *EVERY_TABLE)
    assert await curator.run() == 0
    assert tables(curator.database, tenant, *EVERY_TABLE) == before
    # What is written and says nothing new moves no more than the mark.
    await curator.session("Thanks!", at=START)
    version = curator.query("SELECT version FROM muniment.scope_state")
    assert await curator.run() == 0
    assert curator.query("SELECT version FROM muniment.scope_state") == version
    assert curator.query("SELECT watermark = curated_at FROM muniment.scope_state") == [(True,)]


class Model(Scripted):
    """A script that costs tokens, so that it is asked as a model is."""

    tokens_per_hour = 1000

    def most_tokens(self, turns: Any, _slots: Any, _name: str | None, /) -> int:
        return len(turns)


QUESTION = "What was the churn in Gouda?"


async def test_a_model(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*[QUESTION] * 3, *BY_WEEK)
    asks = candidate("user_preference", "The user follows churn in Gouda.", 0, 1, 2)
    too_few = candidate("user_preference", "The user lives in Gouda.", 0, 1)
    ending = candidate("fact", "The user left.", 0, 1, 2, retracts=True)
    model = Model(asks, too_few, ending, candidate("procedure", "Restart.", 0, 1, 2))
    rules = curator.worker.world.extractor
    scripted(curator.worker, model)
    assert await curator.run() == 2
    assert [[turn.content for turn in asked] for asked in model.asked] == [[QUESTION] * 3]
    assert set(await texts(tenant)) == {
        "The user follows churn in Gouda.",
        "The user keeps asking for it by week.",
    }
    proposed = curator.query("SELECT inputs ->> 'proposed_by' FROM muniment.decision ORDER BY 1")
    assert proposed == [("curator: recurred_in_3_sessions",), ("curator: scripted: scripted",)]
    scripted(curator.worker, rules)
    await curator.sessions("Good morning!", QUESTION)
    scripted(curator.worker, model)
    assert await curator.run() == 1
    assert len(model.asked) == 1


async def test_a_model_that_fails(curator: Curator, tenant: Tenant) -> None:
    async def fail() -> None:
        raise ModelUnavailable("It is away.")

    await curator.sessions(*[QUESTION] * 3, *BY_WEEK)
    model = Model(meanwhile=fail)
    scripted(curator.worker, model)
    assert await curator.run() == 1
    assert await texts(tenant) == ["The user keeps asking for it by week."]
    model.meanwhile, model.candidates = None, (candidate("fact", "Gouda matters.", 0, 1, 2),)
    assert await curator.run() == 1
    assert "Gouda matters." in await texts(tenant)


async def test_a_scope_that_is_written_to_meanwhile(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*[QUESTION] * 3, *BY_WEEK)
    done: list[int] = []

    async def write() -> None:
        if not done:
            done.append(1)
            await say(tenant, "Good morning!", session="meanwhile")

    model = Model(candidate("fact", "Gouda matters.", 0, 1, 2), meanwhile=write)
    scripted(curator.worker, model)
    assert await curator.run() == 2
    assert len(model.asked) == 2


async def test_a_user_who_is_forgotten_meanwhile(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*[QUESTION] * 3, *BY_WEEK)

    async def forget() -> None:
        await tenant("forget", user_id="u")

    scripted(curator.worker, Model(candidate("fact", "Gouda matters.", 0, 1, 2), meanwhile=forget))
    assert await curator.run() == 0
    assert curator.query("SELECT * FROM muniment.memory") == []


async def test_users_and_tenants_are_apart(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(BY_WEEK[0], user="u")
    await curator.sessions(BY_WEEK[1], user="v")
    other = await curator.other()
    await other.sessions(BY_WEEK[2])
    assert await curator.run() == 0
    await other.sessions(*BY_WEEK[:2])
    assert await curator.run() == 1
    assert len(await held(other.tenant)) == 1
    assert await held(tenant) == []


async def test_so_many_scopes_a_run(curator: Curator, tenant: Tenant) -> None:
    for user in ("a", "b", "c"):
        await curator.sessions(*BY_WEEK, user=user)
    counts = [await curate.run_once(curator.worker.world, per_run=2) for _ in range(3)]
    assert counts == [2, 1, 0]


async def test_a_scope_that_is_full(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK, *["I live in Gouda."] * 3, user="a")
    await curator.sessions(*BY_WEEK, user="b")
    ((most,),) = curator.query("SELECT max(bytes) FROM muniment.scope_state")
    limits = QuotaLimits(user_bytes=most - 1, tenant_bytes=None, free_bytes=0)
    world = replace(curator.worker.world, quotas=StorageQuotas(limits, SCHEMA, None))
    assert await curate.run_once(world) == 1
    assert "The user keeps asking for it by week." not in await texts(tenant, "a")
    assert len(await held(tenant, "b")) == 1
    assert await curator.run() == 1


class _Struck(Exception):
    """Stands for the end of the process: the transaction that is open is rolled back."""


class Strike:
    """Implements ``ports.Drill``: strikes once, where the point is reached that many times."""

    def __init__(self, at: int) -> None:
        self.left = at
        self.seen: list[str] = []

    def reached(self, point: str) -> None:
        if point.startswith("curation."):
            self.seen.append(point)
            self.left -= 1
            if not self.left:
                raise _Struck


CONTENT: dict[str, LiteralString] = {
    "memory": "kind, text, data_source",
    "memory_version": "valid, standing, trust, confidence, importance, observed_at, expires_at",
    "memory_evidence": "turn, trust, observed_at",
    "decision": "outcome, rule, inputs",
    "promotion": "sentence, memory_id IS NULL",
    "scope_state": "items, bytes, watermark = curated_at",
}


async def test_stopped_at_any_step(curator: Curator, tenant: Tenant) -> None:
    def content(of: Tenant) -> dict[str, list[Any]]:
        return {
            table: curator.query(
                sql.SQL(
                    "SELECT r::text FROM (SELECT {} FROM {} WHERE tenant_id = {}) r ORDER BY 1"
                ).format(
                    sql.SQL(columns), sql.Identifier("muniment", table), sql.Literal(of.tenant_id)
                )
            )
            for table, columns in CONTENT.items()
        }

    said = (*BY_WEEK, *["Drop the test accounts before you count."] * 3)
    await curator.sessions(*said)
    quiet = Strike(0)
    assert await curate.run_once(replace(curator.worker.world, drill=quiet)) >= 1
    wanted = content(tenant)
    assert len(quiet.seen) > 6
    for at in range(1, len(quiet.seen) + 1):
        other = await curator.other()
        await other.sessions(*said)
        with pytest.raises(_Struck):
            await curate.run_once(replace(curator.worker.world, drill=Strike(at)))
        await other.run()
        assert content(other.tenant) == wanted, quiet.seen[at - 1]
