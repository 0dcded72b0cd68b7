"""A tenant's weights of recall count in its next call, and in nobody else's."""

from tests.support.world import Local, Tenant


async def told(tenant: Tenant) -> None:
    for text in ("The dog sleeps in the kitchen.", "The puppy sleeps in the kitchen."):
        await tenant("memories.remember", user_id="u", kind="fact", text=text)


async def found(tenant: Tenant, query: str) -> list[str]:
    return [item.text for item in (await tenant("recall", user_id="u", query=query)).items]


async def test_weights_count_at_once_and_for_the_tenant_alone(
    service: Local, tenant: Tenant
) -> None:
    other = await service.tenant("other")
    for one in (tenant, other):
        await told(one)
    query = "Which puppy sleeps in the kitchen?"
    before = await found(tenant, query)
    assert before[0] == "The puppy sleeps in the kitchen."
    assert len(before) == 2
    await tenant("policy.put", document={"ranking": {"relevance_floor": 1.0}})
    assert await found(tenant, query) == before[:1]
    assert await found(other, query) == before
    await tenant("policy.put", document={"ranking": {"evidence_floor": 10.0}})
    assert await found(tenant, query) == []
    await tenant("policy.put", document={})
    assert await found(tenant, query) == before
