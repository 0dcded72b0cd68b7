"""A server that speaks like OpenAI's, on a real socket, and misbehaves as a test wants.

Each request takes the next behaviour of the script; the last one goes on for ever.
"""

import asyncio
import contextlib
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Behaviour = Callable[["Exchange"], Awaitable[None]]


@dataclass
class Exchange:
    """One request, and the way back."""

    path: str
    headers: Mapping[str, str]
    body: Any
    writer: asyncio.StreamWriter
    released: asyncio.Event

    @property
    def said(self) -> str:
        """Every message that was sent, as one text."""
        return "\n".join(str(message["content"]) for message in self.body["messages"])

    async def send(
        self, status: str, body: bytes, *headers: str, length: int | None = None
    ) -> None:
        """A response; ``length`` is what it claims to have."""
        head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
        head += [*headers, "Connection: close", "", ""]
        self.writer.write("\r\n".join(head).encode() + body)
        await self.writer.drain()


@dataclass
class ModelServer:
    """The server as a test sees it."""

    url: str
    script: list[Behaviour] = field(default_factory=list)
    requests: list[Exchange] = field(default_factory=list)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _released: asyncio.Event = field(default_factory=asyncio.Event)
    _handling: list[asyncio.Task[None] | None] = field(default_factory=list)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def will(self, *script: Behaviour) -> None:
        """What it does with the next requests."""
        self.script = list(script)
        self.requests.clear()

    def release(self) -> None:
        """Let go of the requests that are held."""
        self._loop.call_soon_threadsafe(self._released.set)

    def next(self) -> Behaviour:
        """What it does with this one."""
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def run(self, started: threading.Event) -> None:
        """Serve in this thread until stopped."""
        self._loop.run_until_complete(self._serve(started))
        self._loop.close()

    def stop(self) -> None:
        """End ``run``."""
        self._loop.call_soon_threadsafe(self._stopped.set)

    async def _serve(self, started: threading.Event) -> None:
        listening = await asyncio.start_server(self._handle, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        started.set()
        await self._stopped.wait()
        self._released.set()
        listening.close()
        await asyncio.gather(*filter(None, self._handling))

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._handling.append(asyncio.current_task())
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            exchange = await _read(reader, writer, self._released)
            self.requests.append(exchange)
            await self.next()(exchange)
        with contextlib.suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()


def completion(content: str, *, finish: str = "stop", usage: tuple[int, int] = (100, 20)) -> bytes:
    """A whole answer of the model."""
    return json.dumps(
        {
            "id": "c-1",
            "object": "chat.completion",
            "created": 0,
            "model": "stub",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": content},
                }
            ],
            "usage": {
                "prompt_tokens": usage[0],
                "completion_tokens": usage[1],
                "total_tokens": sum(usage),
            },
        }
    ).encode()


def candidate(**given: Any) -> dict[str, Any]:
    """A candidate as a model would write it."""
    empty = dict.fromkeys(
        ("slot", "value", "subject", "data_source", "valid_from", "valid_to", "replaces")
    )
    return {"kind": "fact", "cited": [1], "retracts": False, **empty, **given}


def proposing(*candidates: Mapping[str, Any]) -> Behaviour:
    """Answers well, with these candidates."""
    return saying(json.dumps({"candidates": candidates}))


def saying(content: str, **more: Any) -> Behaviour:
    """Answers with this text."""

    async def behave(exchange: Exchange) -> None:
        await exchange.send("200 OK", completion(content, **more), _JSON)

    return behave


def answering(status: str, body: bytes = b"{}", *headers: str) -> Behaviour:
    """Answers with this status."""

    async def behave(exchange: Exchange) -> None:
        await exchange.send(status, body, _JSON, *headers)

    return behave


async def half(exchange: Exchange) -> None:
    """Breaks off in the middle of a body."""
    whole = completion(json.dumps({"candidates": [candidate(text="Nora lives in Gouda.")]}))
    await exchange.send("200 OK", whole[: len(whole) // 2], _JSON, length=len(whole))


async def half_stream(exchange: Exchange) -> None:
    """Sends the first events of a stream, though none was asked for, and breaks off."""
    exchange.writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        b'2c\r\ndata: {"choices": [{"delta": {"content": "{"}}]\r\n'
    )
    await exchange.writer.drain()


async def hang_up(exchange: Exchange) -> None:
    """Closes without a word."""
    exchange.writer.close()


async def hold(exchange: Exchange) -> None:
    """Says nothing until it is let go."""
    await exchange.released.wait()


async def drip(exchange: Exchange) -> None:
    """Answers by single bytes and never comes to an end."""
    exchange.writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n" + _JSON.encode() + b"\r\n\r\n"
    )
    while not exchange.released.is_set():
        exchange.writer.write(b" ")
        await exchange.writer.drain()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(exchange.released.wait(), 0.01)


def huge(size: int, *, claimed: bool = True) -> Behaviour:
    """Answers with so many bytes, which it says or does not say before."""

    async def behave(exchange: Exchange) -> None:
        body = completion("x" * size)
        if claimed:
            await exchange.send("200 OK", body, _JSON)
            return
        exchange.writer.write(f"HTTP/1.1 200 OK\r\n{_JSON}\r\nConnection: close\r\n\r\n".encode())
        exchange.writer.write(body)
        await exchange.writer.drain()

    return behave


_JSON = "Content-Type: application/json"


@contextlib.contextmanager
def model_server(*script: Behaviour) -> Iterator[ModelServer]:
    """A server on a free port of this machine, in a thread of its own."""
    server, started = ModelServer("", list(script)), threading.Event()
    thread = threading.Thread(target=server.run, args=(started,))
    thread.start()
    started.wait()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


async def _read(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, released: asyncio.Event
) -> Exchange:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    first, *lines = head.strip().split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Exchange(first.split()[1], headers, json.loads(body), writer, released)
