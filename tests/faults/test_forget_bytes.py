"""Not a byte of a forgotten user in any file (DESIGN 10; ``make forget-proof`` fills more rows).

A user has a word of their own in every column of every table that holds what was said, as the
schema has them; a column that is added has one too, or fails here. Then the user is forgotten and
the bytes are scrubbed, and every file of the data directory (tables, write-ahead log, logs), a
dump and a base backup are searched for the word, in every form that a byte may have.

| when | found |
|---|---|
| before the forget, the word of each column | in the row; and in the files of its table, in one form at least |
| after a forget under a hold, its release and the scrub | none, in no form; nor the bytes of a vector |
| another user's rows | the same to the last character |
"""

import base64
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from psycopg import sql

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Layout, shipped_program
from muniment.testing import Running
from tests.faults.canary_life import fill
from tests.support.cluster import fresh_place
from tests.support.services import running_service
from tests.support.waiting import until

OTHERS = int(os.environ.get("FORGET_PROOF_ROWS", "30"))
USER, OTHER = "Zq7canaryUser", "Zq8merganserUser"
# What is no word of a caller: closed vocabularies, digests, counters of the service itself.
OF_THE_SERVICE = {
    "event.fingerprint", "event.occurred_text", "event.reason", "event.retention_class",
    "event.role", "event.rule", "event.sentences", "event.standing", "event.redacted",
    "event.trust", "event.category", "episode.outcome", "episode.retention_class",
    "episode.trust", "episode.category", "episode.knowledge", "session.use_case", "session.outcome", "scope.level",
    "extraction.digest", "extraction.outcome",
    "extraction.rule", "memory.kind", "memory.slot",
    "memory_version.slot", "memory_version.cardinality", "memory_version.standing",
    "memory_version.trust", "memory_version.category", "memory_version.retention_class",
    "memory_evidence.trust", "decision.outcome", "decision.rule", "decision.inputs", "review.why",
    "review.decision", "review.trust_before", "review.trust_after", "memory_index.tier",
    "memory_index.kind", "memory_index.standing", "memory_index.terms", "memory_index.emb",
    "memory_index.emb_a", "memory_index.emb_b",
    "recall_log.tiers", "recall_log.items", "recall_log.user_key", "recall_log.counter",
    "recall_log.dropped", "idempotency.principal",
    "idempotency.key", "idempotency.operation", "idempotency.digest", "transfer.direction",
    "transfer.done", "transfer_line.kind", "transfer_line.keys", "transfer_line.refs",
    "api_key.secret_hash", "api_key.verbs", "api_key.layers", "api_key.roles", "api_key.gates",
    "run.outcome", "run_checkpoint.digest", "run_checkpoint.stale", "run_input.question",
    "run_input.tier", "run_input.acknowledged", "artifact.schema", "artifact.digest", "tool_call.digest", "tool_call.effect",
    "thread_checkpoint.digest", "thread_checkpoint.pieces", "thread_value.pieces", "thread_write.pieces",
    "thread_piece.digest", "tool_call.state", "tool_call.result_digest", "approval.decision", "rereview.changed",
    "rereview.operation", "rereview.detail", "rereview.asked", "rereview.verdict",
    # Names that an operator gave to what they defined.
    "analysis.mode", "analysis.outcome", "analysis.category", "analysis.retention_class",
    "run.machine", "tool_call.tool", "approval.gate", "run_transition.from_stage",
    "run_transition.to_stage",
}  # fmt: skip
# Of the tenant, the installation, or the proof of the erasure itself: no user's.
NO_SUBJECT = re.compile(
    r"(tenant|artifact_schema|audit|erasure|worker_pass|job_failure|model_budget|machine|hold|kept_row|knowledge|tool\.|data_source\.)"
)


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """A service with a data directory of its own."""
    with fresh_place() as place, running_service(place / "data") as running:
        yield running


def admin_of(service: Running) -> psycopg.Connection[Any]:
    return psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True)


def unnoted(url: str) -> float:
    """What is noted of answers a moment later, and is not yet."""
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    return sum(
        float(one.split()[1]) for one in lines if re.match(r"muniment_recall_\w+_waiting ", one)
    )


