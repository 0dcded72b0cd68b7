"""What may still be stored: quotas of users and tenants, and room on the disk."""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from muniment.errors import QuotaExceeded, StorageFull
from muniment.ports import Schema, Unit

_TENANT_SECONDS = 10.0
_DISK_SECONDS = 0.5


@dataclass(frozen=True)
class QuotaLimits:
    """Most bytes of a user and of a tenant (None: no limit), and least free bytes of the disk."""

    user_bytes: int | None
    tenant_bytes: int | None
    free_bytes: int


@dataclass(frozen=True)
class _Usage:
    items: int
    bytes: int


class StorageQuotas:
    """Implements ``ports.Quotas``.

    A user's quota is exact, since writes of a scope follow one another; runs, which do not, may
    each pass it by one write. A tenant's is looked up
    every ten seconds. The disk is watched where the server is on this machine (``data_dir``):
    writes stop while PostgreSQL still has room for its own.
    """

    def __init__(
        self,
        limits: QuotaLimits,
        schema: Schema,
        data_dir: Path | None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._schema = schema
        self._data_dir = data_dir
        self._monotonic = monotonic
        self._tenants: dict[UUID, tuple[float, int]] = {}
        self._disk = (float("-inf"), False)

    async def check(self, unit: Unit, scope_id: UUID, *, grows: bool = True) -> None:
        """Raises StorageFull, or QuotaExceeded for a write by which more is stored; the caller
        holds a lock of the scope or run.
        """
        if self.disk_is_full():
            raise StorageFull
        if not grows or not self._schema.counts_usage:
            return
        if self._limits.user_bytes is not None:
            usage = await unit.one(_Usage, "usage_of_scope", scope_id=scope_id)
            if usage is not None and usage.bytes >= self._limits.user_bytes:
                raise QuotaExceeded
        most = self._limits.tenant_bytes
        if most is not None and await self._tenant_bytes(unit) >= most:
            raise QuotaExceeded

    def disk_is_full(self) -> bool:
        """True while less than the reserve is free where the database lives."""
        if self._data_dir is None:
            return False
        now = self._monotonic()
        looked, full = self._disk
        if now - looked >= _DISK_SECONDS:
            full = shutil.disk_usage(self._data_dir).free < self._limits.free_bytes
            self._disk = (now, full)
        return full

    async def _tenant_bytes(self, unit: Unit) -> int:
        now = self._monotonic()
        looked, size = self._tenants.get(unit.tenant_id, (float("-inf"), 0))
        if now - looked >= _TENANT_SECONDS:
            usage = await unit.one(_Usage, "usage_of_tenant")
            size = 0 if usage is None else usage.bytes
            self._tenants[unit.tenant_id] = (now, size)
        return size
