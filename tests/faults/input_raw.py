"""HTTP by hand, for clients that do not behave."""

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from muniment.testing import Running

_LINGER = struct.pack("ii", 1, 0)


def connect(service: Running, *, patience: float = 60.0) -> socket.socket:
    """A connection to a service."""
    place = urlsplit(service.url)
    assert place.hostname is not None
    return socket.create_connection((place.hostname, place.port or 80), timeout=patience)


def request(
    method: str, path: str, key: str, body: Any = None, headers: Mapping[str, str] | None = None
) -> tuple[bytes, bytes]:
    """Head and body of a request."""
    raw = b"" if body is None else json.dumps(body).encode()
    given = {
        "host": "muniment",
        "authorization": f"Bearer {key}",
        "content-type": "application/json",
        "content-length": str(len(raw)),
        **(headers or {}),
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    return "\r\n".join([*lines, "", ""]).encode(), raw


def answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body of the next answer."""
    with connection.makefile("rb") as stream:
        status = int(stream.readline().split()[1])
        headers: dict[str, str] = {}
        while line := stream.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return status, headers, stream.read(int(headers.get("content-length", "0")))


def abort(connection: socket.socket) -> None:
    """Close with a reset, as a killed client's machine does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
    connection.close()
