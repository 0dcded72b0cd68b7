"""The HTTP surface: a route for each operation of the registry, and a few of its own.

Plain ASGI with request-only endpoints: typed routes of a framework cost twice the time and answer
500 to broken text.
"""

import contextlib
import gc
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.errors import (
    Fault,
    Internal,
    InvalidInput,
    MunimentError,
    Unavailable,
)
from muniment.operations.decode import pointer
from muniment.operations.dispatch import Dispatch
from muniment.operations.dispatch import Request as Call
from muniment.operations.operation import Operation, Parsed
from muniment.operations.registry import REGISTRY
from muniment.ports import Ids
from muniment.surfaces.http.metrics import CONTENT_TYPE, Metrics
from muniment.surfaces.http.openapi import openapi_document
from muniment.surfaces.http.problems import problem_response, rate_limit_headers
from muniment.surfaces.http.reading import bearer_token, body, idempotency_key, query
from muniment.surfaces.http.router import Router
from muniment.surfaces.json_text import dump_json
from muniment.surfaces.tracing import note_records, span_of

MAX_REQUEST_ID = 128
# Where a request keeps what its metric will name.
_OPERATION, _CODE = "muniment.operation", "muniment.code"
# What readiness tells and what keeps nobody from being served.
_WARNINGS = frozenset({"erasure_ledger", "passes", "rereviews", "seals"})

_log = structlog.get_logger()

Opened = contextlib.AbstractAsyncContextManager[Dispatch]
Ready = Callable[[], Awaitable[Mapping[str, str]]]
Endpoint = Callable[[Request, Mapping[str, str], str], Awaitable[ASGIApp]]


class Beside(Protocol):
    """Further routes of the same process: opened with its dispatch, closed before that."""

    def routes(self) -> Sequence[tuple[str, str, Endpoint]]:
        """Method, path and endpoint of each."""

    def opened(self, dispatch: Dispatch) -> None:
        """Calls may be answered from now on."""

    async def closed(self) -> None:
        """End what runs."""


class HttpSurface:
    """The ASGI application. ``opened`` is entered at start-up and left at shut-down."""

    def __init__(
        self,
        opened: Callable[[], Opened],
        ids: Ids,
        ready: Ready,
        metrics: Metrics,
        beside: Sequence[Beside] = (),
    ) -> None:
        self._opened = opened
        self._ids = ids
        self._ready = ready
        self._metrics = metrics
        self._dispatch: Dispatch | None = None
        routes: list[tuple[str, str, Endpoint]] = [
            (operation.http.method, operation.http.path, self._endpoint(operation))
            for operation in REGISTRY.values()
        ]
        document = dump_json(openapi_document(REGISTRY.values()))
        routes += [
            ("GET", "/openapi.json", _fixed(document)),
            ("GET", "/healthz", _fixed(b'{"status":"ok"}')),
            ("GET", "/readyz", self._readiness),
            ("GET", "/metrics", self._figures),
        ]
        self._beside = beside
        for one in beside:
            routes += one.routes()
        self._router = Router(routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            began = time.perf_counter()
            request = Request(scope, receive)
            with self._metrics.in_flight():
                response = await self._answer(request)
                await response(scope, receive, send)
            name, code = request.scope.get(_OPERATION), request.scope.get(_CODE, "ok")
            self._metrics.observe(name, code, time.perf_counter() - began)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with self._opened() as self._dispatch:
                for one in self._beside:
                    one.opened(self._dispatch)
                # What lives as long as the process is not looked through at every collection.
                gc.collect()
                gc.freeze()
                await send({"type": "lifespan.startup.complete"})
                await receive()
                for one in self._beside:
                    await one.closed()
        except MunimentError as error:
            await send({"type": "lifespan.startup.failed", "message": error.detail})
            return
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, request: Request) -> ASGIApp:
        request_id = self._request_id(request)
        try:
            # What can be got can be asked for without its body: the server leaves that out.
            method = "GET" if request.method == "HEAD" else request.method
            endpoint, path = self._router.match(method, request.scope["raw_path"])
            return await endpoint(request, path, request_id)
        except MunimentError as error:
            if isinstance(error, Internal):
                _log.error("internal_error", request_id=request_id, exc_info=error.__cause__)
            request.scope[_CODE] = error.code
            return problem_response(error, request_id)
        except ClientDisconnect:
            request.scope[_CODE] = "client_left"
            return Response(status_code=499)
        except Exception as error:  # noqa: BLE001 - the last line: whatever it is becomes a 500
            _log.error("defect", request_id=request_id, exc_info=error)
            request.scope[_CODE] = Internal.code
            return problem_response(Internal(), request_id)

    def _request_id(self, request: Request) -> str:
        given = request.headers.get("x-request-id", "")
        if 0 < len(given) <= MAX_REQUEST_ID and given.isascii() and given.isprintable():
            return given
        return str(self._ids.new())

    def _endpoint(self, operation: Operation[Any, Any]) -> Endpoint:
        async def endpoint(request: Request, path: Mapping[str, str], request_id: str) -> Response:
            request.scope[_OPERATION] = operation.name
            if self._dispatch is None:
                raise Unavailable
            call = Call(
                token=bearer_token(request),
                request_id=request_id,
                idempotency_key=idempotency_key(request),
            )
            raw = await body(request)

            def parse() -> Parsed[Any]:
                given = query(request)
                if operation.http.method in ("GET", "DELETE"):
                    if raw:
                        raise InvalidInput(faults=[Fault("", "this operation takes no body")])
                    return operation.parse_texts(given, path)
                if given:
                    at = pointer([next(iter(given))])
                    raise InvalidInput(faults=[Fault(at, "belongs into the body")])
                return operation.parse(raw, path)

            with span_of(operation, request_id) as span:
                outcome = await self._dispatch(operation, call, parse)
                note_records(operation, span, outcome.result)
            headers = {"x-request-id": request_id}
            if outcome.allowance is not None:
                headers |= rate_limit_headers(outcome.allowance)
            if outcome.replayed:
                headers["idempotency-replayed"] = "true"
            return Response(
                operation.results.dump_json(outcome.result),
                status_code=operation.http.status,
                headers=headers,
                media_type="application/json",
            )

        return endpoint

    async def _readiness(
        self, _request: Request, _path: Mapping[str, str], request_id: str
    ) -> Response:
        found = await self._ready()
        reasons = {name: what for name, what in found.items() if name not in _WARNINGS}
        warnings = {name: what for name, what in found.items() if name in _WARNINGS}
        told = {"status": "not ready" if reasons else "ready", "reasons": reasons}
        return Response(
            dump_json(told | ({"warnings": warnings} if warnings else {})),
            status_code=503 if reasons else 200,
            headers={"x-request-id": request_id},
            media_type="application/json",
        )

    async def _figures(
        self, _request: Request, _path: Mapping[str, str], request_id: str
    ) -> Response:
        headers = {"x-request-id": request_id, "content-type": CONTENT_TYPE}
        return Response(self._metrics.text(), headers=headers)


def _fixed(body: bytes) -> Endpoint:
    async def endpoint(_request: Request, _path: Mapping[str, str], request_id: str) -> Response:
        return Response(body, headers={"x-request-id": request_id}, media_type="application/json")

    return endpoint
