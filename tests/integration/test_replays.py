"""What came of a call is told whatever stands against new ones.

| meanwhile | the same key and arguments | another key |
|---|---|---|
| the last step is done | replay | BudgetSpent |
| the run is closed | replay | RunClosed |
| the user opted out | replay | WritesRefused |
| the quota is used up | replay | QuotaExceeded |
| something is stale | replay | StaleInputs |
| somebody took the run over | LeaseLost | LeaseLost |

An artifact that is put again is answered the same, whatever became of its type meanwhile.

In each of these a call that is in doubt stays so, one that may be done again is refused as a new one is, and the
same request under its idempotency key gets the result, too.
"""

from base64 import b64encode
from typing import Any

import pytest

from muniment.errors import (
    BudgetSpent,
    InvalidInput,
    LeaseLost,
    MunimentError,
    QuotaExceeded,
    RunClosed,
    StaleInputs,
    StaleVersion,
    ToolConflict,
    WritesRefused,
)
from muniment.postgres.quota import QuotaLimits, StorageQuotas
from tests.integration.agents import DAY, lives
from tests.support.world import SCHEMA, START, Local, Tenant

RESULT = b64encode(b"CM-1").decode()


async def ready(tenant: Tenant) -> dict[str, Any]:
    """A run with one step left, and calls: done, failed, in doubt."""
    for name, effect in (("w", "write"), ("r", "read")):
        await tenant("tools.define", name=name, effect=effect)
    run = await tenant("runs.open", agent_id="a", user_id="nora", step_ceiling=1)
    held = {"run_id": run.run_id, "fence": 1}
    for key, status in (("done", "succeeded"), ("failed", "failed"), ("doubt", "in_doubt")):
        await claimed(tenant, held, key)
        made: dict[str, Any] = {
            "tool": "w",
            "key": key,
            "attempt": 1,
            "status": status,
            "result": RESULT,
        }
        await tenant("runs.record_tool", run_id=run.run_id, **made)
    await claimed(tenant, held, "open", tool="r")
    return held


async def claimed(tenant: Tenant, run: dict[str, Any], key: str, **more: Any) -> Any:
    return await tenant("runs.claim_tool", **run, **({"tool": "w", "key": key, "arguments": {"n": 1}} | more))  # fmt: skip


async def meanwhile(service: Local, tenant: Tenant, run: dict[str, Any], what: str) -> None:
    if what == "stepped":
        await tenant("runs.checkpoint", **run, step=1)
    elif what == "closed":
        await tenant("runs.close", **run, outcome="success")
    elif what == "opted out":
        await tenant("users.opt_out", user_id="nora")
    elif what == "full":
        quotas = StorageQuotas(QuotaLimits(1, None, 0), SCHEMA, None)
        object.__setattr__(service.world, "quotas", quotas)
    elif what == "stale":
        await lives(tenant, "Gouda", valid_from=START - 9 * DAY)
        await tenant("recall", user_id="nora", query="Where does Nora live?", run_id=str(run["run_id"]))  # fmt: skip
        await lives(tenant, "Breda", valid_from=START - DAY)


@pytest.mark.parametrize(
    ("what", "refused"),
    [("stepped", BudgetSpent), ("closed", RunClosed), ("opted out", WritesRefused), ("full", QuotaExceeded), ("stale", StaleInputs)],
)  # fmt: skip
async def test_a_replay(
    service: Local, tenant: Tenant, what: str, refused: type[MunimentError]
) -> None:
    run = await ready(tenant)
    call = run | {"tool": "w", "key": "once", "arguments": {}}
    assert (await tenant.once("once", "runs.claim_tool", **call)).result.answer == "execute"
    made: dict[str, Any] = {
        "tool": "w",
        "key": "once",
        "attempt": 1,
        "status": "succeeded",
        "result": RESULT,
    }
    await tenant("runs.record_tool", run_id=run["run_id"], **made)
    await meanwhile(service, tenant, run, what)
    again = (await tenant.once("once", "runs.claim_tool", **call)).result
    assert (again.answer, again.result) == ("replay", RESULT)
    for key, answer, status in (("done", "replay", "succeeded"), ("failed", "replay", "failed"), ("doubt", "in_doubt", "in_doubt")):  # fmt: skip
        got = await claimed(tenant, run, key)
        assert (got.answer, got.status) == (answer, status)
        assert got.result == (RESULT if answer == "replay" else None)
        with pytest.raises(ToolConflict):
            await claimed(tenant, run, key, arguments={"n": 2})
    for key, more in (("new", {}), ("failed", {"retry": True})):
        with pytest.raises(refused):
            await claimed(tenant, run, key, **more)
    shown = await tenant("runs.get", run_id=run["run_id"])
    assert "w:new" not in shown.tool_results
    assert shown.tool_results["w:failed"].attempt == 1


async def test_who_lost_the_lease_is_told_nothing(tenant: Tenant) -> None:
    run = await ready(tenant)
    await tenant("runs.resume", run_id=run["run_id"], take_over=True)
    for key in ("done", "doubt", "new"):
        with pytest.raises(LeaseLost):
            await claimed(tenant, run, key)
    await tenant("runs.close", run_id=run["run_id"], outcome="abandoned")
    with pytest.raises(LeaseLost):
        await claimed(tenant, run, "done")
    assert (await claimed(tenant, run | {"fence": 2}, "done")).answer == "replay"


@pytest.mark.parametrize("now", [{"required": ["b"]}, {"title": "as it was"}, {"not": {}}])
async def test_an_artifact_whose_type_is_another_meanwhile(tenant: Tenant, now: Any) -> None:
    run = await tenant("runs.open", agent_id="a", user_id="nora")
    await tenant("schemas.register", name="s", schema={"type": "object"})
    put: dict[str, Any] = {"run_id": run.run_id, "name": "n", "schema": "s", "if_version": 0}
    done = await tenant("artifacts.put", **put, value={"a": 1})
    await tenant("schemas.register", name="s", schema=now)
    again: list[dict[str, Any]] = [{}, {"schema_version": 1}]
    for more in again:
        assert await tenant("artifacts.put", **put, **more, value={"a": 1}) == done
    others: list[dict[str, Any]] = [
        {"value": {"a": True}},
        {"agent_id": "b"},
        {"schema_version": 2},
    ]
    for more in others:
        with pytest.raises((StaleVersion, InvalidInput)):
            await tenant("artifacts.put", **(put | {"value": {"a": 1}} | more))
