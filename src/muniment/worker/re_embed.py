"""Duty: the vectors of another embedder are made beside those in use, then serve; the others go.

Killed anywhere, it goes on with the rows that lack one. It never touches the vectors in use.
"""

import asyncio
from uuid import UUID

import structlog

from muniment.domain.embedding import Embedding
from muniment.errors import MunimentError
from muniment.ports import World
from muniment.records.embeddings import (
    CLEARED,
    TABLES,
    Without,
    clear_some,
    may_clear,
    settle,
    store_vectors,
    switch,
)
from muniment.worker.duty import as_worker, tenants

_log = structlog.get_logger()
_AT_ONCE = 64
_CLEARED_AT_ONCE = 1_000
_START = UUID(int=0)


async def run_once(world: World, at_once: int = _AT_ONCE) -> int:
    """Go on with every tenant that goes over to another embedder, and remove what is not used.

    One that it cannot be done for now, as this process lacks the model, keeps no other waiting.
    """
    count = 0
    for tenant_id in await tenants(world):
        try:
            count += await run_tenant(world, tenant_id, at_once)
        except MunimentError as error:
            _log.warning("vectors_not_made", tenant_id=str(tenant_id), code=error.code)
    return count


async def run_tenant(world: World, tenant_id: UUID, at_once: int = _AT_ONCE) -> int:
    """The same of one tenant; how many vectors were made, and rows cleared."""
    made = 0
    while True:
        count = 0
        for without in TABLES:
            found = await _of_table(world, tenant_id, without, at_once)
            if found is None:
                return made + await _clear(world, tenant_id)
            count += found
        made += count
        if count:
            continue
        async with as_worker(world, tenant_id, alone=True) as ctx:
            switched = await switch(ctx)
        if switched:
            world.drill.reached("embeddings.switched")


async def _of_table(world: World, tenant_id: UUID, without: Without, at_once: int) -> int | None:
    """Make what a table lacks, a batch after another; None where none is to be made any more."""
    made, after = 0, (_START, _START)
    begun: Embedding | None = None
    while True:
        async with as_worker(world, tenant_id) as ctx:
            embedding = ctx.policy.embedding
            if embedding.state != "building" or embedding != (begun or embedding):
                return None
            begun = embedding
            batch = await without(ctx, after, at_once)
        if not batch.rows:
            return made
        vectors = await asyncio.to_thread(batch.work, world.embedder_of(embedding.other))
        world.drill.reached("embeddings.made")
        async with as_worker(world, tenant_id) as ctx:
            if ctx.policy.embedding != embedding:
                return None
            await store_vectors(ctx, batch, vectors)
        world.drill.reached("embeddings.stored")
        made += len(batch.rows)
        after = (batch.rows[-1].scope_id, batch.rows[-1].id)


async def _clear(world: World, tenant_id: UUID) -> int:
    async with as_worker(world, tenant_id) as ctx:
        if not await may_clear(ctx):
            return 0
    count = 0
    for query in CLEARED:
        while True:
            async with as_worker(world, tenant_id) as ctx:
                some = await clear_some(ctx, query, _CLEARED_AT_ONCE)
            world.drill.reached("embeddings.cleared")
            count += some
            if some == 0:
                break
    async with as_worker(world, tenant_id, alone=True) as ctx:
        await settle(ctx)
    return count
