"""What a sentence says in a form that can be compared: words, values, names, polarity (RULES 8)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import regex

from muniment.domain.gate.tokens import read
from muniment.domain.late import late_regex
from muniment.domain.meanings import (
    LIGHT,
    MARKERS,
    PHRASES,
    SOURCES,
    STRICT,
    WORDLESS,
    aside,
    concepts,
    poles,
)
from muniment.domain.quantities import Token, tokens
from muniment.domain.roles import OWNS, Roles, roles
from muniment.domain.small_words import SmallWords, sign_of, small_words
from muniment.domain.tenses import Tenses, tenses
from muniment.domain.text import Analyzer, analyzer_for, normalise

_DENIES: Final = late_regex(
    r"\b(?:no|not|butnot|never|none|nor|neither|nothing|nobody|without|cannot|except"
    r"|dont|doesnt|didnt|isnt|cant|wont|hardly|barely|scarcely|rarely|seldom|formerly|former"
    r"|kein|keine|keinen|nicht|nie|pas|jamais|nunca|geen|niet|nooit|não)\b|\b\w+n['’]t\b",
    regex.IGNORECASE,
)
_HEDGES: Final = late_regex(
    r"\b(?:might|maybe|perhaps|possibly|probably|plans?|planning|intends?|considers?|considering"
    r"|thinking of|thinking about|hopes?|hoping|tries|trying|unless|likely|unlikely"
    r"|apparently|presumably|seems?|allegedly|supposedly|reportedly)\b",
    regex.IGNORECASE,
)
_ARTICLES: Final = frozenset({"a", "an", "the", "A", "An", "The"})
_NO_COUNT: Final = frozenset({"date", "day", "time", "code"})
_PREFERS: Final = ("prefer", "like", "rather", "favo")
_LEAST_STEM: Final = 5
_LETTER: Final = "letter "
_LETTERS: Final = late_regex(r"\p{L}+")


@dataclass(frozen=True, slots=True)
class Gist:
    """By what a memory without a slot is compared with others."""

    values: frozenset[tuple[str, str]]
    denied: bool
    hedged: bool
    """Said to be so only if, or perhaps, or some day."""
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
    roles: Roles
    tenses: Tenses
    small: SmallWords

    of_source: bool = False
    """Said of one source of data, which nothing needs to name."""

    @property
    def key(self) -> str:
        """What two that say the same have exactly the same, in one text."""
        values = sorted(f"{family}={value}" for family, value in self.values)
        return "|".join([f"{self.denied} {self.hedged}", *values])

    @property
    def said(self) -> str:
        """The same with the words of content."""
        return "|".join([self.key, "", *sorted(self.words - light())])


def gist(text: str, analyzer: Analyzer, source: str | None = None) -> Gist:
    """``text`` for comparing. What is said of one ``source`` of data is about it whether it names
    it or not: its name, where it stands whole, and words for any such source do not count.
    """
    text = normalise(text)
    seen = _names(text, analyzer)
    plain = _phrased(text)
    every = tokens(plain)
    read_tokens = [one for one in every if not _is_article(one) and one.text != OWNS]
    line = [_signed(plain, one) or _word(one, analyzer) for one in read_tokens]
    words = frozenset(word for one in line for word in one if not word.startswith("\0"))
    words -= _of_source(words, source, analyzer)
    flat = [word for one in line for word in one]
    lined = _lined(every, read_tokens, line)
    names = frozenset(
        word for word in words if word in seen[0] or (word.startswith(_LETTER) and word[-1] != "^")
    )
    placed = roles(plain, every, lined)
    return Gist(
        values=frozenset((one.family, one.value) for one in read_tokens if one.family),
        denied=_DENIES.search(plain) is not None,
        hedged=_HEDGES.search(plain) is not None,
        words=words,
        poles=frozenset(_poles(read_tokens, analyzer)),
        names=names,
        opening=seen[1] & words,
        beside={name: _beside(name, read_tokens, line) for name in names | (seen[1] & words)},
        line=tuple(word for word in flat if word in words),
        counted=tuple(_counted(read_tokens, line)),
        behind=_behind(read_tokens, line),
        roles=placed,
        tenses=tenses(every, analyzer),
        small=small_words(plain, *_without_articles(every, lined), passive=bool(placed.passive)),
        of_source=source is not None,
    )


def _lined(
    every: Sequence[Token], read_tokens: Sequence[Token], line: Sequence[list[str]]
) -> list[list[str]]:
    """``line`` with nothing for what is left out of it."""
    full = {one.start: words for one, words in zip(read_tokens, line, strict=True)}
    return [full.get(one.start, []) for one in every]


def _without_articles(
    every: Sequence[Token], line: Sequence[list[str]]
) -> tuple[list[Token], list[list[str]]]:
    kept = [at for at, one in enumerate(every) if not _is_article(one)]
    return [every[at] for at in kept], [line[at] for at in kept]


def _signed(text: str, one: Token) -> list[str]:
    """A name that only its signs or capitals make one: "C++", "IT", "Go" inside a sentence."""
    sign = sign_of(text, one)
    low = one.text.casefold()
    if (
        sign == "^"
        and low != "us"
        and (_word(one, analyzer_for("english")) or _DENIES.fullmatch(low))
    ):
        return []
    return [f"{_LETTER}{low}{sign}"] if sign else []


def _of_source(words: frozenset[str], source: str | None, analyzer: Analyzer) -> frozenset[str]:
    if source is None:
        return frozenset()
    name = {
        form for word in _LETTERS.findall(normalise(source)) for form in _mapped(word, analyzer)
    }
    return _sources() | (name if name <= words else frozenset())


@cache
def _sources() -> frozenset[str]:
    """Words for any source of data, as ``Gist.words`` has them."""
    return frozenset(
        form for word in SOURCES.split() for form in _mapped(word, analyzer_for("english"))
    )


@cache
def light() -> frozenset[str]:
    """Words that say little of what a sentence is about, as ``Gist.words`` has them."""
    analyzer = analyzer_for("english")
    return frozenset(form for word in LIGHT.split() for form in _mapped(word, analyzer))


def _phrased(text: str) -> str:
    for pattern, word in _phrases():
        text = pattern.sub(word, text)
    return text


@cache
def _phrases() -> list[tuple["regex.Pattern[str]", str]]:
    whole = r"(?:\b(?=\w)|(?=[^\w]))(?:{})\b"
    return [
        (regex.compile(whole.format(pattern), regex.IGNORECASE), word) for pattern, word in PHRASES
    ]


def _is_article(one: Token) -> bool:
    """A capital A inside a sentence is a name: "model A"."""
    return not one.family and one.text in _ARTICLES and not (one.text == "A" and one.start > 0)


def _word(one: Token, analyzer: Analyzer) -> list[str]:
    """The stems of a word by their meaning; a value stands for itself, marked."""
    if one.family:
        return [f"\0{one.value}"]
    low = one.text.casefold()
    if _is_letter(one):
        return [f"{_LETTER}{low}"]
    if _DENIES.fullmatch(low):
        return []
    found = []
    for stem in analyzer.stems(low):
        if stem not in aside():
            pole = (poles().get(low) or poles().get(stem) or [None])[0]
            said = concepts().get(stem, stem)
            said = said[:-1] if said.endswith("i") and len(said) > _LEAST_STEM else said
            if pole is None or said != stem:
                found.append(said)
            elif pole[0] not in WORDLESS:
                found.append(f"{pole[0]}:{pole[1]}")
    return found


def _poles(read_tokens: Sequence[Token], analyzer: Analyzer) -> Iterable[tuple[str, int]]:
    """The sides that a text takes; strictly where a value follows, as in "before May"."""
    for at, one in enumerate(read_tokens):
        low = one.text.casefold()
        valued = any(behind.family for behind in read_tokens[at + 1 : at + 3])
        for form in (low, *analyzer.stems(low)):
            for axis, side in poles().get(form, ()):
                yield axis if valued or axis not in STRICT else f"{axis}?", side


def _names(text: str, analyzer: Analyzer) -> tuple[frozenset[str], frozenset[str]]:
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
    preferring = any(one.text.casefold().startswith(_PREFERS) for one in read_tokens)
    for at, one in enumerate(read_tokens):
        marker = one.text.casefold()
        to_follows = any(word.text.casefold() == "to" for word in read_tokens[at + 1 : at + 5])
        place = MARKERS.get(marker, "")
        place = "" if marker == "over" and not preferring else place
        if place and (marker != "from" or to_follows):
            next_ones = [words[0] for words in line[at + 1 :] if words][
                : 1 if place == "foil" else 2
            ]
            found[place] = found.get(place, frozenset()) | frozenset(next_ones)
    return {marker: words for marker, words in found.items() if words}


def _counted(
    read_tokens: Sequence[Token], line: Sequence[Sequence[str]]
) -> Iterable[tuple[str, str]]:
    for at, one in enumerate(read_tokens):
        if not one.family or one.family in _NO_COUNT:
            continue
        behind = next((word for words in line[at + 1 : at + 3] for word in words), "")
        of = behind if one.bare and not behind.startswith("\0") else one.family
        yield of, one.value
