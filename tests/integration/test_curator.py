"""The curator: what recurs in several sessions is promoted (RULES 4.4, 6, 8; DESIGN 5.7).

| said in so many sessions | and | becomes |
|---|---|---|
| three, a wish for the task at hand | | a `user_preference`, inferred, 0.70, dated and with an end |
| three, a statement that consolidation left out | | a `fact` |
| three, a habit, each time on the same data source | | a `domain_pattern` of it |
| two; three times in one session | | nothing |
| three | one of them failed | nothing |
| three | one of them stores nothing, or the user opted out | nothing |
| three | one of them was forgotten, or is not consolidated yet | nothing |
| three | over more than the look-back | nothing |
| three | another value was said since | nothing |
| three, what consolidation drew a memory from | | nothing more |
| three, in words that a user's memory has | | that is reinforced, at its own grade |
| more, after the promotion | | reinforced once a run |
| more, of another value | | takes the place of what was promoted before |
| as before | the memory was forgotten | does not come back from the same turns |

| then | and |
|---|---|
| run again; the same with nothing new | changes no row |
| a session of its evidence is forgotten | it stays with what is left, as other memories do |
| all of them | it goes |
| a model is the extractor | it is asked about what the rules have no words for, once |
| the model fails | what the rules promote is written, and it is asked again |
| a scope cannot take more | the others are curated |
| it is stopped at any step, and run again | the end is that of a run without a stop |
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, LiteralString

import pytest
import pytest_asyncio
from psycopg import sql

from muniment.errors import ModelUnavailable
from muniment.postgres.embedded import ADMIN, WORKER
from muniment.postgres.quota import QuotaLimits, StorageQuotas
from muniment.worker import curate
from tests.integration.extracting import (
    DAY,
    Scripted,
    candidate,
    held,
    say,
    scripted,
    tables,
    texts,
    work,
)
from tests.support.databases import Database
from tests.support.world import SCHEMA, START, Local, Tenant, local_service

PATTERN = "On orders, the user keeps asking: Drop the test accounts before you count."
BY_WEEK = ("Show me that by week.", "Can you show me that by week?", "Weekly, please.")


@pytest_asyncio.fixture
async def service(own_database: Database, request: pytest.FixtureRequest) -> Any:
    """The duty goes over every tenant, so each test has a database of its own."""
    async with local_service(own_database.conninfo(), seed=request.node.nodeid) as made:
        yield made


@pytest_asyncio.fixture
async def worker(own_database: Database, service: Local) -> Any:
    """The same as the worker role, on the same clock."""
    async with local_service(own_database.conninfo(WORKER), seed="worker") as made:
        made.clock = service.clock
        object.__setattr__(made.world, "clock", service.clock)
        yield made


@pytest_asyncio.fixture
async def tenant(service: Local) -> Tenant:
    return await service.tenant()


class Curator:
    """Sessions that were consolidated, and the duty."""

    def __init__(self, database: Database, worker: Local, tenant: Tenant) -> None:
        self.database, self.worker, self.tenant = database, worker, tenant
        self.count = 0

    async def sessions(self, *said: str, outcome: str | None = None, **more: Any) -> None:
        """A session for each, a day apart, the first ten days ago."""
        for content in said:
            at = more.pop("at", None) or START - (10 - self.count) * DAY
            await self.session(content, outcome=outcome, at=at, **more)

    async def session(self, *said: str, outcome: str | None = None, **more: Any) -> str:
        """One session with these turns, closed and consolidated."""
        name = f"s{self.count}"
        self.count += 1
        await say(self.tenant, *said, session=name, **more)
        user = more.get("user", "u")
        await self.tenant("sessions.close", user_id=user, session_id=name, outcome=outcome)
        await work(self.database, self.worker, self.tenant, name)
        return name

    async def run(self) -> int:
        """The duty once."""
        return await curate.run_once(self.worker.world)

    def query(self, text: LiteralString | sql.Composed) -> list[Any]:
        with self.database.connect(ADMIN) as admin:
            done = admin.execute(text)
            return [] if done.description is None else done.fetchall()


@pytest.fixture
def curator(own_database: Database, worker: Local, tenant: Tenant) -> Curator:
    return Curator(own_database, worker, tenant)


async def test_a_wish(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    assert await held(tenant) == []
    assert await curator.run() == 1
    (item,) = await held(tenant)
    assert (item.kind, item.text) == ("user_preference", "The user keeps asking for it by week.")
    assert (item.trust, item.confidence, item.status) == ("agent_inferred", 0.7, "active")
    assert (item.valid_from, item.as_of) == (START - 10 * DAY, START - 8 * DAY)
    assert item.expires_at == item.as_of + timedelta(days=365)
    assert [(e.session_id, e.turn) for e in item.evidence] == [("s0", 0), ("s1", 0), ("s2", 0)]
    assert item.importance == 6


async def test_the_decision_names_what_promoted_it(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    (item,) = await held(tenant)
    ((rule, outcome, inputs),) = curator.query(
        "SELECT rule, outcome, inputs FROM muniment.decision"
    )
    assert (rule, outcome) == ("recurred_in_3_sessions", "inserted")
    assert inputs["proposed_by"] == "curator: recurred_in_3_sessions"
    assert datetime.fromisoformat(inputs["expires_at"]) == item.expires_at
    (version,) = (await tenant("memories.history", id=item.id)).versions
    assert [one.rule for one in version.decisions] == ["recurred_in_3_sessions"]


async def test_a_statement_and_a_habit(curator: Curator, tenant: Tenant) -> None:
    scripted(curator.worker, Scripted())
    for at in range(3):
        when = START - (9 - at) * DAY
        await curator.session("The invoices go to the accounting office in Breda.", at=when)
        await curator.session(
            "Drop the test accounts before you count.", at=when, data_source="orders"
        )
    assert await curator.run() == 2
    assert {
        (item.kind, item.data_source, item.text, item.trust) for item in await held(tenant)
    } == {
        ("fact", None, "The invoices go to the accounting office in Breda.", "agent_inferred"),
        ("domain_pattern", "orders", PATTERN, "agent_inferred"),
    }


@pytest.mark.parametrize(
    ("said", "more"),
    [
        (BY_WEEK[:2], {}),
        (("What was revenue last week?",) * 3, {}),
        (("Thanks!",) * 3, {}),
        (("If I moved to Delft I would take the train.",) * 3, {}),
        (("My brother collects old maps of Delft.",) * 3, {}),
        (("Show me that by week.", "Show me that by month.", "Show me that by day."), {}),
        (("> Show me that by week.\n\nWhat does he mean?",) * 3, {}),
    ],
)  # fmt: skip
async def test_nothing_recurs(
    curator: Curator, tenant: Tenant, said: tuple[str, ...], more: Any
) -> None:
    await curator.sessions(*said, **more)
    before = await texts(tenant)
    assert await curator.run() == 0
    assert await texts(tenant) == before


async def test_in_one_session(curator: Curator, tenant: Tenant) -> None:
    await curator.session(*BY_WEEK, "Please show it by week.", at=START - DAY)
    assert await curator.run() == 0
    assert await held(tenant) == []


async def test_what_failed_does_not_confirm(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK[:2], outcome="success")
    await curator.sessions(BY_WEEK[2], outcome="failure")
    assert await curator.run() == 0
    await curator.sessions(BY_WEEK[2], outcome="partial")
    assert await curator.run() == 1


async def test_what_is_not_to_be_remembered(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await tenant("sessions.open", user_id="u", session_id="s1", no_store=True)
    assert await curator.run() == 0
    await tenant("sessions.open", user_id="u", session_id="s1", no_store=False)
    await tenant("users.opt_out", user_id="u")
    assert await curator.run() == 0
    await tenant("users.opt_in", user_id="u")
    assert await curator.run() == 1


async def test_what_was_forgotten_is_not_counted(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await tenant("forget", user_id="u", session_id="s1")
    assert await curator.run() == 0
    await curator.sessions("By week, please.")
    assert await curator.run() == 1


async def test_what_is_not_consolidated_is_not_read(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK[:2])
    await say(tenant, BY_WEEK[2], session="open")
    assert await curator.run() == 0
    await work(curator.database, curator.worker, tenant, "open")
    assert await curator.run() == 1


async def test_over_a_long_time(curator: Curator, tenant: Tenant) -> None:
    for said, days in zip(BY_WEEK, (200, 100, 1), strict=True):
        await curator.session(said, at=START - days * DAY)
    assert await curator.run() == 0


async def test_told_long_ago(curator: Curator, tenant: Tenant) -> None:
    """Imported: its life would be over already."""
    for said, days in zip(BY_WEEK, (400, 399, 398), strict=True):
        await curator.session(said, at=START - days * DAY)
    assert await curator.run() == 0
    assert await held(tenant) == []


async def test_another_value_since(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK, "Show me that by month.")
    assert await curator.run() == 0
    await curator.sessions("Show me that by week.")
    assert await curator.run() == 1
    assert await texts(tenant) == ["The user keeps asking for it by week."]


async def test_another_value_takes_over(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    await curator.sessions("By month, please.", "Monthly, please.", "Show me that by month.")
    assert await curator.run() == 1
    assert await texts(tenant) == ["The user keeps asking for it by month."]
    (item,) = await held(tenant, as_of=(START - 8 * DAY).isoformat())
    assert item.text == "The user keeps asking for it by week."


async def test_what_consolidation_drew(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*["I live in Gouda."] * 3, *["Please always answer in Dutch."] * 3)
    before = tables(curator.database, tenant, "memory", "memory_version", "decision")
    assert before["memory"]
    assert await curator.run() == 0
    assert tables(curator.database, tenant, "memory", "memory_version", "decision") == before


async def test_what_was_taken_back(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*["I live in Gouda."] * 3, "I no longer live in Gouda.")
    before = await held(tenant)
    assert await curator.run() == 0
    assert await held(tenant) == before


async def test_the_same_words_are_held(curator: Curator, tenant: Tenant) -> None:
    scripted(curator.worker, Scripted())
    text = "Invoices go to the accounting office."
    await curator.session(text, at=START - 20 * DAY)
    cited = [{"session_id": "s0", "turn": 0}]
    kept = await tenant("memories.remember", kind="fact", user_id="u", text=text, evidence=cited)
    versions = tables(curator.database, tenant, "memory_version")
    await curator.sessions(*["The invoices go to the accounting office."] * 3)
    assert await curator.run() == 1
    assert tables(curator.database, tenant, "memory_version") == versions
    (item,) = await held(tenant)
    assert (item.id, item.text, item.trust) == (kept.id, text, "user_stated")
    assert len(item.evidence) == 4


async def test_more_of_it(curator: Curator, tenant: Tenant) -> None:
    await curator.sessions(*BY_WEEK)
    await curator.run()
    (first,) = await held(tenant)
    assert await curator.run() == 0
    await curator.sessions("By week, please.")
    assert await curator.run() == 1
    assert await curator.run() == 0
    (item,) = await held(tenant)
    assert (item.id, item.text, item.trust, item.confidence) == (
        first.id, first.text, "agent_inferred", 0.7,
    )  # fmt: skip
    assert len(item.evidence) == 4
    # A preference's life is not renewed by repetition: policy says of which kinds it is.
    assert (item.expires_at, item.as_of) == (first.expires_at, START - 7 * DAY)


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


async def test_users_and_tenants_are_apart(
    curator: Curator, service: Local, tenant: Tenant, worker: Local
) -> None:
    await curator.sessions(BY_WEEK[0], user="u")
    await curator.sessions(BY_WEEK[1], user="v")
    other = Curator(curator.database, worker, await service.tenant())
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
    "decision": "outcome, rule, inputs - 'ended'",
    "promotion": "sentence, memory_id IS NULL",
    "scope_state": "items, bytes, watermark = curated_at",
}


async def test_stopped_at_any_step(
    curator: Curator, service: Local, worker: Local, tenant: Tenant
) -> None:
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
    assert await curate.run_once(replace(worker.world, drill=quiet)) >= 1
    wanted = content(tenant)
    assert len(quiet.seen) > 6
    for at in range(1, len(quiet.seen) + 1):
        other = Curator(curator.database, worker, await service.tenant())
        await other.sessions(*said)
        with pytest.raises(_Struck):
            await curate.run_once(replace(worker.world, drill=Strike(at)))
        await other.run()
        assert content(other.tenant) == wanted, quiet.seen[at - 1]
