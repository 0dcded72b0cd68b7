"""Whether the words of two sentences stand alike: who does what to whom (RULES 8.1).

| between two sentences of the same words | alike? |
|---|---|
| a phrase goes to the front; "X of Y" is "Y's X" | yes |
| active and passive, with "by" before who does it | yes |
| two words that take each other's place, by order or preposition | no |
| what "only" speaks of | must be the same |
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from muniment.domain.gate.tokens import word_set
from muniment.domain.roles import SOME, Roles, Word

_NAMING: Final = word_set("name call =name =call")
_MOST_WORDS: Final = 60
"""Of more words the order must be the same."""
_FEW: Final = 10
_EITHER_WAY: Final = word_set("correl correspond coincid")
"""Stems of verbs whose sides may change places."""


def alike(one: Roles, other: Roles) -> bool:
    """True if no two words that both have take each other's place."""
    if not _only_alike(one.only, other.only):
        return False
    if not _acting(one, other) or not _acting(other, one):
        return False
    common = [word for word in one.place if _once(word, one) and _once(word, other)]
    if len(common) > _MOST_WORDS:
        return common == sorted(common, key=lambda word: other.place[word])
    if len(common) < _FEW and any((stem, 0) in one.place for stem in _EITHER_WAY):
        return True
    if _with_persons(one, other) or _with_persons(other, one):
        return False
    return not any(
        _exchanged(first, second, one, other) and not _explained(first, second, one, other)
        for first, second in combinations(common, 2)
    )


def by_markers(words: Iterable[str], one: Roles, other: Roles) -> bool:
    """True if what stands before each of these says in both, and alone, which is which."""
    places = [(word, 0) for word in words]
    if not all(_once(word, one) and _once(word, other) for word in places):
        return False
    first, second = ([said.marker[word] for word in places] for said in (one, other))
    return first == second and len({*first}) == len(first)


def _once(word: Word, said: Roles) -> bool:
    """Which of two that are the same is meant cannot be seen."""
    return not word[1] and word in said.place and (word[0], 1) not in said.place


def _only_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other:
        return one == other
    starts = {word for word in one | other if word.startswith("^")}
    if starts or "" not in one | other:
        return bool(one & other) and starts <= one & other
    return True


def _with_persons(one: Roles, other: Roles) -> bool:
    """True if something takes the place of the user, or of a pronoun."""
    for word, marker in one.marker.items():
        there = other.marker.get(word, marker)
        if there == marker:
            continue
        if there in other.pronouns - one.pronouns or marker in other.pronouns - one.pronouns:
            return True
        turned = one.user == {there} and other.user == {marker}
        if turned and not {there, marker} & {"of", "and"}:
            return True
    return False


def _exchanged(first: Word, second: Word, one: Roles, other: Roles) -> bool:
    if _is_value(first) != _is_value(second):
        return False
    if {first, second} & (one.loose | other.loose):
        return False
    crossed = (
        one.marker[first] == other.marker[second] and one.marker[second] == other.marker[first]
    )
    turned = (one.place[first] < one.place[second]) != (other.place[first] < other.place[second])
    return crossed and (turned or one.marker[first] != other.marker[first])


def _is_value(word: Word) -> bool:
    return word[0].startswith("\0") and not word[0].startswith(SOME)


def _explained(first: Word, second: Word, one: Roles, other: Roles) -> bool:
    if any((word in one.passive) != (word in other.passive) for word in (first, second)):
        return True
    hyphened = one.hyphened | other.hyphened
    return (
        _of_each_other(first, second, one, other)
        or (first in hyphened) != (second in hyphened)
        or _apart(first, second, one, one.linked) != _apart(first, second, other, other.linked)
        or _put_in_front(first, second, one, other)
        or one.timed.get(first) != one.timed.get(second)
    )


def _of_each_other(first: Word, second: Word, one: Roles, other: Roles) -> bool:
    """ "Her son Max" is "Max, her son"; "a physics teacher" teaches physics."""
    beside = all(_beside(first, second, said) for said in (one, other))
    before = [_apart(first, second, said, said.paused) for said in (one, other)]
    joined = {one.marker[first], one.marker[second]} == {"", "and"}
    return beside and (before[0] != before[1] or joined or _compound(first, second, one, other))


def _beside(first: Word, second: Word, said: Roles) -> bool:
    low, high = sorted((said.place[first], said.place[second]))
    return all(_is_value(word) for word, at in said.place.items() if low < at < high)


def _compound(first: Word, second: Word, one: Roles, other: Roles) -> bool:
    """ "Teaches physics" is "a physics teacher", "facing south" is "south-facing"."""
    joined = [{first, second} <= said.hyphened for said in (one, other)]
    return joined[0] != joined[1] or any(
        (word in one.nominal) != (word in other.nominal) for word in (first, second)
    )


def _put_in_front(first: Word, second: Word, one: Roles, other: Roles) -> bool:
    """True if one of them is in a phrase that goes to the front, and the other is never there."""
    fronted = [(word in one.front, word in other.front) for word in (first, second)]
    return sorted(map(sorted, fronted)) == [[False, False], [False, True]]


def _apart(first: Word, second: Word, said: Roles, places: frozenset[int]) -> bool:
    low, high = sorted((said.place[first], said.place[second]))
    return any(low < place <= high for place in places)


def _acting(active: Roles, passive: Roles) -> bool:
    """True if what is done to what in the one is so in the other, where that is passive."""
    common = [word for word in active.place if _once(word, active) and _once(word, passive)]
    return not any(
        _turned_about(verb, word, active, passive)
        for verb in common
        if verb in passive.passive - active.passive - active.nouns
        for word in common
        if not _is_value(word)
    )


def _turned_about(verb: Word, word: Word, active: Roles, passive: Roles) -> bool:
    """True if the object of the verb stands behind its passive, or what does it behind the verb."""
    at, place = active.place[verb], active.place[word]
    if passive.marker[word].endswith("by") and not active.marker[word] and place > at:
        return True
    behind = place == at + 1 and active.marker[word] == active.marker[verb]
    object_of_it = behind and place not in active.paused and verb[0] not in _NAMING
    return object_of_it and passive.place[word] > passive.place[verb]
