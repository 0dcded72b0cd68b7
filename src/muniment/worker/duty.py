"""What the duties of the worker share: a context for one tenant, as the worker."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import structlog

from muniment.errors import MunimentError, Overtaken
from muniment.ports import Caller, Context, World
from muniment.records.credentials import WORKER_KEY
from muniment.records.passes import Duty, stop_pass
from muniment.records.tenant_policy import held_policy, taken_policy

_log = structlog.get_logger()


@dataclass(frozen=True)
class _Tenant:
    tenant_id: UUID


@asynccontextmanager
async def as_worker(
    world: World, tenant_id: UUID, *, alone: bool = False
) -> AsyncIterator[Context]:
    """One transaction of one tenant, which keeps its policy as it is until the end; ``alone`` it
    keeps every writer out as well.
    """
    async with world.units.open(tenant_id) as unit:
        yield Context.of(
            world,
            policy=await (taken_policy if alone else held_policy)(world, unit),
            caller=Caller(
                tenant_id=tenant_id,
                key_id=WORKER_KEY,
                principal="worker",
                verbs=frozenset(),
                layers=frozenset(),
                roles=frozenset(),
                user_id=None,
            ),
            now=world.clock.now(),
            unit=unit,
            request_id="worker",
        )


async def tenants(world: World) -> list[UUID]:
    """Every tenant; the worker's role alone may list them."""
    async with world.units.open(WORKER_KEY) as unit:
        return [row.tenant_id for row in await unit.rows(_Tenant, "tenant_list")]


async def in_scope(
    said: str, scope_id: UUID, work: Awaitable[int], *, forgotten: int = 0
) -> int | None:
    """What the work on a scope answers; ``forgotten`` where that went meanwhile, and None where it
    cannot be done now, which the log says under ``said``: the next run tries again.
    """
    try:
        return await work
    except Overtaken:
        return forgotten
    except MunimentError as error:
        _log.warning(said, scope_id=str(scope_id), code=error.code)
        return None


async def may_pass(ctx: Context, duty: Duty, due: int) -> bool:
    """Whether a pass may take so much of the tenant at once; one that may not alarms."""
    held = await stop_pass(ctx, duty, due)
    if held is not None:
        tenant_id = str(ctx.unit.tenant_id)
        _log.error("pass_stopped", duty=duty, tenant_id=tenant_id, due=due, held=held)
    return held is None
