"""record and replay: trajectories, as a gate for releases."""

import asyncio
import logging
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import structlog
import typer

from muniment.client.connection import find_key
from muniment.errors import InvalidInput
from muniment.replay.comparing import Comparison
from muniment.replay.gate import Verdict, files_in, place_of, replay_files
from muniment.replay.loopback import run_command, served
from muniment.replay.recording import Heard, Recorder, recorder_for, trajectory_of, without_keys
from muniment.replay.rehearsal import Rehearsal
from muniment.replay.remote import remote_place
from muniment.replay.stored import Stored
from muniment.replay.trajectory import Trajectory, as_line, read_trajectory, write_trajectory
from muniment.settings import read_settings
from muniment.surfaces.cli.output import EXIT_USAGE, say

_EXIT_DIVERGED = 1
_SHOWN = 10


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("record")(record)
    cli.command("replay")(replay)


def record(
    out: Annotated[Path, typer.Option(help="The file to write.")],
    command: Annotated[
        list[str] | None, typer.Argument(help="What asks the service, after a --.")
    ] = None,
    user: Annotated[str | None, typer.Option(help="With --session: whose it is.")] = None,
    session: Annotated[str | None, typer.Option(help="A session that is stored.")] = None,
    run: Annotated[str | None, typer.Option(help="A run that is stored.")] = None,
) -> None:
    """Record what a command asks of the service as a trajectory; or a session or run of the past.

    The service is that of the settings; a command finds a proxy of it in MUNIMENT_URL. The exit
    status is that of the command.
    """
    ways = [bool(command), session is not None and user is not None, run is not None]
    if sum(ways) != 1:
        say("error: a command, or --user and --session, or --run is needed.", error=True)
        raise typer.Exit(EXIT_USAGE)
    if not out.absolute().parent.is_dir():
        raise InvalidInput(f"{out}: there is no such directory.")
    status = 0
    heard: list[Heard] = []
    if command:
        status, heard = _heard(command)
        trajectory = asyncio.run(_trajectory(out.stem, heard))
    else:
        trajectory = asyncio.run(_stored(out.stem, user, session, run))
    write_trajectory(out, trajectory, without=without_keys(heard))
    say(f"{out}: {len(trajectory.steps)} steps", error=True)
    raise typer.Exit(status)


def _heard(command: Sequence[str]) -> tuple[int, list[Heard]]:
    """The exit status of a command, and what it asks while it runs."""
    with recorder_for(read_settings().base_url) as http:
        recorder = Recorder(http)
        with served(recorder.answer, at_once=True) as proxy:
            status = run_command(command, proxy)
    return status, recorder.heard


async def _trajectory(name: str, heard: Sequence[Heard]) -> Trajectory:
    key = heard[0].key if heard else ""
    async with remote_place(read_settings().base_url, key) as place:
        return await trajectory_of(name, heard, place)


async def _stored(name: str, user: str | None, session: str | None, run: str | None) -> Trajectory:
    settings = read_settings()
    key = find_key(settings)
    async with remote_place(settings.base_url, key) as place:
        stored = Stored(place, key)
        if run is not None:
            return await stored.run(name, run)
        return await stored.session(name, str(user), str(session))


def replay(
    files: Annotated[list[Path], typer.Argument(help="Trajectories, or directories of them.")],
    against: Annotated[
        str | None,
        typer.Option(help="URL of a service; default: this build, on a throw-away database."),
    ] = None,
    policy: Annotated[Path | None, typer.Option(help="Play under this policy file.")] = None,
    embedder: Annotated[
        str | None, typer.Option(help="Play with this embedder, as MODULE:CLASS.")
    ] = None,
    extractor: Annotated[
        str | None, typer.Option(help="'rules', or 'llm' for the model of the settings.")
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(help="Run this command against the recorded answers, and no service at all."),
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="The share of steps that may differ.")
    ] = 0.0,
    update: Annotated[
        bool, typer.Option("--update", help="Keep what they give now, where all expected holds.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Play trajectories again and compare every step; fails above the threshold.

    Exit status 1 too where an expectation in a trajectory is not met, whatever the threshold.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    said = _show_nothing if as_json else _show

    async def played() -> Verdict:
        key = "" if against is None else find_key(read_settings())
        async with place_of(
            url=against, key=key, policy=policy, embedder=embedder, extractor=extractor
        ) as place:
            return await replay_files(files_in(files), place, said, update=update)

    if agent is None:
        verdict = asyncio.run(played())
    else:
        verdict = Verdict([_rehearsed(file, shlex.split(agent), said) for file in files_in(files)])
    if as_json:
        typer.echo(as_line(verdict.as_json(), indent=2))
    else:
        _sum_up(verdict)
    if verdict.failures or (verdict.rate > threshold and not update):
        raise typer.Exit(_EXIT_DIVERGED)


def _rehearsed(file: Path, agent: Sequence[str], said: Callable[[Comparison], None]) -> Comparison:
    """The agent against the recorded answers of one file; ending badly fails, as an expectation."""
    rehearsal = Rehearsal(read_trajectory(file))
    with served(rehearsal.answer) as url:
        status = run_command(agent, url, "rehearsal")
    found = rehearsal.finished()
    if status:
        found.failures.append(f"the agent ended with exit status {status}")
    said(found)
    return found


def _show_nothing(_one: Comparison) -> None:
    """The report has it all."""


def _show(one: Comparison) -> None:
    for failure in one.failures:
        say(f"{one.name}: not true: {failure}")
    for each in one.divergences[:_SHOWN]:
        say(f"{one.name}: step {each.step}, {each.what}, {each.kind}: {each.said}")
    if len(one.divergences) > _SHOWN:
        say(f"{one.name}: {len(one.divergences) - _SHOWN} more")


def _sum_up(verdict: Verdict) -> None:
    for kind, (differing, compared) in verdict.by_class().items():
        say(f"{differing:5} of {compared:5}  {kind}")
    if verdict.skipped:
        say(f"{len(verdict.skipped)} skipped: they need a clock that is held")
    steps = sum(one.steps for one in verdict.comparisons)
    say(
        f"{len(verdict.comparisons)} trajectories, {steps} steps: {verdict.rate:.1%} differ, "
        f"{verdict.failures} expectations not met"
    )
