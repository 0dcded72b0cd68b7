"""``make life``: a year of one user on a service of its own, with its curator at each month's end.

What is measured, and how, is ``muniment eval life``; its nights do not pass in an hour, so the
curator is told to work, and the database to do what it does by itself every few minutes.
"""

import argparse
import json
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Layout
from muniment.testing import Running, running_service
from muniment_evals.life import evaluate, lines
from muniment_evals.life_story import tell

_PATIENCE_SECONDS = 300.0
_TELL = (
    "INSERT INTO muniment_queue.procrastinate_jobs (queue_name, task_name, lock, args)"
    " VALUES ('default', 'curate', 'curate', '{\"timestamp\": 0}') RETURNING id"
)
_STATE = "SELECT status::text FROM muniment_queue.procrastinate_jobs WHERE id = %s"


class Nights:
    """The worker's curator and the database's own care for its tables, told to work now."""

    def __init__(self, service: Running) -> None:
        self._conninfo = Layout.of(service.data_dir).conninfo(ADMIN)

    def __call__(self) -> None:
        """Return when it has. Raises RuntimeError when it fails or takes five minutes."""
        with psycopg.connect(self._conninfo, autocommit=True) as admin:
            ((number,),) = admin.execute(_TELL).fetchall()
            deadline, state = time.monotonic() + _PATIENCE_SECONDS, "todo"
            while state in ("todo", "doing") and time.monotonic() < deadline:
                time.sleep(0.05)
                ((state,),) = admin.execute(_STATE, (number,)).fetchall()
            if state != "succeeded":
                raise RuntimeError(f"the curator's job is {state}")
            admin.execute("VACUUM (ANALYZE)")


def main() -> int:
    """Run and print; ``--json FILE`` keeps the figures; 1 where an old value is given as current."""
    parser = argparse.ArgumentParser(prog="python -m bench.life", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the same seed and day: the same life")
    parser.add_argument("--sessions", type=int, default=250)
    parser.add_argument("--turns", type=int, default=20, help="turns of a session")
    parser.add_argument("--json", help="a file for the figures")
    options = parser.parse_args()
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    story = tell(options.seed, options.sessions, options.turns, today)
    with running_service() as service, Client(service.url, service.key) as client:
        report = evaluate(client, story, lambda line: print(line, file=sys.stderr), Nights(service))
    print("\n".join(lines(report)))
    if options.json:
        Path(options.json).write_text(json.dumps(asdict(report), indent=1) + "\n", encoding="utf-8")
    return int(report.superseded_given > 0)


if __name__ == "__main__":
    raise SystemExit(main())
