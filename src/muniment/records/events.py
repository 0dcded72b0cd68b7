"""Events: rid of secrets, judged by the gate, stored once for each turn, indexed with it."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal
from uuid import UUID

from muniment.domain.erasures import erased_among
from muniment.domain.gate import GateContext, GateInput, Reason, Verdict, judge, sentence_digests
from muniment.domain.gate.echoing import Heard, unless_echo
from muniment.domain.instructions import is_suspect
from muniment.domain.policy import Category
from muniment.domain.text import analyzer_for
from muniment.domain.trust import Trust, of_role
from muniment.errors import Fault, Forgotten, TurnConflict
from muniment.ports import Context, ScopeMark
from muniment.records.alongside import Alongside, ask_alongside
from muniment.records.apart import worked_out
from muniment.records.echoes import Text, ask_recalled_lately
from muniment.records.event_rows import blanked, indexed
from muniment.records.index_rows import write_index
from muniment.records.proposing import proposes
from muniment.records.secrets import Cleaner
from muniment.records.sessions import SessionRow
from muniment.records.usage import add_usage, size_of
from muniment.records.withdrawal import obey

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
    tool_verified: bool = False

    @property
    def trust(self) -> Trust:
        """By the role; a tool's also by how its results are registered."""
        return of_role(self.role, tool_verified=self.tool_verified)

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
    redacted: list[str]


@dataclass(frozen=True)
class Written:
    """A row for each turn in the order given; how many were new, and of how many bytes.

    ``obeyed``: the turns, of this call or of an earlier one, that were withdrawn as asked.
    """

    events: list[StoredEvent]
    fresh: int
    size: int
    obeyed: tuple[int, ...]


@dataclass(frozen=True)
class _Before:
    role: EventRole
    content: str
    name: str | None


@dataclass(frozen=True)
class _Said:
    digest: str


async def write_events(
    ctx: Context, mark: ScopeMark, session: SessionRow, events: Sequence[NewEvent]
) -> Written:
    """Store what is new, without its secrets; withdraw what turns ask not to be remembered.

    Raises TurnConflict, storing nothing, if a turn was written before with other content, and
    Forgotten for one that was erased. A turn that was only proposed gives way to who writes it.
    """
    asked = _ask(ctx, session, events)
    stored = await _already_there(ctx, mark, session, events)
    # A turn given twice in one call is one turn.
    fresh = {event.turn: event for event in events if event.turn not in stored}
    if erased := erased_among(session.erased_turns, fresh):
        places = [at for at, event in enumerate(events) if event.turn in erased]
        raise Forgotten(faults=[Fault(f"/events/{at}/turn", "was forgotten") for at in places])
    if not fresh:
        return Written([stored[event.turn] for event in events], 0, 0, ())
    before = asked.before.rows
    if min(fresh) != asked.turn:
        before = await ctx.unit.rows(
            _Before, "event_before", **session.place, turn=min(fresh), now=ctx.now
        )
    graded = _by_tool([fresh[turn] for turn in sorted(fresh)], asked.tools.rows)
    made = await _judged(ctx, mark, session, graded, before, asked)
    rows = {one.row["turn"]: one.row for one in made}
    # Nothing is taken away by a key that may only propose.
    asking = [one.row["turn"] for one in made if one.withdraws and not proposes(ctx)]
    obeyed = await obey(ctx, mark, session, rows, asking) if asking else []
    await ctx.unit.many("event_insert", [*rows.values()])
    await write_index(ctx, mark, [indexed(row, mark) for row in rows.values()])
    for turn, row in rows.items():
        stored[turn] = StoredEvent(**{name: row[name] for name in StoredEvent.__dataclass_fields__})
    if obeyed:
        stored |= await _stored(ctx, session, [turn for turn in obeyed if turn in stored])
    size = sum(size_of(row["metadata"], row["content"]) for row in rows.values())
    return Written([stored[event.turn] for event in events], len(rows), size, tuple(obeyed))


@dataclass(frozen=True)
class _Tool:
    name: str


@dataclass(frozen=True)
class _Asked:
    """What is asked about a session along with the turns that it has: what came before ``turn``,
    what was said and recalled, which tools are registered as verified (RULES 4.2).
    """

    turn: int
    before: Alongside[_Before]
    said: Alongside[_Said]
    recalled: Alongside[Text]
    tools: Alongside[_Tool]


def _ask(ctx: Context, session: SessionRow, events: Sequence[NewEvent]) -> _Asked:
    place, first = session.place, min(event.turn for event in events)
    names = {event.tool for event in events if event.role == "tool" and event.tool is not None}
    tools: Alongside[_Tool] = Alongside()
    if names:
        tools = ask_alongside(ctx, _Tool, "tools_verified", names=sorted(names))
    return _Asked(
        turn=first,
        before=ask_alongside(ctx, _Before, "event_before", **place, turn=first, now=ctx.now),
        said=ask_alongside(ctx, _Said, "sentences_said", **place, proposes=proposes(ctx)),
        recalled=ask_recalled_lately(ctx, session),
        tools=tools,
    )


def _by_tool(events: Sequence[NewEvent], tools: Sequence[_Tool]) -> list[NewEvent]:
    """The turns, with whether the tools that gave them are registered as verified."""
    verified = {tool.name for tool in tools}
    return [
        replace(event, tool_verified=event.role == "tool" and event.tool in verified)
        for event in events
    ]


async def _stored(
    ctx: Context, session: SessionRow, turns: Iterable[int]
) -> dict[int, StoredEvent]:
    rows = await ctx.unit.rows(
        StoredEvent,
        "events_of_turns",
        **session.place,
        turns=list(turns),
    )
    return {row.turn: row for row in rows}


