"""The tool ledger against the database, and against a model of it (LEDGER_HISTORIES: how many).

| given | when | then |
|---|---|---|
| a tool that is not defined | claim | InvalidInput |
| a claim | recorded, claimed again, from another process too | the result, byte for byte |
| a claim of a former holder | claimed again | in_doubt; a reading or idempotent tool: execute |
| a claim of a tool that reads, or is idempotent | defined as one that writes, and claimed again | in_doubt, here and in another run within its window |
| other arguments under the key | claim | ToolConflict, noted; the first stay |
| a record before its claim, late, twice, after the close | | refused; kept; the same; kept |
| what is in doubt | settled by a reviewer; by an agent | replayed or claimed anew; Forbidden |
| a key within a tool's window | claimed in another run of the user | as if it were this one |
| the same, where this run's own call failed, lapsed or was settled as not done | claimed here | what the other run's call says |
| a claim | sent again under its idempotency key | `execute` until something is recorded, the run is taken over or the lease ends; then as a new claim |
| a tool whose results are verified | a turn of it, and one of another | tool_verified; external_content |
| any history of all that | | the model's answers and states |
"""

import base64
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from muniment.errors import (
    Forbidden,
    InvalidInput,
    LeaseLost,
    MunimentError,
    NotClaimed,
    NotFound,
    NotInDoubt,
    ResultConflict,
    RunClosed,
    ToolConflict,
)
from tests.integration.ledger_model import LedgerModel, Loop
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

HISTORIES = int(os.environ.get("LEDGER_HISTORIES", "8"))


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


async def ready(tenant: Tenant, effect: str = "write", **more: Any) -> dict[str, Any]:
    """A run and a tool of this effect: the arguments of a claim."""
    await tenant("tools.define", name="t", effect=effect, **more)
    run = await tenant("runs.open", agent_id="a", user_id="u")
    return {"run_id": run.run_id, "tool": "t", "key": "k", "arguments": {"n": 1}, "fence": 1}


def of(claim: dict[str, Any]) -> dict[str, Any]:
    return {name: claim[name] for name in ("run_id", "tool", "key")}


@pytest.mark.parametrize(
    "raw",
    [b"", b"\x00\xff\xfe", "\ud800 naïve".encode("utf-8", "surrogatepass"), b"{}\n", bytes(range(256)) * 4096],
    ids=["empty", "bytes", "broken", "text", "one MiB"],
)  # fmt: skip
async def test_a_result_comes_back_byte_for_byte(tenant: Tenant, raw: bytes) -> None:
    claim = await ready(tenant)
    made = await tenant("runs.claim_tool", **claim)
    assert (made.answer, made.attempt, made.status, made.result) == ("execute", 1, "claimed", None)
    told: dict[str, Any] = {"attempt": 1, "status": "succeeded", "result": b64(raw)}
    first = await tenant("runs.record_tool", **of(claim), **told)
    assert (first.status, first.duplicate) == ("succeeded", False)
    assert (await tenant("runs.record_tool", **of(claim), **told)).duplicate
    await tenant("runs.resume", run_id=claim["run_id"], take_over=True)
    again = await tenant("runs.claim_tool", **(claim | {"fence": 2}))
    assert (again.answer, again.status, again.attempt) == ("replay", "succeeded", 1)
    assert base64.b64decode(again.result) == raw
    (shown,) = (await tenant("runs.get", run_id=claim["run_id"])).tool_results.items()
    assert shown[0] == "t:k"
    assert shown[1].result == (b64(raw) if len(raw) <= 4096 else None)


@pytest.mark.parametrize(
    "result", ["!", "YQ", "YQ=", "YR==", "YQ==\n", "é", b64(b"x" * (1024 * 1024 + 1)), "x" * 3_000_000]
)  # fmt: skip
async def test_results_that_are_none(tenant: Tenant, result: str) -> None:
    claim = await ready(tenant)
    await tenant("runs.claim_tool", **claim)
    with pytest.raises(InvalidInput) as told:
        await tenant("runs.record_tool", **of(claim), attempt=1, status="succeeded", result=result)
    assert [one.pointer for one in told.value.faults] == ["/result"]
    assert "YQ" not in str(told.value)


async def test_an_unknown_tool(tenant: Tenant) -> None:
    claim = await ready(tenant)
    with pytest.raises(InvalidInput) as told:
        await tenant("runs.claim_tool", **(claim | {"tool": "other"}))
    assert [one.pointer for one in told.value.faults] == ["/tool"]
    with pytest.raises(Forbidden):
        await tenant("tools.define", _as=await tenant.key_for(), name="mine", effect="read")
    with pytest.raises(InvalidInput) as told:
        await tenant("tools.define", name="stage:paid", effect="read")
    assert [one.pointer for one in told.value.faults] == ["/name"]


