"""Sealing audit entries into the chain of their tenant, and checking it (RULES 15.1)."""

import asyncio
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from muniment.domain.sealing import (
    GENESIS,
    MOST_FINDINGS,
    ChainCheck,
    EntryText,
    Seal,
    Signer,
    chained,
    head_message,
)
from muniment.domain.timeline import EPOCH
from muniment.errors import MunimentError, Overtaken
from muniment.ports import Unit, World

LONGEST_WAIT = timedelta(seconds=60)
"""An entry that waits for its seal longer than this is something wrong."""
_LOOK_SECONDS = 0.1
_IN_VAIN = timedelta(seconds=60)
_AT_ONCE = 1000


@dataclass(frozen=True)
class Head:
    """The last seal of a chain; before the first one ``seq`` is 0."""

    seq: int = 0
    hash: bytes = GENESIS
    sealed_at: datetime | None = None


@dataclass(frozen=True)
class SealedRow:
    """A seal beside its entry; without one the columns of the entry are empty."""

    seal_tenant: str
    seq: int
    seal_entry: str
    digest: bytes
    previous: bytes
    hash: bytes
    sealed_at: str
    tenant_id: str | None
    entry_id: str | None
    at: str | None
    operation: str | None
    effect: str | None
    key_id: str | None
    request: str | None
    subjects: str | None
    detail: str | None
    changes: str | None

    def seal(self) -> Seal:
        """The seal."""
        return Seal(
            self.seal_tenant, self.seq, self.seal_entry, self.digest, self.previous, self.hash,
            self.sealed_at,
        )  # fmt: skip

    def entry(self) -> EntryText | None:
        """The entry that it names."""
        if self.entry_id is None:
            return None
        return EntryText(**{one.name: getattr(self, one.name) for one in fields(EntryText)})


@dataclass(frozen=True)
class _Unsealed:
    entry_id: str
    pending: bool


async def seal_some(unit: Unit, now: datetime, limit: int) -> int:
    """Seal what waits in the unit's tenant, so many; returns how many.

    Raises Overtaken where another sealer was there first: nothing is sealed then.
    """
    entries = await unit.rows(EntryText, "pending_entries", limit=limit)
    if not entries:
        return 0
    head = await chain_head(unit)
    seals = chained(entries, head.seq, head.hash, now)
    done = await unit.value(
        "seals_insert",
        seqs=[one.seq for one in seals],
        entry_ids=[UUID(one.entry_id) for one in seals],
        digests=[one.digest for one in seals],
        previouses=[one.previous for one in seals],
        hashes=[one.hash for one in seals],
        sealed_at=now,
    )
    if done != len(seals):
        raise Overtaken("Another sealer was there first.")
    return len(seals)


async def chain_head(unit: Unit) -> Head:
    """The head of the tenant's chain as it stands."""
    return await unit.one(Head, "chain_head") or Head()


def signed_head(signer: Signer, tenant_id: UUID, head: Head) -> dict[str, Any]:
    """A head with its signature, as JSON has it."""
    message = head_message(str(tenant_id), head.seq, head.hash, head.sealed_at)
    return {
        "tenant_id": str(tenant_id),
        "seq": head.seq,
        "hash": head.hash.hex(),
        "sealed_at": None if head.sealed_at is None else head.sealed_at.isoformat(),
        "public_key": signer.public_key(),
        "signature": signer.sign(message),
    }


async def check_chain(unit: Unit, start: Head, known: Head | None) -> ChainCheck:
    """The chain behind ``start``, which is trusted, against a head that was known before."""
    check = ChainCheck(start.seq, start.hash)
    if start.seq:
        await _meets(unit, check, start)
    while True:
        rows = await unit.rows(SealedRow, "seals_after", after=check.seq, limit=_AT_ONCE)
        for row in rows:
            check.see(row.seal(), row.entry())
        if len(rows) < _AT_ONCE:
            break
    if known is not None and known.seq > check.seq:
        check.note("truncated", check.seq + 1)
    elif known is not None and known.seq and known != start:
        await _meets(unit, check, known)
    for one in await unit.rows(
        _Unsealed, "unsealed", longest=LONGEST_WAIT, limit=MOST_FINDINGS + 1
    ):
        check.note("pending_too_long" if one.pending else "not_sealed", entry_id=one.entry_id)
    return check


async def _meets(unit: Unit, check: ChainCheck, head: Head) -> None:
    """The chain has this head where it says that it is."""
    if await unit.value("seal_at", seq=head.seq) != head.hash:
        check.note("head_differs", head.seq)


class SealWait:
    """Waits for the seal of an entry. After a wait in vain nobody waits for a minute: a worker
    that is away does not hold up every call.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._in_vain_until = EPOCH

    async def sealed(self, tenant_id: UUID, entry_id: UUID) -> bool:
        """Whether the entry was sealed in time; never raises for the lack of a seal."""
        now = self._world.clock.now()
        if now < self._in_vain_until:
            return False
        for _ in range(round(self._world.seal_seconds / _LOOK_SECONDS)):
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                async with self._world.units.open(tenant_id, reading=True) as unit:
                    if await unit.value("seal_exists", entry_id=entry_id):
                        return True
            except MunimentError:
                break
        self._in_vain_until = now + _IN_VAIN
        return False
