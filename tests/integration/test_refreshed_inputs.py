"""Which answer takes the place of which, and what settles what a run recalled (RULES 14.4).

| recalled first | then | since | then the run |
|---|---|---|---|
| Q of now | Q that differs in `as_of`, `known_at`, `org_known_at`, `k`, tiers, `match`, or by a key of less | superseded; forgotten | is told |
| Q of a moment of now | Q | superseded | is told |
| Q with `org_known_at` alone | | the user's item is superseded; the organisation's | is told; is not |
| a context | that differs in a moment, `k`, what is left out, the budget, the mode | superseded | is told |
| a plan of one mode, or `k` | of another, the same words | forgotten | is told |
| a value that was superseded twice | another question returns the last value | | nothing is stale |
| the same | that returned it of a moment of the past | | is told still |
| a document, by two questions | one of them again, after a later version | | nothing is stale |
| the same | | the next version | is told |
| a document whose later version was acknowledged | | the next version; it is deleted | is told, each time once |
"""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from muniment.errors import StaleInputs
from tests.integration.agents import CITY, DAY, Agent, agent, lives
from tests.integration.analysing import SOURCE
from tests.support.world import START, Local, Tenant

OTHER = "In which city is Nora's house?"
PARCELS = "How long do parcels take?"


async def told(nora: Agent) -> dict[UUID, str]:
    """What is stale, by ``runs.get``; a write is refused for the same."""
    shown = (await nora.tenant("runs.get", run_id=nora.run["run_id"])).stale_inputs
    why = {one.id: one.why for one in shown}
    if why:
        await nora.refused(why)
    else:
        assert await nora.claim("writes", str(uuid4())) == "execute"
    return why


@pytest.mark.parametrize("what", ["superseded", "erased"])
@pytest.mark.parametrize(
    "differs",
    [
        {"as_of": START - 2000 * DAY},
        {"as_of": START},
        {"known_at": START},
        {"known_at": START - DAY},
        {"org_known_at": START},
        {"k": 1},
        {"k": 100},
        {"tiers": ["episodic"]},
        {"tiers": ["semantic"]},
        {"kinds": ["finding"]},
        {"match": "named"},
        {"scope": "org"},
    ],
)
@pytest.mark.parametrize("plain", [0, 1])
async def test_another_question_takes_no_ones_place(
    tenant: Tenant, differs: dict[str, Any], plain: int, what: str
) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    await tenant("memories.remember", kind="fact", user_id="nora", text="Nora lives in a city.")
    nora = await agent(tenant, strict=True)
    for more in ([{}, differs], [differs, {}])[plain]:
        await nora.recalls(**more)
    if what == "superseded":
        await lives(tenant, "Breda", valid_from=START - DAY)
    else:
        await tenant("forget", user_id="nora", ids=[old])
    assert await told(nora) == {old: what}
    with pytest.raises(StaleInputs):
        await nora.checkpoint()


async def test_a_key_of_less_takes_no_place(tenant: Tenant) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    await nora.recalls()
    less = await tenant.key_for(verbs=["read", "write"], layers=["episodic", "run"])
    assert await nora.recalls(_as=less) == []
    await lives(tenant, "Breda", valid_from=START - DAY)
    assert await told(nora) == {old: "superseded"}


async def test_who_asks_for_whom_is_the_same_question(tenant: Tenant) -> None:
    await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    await nora.recalls(step=1, session_id="s", agent_id="a")
    await lives(tenant, "Breda", valid_from=START - DAY)
    await nora.recalls(step=2, session_id="t", agent_id="b")
    assert await told(nora) == {}


async def test_a_moment_of_one_record(service: Local, tenant: Tenant) -> None:
    held = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    fact = {"kind": "data_quality", "data_source": SOURCE}
    shared = (await tenant("memories.remember", **fact, text="Nora's city is misspelled in Bonn.")).id  # fmt: skip
    service.clock.advance(hours=1)
    nora = await agent(tenant)
    found = await nora.recalls(org_known_at=service.clock.now())
    assert {held, shared} <= set(found)
    service.clock.advance(hours=1)
    await tenant("memories.correct", id=shared, text="Nora's city is misspelled in Ulm.")
    assert await told(nora) == {}
    await lives(tenant, "Breda", valid_from=START - DAY)
    assert await told(nora) == {held: "superseded"}


