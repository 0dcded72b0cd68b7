"""Candidates become memories: each is decided on once, under the lock of the scope it goes to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.admission import PASSING, Admitted, admitted, digest_of
from muniment.domain.extraction import Extracted
from muniment.domain.reconcile import Outcome
from muniment.domain.text import analyzer_for
from muniment.ports import Context, ScopeMark
from muniment.records.memories import Settled, settle
from muniment.records.said import Reading
from muniment.records.scopes import lock_scope, open_scope
from muniment.records.taking_back import replace_what_is_named, take_back
from muniment.records.versions import NewMemory


@dataclass(frozen=True)
class Decided:
    """What became of a candidate, by which rule, and the memory that it concerns, if one does.

    ``made``: that memory was made for it.
    """

    candidate: Extracted
    outcome: Outcome
    rule: str
    memory_id: UUID | None = None
    made: bool = False


@dataclass(frozen=True)
class _Known:
    digest: bytes


async def decide(
    ctx: Context,
    reading: Reading,
    candidates: Sequence[Extracted],
    since: datetime | None,
    *,
    passing: bool,
) -> list[Decided]:
    """Decide on the candidates that rest on a turn recorded after ``since``: those of the kinds
    that are said in ``passing``, or those of all others.

    The caller holds the scope's lock and has seen that the session still is what was read. What
    was decided on before is left as it is.
    """
    place = {"scope_id": reading.scope_id, "session_pk": reading.session.session_pk}
    known = {row.digest for row in await ctx.unit.rows(_Known, "extraction_known", **place)}
    turns = reading.judged_by(since)
    analyzer = analyzer_for(ctx.language)
    decided: list[Decided] = []
    for candidate in candidates:
        if (candidate.kind in PASSING) is not passing:
            continue
        slot = ctx.policy.slots.get(candidate.slot or "")
        digest = digest_of(candidate, slot, reading.session.session_pk.bytes)
        if digest in known:
            continue
        worth = admitted(candidate, turns, ctx.policy, reading.user_name, analyzer)
        if worth == "nothing_new":
            continue
        known.add(digest)
        if isinstance(worth, str):
            one = Decided(candidate, "rejected", worth)
        else:
            one = await _reconciled(ctx, reading, candidate, worth)
        ctx.drill.reached("consolidation.decided")
        await ctx.unit.run(
            "extraction_insert",
            digest=digest,
            cited=[turn.event_id for turn in reading.cited(candidate.cited)],
            outcome=one.outcome,
            rule=one.rule,
            decided_at=ctx.now,
            **place,
        )
        ctx.drill.reached("consolidation.noted")
        decided.append(one)
    return decided


async def _reconciled(
    ctx: Context, reading: Reading, candidate: Extracted, worth: Admitted
) -> Decided:
    """Each candidate has a moment of its own, so that one may end what another began."""
    mark = await _mark(ctx, reading, worth)
    new = _memory(ctx, reading, candidate, worth)
    names = [name for name in (reading.user_name, *_speakers(reading)) if name]
    settled: Settled | None
    if worth.retracts:
        settled = await take_back(ctx, mark, new, names)
    elif worth.replaces is not None:
        settled = await replace_what_is_named(ctx, mark, new, worth.replaces, names)
    else:
        settled = await settle(ctx, mark, new)
    if settled is None:
        return Decided(candidate, "rejected", "nothing_to_retract")
    return Decided(candidate, settled.outcome, settled.rule, settled.memory_id, made=settled.made)


async def _mark(ctx: Context, reading: Reading, worth: Admitted) -> ScopeMark:
    """The scope that a candidate's kind belongs to, locked and moved on: the organisation's comes
    after the user's, which is locked already.
    """
    if ctx.policy.kinds[worth.kind].scope == "org":
        return await open_scope(ctx, None, reading.session.namespace)
    return await lock_scope(ctx, reading.scope_id)


def _memory(ctx: Context, reading: Reading, candidate: Extracted, worth: Admitted) -> NewMemory:
    of_org = ctx.policy.kinds[worth.kind].scope == "org"
    columns: dict[str, Any] = {
        name: getattr(worth, name)
        for name in (
            "kind", "text", "slot", "value", "data_source", "agent_id", "valid_from", "valid_to",
            "observed_at", "trust", "confidence", "importance", "category", "suspect",
        )
    }  # fmt: skip
    return NewMemory(
        **columns,
        subject=candidate.subject if of_org else worth.subject,
        detail=None,
        metadata={},
        pinned=worth.slot is not None and worth.slot.pinned,
        evidence=reading.cited(worth.cited),
        proposed_by=f"{ctx.extractor.name}: {candidate.rule}",
    )


def _speakers(reading: Reading) -> list[str]:
    return [one.name for one in reading.turns if one.role == "user" and one.name]
