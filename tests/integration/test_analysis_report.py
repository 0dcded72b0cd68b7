"""analysis.report: what becomes of findings, of what was found before, and of faults that are gone.

| reported | then |
|---|---|
| `confirmatory`, `exploratory` | stored at 0.90, 0.70 |
| `exploratory_divergent` | below the floor, not kept |
| analysed so long ago that it is past its time; past its grace too | stored; `expired`, and nothing is kept of it |
| the same, said by a turn of today; beside what is held and says it | stored; reinforced |
| invalidated, with a finding past its grace | retracted |
| the same again, in other words, in another session | reinforced, and its time begins anew |
| confirmed, in its time; past it, within the grace | its time begins anew, one more observation |
| confirmed by an analysis from before it was last seen; a fault | confirmed, and `why` does not say that |
| invalidated, with a finding | superseded by it |
| invalidated, with a finding below the floor, or without | retracted |
| invalidated by one that says the same, or is of another kind | InvalidInput |
| found again, in a report that invalidates or retires it | InvalidInput with the place of the finding |
| invalidated, retired, by an analysis from before it was found | InvalidInput; not where turns say it, at their own time |
| inconclusive | as it was |
| one that a user stated, invalidated by an agent | as it was; the new one contested |
| one on another source, of another user, that ended | NotFound, NotFound, NotHeld |
| a fault that is gone, by one, by the same again, by another, by the owner, by an operator | noted, noted, ended, ended, ended |
| a fault in a third session | durative |
| a secret in a text or a parameter | not stored, with a warning |
| turns that are not there, into a session that stores nothing | InvalidInput with its place, WritesRefused |
| a fault, with a key of one user | Forbidden |
| the same under an idempotency key | the same answer, nothing more |
"""

from datetime import timedelta
from typing import Any

import pytest

from muniment.domain.memory import Label
from muniment.errors import Forbidden, InvalidInput, NotFound, NotHeld, WritesRefused
from tests.integration.analysing import FINDINGS, LAG, SOURCE, first, plan, report
from tests.integration.curating import Curator
from tests.support.world import START, Local, Tenant

NEW = {"text": "Returns fell to 5 % with the new courier.", "label": "confirmatory"}


CONFIRMATORY: Label = "confirmatory"


def one(text: str, label: Label = CONFIRMATORY, **more: Any) -> dict[str, Any]:
    return {"text": text, "label": label} | more


def again(memory: Any, outcome: str, finding: int | None = None, **more: Any) -> dict[str, Any]:
    return {"id": memory, "outcome": outcome} | ({} if finding is None else {"finding": finding}) | more  # fmt: skip


async def item(tenant: Tenant, memory: Any) -> Any:
    return await tenant("memories.get", id=memory)


async def test_what_becomes_of_findings(service: Local, tenant: Tenant) -> None:
    told = await first(tenant, findings=[*FINDINGS, one("Churn may differ.", "exploratory_divergent")])  # fmt: skip
    assert [(each.became, each.confidence) for each in told.findings] == [
        ("stored", 0.9), ("stored", 0.7), ("stored", 0.9), ("below_floor", 0.5),
    ]  # fmt: skip
    assert (told.findings[3].id, told.steps, told.data_source) == (None, 2, SOURCE)
    assert all(each.why and each.trust == "agent_inferred" for each in told.findings)
    service.clock.advance(days=30)
    more = await report(tenant, session_id="s2", findings=[one("The average basket is €54.", "exploratory"), NEW])  # fmt: skip
    assert [(each.became, each.id == told.findings[1].id) for each in more.findings] == [("reinforced", True), ("stored", False)]  # fmt: skip
    held = await item(tenant, told.findings[1].id)
    assert held.expires_at == START + timedelta(days=120)
    assert (await item(tenant, told.findings[0].id)).expires_at == START + timedelta(days=90)
    assert (await plan(tenant, data_source="other")).gate.count == 0
    assert (await report(tenant, data_source="other", findings=FINDINGS)).findings[0].became == "stored"  # fmt: skip


@pytest.mark.parametrize(
    ("of", "days", "became"),
    [(NEW, 89, "stored"), (NEW, 269, "stored"), (NEW, 270, "expired"), (LAG, 364, "stored"), (LAG, 365, "expired")],
)  # fmt: skip
async def test_what_was_over_before_it_was_reported(
    service: Local, tenant: Tenant, of: dict[str, Any], days: int, became: str
) -> None:
    service.clock.advance(days=days)
    told: dict[str, Any] = {"findings": [of], "analysed_at": START}
    found = (await report(tenant, **told)).findings[0]
    assert (found.became, found.id is None) == (became, became == "expired")
    turn = {"turn": 1, "role": "user", "content": of["text"], "occurred_at": service.clock.now()}
    await tenant("events.write", user_id="ann", session_id="s1", events=[turn])
    cite = {"evidence": [{"session_id": "s1", "turn": 1}]}
    said = (await report(tenant, findings=[of | cite], analysed_at=START)).findings[0]
    assert said.became in {"stored", "reinforced"}
    again_ = (await report(tenant, session_id="s2", **told)).findings[0]
    assert (again_.became, again_.id in {found.id, said.id}) == ("reinforced", True)


