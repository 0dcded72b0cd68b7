"""The command line: the service's own commands, and a command for each operation."""

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points, version
from typing import Annotated, Any

import typer

from muniment.errors import BadSetting, MunimentError, StartRefused, Unreachable
from muniment.surfaces.cli.families import MODULES
from muniment.surfaces.cli.output import EXIT_USAGE, Output, say, show_error

_EXIT_ERROR = 1
_EXIT_REFUSED = 3
# The first words of commands that are no operation, and the module that has them.
_MODULES = {
    "serve": "processes",
    "worker": "processes",
    "api": "processes",
    "db": "database",
    "scrub": "recovery",
    "backup": "recovery",
    "restore": "recovery",
    "import": "importing",
    "export": "exporting",
    "mcp": "mcp",
    "record": "replaying",
    "replay": "replaying",
}
_NO_SERVICE = "Start the service with 'muniment serve', or set MUNIMENT_URL to where it is."


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("muniment"))
        raise typer.Exit


def make_cli(word: str | None = None) -> typer.Typer:
    """The command line: of what ``word`` begins, if it begins a command, else the whole of it."""
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

    _add_commands(cli, word)
    return cli


def _add_commands(cli: typer.Typer, word: str | None) -> None:
    """What ``word`` begins and no more: a command loads what it needs, and starts sooner."""
    extensions = {entry.name: entry for entry in entry_points(group="muniment.commands")}
    if word in _MODULES:
        _module(_MODULES[word]).add_to(cli)
    elif word in extensions:
        cli.add_typer(extensions[word].load(), name=word)
    elif word in MODULES:
        _module("operations").add_to(cli, word)
    else:
        for name in dict.fromkeys(_MODULES.values()):
            _module(name).add_to(cli)
        for entry in extensions.values():
            cli.add_typer(entry.load(), name=entry.name)
        _module("operations").add_to(cli)


def _module(name: str) -> Any:
    return import_module(f"muniment.surfaces.cli.{name}")


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


@contextlib.contextmanager
def _kept_for_good() -> Iterator[None]:
    """What is loaded meanwhile stays: the collector would go through it in vain, now and later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _run() -> None:
    as_json = "--json" in sys.argv[1:]
    try:
        with _kept_for_good():
            cli = make_cli(next(iter(sys.argv[1:]), None))
        cli(standalone_mode=True)
    except BadSetting as error:
        show_error(error, as_json=as_json)
        sys.exit(EXIT_USAGE)
    except StartRefused as error:
        show_error(error, as_json=as_json)
        sys.exit(_EXIT_REFUSED)
    except Unreachable as error:
        show_error(Unreachable(f"{error.detail} {_NO_SERVICE}"), as_json=as_json)
        sys.exit(_EXIT_REFUSED)
    except MunimentError as error:
        show_error(error, as_json=as_json)
        sys.exit(_EXIT_ERROR)
