"""The checkpoint that runs.get answers is JSON of a shape that does not change (RULES 14.3).

The golden file is a run with something of everything. Ids are numbered in the order in which they
appear; the clock is held. Whoever changes the file changes what agents read.
"""

import base64
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from muniment.operations.registry import REGISTRY
from tests.support.world import START, Local, Tenant

GOLDEN = Path(__file__).with_name("run_checkpoint.json")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
CHECKPOINT = {
    "run_id", "step_index", "stage", "committed_facts", "open_questions", "pending_approvals",
    "tool_results", "budget",
}  # fmt: skip


def numbered(text: str) -> str:
    """Ids as the order of their first appearance."""
    seen: dict[str, str] = {}
    return _UUID.sub(lambda one: seen.setdefault(one[0], f"id-{len(seen) + 1}"), text)


async def everything(service: Local, tenant: Tenant) -> Any:
    """A run after two steps, with a call, a request, and an input that was superseded."""
    told: dict[str, Any] = {"kind": "fact", "user_id": "nora", "slot": "city"}
    await tenant("memories.remember", **told, text="Nora lives in Gouda.", value="Gouda")
    await tenant("tools.define", name="erp.post", effect="write", gate="credit")
    run = await tenant(
        "runs.open", agent_id="billing", user_id="nora", step_ceiling=20, cost_ceiling_usd="2.50"
    )
    place: dict[str, Any] = {"run_id": run.run_id, "fence": 1}
    await tenant("recall", user_id="nora", query="Where does Nora live?", run_id=run.run_id)
    known = {"key": "amount", "source": "invoice 4711", "valid_from": START - timedelta(days=1)}
    done = await tenant(
        "runs.checkpoint", **place, step=1, stage="intake", cost_usd="0.12",
        committed_facts=[known | {"value": "120.00"}], open_questions=["Is it paid?"],
    )  # fmt: skip
    asking = await tenant.key_for()
    wish = {"action": "erp.post", "gate": "credit", "amount": "120.00"}
    asked = [await tenant("approvals.request", _as=asking, **place, **wish) for _ in range(2)]
    await tenant("approvals.decide", approval_id=asked[0].approval_id, decision="approve")
    call = {"tool": "erp.post", "key": "memo-4711"}
    await tenant(
        "runs.claim_tool", **place, **call, arguments={"amount": "120.00"},
        approval_id=asked[0].approval_id,
    )  # fmt: skip
    service.clock.advance(seconds=2)
    result = base64.b64encode(b'{"memo":"CM-1"}').decode()
    await tenant(
        "runs.record_tool", run_id=run.run_id, **call, attempt=1, status="succeeded", result=result
    )
    await tenant("memories.remember", **told, text="Nora lives in Breda.", value="Breda")
    fact = known | {"value": "100.00", "supersedes": done.committed_facts[0].id}
    await tenant("runs.checkpoint", **place, step=2, cost_usd="0.005", committed_facts=[fact])
    return await tenant("runs.get", run_id=run.run_id)


async def test_the_shape_of_a_checkpoint(service: Local, tenant: Tenant) -> None:
    found = REGISTRY["runs.get"].results.dump_json(await everything(service, tenant))
    shown = json.loads(numbered(found.decode()))
    assert shown == json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert shown.keys() >= CHECKPOINT
