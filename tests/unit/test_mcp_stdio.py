"""The pipe of ``muniment mcp``: what it adds to a message, and what becomes of each answer.

| what comes back, or does not | then |
|---|---|
| JSON, or a stream of events, whatever ends lines inside a text | each message as one line |
| 202 to a notification | nothing |
| a problem document, to a tool call | the tool's error; to anything else an error of MCP |
| what is no message of JSON-RPC, of any status, type and encoding | an error with the request's id |
| a stream that ends without an answer, or goes on behind it | that error; the answer, once |
| the same to a notification or an answer of the client | nothing |
| an error, to an id with broken characters | has that id |
| a connection that breaks | asked again once, under the same idempotency key |
| it breaks again, or nothing listens | `unreachable`; to a notification nothing |
| a cancelled request | no answer, and the next one is carried |
| the client closes its side | what it asked before is answered |

| message | headers that go with it |
|---|---|
| of 2025, before and after the handshake | none, then the revision that was agreed on |
| of 2026 | its revision, method and name, encoded where a header could not hold it |
"""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import httpx
import pytest

from muniment.surfaces.mcp.stdio import Carrier
from tests.support.mcp_calls import MODERN, message, tool_call

Handle = Callable[[httpx.Request], Any]
JSON = {"content-type": "application/json"}


async def carried(handle: Handle, *lines: bytes) -> list[dict[str, Any]]:
    """What is written for these lines, in order."""
    written: list[bytes] = []
    async with httpx.AsyncClient(
        transport=httpx.MockTransport(handle), base_url="http://muniment"
    ) as http:
        await Carrier(http, "/mcp", written.append).run(io.BytesIO(b"\n".join(lines)))
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in written)
    return [json.loads(line) for line in written]


def line(sent: Mapping[str, Any]) -> bytes:
    return json.dumps(sent).encode()


def call(number: int = 1, **arguments: Any) -> bytes:
    return line(message("tools/call", tool_call("recall", arguments), number=number))


def result(number: Any, text: str = "x") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": {"text": text}}


