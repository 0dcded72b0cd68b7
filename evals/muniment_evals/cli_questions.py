"""Suites that ask a store questions of a file: retrieval, temporal, abstention, precision."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from muniment.client.conversations import read_conversations
from muniment.errors import InvalidInput
from muniment_evals import pages, temporal
from muniment_evals.abstention import evaluate as evaluate_abstention
from muniment_evals.abstention import read_users as read_asking_users
from muniment_evals.opening import fresh_tenant
from muniment_evals.output import Against, Html, Json, give, progress
from muniment_evals.precision import evaluate as evaluate_precision
from muniment_evals.precision import read_users
from muniment_evals.renaming import renamed
from muniment_evals.retrieval import Report, evaluate

_SHOWN = ("recall@5", "recall@10", "recall@20", "all@10", "any@10", "ndcg@10")


def _retrieval(
    file: Annotated[Path, typer.Argument(help="JSON Lines in the conversation format.")],
    as_json: Json = False,
    html: Html = None,
    against: Against = None,
) -> None:
    """Write conversations into a fresh tenant, recall every question, score the cited turns."""
    conversations = list(read_conversations(file))
    with fresh_tenant(against) as client:
        report = evaluate(client, conversations, progress)
    if not report.questions:
        raise InvalidInput(f"{file}: no question has evidence among the turns.")
    figures = {"overall": report.scores["overall"], **vars(report)}
    figures.pop("recall_ms")
    page = pages.retrieval(report, file.name)
    give(figures, page, lambda: _show(report), as_json=as_json, html=html)


def _temporal(
    file: Annotated[Path, typer.Argument(help="Conversations whose questions name times.")],
    as_json: Json = False,
    html: Html = None,
    against: Against = None,
) -> None:
    """Ask what was said at a time, with the time read from the question and by words alone."""
    conversations = temporal.read(file)
    with fresh_tenant(against) as client:
        report = temporal.evaluate(client, conversations, progress)

    def show() -> None:
        table = Table("", "questions", "found", "by words", "abstained", "outside", "by words",
                      box=None, pad_edge=False, padding=(0, 1, 0, 0))  # fmt: skip
        for name, read in report.read.items():
            words = report.ignored[name]
            cells = (read.found, words.found, read.abstained, read.outside, words.outside)
            table.add_row(name, str(read.questions), *(pages.share(cell) for cell in cells))
        Console().print(table)
        typer.echo(f"{report.understood:.1%} of the ranges understood exactly")
        for line in report.wrong:
            typer.echo(f"not whole: {line}")

    page = pages.temporal(report, file.name)
    give(vars(report), page, show, as_json=as_json, html=html)


def _abstention(
    file: Annotated[Path, typer.Argument(help="JSON Lines of users with questions.")],
    as_json: Json = False,
    show: Annotated[
        bool, typer.Option("--show", help="List the questions that recall was wrong about.")
    ] = False,
    html: Html = None,
    against: Against = None,
) -> None:
    """Ask what the store cannot answer, and what it can; recall says nothing to the former."""
    users = read_asking_users(file)
    with fresh_tenant(against) as client:
        report = evaluate_abstention(client, users, progress)

    def told() -> None:
        for line in (*report.answered, *report.silent) if show else ():
            typer.echo(line)
        typer.echo(f"{report.abstained:.3f} of {report.unanswerable} unanswerable: abstained")
        typer.echo(f"{report.wrongly_abstained:.3f} of {report.answerable} answerable: abstained")
        typer.echo(f"{report.found:.3f} of {report.answerable} answerable: evidence found")

    figures = vars(report) if show else vars(report) | {"answered": [], "silent": []}
    page = pages.abstention(report, file.name)
    give(figures, page, told, as_json=as_json, html=html)


def _precision(
    file: Annotated[Path, typer.Argument(help="JSON Lines in precisionMemBench's form.")],
    as_json: Json = False,
    under: Annotated[
        int | None,
        typer.Option("--renamed", help="Seed: the same cases under other names."),
    ] = None,
    html: Html = None,
    against: Against = None,
) -> None:
    """Ask for stored beliefs; a case passes if what it expects comes back and nothing else."""
    users = read_users(file)
    users = users if under is None else renamed(users, under)
    with fresh_tenant(against) as client:
        report = evaluate_precision(client, users, progress)

    def show() -> None:
        for name, count in report.by_category.items():
            typer.echo(f"{count['passed']:3} of {count['cases']:3}  {name}")
        for case, wrong in report.failures.items():
            typer.echo(f"{case}: {'; '.join(wrong)}")
        typer.echo(f"{report.passed} of {report.cases} passed")

    page = pages.precision(report, file.name)
    give(report, page, show, as_json=as_json, html=html)


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


SUITES: Mapping[str, Callable[..., None]] = {
    "retrieval": _retrieval,
    "temporal": _temporal,
    "abstention": _abstention,
    "precision": _precision,
}
