"""The HTTP surface over a service inside the test's process."""

import contextlib
from collections.abc import AsyncIterator, Mapping

import httpx

from muniment.surfaces.http.app import Beside, HttpSurface
from muniment.surfaces.http.metrics import Metrics
from muniment.surfaces.mcp.endpoint import McpEndpoints, McpOptions
from muniment.surfaces.mcp.hosts import Hosts
from muniment.surfaces.mem0.endpoint import Mem0Endpoints
from tests.support.world import Local


async def _ready() -> Mapping[str, str]:
    return {}


@contextlib.asynccontextmanager
async def over_http(service: Local, hosts: Hosts | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the service by HTTP, without sockets."""
    beside: list[Beside] = [
        McpEndpoints(McpOptions(hosts or Hosts(), graph=True), service.world.ids),
        Mem0Endpoints(service.world.ids),
    ]
    surface = HttpSurface(
        opened=lambda: contextlib.nullcontext(service.dispatch),
        ids=service.world.ids,
        ready=_ready,
        metrics=Metrics(),
        beside=beside,
    )
    surface._dispatch = service.dispatch
    for one in beside:
        one.opened(service.dispatch)
    transport = httpx.ASGITransport(surface)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://muniment") as client:
            yield client
    finally:
        for one in beside:
            await one.closed()
