"""MCP by the official client: every tool is listed and called over both transports, in both eras.

The client checks each structured result against the schema that the tool was listed with.

| what | over streamable HTTP | over stdio |
|---|---|---|
| every tool, its annotations and schemas | the same | the same |
| an error | the tool's, with the code of HTTP | the same |
| a call that takes long, with progress asked for | told at once that it works | the same |
| profile and history | by their addresses | the same |
| a user fixed by the address, or by `--user-id` | no tool asks for one | the same |
| the knowledge graph | /mcp/graph, where it is set | `--graph` |
| the service is not there | | `unreachable`, and it goes on once it is |
| the client leaves before the answer | the write is carried through | |
| each request reaches another process | answered alike: there are no sessions | |
| a wrong key | 401 | an error of MCP with its code |
"""

import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

import httpx
import httpx2
import pytest
from mcp.client.client import Client as McpClient
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from muniment.client import Client
from muniment.settings import environment_with
from muniment.surfaces.mcp.graph import GRAPH_TOOLS
from muniment.surfaces.mcp.tools import TOOLS
from muniment.testing import Running
from tests.faults.input_raw import connect, request
from tests.support.mcp_calls import (
    LEGACY,
    MODERN,
    answer_of,
    arguments_of,
    headers,
    message,
    tool_call,
)
from tests.support.processes import further_api
from tests.support.services import running_service
from tests.support.waiting import until

Connect = Callable[..., AbstractAsyncContextManager[McpClient]]
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28", "auto"])
WAYS = pytest.mark.parametrize("way", ["http", "stdio"])


@pytest.fixture(scope="module")
def graphed() -> Iterator[Running]:
    """A service that offers the knowledge graph too."""
    with running_service(environment={"MUNIMENT_MCP_GRAPH": "true"}) as service:
        yield service


@pytest.fixture
def holder(graphed: Running) -> Iterator[Client]:
    """The admin of a fresh tenant."""
    with Client(graphed.url, graphed.key) as installation:
        secret = installation.tenants.create(name="mcp").key.secret
    with Client(graphed.url, secret) as client:
        client.secret = secret  # type: ignore[attr-defined]
        yield client


@contextlib.asynccontextmanager
async def connected(
    way: str, era: str, url: str, key: str, *, graph: bool = False, user: str | None = None
) -> AsyncIterator[McpClient]:
    """The official client, over one of the transports."""
    if way == "stdio":
        options = [*(["--graph"] if graph else []), *(["--user-id", user] if user else [])]
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "muniment", "mcp", *options],
            env=environment_with({"MUNIMENT_URL": url, "MUNIMENT_API_KEY": key}),
        )
        async with McpClient(stdio_client(server), mode=era) as client:
            yield client
        return
    target = f"{url}/mcp{'/graph' if graph else ''}{f'?user_id={user}' if user else ''}"
    by = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=by, timeout=60) as http,
        McpClient(streamable_http_client(target, http_client=http), mode=era) as client,
    ):
        yield client


@ERAS
@WAYS
async def test_every_tool(way: str, era: str, graphed: Running, holder: Any) -> None:
    arguments = arguments_of(holder)
    async with connected(way, era, graphed.url, holder.secret) as client:
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == list(TOOLS)
        assert set(arguments) == set(TOOLS)
        for tool in listed:
            told = TOOLS[tool.name].described()
            assert tool.description == told["description"]
            assert (tool.input_schema, tool.output_schema) == (
                told["inputSchema"],
                told["outputSchema"],
            )
            assert tool.annotations is not None
            assert tool.annotations.model_dump(by_alias=True) == told["annotations"]
        for name, given in arguments.items():
            result = await client.call_tool(name, given)
            assert not result.is_error, (name, result)
            assert result.structured_content


@ERAS
@WAYS
async def test_errors_and_progress(way: str, era: str, graphed: Running, holder: Any) -> None:
    seen = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with connected(way, era, graphed.url, holder.secret) as client:
        wrong = await client.call_tool("recall", {"user_id": "\x00", "query": 5})
        assert wrong.is_error
        assert wrong.structured_content["code"] == "invalid_input"
        pointers = {one["pointer"] for one in wrong.structured_content["errors"]}
        assert pointers == {"/user_id", "/query"}
        with pytest.raises(MCPError, match="no tool"):
            await client.call_tool("nothing", {})
        told = await client.call_tool(
            "forget", {"user_id": "u", "dry_run": True}, progress_callback=note
        )
    assert not told.is_error
    assert seen[:1] == [(0.0, None, "working")]


