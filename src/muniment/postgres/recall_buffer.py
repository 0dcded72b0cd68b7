"""Recalls on their way to the log, and uses on their way to the clock of use."""

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from uuid import UUID

import structlog

from muniment.errors import MunimentError
from muniment.ports import RecallRecord, ScopeMark, Units

WINDOW_SECONDS = 1.0
"""What a crash of an API process loses at most, of recalls made without a run."""
_CAPACITY = 10_000
_BATCH = 200
_LOOKED_AT = 2_000

_log = structlog.get_logger()


class RecallBuffer:
    """Implements ``ports.RecallLog``. ``run`` writes batches until it is cancelled."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._records: deque[RecallRecord] = deque()
        self._writing: deque[RecallRecord] = deque()
        self._uses: dict[tuple[UUID, UUID], list[tuple[UUID, datetime]]] = defaultdict(list)
        self._noting: dict[tuple[UUID, UUID], list[tuple[UUID, datetime]]] = {}
        self._wake = asyncio.Event()
        self.lost = 0

    def add(self, record: RecallRecord) -> None:
        """Log an answer soon."""
        if len(self._records) >= _CAPACITY:
            self._records.popleft()
            self.lost += 1
        self._records.append(record)
        if len(self._records) >= _BATCH:
            self._wake.set()

    def use(self, tenant_id: UUID, items: Sequence[tuple[UUID, UUID]], at: datetime) -> None:
        """Note that items, as (scope, item), were useful."""
        for scope_id, item_id in items:
            self._uses[tenant_id, scope_id].append((item_id, at))

    def waiting(self, tenant_id: UUID, session_pk: UUID) -> list[UUID]:
        """Items of a session's answers that are not logged yet, latest first."""
        lately = islice(chain(reversed(self._records), reversed(self._writing)), _LOOKED_AT)
        return [
            UUID(item["id"])
            for record in lately
            if record.session_pk == session_pk and record.tenant_id == tenant_id
            for item in record.items
        ]

    def figures(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """Figures for metrics: what each is, and how to get it."""
        return {
            "recall_log_waiting": (
                "Answers that are not logged yet.",
                lambda: len(self._records) + len(self._writing),
            ),
            "recall_uses_waiting": (
                "Uses of items that are not noted yet.",
                lambda: sum(map(len, chain(self._uses.values(), self._noting.values()))),
            ),
            "recall_log_lost_total": ("Answers that were never logged.", lambda: self.lost),
        }

    async def run(self) -> None:
        """Write a batch every second, and what is left when cancelled."""
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), WINDOW_SECONDS)
                self._wake.clear()
                await self.flush()
        finally:
            await self.flush()

    async def flush(self) -> None:
        """Write everything noted so far. What cannot be written now is tried again later."""
        records, self._records = self._records, deque()
        self._writing = records
        uses, self._uses = self._uses, defaultdict(list)
        self._noting = uses
        try:
            while records:
                await self._write_records(records[0].tenant_id, records)
            while uses:
                await self._write_uses(uses)
        except MunimentError as error:
            _log.warning("recall_log_delayed", code=error.code, records=len(records))
        finally:
            # Nothing when all was written; the rest after an error, or a stop in the middle.
            self._records.extendleft(reversed(records))
            self._writing = deque()
            self._noting = {}
            for key, items in uses.items():
                self._uses[key].extend(items)

    async def _write_records(self, tenant_id: UUID, records: deque[RecallRecord]) -> None:
        batch = [record for record in records if record.tenant_id == tenant_id][:_BATCH]
        # Scopes in the order in which a forget takes those of one user.
        batch.sort(key=lambda record: record.scope_id)
        async with self._units.open(tenant_id) as unit:
            await unit.many("recall_insert_later", [record.columns() for record in batch])
        written = {record.recall_id for record in batch}
        left = [record for record in records if record.recall_id not in written]
        records.clear()
        records.extend(left)

    async def _write_uses(self, uses: dict[tuple[UUID, UUID], list[tuple[UUID, datetime]]]) -> None:
        (tenant_id, scope_id), items = next(iter(uses.items()))
        async with self._units.open(tenant_id) as unit:
            # After a forget that is under way, so that nothing is noted of what it takes.
            await unit.one(ScopeMark, "scope_share", scope_id=scope_id)
            await unit.run(
                "access_use",
                scope_id=scope_id,
                items=[item for item, _ in items],
                ats=[at for _, at in items],
            )
        del uses[tenant_id, scope_id]
