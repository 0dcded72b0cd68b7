"""muniment eval: how good the memory is, measured on a store through the SDK."""

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import httpx
import structlog
import typer
from rich.console import Console
from rich.table import Table

from muniment.bootstrap import opened_extractor
from muniment.client import Client
from muniment.client.connection import find_client
from muniment.client.conversations import read_conversations
from muniment.client.wire import to_json
from muniment.domain.extraction import Extraction, SaidTurn, extract
from muniment.domain.slot import Slot
from muniment.errors import BadSetting, InvalidInput
from muniment.settings import read_settings
from muniment.testing import running_service
from muniment_evals.abstention import evaluate as evaluate_abstention
from muniment_evals.abstention import read_users as read_asking_users
from muniment_evals.extraction import Propose, details
from muniment_evals.extraction import evaluate as evaluate_extraction
from muniment_evals.life import evaluate as evaluate_life
from muniment_evals.life import lines
from muniment_evals.life_story import tell
from muniment_evals.modes import evaluate as evaluate_modes
from muniment_evals.precision import evaluate as evaluate_precision
from muniment_evals.precision import read_users
from muniment_evals.probes import NEVER, Place
from muniment_evals.probes import run as run_probes
from muniment_evals.renaming import renamed
from muniment_evals.retrieval import Report, evaluate

app = typer.Typer(no_args_is_help=True, help="Measure the memory on a store.")
_EMBEDDED = "embedded"
_MOST_SHOWN = 5
_FIGURES = ("overall", "counts", "found_by_kind", "wrong_by_trap")
_SHOWN = ("recall@5", "recall@10", "recall@20", "all@10", "any@10", "ndcg@10")


