"""What every suite prints: lines for people, JSON for programs, a page for a browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from muniment.client.wire import to_json
from muniment_evals.page import Page, write_page

Json = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
Html = Annotated[
    Path | None,
    typer.Option("--html", help="Write the report to this file, as a page that needs no other."),
]
Against = Annotated[
    str | None,
    typer.Option(
        help="URL of a service, or 'embedded' for a throw-away one; by default the service of "
        "the settings if it answers, else embedded."
    ),
]


def progress(line: str) -> None:
    """How far a suite is, beside its output."""
    typer.echo(line, err=True)


def give(
    figures: Any, page: Page, show: Callable[[], None], *, as_json: bool, html: Path | None
) -> None:
    """Hand out one report in every form that was asked for."""
    if html is not None:
        write_page(page, html)
        progress(f"written to {html}")
    if as_json:
        typer.echo(to_json(figures))
    else:
        show()
