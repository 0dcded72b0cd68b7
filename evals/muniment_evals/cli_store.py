"""Suites that look at what a store makes of a life: life, probes."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Annotated

import typer

from muniment.client import Client
from muniment_evals import pages_store
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


def _probes(as_json: Json = False, html: Html = None, against: Against = None) -> None:
    """Plant, ask, and compare with the rules; fails where a fault is one that nobody forgives."""
    with installation(against) as client:

        def fresh() -> Client:
            key = client.tenants.create(name="probe").key.secret
            return Client(client.url, key)

        with fresh() as own:
            figures = run_probes(Place(own, fresh), progress)

    def show() -> None:
        for name, one in figures.items():
            typer.echo(f"{one.rate:6.1%}  {one.failed:3} of {one.checks:3}  {name}")
            for failure in one.failures[:_MOST_SHOWN]:
                typer.echo(f"        {failure}")

    give(figures, pages_store.probes(figures), show, as_json=as_json, html=html)
    if any(figures[name].failed for name in NEVER):
        raise typer.Exit(1)


SUITES: Mapping[str, Callable[..., None]] = {"life": _life, "probes": _probes}
