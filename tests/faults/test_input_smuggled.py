"""Another tenant, or another language, inside what is sent.

| smuggled | into | answer |
|---|---|---|
| ``tenant_id`` | body, nested body, query, filter | 422 there |
| | metadata, a filter on metadata | data like any other |
| | headers, of whatever name | no notice is taken |
| another tenant's ids | path, body, cursor | 404, nothing, one's own rows |
| another tenant's id | the key | 401 |
| SQL, jsonpath, operators that are none | the keys of a filter | 422 there |
"""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import httpx
import pytest

from muniment.client import Client
from muniment.client.models import Item
from muniment.operations.registry import REGISTRY
from muniment.records.credentials import read_token
from muniment.testing import Running
from tests.faults.input_calls import over_http
from tests.faults.input_fields import NEEDED
from tests.faults.input_strings import WHOLE, naughty

pytest_plugins = ["tests.faults.input_service"]
FIELDS_OF_FILTERS = {"id", "kind", "slot", "name", "value", "turn", "tier"}


@dataclass(frozen=True)
class Other:
    """Another tenant with a user of the same name, and what is theirs."""

    tenant_id: UUID
    key: str
    item: Item


@pytest.fixture
def other(unlimited: Running, root_sdk: Client) -> Iterator[Other]:
    made = root_sdk.tenants.create(name="other")
    with Client(unlimited.url, made.key.secret) as sdk:
        sdk.memories.remember(kind="fact", user_id="u", text="Theirs: the vault is in Bern.")
        yield Other(made.tenant_id, made.key.secret, sdk.memories.list(user_id="u").items[0])


@pytest.fixture
def own(sdk: Client, other: Other) -> Item:
    """What is our own; written after theirs."""
    sdk.memories.remember(
        kind="fact", user_id="u", text="Ours: the vault is in Gouda.",
        metadata={"tenant_id": str(other.tenant_id)},
    )  # fmt: skip
    return sdk.memories.list(user_id="u").items[0]


@pytest.fixture(scope="module")
def unchanged(unlimited: Running, root_sdk: Client) -> Iterator[httpx.Client]:
    """A client of one tenant for all that is refused and changes nothing."""
    key = root_sdk.tenants.create(name="input").key.secret
    headers = {"authorization": f"Bearer {key}"}
    with httpx.Client(base_url=unlimited.url, headers=headers, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def elsewhere(root_sdk: Client) -> UUID:
    """A tenant of which the id alone is needed."""
    return root_sdk.tenants.create(name="other").tenant_id


@pytest.mark.parametrize("name", REGISTRY)
@pytest.mark.parametrize("field", ["tenant_id", "tenant", "_tenant_id", "muniment.tenant_id"])
def test_in_the_body_or_query(
    unchanged: httpx.Client, elsewhere: UUID, name: str, field: str
) -> None:
    command = NEEDED[name] | {field: str(elsewhere)}
    answer = over_http(unchanged, REGISTRY[name], command)
    if name == "tenants.create":
        assert answer.code == "forbidden"
    else:
        assert answer.pointers == (f"/{field}",), answer


def test_in_a_filter(http: httpx.Client, own: Item, other: Other) -> None:
    theirs = str(other.tenant_id)
    for expression in ({"tenant_id": theirs}, {"$or": [{"tenant_id": theirs}, {}]}):
        for name in ("memories.list", "recall", "forget"):
            command = {**NEEDED[name], "filter": expression}
            answer = over_http(http, REGISTRY[name], command)
            assert answer.refuses("/filter"), answer
    listed = http.get(
        "/v1/memories", params={"user_id": "u", "filter": f'{{"metadata.tenant_id": "{theirs}"}}'}
    )
    assert [item["id"] for item in listed.json()["items"]] == [str(own.id)]


HEADERS = ["x-tenant-id", "tenant-id", "tenant", "x-muniment-tenant", "muniment.tenant_id",
           "x-forwarded-user", "x-original-url", "x-http-method-override"]  # fmt: skip


def test_in_headers(http: httpx.Client, own: Item, other: Other) -> None:
    headers = dict.fromkeys(HEADERS, str(other.tenant_id))
    headers |= {"x-original-url": "/v1/keys", "x-http-method-override": "DELETE"}
    listed = http.get("/v1/memories", params={"user_id": "u"}, headers=headers).json()["items"]
    assert [item["id"] for item in listed] == [str(own.id)]
    cookie = {"cookie": f"tenant_id={other.tenant_id}; authorization=Bearer {other.key}"}
    listed = http.get("/v1/memories", params={"user_id": "u"}, headers=cookie).json()["items"]
    assert [item["id"] for item in listed] == [str(own.id)]


def cursor(*parts: Any) -> str:
    """A cursor as a forger makes it."""
    return base64.urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).decode()


