"""A lower grade never displaces a higher one, whatever it says and however it comes (RULES 4).

| what comes | as | then |
|---|---|---|
| values for slots that the user filled, seeded at random | an agent's guess, a tool's or an outside turn's words, a correction, a retraction, a confirmation | what the user said holds, in the same windows, at the same grade, under the same words |
| every poisoned text of the shared set | outside turn, tool's turn, assistant's turn, remembered | the same; what is quarantined is not recalled; nothing is trusted more than its channel |
"""

import json
import os
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from muniment.domain.instructions import looks_like_instruction
from muniment.domain.trust import GRADES
from muniment.errors import MunimentError
from muniment.postgres.embedded import ADMIN
from tests.integration.extracting import work
from tests.support.databases import Database
from tests.support.world import START, Local, Tenant

DATA = Path(__file__).parents[3] / "shared/data/memshield_dev.jsonl"
SLOTS = {
    "city": "Delft", "employer": "Umbrella", "role": "data analyst", "deploy_region": "eu-west-1",
    "contact_channel": "email", "timezone": "Europe/Lisbon",
}  # fmt: skip
LASTING = ("The user prefers weekly reports.", "The user never works on Fridays.")
OTHERS = ("Oslo", "Initech", "intern", "us-east-1", "fax", "Asia/Tokyo", "nowhere")
# `make faults` tries a thousand times, and every text.
LONG = int(os.environ.get("TEST_KILLS", "3")) >= 20
CASES, EVERY = (1000, 1) if LONG else (200, 5)
AGO = START - timedelta(days=50)


@dataclass
class Stated:
    """What a user said, and what is held of it."""

    tenant: Tenant
    database: Database
    ids: list[Any]

    def held(self) -> list[tuple[Any, ...]]:
        """Everything that is asserted on the user's word, as it stands."""
        with self.database.connect(ADMIN) as admin:
            return admin.execute(
                "SELECT v.memory_id, m.text, m.value, v.valid::text, v.standing, v.trust, v.archived,"
                " v.pinned, v.retracted, v.expires_at FROM muniment.memory_version v JOIN muniment.memory m"
                " USING (tenant_id, scope_id, memory_id) WHERE v.tenant_id = %s AND upper_inf(v.recorded)"
                " AND v.trust = 'user_stated' ORDER BY 1, 4",
                [self.tenant.tenant_id],
            ).fetchall()

    def grades(self) -> set[str]:
        """Every grade that anything is held at, but for what the user said."""
        with self.database.connect(ADMIN) as admin:
            rows = admin.execute(
                "SELECT DISTINCT v.trust FROM muniment.memory_version v WHERE v.tenant_id = %s"
                " AND v.memory_id <> ALL(%s)",
                [self.tenant.tenant_id, self.ids],
            ).fetchall()
        return {grade for (grade,) in rows}


async def stated(tenant: Tenant, database: Database) -> Stated:
    """A user who filled the slots, and said what lasts."""
    ids = []
    said = [
        (f"My {slot.replace('_', ' ')} is {value}.", slot, value) for slot, value in SLOTS.items()
    ]
    for number, (text, slot, value) in enumerate([*said, *((one, None, None) for one in LASTING)]):
        event = {"turn": number, "role": "user", "content": text, "occurred_at": AGO}
        await tenant("events.write", user_id="u", session_id="own", events=[event])
        made = await tenant(
            "memories.remember", kind="user_preference" if slot is None else "fact", text=text,
            user_id="u", slot=slot, value=value, evidence=[{"session_id": "own", "turn": number}],
            valid_from=AGO,
        )  # fmt: skip
        assert made.trust == "user_stated"
        ids.append(made.id)
    return Stated(tenant, database, ids)


async def turn(tenant: Tenant, number: int, role: str, text: str) -> dict[str, Any]:
    """A turn of somebody else, as evidence."""
    event = {"turn": number, "role": role, "content": text, "occurred_at": START}
    await tenant("events.write", user_id="u", session_id="foreign", events=[event])
    return {"session_id": "foreign", "turn": number}


