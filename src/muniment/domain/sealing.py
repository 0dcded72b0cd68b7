"""The chain of seals over the audit entries of a tenant: its form, and what is wrong with one.

An entry and a seal are taken as texts that say every bit of them (RULES 15.1).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal, Protocol
from uuid import UUID

from muniment.domain.timeline import micros

GENESIS: Final = bytes(32)
"""What stands in the place of the hash before the first seal."""
MOST_FINDINGS: Final = 100

Wrong = Literal[
    "changed_entry", "missing_entry", "changed_seal", "broken_link", "gap", "swapped", "truncated",
    "head_differs", "head_not_signed", "not_sealed", "pending_too_long", "changed_record",
    "untold_record",
]  # fmt: skip


class Signer(Protocol):
    """Signs with Ed25519; keys and signatures are hexadecimal."""

    def public_key(self) -> str: ...

    def sign(self, message: bytes) -> str: ...

    def holds(self, public_key: str, message: bytes, signature: str) -> bool:
        """Whether the holder of that key signed this message."""
        ...


@dataclass(frozen=True, slots=True)
class EntryText:
    """An audit entry, every column as the text that PostgreSQL writes."""

    tenant_id: str
    entry_id: str
    at: str
    operation: str
    effect: str
    key_id: str
    request: str
    subjects: str
    detail: str
    changes: str  # SHA-256 of that column's text, hexadecimal

    def digest(self) -> bytes:
        """SHA-256 of the canonical form."""
        return sha256(
            _canonical(
                "muniment entry 1", self.tenant_id, self.entry_id, self.at, self.operation,
                self.effect, self.key_id, self.request, self.subjects, self.detail, self.changes,
            )
        ).digest()  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seal:
    """One place of the chain."""

    tenant_id: str
    seq: int
    entry_id: str
    digest: bytes
    previous: bytes
    hash: bytes
    sealed_at: str

    def right_hash(self) -> bytes:
        """The hash that the rest of the seal asks for."""
        return sha256(
            _canonical(
                "muniment seal 1", self.tenant_id, str(self.seq), self.entry_id,
                self.digest.hex(), self.previous.hex(), self.sealed_at,
            )
        ).digest()  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where."""

    wrong: Wrong
    seq: int | None = None
    entry_id: str | None = None
    record_id: str | None = None


def _canonical(*texts: str) -> bytes:
    """A JSON array of texts: ASCII, other characters escaped, no blanks."""
    return json.dumps(texts, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def salted(tenant_id: UUID, text: str) -> str:
    """The digest of a name that a caller chose, salted with the tenant."""
    return sha256(f"{tenant_id}\0{text}".encode()).hexdigest()


def seconds(instant: datetime | None) -> str:
    """Seconds since 1970 with six decimals, as PostgreSQL writes them; none: an empty text."""
    if instant is None:
        return ""
    whole, rest = divmod(micros(instant), 1_000_000)
    return f"{whole}.{rest:06}"


def head_message(tenant_id: str, seq: int, hash_: bytes, sealed_at: datetime | None) -> bytes:
    """What is signed of a chain's head."""
    return _canonical("muniment head 1", tenant_id, str(seq), hash_.hex(), seconds(sealed_at))


def chained(
    entries: Sequence[EntryText], seq: int, previous: bytes, sealed_at: datetime
) -> list[Seal]:
    """Seals of these entries in this order, behind the seal number ``seq`` with that hash."""
    seals = []
    for number, entry in enumerate(entries, seq + 1):
        bare = Seal(
            entry.tenant_id, number, entry.entry_id, entry.digest(), previous, b"",
            seconds(sealed_at),
        )  # fmt: skip
        seals.append(replace(bare, hash=bare.right_hash()))
        previous = seals[-1].hash
    return seals


class ChainCheck:
    """Sees the seals behind one that is trusted, in their order, and notes what is wrong."""

    def __init__(self, seq: int = 0, hash_: bytes = GENESIS) -> None:
        self.seq = seq
        self.hash = hash_
        self.seen = 0
        self.more = False
        self._found: list[Finding] = []
        self._seals: list[Seal] = []
        self._entries: list[tuple[Seal, EntryText]] = []

    def see(self, seal: Seal, entry: EntryText | None) -> None:
        """The next seal that there is, and the entry that it names."""
        if seal.seq != self.seq + 1:
            self.note("gap", self.seq + 1)
        elif seal.previous != self.hash:
            self.note("broken_link", seal.seq, seal.entry_id)
        if seal.right_hash() != seal.hash and self.note("changed_seal", seal.seq, seal.entry_id):
            self._seals.append(seal)
        if entry is None:
            self.note("missing_entry", seal.seq, seal.entry_id)
        elif entry.digest() != seal.digest and self.note("changed_entry", seal.seq, seal.entry_id):
            self._entries.append((seal, entry))
        self.seq, self.hash = seal.seq, seal.hash
        self.seen += 1

    def note(
        self, wrong: Wrong, seq: int | None = None, entry_id: str | None = None,
        record_id: str | None = None,
    ) -> bool:  # fmt: skip
        """Note what is wrong; False where the list is full, and ``more`` says so."""
        if len(self._found) >= MOST_FINDINGS:
            self.more = True
            return False
        self._found.append(Finding(wrong, seq, entry_id, record_id))
        return True

    def findings(self) -> list[Finding]:
        """What was noted; of two that only stand in each other's place it says so."""
        swapped = {("changed_seal", seq) for seq in self._swapped_seals()}
        swapped |= {("changed_entry", seq) for seq in self._swapped_entries()}
        return [
            replace(one, wrong="swapped") if (one.wrong, one.seq) in swapped else one
            for one in self._found
        ]

    def _swapped_seals(self) -> set[int]:
        seqs = [one.seq for one in self._seals]
        return {
            one.seq
            for one in self._seals
            if any(replace(one, seq=seq).right_hash() == one.hash for seq in seqs)
        }

    def _swapped_entries(self) -> set[int]:
        """Entries whose content belongs under the id of another that is wrong, too."""
        owed = {seal.digest: seal.entry_id for seal, _ in self._entries}
        return {
            seal.seq
            for seal, entry in self._entries
            if any(
                replace(entry, entry_id=other).digest() == digest
                for digest, other in owed.items()
                if other != seal.entry_id
            )
        }
