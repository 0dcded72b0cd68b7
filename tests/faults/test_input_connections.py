"""Connections that do not behave do not hold others up.

| connection | answer |
|---|---|
| 50 bodies that come in byte by byte | each is answered in the end, others meanwhile |
| 1,000 that say nothing, half a head, or no more | others are answered, new ones taken |
| a request line, header, chunk extension or trailer without end | 431 as a problem, closed |
| an offer of HTTP/2 or WebSocket | not taken; body and further requests as ever |
| what is not HTTP/1.1 | 400 as a problem, closed |
| a body that stays out | no database connection is held meanwhile |
"""

import contextlib
import json
import resource
import socket
from collections.abc import Iterator

import httpx
import pytest

from muniment.testing import Running
from tests.faults import harness
from tests.faults.input_raw import answer, connect, request
from tests.faults.input_size import UNLIMITED
from tests.support.services import running_service

pytest_plugins = ["tests.faults.input_service"]
QUESTION = {"user_id": "u", "query": "Where?"}


@pytest.fixture
def opened(unlimited: Running) -> Iterator[list[socket.socket]]:
    """Connections to close in the end."""
    with contextlib.ExitStack() as stack:
        found: list[socket.socket] = []
        yield found
        for one in found:
            stack.enter_context(one)


def test_bodies_byte_by_byte(
    unlimited: Running, key: str, http: httpx.Client, opened: list[socket.socket]
) -> None:
    """More of them than there are database connections."""
    head, body = request("POST", "/v1/recall", key, QUESTION)
    for _ in range(50):
        opened.append(connect(unlimited))
        opened[-1].sendall(head)
    for byte in body[:-1]:
        for one in opened:
            one.sendall(bytes([byte]))
        assert http.post("/v1/recall", json=QUESTION).status_code == 200
    for one in opened:
        one.sendall(body[-1:])
    assert {answer(one)[0] for one in opened} == {200}


def assert_problem(headers: dict[str, str], body: bytes, code: str, status: int) -> None:
    """What is refused before it is a request is a problem document like any other."""
    document = json.loads(body)
    assert headers["content-type"] == "application/problem+json"
    assert (document["code"], document["status"]) == (code, status)
    assert document["request_id"] == headers["x-request-id"]


@contextlib.contextmanager
def few_files(soft: int) -> Iterator[None]:
    """A limit of open files, for this process and those that start inside."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_thousand_idle_connections(opened: list[socket.socket]) -> None:
    """Where processes start with 1,024 open files at most."""
    with contextlib.ExitStack() as stack:
        # This side opens as many.
        stack.enter_context(few_files(4096))
        with few_files(1024):
            service = stack.enter_context(running_service(environment=UNLIMITED))
        api = harness.process(service, "api")
        assert api is not None
        assert resource.prlimit(api, resource.RLIMIT_NOFILE)[0] > 1200
        head, body = request("POST", "/v1/recall", service.key, QUESTION)
        for at in range(1000):
            opened.append(connect(service))
            if at % 4 == 1:
                opened[-1].sendall(head[:-10])
            elif at % 4 == 2:
                opened[-1].sendall(head + body[:-1])
            elif at % 4 == 3:
                opened[-1].sendall(head + body)
        for _ in range(5):
            with connect(service) as late:
                late.sendall(head + body)
                assert answer(late)[0] == 200
        for one in opened[2::4]:
            one.sendall(body[-1:])
            assert answer(one)[0] == 200


ENDLESS = {
    "request line": (b"GET /", b"a"),
    "header": (b"GET /healthz HTTP/1.1\r\nx: ", b"a"),
    "headers": (b"GET /healthz HTTP/1.1\r\n", b"x: y\r\n"),
    "chunk extension": (b"POST /v1/recall HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2;", b"a"),
    "trailer": (
        b"POST /v1/recall HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx: ", b"a",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDLESS)
def test_heads_without_end(unlimited: Running, name: str) -> None:
    start, more = ENDLESS[name]
    with connect(unlimited) as connection:
        connection.sendall(start)
        piece, sent = more * (16_384 // len(more)), 0
        with contextlib.suppress(ConnectionError):
            while sent < 2**26:
                connection.sendall(piece)
                sent += len(piece)
        assert sent < 2**26, "nobody stopped it"
    assert httpx.get(f"{unlimited.url}/healthz").status_code == 200


@pytest.mark.parametrize(("size", "status"), [(60_000, 200), (600_000, 431)])
def test_the_largest_head(unlimited: Running, key: str, size: int, status: int) -> None:
    """The limit is on what follows the first piece that the kernel hands over."""
    head, body = request("POST", "/v1/recall", key, QUESTION, {"x-padding": "a" * size})
    with connect(unlimited) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(head + body)
        with contextlib.suppress(ConnectionError):
            found, headers, answered = answer(connection)
            assert found == status
            if status != 200:
                assert_problem(headers, answered, "too_large", status)


@pytest.mark.parametrize(
    "offer",
    [
        {"connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c", "http2-settings": "AAMAAABk"},
        {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-key": "AAAA"},
        {"connection": "keep-alive, upgrade", "upgrade": "TLS/1.2"},
    ],
    ids=["h2c", "websocket", "tls"],
)
@pytest.mark.parametrize("split", [0, 40, 10_000])
def test_offers_of_other_protocols(
    unlimited: Running, key: str, offer: dict[str, str], split: int
) -> None:
    """As Java's client and curl --http2 make them, with every request."""
    head, body = request("POST", "/v1/recall", key, QUESTION, offer)
    whole = head + body
    with connect(unlimited) as connection:
        for _ in range(3):
            connection.sendall(whole[:split])
            connection.sendall(whole[split:])
            status, headers, answered = answer(connection)
            assert status == 200, answered
            assert "upgrade" not in headers


@pytest.mark.parametrize(
    "raw",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"BREW /v1/keys HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /v1/\x00 HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /v1/users/é/profile HTTP/1.1\r\nhost: x\r\n\r\n".encode(),
        b"POST /v1/recall HTTP/1.1\r\ncontent-length: -5\r\n\r\n{}",
        b"POST /v1/recall HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
        b"POST /v1/recall HTTP/1.1\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/recall HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n",
        b"POST /v1/recall HTTP/1.1\r\ncontent-length: 99999999999999999999999999\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nx: a\r\n b\r\n\r\n",
        b"\r\n\r\nGET\r\n\r\n",
    ],
)
def test_what_is_not_http(unlimited: Running, raw: bytes) -> None:
    """Answered once, then closed: what follows could be somebody else's request."""
    with connect(unlimited) as connection:
        connection.sendall(raw)
        status, headers, body = answer(connection)
        assert (status, headers["connection"]) == (400, "close")
        assert_problem(headers, body, "malformed_body", 400)
        assert connection.recv(1) == b""


def test_two_requests_at_once(unlimited: Running, key: str) -> None:
    """Pipelined ones are answered in order, whatever lies between."""
    first = b"".join(request("POST", "/v1/recall", key, QUESTION, {"x-request-id": "one"}))
    second = b"".join(request("GET", "/v1/nothing", key, None, {"x-request-id": "two"}))
    third = b"".join(request("POST", "/v1/recall", key, QUESTION, {"x-request-id": "three"}))
    with connect(unlimited) as connection:
        connection.sendall(first + second + third)
        with connection.makefile("rb") as stream:
            seen: list[str] = []
            while len(seen) < 3:
                line = stream.readline().decode()
                if line.startswith("x-request-id:"):
                    seen.append(line.partition(":")[2].strip())
    assert seen == ["one", "two", "three"]
