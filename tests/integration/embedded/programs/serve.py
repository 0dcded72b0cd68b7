"""A small ``serve``: the embedded server and some other children under the supervisor.

Run with one JSON argument; its output is one line an event.
"""

import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

from muniment.errors import StartRefused
from muniment.postgres.embedded import (
    FAST_SIGNAL,
    STOP_SIGNAL,
    Patience,
    Postmaster,
    Tuning,
    hold,
)
from muniment.surfaces.supervisor import Child, Supervisor


def database(postmaster: Postmaster) -> Child:
    """The server as a child of the supervisor."""
    return Child(
        name="postgres",
        spawn=postmaster.spawn,
        ready=postmaster.ready,
        diagnose=postmaster.refusal,
        tend=postmaster.tend,
        stop_signal=STOP_SIGNAL,
        fast_signal=FAST_SIGNAL,
        grace=60.0,
    )


def run(options: dict[str, Any]) -> None:
    """Serve until told to stop."""
    if "umask" in options:
        os.umask(options["umask"])
    with hold(Path(options["data"])) as lock:
        print("holding", flush=True)
        postmaster = Postmaster.prepare(
            lock,
            entropy=os.urandom,
            tuning=Tuning(shared_buffers="32MB", durable=options.get("durable", False)),
            patience=Patience(orphans=options.get("orphans", 5.0)),
            engine_dir=Path(options["engine_dir"]),
            account_name=options.get("account_name", "muniment"),
        )
        print("prepared", flush=True)
        others = [Child(name=name, argv=argv) for name, argv in options.get("others", {}).items()]
        Supervisor([database(postmaster), *others]).run()


def main() -> int:
    """Exit status 0 after an orderly stop, 3 after a refusal, which is printed."""
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
    try:
        run(json.loads(sys.argv[1]))
    except StartRefused as refusal:
        print(f"refused: {refusal.problem} | {refusal.cure}", flush=True)
        return 3
    print("all stopped", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
