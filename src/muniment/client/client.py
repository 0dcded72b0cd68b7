"""Client and AsyncClient: the whole service over HTTP, fully typed."""

import asyncio
import random
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self, TypeVar
from uuid import UUID, uuid4

import httpx

from muniment.client.address import checked_url
from muniment.client.core import FOREIGN, Endpoint, prepare, read
from muniment.client.generated.runs import RunView
from muniment.client.generated.surface import AsyncSurface, Surface
from muniment.client.retrying import Retrying
from muniment.client.runs import AsyncRun, Run
from muniment.errors import MunimentError, Unreachable

R = TypeVar("R")
DEFAULT_TIMEOUT = 30.0
DEFAULT_RETRIES = 2
LONGEST_PAUSE = 5.0
_sleep = time.sleep
_sleep_async = asyncio.sleep


def _once(endpoint: Endpoint, given: str | None) -> str | None:
    """The idempotency key of a call: a write always has one."""
    if not endpoint.writes:
        return None
    return given or str(uuid4())


def _wants_tls(url: str) -> bool:
    """Reading the authorities that TLS trusts takes longer than a call; plain HTTP has none."""
    return not url.startswith("http://")


def _unreachable(url: str, endpoint: Endpoint, error: httpx.TransportError) -> Unreachable:
    late = isinstance(error, httpx.TimeoutException)
    what = "No answer came in time from" if late else "Nothing answers at"
    return Unreachable(f"{what} {url} ({endpoint.operation}: {type(error).__name__}).")


def _pause(retrying: Retrying, response: httpx.Response, tried: int) -> float | None:
    chance = random.random()  # noqa: S311 - spreads requests, hides nothing
    return retrying.pause(response.status_code, response.headers, tried, chance)


class Client(Surface):
    """The service behind ``url`` for the holder of ``key``; usable as a context manager.

    ``timeout``: seconds to connect, and to wait for each piece of an answer. What the service puts
    off (429, 503) is sent again, ``retries`` times at most, unless it asks for more than 5 seconds.
    Raises the errors of ``muniment.errors``: those of the service, and Unreachable; InvalidInput at
    once for a URL that is none.

    >>> with Client("http://127.0.0.1:7300", key) as memory:
    ...     view = memory.recall(user_id="sanne", query="Where is the team based?")
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = checked_url(url)
        self._key = key
        self._retrying = Retrying(retries, LONGEST_PAUSE)
        self._http = httpx.Client(
            base_url=url, timeout=timeout, transport=transport, verify=_wants_tls(url)
        )
        super().__init__(self.call)

    def call(
        self,
        endpoint: Endpoint,
        arguments: Mapping[str, Any],
        result: type[R],
        /,
        idempotency_key: str | None = None,
    ) -> R:
        """Any operation by its endpoint; the families' methods all come here."""
        request = prepare(endpoint, arguments, self._key, _once(endpoint, idempotency_key))
        tried = 0
        while True:
            try:
                response = self._http.request(
                    request.method, request.target, headers=request.headers, content=request.body
                )
            except httpx.TransportError as error:
                raise _unreachable(self.url, endpoint, error) from error
            except httpx.DecodingError:
                raise MunimentError(FOREIGN) from None
            tried += 1
            pause = _pause(self._retrying, response, tried)
            if pause is None:
                return read(result, response.status_code, response.content)
            _sleep(pause)

    def run(self, *, run_id: UUID | None = None, take_over: bool = False, **opening: Any) -> Run:
        """A run to hold in a ``with`` block: a new one, opened as by ``runs.open``, or the one of
        this id, as by ``runs.resume``.
        """

        def begin(once: str) -> RunView:
            if run_id is None:
                return self.runs.open(**opening, idempotency_key=once)
            return self.runs.resume(
                run_id=run_id, take_over=take_over, **opening, idempotency_key=once
            )

        return Run(self, begin)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(AsyncSurface):
    """The same for asyncio; usable as an async context manager.

    >>> async with AsyncClient("http://127.0.0.1:7300", key) as memory:
    ...     view = await memory.recall(user_id="sanne", query="Where is the team based?")
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = checked_url(url)
        self._key = key
        self._retrying = Retrying(retries, LONGEST_PAUSE)
        self._http = httpx.AsyncClient(
            base_url=url, timeout=timeout, transport=transport, verify=_wants_tls(url)
        )
        super().__init__(self.call)

    async def call(
        self,
        endpoint: Endpoint,
        arguments: Mapping[str, Any],
        result: type[R],
        /,
        idempotency_key: str | None = None,
    ) -> R:
        """Any operation by its endpoint; the families' methods all come here."""
        request = prepare(endpoint, arguments, self._key, _once(endpoint, idempotency_key))
        tried = 0
        while True:
            try:
                response = await self._http.request(
                    request.method, request.target, headers=request.headers, content=request.body
                )
            except httpx.TransportError as error:
                raise _unreachable(self.url, endpoint, error) from error
            except httpx.DecodingError:
                raise MunimentError(FOREIGN) from None
            tried += 1
            pause = _pause(self._retrying, response, tried)
            if pause is None:
                return read(result, response.status_code, response.content)
            await _sleep_async(pause)

    def run(
        self, *, run_id: UUID | None = None, take_over: bool = False, **opening: Any
    ) -> AsyncRun:
        """A run to hold in an ``async with`` block: a new one, opened as by ``runs.open``, or the
        one of this id, as by ``runs.resume``.
        """

        async def begin(once: str) -> RunView:
            if run_id is None:
                return await self.runs.open(**opening, idempotency_key=once)
            return await self.runs.resume(
                run_id=run_id, take_over=take_over, **opening, idempotency_key=once
            )

        return AsyncRun(self, begin)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        await self.close()
