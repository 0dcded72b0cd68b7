"""What runs recalled: remembered by ids, and looked up again for what became of it (RULES 14.4)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from uuid import UUID

from muniment.domain.inputs import StaleWhy, is_news, why_gone, why_stale
from muniment.domain.memory import Standing, Version, status_of
from muniment.domain.timeline import Window, zulu
from muniment.errors import StaleInputs
from muniment.ports import Context
from muniment.records.alongside import ask_alongside
from muniment.records.runs import RunRow

_NO_MATTER = {"session_id", "run_id", "step", "agent_id"}
"""Fields of a question that say for whom it is."""


@dataclass(frozen=True)
class Seen:
    """An item of an answer, and the moment of its scope's record by which it held; ``known_at`` if
    that moment was asked for.
    """

    item_id: UUID
    scope_id: UUID
    tier: str
    seen_at: datetime
    expires_at: datetime | None
    valid_to: datetime | None
    known_at: datetime | None = None

    @property
    def until(self) -> datetime | None:
        """When it ends by itself."""
        return min((one for one in (self.expires_at, self.valid_to) if one), default=None)


@dataclass(frozen=True)
class Question:
    """What was asked, as a digest, and of which moment where it was not the present."""

    digest: str
    step: int | None
    as_of: datetime | None = None


@dataclass(frozen=True)
class _Moved:
    question: str
    item_id: UUID
    tier: str
    step: int
    recalled_at: datetime
    acknowledged: str | None
    was_due: datetime | None
    known_at: datetime | None
    standing: Standing | None
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime | None
    superseded_at: datetime | None
    expires_at: datetime | None
    superseded_by: UUID | None
    retracted: bool
    archived: bool
    as_of: datetime | None
    watermark: datetime | None
    contested_by: list[UUID] | None


@dataclass(frozen=True)
class StaleRow:
    """An input that is stale, and why; ``watermark``: how far its scope's record is looked at."""

    question: str
    item_id: UUID
    tier: str
    why: StaleWhy
    step: int
    recalled_at: datetime
    superseded_by: UUID | None
    contested_by: Sequence[UUID]
    watermark: datetime | None


@dataclass(frozen=True)
class _Known:
    item_id: UUID


def asked(ctx: Context, operation: str, command: object, **more: object) -> str:
    """By which the same question is known again: all that bears on the answer, ``more`` too."""
    said = {
        name: value
        for name, value in (vars(command) | more).items()
        if value is not None and name not in _NO_MATTER
    }
    return ctx.digest(dumps([operation, said], default=str, sort_keys=True))


def step_of(run: RunRow | None, user_id: str, step: int | None) -> int | None:
    """The step that an answer enters: of a run of the user, or of none, the one that comes next,
    unless it is said which.
    """
    if run is None or step is not None:
        return step
    return run.step + 1 if run.user_id in {None, user_id} else None


async def remember_inputs(
    ctx: Context, run: RunRow | None, question: Question, seen: Iterable[Seen]
) -> None:
    """Note what an open run recalled, with the commit. Whatever else the caller calls a run is
    noted in the log.

    A run of another user takes nothing from a key of one user, and none from a key that may not
    write into runs: what a run rests on stops it.
    """
    if "write" not in ctx.caller.verbs or "run" not in ctx.caller.layers:
        return
    if run is None or run.closed_at is not None:
        return
    items = list({one.item_id: one for one in seen}.values())
    await ctx.unit.later(
        "inputs_recalled",
        **run.place,
        question=question.digest,
        step=run.step + 1 if question.step is None else question.step,
        now=ctx.now,
        as_of=question.as_of,
        items=[one.item_id for one in items],
        scopes=[one.scope_id for one in items],
        tiers=[one.tier for one in items],
        seen=[one.seen_at for one in items],
        knowns=[one.known_at for one in items],
        expire=[one.expires_at for one in items],
        untils=[one.until for one in items],
    )


