"""Recall by name in one scope: what holds of the entities that a question names (DESIGN 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from muniment.domain.mentions import mentions
from muniment.domain.ranking import Hit, Parts
from muniment.domain.text import analyzer_for
from muniment.ports import Context, ScopeRow
from muniment.records.entities import FactRow, named_by
from muniment.records.items import Moment, fetch_items, moment_of
from muniment.records.scopes import scope_mark
from muniment.records.search import Ask, Found

_MOST_NAMES = 20_000
_MOST_FACTS = 500
_NAMED, _ONE_HOP = 1.0, 0.5


@dataclass(frozen=True)
class _Name:
    entity_id: UUID
    name: str


async def search_named(ctx: Context, scope: ScopeRow, ask: Ask, query: str) -> Found:
    """What holds of the entities that ``query`` names, in the order in which it names them, and of
    those that these facts lead to, one hop away. Naming is evidence enough: there is no floor.
    """
    mark = await scope_mark(ctx, scope.scope_id)
    moment = moment_of(ctx, mark.watermark, ask.as_of, ask.known_at)
    names = await ctx.unit.rows(_Name, "entity_names", scope_id=scope.scope_id, limit=_MOST_NAMES)
    given = [(one.name, one.entity_id) for one in names]
    entities = [one.of for one in mentions(query, given, analyzer_for(ctx.language))]
    if not entities or not (ask.tiers is None or "semantic" in ask.tiers):
        return Found(scope.scope_id, scope.level, moment, True, 0.0, ())
    facts = await _facts(ctx, scope, ask, entities, moment)
    led_to = await _led_to(ctx, scope, facts, entities)
    around = await _facts(ctx, scope, ask, led_to, moment) if led_to else []
    scores = {row.index_id: _ONE_HOP for row in around} | {row.index_id: _NAMED for row in facts}
    ids = [row.index_id for row in (*facts, *around)][: ask.k]
    fetched = await fetch_items(ctx, scope.scope_id, ids, moment)
    rows = [
        (row, Hit(row.index_id, scores[row.index_id], _parts(row.importance)))
        for row in fetched.rows
        if row.index_id is not None
    ]
    return Found(scope.scope_id, scope.level, moment, not rows, 1.0, rows)


async def _facts(
    ctx: Context, scope: ScopeRow, ask: Ask, entities: Sequence[UUID], moment: Moment
) -> list[FactRow]:
    """In the order of the entities."""
    rows = await ctx.unit.rows(
        FactRow,
        "named_facts",
        scope_id=scope.scope_id,
        entities=list(entities),
        confidence=ask.min_confidence,
        kinds=None if ask.kinds is None else sorted(ask.kinds),
        path=None if ask.predicate is None else ask.predicate.path,
        variables=None if ask.predicate is None else ask.predicate.json,
        limit=_MOST_FACTS,
        **vars(moment),
    )
    order = {entity: at for at, entity in enumerate(entities)}
    return sorted(rows, key=lambda row: order[row.subject_id])


async def _led_to(
    ctx: Context, scope: ScopeRow, facts: Sequence[FactRow], entities: Sequence[UUID]
) -> list[UUID]:
    """The entities that values of facts name, but for those that were named anyway."""
    values = [row.value for row in facts if row.value is not None]
    found = await named_by(ctx, scope.scope_id, dict.fromkeys(values))
    return [
        one for one in dict.fromkeys(found[v] for v in values if v in found) if one not in entities
    ]


def _parts(importance: int) -> Parts:
    return Parts(lexical=0.0, semantic=0.0, relevance=1.0, recency=0.0, importance=importance / 10)
