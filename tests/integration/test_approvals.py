"""approvals.* and machines.*: what a run may not do by itself; the tables are in docs/how-to/runs.md.

| given | when | then |
|---|---|---|
| a tool with a gate | claimed without an approval, or one that does not hold | ApprovalNeeded with the reason, noted |
| an approval | decided by who asked, another key of theirs, a key without the gate | OwnRequest, OwnRequest, WrongGate, noted |
| the same | decided twice, after its time, after the close | AlreadyDecided, ApprovalExpired, RunClosed |
| an approved one | the call it was for; again; another | execute; as the ledger says; ApprovalNeeded |
| a narrower scope granted | arguments outside it | ApprovalNeeded |
| a move with a scope, which a move has no values for | asked for; granted | InvalidInput; InvalidInput |
| a machine | a move that is not allowed, one that needs a gate | TransitionRefused with what is; ApprovalNeeded |
| a new version of it | runs that are open, new ones | go on as they began; begin with it |
"""

from typing import Any
from uuid import uuid4

import pytest

from muniment.errors import (
    AlreadyDecided,
    ApprovalExpired,
    ApprovalNeeded,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    OwnRequest,
    RunClosed,
    TransitionRefused,
    WrongGate,
)
from tests.support.world import Local, Tenant

PAY: dict[str, Any] = {
    "action": "pay",
    "gate": "finance",
    "amount": "120.00",
    "scope": {"amount": "120.00"},
}
CALL: dict[str, Any] = {"tool": "pay", "key": "k", "arguments": {"amount": "120.00", "to": "acme"}}


class Desk:
    """An agent with a run, and keys of people who may and may not decide."""

    def __init__(self, tenant: Tenant) -> None:
        self.tenant = tenant

    async def open(self, **more: Any) -> None:
        await self.tenant("tools.define", name="pay", effect="write", gate="finance")
        self.agent = await self.tenant.key_for(principal="agent")
        people: dict[str, Any] = {"verbs": ["read", "write", "review"], "layers": ["run"]}
        self.approver = await self.tenant.key_for(principal="fin", gates=["finance"], **people)
        self.other = await self.tenant.key_for(principal="law", gates=["legal"], **people)
        self.twin = await self.tenant.key_for(principal="agent", gates=["*"], **people)
        run = await self.tenant("runs.open", _as=self.agent, agent_id="a", user_id="u", **more)
        self.run = {"run_id": run.run_id, "fence": 1}

    async def ask(self, **more: Any) -> Any:
        return await self.tenant("approvals.request", _as=self.agent, **self.run, **(PAY | more))

    async def decide(self, wish: Any, decision: str = "approve", **more: Any) -> Any:
        more = {"_as": self.approver} | more
        return await self.tenant(
            "approvals.decide", approval_id=wish.approval_id, decision=decision, **more
        )

    async def claim(self, wish: Any = None, **more: Any) -> str:
        """The answer, or what is wrong with the approval."""
        named = {} if wish is None else {"approval_id": wish.approval_id}
        try:
            claim = await self.tenant(
                "runs.claim_tool", _as=self.agent, **self.run, **named, **(CALL | more)
            )
        except ApprovalNeeded as error:
            return str(error.extra["reason"])
        return str(claim.answer)


@pytest.fixture
def desk(tenant: Tenant) -> Desk:
    return Desk(tenant)


async def test_one_call_with_one_approval(service: Local, tenant: Tenant, desk: Desk) -> None:
    await desk.open()
    assert await desk.claim() == "none"
    wish = await desk.ask()
    assert (wish.state, wish.amount, wish.scope) == ("pending", "120", {"amount": "120.00"})
    (shown,) = (await tenant("runs.get", run_id=desk.run["run_id"])).pending_approvals
    assert (shown.action, shown.amount, shown.state, shown.gate) == (
        "pay",
        "120",
        "pending",
        "finance",
    )
    (waits,) = (await tenant("approvals.list", _as=desk.approver)).items
    assert waits == wish
    assert await desk.claim(wish) == "pending"
    done = await desk.decide(wish, note="As agreed.")
    assert (done.state, done.granted) == ("approved", {"amount": "120.00"})
    assert (await tenant("approvals.list", _as=desk.approver)).items == ()
    assert (await tenant("approvals.get", _as=desk.agent, approval_id=wish.approval_id)) == done
    assert await desk.claim(wish, arguments={"amount": "120000.00"}) == "scope"
    assert await desk.claim(wish) == "execute"
    assert await desk.claim(wish) == "in_flight"
    assert await desk.claim(wish, key="another") == "used"
    place: dict[str, Any] = {"run_id": desk.run["run_id"], "tool": "pay", "key": "k"}
    await tenant("runs.record_tool", **place, attempt=1, status="failed")
    service.clock.advance(days=2)
    # It was used for this call, which is made again.
    assert await desk.claim(wish, retry=True) == "execute"
    assert (await tenant("runs.get", run_id=desk.run["run_id"])).pending_approvals == ()


