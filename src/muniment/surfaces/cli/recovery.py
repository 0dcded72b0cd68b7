"""scrub, backup, restore: what an administrator of the database does."""

from pathlib import Path
from typing import Annotated

import typer

from muniment.recovery.backup import back_up
from muniment.recovery.restore import restore
from muniment.recovery.scrubbing import scrub_now
from muniment.settings import read_settings
from muniment.surfaces.cli.output import say

_File = Annotated[Path, typer.Argument(help="The backup, in the custom format of pg_dump.")]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("scrub")(_scrub)
    cli.command("backup")(_backup)
    cli.command("restore")(_restore)


def _scrub() -> None:
    """Take the bytes of what was forgotten off the live files; exit with 1 if that must wait."""
    done = scrub_now(read_settings())
    if done.waiting is not None:
        say(f"nothing was scrubbed: {done.waiting}", error=True)
        raise typer.Exit(1)
    say(
        f"{done.receipts} receipts are scrubbed: {done.tables} tables rewritten in "
        f"{done.seconds:.1f} s, none locked for more than {done.longest_lock:.2f} s"
    )
    if done.left:
        say(f"left to you: {', '.join(done.left)}")


def _backup(file: _File) -> None:
    """Write the whole database to a file, while the service works."""
    settings = read_settings()
    size = back_up(settings, file)
    say(f"{file} has the database, {size:,} bytes")
    say(f"keep the erasure ledger apart from it: {settings.ledger_file}")


def _restore(
    file: _File,
    data: Annotated[
        str | None, typer.Option("--data", help="Data directory (MUNIMENT_DATA_DIR).")
    ] = None,
    without_ledger: Annotated[
        bool,
        typer.Option(
            "--without-ledger",
            help="There is no erasure ledger: what was forgotten since the backup comes back.",
        ),
    ] = False,
) -> None:
    """Put a backup in the place of the database, without what was forgotten since it was made."""
    settings = read_settings({"data_dir": data})
    done = restore(settings, file, without_ledger=without_ledger)
    say(f"the database is that of {file}; {done.erasures} erasures made since were carried out")
    say(f"its admin key is that of the backup: it belongs into {settings.admin_key_file}")
