"""Where an example runs: the service that the environment names, or a throw-away one."""

import asyncio
import os
from collections.abc import Awaitable, Callable

from muniment import AsyncClient
from muniment.testing import new_tenant, running_service


def play(example: Callable[[AsyncClient], Awaitable[None]]) -> None:
    """Run an example on ``MUNIMENT_URL`` with ``MUNIMENT_API_KEY``, or on a service of its own."""
    url, key = os.environ.get("MUNIMENT_URL"), os.environ.get("MUNIMENT_API_KEY")
    if url and key:
        asyncio.run(_on(example, url, key))
        return
    with running_service() as service:
        asyncio.run(_on(example, service.url, new_tenant(service)))


async def _on(example: Callable[[AsyncClient], Awaitable[None]], url: str, key: str) -> None:
    async with AsyncClient(url, key) as memory:
        await example(memory)
