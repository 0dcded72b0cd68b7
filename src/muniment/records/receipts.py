"""Receipts: what a forget erased, in numbers, and the proof that nothing names it any more."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.receipt import receipt_digest
from muniment.errors import Internal
from muniment.ports import Context
from muniment.records.ledger import Taken


@dataclass(frozen=True)
class _Rows:
    name: str
    rows: int


@dataclass(frozen=True)
class Written:
    """The digest of a receipt, and when the rows were erased, if no hold keeps any."""

    digest: str
    erased_at: datetime | None


@dataclass(frozen=True)
class _LetGo:
    receipt_id: UUID
    target: str
    counts: dict[str, int]
    held: dict[str, int]
    hidden_at: datetime
    verified: dict[str, Any]


async def verified(ctx: Context, *taken: Taken) -> dict[str, Any]:
    """Look through every table for rows that name what went, in the transaction in which it did.

    Raises Internal, so that nothing is erased by halves, if there is one.
    """
    rows = await ctx.unit.rows(
        _Rows,
        "rows_mentioning",
        scopes=sorted({place for one in taken for place in one.places}),
        ids=[named for one in taken for named in one.ids],
        names=[one.user_id for one in taken if one.user_id is not None],
    )
    left = sorted(row.name for row in rows if row.rows)
    if left:
        raise Internal(f"An erasure left rows in {', '.join(left)}; nothing was erased.")
    return {"rows": 0, "tables": sorted(row.name for row in rows), "at": ctx.now.isoformat()}


async def write_receipt(
    ctx: Context,
    receipt_id: UUID,
    target: str,
    counts: Mapping[str, int],
    *,
    hidden_at: datetime,
    verification: Mapping[str, Any],
    held: Mapping[str, int] | None = None,
    at_once: bool = False,
) -> Written:
    """Store the receipt of a forget. Of what a hold keeps it is hidden and not erased."""
    kept = await ctx.unit.value("receipt_kept", receipt_id=receipt_id)
    erased_at = None if kept else ctx.now
    told = {
        "target": target, "state": "hidden" if kept else "erased", "counts": dict(counts),
        "held": dict(held or {}), "hidden_at": hidden_at, "erased_at": erased_at,
        "verified": verification,
    }  # fmt: skip
    digest = _digest(ctx, receipt_id, told)
    await ctx.unit.run(
        "receipt_insert",
        receipt_id=receipt_id,
        key_id=ctx.caller.key_id,
        at_once=at_once,
        digest=digest,
        **told,
    )
    return Written(digest, erased_at)


async def receipts_let_go(ctx: Context) -> list[UUID]:
    """Forgets of which no hold keeps anything any more are erased: their receipts say so now."""
    moved = await ctx.unit.rows(_LetGo, "receipts_let_go")
    for one in moved:
        told = vars(one) | {"state": "erased", "erased_at": ctx.now}
        digest = _digest(ctx, told.pop("receipt_id"), told)
        given = {"receipt_id": one.receipt_id, "now": ctx.now, "digest": digest}
        await ctx.unit.value("receipt_erased", **given)
    return [one.receipt_id for one in moved]


def _digest(ctx: Context, receipt_id: UUID, told: Mapping[str, Any]) -> str:
    whole = {**told, "scrubbed_at": None, "scrub": {}}
    return receipt_digest(ctx.unit.tenant_id, receipt_id, whole)
