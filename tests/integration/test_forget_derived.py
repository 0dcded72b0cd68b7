"""What is derived from a turn that is forgotten, by ids, by filter or with its session.

| rests on | becomes |
|---|---|
| the turn alone: memory, summary | goes, in every version |
| the turn and others: memory | graded anew by the others; what only the turn said goes |
| the turn and others: summary | made anew of the others |
| another memory that goes | goes |

The rules of a memory's words and grades are a table in tests/unit/test_derived.py; here the
database is asked: versions, index rows, vectors, search keys.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from muniment.domain.text import analyzer_for
from muniment.errors import NotFound
from muniment.postgres.embedded import ADMIN, APP
from tests.integration.forgetting import consolidate, counts, difference, mentions, turn
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

WORD = "merganser"
HOUR = timedelta(hours=1)
Made = dict[str, UUID]

TARGETS: dict[str, Callable[[Made], dict[str, Any]]] = {
    "items": lambda made: {"ids": [made["turn"]]},
    "filter": lambda _: {"filter": {"session_id": "s-1", "turn": 1}},
    "session": lambda _: {"session_id": "s-1"},
}


async def tell(tenant: Tenant, session: str, number: int, content: str, **more: Any) -> UUID:
    """Write one turn; its id."""
    written = await tenant(
        "events.write", user_id="u", session_id=session, events=[turn(number, content, **more)]
    )
    return UUID(str(written.verdicts[0].event_id))


async def remember(tenant: Tenant, text: str, *cited: tuple[str, int], **more: Any) -> Any:
    """A fact about the user that rests on these turns."""
    evidence = [{"session_id": session, "turn": number} for session, number in cited]
    told = {"kind": "fact", "user_id": "u", "text": text, "evidence": evidence}
    return await tenant("memories.remember", **(told | more))


async def lived(service: Local, tenant: Tenant) -> Made:
    """A city told in two sessions, by the user and then by an agent; more that rests on one."""
    made: Made = {}
    said = f"I live in Gouda by the {WORD}."
    made["turn"] = await tell(tenant, "s-1", 1, said, occurred_at=START - 5 * HOUR)
    await tell(tenant, "s-1", 2, "My dog is called Rex.", occurred_at=START - 4 * HOUR)
    service.clock.advance(hours=1)
    await tell(
        tenant, "s-2", 1, "You live in Gouda.", role="assistant", occurred_at=START - 9 * HOUR
    )
    slot = {"slot": "city", "value": "Gouda"}
    city = await remember(
        tenant,
        f"Lives in Gouda by the {WORD}.",
        ("s-1", 1),
        **slot,
        detail=WORD,
        metadata={WORD: WORD},
    )
    made["city"] = city.id
    service.clock.advance(hours=1)
    await remember(tenant, "Lives in Gouda.", ("s-2", 1), **slot)
    made["alone"] = (await remember(tenant, f"Likes the {WORD}.", ("s-1", 1))).id
    made["dog"] = (await remember(tenant, "Has a dog, Rex.", ("s-1", 2), ("s-2", 1))).id
    return made  # fmt: skip


@pytest.mark.parametrize("kind", TARGETS)
async def test_a_turn(
    database: Database, service: Local, worker: Local, tenant: Tenant, kind: str
) -> None:
    made = await lived(service, tenant)
    await consolidate(database, worker, tenant)
    was = await tenant("memories.get", id=made["city"])
    assert (was.trust, was.confidence) == ("user_stated", 0.9)
    then = was.recorded_at
    before = counts(database, tenant)
    asked = TARGETS[kind](made)
    dry = await tenant("forget", user_id="u", **asked, dry_run=True)
    done = await tenant("forget", user_id="u", **asked)
    assert done.counts == dry.counts == difference(before, counts(database, tenant))

    city = await tenant("memories.get", id=made["city"])
    assert (city.text, city.trust, city.confidence) == ("City: Gouda.", "agent_inferred", 0.7)
    assert city.as_of == START - 9 * HOUR
    assert [(e.session_id, e.turn) for e in city.evidence] == [("s-2", 1)]
    assert city.metadata == {}
    versions = (await tenant("memories.history", id=made["city"])).versions
    assert {(v.trust, v.confidence, v.observed_at) for v in versions} == {
        ("agent_inferred", 0.7, START - 9 * HOUR)
    }
    # What held by the turn alone never held.
    known = await tenant("memories.list", user_id="u", known_at=then)
    assert made["city"] not in {item.id for item in known.items}
    with pytest.raises(NotFound):
        await tenant("memories.get", id=made["alone"])
    with database.connect(ADMIN) as admin:
        terms = admin.execute(
            "SELECT DISTINCT terms FROM muniment.memory_index WHERE group_id = %s", [made["city"]]
        ).fetchall()
    assert terms == [(analyzer_for().encode("City: Gouda. (city)"),)]
    found = await tenant("recall", user_id="u", query="Which city?", tiers=["semantic"])
    assert made["city"] in {item.id for item in found.items}
    await consolidate(database, worker, tenant)
    assert mentions(database, tenant, WORD) == []


@pytest.mark.parametrize("kind", ["items", "filter"])
async def test_a_summary_is_made_anew(
    database: Database, service: Local, worker: Local, tenant: Tenant, kind: str
) -> None:
    made = await lived(service, tenant)
    await consolidate(database, worker, tenant)
    await tenant("forget", user_id="u", **TARGETS[kind](made))
    asked: dict[str, Any] = {"user_id": "u", "tiers": ["episodic"], "kinds": ["session_summary"]}
    left = (await tenant("memories.list", **asked)).items
    assert {e.session_id for item in left for e in item.evidence} <= {"s-2"}
    await consolidate(database, worker, tenant)
    (again,) = [
        item
        for item in (await tenant("memories.list", **asked)).items
        if {e.session_id for e in item.evidence} == {"s-1"}
    ]
    assert "Rex" in again.text
    # It is dated by the turns that are left.
    assert "05:00" in again.text
    assert "04:00" not in again.text


async def test_a_summary_that_was_forgotten_itself_stays_away(
    database: Database, service: Local, worker: Local, tenant: Tenant
) -> None:
    await lived(service, tenant)
    await consolidate(database, worker, tenant)
    asked: dict[str, Any] = {"user_id": "u", "tiers": ["episodic"], "kinds": ["session_summary"]}
    ids = [item.id for item in (await tenant("memories.list", **asked)).items]
    done = await tenant("forget", user_id="u", ids=ids)
    assert (done.counts["episode"], "event" in done.counts) == (len(ids), False)
    await consolidate(database, worker, tenant)
    assert (await tenant("memories.list", **asked)).items == ()


async def test_what_was_made_from_a_memory_goes_with_it(
    database: Database, service: Local, tenant: Tenant
) -> None:
    made = await lived(service, tenant)
    wider = (await remember(tenant, f"Knows the {WORD} well.")).id
    widest = (await remember(tenant, f"The {WORD} matters.")).id
    with database.connect(ADMIN) as admin:
        for memory, source in ((wider, made["alone"]), (wider, made["dog"]), (widest, wider)):
            admin.execute(
                "INSERT INTO muniment.memory_derivation"
                " SELECT tenant_id, scope_id, %s, %s FROM muniment.memory WHERE memory_id = %s",
                [memory, source, source],
            )
    before = counts(database, tenant)
    done = await tenant("forget", user_id="u", ids=[made["turn"]])
    assert done.counts == difference(before, counts(database, tenant))
    left = {item.id for item in (await tenant("memories.list", user_id="u")).items}
    assert left == {made["city"], made["dog"]}


async def test_a_memory_that_loses_a_part_lives_no_longer_than_what_is_left(
    service: Local, tenant: Tenant
) -> None:
    await tell(tenant, "s-1", 1, "Sales fell.", occurred_at=START - HOUR)
    await tell(tenant, "s-2", 1, "Sales fell.", occurred_at=START - 30 * 24 * HOUR)
    told = {"kind": "finding"}
    await remember(tenant, "Sales fell.", ("s-2", 1), **told)
    made = await remember(tenant, "Sales fell.", ("s-1", 1), **told)
    assert (await tenant("memories.get", id=made.id)).expires_at == START - HOUR + timedelta(
        days=90
    )
    await tenant("forget", user_id="u", session_id="s-1")
    left = await tenant("memories.get", id=made.id)
    assert left.as_of == START - 30 * 24 * HOUR
    assert left.expires_at == left.as_of + timedelta(days=90)


async def test_what_the_database_lets_pass(
    database: Database, service: Local, tenant: Tenant
) -> None:
    """Nothing rises, whoever asks; and no tenant reaches the memories of another."""
    told = await remember(tenant, "Likes herons.")
    made = await tenant("memories.get", id=told.id)
    other = (await service.tenant("other")).tenant_id
    with database.connect(ADMIN) as admin:
        place = admin.execute(
            "SELECT tenant_id, scope_id, version_id FROM muniment.memory_version WHERE memory_id = %s",
            [told.id],
        ).fetchone()
    assert place is not None
    raised = ["agent_inferred", 1.0, START + 9 * HOUR, None]
    with database.connect(APP) as app:
        for acting in (other, tenant.tenant_id):
            app.execute("SELECT set_config('muniment.tenant_id', %s, false)", [str(acting)])
            app.execute(
                "SELECT muniment.regrade_version(%s, %s, %s, '-infinity', %s, %s, %s, %s)",
                [*place, *raised],
            )
            if acting == other:
                app.execute(
                    "SELECT muniment.reword_memory(%s, %s, %s, 'x', NULL, NULL, '{}', NULL, NULL)",
                    [place[0], place[1], told.id],
                )
    assert await tenant("memories.get", id=told.id) == made