@app.command("retrieval")
def retrieval(
    file: Annotated[Path, typer.Argument(help="JSON Lines in the conversation format.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    against: Annotated[
        str | None,
        typer.Option(
            help="URL of a service, or 'embedded' for a throw-away one; by default the service of "
            "the settings if it answers, else embedded."
        ),
    ] = None,
) -> None:
    """Write conversations into a fresh tenant, recall every question, score the cited turns."""
    conversations = list(read_conversations(file))
    with _fresh_tenant(against) as client:
        report = evaluate(client, conversations, lambda line: typer.echo(line, err=True))
    if not report.questions:
        raise InvalidInput(f"{file}: no question has evidence among the turns.")
    if as_json:
        typer.echo(to_json({"overall": report.scores["overall"], **vars(report)}))
    else:
        _show(report)


@app.command("extraction")
def extraction(
    file: Annotated[Path, typer.Argument(help="JSON Lines of labelled conversations.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    show: Annotated[
        bool, typer.Option("--show", help="List each wrong, missed and misdated fact.")
    ] = False,
    extractor: Annotated[
        str, typer.Option(help="'rules', or 'llm' for the model of the settings.")
    ] = "rules",
) -> None:
    """Score the gate and an extractor on labelled conversations; needs no service."""
    with _proposing(extractor) as propose:
        report = evaluate_extraction(file, propose=propose)
    if as_json:
        figures = {name: value for name, value in vars(report).items() if show or name in _FIGURES}
        typer.echo(to_json(figures))
        return
    for line in details(report) if show else ():
        typer.echo(line)
    table = Table("", "", box=None, pad_edge=False, show_header=False)
    for name, value in report.overall.items():
        table.add_row(name.replace("_", " "), f"{value:.3f}")
    table.add_row("wrong by trap", ", ".join(f"{k} {v}" for k, v in report.wrong_by_trap.items()))
    kinds = report.found_by_kind.items()
    table.add_row("found", ", ".join(f"{k} {v['found']}/{v['required']}" for k, v in kinds))
    Console().print(table)


@app.command("life")
def life(
    seed: Annotated[int, typer.Option(help="The same seed and day give the same life.")] = 1,
    sessions: Annotated[int, typer.Option(min=12, max=3000, help="Sessions of the year.")] = 20,
    turns: Annotated[int, typer.Option(min=8, max=200, help="Turns of a session.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    against: Annotated[
        str | None,
        typer.Option(help="URL of a service, or 'embedded'; as for retrieval."),
    ] = None,
) -> None:
    """Live the year before today as one user, and look at what memory makes of it."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    story = tell(seed, sessions, turns, today)
    with _fresh_tenant(against) as client:
        report = evaluate_life(client, story, lambda line: typer.echo(line, err=True))
    if as_json:
        typer.echo(to_json(report))
        return
    for line in lines(report):
        typer.echo(line)


@app.command("modes")
def modes(
    files: Annotated[list[Path], typer.Argument(help="JSON Lines of labelled questions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    show: Annotated[
        bool, typer.Option("--show", help="List the questions that were chosen wrongly for.")
    ] = False,
) -> None:
    """Compare the modes that are chosen with those that are wanted; needs no service."""
    report = evaluate_modes(*files)
    if as_json:
        typer.echo(to_json(vars(report) if show else vars(report) | {"disagreements": []}))
        return
    for line in report.disagreements if show else ():
        typer.echo(line)
    table = Table("wanted", *report.confusion, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for wanted, chosen in report.confusion.items():
        table.add_row(wanted, *(str(count) for count in chosen.values()))
    Console().print(table)
    typer.echo(", ".join(f"{name} {share:.2f}" for name, share in report.by_class.items()))
    typer.echo(f"{report.agreement:.3f} of {report.questions} agree")


@app.command("abstention")
def abstention(
    file: Annotated[Path, typer.Argument(help="JSON Lines of users with questions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    show: Annotated[
        bool, typer.Option("--show", help="List the questions that recall was wrong about.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(help="URL of a service, or 'embedded'; as for retrieval."),
    ] = None,
) -> None:
    """Ask what the store cannot answer, and what it can; recall says nothing to the former."""
    users = read_asking_users(file)
    with _fresh_tenant(against) as client:
        report = evaluate_abstention(client, users, lambda line: typer.echo(line, err=True))
    if as_json:
        typer.echo(to_json(vars(report) if show else vars(report) | {"answered": [], "silent": []}))
        return
    for line in (*report.answered, *report.silent) if show else ():
        typer.echo(line)
    typer.echo(f"{report.abstained:.3f} of {report.unanswerable} unanswerable: abstained")
    typer.echo(f"{report.wrongly_abstained:.3f} of {report.answerable} answerable: abstained")
    typer.echo(f"{report.found:.3f} of {report.answerable} answerable: evidence found")


@app.command("precision")
def precision(
    file: Annotated[Path, typer.Argument(help="JSON Lines in precisionMemBench's form.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    under: Annotated[
        int | None,
        typer.Option("--renamed", help="Seed: the same cases under other names."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="URL of a service, or 'embedded'; as for retrieval."),
    ] = None,
) -> None:
    """Ask for stored beliefs; a case passes if what it expects comes back and nothing else."""
    users = read_users(file)
    users = users if under is None else renamed(users, under)
    with _fresh_tenant(against) as client:
        report = evaluate_precision(client, users, lambda line: typer.echo(line, err=True))
    if as_json:
        typer.echo(to_json(report))
        return
    for name, count in report.by_category.items():
        typer.echo(f"{count['passed']:3} of {count['cases']:3}  {name}")
    for case, wrong in report.failures.items():
        typer.echo(f"{case}: {'; '.join(wrong)}")
    typer.echo(f"{report.passed} of {report.cases} passed")


@app.command("probes")
def probes(
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    against: Annotated[
        str | None,
        typer.Option(help="URL of a service, or 'embedded'; as for retrieval."),
    ] = None,
) -> None:
    """Plant, ask, and compare with the rules; fails where a fault is one that nobody forgives."""
    with _installation(against) as client:

        def fresh() -> Client:
            key = client.tenants.create(name="probe").key.secret
            return Client(client.url, key)

        with fresh() as own:
            figures = run_probes(Place(own, fresh), lambda line: typer.echo(line, err=True))
    if as_json:
        typer.echo(to_json(figures))
    else:
        for name, one in figures.items():
            typer.echo(f"{one.rate:6.1%}  {one.failed:3} of {one.checks:3}  {name}")
            for failure in one.failures[:_MOST_SHOWN]:
                typer.echo(f"        {failure}")
    if any(figures[name].failed for name in NEVER):
        raise typer.Exit(1)


@contextlib.contextmanager
def _proposing(name: str) -> Iterator[Propose]:
    """What proposes candidates, by name. Raises BadSetting."""
    if name == "rules":
        yield extract
        return
    if name != "llm":
        raise BadSetting("--extractor must be rules or llm.", cure="Correct it, or leave it out.")
    settings = read_settings({"extractor": name})
    with _without_logs(), contextlib.ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        opened = opened_extractor(settings)
        model = runner.run(opened.__aenter__())
        stack.callback(lambda: runner.run(opened.__aexit__(None, None, None)))

        def propose(turns: Sequence[SaidTurn], slots: Mapping[str, Slot]) -> Extraction:
            return runner.run(model.propose(turns, slots, None))

        yield propose


@contextlib.contextmanager
def _without_logs() -> Iterator[None]:
    """What the extractor would log is in the report, and the output is for that alone."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**before)


@contextlib.contextmanager
def _fresh_tenant(against: str | None) -> Iterator[Client]:
    """A client of a tenant that has nothing in it yet."""
    with _installation(against) as client:
        tenant = client.tenants.create(name="evaluation")
        with Client(client.url, tenant.key.secret) as fresh:
            yield fresh


@contextlib.contextmanager
def _installation(against: str | None) -> Iterator[Client]:
    """A client that may make tenants."""
    with contextlib.ExitStack() as stack:
        client = None if against == _EMBEDDED else _reachable(against)
        if client is None:
            typer.echo("against a throw-away embedded service", err=True)
            service = stack.enter_context(running_service())
            client = Client(service.url, service.key)
        else:
            typer.echo(f"against {client.url}", err=True)
        stack.enter_context(client)
        yield client


def _reachable(url: str | None) -> Client | None:
    """The service at a URL or that of the settings; None if the latter does not answer."""
    if url is None:
        try:
            httpx.get(f"{read_settings().base_url}/healthz", timeout=2.0, trust_env=False)
        except httpx.TransportError:
            return None
    return find_client(url)


def _show(report: Report) -> None:
    """The figures that people quote, in 80 columns; the JSON report has every one."""
    table = Table("", "questions", *_SHOWN, box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for category, scores in report.scores.items():
        cells = [f"{scores[name]:.3f}" for name in _SHOWN]
        table.add_row(category, str(int(scores["questions"])), *cells)
    table.add_row("audited labels", "", *[f"{report.audited[name]:.3f}" for name in _SHOWN])
    console = Console()
    console.print(table)
    console.print(
        f"{report.turns} turns, {report.dropped_share:.1%} dropped by the gate; "
        f"{report.abstained_share:.1%} of the questions abstained; "
        f"written in {report.write_seconds:.1f} s, recalled in {report.recall_seconds:.1f} s "
        f"(p50 {report.recall_p50_ms:.2f} ms, p95 {report.recall_p95_ms:.2f} ms)"
    )
