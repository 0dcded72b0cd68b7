"""What is noted of an answer: the log, and the clock of use of its items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from typing import Any
from uuid import UUID

from muniment.ports import Context, RecallRecord, ScopeRow
from muniment.records.sessions import find_session


@dataclass(frozen=True)
class ContextNote:
    """What is noted of a context besides: its tokens, and what was left out."""

    budget: int
    tokens: int
    counter: str
    dropped: Sequence[Mapping[str, Any]]

    @property
    def columns(self) -> dict[str, Any]:
        """It as fields of the record."""
        return vars(self) | {"dropped": dumps(list(self.dropped))}


@dataclass(frozen=True)
class Told:
    """An answer: for whom, of when, and which items of which scopes."""

    recall_id: UUID
    user_id: str
    session_id: str | None
    run_id: str | None
    step: int | None
    agent_id: str | None
    tiers: Sequence[str]
    k: int
    as_of: datetime
    known_at: datetime
    watermark: datetime
    items: Sequence[Mapping[str, Any]]
    used: Sequence[tuple[UUID, UUID]]
    user_watermark: datetime | None = None
    org_watermark: datetime | None = None
    context: ContextNote | None = None


def logged_item(
    item_id: UUID,
    tier: str,
    score: float | None,
    document: tuple[UUID, int] | None = None,
    section: str | None = None,
) -> dict[str, Any]:
    """An item as the log has it; of a chunk its document: another version has other chunks."""
    logged: dict[str, Any] = {"id": str(item_id), "tier": tier, "score": score}
    if document is not None:
        logged |= {"document": str(document[0]), "version": document[1]}
    return logged if section is None else logged | {"section": section}


async def note_recall(ctx: Context, scopes: Sequence[ScopeRow], told: Told) -> None:
    """With a run the log goes out with the commit of the answer; otherwise it follows in batches,
    as the use of items does.
    """
    if not scopes:
        return
    session = None
    if told.session_id is not None and scopes[0].level == "user":
        session = await find_session(ctx, scopes[0].scope_id, told.session_id)
    unknown = scopes[0].level != "user"
    # A forget would not find what waits for its batch: it keeps no word of the caller's.
    waits = unknown and told.run_id is None
    record = RecallRecord(
        tenant_id=ctx.unit.tenant_id,
        scope_id=scopes[0].scope_id,
        recall_id=told.recall_id,
        at=ctx.now,
        key_id=ctx.caller.key_id,
        session_pk=None if session is None else session.session_pk,
        user_key=ctx.digest(told.user_id) if unknown else None,
        run_id=told.run_id,
        step=told.step,
        agent_id=None if waits else told.agent_id,
        tiers=sorted(told.tiers),
        k=told.k,
        as_of=told.as_of,
        known_at=told.known_at,
        watermark=told.watermark,
        abstained=not told.items,
        items=list(told.items),
        user_watermark=told.user_watermark,
        org_watermark=told.org_watermark,
        **({} if told.context is None else told.context.columns),
    )
    if told.run_id is not None:
        await ctx.unit.later("recall_insert", **record.columns())
    else:
        ctx.unit.after_commit(lambda: ctx.recalls.add(record))
    if told.used:
        used, tenant_id, now = list(told.used), ctx.unit.tenant_id, ctx.now
        ctx.unit.after_commit(lambda: ctx.recalls.use(tenant_id, used, now))