async def _already_there(
    ctx: Context, mark: ScopeMark, session: SessionRow, events: Sequence[NewEvent]
) -> dict[int, StoredEvent]:
    stored = await _stored(ctx, session, (event.turn for event in events))
    if not proposes(ctx):
        waiting = [turn for turn, row in stored.items() if row.standing != "asserted"]
        for turn in await _given_way(ctx, mark, session, waiting):
            del stored[turn]
    known = {turn: row.fingerprint for turn, row in stored.items()}
    faults = []
    for at, event in enumerate(events):
        if known.setdefault(event.turn, event.fingerprint) != event.fingerprint:
            faults.append(Fault(f"/events/{at}/turn", "was written with other content"))
    if faults:
        raise TurnConflict(faults=faults)
    return stored


@dataclass(frozen=True)
class _GaveWay:
    event_id: UUID
    turn: int
    size: int


async def _given_way(
    ctx: Context, mark: ScopeMark, session: SessionRow, turns: Sequence[int]
) -> list[int]:
    """Those of the turns that were only proposed, and that nobody decided on: they are gone."""
    if not turns:
        return []
    gone = await ctx.unit.rows(_GaveWay, "proposals_give_way", **session.place, turns=turns)
    if gone:
        await add_usage(ctx, mark, -len(gone), -sum(row.size for row in gone))
        ctx.trail.detail |= {"gave_way": len(gone)}
        ctx.trail.subjects += [row.event_id for row in gone]
    return [row.turn for row in gone]


@dataclass(frozen=True)
class _Made:
    """The row of a new turn; whether it asks that what was said before be not remembered."""

    row: dict[str, Any]
    withdraws: bool


async def _judged(
    ctx: Context,
    mark: ScopeMark,
    session: SessionRow,
    events: Sequence[NewEvent],
    before: Sequence[_Before],
    asked: _Asked,
) -> list[_Made]:
    previous = None
    if before:
        previous = GateInput(before[0].role, before[0].content, before[0].name)
    said = {row.digest for row in asked.said.rows}
    texts = [row.text for row in asked.recalled.rows]
    work = partial(_judged_in_turn, ctx, mark, session, events, previous, said, texts)
    return await worked_out(sum(len(event.content) for event in events), work)


def _judged_in_turn(
    ctx: Context,
    mark: ScopeMark,
    session: SessionRow,
    events: Sequence[NewEvent],
    previous: GateInput | None,
    seen: set[str],
    recalled: Sequence[str],
) -> list[_Made]:
    heard = Heard(recalled, analyzer_for(ctx.language)) if recalled else None
    made: list[_Made] = []
    spoken: dict[str, frozenset[str]] = {}
    for event in events:
        clean = Cleaner(ctx.redactor)
        content, metadata = clean.text(event.content), clean.metadata(event.metadata)
        said = GateInput(event.role, content, event.name)
        verdict = judge(said, GateContext(previous=previous, seen=seen))
        verdict = unless_echo(said, verdict, heard)
        digests = sentence_digests(said)
        if verdict.reason in _STARTS_ANEW:
            # What was corrected may be said again.
            seen = set()
        if verdict.withdraws_previous:
            # What is not remembered may be said again, too.
            seen = seen - spoken.get(said.speaker, frozenset())
        if verdict.reason is not Reason.PRIVACY:
            seen |= digests
        spoken[said.speaker] = digests
        previous = said
        row = _row(ctx, mark, session, replace(event, content=content, metadata=metadata), verdict)
        row |= {
            "fingerprint": event.fingerprint,
            "sentences": sorted(digests),
            "redacted": list(clean.kinds),
        }
        if verdict.reason is Reason.PRIVACY and not verdict.withdraws_previous:
            row = blanked(ctx, mark, row, verdict.rule)
        made.append(_Made(row, verdict.withdraws_previous))
    return made


def _row(
    ctx: Context, mark: ScopeMark, session: SessionRow, event: NewEvent, verdict: Verdict
) -> dict[str, Any]:
    standing = _standing(ctx, event, verdict)
    retention_class = {"quarantined": "quarantine", "dropped": "dropped"}.get(standing, "episode")
    return {
        "scope_id": session.scope_id,
        "session_pk": session.session_pk,
        "event_id": ctx.ids.new(),
        "turn": event.turn,
        "role": event.role,
        "name": event.name,
        "content": event.content,
        "occurred_at": event.occurred_at,
        "occurred_text": _written(event.occurred_at),
        "recorded_at": mark.watermark,
        "data_source": event.data_source,
        "tool": event.tool,
        "agent_id": event.agent_id,
        "metadata": event.metadata,
        "written_by": ctx.caller.key_id,
        "trust": event.trust,
        "kept": verdict.kept,
        "reason": str(verdict.reason),
        "rule": verdict.rule,
        "importance": verdict.importance,
        "standing": standing,
        "category": event.category,
        "retention_class": retention_class,
        "expires_at": ctx.policy.keep_until(retention_class, event.category, mark.watermark),
    }


def _standing(ctx: Context, event: NewEvent, verdict: Verdict) -> Standing:
    """Instruction-like text from a channel below ``operator`` is kept apart (RULES 5), and so is
    what is only proposed (RULES 15.5).
    """
    if not verdict.kept:
        return "dropped"
    apart = proposes(ctx) or is_suspect([event.content], event.trust)
    return "quarantined" if apart else "asserted"


def _written(moment: datetime) -> str | None:
    """The instant as it was written, where its offset says more than UTC does."""
    return None if moment.utcoffset() == timedelta(0) else moment.isoformat()
