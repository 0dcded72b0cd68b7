"""``muniment serve``: the database, the API and a worker under one supervisor."""

import contextlib
import socket
import sys
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

import psycopg
import structlog

from muniment import bootstrap
from muniment.errors import StartRefused
from muniment.postgres.embedded import ADMIN, FAST_SIGNAL, STOP_SIGNAL, Postmaster, hold
from muniment.recovery.ledger import carry_out_ledger
from muniment.recovery.restore import drop_leftovers
from muniment.settings import Settings
from muniment.surfaces.api import listen
from muniment.surfaces.supervisor import Child, Supervisor

_log = structlog.get_logger()
_READY_TIMEOUT = 2.0


def serve(settings: Settings, environment: Mapping[str, str], said: Callable[[str], None]) -> None:
    """Run everything until SIGTERM or SIGINT. Raises StartRefused with what is in the way.

    ``environment`` goes to the children; ``said`` gets the line that says where the service is.
    """
    with contextlib.ExitStack() as stack:
        children: list[Child] = []
        embedded = settings.database_url is None
        lock = stack.enter_context(hold(settings.data_dir)) if embedded else None
        listener = stack.enter_context(listen(settings))
        if lock is not None:
            postmaster = Postmaster.prepare(lock, entropy=bootstrap.random_bytes)
            children.append(_database(postmaster, settings))
        else:
            bootstrap.await_databases(settings, api=True, worker=True)
            carry_out_ledger(settings)
        url = _url(listener)
        children += [_api(listener, environment), _worker(environment)]
        Supervisor(children, lambda: said(url)).run()


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def _database(postmaster: Postmaster, settings: Settings) -> Child:
    """The embedded server; it counts as ready once it has this build's schema."""
    installed = False

    def ready() -> bool:
        nonlocal installed
        if not postmaster.ready():
            return False
        if not installed:
            _install(postmaster, settings)
            carry_out_ledger(settings)
            installed = True
        return True

    return Child(
        name="postgres",
        spawn=postmaster.spawn,
        ready=ready,
        diagnose=postmaster.refusal,
        tend=postmaster.tend,
        stop_signal=STOP_SIGNAL,
        fast_signal=FAST_SIGNAL,
        grace=60.0,
    )


def _install(postmaster: Postmaster, settings: Settings) -> None:
    try:
        with psycopg.connect(postmaster.conninfo(ADMIN), autocommit=True) as admin:
            bootstrap.install(settings, admin)
            drop_leftovers(admin)
        postmaster.ensure_login_roles()
    except psycopg.Error as error:
        raise StartRefused(
            f"The embedded database could not be prepared ({type(error).__name__}).",
            cure=f"Its log is in {postmaster.layout.log}; start again once that is mended.",
        ) from error


def _api(listener: socket.socket, environment: Mapping[str, str]) -> Child:
    return Child(
        name="api",
        argv=[sys.executable, "-m", "muniment", "api", "--fd", str(listener.fileno())],
        env=environment,
        pass_fds=[listener.fileno()],
        ready=lambda: _answers(listener),
    )


def _answers(listener: socket.socket) -> bool:
    host, port = listener.getsockname()[:2]
    with contextlib.closing(HTTPConnection(host, port, timeout=_READY_TIMEOUT)) as connection:
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False


def _worker(environment: Mapping[str, str]) -> Child:
    return Child(name="worker", argv=[sys.executable, "-m", "muniment", "worker"], env=environment)
