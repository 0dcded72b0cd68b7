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


class Noting:
    """What a play, or a recording, knows: names, keys, whose memory it touched, which memories."""

    def __init__(self, admin: str) -> None:
        self.names = Names()
        self.keys = {ADMIN: admin}
        self._seen: dict[tuple[str | None, str], None] = {(None, "default"): None}
        self._memories: dict[str, str] = {}

    def took(self, number: int, step: Call, arguments: Mapping[str, Any], gives: Any) -> Any:
        """Note what a step gave; the same as it is kept."""
        self._keep_keys(gives)
        for name, path in step.names.items():
            if (value := found_at(gives, path)) is not None:
                self.names.bind(name, value)
        self.names.learn(number, gives)
        user = arguments.get("user_id")
        if isinstance(user, str):
            self._seen[user, arguments.get("namespace", "default")] = None
        if isinstance(gives, Mapping) and "outcome" in gives and isinstance(gives.get("id"), str):
            for one in (gives["id"], *gives.get("superseded", ())):
                self._memories.setdefault(one, "")
        return pruned(self.names.symbolic(gives))

    def _keep_keys(self, gives: Any) -> None:
        """A key that was made is called by its principal, that of a tenant by the tenant."""
        if not isinstance(gives, Mapping):
            return
        label, made = str(gives.get("principal")), gives
        if isinstance(gives.get("key"), Mapping):
            label, made = str(gives["name"]), gives["key"]
        if isinstance(made.get("secret"), str):
            self.keys[label] = made["secret"]
            self.names.bind(f"key:{label}", made["secret"])

    async def held(self, number: int, place: Place) -> list[dict[str, Any]]:
        """Every memory of those whom the play touched, with its versions and decisions."""
        for user, namespace in self._seen:
            asked = {"namespace": namespace, "standing": _EVERY, "limit": 200}
            if user is not None:
                asked["user_id"] = user
            answer = await self._ask(place, "memories.list", asked)
            for item in (answer or {}).get("items", ()):
                self._memories[item["id"]] = item["kind"]
        return await self.held_of(self._memories, number, place)

    async def held_of(
        self, memories: Mapping[str, str], number: int, place: Place
    ) -> list[dict[str, Any]]:
        """These memories, by id and kind, those of them that are there."""
        rows: list[dict[str, Any]] = []
        for id_, kind in memories.items():
            history = await self._ask(place, "memories.history", {"id": id_})
            if history is not None:
                rows.append({"id": id_, "kind": kind, "versions": history["versions"]})
        rows.sort(key=lambda row: [row["kind"], row["versions"][-1]["text"], row["id"]])
        self.names.learn(number, [row["id"] for row in rows])
        return [_row(self.names, row) for row in rows]

    async def _ask(self, place: Place, operation: str, arguments: Mapping[str, Any]) -> Any:
        return (await place.call(operation, arguments, self.keys[ADMIN], None)).gives


class _Play:
    def __init__(self, place: Place, admin: str, at: datetime) -> None:
        self._place = place
        self._noting = Noting(admin)
        self._now = at
        self._failures: list[str] = []
        self._unnamed = ""

    async def all(self, steps: Sequence[Step]) -> Played:
        done: list[Step] = []
        for number, step in enumerate(steps, 1):
            self._now = getattr(step, "at", None) or self._now + _BETWEEN
            self._place.move(self._now)
            if isinstance(step, Call):
                done.append(await self._call(number, step))
            elif isinstance(step, Work):
                await self._place.work(step.duties)
                done.append(replace(step, holds=await self._noting.held(number, self._place)))
            else:
                await self._expect(number, step)
                done.append(step)
        return Played(done, self._failures)

    async def _call(self, number: int, step: Call) -> Call:
        answer, arguments = await self._asked(step)
        if answer.refused == UNNAMED and step.gives is None and step.refused is None:
            # There is nothing that it could differ from.
            self._failures.append(f"step {number}: {step.operation} {self._unnamed}")
        if answer.refused is not None:
            return replace(step, gives=None, refused=answer.refused)
        gives = self._noting.took(number, step, arguments, answer.gives)
        return replace(step, gives=gives, refused=None)

    async def _asked(self, step: Call | Expect) -> tuple[Answered, Mapping[str, Any]]:
        """What a step asks for, and with what; what names something that never came is refused."""
        try:
            arguments = self._noting.names.concrete(step.arguments)
            key = self._noting.keys[step.by]
        except InvalidInput as error:
            self._unnamed = f"cannot be played: {error.detail}"
            return Answered(refused=UNNAMED), {}
        except KeyError:
            self._unnamed = f"cannot be played: nobody is called {step.by} at this step."
            return Answered(refused=UNNAMED), {}
        once = getattr(step, "once", None)
        return await self._place.call(step.operation, arguments, key, once), arguments

    async def _expect(self, number: int, step: Expect) -> None:
        answer, _ = await self._asked(step)
        wrong = failure(step, self._noting.names.symbolic(answer.gives), answer.refused)
        if wrong is not None:
            self._failures.append(f"step {number}: {wrong}")


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
