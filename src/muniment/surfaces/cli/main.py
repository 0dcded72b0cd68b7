"""The command line: the service's own commands, and a command for each operation."""

import contextlib
import os
import sys
from importlib.metadata import entry_points, version
from typing import Annotated

import typer

from muniment.errors import BadSetting, MunimentError, StartRefused, Unreachable
from muniment.operations.registry import REGISTRY
from muniment.surfaces.cli import database, importing, processes
from muniment.surfaces.cli.operations import EXIT_USAGE, add_operations
from muniment.surfaces.cli.output import Output, say, show_error

_EXIT_ERROR = 1
_EXIT_REFUSED = 3
_NO_SERVICE = "Start the service with 'muniment serve', or set MUNIMENT_URL to where it is."


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("muniment"))
        raise typer.Exit


def make_cli() -> typer.Typer:
    """The whole command line."""
    cli = typer.Typer(
        name="muniment",
        help="A self-hosted memory service for AI agents.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    @cli.callback()
    def options(
        _version: Annotated[
            bool,
            typer.Option(
                "--version",
                help="Show the version and exit.",
                is_eager=True,
                callback=_show_version,
            ),
        ] = False,
    ) -> None:
        """What goes before a command; the options act by themselves."""

    processes.add_to(cli)
    cli.add_typer(database.app, name="db", help="The database: migrate, status, verify.")
    cli.add_typer(importing.app, name="import", help="Bring conversations in.")
    for entry in entry_points(group="muniment.commands"):
        cli.add_typer(entry.load(), name=entry.name)
    add_operations(cli, REGISTRY.values())
    return cli


def main() -> None:
    """Run the command line; errors become one line and an exit status."""
    if sys.stdout is None:
        # Closed by who started us: nothing is shown, and that is no error.
        _run()
        return
    output = Output(sys.stdout)
    try:
        with contextlib.redirect_stdout(output):
            _run()
    except OSError as error:
        if error is not output.error:
            raise
        if not isinstance(error, BrokenPipeError):
            say(f"error: The output cannot be written: {error.strerror}.", error=True)
        sys.exit(_EXIT_ERROR)
    finally:
        if output.error is not None:
            # What is left of it has no place to go; Python would complain while it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def _run() -> None:
    try:
        make_cli()(standalone_mode=True)
    except BadSetting as error:
        show_error(error)
        sys.exit(EXIT_USAGE)
    except StartRefused as error:
        show_error(error)
        sys.exit(_EXIT_REFUSED)
    except Unreachable as error:
        show_error(Unreachable(f"{error.detail} {_NO_SERVICE}"))
        sys.exit(_EXIT_REFUSED)
    except MunimentError as error:
        show_error(error)
        sys.exit(_EXIT_ERROR)
