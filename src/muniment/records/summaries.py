"""Episodic summaries: a session's kept turns become one dated text that quotes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.domain.policy import CATEGORIES, Category
from muniment.domain.summary import Summary, SummaryTurn, summarise
from muniment.domain.trust import Trust, lowest
from muniment.ports import Context, ScopeMark
from muniment.records.events import EventRole
from muniment.records.index_rows import Indexed, end_index, write_index
from muniment.records.sessions import SessionRow


@dataclass(frozen=True)
class _Turn:
    event_id: UUID
    turn: int
    role: EventRole
    name: str | None
    content: str
    occurred_at: datetime
    reason: str
    importance: int
    trust: Trust
    category: Category
    standing: str


@dataclass(frozen=True)
class _Episode:
    episode_id: UUID
    text: str
    outcome: str | None
    through_turn: int


async def summarise_session(ctx: Context, mark: ScopeMark, session_pk: UUID) -> bool:
    """Bring a session's summary up to date; returns whether it changed.

    Doing it again changes nothing. A session that was forgotten is nothing to do. The caller holds
    the scope's lock (``mark``).
    """
    place = {"scope_id": mark.scope_id, "session_pk": session_pk}
    session = await ctx.unit.one(SessionRow, "session_by_pk", **place)
    if session is None:
        return False
    turns = await ctx.unit.rows(_Turn, "events_to_summarise", now=ctx.now, **place)
    usable = [turn for turn in turns if turn.standing == "asserted"]
    current = await ctx.unit.one(_Episode, "episode_current", **place)
    summary = _summary(usable)
    ctx.drill.reached("consolidation.summarised")
    if summary is None and current is None:
        return False
    if summary is not None and current is not None:
        said = (summary.text, session.outcome)
        if said == (current.text, current.outcome):
            return False
    if current is not None:
        await ctx.unit.run(
            "episode_end", scope_id=mark.scope_id, episode_id=current.episode_id, at=mark.watermark
        )
        await end_index(ctx, mark, [current.episode_id])
    ctx.drill.reached("consolidation.ended")
    if summary is not None:
        await _store(ctx, mark, session, usable, summary)
    ctx.drill.reached("consolidation.stored")
    return True


def _summary(turns: Sequence[_Turn]) -> Summary | None:
    if not turns:
        return None
    summary = summarise(
        [
            SummaryTurn(
                number=turn.turn,
                speaker=turn.name or turn.role,
                content=turn.content,
                role=turn.role,
                importance=turn.importance,
            )
            for turn in turns
        ],
        min(turn.occurred_at for turn in turns),
        max(turn.occurred_at for turn in turns),
    )
    return summary if summary.cited else None


async def _store(
    ctx: Context,
    mark: ScopeMark,
    session: SessionRow,
    turns: Sequence[_Turn],
    summary: Summary,
) -> None:
    cited = [turn for turn in turns if turn.turn in summary.cited]
    category = max((turn.category for turn in cited), key=CATEGORIES.index)
    expires_at = ctx.policy.keep_until("episode", category, mark.watermark)
    started_at = min(turn.occurred_at for turn in turns)
    ended_at = max(turn.occurred_at for turn in turns)
    episode_id = ctx.ids.new()
    importance = max(turn.importance for turn in cited)
    await ctx.unit.run(
        "episode_insert",
        scope_id=mark.scope_id,
        episode_id=episode_id,
        session_pk=session.session_pk,
        text=summary.text,
        outcome=session.outcome,
        started_at=started_at,
        ended_at=ended_at,
        through_turn=max(turn.turn for turn in turns),
        recorded_at=mark.watermark,
        trust=lowest(turn.trust for turn in cited),
        importance=importance,
        category=category,
        retention_class="episode",
        expires_at=expires_at,
        knowledge=None,
    )
    await ctx.unit.many(
        "episode_source_insert",
        [
            {"scope_id": mark.scope_id, "episode_id": episode_id, "event_id": turn.event_id}
            for turn in cited
        ],
    )
    entry = Indexed(
        text=summary.text,
        group_id=episode_id,
        position=0,
        tier="episodic",
        kind="session_summary",
        standing="asserted",
        valid_from=min(started_at, mark.watermark),
        valid_to=None,
        occurred_at=ended_at,
        expires_at=expires_at,
        importance=importance,
        confidence=None,
        episode_id=episode_id,
    )
    await write_index(ctx, mark, [entry])
