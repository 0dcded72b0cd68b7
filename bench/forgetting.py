"""``make bench-forget``: forgetting a user of many memories, and the scrub, beside others' calls.

One client recalls and writes as other users, one call after the other: alone, while a user of
``--memories`` memories is forgotten (again and again: they are taken in anew from an export), and
while the bytes are scrubbed. What was taken in is analysed, as the server does by itself within a
minute or two: without statistics a cascade may look through the whole scope for every row.
"""

import argparse
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql

from bench.corpus import Corpus
from bench.figures import percentile
from bench.over_http import K, OverHttp, timed
from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Layout
from muniment.settings import environment_with
from muniment.testing import Running, running_service

_BIG = "big"
_REMEMBERED = 200
_OF_A_MEMORY = {"memory", "version", "evidence", "decision"}
_IDS = ("memory_id", "version_id", "evidence_id", "decision_id")
_OTHERS, _TURNS, _LINES, _WRITTEN = 20, 200, 200, 5
_AT = datetime(2026, 11, 1, tzinfo=UTC).isoformat()
_ROWS = """
SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint FROM pg_class c
WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind = 'r'
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND a.attstattarget = 0)
"""


@dataclass
class Taken:
    """Milliseconds of each call of others, by what it was."""

    recall: list[float] = field(default_factory=list)
    write: list[float] = field(default_factory=list)


class Others:
    """A client that asks as other users, from a thread of its own."""

    def __init__(self, service: Running) -> None:
        self._client = OverHttp(service.url, service.key)
        self._corpus = Corpus(3)
        self._notes = {
            f"other-{n}": list(self._corpus.notes(f"other-{n}", _TURNS)) for n in range(_OTHERS)
        }
        self._calls = 0

    def fill(self) -> None:
        """What they said."""
        for user, notes in self._notes.items():
            for start in range(0, _TURNS, 100):
                self._write(user, f"s{start}", [note.text for note in notes[start : start + 100]])

    def _write(self, user: str, session: str, texts: Sequence[str]) -> None:
        events = [
            {"turn": turn, "role": "user", "content": text, "occurred_at": _AT}
            for turn, text in enumerate(texts)
        ]
        self._client.post(f"/v1/users/{user}/sessions/{session}/events", {"events": events})

    def _next(self, taken: Taken) -> None:
        user = f"other-{self._calls % _OTHERS}"
        note = self._notes[user][self._calls % _TURNS]
        self._calls += 1
        query = f"What was decided about {note.text.split()[-1]} {self._calls}?"
        asked = {"user_id": user, "query": query, "k": K}
        taken.recall.append(timed(lambda: self._client.post("/v1/recall", asked)))
        texts = [f"{note.text} ({self._calls}, {number})" for number in range(_WRITTEN)]
        taken.write.append(timed(lambda: self._write(user, f"w{self._calls}", texts)))

    def alone(self, seconds: float) -> Taken:
        """Their calls while nothing else goes on."""
        taken, end = Taken(), time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._next(taken)
        return taken

    @contextmanager
    def beside(self, taken: Taken) -> Iterator[None]:
        """Their calls while the caller does something; the call that is under way is waited for."""
        over = threading.Event()

        def ask() -> None:
            while not over.is_set():
                self._next(taken)

        thread = threading.Thread(target=ask)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def main() -> int:
    """Run and print; ``--json FILE`` keeps the figures; 1 where recall is above the limit."""
    options = _options()
    with running_service() as service, Client(service.url, service.key, timeout=600) as client:
        _patient(service)
        others = Others(service)
        others.fill()
        lines = _memories(client, options.memories)
        others.alone(2)
        idle = others.alone(options.seconds)
        forget, beside, rows = list[float](), Taken(), 0
        for _ in range(options.rounds):
            _take_in(client, lines)
            _analyse(service)
            with others.beside(beside):
                began = time.perf_counter()
                rows = sum(client.forget(user_id=_BIG).counts.values())
                forget.append((time.perf_counter() - began) * 1000)
        scrubbing = Taken()
        with others.beside(scrubbing):
            scrub = _scrub(service)
        figures = {
            "memories": options.memories, "rows_forgotten": rows,
            "forget_ms": _spread(forget), "idle": _each(idle), "beside_forget": _each(beside),
            "beside_scrub": _each(scrubbing), "scrub": scrub,
            "recall_ratio_p95": percentile(beside.recall, 95) / percentile(idle.recall, 95),
        }  # fmt: skip
    for name, value in figures.items():
        print(f"{name}: {json.dumps(value)}")
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return int(figures["recall_ratio_p95"] > options.limit)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.forgetting", description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000, help="of the user who is forgotten")
    parser.add_argument("--rounds", type=int, default=3, help="how often")
    parser.add_argument("--seconds", type=float, default=10.0, help="of others alone")
    parser.add_argument("--limit", type=float, default=2.0, help="highest ratio of recalls' p95")
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def _memories(client: Client, count: int) -> list[dict[str, Any]]:
    """An export of so many memories: one of a few that were remembered, many times over."""
    for note in Corpus(5).notes(_BIG, _REMEMBERED):
        client.memories.remember(kind="fact", user_id=_BIG, text=f"{note.text} ({note.number})")
    export_id = client.exports.create(user_id=_BIG).export_id
    page = client.exports.read(user_id=_BIG, export_id=export_id, limit=_LINES)
    lines = list(page.items)
    while page.next:
        page = client.exports.read(
            user_id=_BIG, export_id=export_id, limit=_LINES, cursor=page.next
        )
        lines += page.items
    client.forget(user_id=_BIG)
    more = [_again(line, copy) for line in lines[1:-1] for copy in _copies(line, count)]
    return [lines[0], *more, lines[-1] | {"lines": len(more) + 2}]


