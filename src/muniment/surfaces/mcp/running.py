"""A tool set on streamable HTTP: the SDK's transports, kept as long as the process."""

import asyncio
import contextlib
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
from muniment.surfaces.mcp.server import INCOMING, McpServer
from muniment.surfaces.mcp.toolsets import Curated, Toolset

_SETS: dict[str, Callable[[], Toolset]] = {"curated": Curated, "graph": GraphTools}


class Running:
    """An ASGI application over a server of the SDK. Its transports live in a task of their own.

    ``plain`` answers what asks for no progress with one body of JSON, which costs less than a
    stream of one event.
    """

    def __init__(
        self,
        streaming: StreamableHTTPSessionManager,
        plain: StreamableHTTPSessionManager | None = None,
    ) -> None:
        self._streaming = streaming
        self._plain = plain
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for manager in (self._streaming, self._plain):
                if manager is not None:
                    await stack.enter_async_context(manager.run())
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
        manager = self._streaming
        if self._plain is not None and not scope[INCOMING].message.streams:
            manager = self._plain
        await manager.handle_request(scope, receive, send)


def _manager(server: Server[Any], **more: Any) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(server, max_request_body_size=MAX_BODY_BYTES + 1, **more)


async def start(name: str, dispatch: Dispatch | None, ids: Ids) -> Running:
    """The tool set of this name, ready to answer: no sessions, so that any process answers any
    request. Without a dispatch the fixtures, which have sessions.
    """
    if dispatch is None:
        running = Running(_manager(fixtures(), event_store=Events(), retry_interval=100))
    else:
        server = McpServer(Calls(dispatch, ids), _SETS[name]()).server
        running = Running(
            _manager(server, stateless=True), _manager(server, stateless=True, json_response=True)
        )
    await running.ready()
    return running
