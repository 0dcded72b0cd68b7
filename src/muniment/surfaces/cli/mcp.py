"""mcp: the tools of MCP over standard input and output."""

import asyncio
import sys
from typing import Annotated
from urllib.parse import urlencode

import httpx
import typer

from muniment.client.address import checked_url
from muniment.client.connection import find_key
from muniment.client.core import LONGEST_TARGET, bearer
from muniment.errors import InvalidInput
from muniment.settings import read_settings
from muniment.surfaces.mcp.stdio import SECONDS, Carrier


def add_to(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("mcp")(mcp)


def mcp(
    user_id: Annotated[
        str | None, typer.Option(help="The user of every call; then no tool asks for one.")
    ] = None,
    namespace: Annotated[str | None, typer.Option(help="The namespace of every call.")] = None,
    agent_id: Annotated[str | None, typer.Option(help="The agent of every call.")] = None,
    graph: Annotated[
        bool, typer.Option("--graph", help="The tools of a knowledge graph (MUNIMENT_MCP_GRAPH).")
    ] = False,
) -> None:
    """Speak MCP on standard input and output, for clients that start their servers.

    The service is found as by every command: MUNIMENT_URL and MUNIMENT_API_KEY.
    """
    settings = read_settings()
    fixed = {"user_id": user_id, "namespace": namespace, "agent_id": agent_id}
    query = urlencode({name: value for name, value in fixed.items() if value is not None})
    path = "/mcp/graph" if graph else "/mcp"
    target = f"{path}?{query}" if query else path
    if len(target) > LONGEST_TARGET:
        raise InvalidInput("The names that are fixed for every call are too long for an address.")
    asyncio.run(_carry(checked_url(settings.base_url), find_key(settings), target))


async def _carry(url: str, key: str, target: str) -> None:
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(line)
        out.flush()

    async with httpx.AsyncClient(
        base_url=url,
        headers={"authorization": bearer(key)},
        timeout=SECONDS,
        verify=not url.startswith("http://"),
    ) as http:
        await Carrier(http, target, write).run(sys.stdin.buffer)
