"""REGISTRY: every operation by name. A new family is imported and named here."""

from types import MappingProxyType
from typing import Any

from muniment.operations import (
    audit,
    changes,
    entities,
    entity_merges,
    events,
    exports,
    forget,
    governance,
    holds,
    imports,
    jobs,
    keeping,
    keys,
    lineage,
    memories,
    passes,
    policy,
    profile,
    recall,
    remember,
    rereviews,
    review,
    run_steps,
    runs,
    sessions,
    simulate,
    slots,
    users,
    working,
)
from muniment.operations.operation import Operation

_FAMILIES = (
    events, sessions, working, runs, run_steps, recall, profile, remember, memories,
    lineage, changes, keeping, entities, entity_merges, forget, users, keys, jobs, passes,
    slots, policy, holds, governance, rereviews,
    review, simulate, audit, exports, imports,
)  # fmt: skip

REGISTRY: MappingProxyType[str, Operation[Any, Any]] = MappingProxyType(
    {operation.name: operation for family in _FAMILIES for operation in family.OPERATIONS}
)