def _copies(line: dict[str, Any], count: int) -> range:
    return range(count // _REMEMBERED if line["type"] in _OF_A_MEMORY else 1)


def _again(line: dict[str, Any], copy: int) -> dict[str, Any]:
    """A line of the same memory under another id, in words of its own."""
    if not copy:
        return line
    made = line | {name: _other(line[name], copy) for name in _IDS if name in line}
    if "made" in line:
        made["made"] = [_other(one, copy) for one in line["made"]]
    if "text" in line:
        made["text"] = f"{line['text']} ({copy})"
    return made


def _other(name: str, copy: int) -> str:
    return str(UUID(int=UUID(name).int ^ (copy << 16)))


def _take_in(client: Client, lines: Sequence[dict[str, Any]]) -> None:
    client.users.reopen(user_id=_BIG)
    import_id = uuid4()
    for start in range(0, len(lines), _LINES):
        records = list(lines[start : start + _LINES])
        client.imports.upload(user_id=_BIG, import_id=import_id, first=start + 1, records=records)
    client.imports.commit(user_id=_BIG, import_id=import_id, lines=len(lines))


def _patient(service: Running) -> None:
    """The user is taken in at one go, which takes longer than a request usually may."""
    with psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True) as admin:
        for limit in (
            "statement_timeout",
            "idle_in_transaction_session_timeout",
            "transaction_timeout",
        ):
            admin.execute(
                sql.SQL("ALTER ROLE muniment_app IN DATABASE muniment SET {} = 0").format(
                    sql.Identifier(limit)
                )
            )
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'muniment_app'"
        )


def _analyse(service: Running) -> None:
    with psycopg.connect(Layout.of(service.data_dir).conninfo(ADMIN), autocommit=True) as admin:
        admin.execute("ANALYZE")


def _scrub(service: Running) -> dict[str, Any]:
    """What ``muniment scrub`` says, how long it took, and the rows that it wrote again."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "muniment", "scrub"], capture_output=True, text=True, check=True,
        env=environment_with({"MUNIMENT_DATA_DIR": str(service.data_dir)}),
    )  # fmt: skip
    seconds = time.perf_counter() - began
    conninfo = Layout.of(service.data_dir).conninfo(ADMIN)
    with psycopg.connect(conninfo, autocommit=True) as admin:
        ((rows,),) = admin.execute(_ROWS).fetchall()
    return {"seconds": round(seconds, 2), "rows": rows, "said": done.stdout.splitlines()}


def _each(taken: Taken) -> dict[str, dict[str, float]]:
    return {"recall": _spread(taken.recall), "write": _spread(taken.write)}


def _spread(taken: Sequence[float]) -> dict[str, float]:
    told = {"p50": statistics.median(taken), "p95": percentile(taken, 95), "longest": max(taken)}
    return {name: round(value, 2) for name, value in told.items()} | {"calls": len(taken)}


if __name__ == "__main__":
    raise SystemExit(main())