def test_in_a_cursor(http: httpx.Client, own: Item, other: Other) -> None:
    """One of theirs is only a place to go on from, in our own rows."""
    at, zero = other.item.recorded_at.isoformat().replace("+00:00", "Z"), str(UUID(int=0))
    for forged in (cursor(at, str(other.item.id)), cursor("0001-01-01T00:00:00Z", zero)):
        listed = http.get("/v1/memories", params={"user_id": "u", "cursor": forged}).json()
        assert [item["id"] for item in listed["items"]] == [str(own.id)]
    for forged in (cursor(str(read_token(other.key).key_id)), cursor(zero)):
        keys = http.get("/v1/keys", params={"cursor": forged})
        assert {key["principal"] for key in keys.json()["items"]} <= {"admin"}
        assert str(read_token(other.key).key_id) not in keys.text
    for broken in (
        cursor(at), cursor(at, "x"), cursor(at, zero, str(other.tenant_id)), cursor("infinity", zero), cursor(1),
        cursor("2026-05-26T12:00:00", zero), cursor(at, "'; DROP TABLE event; --"), "====", "", "%00", "é",
    ):  # fmt: skip
        for path, params in (("/v1/memories", {"user_id": "u"}), ("/v1/keys", {})):
            answer = http.get(path, params={**params, "cursor": broken})
            assert answer.status_code == 422, (path, broken, answer.text)
            assert answer.json()["errors"][0]["pointer"] == "/cursor"


def test_their_ids(http: httpx.Client, own: Item, other: Other) -> None:
    theirs = str(other.item.id)
    for path in (f"/v1/memories/{theirs}", f"/v1/memories/{theirs}/history"):
        assert http.get(path).status_code == 404
    assert http.post(f"/v1/keys/{read_token(other.key).key_id}/revoke", json={}).status_code == 404
    for target in (
        {"ids": [theirs]},
        {"filter": {"id": theirs}},
        {"ids": [theirs], "user_id": "u"},
    ):
        forgotten = http.post("/v1/forget", json=target)
        assert forgotten.json()["counts"].get("memory", 0) == 0, forgotten.text
    with Client(str(http.base_url), other.key) as client:
        assert client.memories.get(id=other.item.id).text == other.item.text


def test_in_the_key(unlimited: Running, key: str, other: Other) -> None:
    mine, theirs = read_token(key), read_token(other.key)
    forged = [
        replace(mine, tenant_id=theirs.tenant_id),
        replace(mine, key_id=theirs.key_id),
        replace(mine, tenant_id=theirs.tenant_id, key_id=theirs.key_id),
        replace(theirs, secret=mine.secret),
        replace(mine, secret=bytes(32)),
    ]
    for token in [*map(str, forged), key.upper(), key[:-1], f"{key}x", "x"]:
        headers = {"authorization": f"Bearer {token}"}
        answer = httpx.get(f"{unlimited.url}/v1/keys", headers=headers)
        assert answer.status_code == 401, token


@pytest.mark.parametrize("name", ["memories.list", "recall", "forget"])
def test_what_is_no_filter(http: httpx.Client, name: str) -> None:
    """Keys of a filter are fields, operators or below ``metadata.``, never a piece of a query."""
    texts = [text for text in [*WHOLE, *naughty()[::10]] if text not in FIELDS_OF_FILTERS]
    unknown: list[Any] = [{text: 1} for text in texts]
    unknown += [{"kind": {text: 1}} for text in texts]
    unknown += [
        {"metadata": 1}, {"metadata.": 1}, {"metadata..a": 1}, {"Metadata.a": 1}, {"$where": "1"}, {"$or": []},
        {"$and": {}}, {"$not": []}, {"kind": {}}, {"kind": {"$in": []}}, {"kind": {"$regex": "."}}, {"turn": "1"},
        {"pinned": 1}, {"as_of": "infinity"}, {"kind": None, "x": 1}, {"kind": {"$gt": None}}, {"kind": ["fact"]},
    ]  # fmt: skip
    for expression in unknown:
        answer = over_http(http, REGISTRY[name], {**NEEDED[name], "filter": expression})
        assert answer.refuses("/filter"), (expression, answer)
