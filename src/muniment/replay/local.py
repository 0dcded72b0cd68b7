"""A place inside this process: the service's own code on a database, with a clock that is held."""

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from json import dumps
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from procrastinate import App
from procrastinate.jobs import Status

from muniment import bootstrap
from muniment.errors import MunimentError
from muniment.operations.dispatch import Dispatch, Request
from muniment.operations.keys import ADMIN as EVERY_RIGHT
from muniment.operations.registry import REGISTRY
from muniment.ports import Embedder, World
from muniment.postgres.embedded import ADMIN, APP, WORKER, Postmaster, Tuning, hold
from muniment.postgres.migrate import migrate
from muniment.postgres.queue import queue_app
from muniment.postgres.recall_buffer import RecallBuffer
from muniment.providers.system import SystemEntropy, TimeOrderedIds
from muniment.records.credentials import key_values, new_token
from muniment.replay.held import HeldClock, SeededEntropy
from muniment.replay.playing import Answered
from muniment.settings import Settings
from muniment.worker import (
    close_idle_sessions,
    consolidate,
    curate,
    decay,
    expire,
    expire_answers,
    gather,
    seal_audit,
)

_START = datetime(2026, 1, 1, tzinfo=UTC)
_DUTIES: Mapping[str, Callable[[World], Awaitable[int]]] = {
    "close_idle_sessions": close_idle_sessions.run_once,
    "curate": curate.run_once,
    "gather": gather.run_once,
    "decay": decay.run_once,
    "expire": expire.run_once,
    "expire_answers": expire_answers.run_once,
    "seal": seal_audit.run_once,
}


class LocalPlace:
    """Implements ``playing.Place`` through the same dispatch as every surface."""

    holds_the_clock = True

    def __init__(self, app: World, worker: World, queue: App, runner: int) -> None:
        self.app, self.worker = app, worker
        self._queue, self._runner = queue, runner
        self._dispatch = Dispatch(app)
        self._tenants: set[str] = set()
        self._plays = 0

    async def begin(self, name: str, at: datetime) -> str:
        """A new tenant with a key of every right, and the clock at that moment."""
        self._plays += 1
        for role, world in ((APP, self.app), (WORKER, self.worker)):
            if isinstance(world.entropy, SeededEntropy):
                # Not the same in a second play on one database: its tenant is another.
                world.entropy.restart(f"{name} {self._plays} {role}")
        self.move(at)
        world = self.app
        token = new_token(world.ids.new(), world.ids.new(), world.entropy)
        async with world.units.open(token.tenant_id) as unit:
            await unit.run("tenant_insert", name=name, now=at)
            await unit.run("key_insert", **key_values(token, EVERY_RIGHT, now=at, created_by=None))
        self._tenants = {str(token.tenant_id)}
        return str(token)

    def move(self, to: datetime) -> None:
        """Let it be that moment."""
        if isinstance(self.app.clock, HeldClock):
            self.app.clock.moment = to

    async def call(
        self, operation: str, arguments: Mapping[str, Any], key: str, once: str | None
    ) -> Answered:
        """Run an operation; what it wants logged is logged before this returns."""
        wanted = REGISTRY[operation]
        request = Request(token=key, request_id="replay", idempotency_key=once)
        raw = dumps(arguments).encode()
        try:
            answer = await self._dispatch(wanted, request, lambda: wanted.parse(raw, {}))
        except MunimentError as error:
            return Answered(refused=error.code)
        await self._flush()
        gives = wanted.results.dump_python(answer.result, mode="json")
        if operation == "tenants.create":
            self._tenants.add(gives["tenant_id"])
        return Answered(gives)

    async def work(self, duties: Sequence[str]) -> None:
        """Do duties at once, as the worker does them when they are due."""
        for duty in duties:
            if duty == "consolidate":
                await self._consolidate()
            else:
                await _DUTIES[duty](self.worker)
        await self._flush()

    async def _consolidate(self) -> None:
        """Every job that waits; those of plays before are let go."""
        manager = self._queue.job_manager
        while (job := await manager.fetch_job(None, self._runner)) is not None:
            ids = job.task_kwargs
            status = Status.ABORTED
            if ids["tenant_id"] in self._tenants:
                place = [UUID(str(ids[one])) for one in ("tenant_id", "scope_id", "session_pk")]
                try:
                    await consolidate.run_once(self.worker, place[0], place[1], place[2])
                    status = Status.SUCCEEDED
                except MunimentError:
                    status = Status.FAILED
            await manager.finish_job(job, status, delete_job=False)

    async def _flush(self) -> None:
        for world in (self.app, self.worker):
            if isinstance(world.recalls, RecallBuffer):
                await world.recalls.flush()


@contextlib.asynccontextmanager
async def opened_place(
    settings: Settings, embedder: Embedder | None = None
) -> AsyncIterator[LocalPlace]:
    """A place on the database that the settings name, which has this build's schema."""
    clock = HeldClock(_START)
    settings = settings.model_copy(update={"rate_limit_key": "", "rate_limit_tenant": ""})
    async with contextlib.AsyncExitStack() as stack:
        worlds = []
        for role in (APP, WORKER):
            world = await stack.enter_async_context(bootstrap.opened_world(settings, role))
            entropy = SeededEntropy(role)
            world = replace(
                world, clock=clock, entropy=entropy, ids=TimeOrderedIds(clock, entropy),
                seal_seconds=0.0, embedder=embedder or world.embedder,
                embedders={**world.embedders, None: embedder or world.embedder},
            )  # fmt: skip
            worlds.append(world)
        queue = queue_app(bootstrap.conninfo(settings, WORKER), size=1)
        await stack.enter_async_context(queue.open_async())
        runner = await queue.job_manager.register_worker()
        stack.push_async_callback(queue.job_manager.unregister_worker, runner)
        yield LocalPlace(worlds[0], worlds[1], queue, runner)


@contextlib.contextmanager
def throw_away_database(settings: Settings) -> Iterator[Settings]:
    """These settings, on an embedded server that is gone afterwards."""
    place = Path(tempfile.mkdtemp(prefix="muniment-replay-"))
    # Reachable for the system user that a server of root's runs as.
    place.chmod(0o755)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, place)
        lock = stack.enter_context(hold(place / "data"))
        tuning = Tuning(durable=False)
        postmaster = Postmaster.prepare(lock, entropy=SystemEntropy().bytes, tuning=tuning)
        stack.enter_context(postmaster.running())
        with psycopg.connect(postmaster.conninfo(ADMIN), autocommit=True) as admin:
            migrate(admin, partitions=1, now=_START)
        postmaster.ensure_login_roles()
        yield settings.model_copy(
            update={
                "data_dir": place / "data", "database_url": None, "worker_database_url": None,
                "erasure_ledger_file": None, "audit_key_file": None, "audit_heads_file": None,
            }
        )  # fmt: skip
