"""Recall in one scope: the cached index ranks, one statement verifies and fetches (DESIGN 6)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from muniment.domain.filter import Predicate
from muniment.domain.ranking import Hit, Question, View
from muniment.domain.timeline import micros
from muniment.errors import Overtaken, Unavailable
from muniment.ports import Context, ScopeMark, ScopeRow
from muniment.records.items import RECALLED, ItemRow, Moment, fetch_items, moment_of
from muniment.records.scopes import reader_scopes, scope_mark

_OPTIMISTIC_TRIES = 3


@dataclass(frozen=True)
class Ask:
    """What is asked of one scope. Without ``as_of`` and ``known_at`` it is asked as it stands."""

    question: Question
    as_of: datetime | None
    known_at: datetime | None
    k: int
    tiers: frozenset[str] | None
    kinds: frozenset[str] | None
    min_confidence: float
    predicate: Predicate | None


@dataclass(frozen=True)
class Found:
    """The answer of one scope: rows with their hits, best first, and the moment it holds for.

    Asked again with the moment's ``known_at`` the scope gives the same set. ``strength`` is the
    absolute evidence of its best row, by which scopes compare.
    """

    scope_id: UUID
    level: str
    moment: Moment
    abstained: bool
    strength: float
    rows: Sequence[tuple[ItemRow, Hit]]


async def look_in(ctx: Context, user_id: str, namespace: str) -> Sequence[ScopeRow]:
    """The scopes that a recall asks: a user's, then the organisation's.

    Where this process knows them, ranking goes ahead on that, and the next statement of the unit
    asks again: it raises Overtaken where they are others. ``search`` finds out about their marks.
    """
    reader = ctx.digest(f"{user_id}\0{namespace}")
    known = ctx.indexes.scopes_of(reader)
    # What a replica says is compared with what the scopes are now, which has to be known.
    if not known or ctx.units.following is not None:
        found = await reader_scopes(ctx, user_id, namespace, org=True)
        ctx.indexes.remember(reader, found)
        return found

    def check(rows: Sequence[ScopeRow]) -> None:
        ctx.indexes.remember(reader, rows)
        if _looked_at(rows) != _looked_at(known):
            raise Overtaken

    ctx.unit.provided(
        ScopeRow, "scopes_of_reader", check, user_id=user_id, namespace=namespace, org=True
    )
    await ctx.unit.ahead()
    return known


def _looked_at(scopes: Sequence[ScopeRow]) -> list[tuple[UUID, bool]]:
    return [(row.scope_id, row.chunks > 0) for row in scopes]


async def search(ctx: Context, scope: ScopeRow, ask: Ask) -> Found:
    """Rank and fetch at one version of the scope; a version that moved on is asked again.

    On a replica, where one is there and as far as the scope is; it need not be known as it stands
    then. Writers that keep moving it are held back by a share lock in the last try.
    """
    answer = await _on_replica(ctx, scope, ask)
    if answer is not None:
        return answer
    mark = scope.mark
    for number in range(_OPTIMISTIC_TRIES):
        found = await _attempt(ctx, scope, mark, ask, remembered=number == 0)
        if isinstance(found, Found):
            return found
        mark = found
    shared = await ctx.unit.one(ScopeMark, "scope_share", scope_id=scope.scope_id)
    if shared is not None:
        found = await _attempt(ctx, scope, shared, ask, remembered=False)
        if isinstance(found, Found):
            return found
    raise Overtaken


async def _on_replica(ctx: Context, scope: ScopeRow, ask: Ask) -> Found | None:
    """The answer of a replica, at the scope's version or a later one; None where it has none."""
    units = ctx.units.following
    if units is None:
        return None
    try:
        async with units.open(ctx.unit.tenant_id, reading=True) as unit:
            there = replace(ctx, unit=unit)
            return _found(await _attempt(there, scope, scope.mark, ask, remembered=False))
    except (Overtaken, Unavailable):
        return None


def _found(answer: Found | ScopeMark) -> Found:
    if not isinstance(answer, Found):
        raise Overtaken
    return answer


async def _attempt(
    ctx: Context, scope: ScopeRow, mark: ScopeMark, ask: Ask, *, remembered: bool
) -> Found | ScopeMark:
    """One try: the answer, or the mark to try again at.

    A mark that is remembered may be old, and its watermark with it: it holds for its version alone.
    """
    allowed = None
    if ask.predicate is not None:
        admitted = await _admitted(ctx, scope.scope_id, ask.predicate)
        allowed = frozenset(row.index_id.bytes for row in admitted if row.index_id)
        mark = replace(mark, version=admitted[0].version, watermark=admitted[0].watermark)
        remembered = False
    moment = moment_of(ctx, mark.watermark, ask.as_of, ask.known_at)
    held = await ctx.indexes.current(ctx.unit, mark, ctx.vectors)
    ranked_at, index = held.version, held.index
    if ranked_at < scope.version or (remembered and ranked_at != mark.version):
        return await scope_mark(ctx, scope.scope_id)
    ranking = index.rank(ask.question, _view(ask, moment, allowed), ask.k, ctx.policy.ranked)
    ids = [hit.id for hit in ranking.hits]
    fetched = await fetch_items(ctx, scope.scope_id, ids, moment)
    if fetched.version != ranked_at or (allowed is not None and mark.version != ranked_at):
        return await scope_mark(ctx, scope.scope_id)
    hits = {hit.id: hit for hit in ranking.hits}
    return Found(
        scope.scope_id,
        scope.level,
        moment,
        ranking.abstained,
        ranking.strength,
        [(row, hits[row.index_id]) for row in fetched.rows if row.index_id is not None],
    )


async def _admitted(ctx: Context, scope_id: UUID, predicate: Predicate) -> list["_Admitted"]:
    """The rows that a filter admits, decided before ranking, with the version that holds for."""
    rows = await ctx.unit.rows(
        _Admitted,
        "items_matching",
        scope_id=scope_id,
        path=predicate.path,
        variables=predicate.json,
    )
    if not rows:
        raise Overtaken
    return rows


@dataclass(frozen=True)
class _Admitted:
    version: int
    watermark: datetime
    index_id: UUID | None


def _view(ask: Ask, moment: Moment, allowed: frozenset[bytes] | None) -> View:
    return View(
        as_of=micros(moment.as_of),
        known_at=micros(moment.known_at),
        now=micros(moment.now),
        tiers=ask.tiers,
        kinds=ask.kinds,
        standings=frozenset(RECALLED),
        min_confidence=ask.min_confidence,
        ids=allowed,
    )
