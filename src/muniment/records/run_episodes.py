"""A closed run as an episode of its user: a session of its own, whose summary tells of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any
from uuid import UUID

from muniment.domain.instructions import is_suspect
from muniment.domain.runs import told
from muniment.errors import Forgotten
from muniment.ports import Context, ScopeMark
from muniment.records.governing import recalled_documents
from muniment.records.index_rows import Indexed, end_index, write_index
from muniment.records.ledger import refuse_forgotten_session
from muniment.records.runs import FactRow, RunRow, facts_of
from muniment.records.secrets import Cleaner

_IMPORTANCE, _CORRECTED = 5, 7


@dataclass(frozen=True)
class _Stage:
    stage: str


@dataclass(frozen=True)
class _Told:
    session_pk: UUID
    session_id: str
    episode_id: UUID
    knowledge: list[dict[str, Any]] | None


async def told_in(ctx: Context, run: RunRow) -> str | None:
    """The name of the session whose episode tells of a run, while it is there."""
    found = await _current(ctx, run)
    return None if found is None else found.session_id


async def tell_run(ctx: Context, mark: ScopeMark, run: RunRow) -> None:
    """Write the episode of a closed run, or write anew the one that is there. The caller holds the
    scope's lock.

    A run of no user, and of one who opted out, has none. What was erased is not written again.
    """
    if run.user_id is None or run.opted_out_at is not None or run.closed_at is None:
        return
    current = await _current(ctx, run)
    if current is None and run.told:
        return
    await ctx.unit.run("run_told", **run.place)
    if current is not None:
        await ctx.unit.run(
            "episode_end", scope_id=mark.scope_id, episode_id=current.episode_id, at=mark.watermark
        )
        await end_index(ctx, mark, [current.episode_id])
    session_pk = await _opened(ctx, mark, run) if current is None else current.session_pk
    if session_pk is None:
        return
    place = {"scope_id": mark.scope_id, "session_pk": session_pk}
    await ctx.unit.run("session_close", **place, at=mark.watermark, outcome=run.outcome)
    knowledge = await recalled_documents(ctx, mark.scope_id, run.run_id)
    if not knowledge and current is not None:
        # The log that told of it is kept for less long than a run may be.
        knowledge = current.knowledge or []
    await _store(ctx, mark, run, session_pk, knowledge)


async def _current(ctx: Context, run: RunRow) -> _Told | None:
    return await ctx.unit.one(_Told, "session_told", **run.place, now=ctx.now)


async def _opened(ctx: Context, mark: ScopeMark, run: RunRow) -> UUID | None:
    """A session for the episode; None where its name was forgotten before it was taken."""
    try:
        await refuse_forgotten_session(ctx, mark.scope_id, f"run:{run.run_id}")
    except Forgotten:
        return None
    session_pk = ctx.ids.new()
    await ctx.unit.run("session_tell", **run.place, session_pk=session_pk, at=mark.watermark)
    return session_pk


async def _text(ctx: Context, run: RunRow) -> str:
    """What recall will find: without secrets, and without what talks to an agent, wherever in the
    run it was said, names included.
    """
    if run.outcome is None:
        raise ValueError("a run that is told of is closed")
    clean = Cleaner(ctx.redactor)
    stages = await ctx.unit.rows(_Stage, "stages", **run.place)
    facts = await facts_of(ctx, run, run.step, ctx.now)
    text = told(
        agent=_harmless(clean, run.agent_id),
        opened_at=run.opened_at,
        steps=run.step,
        stages=_stages(clean, [one.stage for one in stages]),
        facts=_facts(clean, facts),
        outcome=run.outcome,
        correction=None if run.correction is None else _harmless(clean, run.correction),
    )
    return clean.text(text)


def _harmless(clean: Cleaner, said: str) -> str | None:
    """Without its secrets; None for what talks to an agent."""
    return None if _suspect(said) else clean.text(said)


def _stages(clean: Cleaner, stages: Sequence[str]) -> list[str]:
    """None where they talk to an agent together, one of which does not alone."""
    kept = [one for one in (_harmless(clean, stage) for stage in stages) if one is not None]
    return [] if _suspect(", ".join(kept)) or _suspect(" ".join(kept)) else kept


def _facts(clean: Cleaner, facts: Sequence[FactRow]) -> dict[str, str]:
    kept = {}
    for row in facts:
        value = clean.value(row.value, row.key)
        said = value if isinstance(value, str) else dumps(value, ensure_ascii=False)
        if not any(map(_suspect, (row.key, said, f"{row.key} = {said}", f"{row.key} {said}"))):
            kept[clean.text(row.key)] = said
    together = [f"{key} = {value}" for key, value in kept.items()]
    return {} if _suspect("; ".join(together)) or _suspect(" ".join(kept.values())) else kept


def _suspect(text: str) -> bool:
    return is_suspect([text], "agent_inferred")


async def _store(
    ctx: Context, mark: ScopeMark, run: RunRow, session_pk: UUID,
    knowledge: Sequence[Mapping[str, Any]],
) -> None:  # fmt: skip
    text = await _text(ctx, run)
    ended_at = run.closed_at or mark.watermark
    expires_at = ctx.policy.keep_until("episode", "personal", mark.watermark)
    importance = _IMPORTANCE if run.correction is None else _CORRECTED
    episode_id = ctx.ids.new()
    await ctx.unit.run(
        "episode_insert",
        scope_id=mark.scope_id,
        episode_id=episode_id,
        session_pk=session_pk,
        text=text,
        outcome=run.outcome,
        started_at=min(run.opened_at, ended_at),
        ended_at=ended_at,
        through_turn=run.step,
        recorded_at=mark.watermark,
        trust="agent_inferred",
        importance=importance,
        category="personal",
        retention_class="episode",
        expires_at=expires_at,
        knowledge=dumps(knowledge) if knowledge else None,
    )
    entry = Indexed(
        text=text,
        group_id=episode_id,
        position=0,
        tier="episodic",
        kind="session_summary",
        standing="asserted",
        valid_from=min(run.opened_at, mark.watermark),
        valid_to=None,
        occurred_at=ended_at,
        expires_at=expires_at,
        importance=importance,
        confidence=None,
        episode_id=episode_id,
    )
    await write_index(ctx, mark, [entry])