async def test_results_are_trusted_as_their_tool_is(tenant: Tenant) -> None:
    await tenant("tools.define", name="erp", effect="read", trust="tool_verified")
    await tenant("tools.define", name="web", effect="read")
    turns = [
        {
            "turn": at, "role": "tool", "tool": tool, "occurred_at": START,
            "content": f"Ledger {at} closed at 1,200 euro.",
        }
        for at, tool in enumerate(("erp", "web", "no", None))
    ]  # fmt: skip
    await tenant("events.write", user_id="u", session_id="s", events=turns)
    held = (await tenant("memories.list", user_id="u", tiers=["episodic"])).items
    assert {item.text.split()[1]: item.trust for item in held} == {
        "0": "tool_verified", "1": "external_content", "2": "external_content",
        "3": "external_content",
    }  # fmt: skip
    with pytest.raises(InvalidInput):
        await tenant("tools.define", name="erp", effect="read", trust="user_stated")


@pytest.mark.parametrize(
    ("effect", "idempotent", "answer"),
    [("write", False, "in_doubt"), ("write", True, "execute"), ("read", False, "execute")],
)
async def test_a_claim_that_nobody_holds(
    service: Local, tenant: Tenant, effect: str, idempotent: bool, answer: str
) -> None:
    claim = await ready(tenant, effect, idempotent=idempotent)
    await tenant("runs.claim_tool", **claim)
    assert (await tenant("runs.claim_tool", **claim)).answer == "in_flight"
    service.clock.advance(seconds=61)
    after = await tenant("runs.resume", run_id=claim["run_id"])
    assert after.tool_results["t:k"].status == "in_doubt"
    with pytest.raises(LeaseLost):
        await tenant("runs.claim_tool", **claim)
    again = await tenant("runs.claim_tool", **(claim | {"fence": after.fence}))
    assert (again.answer, again.attempt) == (answer, 2 if answer == "execute" else 1)
    # What the former holder did, it did.
    late = await tenant(
        "runs.record_tool", **of(claim), attempt=1, status="succeeded", result=b64(b"done")
    )
    assert late.status == "succeeded"
    assert (await tenant("runs.claim_tool", **(claim | {"fence": after.fence}))).answer == "replay"


@pytest.mark.parametrize("was", [{"effect": "read"}, {"effect": "write", "idempotent": True}])
@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_tool_that_writes_after_all(
    tenant: Tenant, was: dict[str, Any], elsewhere: bool
) -> None:
    claim = await ready(tenant, **was)
    await tenant("runs.claim_tool", **claim)
    await tenant("runs.record_tool", **of(claim), attempt=1, status="in_doubt")
    assert (await tenant("runs.claim_tool", **claim)).attempt == 2
    await tenant("tools.define", name="t", effect="write", dedupe_seconds=60)
    await tenant("runs.record_tool", **of(claim), attempt=2, status="in_doubt")
    if elsewhere:
        other = await tenant("runs.open", agent_id="a", user_id="u")
        claim |= {"run_id": other.run_id}
    again = await tenant("runs.claim_tool", **claim)
    assert (again.answer, again.effect, again.attempt) == ("in_doubt", "write", 2)


async def test_other_arguments(tenant: Tenant) -> None:
    claim = await ready(tenant)
    await tenant("runs.claim_tool", **claim)
    for arguments in ({}, {"n": 2}, {"n": "1"}, {"n": 1, "m": None}):
        with pytest.raises(ToolConflict):
            await tenant("runs.claim_tool", **(claim | {"arguments": arguments}))
    (noted, *_) = (await tenant("audit.list", effect="refused")).items
    assert (noted.operation, noted.detail["refused"]) == ("runs.claim_tool", "tool_conflict")
    await tenant("runs.record_tool", **of(claim), attempt=1, status="failed")
    assert (await tenant("runs.claim_tool", **claim)).answer == "replay"
    assert (await tenant("runs.claim_tool", **claim, retry=True)).attempt == 2


async def test_records_out_of_order(tenant: Tenant) -> None:
    claim = await ready(tenant)
    told: dict[str, Any] = {"status": "succeeded", "result": b64(b"1")}
    with pytest.raises(NotClaimed):
        await tenant("runs.record_tool", **of(claim), attempt=1, **told)
    await tenant("runs.claim_tool", **claim)
    with pytest.raises(NotClaimed):
        await tenant("runs.record_tool", **of(claim), attempt=2, **told)
    await tenant("runs.close", run_id=claim["run_id"], fence=1, outcome="failure")
    assert (await tenant("runs.claim_tool", **claim)).answer == "in_doubt"
    with pytest.raises(RunClosed):
        await tenant("runs.claim_tool", **(claim | {"key": "other"}))
    assert not (await tenant("runs.record_tool", **of(claim), attempt=1, **told)).duplicate
    assert (await tenant("runs.record_tool", **of(claim), attempt=1, **told)).duplicate
    with pytest.raises(ResultConflict) as held:
        await tenant("runs.record_tool", **of(claim), attempt=1, status="failed")
    assert held.value.extra == {"status": "succeeded"}


