"""Recall with a model that orders its first items anew.

| reranker | then |
|---|---|
| none | the order of the scores; no weights, no warnings |
| one | the first N by its weights, each told; those behind them as they were |
| equal weights | as they were |
| asked for fewer than N | chosen from N: what is best by it is in |
| asked for more than N | the rest is behind, as it was, without a weight |
| what another user, namespace, tier, time or floor keeps out | is never given to it |
| nothing is found | it is not asked, and the answer abstains |
| one item | it is not asked |
| late, failed | the order without it, and a warning that says so; the recall is logged as answered |
| entities by name | it is not asked |
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import pytest_asyncio

from muniment.model_ports import RerankFailed
from muniment.operations.dispatch import Dispatch
from tests.support.world import START, Local, Tenant


@dataclass
class Scripted:
    """Weighs by the first number in a text; notes what it was given."""

    first: int = 3
    failing: RerankFailed | None = None
    weights: dict[str, float] = field(default_factory=dict)
    seen: list[tuple[str, list[str]]] = field(default_factory=list)
    name: str = "scripted"

    async def weigh(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.seen.append((question, list(texts)))
        if self.failing is not None:
            raise self.failing
        return [self.weights.get(text, 0.0) for text in texts]


@pytest_asyncio.fixture
async def reranker(service: Local) -> AsyncIterator[Scripted]:
    """The service with a reranker for the time of a test."""
    made, before = Scripted(), service.dispatch
    service.dispatch = Dispatch(replace(service.world, reranker=made))
    yield made
    service.dispatch = before


QUERY = "Which boats does she row on the river?"
BOATS = [
    "I row a red boat on the river.",
    "I row a blue boat on the river every morning.",
    "My boat on the river is green and I row it with my sister.",
    "Somebody took my boat, the old one, from the river.",
    "I paid for a boat.",
]


async def tell(tenant: Tenant, user: str = "u", texts: Sequence[str] = BOATS, **more: Any) -> None:
    events = [
        {"turn": at, "role": "user", "content": text, "occurred_at": START}
        for at, text in enumerate(texts)
    ]
    await tenant("events.write", user_id=user, session_id=f"s-{user}", events=events, **more)


async def test_the_first_by_their_weights(
    tenant: Tenant, service: Local, reranker: Scripted
) -> None:
    await tell(tenant)
    plain = Tenant(replace_dispatch(service), tenant.tenant_id, tenant.key)
    before = await plain("recall", user_id="u", query=QUERY)
    assert before.warnings == ()
    assert all(item.rerank is None for item in before.items)
    order = [item.text for item in before.items]
    assert len(order) >= 4
    reranker.weights = {order[0]: 0.1, order[1]: 0.9, order[2]: 0.5}
    after = await tenant("recall", user_id="u", query=QUERY)
    assert reranker.seen == [(QUERY, order[:3])]
    assert [item.text for item in after.items] == [order[1], order[2], order[0], *order[3:]]
    assert [item.rerank for item in after.items[:4]] == [0.9, 0.5, 0.1, None]
    assert {item.text: item.score for item in after.items} == {
        item.text: item.score for item in before.items
    }
    reranker.weights = {}
    tied = await tenant("recall", user_id="u", query=QUERY)
    assert [item.text for item in tied.items] == order


def replace_dispatch(service: Local) -> Local:
    """The same service without a reranker."""
    return Local(service.world, service.clock, service.recalls)


async def test_fewer_are_chosen_from_as_many_as_it_reads(
    tenant: Tenant, reranker: Scripted
) -> None:
    await tell(tenant)
    found = await tenant("recall", user_id="u", query=QUERY, k=1)
    third = reranker.seen[0][1][2]
    assert [item.text for item in found.items] == reranker.seen[0][1][:1]
    reranker.weights = {third: 1.0}
    found = await tenant("recall", user_id="u", query=QUERY, k=1)
    assert [item.text for item in found.items] == [third]


async def test_what_may_not_be_answered_is_not_shown_to_it(
    tenant: Tenant, service: Local, reranker: Scripted
) -> None:
    reranker.first = 20
    await tell(tenant)
    secret = [f"{one} Hidden." for one in BOATS]
    await tell(tenant, "other", secret)
    await tell(tenant, "u2", secret, namespace="elsewhere")
    other = await service.tenant()
    await tell(other, "u", secret)
    await tenant("memories.remember", user_id="u", kind="fact", text="Rows a boat, Hidden.")
    await tenant("recall", user_id="u", query=QUERY, tiers=["episodic"])
    shown = [text for _, texts in reranker.seen[:1] for text in texts]
    assert shown
    assert not [text for text in shown if "Hidden" in text]
    reranker.seen.clear()
    early = await tenant("recall", user_id="u", query=QUERY, as_of=START.replace(year=2020))
    assert (early.items, reranker.seen) == ((), [])


@pytest.mark.parametrize(("late", "word"), [(True, "in time"), (False, "failed")])
async def test_without_it_the_answer_says_so(
    tenant: Tenant, service: Local, reranker: Scripted, late: bool, word: str
) -> None:
    await tell(tenant)
    plain = Tenant(replace_dispatch(service), tenant.tenant_id, tenant.key)
    before = await plain("recall", user_id="u", query=QUERY, k=2)
    reranker.failing = RerankFailed(late=late)
    after = await tenant("recall", user_id="u", query=QUERY, k=2)
    assert [item.id for item in after.items] == [item.id for item in before.items]
    assert not after.abstained
    assert len(after.warnings) == 1
    assert word in after.warnings[0].message


@pytest.mark.parametrize(
    "asked",
    [{"query": "quantum chromodynamics lecture"}, {"query": QUERY, "match": "named"}],
    ids=["nothing", "named"],
)
async def test_it_is_not_asked(tenant: Tenant, reranker: Scripted, asked: dict[str, Any]) -> None:
    await tell(tenant)
    found = await tenant("recall", user_id="u", **asked)
    assert (reranker.seen, found.warnings) == ([], ())


async def test_one_item_has_its_order(tenant: Tenant, reranker: Scripted) -> None:
    await tell(tenant, texts=BOATS[:1])
    found = await tenant("recall", user_id="u", query=QUERY)
    assert (len(found.items), reranker.seen) == (1, [])
