"""Suites of pure rules, which need no service: extraction, modes."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import structlog
import typer
from rich.console import Console
from rich.table import Table

from muniment.bootstrap import opened_extractor
from muniment.domain.extraction import Extraction, SaidTurn, extract
from muniment.domain.slot import Slot
from muniment.errors import BadSetting
from muniment.settings import read_settings
from muniment_evals import pages
from muniment_evals.extraction import Propose, details
from muniment_evals.extraction import evaluate as evaluate_extraction
from muniment_evals.modes import evaluate as evaluate_modes
from muniment_evals.output import Html, Json, give

_FIGURES = ("overall", "counts", "found_by_kind", "wrong_by_trap")


def _extraction(
    file: Annotated[Path, typer.Argument(help="JSON Lines of labelled conversations.")],
    as_json: Json = False,
    show: Annotated[
        bool, typer.Option("--show", help="List each wrong, missed and misdated fact.")
    ] = False,
    extractor: Annotated[
        str, typer.Option(help="'rules', or 'llm' for the model of the settings.")
    ] = "rules",
    html: Html = None,
) -> None:
    """Score the gate and an extractor on labelled conversations; needs no service."""
    with _proposing(extractor) as propose:
        report = evaluate_extraction(file, propose=propose)
    figures = {name: value for name, value in vars(report).items() if show or name in _FIGURES}

    def told() -> None:
        for line in details(report) if show else ():
            typer.echo(line)
        table = Table("", "", box=None, pad_edge=False, show_header=False)
        for name, value in report.overall.items():
            table.add_row(name.replace("_", " "), f"{value:.3f}")
        traps = report.wrong_by_trap.items()
        table.add_row("wrong by trap", ", ".join(f"{name} {count}" for name, count in traps))
        kinds = report.found_by_kind.items()
        table.add_row("found", ", ".join(f"{k} {v['found']}/{v['required']}" for k, v in kinds))
        Console().print(table)

    page = pages.extraction(report, file.name)
    give(figures, page, told, as_json=as_json, html=html)


def _modes(
    files: Annotated[list[Path], typer.Argument(help="JSON Lines of labelled questions.")],
    as_json: Json = False,
    show: Annotated[
        bool, typer.Option("--show", help="List the questions that were chosen wrongly for.")
    ] = False,
    html: Html = None,
) -> None:
    """Compare the modes that are chosen with those that are wanted; needs no service."""
    report = evaluate_modes(*files)
    figures = vars(report) if show else vars(report) | {"disagreements": []}

    def told() -> None:
        for line in report.disagreements if show else ():
            typer.echo(line)
        table = Table("wanted", *report.confusion, box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for wanted, chosen in report.confusion.items():
            table.add_row(wanted, *(str(count) for count in chosen.values()))
        Console().print(table)
        typer.echo(", ".join(f"{name} {share:.2f}" for name, share in report.by_class.items()))
        typer.echo(f"{report.agreement:.3f} of {report.questions} agree")

    page = pages.modes(report, ", ".join(file.name for file in files))
    give(figures, page, told, as_json=as_json, html=html)


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


SUITES: Mapping[str, Callable[..., None]] = {"extraction": _extraction, "modes": _modes}
