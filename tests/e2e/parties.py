"""One user of one tenant, as the tests of isolation know them, and what they ask beside memories."""

import base64
import hashlib
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from muniment.client import Client
from muniment.client.models import BatteryStep, ReportedFinding

OF_STORE = {"path": ["a"], "key": "own"}


@dataclass
class Party:
    """One user of one tenant, with what was made for them."""

    key: str
    user: str
    mark: str = field(default_factory=lambda: f"mark{uuid4().hex}")
    memory_id: Any = None
    event_id: Any = None
    job_id: Any = None
    key_id: Any = None
    merge_id: Any = None
    other_id: Any = None
    export_id: Any = None
    hold_id: Any = None
    rereview_id: Any = None
    import_id: Any = None
    receipt_id: Any = None
    run_id: Any = None
    approval_id: Any = None
    context_id: Any = None
    proposal_id: Any = None


def assemble(client: Client, party: Party, query: str) -> None:
    """A context for the first step of the party's run."""
    party.context_id = client.context.assemble(
        user_id=party.user, query=query, run_id=str(party.run_id), step=1
    ).context_id


def governing(party: Party) -> dict[str, dict[str, Any]]:
    """What may not be erased yet, who was, and what shows it."""
    return {
        "users.reopen": {"user_id": f"{party.user}-gone"},
        "receipts.get": {"receipt_id": str(party.receipt_id)},
        "receipts.list": {},
        "holds.place": {"user_id": party.user, "reason": party.mark},
        "governance.report": {},
        "rereviews.list": {},
        "rereviews.decide": {
            "rereview_id": str(party.rereview_id),
            "verdict": "approve",
            "reason": party.mark,
        },
        "holds.list": {},
        "holds.release": {"hold_id": str(party.hold_id), "reason": party.mark},
    }


def running_of(party: Party) -> dict[str, dict[str, Any]]:
    """A run of the party's, and another that it opens."""
    run = {"run_id": str(party.run_id)}
    return {
        "runs.open": {"agent_id": "a", "user_id": party.user, "stage": party.mark},
        "runs.get": run,
        "runs.list": {"user_id": party.user},
        "runs.history": run,
        "runs.diff": run | {"from_step": 0, "to_step": 1},
        "runs.checkpoint": run | {"step": 2, "fence": 1},
        "runs.claim_tool": run | {"tool": "t", "key": party.mark, "arguments": {"m": party.mark}, "fence": 1},
        "runs.record_tool": run | {"tool": "t", "key": party.mark, "attempt": 1, "status": "in_doubt"},
        "runs.settle_tool": run | {"tool": "t", "key": party.mark, "happened": False, "reason": party.mark},
        "tools.define": {"name": "t", "effect": "write"},
        "tools.list": {},
        "machines.define": {"name": f"of {party.user}", "initial": "a"},
        "machines.list": {},
        "runs.transition": run | {"fence": 1, "to": "b"},
        "runs.stages": run,
        "schemas.register": {"name": f"of {party.user}", "schema": {}},
        "schemas.list": {},
        "knowledge.put": {"source": f"own {party.user}", "version": 1, "title": "t", "text": "x"},
        "knowledge.get": {"source": f"of {party.user}"},
        "knowledge.list": {},
        "knowledge.delete": {"source": f"own {party.user}"},
        "knowledge.proposals": {},
        "knowledge.proposal": {"document_id": str(party.proposal_id)},
        "knowledge.decide": {"document_id": str(party.proposal_id), "decision": "reject"},
        "artifacts.put": run | {"name": "b", "schema": "s", "value": party.mark, "if_version": 0},
        "artifacts.get": run | {"name": "a"},
        "artifacts.list": run,
        "artifacts.history": run | {"name": "a"},
        "artifacts.diff": run | {"name": "a", "from_version": 1, "to_version": 1},
        "approvals.request": run | {"fence": 1, "action": party.mark, "gate": "g"},
        "approvals.get": {"approval_id": str(party.approval_id)},
        "approvals.list": {"user_id": party.user},
        "approvals.decide": {"approval_id": str(party.approval_id), "decision": "reject"},
        "runs.acknowledge": run | {"fence": 1, "ids": [str(party.memory_id)]},
        "runs.resume": run | {"fence": 1, "lease_seconds": 3600},
        "runs.close": run | {"outcome": "success", "fence": 1},
    }  # fmt: skip


