"""What a run shows after a step, and what it counts for quotas.

| asked for | then |
|---|---|
| step 0, now or later | the stage where it began, no cost, no facts |
| an earlier step | approvals and calls that were asked for by its end alone |
| a difference from step 0 | from the stage where it began |
| a closed run | no approval waits: expired, in the list, alone and in the run |
| resumed without `lease_seconds` | as long as before |
| facts and artifacts that are any JSON: nothing, truths, numbers of any size, empty | as they were sent, at every step and in a difference |
| more calls, or more approvals, than are shown | the first of them, and `cut` says of what there is more |
| a cost that is more than a sum can be, with a ceiling or none | BudgetSpent; the run goes on |

| stored | counted |
|---|---|
| any history of claims, failures, retries, results, settlements, approvals, artifacts, checkpoints | the bytes that are there |
"""

from base64 import b64encode
from datetime import timedelta
from typing import Any

import pytest

from muniment.errors import BudgetSpent, TransitionRefused
from muniment.operations import run_state
from muniment.postgres.embedded import ADMIN
from tests.support.databases import Database
from tests.support.world import Local, Tenant


async def run_of(tenant: Tenant, **more: Any) -> dict[str, Any]:
    run = await tenant("runs.open", **({"agent_id": "a", "user_id": "u"} | more))
    return {"run_id": run.run_id, "fence": 1}


@pytest.fixture
async def machine(tenant: Tenant) -> str:
    moves = [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}]
    await tenant("machines.define", name="m", initial="a", transitions=moves)
    return "m"


async def test_any_json_comes_back_as_it_was_sent(tenant: Tenant) -> None:
    run = await run_of(tenant)
    values: list[Any] = [None, True, False, 0, -0.0, 1.0, 10**900, 1e-320, "", "null", [], {}, [None], {"": None}]  # fmt: skip
    facts = [{"key": str(n), "value": value, "source": "s"} for n, value in enumerate(values)]
    done = await tenant("runs.checkpoint", **run, step=1, committed_facts=facts)
    assert await tenant("runs.checkpoint", **run, step=1, committed_facts=facts) == done
    await tenant("runs.checkpoint", **run, step=2)
    place = {"run_id": run["run_id"]}
    held = [
        (await tenant("runs.get", **place)).committed_facts,
        (await tenant("runs.get", **place, step=1)).committed_facts,
        (await tenant("runs.diff", **place, from_step=0, to_step=2)).came,
        done.committed_facts,
    ]
    for kept in held:
        assert [repr(one.value) for one in kept] == [repr(value) for value in values]
    await tenant("schemas.register", name="any", schema={})
    for n, value in enumerate(values):
        put = {"name": str(n), "schema": "any", "value": value, "if_version": 0}
        await tenant("artifacts.put", **place, **put)
        assert repr((await tenant("artifacts.get", **place, name=str(n))).value) == repr(value)
    closed = await tenant("runs.close", **run, outcome="success")
    assert closed.session_id is not None


@pytest.mark.parametrize("how", ["stage", "machine", "neither"])
async def test_step_0_is_the_beginning(tenant: Tenant, machine: str, how: str) -> None:
    begins: dict[str, Any] = {"stage": {"stage": "a"}, "machine": {"machine": machine}}.get(how, {})
    run = await run_of(tenant, **begins)
    first = None if how == "neither" else "a"
    fact: dict[str, Any] = {"key": "k", "value": 1, "source": "s"}
    for at in range(3):
        shown = await tenant("runs.get", run_id=run["run_id"], step=0)
        assert (shown.step_index, shown.stage, shown.budget.cost_used_usd) == (0, first, "0")
        assert (shown.committed_facts, shown.budget.steps_used) == ((), 0)
        if how == "machine" and at < 2:
            await tenant("runs.transition", **run, to="bc"[at])
        stage = {} if how == "machine" else {"stage": f"s{at}"}
        await tenant(
            "runs.checkpoint", **run, step=at + 1, cost_usd="2", committed_facts=[fact], **stage
        )
    apart = await tenant("runs.diff", run_id=run["run_id"], from_step=0, to_step=3)
    assert (apart.from_stage, apart.to_stage) == (first, "c" if how == "machine" else "s2")