async def stale_inputs(ctx: Context, run: RunRow) -> list[StaleRow]:
    """What an open run recalled that does not hold any more, and that it did not acknowledge."""
    if not _may_be_stale(run):
        return []
    return _stale_of(ctx, await ctx.unit.rows(_Moved, "inputs_moved", **run.place, now=ctx.now))


def ask_stale(ctx: Context, run: RunRow) -> Callable[[], list[StaleRow]]:
    """The same, asked with the next statement; to be called once that has answered."""
    if not _may_be_stale(run):
        return list
    moved = ask_alongside(ctx, _Moved, "inputs_moved", **run.place, now=ctx.now)
    return lambda: _stale_of(ctx, moved.rows)


def _may_be_stale(run: RunRow) -> bool:
    return run.recalled and run.closed_at is None


def _stale_of(ctx: Context, rows: Iterable[_Moved]) -> list[StaleRow]:
    found = []
    for row in rows:
        why, contested = _why(ctx, row), bool(row.contested_by)
        if is_news(why, row.acknowledged, contested=contested):
            found.append(_stale(row, why or "contested"))
    return found


def named(rows: Iterable[StaleRow]) -> list[StaleRow]:
    """Each item once, whatever the number of questions that it answered."""
    return list({one.item_id: one for one in rows}.values())


async def refuse_stale(ctx: Context, run: RunRow) -> None:
    """Raises StaleInputs where the run rests on what does not hold any more."""
    rows = named(await stale_inputs(ctx, run))
    if rows:
        raise StaleInputs(extra={"stale_inputs": as_json(rows)})


def as_json(rows: Iterable[StaleRow]) -> list[dict[str, object]]:
    """Stale inputs as they are stored, and as errors name them."""
    return [
        {
            "id": str(one.item_id),
            "tier": one.tier,
            "why": one.why,
            "step": one.step,
            "recalled_at": zulu(one.recalled_at),
            "superseded_by": None if one.superseded_by is None else str(one.superseded_by),
            "contested_by": [str(other) for other in one.contested_by],
        }
        for one in rows
    ]


async def inputs_known(ctx: Context, run: RunRow, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these items the run recalled."""
    rows = await ctx.unit.rows(_Known, "inputs_known", **run.place, ids=list(ids))
    return {row.item_id for row in rows}


async def acknowledge(ctx: Context, run: RunRow, rows: Sequence[StaleRow]) -> None:
    """The run knows what became of these. What becomes of them later is news again."""
    await ctx.unit.many(
        "input_acknowledge",
        [
            {
                **run.place,
                "question": one.question,
                "item_id": one.item_id,
                "why": one.why,
                "now": ctx.now,
                "seen_at": one.watermark,
            }
            for one in rows
        ],
    )


def _why(ctx: Context, row: _Moved) -> StaleWhy | None:
    if row.standing is None or row.recorded_at is None or row.as_of is None:
        return why_gone(row.was_due, ctx.now)
    standing = row.standing
    if row.tier == "episodic" and standing not in {"asserted", "quarantined", "archived"}:
        return "retracted"
    version = Version(
        version_id=row.item_id,
        memory_id=row.item_id,
        valid=Window(row.valid_from, row.valid_to),
        recorded=Window(row.recorded_at, row.superseded_at),
        standing="asserted" if row.tier == "episodic" and standing != "quarantined" else standing,
        trust="external_content",
        superseded_by=row.superseded_by,
        retracted=row.retracted,
        archived=row.archived,
        expires_at=row.expires_at,
    )
    known_at = row.known_at or row.superseded_at or row.recorded_at
    return why_stale(status_of(version, as_of=row.as_of, known_at=known_at, now=ctx.now))


def _stale(row: _Moved, why: StaleWhy) -> StaleRow:
    return StaleRow(
        question=row.question,
        item_id=row.item_id,
        tier=row.tier,
        why=why,
        step=row.step,
        recalled_at=row.recalled_at,
        superseded_by=row.superseded_by if why == "superseded" else None,
        contested_by=row.contested_by or (),
        watermark=row.watermark,
    )
