"""Consolidation: a session's summary, then the candidates that are drawn from its turns.

Three steps, because what proposes may be slow: ``read`` in a transaction, ``propose`` in none,
``apply`` in another, which looks first whether the session still is what was read.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.domain.admission import transcript_start
from muniment.domain.extraction import Extracted, Extraction, SaidTurn
from muniment.errors import Overtaken
from muniment.ports import Context, World
from muniment.records import model_budget
from muniment.records.candidates import Decided, decide
from muniment.records.passes import note_pass
from muniment.records.said import Reading, find_to_extract, read_session, session_and_turns
from muniment.records.scopes import lock_scope
from muniment.records.summaries import summarise_session


@dataclass(frozen=True)
class Behind:
    """A session that is behind, as it was read; ``summarised``: its summary changed."""

    reading: Reading
    summarised: bool


@dataclass(frozen=True)
class Foreseen:
    """What a consolidation would decide, and what asking for it may cost at most."""

    decided: Sequence[Decided]
    tokens: int
    unsupported_language: bool


@dataclass(frozen=True)
class Proposed:
    """What an extractor proposes: from the whole session, and from its transcript pass."""

    whole: Sequence[Extracted] = ()
    passing: Sequence[Extracted] = ()
    unsupported_language: bool = False


async def read(ctx: Context, scope_id: UUID, session_pk: UUID) -> Behind | None:
    """Bring the summary up to date and read the session; None if it is not behind, or forgotten.

    Raises Overtaken when the scope was forgotten.
    """
    before = await find_to_extract(ctx, scope_id, session_pk)
    if before is None or before.dirty_since is None:
        return None
    if before.run_id is not None:  # its summary is no summary of turns
        await ctx.unit.run("session_clean", scope_id=scope_id, session_pk=session_pk)
        return None
    mark = await lock_scope(ctx, scope_id)
    ctx.drill.reached("consolidation.locked")
    reading = await read_session(ctx, scope_id, session_pk)
    if reading is None or reading.session.dirty_since is None:
        return None
    summarised = await summarise_session(ctx, mark, session_pk)
    if summarised:
        await note_pass(ctx, "summarise", scope_id, session_pk, summaries=1)
    return Behind(reading, summarised)


async def propose(world: World, tenant_id: UUID, reading: Reading) -> Proposed:
    """Ask the extractor; outside any transaction. Nothing is asked where nothing is new."""
    whole, window = _to_read(reading, world.policy.transcript_turns)
    of_all = await _asked(world, tenant_id, reading, whole)
    passing = of_all
    if len(window) != len(whole):
        passing = await _asked(world, tenant_id, reading, window)
    foreign = of_all.unsupported_language or passing.unsupported_language
    return Proposed(of_all.candidates, passing.candidates, foreign)


async def _asked(
    world: World, tenant_id: UUID, reading: Reading, turns: Sequence[SaidTurn]
) -> Extraction:
    if not turns:
        return Extraction(())
    return await model_budget.propose(
        world, tenant_id, turns, world.policy.slots, reading.user_name
    )


def _to_read(reading: Reading, least: int) -> tuple[Sequence[SaidTurn], Sequence[SaidTurn]]:
    """The turns of the extraction and of the transcript pass; none where nothing came since."""
    if not takes_memories(reading):
        return (), ()
    turns = reading.said()
    fresh = any(_fresh(reading, reading.session.extracted_at))
    return (turns if fresh else ()), transcript(reading, turns, least)


def takes_memories(reading: Reading) -> bool:
    """False for a session, or a user, of which nothing is to be remembered."""
    return not (reading.session.no_store or reading.session.opted_out)


def transcript(reading: Reading, turns: Sequence[SaidTurn], least: int) -> Sequence[SaidTurn]:
    """The turns of the transcript pass: the last ones, or all since the last pass; none if nothing
    came since.
    """
    fresh = _fresh(reading, reading.session.transcribed_at)
    return turns[transcript_start(fresh, least) :] if any(fresh) else ()


def _fresh(reading: Reading, since: datetime | None) -> list[bool]:
    return [since is None or one.recorded_at > since for one in reading.turns]


async def apply(ctx: Context, reading: Reading, proposed: Proposed) -> list[Decided] | None:
    """Decide on what was proposed and note how far the session is extracted.

    None: the session is not what was read any more, and nothing was done. Raises Overtaken when
    the scope was forgotten.
    """
    if not await _holds_still(ctx, reading):
        return None
    since = reading.session.extracted_at
    decided = await decide(ctx, reading, proposed.whole, since, passing=False)
    decided += await _decide_passing(ctx, reading, proposed.passing)
    await _note(ctx, reading, extracted=True)
    place = {"scope_id": reading.scope_id, "session_pk": reading.session.session_pk}
    await ctx.unit.run("session_clean", **place)
    if decided:
        outcomes: dict[str, int] = Counter(one.outcome for one in decided)
        subjects = reading.scope_id, reading.session.session_pk
        await note_pass(ctx, "consolidate", *subjects, **outcomes)
    ctx.drill.reached("consolidation.applied")
    return decided


async def apply_transcript(
    ctx: Context, reading: Reading, candidates: Sequence[Extracted]
) -> list[Decided] | None:
    """The transcript pass alone, as after a report: of what was proposed from the window of
    ``transcript``, only what is said in passing (RULES 6). None as of ``apply``.
    """
    if not await _holds_still(ctx, reading):
        return None
    decided = await _decide_passing(ctx, reading, candidates)
    await _note(ctx, reading, extracted=False)
    return decided


async def foresee(ctx: Context, scope_id: UUID, session_pk: UUID) -> Foreseen | None:
    """What consolidating a session now would decide; nothing is written. None if it was forgotten.

    Raises Overtaken where the session moved on meanwhile.
    """
    reading = await read_session(ctx, scope_id, session_pk)
    if reading is None:
        return None
    whole, window = _to_read(reading, ctx.policy.transcript_turns)
    tokens = sum(
        ctx.extractor.most_tokens(turns, ctx.policy.slots, reading.user_name)
        for turns in ((whole,) if len(window) == len(whole) else (whole, window))
        if turns
    )
    proposed = await propose(ctx, ctx.unit.tenant_id, reading)
    async with ctx.unit.undone():
        decided = await apply(ctx, reading, proposed)
    if decided is None:
        raise Overtaken
    return Foreseen(decided, tokens, proposed.unsupported_language)


async def _holds_still(ctx: Context, reading: Reading) -> bool:
    """Lock the scope; True if the session still is what was read."""
    mark = await lock_scope(ctx, reading.scope_id)
    ctx.drill.reached("consolidation.locked_again")
    session, turns = await session_and_turns(ctx, reading.scope_id, reading.session.session_pk)
    if session is None:
        raise Overtaken
    await ctx.quotas.check(ctx.unit, mark.scope_id)
    return reading.is_still(session, turns)


async def _decide_passing(
    ctx: Context, reading: Reading, candidates: Sequence[Extracted]
) -> list[Decided]:
    since = reading.session.transcribed_at
    return await decide(ctx, reading, candidates, since, passing=True)


async def _note(ctx: Context, reading: Reading, *, extracted: bool) -> None:
    latest = max((one.recorded_at for one in reading.turns), default=None)
    await ctx.unit.run(
        "session_extracted",
        scope_id=reading.scope_id,
        session_pk=reading.session.session_pk,
        extracted_at=latest if extracted else None,
        transcribed_at=latest,
    )
