"""Many into one: what a scope holds loose becomes a summary, and is given back when that goes.

Two steps, as in promotion: ``look`` reads and works out, ``gather`` writes under the scope's lock
if the scope still is as it was read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from muniment.domain.gathering import Loose, gathered, said_together
from muniment.domain.likeness import likeness
from muniment.domain.policy import CATEGORIES
from muniment.domain.reconcile import Plan, Remainder
from muniment.domain.text import analyzer_for
from muniment.domain.timeline import Window
from muniment.domain.trust import Trust, lowest
from muniment.errors import Overtaken
from muniment.ports import Context, ScopeMark
from muniment.records.apart import worked_out
from muniment.records.decisions import Decision, write_decisions
from muniment.records.index_rows import end_index
from muniment.records.memories import carry_out
from muniment.records.passes import note_pass
from muniment.records.scopes import lock_scope
from muniment.records.versions import Cited, HeldRow, NewMemory

RULE = "many_into_one"
GIVEN_BACK = "given_back"
MOST_READ = 1000
"""So many loose memories of a scope are looked at, the oldest."""
_KIND = "summary"


@dataclass(frozen=True)
class LooseRow(HeldRow):
    """A memory without a slot as it is held, with what it is about."""

    data_source: str | None
    subject_id: UUID
    subject: str | None


@dataclass(frozen=True)
class Found:
    """A scope at one version: what is to be gathered there, each a summary's inputs."""

    scope_id: UUID
    version: int
    gathered: Sequence[Sequence[Loose]]
    rows: dict[UUID, LooseRow]
    summed: bool


@dataclass(frozen=True)
class _Scope:
    version: int
    summed_to: datetime
    recent_importance: int


@dataclass(frozen=True)
class _Id:
    id: UUID


@dataclass(frozen=True)
class _Reopened:
    id: UUID
    memory_id: UUID
    trust: Trust
    confidence: float


async def look(ctx: Context, scope_id: UUID) -> Found:
    """Read a scope and work out what becomes one. Raises Overtaken when it was forgotten."""
    scope = await ctx.unit.one(_Scope, "gathering_of", scope_id=scope_id, now=ctx.now)
    if scope is None:
        raise Overtaken
    rows = await ctx.unit.rows(
        LooseRow,
        "loose_memories",
        scope_id=scope_id,
        now=ctx.now,
        immune=ctx.policy.decay.immune,
        kinds=_kinds(ctx),
        limit=MOST_READ,
    )
    size = sum(len(row.text) for row in rows)
    found = await worked_out(size, partial(_work_out, ctx, rows, scope))
    over = scope.recent_importance > ctx.policy.gathering.importance
    by_id = {row.memory_id: row for row in rows}
    return Found(scope_id, scope.version, found, by_id, summed=over and bool(found))


def _kinds(ctx: Context) -> list[str]:
    """Kinds of memories that fade; what was gathered is not gathered again."""
    kinds = ctx.policy.kinds.items()
    return [name for name, one in kinds if one.decays and one.layer == "semantic" and name != _KIND]


def _work_out(ctx: Context, rows: Sequence[LooseRow], scope: _Scope) -> list[tuple[Loose, ...]]:
    analyzer = analyzer_for(ctx.language)
    generic = frozenset(analyzer.stems("user"))
    loose = [
        Loose(
            memory_id=row.memory_id,
            group=(row.kind, row.subject_id, row.data_source, row.trust),
            text=row.text,
            observed_at=row.observed_at,
            like=likeness(row.text, analyzer, aside=generic),
            recent=row.recorded_from > scope.summed_to,
        )
        for row in rows
    ]
    importance = scope.recent_importance
    return gathered(loose, ctx.policy.gathering, recent_importance=importance)


