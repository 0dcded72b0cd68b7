"""The worker's duties, as a real worker does them for a real queue.

| duty | its time comes | done |
|---|---|---|
| expire_answers | every hour | answers older than a day are gone, in every tenant |
| recount_usage | every night | wrong counts are right |
| close_idle_sessions, curate, remove_old_jobs | every ten minutes, every night | without an error |

What each does in every case: tests/integration/test_duties.py, test_consolidation.py,
test_curator.py.
"""

from typing import Any

import psycopg
import pytest

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Layout
from muniment.records.credentials import read_token
from muniment.testing import Running
from tests.support.waiting import until


class Tenant:
    """A tenant of the running service, and what the database has of it."""

    def __init__(self, running: Running, client: Client, key: str) -> None:
        self.client = client
        self._running = running
        self._tenant_id = read_token(key).tenant_id

    def query(self, text: str, **values: Any) -> list[Any]:
        """Rows of a statement, which may name the tenant as ``%(tenant)s``."""
        conninfo = Layout.of(self._running.data_dir).conninfo(ADMIN)
        with psycopg.connect(conninfo, autocommit=True) as admin:
            done = admin.execute(text.encode(), {"tenant": self._tenant_id, **values})
            return [] if done.description is None else done.fetchall()


@pytest.fixture
def tenant(running: Running) -> Any:
    with Client(running.url, running.key) as installation:
        key = installation.tenants.create(name="duties").key.secret
    with Client(running.url, key) as client:
        yield Tenant(running, client, key)


def run(tenant: Tenant, duty: str) -> None:
    """Have the worker do a duty now."""
    ((number,),) = tenant.query(
        "INSERT INTO muniment_queue.procrastinate_jobs (queue_name, task_name, lock, args)"
        " VALUES ('default', %(duty)s::text, %(duty)s::text, '{\"timestamp\": 0}') RETURNING id",
        duty=duty,
    )

    def state() -> str:
        ((found,),) = tenant.query(
            "SELECT status::text FROM muniment_queue.procrastinate_jobs WHERE id = %(number)s",
            number=number,
        )
        return str(found)

    until(lambda: state() in ("succeeded", "failed"), within=60)
    assert state() == "succeeded"


def test_answers_expire(tenant: Tenant) -> None:
    for key in ("old", "young"):
        tenant.client.working.put(
            user_id="u", session_id="s", key=key, value=1, idempotency_key=key
        )
    tenant.query(
        "UPDATE muniment.idempotency SET created_at = created_at - interval '1 day'"
        " WHERE tenant_id = %(tenant)s"
    )
    tenant.client.working.put(user_id="u", session_id="s", key="k", value=1, idempotency_key="new")
    run(tenant, "expire_answers")
    kept = "SELECT count(*) FROM muniment.idempotency WHERE tenant_id = %(tenant)s"
    assert tenant.query(kept) == [(1,)]


def test_usage_is_counted_anew(tenant: Tenant) -> None:
    tenant.client.memories.remember(kind="fact", user_id="u", text="Lives in Gouda.")
    counts = "SELECT items, bytes FROM muniment.scope_state WHERE tenant_id = %(tenant)s"
    right = tenant.query(counts)
    assert right == [(1, len("Lives in Gouda."))]
    tenant.query(
        "UPDATE muniment.scope_state SET items = 7, bytes = 0 WHERE tenant_id = %(tenant)s"
    )
    run(tenant, "recount_usage")
    assert tenant.query(counts) == right


@pytest.mark.parametrize("duty", ["close_idle_sessions", "curate", "remove_old_jobs"])
def test_a_duty_without_work(tenant: Tenant, duty: str) -> None:
    run(tenant, duty)
