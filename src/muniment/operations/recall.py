"""recall: what is held that answers a question, dated, graded and sourced; or an abstention."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal, cast, get_args
from uuid import UUID

from annotated_types import Ge, Le, MaxLen

from muniment.domain import ranking
from muniment.domain.filter import Predicate
from muniment.domain.ranking import near, parse_question
from muniment.domain.text import Analyzer, analyzer_for
from muniment.domain.timeline import micros
from muniment.errors import Fault, Forbidden, NotFound
from muniment.operations.asked_period import AskedPeriod, Meant, period_meant
from muniment.operations.items import Item, Watermarks, item_of, predicate_of, readable_tiers
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.reranking import candidates_for, reranked
from muniment.operations.types import (
    Identifier,
    Instant,
    Json,
    Level,
    RecallTier,
    Text,
    command,
)
from muniment.ports import Context, ScopeRow
from muniment.records.index_rows import asked_vector
from muniment.records.items import known_of_nothing
from muniment.records.knowledge import KIND
from muniment.records.knowledge_search import found_chunks, look_for_chunks
from muniment.records.named import search_named
from muniment.records.recall_notes import Told, logged_item, note_recall
from muniment.records.run_inputs import Question, Seen, asked, remember_inputs, step_of
from muniment.records.runs import run_named
from muniment.records.scopes import DEFAULT_NAMESPACE
from muniment.records.search import Ask, Found, look_in, search
from muniment.records.sources import names_of

_MAX_NAMES = 50


@command
class Recall:
    """A question about a user. ``session_id``, ``run_id``, ``step``, ``agent_id`` say for whom; an
    open run is told when an item of the answer does not hold any more.

    ``as_of`` asks about the world then, ``known_at`` about the record then; ``org_known_at`` about
    the organisation's record where that is another moment. ``tiers``: those that the key reaches,
    unless it says which; ``knowledge`` are the documents of stewards. ``scope``: what is the user's
    alone, or the organisation's alone. ``match``: ``named`` answers with what holds of the entities
    that the query names, and one hop around them, alone. ``times``: a time in the query ("on 3
    May", "last month") is kept to where it is that of the talk, and preferred elsewhere, in days of
    ``timezone``, unless it is to ``ignore`` them.
    """

    user_id: Identifier
    query: Text
    match: Literal["similar", "named"] = "similar"
    times: Literal["read", "ignore"] = "read"
    timezone: Identifier | None = None
    k: Annotated[int, Ge(1), Le(100)] = 10
    tiers: Annotated[tuple[RecallTier, ...], MaxLen(_MAX_NAMES)] | None = None
    kinds: Annotated[tuple[Identifier, ...], MaxLen(_MAX_NAMES)] | None = None
    scope: Level | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    data_source: Identifier | None = None
    as_of: Instant | None = None
    known_at: Instant | None = None
    org_known_at: Instant | None = None
    filter: dict[str, Json] | None = None
    session_id: Identifier | None = None
    run_id: Identifier | None = None
    step: Annotated[int, Ge(0), Le(2**31 - 1)] | None = None
    agent_id: Identifier | None = None


@dataclass(frozen=True)
class MemoryView:
    """Items, best first. ``watermark`` given as ``known_at`` asks for the same set again.

    Where another write was under way, ``watermarks`` do so exactly: ``user`` as ``known_at``,
    ``org`` as ``org_known_at``. ``period``: the time that the query names, as it was understood.
    ``warnings``: that a model was to order the items, and did not.
    """

    items: tuple[Item, ...]
    recall_id: UUID
    abstained: bool
    watermark: Instant
    watermarks: Watermarks
    period: AskedPeriod | None = None
    warnings: tuple[Fault, ...] = ()


async def recall(command: Recall, ctx: Context) -> MemoryView:
    """Scope, validity and standing first, rank second. An unknown user has nothing: abstained."""
    predicate = predicate_of(command.filter, await names_of(ctx, command.data_source))
    tiers = readable_tiers(ctx, command.tiers, get_args(RecallTier))
    looked = await look_in(ctx, command.user_id, command.namespace)
    scopes = [one for one in looked if command.scope in {None, one.level}]
    analyzer = analyzer_for(ctx.language)
    recall_id = ctx.ids.new()
    meant = await _meant(ctx, command, scopes, tiers)

    async def ask(question: ranking.Question, those: Sequence[ScopeRow]) -> list[Found]:
        vector = await asked_vector(ctx, command.query, question.content)
        question = question.with_vector(vector)
        question = question.with_related(ctx.words, analyzer)
        asks = [(scope, _ask(ctx, command, scope, tiers, question, predicate)) for scope in those]
        return await _looked_for(ctx, command, asks)

    found: list[Found] | None = None
    if meant is not None and meant.period.use == "only":
        of_then = meant.question(analyzer)
        found = await ask(of_then, [scope for scope in scopes if scope.level == "user"])
        # A time that was misread must hide nothing that the words of the query find.
        if of_then.words and not any(answer.rows for answer in found):
            found, meant = None, meant.nearby()
    if found is None:
        found = await ask(_question(ctx, command, meant, analyzer), scopes)
    known: dict[str, datetime] = {}
    for answer in found:
        moment = answer.moment.known_at
        known[answer.level] = max(moment, known.get(answer.level, moment))
    view = MemoryView(
        items=(),
        recall_id=recall_id,
        abstained=True,
        watermark=max(known.values(), default=known_of_nothing(ctx, command.known_at)),
        watermarks=Watermarks(known.get("user"), known.get("org")),
        period=None if meant is None else meant.period,
    )
    items, warnings = await _in_order(ctx, command, _fused(ctx, command, found))
    run = await run_named(ctx, command.run_id)
    command = replace(command, step=step_of(run, command.user_id, command.step))
    await _log(ctx, command, looked, tiers, view, items)
    if command.run_id is not None:
        asks_for = asked(ctx, "recall", command, tiers=sorted(tiers))
        as_asked = Question(asks_for, command.step, command.as_of)
        await remember_inputs(ctx, run, as_asked, _seen(command, found, items))
    answered = tuple(item for _, item in items)
    return replace(view, items=answered, abstained=not items, warnings=warnings)


async def _meant(
    ctx: Context, command: Recall, scopes: Sequence[ScopeRow], tiers: frozenset[str]
) -> Meant | None:
    """The time that the query names, where times are read; documents have none."""
    if command.match == "named" or command.times == "ignore" or tiers == {"knowledge"}:
        return None
    return await period_meant(ctx, command.query, scopes, command.timezone, command.as_of)


def _question(
    ctx: Context, command: Recall, meant: Meant | None, analyzer: Analyzer
) -> ranking.Question:
    if command.times == "ignore":
        return parse_question(command.query, analyzer, times=False)
    question = parse_question(command.query, analyzer, now=micros(command.as_of or ctx.now))
    return question if meant is None else near(meant.time, question)


def _ask(
    ctx: Context,
    command: Recall,
    scope: ScopeRow,
    tiers: frozenset[str],
    question: ranking.Question,
    predicate: Predicate | None,
) -> Ask:
    return Ask(
        question=question,
        as_of=command.as_of,
        known_at=_known_at(command, scope.level),
        k=candidates_for(ctx, command.k),
        tiers=tiers,
        kinds=None if command.kinds is None else frozenset(command.kinds),
        min_confidence=ctx.policy.confidence.recall_floor,
        predicate=predicate,
    )


async def _looked_for(
    ctx: Context, command: Recall, asks: Sequence[tuple[ScopeRow, Ask]]
) -> list[Found]:
    """The answers of the scopes, and of the documents, which are asked for along with the first."""
    if command.match == "named":
        return [await search_named(ctx, scope, ask, command.query) for scope, ask in asks]
    documents = [look_for_chunks(ctx, *one) for one in asks if _wants_documents(*one)]
    memories = [one for one in asks if one[1].tiers != frozenset({"knowledge"})]
    found = [await search(ctx, scope, ask) for scope, ask in memories]
    return found + [await found_chunks(ctx, one) for one in documents]


def _wants_documents(scope: ScopeRow, ask: Ask) -> bool:
    """Whether there are documents to look through; where there are none, nothing is asked."""
    wanted = "knowledge" in (ask.tiers or ()) and (ask.kinds is None or KIND in ask.kinds)
    return wanted and scope.level == "org" and scope.chunks > 0


def _seen(
    command: Recall, found: Sequence[Found], items: Sequence[tuple[UUID, Item]]
) -> list[Seen]:
    """What a run is told of later: of a chunk, that its document is another."""
    places = {answer.scope_id: answer for answer in found}
    return [
        Seen(
            item_id=item.id if item.document is None else item.document.document_id,
            scope_id=scope_id,
            tier=item.tier,
            seen_at=places[scope_id].moment.known_at if item.document is None else item.recorded_at,
            expires_at=item.expires_at if item.document is None else None,
            valid_to=item.valid_to,
            known_at=_known_at(command, places[scope_id].level),
        )
        for scope_id, item in items
    ]


def _known_at(command: Recall, level: str) -> datetime | None:
    """The moment on the record that one scope is asked about; None: as it stands."""
    return (command.org_known_at if level == "org" else None) or command.known_at


def _fused(ctx: Context, command: Recall, found: Sequence[Found]) -> list[tuple[UUID, Item]]:
    """The best of every scope together, each with the scope that it came from.

    A score is relative to its scope's candidates; a scope with less to say counts for less.
    """
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
                answer.moment,
                score=round(score, 6),
                parts=hit.parts,
            ),
        )
        for answer, row, hit, score in ranked[: candidates_for(ctx, command.k)]
    ]


async def _in_order(
    ctx: Context, command: Recall, items: Sequence[tuple[UUID, Item]]
) -> tuple[list[tuple[UUID, Item]], tuple[Fault, ...]]:
    """The items of the answer: where a model orders the first of them anew, by its weights."""
    if command.match == "named":
        return list(items[: command.k]), ()
    ordered = await reranked(ctx, command.query, items, lambda one: one[1].text)
    answered = [
        (scope_id, item if weight is None else replace(item, rerank=weight))
        for (scope_id, item), weight in ordered.items[: command.k]
    ]
    return answered, ordered.warnings


async def _log(
    ctx: Context,
    command: Recall,
    scopes: Sequence[ScopeRow],
    tiers: frozenset[str],
    view: MemoryView,
    items: Sequence[tuple[UUID, Item]],
) -> None:
    live = (command.as_of, command.known_at, command.org_known_at) == (None, None, None)
    await note_recall(
        ctx,
        scopes,
        Told(
            recall_id=view.recall_id,
            user_id=command.user_id,
            session_id=command.session_id,
            run_id=command.run_id,
            step=command.step,
            agent_id=command.agent_id,
            tiers=sorted(tiers),
            k=command.k,
            as_of=command.as_of or ctx.now,
            known_at=command.known_at or view.watermark,
            watermark=view.watermark,
            items=[_logged(item) for _, item in items],
            user_watermark=view.watermarks.user,
            org_watermark=view.watermarks.org,
            used=[(place, item.id) for place, item in items if live and not item.document],
        ),
    )


def _logged(item: Item) -> dict[str, Any]:
    document = item.document
    place = None if document is None else (document.document_id, document.version)
    return logged_item(item.id, item.tier, item.score, place)


OPERATIONS = (
    Operation(
        name="recall",
        summary="Recall what answers a question about a user",
        command=Recall,
        result=MemoryView,
        handler=recall,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("POST", "/v1/recall"),
        errors=(Forbidden, NotFound),
        columns=(
            "items.as_of",
            "items.status",
            "items.stale",
            "items.trust",
            "items.text",
            "items.id",
            "items.contested_by?",
        ),
    ),
)