async def test_what_was_asked_for_by_then(service: Local, tenant: Tenant) -> None:
    run = await run_of(tenant, lease_seconds=3600)
    await tenant("tools.define", name="t", effect="read")
    asked = []
    for step in range(3):
        one = await tenant("approvals.request", **run, action=f"a{step}", gate="g")
        asked.append(one.approval_id)
        call: dict[str, Any] = {"tool": "t", "key": f"k{step}", "arguments": {}}
        await tenant("runs.claim_tool", **run, **call)
        await tenant("runs.checkpoint", **run, step=step + 1)
    for step in range(4):
        shown = await tenant("runs.get", run_id=run["run_id"], step=step)
        assert [one.approval_id for one in shown.pending_approvals] == asked[: step + 1]
        assert list(shown.tool_results) == [f"t:k{at}" for at in range(min(step + 1, 3))]


async def test_what_is_cut_is_told(tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_state, "MOST_CALLS", 2)
    monkeypatch.setattr(run_state, "MOST_APPROVALS", 1)
    run = await run_of(tenant)
    await tenant("tools.define", name="t", effect="read")
    told = []
    for number in range(3):
        await tenant("runs.claim_tool", **run, tool="t", key=f"k{number}", arguments={})
        await tenant("approvals.request", **run, action=f"a{number}", gate="g")
        shown = await tenant("runs.get", run_id=run["run_id"])
        told.append(shown.cut)
        assert list(shown.tool_results) == [f"t:k{at}" for at in range(min(number + 1, 2))]
        assert [one.action for one in shown.pending_approvals] == ["a0"]
    assert told == [(), ("pending_approvals",), ("tool_results", "pending_approvals")]


async def test_nothing_waits_in_a_closed_run(tenant: Tenant) -> None:
    run = await run_of(tenant)
    one = await tenant("approvals.request", **run, action="a", gate="g")
    await tenant("runs.close", **run, outcome="abandoned")
    assert (await tenant("runs.get", run_id=run["run_id"])).pending_approvals == ()
    assert (await tenant("approvals.get", approval_id=one.approval_id)).state == "expired"
    assert (await tenant("approvals.list")).items == ()
    (listed,) = (await tenant("approvals.list", state="any")).items
    assert listed.state == "expired"


@pytest.mark.parametrize(("said", "seconds"), [({}, 3600), ({"lease_seconds": 5}, 5)])
@pytest.mark.parametrize("how", [{"fence": 1}, {"take_over": True}])
async def test_the_lease_is_as_long_as_before(
    service: Local, tenant: Tenant, said: dict[str, Any], seconds: int, how: dict[str, Any]
) -> None:
    run = await run_of(tenant, lease_seconds=3600)
    shown = await tenant("runs.resume", run_id=run["run_id"], **how, **said)
    assert shown.lease_expires_at - service.clock.now() == timedelta(seconds=seconds)


@pytest.mark.parametrize("ceiling", [{}, {"cost_ceiling_usd": "999999999999.999999"}])
async def test_a_sum_that_is_too_large(tenant: Tenant, ceiling: dict[str, Any]) -> None:
    run = await run_of(tenant, **ceiling)
    await tenant("runs.checkpoint", **run, step=1, cost_usd="999999999999.999999")
    for cost in ("999999999999.999999", "0.000001"):
        with pytest.raises(BudgetSpent):
            await tenant("runs.checkpoint", **run, step=2, cost_usd=cost)
    await tenant("runs.checkpoint", **run, step=2)


async def test_a_checkpoint_that_moves_a_machine(tenant: Tenant, machine: str) -> None:
    run = await run_of(tenant, machine=machine)
    with pytest.raises(TransitionRefused) as told:
        await tenant("runs.checkpoint", **run, step=1, stage="c")
    assert told.value.extra == {"stage": "a", "allowed": ["b"]}


