"""Which of the items that say the same words a context tells (RULES 12).

| of items with the same words, whatever the white space | then |
|---|---|
| what is required | in, each |
| the others | one is in: of the highest trust, then the first; the rest is out, by that one |
| none of them of higher trust than what is required | out, by that |
| the one that would be in has no room | the next one of another section |
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from muniment.domain.trust import Trust, rank

Place = tuple[int, int]
"""The section of an item and its place there, both by number."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What an item says, how sure, and where it stands."""

    text: str
    trust: Trust
    place: Place
    required: bool = False


def words_of(text: str) -> str:
    """The words of a text, whatever its white space."""
    return " ".join(text.split())


def said_again(sayings: Sequence[Saying], missed: Collection[Place] = ()) -> Mapping[Place, Place]:
    """Items that are out, each with the one that says the same; ``missed`` have no room."""
    out: dict[Place, Place] = {}
    for group in _groups(sayings):
        required = sorted(
            (one for one in group if one.required), key=lambda one: (rank(one.trust), one.place)
        )
        sections = {one.place[0] for one in group if one.place in missed}
        others = sorted(
            (one for one in group if not one.required and one.place[0] not in sections),
            key=lambda one: (rank(one.trust), one.place),
        )
        leads = [
            one for one in others if not required or rank(one.trust) < rank(required[0].trust)
        ][:1]
        by = next(iter([*leads, *required]), None)
        if by is not None:
            out |= {one.place: by.place for one in group if not one.required and one not in leads}
    return {place: by for place, by in out.items() if place not in missed}


def _groups(sayings: Sequence[Saying]) -> list[list[Saying]]:
    groups: dict[str, list[Saying]] = {}
    for one in sayings:
        groups.setdefault(words_of(one.text), []).append(one)
    return [group for group in groups.values() if len(group) > 1]
