"""Duty: the signed heads of all chains go where the database cannot reach them."""

import json
from collections.abc import Callable, MutableMapping
from uuid import UUID

from muniment.ports import World
from muniment.records.sealing import chain_head, signed_head
from muniment.worker.duty import tenants


async def run_once(
    world: World, append: Callable[[str], None], known: MutableMapping[UUID, int]
) -> int:
    """Append a line for each chain that grew since ``known``; returns how many."""
    heads = {}
    for tenant_id in await tenants(world):
        async with world.units.open(tenant_id, reading=True) as unit:
            head = await chain_head(unit)
        if head.seq > known.get(tenant_id, 0):
            heads[tenant_id] = head
    if heads:
        append(
            "".join(
                json.dumps(signed_head(world.signer, tenant_id, head)) + "\n"
                for tenant_id, head in heads.items()
            )
        )
    known.update({tenant_id: head.seq for tenant_id, head in heads.items()})
    return len(heads)
