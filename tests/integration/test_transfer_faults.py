"""What stands in the way of an import, and of an export: then nothing is held, and it is said why.

| what | then |
|---|---|
| a line that is none, or is not of this policy | InvalidInput with its number; nothing of its page waits |
| a line twice, one that refers to nothing, two truths at one time, a record ahead of its watermark | InvalidInput with its number, at the commit |
| a line that is missing | InvalidInput |
| any line changed at random | InvalidInput or Conflict, or a user who is whole |
| something is held of the user; they opted out; ids are somebody's here | Conflict; WritesRefused; Conflict |
| a key without the verb, a layer, a role | Forbidden |
| the commit again | the same answer, nothing more |
| a day later | NotFound, and the duty removes it |
| a forget of the user or of a part of theirs | what waits of them is gone |
| writes after the export was made | its pages are those of its moment |
"""

import random
from copy import deepcopy
from typing import Any
from uuid import UUID, uuid4

import pytest

from muniment.errors import (
    Conflict,
    Forbidden,
    Forgotten,
    InvalidInput,
    MunimentError,
    NotFound,
    WritesRefused,
)
from muniment.operations.keys import LAYERS
from muniment.postgres.embedded import ADMIN
from muniment.worker import expire_transfers
from tests.integration.moving import DAY, bring, export, turn
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

Lines = list[dict[str, Any]]
ROLES = ["user", "assistant", "tool", "external", "operator"]


async def small(tenant: Tenant) -> Lines:
    """The export of a user with a history."""
    said = [turn(1, "I live in Gouda.", 9), turn(2, "I live in Breda.", 2)]
    await tenant("events.write", user_id="u", session_id="s", events=said)
    told: dict[str, Any] = {"kind": "fact", "user_id": "u"}
    for number, city in enumerate(("Gouda", "Breda"), 1):
        await tenant(
            "memories.remember", **told, slot="city", value=city, text=f"Lives in {city}.",
            evidence=[{"session_id": "s", "turn": number}],
        )  # fmt: skip
    await tenant("entities.define", user_id="u", name="Acme", kind="account", aliases=["Acme BV"])
    await tenant("memories.remember", **told, text="Acme renews in March.", subject="Acme")
    return await export(tenant)


def of(lines: Lines, kind: str, **like: Any) -> dict[str, Any]:
    """The first line of a type, with these members."""
    return next(x for x in lines if x["type"] == kind and like.items() <= x.items())


