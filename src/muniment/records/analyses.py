"""What is held of a data source: memories, and analyses that were made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Any, Final
from uuid import UUID

from muniment.domain.binding import AT_ONCE, ENOUGH
from muniment.domain.policy import Category
from muniment.domain.trust import Trust
from muniment.ports import Context, ScopeMark, ScopeRow
from muniment.records.alongside import Alongside, answer_of, ask_alongside
from muniment.records.expiry import graces
from muniment.records.sources import SourceNames
from muniment.records.usage import add_usage

RETENTION: Final = "analysis"
_KINDS: Final = ("finding", "data_quality", "domain_pattern", "user_preference")
_EVERYWHERE: Final = ("domain_pattern", "user_preference")
_MOST_ALIKE: Final = 1_000
_MOST_UNCONFIRMED: Final = 100
MOST_ANALYSES: Final = 50


@dataclass(frozen=True)
class OnSource:
    """A memory that holds on a data source; ``expires_at`` may have passed, within its grace.

    ``binding``: a fault that every plan has to account for. ``alike``: how many there are of its
    kind and scope that bind, and are past their time, as this one; only so many are told.
    ``contested_by``: what says otherwise and could not take its place.
    """

    scope_id: UUID
    id: UUID
    kind: str
    text: str
    trust: Trust
    confidence: float
    is_durative: bool
    as_of: datetime
    valid_to: datetime | None
    expires_at: datetime | None
    observers: int | None
    binding: bool
    alike: int
    contested_by: list[UUID] | None

    def stale(self, now: datetime) -> bool:
        """True past its time."""
        return self.expires_at is not None and self.expires_at <= now


HeldAsked = Mapping[UUID, Alongside[OnSource]]
"""What was asked of each scope."""


@dataclass(frozen=True)
class AnalysisRow:
    """An analysis that was reported."""

    analysis_id: UUID
    data_source: str
    mode: str
    fingerprint: str | None
    battery: list[dict[str, Any]]
    unknowns: list[str]
    answered: list[str]
    outcome: str | None
    analysed_at: datetime


@dataclass(frozen=True)
class NewAnalysis:
    """What is noted of an analysis besides its findings."""

    session_pk: UUID
    data_source: str
    mode: str
    question: str | None
    fingerprint: str | None
    battery: Sequence[dict[str, Any]]
    unknowns: Sequence[str]
    answered: Sequence[str]
    outcome: str | None
    agent_id: str | None
    analysed_at: datetime
    category: Category


async def held_on(
    ctx: Context,
    scopes: Sequence[ScopeRow],
    source: SourceNames,
    at: datetime,
    known: Mapping[UUID, datetime] | None = None,
) -> list[OnSource]:
    """What these scopes hold on a source, latest first; findings past their time within its grace,
    and what holds of every source. Every fault that binds is there; of the rest so many of a kind.
    ``known``: the moment on a scope's record, where it is another than now.
    """
    return await answer_held_on(ctx, ask_held_on(ctx, scopes, source, at, known))


def ask_held_on(
    ctx: Context,
    scopes: Sequence[ScopeRow],
    source: SourceNames,
    at: datetime,
    known: Mapping[UUID, datetime] | None = None,
    kinds: Sequence[str] = _KINDS,
) -> HeldAsked:
    """The same, asked with the next statement; ``kinds``: of these alone."""
    spans = graces(ctx)
    return {
        scope.scope_id: ask_alongside(
            ctx,
            OnSource,
            "plan_items",
            scope_id=scope.scope_id,
            known=(known or {}).get(scope.scope_id),
            org=scope.level == "org",
            at_once=sorted(AT_ONCE),
            enough=ENOUGH,
            names=list(source.names),
            kinds=list(kinds),
            everywhere=[one for one in _EVERYWHERE if one in kinds],
            graces=spans["kinds"],
            spans=spans["spans"],
            floor=ctx.policy.confidence.recall_floor,
            at=at,
            now=ctx.now,
            limit=_MOST_ALIKE,
            unconfirmed=_MOST_UNCONFIRMED,
        )
        for scope in scopes
    }


async def answer_held_on(ctx: Context, asked: HeldAsked) -> list[OnSource]:
    """What was asked for, of all scopes together, latest first."""
    rows = [row for scope_id, one in asked.items() for row in await answer_of(ctx, scope_id, one)]
    rows.sort(key=lambda row: row.id)
    rows.sort(key=lambda row: row.as_of, reverse=True)
    return rows


async def analyses_on(ctx: Context, scope_id: UUID, source: SourceNames) -> list[AnalysisRow]:
    """The last ``MOST_ANALYSES`` that a user made on a source, latest first; after them, where none
    of them did, the last one that ran a whole battery.
    """
    return await ctx.unit.rows(
        AnalysisRow,
        "analyses_on",
        scope_id=scope_id,
        names=list(source.names),
        now=ctx.now,
        limit=MOST_ANALYSES,
    )


async def write_analysis(ctx: Context, mark: ScopeMark, new: NewAnalysis) -> UUID:
    """Note an analysis in a scope, whose lock the caller holds; its id."""
    analysis_id = ctx.ids.new()
    battery, unknowns, answered = (
        dumps(list(one), ensure_ascii=False) for one in (new.battery, new.unknowns, new.answered)
    )
    texts = (battery, unknowns, answered, new.question or "", new.fingerprint or "")
    size = sum(len(text.encode()) for text in texts)
    await ctx.unit.run(
        "analysis_insert",
        scope_id=mark.scope_id,
        analysis_id=analysis_id,
        session_pk=new.session_pk,
        data_source=new.data_source,
        mode=new.mode,
        question=new.question,
        fingerprint=new.fingerprint,
        battery=battery,
        unknowns=unknowns,
        answered=answered,
        outcome=new.outcome,
        agent_id=new.agent_id,
        key_id=ctx.caller.key_id,
        analysed_at=new.analysed_at,
        recorded_at=mark.watermark,
        size=size,
        category=new.category,
        retention_class=RETENTION,
        expires_at=ctx.policy.keep_until(RETENTION, new.category, new.analysed_at),
    )
    await add_usage(ctx, mark, 1, size)
    return analysis_id
