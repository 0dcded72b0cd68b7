"""From a tool call to an operation: parsed, authorised, audited and limited like any request."""

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio
import structlog

from muniment.errors import Fault, Internal, InvalidInput, MunimentError
from muniment.operations.dispatch import Dispatch, Request
from muniment.operations.operation import Effect, Operation, Parsed
from muniment.ports import Ids
from muniment.surfaces.http.problems import problem
from muniment.surfaces.json_text import dump_json
from muniment.surfaces.mcp.incoming import IDEMPOTENCY_META, Incoming
from muniment.surfaces.mcp.tools import Tool
from muniment.surfaces.tracing import note_records, span_of

REQUEST_META = "muniment/request-id"
REPLAYED_META = "muniment/idempotency-replayed"

_log = structlog.get_logger()


@dataclass(frozen=True)
class Answered:
    """The answer of an operation as JSON text, and whether it was given before."""

    text: str
    replayed: bool


class Calls:
    """Runs operations for tool calls and resources."""

    def __init__(self, dispatch: Dispatch, ids: Ids) -> None:
        self._dispatch = dispatch
        self._ids = ids

    async def run(
        self,
        operation: Operation[Any, Any],
        incoming: Incoming,
        arguments: Any,
        key: str | None = None,
        *,
        again: bool = False,
        check: Callable[[Any, Mapping[str, str]], None] | None = None,
    ) -> Answered:
        """One operation; ``again``: only as it was answered under its key before, else NotFound;
        ``check``: see Tool. Raises errors of the service alone.

        It is carried through though the client leaves, like every request.
        """
        call = Request(incoming.token, incoming.request_id, key, incoming.bound, again)

        def parse() -> Parsed[Any]:
            if not isinstance(arguments, Mapping):
                raise InvalidInput(faults=[Fault("", "expected an object")])
            parsed = operation.parse_decoded(arguments, incoming.fixed(operation))
            if check is not None:
                check(parsed.command, incoming.bound)
            return parsed

        with anyio.CancelScope(shield=True), span_of(operation, incoming.request_id) as span:
            answer = await self._dispatch(operation, call, parse)
            note_records(operation, span, answer.result)
        return Answered(operation.results.dump_json(answer.result).decode(), answer.replayed)

    async def permit(self, incoming: Incoming, needed: Sequence[Operation[Any, Any]]) -> Incoming:
        """The message, with whose it is. Raises, and notes, what a call of one of these would be
        refused with for its key.
        """
        request = Request(incoming.token, incoming.request_id, within=incoming.bound)
        with anyio.CancelScope(shield=True):
            caller = await self._dispatch.permit(request, needed)
        return replace(incoming, caller=caller)

    def key_of(self, operation: Operation[Any, Any], given: str | None) -> str | None:
        """The idempotency key of a call: a write always has one, a read none."""
        if operation.effect is Effect.READ:
            return None
        return given or str(self._ids.new())

    async def tool(self, tool: Tool, incoming: Incoming, key: str | None) -> dict[str, Any]:
        """A tool call as the result of MCP. A write always has a key. Raises like ``run``."""
        arguments = {} if incoming.message.arguments is None else incoming.message.arguments
        _refuse_left_out(tool, arguments)
        key = self.key_of(tool.operation, key)
        answered = await self.run(tool.operation, incoming, arguments, key, check=tool.check)
        meta: dict[str, Any] = {REQUEST_META: incoming.request_id}
        if key is not None:
            meta[IDEMPOTENCY_META] = key
        if answered.replayed:
            meta[REPLAYED_META] = True
        return told(answered.text, meta)


def told(text: str, meta: Mapping[str, Any]) -> dict[str, Any]:
    """A result: structured, and the same as text for clients that know no structure."""
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": json.loads(text),
        "isError": False,
        "_meta": dict(meta),
    }


def refused(error: MunimentError, request_id: str) -> dict[str, Any]:
    """An error as the result of a tool: the problem document that HTTP answers with."""
    text = dump_json(problem(error, request_id)).decode()
    return told(text, {REQUEST_META: request_id}) | {"isError": True}


def as_error(failure: Exception, request_id: str) -> MunimentError:
    """The error behind a failure; one that is a defect goes to the log, and not to the caller."""
    if isinstance(failure, Internal):
        _log.error("internal_error", request_id=request_id, exc_info=failure.__cause__)
    if isinstance(failure, MunimentError):
        return failure
    _log.error("defect", request_id=request_id, exc_info=failure)
    return Internal()


def _refuse_left_out(tool: Tool, arguments: Any) -> None:
    with contextlib.suppress(TypeError):
        if faults := [
            Fault(f"/{n}", "is not a field here") for n in tool.leaves_out if n in arguments
        ]:
            raise InvalidInput(faults=faults)
