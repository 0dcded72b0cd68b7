"""/mcp on the HTTP surface: same keys, same limits; the SDK is loaded at the first call."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.errors import InvalidInput, MalformedBody, Unavailable
from muniment.operations.dispatch import Dispatch
from muniment.operations.dispatch import Request as Call
from muniment.ports import Ids
from muniment.surfaces.http.problems import problem
from muniment.surfaces.http.reading import bearer_token, body, idempotency_key, query
from muniment.surfaces.json_text import dump_json
from muniment.surfaces.mcp.hosts import Hosts
from muniment.surfaces.mcp.incoming import Incoming, bound_by, id_of, read_message

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
# Their operation authenticates; every other message is authenticated before it is answered.
_OPERATIONS = frozenset({"tools/call", "resources/read"})

Endpoint = Callable[[Request, Mapping[str, str], str], Awaitable[ASGIApp]]


@dataclass(frozen=True)
class McpOptions:
    """How the endpoint is offered: to which hosts, and with which tool sets besides its own."""

    hosts: Hosts = field(default_factory=Hosts)
    graph: bool = False
    conformance: bool = False


class McpEndpoints:
    """The routes of MCP. ``opened`` with the dispatch of the process, ``closed`` at its end."""

    def __init__(self, options: McpOptions, ids: Ids) -> None:
        self._options = options
        self._ids = ids
        self._dispatch: Dispatch | None = None
        self._loading = asyncio.Lock()
        self._running: dict[str, Any] = {}

    def routes(self) -> list[tuple[str, str, Endpoint]]:
        """Method, path and endpoint of each."""
        found = [("POST", "/mcp", self._endpoint("curated"))]
        if self._options.graph:
            found.append(("POST", "/mcp/graph", self._endpoint("graph")))
        if self._options.conformance:
            found += [
                (one, "/mcp/conformance", self._fixtures) for one in ("POST", "GET", "DELETE")
            ]
        return found

    def opened(self, dispatch: Dispatch) -> None:
        """From now on calls are answered."""
        self._dispatch = dispatch

    async def closed(self) -> None:
        """End what runs."""
        while self._running:
            _, running = self._running.popitem()
            await running.stop()

    def _endpoint(self, name: str) -> Endpoint:
        async def endpoint(request: Request, _path: Mapping[str, str], request_id: str) -> ASGIApp:
            self._options.hosts.check(request)
            if self._dispatch is None:
                raise Unavailable
            token, key = bearer_token(request), idempotency_key(request)
            bound = bound_by(query(request))
            raw = await body(request)
            try:
                message = read_message(raw)
            except (MalformedBody, InvalidInput) as error:
                return _no_message(error, request_id, raw)
            caller = None
            if message.method not in _OPERATIONS:
                caller = await self._dispatch.admit(Call(token, request_id))
            request.scope["muniment.incoming"] = Incoming(
                token, request_id, bound, message, key, caller
            )
            running = await self._started(name, self._dispatch)
            return _continued(running, message.body)

        return endpoint

    async def _fixtures(
        self, request: Request, _path: Mapping[str, str], request_id: str
    ) -> ASGIApp:
        self._options.hosts.check(request)
        raw = await body(request)
        try:
            given = read_message(raw).body if request.method == "POST" else raw
        except (MalformedBody, InvalidInput) as error:
            return _no_message(error, request_id, raw)
        return _continued(await self._started("conformance", None), given)

    async def _started(self, name: str, dispatch: Dispatch | None) -> Any:
        """What answers for a tool set, loaded beside the event loop when it is first asked for."""
        async with self._loading:
            if name not in self._running:
                running = await asyncio.to_thread(import_module, "muniment.surfaces.mcp.running")
                self._running[name] = await running.start(name, dispatch, self._ids)
            return self._running[name]


def _continued(running: Any, raw: bytes) -> ASGIApp:
    """The rest of a request whose body has been read."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        sent = False

        async def again() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": raw, "more_body": False}

        await running(scope, again, send)

    return answer


def _no_message(error: MalformedBody | InvalidInput, request_id: str, raw: bytes) -> Response:
    """What JSON-RPC says of a text that it cannot read, and the problem document with it."""
    readable = isinstance(error, InvalidInput)
    code = _INVALID_REQUEST if readable else _PARSE_ERROR
    told = {"code": code, "message": error.detail, "data": problem(error, request_id)}
    return Response(
        dump_json({"jsonrpc": "2.0", "id": id_of(raw) if readable else None, "error": told}),
        status_code=400,
        headers={"x-request-id": request_id},
        media_type="application/json",
    )
