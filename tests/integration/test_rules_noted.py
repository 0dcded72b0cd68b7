"""Whatever a rule of runs refuses has an entry in the audit trail, which says of what.

| refused | entry |
|---|---|
| a decision: by who asked, without the gate, a second time, after its time, after the close | code, request and run, digests of gate and scope |
| a call: no approval, one that does not fit, another one's arguments, a lost lease, the budget, stale inputs, the close | code, run (and request), digest of the call |
| a move that is not allowed | code, run |
| the same twenty times in a minute | twenty entries |
"""

from typing import Any

import pytest

from muniment.errors import MunimentError
from tests.support.world import Local, Tenant

GATE: dict[str, Any] = {"action": "pay", "gate": "finance", "scope": {"n": 1}}
Entries = list[tuple[str, list[Any], dict[str, Any]]]


async def noted(tenant: Tenant) -> Entries:
    """Oldest first."""
    found = (await tenant("audit.list", effect="refused", limit=100)).items
    return [
        (one.detail["refused"], list(one.subjects), dict(one.detail)) for one in reversed(found)
    ]


async def refused(tenant: Tenant, operation: str, /, **arguments: Any) -> str:
    with pytest.raises(MunimentError) as told:
        await tenant(operation, **arguments)
    return told.value.code


async def run_of(tenant: Tenant, **more: Any) -> dict[str, Any]:
    opens: dict[str, Any] = {"agent_id": "a", "user_id": "u", "lease_seconds": 3600} | more
    return {"run_id": (await tenant("runs.open", **opens)).run_id, "fence": 1}


async def test_decisions(service: Local, tenant: Tenant) -> None:
    people: dict[str, Any] = {"verbs": ["read", "review"], "layers": ["run"]}
    allowed = await tenant.key_for(principal="fin", gates=["finance"], **people)
    other = await tenant.key_for(principal="law", gates=["legal"], **people)
    run = await run_of(tenant)
    first, late, closed = [await tenant("approvals.request", **run, **GATE, expires_in_seconds=wait) for wait in (900, 1, 900)]  # fmt: skip
    asked: dict[str, Any] = {"approval_id": first.approval_id, "decision": "approve"}
    codes = [
        await refused(tenant, "approvals.decide", **asked),
        await refused(tenant, "approvals.decide", **asked, _as=other),
    ]
    await tenant("approvals.decide", **asked, _as=allowed)
    codes.append(await refused(tenant, "approvals.decide", **asked, _as=allowed))
    service.clock.advance(seconds=2)
    asked["approval_id"] = late.approval_id
    codes.append(await refused(tenant, "approvals.decide", **asked, _as=allowed))
    await tenant("runs.close", **run, outcome="success")
    asked["approval_id"] = closed.approval_id
    codes.append(await refused(tenant, "approvals.decide", **asked, _as=allowed))
    assert codes == [
        "own_request",
        "wrong_gate",
        "already_decided",
        "approval_expired",
        "run_closed",
    ]
    found = await noted(tenant)
    assert [one[0] for one in found] == codes
    of = [first.approval_id] * 3 + [late.approval_id, closed.approval_id]
    assert [one[1] for one in found] == [[one, run["run_id"]] for one in of]
    (decided,) = [one for one in (await tenant("audit.list", effect="write")).items if one.operation == "approvals.decide"]  # fmt: skip
    for _, _, detail in found:
        assert {name: detail[name] for name in ("gate", "scope")} == {
            name: decided.detail[name] for name in ("gate", "scope")
        }
        assert "finance" not in str(detail)


async def test_calls_and_moves(tenant: Tenant) -> None:
    await tenant("tools.define", name="pay", effect="write", gate="finance")
    await tenant("tools.define", name="t", effect="write")
    await tenant("machines.define", name="m", initial="a", transitions=[{"source": "a", "target": "b"}])  # fmt: skip
    run = await run_of(tenant, step_ceiling=1, machine="m")
    one = await tenant("approvals.request", **run, **GATE)
    call: dict[str, Any] = {**run, "tool": "t", "key": "k", "arguments": {"name": "nora"}}
    await tenant("runs.claim_tool", **call)
    pay = call | {"tool": "pay"}
    codes = [
        await refused(tenant, "runs.claim_tool", **pay),
        await refused(tenant, "runs.claim_tool", **pay, approval_id=one.approval_id),
        await refused(tenant, "runs.claim_tool", **(call | {"arguments": {}})),
        await refused(tenant, "runs.claim_tool", **(call | {"fence": 9})),
        await refused(tenant, "runs.transition", **run, to="z"),
    ]
    await tenant("runs.checkpoint", **run, step=1)
    codes.append(await refused(tenant, "runs.claim_tool", **(call | {"key": "l"})))
    await tenant("runs.close", **run, outcome="success")
    codes.append(await refused(tenant, "runs.claim_tool", **(call | {"key": "l"})))
    assert codes == ["approval_needed", "approval_needed", "tool_conflict", "lease_lost", "transition_refused", "budget_spent", "run_closed"]  # fmt: skip
    found = await noted(tenant)
    assert [one[0] for one in found] == codes
    assert [one[1][0] for one in found] == [run["run_id"]] * 7
    assert found[1][1] == [run["run_id"], one.approval_id]
    assert [one[2].get("lack") for one in found[:2]] == ["none", "pending"]
    assert all("call" in found[at][2] for at in (0, 1, 2, 5, 6))
    assert "nora" not in str(found)


async def test_however_many(tenant: Tenant) -> None:
    run = await run_of(tenant)
    asked: dict[str, Any] = {
        "approval_id": (await tenant("approvals.request", **run, **GATE)).approval_id
    }
    for _ in range(20):
        await refused(tenant, "approvals.decide", **asked, decision="approve")
    assert [one[0] for one in await noted(tenant)] == ["own_request"] * 20