async def test_nothing_is_kept_of_what_was_over(curator: Curator) -> None:
    curator.service.clock.advance(days=400)
    told = await report(curator.tenant, findings=[NEW, LAG], analysed_at=START)
    assert [each.became for each in told.findings] == ["expired", "expired"]
    assert curator.query("SELECT count(*) FROM muniment.memory")[0][0] == 0


async def test_what_was_over_replaces_nothing(service: Local, tenant: Tenant) -> None:
    kept = (await first(tenant)).findings[0].id
    service.clock.advance(days=80)
    await report(tenant, session_id="s2", revalidation=again(kept, "confirmed"))
    service.clock.advance(days=200)
    told = await report(tenant, session_id="s3", findings=[NEW], analysed_at=START, revalidation=again(kept, "invalidated", 0))  # fmt: skip
    assert (told.findings[0].became, told.revalidation.became) == ("expired", "retracted")


@pytest.mark.parametrize("days", [30, 135])
async def test_confirmed(service: Local, tenant: Tenant, days: int) -> None:
    found = (await first(tenant)).findings[0].id
    service.clock.advance(days=days)
    told = await report(tenant, session_id="s2", mode="revalidate", revalidation=again(found, "confirmed"))  # fmt: skip
    assert (told.revalidation.became, told.revalidation.confirmations) == ("confirmed", 2)
    assert (await item(tenant, found)).expires_at == START + timedelta(days=days + 90)
    current = [each.text for each in (await plan(tenant, mode="extend")).findings]
    assert FINDINGS[0]["text"] in current
    assert len(current) == (3 if days == 30 else 1)


@pytest.mark.parametrize(
    ("of", "told", "anew"),
    [
        (NEW, {}, True),
        (NEW, {"analysed_at": START + timedelta(days=11)}, True),
        (NEW, {"analysed_at": START + timedelta(days=10)}, False),
        (NEW, {"analysed_at": START + timedelta(days=9)}, False),
        (NEW | {"label": "exploratory"}, {"analysed_at": START + timedelta(days=9)}, False),
        (LAG, {}, False),
    ],
)
async def test_why_tells_whether_its_time_begins_anew(
    service: Local, tenant: Tenant, of: dict[str, Any], told: dict[str, Any], anew: bool
) -> None:
    service.clock.advance(days=10)
    found = (await report(tenant, findings=[of])).findings[0].id
    before = (await item(tenant, found)).expires_at
    service.clock.advance(days=10)
    confirmed = (await report(tenant, session_id="s2", revalidation=again(found, "confirmed"), **told)).revalidation  # fmt: skip
    assert (confirmed.became, "begins anew" in confirmed.why) == ("confirmed", anew)
    assert ((await item(tenant, found)).expires_at > before) == anew


@pytest.mark.parametrize("days", [30, 135])
async def test_invalidated(service: Local, tenant: Tenant, days: int) -> None:
    kept = [each.id for each in (await first(tenant)).findings]
    service.clock.advance(days=days)
    told = await report(tenant, session_id="s2", findings=[one("Tuesdays are strong."), NEW], revalidation=again(kept[0], "invalidated", 1))  # fmt: skip
    new = told.findings[1]
    assert (new.became, new.rule, new.superseded) == ("stored", "replaces_named", (kept[0],))
    assert (told.revalidation.became, told.revalidation.by) == ("superseded", new.id)
    weak = [one("Baskets may differ.", "exploratory_divergent")]
    told = await report(tenant, session_id="s3", findings=weak, revalidation=again(kept[1], "invalidated", 0))  # fmt: skip
    assert (told.findings[0].became, told.revalidation.became) == ("below_floor", "retracted")
    told = await report(tenant, session_id="s3", revalidation=again(kept[2], "invalidated"))
    assert told.revalidation.became == "retracted"
    found = await plan(tenant)
    assert {each.text for each in (await plan(tenant, mode="re-run")).findings} == {NEW["text"], "Tuesdays are strong."}  # fmt: skip
    assert found.gate.count == 2
    lineage = await tenant("memories.lineage", id=new.id)
    assert lineage.supersedes == ((kept[0],) if days == 30 else ())
    with pytest.raises(NotHeld):
        await report(tenant, revalidation=again(kept[2], "confirmed"))


