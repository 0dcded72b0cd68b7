"""When a candidate says what a memory without a slot says already (RULES 8.1, 8.2).

| the two differ in | the same? |
|---|---|
| a number, date, time, unit or code, in its normal form | never |
| denial, doubt, or the side of an axis: before and after, rose and fell | never |
| a name, or which name stands where; what a number counts | never |
| what stands behind "instead of", "than", "before" | never |
| a word of content in the place of another, unless both are known to mean the same | never |
| words of content that only one of them has | if the vectors are near |
| words that say little | if enough of all words is common |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from muniment.domain import small_words, tenses
from muniment.domain.gist import Gist, light
from muniment.domain.meanings import STRICT
from muniment.domain.standing_alike import alike, by_markers

RELATION_TO, RELATION_TYPE = "graph_to", "graph_relation"


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near two sentences are that differ in no value: the share of their words that both have;
    words of content that stand for others, and those that one has more; the distance.
    """

    overlap: float
    swapped: int
    extra: int
    distance: float | None = None
    put: Literal["same", "ruled", "other"] = "same"
    """Whether both are as sure and wish for the same; or may be so where each is a rule."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which overlap, and below which distance, two that differ in no value are one."""

    overlap: float
    distance: float | None = None
    ruled: bool = False
    """What is said is a rule or a wish, however it is put: "should be", "must be", "wants"."""

    def admits(self, near: Nearness) -> bool:
        """True if all words of content are common and enough of the others, or if one has some more
        and the vectors are near; never if a word stands in the place of another.
        """
        if near.swapped or near.put == "other" or (near.put == "ruled" and not self.ruled):
            return False
        if not near.extra:
            return near.overlap >= self.overlap
        return (
            self.distance is not None
            and near.distance is not None
            and near.distance < self.distance
        )


def nearness(one: Gist, other: Gist, distance: float | None = None) -> Nearness | None:
    """How near the two are; None where they differ in a value, a name or the polarity."""
    if not _same_but_for_words(one, other):
        return None
    mine, yours = set(one.words - other.words), set(other.words - one.words)
    common = len(one.words) - len(mine) + len(one.values)
    everything = common + len(mine) + len(yours)
    more, less = len(mine - light()), len(yours - light())
    return Nearness(
        overlap=common / everything if everything else 0.0,
        swapped=max(min(more, less), min(len(mine), len(yours))),
        extra=max(more, less),
        distance=distance,
        put=_put(one, other),
    )


def _put(one: Gist, other: Gist) -> Literal["same", "ruled", "other"]:
    if small_words.put_alike(one.small, other.small):
        return "same"
    return "ruled" if small_words.ruled_alike(one.small, other.small) else "other"


def alike_key(
    kind: str, data_source: str | None, said: str, relation: Sequence[str] | None = None
) -> int:
    """A 64-bit number that memories which say the same share: of their kind, their data source and
    what they have exactly the same (``Gist.key``); those that state a relation, of the same one.
    """
    parts = (kind, "" if data_source is None else f"={data_source}", said, *(relation or ()))
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def relation_of(metadata: Mapping[str, Any]) -> tuple[str, str] | None:
    """To which other entity a memory leads by its metadata, and in which relation; None where it
    states none. Such a memory is about that relation, however it is put in words.
    """
    to, relation = metadata.get(RELATION_TO), metadata.get(RELATION_TYPE)
    return (to, relation) if isinstance(to, str) and isinstance(relation, str) else None


def _same_but_for_words(one: Gist, other: Gist) -> bool:
    return (
        one.key == other.key
        and not _opposed(one, other)
        and _named_alike(one, other)
        and _counted_alike(one, other)
        and (_says_one_thing(one, other) or alike(one.roles, other.roles))
        and tenses.alike(one.tenses, other.tenses)
        and small_words.alike(one.small, other.small, always=not _says_one_thing(one, other))
        and all(
            one.behind[marker] & other.behind[marker]
            for marker in one.behind.keys() & other.behind.keys()
        )
    )


def _says_one_thing(one: Gist, other: Gist) -> bool:
    """True if, of one source of data, there are no two words or values that could have taken each
    other's place.
    """
    if not (one.of_source and other.of_source):
        return False
    return len((one.words | other.words) - light()) <= 1 and len(one.values | other.values) <= 1


def _opposed(one: Gist, other: Gist) -> bool:
    """True if the two take other sides of an axis; of a strict one, also if only one takes any."""
    for axis in {axis.rstrip("?") for axis, _ in one.poles | other.poles}:
        (sure, sides), (others_sure, others) = _sides(one, axis), _sides(other, axis)
        if sides and others and sides != others:
            return True
        if axis in STRICT and not (sure <= others and others_sure <= sides):
            return True
    return False


def _sides(said: Gist, axis: str) -> tuple[set[int], set[int]]:
    """The sides that it takes of an axis before a value, and those that it takes at all."""
    sure = {side for name, side in said.poles if name == axis}
    return sure, sure | {side for name, side in said.poles if name == f"{axis}?"}


def _named_alike(one: Gist, other: Gist) -> bool:
    """The same names, in the same order or beside the same words."""
    if not (one.names | one.opening <= other.words and other.names | other.opening <= one.words):
        return False
    names = one.names | other.names
    first = [word for word in one.line if word in names]
    second = [word for word in other.line if word in names]
    if first == second or by_markers(names, one.roles, other.roles):
        return True
    return all(_stands_alike(name, one, other) for name in names)


def _stands_alike(name: str, one: Gist, other: Gist) -> bool:
    """True if a word stands beside the name in both that stands beside no other name."""
    nothing: frozenset[str] = frozenset()
    shared = one.beside.get(name, nothing) & other.beside.get(name, nothing)
    names = one.names | other.names
    others = [said.beside.get(each, nothing) for said in (one, other) for each in names - {name}]
    return bool(shared - names - nothing.union(*others))


def _counted_alike(one: Gist, other: Gist) -> bool:
    """What a number counts is not another thing, and of one unit the numbers keep their order."""
    for of in {of for of, _ in one.counted} & {of for of, _ in other.counted}:
        first = [value for unit, value in one.counted if unit == of]
        second = [value for unit, value in other.counted if unit == of]
        if first != second and sorted(first) == sorted(second):
            values = {f"\0{value}" for value in first}
            if len(values) == len(first) and by_markers(values, one.roles, other.roles):
                continue
        if first != second and (of or len(first) == len(second)):
            return False
    return True