def saving_of(party: Party) -> dict[str, dict[str, Any]]:
    """A thread of a graph of the party's, under a name that all have."""
    thread: dict[str, Any] = {"user_id": party.user, "thread_id": "thread"}
    value = {"type": "bytes", "data": in_base64(party.mark)}
    write = {"place": 0, "channel": "c", **value}
    return {
        "threads.put": thread | {"checkpoint_id": "2", "parent_id": "1", "state": value, "labels": {"mark": party.mark}},
        "threads.put_writes": thread | {"checkpoint_id": "1", "task_id": "t", "writes": [write]},
        "threads.put_pieces": thread | {"pieces": [in_base64(party.mark)]},
        "threads.copy": thread | {"target_id": f"copy {party.mark}"},
        "threads.list": thread,
        "threads.history": thread | {"channels": ["c"]},
        "threads.get_pieces": thread | {"pieces": [hashlib.sha256(party.mark.encode()).hexdigest()]},
        "threads.delete": {"user_id": party.user, "thread_ids": [f"copy {party.mark}"]},
    }  # fmt: skip


def analysed(client: Client, party: Party) -> None:
    """A finding, a step and a question of the party's on a source that all have."""
    client.analysis.report(
        user_id=party.user,
        session_id="s",
        data_source="train",
        findings=[ReportedFinding(text=f"Found {party.mark}.", label="confirmatory")],
        battery=[BatteryStep(step=f"count {party.mark}", parameters={"m": party.mark})],
        unknowns=[f"Why {party.mark}?"],
    )


def save(client: Client, party: Party) -> None:
    """A thread of a graph of two checkpoints, with a value, a write and a piece."""
    made = saving_of(party)
    value: dict[str, Any] = {"type": "bytes", "data": in_base64(party.mark)}
    first = made["threads.put"] | {
        "checkpoint_id": "1",
        "channels": [{"channel": "c", "version": "1"}],
    }
    for name, given in (
        ("put", first | {"values": [{"channel": "c", "version": "1", **value}]}),
        ("put", first | {"checkpoint_id": "2"}),
        ("put_writes", made["threads.put_writes"]),
        ("put_pieces", made["threads.put_pieces"]),
    ):
        getattr(client.threads, name)(**given)


def in_base64(text: str) -> str:
    """A text as the bytes of a value travel."""
    return base64.b64encode(text.encode()).decode()


def analysing(party: Party) -> dict[str, dict[str, Any]]:
    """What was analysed, and is reported."""
    asked: dict[str, Any] = {"user_id": party.user, "data_source": "train"}
    found = {"text": f"A finding {party.mark}.", "label": "confirmatory"}
    return {
        "analysis.plan": asked | {"question": "What is there?", "mode": "extend"},
        "analysis.report": asked | {"session_id": "s", "findings": [found], "question": party.mark},
        "context.assemble": asked | {"query": "What was found of the train?", "mode": "extend"},
        "context.get": {"user_id": party.user, "context_id": str(party.context_id)},
        "memories.appearances": {"user_id": party.user, "id": str(party.memory_id)},
        "runs.explain": {"user_id": party.user, "run_id": str(party.run_id), "step": 1},
        "sources.define": {"name": f"of {party.user}", "aliases": [f"alias {party.user}"]},
        "sources.list": {},
        "files.put": {"user_id": party.user, "path": "own", "content": party.mark},
        "files.get": {"user_id": party.user, "path": "own"},
        "files.list": {"user_id": party.user},
        "files.history": {"user_id": party.user, "path": "own"},
        "files.move": {"user_id": party.user, "path": "own", "to": f"of {party.user}"},
        "files.delete": {"user_id": party.user, "path": "own"},
        "users.list": {},
        "store.write": {
            "user_id": party.user,
            "puts": [OF_STORE | {"value": {"mark": party.mark}}],
        },
        "store.read": {
            "user_id": party.user,
            "gets": [OF_STORE],
            "searches": [{}],
            "listings": [{}],
        },
    }


def moving(party: Party) -> dict[str, dict[str, Any]]:
    """Who leaves and who arrives."""
    return {
        "exports.create": {"user_id": party.user},
        "exports.read": {"user_id": party.user, "export_id": str(party.export_id)},
        "imports.upload": {"user_id": party.user, "import_id": str(party.import_id), "first": 1, "records": [{"type": "end", "lines": 1}]},
        "imports.commit": {"user_id": party.user, "import_id": str(party.import_id), "lines": 1},
    }  # fmt: skip


def asked_beside(party: Party) -> dict[str, dict[str, Any]]:
    """All of these."""
    more = (running_of, analysing, saving_of, moving, governing)
    return {name: given for family in more for name, given in family(party).items()}
