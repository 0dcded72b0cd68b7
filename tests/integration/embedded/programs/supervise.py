"""A supervisor over children given as JSON: a list of keyword arguments of ``Child``.

``ready_file`` becomes a readiness check (the file exists), ``tend_file`` is
touched when the child is tended, ``lent_file`` is opened for it, ``backoff`` is a ``Backoff``.
"""

import json
import logging
import os
import signal
import sys
from pathlib import Path
from typing import Any

from muniment.errors import StartRefused
from muniment.surfaces.supervisor import Backoff, Child, Supervisor


def child(options: dict[str, Any]) -> Child:
    """A ``Child`` from its JSON form."""
    if ready_file := options.pop("ready_file", None):
        options["ready"] = Path(ready_file).exists
    if tend_file := options.pop("tend_file", None):
        options["tend"] = Path(tend_file).touch
    if lent_file := options.pop("lent_file", None):
        descriptor = os.open(lent_file, os.O_RDONLY)
        options["pass_fds"] = [descriptor]
        options["argv"] = [*options["argv"], str(descriptor)]
    if backoff := options.pop("backoff", None):
        options["backoff"] = Backoff(**backoff)
    for name in ("stop_signal", "fast_signal", "death_signal"):
        if name in options:
            options[name] = signal.Signals[options[name]]
    return Child(**options)


def main() -> int:
    """Exit status 0 after an orderly stop, 3 after a refusal, which is printed."""
    logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(message)s")
    try:
        Supervisor([child(options) for options in json.loads(sys.argv[1])]).run()
    except StartRefused as refusal:
        print(f"refused: {refusal.problem} | {refusal.cure}", flush=True)
        return 3
    print("all stopped", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
