"""analysis.report: what an analysis found and ran, and what became of what was found before."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from muniment.domain.memory import Label
from muniment.errors import Fault, Forbidden, InvalidInput, NotFound, NotHeld, WritesRefused
from muniment.operations.analysis_checks import check_fields, check_not_before, check_not_ended
from muniment.operations.analysis_input import (
    Notes,
    ReportAnalysis,
    Reported,
    ReportedFinding,
    cleaned,
    notes_of,
)
from muniment.operations.analysis_outcomes import (
    AnalysisReported,
    Became,
    FindingOutcome,
    PriorOutcome,
    became_of,
    why,
)
from muniment.operations.citing import Citation, Citing
from muniment.operations.items import find_place
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.stating import Graded, Said, graded
from muniment.ports import Context
from muniment.records.analyses import NewAnalysis, write_analysis
from muniment.records.changing import Word
from muniment.records.gone import ONCE, gone_rule, note_gone
from muniment.records.memories import Settled, settle
from muniment.records.revalidating import (
    Prior,
    begun_anew,
    confirm_prior,
    confirmations,
    end_prior,
    prior_of,
    replace_prior,
    was_over,
)
from muniment.records.scopes import lock_scope, open_scope
from muniment.records.sessions import open_session
from muniment.records.sources import SourceNames, source_names
from muniment.records.versions import Cited, Reporting

_CHECKED: Label = "confirmatory"


@dataclass(frozen=True)
class _Work:
    """A report under its locks."""

    command: ReportAnalysis
    source: SourceNames
    reporting: Reporting
    scopes: dict[str, UUID]
    """By level: the user's, and the organisation's where something of it is reported."""
    cited: dict[int, list[Cited]]
    """By the place of a finding; of the revalidation at -1, of what is retired from -2 on."""


async def report(command: ReportAnalysis, ctx: Context) -> AnalysisReported:
    """Each finding goes the way of whatever is remembered; below the floor, or over before it was
    reported, it is not kept.
    """
    check_fields(command, ctx)
    command, warned = await cleaned(command, ctx)
    notes, left_out = notes_of(command)
    source = await source_names(ctx, command.data_source)
    levels = await _levels(command, ctx)
    mark = await open_scope(ctx, command.user_id, command.namespace)
    at = command.analysed_at or ctx.now
    session = await open_session(ctx, mark.scope_id, command.session_id, at)
    scopes = {"user": mark.scope_id}
    if "org" in levels.values():
        scopes["org"] = (await open_scope(ctx, None, command.namespace)).scope_id
    reporting = Reporting(mark.scope_id, session.session_pk)
    work = _Work(command, source, reporting, scopes, await _cited(command, ctx, mark.scope_id))
    prior, taken = await _revalidated(work, ctx, levels)
    found = [
        taken if taken is not None and at == _successor(command) else await _found(work, ctx, at)
        for at in range(len(command.findings))
    ]
    check_not_ended(command, found)
    retired = [await _retired(work, ctx, at, levels) for at in range(len(command.retired))]
    analysis_id = await _noted(work, ctx, notes)
    _trail(ctx, analysis_id, command, found, prior, retired)
    return AnalysisReported(
        analysis_id=analysis_id,
        data_source=source.canonical,
        findings=tuple(found),
        revalidation=prior,
        retired=tuple(retired),
        steps=len(notes.battery),
        warnings=(*ctx.repairs, *warned, *left_out),
    )


async def _levels(command: ReportAnalysis, ctx: Context) -> dict[UUID | int, str]:
    """Where each thing is: findings by their place, what was found before by its id.

    Raises NotFound for an id of another user or namespace, Forbidden where a key of one user would
    write what is the organisation's.
    """
    found: dict[UUID | int, str] = {
        at: "org" if ctx.policy.kinds[one.kind].scope == "org" else "user"
        for at, one in enumerate(command.findings)
    }
    named = [one.id for one in command.retired]
    named += [] if command.revalidation is None else [command.revalidation.id]
    for one in named:
        place = await find_place(ctx, one)
        theirs = place.level == "org" or place.user_id == command.user_id
        if not theirs or place.namespace != command.namespace:
            raise NotFound("There is no such memory.")
        found[one] = place.level
    if "org" in found.values() and ctx.caller.user_id is not None:
        raise Forbidden("This key is for one user; faults of the data are the organisation's.")
    return found


async def _cited(command: ReportAnalysis, ctx: Context, scope_id: UUID) -> dict[int, list[Cited]]:
    """The turns that each thing cites, which are the user's; raises InvalidInput with its place."""
    asked: list[tuple[int, str, Reported]] = [
        (at, f"/findings/{at}", one) for at, one in enumerate(command.findings)
    ]
    if command.revalidation is not None:
        asked.append((-1, "/revalidation", command.revalidation))
    asked += [(-2 - at, f"/retired/{at}", one) for at, one in enumerate(command.retired)]
    found = {}
    for key, pointer, one in asked:
        turns = [Citation(session_id=each.session_id, turn=each.turn) for each in one.evidence]
        citing = Citing(command.user_id, command.namespace, turns)
        try:
            found[key] = await citing.turns(ctx, {command.user_id: scope_id})
        except InvalidInput as error:
            faults = [Fault(f"{pointer}{each.pointer}", each.message) for each in error.faults]
            raise InvalidInput(faults=faults) from None
    return found