async def test_who_decides(tenant: Tenant, desk: Desk) -> None:
    await desk.open()
    wish = await desk.ask()
    for key, error in ((desk.other, WrongGate), (desk.twin, OwnRequest), (desk.agent, Forbidden)):
        with pytest.raises(error):
            await desk.decide(wish, _as=key)
    own = await tenant("approvals.request", **(desk.run | PAY))
    with pytest.raises(OwnRequest):
        await desk.decide(own, _as=tenant.key)
    assert (await desk.decide(wish, "reject")).state == "rejected"
    with pytest.raises(AlreadyDecided):
        await desk.decide(wish)
    assert await desk.claim(wish) == "rejected"
    noted = [one.detail["refused"] for one in (await tenant("audit.list", effect="refused")).items]
    assert {"wrong_gate", "own_request", "already_decided", "approval_needed"} <= set(noted)
    entry = (await tenant("audit.list", operation="approvals.decide")).items
    (decided,) = [one for one in entry if one.effect == "write"]
    assert decided.detail["decision"] == "reject"
    assert wish.approval_id in decided.subjects


async def test_time_is_over(service: Local, tenant: Tenant, desk: Desk) -> None:
    await desk.open()
    late, used = await desk.ask(), await desk.ask(expires_in_seconds=30)
    await desk.decide(used)
    service.clock.advance(seconds=31)
    assert await desk.claim(used) == "expired"
    service.clock.advance(days=1)
    with pytest.raises(ApprovalExpired):
        await desk.decide(late)
    assert (await tenant("approvals.list", _as=desk.approver)).items == ()
    everything = (await tenant("approvals.list", _as=desk.approver, state="any")).items
    assert [one.state for one in everything] == ["expired"] * 2
    fresh = await desk.ask()
    await tenant("runs.close", run_id=desk.run["run_id"], outcome="abandoned")
    with pytest.raises(RunClosed):
        await desk.decide(fresh)


async def test_what_an_approval_is_not_for(tenant: Tenant, desk: Desk) -> None:
    await desk.open()
    narrow = await desk.ask(scope={"to": "acme"})
    await desk.decide(narrow, granted={"to": "acme", "amount": "1.00"})
    assert await desk.claim(narrow) == "scope"
    refund = await desk.ask(action="refund")
    await desk.decide(refund)
    assert await desk.claim(refund) == "other"
    elsewhere = await tenant("runs.open", _as=desk.agent, agent_id="a", user_id="u")
    there = desk.run | {"run_id": elsewhere.run_id}
    theirs = await tenant("approvals.request", _as=desk.agent, **there, **PAY)
    await desk.decide(theirs)
    assert await desk.claim(theirs) == "none"
    assert await desk.claim(narrow, arguments={"to": "acme", "amount": "1.00"}) == "execute"


async def test_who_does_not_reach_an_approval(service: Local, tenant: Tenant, desk: Desk) -> None:
    await desk.open()
    wish = await desk.ask()
    other = await service.tenant("other")
    verbs: dict[str, Any] = {"verbs": ["read", "write", "review"], "gates": ["*"]}
    theirs = await tenant.key_for(user_id="v", **verbs)
    for key in (other.key, theirs):
        with pytest.raises(NotFound):
            await tenant("approvals.get", _as=key, approval_id=wish.approval_id)
        with pytest.raises(NotFound):
            await desk.decide(wish, _as=key)
        with pytest.raises(NotFound):
            await tenant("approvals.request", _as=key, **desk.run, **PAY)
    with pytest.raises(NotFound):
        await tenant("approvals.get", approval_id=uuid4())
    assert (await other("approvals.list")).items == ()
    assert (await tenant("approvals.list", _as=theirs, user_id="v")).items == ()


