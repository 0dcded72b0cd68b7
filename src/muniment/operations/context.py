"""context.assemble: what is held, as text for one step of a model (RULES 12)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from annotated_types import Ge, Le, MaxLen

from muniment.domain.assembly import (
    LEAST_TOKENS,
    MOST_TOKENS,
    SECTIONS,
    Section,
)
from muniment.domain.context_text import LABELS
from muniment.domain.mode import Mode
from muniment.errors import Forbidden, NotFound
from muniment.operations.context_items import (
    Candidate,
    ContextItem,
    DroppedItem,
    Gathered,
)
from muniment.operations.context_packing import dropped_by, packed_within
from muniment.operations.context_parts import Parts, gather
from muniment.operations.items import Watermarks, readable_tiers
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Identifier, Instant, RecallTier, Text, command
from muniment.ports import Context
from muniment.records.items import known_of_nothing
from muniment.records.recall_notes import ContextNote, Told, logged_item, note_recall
from muniment.records.run_inputs import Question, asked, remember_inputs, step_of
from muniment.records.runs import RunRow, run_named
from muniment.records.scopes import DEFAULT_NAMESPACE
from muniment.records.search import look_in

_Budget = Annotated[int, Ge(LEAST_TOKENS), Le(MOST_TOKENS)]
_Optional = Literal[
    "run_state", "profile", "facts", "findings", "interactions", "knowledge",
]  # fmt: skip


@command
class AssembleContext:
    """What a model is to know of a user for one step, within ``budget`` tokens (by default what the
    policy says). ``leave_out`` names sections that are not wanted.

    ``data_source``, by any of its names: what binds on it is required; ``mode`` says what becomes
    of findings, which are those of the source. ``run_id``: what the run holds is in, for the
    present, and it is told when an item does not hold any more. ``k``: so many answers of each
    scope are considered. Times are those of ``recall``.
    """

    user_id: Identifier
    query: Text
    budget: _Budget | None = None
    k: Annotated[int, Ge(1), Le(100)] = 10
    namespace: Identifier = DEFAULT_NAMESPACE
    data_source: Identifier | None = None
    mode: Mode | None = None
    leave_out: Annotated[tuple[_Optional, ...], MaxLen(len(SECTIONS))] = ()
    as_of: Instant | None = None
    known_at: Instant | None = None
    org_known_at: Instant | None = None
    session_id: Identifier | None = None
    run_id: Identifier | None = None
    step: Annotated[int, Ge(0), Le(2**31 - 1)] | None = None
    agent_id: Identifier | None = None


@dataclass(frozen=True)
class ContextSection:
    """Items of one kind, in the order of the text."""

    name: Section
    label: str
    items: tuple[ContextItem, ...]


@dataclass(frozen=True)
class AssembledContext:
    """``text`` is for a prompt: sections that there is something for, items as data between marks.

    ``tokens`` is what the text takes, as ``counter`` counts. ``dropped`` might have been in, each
    with the reason why it is not. ``abstained``: it was looked for what answers the query, and
    nothing does. Of ``watermarks`` the user's as ``known_at``, the organisation's as
    ``org_known_at`` ask about the same set again.
    """

    context_id: UUID
    text: str
    tokens: Count
    budget: Count
    counter: str
    sections: tuple[ContextSection, ...]
    dropped: tuple[DroppedItem, ...]
    abstained: bool
    watermark: Instant
    watermarks: Watermarks


async def assemble(command: AssembleContext, ctx: Context) -> AssembledContext:
    """An unknown user has what the organisation knows. Raises InvalidInput where required
    workarounds do not fit; nothing is cut of those.
    """
    tiers = readable_tiers(ctx, None, get_args(RecallTier))
    budget = command.budget or ctx.policy.context.tokens
    named = await run_named(ctx, command.run_id)
    # What is of another user's run is not shown, though it is noted in that run what it recalled.
    run = named if named is not None and named.user_id in {None, command.user_id} else None
    scopes = await look_in(ctx, command.user_id, command.namespace)
    parts = Parts(
        ctx=ctx,
        asked=command,
        scopes=scopes,
        tiers=tiers,
        wanted=frozenset(SECTIONS) - set(command.leave_out),
        budget=budget,
        source=None,
        gathered=Gathered(),
        known={},
    )
    shows_run = run is not None and parts.present and "run" in ctx.caller.layers
    await gather(parts, run if shows_run else None)
    packed, shown = await packed_within(parts)
    found = AssembledContext(
        context_id=ctx.ids.new(),
        text=packed.text,
        tokens=packed.tokens,
        budget=budget,
        counter=ctx.tokens.name,
        sections=tuple(
            ContextSection(name, LABELS[name], tuple(one.item for one in told))
            for name, told in shown.items()
            if told
        ),
        dropped=dropped_by(parts, shown),
        abstained=parts.abstained,
        watermark=max(parts.known.values(), default=known_of_nothing(ctx, command.known_at)),
        watermarks=Watermarks(parts.known.get("user"), parts.known.get("org")),
    )
    step = step_of(named, command.user_id, command.step)
    await _note(replace(command, step=step), named, parts, found, shown)
    return found


async def _note(
    command: AssembleContext,
    run: RunRow | None,
    parts: Parts,
    found: AssembledContext,
    shown: Mapping[Section, Sequence[Candidate]],
) -> None:
    """Logged like a recall, its items used, and inputs of its run."""
    ctx = parts.ctx
    told = [(name, one) for name, candidates in shown.items() for one in candidates]
    live = (command.as_of, command.known_at, command.org_known_at) == (None, None, None)
    remembered = [one for _, one in told if one.item.tier in {"semantic", "episodic"}]
    note = ContextNote(
        budget=found.budget,
        tokens=found.tokens,
        counter=found.counter,
        dropped=[_as_json(one) for one in found.dropped],
    )
    await note_recall(
        ctx,
        parts.scopes,
        Told(
            recall_id=found.context_id,
            user_id=command.user_id,
            session_id=command.session_id,
            run_id=command.run_id,
            step=command.step,
            agent_id=command.agent_id,
            tiers=sorted({one.item.tier for _, one in told}),
            k=command.k,
            as_of=command.as_of or ctx.now,
            known_at=command.known_at or found.watermark,
            watermark=found.watermark,
            user_watermark=found.watermarks.user,
            org_watermark=found.watermarks.org,
            items=[_logged(name, one) for name, one in told],
            used=[(one.scope_id, one.item.id) for one in remembered] if live else [],
            context=note,
        ),
    )
    if command.run_id is not None:
        digest = asked(ctx, "context.assemble", command, tiers=sorted(parts.tiers))
        levels = {scope.scope_id: scope.level for scope in parts.scopes}
        seen = [
            replace(one.seen, known_at=parts.known_at(levels[one.seen.scope_id]))
            for _, one in told
            if one.seen is not None
        ]
        question = Question(digest, command.step, command.as_of)
        await remember_inputs(ctx, run, question, seen)


def _logged(section: Section, one: Candidate) -> dict[str, Any]:
    item, document = one.item, one.item.document
    place = None if document is None else (document.document_id, document.version)
    return logged_item(item.id, item.tier, item.score, place, section)


def _as_json(one: DroppedItem) -> dict[str, Any]:
    by = None if one.by is None else str(one.by)
    return {
        "id": str(one.id), "tier": one.tier, "section": one.section, "reason": one.reason, "by": by,
    }  # fmt: skip


OPERATIONS = (
    Operation(
        name="context.assemble",
        summary="Assemble what a model is to know, within a budget of tokens",
        command=AssembleContext,
        result=AssembledContext,
        handler=assemble,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("POST", "/v1/context"),
        errors=(Forbidden, NotFound),
    ),
)