@pytest.mark.parametrize("happened", [True, False])
async def test_what_is_in_doubt_is_settled(tenant: Tenant, happened: bool) -> None:
    claim = await ready(tenant)
    await tenant("runs.claim_tool", **claim)
    word: dict[str, Any] = {"happened": happened, "reason": "The ledger of the ERP says so."}
    with pytest.raises(NotInDoubt):
        await tenant("runs.settle_tool", **of(claim), **word)
    await tenant("runs.record_tool", **of(claim), attempt=1, status="in_doubt")
    with pytest.raises(Forbidden):
        await tenant("runs.settle_tool", _as=await tenant.key_for(), **of(claim), **word)
    assert not (await tenant("runs.settle_tool", **of(claim), **word)).duplicate
    assert (await tenant("runs.settle_tool", **of(claim), **word)).duplicate
    with pytest.raises(NotInDoubt):
        await tenant("runs.settle_tool", **of(claim), **(word | {"happened": not happened}))
    answer = await tenant("runs.claim_tool", **claim)
    assert (answer.answer, answer.attempt) == (("replay", 1) if happened else ("execute", 2))
    entry = (await tenant("audit.list", operation="runs.settle_tool", limit=1)).items[0]
    assert entry.detail["happened"] == happened


async def test_a_key_counts_in_other_runs_within_its_window(service: Local, tenant: Tenant) -> None:
    claim = await ready(tenant, dedupe_seconds=3600)
    other = await tenant("runs.open", agent_id="a", user_id="u")
    somebody = await tenant("runs.open", agent_id="a", user_id="v")
    await tenant("runs.claim_tool", **claim)
    there = claim | {"run_id": other.run_id}
    assert (await tenant("runs.claim_tool", **there)).answer == "in_flight"
    with pytest.raises(ToolConflict):
        await tenant("runs.claim_tool", **(there | {"arguments": {}}))
    told: dict[str, Any] = {"status": "succeeded", "result": b64(b"CM-1")}
    await tenant("runs.record_tool", **of(claim), attempt=1, **told)
    found = await tenant("runs.claim_tool", **there)
    assert (found.answer, found.run_id, found.result) == ("replay", claim["run_id"], told["result"])
    elsewhere = claim | {"run_id": somebody.run_id}
    assert (await tenant("runs.claim_tool", **elsewhere)).answer == "execute"
    service.clock.advance(seconds=3601)
    assert (await tenant("runs.claim_tool", **there)).answer == "execute"


@pytest.mark.parametrize("come_to", ["failed", "not done"])
@pytest.mark.parametrize("there", ["in_flight", "replay"])
async def test_another_run_makes_what_failed_here(
    service: Local, tenant: Tenant, come_to: str, there: str
) -> None:
    here = await ready(tenant, dedupe_seconds=3600)
    await tenant("runs.claim_tool", **here)
    status = "failed" if come_to == "failed" else "in_doubt"
    await tenant("runs.record_tool", **of(here), attempt=1, status=status)
    if come_to == "not done":
        await tenant("runs.settle_tool", **of(here), happened=False, reason="Looked.")
    run = await tenant("runs.open", agent_id="a", user_id="u")
    other = here | {"run_id": run.run_id}
    service.clock.advance(seconds=1)
    assert (await tenant("runs.claim_tool", **other)).answer == "execute"
    if there == "replay":
        told: dict[str, Any] = {"status": "succeeded", "result": b64(b"CM-1")}
        await tenant("runs.record_tool", **of(other), attempt=1, **told)
    found = await tenant("runs.claim_tool", **here, retry=True)
    assert (found.answer, found.run_id) == (there, run.run_id)


@pytest.mark.parametrize(
    ("since", "answer"),
    [("nothing", "execute"), ("recorded", "replay"), ("lapsed", "in_doubt"), ("taken over", None)],
)
async def test_a_claim_under_its_idempotency_key(
    service: Local, tenant: Tenant, since: str, answer: str | None
) -> None:
    claim = await ready(tenant)
    first = await tenant.once("once", "runs.claim_tool", **claim)
    assert (first.result.answer, first.replayed) == ("execute", False)
    if since == "recorded":
        await tenant("runs.record_tool", **of(claim), attempt=1, status="succeeded")
    elif since == "lapsed":
        service.clock.advance(seconds=61)
    elif since == "taken over":
        await tenant("runs.resume", run_id=claim["run_id"], take_over=True)
        with pytest.raises(LeaseLost):
            await tenant.once("once", "runs.claim_tool", **claim)
        return
    again = await tenant.once("once", "runs.claim_tool", **claim)
    assert (again.result.answer, again.replayed) == (answer, since == "nothing")


