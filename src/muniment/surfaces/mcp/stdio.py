"""``muniment mcp``: MCP over standard input and output, carried to /mcp of a service by HTTP.

What goes through is not changed, so that both transports answer alike. What is no message of
JSON-RPC, as a proxy in between may answer, does not go through: an error takes its place.
"""

import asyncio
import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any
from uuid import uuid4

import httpx

from muniment.client.core import FOREIGN, error_of
from muniment.errors import MunimentError, TooLarge, Unreachable
from muniment.surfaces.http.problems import problem
from muniment.surfaces.http.reading import MAX_BODY_BYTES
from muniment.surfaces.json_text import dump_json

_PROTOCOL_META = "io.modelcontextprotocol/protocolVersion"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_OTHER_ERROR = -32000
# A call may wait for the seal of what it destroyed, or for a large import of turns.
SECONDS = 300.0
_TRIES = 2
_MOST_LINE = 16 * MAX_BODY_BYTES


@dataclass(frozen=True)
class _Line:
    """A message of the client, as far as carrying it takes knowing it. One that ``asks`` is to be
    answered, as what nobody can read is.
    """

    raw: bytes
    id: Any = None
    method: str | None = None
    params: Mapping[str, Any] | None = None
    asks: bool = True

    @staticmethod
    def of(raw: bytes) -> "_Line":
        try:
            found = json.loads(raw, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            # The service says what is wrong with it.
            return _Line(raw)
        if not isinstance(found, dict):
            return _Line(raw)
        number, method, params = found.get("id"), found.get("method"), found.get("params")
        notifies = isinstance(method, str) and number is None
        return _Line(
            raw,
            number if isinstance(number, str | int) else None,
            method if isinstance(method, str) else None,
            params if isinstance(params, dict) else None,
            asks=not notifies and not _is_response(found),
        )

    @property
    def protocol(self) -> str | None:
        """The revision that the message itself names, since 2026-07-28."""
        meta = (self.params or {}).get("_meta")
        found = meta.get(_PROTOCOL_META) if isinstance(meta, dict) else None
        return found if isinstance(found, str) else None


class Carrier:
    """Carries messages of one client. ``write`` gets a line at a time."""

    def __init__(
        self, http: httpx.AsyncClient, target: str, write: Callable[[bytes], None]
    ) -> None:
        self._http = http
        self._target = target
        self._write = write
        self._handshake: str | None = None
        self._running: dict[Any, asyncio.Task[None]] = {}

    async def run(self, lines: IO[bytes]) -> None:
        """Until the client closes its side; what it asked before is answered."""
        async with asyncio.TaskGroup() as tasks:
            while raw := await asyncio.to_thread(_read_line, lines):
                line = _Line.of(raw.strip())
                if not line.raw:
                    continue
                if line.method == "notifications/cancelled":
                    self._cancel(line)
                    continue
                task = tasks.create_task(self._carry(line))
                if isinstance(line.id, str | int):
                    self._running[line.id] = task
                if line.method == "initialize":
                    # What follows needs to know which revision was agreed on.
                    await asyncio.wait([task])

    def _cancel(self, line: _Line) -> None:
        asked = (line.params or {}).get("requestId")
        task = self._running.get(asked) if isinstance(asked, str | int) else None
        if task is not None:
            task.cancel()

    async def _carry(self, line: _Line) -> None:
        try:
            await self._exchanged(line)
        except MunimentError as error:
            if line.asks:
                self._send(_refusal(line, error, line.protocol is not None))
        finally:
            if isinstance(line.id, str | int):
                self._running.pop(line.id, None)

    async def _exchanged(self, line: _Line) -> None:
        if len(line.raw) > MAX_BODY_BYTES:
            raise TooLarge(f"The message is larger than {MAX_BODY_BYTES} bytes.")
        headers = self._headers(line)
        for left in reversed(range(_TRIES)):
            try:
                await self._sent(line, headers)
            except httpx.TransportError as error:
                # The idempotency key lets what may have been done be asked for again.
                if left and not isinstance(error, httpx.TimeoutException | httpx.ConnectError):
                    continue
                what = f"Nothing answers at {self._http.base_url} ({type(error).__name__})."
                raise Unreachable(what) from error
            except httpx.DecodingError:
                raise MunimentError(FOREIGN) from None
            return

    async def _sent(self, line: _Line, headers: Mapping[str, str]) -> None:
        answered = False
        async with self._http.stream(
            "POST", self._target, content=line.raw, headers=headers
        ) as answer:
            kind = answer.headers.get("content-type", "")
            if kind.startswith("text/event-stream"):
                answered, body = await self._streamed(line, answer), b""
            else:
                body = await answer.aread()
        if kind.startswith("application/problem+json"):
            raise error_of(body)
        if body:
            answered = self._passed(line, body)
        if line.asks and not answered:
            raise MunimentError(FOREIGN)

    async def _streamed(self, line: _Line, answer: httpx.Response) -> bool:
        """Whether an answer came; what follows it is no concern of the client's."""
        answered = False
        try:
            async for message in _events(answer):
                answered = answered or self._passed(line, message)
        except (httpx.TransportError, httpx.DecodingError):
            if not answered:
                raise
        return answered

    def _headers(self, line: _Line) -> dict[str, str]:
        protocol = line.protocol
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "idempotency-key": str(uuid4()),
        }
        if protocol is None:
            return headers | ({"mcp-protocol-version": self._handshake} if self._handshake else {})
        headers |= {
            "mcp-protocol-version": _header(protocol),
            "mcp-method": _header(line.method or ""),
        }
        name = (line.params or {}).get(_NAMED.get(line.method or "", ""))
        return headers | ({"mcp-name": _header(name)} if isinstance(name, str) else {})

    def _passed(self, line: _Line, message: bytes) -> bool:
        """Hand a message on; whether it is an answer. Raises MunimentError for what is none."""
        found = _read(message)
        result = found.get("result")
        if line.method == "initialize" and isinstance(result, dict):
            agreed = result.get("protocolVersion")
            self._handshake = _header(agreed) if isinstance(agreed, str) else self._handshake
        self._send(message)
        return _is_response(found)

    def _send(self, message: bytes) -> None:
        self._write(message.replace(b"\r", b"").replace(b"\n", b"") + b"\n")


