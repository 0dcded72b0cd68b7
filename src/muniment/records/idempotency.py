"""Idempotency keys: a write that is sent again answers what it answered, and does nothing."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from muniment.errors import AlreadyDone, InFlight, KeyReused
from muniment.ports import Context
from muniment.records.passes import note_pass

KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True)
class Claim:
    """One request under one key, scoped to tenant and principal. ``ids``: what its answer names
    besides the user.

    Both are kept as digests: clients put names of people into them.
    """

    key: str
    operation: str
    digest: bytes
    user_id: str | None
    ids: tuple[UUID, ...] = ()


@dataclass(frozen=True)
class _Found:
    free: bool
    digest: bytes | None
    response: bytes | None


def digest_of(key: str, operation: str, command: Any) -> bytes:
    """SHA-256 over what was asked, as plain JSON data with sorted keys; the key is its salt."""
    return hashlib.sha256(json.dumps([key, operation, command], sort_keys=True).encode()).digest()


async def answered_before(ctx: Context, claim: Claim) -> bytes | None:
    """The stored answer, or None when the request is to be worked on.

    Raises InFlight while another transaction works on the key, KeyReused for another request
    under it, AlreadyDone where the answer was secret and is not kept.
    """
    found = await ctx.unit.one(
        _Found,
        "idempotency_find",
        lock=_lock(ctx, claim),
        principal=ctx.digest(ctx.caller.principal),
        key=ctx.digest(claim.key),
        since=_since(ctx.now),
    )
    if found is None or found.digest is None:
        if found is not None and not found.free:
            raise InFlight(extra={"retry_after": 1})
        return None
    if found.digest != claim.digest:
        raise KeyReused
    if found.response is None:
        raise AlreadyDone
    return found.response


async def keep_answer(ctx: Context, claim: Claim, response: bytes | None) -> None:
    """Keep the answer with the write. Raises InFlight if another transaction was first."""
    kept = await ctx.unit.value(
        "idempotency_store",
        principal=ctx.digest(ctx.caller.principal),
        key=ctx.digest(claim.key),
        operation=claim.operation,
        digest=claim.digest,
        user_id=claim.user_id,
        ids=list(claim.ids) or None,
        response=response,
        now=ctx.now,
        since=_since(ctx.now),
    )
    if not kept:
        raise InFlight(extra={"retry_after": 1})


async def expire_answers(ctx: Context, limit: int) -> int:
    """Remove at most so many answers whose time is over; returns how many went."""
    count = await ctx.unit.run("idempotency_expire", since=_since(ctx.now), limit=limit)
    if count:
        await note_pass(ctx, "expire_answers", answers=count)
    return count


def _since(now: datetime) -> datetime:
    return now - KEPT_FOR


def _lock(ctx: Context, claim: Claim) -> int:
    """A 63-bit name of the key for the lock; two keys with one name only wait for each other."""
    said = f"{ctx.caller.tenant_id}\0{ctx.caller.principal}\0{claim.key}".encode()
    return int.from_bytes(hashlib.sha256(said).digest()[:8]) >> 1
