"""Which of the turns that an application names a session has, and where the others go."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from muniment.client.models import WrittenTurn

# Too short for a secret, or of the form that ADK gives.
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BROKEN = re.compile("[\x00\ud800-\udfff]")
# How far the clock of who writes may be ahead of the service's.
_SKEW = timedelta(seconds=5)


@dataclass(frozen=True)
class NamedTurn:
    """What was said; ``at``: where it stands in what the application has of the session, where that
    is known. ``former``: under which other name it may stand there, without its secrets.
    """

    id: str
    at: int | None
    role: Literal["user", "assistant"]
    content: str
    occurred_at: datetime | None
    name: str | None
    former: str | None = None


def mark_of(name: str) -> tuple[str, str | None]:
    """An id as it is kept, by a digest where it might not come back as it is: then with what it was
    kept as before that.
    """
    if _PLAIN.fullmatch(name):
        return name, None
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"sha256:{digest}", _BROKEN.sub("\ufffd", name)


def instant_of(timestamp: float) -> datetime | None:
    """A time in seconds since 1970; None for one that no calendar has."""
    try:
        return datetime.fromtimestamp(timestamp, UTC)
    except (ValueError, OverflowError, OSError):
        return None


@dataclass
class Standing:
    """What stands in a session; ``barred`` are turns that hold something which is not listed.

    ``last``: when it was last written to, where that was asked.
    """

    turns: dict[int, WrittenTurn]
    free: int
    last: datetime | None = None
    barred: set[int] = field(default_factory=set)

    def has(self, turn: int | None) -> bool:
        """Whether nothing can be written there: it is taken, or before the first."""
        return turn is not None and (turn < 0 or turn in self.turns or turn in self.barred)

    def is_as(self, other: "Standing") -> bool:
        """Whether the same turns are taken."""
        mine, others = ((one.turns.keys(), one.free, one.barred) for one in (self, other))
        return mine == others


def known_among(said: Sequence[NamedTurn], there: Standing, mark: str) -> dict[int, int]:
    """Which of the turns, by their index, stand at which turn of the session.

    One that was withdrawn has lost its mark: it is known by who said it when, or by its place.
    """
    by_mark: dict[Any, int] = {}
    redacted: dict[Any, int] = {}
    for turn, one in there.turns.items():
        if isinstance(given := one.metadata.get(mark), str):
            by_mark.setdefault(given, turn)
            if "[redacted: " in given:
                redacted[one.occurred_at, one.role] = turn
    found: dict[int, int] = {}
    for index, named in enumerate(said):
        place = by_mark.get(named.id)
        if place is None and named.former is not None:
            by_time = redacted.get((named.occurred_at, named.role))
            place = by_mark.get(named.former, by_time)
        if place is not None:
            found[index] = place
    return found | _withdrawn(said, there, found)


def unsure(said: Sequence[NamedTurn], there: Standing, known: Mapping[int, int]) -> bool:
    """Whether it matters when the session was last written to: a turn that has no place of its own
    may have been forgotten.
    """
    if there.free == len(there.turns):
        return False
    places = _places(said, known)
    return any(
        index not in known and (not sure or there.has(own))
        for index, (own, sure) in enumerate(places)
    )


def placed(
    said: Sequence[NamedTurn], there: Standing, known: Mapping[int, int], out: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Turn and index of each that is neither known nor ``out``: no two at one turn.

    It goes to its own place, or to a gap where it would stand by its time: the service refuses it
    where it was forgotten there. Else it goes behind all others.
    """
    places = _places(said, known)
    left = [index for index in range(len(said)) if index not in known and index not in out]
    reserved = {places[index][0] for index in left if places[index][1]}
    used: set[int] = set()
    free = there.free
    for index in left:
        own, sure = places[index]
        gap = _gap_by_time(said[index], there)
        misplaced = not sure and (own is None or (own < there.free and own not in gap))
        if misplaced or own in used or there.has(own):
            fits = (turn for turn in gap if not (turn in used or turn in reserved))
            own = next((turn for turn in fits if not there.has(turn)), None)
        turn = free if own is None else own
        used.add(turn)
        free = max(free, turn + 1)
        yield turn, index


def _withdrawn(
    said: Sequence[NamedTurn], there: Standing, known: Mapping[int, int]
) -> dict[int, int]:
    """Those of the others that stand without their words: by their place first."""
    bare = {
        turn: one
        for turn, one in there.turns.items()
        if not one.content and not one.metadata and one.reason == "privacy"
    }
    found: dict[int, int] = {}
    for index, (own, _) in enumerate(_places(said, known)):
        one = bare.get(-1 if own is None else own)
        if index in known or own is None or one is None or said[index].role != one.role:
            continue
        if said[index].occurred_at in (None, one.occurred_at):
            found[index] = own
            del bare[own]
    by_time: dict[Any, list[int]] = {}
    for turn, one in bare.items():
        by_time.setdefault((one.role, one.occurred_at), []).append(turn)
    for index, named in enumerate(said):
        turns = by_time.get((named.role, named.occurred_at))
        if turns and index not in known and index not in found:
            found[index] = turns.pop(0)
    return found


def _places(
    said: Sequence[NamedTurn], known: Mapping[int, int]
) -> Sequence[tuple[int | None, bool]]:
    """Where each stood if the session was written whole, and whether a neighbour says so: what the
    application gives may begin in the middle.
    """
    shifts: list[int | None] = [None] * len(said)
    for order in (range(len(said)), range(len(said) - 1, -1, -1)):
        shift: int | None = None
        for index in order:
            at = said[index].at
            if index in known and at is not None:
                shift = known[index] - at
            if shifts[index] is None:
                shifts[index] = shift
    return [
        (one.at if one.at is None or shift is None else one.at + shift, None not in (one.at, shift))
        for one, shift in zip(said, shifts, strict=True)
    ]


def _gap_by_time(one: NamedTurn, there: Standing) -> range:
    """The turns between those that were said before it and after it; none for what was said after
    the last write, for that was never forgotten.
    """
    when = one.occurred_at
    if there.last is None or (when is not None and when > there.last + _SKEW):
        return range(0)
    if when is None:
        return range(0 if there.turns else there.free)
    before = max((at for at, turn in there.turns.items() if turn.occurred_at <= when), default=-1)
    after = min((at for at in there.turns if at > before), default=there.free)
    return range(before + 1, after)
