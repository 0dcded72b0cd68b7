"""A place behind a URL: a service elsewhere, whose clock and duties nobody here holds."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import httpx

from muniment.client.core import Endpoint, prepare
from muniment.errors import InvalidInput, MunimentError, Unreachable
from muniment.operations.operation import Effect
from muniment.operations.registry import REGISTRY
from muniment.replay.playing import Answered

_ROUND_SECONDS = 0.1
_ROUNDS = 1200
_TIMEOUT = 60.0


class RemotePlace:
    """Implements ``playing.Place`` over HTTP, each play in a tenant that it makes."""

    holds_the_clock = False

    def __init__(self, http: httpx.AsyncClient, installation_key: str) -> None:
        self._http = http
        self._installation = installation_key
        self.key = installation_key

    async def begin(self, name: str, at: datetime) -> str:
        """A new tenant, for which the key has to be one of the installation; time is what it is."""
        del at
        made = await self.call("tenants.create", {"name": f"replay {name}"[:256]}, "", None)
        if made.refused is not None:
            raise InvalidInput(f"No tenant can be made there: {made.refused}.")
        self.key = str(made.gives["key"]["secret"])
        return self.key

    def move(self, to: datetime) -> None:
        """Time goes its own way here."""

    async def call(
        self, operation: str, arguments: Mapping[str, Any], key: str, once: str | None
    ) -> Answered:
        """Send a request; an error of the service is a refusal. Raises Unreachable."""
        key = self._installation if operation == "tenants.create" else key
        try:
            asked = prepare(endpoint_of(operation), arguments, key, once)
            answer = await self._http.request(
                asked.method, asked.target, headers=dict(asked.headers), content=asked.body
            )
        except httpx.TransportError as error:
            raise Unreachable(f"The service does not answer ({type(error).__name__}).") from error
        except MunimentError as error:
            return Answered(refused=error.code)
        body = answer.json()
        return Answered(body) if answer.is_success else Answered(refused=body["code"])

    async def work(self, duties: Sequence[str]) -> None:
        """Wait until no job of the tenant waits or runs. Raises Unreachable after two minutes."""
        del duties
        for _ in range(_ROUNDS):
            states = ("todo", "doing")
            asked = [await self.call("jobs.list", {"state": one}, self.key, None) for one in states]
            if not any(one.gives and one.gives["items"] for one in asked):
                return
            await asyncio.sleep(_ROUND_SECONDS)
        raise Unreachable("The worker there has not done its jobs within two minutes.")


def endpoint_of(operation: str) -> Endpoint:
    """How an operation is asked for over HTTP."""
    known = REGISTRY[operation]
    writes = known.effect is not Effect.READ
    return Endpoint(operation, known.http.method, known.http.path, writes, known.nullable)


@contextlib.asynccontextmanager
async def remote_place(url: str, key: str) -> AsyncIterator[RemotePlace]:
    """A place at a URL, with a key that may make tenants."""
    async with httpx.AsyncClient(base_url=url, timeout=_TIMEOUT, trust_env=False) as http:
        yield RemotePlace(http, key)
