"""Whether what a person tells an assistant is lasting: evidence for and against it, weighed.

No single rule tells a plan from a joke about one, or a fact from the small talk around it. Each
sign counts by a weight; the sum decides, and the sign that spoke most against names the rule.
"""

from collections.abc import Set as AbstractSet
from typing import Final

from muniment.domain.gate.cues import Reason
from muniment.domain.gate.signweights import BIAS, WEIGHTS

LEAST: Final = -65
"""What a turn weighs at least that is kept, in hundredths."""
ENOUGH: Final = 20
"""What a turn weighs at least that is kept though a rule of sentences would let it go."""
LEAST_AT_FIRST: Final = -330
"""What a turn weighs at least that follows none of an agent: nothing tells to whom it is said."""
LEAST_PLAIN: Final = -150
"""What a turn weighs at least that follows an agent's, and that nothing casts doubt on."""

_DOUBTS: Final = (
    "form.asks_first",
    "form.if",
    "form.let_us",
    "form.order",
    "form.please",
    "form.reported",
    "form.so_much",
    "form.would",
    "mark.asks",
    "mark.laugh",
    "mark.quote",
    "register.brings",
    "register.echoes",
    "register.mood",
    "register.plays",
    "register.supposes",
    "rest.0",
    "rest.asks",
    "rule.aside",
    "rule.offhand",
    "rule.question",
    "rule.request",
    "word.ack",
    "word.asking",
    "word.bye",
    "word.mood",
    "word.scene",
    "word.suppose",
)
"""What says that a turn is of a class that is let go (RULES 10): a question, a request, a mood,
play, filler, an echo. Without one of these it is a statement, and what it weighs decides only where
it is far below what a statement weighs.
"""
_AGAINST: Final = {
    Reason.QUESTION: (
        "rest.asks",
        "mark.asks",
        "word.asking",
        "form.asks_first",
        "form.does_it",
        "rest.0",
    ),
    Reason.BARE_REQUEST: ("form.order", "word.chore", "form.verb", "word.task", "word.again"),
    Reason.MOOD: ("register.mood", "word.mood"),
}


def weight_of(found: AbstractSet[str]) -> int:
    """What the signs of a turn weigh together, in hundredths; what is lasting weighs more."""
    return BIAS + sum(WEIGHTS.get(sign, 0) for sign in found)


def least_of(found: AbstractSet[str], *, after_agent: bool) -> int | None:
    """What a turn with these signs weighs at least that is kept; None where weight says nothing."""
    if doubted(found):
        return LEAST if after_agent else LEAST_AT_FIRST
    return LEAST_PLAIN if after_agent else None


def doubted(found: AbstractSet[str]) -> bool:
    """Whether anything says that a turn is of a class that is let go."""
    return any(sign.startswith(_DOUBTS) for sign in found)


def against(found: AbstractSet[str]) -> tuple[Reason, str]:
    """Why a turn with these signs is let go, and the sign that weighs most against it."""
    sign = min(sorted(found), key=lambda one: WEIGHTS.get(one, 0))
    for reason, signs in _AGAINST.items():
        if sign.startswith(signs):
            return reason, f"evidence.{sign}"
    return Reason.FILLER, f"evidence.{sign}"
