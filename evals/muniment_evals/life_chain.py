"""How the values of a one-valued slot follow each other in what a person says."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from muniment_evals.life_talk import Said

_MODES = ("change", "dated", "late", "correct", "retract", "history")
_ODDS = (36, 20, 16, 12, 8, 8)
_ELLIPTIC = 0.12
_LATE_DAYS = (9, 40)


@dataclass(frozen=True)
class Step:
    """One thing said of a slot: a value in some way, after ``old``; ``wrong`` is taken back.

    Without a value, ``old`` is retracted.
    """

    mode: str
    value: str | None
    old: str | None = None
    wrong: str | None = None

    def told(
        self, chance: random.Random, words: Mapping[str, Any], since: datetime, today: datetime
    ) -> tuple[str, list[Said]]:
        """How it is said ``today``, and the turns; nothing is dated before ``since``."""
        mode, day = self._dated(chance, since, today)
        if mode == "change" and self.old is None:
            # What names the value before has nothing to name.
            mode = "first"
        if mode in ("first", "change") and chance.random() < _ELLIPTIC:
            return "elliptic", [Said("assistant", words["asked"]), Said("user", f"{self.value}.")]
        said: list[Said] = []
        if self.wrong is not None:
            wrong = chance.choice(words["wrong"]).format(v=self.wrong)
            said += [Said("user", wrong), Said("assistant", "All right.")]
        text = chance.choice(words[mode])
        old = self.old if self.wrong is None else self.wrong
        filled = text.format(v=self.value, old=old, date=_date(chance, day))
        return mode, [*said, Said("user", filled[0].upper() + filled[1:])]

    def _dated(
        self, chance: random.Random, since: datetime, today: datetime
    ) -> tuple[str, datetime]:
        """The way to say it for which there is room since the last value, and its date."""
        if self.mode == "late":
            earliest = max(since + timedelta(days=1), today - timedelta(days=_LATE_DAYS[1]))
            room = (today - timedelta(days=_LATE_DAYS[0]) - earliest).days
            late = earliest + timedelta(days=chance.randrange(room + 1)) if room > 0 else today
            return ("late" if room > 0 else "change"), late
        day = today - timedelta(days=chance.randrange(1, 6))
        return ("change" if self.mode == "dated" and day <= since else self.mode), day


def steps_of(
    chance: random.Random, words: Mapping[str, Any], values: Sequence[str], retracted: bool
) -> list[Step]:
    """Steps that tell every value once and end with the last held, or with it retracted."""
    steps = [Step("first", values[0])]
    held: str | None = values[0]
    at, history = 1, False
    while at < len(values):
        left = len(values) - at
        (mode,) = chance.choices(_MODES, _ODDS)
        unfit = (
            (mode == "history" and (history or left < 2 or "history" not in words))
            or (mode == "correct" and left < 2)
            or (mode == "retract" and held is None)
        )
        if unfit or mode not in words:
            mode = "change"
        if mode == "retract":
            steps.append(Step("retract", None, held))
            held = None
            continue
        if mode == "history":
            history = True
            steps.append(Step("history", values[at], held))
            at += 1
            continue
        wrong = values[at] if mode == "correct" else None
        at += wrong is not None
        steps.append(Step(mode, values[at], held, wrong))
        held = values[at]
        at += 1
    if retracted:
        steps.append(Step("retract", None, held))
    return steps


def _date(chance: random.Random, day: datetime) -> str:
    """A date as people write it, without the year."""
    month = f"{day:%B}"
    return chance.choice(
        (f"{day.day} {month}", f"{month} {day.day}", f"the {day.day}{_th(day.day)} of {month}")
    )


def _th(number: int) -> str:
    if 11 <= number <= 13:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
