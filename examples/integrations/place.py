"""Where an example runs: the service that the environment names, or a throw-away one."""

import asyncio
import os
from collections.abc import Awaitable, Callable

from muniment import AsyncClient, Client
from muniment.testing import running_service


def play(example: Callable[[AsyncClient], Awaitable[None]]) -> None:
    """Run an example on ``MUNIMENT_URL`` with ``MUNIMENT_API_KEY``, or on a service of its own."""
    url, key = os.environ.get("MUNIMENT_URL"), os.environ.get("MUNIMENT_API_KEY")
    if url and key:
        asyncio.run(_on(example, url, key))
        return
    with running_service() as service, Client(service.url, service.key) as operator:
        mine = operator.tenants.create(name="example").key.secret
        asyncio.run(_on(example, service.url, mine))


async def _on(example: Callable[[AsyncClient], Awaitable[None]], url: str, key: str) -> None:
    async with AsyncClient(url, key) as memory:
        await example(memory)