def _successor(command: ReportAnalysis) -> int | None:
    return None if command.revalidation is None else command.revalidation.finding


def _graded(work: _Work, ctx: Context, place: int) -> Graded:
    one = work.command.findings[place]
    return _said(work, ctx, one.text, one.kind, one.label, work.cited[place], one)


def _said(
    work: _Work,
    ctx: Context,
    text: str,
    kind: str,
    label: Label,
    cited: Sequence[Cited],
    one: ReportedFinding | None = None,
) -> Graded:
    command = work.command
    said = Said(
        kind=kind,
        text=text,
        data_source=work.source.canonical,
        agent_id=command.agent_id,
        label=label,
        speaker=command.speaker,
        category=command.category,
        observed_at=command.analysed_at,
        reported=work.reporting,
    )
    if one is not None:
        said = replace(said, detail=one.detail, metadata=one.metadata)
    return graded(ctx, said, cited)


async def _found(work: _Work, ctx: Context, place: int) -> FindingOutcome:
    """One finding, reconciled at a moment of its own."""
    said = _graded(work, ctx, place)
    if said.new is None:
        return _outcome(work, place, None, said)
    level = "org" if ctx.policy.kinds[said.new.kind].scope == "org" else "user"
    mark = await lock_scope(ctx, work.scopes[level])
    if await was_over(ctx, mark, said.new):
        return _outcome(work, place, None, said)
    return _outcome(work, place, await settle(ctx, mark, said.new), said)


def _outcome(work: _Work, place: int, settled: Settled | None, said: Graded) -> FindingOutcome:
    if settled is not None:
        became, rule = became_of(settled.outcome), settled.rule
    elif said.new is None:
        became, rule = "below_floor", "below_confidence_floor"
    else:
        became, rule = "expired", "past_its_time"
    held = settled is not None and settled.outcome != "rejected"
    return FindingOutcome(
        kind=work.command.findings[place].kind,
        id=settled.memory_id if settled is not None and held else None,
        became=became,
        rule=rule,
        why=why(became, rule),
        trust=said.trust,
        confidence=said.confidence,
        superseded=() if settled is None else settled.superseded,
    )


async def _prior(
    work: _Work, ctx: Context, memory_id: UUID, levels: dict[UUID | int, str]
) -> Prior:
    mark = await lock_scope(ctx, work.scopes[levels[memory_id]])
    return await prior_of(ctx, mark, memory_id, work.source)


def _word(work: _Work, ctx: Context, prior: Prior, key: int) -> tuple[Word, Graded]:
    """On whose word something is said of what was found before: as if it were told again."""
    cited = work.cited[key]
    said = _said(work, ctx, prior.row.text, prior.row.kind, _CHECKED, cited)
    at = max((turn.occurred_at for turn in cited), default=work.command.analysed_at or ctx.now)
    return Word(cited, said.trust, said.confidence, at, reported=work.reporting), said


def _check_seen(work: _Work, prior: Prior, key: int) -> None:
    """What turns say, they say at their own time."""
    if not work.cited[key]:
        check_not_before(work.command, prior.rows[0].version.valid.start)


async def _revalidated(
    work: _Work, ctx: Context, levels: dict[UUID | int, str]
) -> tuple[PriorOutcome | None, FindingOutcome | None]:
    """What became of the finding that was tested, and of the one that takes its place."""
    again = work.command.revalidation
    if again is None:
        return None, None
    prior = await _prior(work, ctx, again.id, levels)
    word, said = _word(work, ctx, prior, -1)
    if again.outcome == "inconclusive":
        return await _was(ctx, prior, None, "unchanged", "inconclusive"), None
    if again.outcome == "confirmed":
        if said.new is None:
            return await _was(ctx, prior, None, "unchanged", "below_confidence_floor"), None
        told = replace(said.new, data_source=prior.row.data_source)
        settled = await confirm_prior(ctx, prior, word, told)
        became: Became = "confirmed" if settled.outcome == "reinforced" else "unchanged"
        return await _was(ctx, prior, settled, became), None
    _check_seen(work, prior, -1)
    taken = None
    if again.finding is not None:
        taken, new = await _replaced(work, ctx, prior, again.finding)
        if new is not None and prior.row.memory_id in new.superseded:
            return await _was(ctx, prior, new, "superseded"), taken
        if taken.became in {"contested", "quarantined"}:
            return await _was(ctx, prior, new, _left(new)), taken
    mark = await lock_scope(ctx, prior.target.mark.scope_id)
    prior = replace(prior, target=replace(prior.target, mark=mark))
    ended = await end_prior(ctx, prior, word.observed_at, word)
    became = "retracted" if ended.outcome == "retracted" else _left(ended)
    return await _was(ctx, prior, ended, became), taken


