"""What the SDK refuses before anything is sent, what it makes of an answer that nothing can read,
and that each surface over it says the same.

| given | then |
|---|---|
| a name that no address holds, in the path or the query | InvalidInput with its place, nothing sent |
| the same in a body | is sent: the service says what it thinks of it |
| a URL that is none | InvalidInput at once, which does not repeat it |
| an empty key, or white space for one | InvalidInput |
| an answer in an encoding that it is not in | MunimentError, without what was in it |
| any of these under the memory tool of Anthropic | ToolError for a path, else the same |
| any of these under a session of OpenAI agents, a saver of LangGraph | the same |
"""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from anthropic.lib.tools import ToolError

from muniment.anthropic import AsyncMunimentMemoryTool, MunimentMemoryTool
from muniment.client import AsyncClient, Client
from muniment.client.address import checked_url
from muniment.client.core import LONGEST_TARGET
from muniment.errors import InvalidInput, MunimentError
from muniment.langgraph import MunimentSaver
from muniment.openai_agents import MunimentSession

Call = Callable[[Any], Any]
LONG = "u" * 70_000
TOO_LONG: dict[str, tuple[Call, str]] = {
    "an id": (lambda c: c.memories.get(id=LONG), "/id"),
    "a user": (lambda c: c.profile.get(user_id=LONG), "/user_id"),
    "a user of a write": (lambda c: c.working.put(user_id=LONG, session_id="s", key="k", value="x" * 80_000), "/user_id"),
    "one of two": (lambda c: c.sessions.get(user_id="u", session_id=LONG), "/session_id"),
    "many escapes": (lambda c: c.profile.get(user_id="é" * (LONGEST_TARGET // 6)), "/user_id"),
    "a query": (lambda c: c.memories.list(user_id="u", kinds=["k" * 100] * 700), "/kinds"),
    "a filter": (lambda c: c.memories.list(user_id="u", filter={"metadata.a": LONG}), "/filter"),
    "together": (lambda c: c.sessions.get(user_id="u" * 40_000, session_id="s" * 30_000), "/user_id"),
}  # fmt: skip
NO_URLS = [
    "http://[::1", "https://[::1", "http://a\x00b", "http://a\x00b@x", "http://x\r\n", "http://x:abc",
    "http://u:secret#x", "http://a..b", "http://.a", "http://" + "a" * 64, "http://\ud800", "http://é..",
    "http://x/" + "p" * 3_000, "http://x/" + LONG, None, 7,
]  # fmt: skip
UNREADABLE = [("gzip", b"secret"), ("deflate", b"\xff\xff"), ("gzip, gzip", b"\x1f\x8b\x08\x00x")]
FOREIGN = "The answer is not one of this service."


class Sent:
    """What was sent, each time answered with the same."""

    def __init__(self, encoding: str | None = None, body: bytes = b"{}") -> None:
        self.requests: list[httpx.Request] = []
        self._headers = {} if encoding is None else {"content-encoding": encoding}
        self._body = body

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(200, headers=self._headers, stream=httpx.ByteStream(self._body))

    def client(self, key: str = "k") -> Client:
        return Client("http://x", key, transport=httpx.MockTransport(self))

    def client_async(self, key: str = "k") -> AsyncClient:
        return AsyncClient("http://x", key, transport=httpx.MockTransport(self))


async def raised(sent: Sent, call: Call, asynchronous: bool, key: str = "k") -> MunimentError:
    """The error of a call."""
    if asynchronous:
        async with sent.client_async(key) as waiting:
            with pytest.raises(MunimentError) as caught:
                await call(waiting)
    else:
        with sent.client(key) as client, pytest.raises(MunimentError) as caught:
            call(client)
    return caught.value


BOTH = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])


@pytest.mark.parametrize("name", TOO_LONG)
@BOTH
async def test_a_name_too_long_for_an_address(name: str, asynchronous: bool) -> None:
    call, pointer = TOO_LONG[name]
    sent = Sent()
    error = await raised(sent, call, asynchronous)
    assert type(error) is InvalidInput
    assert error.detail.endswith(": a name is too long for an address.")
    assert [fault.pointer for fault in error.faults] == [pointer]
    assert sent.requests == []


def test_a_long_name_in_a_body_is_sent() -> None:
    sent = Sent()
    with sent.client() as client, pytest.raises(MunimentError, match=FOREIGN):
        client.recall(user_id=LONG, query="q")
    (request,) = sent.requests
    assert json.loads(request.content)["user_id"] == LONG


def test_the_longest_target_is_sent() -> None:
    base = "http://x/" + "p" * 2_000
    sent = Sent()
    room = LONGEST_TARGET - len("/v1/users//profile?namespace=default")
    with Client(base, "k", transport=httpx.MockTransport(sent)) as client:
        with pytest.raises(MunimentError, match=FOREIGN):
            client.profile.get(user_id="u" * room)
        with pytest.raises(InvalidInput):
            client.profile.get(user_id="u" * (room + 1))
    assert len(sent.requests) == 1


@pytest.mark.parametrize("url", NO_URLS, ids=range(len(NO_URLS)))
@pytest.mark.parametrize("of", [Client, AsyncClient])
def test_a_url_that_is_none(url: Any, of: Any) -> None:
    with pytest.raises(InvalidInput, match="The URL of the service is") as caught:
        of(url, "k")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://x", "https://[::1]:7300", "http://é", "http://a.b./m", "http://127.0.0.1:7300/"]
)
def test_a_url(url: str) -> None:
    assert checked_url(url) == url


