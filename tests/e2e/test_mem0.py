"""mem0's own client, unmodified, sync and async, against /compat/mem0.

| called | then |
|---|---|
| `add` of messages | PENDING, then SUCCEEDED; what was drawn from them has run, agent and metadata |
| `add` with `infer=False` | each message is a memory as it stands |
| `search`, `get_all` by run, agent, metadata, AND, OR, NOT | what meets it |
| `update`, then `get` by the old id | the new words; both are in `history` |
| `delete`, `delete_all` of a run | those are gone, the rest stays |
| `delete_all` of a user, `delete_users`, `reset` | nothing of another user goes; writes go on |
| an agent alone, no filter, another's id, a wrong key | the client's own exceptions, with our code |
"""

import inspect
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from mem0 import AsyncMemoryClient, MemoryClient
from mem0.exceptions import MemoryNotFoundError, ValidationError

from muniment.client import Client
from muniment.testing import Running
from tests.support.waiting import until

SAID = [
    {"role": "user", "content": "I live in Gouda and I love sailing."},
    {"role": "assistant", "content": "Sailing near Gouda is lovely."},
]
NORA, R1, A1 = {"user_id": "nora"}, {"run_id": "r1"}, {"agent_id": "a1"}


class Mem0:
    """The client in one of its two forms."""

    def __init__(self, client: Any) -> None:
        self.client = client

    async def __call__(self, name: str, *args: Any, **given: Any) -> Any:
        found = getattr(self.client, name)(*args, **given)
        return await found if inspect.isawaitable(found) else found

    async def texts(self, *filters: Any) -> set[str]:
        found = await self("get_all", filters={"AND": [NORA, *filters]})
        return {one["memory"] for one in found["results"]}


@pytest_asyncio.fixture(params=["sync", "async"])
async def mem0(
    request: pytest.FixtureRequest, running: Running, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Mem0]:
    monkeypatch.setattr("mem0.client.main.capture_client_event", lambda *_, **__: None)
    with Client(running.url, running.key) as installation:
        secret = installation.tenants.create(name="mem0").key.secret
    made = MemoryClient if request.param == "sync" else AsyncMemoryClient
    client: Any = made(api_key=secret, host=f"{running.url}/compat/mem0")
    yield Mem0(client)
    if request.param == "sync":
        client.client.close()
    else:
        await client.async_client.aclose()


def learned(running: Running, mem0: Mem0, event: str) -> None:
    """Wait for what an ``add`` began."""
    by = {"authorization": f"Token {mem0.client.api_key}"}

    def done() -> bool:
        found = httpx.get(f"{running.url}/compat/mem0/v1/event/{event}/", headers=by)
        return bool(found.json()["status"] == "SUCCEEDED")

    until(done)