async def _events(answer: httpx.Response) -> Any:
    """The data of each event of a stream. Only a line feed ends a line: a message may hold what
    else does so in a text.
    """
    rest = b""
    async for piece in answer.aiter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.startswith(b"data:") and (data := line.removeprefix(b"data:").strip()):
                yield data


def _read(message: bytes) -> dict[str, Any]:
    """A message of JSON-RPC. Raises MunimentError for what is none."""
    try:
        found = json.loads(message.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise MunimentError(FOREIGN) from None
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0":
        raise MunimentError(FOREIGN)
    if "method" not in found and not _is_response(found):
        raise MunimentError(FOREIGN)
    return found


def _is_response(message: Mapping[str, Any]) -> bool:
    return "method" not in message and ("result" in message or "error" in message)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _read_line(lines: IO[bytes]) -> bytes:
    """One line, or as much of it as is looked at to tell whose it is; empty at the end."""
    found = lines.readline(_MOST_LINE)
    while len(found) == _MOST_LINE and not found.endswith(b"\n"):
        rest = lines.readline(_MOST_LINE)
        if not rest or rest.endswith(b"\n"):
            break
    return found


def _header(text: str) -> str:
    """A value as a header can hold it, in the form of the protocol."""
    plain = text.isascii() and text.isprintable() and text == text.strip()
    if plain and not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    return f"=?base64?{b64encode(text.encode('utf-8', 'replace')).decode()}?="


def _refusal(line: _Line, error: MunimentError, modern: bool) -> bytes:
    """An error of the service, or of the way there: of a tool where one was called."""
    told = json.loads(dump_json(problem(error, error.extra.pop("request_id", str(uuid4())))))
    if line.method != "tools/call":
        refused = {"code": _OTHER_ERROR, "message": error.detail, "data": told}
        return _escaped({"jsonrpc": "2.0", "id": line.id, "error": refused})
    text = dump_json(told).decode()
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": text}],
        "structuredContent": told,
        "isError": True,
    }
    if modern:
        result["resultType"] = "complete"
    return _escaped({"jsonrpc": "2.0", "id": line.id, "result": result})


def _escaped(message: Mapping[str, Any]) -> bytes:
    """An id may have broken characters, which UTF-8 cannot hold."""
    return json.dumps(message, separators=(",", ":")).encode()