def held(database: Database, tenant: Tenant) -> int:
    """Users and rows of theirs."""
    with database.connect(ADMIN) as admin:
        row = admin.execute(
            "SELECT (SELECT count(*) FROM muniment.end_user WHERE tenant_id = %(t)s)"
            " + (SELECT count(*) FROM muniment.memory_index WHERE tenant_id = %(t)s)"
            " + (SELECT count(*) FROM muniment.scope WHERE tenant_id = %(t)s)",
            {"t": tenant.tenant_id},
        ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize(
    ("kind", "change", "pointer"),
    [
        ("event", {"content": 1}, "/content"),
        ("event", {"unheard_of": 1}, "/unheard_of"),
        ("event", {"occurred_at": "2026-05-01T00:00:00"}, "/occurred_at"),
        ("event", {"event_id": "x"}, "/event_id"),
        ("event", {"trust": "gospel"}, "/trust"),
        ("event", {"kept": False}, ""),
        ("event", {"retention_class": "never"}, "/retention_class"),
        ("event", {"fingerprint": "abc"}, "/fingerprint"),
        ("memory", {"kind": "poem"}, "/kind"),
        ("memory", {"kind": "event"}, "/kind"),
        ("memory", {"slot": None}, ""),
        ("version", {"cardinality": "many"}, "/cardinality"),
        ("version", {"recorded_to": "2020-01-01T00:00:00Z"}, ""),
        ("version", {"confidence": 1.5}, "/confidence"),
        ("evidence", {"source_namespace": None}, ""),
        ("export", {"version": 2}, "/version"),
        ("export", {"format": "x"}, "/format"),
        ("end", {"type": "poem"}, ""),
    ],
)
async def test_a_line_that_is_none(
    service: Local,
    tenant: Tenant,
    database: Database,
    kind: str,
    change: dict[str, Any],
    pointer: str,
) -> None:
    lines = await small(tenant)
    like = {"slot": "city"} if kind in {"memory", "version"} else {}
    bad = of(lines, kind, **like)
    bad |= change
    number = lines.index(bad)
    other = await service.tenant()
    place: dict[str, Any] = {"user_id": "u", "import_id": uuid4()}
    with pytest.raises(InvalidInput) as caught:
        await other("imports.upload", **place, first=101, records=lines)
    fault = caught.value.faults[0]
    assert fault.pointer == f"/records/{number}{pointer}"
    assert fault.message.startswith(f"line {number + 101}: ")
    with pytest.raises(NotFound):
        await other("imports.commit", **place, lines=len(lines))
    assert held(database, other) == 0


def twice(lines: Lines) -> int:
    """A memory is told once more, under another line."""
    lines.insert(-1, deepcopy(of(lines, "memory")))
    return len(lines) - 1


def same_turn(lines: Lines) -> int:
    """Another event is of the same turn."""
    lines.insert(-1, of(lines, "event") | {"event_id": str(uuid4())})
    return len(lines) - 1


def dangling(lines: Lines) -> int:
    """Evidence names a memory that is not told."""
    bad = of(lines, "evidence")
    bad["memory_id"] = str(uuid4())
    return lines.index(bad) + 1


def other_namespace(lines: Lines) -> int:
    """A session of a namespace that is not told."""
    bad = of(lines, "working") if any(x["type"] == "working" for x in lines) else of(lines, "alias")
    bad["namespace"] = "elsewhere"
    return lines.index(bad) + 1


def other_slot(lines: Lines) -> int:
    """A version is not in the slot of its memory."""
    bad = of(lines, "version", slot="city")
    bad["slot"] = "employer"
    return lines.index(bad) + 1


def two_truths(lines: Lines) -> int:
    """Two values of one slot at one time."""
    first, second = [
        x
        for x in lines
        if x["type"] == "version" and x["slot"] == "city" and x["recorded_to"] is None
    ][-2:]
    first |= {"valid_from": "2020-01-01T00:00:00Z", "valid_to": None}
    second |= {"valid_from": "2020-01-02T00:00:00Z", "valid_to": None}
    return lines.index(second) + 1


def no_version(lines: Lines) -> int:
    """A memory of which nothing says when it was held."""
    bad = of(lines, "memory", slot=None)
    lines.remove(of(lines, "version", memory_id=bad["memory_id"]))
    return lines.index(bad) + 1


def too_late(lines: Lines) -> int:
    """A decision after the last moment of the record."""
    bad = of(lines, "decision")
    bad["decided_at"] = "2031-01-01T00:00:00Z"
    return lines.index(bad) + 1


@pytest.mark.parametrize(
    "change",
    [twice, same_turn, dangling, other_namespace, other_slot, two_truths, no_version, too_late],
)
async def test_a_line_that_does_not_fit_the_others(
    service: Local, tenant: Tenant, database: Database, change: Any
) -> None:
    lines = await small(tenant)
    number = change(lines)
    lines[-1]["lines"] = len(lines)
    other = await service.tenant()
    with pytest.raises(InvalidInput) as caught:
        await bring(other, lines)
    assert [one.message.split()[:2] for one in caught.value.faults] == [["line", str(number)]]
    assert held(database, other) == 0


async def test_a_record_ahead_of_the_clock(service: Local, tenant: Tenant) -> None:
    lines = await small(tenant)
    of(lines, "scope")["watermark"] = (START + 2 * DAY).isoformat()
    with pytest.raises(InvalidInput):
        await bring(await service.tenant(), lines)


@pytest.mark.parametrize("gone", [0, 1, 5, -1])
async def test_a_line_that_is_missing(
    service: Local, tenant: Tenant, database: Database, gone: int
) -> None:
    lines = await small(tenant)
    del lines[gone]
    other = await service.tenant()
    with pytest.raises(InvalidInput):
        await bring(other, lines)
    assert held(database, other) == 0


def broken(chance: random.Random, value: Any) -> Any:
    """Another value of any type."""
    if isinstance(value, str) and chance.random() < 0.3:
        return value + "x"
    return chance.choice(
        [None, True, 0, -1, 2**60, 0.5, "", "x", str(uuid4()), START.isoformat(), [], ["x"], {}]
    )


async def test_whatever_is_changed(service: Local, tenant: Tenant, database: Database) -> None:
    lines, chance, refused = await small(tenant), random.Random(3), 0
    for number in range(150):
        changed = deepcopy(lines)
        one = chance.choice(changed[1:-1])
        name = chance.choice(sorted(one))
        one[name] = broken(chance, one[name])
        if chance.random() < 0.1:
            changed.remove(one)
            changed[-1]["lines"] = len(changed)
        other = await service.tenant(f"changed {number}")
        try:
            await bring(other, changed)
        except (InvalidInput, Conflict):
            refused += 1
            assert held(database, other) == 0
        else:
            arrived = await export(other)
            # What is past its time does not leave again.
            assert len(arrived) == len(changed) or name == "expires_at"
    assert 50 < refused < 150


async def test_who_is_known(service: Local, tenant: Tenant) -> None:
    lines = await small(tenant)
    with pytest.raises(Conflict, match="Something is held"):
        await bring(tenant, lines)
    with pytest.raises(Conflict, match="held in this tenant"):
        await bring(tenant, lines, user="v")
    other = await service.tenant()
    await other("users.opt_out", user_id="u")
    with pytest.raises(WritesRefused):
        await bring(other, lines)
    await other("users.opt_in", user_id="u")
    assert (await bring(other, lines)).counts["memory"] == 3


async def test_who_was_forgotten_comes_back(tenant: Tenant) -> None:
    lines = await small(tenant)
    await tenant("forget", user_id="u")
    with pytest.raises(Forgotten):
        await bring(tenant, lines)
    await tenant("users.reopen", user_id="u")
    await bring(tenant, lines)
    (city,) = [x.value for x in (await tenant("profile.get", user_id="u")).items]
    assert city == "Breda"
    # What comes later goes on from there.
    made = await tenant(
        "memories.remember", kind="fact", user_id="u", slot="city", value="Delft", text="Lives in Delft.",
        speaker="operator", valid_from=START + 3 * DAY,
    )  # fmt: skip
    assert made.outcome in {"superseded", "contested"}
    again = await tenant(
        "events.write", user_id="u", session_id="s", events=[turn(1, "I live in Gouda.", 9)]
    )
    assert again.stored == 0


@pytest.mark.parametrize(
    "lacking",
    [
        {"verbs": ["read", "write"]},
        {"layers": ["episodic", "working"]},
        {"roles": ["user", "assistant", "tool", "external"]},
    ],
)
async def test_keys(service: Local, tenant: Tenant, lacking: dict[str, Any]) -> None:
    lines = await small(tenant)
    grant: dict[str, Any] = {"verbs": ["operate"], "layers": list(LAYERS), "roles": ROLES}
    other = await service.tenant()
    with pytest.raises(Forbidden):
        await bring(other, lines, key=await other.key_for(**grant | lacking))
    if "roles" not in lacking:
        with pytest.raises(Forbidden):
            await tenant("exports.create", _as=await tenant.key_for(**grant | lacking), user_id="u")
    await bring(other, lines, key=await other.key_for(**grant))


async def test_doing_it_again(service: Local, tenant: Tenant, database: Database) -> None:
    lines = await small(tenant)
    other = await service.tenant()
    made = await bring(other, lines)
    before = held(database, other)
    place: dict[str, Any] = {"user_id": "u", "import_id": made.import_id}
    assert await other("imports.commit", **place, lines=len(lines)) == made
    assert held(database, other) == before
    late = await other("imports.upload", **place, first=1, records=lines[:1])
    assert (late.done, late.lines) == (True, 0)
    with pytest.raises(Conflict):
        await other("imports.upload", user_id="v", import_id=made.import_id, first=1, records=lines)
    with pytest.raises(NotFound):
        await other("imports.commit", user_id="v", import_id=made.import_id, lines=len(lines))


async def test_time_is_over(service: Local, worker: Local, tenant: Tenant) -> None:
    made = await _made(tenant)
    asked: dict[str, Any] = {"user_id": "u", "export_id": made}
    coming: dict[str, Any] = {"user_id": "v", "import_id": uuid4()}
    await tenant("imports.upload", **coming, first=1, records=[{"type": "end", "lines": 1}])
    service.clock.advance(minutes=61)
    with pytest.raises(NotFound):
        await tenant("exports.read", **asked)
    service.clock.advance(hours=23)
    with pytest.raises(NotFound):
        await tenant("imports.commit", **coming, lines=1)
    worker.clock.moment = service.clock.moment
    assert await expire_transfers.run_once(worker.world) >= 2
    assert await expire_transfers.run_once(worker.world) == 0


async def _made(tenant: Tenant) -> UUID:
    await small(tenant)
    made: UUID = (await tenant("exports.create", user_id="u")).export_id
    return made


@pytest.mark.parametrize(
    "target", [{}, {"session_id": "s"}, {"filter": {"turn": 1}}], ids=["user", "session", "filter"]
)
async def test_what_is_forgotten_waits_nowhere(
    tenant: Tenant, database: Database, target: dict[str, Any]
) -> None:
    made = await _made(tenant)
    dry = await tenant("forget", user_id="u", **target, dry_run=True)
    done = await tenant("forget", user_id="u", **target)
    assert dry.counts == done.counts
    assert done.counts["transfer"] == 2
    assert done.counts["transfer_line"] > 20
    with pytest.raises(MunimentError):
        await tenant("exports.read", user_id="u", export_id=made)
    with database.connect(ADMIN) as admin:
        left = admin.execute(
            "SELECT FROM muniment.transfer_line WHERE tenant_id = %s", [tenant.tenant_id]
        ).rowcount
    assert left == 0


async def test_what_is_withdrawn_waits_nowhere(tenant: Tenant) -> None:
    made = await _made(tenant)
    await tenant(
        "events.write",
        user_id="u",
        session_id="s",
        events=[turn(3, "I have a cat.")],
    )
    await tenant(
        "events.write", user_id="u", session_id="s", events=[turn(4, "Don't remember that.")]
    )
    with pytest.raises(NotFound):
        await tenant("exports.read", user_id="u", export_id=made)


async def test_pages_are_those_of_one_moment(tenant: Tenant) -> None:
    await small(tenant)
    made = await tenant("exports.create", user_id="u")
    place: dict[str, Any] = {"user_id": "u", "export_id": made.export_id, "limit": 3}
    page = await tenant("exports.read", **place)
    lines = [*page.items]
    while page.next:
        number = len(lines)
        await tenant(
            "memories.remember", kind="fact", user_id="u", text=f"Counted {number} herons."
        )
        page = await tenant("exports.read", **place, cursor=page.next)
        assert len(page.items) <= 3
        lines += page.items
    assert len(lines) == made.lines == lines[-1]["lines"]
    assert not any("herons" in str(line) for line in lines)
    with pytest.raises(NotFound):
        await tenant("exports.create", user_id="nobody")
    with pytest.raises(NotFound):
        await tenant("exports.read", user_id="v", export_id=made.export_id)
