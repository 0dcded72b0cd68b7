"""A service inside the test's process, on the real database, with a clock that the test holds."""

import contextlib
import json
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from muniment.bootstrap import load_policy
from muniment.operations.dispatch import Answer, Dispatch, Request
from muniment.operations.keys import ADMIN
from muniment.operations.registry import REGISTRY
from muniment.ports import World
from muniment.postgres.index_cache import IndexCache
from muniment.postgres.migrate import migrations
from muniment.postgres.pool import Pool, make_pool
from muniment.postgres.queue import JobQueue
from muniment.postgres.quota import QuotaLimits, StorageQuotas
from muniment.postgres.recall_buffer import RecallBuffer
from muniment.postgres.schema_state import SchemaState
from muniment.postgres.unit_of_work import PostgresUnits
from muniment.providers.drills import NoDrill
from muniment.providers.erasure_ledger import FileLedger
from muniment.providers.rate_limits import RateLimits
from muniment.providers.redactor import SecretRedactor
from muniment.providers.rules_extractor import RulesExtractor
from muniment.providers.signing import Ed25519Signer
from muniment.providers.static_embedder import StaticEmbedder
from muniment.providers.static_words import StaticWords
from muniment.providers.system import TimeOrderedIds
from muniment.providers.token_counter import token_counter
from muniment.records.credentials import key_values, new_token
from muniment.records.run_places import KnownPlaces
from muniment.records.tenant_policy import KnownPolicies
from muniment.replay import held
from muniment.replay.held import SeededEntropy
from muniment.settings import Settings

START = datetime(2026, 6, 1, 9, tzinfo=UTC)
EMBEDDER = StaticEmbedder()
WORDS = StaticWords(EMBEDDER)
SIGNER = Ed25519Signer(Path(tempfile.mkdtemp()) / "audit.key")
SCHEMA = SchemaState(len(migrations()))


class HeldClock(held.HeldClock):
    """A clock that moves only when told to."""

    def __init__(self, moment: datetime = START) -> None:
        super().__init__(moment)

    def advance(self, **by: float) -> datetime:
        """Move on by a timedelta's arguments."""
        self.moment += timedelta(**by)
        return self.moment


@dataclass
class Tenant:
    """A tenant of its own, and its admin key."""

    service: "Local"
    tenant_id: UUID
    key: str

    async def __call__(self, operation: str, /, _as: str | None = None, **arguments: Any) -> Any:
        """Run an operation as this tenant's admin, or as the holder of the key ``_as``."""
        return (await self.service.call(operation, arguments, _as or self.key)).result

    async def once(
        self, key: str, operation: str, /, _as: str | None = None, **arguments: Any
    ) -> Answer[Any]:
        """The same under an idempotency key, with whether the answer is that of an earlier call."""
        return await self.service.call(operation, arguments, _as or self.key, key)

    async def key_for(self, **grant: Any) -> str:
        """A further key of this tenant."""
        made = await self("keys.create", **({"principal": "somebody"} | grant))
        return str(made.secret)


class Local:
    """Dispatch on the test database. Arguments go through JSON, as on every surface."""

    def __init__(self, world: World, clock: HeldClock, recalls: RecallBuffer) -> None:
        self.world = world
        self.clock = clock
        self.recalls = recalls
        self.dispatch = Dispatch(world)

    async def call(
        self, name: str, arguments: Mapping[str, Any], key: str, idempotency_key: str | None = None
    ) -> Answer[Any]:
        """Run an operation as a surface would; raises the service's errors."""
        operation = REGISTRY[name]
        raw = json.dumps(arguments, default=_plain).encode()
        request = Request(token=key, request_id="test", idempotency_key=idempotency_key)
        return await self.dispatch(operation, request, lambda: operation.parse(raw, {}))

    async def tenant(self, name: str = "tenant") -> Tenant:
        """A new tenant, made as the installation makes its first one."""
        now = self.clock.now()
        token = new_token(self.world.ids.new(), self.world.ids.new(), self.world.entropy)
        async with self.world.units.open(token.tenant_id) as unit:
            await unit.run("tenant_insert", name=name, now=now)
            await unit.run("key_insert", **key_values(token, ADMIN, now=now, created_by=None))
        return Tenant(self, token.tenant_id, str(token))


def pool_of(conninfo: str) -> Pool:
    """A pool as a service of one test has it, not open yet."""
    return make_pool(conninfo, size=6, name="test")


@contextlib.asynccontextmanager
async def local_service(
    conninfo: str,
    *,
    seed: str = "seed",
    cache_bytes: int = 2**26,
    ledger: Path | None = None,
    pool: Pool | None = None,
) -> AsyncIterator[Local]:
    """A service as the role that ``conninfo`` names; on ``pool``, which stays open, or its own."""
    clock, entropy = HeldClock(), SeededEntropy(seed)
    async with contextlib.AsyncExitStack() as stack:
        if pool is None:
            pool = await stack.enter_async_context(pool_of(conninfo))
        else:
            # A test before may have cut what lies in it.
            await pool.check()
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        units = PostgresUnits(pool)
        recalls = RecallBuffer(units)
        world = World(
            units=units,
            clock=clock,
            ids=TimeOrderedIds(clock, entropy),
            entropy=entropy,
            policy=load_policy(Settings()),
            policies=KnownPolicies(),
            embedder=EMBEDDER,
            embedders={None: EMBEDDER},
            reranker=None,
            words=WORDS,
            tokens=token_counter(None, EMBEDDER),
            redactor=SecretRedactor(),
            extractor=RulesExtractor(),
            indexes=IndexCache(cache_bytes),
            places=KnownPlaces(),
            queue=JobQueue(),
            recalls=recalls,
            quotas=StorageQuotas(QuotaLimits(None, None, 0), SCHEMA, None),
            limiter=RateLimits("", "", clock),
            schema=SCHEMA,
            ledger=FileLedger(ledger or place / "erasures"),
            drill=NoDrill(),
            signer=SIGNER,
            seal_seconds=0.0,
        )
        yield Local(world, clock, recalls)
        await units.ended()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"not JSON: {value!r}")
