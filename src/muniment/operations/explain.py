"""runs.explain: what entered a step of a run, what it was then and is now, and its sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast, get_args
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain.assembly import Section
from muniment.errors import Forbidden
from muniment.operations.context_items import ContextTier, DroppedItem, dropped_of
from muniment.operations.explained import (
    BehindItem,
    ExplainedDecision,
    ExplainedSource,
    ItemState,
    behind_item,
)
from muniment.operations.items import readable_tiers
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import FIRST_ID, Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Page, RecallTier, command
from muniment.ports import Context
from muniment.records.explaining import what_is_behind
from muniment.records.runs import run_named
from muniment.records.trail import AnswerRow, answers_of_step, places_of

_CURSORS = Cursors(tuple[bool, UUID])


@command
class ExplainStep:
    """A step of a run, by the names that recalls and contexts were given; ``limit`` answers."""

    user_id: Identifier
    run_id: Identifier
    step: Annotated[int, Ge(0), Le(2**31 - 1)]
    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class StepAnswer:
    """A context that entered the step, or a recall, as a plan makes one."""

    id: UUID
    answer: Literal["context", "recall"]
    at: Instant
    as_of: Instant
    known_at: Instant


@dataclass(frozen=True)
class ExplainedItem:
    """An item that entered the step: what it was for the first answer that had it, and is now.

    ``sources``: the turns behind it; ``decisions``: by which rule it came to be held, and who
    relayed, promoted or reviewed it. ``withheld``: of a layer that the key does not reach.
    """

    id: UUID
    tier: ContextTier
    kind: str | None
    section: Section | None
    answers: tuple[UUID, ...]
    text: str | None
    then: ItemState | None
    now: ItemState
    changed: bool
    sources: tuple[ExplainedSource, ...]
    decisions: tuple[ExplainedDecision, ...]
    withheld: bool = False


@dataclass(frozen=True)
class StepExplained:
    """What a step rested on, its contexts first: answers, their items, what they left out and why;
    ``next`` is the ``cursor`` of further answers.
    """

    run_id: str
    step: int
    answers: tuple[StepAnswer, ...]
    items: tuple[ExplainedItem, ...]
    dropped: tuple[DroppedItem, ...]
    next: str | None


@dataclass
class _Entered:
    """An item as the log has it, with the answers that had it."""

    logged: dict[str, Any]
    first: AnswerRow
    answers: list[UUID]


async def explain(command: ExplainStep, ctx: Context) -> StepExplained:
    """A step that nothing entered, of a run that nobody knows, or of another user: nothing."""
    tiers = readable_tiers(ctx, None, get_args(RecallTier)) | {"run"}
    places = await places_of(ctx, command.user_id)
    after = _CURSORS.read(command.cursor) or (False, FIRST_ID)
    answers, last = cut(
        await answers_of_step(ctx, places, command.run_id, command.step, after, command.limit + 1),
        command.limit,
    )
    entered = _entered(answers)
    run = await run_named(ctx, command.run_id) if entered else None
    if run is not None and run.user_id not in {None, command.user_id}:
        run = None
    by_tier: dict[str, list[UUID]] = {}
    for one in entered:
        if one.logged["tier"] in tiers:
            by_tier.setdefault(one.logged["tier"], []).append(UUID(one.logged["id"]))
    documents = {
        UUID(one.logged["id"]): UUID(one.logged["document"]) if "document" in one.logged else None
        for one in entered
        if one.logged["tier"] == "knowledge" and "knowledge" in tiers
    }
    behind = await what_is_behind(ctx, places.scopes, by_tier, documents, run)
    return StepExplained(
        run_id=command.run_id,
        step=command.step,
        answers=tuple(
            StepAnswer(
                one.recall_id, "context" if one.assembled else "recall",
                one.at, one.as_of, one.known_at,
            )
            for one in answers
        ),
        items=tuple(
            _item(one, None)
            if one.logged["tier"] not in tiers
            else _item(one, behind_item(ctx, behind, places.own, one.logged, one.first))
            for one in entered
        ),
        dropped=_dropped(answers, {one.logged["id"] for one in entered}),
        next=None if last is None else _CURSORS.after((not last.assembled, last.recall_id)),
    )  # fmt: skip


def _entered(answers: Sequence[AnswerRow]) -> list[_Entered]:
    """Each item once, by its first answer; of what a run holds each line."""
    found: dict[tuple[str, int], _Entered] = {}
    for answer in sorted(answers, key=lambda one: one.recall_id):
        seen: dict[str, int] = {}
        for logged in answer.items:
            # A run has one id for its state and for each of its open questions.
            number = seen[logged["id"]] = seen.get(logged["id"], -1) + 1
            one = found.setdefault((logged["id"], number), _Entered(logged, answer, []))
            one.answers.append(answer.recall_id)
            if "section" in logged and "section" not in one.logged:
                one.logged = one.logged | {"section": logged["section"]}
    return list(found.values())


def _item(one: _Entered, behind: BehindItem | None) -> ExplainedItem:
    common: dict[str, Any] = {
        "id": UUID(one.logged["id"]),
        "tier": cast("ContextTier", one.logged["tier"]),
        "section": one.logged.get("section"),
        "answers": tuple(one.answers),
    }
    if behind is None:
        return ExplainedItem(
            **common, kind=None, text=None, then=None, now=ItemState("unknown"), changed=False,
            sources=(), decisions=(), withheld=True,
        )  # fmt: skip
    return ExplainedItem(
        **common,
        kind=behind.kind,
        text=behind.text,
        then=behind.then,
        now=behind.now,
        changed=behind.then is None or behind.then.status != behind.now.status,
        sources=behind.sources,
        decisions=behind.decisions,
    )


def _dropped(answers: Sequence[AnswerRow], inside: set[str]) -> tuple[DroppedItem, ...]:
    """What no answer of the step had."""
    every = {one["id"]: one for answer in answers for one in answer.dropped}
    return dropped_of(one for item_id, one in every.items() if item_id not in inside)


OPERATIONS = (
    Operation(
        name="runs.explain",
        summary="Show what entered a step of a run, what became of it, and the turns behind it",
        command=ExplainStep,
        result=StepExplained,
        handler=explain,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/runs/{run_id}/steps/{step}/explanation"),
        errors=(Forbidden,),
        columns=(
            "items.section?", "items.tier", "items.now.status", "items.changed", "items.text",
            "items.id",
        ),
    ),
)  # fmt: skip