@pytest.mark.parametrize(
    "differs", [{"mode": "fresh"}, {"mode": "extend", "k": 1}, {"fingerprint": "other"}]
)
async def test_a_plan_of_another_mode(tenant: Tenant, differs: dict[str, Any]) -> None:
    made = []
    for text in ("Revenue of orders lags three days.", "Orders of partners are counted twice."):
        about = {"kind": "finding", "user_id": "nora", "data_source": SOURCE}
        made.append((await tenant("memories.remember", **about, text=text)).id)
    nora = await agent(tenant)
    asked = {"user_id": "nora", "data_source": SOURCE, "question": "How long does revenue lag?", "run_id": str(nora.run["run_id"])}  # fmt: skip
    whole = await tenant("analysis.plan", **asked, mode="extend")
    assert {one.id for one in whole.findings} == set(made)
    await tenant("analysis.plan", **({**asked, "mode": "extend"} | differs))
    lost = whole.findings[-1].id
    await tenant("forget", user_id="nora", ids=[lost])
    assert await told(nora) == {lost: "erased"}
    await tenant("analysis.plan", **asked, mode="extend")
    if "fingerprint" not in differs:
        assert await told(nora) == {}


@pytest.mark.parametrize(
    "differs",
    [{"as_of": START - DAY}, {"org_known_at": START}, {"k": 1}, {"leave_out": ["facts"]},
     {"budget": 4000}, {"mode": "fresh", "data_source": SOURCE}],
)  # fmt: skip
@pytest.mark.parametrize("plain", [0, 1])
async def test_another_context(tenant: Tenant, differs: dict[str, Any], plain: int) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
    nora = await agent(tenant)
    asked = {"user_id": "nora", "query": CITY, "run_id": str(nora.run["run_id"])}
    for more in ([{}, differs], [differs, {}])[plain]:
        await tenant("context.assemble", **asked, **more)
    await lives(tenant, "Breda", valid_from=START)
    assert await told(nora) == {old: "superseded"}


@pytest.mark.parametrize("times", [1, 2, 4])
async def test_what_took_its_place_in_the_end(service: Local, tenant: Tenant, times: int) -> None:
    old = await lives(tenant, "Gouda", valid_from=START - 99 * DAY)
    nora = await agent(tenant)
    await nora.recalls()
    last = old
    for place in range(times):
        service.clock.advance(minutes=1)
        last = await lives(tenant, f"Town {place}", valid_from=START - (9 - place) * DAY)
    assert await told(nora) == {old: "superseded"}
    service.clock.advance(minutes=1)
    moment: datetime = service.clock.now()
    assert await nora.recalls(OTHER, known_at=moment) == [last]
    assert await told(nora) == {old: "superseded"}
    assert await nora.recalls(OTHER) == [last]
    assert await told(nora) == {}
    service.clock.advance(minutes=1)
    await lives(tenant, "Breda", valid_from=START - DAY)
    assert await told(nora) == {last: "superseded"}


async def put(tenant: Tenant, version: int) -> UUID:
    text = f"Parcels take {version + 3} days."
    made = await tenant("knowledge.put", source="s", title="T", text=text, version=version)
    return UUID(str(made.document_id))


async def test_a_document_by_two_questions(service: Local, tenant: Tenant) -> None:
    document = await put(tenant, 1)
    nora = await agent(tenant)
    others = "Which parcels take days?"
    for query in (PARCELS, others):
        assert await nora.recalls(query)
    for version in (2, 3):
        service.clock.advance(minutes=1)
        await put(tenant, version)
        assert await told(nora) == {document: "superseded"}
        service.clock.advance(minutes=1)
        assert await nora.recalls(others)
        assert await told(nora) == {}


async def test_versions_after_the_acknowledged_one(service: Local, tenant: Tenant) -> None:
    document = await put(tenant, 1)
    nora = await agent(tenant)
    assert await nora.recalls(PARCELS)
    for version in (2, 3, 4):
        service.clock.advance(minutes=1)
        await put(tenant, version)
        assert await told(nora) == {document: "superseded"}
        service.clock.advance(minutes=1)
        await tenant("runs.acknowledge", **nora.run, ids=[document])
        assert await told(nora) == {}
    await tenant("knowledge.delete", source="s")
    assert await told(nora) == {document: "erased"}
