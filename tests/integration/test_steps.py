"""What entered a step of a run is all there, and in the step that it entered.

| answers of a step | explained |
|---|---|
| more recalls than a page, then contexts | the contexts first, then the recalls, a page at a time, each once |
| none | one page, no `next` |
| a cursor of something else | InvalidInput |

| an answer with `run_id` and no `step` | logged, and noted as an input of the run, at |
|---|---|
| recall, plan, context; of a run of the user, of no user | the step that comes next |
| of a run of another user, of what is no run | none |
"""

from typing import Any

import pytest

from muniment.errors import InvalidInput
from tests.integration.analysing import SOURCE, first
from tests.support.world import Tenant

QUERY = "How high are returns with the new courier?"


async def explain(tenant: Tenant, **more: Any) -> Any:
    given: dict[str, Any] = {"user_id": "ann", "run_id": "r", "step": 1}
    return await tenant("runs.explain", **(given | more))


async def test_many_answers(tenant: Tenant) -> None:
    await tenant("memories.remember", user_id="ann", kind="user_preference", text="Prefers tea.")
    asked: dict[str, Any] = {"user_id": "ann", "query": QUERY, "run_id": "r", "step": 1}
    recalls = [(await tenant("recall", **asked)).recall_id for _ in range(107)]
    contexts = [(await tenant("context.assemble", **asked)).context_id for _ in range(4)]
    for limit in (3, 50, 110, 200):
        pages: list[Any] = []
        cursor = None
        while cursor is not None or not pages:
            found = await explain(tenant, limit=limit, cursor=cursor)
            assert len(found.answers) <= limit
            pages.append(found)
            cursor = found.next
        told = [one.id for page in pages for one in page.answers]
        assert told == contexts + recalls
        assert [one.text for one in pages[0].items] == ["Prefers tea."]
    assert (await explain(tenant, step=2)).next is None
    for wrong in ("x", (await explain(tenant, limit=1)).next[:-2]):
        with pytest.raises(InvalidInput):
            await explain(tenant, cursor=wrong)


async def answer(tenant: Tenant, what: str, run_id: str) -> Any:
    asked: dict[str, Any] = {"user_id": "ann", "run_id": run_id}
    if what == "plan":
        found = await tenant("analysis.plan", **asked, data_source=SOURCE, question=QUERY, mode="re-run")  # fmt: skip
        return found.recall_id
    if what == "recall":
        return (await tenant("recall", **asked, query=QUERY)).recall_id
    return (await tenant("context.assemble", **asked, query=QUERY, data_source=SOURCE)).context_id


@pytest.mark.parametrize("what", ["plan", "recall", "context"])
async def test_a_step_that_is_not_said(tenant: Tenant, what: str) -> None:
    await first(tenant)
    run = ""
    for user_id in ("ann", None):
        run = str((await tenant("runs.open", agent_id="a", user_id=user_id)).run_id)
        await tenant("runs.checkpoint", run_id=run, step=1, fence=1, stage="look")
        made = await answer(tenant, what, run)
        (told,) = (await explain(tenant, run_id=run, step=2)).answers
        assert told.id == made
    told = (await explain(tenant, run_id=run, step=2)).items
    finding = next(one.id for one in told if one.tier == "semantic")
    await tenant("memories.retract", id=finding)
    (stale,) = (await tenant("runs.get", run_id=run)).stale_inputs
    assert stale.step == 2
    other = str((await tenant("runs.open", agent_id="a", user_id="bob")).run_id)
    for none in (other, "word"):
        made = await answer(tenant, what, none)
        for step in range(3):
            assert (await explain(tenant, run_id=none, step=step)).answers == ()
