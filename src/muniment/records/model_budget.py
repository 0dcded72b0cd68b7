"""What a model proposes is paid from the tenant's tokens of the hour, counted in the database.

Every process takes from the same count: first what a call may cost at most; what it did cost is
settled afterwards. What a killed process took stays taken until the hour is over.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from uuid import UUID

from muniment.domain.extraction import Extraction, SaidTurn
from muniment.domain.slot import Slot
from muniment.errors import ModelBudgetSpent, MunimentError
from muniment.ports import World

_WINDOW = timedelta(hours=1)


async def propose(
    world: World,
    tenant_id: UUID,
    turns: Sequence[SaidTurn],
    slots: Mapping[str, Slot],
    user_name: str | None,
) -> Extraction:
    """What the extractor proposes. Call it outside any transaction: a model takes its time.

    Raises ModelBudgetSpent where the tenant's tokens of this hour are used up.
    """
    extractor = world.extractor
    most = extractor.most_tokens(turns, slots, user_name)
    if not most:
        return await extractor.propose(turns, slots, user_name)
    window = await _take(world, tenant_id, most)
    try:
        extraction = await extractor.propose(turns, slots, user_name)
    except MunimentError as error:
        await _settle(world, tenant_id, window, int(error.extra.get("tokens", 0)) - most)
        raise
    await _settle(world, tenant_id, window, extraction.tokens - most)
    return extraction


async def _take(world: World, tenant_id: UUID, tokens: int) -> datetime:
    """Take so many from the hour that it is; returns its beginning."""
    now = world.clock.now()
    window = now.replace(minute=0, second=0, microsecond=0)
    async with world.units.open(tenant_id) as unit:
        taken = await unit.value(
            "model_budget_take",
            window=window,
            tokens=tokens,
            budget=world.extractor.tokens_per_hour,
        )
    if taken is None:
        left = ceil((window + _WINDOW - now).total_seconds())
        raise ModelBudgetSpent(extra={"retry_after": left})
    return window


async def _settle(world: World, tenant_id: UUID, window: datetime, difference: int) -> None:
    async with world.units.open(tenant_id) as unit:
        await unit.run("model_budget_settle", window=window, difference=difference)
