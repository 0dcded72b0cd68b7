"""``MunimentStore``: LangGraph's long-term memory, kept by the service."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Literal

from langgraph.store.base import BaseStore, IndexConfig, Op, Result, TTLConfig

from muniment.client import AsyncClient, Client
from muniment.errors import TooLarge
from muniment.langgraph.calls import Batch, Fields, Reading, placed
from muniment.langgraph.whose import Whose, whose


class MunimentStore(BaseStore):
    """A ``BaseStore`` on a running service, over one client or both; sync calls need a ``Client``.

    ``user_id``: whose the items are, so that a forget takes them: a user's id, None for the
    organisation, a template such as ``("memories", "{user_id}")``, or a function of the namespace.
    ``index``: where in values the texts are by which they are found, ``{"fields": [...]}``, the
    whole value if not given; False for no search. The service embeds.

    Raises the errors of ``muniment.errors``, and InvalidNamespaceError as every store does.

    >>> store = MunimentStore(client, user_id=("memories", "{user_id}"))
    >>> store.put(("memories", "sanne"), "tea", {"text": "Takes her tea without milk."})
    """

    supports_ttl = True
    __slots__ = ("_async_client", "_client", "_fields", "_namespace", "_whose", "ttl_config")

    def __init__(
        self,
        client: Client | None = None,
        *,
        async_client: AsyncClient | None = None,
        user_id: str | Sequence[str] | Whose | None = None,
        namespace: str = "default",
        index: IndexConfig | Literal[False] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        if client is None and async_client is None:
            raise ValueError("A store needs a client.")
        self._client = client
        self._async_client = async_client
        self._whose = whose(user_id)
        self._namespace = namespace
        self._fields = _fields(index)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads, which see what was there before, then writes; results in the order of ``ops``."""
        if self._client is None:
            raise RuntimeError("This store has no Client: use its async methods, or give it one.")
        batch = Batch(ops, self._whose, self._fields)
        for one in batch.readings:
            self._read(self._client, one, batch.results)
        for each in batch.writings:
            with placed(each.asked):
                self._client.store.write(namespace=self._namespace, **each.arguments)
        return batch.results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same; without an AsyncClient in a thread."""
        client = self._async_client
        if client is None:
            return await asyncio.to_thread(self.batch, list(ops))
        batch = Batch(ops, self._whose, self._fields)
        for one in batch.readings:
            await self._aread(client, one, batch.results)
        for each in batch.writings:
            with placed(each.asked):
                await client.store.write(namespace=self._namespace, **each.arguments)
        return batch.results

    def _read(self, client: Client, reading: Reading, results: list[Result]) -> None:
        """In one call, or in parts where the answer would be too large."""
        try:
            with placed(reading.asked):
                read = client.store.read(namespace=self._namespace, **reading.arguments)
        except TooLarge:
            parts = reading.parts()
            if not parts:
                raise
            for part in parts:
                self._read(client, part, results)
        else:
            reading.answer(read, results)

    async def _aread(self, client: AsyncClient, reading: Reading, results: list[Result]) -> None:
        try:
            with placed(reading.asked):
                read = await client.store.read(namespace=self._namespace, **reading.arguments)
        except TooLarge:
            parts = reading.parts()
            if not parts:
                raise
            for part in parts:
                await self._aread(client, part, results)
        else:
            reading.answer(read, results)


def _fields(index: IndexConfig | Literal[False] | None) -> Fields:
    if index is False:
        return ()
    if index is None:
        return None
    if unknown := sorted(set(index) - {"fields"}):
        raise ValueError(
            f"The service embeds: an index has fields alone, not {', '.join(unknown)}."
        )
    return index.get("fields")
