"""What to do with prior work on a data source: the decision after retrieval (RULES 13)."""

from muniment.domain.mode.decide import CHOICES, GATE, Decision, Reason, Revision, choose
from muniment.domain.mode.situation import Known, Mode, Situation

__all__ = [
    "CHOICES",
    "GATE",
    "Decision",
    "Known",
    "Mode",
    "Reason",
    "Revision",
    "Situation",
    "choose",
]
