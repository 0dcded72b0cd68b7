"""A small HTTP server on this machine, that a command of the user's takes for the service."""

import contextlib
import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from muniment.errors import StartRefused
from muniment.operations.registry import REGISTRY
from muniment.settings import environment_with

_FIELD = re.compile(r"\\\{[a-z_]+\\\}")
_SEGMENT = "([^/]*)"
_LINE = 64 * 1024
# Answers that never have a body.
_BARE = {204, 304}


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Told:
    """What is answered."""

    status: int
    body: bytes
    headers: Mapping[str, str]


def _patterns() -> list[tuple[int, str, "re.Pattern[str]", str]]:
    found = []
    for name, operation in REGISTRY.items():
        path = _FIELD.sub(_SEGMENT, re.escape(operation.http.path))
        fields = len(operation.http.path_fields)
        found.append((fields, operation.http.method, re.compile(path), name))
    return sorted(found, key=lambda one: one[0])


_PATTERNS = _patterns()


def operation_of(asked: Asked) -> tuple[str, dict[str, Any]] | None:
    """Which operation a request asks for, and with what; None for what is no operation.

    Raises ValueError for a body that is no JSON object, or nested too deeply to be told.
    """
    parts = urlsplit(asked.target)
    for _, method, pattern, name in _PATTERNS:
        found = pattern.fullmatch(parts.path)
        if found is None or method != asked.method:
            continue
        operation = REGISTRY[name]
        texts = dict(parse_qsl(parts.query, keep_blank_values=True))
        values = map(unquote, found.groups())
        texts |= dict(zip(operation.http.path_fields, values, strict=True))
        try:
            arguments = json.loads(asked.body) if asked.body else {}
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if not isinstance(arguments, dict):
            raise ValueError("not an object")
        return name, arguments | {one: operation.from_text(one, texts[one]) for one in texts}
    return None


@contextlib.contextmanager
def served(answer: Callable[[Asked], Told], *, at_once: bool = False) -> Iterator[str]:
    """A server on a free port, one request after the other unless ``at_once``; its address."""
    turn: contextlib.AbstractContextManager[Any] = (
        contextlib.nullcontext() if at_once else threading.Lock()
    )

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _do(self) -> None:
            try:
                body = _body(self.headers, self.rfile)
            except ValueError:
                self.close_connection = True
                self.send_error(400)
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            with turn:
                told = answer(Asked(self.command, self.path, headers, body))
            self.send_response_only(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            if told.status not in _BARE:
                self.send_header("Content-Length", str(len(told.body)))
            self.end_headers()
            if self.command != "HEAD" and told.status not in _BARE:
                self.wfile.write(told.body)

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = _do  # noqa: N815

        def log_message(self, *_said: Any) -> None:
            """Nothing: what is asked for is no business of the terminal's."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _body(headers: Message, stream: BufferedIOBase) -> bytes:
    """What follows the headers of a request, in chunks or not. Raises ValueError."""
    if headers.get("Transfer-Encoding", "").lower() != "chunked":
        length = headers.get("Content-Length") or "0"
        if not length.isdecimal():
            raise ValueError("no length")
        return stream.read(int(length))
    whole = bytearray()
    while size := int(stream.readline(_LINE).partition(b";")[0], 16):
        if size < 0:
            raise ValueError("no size of a chunk")
        whole += stream.read(size)
        stream.readline(_LINE)
    while stream.readline(_LINE).strip():
        """What stands behind the last chunk tells nothing."""
    return bytes(whole)


def run_command(command: Sequence[str], url: str, key: str | None = None) -> int:
    """Run a command that finds the service at a URL; its exit status. Raises StartRefused."""
    given = {"MUNIMENT_URL": url} | ({} if key is None else {"MUNIMENT_API_KEY": key})
    try:
        return subprocess.run(list(command), env=environment_with(given), check=False).returncode
    except OSError as error:
        raise StartRefused(
            f"{command[0]} cannot be run: {error.strerror}.", cure="Name a program that can."
        ) from error
