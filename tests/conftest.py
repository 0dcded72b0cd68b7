"""Fixtures for every kind of test: one embedded server for the whole run."""

import contextlib
import functools
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx._transports.default as transports
import psycopg
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings

from muniment.postgres.embedded import ADMIN, Postmaster
from muniment.postgres.migrate import create_database, migrate
from muniment.postgres.pool import Pool
from tests.support.cluster import place_for_servers, session_cluster
from tests.support.databases import ROLES, Database
from tests.support.preloaded import Template
from tests.support.world import START, pool_of

TEMPLATE_PROCESS = Template()
PARTITIONS = 4
TEMPLATE = "muniment_template"
# What starts processes comes first, what is quickest last: no core is left with a long file.
FOLDERS = ("e2e", "faults", "migration", "surfaces", "integration", "contract", "unit", "models")

# How fast inputs are drawn says how busy the machine is.
settings.register_profile("shared", settings.default, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")


def pytest_configure() -> None:
    """What tests start ignores no signal that ``nohup`` or a shell's ``&`` lets this run ignore."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            # What has a handler here has the default there; what is ignored here is ignored there.
            signal.signal(number, lambda _number, _frame: None)
    # A first start makes a table for each partition, and every copy of it, dump and restore has them.
    os.environ.setdefault("MUNIMENT_PARTITIONS", str(PARTITIONS))
    # What this process makes itself stays where it was: pytest keeps the last of it.
    tempfile.gettempdir()
    os.environ["TMPDIR"] = str(place_for_servers())
    TEMPLATE_PROCESS.install()
    # Each new client reads the authorities that TLS trusts, which takes longer than a call.
    shared = functools.cache(transports.create_ssl_context)  # type: ignore[attr-defined]
    transports.create_ssl_context = shared  # type: ignore[attr-defined]


def pytest_unconfigure() -> None:
    """The template process ends with the run."""
    TEMPLATE_PROCESS.close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """By folder, each in its random order."""
    root = Path(__file__).parent
    items.sort(key=lambda item: FOLDERS.index(item.path.relative_to(root).parts[0]))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postmaster]:
    """An embedded server, started at its first use."""
    with session_cluster(durable=False) as postmaster:
        yield postmaster


@pytest.fixture(scope="session")
def template(cluster: Postmaster) -> str:
    """A database with this build's schema, to copy."""
    with psycopg.connect(cluster.conninfo(ADMIN, "postgres"), autocommit=True) as connection:
        create_database(connection, TEMPLATE)
    with psycopg.connect(cluster.conninfo(ADMIN, TEMPLATE), autocommit=True) as connection:
        migrate(connection, partitions=PARTITIONS, now=START)
    cluster.ensure_login_roles()
    return TEMPLATE


@pytest.fixture(scope="session")
def database(cluster: Postmaster, template: str) -> Database:
    """The database that tests share; each makes a tenant of its own in it."""
    return Database.copy(cluster, template, "muniment_shared")


@pytest_asyncio.fixture(scope="session")
async def pools(database: Database) -> AsyncIterator[dict[str, Pool]]:
    """A pool for each role on the shared database: who comes next finds its plans made."""
    async with contextlib.AsyncExitStack() as stack:
        made = {role: pool_of(database.conninfo(role)) for role in ROLES}
        for pool in made.values():
            await stack.enter_async_context(pool)
        yield made


@pytest.fixture
def own_database(cluster: Postmaster, template: str) -> Iterator[Database]:
    """A database for one test alone."""
    made = Database.copy(cluster, template)
    yield made
    made.drop()
