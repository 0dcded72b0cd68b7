"""What the tests of forget share: a life to forget, and how to look for what is left of it."""

from base64 import b64encode
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg import sql

from muniment.postgres.embedded import ADMIN
from muniment.worker import consolidate as duty
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

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
    await run(tenant, user, word)
    await analyse(tenant, user, word)
    await tenant("recall", user_id=user, query=f"Where is {word}?", agent_id=word, run_id=word)
    await tenant.service.recalls.flush()
    return {
        "first": written.verdicts[0].event_id, "second": written.verdicts[1].event_id,
        "city": city.id, "dog": dog.id, "quality": quality.id,
    }  # fmt: skip


async def analyse(tenant: Tenant, user: str, word: str) -> None:
    """An analysis of a source of that name, with the word wherever there is room for one."""
    found = {"text": f"The table {word} grew.", "label": "confirmatory", "detail": word, "metadata": {word: word}}  # fmt: skip
    asked: dict[str, Any] = {"user_id": user, "data_source": word, "question": f"How is {word}?"}
    await tenant(
        "analysis.report", **asked, session_id=f"{user}-1", findings=[found], fingerprint=word,
        battery=[{"step": f"count {word}", "parameters": {word: word}}], agent_id=word,
        unknowns=[f"Why {word}?"], answered=[f"Where is {word}?"],
    )  # fmt: skip


async def run(tenant: Tenant, user: str, word: str) -> None:
    """A run of the user that came to an end, with the word wherever there is room for one."""
    run_id = (await tenant("runs.open", agent_id=word, user_id=user, stage=word)).run_id
    fact = {"key": word, "value": word, "source": word}
    place: dict[str, Any] = {"run_id": run_id, "fence": 1}
    await tenant.once(
        f"step {user}", "runs.checkpoint", **place, step=1, committed_facts=[fact],
        open_questions=[f"{word}?"],
    )  # fmt: skip
    await tenant("tools.define", name="t", effect="write")
    call: dict[str, Any] = {"tool": "t", "key": word}
    await tenant.once(f"call {user}", "runs.claim_tool", **place, **call, arguments={word: word})
    call |= {"run_id": run_id}
    await tenant("runs.record_tool", **call, attempt=1, status="in_doubt")
    told: dict[str, Any] = {
        "happened": True,
        "reason": word,
        "result": b64encode(word.encode()).decode(),
    }
    await tenant("runs.settle_tool", **call, **told)
    wish: dict[str, Any] = {"action": word, "gate": word, "scope": {word: word}, "reason": word}
    await tenant.once(f"ask {user}", "approvals.request", **place, **wish)
    await tenant("schemas.register", name="s", schema={})
    board: dict[str, Any] = {"run_id": run_id, "name": word, "schema": "s", "agent_id": word}
    await tenant.once(f"put {user}", "artifacts.put", **board, value={word: word}, if_version=0)
    await tenant("runs.close", **place, outcome="partial", correction=f"It was {word}.")
    value = {"type": word, "data": b64encode(word.encode()).decode()}
    thread: dict[str, Any] = {"user_id": user, "thread_id": word, "checkpoint_id": word}
    new = {"channel": word, "version": word, **value}
    await tenant.once(
        f"save {user}", "threads.put", **thread, state=value, values=[new], labels={word: word},
        pieces=[value["data"]],
    )  # fmt: skip
    write = {"place": 0, "channel": word, **value}
    await tenant.once(f"write {user}", "threads.put_writes", **thread, task_id=word, writes=[write])


async def consolidate(database: Database, worker: Local, tenant: Tenant) -> None:
    """Bring every session that is behind up to date."""
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT scope_id, session_pk FROM muniment.session WHERE tenant_id = %s",
            [tenant.tenant_id],
        ).fetchall()
    for scope_id, session_pk in rows:
        await duty.run_once(worker.world, tenant.tenant_id, scope_id, session_pk)


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
                sql.SQL("SELECT FROM {} r WHERE tenant_id = %s AND r::text ILIKE ANY(%s)").format(
                    sql.Identifier("muniment", name)
                ),
                [tenant.tenant_id, [f"%{word}%", f"%{word.encode().hex()}%"]],
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
