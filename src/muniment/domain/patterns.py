"""Patterns of RE2, which reads in time that grows with the text and the program, and how much."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import re2

MOST_PATTERNS = 256
MOST_PROGRAM = 20_000
"""Instructions of all patterns of one schema together; a letter of any script takes 1,200."""
_MOST_MEMORY = 256 * 1024
_BYTES_TIMES_PROGRAM = 100
"""That RE2 reads in a microsecond where its automaton has too many states to be kept."""


class PatternError(ValueError):
    """It is no pattern that is read here; says why."""


@lru_cache(maxsize=MOST_PATTERNS)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    try:
        return re2.compile(pattern, options=options)
    except re2.error as error:
        large = "too large" in str(error)
        raise PatternError("is too large" if large else "is no regular expression of RE2") from None


class Patterns:
    """The patterns of a schema as they are met, and how much they may be together."""

    def __init__(self) -> None:
        self._met: set[str] = set()
        self._program = 0

    def meet(self, pattern: str) -> None:
        """Take one more. Raises PatternError for one that is none, or is too large or too many."""
        if pattern in self._met:
            return
        if len(self._met) == MOST_PATTERNS:
            raise PatternError(f"is one pattern more than {MOST_PATTERNS}")
        self._program += int(_compiled(pattern).programsize)
        if self._program > MOST_PROGRAM:
            raise PatternError("is too large, or is with those before it")
        self._met.add(pattern)


def cost_of(patterns: Iterable[str], text: str) -> int:
    """Microseconds, at most, that it takes to look for these in a text."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return sum(
        5 + size * int(_compiled(one).programsize) // _BYTES_TIMES_PROGRAM for one in patterns
    )


def is_found(pattern: str, text: str) -> bool:
    """Whether a text has it somewhere. Raises PatternError."""
    return bool(_compiled(pattern).search(text))
