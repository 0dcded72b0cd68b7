"""What recurs in the turns of a user: near-duplicate sentences in several sessions (RULES 8).

| said in so many sessions | and | becomes |
|---|---|---|
| fewer than ``promote_after`` | | nothing |
| enough | nothing of it is held | promoted |
| enough | the same is held, asserted, of no slot | that is reinforced |
| enough | the same is held otherwise: in a slot, contested, quarantined | nothing |
| enough | it was promoted before, and that is held | reinforced, by what came since |
| enough | it was promoted before, and that is gone | nothing: it is counted once |
| enough | another value was said, or noted, since | nothing |
| enough | another value was promoted before | promoted in its place |

A group is compared by its first sentence, so that it does not drift. Linear: of the groups that
share a word only so many are looked at.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from muniment.domain.likeness import Likeness, alike, gives_other

MOST_COMPARED: Final = 64
"""Groups that a sentence is compared with, of those that share a word with it."""

Place = tuple[UUID, int]


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The policy's numbers: in how many sessions, within which time, how much in common, and how
    many promoted memories a scope has at most.
    """

    promote_after: int
    look_back: timedelta
    overlap: float
    most: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of a user's turn. ``place`` is its turn and its number there."""

    place: Place
    session: UUID
    speaker: str | None
    text: str
    moment: datetime
    data_source: str | None
    like: Likeness


@dataclass(frozen=True, slots=True)
class HeldText:
    """A memory of the scope for comparing; ``until`` is when it ended, None while it is in force.

    ``open``: asserted, of no slot, of the user, and of a kind that may be promoted. ``promoted``:
    it came from here.
    """

    memory_id: UUID
    kind: str
    data_source: str | None
    text: str
    like: Likeness
    observed_at: datetime
    until: datetime | None
    open: bool
    promoted: bool


@dataclass(frozen=True, slots=True)
class Recurring:
    """Sentences that say the same, in the order in which they were said."""

    spoken: tuple[Spoken, ...]

    @property
    def sessions(self) -> int:
        """In how many sessions it was said."""
        return len({one.session for one in self.spoken})

    @property
    def like(self) -> Likeness:
        """What the group is compared by."""
        return self.spoken[0].like

    @property
    def latest(self) -> datetime:
        """When it was said last."""
        return self.spoken[-1].moment


@dataclass(frozen=True, slots=True)
class Promotable:
    """What is to be promoted: the sentences that count for it, and what of it is held already.

    ``reinforces`` is the memory that says the same, ``replaces`` the one that it takes over from.
    """

    group: Recurring
    reinforces: HeldText | None = None
    replaces: HeldText | None = None


def promotable(
    spoken: Iterable[Spoken],
    held: Sequence[HeldText],
    taken: Mapping[Place, UUID | None],
    rule: Recurrence,
) -> list[Promotable]:
    """What recurred often enough and is not held, or not with all that speaks for it.

    ``taken`` are the sentences that were counted before, with the memory that they went to, if
    that is there. Deterministic, whatever the order in which the sentences come.
    """
    ordered = sorted(spoken, key=lambda one: (one.moment, one.session, one.place))
    found = []
    for group in groups(ordered, rule.overlap):
        within = _within(group, rule.look_back)
        fresh = [one for one in within if one.place not in taken]
        if not fresh:
            continue
        before = {taken[one.place] for one in group.spoken if one.place in taken}
        again = [one for one in held if one.memory_id in before and one.until is None]
        if again:
            if again[0].open:
                found.append(Promotable(Recurring(tuple(fresh)), reinforces=again[0]))
            continue
        one = _weighed(group, fresh, held, ordered, rule)
        if one is not None:
            found.append(one)
    return found


def groups(spoken: Iterable[Spoken], least: float) -> list[Recurring]:
    """Sentences that say the same as the first of their group, by the same speaker."""
    made: list[list[Spoken]] = []
    by_word: dict[object, list[int]] = defaultdict(list)
    for one in spoken:
        key = (one.speaker, *one.like.exact)
        words: Iterable[str] = one.like.words or ("",)
        near: dict[int, int] = defaultdict(int)
        for word in words:
            for at in by_word[(key, word)][-MOST_COMPARED:]:
                near[at] += 1
        best = sorted(near, key=lambda at: (-near[at], at))[:MOST_COMPARED]
        at = next((at for at in best if alike(made[at][0].like, one.like, least)), len(made))
        if at == len(made):
            made.append([])
            for word in words:
                by_word[(key, word)].append(at)
        made[at].append(one)
    return [Recurring(tuple(members)) for members in made]


def _within(group: Recurring, look_back: timedelta) -> list[Spoken]:
    return [one for one in group.spoken if group.latest - one.moment <= look_back]


def _weighed(
    group: Recurring,
    fresh: Sequence[Spoken],
    held: Sequence[HeldText],
    everything: Sequence[Spoken],
    rule: Recurrence,
) -> Promotable | None:
    """A group that was not promoted before, or not to anything that is there."""
    same = [one for one in held if alike(one.like, group.like, rule.overlap)]
    ended = max((one.until for one in same if one.until is not None), default=None)
    counted = Recurring(tuple(one for one in fresh if ended is None or one.moment >= ended))
    if counted.sessions < rule.promote_after:
        return None
    in_force = [one for one in same if one.until is None]
    if in_force:
        open_ones = all(one.open for one in in_force)
        return Promotable(counted, reinforces=in_force[0]) if open_ones else None
    others = [
        one for one in held if one.until is None and gives_other(one.like, group.like, rule.overlap)
    ]
    said_since = any(
        one.moment > counted.latest
        and one.speaker == counted.spoken[0].speaker
        and gives_other(one.like, group.like, rule.overlap)
        for one in everything
    )
    if said_since or any(one.observed_at > counted.latest for one in others):
        return None
    earlier = [one for one in others if one.promoted and one.open]
    return Promotable(counted, replaces=earlier[0] if len(earlier) == 1 else None)
