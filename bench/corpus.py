"""Texts and questions that look like an agent's notes, from a seed; nobody's data."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_START = datetime(2026, 1, 1, tzinfo=UTC)
_PERIOD = timedelta(days=180)
_SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "qui",
    "ro",
    "su",
    "ta",
    "ve",
    "wi",
    "xo",
    "zu",
    "bri",
    "cla",
    "dre",
    "fle",
    "gro",
]
_FRAMES = (
    "We decided that the {a} of {b} moves to {c} because the {d} was late on day {n}.",
    "My {a} in {b} costs {n} euros a month and the {c} comes with a {d}.",
    "The report on {a} showed that {b} fell by {n} percent after the {c} replaced the {d}.",
    "I prefer the {a} over the {b} when the {c} is near {d}, at least {n} times out of ten.",
    "{a} called about the {b}: the {c} must be at {d} before {n} o'clock.",
)
_QUESTIONS = (
    "What was decided about the {a} of {b} and the {c}?",
    "How much does the {a} in {b} cost with the {c}?",
    "Which {a} replaced the {b} near {c}?",
    "Who called about the {a} at {b} and the {c}?",
)


@dataclass(frozen=True)
class Note:
    """One memory: its number within the user, its text, its moment."""

    number: int
    text: str
    at: datetime


class Corpus:
    """The same seed gives the same texts."""

    def __init__(self, seed: int = 1) -> None:
        chosen = random.Random(seed)
        self.words = sorted(
            {"".join(chosen.choices(_SYLLABLES, k=chosen.randint(2, 4))) for _ in range(6000)}
        )
        self._seed = seed

    def notes(self, user: str, count: int) -> Iterator[Note]:
        """So many notes of a user, spread over half a year."""
        chosen = random.Random(f"{self._seed}/{user}")
        for number in range(count):
            words = dict(zip("abcd", chosen.sample(self.words, 4), strict=True))
            text = chosen.choice(_FRAMES).format(**words, n=chosen.randint(2, 99))
            yield Note(number, text, _START + _PERIOD * (number / count))

    def questions(self, user: str, notes: list[Note], count: int) -> list[str]:
        """Questions that each take some words of one note."""
        chosen = random.Random(f"{self._seed}/{user}/questions")
        found = []
        for _ in range(count):
            said = [
                word for word in chosen.choice(notes).text.split() if word.strip(".,:").isalpha()
            ]
            rare = [
                word.strip(".,:") for word in said if word.strip(".,:").lower() in set(self.words)
            ]
            picked = dict(zip("abc", (rare + chosen.sample(self.words, 3))[:3], strict=True))
            found.append(chosen.choice(_QUESTIONS).format(**picked))
        return found


def in_order(notes: Mapping[str, Sequence[Note]]) -> list[tuple[str, Note]]:
    """Everybody's notes as a service gets them: by their moments, users mixed."""
    mixed = ((user, note) for user, batch in notes.items() for note in batch)
    return sorted(mixed, key=lambda one: one[1].at)
