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
    verification: Mapping[str, Any] | None,
    held: Mapping[str, int] | None = None,
    at_once: bool = False,
) -> str:
    """Store the receipt of a forget; its digest. Without a verification it waits for a hold."""
    erased_at = None if verification is None else ctx.now
    state = "hidden" if erased_at is None else "erased"
    told = {
        "target": target, "state": state, "counts": dict(counts), "held": dict(held or {}),
        "hidden_at": hidden_at, "erased_at": erased_at, "verified": verification,
    }  # fmt: skip
    digest = receipt_digest(
        ctx.unit.tenant_id, receipt_id, told | {"scrubbed_at": None, "scrub": {}}
    )
    await ctx.unit.run(
        "receipt_insert",
        receipt_id=receipt_id,
        key_id=ctx.caller.key_id,
        at_once=at_once,
        digest=digest,
        **told,
    )
    return digest
