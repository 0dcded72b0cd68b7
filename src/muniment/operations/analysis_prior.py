"""What is held on a data source, in its parts, and what was done there, for a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any, Final, Literal
from uuid import UUID

from muniment.domain.mode.situation import Situation
from muniment.domain.trust import Trust
from muniment.operations.analysis_steps import BatteryStep
from muniment.operations.types import Count, Instant, Level
from muniment.ports import Context
from muniment.records.analyses import MOST_ANALYSES, AnalysisRow, OnSource

_MOST_STEPS: Final = 100
_MOST_UNKNOWNS: Final = 50
MOST_ALIKE: Final = 20
MOST_CHARACTERS: Final = 1_000

Section = Literal["unconfirmed", "findings", "preferences", "patterns"]


@dataclass(frozen=True)
class OnDataSource:
    """A memory that bears on the plan. ``stale``: past its time, to be confirmed. ``shortened``:
    the text is the beginning of it; a fault that does not bind is told in so many characters.
    ``contested_by``: what says otherwise, at a lower grade or on one word alone.
    """

    id: UUID
    kind: str
    scope: Level
    text: str
    trust: Trust
    confidence: float
    is_durative: bool
    stale: bool
    as_of: Instant
    expires_at: Instant | None
    shortened: bool
    contested_by: tuple[UUID, ...]


@dataclass(frozen=True)
class LeftOut:
    """How many more there are in a section than are told."""

    section: Section
    count: Count


@dataclass(frozen=True)
class Prior:
    """What is held on the source, in its parts, and what was done there. ``counts``: how many there
    are of each kind, exactly, by whether they are past their time.
    """

    findings: Sequence[OnDataSource]
    required: Sequence[OnDataSource]
    unconfirmed: Sequence[OnDataSource]
    preferences: Sequence[OnDataSource]
    patterns: Sequence[OnDataSource]
    steps: Sequence[BatteryStep]
    unknowns: Sequence[str]
    battery: Sequence[BatteryStep]
    counts: Mapping[tuple[str, bool], int]

    def count(self, part: str, *, current: bool = False) -> int:
        """How many there are; ``current``: that are not past their time."""
        past = 0 if current else self.counts.get((part, True), 0)
        return self.counts.get((part, False), 0) + past


def prior_work(
    ctx: Context,
    rows: Sequence[OnSource],
    levels: Mapping[UUID, str],
    analyses: Sequence[AnalysisRow],
) -> Prior:
    """Of steps and open questions the latest; a question is open if the last that was said of it is
    that it is.
    """
    of: dict[str, list[OnDataSource]] = {}
    counts: dict[tuple[str, bool], dict[UUID, int]] = {}
    for row in rows:
        part = row.kind
        if part == "data_quality" and not row.binding:
            part = "unconfirmed"
        stale = row.stale(ctx.now)
        counts.setdefault((part, stale), {})[row.scope_id] = row.alike
        level: Level = "org" if levels[row.scope_id] == "org" else "user"
        of.setdefault(part, []).append(_told(row, level, short=part == "unconfirmed", stale=stale))
    whole = (one.battery for one in analyses if one.battery and one.mode != "revalidate")
    recent = analyses[:MOST_ANALYSES]
    steps = {_key(step): step for one in recent for step in _steps(one.battery)}
    return Prior(
        findings=of.get("finding", ()),
        required=sorted(of.get("data_quality", ()), key=lambda one: not one.is_durative),
        unconfirmed=of.get("unconfirmed", ()),
        preferences=of.get("user_preference", ()),
        patterns=of.get("domain_pattern", ()),
        steps=list(steps.values())[:_MOST_STEPS],
        unknowns=_open(recent)[:_MOST_UNKNOWNS],
        battery=_steps(next(whole, [])),
        counts={key: sum(each.values()) for key, each in counts.items()},
    )


def nearest(alike: Sequence[OnDataSource], situation: Situation) -> tuple[OnDataSource, ...]:
    """Those that are nearest to the question, as many as are told."""
    ranked = sorted(alike, key=lambda one: -situation.closeness(one.text))
    return tuple(ranked[:MOST_ALIKE])


def _told(row: OnSource, level: Level, *, short: bool, stale: bool) -> OnDataSource:
    shortened = short and len(row.text) > MOST_CHARACTERS
    return OnDataSource(
        id=row.id,
        kind=row.kind,
        scope=level,
        text=f"{row.text[:MOST_CHARACTERS]}..." if shortened else row.text,
        trust=row.trust,
        confidence=row.confidence,
        is_durative=row.is_durative,
        stale=stale,
        as_of=row.as_of,
        expires_at=row.expires_at,
        shortened=shortened,
        contested_by=tuple(row.contested_by or ()),
    )


def _open(analyses: Sequence[AnalysisRow]) -> list[str]:
    found: dict[str, bool] = {}
    for one in analyses:
        for text in one.answered:
            found.setdefault(text, False)
        for text in one.unknowns:
            found.setdefault(text, True)
    return [text for text, is_open in found.items() if is_open]


def _steps(battery: Sequence[dict[str, Any]]) -> list[BatteryStep]:
    return [BatteryStep(step=one["step"], parameters=one["parameters"]) for one in battery]


def _key(step: BatteryStep) -> str:
    return dumps([step.step, step.parameters], sort_keys=True)
