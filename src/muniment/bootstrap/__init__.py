"""The composition root: the one package that knows which adapters a process works with."""

import asyncio
import contextlib
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from procrastinate import App
from psycopg import sql

from muniment.bootstrap.addresses import admin_conninfo as admin_conninfo
from muniment.bootstrap.addresses import conninfo as conninfo
from muniment.bootstrap.units import opened_units
from muniment.domain.policy import Policy, PolicyError
from muniment.domain.text import analyzer_for
from muniment.errors import BadSetting, StartRefused, Unauthenticated
from muniment.operations.dispatch import Dispatch
from muniment.operations.keys import ADMIN
from muniment.ports import Extractor, World
from muniment.postgres.checks import (
    clock_problem,
    erasures_problem,
    models_problem,
    passes_problem,
    reasons,
    rereviews_problem,
    seals_problem,
    worker_problem,
)
from muniment.postgres.distribute import distribute
from muniment.postgres.distribute import distribution as distribution_of
from muniment.postgres.embedded import APP, WORKER
from muniment.postgres.index_cache import IndexCache
from muniment.postgres.migrate import (
    Admin,
    Migration,
    as_owner,
    differences,
    migrate,
    one_value,
    run,
)
from muniment.postgres.migrate import MigrationStatus as MigrationStatus
from muniment.postgres.migrate import migration_status as migration_status
from muniment.postgres.pool import opened_first
from muniment.postgres.queries import admin_queries, named_queries
from muniment.postgres.queue import JobQueue, queue_app
from muniment.postgres.quota import QuotaLimits, StorageQuotas
from muniment.postgres.recall_buffer import RecallBuffer
from muniment.postgres.replica import FollowedUnits
from muniment.postgres.schema_state import SchemaState
from muniment.postgres.start import await_database
from muniment.postgres.unit_of_work import PostgresUnits
from muniment.postgres.warm import warm
from muniment.postgres.watched import (
    KnowledgeWatched,
    RunsWatched,
    open_rereviews,
    seal_lag,
    stopped_passes,
)
from muniment.providers.drills import drill_at
from muniment.providers.erasure_ledger import FileLedger, LedgerWatch
from muniment.providers.extractors import made_extractor, model_adapter
from muniment.providers.models import (
    embedder_names,
    made_embedders,
    made_reranker,
    sentence_library,
)
from muniment.providers.rate_limits import RateLimits
from muniment.providers.redactor import SecretRedactor
from muniment.providers.secret_file import read_secret, write_secret
from muniment.providers.signing import Ed25519Signer, append_lines
from muniment.providers.static_embedder import StaticEmbedder
from muniment.providers.static_words import StaticWords
from muniment.providers.system import SystemClock, SystemEntropy, TimeOrderedIds
from muniment.providers.threads import one_numeric_thread
from muniment.providers.token_counter import token_counter
from muniment.records.credentials import key_values, new_token, read_token
from muniment.records.run_places import KnownPlaces
from muniment.records.tenant_policy import KnownPolicies
from muniment.settings import Settings
from muniment.worker.loop import MISSED_HEARTBEATS as MISSED_HEARTBEATS
from muniment.worker.loop import keep_retrying_stalled, keep_sealing, register_duties

_MIB = 2**20
_SCHEMA_SECONDS, _SEAL_SECONDS = 15.0, 5.0
_DEFAULT_TENANT = "default_tenant"


Watch = Callable[[Mapping[str, tuple[str, Callable[[], float]]]], None]


@dataclass(frozen=True)
class Installed:
    """What an installation did: migrations, and whether it made the first admin key."""

    applied: list[Migration]
    new_key: bool


def load_policy(settings: Settings) -> Policy:
    """The policy of this installation. Raises BadSetting for one that breaks a rule."""
    default = files("muniment.policy") / "default.toml"
    try:
        text = (settings.policy_file or default).read_text(encoding="utf-8")
        return Policy.parse(tomllib.loads(text))
    except OSError as error:
        raise BadSetting(
            f"The policy file cannot be read: {error.strerror}.",
            cure="Set MUNIMENT_POLICY_FILE to a readable file, or leave it unset.",
        ) from error
    except (PolicyError, ValueError) as error:
        what = error if isinstance(error, PolicyError | tomllib.TOMLDecodeError) else "not UTF-8"
        raise BadSetting(
            f"The policy in MUNIMENT_POLICY_FILE is not valid: {what}.",
            cure="Correct it, then start again.",
        ) from error


def install(settings: Settings, admin: Admin) -> Installed:
    """Bring the database to this build's schema; make the first tenant and its admin key.

    ``admin`` is an administrator's connection in autocommit.
    """
    now = SystemClock().now()
    done = migrate(admin, partitions=settings.partitions, now=now)
    # Settled for itself: a key file that a kill leaves below names the tenant already.
    with as_owner(admin):
        run(admin, "setting_settle", name=_DEFAULT_TENANT, value=str(new_ids().new()))
    with _as_default_tenant(admin) as tenant_id:
        fresh = not one_value(admin, "tenant_exists", tenant_id=tenant_id)
        if fresh:
            given = {"tenant_id": tenant_id, "name": "default", "now": now}
            admin.execute(named_queries()["tenant_insert"], given)
            _issue_admin_key(settings, admin, tenant_id)
    return Installed(done, new_key=fresh)