async def test_keys_give_only_gates_that_they_have(tenant: Tenant) -> None:
    some = await tenant.key_for(verbs=["admin"], layers=["governance"], gates=["finance"])
    grant: dict[str, Any] = {
        "principal": "p",
        "verbs": ["admin"],
        "layers": ["governance"],
        "roles": [],
    }
    await tenant("keys.create", _as=some, **grant, gates=["finance"])
    for gates in (["*"], ["finance", "legal"]):
        with pytest.raises(InvalidInput) as told:
            await tenant("keys.create", _as=some, **grant, gates=gates)
        assert [one.pointer for one in told.value.faults] == ["/gates"]


MOVES = [
    {"source": "intake", "target": "check"}, {"source": "check", "target": "intake"},
    {"source": "check", "target": "paid", "gate": "finance"},
]  # fmt: skip


async def test_a_machine(tenant: Tenant, desk: Desk) -> None:
    made = await tenant("machines.define", name="claims", initial="intake", transitions=MOVES)
    assert made.version == 1
    again = await tenant("machines.define", name="claims", initial="intake", transitions=MOVES)
    assert again.version == 1
    await desk.open(machine="claims")

    async def move(to: str, **more: Any) -> Any:
        return await tenant("runs.transition", _as=desk.agent, **desk.run, to=to, **more)

    with pytest.raises(TransitionRefused) as told:
        await move("paid")
    assert told.value.extra == {"stage": "intake", "allowed": ["check"]}
    assert (await move("check")).allowed == ("intake", "paid")
    with pytest.raises(ApprovalNeeded):
        await move("paid")
    with pytest.raises(InvalidInput) as told_of:
        await desk.ask(action="stage:paid", scope={"amount": "120.00"})
    assert [one.pointer for one in told_of.value.faults] == ["/scope"]
    wish = await desk.ask(action="stage:paid", scope={})
    with pytest.raises(ApprovalNeeded):
        await move("paid", approval_id=wish.approval_id)
    with pytest.raises(InvalidInput) as told_of:
        await desk.decide(wish, granted={"amount": "120.00"})
    assert [one.pointer for one in told_of.value.faults] == ["/granted"]
    await desk.decide(wish)
    with pytest.raises(TransitionRefused):
        await tenant("runs.checkpoint", _as=desk.agent, **desk.run, step=1, stage="paid")
    await tenant("runs.checkpoint", _as=desk.agent, **desk.run, step=1, stage="check")
    await tenant("machines.define", name="claims", initial="intake", transitions=MOVES[:1])
    assert (await move("paid", approval_id=wish.approval_id)).allowed == ()
    moves = (await tenant("runs.stages", run_id=desk.run["run_id"])).items
    assert [(one.from_stage, one.to_stage, one.step) for one in moves] == [
        ("intake", "check", 0),
        ("check", "paid", 1),
    ]
    assert moves[1].approval_id == wish.approval_id
    assert [one.version for one in (await tenant("machines.list")).items] == [1, 2]
    newer = await tenant("runs.open", agent_id="a", machine="claims")
    assert (newer.stage, newer.machine_version) == ("intake", 2)
    found = await tenant("runs.get", run_id=desk.run["run_id"])
    assert (found.stage, found.machine_version) == ("paid", 1)


async def test_machines_that_are_none(tenant: Tenant) -> None:
    with pytest.raises(InvalidInput) as told:
        await tenant("machines.define", name="m", initial="a", transitions=[MOVES[0]])
    assert [one.pointer for one in told.value.faults] == ["/transitions/0"]
    with pytest.raises(NotFound):
        await tenant("runs.open", agent_id="a", machine="nothing")
    await tenant("machines.define", name="m", initial="a")
    with pytest.raises(InvalidInput):
        await tenant("runs.open", agent_id="a", machine="m", stage="a")
    free = await tenant("runs.open", agent_id="a")
    with pytest.raises(Conflict):
        await tenant("runs.transition", run_id=free.run_id, fence=1, to="a")
