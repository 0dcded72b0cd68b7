"""/compat/mem0: an update is told as done where the memory says it, and in no other case.

| update | then |
|---|---|
| of what the user said, by a key without their word; the same again; a date after a text | 409 each time, and it stays |
| of what has a value, in the same words | the new value |
| the same, in other words | 422 at `/text` |
| by a key that may only propose | it waits for a review, and says so |
| `expiration_date` null where there is no end; where there is one | as it was; 422 at `/expiration_date` |
| a field of another type, anywhere | 422 at that field, and nothing deeper |

An `add` as it stands of several messages keeps all or, where one is no memory, none; a job is
shown to the key of its user alone; and nobody is named `*`.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from muniment.errors import NotFound
from tests.integration.test_mem0 import NORA, TEXT, Mem0
from tests.support.surface import over_http
from tests.support.world import START, Local, Tenant


@pytest_asyncio.fixture
async def mem0(service: Local, tenant: Tenant) -> AsyncIterator[Mem0]:
    async with over_http(service) as http:
        yield Mem0(http, tenant.key)


async def said(tenant: Tenant, text: str, **more: Any) -> str:
    turn = {"turn": 1, "role": "user", "content": text, "occurred_at": START}
    await tenant("events.write", user_id="nora", session_id="s", events=[turn])
    kept = await tenant(
        "memories.remember", user_id="nora", kind="fact", text=text,
        evidence=[{"session_id": "s", "turn": 1}], **more,
    )  # fmt: skip
    assert kept.trust == "user_stated"
    return f"/v1/memories/{kept.id}/"


@pytest.mark.parametrize("roles", [["user", "assistant"], ["user", "assistant", "operator"]])
async def test_what_is_refused_stays_refused(mem0: Mem0, tenant: Tenant, roles: list[str]) -> None:
    key = await tenant.key_for(roles=roles)
    path = await said(tenant, "I love oat milk.")
    before = (await mem0("GET", path)).json()
    sent: list[dict[str, Any]] = [
        {"text": "I love rye milk."}, {"text": "I love rye milk."},
        {"expiration_date": "2027-01-01"}, {"timestamp": "2026-01-01"},
        {"timestamp": "2026-01-01"}, {"expiration_date": "2027-01-01"},
    ]  # fmt: skip
    for body in sent:
        found = await mem0("PUT", path, body, key=key)
        assert (found.status_code, found.json()["code"]) == (409, "conflict"), body
    assert (await mem0("GET", path)).json() == before
    assert await mem0.texts() == ["I love oat milk."]


async def test_a_value_in_the_same_words(mem0: Mem0, tenant: Tenant) -> None:
    kept = await tenant(
        "memories.remember", user_id="nora", kind="fact", text="Nora lives in Gouda.",
        slot="city", value="Gouda",
    )  # fmt: skip
    path = f"/v1/memories/{kept.id}/"
    refused = await mem0("PUT", path, {"text": "Her home is Delft."})
    assert [one["pointer"] for one in refused.json()["errors"]] == ["/text"]
    assert "'Gouda'" in refused.json()["detail"]
    found = await mem0("PUT", path, {"text": "Nora lives in Delft."})
    assert found.json()["memory"] == "Nora lives in Delft."
    (held,) = (await tenant("memories.list", user_id="nora")).items
    assert held.value == "Delft"


async def test_a_key_that_proposes(mem0: Mem0, tenant: Tenant) -> None:
    path = f"/v1/memories/{await mem0.add(run_id='r')}/"
    key = await tenant.key_for(verbs=["read", "propose"])
    for _ in range(2):
        found = await mem0("PUT", path, {"text": "Nora drinks rye milk."}, key=key)
        assert (found.status_code, found.json()["memory"]) == (200, "Nora drinks oat milk.")
        assert found.json()["muniment"]["outcome"] == "quarantined"
        assert "waits for a review" in found.json()["message"]
    assert await mem0.texts() == ["Nora drinks oat milk."]
    body = TEXT | NORA | {"run_id": "q", "messages": [{"role": "user", "content": "Nora hums."}]}
    added = (await mem0("POST", "/v3/memories/add/", body, key=key)).json()
    assert added["results"][0]["muniment"]["outcome"] == "quarantined"
    assert "waits for a review" in added["message"]


async def test_no_end(mem0: Mem0) -> None:
    path = f"/v1/memories/{await mem0.add()}/"
    found = await mem0("PUT", path, {"expiration_date": None})
    assert (found.status_code, found.json()["expiration_date"]) == (200, None)
    await mem0("PUT", path, {"expiration_date": "2027-01-01"})
    for date in (None, "2027-02-31", "", "soon", 3, ["x"]):
        found = await mem0("PUT", path, {"expiration_date": date})
        assert [one["pointer"] for one in found.json()["errors"]] == ["/expiration_date"], date


@pytest.mark.parametrize(
    ("method", "path", "body", "names"),
    [
        ("PUT", "/v1/memories/019e8269-4e80-7000-8f5f-796c18110000/", {},
         ["text", "metadata", "timestamp", "expiration_date"]),
        ("POST", "/v3/memories/add/", TEXT | NORA,
         ["user_id", "agent_id", "metadata", "infer", "timestamp", "expiration_date", "messages"]),
        ("POST", "/v3/memories/search/", {"query": "x", "filters": NORA},
         ["query", "top_k", "threshold", "reference_date", "filters"]),
        ("POST", "/v3/memories/", {"filters": NORA}, ["start_date", "end_date", "page_size"]),
    ],
)  # fmt: skip
async def test_places_are_the_fields(
    mem0: Mem0, method: str, path: str, body: dict[str, Any], names: list[str]
) -> None:
    for name in names:
        wrongs: list[Any] = [True, [[]], {"a": {"b": []}}]
        for wrong in wrongs:
            found = await mem0(method, path, body | {name: wrong})
            if found.status_code == 422:
                assert found.json()["errors"][0]["pointer"] in (f"/{name}", f"/{name}/0"), (
                    name,
                    wrong,
                )


async def test_all_messages_or_none(mem0: Mem0) -> None:
    for bad in ("", " ", "\u200b"):
        given = [{"role": "user", "content": text} for text in ("Nora sails.", bad, "Nora sings.")]
        body = NORA | {"infer": False, "messages": given}
        found = await mem0("POST", "/v3/memories/add/", body)
        assert [one["pointer"] for one in found.json()["errors"]] == ["/messages/1/content"]
    assert await mem0.texts() == []


@pytest.mark.parametrize("field", ["run_id", "agent_id", "app_id"])
async def test_metadata_names_nobody_else_who_wrote_it(mem0: Mem0, field: str) -> None:
    mine, other = {"metadata": {field: "x", "note": 1}}, {"metadata": {field: "y"}}
    path = "/v3/memories/add/"
    for infer in (False, True):
        for body in (mine, mine | {field: "y"}, mine | {"filters": {field: "y"}}):
            found = await mem0("POST", path, TEXT | NORA | {"infer": infer} | body)
            assert found.json()["errors"][0]["pointer"] == f"/metadata/{field}"
    added = await mem0("POST", path, TEXT | NORA | {"infer": False} | mine | {field: "x"})
    (memory,) = added.json()["results"]
    one = f"/v1/memories/{memory['id']}/"
    found = await mem0("PUT", one, {"text": "Nora drinks tea."} | other)
    assert found.json()["errors"][0]["pointer"] == f"/metadata/{field}"
    assert (await mem0("PUT", one, {"text": "Nora drinks tea."} | mine)).status_code == 200
    await mem0("DELETE", f"/v1/memories/?user_id=nora&{field}=y")
    assert await mem0.texts() == ["Nora drinks tea."]
    await mem0("DELETE", f"/v1/memories/?user_id=nora&{field}=x")
    assert await mem0.texts() == []


async def test_nobody_is_named_by_a_star(mem0: Mem0) -> None:
    await mem0.add(run_id="r")
    star = {"user_id": "*"}
    for method, path, body, at in (
        ("DELETE", "/v1/memories/?user_id=*", None, "/user_id"),
        ("DELETE", "/v1/memories/?user_id=nora&agent_id=*", None, "/agent_id"),
        ("DELETE", "/v1/memories/?user_id=nora&run_id=*", None, "/run_id"),
        ("DELETE", "/v1/memories/?user_id=nora&app_id=*", None, "/app_id"),
        ("DELETE", "/v2/entities/user/*/", None, "/name"),
        ("POST", "/v3/memories/add/", TEXT | star, "/user_id"),
        ("POST", "/v3/memories/add/", TEXT | {"filters": star}, "/filters/user_id"),
        ("POST", "/v3/memories/add/", TEXT | NORA | {"run_id": "*"}, "/run_id"),
        (
            "POST",
            "/v3/memories/add/",
            TEXT | NORA | {"filters": {"app_id": "*"}},
            "/filters/app_id",
        ),
    ):
        found = await mem0(method, path, body)
        assert [one["pointer"] for one in found.json()["errors"]] == [at], path
    assert await mem0.texts() == ["Nora drinks oat milk."]


async def test_a_job_is_shown_to_its_user(mem0: Mem0, tenant: Tenant, service: Local) -> None:
    own, other = [await tenant.key_for(user_id=user) for user in ("nora", "tomas")]
    added = await mem0("POST", "/v3/memories/add/", TEXT | NORA | {"infer": True}, key=own)
    event = added.json()["event_id"]
    found = await mem0("GET", f"/v1/event/{event}/", key=own)
    assert (found.status_code, found.json()["status"]) == (200, "PENDING")
    job = int(event.replace("-", ""), 16)
    assert (await tenant("jobs.get", _as=own, job_id=job)).job_id == job
    told = set()
    for key, number in ((other, job), (other, job + 1000), ((await service.tenant()).key, job)):
        with pytest.raises(NotFound) as refused:
            await tenant("jobs.get", _as=key, job_id=number)
        told.add(str(refused.value))
    assert told == {"There is no such job."}
