"""What a run holds, as items of a context."""

from datetime import datetime
from json import dumps
from uuid import UUID

from muniment.operations.context_items import Candidate, ContextItem
from muniment.operations.run_state import RunView
from muniment.operations.types import Level
from muniment.records.runs import RunRow

_Stated = tuple[UUID, str, datetime, str]


def held_by_run(view: RunView, run: RunRow) -> list[Candidate]:
    """Its state, its facts, its open questions and what it asked for, in this order."""
    level: Level = "org" if view.user_id is None else "user"
    return [
        Candidate(
            ContextItem(item_id, "run", kind, level, text, as_of, "agent_inferred"),
            run.scope_id,
            (at,),
        )
        for at, (item_id, kind, as_of, text) in enumerate(_state(view, run))
    ]


def _state(view: RunView, run: RunRow) -> list[_Stated]:
    """Id, kind, date and text of each."""
    budget = view.budget
    steps = f"{budget.steps_used} of {budget.step_ceiling or 'any number of'} steps are done"
    cost = f"{budget.cost_used_usd} of {budget.cost_ceiling_usd or 'any number of'} USD are spent"
    stage = "" if view.stage is None else f"Stage {view.stage}; "
    told: list[_Stated] = [(run.run_id, "state", run.opened_at, f"{stage}{steps}; {cost}.")]
    for fact in view.committed_facts:
        value = fact.value if isinstance(fact.value, str) else dumps(fact.value, ensure_ascii=False)
        text = f"{fact.key}: {value} (source: {fact.source})"
        told.append((fact.id, "committed_fact", fact.valid_from, text))
    told += [(run.run_id, "open_question", run.opened_at, text) for text in view.open_questions]
    for one in view.pending_approvals:
        amount = "" if one.amount is None else f" of {one.amount}"
        text = f"Approval of {one.action}{amount} at gate {one.gate}: {one.state}."
        told.append((one.approval_id, "approval", one.requested_at, text))
    return told
