"""replay: trajectories played again, as a gate for releases."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Annotated

import structlog
import typer

from muniment.client.connection import find_key
from muniment.replay.comparing import Comparison
from muniment.replay.gate import Verdict, files_in, place_of, replay_files
from muniment.settings import read_settings
from muniment.surfaces.cli.output import say

_EXIT_DIVERGED = 1
_SHOWN = 10


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("replay")(replay)


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

    async def played() -> Verdict:
        key = "" if against is None else find_key(read_settings())
        async with place_of(
            url=against, key=key, policy=policy, embedder=embedder, extractor=extractor
        ) as place:
            said = (lambda _one: None) if as_json else _show
            return await replay_files(files_in(files), place, said, update=update)

    verdict = asyncio.run(played())
    if as_json:
        typer.echo(json.dumps(verdict.as_json(), ensure_ascii=False, indent=2))
    else:
        _sum_up(verdict)
    if verdict.failures or (verdict.rate > threshold and not update):
        raise typer.Exit(_EXIT_DIVERGED)


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
