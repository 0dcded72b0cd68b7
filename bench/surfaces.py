"""``make bench-surfaces``: what a recall costs on each surface, beside plain HTTP in one run.

One user's memories, and questions that were never asked before. Every surface asks each of them
once, in an order that turns. Plain HTTP is a bare client on a kept-alive connection; MCP is the same
with a message of either revision; then come the clients that programs use: the SDK, and the official
client of MCP over both transports.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
from langgraph.store.base import PutOp
from mcp.client.client import Client as McpClient
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests.support.mcp_calls import LEGACY, MODERN, headers, message, tool_call

from bench.corpus import Corpus, Note
from bench.figures import percentile
from bench.over_http import OverHttp
from muniment.client import AsyncClient
from muniment.langgraph import MunimentStore
from muniment.settings import environment_with
from muniment.testing import Running, running_service

USER, K = "u", 10
_OF_MEM0 = "of mem0"
_BATCH = 100
Ask = Callable[[str], Awaitable[object]]


class Bare(OverHttp):
    """Posts of a bare client, as JSON and as messages of MCP."""

    async def recall(self, question: str) -> None:
        """Plain HTTP."""
        self.ask(USER, question)

    def over_mcp(self, era: str) -> Ask:
        """The same as a tool call of a revision."""

        async def ask(question: str) -> None:
            given = {"user_id": USER, "query": question, "k": K}
            sent = message("tools/call", tool_call("recall", given), era=era)
            by = self._headers | headers(sent, era)
            _, text = self._connection.exchange("POST", "/mcp", json.dumps(sent).encode(), by)
            if b'"isError":false' not in text:
                raise RuntimeError(text[:200])

        return ask

    def keep(self, notes: list[Note]) -> None:
        """Memories of a user of mem0, one for each turn."""
        said = [{"role": "user", "content": one.text} for one in notes]
        for at in range(0, len(said), _BATCH):
            given = {"messages": said[at : at + _BATCH], "user_id": _OF_MEM0, "infer": False}
            self.post("/compat/mem0/v3/memories/add/", given)

    async def over_mem0(self, question: str) -> None:
        """A search as mem0's client sends it."""
        given = {"query": question, "filters": {"user_id": _OF_MEM0}, "top_k": K}
        self.post("/compat/mem0/v3/memories/search/", given)

    async def of_mem0(self, question: str) -> None:
        """Plain HTTP for the same memories."""
        self.ask(_OF_MEM0, question)


def by_client(client: McpClient) -> Ask:
    """A tool call of the official client, which checks the answer against its schema."""

    async def ask(question: str) -> None:
        result = await client.call_tool("recall", {"user_id": USER, "query": question, "k": K})
        if result.is_error:
            raise RuntimeError(result)

    return ask


def by_sdk(client: AsyncClient) -> Ask:
    """A call of the SDK."""

    async def ask(question: str) -> None:
        await client.recall(user_id=USER, query=question, k=K)

    return ask


async def by_store(client: AsyncClient, notes: list[Note]) -> Ask:
    """A search of a LangGraph store with an item for each turn."""
    store = MunimentStore(async_client=client, user_id=USER)
    items = [
        PutOp(("notes",), str(at), {"text": one.text}, ["text"]) for at, one in enumerate(notes)
    ]
    await store.abatch(items)

    async def ask(question: str) -> None:
        await store.asearch(("notes",), query=question, limit=K)

    return ask


async def measure(service: Running, memories: int, questions: int) -> dict[str, list[float]]:
    """Milliseconds of each recall, by surface."""
    corpus = Corpus()
    notes = list(corpus.notes(USER, memories))
    bare = Bare(service.url, service.key)
    for at in range(0, len(notes), _BATCH):
        turns = [
            {"turn": at + i, "role": "user", "content": one.text, "occurred_at": one.at.isoformat()}
            for i, one in enumerate(notes[at : at + _BATCH])
        ]
        bare.post(f"/v1/users/{USER}/sessions/s{at}/events", {"events": turns})
    bare.keep(notes[: memories // 4])
    known = {"MUNIMENT_URL": service.url, "MUNIMENT_API_KEY": service.key}
    carrier = StdioServerParameters(
        command=sys.executable, args=["-m", "muniment", "mcp"], env=environment_with(known)
    )
    async with contextlib.AsyncExitStack() as stack:
        by = {"authorization": f"Bearer {service.key}"}
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=by, timeout=60))
        reached = streamable_http_client(f"{service.url}/mcp", http_client=http)
        official = await stack.enter_async_context(McpClient(reached))
        piped = await stack.enter_async_context(McpClient(stdio_client(carrier)))
        for client in (official, piped):
            # The answers are checked against schemas that are listed once.
            await client.list_tools()
        sdk = await stack.enter_async_context(AsyncClient(service.url, service.key))
        surfaces: dict[str, Ask] = {
            "HTTP": bare.recall,
            f"MCP {LEGACY}": bare.over_mcp(LEGACY),
            f"MCP {MODERN}": bare.over_mcp(MODERN),
            "SDK": by_sdk(sdk),
            "HTTP, a user of mem0": bare.of_mem0,
            "mem0": bare.over_mem0,
            "official client, HTTP": by_client(official),
            "official client, stdio": by_client(piped),
            "LangGraph store": await by_store(sdk, notes),
        }
        return await _asked(surfaces, corpus.questions(USER, notes, questions * len(surfaces)))


async def _asked(surfaces: dict[str, Ask], questions: list[str]) -> dict[str, list[float]]:
    names = list(surfaces)
    for name in names:
        await surfaces[name]("Is it warm?")
    found: dict[str, list[float]] = {name: [] for name in names}
    for at, question in enumerate(questions):
        turn = at // len(names)
        name = names[(at + turn) % len(names)]
        began = time.perf_counter()
        await surfaces[name](question)
        found[name].append((time.perf_counter() - began) * 1000)
    return found


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=2000)
    parser.add_argument("--questions", type=int, default=200)
    given: Any = parser.parse_args()
    with running_service(environment={"MUNIMENT_COMPAT_MEM0": "true"}) as service:
        found = asyncio.run(measure(service, given.memories, given.questions))
    plain = statistics.median(found["HTTP"])
    print("| surface | p50 | p95 | p50 as a multiple of HTTP |\n|---|---|---|---|")
    for name, times in found.items():
        p50, p95 = statistics.median(times), percentile(times, 95)
        print(f"| {name} | {p50:.1f} | {p95:.1f} | {p50 / plain:.2f} |")


if __name__ == "__main__":
    main()