def new_admin_key(settings: Settings, admin: Admin) -> None:
    """A further admin key of the default tenant, in ``settings.admin_key_file``."""
    with _as_default_tenant(admin) as tenant_id:
        _issue_admin_key(settings, admin, tenant_id)


@contextlib.contextmanager
def _as_default_tenant(admin: Admin) -> Iterator[UUID]:
    """A transaction of the default tenant; two of them follow one another."""
    with as_owner(admin):
        found = one_value(admin, "setting_lock", name=_DEFAULT_TENANT)
        if found is None:
            raise StartRefused("There is no tenant yet.", cure="Run 'muniment db migrate'.")
        admin.execute(sql.SQL(admin_queries()["become_tenant"]).format(found))
        yield UUID(found)


def _issue_admin_key(settings: Settings, admin: Admin, tenant_id: UUID) -> None:
    """The key is in its file, mode 0600, before it counts."""
    _refuse_key_of_others(settings.admin_key_file, tenant_id)
    token = new_token(tenant_id, new_ids().new(), SystemEntropy())
    values = key_values(token, ADMIN, now=SystemClock().now(), created_by=None)
    admin.execute(named_queries()["key_insert"], {"tenant_id": tenant_id, **values})
    write_secret(settings.admin_key_file, str(token))


def _refuse_key_of_others(file: Path, tenant_id: UUID) -> None:
    """Two databases do not share a key file. Raises BadSetting."""
    try:
        kept = read_secret(file)
        ours = kept is None or read_token(kept).tenant_id == tenant_id
    except Unauthenticated:
        ours = False
    if not ours:
        raise BadSetting(
            f"The key file {file} holds the key of another database.",
            cure="Move it away, or set MUNIMENT_DATA_DIR to a directory for this database alone.",
        )


def distribution(admin: Admin, *, shards: int, execute: bool) -> list[str]:
    """The statements that distribute the tables over the nodes of Citus, run if that is asked."""
    return (distribute if execute else distribution_of)(admin, shards=shards)


def schema_differences(admin: Admin) -> list[str]:
    """How the schema differs from this build's, a line each."""
    return differences(admin)


@contextlib.asynccontextmanager
async def opened_world(settings: Settings, role: str) -> AsyncIterator[World]:
    """Everything that a process of the service works with, as one database role."""
    clock, entropy = SystemClock(settings.clock_shift_seconds), SystemEntropy()
    one_numeric_thread()
    embedder = StaticEmbedder()
    models = made_embedders(settings.embedding_directories)
    async with opened_units(settings, role) as units, opened_extractor(settings) as extractor:
        recalls = RecallBuffer(units)
        schema = SchemaState(0)
        await schema.refresh(units)
        tasks = [asyncio.create_task(recalls.run()), asyncio.create_task(_watch(schema, units))]
        try:
            yield World(
                units=units,
                clock=clock,
                ids=TimeOrderedIds(clock, entropy),
                entropy=entropy,
                policy=load_policy(settings),
                policies=KnownPolicies(),
                embedder=embedder,
                embedders={None: embedder, **{one.name: one for one in models}},
                reranker=made_reranker(**settings.reranker_choice),
                words=StaticWords(embedder),
                tokens=token_counter(settings.tokenizer_file, embedder),
                redactor=SecretRedactor(),
                extractor=extractor,
                indexes=IndexCache(settings.index_cache_mib * _MIB),
                places=KnownPlaces(),
                queue=JobQueue(),
                recalls=recalls,
                quotas=StorageQuotas(_quota_limits(settings), schema, _watched_dir(settings)),
                limiter=_rate_limits(settings, clock),
                schema=schema,
                ledger=FileLedger(settings.ledger_file),
                drill=drill_at(settings.kill_at),
                signer=Ed25519Signer(settings.audit_files[0]),
                seal_seconds=_SEAL_SECONDS,
            )
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def opened_extractor(settings: Settings) -> contextlib.AbstractAsyncContextManager[Extractor]:
    """What proposes memories, as the settings say. Raises BadSetting without what models need."""
    return made_extractor(settings.model_choice, SystemEntropy().bytes)


async def _watch(schema: SchemaState, units: PostgresUnits) -> None:
    """While an upgrade is under way, notice when the database has this build's schema."""
    while not schema.is_head:
        await asyncio.sleep(_SCHEMA_SECONDS)
        await schema.refresh(units)


def _quota_limits(settings: Settings) -> QuotaLimits:
    user, tenant = settings.quota_user_mib, settings.quota_tenant_mib
    return QuotaLimits(
        user_bytes=None if user is None else user * _MIB,
        tenant_bytes=None if tenant is None else tenant * _MIB,
        free_bytes=settings.disk_reserve_mib * _MIB,
    )


