"""Suites that look at what a store makes of a life: life, probes, checklist, task."""

import contextlib
import shlex
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from muniment.client import Client
from muniment.errors import InvalidInput
from muniment_evals import checklist, pages_store, task
from muniment_evals.life import evaluate as evaluate_life
from muniment_evals.life import lines
from muniment_evals.life_story import tell
from muniment_evals.opening import fresh_tenant, installation
from muniment_evals.output import Against, Html, Json, give, progress
from muniment_evals.probes import NEVER, Place
from muniment_evals.probes import run as run_probes

_MOST_SHOWN = 5


def _life(
    seed: Annotated[int, typer.Option(help="The same seed and day give the same life.")] = 1,
    sessions: Annotated[int, typer.Option(min=12, max=3000, help="Sessions of the year.")] = 20,
    turns: Annotated[int, typer.Option(min=8, max=200, help="Turns of a session.")] = 20,
    as_json: Json = False,
    html: Html = None,
    against: Against = None,
) -> None:
    """Live the year before today as one user, and look at what memory makes of it."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    story = tell(seed, sessions, turns, today)
    with fresh_tenant(against) as client:
        report = evaluate_life(client, story, progress)

    def show() -> None:
        for line in lines(report):
            typer.echo(line)

    give(report, pages_store.life(report), show, as_json=as_json, html=html)


@contextlib.contextmanager
def _place(against: str | None) -> Iterator[Place]:
    """A tenant to plant things in, and a way to others."""
    with installation(against) as client:

        def fresh() -> Client:
            return Client(client.url, client.tenants.create(name="probe").key.secret)

        with fresh() as own:
            yield Place(own, fresh)


def _probes(as_json: Json = False, html: Html = None, against: Against = None) -> None:
    """Plant, ask, and compare with the rules; fails where a fault is one that nobody forgives."""
    with _place(against) as place:
        figures = run_probes(place, progress)

    def show() -> None:
        for name, one in figures.items():
            typer.echo(f"{one.rate:6.1%}  {one.failed:3} of {one.checks:3}  {name}")
            for failure in one.failures[:_MOST_SHOWN]:
                typer.echo(f"        {failure}")

    give(figures, pages_store.probes(figures), show, as_json=as_json, html=html)
    if any(figures[name].failed for name in NEVER):
        raise typer.Exit(1)


def _checklist(as_json: Json = False, html: Html = None, against: Against = None) -> None:
    """Show nine claims on the running store, with evidence; fails where one is not shown."""
    with _place(against) as place:
        claims = checklist.run(place, progress)

    def show() -> None:
        for number, one in enumerate(claims, 1):
            typer.echo(f"{number}. {'shown' if one.shown else 'NOT SHOWN'}: {one.claim}")
            for sign, lines_ in (("+", one.evidence), ("-", one.wrong)):
                for line in lines_:
                    typer.echo(f"   {sign} {line}")

    give(claims, pages_store.checklist(claims), show, as_json=as_json, html=html)
    if not all(one.shown for one in claims):
        raise typer.Exit(1)


def _task(
    file: Annotated[Path, typer.Argument(help="JSON Lines of users with sessions and tasks.")],
    command: Annotated[
        str, typer.Option(help="The agent: reads a prompt on its input, answers on its output.")
    ],
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds for one task.")] = 120.0,
    as_json: Json = False,
    html: Html = None,
    against: Against = None,
) -> None:
    """Run an agent of your own on tasks, with memory and without; compare outcome, cost, time."""
    users = task.read(file)
    parts = shlex.split(command)
    if not parts:
        raise InvalidInput("--command names no command.")
    with fresh_tenant(against) as client:
        key = client.keys.create(principal="agent under evaluation").secret
        for conversation, _ in users:
            task.tell(client, conversation)
        agent = task.command_agent(parts, client.url, key, timeout)
        report = task.evaluate([one for _, tasks in users for one in tasks], agent, progress)

    def show() -> None:
        for name, arm in (("with memory", report.with_memory), ("without", report.without)):
            cost = "not told" if arm.cost_usd is None else f"${arm.cost_usd:.4f}"
            typer.echo(
                f"{name}: {arm.passed} of {report.tasks} passed, {arm.seconds_p50:.2f} s at the "
                f"median, cost {cost}, {arm.errors} without an answer"
            )
        typer.echo(f"won by memory: {', '.join(report.won) or 'none'}")
        typer.echo(f"lost by memory: {', '.join(report.lost) or 'none'}")

    page = pages_store.task(report, file.name, command)
    give(report, page, show, as_json=as_json, html=html)


SUITES: Mapping[str, Callable[..., None]] = {
    "life": _life,
    "probes": _probes,
    "checklist": _checklist,
    "task": _task,
}
