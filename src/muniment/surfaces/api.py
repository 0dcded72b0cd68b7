"""The API process: uvicorn on a socket that its parent opened, or on one of its own."""

import resource
import socket

import uvicorn

from muniment import bootstrap
from muniment.errors import BadSetting
from muniment.settings import Settings
from muniment.surfaces.http.app import Beside, HttpSurface
from muniment.surfaces.http.metrics import Metrics
from muniment.surfaces.http.protocol import BoundedProtocol
from muniment.surfaces.mcp.endpoint import McpEndpoints, McpOptions
from muniment.surfaces.mcp.hosts import Hosts
from muniment.surfaces.mem0.endpoint import Mem0Endpoints

_BACKLOG = 2048
# Longer than proxies keep a connection that is idle: whoever ends it first must not be this side.
_IDLE_SECONDS = 75
_MOST_FILES = 65_536


def listen(settings: Settings) -> socket.socket:
    """The listening socket of the service. Raises BadSetting for an address that it cannot take."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(_BACKLOG)
    except (OSError, UnicodeError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or "no host has such a name"
        raise BadSetting(
            f"The service cannot listen on {settings.host} port {settings.port}: {reason}.",
            cure="Stop what listens there, or choose another address with MUNIMENT_HOST and "
            "MUNIMENT_PORT (--host, --port).",
        ) from error
    return listener


def run_api(settings: Settings, listener: socket.socket) -> int:
    """Serve until told to stop; returns the exit status."""
    _allow_connections()
    metrics = Metrics()
    surface = HttpSurface(
        opened=lambda: bootstrap.opened_dispatch(settings, metrics.watch),
        ids=bootstrap.new_ids(),
        ready=bootstrap.readiness(settings),
        metrics=metrics,
        beside=beside(settings),
    )
    server = uvicorn.Server(
        uvicorn.Config(
            surface,
            http=BoundedProtocol.numbered_by(bootstrap.new_ids()),
            loop="uvloop",
            lifespan="on",
            ws="none",
            access_log=False,
            log_config=None,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_keep_alive=_IDLE_SECONDS,
            timeout_graceful_shutdown=20,
            backlog=_BACKLOG,
        )
    )
    server.run(sockets=[listener])
    return 0 if server.started else 3


def beside(settings: Settings) -> list[Beside]:
    """What is offered besides the operations themselves."""
    mcp = McpOptions(
        hosts=Hosts.of(settings.host, settings.mcp_hosts),
        graph=settings.mcp_graph,
        conformance=settings.mcp_conformance,
    )
    offered: list[Beside] = [McpEndpoints(mcp, bootstrap.new_ids())]
    if settings.compat_mem0:
        offered.append(Mem0Endpoints(bootstrap.new_ids()))
    return offered


def _allow_connections() -> None:
    """Each is an open file, of which a process may have 1,024 on many systems unless it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
