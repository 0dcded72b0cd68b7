"""Events: judged by the gate, stored once for each turn, indexed in the same transaction."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal
from uuid import UUID

from muniment.domain.gate import GateContext, GateInput, Reason, Verdict, judge, sentence_digests
from muniment.domain.instructions import looks_like_instruction
from muniment.domain.policy import Category
from muniment.domain.trust import Trust, may_displace, of_role
from muniment.errors import Fault, TurnConflict
from muniment.ports import Context, ScopeMark
from muniment.records.apart import worked_out
from muniment.records.index_rows import Indexed, write_index
from muniment.records.sessions import SessionRow

_STARTS_ANEW = {Reason.CORRECTION, Reason.RETRACTION}
EventRole = Literal["user", "assistant", "tool", "external"]
Standing = Literal["asserted", "quarantined", "dropped"]


@dataclass(frozen=True)
class NewEvent:
    """A turn as it came in."""

    turn: int
    role: EventRole
    content: str
    occurred_at: datetime
    name: str | None
    data_source: str | None
    tool: str | None
    agent_id: str | None
    metadata: dict[str, Any]
    category: Category

    @property
    def fingerprint(self) -> bytes:
        """SHA-256 over all that was said: the same turn with another one is a conflict."""
        said = [
            self.role, self.name, self.content, self.occurred_at.astimezone(UTC).isoformat(),
            self.data_source, self.tool, self.metadata,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()


@dataclass(frozen=True)
class StoredEvent:
    """A turn as it is stored, with the verdict that was given on it."""

    event_id: UUID
    turn: int
    fingerprint: bytes
    kept: bool
    reason: str
    rule: str
    importance: int
    standing: Standing
    trust: Trust


@dataclass(frozen=True)
class _Before:
    role: EventRole
    content: str
    name: str | None


async def write_events(
    ctx: Context, mark: ScopeMark, session: SessionRow, events: Sequence[NewEvent]
) -> tuple[list[StoredEvent], int]:
    """Store what is new; returns a row for each event in order, and how many were new.

    Raises TurnConflict, storing nothing, if a turn was written before with other content.
    """
    stored = await _already_there(ctx, session, events)
    fresh = [event for event in events if event.turn not in stored]
    # A turn given twice in one call is one turn.
    fresh = list({event.turn: event for event in fresh}.values())
    if fresh:
        made = await _judged(ctx, mark, session, sorted(fresh, key=lambda event: event.turn))
        await ctx.unit.many("event_insert", [row for row, _ in made])
        await write_index(ctx, mark, [entry for _, entry in made])
        for row, _ in made:
            stored[row["turn"]] = StoredEvent(
                **{name: row[name] for name in StoredEvent.__dataclass_fields__}
            )
    return [stored[event.turn] for event in events], len(fresh)


async def _already_there(
    ctx: Context, session: SessionRow, events: Sequence[NewEvent]
) -> dict[int, StoredEvent]:
    rows = await ctx.unit.rows(
        StoredEvent,
        "events_of_turns",
        scope_id=session.scope_id,
        session_pk=session.session_pk,
        turns=[event.turn for event in events],
    )
    stored = {row.turn: row for row in rows}
    known = {turn: row.fingerprint for turn, row in stored.items()}
    faults = []
    for at, event in enumerate(events):
        if known.setdefault(event.turn, event.fingerprint) != event.fingerprint:
            faults.append(Fault(f"/events/{at}/turn", "was written with other content"))
    if faults:
        raise TurnConflict(faults=faults)
    return stored


async def _judged(
    ctx: Context, mark: ScopeMark, session: SessionRow, events: Sequence[NewEvent]
) -> list[tuple[dict[str, Any], Indexed]]:
    place = {"scope_id": session.scope_id, "session_pk": session.session_pk}
    earlier = await ctx.unit.one(_Before, "event_before", turn=events[0].turn, now=ctx.now, **place)
    previous = None
    if earlier is not None:
        previous = GateInput(earlier.role, earlier.content, earlier.name)
    said = {row.digest for row in await ctx.unit.rows(_Said, "sentences_said", **place)}
    work = partial(_judged_in_turn, ctx, mark, session, events, previous, said)
    return await worked_out(sum(len(event.content) for event in events), work)


def _judged_in_turn(
    ctx: Context,
    mark: ScopeMark,
    session: SessionRow,
    events: Sequence[NewEvent],
    previous: GateInput | None,
    seen: set[str],
) -> list[tuple[dict[str, Any], Indexed]]:
    made = []
    for event in events:
        said = GateInput(event.role, event.content, event.name)
        verdict = judge(said, GateContext(previous=previous, seen=seen))
        digests = sentence_digests(said)
        if verdict.reason in _STARTS_ANEW:
            # What was corrected may be said again.
            seen = set()
        seen |= digests
        previous = said
        made.append(_row(ctx, mark, session, event, verdict, sorted(digests)))
    return made


@dataclass(frozen=True)
class _Said:
    digest: str


def _row(
    ctx: Context,
    mark: ScopeMark,
    session: SessionRow,
    event: NewEvent,
    verdict: Verdict,
    sentences: list[str],
) -> tuple[dict[str, Any], Indexed]:
    standing = _standing(event, verdict)
    retention_class = {"quarantined": "quarantine", "dropped": "dropped"}.get(standing, "episode")
    expires_at = ctx.policy.keep_until(retention_class, event.category, mark.watermark)
    event_id = ctx.ids.new()
    row = {
        "scope_id": session.scope_id,
        "session_pk": session.session_pk,
        "event_id": event_id,
        "turn": event.turn,
        "role": event.role,
        "name": event.name,
        "content": event.content,
        "fingerprint": event.fingerprint,
        "occurred_at": event.occurred_at,
        "occurred_text": _written(event.occurred_at),
        "recorded_at": mark.watermark,
        "sentences": sentences,
        "data_source": event.data_source,
        "tool": event.tool,
        "agent_id": event.agent_id,
        "metadata": event.metadata,
        "trust": of_role(event.role),
        "kept": verdict.kept,
        "reason": str(verdict.reason),
        "rule": verdict.rule,
        "importance": verdict.importance,
        "standing": standing,
        "category": event.category,
        "retention_class": retention_class,
        "expires_at": expires_at,
    }
    entry = Indexed(
        text=event.content,
        speaker=event.name,
        group_id=session.session_pk,
        position=event.turn,
        tier="episodic",
        kind="event",
        standing=standing,
        # What is told has happened by then, whatever the clock of the teller says.
        valid_from=min(event.occurred_at, mark.watermark),
        valid_to=None,
        occurred_at=event.occurred_at,
        expires_at=expires_at,
        importance=verdict.importance,
        confidence=None,
        event_id=event_id,
    )
    return row, entry


def _standing(event: NewEvent, verdict: Verdict) -> Standing:
    """Instruction-like text from a channel below ``operator`` is kept apart (RULES 5)."""
    if not verdict.kept:
        return "dropped"
    below = not may_displace(of_role(event.role), "operator")
    if below and looks_like_instruction(event.content).flagged:
        return "quarantined"
    return "asserted"


def _written(moment: datetime) -> str | None:
    """The instant as it was written, where its offset says more than UTC does."""
    return None if moment.utcoffset() == timedelta(0) else moment.isoformat()
