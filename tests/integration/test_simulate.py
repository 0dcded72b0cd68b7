"""policy.simulate: a dry run of decay, expiry and archive (DESIGN 4).

| asked | answer |
|---|---|
| the policy as it is, until a date | by kind what the duties make of it, run every week till then |
| another document | the same after `policy.put` of it |
| a date that is over; a document that breaks rules | InvalidInput, at the place |
| a key without `operate`, or of one user | Forbidden |
| by another tenant | its own numbers |

| recalled | counts as a return |
|---|---|
| the same item a day later, of nine of ten | yes: median and nine tenths, and a half-life that keeps it |
| within the hour; about the past; for the first time | no |

No row of the database is another one after it.
"""

from datetime import timedelta
from math import log2
from typing import Any

import pytest
from psycopg import sql

from muniment.errors import Forbidden, InvalidInput
from muniment.worker import decay, expire
from tests.integration.curating import Curator
from tests.support.world import START, Tenant

pytestmark = pytest.mark.long

DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
LATER = (0, 10, 17, 25, 60)
DOCUMENTS: list[dict[str, Any] | None] = [
    None,
    {},
    {"decay": {"half_life": 14, "grace": 30}},
    {"decay": {"immune": 4}, "kinds": {"fact": {"ttl": 100}, "summary": {"decays": False}}},
    {
        "kinds": {"fact": {"decays": False}, "user_preference": {"ttl": 20}},
        "retention": {"episode": {"days": {"personal": 40}}},
    },
]


@pytest.fixture
def tenant(curator: Curator) -> Tenant:
    return curator.tenant


async def fill(curator: Curator) -> None:
    """Some of everything, part of it used, part of it archived already."""
    tenant = curator.tenant
    remember: dict[str, Any] = {"user_id": "u", "kind": "fact"}
    await tenant("memories.remember", **remember, text="Sold the boat in Breda.")
    curator.service.clock.advance(weeks=20)
    await decay.run_once(curator.worker.world)
    await curator.session("I have a cat.", "I live in Gouda.", at=START + 20 * WEEK)
    await curator.session("I'm allergic to nuts.", at=START + 20 * WEEK)
    await tenant("memories.remember", **remember, text="Saw a heron near Gouda.")
    await tenant("memories.remember", **remember, text="Painted the shed green.")
    for kind in ("user_preference", "finding"):
        told = remember | {"kind": kind, "text": f"Likes a {kind}."}
        await tenant("memories.remember", **told)
    curator.service.clock.advance(weeks=3)
    assert (await tenant("recall", user_id="u", query="Who saw a heron?")).items
    await curator.service.recalls.flush()


async def state(curator: Curator) -> dict[str, tuple[int, int]]:
    """Of each kind, how many are held as they are and how many archived."""
    every: dict[str, Any] = {"tiers": ["episodic", "semantic"], "limit": 200}
    counted: dict[str, list[int]] = {}
    for place, standing in enumerate((["asserted", "contested"], ["archived"])):
        listed = await curator.tenant("memories.list", user_id="u", standing=standing, **every)
        for item in listed.items:
            counted.setdefault(item.kind, [0, 0])[place] += 1
    return {kind: (kept, archived) for kind, (kept, archived) in counted.items()}


@pytest.mark.parametrize("document", DOCUMENTS)
async def test_it_foresees_what_the_duties_do(
    curator: Curator, document: dict[str, Any] | None
) -> None:
    await fill(curator)
    clock, tenant = curator.service.clock, curator.tenant
    start = clock.now()
    asked = {weeks: start + weeks * WEEK + timedelta(hours=1) for weeks in LATER}
    seen = {
        weeks: await tenant("policy.simulate", until=until, document=document)
        for weeks, until in asked.items()
    }
    if document is not None:
        await tenant("policy.put", document=document)
    for weeks in range(max(LATER) + 1):
        clock.moment = start + weeks * WEEK
        await decay.run_once(curator.worker.world)
        await expire.run_once(curator.worker.world)
        if weeks in asked:
            clock.moment = asked[weeks]
            assert foreseen(seen[weeks]) == await state(curator)


def foreseen(seen: Any) -> dict[str, tuple[int, int]]:
    """The same of a simulation."""
    assert all(one.held == one.kept + one.archived + one.expired for one in seen.kinds)
    return {one.kind: (one.kept, one.archived) for one in seen.kinds if one.kept + one.archived}


async def test_it_touches_nothing(curator: Curator) -> None:
    await fill(curator)
    names = [
        name
        for (name,) in curator.query(
            "SELECT relname FROM pg_class WHERE relnamespace = 'muniment'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'tenant'"
        )
    ]
    before = rows(curator, names)
    for document in DOCUMENTS:
        await curator.tenant(
            "policy.simulate", until=curator.service.clock.now() + 60 * WEEK, document=document
        )
    assert rows(curator, names) == before


def rows(curator: Curator, names: list[str]) -> dict[str, list[Any]]:
    return {
        name: curator.query(
            sql.SQL("SELECT xmin::text, r::text FROM {} r ORDER BY 2").format(
                sql.Identifier("muniment", name)
            )
        )
        for name in names
    }


async def test_returns_and_the_half_life_that_they_suggest(
    curator: Curator, tenant: Tenant
) -> None:
    told = {"kind": "fact", "user_id": "u", "text": "Saw a heron near Gouda."}
    await tenant("memories.remember", **told)
    asked = {"user_id": "u", "query": "Who saw a heron?"}
    clock = curator.service.clock
    start = clock.now()

    async def returns() -> Any:
        await curator.service.recalls.flush()
        return (await tenant("policy.simulate", until=clock.now())).returns

    await tenant("recall", **asked)
    clock.advance(minutes=59)
    await tenant("recall", **asked)
    clock.moment = start + DAY
    await tenant("recall", **asked, as_of=start + timedelta(hours=1))
    none = await returns()
    assert (none.intervals, none.median_days, none.suggested_half_life_days) == (0, None, None)
    clock.moment = start + timedelta(minutes=59)
    for days in range(1, 11):
        clock.advance(days=days)
        await tenant("recall", **asked)
    found = await returns()
    assert (found.intervals, found.median_days, found.nine_tenths_days) == (10, 5.5, 9.1)
    assert found.suggested_half_life_days == round(9.1 / log2(5), 2)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"until": START - DAY}, "/until"),
        ({"document": {"decay": {"half_life": 0}}}, "/document/decay/half_life"),
        ({"document": {"decay": {"speed": 1}}}, "/document/decay/speed"),
        ({"document": {"upkeep": {"share": 1.0}}}, "/document/upkeep"),
    ],
)
async def test_what_is_refused(tenant: Tenant, given: dict[str, Any], place: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await tenant("policy.simulate", **({"until": START + DAY} | given))
    assert [fault.pointer for fault in caught.value.faults] == [place]


@pytest.mark.parametrize(
    "grant",
    [
        {"verbs": ["read", "write"], "layers": ["governance"]},
        {"verbs": ["operate"], "layers": ["semantic"]},
        {"verbs": ["operate"], "layers": ["governance"], "user_id": "u"},
    ],
)
async def test_who_may_ask(tenant: Tenant, grant: dict[str, Any]) -> None:
    key = await tenant.key_for(**grant)
    with pytest.raises(Forbidden):
        await tenant("policy.simulate", _as=key, until=START + DAY)


async def test_another_tenant_sees_its_own(curator: Curator) -> None:
    await fill(curator)
    other = await curator.other()
    seen = await other.tenant("policy.simulate", until=curator.service.clock.now())
    assert {one.held for one in seen.kinds} == {0}
