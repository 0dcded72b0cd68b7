"""db: the schema of an external database, and whether a database is as it should be."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import psycopg
import typer
from psycopg.rows import TupleRow

from muniment import bootstrap
from muniment.errors import StartRefused
from muniment.settings import Settings, read_settings
from muniment.surfaces.cli.output import say, show_rows

app = typer.Typer(no_args_is_help=True)
_AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(app, name="db", help="The database: migrate, status, verify, distribute.")


@contextmanager
def _admin(settings: Settings) -> Iterator[psycopg.Connection[TupleRow]]:
    try:
        with psycopg.connect(bootstrap.admin_conninfo(settings), autocommit=True) as connection:
            yield connection
    except psycopg.OperationalError as error:
        raise StartRefused(
            f"The database does not answer the administrator ({type(error).__name__}).",
            cure="Start 'muniment serve', or set MUNIMENT_ADMIN_DATABASE_URL for an external one.",
        ) from error
    except psycopg.Error as error:
        raise StartRefused(
            f"The database refused the administrator's statement ({type(error).__name__}).",
            cure="docs/how-to/external-postgres.md says which rights it needs.",
        ) from error


@app.command("migrate")
def migrate() -> None:
    """Bring the database to this build's schema; make the first tenant and key if there is none."""
    settings = read_settings()
    with _admin(settings) as admin:
        done = bootstrap.install(settings, admin)
    for one in done.applied:
        say(f"applied {one.version:04} {one.name}")
    if done.new_key:
        say(f"the admin key is in {settings.admin_key_file}")
    say("the database is at the head of this build")


@app.command("status")
def status(as_json: _AsJson = False) -> None:
    """Show which migrations were applied and which wait."""
    settings = read_settings()
    with _admin(settings) as admin:
        show_rows(bootstrap.migration_status(admin), as_json=as_json)


@app.command("verify")
def verify() -> None:
    """Compare the schema with this build's; exit with 1 and the differences if there are any."""
    settings = read_settings()
    with _admin(settings) as admin:
        found = bootstrap.schema_differences(admin)
    for line in found:
        say(line)
    if found:
        raise typer.Exit(1)
    say("the schema is as this build wants it")


@app.command("distribute")
def distribute(
    execute: Annotated[
        bool, typer.Option("--execute", help="Run the statements; else they are printed.")
    ] = False,
    shards: Annotated[
        int, typer.Option(min=1, max=1024, help="Shards of each table, fixed by the first run.")
    ] = 32,
) -> None:
    """Print the statements that distribute the tables over the nodes of Citus, by tenant."""
    settings = read_settings()
    with _admin(settings) as admin:
        statements = bootstrap.distribution(admin, shards=shards, execute=execute)
    for statement in statements:
        say(statement)
    if not statements:
        say("-- every table is distributed")


@app.command("admin-key")
def admin_key() -> None:
    """Make a new admin key of the default tenant, for when every other one is lost."""
    settings = read_settings()
    with _admin(settings) as admin:
        bootstrap.new_admin_key(settings, admin)
    say(f"a new admin key is in {settings.admin_key_file}")
