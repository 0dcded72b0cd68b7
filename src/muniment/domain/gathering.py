"""Many into one (RULES 9): which memories belong together, and what one says in their place.

| loose memories of one group | become |
|---|---|
| fewer than ``cluster`` related ones | nothing |
| ``cluster`` or more | one; of more than ``most`` the oldest ``most`` |
| ``few`` recent ones, while the turns since weigh more than ``importance`` | one, of the most |
| more than ``characters`` say | one of the first that fit, if these are enough; else nothing |

Related is who shares two content words with the first of a cluster, and so large a share of all.
Those of one group share subject, kind, data source and grade: a lower grade takes no higher one's
place (RULES 4.5). Every number and every name stays in the text, for it quotes every sentence.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final
from uuid import UUID

from muniment.domain.likeness import Likeness, overlap
from muniment.domain.summary import day_in_words

MOST_COMPARED: Final = 64
"""Clusters that a memory is compared with, of those that share a word with it."""
_WORDS_IN_COMMON: Final = 2


@dataclass(frozen=True, slots=True)
class Gathering:
    """The policy's numbers."""

    cluster: int
    few: int
    importance: int
    related: float
    most: int
    characters: int


@dataclass(frozen=True, slots=True)
class Loose:
    """A memory that may be gathered. ``recent``: it came since turns were last summed up."""

    memory_id: UUID
    group: Hashable
    text: str
    observed_at: datetime
    like: Likeness
    recent: bool


def gathered(
    loose: Iterable[Loose], rule: Gathering, *, recent_importance: int
) -> list[tuple[Loose, ...]]:
    """What becomes one each. Deterministic, whatever the order in which the memories come."""
    found = clusters(loose, rule)
    made = [fitting for one in found if (fitting := _fitting(one, rule, rule.cluster))]
    if made or recent_importance <= rule.importance:
        return made
    fresh = [[one for one in members if one.recent] for members in found]
    fresh.sort(key=lambda members: -len(members))
    some = [fitting for members in fresh if (fitting := _fitting(members, rule, rule.few))]
    return some[:1]


def clusters(loose: Iterable[Loose], rule: Gathering) -> list[list[Loose]]:
    """Related memories, in the order in which they were observed; none is in two clusters."""
    made: list[list[Loose]] = []
    by_word: dict[tuple[Hashable, str], list[int]] = defaultdict(list)
    for one in sorted(loose, key=lambda one: (one.observed_at, one.memory_id)):
        shared: dict[int, int] = defaultdict(int)
        for word in one.like.words:
            for at in by_word[one.group, word][-MOST_COMPARED:]:
                shared[at] += 1
        near = sorted(shared, key=lambda at: (-shared[at], at))[:MOST_COMPARED]
        at = next((at for at in near if _related(made[at][0], one, rule)), len(made))
        if at == len(made):
            made.append([])
            for word in one.like.words:
                by_word[one.group, word].append(at)
        made[at].append(one)
    return made


def _related(one: Loose, other: Loose, rule: Gathering) -> bool:
    common = len(one.like.words & other.like.words)
    return common >= _WORDS_IN_COMMON and overlap(one.like, other.like) >= rule.related


def _fitting(members: Sequence[Loose], rule: Gathering, least: int) -> tuple[Loose, ...]:
    """As many of the first ones as one memory may say; none where those are too few."""
    for count in range(min(len(members), rule.most), max(least, 1) - 1, -1):
        if len(said_together(members[:count])) <= rule.characters:
            return tuple(members[:count])
    return ()


def said_together(members: Sequence[Loose]) -> str:
    """Every sentence of the members, each once, under the day on which it was observed."""
    by_day: dict[date, dict[str, None]] = defaultdict(dict)
    said: set[str] = set()
    for one in members:
        sentence = _sentence(one.text)
        if sentence.casefold() not in said:
            said.add(sentence.casefold())
            by_day[one.observed_at.astimezone(UTC).date()][sentence] = None
    return " ".join(f"{day_in_words(day)}: {' '.join(texts)}" for day, texts in by_day.items())


def _sentence(text: str) -> str:
    """White space inside is collapsed, and a mark ends it."""
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?", "…", "。", "！", "？")) else f"{text}."
