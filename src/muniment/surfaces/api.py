"""The API process: uvicorn on a socket that its parent opened, or on one of its own."""

import socket

import uvicorn

from muniment import bootstrap
from muniment.settings import Settings
from muniment.surfaces.http.app import HttpSurface
from muniment.surfaces.http.metrics import Metrics

_BACKLOG = 2048


def listen(settings: Settings) -> socket.socket:
    """The listening socket of the service. Raises OSError for an address that is taken."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((settings.host, settings.port))
    listener.listen(_BACKLOG)
    return listener


def run_api(settings: Settings, listener: socket.socket) -> int:
    """Serve until told to stop; returns the exit status."""
    metrics = Metrics()
    surface = HttpSurface(
        opened=lambda: bootstrap.opened_dispatch(settings, metrics.watch),
        ids=bootstrap.new_ids(),
        ready=bootstrap.readiness(settings),
        metrics=metrics,
    )
    server = uvicorn.Server(
        uvicorn.Config(
            surface,
            http="httptools",
            loop="uvloop",
            lifespan="on",
            ws="none",
            access_log=False,
            log_config=None,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=20,
            backlog=_BACKLOG,
        )
    )
    server.run(sockets=[listener])
    return 0 if server.started else 3
