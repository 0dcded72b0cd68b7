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
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_LONE = re.compile("[\ud800-\udfff]")
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
        # Not by splitlines: texts have separators of their own.
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file}: cannot be read ({type(error).__name__}).") from None
    header: Mapping[str, Any] = {}
    steps: list[Step] = []
    for number, line in enumerate(lines, 1):
        try:
            if line.strip() and header:
                steps.append(step_of(json.loads(line)))
                _check_time(header, steps)
            elif line.strip():
                header = header_of(json.loads(line))
        except (ValueError, RecursionError) as error:
            said = "nested too deeply" if isinstance(error, RecursionError) else error
            raise InvalidInput(f"{file}, line {number}: not a trajectory ({said}).") from None
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


def header_of(row: Any) -> Mapping[str, Any]:
    """The first line. Raises ValueError."""
    if not isinstance(row, dict) or row.get("trajectory") != _FORMAT:
        raise ValueError(f'the first line says "trajectory": {_FORMAT}')
    _check(row, "trajectory")
    if "at" not in row:
        raise ValueError("at: is missing")
    _moment(row)
    return row


def step_of(row: Any) -> Step:
    """A step out of its line. Raises ValueError."""
    forms = [form for form in ("call", "work", "expect") if isinstance(row, dict) and form in row]
    if len(forms) != 1:
        raise ValueError("one of call, work, expect is needed")
    _check(row, forms[0])
    if forms[0] == "work":
        if unknown := set(row["work"]) - set(DUTIES):
            raise ValueError(f"no duty of the worker: {', '.join(sorted(unknown))}")
        return Work(tuple(row["work"]), _moment(row), row.get("holds"))
    operation = row[forms[0]]
    if operation not in REGISTRY:
        raise ValueError(f"no operation: {operation}")
    arguments, by = row.get("with", {}), row.get("as", ADMIN)
    if forms[0] == "call":
        return Call(
            operation, arguments, by, row.get("once"), row.get("name", {}), _moment(row),
            row.get("gives"), row.get("refused"),
        )  # fmt: skip
    checks = [one for one in CHECKS if one in row]
    if len(checks) != 1:
        raise ValueError(f"one of {', '.join(CHECKS)} is needed")
    return Expect(
        operation, arguments, row.get("path", ""), checks[0], row[checks[0]], by,
        row.get("because", ""),
    )  # fmt: skip


def _check(row: Mapping[str, Any], form: str) -> None:
    """Raises ValueError for a field that is unknown or of another form."""
    if unknown := set(row) - _FIELDS[form]:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    named = isinstance(row.get("name", ""), str) if form == "trajectory" else _is_names(row)
    if not named:
        raise ValueError("name: is of another form")
    for name, value in row.items():
        if name in _FORMS and not _FORMS[name][1](value):
            raise ValueError(f"{name}: has to be {_FORMS[name][0]}")
    within: list[Any] = [row]
    for _ in range(_DEEPEST):
        within = [
            inner
            for one in within
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    if within:
        raise ValueError("nested too deeply")


def _moment(row: Mapping[str, Any]) -> datetime | None:
    if "at" not in row:
        return None
    found = datetime.fromisoformat(row["at"])
    if found.tzinfo is None or not 1970 < found.year < 3000:
        raise ValueError("at: needs an offset, and a year from 1971 to 2999")
    return found


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_names(row: Mapping[str, Any]) -> bool:
    found = row.get("name", {})
    return isinstance(found, dict) and all(isinstance(one, str) for one in found.values())


def _is_held(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict)
        and isinstance(one.get("id"), str)
        and isinstance(one.get("versions"), list)
        and one["versions"]
        and all(isinstance(version, dict) for version in one["versions"])
        and all(isinstance(version.get("text", ""), str) for version in one["versions"])
        and all(isinstance(version.get("by", ""), str) for version in one["versions"])
        for one in value
    )


_A_TEXT = ("a text", lambda value: isinstance(value, str))
_TEXTS = ("a list of texts", _is_texts)
_FORMS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(
        ("about", "at", "as", "call", "expect", "once", "path", "because", "refused"), _A_TEXT
    ),
    "rules": _TEXTS,
    "work": _TEXTS,
    "with": ("an object", lambda value: isinstance(value, dict)),
    "timed": ("true or false", lambda value: isinstance(value, bool)),
    "holds": ("a list of memories", _is_held),
}
_DEEPEST = 100


def _check_time(header: Mapping[str, Any], steps: Sequence[Step]) -> None:
    """Raises ValueError where the last step is before another. No clock made a record by itself."""
    told = [one.at for one in steps if not isinstance(one, Expect) and one.at is not None]
    last = steps[-1]
    if isinstance(last, Expect) or last.at is None or not header.get("timed", True):
        return
    if last.at < max([datetime.fromisoformat(header["at"]), *told]):
        raise ValueError("at: time goes backwards")


def as_line(value: Any, *, indent: int | None = None) -> str:
    """JSON that can be written as UTF-8, whatever is in it."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def write_trajectory(
    file: Path, trajectory: Trajectory, *, without: Callable[[Any], Any] | None = None
) -> None:
    """Write it, a line each; what is empty is left out. A new file is its owner's alone, and there
    is never half of one. ``without`` takes out of a line what must not be in it.

    Raises InvalidInput where it cannot be written.
    """
    told = (row if without is None else without(row) for row in _rows(trajectory))
    text = "".join(f"{as_line(row)}\n" for row in told)
    try:
        _replace(file.resolve(), text.encode())
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}.") from None


def _replace(file: Path, content: bytes) -> None:
    mode = file.stat().st_mode if file.exists() else stat.S_IFREG | 0o600
    if not stat.S_ISREG(mode):
        file.write_bytes(content)
        return
    aside = file.with_name(f".{file.name}.{os.getpid()}")
    opened = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(opened, "wb") as whole:
            whole.write(content)
        aside.chmod(stat.S_IMODE(mode))
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


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
