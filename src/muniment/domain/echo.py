"""Echoes: a turn that says nearly what recall returned into its session is not said anew."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import regex

from muniment.domain.late import late_regex
from muniment.domain.text import Analyzer, tokenise

LEAST_WORDS: Final = 3
"""A turn of fewer content words is an answer, however much of it was recalled."""
CHATTER: Final = (
    "yes yeah right correct okay ok sure noted thanks thank know remember recall said say says"
    " told tell mentioned mention see remind reminder according notes memory mind indeed exactly"
    " really great good still also well please understand understood"
)
"""Words that are put around what was recalled and say nothing new."""

_NO: Final = late_regex(
    r"\b(?:no|not|never|none|nor|neither|without|cannot|longer|anymore|instead|actually|wrong)\b"
    r"|\b\w+n['’]t\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Recalled:
    """The words of a text that recall returned."""

    stems: frozenset[str]
    numbers: frozenset[str]
    denials: frozenset[str]


def recalled(text: str, analyzer: Analyzer) -> Recalled:
    """A text that recall returned, read once for every turn that may echo it."""
    return Recalled(frozenset(analyzer.stems(text)), _numbers(text), _denials(text))


def echoes(text: str, items: Iterable[Recalled], analyzer: Analyzer) -> bool:
    """True if the content words of ``text`` are those of one recalled text, ``CHATTER`` aside.

    Any other word may be what has changed, so it is something new; so is another number, and a
    denial that was not recalled. Whatever has too few words to tell is no echo.
    """
    own = frozenset(analyzer.stems(text)) - frozenset(analyzer.stems(CHATTER))
    if len(own) < LEAST_WORDS:
        return False
    numbers, denials = _numbers(text), _denials(text)
    return any(
        own <= item.stems and numbers <= item.numbers and denials <= item.denials for item in items
    )


def _numbers(text: str) -> frozenset[str]:
    return frozenset(token for token in tokenise(text) if token[:1].isdecimal())


def _denials(text: str) -> frozenset[str]:
    return frozenset(match.group().casefold().replace("’", "'") for match in _NO.finditer(text))
