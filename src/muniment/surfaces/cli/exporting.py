"""export: all that is held of one user into a file, through the SDK."""

import os
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from muniment.client.connection import find_client
from muniment.client.transfers import export_user
from muniment.surfaces.cli.output import EXIT_USAGE, say


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("export")(export)


def export(
    user: Annotated[str, typer.Argument(help="The user, by the name that the application gave.")],
    file: Annotated[Path, typer.Argument(help="Where the lines go; - for standard output.")],
) -> None:
    """Write all that is held of one user, in every namespace, as of one moment.

    The file is there once it is whole, and for nobody but its owner to read.
    """
    if str(file) == "-":
        with find_client() as client:
            for record in export_user(client, user):
                typer.echo(dumps(record))
        return
    part = file.with_name(f"{file.name}.part")
    try:
        lines = _write(user, part)
        part.replace(file)
    except OSError as error:
        say(f"error: {file}: {error.strerror}.", error=True)
        raise typer.Exit(EXIT_USAGE) from None
    finally:
        part.unlink(missing_ok=True)
    say(f"{user}: {lines} lines")


def _write(user: str, part: Path) -> int:
    lines = 0
    with find_client() as client:
        records = export_user(client, user)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            for record in records:
                out.write(f"{dumps(record)}\n")
                lines += 1
    return lines
