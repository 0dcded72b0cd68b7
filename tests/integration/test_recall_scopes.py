"""Recall of one scope: what the other holds takes no place among the ``k``, and no weight.

| held | asked of | then |
|---|---|---|
| thirty of the organisation, one of the user's, of the same words | both; none named | the best of both |
| | the user's | the user's alone, its score as if there were no other |
| | the organisation's | the organisation's alone |
| none of the user's, or no such user | the user's | nothing: abstained |
| documents | the user's | none, with no statement about documents |
| | the organisation's | the documents |
| any | a scope that is none | `invalid_input` at `/scope` |
"""

from typing import Any

import pytest
import pytest_asyncio

from muniment.errors import InvalidInput
from tests.support.world import Local, Tenant

OWN = "Nora exports the quarterly report as a spreadsheet."
QUERY = "How is the quarterly report exported?"


@pytest_asyncio.fixture
async def held(tenant: Tenant) -> Tenant:
    await tenant("memories.remember", kind="fact", text=OWN, user_id="nora")
    for number in range(30):
        text = f"The quarterly report is exported by script {number} of team {number + 40}."
        await tenant("memories.remember", kind="procedure", text=text, speaker="operator")
    return tenant


async def asked(tenant: Tenant, user: str = "nora", **more: Any) -> Any:
    given: dict[str, Any] = {"user_id": user, "query": QUERY, "k": 5} | more
    return await tenant("recall", **given)


async def test_the_scope_that_is_asked_for(held: Tenant, service: Local) -> None:
    alone = await service.tenant()
    await alone("memories.remember", kind="fact", text=OWN, user_id="nora")
    (as_if,) = (await asked(alone)).items

    (one,) = (await asked(held, scope="user")).items
    assert (one.scope, one.text, one.score) == ("user", OWN, as_if.score)
    shared = (await asked(held, scope="org")).items
    assert [one.scope for one in shared] == ["org"] * 5
    both = (await asked(held, k=100)).items
    assert {one.scope for one in both} == {"user", "org"}
    for user in ("tomas", "nora"):
        more: dict[str, Any] = {} if user == "tomas" else {"kinds": ["procedure"]}
        view = await asked(held, user, scope="user", **more)
        assert (view.items, view.abstained) == ((), True)


async def test_documents_are_the_organisations(held: Tenant) -> None:
    text = "The quarterly report is exported on Fridays."
    await held("knowledge.put", source="handbook", title="Reports", text=text, version=1)
    found = {
        scope: {one.tier for one in (await asked(held, scope=scope, k=100)).items}
        for scope in ("user", "org")
    }
    assert found == {"user": {"semantic"}, "org": {"semantic", "knowledge"}}


@pytest.mark.parametrize("scope", ["", "User", "tenant", "both", 1])
async def test_no_such_scope(tenant: Tenant, scope: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        await asked(tenant, scope=scope)
    assert [one.pointer for one in refused.value.faults] == ["/scope"]
