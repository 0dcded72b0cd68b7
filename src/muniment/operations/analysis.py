"""analysis.plan: what to do with prior work on a data source, and what a plan has to know of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from json import dumps
from typing import Annotated, Literal
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain.fence import Fence
from muniment.domain.mode import CHOICES, Decision, Known, Mode, Situation, choose
from muniment.domain.mode.situation import Fingerprint
from muniment.domain.plan_text import Line, Planned, plan_text
from muniment.errors import Forbidden, NotFound
from muniment.operations.analysis_prior import (
    LeftOut,
    OnDataSource,
    Prior,
    Section,
    nearest,
    prior_work,
)
from muniment.operations.analysis_steps import BatteryStep
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Identifier, Text, command
from muniment.ports import Context, ScopeRow
from muniment.records.analyses import (
    AnalysisRow,
    OnSource,
    analyses_on,
    held_on,
)
from muniment.records.fences import fence_of
from muniment.records.recall_notes import Told, logged_item, note_recall
from muniment.records.run_inputs import Question, Seen, asked, remember_inputs, step_of
from muniment.records.runs import run_named
from muniment.records.scopes import DEFAULT_NAMESPACE, reader_scopes
from muniment.records.sources import SourceNames, source_names


@command
class PlanAnalysis:
    """A question about a data source, by any of its names.

    ``mode``: the user's choice; ``auto`` infers one; without one, three or more prior findings open
    the gate. ``fingerprint`` names the state of the data, as reports do. An open run whose
    ``run_id`` is given is told when something of the answer does not hold any more.
    """

    user_id: Identifier
    data_source: Identifier
    question: Text
    mode: Literal["fresh", "extend", "revalidate", "re-run", "auto"] | None = None
    fingerprint: Identifier | None = None
    k: Annotated[int, Ge(1), Le(100)] = 10
    namespace: Identifier = DEFAULT_NAMESPACE
    session_id: Identifier | None = None
    run_id: Identifier | None = None
    step: Annotated[int, Ge(0), Le(2**31 - 1)] | None = None
    agent_id: Identifier | None = None


@dataclass(frozen=True)
class PlanReason:
    """Why a mode: a code, and the same in words."""

    code: str
    words: str


@dataclass(frozen=True)
class PlanGate:
    """``open``: there are so many prior findings (``count``) that the user chooses."""

    open: bool
    choices: tuple[Mode, ...]
    count: Count


@dataclass(frozen=True)
class ConfirmatoryTest:
    """What is to be confirmed, and the step that is nearest to it, if one was recorded."""

    memory: OnDataSource
    step: BatteryStep | None


@dataclass(frozen=True)
class AnalysisPlan:
    """The mode, who decided it and why, and what belongs to it.

    ``required_workarounds`` are there in every mode, what recurred first; ``unconfirmed`` ones do
    not bind yet. ``findings``: none in ``fresh``, none that is stale in ``extend``. ``left_out``:
    what there is besides. ``text`` is for a planning prompt.
    """

    data_source: str
    mode: Mode | None
    decided_by: Literal["user", "inferred", "default"]
    reasons: tuple[PlanReason, ...]
    gate: PlanGate
    required_workarounds: tuple[OnDataSource, ...]
    unconfirmed: tuple[OnDataSource, ...]
    findings: tuple[OnDataSource, ...]
    skip_steps: tuple[BatteryStep, ...]
    open_unknowns: tuple[str, ...]
    confirm: ConfirmatoryTest | None
    battery: tuple[BatteryStep, ...]
    preferences: tuple[OnDataSource, ...]
    patterns: tuple[OnDataSource, ...]
    left_out: tuple[LeftOut, ...]
    text: str
    recall_id: UUID


async def plan(command: PlanAnalysis, ctx: Context) -> AnalysisPlan:
    """An unknown user or source has nothing: ``fresh``."""
    source = await source_names(ctx, command.data_source)
    scopes = await reader_scopes(ctx, command.user_id, command.namespace, org=True)
    at = max([ctx.now, *(scope.watermark for scope in scopes)])
    rows = await held_on(ctx, scopes, source, at)
    own = [scope for scope in scopes if scope.level == "user"]
    analyses = await analyses_on(ctx, own[0].scope_id, source) if own else []
    prior = prior_work(ctx, rows, {scope.scope_id: scope.level for scope in scopes}, analyses)
    situation = _situation(command, ctx, prior, analyses)
    decision = choose(command.mode, situation)
    found = _answer(command, ctx, source, prior, situation, decision)
    await _note(command, ctx, scopes, rows, found)
    return found


def _situation(
    command: PlanAnalysis, ctx: Context, prior: Prior, analyses: Sequence[AnalysisRow]
) -> Situation:
    fingerprint: Fingerprint = "unknown"
    known = next((one.fingerprint for one in analyses if one.fingerprint is not None), None)
    if known is not None and command.fingerprint is not None:
        fingerprint = "same" if known == command.fingerprint else "changed"
    return Situation(
        question=command.question,
        now=ctx.now,
        findings=[_known(one) for one in prior.findings],
        flags=[_known(one) for one in (*prior.required, *prior.unconfirmed)],
        steps=[one.step for one in prior.steps],
        unknowns=prior.unknowns,
        last_at=analyses[0].analysed_at if analyses else None,
        fingerprint=fingerprint,
        language=ctx.language,
    )


def _known(one: OnDataSource) -> Known:
    return Known(one.text, one.confidence, one.as_of, one.stale)


def _answer(
    command: PlanAnalysis,
    ctx: Context,
    source: SourceNames,
    prior: Prior,
    situation: Situation,
    decision: Decision,
) -> AnalysisPlan:
    mode = decision.mode
    test = _test(prior, situation) if mode == "revalidate" else None
    ranked = sorted(
        prior.findings, key=lambda one: (-situation.closeness(one.text), -one.confidence)
    )
    findings = {
        "fresh": [],
        "extend": [one for one in ranked if not one.stale],
        "revalidate": [] if test is None or test.memory.kind != "finding" else [test.memory],
    }.get(mode or "", ranked)[: command.k]
    extends = mode == "extend"
    found = AnalysisPlan(
        data_source=source.canonical,
        mode=mode,
        decided_by=decision.decided_by,
        reasons=tuple(PlanReason(one.code, one.words) for one in decision.reasons),
        gate=PlanGate(decision.gate_open, CHOICES, prior.count("finding")),
        required_workarounds=tuple(prior.required),
        unconfirmed=nearest(prior.unconfirmed, situation),
        findings=tuple(findings),
        skip_steps=tuple(prior.steps) if extends else (),
        open_unknowns=tuple(prior.unknowns) if extends else (),
        confirm=test,
        battery=tuple(prior.battery) if mode == "re-run" else (),
        preferences=nearest(prior.preferences, situation),
        patterns=nearest(prior.patterns, situation),
        left_out=(),
        text="",
        recall_id=ctx.ids.new(),
    )
    found = replace(found, left_out=_left_out(found, prior))
    return _with_text(found, fence_of(ctx, command.run_id))


def _left_out(found: AnalysisPlan, prior: Prior) -> tuple[LeftOut, ...]:
    """What there is besides; of findings, of those that the mode tells of."""
    there: tuple[tuple[Section, int, int], ...] = (
        ("unconfirmed", prior.count("unconfirmed"), len(found.unconfirmed)),
        ("preferences", prior.count("user_preference"), len(found.preferences)),
        ("patterns", prior.count("domain_pattern"), len(found.patterns)),
    )
    if found.mode not in {"fresh", "revalidate"}:
        findings = prior.count("finding", current=found.mode == "extend")
        there = (("findings", findings, len(found.findings)), *there)
    return tuple(LeftOut(name, all_ - told) for name, all_, told in there if all_ > told)


def _test(prior: Prior, situation: Situation) -> ConfirmatoryTest | None:
    """The most relevant finding, or the fault of the data that the question is about."""
    target = situation.target
    known = (*prior.findings, *prior.required, *prior.unconfirmed)
    memory = next((one for one in known if _known(one) == target), None)
    if memory is None:
        return None
    words = situation.stems(memory.text)
    likeness = [
        (len(words & situation.stems(f"{one.step} {dumps(one.parameters)}")), -at)
        for at, one in enumerate(prior.steps)
    ]
    best = max(likeness, default=(0, 0))
    return ConfirmatoryTest(memory, prior.steps[-best[1]] if best[0] else None)


def _with_text(found: AnalysisPlan, fence: Fence) -> AnalysisPlan:
    test = found.confirm
    told = found.findings if test is None else (test.memory,)
    planned = Planned(
        mode=found.mode,
        required=[_line(one) for one in found.required_workarounds],
        unconfirmed=[_line(one) for one in found.unconfirmed],
        findings=[_line(one, sure=True) for one in told],
        skip=[_step(one) for one in found.skip_steps],
        unknowns=[Line(text) for text in found.open_unknowns],
        test=[] if test is None or test.step is None else [_step(test.step)],
        battery=[_step(one) for one in found.battery],
        preferences=[_line(one) for one in found.preferences],
        patterns=[_line(one) for one in found.patterns],
        more={one.section: one.count for one in found.left_out},
    )
    return replace(found, text=plan_text(planned, fence))


def _line(one: OnDataSource, *, sure: bool = False) -> Line:
    confidence = one.confidence if sure else None
    contested = bool(one.contested_by)
    return Line(one.text, one.as_of, None, one.is_durative, one.stale, confidence, contested)


def _step(one: BatteryStep) -> Line:
    parameters = dumps(one.parameters, ensure_ascii=False) if one.parameters else None
    return Line(one.step, also=parameters)


async def _note(
    command: PlanAnalysis,
    ctx: Context,
    scopes: Sequence[ScopeRow],
    rows: Sequence[OnSource],
    found: AnalysisPlan,
) -> None:
    """An answer like that of a recall: logged, its items used, and inputs of its run."""
    run = await run_named(ctx, command.run_id)
    step = step_of(run, command.user_id, command.step)
    shown = {
        one.id
        for part in (found.required_workarounds, found.unconfirmed, found.findings)
        for one in part
    }
    shown |= {one.id for one in (*found.preferences, *found.patterns)}
    told = [row for row in rows if row.id in shown]
    marks = {scope.scope_id: scope.watermark for scope in scopes}
    watermark = max(marks.values(), default=ctx.now)
    items = [logged_item(row.id, "semantic", None) for row in told]
    levels = {scope.level: scope.watermark for scope in scopes}
    note = Told(
        recall_id=found.recall_id,
        user_id=command.user_id,
        session_id=command.session_id,
        run_id=command.run_id,
        step=step,
        agent_id=command.agent_id,
        tiers=["semantic"],
        k=command.k,
        as_of=ctx.now,
        known_at=watermark,
        watermark=watermark,
        items=items,
        used=[(row.scope_id, row.id) for row in told],
        user_watermark=levels.get("user"),
        org_watermark=levels.get("org"),
    )
    await note_recall(ctx, scopes, note)
    if command.run_id is not None:
        current = [row for row in told if not row.stale(ctx.now)]
        seen = [
            Seen(
                row.id, row.scope_id, "semantic", marks[row.scope_id], row.expires_at, row.valid_to
            )
            for row in current
        ]
        question = Question(asked(ctx, "analysis.plan", command), step)
        await remember_inputs(ctx, run, question, seen)


OPERATIONS = (
    Operation(
        name="analysis.plan",
        summary="Decide what to do with prior work on a data source",
        command=PlanAnalysis,
        result=AnalysisPlan,
        handler=plan,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("POST", "/v1/analysis/plan"),
        errors=(Forbidden, NotFound),
    ),
)
