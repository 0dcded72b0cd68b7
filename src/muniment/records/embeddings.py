"""A tenant goes over to the vectors of another embedder: made beside, then all at once in use.

Who begins, switches or ends takes the policy alone; writers hold it. So from the beginning on every
writer makes both vectors, and at the switch no row lacks one.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID

from muniment.domain.documents import Chunk
from muniment.domain.embedding import Embedding
from muniment.domain.slot import Cardinality, defined_now
from muniment.errors import Conflict
from muniment.ports import Context, Embedder
from muniment.records.audit_entries import write_entry
from muniment.records.index_rows import wire
from muniment.records.store import item_vectors, texts_by_which
from muniment.records.tenant_policy import take_policy
from muniment.records.versions import about

RE_EMBED: Final = "re_embed"
CLEAR_AFTER_SECONDS: Final = 60
"""So long what was asked before a switch may read the vectors that it began with."""
_EVERY: Final = 2**31 - 1


@dataclass(frozen=True)
class _Row:
    scope_id: UUID
    id: UUID
    text: str
    slot: str | None
    cardinality: Cardinality | None
    subject: str | None


@dataclass(frozen=True)
class _Piece:
    scope_id: UUID
    id: UUID
    headings: list[str]
    text: str
    title: str


@dataclass(frozen=True)
class _Item:
    scope_id: UUID
    id: UUID
    value: dict[str, Any]
    fields: list[str] | None


@dataclass(frozen=True)
class Batch:
    """Rows of one table without a vector, what makes these, and how they are stored."""

    store: str
    rows: Sequence[_Row | _Piece | _Item]
    work: Callable[[Embedder], list[dict[str, Any]]]


async def begin(ctx: Context, embedder: str | None) -> Embedding:
    """From the commit on writers make the other vectors too, and a job the rest of them.

    Raises Conflict where these serve already, or others are being made or removed.
    """
    now = Embedding.read((await take_policy(ctx)).embedding)
    if now.state != "settled":
        raise Conflict(f"Vectors of another embedder are there already: {now.state}.")
    if now.embedder == embedder:
        raise Conflict("This embedder's vectors are the ones in use.")
    begun = now.over_to(embedder)
    await _put(ctx, begun)
    tenant = str(ctx.unit.tenant_id)
    await ctx.queue.defer(ctx.unit, RE_EMBED, f"{RE_EMBED}:{tenant}", tenant_id=tenant)
    return begun


async def give_up(ctx: Context) -> Embedding:
    """No more of the other vectors are made; what there is of them goes. Raises Conflict."""
    now = Embedding.read((await take_policy(ctx)).embedding)
    if now.state != "building":
        raise Conflict("No vectors of another embedder are being made.")
    stopped = now.given_up()
    await _put(ctx, stopped)
    return stopped


async def _put(ctx: Context, embedding: Embedding) -> None:
    await ctx.unit.value("policy_put", document=None, now=ctx.now)
    given = {**asdict(embedding), "now": ctx.now, "key_id": ctx.caller.key_id}
    await ctx.unit.run("embedding_put", **given)


async def rows_without(ctx: Context, after: tuple[UUID, UUID], limit: int) -> Batch:
    """The next rows of the index that lack the vector that is being made."""
    rows = await ctx.unit.rows(
        _Row, "rows_without", scope_id=after[0], after=after[1], limit=limit, place=_beside(ctx)
    )
    slots = ctx.policy.slots
    texts = [
        f"{row.text}{about(defined_now(slots, row.slot, row.cardinality), row.subject)}"
        for row in rows
    ]
    return Batch("row_vector", rows, partial(_vectors, rows, texts))


async def chunks_without(ctx: Context, after: tuple[UUID, UUID], limit: int) -> Batch:
    """The next pieces of documents that lack it."""
    rows = await ctx.unit.rows(
        _Piece, "chunks_without", scope_id=after[0], after=after[1], limit=limit, place=_beside(ctx)
    )
    texts = [Chunk(tuple(row.headings), row.text).found_by(row.title) for row in rows]
    return Batch("chunk_vector", rows, partial(_vectors, rows, texts))


async def items_without(ctx: Context, _after: tuple[UUID, UUID], limit: int) -> Batch:
    """Items of the application that lack them."""
    rows = await ctx.unit.rows(_Item, "items_without", limit=limit, place=_beside(ctx))
    return Batch("item_vectors", rows, partial(_of_items, rows))


Without = Callable[[Context, tuple[UUID, UUID], int], Awaitable[Batch]]
TABLES: Final[tuple[Without, ...]] = (rows_without, chunks_without, items_without)


def _vectors(
    rows: Sequence[_Row | _Piece], texts: Sequence[str], embedder: Embedder
) -> list[dict[str, Any]]:
    vectors = embedder.embed(texts)
    return [
        {"scope_id": row.scope_id, "id": row.id, "vector": wire(vector)}
        for row, vector in zip(rows, vectors, strict=True)
    ]


def _of_items(rows: Sequence[_Item], embedder: Embedder) -> list[dict[str, Any]]:
    return [
        {
            "scope_id": row.scope_id,
            "id": row.id,
            "vectors": item_vectors(embedder, texts_by_which(row.value, row.fields)),
        }
        for row in rows
    ]


async def store_vectors(ctx: Context, batch: Batch, vectors: Sequence[dict[str, Any]]) -> None:
    """Store what was made, where nobody else did."""
    place = _beside(ctx)
    await ctx.unit.many(batch.store, [one | {"place": place} for one in vectors])
    await ctx.unit.run("embedding_done", count=len(vectors))


async def switch(ctx: Context) -> bool:
    """The other vectors serve from the commit on, if no row lacks one; with the policy alone."""
    now = ctx.policy.embedding
    if now.state != "building" or await ctx.unit.value("any_without", place=now.beside):
        return False
    await _move(ctx, now.switched(ctx.policy.revision + 1))
    await write_entry(
        ctx, "embeddings.switch", "write", [], {"embedder": ctx.embedder_of(now.other).name}
    )
    return True


CLEARED: Final = ("rows_clear", "chunks_clear", "items_clear")


async def clear_some(ctx: Context, query: str, limit: int) -> int:
    """Remove some of the vectors that are not used; how many rows had one."""
    if ctx.policy.embedding.state != "clearing":
        return 0
    return await ctx.unit.run(query, place=_beside(ctx), limit=limit)


async def settle(ctx: Context) -> bool:
    """The last of them go, and there is room for others. The policy is taken alone."""
    now = ctx.policy.embedding
    if now.state != "clearing":
        return False
    for query in CLEARED:
        await ctx.unit.run(query, place=now.beside, limit=_EVERY)
    await _move(ctx, now.settled())
    return True


async def may_clear(ctx: Context) -> bool:
    """Whether nobody is left who began with the vectors that are not used any more."""
    return bool(await ctx.unit.value("embedding_clearable", now=ctx.now, wait=CLEAR_AFTER_SECONDS))


async def _move(ctx: Context, to: Embedding) -> None:
    await ctx.unit.value("revision_raise", now=ctx.now)
    await ctx.unit.run("embedding_move", **asdict(to), now=ctx.now)


def _beside(ctx: Context) -> str:
    return ctx.policy.embedding.beside or "emb"
