"""REGISTRY: every operation by name. A new family is imported and named here."""

from types import MappingProxyType
from typing import Any

from muniment.operations import (
    analysis,
    analysis_report,
    appearances,
    approvals,
    artifacts,
    audit,
    changes,
    context,
    context_records,
    embeddings,
    entities,
    entity_merges,
    events,
    explain,
    exports,
    files,
    forget,
    governance,
    holds,
    imports,
    jobs,
    keeping,
    keys,
    knowledge,
    knowledge_proposals,
    lineage,
    machines,
    memories,
    passes,
    policy,
    profile,
    recall,
    receipts,
    remember,
    rereviews,
    review,
    run_close,
    run_inputs,
    run_steps,
    run_tools,
    runs,
    schemas,
    sessions,
    simulate,
    slots,
    sources,
    store,
    thread_delete,
    thread_reads,
    threads,
    tools,
    users,
    working,
)
from muniment.operations.operation import Operation

_FAMILIES = (
    events, sessions, working, store, runs, run_steps, run_close, run_inputs, run_tools, machines,
    approvals, tools, schemas, artifacts, sources, analysis, analysis_report, recall, context,
    context_records, profile, remember, memories, lineage,
    appearances, explain,
    changes, keeping, embeddings, entities, entity_merges, files, forget, receipts, users, keys,
    jobs, passes,
    slots, policy, holds, governance, rereviews, review, simulate, audit, exports, imports,
    knowledge, knowledge_proposals, threads, thread_reads, thread_delete,
)  # fmt: skip

REGISTRY: MappingProxyType[str, Operation[Any, Any]] = MappingProxyType(
    {operation.name: operation for family in _FAMILIES for operation in family.OPERATIONS}
)
