"""serve, worker, api: the processes of the service."""

import socket
import sys
from typing import Annotated

import typer

from muniment import bootstrap
from muniment.recovery.ledger import carry_out_ledger
from muniment.settings import environment, read_settings
from muniment.surfaces.api import listen, run_api
from muniment.surfaces.cli.output import say
from muniment.surfaces.logs import configure_logs
from muniment.surfaces.serve import serve
from muniment.surfaces.worker import run_worker

_Data = Annotated[str | None, typer.Option("--data", help="Data directory (MUNIMENT_DATA_DIR).")]
_Host = Annotated[str | None, typer.Option("--host", help="Address (MUNIMENT_HOST).")]
_Port = Annotated[
    int | None, typer.Option("--port", help="Port, 0 for a free one (MUNIMENT_PORT).")
]


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("serve")(_serve)
    cli.command("worker")(_worker)
    cli.command("api")(_api)


def _serve(data: _Data = None, host: _Host = None, port: _Port = None) -> None:
    """Run the service: the embedded database (or an external one), the API and a worker."""
    settings = read_settings({"data_dir": data, "host": host, "port": port})
    settings.model_copy(update={"data_dir": settings.data_dir.absolute()})
    bootstrap.check_settings(settings)
    configure_logs(settings.log_level, "serve")

    def said(url: str) -> None:
        place = settings.admin_key_file
        key = f"; the admin key is in {place}" if place.exists() else ""
        say(f"Muniment is ready at {url}{key}")
        sys.stdout.flush()

    serve(settings, environment(settings), said)


def _worker() -> None:
    """Run one more worker on the same database."""
    settings = read_settings()
    bootstrap.check_settings(settings)
    configure_logs(settings.log_level, "worker")
    bootstrap.await_databases(settings, worker=True)
    run_worker(settings)


def _api(
    host: _Host = None,
    port: _Port = None,
    fd: Annotated[
        int | None, typer.Option("--fd", help="A listening socket that the parent opened.")
    ] = None,
) -> None:
    """Run one more API process on the same database."""
    settings = read_settings({"host": host, "port": port})
    bootstrap.check_settings(settings)
    configure_logs(settings.log_level, "api")
    listener = listen(settings) if fd is None else socket.socket(fileno=fd)
    bootstrap.await_databases(settings, api=True)
    if fd is None:
        carry_out_ledger(settings)
    sys.exit(run_api(settings, listener))
