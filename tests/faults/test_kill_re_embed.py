"""The worker killed with -9 while a tenant goes over to another embedder.

| killed | then |
|---|---|
| with vectors that it made and did not store, after storing some, right after the switch, between two removals | started again it ends where a run without kills does: no row lacks a vector, none of the old ones is left, answers are those of the new ones |

The short run kills at two points, the long one (``make faults``) at all.
"""

import asyncio
import os
import signal
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest

from muniment.postgres.embedded import WORKER
from tests.faults.re_embedding import tend
from tests.support.databases import Database
from tests.support.embedders import MODELS
from tests.support.world import START, Tenant, local_service

EVERYWHERE = int(os.environ.get("TEST_KILLS", "3")) >= 20
POINTS = ("made:2", "stored:1", "switched:1", "cleared:1") if EVERYWHERE else ("made:2", "switched:1")  # fmt: skip
TEXTS = ("I keep a grey horse.", "My sister paints boats.", "I moved to Gouda.", "It is a mare.")
COUNTED = (
    "SELECT count(emb), count(emb_a), count(*) FROM muniment.memory_index WHERE tenant_id = %s"
)


async def told(tenant: Tenant) -> None:
    """Turns, and the beginning of other vectors."""
    events = [
        {"turn": at, "role": "user", "content": text, "occurred_at": START}
        for at, text in enumerate(TEXTS)
    ]
    await tenant("events.write", user_id="u", session_id="s", events=events)
    await tenant("embeddings.re_embed", to="hashed-1")


async def answers(tenant: Tenant) -> list[Any]:
    view = await tenant("recall", user_id="u", query="Which horse is grey?")
    return [(item.text, item.score, item.score_parts) for item in view.items]


def place(database: Database, tenant: Tenant, days: int) -> tuple[str, str, str]:
    """Whose vectors are tended, and how many days later."""
    moment = (START + timedelta(days=days)).isoformat()
    return database.conninfo(WORKER), str(tenant.tenant_id), moment


def killed_at(point: str, *given: str) -> bool:
    """Whether a process of its own that is armed for the point dies there."""
    command = [sys.executable, "-m", "tests.faults.re_embedding", *given, f"embeddings.{point}"]
    return subprocess.run(command, check=False, timeout=120).returncode == -signal.SIGKILL


@pytest.mark.parametrize("point", POINTS)
async def test_the_worker_dies_at(database: Database, point: str) -> None:
    async with local_service(database.conninfo(), seed=f"re-embed {point}") as service:
        service.world.__dict__.update(embedders=MODELS)
        killed, unharmed = await service.tenant("killed"), await service.tenant("unharmed")
        for tenant in (killed, unharmed):
            await told(tenant)
        days = 0
        if point.startswith("cleared"):
            await tend(*place(database, killed, days))
            days = 1
        assert await asyncio.to_thread(killed_at, point, *place(database, killed, days))
        for tenant in (killed, unharmed):
            for later in (1, 2):
                await tend(*place(database, tenant, later))
            shown = await tenant("embeddings.get")
            assert (shown.embedder, shown.state) == ("hashed-1", "settled")
        with database.connect() as admin:
            for tenant in (killed, unharmed):
                (row,) = admin.execute(COUNTED, [tenant.tenant_id]).fetchall()
                assert row == (0, row[2], row[2])
                assert row[2] == len(TEXTS)
        assert await answers(killed) == await answers(unharmed)
        assert await answers(killed)
