"""Audit entries for refusals: every one by a rule, and of keys so many a minute and key, the rest
counted.
"""

import hmac
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from muniment.domain.latest import Latest
from muniment.domain.sealing import salted
from muniment.errors import MunimentError
from muniment.ports import Trail, World
from muniment.records.credentials import KeyRow, Token

_WINDOW = timedelta(minutes=1)
_MOST_KEYS = 10_000


@dataclass(frozen=True)
class Asked:
    """What a refused call was for: an operation with its verb and layer.

    ``code``: the error's, where what was refused is not a matter of the key alone; ``trail``: what
    it was about, as far as the call came.
    """

    operation: str
    verb: str
    layer: str | None
    request_id: str
    code: str | None = None
    trail: Trail = field(default_factory=Trail)


@dataclass
class _Window:
    began: datetime
    noted: int = 0
    uncounted: int = 0


class Refusals:
    """Notes refusals of keys that proved themselves, ``most`` a minute and key in this process, and
    whatever a rule refused: that is bounded as writes are, by the rate limits.

    What is above is counted, and the key's next entry says how many: ``more``.
    """

    def __init__(self, world: World, most: int = 5) -> None:
        self._world = world
        self._most = most
        self._windows: Latest[UUID, _Window] = Latest(_MOST_KEYS)

    async def note(self, token: Token, asked: Asked) -> None:
        """Note that a call with this token was refused; never raises an error of the service.

        A token whose secret is wrong leaves no entry: anybody could write into the chain.
        """
        now = self._world.clock.now()
        window = self._window(token.key_id, now)
        of_key = asked.code is None
        if of_key and window.noted >= self._most:
            window.uncounted += 1
            return
        try:
            if await self._insert(token, asked, now, window.uncounted):
                window.noted, window.uncounted = window.noted + of_key, 0
        except MunimentError:
            window.uncounted += 1

    def _window(self, key_id: UUID, now: datetime) -> _Window:
        window = self._windows.get(key_id) or _Window(now)
        if now - window.began >= _WINDOW:
            window.began, window.noted = now, 0
        self._windows.put(key_id, window)
        return window

    async def _insert(self, token: Token, asked: Asked, now: datetime, more: int) -> bool:
        world = self._world
        async with world.units.open(token.tenant_id) as unit:
            row = await unit.one(KeyRow, "key_authenticate", key_id=token.key_id)
            if row is None or not hmac.compare_digest(row.secret_hash, token.secret_hash):
                return False
            trail = asked.trail
            detail: dict[str, Any] = {
                **trail.detail,
                "refused": asked.code or _why(row, asked, now),
            }
            await unit.run(
                "audit_insert",
                entry_id=world.ids.new(),
                at=now,
                operation=asked.operation,
                effect="refused",
                key_id=row.key_id,
                request=salted(token.tenant_id, asked.request_id),
                subjects=list(dict.fromkeys(trail.subjects)),
                detail=detail | ({"more": more} if more else {}),
                changes={},
            )
        return True


def _why(row: KeyRow, asked: Asked, now: datetime) -> str:
    if row.revoked_at is not None:
        return "revoked"
    if row.expires_at is not None and row.expires_at <= now:
        return "expired"
    if asked.verb not in row.verbs:
        return "verb"
    if asked.layer is not None and asked.layer not in row.layers:
        return "layer"
    return "rights" if row.user_id is None else "user"
