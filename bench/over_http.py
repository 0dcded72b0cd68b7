"""Muniment as a service, asked by a bare client on one kept-alive connection (RULES 16.2)."""

import json
import re
import socket
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import urlopen

K = 10
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_PIECE: Final = 1 << 18


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that it takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def index_bytes(url: str) -> float:
    """What the cached indexes of scopes occupy in the API process at a URL."""
    with urlopen(f"{url}/metrics") as answer:  # noqa: S310 - our own service
        lines = answer.read().decode().splitlines()
    return float(
        next(line.split()[1] for line in lines if line.startswith("muniment_index_cache_bytes"))
    )


class Connection:
    """HTTP/1.1 on one socket that is kept, and no more: a request goes out in one piece, and of an
    answer's head only the status and the length are read. The standard library's client takes a
    millisecond more, which would count as the service's.
    """

    def __init__(self, host: str, port: int) -> None:
        self._place = (host, port)
        self._socket: socket.socket | None = None
        self._read = b""

    def exchange(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """Status and body; tried anew once where a connection that was kept has ended."""
        given = {"host": self._place[0], "content-length": str(len(body))} | dict(headers)
        lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        sent = f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body
        kept = self._socket is not None
        try:
            return self._answered(sent)
        except ConnectionError:
            # The server ends a connection that says nothing while the others are asked.
            self.close()
            if not kept:
                raise
            return self._answered(sent)

    def close(self) -> None:
        """Let go of the socket."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._read = None, b""

    def _answered(self, sent: bytes) -> tuple[int, bytes]:
        if self._socket is None:
            self._socket = socket.create_connection(self._place)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(sent)
        head = self._until(b"\r\n\r\n")
        length = _LENGTH.search(head)
        return int(head[9:12]), self._chunks() if length is None else self._next(int(length[1]))

    def _chunks(self) -> bytes:
        whole = []
        while size := int(self._until(b"\r\n"), 16):
            whole.append(self._next(size))
            self._next(2)
        self._next(2)
        return b"".join(whole)

    def _until(self, end: bytes) -> bytes:
        while end not in self._read:
            self._read += self._more()
        found, _, self._read = self._read.partition(end)
        return found

    def _next(self, size: int) -> bytes:
        while len(self._read) < size:
            self._read += self._more()
        found, self._read = self._read[:size], self._read[size:]
        return found

    def _more(self) -> bytes:
        if self._socket is None or not (data := self._socket.recv(_PIECE)):
            raise ConnectionResetError("The server has ended the connection.")
        return data


class OverHttp:
    """Muniment as a service: a bare client on one kept-alive connection (RULES 16.2)."""

    name = "muniment over HTTP"

    def __init__(self, url: str, key: str) -> None:
        place = urlsplit(url)
        self._connection = Connection(place.hostname or "", place.port or 80)
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}

    def ask(self, user: str, question: str) -> int:
        """One recall."""
        answer = self.post("/v1/recall", {"user_id": user, "query": question, "k": K})
        return len(answer["items"])

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """One request that posts."""
        return self.send("POST", path, body)

    def send(self, method: str, path: str, body: dict[str, Any]) -> Any:
        """One request; raises RuntimeError for anything but success."""
        sent = json.dumps(body).encode()
        status, text = self._connection.exchange(method, path, sent, self._headers)
        if status != HTTPStatus.OK:
            raise RuntimeError(f"{status}: {text[:200]!r}")
        return json.loads(text)
