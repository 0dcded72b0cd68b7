"""Patterns that are compiled when they are first used, so that a process that never reads text of
that kind does not wait for them when it starts."""

import re
from collections.abc import Callable
from typing import Any, cast

import regex

_SEARCHES = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")
_NAMES = frozenset((*_SEARCHES, "flags", "groupindex", "groups", "pattern"))


class _Late:
    def __init__(self, compiled: Callable[[], Any]) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> Any:
        if name not in _NAMES:
            raise AttributeError(name)
        compiled = self._compiled()
        # From now on each name is found without coming here.
        self.__dict__.update({each: getattr(compiled, each) for each in _NAMES})
        return self.__dict__[name]


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile(source, flags)``, at its first use; a wrong pattern fails then."""
    return cast("re.Pattern[str]", _Late(lambda: re.compile(source, flags)))


def late_regex(source: str, flags: int = 0) -> "regex.Pattern[str]":
    """``regex.compile(source, flags)``, at its first use; a wrong pattern fails then."""
    return cast("regex.Pattern[str]", _Late(lambda: regex.compile(source, flags)))