def columns(admin: psycopg.Connection[Any]) -> list[str]:
    """Every column that can hold what somebody said, as ``table.column``."""
    rows = admin.execute(
        "SELECT c.relname || '.' || a.attname FROM pg_class c"
        " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
        " JOIN pg_type t ON t.oid = a.atttypid"
        " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        " AND coalesce(nullif(t.typbasetype, 0), t.oid)::regtype::text IN"
        " ('text', 'text[]', 'json', 'jsonb', 'bytea', 'halfvec') ORDER BY 1"
    ).fetchall()
    return [name for (name,) in rows if not NO_SUBJECT.match(name)]


def marked(admin: psycopg.Connection[Any]) -> set[str]:
    """Columns of which no statistics are kept: they would be samples of what was said."""
    rows = admin.execute(
        "SELECT attrelid::regclass || '.' || attname FROM pg_attribute WHERE attstattarget = 0"
    ).fetchall()
    return {name.removeprefix("muniment.") for (name,) in rows}


def forms(word: str) -> list[bytes]:
    """How the bytes of a word may stand in a file."""
    found: set[bytes] = set()
    for text in (word, word.lower(), word.upper(), json.dumps(word)[1:-1]):
        data = text.encode()
        found |= {data, data.hex().encode(), data.hex().upper().encode()}
        found |= {text.encode("utf-16-le"), text.encode("utf-16-be")}
        for shift in range(3):
            # What stands around it decides its first and last characters.
            found.add(base64.b64encode(b"\0" * shift + data)[4 if shift else 0 : -4])
    return sorted(found)


def search(roots: Iterable[Path], needles: Iterable[bytes]) -> list[str]:
    """Files below with one of the needles; read whole, so nothing hides at a boundary."""
    wanted, found = list(needles), []
    for root in roots:
        for path in [root] if root.is_file() else sorted(root.rglob("*")):
            if path.is_file() and not path.is_symlink():
                data = path.read_bytes()
                found += [f"{path.name}: {one[:24]!r}" for one in wanted if one in data]
    return found


def rows_of(admin: psycopg.Connection[Any], user: str) -> dict[str, list[str]]:
    """Every row of a user by table, as text."""
    scopes = [
        one
        for (one,) in admin.execute(
            "SELECT scope_id FROM muniment.scope JOIN muniment.end_user USING (tenant_id, user_pk) WHERE user_id = %s",
            [user],
        )
    ]
    tables = admin.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'scope_id'"
        " WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
    ).fetchall()
    return {
        name: [
            text
            for (text,) in admin.execute(
                sql.SQL("SELECT r::text FROM {} r WHERE scope_id = ANY(%s) ORDER BY 1").format(
                    sql.Identifier("muniment", name)
                ),
                [scopes],
            )
        ]
        for (name,) in tables
    }


def vectors(admin: psycopg.Connection[Any], user: str) -> list[bytes]:
    """The vectors of a user as they lie in a page: after the header of eight bytes."""
    rows = admin.execute(
        "SELECT halfvec_send(v.emb) FROM muniment.memory_index i JOIN muniment.scope s USING (tenant_id, scope_id)"
        " JOIN muniment.end_user u USING (tenant_id, user_pk) CROSS JOIN LATERAL (VALUES (i.emb), (i.emb_a), (i.emb_b)) v (emb)"
        " WHERE u.user_id = %s AND v.emb IS NOT NULL",
        [user],
    ).fetchall()
    swapped = [bytes(one) for (one,) in rows]
    # Sent in the order of the network, stored in that of the machine; a part of it is enough.
    return [b"".join(one[at + 1 : at + 2] + one[at : at + 1] for at in range(4, 132, 2)) for one in swapped]  # fmt: skip


def copies(service: Running, place: Path) -> list[Path]:
    """A dump and a base backup."""
    conninfo = Layout.of(service.data_dir).conninfo(ADMIN)
    dump, base = place / f"plain-{uuid4().hex}.sql", place / f"base-{uuid4().hex}"
    _tool("pg_dump", f"--dbname={conninfo}", f"--file={dump}")
    _tool("pg_basebackup", f"--dbname={conninfo}", f"--pgdata={base}", "--checkpoint=fast")
    return [dump, base]


