"""Runs that were interrupted go on, and nothing that had an effect has it twice."""

from collections.abc import Iterator
from typing import Any

from muniment.client.runs import Run, ToolInDoubt
from muniment_evals.probes.probe import Check, Place

_RUNS = 8
_TOOL = "probe.post"


class _Killed(Exception):
    """The process that held the run is gone."""


def resume_success(place: Place) -> Iterator[Check]:
    """Each run is left before, within or behind its write; whoever goes on repeats none."""
    place.client.tools.define(name=_TOOL, effect="write")
    for number in range(_RUNS):
        effects: list[str] = []
        when = ("before", "within", "behind")[number % 3]
        run_id = _until_killed(place, f"memo-{number}", effects, when)
        with place.client.run(run_id=run_id, take_over=True) as run:
            yield Check(run.state.step == 1, f"{when}: the run goes on at {run.state.step}")
            known = _post(run, number, effects)
            wanted = when != "within"
            yield Check(known == wanted, f"{when}: the call is {'known' if known else 'in doubt'}")
            run.checkpoint(stage="done")
            run.close("success")
        yield Check(len(effects) == 1, f"{when}: {len(effects)} effects")


def _post(run: Run, number: int, effects: list[str]) -> bool:
    """Makes the call that may have been made; whether it is known what came of it."""
    call = run.tool(_TOOL, {"memo": number}, effect="write", key=f"memo-{number}")
    try:
        call(lambda _: effects.append("again"))
    except ToolInDoubt:
        return False
    return True


def _until_killed(place: Place, key: str, effects: list[str], when: str) -> Any:
    """A run that is left with one step done, and its write not begun, under way or recorded."""
    with place.client.run(agent_id="probe", user_id=f"run-{key}") as run:
        run.checkpoint(stage="intake", facts={"key": key}, source="probe")
        memo = {"memo": int(key.removeprefix("memo-"))}

        def post(_: Any) -> None:
            effects.append("first")
            if when == "within":
                raise _Killed

        if when != "before":
            try:
                run.tool(_TOOL, memo, effect="write", key=key)(post)
            except _Killed:
                return run.state.run_id
        return run.state.run_id
