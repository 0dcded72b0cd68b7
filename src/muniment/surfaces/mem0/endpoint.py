"""/compat/mem0 on the HTTP surface: the calls of mem0's client, on operations of the service."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from muniment.errors import (
    Fault,
    Internal,
    InvalidInput,
    MunimentError,
    Unauthenticated,
    Unavailable,
)
from muniment.operations.decode import decode, pointer
from muniment.operations.dispatch import Dispatch
from muniment.operations.dispatch import Request as Call
from muniment.operations.operation import Effect, Http, Method, Operation, Verb
from muniment.ports import Ids
from muniment.surfaces.http.problems import problem_response, rate_limit_headers
from muniment.surfaces.http.reading import body, idempotency_key, query
from muniment.surfaces.mem0 import reading, shapes, updating, writing
from muniment.surfaces.mem0.asking import Asking

PREFIX = "/compat/mem0"
Endpoint = Callable[[Request, Mapping[str, str], str], Awaitable[ASGIApp]]
Handler = Callable[[Any, Asking], Awaitable[Any]]
_ANSWERS: TypeAdapter[Any] = TypeAdapter(Any)
_VERBS: dict[Effect, Verb] = {
    Effect.READ: "read",
    Effect.WRITE: "write",
    Effect.DESTRUCTIVE: "forget",
}


def _call(
    method: Method, path: str, command: type[Any], handler: Handler, effect: Effect = Effect.READ
) -> Operation[Any, Any]:
    """A call in the shape of an operation: it is read alike, and counted by its name."""
    return Operation(
        name=f"mem0.{handler.__name__}",
        summary=f"What mem0 does at {method} {path}",
        command=command,
        result=dict,
        handler=handler,  # type: ignore[arg-type]
        effect=effect,
        verb=_VERBS[effect],
        layer=None,
        http=Http(method, PREFIX + path),
    )


CALLS = (
    _call("GET", "/v1/ping/", shapes.Ping, reading.ping),
    _call("POST", "/v3/memories/add/", shapes.Add, writing.add, Effect.WRITE),
    _call("POST", "/v3/memories/search/", shapes.Search, reading.search),
    _call("POST", "/v3/memories/", shapes.ListAll, reading.list_all),
    _call("GET", "/v1/event/{event_id}/", shapes.GetEvent, reading.event),
    _call("GET", "/v1/memories/{memory_id}/", shapes.OneMemory, reading.get),
    _call("GET", "/v1/memories/{memory_id}/history/", shapes.OneMemory, reading.history),
    _call("PUT", "/v1/memories/{memory_id}/", shapes.Update, updating.update, Effect.WRITE),
    _call("DELETE", "/v1/memories/{memory_id}/", shapes.Delete, writing.delete, Effect.DESTRUCTIVE),
    _call("DELETE", "/v1/memories/", shapes.DeleteAll, writing.delete_all, Effect.DESTRUCTIVE),
    _call("GET", "/v1/entities/", shapes.ListEntities, writing.list_entities),
    _call(
        "DELETE", "/v2/entities/{type}/{name}/", shapes.DeleteEntity, writing.delete_entity,
        Effect.DESTRUCTIVE,
    ),
)  # fmt: skip
"""Every call that is answered."""


class Mem0Endpoints:
    """The routes of mem0's client. ``opened`` with the dispatch of the process."""

    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._dispatch: Dispatch | None = None

    def routes(self) -> list[tuple[str, str, Endpoint]]:
        """Method, path and endpoint of each."""
        return [(one.http.method, one.http.path, self._endpoint(one)) for one in CALLS]

    def opened(self, dispatch: Dispatch) -> None:
        """From now on calls are answered."""
        self._dispatch = dispatch

    async def closed(self) -> None:
        """Nothing goes on between calls."""

    def _endpoint(self, call: Operation[Any, Any]) -> Endpoint:
        async def endpoint(request: Request, path: Mapping[str, str], request_id: str) -> ASGIApp:
            request.scope["muniment.operation"] = call.name
            try:
                return await self._answered(call, request, path, request_id)
            except Internal:
                raise
            except MunimentError as error:
                request.scope["muniment.code"] = error.code
                # Its client shows the detail alone, and reads JSON of this type alone.
                error.detail = str(error)
                return problem_response(error, request_id, media_type="application/json")

        return endpoint

    async def _answered(
        self,
        call: Operation[Any, Any],
        request: Request,
        path: Mapping[str, str],
        request_id: str,
    ) -> ASGIApp:
        if self._dispatch is None:
            raise Unavailable
        key = idempotency_key(request)
        asking = Asking(self._dispatch, Call(_token(request), request_id, key), self._ids)
        raw = await body(request)
        try:
            command = _read(call, query(request), raw, path)
            told = await call.handler(command, asking)  # type: ignore[arg-type]
        except MunimentError:
            if not asking.known:
                # Whoever has no key learns that, and not what is wrong with the rest.
                await asking.caller()
            raise
        headers = {"x-request-id": request_id}
        if asking.allowance is not None:
            headers |= rate_limit_headers(asking.allowance)
        if asking.replayed:
            headers["idempotency-replayed"] = "true"
        return Response(_ANSWERS.dump_json(told), headers=headers, media_type="application/json")


def _read(
    call: Operation[Any, Any], given: Mapping[str, str], raw: bytes, path: Mapping[str, str]
) -> Any:
    """The command of a call, from its path, its query and its body: its client uses all of them."""
    texts = {name: call.from_text(name, text) for name, text in given.items()}
    document = decode(raw) if raw else {}
    if not isinstance(document, dict):
        raise InvalidInput(faults=[Fault("", "expected an object")])
    if twice := texts.keys() & document.keys():
        raise InvalidInput(faults=[Fault(pointer([name]), "is given twice") for name in twice])
    return call.parse_decoded(texts | document, path).command


def _token(request: Request) -> str:
    """The API key, in the scheme of mem0's client or in that of HTTP. Raises Unauthenticated."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() not in ("token", "bearer") or not token.strip():
        raise Unauthenticated("Send a valid API key as 'Authorization: Token KEY'.")
    return token.strip()
