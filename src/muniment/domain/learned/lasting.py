"""Whether what a person tells an assistant is worth keeping, by its wording alone."""

import math
from typing import Final

from muniment.domain.learned import learned

_TABLE: Final = "turns"
_KEPT: Final = "keep"
_LEAST_SHARE: Final = 0.01
_KNOWN: Final = 0.5


def lasting_odds(text: str) -> float:
    """The natural logarithm of the odds, -4.6 to 4.6, that a careful reader would keep a turn, or
    a sentence, of this wording (RULES 10). 0, which says nothing, where most words are unknown.
    """
    reading = learned(_TABLE).read(text)
    if reading.known < _KNOWN:
        return 0.0
    share = min(max(reading.shares[_KEPT], _LEAST_SHARE), 1 - _LEAST_SHARE)
    return math.log(share / (1 - share))
