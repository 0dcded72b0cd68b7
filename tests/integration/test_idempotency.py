"""Idempotency keys on writes.

| earlier call under the key | now | answer |
|---|---|---|
| none | a write | done, kept for 24 h |
| the same request | the same | the same answer, replayed; nothing is done again |
| another request | | KeyReused |
| in flight | the same | InFlight, or the answer once it is there |
| failed | the same | worked on again |
| 24 h ago | anything | worked on again |
| of another principal or tenant | anything | nothing to do with it |
| one that shows a secret | the same | AlreadyDone, nothing is done again |
| of a user who was forgotten | | gone |
| that put a document, or reported an analysis, which was forgotten since: by its source, its session, its id, a filter | the same | AlreadyDone; those of others are replayed |
"""

import asyncio
from typing import Any

import pytest

from muniment.errors import AlreadyDone, InFlight, InvalidInput, KeyReused, TurnConflict
from muniment.postgres.embedded import ADMIN
from tests.support.databases import Database
from tests.support.world import SCHEMA, START, Local, Tenant

PUT: dict[str, Any] = {"user_id": "u", "session_id": "s", "key": "k", "value": 1}


async def version(tenant: Tenant) -> int:
    """How often the key was put."""
    return int((await tenant("working.get", user_id="u", session_id="s", key="k")).version)


async def test_the_same_again_answers_the_same(service: Local, tenant: Tenant) -> None:
    first = await tenant.once("a", "working.put", **PUT)
    service.clock.advance(hours=23)
    again = await tenant.once("a", "working.put", **PUT)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.result == first.result
    assert await version(tenant) == 1
    await tenant.once("b", "working.put", **PUT)
    assert await version(tenant) == 2


async def test_after_a_day_the_key_is_free(service: Local, tenant: Tenant) -> None:
    await tenant.once("a", "working.put", **PUT)
    service.clock.advance(hours=24)
    again = await tenant.once("a", "working.put", **(PUT | {"value": 2}))
    assert not again.replayed
    assert (await tenant.once("a", "working.put", **(PUT | {"value": 2}))).replayed


@pytest.mark.parametrize(
    ("operation", "change"),
    [("working.put", {"value": 2}), ("working.put", {"ttl_seconds": 5}), ("working.delete", None)],
)
async def test_another_request_under_the_key(
    tenant: Tenant, operation: str, change: dict[str, Any] | None
) -> None:
    await tenant.once("a", "working.put", **PUT)
    given = {k: v for k, v in PUT.items() if k != "value"} if change is None else PUT | change
    with pytest.raises(KeyReused):
        await tenant.once("a", operation, **given)
    assert await version(tenant) == 1


async def test_the_form_of_a_request_does_not_matter(tenant: Tenant) -> None:
    await tenant.once("a", "working.put", **PUT)
    other_form = dict(reversed((PUT | {"namespace": "default"}).items()))
    assert (await tenant.once("a", "working.put", **other_form)).replayed


async def test_a_failure_is_not_kept(tenant: Tenant) -> None:
    event = {"turn": 1, "role": "user", "content": "I live in Gouda.", "occurred_at": START}
    place = {"user_id": "u", "session_id": "s"}
    with pytest.raises(InvalidInput):
        await tenant.once("a", "events.write", **place, events=[])
    await tenant.once("a", "events.write", **place, events=[event])
    with pytest.raises(TurnConflict):
        await tenant.once("b", "events.write", **place, events=[event | {"content": "In Breda."}])
    assert not (
        await tenant.once("b", "events.write", **place, events=[event | {"turn": 2}])
    ).replayed


async def test_principals_and_tenants_have_keys_of_their_own(
    service: Local, tenant: Tenant
) -> None:
    other, mate = await service.tenant("other"), await tenant.key_for(principal="mate")
    twin = await tenant.key_for(principal="mate")
    await tenant.once("a", "working.put", **PUT)
    assert not (await other.once("a", "working.put", **PUT)).replayed
    assert not (await tenant.once("a", "working.put", _as=mate, **PUT)).replayed
    # Two keys of one principal are one caller who sends again.
    assert (await tenant.once("a", "working.put", _as=twin, **PUT)).replayed


