"""When a candidate says what a memory without a slot says already (RULES 8.1, 8.2).

| the two differ in | the same? |
|---|---|
| words alone, enough of them common or near in the vectors | yes |
| a number, date, time, unit, code: in any normal form | never |
| denial, or the side of an axis: before and after, rose and fell | never |
| a name, or which name stands where | never |
| what a number counts | never |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from muniment.domain.gate.tokens import read
from muniment.domain.late import late_regex
from muniment.domain.meanings import MARKERS, PHRASES, STRICT, WORDLESS, aside, concepts, poles
from muniment.domain.quantities import Token, tokens
from muniment.domain.text import Analyzer, normalise, stable_hash

_DENIES: Final = late_regex(
    r"\b(?:no|not|butnot|never|none|nor|neither|nothing|nobody|without|cannot|except"
    r"|dont|doesnt|didnt|isnt|cant|wont)\b|\b\w+n['’]t\b",
    regex.IGNORECASE,
)
_LEAST_STEM: Final = 5
_ARTICLES: Final = frozenset({"a", "an", "the", "A", "An", "The"})


@dataclass(frozen=True, slots=True)
class Gist:
    """By what a memory without a slot is compared with others."""

    values: frozenset[tuple[str, str]]
    denied: bool
    words: frozenset[str]
    """Stems of content words, a group of words of one meaning under one of them."""
    poles: frozenset[tuple[str, int]]
    names: frozenset[str]
    """What is written as a name is."""
    opening: frozenset[str]
    """First words of sentences: whether they are names cannot be seen."""
    beside: Mapping[str, frozenset[str]]
    """The words that stand beside each of these."""
    line: tuple[str, ...]
    counted: tuple[tuple[str, str], ...]
    """Numbers in their order with what they count: a unit, or the word behind."""
    behind: Mapping[str, frozenset[str]]
    """What stands behind the markers of a place: "instead of tables", "before joining"."""

    @property
    def key(self) -> str:
        """What two that say the same have exactly the same, in one text."""
        return "|".join([str(self.denied), *sorted(f"{a}={b}" for a, b in self.values)])


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near two memories are: words in common, and distance where both have vectors."""

    overlap: float
    distance: float | None


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which overlap, or below which distance, two that differ in no value are one."""

    overlap: float
    distance: float | None = None

    def admits(self, near: Nearness) -> bool:
        """True if either is enough."""
        if near.overlap >= self.overlap:
            return True
        return (
            self.distance is not None
            and near.distance is not None
            and near.distance < self.distance
        )


def gist(text: str, analyzer: Analyzer) -> Gist:
    """``text`` for comparing."""
    text = normalise(text)
    seen = read_names(text, analyzer)
    plain = _phrased(text)
    read_tokens = [one for one in tokens(plain) if not _is_article(one)]
    line = [_word(one, analyzer) for one in read_tokens]
    words = frozenset(word for one in line for word in one if not word.startswith("\0"))
    flat = [word for one in line for word in one]
    names = frozenset(word for word in words if word in seen[0] or word.startswith("letter "))
    return Gist(
        values=frozenset((one.family, one.value) for one in read_tokens if one.family),
        denied=_DENIES.search(plain) is not None,
        words=words,
        poles=frozenset(_poles(read_tokens, analyzer)),
        names=names,
        opening=seen[1] & words,
        beside={name: _beside(name, read_tokens, line) for name in names | (seen[1] & words)},
        line=tuple(word for word in flat if not word.startswith("\0")),
        counted=tuple(_counted(read_tokens, line)),
        behind=_behind(read_tokens, line),
    )


def same_but_for_words(one: Gist, other: Gist) -> bool:
    """False if any value, name or polarity differs: then they never are one (RULES 8.1)."""
    return (
        one.values == other.values
        and one.denied == other.denied
        and not _opposed(one, other)
        and _named_alike(one, other)
        and _counted_alike(one, other)
        and all(
            one.behind[marker] & other.behind[marker]
            for marker in one.behind.keys() & other.behind.keys()
        )
    )


def compared(one: Gist, other: Gist) -> tuple[float, int]:
    """The share of the words of both that they have in common, values counted as words; and how
    many words of content each has that the other has not: there one stands for another.
    """
    mine, yours = set(one.words - other.words), set(other.words - one.words)
    for word in sorted(mine):
        form = next((form for form in sorted(yours) if _one_form(word, form)), None)
        if form is not None:
            mine.remove(word)
            yours.remove(form)
    common = len(one.words) - len(mine) + len(one.values & other.values)
    everything = common + len(mine) + len(yours) + len(one.values ^ other.values)
    return (common / everything if everything else 0.0), min(len(mine), len(yours))


def _one_form(word: str, other: str) -> bool:
    """True for two stems of one word, as "allerg" and "allergi"."""
    shorter, longer = sorted((word, other), key=len)
    return len(shorter) >= _LEAST_STEM and len(longer) == len(shorter) + 1 and longer.startswith(shorter)


def _phrased(text: str) -> str:
    for pattern, word in PHRASES:
        text = regex.sub(rf"(?:\b(?=\w)|(?=[^\w]))(?:{pattern})\b", word, text, flags=regex.IGNORECASE)
    return text


def _is_article(one: Token) -> bool:
    """A capital A inside a sentence is a name: "model A"."""
    return not one.family and one.text in _ARTICLES and not (one.text == "A" and one.start > 0)


def _word(one: Token, analyzer: Analyzer) -> list[str]:
    """The stems of a word by their meaning; a value stands for itself, marked."""
    if one.family:
        return [f"\0{one.value}"]
    low = one.text.casefold()
    if _is_letter(one):
        return [f"letter {low}"]
    if _DENIES.fullmatch(low):
        return []
    found = []
    for stem in analyzer.stems(low):
        if stem not in aside():
            pole = (poles().get(low) or poles().get(stem) or [None])[0]
            said = concepts().get(stem, stem)
            if pole is None or said != stem:
                found.append(said)
            elif pole[0] not in WORDLESS:
                found.append(f"{pole[0]}:{pole[1]}")
    return found


def _poles(read_tokens: Sequence[Token], analyzer: Analyzer) -> Iterable[tuple[str, int]]:
    """The sides that a text takes. "Before" counts as strictly as its day does where one follows."""
    for at, one in enumerate(read_tokens):
        low = one.text.casefold()
        valued = any(behind.family for behind in read_tokens[at + 1 : at + 3])
        for form in (low, *analyzer.stems(low)):
            for axis, side in poles().get(form, ()):
                yield axis if valued or axis not in STRICT else f"{axis}?", side


def read_names(text: str, analyzer: Analyzer) -> tuple[frozenset[str], frozenset[str]]:
    """Words written as names, and what opens a sentence with a capital."""
    names: set[str] = set()
    opening: set[str] = set()
    for sentence in regex.split(r"(?<=[.!?])\s+", text):
        seen = read(sentence)
        for word, capital in zip(seen.words, seen.capital, strict=True):
            if capital:
                names.update(_mapped(word, analyzer))
        first = regex.match(r"\W*([\p{L}]+)", sentence)
        if first is not None and first[1][0].isupper() and not first[1].endswith("ing"):
            opening.update(_mapped(first[1].casefold(), analyzer))
        for inner in regex.findall(r"\b\p{Ll}+\p{Lu}\w*", sentence):
            names.update(_mapped(inner.casefold(), analyzer))
    return frozenset(names), frozenset(opening - names)


def _is_letter(one: Token) -> bool:
    return len(one.text) == 1 and one.text.isupper() and one.start > 0 and one.text != "I"


def _mapped(word: str, analyzer: Analyzer) -> list[str]:
    return _word(Token(word, 0), analyzer)


def _beside(
    name: str, read_tokens: Sequence[Token], line: Sequence[Sequence[str]]
) -> frozenset[str]:
    """The words on either side of a name, each with its side: of content, and "in" or "from"."""
    full = [at for at, words in enumerate(line) if words]
    found: set[str] = set()
    for place, at in enumerate(full):
        if name not in line[at]:
            continue
        for side, words in (
            ("<", line[full[place - 1]] if place else ()),
            (">", line[full[place + 1]] if at != full[-1] else ()),
        ):
            found.update(form for word in words for form in (word, f"{side}{word}"))
        if at and not line[at - 1]:
            found.add(f"<{read_tokens[at - 1].text.casefold()}")
    return frozenset(found)


def _behind(
    read_tokens: Sequence[Token], line: Sequence[Sequence[str]]
) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for at, one in enumerate(read_tokens):
        marker = one.text.casefold()
        to_follows = any(word.text.casefold() == "to" for word in read_tokens[at + 1 : at + 5])
        if marker in MARKERS and (marker != "from" or to_follows):
            next_ones = [words[0] for words in line[at + 1 :] if words][:2]
            found[marker] = found.get(marker, frozenset()) | frozenset(next_ones)
    return {marker: words for marker, words in found.items() if words}


def _counted(
    read_tokens: Sequence[Token], line: Sequence[Sequence[str]]
) -> Iterable[tuple[str, str]]:
    for at, one in enumerate(read_tokens):
        if not one.family or one.family in {"date", "day", "time", "code"}:
            continue
        behind = next((word for words in line[at + 1 : at + 3] for word in words), "")
        of = behind if one.bare and not behind.startswith("\0") else one.family
        yield of, one.value


def _opposed(one: Gist, other: Gist) -> bool:
    axes = {axis for axis, _ in one.poles | other.poles}
    for axis in axes:
        first = {side for name, side in one.poles if name == axis}
        second = {side for name, side in other.poles if name == axis}
        if first != second and (axis in STRICT or (first and second)):
            return True
    return False


def _named_alike(one: Gist, other: Gist) -> bool:
    """The same names, in the same order or beside the same words."""
    if not (one.names | one.opening <= other.words and other.names | other.opening <= one.words):
        return False
    names = one.names | other.names
    first = [word for word in one.line if word in names]
    second = [word for word in other.line if word in names]
    if first == second:
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
        if first != second and (of or len(first) == len(second)):
            return False
    return True


def alike_hash(parts: Iterable[str]) -> int:
    """A 32-bit hash of what duplicates have exactly the same."""
    return stable_hash("\0".join(parts))
