"""The family embeddings. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Embeddings:
    """``state``: ``settled``; ``building``, when those of ``other`` are made; or ``clearing``, when
    those that are not used any more are removed. ``done``: how many the job has made.

    ``calibrated``: whether thresholds of abstaining were measured for the embedder in use; where
    they were not, its vectors order items and decide nothing else.
    """

    embedder: str
    available: tuple[str, ...]
    calibrated: bool
    state: Literal["settled", "building", "clearing"]
    other: str | None
    done: int
    changed_at: datetime | None


_GET = Endpoint("embeddings.get", "GET", "/v1/embeddings")
_RE_EMBED = Endpoint("embeddings.re_embed", "POST", "/v1/embeddings", writes=True)
_CANCEL = Endpoint("embeddings.cancel", "POST", "/v1/embeddings/cancel", writes=True)


class EmbeddingsCalls:
    """Calls of the family embeddings."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(
        self,
    ) -> Embeddings:
        """Show whose vectors are in use.

        Whose vectors are in use, which could be, and how far those are that are being made.

        >>> client.embeddings.get()
        """
        return self._call(_GET, {}, Embeddings)

    def re_embed(self, *, to: str, idempotency_key: str | None = None) -> Embeddings:
        """Go over to another embedder.

        Make the vectors of another embedder beside those in use; when all are there, they
        serve.

        ``to``: one of those that ``embeddings.get`` names as ``available``.

        >>> client.embeddings.re_embed(to="to")
        """
        return self._call(_RE_EMBED, {"to": to}, Embeddings, idempotency_key)

    def cancel(self, *, idempotency_key: str | None = None) -> Embeddings:
        """Stop going over to another embedder.

        Make no more of them; those in use stay.

        >>> client.embeddings.cancel()
        """
        return self._call(_CANCEL, {}, Embeddings, idempotency_key)


class AsyncEmbeddingsCalls:
    """Calls of the family embeddings."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(
        self,
    ) -> Embeddings:
        """Show whose vectors are in use.

        Whose vectors are in use, which could be, and how far those are that are being made.

        >>> await client.embeddings.get()
        """
        return await self._call(_GET, {}, Embeddings)

    async def re_embed(self, *, to: str, idempotency_key: str | None = None) -> Embeddings:
        """Go over to another embedder.

        Make the vectors of another embedder beside those in use; when all are there, they
        serve.

        ``to``: one of those that ``embeddings.get`` names as ``available``.

        >>> await client.embeddings.re_embed(to="to")
        """
        return await self._call(_RE_EMBED, {"to": to}, Embeddings, idempotency_key)

    async def cancel(self, *, idempotency_key: str | None = None) -> Embeddings:
        """Stop going over to another embedder.

        Make no more of them; those in use stay.

        >>> await client.embeddings.cancel()
        """
        return await self._call(_CANCEL, {}, Embeddings, idempotency_key)
