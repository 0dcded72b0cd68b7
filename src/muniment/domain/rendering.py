"""A sentence in the third person beside the user's own: the same words, told of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from muniment.domain.gate.tokens import word_set
from muniment.domain.text import analyzer_for

# A minus belongs to its number unless something stands right before it, as in a date or a range.
WORDS: Final = regex.compile(
    r"(?<![^\s\p{Ps}\p{Pi}\p{Po}])[-−]\p{N}+(?:[.,:]\p{N}+)*"
    r"|\p{N}+(?:[.,:]\p{N}+)+|[\p{L}\p{M}\p{N}]+|[^\s\p{P}]"
)
_OF_ONESELF: Final = word_set("i me my mine myself we us our ours ourselves")
_OF_THEM: Final = word_set("user they them their theirs themselves")
_SELF: Final = "\0self"
_FRAME: Final = frozenset({"team", "asks", "s"})
"""What rendering adds behind whom it tells of: "Nora's team", "The user asks: ..."."""
_LEADS: Final = frozenset(
    analyzer_for().stems("please kindly hey hi oh well ok okay yes yeah also actually btw note")
)
"""What people put in front of a sentence and rendering leaves away."""


@dataclass(frozen=True, slots=True)
class _Token:
    stem: str
    start: int
    end: int


Span = tuple[int, int]


def renders(sentence: str, text: str, names: Sequence[str] = ()) -> tuple[Span, Span] | None:
    """Where a normalised ``sentence`` says what ``text`` tells of its speaker, called by ``names``.

    Every content word of the text stands in the sentence, in the same order and with no other
    between them, and "I" where the text names the speaker. Returns the two places, or None.
    """
    lead, told = _told(text, names)
    if not any(token.stem != _SELF for token in told):
        return None
    said = _tokens(sentence, _OF_ONESELF)
    for at, token in enumerate(said):
        if token.stem != told[0].stem or not _begins(said[:at], lead):
            continue
        end = _matched(said[at:], told)
        if end:
            return (token.start, said[at + end - 1].end), (told[0].start, told[-1].end)
    return None


def _begins(before: Sequence[_Token], lead: frozenset[str]) -> bool:
    """True if what comes before in the sentence is as the text says: the speaker, or nobody."""
    if _SELF not in lead or "asks" in lead:
        return True
    passed = _LEADS | (lead & _FRAME)
    rest = [token.stem for token in before if token.stem not in passed]
    return not rest or rest[-1] == _SELF


def _matched(said: Sequence[_Token], told: Sequence[_Token]) -> int:
    """How many tokens of the sentence say what is told; 0 if they do not."""
    at = 0
    for token in told:
        while at < len(said) and said[at].stem == _SELF and token.stem != _SELF:
            at += 1
        if at == len(said) or said[at].stem != token.stem:
            return 0
        at += 1
    return at


def _told(text: str, names: Sequence[str]) -> tuple[frozenset[str], list[_Token]]:
    """The tokens of a text in the third person, and what rendering put in front of them."""
    own = {word.casefold() for name in names for word in WORDS.findall(name)}
    tokens = _tokens(text, _OF_THEM | own, raw=_FRAME)
    end = 0
    while end < len(tokens) and (tokens[end].stem == _SELF or tokens[end].stem in _FRAME):
        end += 1
    lead = frozenset(token.stem for token in tokens[:end])
    if _SELF not in lead:
        # Without anybody in front of them they are words like any other.
        lead, end = frozenset(), 0
    rest = [_stemmed(token) for token in tokens[end:]]
    return lead, [token for token in rest if token is not None]


def _tokens(
    text: str, selves: frozenset[str] | set[str], raw: frozenset[str] = frozenset()
) -> list[_Token]:
    found: list[_Token] = []
    for match in WORDS.finditer(text):
        word = match.group().casefold()
        place = match.span()
        if word in selves:
            if not found or found[-1].stem != _SELF:
                found.append(_Token(_SELF, *place))
        elif word in raw:
            found.append(_Token(word, *place))
        else:
            found += [_Token(stem, *place) for stem in _stems(word)]
    return found


def _stemmed(token: _Token) -> _Token | None:
    if token.stem not in _FRAME:
        return token
    stems = _stems(token.stem)
    return _Token(stems[0], token.start, token.end) if stems else None


def _stems(word: str) -> list[str]:
    return [word] if word[0] in "-−" and len(word) > 1 else analyzer_for().stems(word)
