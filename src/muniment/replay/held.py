"""A clock that moves only when told to, and bytes and ids that follow from a name."""

from datetime import datetime
from hashlib import sha256


class HeldClock:
    """Implements ``ports.Clock``; ``moment`` is what it says."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


class SeededEntropy:
    """Implements ``ports.Entropy`` with bytes that follow from a seed. Not fit for secrets."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def restart(self, seed: str) -> None:
        """Begin again, from another seed."""
        self._seed, self._count = seed, 0

    def bytes(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            self._count += 1
            found += sha256(f"{self._seed}:{self._count}".encode()).digest()
        return found[:count]
