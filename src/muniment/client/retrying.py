"""When a request is sent again: the service said that it may be, and how soon."""

from collections.abc import Mapping
from dataclasses import dataclass

_AGAIN = frozenset({429, 503})
_FIRST = 0.25


@dataclass(frozen=True)
class Retrying:
    """At most so many ``retries``, none after a pause of more than ``longest`` seconds.

    Every write has an idempotency key, so that a request may be sent again whatever became of it.
    """

    retries: int
    longest: float

    def pause(
        self, status: int, headers: Mapping[str, str], tried: int, chance: float
    ) -> float | None:
        """Seconds until the request is sent again after it was tried so often; None if it is not.

        Never sooner than ``Retry-After`` asks, and later by a ``chance`` in [0, 1), so that those
        who were refused together do not come back together.
        """
        if status not in _AGAIN or tried > self.retries:
            return None
        asked = _seconds(headers.get("retry-after", ""))
        if asked > self.longest:
            return None
        spread = _FIRST * float(2 ** (tried - 1))
        return min(asked + spread * (chance if asked else 0.5 + chance / 2), 2 * self.longest)


def _seconds(text: str) -> float:
    """What the header asks for; nothing, where it is a date or no number."""
    text = text.strip()
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0
