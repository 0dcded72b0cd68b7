"""What takes over where a window ends, so that it can give the window back (RULES 1.5)."""

from collections.abc import Sequence
from dataclasses import replace

from muniment.domain.memory import Version
from muniment.domain.reconcile import Candidate, Plan, held_as_one
from muniment.domain.slot import Slot


def followed(plan: Plan, candidate: Candidate, held: Sequence[Version], slot: Slot | None) -> Plan:
    """The plan with what begins where the candidate ends, if nobody stated that end: the candidate
    yields to it, as if it had been cut by it.
    """
    open_ended = candidate.valid_to is None and not candidate.whole
    if not open_ended or plan.standing != "asserted" or slot is None or slot.cardinality == "many":
        return plan
    # What is widened at its start alone ends where it ended.
    own = [
        one.valid
        for one in plan.remainders
        if one.of.memory_id == plan.reinforces and one.of.valid.end != one.valid.end
    ]
    ends = {window.end for window in (*plan.windows, *own)}
    others = [
        version
        for version in held
        if version.standing == "asserted" and version.value_key != candidate.value_key
    ]
    # What goes on in another version begins nowhere there.
    begins = {run.start for run in held_as_one(sorted(others, key=lambda one: one.valid.start))}
    following = {
        version.valid.start: version.memory_id
        for version in others
        if version.valid.start in ends & begins
    }
    return replace(plan, following=following)
