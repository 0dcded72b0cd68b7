"""What the tests of the extractor share: a session of a few turns, and what it gives."""

import tomllib
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files

from muniment.domain.extraction import Extracted, Extraction, SaidTurn, extract
from muniment.domain.policy import Policy

SLOTS = Policy.parse(
    tomllib.loads((files("muniment.policy") / "default.toml").read_text(encoding="utf-8"))
).slots
WEDNESDAY = datetime.fromisoformat("2026-05-13T10:00:00+02:00")


def session(*turns: str, at: datetime = WEDNESDAY, name: str | None = "Nora") -> list[SaidTurn]:
    """Turns of the user; one that starts with "A: " or "T: " is the assistant's or a tool's."""
    said = []
    for number, content in enumerate(turns, 1):
        role = {"A: ": "assistant", "T: ": "tool", "X: ": "external"}.get(content[:3], "user")
        text = content if role == "user" else content[3:]
        said.append(SaidTurn(number, role, name if role == "user" else None, text, at))  # type: ignore[arg-type]
    return said


def extraction(*turns: str, at: datetime = WEDNESDAY) -> Extraction:
    """What a session of these turns gives."""
    return extract(session(*turns, at=at), SLOTS)


def given(*turns: str, at: datetime = WEDNESDAY) -> tuple[Extracted, ...]:
    """The candidates of a session of these turns."""
    return extraction(*turns, at=at).candidates


def days(said: str) -> list[tuple[str | None, ...]]:
    """The day on which each candidate of a turn begins to hold, and that on which it does no more."""
    return [
        tuple(None if day is None else f"{day:%Y-%m-%d}" for day in (one.valid_from, one.valid_to))
        for one in given(said)
    ]


def slotted(candidates: Sequence[Extracted]) -> set[tuple[str, str]]:
    """The values that hold, with their slots."""
    return {
        (one.slot, one.value) for one in candidates if one.slot and one.value and not one.retracts
    }


def assert_read(said: str, expected: str) -> None:
    """Turns, with | between, give these values of a slot and no others: "city=Nantes;city=Rennes"."""
    wanted = {tuple(one.split("=", 1)) for one in expected.split(";")}
    slot = expected.split("=", 1)[0]
    read = extract(session(*said.split("|"), name=None), SLOTS).candidates
    got = {(one.slot, one.value) for one in read if one.slot == slot and not one.retracts}
    assert got == wanted