async def gather(ctx: Context, found: Found) -> int | None:
    """Write down what was found; how many summaries. None: the scope is not as it was read any
    more, and nothing was done. Raises Overtaken when it was forgotten.
    """
    place = {"scope_id": found.scope_id}
    if not found.gathered:
        done = await ctx.unit.value("scope_gathered", version=found.version, summed=False, **place)
        return 0 if done else None
    mark = await lock_scope(ctx, found.scope_id)
    if mark.version != found.version + 1:
        return None
    await ctx.quotas.check(ctx.unit, mark.scope_id)
    for at, members in enumerate(found.gathered):
        mark = mark if at == 0 else await lock_scope(ctx, found.scope_id)
        await _one(ctx, mark, [found.rows[one.memory_id] for one in members], members)
        ctx.drill.reached("gathering.one")
    await ctx.unit.value("scope_gathered", version=mark.version, summed=found.summed, **place)
    inputs = sum(len(members) for members in found.gathered)
    await note_pass(ctx, "gather", found.scope_id, summaries=len(found.gathered), inputs=inputs)
    return len(found.gathered)


async def _one(
    ctx: Context, mark: ScopeMark, rows: Sequence[LooseRow], members: Sequence[Loose]
) -> None:
    memories = [row.memory_id for row in rows]
    evidence = await ctx.unit.rows(
        Cited, "gathering_evidence", scope_id=mark.scope_id, memories=memories
    )
    new = NewMemory(
        kind=_KIND,
        text=said_together(members),
        subject=rows[0].subject,
        slot=None,
        value=None,
        detail=None,
        data_source=rows[0].data_source,
        agent_id=None,
        metadata={},
        valid_from=mark.watermark,
        valid_to=None,
        observed_at=max(row.observed_at for row in rows),
        trust=lowest(row.trust for row in rows),
        confidence=min(row.confidence for row in rows),
        importance=max(row.importance for row in rows),
        pinned=False,
        category=max((row.category for row in rows), key=CATEGORIES.index),
        evidence=evidence,
        rule=RULE,
        told={"derived_from": [str(one) for one in memories]},
    )
    ended = [row.version for row in rows]
    plan = Plan(
        "superseded",
        RULE,
        window=Window(mark.watermark),
        ends=tuple(ended),
        remainders=tuple(
            Remainder(one, Window(one.valid.start, mark.watermark), superseded=True)
            for one in ended
        ),
    )
    settled = await carry_out(ctx, mark, rows[0].subject_id, new, plan, rows)
    made = {"scope_id": mark.scope_id, "memory_id": settled.memory_id}
    await ctx.unit.many("derivation_insert", [made | {"source_id": one} for one in memories])


async def gathered_behind(ctx: Context, scope_id: UUID, memories: Sequence[UUID]) -> list[UUID]:
    """Versions that these memories took the place of as summaries, before they are erased."""
    rows = await ctx.unit.rows(_Id, "versions_gathered", scope_id=scope_id, memories=list(memories))
    return [row.id for row in rows]


async def give_back(ctx: Context, mark: ScopeMark, versions: Sequence[UUID]) -> None:
    """Hold again what a summary stood for that was erased; the caller holds the scope's lock."""
    rows = await ctx.unit.rows(
        _Reopened, "versions_to_reopen", scope_id=mark.scope_id, ids=list(versions)
    )
    reopened: list[dict[str, Any]] = [
        {
            "scope_id": mark.scope_id,
            "id": row.id,
            "version_id": row.id,
            "ended_by": None,
            "new_id": ctx.ids.new(),
            "at": mark.watermark,
            "rev": mark.version,
        }
        for row in rows
    ]
    await ctx.unit.many("version_end", reopened)
    await end_index(ctx, mark, [row.id for row in rows])
    await ctx.unit.many("version_reopen", reopened)
    await ctx.unit.many("index_reopen", reopened)
    await write_decisions(
        ctx,
        mark,
        [
            Decision(
                memory_id=row.memory_id,
                outcome="inserted",
                rule=GIVEN_BACK,
                inputs={"trust": row.trust, "confidence": row.confidence},
                ended=[row.id],
                made=[one["new_id"]],
            )
            for row, one in zip(rows, reopened, strict=True)
        ],
    )