async def test_json_and_nothing() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        sent = json.loads(request.content)
        return httpx.Response(200, json=result(sent["id"])) if "id" in sent else httpx.Response(202)

    note = line({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert await carried(handle, note, b"", call(7), b"  ") == [result(7)]


@pytest.mark.parametrize("text", ["a\u2028b", "a\u2029b", "a\u0085b", "a\x0bb", "a\x1cb"])
@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_a_stream(text: str, size: int) -> None:
    told = json.dumps(result(1, text), ensure_ascii=False)
    step = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress"})
    body = f": ping\r\n\r\nevent: message\r\ndata: {step}\r\n\r\ndata: {told}\r\n\r\n".encode()

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(body), size):
            yield body[at : at + size]

    def handle(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=pieces())

    assert (await carried(handle, call()))[1] == result(1, text)


@pytest.mark.parametrize("era", ["2025-11-25", MODERN])
async def test_a_problem(era: str) -> None:
    problem = {
        "type": "urn:muniment:problem:unauthenticated",
        "title": "t",
        "status": 401,
        "code": "unauthenticated",
        "detail": "d",
        "request_id": "r",
    }

    def handle(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(
            401, json=problem, headers={"content-type": "application/problem+json"}
        )

    calling = line(message("tools/call", tool_call("recall", {}), era=era, number=1))
    listing = line(message("tools/list", era=era, number=2))
    told = {one["id"]: one for one in await carried(handle, calling, listing)}
    assert told[1]["result"]["isError"] is True
    assert ("resultType" in told[1]["result"]) is (era == MODERN)
    assert told[1]["result"]["structuredContent"]["code"] == "unauthenticated"
    assert json.loads(told[1]["result"]["content"][0]["text"])["request_id"] == "r"
    assert told[2]["error"]["data"]["code"] == "unauthenticated"


HTML = ("text/html", b"<html>\n<p>secret</p></html>")
STREAM = "text/event-stream"
FOREIGN: list[tuple[int, str, bytes, str]] = [
    *((status, *HTML, "") for status in (200, 202, 400, 404, 413, 502)),
    *((status, "", b"", "") for status in (200, 202, 301, 404, 503)),
    *((200, "application/json", body, "") for body in (
        b"[]", b"null", b"7", b'"x"', b"{}", b'{"jsonrpc": "2.0"}', b'{"id": 1, "result": {}}',
        b"[" * 100_000, b"\xff\xfe", b'{"jsonrpc": "2.0", "id": 1, "result": NaN}',
        '{"jsonrpc": "2.0", "id": 1, "result": {}}'.encode("utf-16"),
    )),
    (502, "application/problem+json", b"secret", ""),
    *((200, kind, b"secret", "gzip") for kind in ("application/json", STREAM, "text/html")),
    *((200, STREAM, body, "") for body in (b"", b": ping\n\n", b"data: secret\n\n", b"data: []\n\n")),
]  # fmt: skip


def proxy(status: int, kind: str, body: bytes, encoding: str) -> Handle:
    def handle(_request: httpx.Request) -> httpx.Response:
        headers = {"content-type": kind} | ({"content-encoding": encoding} if encoding else {})
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(body))

    return handle


@pytest.mark.parametrize(("status", "kind", "body", "encoding"), FOREIGN, ids=range(len(FOREIGN)))
async def test_what_something_else_answers(
    status: int, kind: str, body: bytes, encoding: str
) -> None:
    handle = proxy(status, kind, body, encoding)
    note = line({"jsonrpc": "2.0", "method": "notifications/initialized"})
    response = line({"jsonrpc": "2.0", "id": 5, "result": {}})
    opening = line(message("initialize", number=1))
    listing = line(message("tools/list") | {"id": "two"})
    told = await carried(handle, opening, note, response, call(3), b"{", listing)
    by = {one["id"]: one for one in told}
    assert len(told) == len(by) == 4
    for number in (1, "two", None):
        assert by[number]["error"]["message"] == "The answer is not one of this service."
    assert by[3]["result"]["structuredContent"]["code"] == "internal"
    assert "secret" not in json.dumps(told)


@pytest.mark.parametrize("more", [b"data: x\n\n", None], ids=["garbage", "broken"])
async def test_what_follows_an_answer(more: bytes | None) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"data: " + line(result(1)) + b"\n\n"
        if more is None:
            raise httpx.ReadError("")
        yield more

    def handle(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-type": STREAM}, content=pieces())

    assert await carried(handle, call(1)) == [result(1)]


@pytest.mark.parametrize(
    ("given", "told"),
    [('"\\ud800"', "\ud800"), ("1e999", None), ("NaN", None), ("[" * 200 + "]" * 200, None)],
)
async def test_any_id(given: str, told: str | None) -> None:
    sent = b'{"jsonrpc": "2.0", "method": "ping", "id": %s}' % given.encode()
    (found,) = await carried(proxy(502, *HTML, ""), sent)
    assert found["id"] == told


@pytest.mark.parametrize(
    "agreed", [None, 7, ["2025"], "a\nb"], ids=["null", "number", "list", "two lines"]
)
async def test_a_revision_that_is_none(agreed: Any) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        number = json.loads(request.content)["id"]
        told = {"jsonrpc": "2.0", "id": number, "result": {"protocolVersion": agreed}}
        return httpx.Response(200, json=told)

    opening, ping = line(message("initialize", number=1)), line(message("ping", number=2))
    assert [one["id"] for one in await carried(handle, opening, ping)] == [1, 2]


@pytest.mark.parametrize(
    ("failures", "asked", "code"),
    [
        ([httpx.RemoteProtocolError("")], 2, None),
        ([httpx.ReadError("")], 2, None),
        ([httpx.ReadError(""), httpx.ReadError("")], 2, "unreachable"),
        ([httpx.ConnectError("")], 1, "unreachable"),
        ([httpx.ReadTimeout("")], 1, "unreachable"),
    ],
)
async def test_a_connection_that_breaks(
    failures: list[httpx.TransportError], asked: int, code: str | None
) -> None:
    left, keys = list(failures), []

    def handle(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["idempotency-key"])
        if left:
            raise left.pop(0)
        return httpx.Response(200, json=result(1))

    (told,) = await carried(handle, call())
    assert (len(keys), len(set(keys))) == (asked, 1)
    if code is None:
        assert told == result(1)
    else:
        assert told["result"]["structuredContent"]["code"] == code


async def test_a_notification_that_cannot_be_carried() -> None:
    def handle(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("")

    note = line({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert await carried(handle, note) == []


async def test_a_cancelled_request() -> None:
    begun, never = asyncio.Event(), asyncio.Event()

    async def handle(request: httpx.Request) -> httpx.Response:
        number = json.loads(request.content)["id"]
        if number == 1:
            begun.set()
            await never.wait()
        return httpx.Response(200, json=result(number))

    cancelling = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
    cancel = line(cancelling | {"params": {"requestId": 1}})
    unknown = line(cancelling | {"params": {"requestId": [2]}})
    assert await carried(handle, call(1), unknown, cancel, call(2)) == [result(2)]


async def test_the_revision_that_was_agreed_on() -> None:
    seen: list[tuple[str, str | None]] = []

    def handle(request: httpx.Request) -> httpx.Response:
        sent = json.loads(request.content)
        seen.append((sent["method"], request.headers.get("mcp-protocol-version")))
        told = {"jsonrpc": "2.0", "id": sent["id"], "result": {"protocolVersion": "2025-06-18"}}
        return httpx.Response(200, json=told)

    await carried(handle, line(message("initialize", number=1)), line(message("ping", number=2)))
    assert seen == [("initialize", None), ("ping", "2025-06-18")]


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "recall"}, "recall"),
        (
            "resources/read",
            {"uri": "muniment://users/é"},
            "=?base64?bXVuaW1lbnQ6Ly91c2Vycy/DqQ==?=",
        ),
        ("tools/call", {"name": " a"}, "=?base64?IGE=?="),
        ("tools/call", {"name": "=?base64?x?="}, "=?base64?PT9iYXNlNjQ/eD89?="),
        ("tools/call", {"name": 5}, None),
        ("tools/list", {}, None),
    ],
)
async def test_headers_of_2026(method: str, params: dict[str, Any], name: str | None) -> None:
    seen: list[httpx.Headers] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers)
        return httpx.Response(200, json=result(1))

    await carried(handle, line(message(method, params, era=MODERN)))
    (given,) = seen
    assert given["mcp-protocol-version"] == MODERN
    assert given["mcp-method"] == method
    assert given.get("mcp-name") == name
