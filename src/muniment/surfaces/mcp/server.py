"""The MCP server of the official SDK over Muniment's tools and resources."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from importlib.metadata import version
from typing import Any, TypeVar

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from muniment.errors import Internal, InvalidInput, MunimentError, NotFound
from muniment.surfaces.http.problems import problem
from muniment.surfaces.mcp import resources
from muniment.surfaces.mcp.calls import Calls, as_error, refused
from muniment.surfaces.mcp.incoming import Incoming, idempotency_key
from muniment.surfaces.mcp.toolsets import Toolset

INCOMING = "muniment.incoming"
"""Where a request keeps what was read of its message."""
OPERATION, CODE = "muniment.operation", "muniment.code"
_NO_SUCH_RESOURCE_2025 = -32002
_OTHER_ERROR = -32000
_TICK_SECONDS = 1.0

T = TypeVar("T")
_Asked = ServerRequestContext[Any, Any]


class McpServer:
    """Answers the requests of MCP; knows no transport."""

    def __init__(self, calls: Calls, tools: Toolset) -> None:
        self._calls = calls
        self._tools = tools
        hint = CacheHint(ttl_ms=0, scope="private")
        self.server: Server[Any] = Server(
            "muniment",
            version=version("muniment"),
            title="Muniment",
            instructions=tools.instructions,
            cache_hints={
                "tools/list": hint,
                "resources/list": hint,
                "resources/templates/list": hint,
                "resources/read": hint,
            },
            get_tool_input_schema=lambda _name: None,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    async def _list_tools(
        self, asked: _Asked, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        incoming = _incoming(asked)
        verbs = frozenset[str]() if incoming.caller is None else incoming.caller.verbs
        return ListToolsResult.model_validate({"tools": self._tools.listed(verbs, incoming.bound)})

    async def _call_tool(self, asked: _Asked, params: CallToolRequestParams) -> CallToolResult:
        incoming, noted = _incoming(asked), _scope(asked)
        if not self._tools.has(params.name):
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:64]!r}.")
        try:
            key = idempotency_key((asked.params or {}).get("_meta"), incoming.key)
            call = self._tools.call(self._calls, params.name, incoming, key)
            noted[OPERATION] = call.operation
            result = await _with_progress(asked, call.run)
        except Exception as failure:  # noqa: BLE001 - whatever it is becomes the tool's error
            error = as_error(failure, incoming.request_id)
            noted[CODE] = error.code
            result = refused(error, incoming.request_id)
        return CallToolResult.model_validate(result)

    async def _list_resources(
        self, asked: _Asked, _params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        found = resources.listed(_incoming(asked))
        return ListResourcesResult.model_validate({"resources": found})

    async def _list_templates(
        self, _asked: _Asked, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult.model_validate(
            {"resourceTemplates": list(resources.TEMPLATES)}
        )

    async def _read_resource(
        self, asked: _Asked, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        incoming, noted = _incoming(asked), _scope(asked)
        uri = str(params.uri)
        try:
            operation, arguments = resources.found(uri, incoming)
            noted[OPERATION] = operation.name
            answered = await self._calls.run(operation, incoming, arguments)
        except Exception as failure:  # noqa: BLE001 - whatever it is becomes an error of MCP
            error = as_error(failure, incoming.request_id)
            noted[CODE] = error.code
            raise _mcp_error(error, uri, incoming, asked.protocol_version) from None
        content = {"uri": uri, "mimeType": "application/json", "text": answered.text}
        return ReadResourceResult.model_validate({"contents": [content]})


def _incoming(asked: _Asked) -> Incoming:
    found: Incoming = _scope(asked)[INCOMING]
    return found


def _scope(asked: _Asked) -> MutableMapping[str, Any]:
    """Of the HTTP request that the message came with; every one comes with one."""
    found: MutableMapping[str, Any] = asked.request.scope  # type: ignore[union-attr]
    return found


async def _with_progress(asked: _Asked, run: Callable[[], Awaitable[T]]) -> T:
    """Run, and say every second that it goes on, to a client that wants to know."""
    if not isinstance(asked.meta, Mapping) or "progress_token" not in asked.meta:
        return await run()
    async with _ticking(asked):
        return await run()


@contextlib.asynccontextmanager
async def _ticking(asked: _Asked) -> AsyncIterator[None]:
    async def tick() -> None:
        seconds = 0.0
        while True:
            await asked.session.report_progress(seconds, message="working")
            await asyncio.sleep(_TICK_SECONDS)
            seconds += _TICK_SECONDS

    ticking = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ticking


def _mcp_error(error: MunimentError, uri: str, incoming: Incoming, protocol: str) -> MCPError:
    """An error where MCP has no tool to answer for: its code by the revision that is spoken."""
    code = _OTHER_ERROR
    if isinstance(error, NotFound):
        modern = protocol in MODERN_PROTOCOL_VERSIONS
        code = INVALID_PARAMS if modern else _NO_SUCH_RESOURCE_2025
    elif isinstance(error, InvalidInput):
        code = INVALID_PARAMS
    elif isinstance(error, Internal):
        code = INTERNAL_ERROR
    return MCPError(code, error.detail, {"uri": uri, **problem(error, incoming.request_id)})
