"""An item of an answer as it was then and is now, with what is behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Any, Literal
from uuid import UUID

from muniment.domain.inputs import why_gone
from muniment.domain.memory import Status, status_of
from muniment.domain.trust import Trust
from muniment.operations.types import Instant
from muniment.ports import Context
from muniment.records.explaining import Behind, DocumentRow, EpisodeRow, EvidenceRow, VersionRow
from muniment.records.trail import AnswerRow

ItemStatus = Literal[Status, "erased", "unknown"]


@dataclass(frozen=True)
class ItemState:
    """How an item stood at a moment. ``superseded_by``: what took its place."""

    status: ItemStatus
    value: str | None = None
    trust: Trust | None = None
    confidence: float | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    recorded_at: Instant | None = None
    superseded_by: UUID | None = None
    contested_by: tuple[UUID, ...] = ()
    document_version: int | None = None


@dataclass(frozen=True)
class ExplainedSource:
    """A turn that an item rests on, or the bare word of a key (``relayed_by``: its principal).

    ``text`` is for keys with the layer ``episodic``; ``withdrawn``: what brought it is undone.
    """

    session_id: str | None
    turn: int | None
    role: str | None
    name: str | None
    text: str | None
    trust: Trust
    observed_at: Instant
    recorded_at: Instant
    relayed_by: str | None
    withdrawn: bool


@dataclass(frozen=True)
class ExplainedDecision:
    """A decision about an item, by a rule; the rule ``review`` is a person, who gave a reason."""

    decision_id: UUID
    outcome: str
    rule: str
    decided_at: Instant
    decided_by: str | None
    reason: str | None


@dataclass(frozen=True)
class BehindItem:
    """What is held of an item."""

    kind: str | None
    text: str | None
    then: ItemState | None
    now: ItemState
    sources: tuple[ExplainedSource, ...] = ()
    decisions: tuple[ExplainedDecision, ...] = ()


def behind_item(
    ctx: Context,
    behind: Behind,
    own: frozenset[UUID],
    logged: Mapping[str, Any],
    answer: AnswerRow,
) -> BehindItem:
    """What is held of an item of an answer. ``own``: the scopes of the user."""
    item_id, tier = UUID(logged["id"]), logged["tier"]
    found: BehindItem | None = None
    if tier == "semantic" and item_id in behind.versions:
        found = _memory(ctx, behind, own, behind.versions[item_id], answer)
    elif tier == "episodic" and item_id in behind.episodes:
        found = _episode(behind.episodes[item_id])
    elif tier == "knowledge":
        found = _chunk(ctx, behind, item_id, logged)
    elif tier == "run":
        found = _of_run(ctx, behind, item_id)
    return found or BehindItem(None, None, None, ItemState(why_gone_of(ctx, behind, item_id)))


def why_gone_of(ctx: Context, behind: Behind, item_id: UUID) -> ItemStatus:
    """Why an item is there no more, as far as its run noted until when it was to hold."""
    return "expired" if why_gone(behind.due.get(item_id), ctx.now) == "expired" else "erased"


def _memory(
    ctx: Context,
    behind: Behind,
    own: frozenset[UUID],
    rows: Sequence[VersionRow],
    answer: AnswerRow,
) -> BehindItem:
    is_own = rows[0].scope_id in own
    known_at = answer.user_known_at if is_own else answer.org_known_at
    before = [row for row in rows if row.recorded_at <= known_at]
    then = max(before, key=lambda row: _preferred(row, known_at, answer.as_of), default=None)
    # A record may be ahead of this process's clock.
    at = max(ctx.now, *(row.superseded_at or row.recorded_at for row in rows))
    now = max(rows, key=lambda row: _preferred(row, at, at))
    # What the organisation knows rests on anybody's sessions.
    shown = is_own or ctx.caller.user_id is None
    item_id = rows[0].id
    return BehindItem(
        kind=now.kind,
        text=now.text,
        then=None if then is None else _state(then, answer.as_of, known_at, answer.at),
        now=_state(now, at, at, ctx.now),
        sources=tuple(
            _source(ctx, one) for one in (behind.evidence.get(item_id, ()) if shown else ())
        ),
        decisions=tuple(
            ExplainedDecision(**{k: v for k, v in vars(one).items() if k != "id"})
            for one in (behind.decisions.get(item_id, ()) if shown else ())
        ),
    )


def _source(ctx: Context, row: EvidenceRow) -> ExplainedSource:
    """The words of a turn are for those who could read the turn."""
    known = {name: value for name, value in vars(row).items() if name != "id"}
    if "episodic" not in ctx.caller.layers:
        known["text"] = None
    return ExplainedSource(**known)


def _preferred(row: VersionRow, known_at: datetime, as_of: datetime) -> tuple[bool, bool, Any, Any]:
    """The version that speaks for a memory: held then, true then, the latest."""
    version = row.version
    return (
        version.recorded.holds(known_at), version.valid.holds(as_of),
        row.recorded_at, row.valid_from,
    )  # fmt: skip


def _state(row: VersionRow, as_of: datetime, known_at: datetime, now: datetime) -> ItemState:
    status = status_of(row.version, as_of=as_of, known_at=known_at, now=now)
    over = status in {"superseded", "retracted", "past", "expired"}
    successor = row.succeeded_by or row.ended_by
    return ItemState(
        status=status,
        value=row.value,
        trust=row.trust,
        confidence=row.confidence,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        recorded_at=row.recorded_at,
        superseded_by=successor if over and successor != row.id else None,
        contested_by=() if over else tuple(row.contested_by or ()),
    )


def _episode(rows: Sequence[EpisodeRow]) -> BehindItem:
    first = rows[0]
    status: ItemStatus = "active"
    if first.superseded_at is not None:
        status = "superseded"
    elif first.standing == "quarantined":
        status = "quarantined"
    elif first.standing != "asserted":
        status = "retracted"
    held: dict[str, Any] = {"trust": first.trust, "recorded_at": first.recorded_at}
    return BehindItem(
        kind=first.kind,
        text=first.text,
        then=ItemState("active", **held),
        now=ItemState(status, **held),
        sources=tuple(
            ExplainedSource(
                session_id=row.session_id, turn=row.turn, role=row.role, name=row.name,
                text=row.said, trust=row.trust, observed_at=row.occurred_at,
                recorded_at=row.recorded_at, relayed_by=row.relayed_by, withdrawn=False,
            )
            for row in rows
        ),
    )  # fmt: skip


def _chunk(
    ctx: Context, behind: Behind, item_id: UUID, logged: Mapping[str, Any]
) -> BehindItem | None:
    """A chunk goes with its version; the document is there as long as its source has it."""
    row = behind.documents.get(item_id)
    if row is None:
        return None
    version = logged.get("version", row.version if row.text is not None else None)
    held: dict[str, Any] = {
        "trust": "operator", "recorded_at": row.recorded_at,
        "valid_from": row.valid_from, "valid_to": row.valid_to,
    }  # fmt: skip
    if row.text is None or version != row.version:
        # Of the version that was there, nothing is held but its number.
        then = ItemState("active", trust="operator", document_version=version)
        now = ItemState("superseded", document_version=row.version, **held)
    else:
        then = ItemState("active", document_version=version, **held)
        now = ItemState(_in_force(row, ctx.now), document_version=version, **held)
    source = ExplainedSource(
        session_id=None, turn=None, role=None, name=f"{row.title} ({row.source})", text=None,
        trust="operator", observed_at=row.recorded_at, recorded_at=row.recorded_at,
        relayed_by=row.put_by, withdrawn=False,
    )  # fmt: skip
    return BehindItem(
        kind="document",
        text=row.text,
        then=then,
        now=now,
        sources=(source,),
    )


def _in_force(row: DocumentRow, now: datetime) -> ItemStatus:
    if row.valid.holds(now):
        return "active"
    return "future" if now < row.valid.start else "past"


def _of_run(ctx: Context, behind: Behind, item_id: UUID) -> BehindItem:
    """A fact that a run committed to; of its state and its questions the checkpoint tells."""
    row = behind.facts.get(item_id)
    held = ItemState("active", trust="agent_inferred")
    if row is None:
        return BehindItem("state", None, held, held)
    value = row.value if isinstance(row.value, str) else dumps(row.value, ensure_ascii=False)
    over = row.superseded_from is not None and row.superseded_from <= ctx.now
    common: dict[str, Any] = {
        "value": value, "trust": "agent_inferred", "valid_from": row.valid_from,
    }  # fmt: skip
    return BehindItem(
        kind="committed_fact",
        text=f"{row.key}: {value} (source: {row.source})",
        then=ItemState("active", **common),
        now=ItemState(
            "superseded" if over else "active",
            valid_to=row.superseded_from,
            superseded_by=row.superseded_by if over else None,
            **common,
        ),
    )
