"""A trajectory played on a place: step by step, under its names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from muniment.errors import InvalidInput
from muniment.replay.expecting import failure, found_at
from muniment.replay.names import Names, pruned
from muniment.replay.trajectory import ADMIN, Call, Expect, Step, Trajectory, Work

_BETWEEN = timedelta(seconds=1)
UNNAMED = "unnamed"
"""The refusal of a step that names what no step before it gave."""
_EVERY = ["asserted", "contested", "quarantined", "archived"]
_OF_VERSIONS = (
    "text", "value", "valid_from", "valid_to", "standing", "trust", "confidence", "pinned",
    "retracted", "archived", "is_durative",
)  # fmt: skip


@dataclass(frozen=True)
class Answered:
    """What a call gave, as JSON, or the code of its refusal."""

    gives: Any = None
    refused: str | None = None


class Place(Protocol):
    """Where trajectories are played. ``holds_the_clock``: time is what the trajectory says."""

    @property
    def holds_the_clock(self) -> bool: ...

    async def begin(self, name: str, at: datetime) -> str:
        """A new tenant, and time as it was; returns the tenant's first key."""

    def move(self, to: datetime) -> None:
        """Let it be that moment."""

    async def call(
        self, operation: str, arguments: Mapping[str, Any], key: str, once: str | None
    ) -> Answered:
        """Run an operation as the holder of a key."""

    async def work(self, duties: Sequence[str]) -> None:
        """Let the worker do these duties."""


@dataclass(frozen=True)
class Played:
    """The steps with what they gave here, and what was expected in vain."""

    steps: Sequence[Step]
    failures: Sequence[str]


async def play(trajectory: Trajectory, place: Place) -> Played:
    """Play it from its beginning, in a tenant of its own."""
    admin = await place.begin(trajectory.name, trajectory.at)
    return await _Play(place, admin, trajectory.at).all(trajectory.steps)


class _Play:
    def __init__(self, place: Place, admin: str, at: datetime) -> None:
        self._place = place
        self._names = Names()
        self._keys = {ADMIN: admin}
        self._now = at
        self._seen: dict[tuple[str | None, str], None] = {(None, "default"): None}
        self._memories: dict[str, str] = {}
        self._failures: list[str] = []

    async def all(self, steps: Sequence[Step]) -> Played:
        done: list[Step] = []
        for number, step in enumerate(steps, 1):
            self._now = getattr(step, "at", None) or self._now + _BETWEEN
            self._place.move(self._now)
            if isinstance(step, Call):
                done.append(await self._call(number, step))
            elif isinstance(step, Work):
                await self._place.work(step.duties)
                done.append(replace(step, holds=await self._held(number)))
            else:
                await self._expect(number, step)
                done.append(step)
        return Played(done, self._failures)

    async def _call(self, number: int, step: Call) -> Call:
        answer, arguments = await self._asked(step)
        if answer.refused is not None:
            return replace(step, gives=None, refused=answer.refused)
        self._keep_keys(answer.gives)
        for name, path in step.names.items():
            if (value := found_at(answer.gives, path)) is not None:
                self._names.bind(name, value)
        self._names.learn(number, answer.gives)
        self._note(arguments, answer.gives)
        return replace(step, gives=pruned(self._names.symbolic(answer.gives)), refused=None)

    async def _asked(self, step: Call | Expect) -> tuple[Answered, Mapping[str, Any]]:
        """What a step asks for, and with what; what names something that never came is refused."""
        try:
            arguments = self._names.concrete(step.arguments)
        except InvalidInput:
            return Answered(refused=UNNAMED), {}
        if step.by not in self._keys:
            return Answered(refused=UNNAMED), arguments
        key, once = self._keys[step.by], getattr(step, "once", None)
        return await self._place.call(step.operation, arguments, key, once), arguments

    def _keep_keys(self, gives: Any) -> None:
        """A key that was made is called by its principal, that of a tenant by the tenant."""
        if not isinstance(gives, Mapping):
            return
        label, made = str(gives.get("principal")), gives
        if isinstance(gives.get("key"), Mapping):
            label, made = str(gives["name"]), gives["key"]
        if isinstance(made.get("secret"), str):
            self._keys[label] = made["secret"]
            self._names.bind(f"key:{label}", made["secret"])

    def _note(self, arguments: Mapping[str, Any], gives: Any) -> None:
        """Whose memory the play has touched, and which memories it knows of."""
        user = arguments.get("user_id")
        if isinstance(user, str):
            self._seen[user, arguments.get("namespace", "default")] = None
        if isinstance(gives, Mapping) and "outcome" in gives and isinstance(gives.get("id"), str):
            for one in (gives["id"], *gives.get("superseded", ())):
                self._memories.setdefault(one, "")

    async def _expect(self, number: int, step: Expect) -> None:
        answer, _ = await self._asked(step)
        wrong = failure(step, self._names.symbolic(answer.gives), answer.refused)
        if wrong is not None:
            self._failures.append(f"step {number}: {wrong}")

    async def _held(self, number: int) -> list[dict[str, Any]]:
        """Every memory of those whom the play touched, with its versions and decisions."""
        rows: list[dict[str, Any]] = []
        for user, namespace in self._seen:
            asked = {"namespace": namespace, "standing": _EVERY, "limit": 200}
            if user is not None:
                asked["user_id"] = user
            answer = await self._ask("memories.list", asked)
            for item in (answer or {}).get("items", ()):
                self._memories[item["id"]] = item["kind"]
        for id_, kind in list(self._memories.items()):
            history = await self._ask("memories.history", {"id": id_})
            if history is None:
                del self._memories[id_]
            else:
                rows.append({"id": id_, "kind": kind, "versions": history["versions"]})
        rows.sort(key=lambda row: [row["kind"], row["versions"][-1]["text"], row["id"]])
        self._names.learn(number, [row["id"] for row in rows])
        return [_row(self._names, row) for row in rows]

    async def _ask(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        return (await self._place.call(operation, arguments, self._keys[ADMIN], None)).gives


def _row(names: Names, row: Mapping[str, Any]) -> dict[str, Any]:
    versions = [
        {name: one.get(name) for name in _OF_VERSIONS}
        | {
            "ended": one["superseded_at"] is not None,
            "by": names.symbolic(one["superseded_by"]),
            "decisions": [f"{each['outcome']}: {each['rule']}" for each in one["decisions"]],
        }
        for one in row["versions"]
    ]
    return {"id": names.symbolic(row["id"]), "versions": pruned(versions)}
