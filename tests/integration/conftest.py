"""Fixtures for tests against real PostgreSQL."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from muniment.postgres.embedded import APP, WORKER
from muniment.postgres.pool import Pool
from tests.integration.curating import Curator, curating
from tests.support.databases import Database
from tests.support.world import Local, Tenant, local_service


@pytest_asyncio.fixture
async def service(
    database: Database, pools: dict[str, Pool], request: pytest.FixtureRequest
) -> AsyncIterator[Local]:
    """A service in this process, as the app role."""
    seed = request.node.nodeid
    async with local_service(database.conninfo(), seed=seed, pool=pools[APP]) as made:
        yield made


@pytest_asyncio.fixture
async def worker(
    database: Database, pools: dict[str, Pool], service: Local, request: pytest.FixtureRequest
) -> AsyncIterator[Local]:
    """The same as the worker role, on the same clock."""
    seed = f"worker {request.node.nodeid}"
    async with local_service(database.conninfo(WORKER), seed=seed, pool=pools[WORKER]) as made:
        made.clock.moment = service.clock.moment
        yield made


@pytest_asyncio.fixture
async def tenant(service: Local) -> Tenant:
    """A tenant of its own."""
    return await service.tenant()


@pytest_asyncio.fixture
async def curator(own_database: Database, request: pytest.FixtureRequest) -> AsyncIterator[Curator]:
    """For duties that go over every tenant: each test has a database of its own."""
    async with curating(own_database, request.node.nodeid) as made:
        yield made
