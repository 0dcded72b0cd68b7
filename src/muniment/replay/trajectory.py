"""A trajectory as JSON Lines: a header, then calls, work of the worker, and what must be true.

| line | says |
|---|---|
| `{"trajectory": 1, "name", "about", "rules", "at"}` | the header; `at` is when it begins, and \
`"timed": false` says that another clock gave the answers |
| `{"call", "with", "as", "once", "name", "at", "gives" or "refused"}` | an operation, its answer |
| `{"work": [duties], "at", "holds"}` | what the worker does, and what memory holds after it |
| `{"expect", "with", "as", "path", CHECK, "because"}` | what somebody wrote of how it has to end |
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from muniment.errors import InvalidInput
from muniment.operations.registry import REGISTRY

ADMIN = "admin"
DUTIES = (
    "consolidate", "close_idle_sessions", "curate", "gather", "decay", "expire", "expire_answers",
    "seal",
)  # fmt: skip
CHECKS = ("is", "has", "lacks", "count", "refused")
_FORMAT = 1
_FIELDS = {
    "trajectory": {"trajectory", "name", "about", "rules", "at", "timed"},
    "call": {"call", "with", "as", "once", "name", "at", "gives", "refused"},
    "work": {"work", "at", "holds"},
    "expect": {"expect", "with", "as", "path", "because", *CHECKS},
}


@dataclass(frozen=True)
class Call:
    """An operation: who asks, under which idempotency key, when; what it gave, or its refusal."""

    operation: str
    arguments: Mapping[str, Any]
    by: str = ADMIN
    once: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    at: datetime | None = None
    gives: Any = None
    refused: str | None = None


@dataclass(frozen=True)
class Work:
    """Duties of the worker, in order; what memory holds after them."""

    duties: Sequence[str]
    at: datetime | None = None
    holds: Sequence[Mapping[str, Any]] | None = None


@dataclass(frozen=True)
class Expect:
    """What a read has to answer: at a path, compared in one of ``CHECKS``; and by which rule."""

    operation: str
    arguments: Mapping[str, Any]
    path: str
    check: str
    wanted: Any
    by: str = ADMIN
    because: str = ""

    @property
    def said(self) -> str:
        """The sentence in short."""
        return (
            f"{self.operation} {self.path} {self.check} {json.dumps(self.wanted)} ({self.because})"
        )


Step = Call | Work | Expect


@dataclass(frozen=True)
class Trajectory:
    """A recorded history, with what must be true of it."""

    name: str
    at: datetime
    steps: Sequence[Step]
    about: str = ""
    rules: Sequence[str] = ()
    timed: bool = True

    @property
    def needs_the_clock(self) -> bool:
        """Whether time has to pass in it, or periodic duties to run."""
        works = [one for one in self.steps if isinstance(one, Work)]
        moments = [
            self.at,
            *(one.at for one in self.steps if not isinstance(one, Expect) and one.at),
        ]
        spread = (max(moments) - min(moments)).total_seconds()
        return spread > _MOST_SPREAD or any(set(one.duties) - {"consolidate"} for one in works)


_MOST_SPREAD = 3600.0


def read_trajectory(file: Path) -> Trajectory:
    """Raises InvalidInput, with the number of the line that is of another form."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file}: cannot be read ({type(error).__name__}).") from None
    header: Mapping[str, Any] = {}
    steps: list[Step] = []
    for number, line in enumerate(lines, 1):
        try:
            if line.strip() and header:
                steps.append(_step(json.loads(line)))
            elif line.strip():
                header = _header(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"{file}, line {number}: not a trajectory ({error}).") from None
    if not header:
        raise InvalidInput(f"{file}: there is nothing in it.")
    return Trajectory(
        name=header.get("name") or file.stem,
        at=datetime.fromisoformat(header["at"]),
        steps=steps,
        about=header.get("about", ""),
        rules=header.get("rules", ()),
        timed=header.get("timed", True),
    )


def _header(row: Mapping[str, Any]) -> Mapping[str, Any]:
    if row.get("trajectory") != _FORMAT:
        raise ValueError(f'the first line says "trajectory": {_FORMAT}')
    _known(row, "trajectory")
    return row


def _known(row: Mapping[str, Any], form: str) -> None:
    if unknown := set(row) - _FIELDS[form]:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")


def _step(row: Mapping[str, Any]) -> Step:
    moment = datetime.fromisoformat(row["at"]) if "at" in row else None
    for form in ("call", "work", "expect"):
        if form in row:
            _known(row, form)
    if "work" in row:
        if unknown := set(row["work"]) - set(DUTIES):
            raise ValueError(f"no duty of the worker: {', '.join(sorted(unknown))}")
        return Work(tuple(row["work"]), moment, row.get("holds"))
    operation = row["call"] if "call" in row else row["expect"]
    if operation not in REGISTRY:
        raise ValueError(f"no operation: {operation}")
    arguments, by = row.get("with", {}), row.get("as", ADMIN)
    if "call" in row:
        return Call(
            operation, arguments, by, row.get("once"), row.get("name", {}), moment,
            row.get("gives"), row.get("refused"),
        )  # fmt: skip
    checks = [one for one in CHECKS if one in row]
    if len(checks) != 1:
        raise ValueError(f"one of {', '.join(CHECKS)} is needed")
    return Expect(
        operation, arguments, row.get("path", ""), checks[0], row[checks[0]], by,
        row.get("because", ""),
    )  # fmt: skip


def write_trajectory(file: Path, trajectory: Trajectory) -> None:
    """Write it, a line each; what is empty is left out."""
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in _rows(trajectory))
    file.write_text(text, encoding="utf-8")


def _rows(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    header = _told(
        trajectory=_FORMAT, name=trajectory.name, about=trajectory.about,
        rules=list(trajectory.rules), at=trajectory.at.isoformat(),
    )  # fmt: skip
    yield header if trajectory.timed else header | {"timed": False}
    for step in trajectory.steps:
        yield _row(step)


def _row(step: Step) -> dict[str, Any]:
    if isinstance(step, Work):
        row = _told(work=list(step.duties), at=step.at and step.at.isoformat())
        return row if step.holds is None else row | {"holds": list(step.holds)}
    by = None if step.by == ADMIN else step.by
    if isinstance(step, Expect):
        row = _told(expect=step.operation, **{"with": step.arguments, "as": by}, path=step.path)
        return row | {step.check: step.wanted} | _told(because=step.because)
    row = _told(
        call=step.operation, **{"with": step.arguments, "as": by}, once=step.once,
        name=step.names, at=step.at and step.at.isoformat(), refused=step.refused,
    )  # fmt: skip
    return row if step.gives is None else row | {"gives": step.gives}


def _told(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", {}, [], ())}


def with_answers(trajectory: Trajectory, answered: Iterable[Step]) -> Trajectory:
    """The same with what its steps gave now."""
    return replace(trajectory, steps=list(answered))
