"""What decides in the agent's loop: a script, or a model where one is named."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Protocol

from examples.analyst.steps import GROWTH, RANKING, REVISIONS, Step
from muniment.client.models import AnalysisPlan, BatteryStep

Mode = Literal["fresh", "extend", "revalidate", "re-run"]

INCOMPLETE = "The {count} latest months of {sector} are incomplete until late reports arrive."
COUNTS = {"one": 1, "two": 2, "three": 3}
_INCOMPLETE = re.compile(r"The (one|two|three) latest months of ([a-z ]+) are incomplete")


class Policy(Protocol):
    """Chooses where the loop leaves a choice."""

    def mode(self, question: str, plan: AnalysisPlan) -> Mode:
        """One of the plan's modes, where its gate is open."""

    def steps(self, question: str, plan: AnalysisPlan, sectors: Sequence[str]) -> Sequence[Step]:
        """What is run, before the plan's workarounds are applied to it."""


class Scripted:
    """Revalidates what is known; else runs what the question names, and all sectors."""

    def mode(self, question: str, plan: AnalysisPlan) -> Mode:
        """A test of what is known where there is something to test about what is asked."""
        near = plan.findings and question
        return "revalidate" if near and "revalidate" in plan.gate.choices else "fresh"

    def steps(self, question: str, plan: AnalysisPlan, sectors: Sequence[str]) -> Sequence[Step]:
        """The recorded step of the confirmatory test; else growth of each sector that is named."""
        if plan.confirm is not None and plan.confirm.step is not None:
            return [recorded(plan.confirm.step)]
        named = [one for one in sectors if spoken(one) in question.lower()]
        return [*(Step(GROWTH, one) for one in named), Step(RANKING)]


def recorded(step: BatteryStep) -> Step:
    """A step as an earlier report has it."""
    return Step(step.step, step.parameters.get("sector"))


def spoken(sector: str) -> str:
    """A sector as people write it."""
    return sector.replace("_", " ")


def workarounds(plan: AnalysisPlan) -> dict[str, int]:
    """How many of the latest months are left out of which sector, by what the plan requires."""
    found = (_INCOMPLETE.match(one.text) for one in plan.required_workarounds)
    return {one[2].replace(" ", "_"): COUNTS[one[1]] for one in found if one is not None}


def with_workarounds(steps: Sequence[Step], leave_out: dict[str, int]) -> list[Step]:
    """The steps with what the workarounds leave out."""
    return [
        one
        if one.name == REVISIONS
        else replace(one, without={k: v for k, v in leave_out.items() if one.sector in (None, k)})
        for one in steps
    ]
