"""What is known of a data source as text for a planning prompt (RULES 13.3).

Data stands between marks (``fence``), and every line outside of them is one of these. ``fresh``
tells no finding.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from muniment.domain.fence import Fence
from muniment.domain.mode import CHOICES, Mode

REQUIRED: Final = """## Known Data Issues -- Required Workarounds
Your plan MUST account for these first."""
ACCOUNT: Final = "  -> Account for this in your plan before running any related steps."
UNCONFIRMED: Final = """## Possible Data Issues -- Unconfirmed
Reported once and confirmed by nobody. Check each before you rely on the data that it is about."""
_MODES: Final = {
    "fresh": """## Mode: fresh
Plan from the data alone. No earlier result is given here, and none is to be assumed.""",
    "extend": """## Mode: extend
Build on the findings below. Skip the listed steps, and go for what is not known yet.""",
    "revalidate": """## Mode: revalidate
Run one confirmatory test of the finding below, then stop and report what came of it.""",
    "re-run": """## Mode: re-run
Repeat the battery below unchanged: the same steps, in this order, with these parameters.""",
}
_CHOOSE: Final = """## Choose a Mode
There is prior work on this data source. Ask the user which mode it shall be before you plan: """
_LACKS: Final = {
    "extend": "No finding is current enough to build on.",
    "revalidate": "No finding is recorded.",
    "re-run": "No battery is recorded.",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of data with its date; ``also`` is more data that goes with it."""

    text: str
    as_of: datetime | None = None
    also: str | None = None
    durative: bool = False
    stale: bool = False
    confidence: float | None = None
    contested: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """All that a plan is told, by section, in its order. ``more``: how many a section has that are
    not told.
    """

    mode: Mode | None
    required: Sequence[Line] = ()
    unconfirmed: Sequence[Line] = ()
    findings: Sequence[Line] = ()
    skip: Sequence[Line] = ()
    unknowns: Sequence[Line] = ()
    test: Sequence[Line] = ()
    battery: Sequence[Line] = ()
    preferences: Sequence[Line] = ()
    patterns: Sequence[Line] = ()
    more: Mapping[str, int] = field(default_factory=dict)


def plan_text(planned: Planned, fence: Fence) -> str:
    """The sections that there is something for; the mode is always told."""
    blocks = [fence.legend]
    if planned.required:
        lines = [f"{_line(one, fence)}\n{ACCOUNT}" for one in planned.required]
        blocks.append("\n\n".join([REQUIRED, "\n".join(lines)]))
    if planned.unconfirmed:
        more = planned.more.get("unconfirmed", 0)
        blocks.append(_listed(UNCONFIRMED, planned.unconfirmed, fence, more=more))
    blocks += _of_mode(planned, fence)
    if planned.preferences:
        more = planned.more.get("preferences", 0)
        blocks.append(_listed("## Preferences of the User", planned.preferences, fence, more=more))
    if planned.patterns:
        title, more = "## How This Data Is Worked With", planned.more.get("patterns", 0)
        blocks.append(_listed(title, planned.patterns, fence, more=more))
    return "\n\n".join(blocks) + "\n"


def _of_mode(planned: Planned, fence: Fence) -> Iterator[str]:
    mode = planned.mode
    if mode is None:
        yield f"{_CHOOSE}{', '.join(CHOICES)}."
        more = planned.more.get("findings", 0)
        yield _listed("### Findings so far", planned.findings, fence, more=more)
        return
    yield _MODES[mode]
    sections: dict[str, Sequence[tuple[str, Sequence[Line]]]] = {
        "fresh": (),
        "extend": (
            ("### Findings to build on", planned.findings),
            ("### Steps to skip", planned.skip),
            ("### What is not known yet", planned.unknowns),
        ),
        "revalidate": (
            ("### Finding to confirm", planned.findings[:1]),
            ("### How it was tested", planned.test),
        ),
        "re-run": (("### Battery", planned.battery),),
    }
    told = sections[mode]
    if told and not told[0][1]:
        yield _LACKS[mode]
    for title, lines in told:
        if lines:
            more = planned.more.get("findings", 0) if lines is planned.findings else 0
            yield _listed(title, lines, fence, numbered=mode == "re-run", more=more)


def _listed(
    title: str, lines: Sequence[Line], fence: Fence, *, numbered: bool = False, more: int = 0
) -> str:
    rows = [
        _line(one, fence, f"{at}." if numbered else "-") for at, one in enumerate(lines, start=1)
    ]
    if more:
        rows.append(f"({more} more, not told here.)")
    return "\n\n".join([title, "\n".join(rows)])


def _line(one: Line, fence: Fence, bullet: str = "-") -> str:
    also = "" if one.also is None else f" {fence.around(one.also)}"
    marks = []
    if one.durative:
        marks.append("recurring")
    if one.confidence is not None:
        marks.append(f"confidence {one.confidence:.2f}")
    if one.as_of is not None:
        marks.append(f"as of {one.as_of.astimezone(UTC).date().isoformat()}")
    if one.contested:
        marks.append("contested")
    if one.stale:
        marks.append("past its time; confirm")
    return f"{bullet} {fence.around(one.text)}{also}" + (f" ({'; '.join(marks)})" if marks else "")
