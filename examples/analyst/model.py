"""A language model as the policy, where MUNIMENT_EXAMPLE_MODEL names one for Pydantic AI."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models import KnownModelName, Model

from examples.analyst.policy import Mode
from examples.analyst.steps import GROWTH, RANKING, Step
from muniment.client.models import AnalysisPlan

_TASK = """You plan one analysis of employment figures. The text says what is known of the data \
source, which mode holds, and what the plan must account for. Answer with what is asked for."""
_MOST_STEPS = 5


class ChosenMode(BaseModel):
    """What to do with the prior findings."""

    mode: Mode


class ChosenStep(BaseModel):
    """One step; ``sector`` only for growth over a year."""

    name: Literal["growth over a year", "sectors ranked by growth over a year"]
    sector: str | None = None


class ChosenSteps(BaseModel):
    """The steps that answer the question, and no others."""

    steps: list[ChosenStep]


class Modelled:
    """Asks a model. What it answers is checked: an unknown sector is left out."""

    def __init__(self, model: Model | KnownModelName | str) -> None:
        self._modes = Agent(model, output_type=ChosenMode, instructions=_TASK)
        self._steps = Agent(model, output_type=ChosenSteps, instructions=_TASK)

    def mode(self, question: str, plan: AnalysisPlan) -> Mode:
        """What the model chooses of the four."""
        return asyncio.run(self._modes.run(_asked(question, plan))).output.mode

    def steps(self, question: str, plan: AnalysisPlan, sectors: Sequence[str]) -> Sequence[Step]:
        """What the model chooses of the two steps, a few at most; every sector if nothing fits."""
        names = f"{_asked(question, plan)}\n\nSectors: {', '.join(sectors)}"
        chosen = asyncio.run(self._steps.run(names)).output.steps[:_MOST_STEPS]
        steps = [
            Step(GROWTH, one.sector) if one.name == GROWTH else Step(RANKING)
            for one in chosen
            if one.name == RANKING or one.sector in sectors
        ]
        return steps or [Step(RANKING)]


def _asked(question: str, plan: AnalysisPlan) -> str:
    return f"{plan.text}\n\nQuestion: {question}"
