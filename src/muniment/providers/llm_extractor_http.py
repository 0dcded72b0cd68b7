"""The HTTP client with which a model's server is asked: no redirects, and bounded answers."""

from collections.abc import AsyncIterator

import httpx2

MOST_BYTES = 2**20
"""What an answer may have. One of 4,000 tokens has about 20 kB."""


class AnswerTooLarge(Exception):
    """An answer has more bytes than ``MOST_BYTES``, or is compressed, which could hide as much."""


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error where it grows too large."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > MOST_BYTES:
                raise AnswerTooLarge
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise AnswerTooLarge
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


def bounded_client(timeout_seconds: float) -> httpx2.AsyncClient:
    """A client for one server. Proxies and authorities come from the usual variables."""
    return httpx2.AsyncClient(
        timeout=timeout_seconds,
        limits=httpx2.Limits(max_connections=16),
        follow_redirects=False,
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [_bound]},
    )
