"""context.get: which ids were in a context, and which were not."""

from dataclasses import dataclass
from typing import get_args
from uuid import UUID

from muniment.domain.assembly import Section
from muniment.errors import Forbidden, NotFound
from muniment.operations.context_items import ContextTier, DroppedItem, dropped_of
from muniment.operations.items import readable_tiers
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Identifier, Instant, RecallTier, command
from muniment.ports import Context
from muniment.records.trail import logged_context


@command
class GetContext:
    """A context that was assembled for a user."""

    user_id: Identifier
    context_id: UUID


@dataclass(frozen=True)
class LoggedItem:
    """An item that was in a context, and where."""

    id: UUID
    tier: ContextTier
    section: Section
    score: float | None


@dataclass(frozen=True)
class ContextRecord:
    """What is kept of a context: which ids were in it, in the order of its text, and which were
    not, and why, as far as the layers of the key reach. The text is not kept.
    """

    context_id: UUID
    at: Instant
    session_id: str | None
    run_id: str | None
    step: int | None
    agent_id: str | None
    as_of: Instant
    known_at: Instant
    watermark: Instant
    budget: Count
    tokens: Count
    counter: str
    items: tuple[LoggedItem, ...]
    dropped: tuple[DroppedItem, ...]


async def get(command: GetContext, ctx: Context) -> ContextRecord:
    """One without a run is there a second after it was assembled. Raises NotFound."""
    tiers = readable_tiers(ctx, None, get_args(RecallTier)) | ({"run"} & ctx.caller.layers)
    found = await logged_context(ctx, command.user_id, command.context_id)
    if found is None:
        raise NotFound("There is no such context.")
    return ContextRecord(
        context_id=found.recall_id, at=found.at, session_id=found.session_id,
        run_id=found.run_id, step=found.step, agent_id=found.agent_id, as_of=found.as_of,
        known_at=found.known_at, watermark=found.watermark, budget=found.budget,
        tokens=found.tokens, counter=found.counter,
        items=tuple(
            LoggedItem(UUID(one["id"]), one["tier"], one["section"], one["score"])
            for one in found.items
            if one["tier"] in tiers
        ),
        dropped=dropped_of(one for one in found.dropped if one["tier"] in tiers),
    )  # fmt: skip


OPERATIONS = (
    Operation(
        name="context.get",
        summary="Show what was in a context, and what was left out",
        command=GetContext,
        result=ContextRecord,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer=None,
        http=Http("GET", "/v1/users/{user_id}/contexts/{context_id}"),
        errors=(Forbidden, NotFound),
    ),
)
