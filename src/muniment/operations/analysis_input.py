"""What is reported of an analysis, without secrets, and without what reads like an instruction."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from json import dumps
from typing import Annotated, Any, Literal, Protocol
from uuid import UUID

from annotated_types import Ge, Le, MaxLen

from muniment.domain.instructions import is_suspect
from muniment.domain.memory import Label
from muniment.domain.mode import Mode, Revision
from muniment.domain.policy import Category
from muniment.domain.trust import Trust
from muniment.errors import Fault
from muniment.operations.analysis_steps import BatteryStep
from muniment.operations.citing import Speaker
from muniment.operations.types import Identifier, Instant, Metadata, Statement, Text, Turn, command
from muniment.ports import Context
from muniment.records.apart import worked_out
from muniment.records.scopes import DEFAULT_NAMESPACE
from muniment.records.secrets import Cleaner

Battery = Annotated[tuple[BatteryStep, ...], MaxLen(100)]


@command
class ReportedTurn:
    """A turn of the user that says it."""

    session_id: Identifier
    turn: Turn


ReportedTurns = Annotated[tuple[ReportedTurn, ...], MaxLen(100)]


@command
class ReportedFinding:
    """A finding, or a fault of the data (``data_quality``), which is the organisation's.

    ``label`` says how it was found; nobody sets a number (RULES 7.1). ``evidence`` are turns of the
    user that say it.
    """

    text: Statement
    label: Label
    kind: Literal["finding", "data_quality"] = "finding"
    detail: Text | None = None
    evidence: ReportedTurns = ()
    metadata: Metadata = field(default_factory=dict)


@command
class Revalidation:
    """What a test of an earlier finding (``id``) came to. ``finding``: which one of those reported
    now takes its place, counted from 0, where it was invalidated.
    """

    id: UUID
    outcome: Revision
    finding: Annotated[int, Ge(0), Le(49)] | None = None
    evidence: ReportedTurns = ()


@command
class Retirement:
    """A fault of the data that is gone. Its owner's word ends it, or that of two principals."""

    id: UUID
    evidence: ReportedTurns = ()


class Reported(Protocol):
    """What cites turns."""

    @property
    def evidence(self) -> tuple[ReportedTurn, ...]: ...


@command
class ReportAnalysis:
    """What an analysis of a data source came to, in a session of a user.

    ``battery`` is what it ran, which ``re-run`` repeats and ``extend`` skips; ``unknowns`` are what
    it left open, ``answered`` what had been open. ``fingerprint`` names the state of the data.
    ``retired``: faults of the data that are gone. ``analysed_at``: when, if not now.
    """

    user_id: Identifier
    session_id: Identifier
    data_source: Identifier
    mode: Mode = "fresh"
    question: Text | None = None
    findings: Annotated[tuple[ReportedFinding, ...], MaxLen(50)] = ()
    battery: Battery = ()
    unknowns: Annotated[tuple[Statement, ...], MaxLen(50)] = ()
    answered: Annotated[tuple[Statement, ...], MaxLen(50)] = ()
    revalidation: Revalidation | None = None
    retired: Annotated[tuple[Retirement, ...], MaxLen(20)] = ()
    fingerprint: Identifier | None = None
    analysed_at: Instant | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    agent_id: Identifier | None = None
    speaker: Speaker = "assistant"
    category: Category = "personal"


@dataclass(frozen=True)
class Notes:
    """What is kept of an analysis besides its findings."""

    question: str | None
    battery: Sequence[dict[str, Any]]
    unknowns: Sequence[str]
    answered: Sequence[str]


async def cleaned(
    command: ReportAnalysis, ctx: Context
) -> tuple[ReportAnalysis, tuple[Fault, ...]]:
    """The report without secrets, and where there were some."""
    return await worked_out(len(repr(command)), partial(_cleaned, command, ctx))


def _cleaned(command: ReportAnalysis, ctx: Context) -> tuple[ReportAnalysis, tuple[Fault, ...]]:
    found: list[Fault] = []

    def texts(pointer: str, one: Any) -> Any:
        cleaner = Cleaner(ctx.redactor)
        clean = cleaner.metadata(one) if isinstance(one, dict) else cleaner.text(one)
        if cleaner.kinds:
            kinds = ", ".join(cleaner.kinds)
            found.append(Fault(pointer, f"held a secret ({kinds}), which is not stored"))
        return clean

    def walk(pointer: str, one: Any, names: Sequence[str]) -> Any:
        given = {name: getattr(one, name) for name in names}
        changed = {
            name: texts(f"{pointer}/{name}", value)
            for name, value in given.items()
            if value is not None
        }
        return replace(one, **changed)

    report: Any = walk("", command, ("question",))
    clean = replace(
        report,
        findings=tuple(
            walk(f"/findings/{at}", one, ("text", "detail", "metadata"))
            for at, one in enumerate(report.findings)
        ),
        battery=tuple(
            walk(f"/battery/{at}", one, ("step", "parameters"))
            for at, one in enumerate(report.battery)
        ),
        **{
            name: tuple(texts(f"/{name}/{at}", one) for at, one in enumerate(getattr(report, name)))
            for name in ("unknowns", "answered")
        },
    )
    return clean, tuple(found)


def notes_of(report: ReportAnalysis) -> tuple[Notes, list[Fault]]:
    """What is kept, and where something reads like an instruction, which is not: it would stand in
    a prompt one day.
    """
    trust: Trust = "operator" if report.speaker == "operator" else "agent_inferred"
    left_out: list[Fault] = []

    def kept(pointer: str, *said: str) -> bool:
        if is_suspect(said, trust):
            left_out.append(Fault(pointer, "reads like an instruction and is not kept"))
            return False
        return True

    question = report.question
    if question is not None and not kept("/question", question):
        question = None
    battery = [
        {one.name: getattr(step, one.name) for one in fields(step)}
        for at, step in enumerate(report.battery)
        if kept(f"/battery/{at}", step.step, dumps(step.parameters, ensure_ascii=False))
    ]
    lists = {
        name: [text for at, text in enumerate(getattr(report, name)) if kept(f"/{name}/{at}", text)]
        for name in ("unknowns", "answered")
    }
    return Notes(question, battery, lists["unknowns"], lists["answered"]), left_out