def _tool(name: str, *arguments: str) -> None:
    subprocess.run([str(shipped_program(name)), *arguments], check=True, capture_output=True)


def filled(admin: psycopg.Connection[Any], names: Iterable[str], user: str) -> set[str]:
    """The columns that have the user's word."""
    found = set()
    for name in names:
        table, column = name.split(".")
        row = admin.execute(
            sql.SQL("SELECT FROM {} WHERE {}::text ILIKE ANY(%s) LIMIT 1").format(
                sql.Identifier("muniment", table), sql.Identifier(column)
            ),
            [[f"%{user}%", f"%{user.encode().hex()}%"]],
        )
        if row.rowcount:
            found.add(name)
    return found


def named(admin: psycopg.Connection[Any], found: list[str]) -> list[str]:
    """What was found, with the names of tables and indexes instead of their files' numbers."""
    names = dict(
        admin.execute(
            "SELECT pg_relation_filenode(oid)::text, oid::regclass::text FROM pg_class"
            " WHERE pg_relation_filenode(oid) IS NOT NULL"
        ).fetchall()
    )
    return [re.sub(r"^\d+", lambda match: names.get(match[0], match[0]), one) for one in found]


def files_of(admin: psycopg.Connection[Any], table: str, data: Path) -> list[Path]:
    """Where the rows of a table lie: its partitions, and what is too long for a row."""
    rows = admin.execute(
        "SELECT pg_relation_filepath(o) FROM (SELECT %(name)s::regclass AS relid"
        " UNION SELECT relid FROM pg_partition_tree(%(name)s::regclass)) t JOIN pg_class c ON c.oid = t.relid,"
        " LATERAL unnest(ARRAY[c.oid, c.reltoastrelid]) AS o WHERE o <> 0 AND pg_relation_filepath(o) IS NOT NULL",
        {"name": f"muniment.{table}"},
    ).fetchall()
    return [data / "pg" / path for (path,) in rows]


def test_no_byte_is_left(service: Running) -> None:
    place = service.data_dir.parent
    with Client(service.url, service.key) as client, admin_of(service) as admin:
        fill(client, USER)
        fill(client, OTHER)
        for number in range(OTHERS):
            client.memories.remember(kind="fact", user_id=OTHER, text=f"Owns boat {number}.")
        until(lambda: not unnoted(service.url))
        names = columns(admin)
        have = filled(admin, names, USER)
        assert sorted(set(names) - have - OF_THE_SERVICE) == []
        assert sorted(have & OF_THE_SERVICE) == []
        assert sorted(have - marked(admin)) == []
        # As they are while the tenant goes over to another embedder.
        admin.execute(
            "UPDATE muniment.memory_index SET emb_a = (emb::real[] || emb::real[])::halfvec,"
            " emb_b = (emb::real[] || '{0.5}'::real[])::halfvec"
        )
        before, numbers = rows_of(admin, OTHER), vectors(admin, USER)
        assert sum(map(len, before.values())) > OTHERS
        admin.execute("ANALYZE")
        admin.execute("CHECKPOINT")
        for table in sorted({name.split(".")[0] for name in have}):
            assert search(files_of(admin, table, service.data_dir), forms(USER)), table
        assert search([service.data_dir / "pg" / "base"], numbers[:1])

        hold_id = client.holds.place(user_id=USER, reason="case").hold_id
        assert client.forget(user_id=USER).held
        released = client.holds.release(hold_id=hold_id, reason="over").receipt_id
        receipt_id = client.forget(user_id=USER, scrub=True).receipt_id
        assert receipt_id is not None
        assert released is not None
        until(lambda: client.receipts.get(receipt_id=receipt_id).state == "scrubbed", within=120)
        assert client.receipts.get(receipt_id=released).state == "scrubbed"
        needles = [*forms(USER), *numbers]
        assert named(admin, search([service.data_dir], needles)) == []
        assert search(copies(service, place), needles) == []
        assert rows_of(admin, OTHER) == before
        shown = client.receipts.get(receipt_id=receipt_id)
        assert (shown.scrub["statistics"], shown.scrub["left"]) == ("none", ["backups"])
