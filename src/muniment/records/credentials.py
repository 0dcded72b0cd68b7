"""API keys: a token names its tenant and key, and proves itself by a secret kept as a hash."""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.latest import Latest
from muniment.domain.trust import Role
from muniment.errors import Overtaken, Unauthenticated
from muniment.ports import Caller, Context, Entropy, Sure, Unit

WORKER_KEY = UUID(int=0)
"""Stands for the worker where an entry names a key."""
_PREFIX = "mnm_"
_SECRET_BYTES = 32
_TOKEN = re.compile(f"{_PREFIX}([a-z2-7]{{52}})_([a-z2-7]{{52}})")
# The digits of base 32 as ``int`` has them, which reads it many times faster than ``base64``.
_DIGITS = str.maketrans("abcdefghijklmnopqrstuvwxyz234567", "0123456789abcdefghijklmnopqrstuv")


@dataclass(frozen=True)
class Token:
    """A key as its holder has it. The tenant counts only once the secret was verified."""

    tenant_id: UUID
    key_id: UUID
    secret: bytes

    @property
    def secret_hash(self) -> bytes:
        """SHA-256: the secret has 256 random bits, so nothing slower is called for."""
        return hashlib.sha256(self.secret).digest()

    def __str__(self) -> str:
        return f"{_PREFIX}{_b32(self.tenant_id.bytes + self.key_id.bytes)}_{_b32(self.secret)}"


@dataclass(frozen=True)
class KeyRow:
    """A key as it is stored, for authentication, and which policy its tenant has."""

    key_id: UUID
    principal: str
    secret_hash: bytes
    verbs: list[str]
    layers: list[str]
    roles: list[Role]
    gates: list[str]
    user_id: str | None
    expires_at: datetime | None
    revoked_at: datetime | None
    policy_revision: int

    @property
    def told_apart(self) -> dict[str, Any]:
        """What ``key_is_still`` compares."""
        return {
            "key_id": self.key_id,
            "principal": self.principal,
            "revoked_at": self.revoked_at,
            "policy_revision": self.policy_revision,
        }

    def proved_by(self, token: Token, now: datetime) -> bool:
        """True if the token has the key's secret and the key still holds."""
        if self.revoked_at is not None or (self.expires_at is not None and self.expires_at <= now):
            return False
        return hmac.compare_digest(self.secret_hash, token.secret_hash)

    def caller(self, tenant_id: UUID) -> Caller:
        """What the key may do, for a tenant that it was found in."""
        return Caller(
            tenant_id=tenant_id,
            key_id=self.key_id,
            principal=self.principal,
            verbs=frozenset(self.verbs),
            layers=frozenset(self.layers),
            roles=frozenset(self.roles),
            gates=frozenset(self.gates),
            user_id=self.user_id,
            expires_at=self.expires_at,
            policy_revision=self.policy_revision,
        )


def new_token(tenant_id: UUID, key_id: UUID, entropy: Entropy) -> Token:
    """A token with a fresh secret."""
    return Token(tenant_id, key_id, entropy.bytes(_SECRET_BYTES))


def read_token(text: str) -> Token:
    """Decode a token. Raises Unauthenticated for anything that is not one."""
    written = _TOKEN.fullmatch(text)
    if written is None:
        raise Unauthenticated
    ids, secret = (_unb32(part) for part in written.groups())
    return Token(UUID(bytes=ids[:16]), UUID(bytes=ids[16:]), secret)


class KnownKeys:
    """Keys that were verified in this process, the last used ``most`` of them."""

    def __init__(self, most: int = 10_000) -> None:
        self._rows: Latest[tuple[UUID, UUID], KeyRow] = Latest(most)

    async def authenticate(
        self, unit: Unit, token: Token, now: datetime, *, anew: bool = False
    ) -> Caller:
        """The caller behind a token, in a unit of the tenant that the token names.

        Raises Unauthenticated for an unknown, expired or revoked key, without saying which. For a
        known key this returns at once, and the unit's first statement asks the database again: it
        may raise Unauthenticated, or Overtaken where the key or the tenant's policy was changed.
        ``anew``: what is known does not count.
        """
        name = token.tenant_id, token.key_id
        row = self._rows.get(name)
        if anew or row is None or not row.proved_by(token, now):
            row = await unit.one(KeyRow, "key_authenticate", key_id=token.key_id)
            if row is None or not row.proved_by(token, now):
                raise Unauthenticated
        else:
            unit.provided(
                KeyRow,
                "key_authenticate",
                self._still(row, token, now),
                Sure("key_is_still", row.told_apart, lambda: self._rows.put(name, None)),
                key_id=token.key_id,
            )
        self._rows.put(name, row)
        return row.caller(token.tenant_id)

    def _still(
        self, row: KeyRow, token: Token, now: datetime
    ) -> Callable[[Sequence[KeyRow]], None]:
        def check(rows: Sequence[KeyRow]) -> None:
            found = rows[0] if rows else None
            if found == row:
                return
            self._rows.put((token.tenant_id, token.key_id), None)
            if found is None or not found.proved_by(token, now):
                raise Unauthenticated
            self._rows.put((token.tenant_id, token.key_id), found)
            raise Overtaken

        return check


@dataclass(frozen=True)
class KeyGrant:
    """What a new key may do."""

    principal: str
    verbs: Sequence[str]
    layers: Sequence[str]
    roles: Sequence[Role]
    user_id: str | None = None
    expires_at: datetime | None = None
    gates: Sequence[str] = ()


def made_by_caller(ctx: Context, key_id: UUID, principal: str | None) -> bool:
    """True if the caller's key, or one of the same principal, made what this key made: nobody
    decides on what is their own.
    """
    return key_id == ctx.caller.key_id or principal == ctx.caller.principal


def key_values(
    token: Token, grant: KeyGrant, *, now: datetime, created_by: UUID | None
) -> dict[str, Any]:
    """A new key as the parameters of ``key_insert``; the secret leaves only as its hash."""
    return {
        "key_id": token.key_id,
        "secret_hash": token.secret_hash,
        "principal": grant.principal,
        "verbs": list(grant.verbs),
        "layers": list(grant.layers),
        "roles": list(grant.roles),
        "gates": list(grant.gates),
        "user_id": grant.user_id,
        "expires_at": grant.expires_at,
        "now": now,
        "created_by": created_by,
    }


def _b32(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()


def _unb32(text: str) -> bytes:
    """What ``_b32`` wrote. Raises Unauthenticated for another spelling of the same bytes."""
    value, unused = divmod(int(text.translate(_DIGITS), 32), 16)
    if unused:
        raise Unauthenticated
    return value.to_bytes(_SECRET_BYTES)
