"""What a change says has to fit: texts and values, what is archived, what is not known yet.

| held | asked | then |
|---|---|---|
| "Ro lives in Rome." of Rome | text "Ro lives in Oslo." | InvalidInput at /text; the value too: done |
| the same | text "Ro resides in rome." | done: it states the value |
| "Romeo lives in Rome." of Rome | value Oslo | "Romeo lives in Oslo." |
| "The 5th pays for plan 5." of 5 | value 6 | "The 5th pays for plan 6." |
| "Rome it is; he lives in Rome." | value Oslo | InvalidInput at /value; the text too: done |
| "He moved to Rome-Nord." of Rome | the same | the same |
| "Romeo moved." of Rome | value Oslo | InvalidInput at /value; the text too: done |
| archived | pin | held, pinned, with its own life; on the profile |
| the same, pinned | undo | archived as before |
| anything | known_at in the future | the watermark is echoed; asked again by it, the same set after a write |
| nobody | the same | now is echoed |
"""

from datetime import timedelta
from typing import Any

import pytest

from muniment.errors import InvalidInput
from muniment.postgres.embedded import ADMIN
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

FAR = START + timedelta(days=30000)
NINETY = timedelta(days=90)


async def told(tenant: Tenant, text: str, value: str = "Rome") -> Any:
    """A city, as the agent guesses."""
    return await tenant(
        "memories.remember", kind="fact", text=text, user_id="u", slot="city", value=value
    )


async def pointers(tenant: Tenant, **given: Any) -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        await tenant("memories.correct", **given)
    return [fault.pointer for fault in refused.value.faults]


async def test_a_text_that_states_another_value(tenant: Tenant) -> None:
    made = await told(tenant, "Ro lives in Rome.")
    text = "Ro lives in Oslo."
    assert await pointers(tenant, id=made.id, text=text) == ["/text"]
    assert await pointers(tenant, id=made.id, text=text, valid_from=START) == ["/text"]
    done = await tenant("memories.correct", id=made.id, text=text, value="Oslo")
    held = await tenant("memories.get", id=done.id)
    assert (held.text, held.value) == (text, "Oslo")
    done = await tenant("memories.correct", id=done.id, text="Ro resides in oslo.")
    held = await tenant("memories.get", id=done.id)
    assert (held.text, held.value) == ("Ro resides in oslo.", "Oslo")


@pytest.mark.parametrize(
    ("text", "was", "value", "then"),
    [
        ("Romeo lives in Rome.", "Rome", "Oslo", "Romeo lives in Oslo."),
        ("Romeo lives in ROME now.", "Rome", "Oslo", "Romeo lives in Oslo now."),
        ("The 5th pays for plan 5.", "5", "6", "The 5th pays for plan 6."),
        ("Lives in New York.", "new york", "York", "Lives in York."),
    ],
)
async def test_the_value_alone(tenant: Tenant, text: str, was: str, value: str, then: str) -> None:
    made = await told(tenant, text, was)
    done = await tenant("memories.correct", id=made.id, value=value)
    held = await tenant("memories.get", id=done.id)
    assert (held.text, held.value) == (then, value)


@pytest.mark.parametrize(
    "text",
    ["Romeo moved.", "Rome it is; he lives in Rome.", "He moved to Rome-Nord.", "At pre-rome."],
)
async def test_a_value_that_the_text_does_not_state_once(tenant: Tenant, text: str) -> None:
    made = await told(tenant, text)
    assert await pointers(tenant, id=made.id, value="Oslo") == ["/value"]
    given = {"id": made.id, "value": "Oslo", "text": "Romeo moved to Oslo."}
    assert (await tenant("memories.correct", **given)).outcome == "superseded"


async def test_an_archived_one_pinned(service: Local, tenant: Tenant, database: Database) -> None:
    made = await tenant("memories.remember", kind="fact", text="Has a cat.", user_id="u")
    with database.connect(ADMIN) as admin:
        for table, change in (
            ("memory_version", "archived = true"), ("memory_index", "standing = 'archived'"),
        ):  # fmt: skip
            admin.execute(
                f"UPDATE muniment.{table} SET {change}, expires_at = %s"  # noqa: S608
                " WHERE tenant_id = %s AND version_id IS NOT NULL",
                [START + NINETY, tenant.tenant_id],
            )
    assert (await tenant("memories.get", id=made.id)).status == "archived"
    await tenant("memories.pin", id=made.id)
    (item,) = (await tenant("profile.get", user_id="u")).items
    assert (item.id, item.pinned, item.status, item.expires_at) == (made.id, True, "active", None)
    assert (await tenant("memories.pin", id=made.id)).decision_id is None
    await tenant("memories.undo", id=made.id)
    item = await tenant("memories.get", id=made.id)
    assert (item.pinned, item.status, item.expires_at) == (False, "archived", START + NINETY)
    await tenant("memories.pin", id=made.id)
    service.clock.advance(days=320)
    assert (await tenant("memories.get", id=made.id)).status == "active"


READS: dict[str, dict[str, Any]] = {
    "memories.list": {},
    "profile.get": {},
    "recall": {"query": "Which city does she live in?"},
    "entities.get": {"name": "Ana"},
}


def shown(answer: Any) -> list[Any]:
    return [item.id for item in getattr(answer, "items", None) or answer.facts]


@pytest.mark.parametrize("name", READS)
async def test_what_is_not_known_yet(tenant: Tenant, name: str) -> None:
    """The clock stands still, so that the next write could come at the same instant."""
    given: dict[str, Any] = {"user_id": "u", "as_of": FAR} | READS[name]
    await tenant("entities.define", user_id="u", name="Ana", kind="person")
    await told(tenant, "Lives in the city of Rome.")
    fact: dict[str, Any] = {"kind": "fact", "user_id": "u", "slot": "city"}
    await tenant(
        "memories.remember", text="Ana lives in Bern.", subject="Ana", value="Bern", **fact
    )
    first = await tenant(name, **given, known_at=FAR)
    assert first.watermark == (await tenant("profile.get", user_id="u")).watermark
    await told(tenant, "Lives in the city of Oslo.", "Oslo")
    await tenant(
        "memories.remember", text="Ana lives in Kiel.", subject="Ana", value="Kiel", **fact
    )
    again = await tenant(name, **given, known_at=first.watermark)
    assert shown(again) == shown(first)
    assert again.watermark == first.watermark
    later = await tenant(name, **given, known_at=FAR)
    assert shown(later) != shown(first)


@pytest.mark.parametrize("name", ["memories.list", "profile.get", "recall"])
async def test_of_nobody(service: Local, tenant: Tenant, name: str) -> None:
    given = {"user_id": "nobody"} | READS[name]
    assert (await tenant(name, **given, known_at=FAR)).watermark <= service.clock.now()