HELD = (
    "SELECT r.bytes, (SELECT coalesce(sum(octet_length(arguments::text) + coalesce(octet_length(result), 0)"
    " + coalesce(octet_length(reason), 0)), 0) FROM muniment.tool_call WHERE run_id = r.run_id)"
    " + (SELECT coalesce(sum(octet_length(value::text)), 0) FROM muniment.artifact WHERE run_id = r.run_id)"
    " + (SELECT coalesce(sum(octet_length(asked::text) + coalesce(octet_length(granted::text), 0)"
    " + coalesce(octet_length(reason), 0) + coalesce(octet_length(note), 0)), 0)"
    " FROM muniment.approval WHERE run_id = r.run_id)"
    " + (SELECT coalesce(sum(octet_length(value::text) + octet_length(key) + octet_length(source)), 0)"
    " FROM muniment.run_fact WHERE run_id = r.run_id)"
    " + (SELECT coalesce(sum(octet_length(questions::text)), 0) FROM muniment.run_checkpoint WHERE run_id = r.run_id)"
    " + coalesce(octet_length(r.correction), 0)"
    " FROM muniment.run r WHERE r.run_id = %s"
)


class Ledger:
    """A run whose every write is followed by a count."""

    def __init__(self, database: Database, tenant: Tenant, run: dict[str, Any]) -> None:
        self.database, self.tenant, self.run = database, tenant, run
        self.place = {"run_id": run["run_id"]}

    async def __call__(self, operation: str, **arguments: Any) -> Any:
        made = await self.tenant(operation, **arguments)
        with self.database.connect(ADMIN) as admin:
            (figures,) = admin.execute(HELD, [self.run["run_id"]]).fetchall()
        assert figures[0] == figures[1] > 0, operation
        return made

    async def claim(self, key: str, **more: Any) -> int:
        called = {"tool": "t", "key": key, "arguments": {"ü": "…" * 50}} | more
        return int((await self("runs.claim_tool", **self.run, **called)).attempt)

    async def record(self, key: str, attempt: int, status: str, size: int) -> None:
        result = b64encode(b"x" * size).decode() if size else None
        made = {"tool": "t", "key": key, "attempt": attempt, "status": status, "result": result}
        await self("runs.record_tool", **self.place, **made)


@pytest.fixture
async def ledger(database: Database, tenant: Tenant) -> Ledger:
    await tenant("tools.define", name="t", effect="write")
    await tenant("schemas.register", name="any", schema={})
    return Ledger(database, tenant, await run_of(tenant, lease_seconds=3600))


async def test_calls_are_counted_as_they_are_there(ledger: Ledger) -> None:
    for _ in range(4):
        await ledger.record("failing", await ledger.claim("failing", retry=True), "failed", 1000)
    await ledger.record("failing", 1, "succeeded", 70)
    await ledger.record("doubt", await ledger.claim("doubt"), "in_doubt", 500)
    settled = {"tool": "t", "key": "doubt", "reason": "Looked thére.", "happened": False}
    await ledger("runs.settle_tool", **ledger.place, **settled)
    await ledger.record("doubt", await ledger.claim("doubt"), "succeeded", 0)


async def test_the_rest_is_counted_as_it_is_there(ledger: Ledger) -> None:
    people = await ledger.tenant.key_for(verbs=["read", "review"], layers=["run"], gates=["*"])
    asked = {"action": "t", "gate": "g", "scope": {"ü": "y" * 500}, "reason": "Whÿ."}
    for decision, more in (("approve", {"granted": {"z": "z" * 300}}), ("reject", {}), ("approve", {})):  # fmt: skip
        one = await ledger("approvals.request", **ledger.run, **asked)
        decided = {"approval_id": one.approval_id, "decision": decision, "note": "Sö."} | more
        await ledger("approvals.decide", _as=people, **decided)
    for version in range(2):
        put = {"name": "n", "schema": "any", "value": ["ü" * version], "if_version": version}
        await ledger("artifacts.put", **ledger.place, **put)
    fact = {"key": "clé", "value": {"é": "…"}, "source": "sœur"}
    held = {"committed_facts": [fact, fact], "open_questions": ["Où?"]}
    await ledger("runs.checkpoint", **ledger.run, step=1, **held)
    for correction in (None, "Trop tôt.", "Tard."):
        await ledger("runs.close", **ledger.run, outcome="partial", correction=correction)
