"""knowledge.*: documents of stewards; what recall finds in them is in test_knowledge_recall.py.

| put | then |
|---|---|
| a new source; a later version | stored; in the place of the one before, of which no row is left |
| the same version with the same content, a secret in it another one | unchanged, nothing written |
| the same by another principal, who names no owner; names another | unchanged; StaleVersion |
| the same version with other content, an earlier one | StaleVersion with the version, nothing stored |
| by two at once, of one source | one version is there, whole; the later, whoever was first |
| with a secret in it | the marker is stored, the kind told; sent again, unchanged |
| with NUL or a broken character in title or text | stored with U+FFFD, and a warning of where |
| too many lines or chunks; a window that ends before it begins | InvalidInput |
| by a key without the verb, without the layer, of one user | Forbidden; the last reads by recall alone |

| else | then |
|---|---|
| get, list | what was put; a page at a time; another namespace, another tenant: nothing |
| delete; again | no row is left; NotFound |
| forget of a user | the document stays |
| forget of what it was written from, or of itself as a source, by its id, by a filter that recall finds it by | no row is left; counted in the receipt |
| the same under a hold on the source, or by the filter | hidden, kept, and gone with the release |
| forget and hold by a filter that it does not match, in another namespace, of a user | untouched |
| governance.report | counts it, and says by what it is forgotten |
| replaced and deleted under a hold on the source | each version is kept, and gone with the release |
| what it stores | counts for the quota, no more once it is gone |
"""

import asyncio
from typing import Any

import pytest

from muniment.errors import Forbidden, InvalidInput, NotFound, StaleVersion
from muniment.postgres.embedded import ADMIN
from tests.integration.forgetting import mentions
from tests.support.databases import Database
from tests.support.world import START, Tenant

TEXT = "# Returns\n\nGoods come back within thirty days.\n\n## Abroad\n\nSixty days.\n"
DOCUMENT: dict[str, Any] = {"source": "s", "title": "t", "text": "x", "version": 1}
OTHER = "# Returns\n\nGoods come back within ninety days.\n"


async def put(tenant: Tenant, version: int = 1, text: str = TEXT, **more: Any) -> Any:
    given = {"source": "handbook/returns", "title": "Returns policy"} | more
    return await tenant("knowledge.put", **given, version=version, text=text)


async def test_what_cannot_be_kept_is_replaced_and_told(tenant: Tenant) -> None:
    stored = await put(tenant, text="Goods come\0back.\ud800", title="Re\0turns")
    assert {one.pointer for one in stored.warnings} == {"/text", "/title"}
    held = await tenant("knowledge.get", source=stored.source)
    assert (held.title, held.text) == ("Re\ufffdturns", "Goods come\ufffdback.\ufffd")
    assert (await put(tenant, version=2)).warnings == ()


def rows(database: Database, tenant: Tenant) -> tuple[int, int, int, int]:
    """Documents, chunks, chunks as the scopes count them, and bytes as they count them."""
    with database.connect(ADMIN) as admin:
        found = admin.execute(
            "SELECT (SELECT count(*) FROM muniment.knowledge_document WHERE tenant_id = %(t)s),"
            " (SELECT count(*) FROM muniment.knowledge_chunk WHERE tenant_id = %(t)s),"
            " coalesce(sum(chunks), 0)::int, coalesce(sum(bytes), 0)::int"
            " FROM muniment.scope_state WHERE tenant_id = %(t)s",
            {"t": tenant.tenant_id},
        ).fetchone()
    assert found is not None
    return found[0], found[1], found[2], found[3]


async def test_versions_replace_one_another(database: Database, tenant: Tenant) -> None:
    first = await put(tenant)
    assert (first.outcome, first.chunks, first.redacted) == ("inserted", 2, ())
    again = await put(tenant)
    assert (again.outcome, again.document_id) == ("unchanged", first.document_id)
    for version, text in ((1, OTHER), (1, TEXT + " ")):
        with pytest.raises(StaleVersion) as told:
            await put(tenant, version, text)
        assert told.value.extra == {"version": 1}
    second = await put(tenant, 7, OTHER, valid_from=START, metadata={"a": 1}, owner="legal")
    assert (second.outcome, second.chunks) == ("replaced", 1)
    assert second.document_id == first.document_id
    with pytest.raises(StaleVersion):
        await put(tenant, 6, TEXT)
    assert rows(database, tenant) == (1, 1, 1, len(OTHER) + len('{"a": 1}') - 2)
    assert mentions(database, tenant, "thirty") == []
    held = await tenant("knowledge.get", source="handbook/returns")
    assert (held.text, held.version, held.owner, held.valid_from) == (OTHER, 7, "legal", START)
    assert (held.metadata, held.category, held.title) == ({"a": 1}, "internal", "Returns policy")
    gone = await tenant("knowledge.delete", source="handbook/returns")
    assert (gone.document_id, gone.chunks) == (second.document_id, 1)
    assert rows(database, tenant) == (0, 0, 0, 0)
    for name in ("knowledge.delete", "knowledge.get"):
        with pytest.raises(NotFound):
            await tenant(name, source="handbook/returns")