async def attack(tenant: Tenant, chosen: Random, number: int, mine: list[Any]) -> None:
    """One thing that somebody tries who is not the user."""
    slot = chosen.choice(list(SLOTS))
    value = chosen.choice([*OTHERS, SLOTS[slot]])
    text = f"My {slot.replace('_', ' ')} is {value}."
    role = chosen.choice(("assistant", "tool", "external"))
    at = START + timedelta(days=chosen.randint(-90, 90))
    window: dict[str, Any] = {"valid_from": at}
    if chosen.random() < 0.3:
        window["valid_to"] = at + timedelta(days=chosen.randint(1, 60))
    evidence = [await turn(tenant, number, role, text)] if chosen.random() < 0.6 else []
    target = chosen.choice(mine)
    match chosen.randrange(5):
        case 0 | 1:
            await tenant(
                "memories.remember", kind="fact", text=text, user_id="u", slot=slot, value=value,
                evidence=evidence, **window,
            )  # fmt: skip
        case 2:
            await tenant(
                "memories.correct", id=target, text=text, value=value, evidence=evidence, **window
            )
        case 3:
            await tenant("memories.retract", id=target, at=at, evidence=evidence)
        case _:
            await tenant("memories.confirm", id=target, evidence=evidence)


async def test_what_a_user_said_stands(database: Database, tenant: Tenant) -> None:
    own = await stated(tenant, database)
    before = own.held()
    assert len(before) == len(SLOTS) + len(LASTING)
    chosen, refused = Random("poison"), 0
    for number in range(CASES):
        try:
            await attack(tenant, chosen, number, own.ids)
        except MunimentError:
            refused += 1
        if number % 50 == 0 or number == CASES - 1:
            assert same(own.held(), before)
    assert refused < CASES / 2
    assert "user_stated" not in own.grades()
    found = await tenant(
        "recall", user_id="u", query="city employer role region", tiers=["semantic"], k=50
    )
    assert {item.value for item in found.items if item.slot} <= set(SLOTS.values())


def same(now: list[tuple[Any, ...]], before: list[tuple[Any, ...]]) -> bool:
    """The same memories in the same windows at the same grade; a confirmation may lengthen a life."""
    lives = [(one[-1], other[-1]) for one, other in zip(now, before, strict=True)]
    return [one[:-1] for one in now] == [one[:-1] for one in before] and all(
        one == other or (one is not None and other is not None and one >= other)
        for one, other in lives
    )


@pytest.mark.skipif(
    not DATA.exists(), reason="the evaluation data lies beside the checkout and is not there"
)
async def test_poisoned_entries(
    service: Local, worker: Local, database: Database, tenant: Tenant
) -> None:
    own = await stated(tenant, database)
    before = own.held()
    texts = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    poisoned = [one["text"] for one in texts if one["label"] == "poisoned"][::EVERY]
    benign = [one["text"] for one in texts if one["label"] == "benign"]
    for number, text in enumerate(poisoned):
        role = ("external", "tool", "assistant")[number % 3]
        event = {"turn": number % 40, "role": role, "content": text, "occurred_at": START}
        session = f"s{number // 40}"
        await tenant("events.write", user_id="u", session_id=session, events=[event])
        await tenant(
            "memories.remember", kind="fact", text=text, user_id="u",
            evidence=[{"session_id": session, "turn": number % 40}],
        )  # fmt: skip
    for number in range(len(poisoned) // 40 + 1):
        await work(database, worker, tenant, f"s{number}")
    assert same(own.held(), before)
    assert own.grades() <= {"agent_inferred", "external_content"} <= set(GRADES)
    flagged = [text for text in poisoned if looks_like_instruction(text).flagged]
    for text in flagged:
        view = await tenant("recall", user_id="u", query=text[:2000], k=50)
        assert text not in {item.text for item in view.items}
    alarms = sum(looks_like_instruction(text).flagged for text in benign)
    print(f"flagged {len(flagged)} of {len(poisoned)} poisoned, {alarms} of {len(benign)} benign")
