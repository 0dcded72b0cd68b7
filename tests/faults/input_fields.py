"""Every field of every command that takes a text, found in the registry; and calls to put one in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from muniment.operations.operation import Operation
from muniment.operations.registry import REGISTRY
from muniment.operations.thread_values import PATH_PATTERN
from muniment.operations.types import IDENTIFIER_PATTERN, VISIBLE_PATTERN

Form = Literal["name", "text", "choice", "instant", "uuid", "cursor", "json", "object", "policy"]
Path = tuple[str | int, ...]

NOON = "2026-05-26T12:00:00Z"
UUID = "018f2a6c-0000-7000-8000-000000000000"
EVENT = {"turn": 0, "role": "user", "content": "I moved to Gouda.", "occurred_at": NOON}
PLACE = {"user_id": "u", "session_id": "s"}
CALL = {"run_id": UUID, "tool": "t", "key": "k"}
PLACED = {"run_id": UUID, "name": "n"}
SAVED = {"thread_id": "t", "checkpoint_id": "1"}
VALUE = {"type": "bytes", "data": "eA=="}
# What each command needs besides the field that is tried.
NEEDED: dict[str, dict[str, Any]] = {
    "events.write": {**PLACE, "events": [EVENT]},
    "events.list": PLACE,
    "sessions.get": PLACE,
    "sessions.open": PLACE,
    "sessions.close": PLACE,
    "sessions.consolidate": PLACE,
    "working.put": {**PLACE, "key": "k", "value": 1},
    "working.get": {**PLACE, "key": "k"},
    "working.list": PLACE,
    "working.delete": {**PLACE, "key": "k"},
    "recall": {"user_id": "u", "query": "Where?"},
    "profile.get": {"user_id": "u"},
    "context.assemble": {"user_id": "u", "query": "Where?"},
    "context.get": {"user_id": "u", "context_id": UUID},
    "memories.remember": {"kind": "fact", "text": "A fact.", "user_id": "u"},
    "memories.get": {"id": UUID},
    "memories.list": {"user_id": "u"},
    "memories.history": {"id": UUID},
    "memories.lineage": {"id": UUID},
    "memories.appearances": {"user_id": "u", "id": UUID},
    "memories.correct": {"id": UUID, "text": "A fact."},
    "memories.retract": {"id": UUID},
    "memories.confirm": {"id": UUID},
    "memories.pin": {"id": UUID},
    "memories.unpin": {"id": UUID},
    "memories.restore": {"id": UUID},
    "memories.undo": {"id": UUID},
    "entities.define": {"name": "n", "kind": "team"},
    "entities.get": {"name": "n"},
    "entities.list": {},
    "entities.merge": {"name": "n"},
    "entities.unmerge": {"merge_id": UUID},
    "entities.remove": {"name": "n"},
    "forget": {"user_id": "u", "dry_run": True},
    "holds.place": {"user_id": "u", "reason": "A case."},
    "governance.report": {},
    "rereviews.list": {},
    "rereviews.decide": {"rereview_id": UUID, "verdict": "approve", "reason": "Right."},
    "holds.list": {},
    "holds.release": {"hold_id": UUID, "reason": "Over."},
    "users.opt_out": {"user_id": "u"},
    "users.opt_in": {"user_id": "u"},
    "users.reopen": {"user_id": "u"},
    "receipts.get": {"receipt_id": UUID},
    "receipts.list": {},
    "keys.create": {"principal": "p"},
    "keys.list": {},
    "keys.revoke": {"key_id": UUID},
    "review.list": {},
    "review.decide": {"id": UUID, "decision": "reject", "reason": "No."},
    "slots.define": {"name": "n", "cardinality": "one"},
    "slots.list": {},
    "slots.remove": {"name": "n"},
    "policy.get": {},
    "policy.simulate": {"until": "2099-01-01T00:00:00Z"},
    "policy.put": {"document": {}},
    "tenants.create": {"name": "t"},
    "embeddings.get": {},
    "embeddings.re_embed": {"to": "t"},
    "embeddings.cancel": {},
    "exports.create": {"user_id": "u"},
    "exports.read": {"user_id": "u", "export_id": UUID},
    "imports.upload": {
        "user_id": "u",
        "import_id": UUID,
        "first": 1,
        "records": [{"type": "end", "lines": 1}],
    },
    "imports.commit": {"user_id": "u", "import_id": UUID, "lines": 1},
    "jobs.get": {"job_id": 1},
    "jobs.list": {},
    "jobs.retry": {"job_id": 1},
    "passes.show": {},
    "runs.open": {"agent_id": "a", "user_id": "u"},
    "runs.get": {"run_id": UUID},
    "runs.list": {},
    "runs.history": {"run_id": UUID},
    "runs.diff": {"run_id": UUID, "from_step": 0, "to_step": 1},
    "runs.checkpoint": {"run_id": UUID, "step": 1, "fence": 1},
    "runs.resume": {"run_id": UUID},
    "runs.explain": {"user_id": "u", "run_id": UUID, "step": 1},
    "runs.close": {"run_id": UUID, "outcome": "success", "fence": 1},
    "runs.claim_tool": {**CALL, "arguments": {}, "fence": 1},
    "runs.record_tool": {**CALL, "attempt": 1, "status": "failed"},
    "runs.settle_tool": {**CALL, "happened": False, "reason": "None."},
    "runs.acknowledge": {"run_id": UUID, "fence": 1, "ids": [UUID]},
    "tools.define": {"name": "t", "effect": "read"},
    "sources.define": {"name": "d"},
    "sources.list": {},
    "files.put": {"user_id": "u", "path": "a", "content": "x"},
    "files.get": {"user_id": "u", "path": "a"},
    "files.list": {"user_id": "u"},
    "files.history": {"user_id": "u", "path": "a"},
    "files.move": {"user_id": "u", "path": "a", "to": "b"},
    "files.delete": {"user_id": "u", "path": "a"},
    "users.list": {},
    "store.write": {"user_id": "u", "puts": [{"path": ["a"], "key": "k", "value": {}}]},
    "store.read": {"user_id": "u", "gets": [{"path": ["a"], "key": "k"}]},
    "analysis.plan": {"user_id": "u", "data_source": "d", "question": "What?"},
    "analysis.report": {**PLACE, "data_source": "d"},
    "tools.list": {},
    "machines.define": {"name": "m", "initial": "a"},
    "machines.list": {},
    "runs.transition": {"run_id": UUID, "fence": 1, "to": "b"},
    "runs.stages": {"run_id": UUID},
    "approvals.request": {"run_id": UUID, "fence": 1, "action": "a", "gate": "g"},
    "schemas.register": {"name": "s", "schema": {}},
    "schemas.list": {},
    "knowledge.put": {"source": "s", "version": 1, "title": "t", "text": "x"},
    "knowledge.get": {"source": "s"},
    "knowledge.list": {},
    "knowledge.delete": {"source": "s"},
    "knowledge.proposals": {},
    "knowledge.proposal": {"document_id": UUID},
    "knowledge.decide": {"document_id": UUID, "decision": "reject"},
    "artifacts.put": {**PLACED, "schema": "s", "value": 1, "if_version": 0},
    "artifacts.get": PLACED,
    "artifacts.list": {"run_id": UUID},
    "artifacts.history": PLACED,
    "artifacts.diff": {**PLACED, "from_version": 1, "to_version": 1},
    "threads.put": {**SAVED, "state": VALUE},
    "threads.put_writes": {
        **SAVED,
        "task_id": "t",
        "writes": [{"place": 0, "channel": "c", **VALUE}],
    },
    "threads.put_pieces": {"thread_id": "t", "pieces": ["eA=="]},
    "threads.copy": {"thread_id": "t", "target_id": "u"},
    "threads.list": {},
    "threads.history": {"thread_id": "t", "channels": ["c"]},
    "threads.get_pieces": {"thread_id": "t", "pieces": ["0" * 64]},
    "threads.delete": {},
    "approvals.get": {"approval_id": UUID},
    "approvals.list": {},
    "approvals.decide": {"approval_id": UUID, "decision": "reject"},
    "audit.list": {},
    "audit.head": {},
    "audit.verify": {},
    "passes.release": {"duty": "expire"},
}
# Fields whose values the policy lists.
_POLICY = {("kind",), ("slot",)}
# A family whose only text is one of the models that the installation lists.
_OF_MODELS = "embeddings"
# The kind of an entity is what the application calls it.
_FREE_KINDS = "entities"
# Texts with a grammar of their own, whose tables are elsewhere (test_slots.py, test_overrides.py,
# test_runs.py, test_files.py).
_OF_THEIR_OWN: set[tuple[str, Path]] = {
    ("runs.open", ("cost_ceiling_usd",)),
    ("runs.checkpoint", ("cost_usd",)),
    ("approvals.request", ("amount",)),
    ("runs.record_tool", ("result",)),
    ("runs.settle_tool", ("result",)),
    ("schemas.register", ("schema",)),
    ("slots.define", ("cues", 0)),
    ("slots.define", ("aliases",)),
    ("policy.put", ("document",)),
    ("policy.simulate", ("document",)),
    ("imports.upload", ("records", 0)),
    ("threads.put", ("state", "data")),
    ("threads.put", ("values", 0, "data")),
    ("threads.put", ("pieces", 0)),
    *((f"files.{name}", ("path",)) for name in ("put", "get", "history", "move", "delete")),
    ("files.move", ("to",)),
    ("files.list", ("directory",)),
    ("threads.put_writes", ("writes", 0, "data")),
    ("threads.put_writes", ("pieces", 0)),
    ("threads.put_pieces", ("pieces", 0)),
}
_IN_EVIDENCE: tuple[Path, ...] = (("evidence", 0, "session_id"),)
_CITED = {"evidence": [{"turn": 0, "session_id": "s"}]}
_FOUND = {"text": "A.", "label": "exploratory"}
# Parts of a report: whether there are several, what one needs, and the texts in it.
_REPORTED: tuple[tuple[str, bool, dict[str, Any], tuple[Path, ...]], ...] = (
    ("findings", True, _FOUND | _CITED,
     (("text",), ("label",), ("kind",), ("detail",), ("metadata",), *_IN_EVIDENCE)),
    ("battery", True, {"step": "A."}, (("step",), ("parameters",))),
    ("revalidation", False, {"id": UUID, "outcome": "confirmed"} | _CITED,
     (("id",), ("outcome",), *_IN_EVIDENCE)),
    ("retired", True, {"id": UUID} | _CITED, (("id",), *_IN_EVIDENCE)),
)  # fmt: skip
# Whoever gives one of these must give or leave out another.
_TOGETHER: dict[tuple[str, Path], dict[str, Any]] = {
    ("memories.remember", ("value",)): {"slot": "pet"},
    ("memories.remember", ("evidence", 0, "session_id")): {"evidence": [{"turn": 0}]},
    **{
        (f"memories.{name}", ("evidence", 0, "session_id")): {"evidence": [{"turn": 0}]}
        for name in ("correct", "retract", "confirm")
    },
    **{
        (f"memories.{name}", ("evidence", 0, "user_id")): {
            "evidence": [{"turn": 0, "session_id": "s"}]
        }
        for name in ("correct", "retract", "confirm")
    },
    ("memories.remember", ("evidence", 0, "user_id")): {
        "kind": "data_quality", "user_id": None, "evidence": [{"turn": 0, "session_id": "s"}]
    },
    **{
        ("analysis.report", (part, *(0,) * listed, *rest)): {part: [made] if listed else made}
        for part, listed, made, places in _REPORTED
        for rest in places
    },
    ("forget", ("ids", 0)): {},
    ("machines.define", ("transitions", 0, "source")): {"transitions": [{"target": "b"}]},
    ("machines.define", ("transitions", 0, "target")): {"transitions": [{"source": "a"}]},
    ("machines.define", ("transitions", 0, "gate")): {
        "transitions": [{"source": "a", "target": "b"}]
    },
}  # fmt: skip


@dataclass(frozen=True)
class Field:
    """A place for a text in a command. ``path`` leads through objects and lists (item 0)."""

    operation: Operation[Any, Any]
    path: Path
    form: Form
    least: int = 0
    most: int = 0
    shown: bool = False
    """Something in it can be seen."""

    @property
    def pointer(self) -> str:
        """The JSON pointer of the place."""
        return "".join(f"/{part}" for part in self.path)

    def __str__(self) -> str:
        return f"{self.operation.name}{self.pointer}"

    def with_value(self, value: Any) -> dict[str, Any]:
        """The whole command, with the value in the place."""
        name = self.operation.name
        command = NEEDED[name] | _TOGETHER.get((name, self.path), {})
        found: dict[str, Any] = _put(command, self.path, value)
        return found


def fields() -> list[Field]:
    """All of them."""
    return [
        field
        for operation in REGISTRY.values()
        for name, schema in operation.schema["properties"].items()
        for field in _fields(operation, schema, (name,))
    ]


def _fields(operation: Operation[Any, Any], schema: Mapping[str, Any], at: Path) -> Iterator[Field]:
    if "$ref" in schema:
        schema = operation.schema["$defs"][schema["$ref"].rpartition("/")[2]]
    inner = [(at, option) for option in schema.get("anyOf", ())]
    if schema.get("type") == "array":
        inner.append(((*at, 0), schema["items"]))
    inner += [((*at, name), one) for name, one in schema.get("properties", {}).items()]
    if inner:
        for place, one in inner:
            yield from _fields(operation, one, place)
        return
    form = _form(operation.family, schema, at)
    if form is not None and (operation.name, at) not in _OF_THEIR_OWN:
        shown = schema.get("pattern") == VISIBLE_PATTERN
        least, most = schema.get("minLength", 0), schema.get("maxLength", 0)
        yield Field(operation, at, form, least, most, shown)


def _form(family: str, schema: Mapping[str, Any], at: Path) -> Form | None:
    """What a value is; None where it cannot be a text."""
    kind = schema.get("type", "json")
    if kind in ("json", "object"):
        return "choice" if _listed(schema) else "json" if kind == "json" else "object"
    if kind != "string":
        return None
    if _listed(schema):
        return "choice"
    forms: dict[str, Form] = {"date-time": "instant", "uuid": "uuid"}
    if family == _OF_MODELS or (at in _POLICY and family != _FREE_KINDS):
        return "policy"
    if schema.get("format") in forms:
        return forms[schema["format"]]
    if schema.get("pattern", "").startswith("^[0-9a-f]{"):
        return "choice"  # of digests and signatures; none of the strings is one
    if schema.get("pattern") in (IDENTIFIER_PATTERN, PATH_PATTERN):
        return "name"
    return "cursor" if at == ("cursor",) else "text"


def _listed(schema: Mapping[str, Any]) -> bool:
    return "enum" in schema or "const" in schema


def _put(node: Any, path: Sequence[str | int], value: Any) -> Any:
    """A copy of nested data with the value at the path, made where there is nothing."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        items = list(node) if isinstance(node, list) else []
        items += [None] * (first + 1 - len(items))
        items[first] = _put(items[first], rest, value)
        return items
    members = dict(node) if isinstance(node, dict) else {}
    return members | {first: _put(members.get(first), rest, value)}
