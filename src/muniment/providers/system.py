"""The world as it is: the system's clock, randomness, and ids made of both."""

import os
import threading
from datetime import UTC, datetime, timedelta
from uuid import UUID

from muniment.domain.timeline import micros
from muniment.ports import Clock, Entropy


class SystemClock:
    """Implements ``ports.Clock`` with the system's clock, ahead by so many seconds in a drill."""

    def __init__(self, shift_seconds: float = 0.0) -> None:
        self._shift = timedelta(seconds=shift_seconds)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._shift


class SystemEntropy:
    """Implements ``ports.Entropy`` with the system's generator."""

    def bytes(self, count: int) -> bytes:
        return os.urandom(count)


class TimeOrderedIds:
    """Implements ``ports.Ids``: UUID version 7 (RFC 9562 5.7), rising within a process.

    48 bits of milliseconds, 12 bits that count within one, 62 random bits.
    """

    def __init__(self, clock: Clock, entropy: Entropy) -> None:
        self._clock = clock
        self._entropy = entropy
        self._last = 0
        self._lock = threading.Lock()

    def new(self) -> UUID:
        moment = micros(self._clock.now()) // 1000
        with self._lock:
            # The count lives in the low 12 bits, so that running over moves the millisecond on.
            self._last = max(self._last + 1, moment << 12)
            stamp = self._last
        tail = int.from_bytes(self._entropy.bytes(8)) & (2**62 - 1)
        value = (stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0x2 << 62 | tail
        return UUID(int=value)
