"""What is measured against what: each answers one question about one user."""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, Self

import psycopg
from langgraph.store.base import PutOp
from langgraph.store.postgres import PostgresStore
from psycopg import sql
from psycopg.types.range import TimestamptzRange

from bench.corpus import Note
from bench.over_http import K
from muniment.providers.static_embedder import StaticEmbedder

BATCH = 100
_EMBEDDER = StaticEmbedder()


class Contender(Protocol):
    """Answers a question; what it takes is measured by the caller."""

    @property
    def name(self) -> str:
        """What the figures are printed under."""
        ...

    def ask(self, user: str, question: str) -> int:
        """The number of answers."""
        ...


def vector(text: str) -> str:
    """A text's vector as pgvector reads it."""
    return "[" + ",".join(f"{value:.5g}" for value in _EMBEDDER.embed([text])[0]) + "]"


@dataclass(frozen=True)
class Floor:
    """One prepared statement on one connection that selects the k nearest, query embedding included."""

    name: str
    connection: psycopg.Connection[Any]
    table: str

    def ask(self, user: str, question: str) -> int:
        """The same SQL without the service."""
        query = sql.SQL(
            "SELECT id, {}, emb <=> %s::halfvec AS distance FROM {} WHERE tenant_id = 1 AND user_id = %s"
            " AND standing = 'asserted' AND valid @> now() AND recorded @> now()"
            " AND (expires_at IS NULL OR expires_at > now()) ORDER BY distance LIMIT %s"
        ).format(
            sql.SQL("content" if self.table == "floor_wide" else "id"), sql.Identifier(self.table)
        )
        return len(
            self.connection.execute(query, [vector(question), user, K], prepare=True).fetchall()
        )


def make_floors(conninfo: str, notes: Sequence[tuple[str, Note]]) -> tuple[list[Floor], float]:
    """The wide table and the covering index with every note; and rows a second of bare COPY."""
    connection = psycopg.connect(conninfo, autocommit=True)
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    connection.execute(
        "CREATE TABLE floor_wide (tenant_id int NOT NULL, user_id text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
        " session text, role text, content text NOT NULL, occurred_at timestamptz, valid tstzrange NOT NULL,"
        " recorded tstzrange NOT NULL DEFAULT tstzrange(now(), NULL), standing text NOT NULL DEFAULT 'asserted', expires_at timestamptz,"
        " metadata jsonb DEFAULT '{}', trust text DEFAULT 'user_stated', emb halfvec(256))"
    )
    connection.execute("CREATE INDEX ON floor_wide (tenant_id, user_id)")
    rows = [
        (1, user, note.text, note.at, TimestamptzRange(note.at, None), vector(note.text))
        for user, note in notes
    ]
    began = time.perf_counter()
    for start in range(0, len(rows), BATCH):
        with connection.cursor().copy(
            "COPY floor_wide (tenant_id, user_id, content, occurred_at, valid, emb) FROM STDIN"
        ) as copy:
            for row in rows[start : start + BATCH]:
                copy.write_row(row)
    seconds = time.perf_counter() - began
    connection.execute(
        "CREATE TABLE floor_narrow AS"
        " SELECT tenant_id, user_id, id, valid, recorded, standing, expires_at, emb FROM floor_wide"
    )
    connection.execute(
        "CREATE INDEX ON floor_narrow (tenant_id, user_id)"
        " INCLUDE (id, valid, recorded, standing, expires_at, emb)"
    )
    connection.execute("VACUUM ANALYZE floor_wide, floor_narrow")
    floors = [
        Floor("floor: wide table", connection, "floor_wide"),
        Floor("floor: covering index", connection, "floor_narrow"),
    ]
    return floors, len(rows) / seconds


class Peer(AbstractContextManager["Peer"]):
    """LangGraph's PostgresStore in this process, with the same vectors."""

    name = "LangGraph PostgresStore"

    def __init__(self, conninfo: str) -> None:
        index: Any = {
            "dims": _EMBEDDER.dimensions,
            "embed": lambda texts: _EMBEDDER.embed(texts).tolist(),
            "fields": ["text"],
        }
        self._conninfo = conninfo
        self._opened = PostgresStore.from_conn_string(conninfo, index=index)
        self._store = self._opened.__enter__()
        self._store.setup()

    def fill(self, notes: Sequence[tuple[str, Note]]) -> None:
        """Put every note. Its indexes are made again afterwards, which is faster and no worse."""
        with psycopg.connect(self._conninfo, autocommit=True) as connection:
            made = connection.execute(
                "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'store_vectors' AND indexdef LIKE '%hnsw%'"
            ).fetchall()
            for name, _ in made:
                connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
            for start in range(0, len(notes), BATCH):
                self._store.batch(
                    [
                        PutOp(
                            (user,),
                            str(note.number),
                            {"text": note.text, "at": note.at.isoformat()},
                        )
                        for user, note in notes[start : start + BATCH]
                    ]
                )
            connection.execute("SET maintenance_work_mem = '1GB'")
            for _, definition in made:
                connection.execute(definition)
            connection.execute("VACUUM ANALYZE")

    def ask(self, user: str, question: str) -> int:
        """One search."""
        return len(self._store.search((user,), query=question, limit=K))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.__exit__(*error)
