"""Transactions of a process: on the database, and on a replica where the settings name one."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from muniment.bootstrap.addresses import conninfo, read_conninfo
from muniment.postgres.embedded import APP
from muniment.postgres.pool import make_pool
from muniment.postgres.replica import PATIENCE_SECONDS, FollowedUnits, ReplicaUnits, follows
from muniment.postgres.unit_of_work import PostgresUnits
from muniment.settings import Settings


@asynccontextmanager
async def opened_units(settings: Settings, role: str) -> AsyncIterator[PostgresUnits]:
    """As one database role. A replica need not answer: what it would say the database says."""
    name, size = role.removeprefix("muniment_"), settings.pool_size
    prepares = settings.prepared_statements or role != APP
    place = read_conninfo(settings) if role == APP else None
    async with AsyncExitStack() as stack:
        pool = make_pool(conninfo(settings, role), size=size, name=name, prepares=prepares)
        units = PostgresUnits(await stack.enter_async_context(pool))
        if place is not None:
            follower = make_pool(
                place, size=size, name=f"{name}-read", prepares=prepares,
                timeout=PATIENCE_SECONDS, check=follows,
            )  # fmt: skip
            replica = ReplicaUnits(await stack.enter_async_context(follower))
            stack.push_async_callback(replica.ended)
            units = FollowedUnits(pool, replica)
        stack.push_async_callback(units.ended)
        yield units