@pytest.mark.parametrize("key", ["", " ", "\n\t"])
@BOTH
async def test_an_empty_key(key: str, asynchronous: bool) -> None:
    sent = Sent()
    error = await raised(sent, lambda client: client.keys.list(), asynchronous, key)
    assert (type(error), error.detail) == (InvalidInput, "The API key is empty.")
    assert sent.requests == []


@pytest.mark.parametrize(("encoding", "body"), UNREADABLE, ids=range(len(UNREADABLE)))
@BOTH
async def test_an_answer_that_nothing_can_read(
    encoding: str, body: bytes, asynchronous: bool
) -> None:
    sent = Sent(encoding, body)
    for call in (lambda c: c.keys.list(), lambda c: c.recall(user_id="u", query="q")):
        error = await raised(sent, call, asynchronous)
        assert (type(error), str(error)) == (MunimentError, FOREIGN)
    assert len(sent.requests) == 2


PATH = f"/memories/{LONG}"
COMMANDS: list[dict[str, Any]] = [
    {"command": "view", "path": PATH},
    {"command": "create", "path": PATH, "file_text": "x"},
    {"command": "str_replace", "path": PATH, "old_str": "x", "new_str": "y"},
    {"command": "insert", "path": PATH, "insert_line": 0, "insert_text": "x"},
    {"command": "delete", "path": PATH},
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one["command"])
async def test_the_memory_tool_tells_the_model(command: dict[str, Any]) -> None:
    sent = Sent()
    with sent.client() as client, pytest.raises(ToolError, match="too long for an address"):
        MunimentMemoryTool(client, user_id="u").call(command)
    async with sent.client_async() as client_async:
        tool = AsyncMunimentMemoryTool(client_async, user_id="u")
        with pytest.raises(ToolError, match="too long for an address"):
            await tool.call(command)
    assert sent.requests == []


def test_the_memory_tool_without_its_service() -> None:
    with Sent("gzip", b"x").client() as client, pytest.raises(MunimentError, match=FOREIGN):
        MunimentMemoryTool(client, user_id="u").call({"command": "view", "path": "/memories"})


async def test_a_session_of_openai_agents() -> None:
    for sent, name, of in ((Sent(), LONG, InvalidInput), (Sent("gzip", b"x"), "s", MunimentError)):
        async with sent.client_async() as client:
            session = MunimentSession(name, client, user_id="u")
            for call in (session.get_items, session.pop_item, session.clear_session):
                with pytest.raises(MunimentError) as caught:
                    await call()
                assert type(caught.value) is of


def test_a_saver_of_langgraph() -> None:
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    with Sent("gzip", b"x").client() as client, pytest.raises(MunimentError, match=FOREIGN):
        MunimentSaver(client).get_tuple(config)
    with Sent().client(" ") as client, pytest.raises(InvalidInput, match="The API key is empty"):
        MunimentSaver(client).get_tuple(config)
