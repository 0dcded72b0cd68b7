"""A trajectory out of what a service keeps: of a session its turns, of a run its steps."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from muniment.errors import InvalidInput
from muniment.operations.registry import REGISTRY
from muniment.replay.names import written
from muniment.replay.playing import Noting, Place
from muniment.replay.trajectory import Call, Expect, Step, Trajectory, Work

_BECAUSE = "as it was"
_OF_TURNS = ("turn", "role", "content", "occurred_at", "name", "data_source", "tool", "metadata")
_OF_VERDICTS = ("turn", "event_id", "kept", "reason", "rule", "importance", "trust")


class Stored:
    """Reads what a service keeps, as the holder of a key with the verbs for it."""

    def __init__(self, place: Place, key: str) -> None:
        self._place, self._key = place, key

    async def _read(self, operation: str, **arguments: Any) -> Any:
        """Raises InvalidInput for what is refused."""
        answer = await self._place.call(operation, arguments, self._key, None)
        if answer.refused is not None:
            raise InvalidInput(f"{operation} is refused: {answer.refused}.")
        return answer.gives

    async def _whole(self, operation: str, **arguments: Any) -> list[Any]:
        """Every page of a list."""
        pages = REGISTRY[operation]
        found: list[Any] = []
        cursor: str | None = None
        while True:
            more = {} if cursor is None else {"cursor": cursor}
            page = await self._read(pages.name, **arguments, **more)
            found += page["items"]
            cursor = page["next"]
            if cursor is None:
                return found

    async def session(self, name: str, user_id: str, session_id: str) -> Trajectory:
        """The turns of a session with their verdicts, and the memories that rest on it alone."""
        made = await self._read("exports.create", user_id=user_id)
        lines = await self._whole("exports.read", user_id=user_id, export_id=made["export_id"])
        found = [one for one in lines if one.get("session_id") == session_id]
        if not found:
            raise InvalidInput("There is no such session.")
        session = found[0]
        place = {"user_id": user_id, "session_id": session_id}
        if session["namespace"] != "default":
            place["namespace"] = session["namespace"]
        opened = datetime.fromisoformat(session["opened_at"])
        noting = Noting(self._key)
        steps: list[Step] = [
            Call("sessions.open", place | {"no_store": session["no_store"]}, at=opened)
        ]
        turns = [one for one in lines if one["type"] == "event"]
        turns = [one for one in turns if one["session_pk"] == session["session_pk"]]
        for at, batch in _batches(turns):
            steps.append(_writing(noting, len(steps) + 1, place, at, batch))
        ended = datetime.fromisoformat(session["closed_at"] or session["last_event_at"])
        steps.append(Call("sessions.close", _told(place, outcome=session["outcome"]), at=ended))
        held = await noting.held_of(await self._resting_on(place), len(steps) + 1, self._place)
        steps.append(Work(("consolidate",), ended, held))
        return Trajectory(name, opened, steps, f"Session {session_id}.", timed=False)

    async def _resting_on(self, place: Mapping[str, str]) -> dict[str, str]:
        """Memories of which all evidence lies in the session, with their kinds."""
        session_id = place["session_id"]
        asked = {one: place[one] for one in ("user_id", "namespace") if one in place}
        standing = ["asserted", "contested", "quarantined", "archived"]
        items = await self._whole("memories.list", **asked, standing=standing, limit=200)
        return {
            one["id"]: one["kind"]
            for one in items
            if {each["session_id"] for each in one["evidence"]} == {session_id}
        }

    async def run(self, name: str, run_id: str) -> Trajectory:
        """The checkpoints of a run with its tool calls, and what it has come to as expectations."""
        now = await self._read("runs.get", run_id=run_id)
        opened = datetime.fromisoformat(now["opened_at"])
        steps: list[Step] = [*await self._defined(now["tool_results"]), _opening(now, opened)]
        made: list[Step] = _calls(now["tool_results"])
        named: dict[str, str] = {}
        before: Mapping[str, Any] = {"committed_facts": [], "budget": {"cost_used_usd": "0"}}
        history = await self._whole("runs.history", run_id=run_id)
        for one in sorted(history, key=lambda row: int(row["step"])):
            state = await self._read("runs.get", run_id=run_id, step=one["step"])
            made.append(_checkpoint(before, state, one, named))
            before = state
        steps += sorted(made, key=_moment)
        if now["state"] == "closed":
            closing = {"run_id": "@run", "fence": 1, "outcome": now["outcome"]}
            at = datetime.fromisoformat(now["closed_at"])
            steps.append(Call("runs.close", _told(closing, correction=now["correction"]), at=at))
        return Trajectory(
            name, opened, [*steps, *_ends(now)], f"Run of {now['agent_id']}.", timed=False
        )

    async def _defined(self, calls: Mapping[str, Any]) -> list[Step]:
        used = {one["tool"] for one in calls.values()}
        fields = ("name", "effect", "idempotent", "trust", "dedupe_seconds")
        return [
            Call("tools.define", _told({field: one[field] for field in fields}))
            for one in await self._whole("tools.list")
            if one["name"] in used
        ]


def _told(arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    given = {**arguments, **more}
    return {
        name: written(value) if value != "@run" else value
        for name, value in given.items()
        if value is not None
    }


def _batches(turns: Sequence[Mapping[str, Any]]) -> list[tuple[datetime, list[Mapping[str, Any]]]]:
    """Turns that were written in one call, in the order of the calls."""
    by_moment: dict[datetime, list[Mapping[str, Any]]] = defaultdict(list)
    for one in sorted(turns, key=lambda row: int(row["turn"])):
        by_moment[datetime.fromisoformat(one["recorded_at"])].append(one)
    return sorted(by_moment.items(), key=lambda item: item[0])


def _writing(
    noting: Noting, number: int, place: Mapping[str, str], at: datetime,
    batch: Sequence[Mapping[str, Any]],
) -> Call:  # fmt: skip
    events = [_told({name: one[name] for name in _OF_TURNS}) for one in batch]
    arguments = _told(place, events=events, category=batch[0]["category"])
    arguments = _told(arguments, agent_id=batch[0]["agent_id"])
    verdicts = [
        {name: one[name] for name in _OF_VERDICTS}
        | {"quarantined": one["standing"] == "quarantined"}
        for one in batch
    ]
    step = Call("events.write", arguments, at=at)
    gives = noting.took(number, step, arguments, {"verdicts": verdicts, "stored": len(batch)})
    return Call("events.write", arguments, at=at, gives=gives)


def _opening(run: Mapping[str, Any], at: datetime) -> Call:
    budget = run["budget"]
    arguments = _told(
        {"agent_id": run["agent_id"]}, user_id=run["user_id"], strict=run["strict"] or None,
        step_ceiling=budget["step_ceiling"], cost_ceiling_usd=budget["cost_ceiling_usd"],
        lease_seconds=3600,
    )  # fmt: skip
    return Call("runs.open", arguments, names={"run": "/run_id"}, at=at)


def _moment(step: Step) -> datetime:
    at = None if isinstance(step, Expect) else step.at
    return at or datetime.max.replace(tzinfo=UTC)


def _checkpoint(
    before: Mapping[str, Any],
    state: Mapping[str, Any],
    row: Mapping[str, Any],
    named: dict[str, str],
) -> Call:
    """A checkpoint of the facts that came with it; ``named`` learns what they are called."""
    known = {one["id"] for one in before["committed_facts"]}
    came = [one for one in state["committed_facts"] if one["id"] not in known]
    names = {
        f"fact{row['step']}.{place}": f"/committed_facts/{place}/id" for place in range(len(came))
    }
    facts = []
    for one, name in zip(came, names, strict=True):
        named[one["id"]] = f"@{name}"
        fact = {name: written(one[name]) for name in ("key", "value", "source", "valid_from")}
        if one["supersedes"] in named:
            fact["supersedes"] = named[one["supersedes"]]
        facts.append(fact)
    cost = Decimal(state["budget"]["cost_used_usd"]) - Decimal(before["budget"]["cost_used_usd"])
    arguments = _told(
        {"run_id": "@run", "step": row["step"], "fence": 1}, stage=state["stage"],
        open_questions=state["open_questions"], cost_usd=f"{cost:f}",
    )  # fmt: skip
    at = datetime.fromisoformat(row["recorded_at"])
    # The facts have names by now, and no text of theirs is one.
    return Call("runs.checkpoint", arguments | {"committed_facts": facts}, names=names, at=at)


def _calls(calls: Mapping[str, Any]) -> list[Step]:
    """Claims and records of the calls of a run."""
    found: list[Step] = []
    for one in calls.values():
        at = datetime.fromisoformat(one["claimed_at"])
        place = _told({"run_id": "@run", "tool": one["tool"], "key": one["key"]})
        found.append(Call("runs.claim_tool", place | {"fence": 1, "arguments": {}}, at=at))
        if one["status"] in ("succeeded", "failed"):
            done = {"attempt": 1, "status": one["status"]}
            record = _told(place | done, result=one["result"])
            found.append(Call("runs.record_tool", record, at=at))
    return found


def _ends(run: Mapping[str, Any]) -> list[Expect]:
    """What the run has come to."""
    facts = run["committed_facts"]
    wanted: dict[str, Any] = {
        "/state": run["state"],
        "/stage": run["stage"],
        "/step_index": run["step_index"],
        "/outcome": run["outcome"],
        "/open_questions": run["open_questions"],
        "/budget/cost_used_usd": run["budget"]["cost_used_usd"],
        "/committed_facts/*/key": [one["key"] for one in facts],
        "/committed_facts/*/value": [one["value"] for one in facts],
    }
    return [
        Expect("runs.get", {"run_id": "@run"}, path, "is", value, because=_BECAUSE)
        for path, value in wanted.items()
    ]
