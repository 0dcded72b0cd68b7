"""How two plays of a trajectory differ: on the way, and not only in the answer at its end."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from muniment.operations.operation import Effect
from muniment.operations.registry import REGISTRY
from muniment.replay.names import ids_in, timeless
from muniment.replay.trajectory import Call, Expect, Step, Work

CLASSES = ("write", "claim", "promotion", "supersession", "recall", "refusal", "answer")
_RECALLS = {
    "recall", "context.assemble", "context.get", "profile.get", "memories.list", "analysis.plan",
    "entities.get",
}  # fmt: skip
_OF_RUNS = {"runs", "approvals", "artifacts", "tools", "machines", "schemas"}
_OUTCOMES = ("outcome", "superseded", "rule", "restored", "ended")
_SHOWN = 3


@dataclass(frozen=True)
class Divergence:
    """A step at which the plays differ: of which class, and how."""

    step: int
    what: str
    kind: str
    said: str


@dataclass
class Comparison:
    """What was compared by class, what differed, and which expectations were not met."""

    name: str
    compared: Counter[str] = field(default_factory=Counter)
    divergences: list[Divergence] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def steps(self) -> int:
        """How many steps were compared."""
        return self.compared["step"]

    @property
    def rate(self) -> float:
        """The share of steps that differ."""
        return len({one.step for one in self.divergences}) / max(1, self.steps)

    def add(self, step: int, what: str, kind: str, said: str) -> None:
        """Note a difference."""
        self.divergences.append(Divergence(step, what, kind, said))


def compare(
    name: str, recorded: Sequence[Step], played: Sequence[Step], *, with_times: bool = True
) -> Comparison:
    """Compare two plays step by step; without times where nobody holds the clock."""
    found = Comparison(name)
    for number, (before, now) in enumerate(zip(recorded, played, strict=True), 1):
        if isinstance(before, Expect) or _has_no_answer(before):
            continue
        found.compared["step"] += 1
        if isinstance(before, Call) and isinstance(now, Call):
            _compare_calls(found, number, before, now, with_times)
        elif isinstance(before, Work) and isinstance(now, Work):
            _compare_work(found, number, before, now, with_times)
    return found


def _has_no_answer(step: Step) -> bool:
    """A call that was written by hand, or that nobody heard the answer of."""
    return isinstance(step, Call) and step.gives is None and step.refused is None


def _seen(value: Any, with_times: bool) -> Any:
    return value if with_times else timeless(value)


def _compare_calls(
    found: Comparison, number: int, before: Call, now: Call, with_times: bool
) -> None:
    kind = class_of(before.operation)
    found.compared.update((kind, "refusal"))
    if before.refused != now.refused:
        said = f"{before.refused or 'done'} -> {now.refused or 'done'}"
        found.add(number, before.operation, "refusal", said)
        return
    old, new = _seen(before.gives, with_times), _seen(now.gives, with_times)
    if old == new:
        return
    if kind == "recall" and ids_in(old) == ids_in(new):
        kind = "answer"
    if kind == "write" and _outcome(old) != _outcome(new):
        kind = "supersession"
    found.add(number, before.operation, kind, differences(old, new))


def class_of(operation: str) -> str:
    """Of which class a difference in this operation's answer is, at first sight."""
    if operation in _RECALLS:
        return "recall"
    if operation.partition(".")[0] in _OF_RUNS:
        return "claim"
    return "answer" if REGISTRY[operation].effect is Effect.READ else "write"


def _outcome(gives: Any) -> list[Any]:
    return [gives.get(name) for name in _OUTCOMES] if isinstance(gives, Mapping) else []


def _compare_work(
    found: Comparison, number: int, before: Work, now: Work, with_times: bool
) -> None:
    if before.holds is None:
        return
    what = ", ".join(before.duties)
    old, new = _by_text(before.holds, with_times), _by_text(now.holds, with_times)
    found.compared["promotion"] += len(old)
    found.compared["supersession"] += len(old)
    for text in [*old, *(one for one in new if one not in old)]:
        if text not in new:
            found.add(number, what, "promotion", f"not held any more: {text}")
        elif text not in old:
            found.add(number, what, "promotion", f"held now: {text}")
        elif old[text] != new[text]:
            found.add(number, what, "supersession", differences(old[text], new[text]))


def _by_text(holds: Sequence[Mapping[str, Any]] | None, with_times: bool) -> dict[str, Any]:
    """Memories by what they say last; those that say the same, one after the other."""
    rows: dict[str, Any] = {}
    names = {row["id"]: row["versions"][-1].get("text", "") for row in holds or ()}
    for row in holds or ():
        text, number = names[row["id"]], 1
        while (label := text if number == 1 else f"{text} ({number})") in rows:
            number += 1
        versions = [
            version | {"by": names.get(version["by"], version["by"])}
            if "by" in version
            else version
            for version in row["versions"]
        ]
        rows[label] = _seen(versions, with_times)
    return rows


def differences(old: Any, new: Any) -> str:
    """Where two answers differ, in a line."""
    found = list(_differing(old, new, ""))
    more = f"; {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def _differing(old: Any, new: Any, at: str) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(one for one in new if one not in old)]:
            yield from _differing(old.get(key), new.get(key), f"{at}/{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from _differing(left, right, f"{at}/{number}")
    elif old != new:
        yield f"{at or '/'}: {_short(old)} -> {_short(new)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST else f"{text[:_MOST]}..."


_MOST = 80