async def test_what_changes_nothing(tenant: Tenant) -> None:
    found = (await first(tenant)).findings[0].id
    told = await report(tenant, session_id="s2", revalidation=again(found, "inconclusive"))
    assert (told.revalidation.became, told.revalidation.confirmations) == ("unchanged", 1)
    turn = {"turn": 1, "role": "user", "content": "Our baskets have 3 articles on average.", "occurred_at": START}  # fmt: skip
    await tenant("events.write", user_id="ann", session_id="s1", events=[turn])
    cite: dict[str, Any] = {"evidence": [{"session_id": "s1", "turn": 1}]}
    stated = await report(tenant, findings=[one("Baskets have 3 articles on average.", **cite)])
    assert stated.findings[0].trust == "user_stated"
    held = stated.findings[0].id
    other = [one("Baskets have 7 articles on average.")]
    told = await report(tenant, session_id="s2", findings=other, revalidation=again(held, "invalidated", 0))  # fmt: skip
    assert (told.findings[0].became, told.revalidation.became) == ("contested", "unchanged")
    told = await report(tenant, session_id="s2", revalidation=again(held, "invalidated"))
    assert (told.revalidation.became, told.revalidation.rule) == ("unchanged", "lower_grade_never_retracts")  # fmt: skip
    assert (await item(tenant, held)).status == "active"


async def test_a_fault_recurs_and_is_retired(service: Local, tenant: Tenant) -> None:
    key = await tenant.key_for(principal="second")
    await tenant("sources.define", name=SOURCE, aliases=["orders"], owner="steward")
    ids: list[Any] = []
    told: Any = None
    faults = [LAG, LAG | {"text": "Refunds lack a date."}, LAG | {"text": "Prices are net."}]
    for number in range(3):
        ids = [each.id for each in (await report(tenant, session_id=f"s{number}", findings=faults, data_source="orders")).findings]  # fmt: skip
        assert (await item(tenant, ids[0])).is_durative is (number == 2)
    service.clock.advance(days=1)
    gone: dict[str, Any] = {"retired": [{"id": ids[0]}], "session_id": "s4"}
    for who, became in ((None, "noted"), (None, "noted"), (key, "retracted")):
        told = (await report(tenant, who, **gone)).retired[0]
        assert told.became == became
    assert told.rule == "gone_twice"
    steward = await tenant.key_for(principal="steward")
    by_owner = await report(tenant, steward, retired=[{"id": ids[1]}], data_source="orders")
    assert (by_owner.retired[0].became, by_owner.retired[0].rule) == ("retracted", "retired_by_owner")  # fmt: skip
    operator = await report(tenant, speaker="operator", retired=[{"id": ids[2]}])
    assert operator.retired[0].rule == "retired_by_operator"
    found = await plan(tenant)
    assert (found.required_workarounds, found.unconfirmed) == ((), ())
    with pytest.raises(NotHeld):
        await report(tenant, **gone)


async def test_one_that_was_seen_since_needs_two_again(service: Local, tenant: Tenant) -> None:
    key = await tenant.key_for(principal="second")
    found = (await report(tenant, findings=[LAG])).findings[0].id
    await report(tenant, retired=[{"id": found}])
    service.clock.advance(days=1)
    await report(tenant, session_id="s2", revalidation=again(found, "confirmed"))
    assert (await report(tenant, key, retired=[{"id": found}])).retired[0].became == "noted"


async def test_secrets_are_not_stored(tenant: Tenant) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLE"
    battery = [{"step": "read", "parameters": {"key": f"aws {secret}"}}]
    told = await report(tenant, findings=[one(f"The key {secret} opens it.")], battery=battery)
    assert {each.pointer for each in told.warnings} == {"/findings/0/text", "/battery/0/parameters"}
    assert secret not in repr(await plan(tenant, mode="re-run"))