def _watched_dir(settings: Settings) -> Path | None:
    """Where the embedded server keeps its data; an external one's disk is not ours to see."""
    return settings.data_dir if settings.database_url is None else None


def _rate_limits(settings: Settings, clock: SystemClock) -> RateLimits:
    try:
        return RateLimits(settings.rate_limit_key, settings.rate_limit_tenant, clock)
    except ValueError as error:
        raise BadSetting(
            "MUNIMENT_RATE_LIMIT_KEY or MUNIMENT_RATE_LIMIT_TENANT is not a rate.",
            cure='Write it like "6000/minute", or leave it empty for none.',
        ) from error


@contextlib.asynccontextmanager
async def opened_dispatch(settings: Settings, watch: Watch) -> AsyncIterator[Dispatch]:
    """What the API process serves; ``watch`` is given the figures of its caches and buffers."""
    async with opened_world(settings, APP) as world:
        stopped, lag = stopped_passes(world.units), seal_lag(world.units)
        waiting, runs = open_rereviews(world.units), RunsWatched(world.units, world.clock)
        if isinstance(world.indexes, IndexCache) and isinstance(world.recalls, RecallBuffer):
            watch({**world.indexes.figures(), **world.recalls.figures()})
        if isinstance(world.units, FollowedUnits):
            watch(world.units.replica.figures())
        _read_words(world)
        await warm(world.units, opened_first(settings.pool_size))
        watched = (stopped, lag, waiting, runs, KnowledgeWatched(world.units))
        for one in watched:
            watch(one.figures())
        async with _beside(*(one.run() for one in watched)):
            yield Dispatch(world)


def _read_words(world: World) -> None:
    """Read what the first recall would wait for. Raises StartRefused where it is not installed."""
    world.embedder.embed(["memory"])
    world.words.related("memory", analyzer_for())


@contextlib.asynccontextmanager
async def _beside(*running: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """What runs beside the block; at its end each is told to stop and waited for."""
    tasks = [asyncio.create_task(one) for one in running]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def opened_worker(settings: Settings) -> AsyncIterator[App]:
    """The queue's application with every duty registered, ready to run."""
    app = queue_app(conninfo(settings, WORKER), size=settings.worker_concurrency + 2)
    async with opened_world(settings, WORKER) as world:
        register_duties(app, world)
        heartbeat = settings.worker_heartbeat_seconds
        heads = partial(append_lines, settings.audit_files[1])
        async with (
            _beside(keep_retrying_stalled(world, heartbeat), keep_sealing(world, heads)),
            app.open_async(),
        ):
            yield app


def new_ids() -> TimeOrderedIds:
    """Identifiers for what happens outside a transaction, such as requests."""
    return TimeOrderedIds(SystemClock(), SystemEntropy())


def random_bytes(count: int) -> bytes:
    """Random bytes fit for secrets."""
    return SystemEntropy().bytes(count)


def check_settings(settings: Settings) -> None:
    """Whatever a process would find wrong with them without a database. Raises BadSetting."""
    load_policy(settings)
    token_counter(settings.tokenizer_file)
    if settings.model_choice is not None:
        model_adapter()
    reranker = [] if settings.reranker_model is None else [settings.reranker_model]
    sentence_library([*settings.embedding_directories, *reranker])
    _rate_limits(settings, SystemClock())


def await_databases(settings: Settings, *, api: bool = False, worker: bool = False) -> None:
    """Wait for the database and check it as these processes need it. Raises StartRefused."""
    policy, within = load_policy(settings), timedelta(seconds=settings.database_wait_seconds)
    roles = [role for role, wanted in ((APP, api), (WORKER, worker)) if wanted]
    for place, role in [(conninfo(settings, role), role) for role in roles]:
        await_database(place, role, policy, within)


def readiness(settings: Settings) -> Callable[[], Awaitable[Mapping[str, str]]]:
    """What keeps the service from serving, by name; empty when nothing does."""
    policy, clock = load_policy(settings), SystemClock(settings.clock_shift_seconds)
    quotas = StorageQuotas(_quota_limits(settings), SchemaState(0), _watched_dir(settings))
    ledger = LedgerWatch(settings.ledger_file)
    models = embedder_names(settings.embedding_directories)

    def look() -> Mapping[str, str]:
        found: dict[str, str | None] = {}
        try:
            with psycopg.connect(
                conninfo(settings, APP), autocommit=True, connect_timeout=2
            ) as connection:
                found |= reasons(connection, policy, APP)
                found["clock"] = clock_problem(connection, clock.now())
                found["worker"] = worker_problem(connection)
                found["passes"] = passes_problem(connection)
                found["rereviews"] = rereviews_problem(connection)
                found["models"] = models_problem(connection, models)
                found["seals"] = seals_problem(connection)
                found["erasure_ledger"] = erasures_problem(connection, ledger.problem)
        except psycopg.Error as error:
            found["database"] = f"The database does not answer ({type(error).__name__})."
        if quotas.disk_is_full():
            found["disk"] = "The disk is full: writes are refused, reads go on."
        return {name: what for name, what in found.items() if what is not None}

    return partial(asyncio.to_thread, look)
