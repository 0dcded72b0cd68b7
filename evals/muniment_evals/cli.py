"""muniment eval: how good the memory is, measured on a store through the SDK."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import httpx
import typer
from rich.console import Console
from rich.table import Table

from muniment.client import Client
from muniment.client.connection import find_client
from muniment.client.conversations import read_conversations
from muniment.client.wire import to_json
from muniment.errors import InvalidInput
from muniment.settings import read_settings
from muniment.testing import running_service
from muniment_evals.retrieval import Report, evaluate

app = typer.Typer(no_args_is_help=True, help="Measure the memory on a store.")
_EMBEDDED = "embedded"
_SHOWN = ("recall@5", "recall@10", "recall@20", "all@10", "any@10", "ndcg@10")


@app.callback()
def _family() -> None:
    """A group even while it has one command."""


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


@contextlib.contextmanager
def _fresh_tenant(against: str | None) -> Iterator[Client]:
    """A client of a tenant that has nothing in it yet."""
    with contextlib.ExitStack() as stack:
        client = None if against == _EMBEDDED else _reachable(against)
        if client is None:
            typer.echo("against a throw-away embedded service", err=True)
            service = stack.enter_context(running_service())
            client = Client(service.url, service.key)
        else:
            typer.echo(f"against {client.url}", err=True)
        stack.enter_context(client)
        tenant = client.tenants.create(name="evaluation")
        yield stack.enter_context(Client(client.url, tenant.key.secret))


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
