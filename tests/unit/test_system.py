"""The system's clock, randomness and ids (RFC 9562 5.7)."""

import threading
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis.strategies import datetimes, just

from muniment.domain.timeline import EPOCH, micros
from muniment.providers.system import SystemClock, SystemEntropy, TimeOrderedIds

MOMENT = datetime(2026, 5, 26, 9, 30, 0, 123_999, tzinfo=UTC)


class Held:
    """A clock that stands where it is put."""

    def __init__(self, moment: datetime = MOMENT) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


class Constant:
    """Entropy that is always the same byte."""

    def __init__(self, byte: int) -> None:
        self._byte = byte

    def bytes(self, count: int) -> bytes:
        return bytes([self._byte]) * count


def milliseconds(found: UUID) -> int:
    return found.int >> 80


@pytest.mark.parametrize("byte", [0x00, 0xFF])
def test_ids_rise_and_differ_within_one_millisecond(byte: int) -> None:
    """Whatever the random bits are: 100,000 with the clock standing still."""
    ids = TimeOrderedIds(Held(), Constant(byte))
    made = [ids.new() for _ in range(100_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert all(one.version == 7 and one.variant == "specified in RFC 4122" for one in made)


def test_the_time_is_in_front() -> None:
    first = TimeOrderedIds(Held(), Constant(0)).new()
    assert milliseconds(first) == micros(MOMENT) // 1000


@given(datetimes(min_value=EPOCH.replace(tzinfo=None), timezones=just(UTC)))
def test_the_millisecond_is_exact(moment: datetime) -> None:
    first = TimeOrderedIds(Held(moment), Constant(0xFF)).new()
    assert milliseconds(first) == micros(moment) // 1000
    assert (first.version, first.int >> 62 & 0b11) == (7, 0b10)


def test_a_clock_that_goes_back_does_not_take_ids_along() -> None:
    clock = Held()
    ids = TimeOrderedIds(clock, SystemEntropy())
    before = ids.new()
    clock.moment -= timedelta(hours=1)
    assert ids.new() > before
    clock.moment += timedelta(hours=2)
    after = ids.new()
    assert after > before
    assert milliseconds(after) == micros(clock.moment) // 1000


def test_random_bits_differ() -> None:
    tails = {TimeOrderedIds(Held(), SystemEntropy()).new().int & (2**62 - 1) for _ in range(100)}
    assert len(tails) == 100


def test_threads_never_make_the_same() -> None:
    ids = TimeOrderedIds(Held(), Constant(0))
    made: list[list[UUID]] = [[] for _ in range(4)]

    def work(into: list[UUID]) -> None:
        into.extend(ids.new() for _ in range(5_000))

    threads = [threading.Thread(target=work, args=[into]) for into in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one for into in made for one in into}) == 20_000
    assert all(into == sorted(into) for into in made)


def test_the_clock_is_in_utc() -> None:
    first, second = SystemClock().now(), SystemClock().now()
    assert first.tzinfo is UTC
    assert timedelta(0) <= second - first < timedelta(minutes=1)


@pytest.mark.parametrize("count", [0, 1, 32])
def test_entropy_has_the_length_asked_for(count: int) -> None:
    assert len(SystemEntropy().bytes(count)) == count


def test_entropy_differs() -> None:
    assert len({SystemEntropy().bytes(16) for _ in range(100)}) == 100
