"""embeddings.*: whose vectors a tenant's texts are found by, and going over to others."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.errors import Conflict, Fault, InvalidInput
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Identifier, Instant, command
from muniment.ports import Context
from muniment.records.embeddings import begin, give_up


@command
class GetEmbeddings:
    """Whose vectors are in use, which could be, and how far those are that are being made."""


@command
class ReEmbed:
    """Make the vectors of another embedder beside those in use; when all are there, they serve.

    ``to``: one of those that ``embeddings.get`` names as ``available``.
    """

    to: Identifier


@command
class CancelReEmbed:
    """Make no more of them; those in use stay."""


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
    changed_at: Instant | None


@dataclass(frozen=True)
class _Shown:
    done: int
    changed_at: datetime


async def get(_command: GetEmbeddings, ctx: Context) -> Embeddings:
    """As it holds for this call."""
    now = ctx.policy.embedding
    shown = await ctx.unit.one(_Shown, "embedding_shown")
    return Embeddings(
        embedder=ctx.embedder.name,
        available=tuple(one.name for one in ctx.embedders.values()),
        calibrated=now.calibrated,
        state=now.state,
        other=None if now.state == "settled" else ctx.embedder_of(now.other).name,
        done=0 if shown is None else shown.done,
        changed_at=None if shown is None else shown.changed_at,
    )


async def re_embed(command: ReEmbed, ctx: Context) -> Embeddings:
    """Raises InvalidInput for one that this service has not, Conflict where it is in use already or
    others are being made or removed.
    """
    named = {one.name: name for name, one in ctx.embedders.items()}
    if command.to not in named:
        raise InvalidInput(faults=[Fault("/to", "is no embedder that this service has")])
    begun = await begin(ctx, named[command.to])
    ctx.trail.detail |= {"embedder": command.to, "state": begun.state}
    return await _after(ctx, command.to, begun.state)


async def cancel(_command: CancelReEmbed, ctx: Context) -> Embeddings:
    """Raises Conflict where none are being made."""
    stopped = await give_up(ctx)
    ctx.trail.detail |= {"embedder": ctx.embedder_of(stopped.other).name, "state": stopped.state}
    return await _after(ctx, ctx.embedder_of(stopped.other).name, stopped.state)


async def _after(
    ctx: Context, other: str, state: Literal["settled", "building", "clearing"]
) -> Embeddings:
    shown = await ctx.unit.one(_Shown, "embedding_shown")
    return Embeddings(
        embedder=ctx.embedder.name,
        available=tuple(one.name for one in ctx.embedders.values()),
        calibrated=ctx.policy.embedding.calibrated,
        state=state,
        other=other,
        done=0 if shown is None else shown.done,
        changed_at=None if shown is None else shown.changed_at,
    )


OPERATIONS = (
    Operation(
        name="embeddings.get",
        summary="Show whose vectors are in use",
        command=GetEmbeddings,
        result=Embeddings,
        handler=get,
        effect=Effect.READ,
        verb="operate",
        layer="governance",
        http=Http("GET", "/v1/embeddings"),
    ),
    Operation(
        name="embeddings.re_embed",
        summary="Go over to another embedder",
        command=ReEmbed,
        result=Embeddings,
        handler=re_embed,
        effect=Effect.WRITE,
        verb="operate",
        layer="governance",
        http=Http("POST", "/v1/embeddings"),
        errors=(Conflict,),
    ),
    Operation(
        name="embeddings.cancel",
        summary="Stop going over to another embedder",
        command=CancelReEmbed,
        result=Embeddings,
        handler=cancel,
        effect=Effect.WRITE,
        verb="operate",
        layer="governance",
        http=Http("POST", "/v1/embeddings/cancel"),
        errors=(Conflict,),
    ),
)