async def test_who_does_not_reach_a_call(service: Local, tenant: Tenant) -> None:
    claim = await ready(tenant)
    other = await service.tenant("other")
    await other("tools.define", name="t", effect="write")
    theirs = await tenant.key_for(user_id="v", verbs=["read", "write", "review"])
    for key in (other.key, theirs):
        with pytest.raises(NotFound):
            await tenant("runs.claim_tool", _as=key, **claim)
        with pytest.raises(NotFound):
            await tenant("runs.record_tool", _as=key, **of(claim), attempt=1, status="failed")
        with pytest.raises(NotFound):
            await tenant("runs.settle_tool", _as=key, **of(claim), happened=True, reason="x")


KEYS, BODIES = st.sampled_from(["a", "b"]), st.sampled_from([None, b"1", b"2"])


class Ledger(RuleBasedStateMachine):
    """One run, two keys, a few holders; every answer is the model's."""

    database: Database
    loop: Loop

    @initialize(effect=st.sampled_from(["read", "write"]), idempotent=st.booleans())
    def begin(self, effect: str, idempotent: bool) -> None:
        self.tenant = self.loop.tenant(self.database)
        self("tools.define", name="t", effect=effect, idempotent=idempotent)
        self.run_id = self("runs.open", agent_id="a", user_id="u").run_id
        self.model = LedgerModel(harmless=effect == "read" or idempotent)

    def __call__(self, name: str, /, **arguments: Any) -> Any:
        return self.loop.run(self.tenant(name, **arguments))

    def same(self, wanted: Any, name: str, /, **arguments: Any) -> Any:
        """The model's answer, or the code of its error."""
        try:
            return self(name, run_id=self.run_id, **arguments)
        except MunimentError as error:
            code = error.code
        assert code == wanted
        return None

    @rule(key=KEYS, n=st.sampled_from([1, 1, 1, 2]), old=st.booleans(), retry=st.booleans())
    def claim(self, key: str, n: int, old: bool, retry: bool) -> None:
        fence = self.model.fence - old
        if fence < 1:
            return
        wanted = self.model.claim(key, n, fence, retry)
        made = self.same(
            wanted, "runs.claim_tool", tool="t", key=key, arguments={"n": n}, fence=fence, retry=retry
        )  # fmt: skip
        if made is not None:
            raw = None if made.result is None else base64.b64decode(made.result)
            assert (made.answer, made.attempt, raw) == wanted

    @rule(
        key=KEYS, attempt=st.integers(1, 3), body=BODIES,
        status=st.sampled_from(["succeeded", "succeeded", "failed", "in_doubt"]),
    )  # fmt: skip
    def record(self, key: str, attempt: int, status: str, body: bytes | None) -> None:
        wanted = self.model.record(key, attempt, status, body)
        more = {} if body is None else {"result": b64(body)}
        made = self.same(
            wanted, "runs.record_tool", tool="t", key=key, attempt=attempt, status=status, **more
        )
        if made is not None:
            assert made.duplicate == wanted

    @rule(key=KEYS, happened=st.booleans(), body=BODIES)
    def settle(self, key: str, happened: bool, body: bytes | None) -> None:
        wanted = self.model.settle(key, happened, body)
        more = {} if body is None else {"result": b64(body)}
        made = self.same(
            wanted, "runs.settle_tool", tool="t", key=key, happened=happened, reason="x", **more
        )
        if made is not None:
            assert made.duplicate == wanted

    @precondition(lambda self: not self.model.closed)
    @rule()
    def take_over(self) -> None:
        assert (
            self("runs.resume", run_id=self.run_id, take_over=True).fence == self.model.take_over()
        )

    @rule(last=st.sampled_from([False, False, False, False, False, True]))
    def close(self, last: bool) -> None:
        if last:
            self("runs.close", run_id=self.run_id, outcome="partial")
            self.model.closed = True

    def teardown(self) -> None:
        if hasattr(self, "run_id"):
            found = self("runs.get", run_id=self.run_id).tool_results
            assert {name: one.status for name, one in found.items()} == self.model.statuses()


def test_histories(database: Database) -> None:
    with Loop() as loop:
        Ledger.database, Ledger.loop = database, loop
        run_state_machine_as_test(
            Ledger,
            settings=settings(
                max_examples=HISTORIES, stateful_step_count=25, deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )  # fmt: skip
