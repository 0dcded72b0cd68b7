"""``muniment mcp``: MCP over standard input and output, carried to /mcp of a service by HTTP.

What goes through is not changed, so that both transports answer alike.
"""

import asyncio
import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any
from uuid import uuid4

import httpx

from muniment.client.core import error_of
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
    """A message of the client, as far as carrying it takes knowing it."""

    raw: bytes
    id: Any = None
    method: str | None = None
    params: Mapping[str, Any] | None = None

    @staticmethod
    def of(raw: bytes) -> "_Line":
        try:
            found = json.loads(raw)
        except (ValueError, RecursionError):
            # The service says what is wrong with it.
            return _Line(raw)
        if not isinstance(found, dict):
            return _Line(raw)
        method, params = found.get("method"), found.get("params")
        return _Line(
            raw,
            found.get("id"),
            method if isinstance(method, str) else None,
            params if isinstance(params, dict) else None,
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
            if line.id is not None or line.method is None:
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
            return

    async def _sent(self, line: _Line, headers: Mapping[str, str]) -> None:
        async with self._http.stream(
            "POST", self._target, content=line.raw, headers=headers
        ) as answer:
            if answer.headers.get("content-type", "").startswith("text/event-stream"):
                async for message in _events(answer):
                    self._answered(line, message)
                return
            body = await answer.aread()
        if answer.headers.get("content-type", "").startswith("application/problem+json"):
            raise error_of(body)
        if body:
            self._answered(line, body)

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

    def _answered(self, line: _Line, message: bytes) -> None:
        if line.method == "initialize":
            result = json.loads(message).get("result") or {}
            self._handshake = result.get("protocolVersion", self._handshake)
        self._send(message)

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
    told = problem(error, error.extra.pop("request_id", str(uuid4())))
    if line.method != "tools/call":
        refused = {"code": _OTHER_ERROR, "message": error.detail, "data": told}
        return dump_json({"jsonrpc": "2.0", "id": line.id, "error": refused})
    text = dump_json(told).decode()
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": text}],
        "structuredContent": told,
        "isError": True,
    }
    if modern:
        result["resultType"] = "complete"
    return dump_json({"jsonrpc": "2.0", "id": line.id, "result": result})
