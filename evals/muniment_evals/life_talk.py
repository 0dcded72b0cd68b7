"""Ordinary work together, made of templates: questions and answers for the task at hand."""

import random
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

_GAP = re.compile(r"\{(\w+)\}")
_GENERIC = 0.25


class Said(NamedTuple):
    """One turn, before it has a place in a session."""

    role: Literal["user", "assistant"]
    content: str


class Talk:
    """Turns that nobody would write down, drawn by chance."""

    def __init__(self, chance: random.Random, words: Mapping[str, Any]) -> None:
        self._chance = chance
        self._words = words

    def noted(self) -> str:
        """What an assistant says to something that it was told."""
        return str(self._chance.choice(self._words["generic"]["noted"]))

    def line(self, role: str) -> str:
        """Something that fits any topic."""
        return self._fill(self._chance.choice(self._words["generic"][role]))

    def frame(self) -> tuple[list[Said], list[Said]]:
        """How a session begins and ends."""
        generic, choice = self._words["generic"], self._chance.choice
        hello = [Said("user", choice(generic["open"])), Said("assistant", choice(generic["greet"]))]
        bye = [
            Said("user", choice(generic["thanks"])),
            Said("assistant", choice(generic["welcome"])),
        ]
        return hello, bye

    def exchanges(self, count: int) -> list[tuple[str, str]]:
        """So many questions with their answers about two topics, none twice."""
        topics = self._chance.sample(self._words["topic"], 2)
        found: dict[str, str] = {}
        while len(found) < count:
            topic = topics[len(found) * 2 // max(count, 1)]
            source = self._words["generic"] if self._chance.random() < _GENERIC else topic
            asked = self._fill(self._chance.choice(source["user"]))
            found.setdefault(asked, self._fill(self._chance.choice(source["assistant"])))
        return list(found.items())

    def _fill(self, template: str) -> str:
        words = self._words["words"]
        text = _GAP.sub(lambda gap: self._chance.choice(words[gap[1]]), template)
        return text[0].upper() + text[1:]