@ERAS
@WAYS
async def test_a_fixed_user(way: str, era: str, graphed: Running, holder: Any) -> None:
    async with connected(way, era, graphed.url, holder.secret, user="nora") as client:
        fact = {"kind": "fact", "text": "Lives in Gouda.", "slot": "city", "value": "Gouda"}
        held = (await client.call_tool("remember", fact)).structured_content
        assert held is not None
        (profile,) = (await client.list_resources()).resources
        uris = (str(profile.uri), f"muniment://memories/{held['id']}/history")
        for uri in uris:
            (content,) = (await client.read_resource(uri)).contents
            assert "Gouda" in getattr(content, "text", "")
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.name for one in templates} == {"profile", "history"}


@ERAS
@WAYS
async def test_the_graph(way: str, era: str, graphed: Running, holder: Any) -> None:
    name = f"Alice {way} {era}"
    node = {"name": name, "entityType": "person", "observations": ["Plays chess."]}
    async with connected(way, era, graphed.url, holder.secret, graph=True, user="nora") as client:
        assert [one.name for one in (await client.list_tools()).tools] == list(GRAPH_TOOLS)
        await client.call_tool("create_entities", {"entities": [node]})
        seen = (await client.call_tool("read_graph", {})).structured_content
        assert seen == {"entities": [node], "relations": []}
        told = await client.call_tool("delete_entities", {"entityNames": [name]})
        assert not told.is_error


async def test_a_graph_that_is_not_offered(running: Running) -> None:
    async with httpx2.AsyncClient() as http:
        response = await http.post(f"{running.url}/mcp/graph", json={})
        assert response.status_code == 404
        response = await http.post(f"{running.url}/mcp/conformance", json={})
        assert response.status_code == 404


@ERAS
async def test_a_wrong_key_over_stdio(era: str, graphed: Running) -> None:
    with pytest.raises(BaseExceptionGroup) as caught:
        async with connected("stdio", era, graphed.url, "mnm_none") as client:
            await client.list_tools()
    assert "unauthenticated" in repr(_leaves(caught.value))


def _leaves(error: BaseException) -> list[Any]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for one in error.exceptions for leaf in _leaves(one)]
    return [error, getattr(error, "data", None)]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_a_client_that_leaves(era: str, graphed: Running, holder: Any) -> None:
    fact = {"kind": "fact", "user_id": f"left {era}", "text": "Left before the answer."}
    sent = message("tools/call", tool_call("remember", fact), era=era)
    by = headers(sent, era) | {"host": "127.0.0.1"}
    for _ in range(5):
        connection = connect(graphed)
        connection.sendall(b"".join(request("POST", "/mcp", holder.secret, sent, by)))
        connection.close()
    until(lambda: bool(holder.memories.list(user_id=f"left {era}").items))


def test_any_process_answers(graphed: Running, holder: Any) -> None:
    me = {"name": "test", "version": "1"}
    asked = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": me}
    by = {"authorization": f"Bearer {holder.secret}"}
    with further_api(graphed) as other:
        for url, sent in (
            (graphed.url, message("initialize", asked)),
            (other, message("tools/list", number=2)),
            (graphed.url, message("tools/call", tool_call("profile", {"user_id": "u"}), number=3)),
        ):
            response = httpx.post(f"{url}/mcp", json=sent, headers=headers(sent) | by, timeout=60)
            assert "result" in answer_of(response)


def test_a_service_that_is_not_there() -> None:
    lines = (
        b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"recall"}}\n'
        b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    )
    nowhere = {"MUNIMENT_URL": "http://127.0.0.1:9", "MUNIMENT_API_KEY": "k"}
    done = subprocess.run(
        [sys.executable, "-m", "muniment", "mcp"],
        input=lines,
        capture_output=True,
        env=environment_with(nowhere),
        timeout=60,
        check=True,
    )
    assert done.stderr == b""
    assert done.stdout.count(b'"code":"unreachable"') == 2
    assert len(done.stdout.splitlines()) == 2