def _left(settled: Settled | None) -> Became:
    return "noted" if settled is not None and settled.rule == ONCE else "unchanged"


async def _replaced(
    work: _Work, ctx: Context, prior: Prior, place: int
) -> tuple[FindingOutcome, Settled | None]:
    """The finding that takes the place of the one that was tested, unless it is not kept itself."""
    if work.command.findings[place].kind != prior.row.kind:
        fault = Fault("/revalidation/finding", "is of another kind than what it would replace")
        raise InvalidInput(faults=[fault])
    said = _graded(work, ctx, place)
    if said.new is None or await was_over(ctx, prior.target.mark, said.new):
        return _outcome(work, place, None, said), None
    settled = await replace_prior(ctx, prior, said.new)
    if settled is None:
        fault = Fault("/revalidation/finding", "says the same as what it would replace")
        raise InvalidInput(faults=[fault])
    return _outcome(work, place, settled, said), settled


async def _retired(
    work: _Work, ctx: Context, place: int, levels: dict[UUID | int, str]
) -> PriorOutcome:
    """A fault that is gone: on its owner's word, an operator's, or that of two (RULES 2.3)."""
    prior = await _prior(work, ctx, work.command.retired[place].id, levels)
    if prior.row.kind != "data_quality":
        raise InvalidInput(faults=[Fault(f"/retired/{place}/id", "is no fault of the data")])
    _check_seen(work, prior, -2 - place)
    word, _ = _word(work, ctx, prior, -2 - place)
    mark, row = prior.target.mark, prior.row
    operator = work.command.speaker == "operator"
    rule = await gone_rule(
        ctx, mark.scope_id, row.memory_id, work.source.canonical, operator=operator
    )
    if rule == ONCE:
        await note_gone(ctx, mark, row, word.trust, word.confidence)
        return await _was(ctx, prior, None, "noted", rule)
    # The rule ends it, at whatever grade it is held.
    word = replace(word, trust=prior.row.trust, rule=rule)
    settled = await end_prior(ctx, prior, word.observed_at, word)
    return await _was(ctx, prior, settled, "retracted", rule)


async def _was(
    ctx: Context, prior: Prior, settled: Settled | None, became: Became, rule: str | None = None
) -> PriorOutcome:
    named = rule or ("" if settled is None else settled.rule)
    by = None if settled is None or settled.memory_id == prior.row.memory_id else settled.memory_id
    scope_id = prior.target.mark.scope_id
    return PriorOutcome(
        id=prior.row.memory_id,
        became=became,
        rule=named,
        why=why(became, named, anew=became == "confirmed" and await begun_anew(ctx, prior)),
        by=by,
        confirmations=await confirmations(ctx, scope_id, prior.row.memory_id),
    )


async def _noted(work: _Work, ctx: Context, notes: Notes) -> UUID:
    command = work.command
    mark = await lock_scope(ctx, work.scopes["user"])
    again = command.revalidation
    new = NewAnalysis(
        session_pk=work.reporting.session_pk,
        data_source=work.source.canonical,
        mode=command.mode,
        question=notes.question,
        fingerprint=command.fingerprint,
        battery=notes.battery,
        unknowns=notes.unknowns,
        answered=notes.answered,
        outcome=None if again is None else again.outcome,
        agent_id=command.agent_id,
        analysed_at=command.analysed_at or ctx.now,
        category=command.category,
    )
    analysis_id = await write_analysis(ctx, mark, new)
    ctx.trail.about += [analysis_id, new.session_pk]
    return analysis_id


def _trail(
    ctx: Context,
    analysis_id: UUID,
    command: ReportAnalysis,
    found: Sequence[FindingOutcome],
    prior: PriorOutcome | None,
    retired: Sequence[PriorOutcome],
) -> None:
    before = [*([] if prior is None else [prior]), *retired]
    held = [one.id for one in found if one.id is not None]
    replaced = [one for each in found for one in each.superseded]
    ctx.trail.subjects += dict.fromkeys(
        [analysis_id, *held, *replaced, *(one.id for one in before)]
    )
    ctx.trail.detail |= {
        "mode": command.mode,
        "findings": dict(Counter(one.became for one in found)),
        "before": dict(Counter(one.became for one in before)),
    }


OPERATIONS = (
    Operation(
        name="analysis.report",
        summary="Report what an analysis of a data source found and ran",
        command=ReportAnalysis,
        result=AnalysisReported,
        handler=report,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/analysis/report"),
        errors=(NotFound, NotHeld, WritesRefused),
        columns=("findings.became", "findings.why", "findings.id"),
    ),
)
