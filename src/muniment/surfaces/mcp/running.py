"""A tool set on streamable HTTP: the SDK's transports, kept as long as the process."""

import asyncio
from collections.abc import Callable
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from muniment.operations.dispatch import Dispatch
from muniment.ports import Ids
from muniment.surfaces.http.reading import MAX_BODY_BYTES
from muniment.surfaces.mcp.calls import Calls
from muniment.surfaces.mcp.conformance.server import Events, fixtures
from muniment.surfaces.mcp.graph import GraphTools
from muniment.surfaces.mcp.server import McpServer
from muniment.surfaces.mcp.toolsets import Curated, Toolset

_SETS: dict[str, Callable[[], Toolset]] = {"curated": Curated, "graph": GraphTools}


class Running:
    """An ASGI application over a server of the SDK. Its transports live in a task of their own."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        async with self._manager.run():
            self._up.set()
            await self._down.wait()

    async def ready(self) -> None:
        """Wait until it answers."""
        await self._up.wait()

    async def stop(self) -> None:
        """End every transport."""
        self._down.set()
        await self._task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


def manager_of(server: Server[Any], **more: Any) -> StreamableHTTPSessionManager:
    """The SDK's transports: no sessions, so that any process answers any request."""
    return StreamableHTTPSessionManager(
        server,
        **{"stateless": True, "max_request_body_size": MAX_BODY_BYTES + 1, **more},
    )


async def start(name: str, dispatch: Dispatch | None, ids: Ids) -> Running:
    """The tool set of this name, ready to answer; without a dispatch the fixtures."""
    if dispatch is None:
        manager = manager_of(fixtures(), stateless=False, event_store=Events(), retry_interval=100)
    else:
        manager = manager_of(McpServer(Calls(dispatch, ids), _SETS[name]()).server)
    running = Running(manager)
    await running.ready()
    return running
