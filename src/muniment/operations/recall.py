"""recall: what is held that answers a question, dated, graded and sourced; or an abstention."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast
from uuid import UUID

from annotated_types import Ge, Le, MaxLen

from muniment.domain.ranking import parse_question
from muniment.domain.text import analyzer_for
from muniment.domain.timeline import micros
from muniment.operations.items import Item, item_of, moment_of, predicate_of
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import (
    Identifier,
    Instant,
    Json,
    Level,
    Text,
    Tier,
    command,
)
from muniment.ports import Context, RecallRecord
from muniment.records.scopes import DEFAULT_NAMESPACE, ScopeRow, reader_scopes
from muniment.records.search import Ask, Found, search
from muniment.records.sessions import find_session

_MAX_NAMES = 50


@command
class Recall:
    """A question about a user. ``session_id``, ``run_id``, ``step``, ``agent_id`` say for whom."""

    user_id: Identifier
    query: Text
    k: Annotated[int, Ge(1), Le(100)] = 10
    tiers: Annotated[tuple[Tier, ...], MaxLen(_MAX_NAMES)] | None = None
    kinds: Annotated[tuple[Identifier, ...], MaxLen(_MAX_NAMES)] | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    data_source: Identifier | None = None
    as_of: Instant | None = None
    known_at: Instant | None = None
    filter: dict[str, Json] | None = None
    session_id: Identifier | None = None
    run_id: Identifier | None = None
    step: Annotated[int, Ge(0), Le(2**31 - 1)] | None = None
    agent_id: Identifier | None = None


@dataclass(frozen=True)
class MemoryView:
    """Items, best first. ``watermark`` given as ``known_at`` asks for the same set again."""

    items: tuple[Item, ...]
    recall_id: UUID
    abstained: bool
    watermark: Instant


async def recall(command: Recall, ctx: Context) -> MemoryView:
    """Scope, validity and standing first, rank second. An unknown user has nothing: abstained."""
    predicate = predicate_of(command.filter, command.data_source)
    scopes = await reader_scopes(ctx, command.user_id, command.namespace, org=True)
    analyzer = analyzer_for(ctx.language)
    question = parse_question(command.query, analyzer, now=micros(command.as_of or ctx.now))
    vector = ctx.embedder.embed([question.content])[0]
    question = question.with_vector(vector if vector.any() else None)
    watermark = max((scope.watermark for scope in scopes), default=ctx.now)
    recall_id = ctx.ids.new()
    found: list[Found] = []
    for scope in scopes:
        ask = Ask(
            question=question,
            moment=moment_of(ctx, watermark, command.as_of, command.known_at),
            k=command.k,
            tiers=None if command.tiers is None else frozenset(command.tiers),
            kinds=None if command.kinds is None else frozenset(command.kinds),
            min_confidence=ctx.policy.confidence.recall_floor,
            predicate=predicate,
        )
        found.append(await search(ctx, scope, ask))
    items = _fused(ctx, command, found, watermark)
    await _log(ctx, command, scopes, recall_id, watermark, items)
    return MemoryView(
        items=tuple(item for _, item in items),
        recall_id=recall_id,
        abstained=not items,
        watermark=command.known_at or watermark,
    )


def _fused(
    ctx: Context, command: Recall, found: Sequence[Found], watermark: datetime
) -> list[tuple[UUID, Item]]:
    """The best of every scope together, each with the scope that it came from.

    A score is relative to its scope's candidates; a scope with less to say counts for less.
    """
    moment = moment_of(ctx, watermark, command.as_of, command.known_at)
    strongest = max((answer.strength for answer in found), default=0.0) or 1.0
    ranked = [
        (answer, row, hit, hit.score * answer.strength / strongest)
        for answer in found
        for row, hit in answer.rows
    ]
    ranked.sort(key=lambda one: -one[3])
    return [
        (
            answer.scope_id,
            item_of(
                ctx,
                row,
                cast("Level", answer.level),
                moment,
                score=round(score, 6),
                parts=hit.parts,
            ),
        )
        for answer, row, hit, score in ranked[: command.k]
    ]


async def _log(
    ctx: Context,
    command: Recall,
    scopes: Sequence[ScopeRow],
    recall_id: UUID,
    watermark: datetime,
    items: Sequence[tuple[UUID, Item]],
) -> None:
    """With a run the log commits with the answer; otherwise it follows in batches."""
    if not scopes:
        return
    session = None
    if command.session_id is not None and scopes[0].level == "user":
        session = await find_session(ctx, scopes[0].scope_id, command.session_id)
    record = RecallRecord(
        tenant_id=ctx.unit.tenant_id,
        scope_id=scopes[0].scope_id,
        recall_id=recall_id,
        at=ctx.now,
        key_id=ctx.caller.key_id,
        session_pk=None if session is None else session.session_pk,
        run_id=command.run_id,
        step=command.step,
        agent_id=command.agent_id,
        tiers=list(command.tiers or ("episodic", "semantic")),
        k=command.k,
        as_of=command.as_of or ctx.now,
        known_at=command.known_at or watermark,
        watermark=watermark,
        abstained=not items,
        items=[{"id": str(item.id), "tier": item.tier, "score": item.score} for _, item in items],
    )
    if command.run_id is not None:
        await ctx.unit.run("recall_insert", **record.columns())
    else:
        ctx.unit.after_commit(lambda: ctx.recalls.add(record))
    if command.as_of is None and command.known_at is None:
        used = [(scope_id, item.id) for scope_id, item in items]
        tenant_id, now = ctx.unit.tenant_id, ctx.now
        ctx.unit.after_commit(lambda: ctx.recalls.use(tenant_id, used, now))


OPERATIONS = (
    Operation(
        name="recall",
        summary="Recall what answers a question about a user",
        command=Recall,
        result=MemoryView,
        handler=recall,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("POST", "/v1/recall"),
        columns=("items.as_of", "items.kind", "items.trust", "items.score", "items.text"),
    ),
)