async def test_two_at_once(database: Database, tenant: Tenant) -> None:
    """Whoever comes second replaces or is refused; nobody finds half of both."""
    for step in range(0, 6, 2):
        both = [put(tenant, step + number, TEXT * (4 - step // 2)) for number in (1, 2)]
        done = await asyncio.gather(*both, put(tenant, step + 2, OTHER), return_exceptions=True)
        assert all(not isinstance(one, Exception) or isinstance(one, StaleVersion) for one in done)
        held = await tenant("knowledge.get", source="handbook/returns")
        assert held.version == step + 2
        assert rows(database, tenant)[:3] == (1, held.chunks, held.chunks)


async def test_secrets_and_limits(database: Database, tenant: Tenant) -> None:
    secret = "password: hunter2-Zq9x8"
    done = await put(tenant, text=f"{TEXT}\nThe {secret}.")
    assert done.redacted == ("password",)
    assert mentions(database, tenant, "hunter2") == []
    assert (await put(tenant, text=f"{TEXT}\nThe {secret}.")).outcome == "unchanged"
    assert (await put(tenant, text=f"{TEXT}\nThe {secret}7.")).outcome == "unchanged"
    for text in ("a\n" * 100_000, "# a\n" * 5_001):
        with pytest.raises(InvalidInput) as told:
            await put(tenant, 2, text)
        assert told.value.faults[0].pointer == "/text"
    wrongs: list[dict[str, Any]] = [
        {"valid_from": START, "valid_to": START}, {"title": " \u200b"}, {"version": 0},
    ]  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(InvalidInput):
            await tenant("knowledge.put", **(DOCUMENT | wrong))


async def test_who_may(tenant: Tenant) -> None:
    await put(tenant)
    agent = await tenant.key_for()
    shallow = await tenant.key_for(verbs=["read", "steward"], layers=["semantic"])
    own = await tenant.key_for(verbs=["read", "steward"], user_id="u")
    steward = await tenant.key_for(verbs=["steward"], layers=["knowledge"])
    for key in (agent, shallow, own):
        with pytest.raises(Forbidden):
            await tenant("knowledge.put", key, **DOCUMENT)
        with pytest.raises(Forbidden):
            await tenant("knowledge.delete", _as=key, source="handbook/returns")
    assert (await tenant("knowledge.put", _as=steward, **DOCUMENT)).outcome == "inserted"
    assert (await tenant("knowledge.put", **DOCUMENT)).outcome == "unchanged"
    with pytest.raises(StaleVersion):
        await tenant("knowledge.put", **DOCUMENT, owner="else")
    page = await tenant("knowledge.list", _as=agent, limit=1)
    rest = await tenant("knowledge.list", _as=agent, cursor=page.next)
    assert [one.source for one in (*page.items, *rest.items)] == ["handbook/returns", "s"]
    assert (await tenant("knowledge.get", _as=agent, source="s")).owner == "somebody"
    for key, name in ((shallow, "get"), (steward, "get"), (shallow, "list"), (own, "get")):
        with pytest.raises(Forbidden):
            await tenant(f"knowledge.{name}", _as=key, **({"source": "s"} if name == "get" else {}))
    stranger = await tenant.service.tenant()
    for where, asked in ((tenant, {"namespace": "n"}), (stranger, {})):
        assert (await where("knowledge.list", **asked)).items == ()
        with pytest.raises(NotFound):
            await where("knowledge.get", source="s", **asked)


@pytest.mark.parametrize("target", ["data_source", "source", "ids", "filter"])
async def test_forgotten_with_what_it_was_written_from(
    database: Database, tenant: Tenant, target: str
) -> None:
    await put(tenant, source="kept")
    about: dict[str, Any] = {"data_source": "crm", "metadata": {"case": 7}}
    await put(tenant, text="Kestrelwood.", source="kestrelwood", **about, namespace="n")
    await put(tenant, source="other", namespace="n", metadata={"case": 8})
    await tenant("events.write", user_id="u", session_id="s", events=[
        {"turn": 1, "role": "user", "content": "I live in Gouda.", "occurred_at": START}])  # fmt: skip
    document = await tenant("knowledge.get", source="kestrelwood", namespace="n")
    assert "knowledge_document" not in (await tenant("forget", user_id="u")).counts
    every: dict[str, dict[str, Any]] = {
        "data_source": {"data_source": "crm"},
        "source": {"data_source": "kestrelwood"},
        "ids": {"ids": [document.document_id], "namespace": "n"},
        "filter": {"filter": {"metadata.case": 7}, "namespace": "n"},
    }
    asked = every[target]
    tried = await tenant("forget", **asked, dry_run=True)
    assert tried.counts == {"knowledge_chunk": 1, "knowledge_document": 1}
    if target in ("source", "filter"):
        hold = await tenant("holds.place", **asked, reason="A case.")
        hidden = await tenant("forget", **asked)
        assert hidden.held == {"knowledge_chunk": 1, "knowledge_document": 1}
        with pytest.raises(NotFound):
            await tenant("knowledge.get", source="kestrelwood", namespace="n")
        named = {"hold"} if target == "source" else set()
        assert set(mentions(database, tenant, "kestrelwood")) == {"kept_row"} | named
        await tenant("holds.release", hold_id=hold.hold_id, reason="Over.")
        assert set(mentions(database, tenant, "kestrelwood")) == named
    else:
        done = await tenant("forget", **asked, confirm=tried.confirm)
        assert done.counts == {"knowledge_chunk": 1, "knowledge_document": 1}
        assert mentions(database, tenant, "kestrelwood") == []
    assert rows(database, tenant)[:3] == (2, 4, 4)
    assert [one.source for one in (await tenant("knowledge.list")).items] == ["kept"]


async def test_every_version_is_kept_under_a_hold(database: Database, tenant: Tenant) -> None:
    await put(tenant, data_source="crm")
    hold = await tenant("holds.place", data_source="crm", reason="A case.")
    await put(tenant, 2, OTHER, data_source="crm")
    await put(tenant, 3, "Never.")
    await tenant("knowledge.delete", source="handbook/returns")
    with database.connect(ADMIN) as admin:
        kept = admin.execute(
            "SELECT record ->> 'text' FROM muniment.kept_row"
            " WHERE tenant_id = %s AND source = 'knowledge_document' ORDER BY record ->> 'version'",
            [tenant.tenant_id],
        ).fetchall()
    assert [one[0] for one in kept] == [TEXT, OTHER, "Never."]
    await tenant("holds.release", hold_id=hold.hold_id, reason="Over.")
    assert "kept_row" not in mentions(database, tenant, "back")


ADMITTING: list[dict[str, Any]] = [
    {"kind": "document"}, {"tier": "knowledge", "data_source": "crm"}, {"metadata.case": {"$gt": 6}},
    {"$not": {"category": "regulated"}}, {"recorded_at": {"$exists": True}},
]  # fmt: skip
LEAVING: list[dict[str, Any]] = [
    {"kind": "fact"}, {"metadata.case": 8}, {"data_source": "erp"}, {"$not": {"tier": "knowledge"}},
]  # fmt: skip


@pytest.mark.parametrize("expression", [*ADMITTING, *LEAVING])
async def test_a_filter_reaches_the_documents_that_recall_finds(
    tenant: Tenant, expression: dict[str, Any]
) -> None:
    await put(tenant, data_source="crm", metadata={"case": 7})
    (line,) = (one for one in (await tenant("governance.report")).kinds if one.name == "document")
    assert (line.rows, line.oldest is not None) == (1, True)
    assert line.deletion == "forget of the source, item or filter"
    tiers = ["knowledge"]
    found = await tenant("recall", user_id="u", query="Returns within thirty days", tiers=tiers, filter=expression)  # fmt: skip
    wanted = 1 if expression in ADMITTING else 0
    assert bool(found.items) == bool(wanted)
    for elsewhere in ({"user_id": "u"}, {"namespace": "other"}):
        dry = await tenant("forget", filter=expression, **elsewhere, dry_run=True)
        assert dry.counts == {}
    hold = await tenant("holds.place", filter=expression, reason="A case.")
    assert (await tenant("forget", filter=expression)).held.get("knowledge_document", 0) == wanted
    await tenant("holds.release", hold_id=hold.hold_id, reason="Over.")
    assert len((await tenant("knowledge.list")).items) == 1 - wanted