async def test_a_hundred_at_once_have_one_effect(tenant: Tenant) -> None:
    async def one() -> str:
        try:
            return "replayed" if (await tenant.once("a", "working.put", **PUT)).replayed else "done"
        except InFlight as error:
            return f"ask again in {error.extra['retry_after']} s"

    answers = await asyncio.gather(*(one() for _ in range(100)))
    assert answers.count("done") == 1
    assert set(answers) <= {"done", "replayed", "ask again in 1 s"}
    assert await version(tenant) == 1
    assert (await tenant.once("a", "working.put", **PUT)).replayed


async def test_a_secret_is_shown_once_and_made_once(database: Database, tenant: Tenant) -> None:
    made = await tenant.once("a", "keys.create", principal="p")
    with pytest.raises(AlreadyDone):
        await tenant.once("a", "keys.create", principal="p")
    assert len((await tenant("keys.list")).items) == 2
    with database.connect(ADMIN) as admin:
        kept = admin.execute(
            "SELECT FROM muniment.idempotency i WHERE position(%s in i::text) > 0",
            [made.result.secret],
        )
    assert kept.rowcount == 0


async def test_reads_take_no_notice(tenant: Tenant) -> None:
    for _ in range(2):
        assert not (await tenant.once("a", "keys.list")).replayed
    await tenant.once("a", "working.put", **PUT)


async def test_forgetting_a_user_forgets_the_answers(database: Database, tenant: Tenant) -> None:
    await tenant.once("a", "working.put", **PUT)
    await tenant.once("b", "working.put", **(PUT | {"user_id": "v"}))
    await tenant("forget", user_id="u")
    with database.connect(ADMIN) as admin:
        rows = admin.execute(
            "SELECT user_id, response IS NULL FROM muniment.idempotency WHERE tenant_id = %s"
            " ORDER BY user_id",
            [tenant.tenant_id],
        ).fetchall()
    assert rows == [("v", False), (None, True)]
    # That it was answered stays: a retry of before does not bring anything back.
    with pytest.raises(AlreadyDone):
        await tenant.once("a", "working.put", **PUT)


DOCUMENT: dict[str, Any] = {"source": "handbook", "version": 1, "title": "t", "text": "Tea.", "data_source": "crm"}  # fmt: skip
REPORT: dict[str, Any] = {"user_id": "u", "session_id": "s", "data_source": "crm", "unknowns": ["Why?"]}  # fmt: skip
GONE: list[tuple[dict[str, Any], set[str]]] = [
    ({"data_source": "crm"}, {"document", "report", "other user's"}),
    ({"data_source": "crm", "user_id": "u"}, {"report"}),
    ({"user_id": "u", "session_id": "s"}, {"report"}),
    ({"ids": "document"}, {"document"}),
    ({"filter": {"kind": "document"}}, {"document", "other document"}),
    ({"user_id": "u"}, {"report"}),
]


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize(("target", "gone"), GONE)
async def test_answers_go_with_what_they_name(
    database: Database, tenant: Tenant, target: dict[str, Any], gone: set[str], held: bool
) -> None:
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "document": ("knowledge.put", DOCUMENT),
        "other document": ("knowledge.put", DOCUMENT | {"source": "o", "data_source": None}),
        "report": ("analysis.report", REPORT),
        "other user's": ("analysis.report", REPORT | {"user_id": "v"}),
        "of another source": ("analysis.report", REPORT | {"user_id": "w", "data_source": "erp"}),
    }
    made = {
        key: (await tenant.once(key, name, **told)).result for key, (name, told) in calls.items()
    }
    if target == {"ids": "document"}:
        target = {"ids": [made["document"].document_id]}
    if held:
        await tenant("holds.place", data_source="crm", reason="A case.")
    await tenant("forget", **target)
    for key, (name, told) in calls.items():
        if key in gone:
            with pytest.raises(AlreadyDone):
                await tenant.once(key, name, **told)
        else:
            assert (await tenant.once(key, name, **told)).replayed
    if "data_source" in target and "user_id" not in target:
        with database.connect(ADMIN) as admin:
            left = admin.execute(
                "SELECT FROM muniment.idempotency i WHERE tenant_id = %s"
                " AND convert_from(response, 'UTF8') ~ 'crm|handbook'",
                [tenant.tenant_id],
            )
        assert left.rowcount == 0


async def test_on_the_schema_before_keys_are_not_kept(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SCHEMA, "version", 1)
    for _ in range(2):
        assert not (await tenant.once("a", "working.put", **PUT)).replayed
    assert await version(tenant) == 2