@pytest.mark.parametrize(
    ("wrong", "places"),
    [
        ({"findings": [one("x", evidence=[{"session_id": "s1", "turn": 9}])]}, ["/findings/0/evidence/0"]),
        ({"findings": [one("x", evidence=[{"session_id": "s1", "turn": 9, "user_id": "bob"}])]}, ["/findings/0/evidence/0/user_id"]),
        ({"analysed_at": START + timedelta(days=1)}, ["/analysed_at"]),
        ({"findings": [one("x", kind="fact")]}, ["/findings/0/kind"]),
        ({"findings": [{"text": "x"}]}, ["/findings/0/label"]),
        ({"mode": "auto"}, ["/mode"]),
    ],
)  # fmt: skip
async def test_what_is_refused(tenant: Tenant, wrong: dict[str, Any], places: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        await report(tenant, **wrong)
    assert [fault.pointer for fault in refused.value.faults] == places
    assert (await plan(tenant)).gate.count == 0


async def test_what_is_refused_of_what_was_found_before(tenant: Tenant) -> None:
    found = (await first(tenant)).findings[0].id
    lag = (await report(tenant, findings=[LAG])).findings[0].id
    foreign = (await report(tenant, user_id="bob", findings=FINDINGS)).findings[0].id
    fact = (await tenant("memories.remember", kind="fact", text="Lives in Gouda.", user_id="ann")).id  # fmt: skip
    single = await tenant.key_for(user_id="ann")
    told: list[tuple[type[Exception], str | None, dict[str, Any]]] = [
        (InvalidInput, None, {"findings": FINDINGS, "revalidation": again(found, "invalidated", 0)}),
        (InvalidInput, None, {"findings": [LAG], "revalidation": again(found, "invalidated", 0)}),
        (InvalidInput, None, {"findings": [NEW], "revalidation": again(found, "invalidated", 1)}),
        (InvalidInput, None, {"findings": [NEW], "revalidation": again(found, "confirmed", 0)}),
        (InvalidInput, None, {"retired": [{"id": lag}, {"id": lag}]}),
        (InvalidInput, None, {"retired": [{"id": found}]}),
        (NotFound, None, {"revalidation": again(foreign, "confirmed")}),
        (NotFound, None, {"revalidation": again(fact, "confirmed")}),
        (NotFound, None, {"revalidation": again(found, "confirmed"), "data_source": "other"}),
        (NotFound, None, {"revalidation": again(found, "confirmed"), "namespace": "other"}),
        (Forbidden, single, {"findings": [LAG]}),
        (Forbidden, single, {"retired": [{"id": lag}]}),
        (Forbidden, single, {"user_id": "bob"}),
        (Forbidden, await tenant.key_for(roles=["assistant"]), {"speaker": "operator"}),
        (Forbidden, await tenant.key_for(verbs=["read"]), {}),
        (Forbidden, await tenant.key_for(layers=["episodic"]), {}),
    ]  # fmt: skip
    for error, key, wrong in told:
        with pytest.raises(error):
            await report(tenant, key, session_id="s9", **wrong)
    assert (await plan(tenant)).gate.count == 3
    await tenant("sessions.open", user_id="ann", session_id="quiet", no_store=True)
    with pytest.raises(WritesRefused):
        await report(tenant, session_id="quiet", findings=FINDINGS)


async def test_a_report_that_cannot_be(service: Local, tenant: Tenant) -> None:
    turn = {"turn": 1, "role": "user", "content": "Returns are not at 9 %.", "occurred_at": START}
    await tenant("events.write", user_id="ann", session_id="s1", events=[turn])
    service.clock.advance(days=2)
    kept = [each.id for each in (await first(tenant, findings=[*FINDINGS, LAG])).findings]
    service.clock.advance(days=2)
    before: dict[str, Any] = {"analysed_at": START + timedelta(days=1)}
    words, near = FINDINGS[1]["text"], "The average basket is €54."
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"findings": [NEW, one(text)], "revalidation": again(kept[1], "invalidated", **more)}, "/findings/1/text")
        for text in (words, near)
        for more in ({}, {"finding": 0})
    ]  # fmt: skip
    wrong += [
        ({"findings": [LAG], "retired": [{"id": kept[3]}]}, "/findings/0/text"),
        (before | {"revalidation": again(kept[0], "invalidated")}, "/analysed_at"),
        (before | {"findings": [NEW], "revalidation": again(kept[0], "invalidated", 0)}, "/analysed_at"),
        (before | {"retired": [{"id": kept[3]}]}, "/analysed_at"),
    ]  # fmt: skip
    for told, place in wrong:
        with pytest.raises(InvalidInput) as refused:
            await report(tenant, session_id="s2", **told)
        assert [fault.pointer for fault in refused.value.faults] == [place]
    assert (await plan(tenant)).gate.count == 3
    said = again(kept[0], "invalidated", evidence=[{"session_id": "s1", "turn": 1}])
    assert (await report(tenant, session_id="s2", revalidation=said, **before)).revalidation.became == "retracted"  # fmt: skip


async def test_the_same_report_again(tenant: Tenant) -> None:
    told: dict[str, Any] = {"user_id": "ann", "session_id": "s", "data_source": SOURCE, "findings": FINDINGS}  # fmt: skip
    one_, other = [await tenant.once("key", "analysis.report", **told) for _ in range(2)]
    assert (other.replayed, one_.result) == (True, other.result)
    assert one_.result.findings[0].became == "stored"