async def test_a_life(mem0: Mem0, running: Running) -> None:
    told = await mem0("add", SAID, **NORA, **R1, **A1, metadata={"topic": "home"})
    assert told["status"] == "PENDING"
    learned(running, mem0, told["event_id"])
    kept = await mem0(
        "add", "Nora drinks oat milk.", **NORA, run_id="r2", infer=False, metadata={"topic": "food"}
    )
    milk = kept["results"][0]["id"]
    await mem0("add", "Tomas lives in Hoorn.", user_id="tomas", infer=False)

    everything = await mem0.texts()
    drawn = everything - {"Nora drinks oat milk."}
    assert any("Gouda" in one for one in drawn)
    for named in (R1, A1, {"metadata": {"topic": "home"}}, {"NOT": [{"run_id": "r2"}]}):
        assert await mem0.texts(named) == drawn, named
    assert await mem0.texts({"OR": [R1, {"run_id": "r2"}]}) == everything
    assert await mem0.texts({"run_id": "r3"}) == set()

    found = await mem0("search", "Where do I live?", filters=NORA | R1, top_k=1)
    (one,) = found["results"]
    assert "Gouda" in one["memory"]
    assert one["score"] > 0
    assert (one["user_id"], one["run_id"], one["agent_id"]) == ("nora", "r1", "a1")
    assert one["metadata"] == {"topic": "home"}

    await mem0("update", milk, text="Nora drinks soy milk.")
    now = await mem0("get", milk)
    assert now["memory"] == "Nora drinks soy milk."
    assert (now["run_id"], now["metadata"]) == ("r2", {"topic": "food"})
    for by in (milk, now["id"]):
        told = await mem0("history", by)
        assert [(one["event"], one["old_memory"], one["new_memory"]) for one in told] == [
            ("ADD", None, "Nora drinks oat milk."),
            ("UPDATE", "Nora drinks oat milk.", "Nora drinks soy milk."),
        ]

    await mem0("delete", milk)
    for by in (milk, now["id"]):
        with pytest.raises(MemoryNotFoundError):
            await mem0("get", by)
    assert await mem0.texts() == drawn
    await mem0("delete_all", **NORA, run_id="r2")
    assert await mem0.texts() == drawn
    await mem0("delete_all", **NORA, **R1)
    assert await mem0.texts() == set()
    users = await mem0("users")
    assert [one["name"] for one in users["results"]] == ["nora", "tomas"]


async def test_scoped_deletes_do_not_widen(mem0: Mem0) -> None:
    for user, run in (("nora", "r1"), ("nora", "r2"), ("tomas", "r1")):
        await mem0("add", f"Of {user} in {run}.", user_id=user, run_id=run, infer=False)
    for named in ({}, A1, R1, {"filters": NORA}, {"user_id": "*"}, NORA | {"run_id": "*"}):
        with pytest.raises(ValidationError):
            await mem0("delete_all", **named)
    for named in (A1, {"user_id": "*"}):
        with pytest.raises(ValidationError):
            await mem0("delete_users", **named)
    assert await mem0.texts() == {"Of nora in r1.", "Of nora in r2."}
    await mem0("delete_all", **NORA, **R1)
    assert await mem0.texts() == {"Of nora in r2."}
    await mem0("delete_users", **NORA)
    assert await mem0.texts() == set()
    left = await mem0("get_all", filters={"user_id": "tomas"})
    assert [one["memory"] for one in left["results"]] == ["Of tomas in r1."]
    await mem0("add", "Nora is back.", **NORA, infer=False)
    assert await mem0.texts() == {"Nora is back."}
    await mem0("reset")
    assert await mem0.texts() == set()


async def test_what_is_refused(mem0: Mem0, running: Running) -> None:
    with pytest.raises(ValidationError) as refused:
        await mem0("get_all", filters=A1)
    assert refused.value.details["code"] == "invalid_input"
    assert refused.value.details["errors"][0]["pointer"] == "/filters"
    assert "name one user_id" in refused.value.message
    for options in ({"custom_instructions": "Be brief."}, {"expiration_date": "2030-01-01"}):
        with pytest.raises(ValidationError):
            await mem0("add", "x", **NORA, **options)
    with pytest.raises(ValidationError):
        await mem0("add", "x", infer=False)
    with httpx.Client() as http, pytest.raises(ValueError, match="valid API key"):
        MemoryClient(api_key="wrong", host=f"{running.url}/compat/mem0", client=http)


async def test_pages(mem0: Mem0) -> None:
    said = [{"role": "user", "content": f"Thing number {i} is in box {i}."} for i in range(5)]
    await mem0("add", said, **NORA, infer=False)
    pages = [await mem0("get_all", filters=NORA, page=i, page_size=2) for i in (1, 2, 3)]
    assert [len(one["results"]) for one in pages] == [2, 2, 1]
    assert {one["count"] for one in pages} == {5}
    assert pages[0]["results"][0]["memory"] == "Thing number 4 is in box 4."
    assert [one["next"] is None for one in pages] == [False, False, True]
