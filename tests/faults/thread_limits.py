"""Limits of threads: how much, and calls with so much of it: (operation, what it adds, pointer)."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from muniment.operations import thread_values, threads
from tests.faults.input_fields import SAVED, VALUE

Calls = tuple[tuple[str, Callable[[int], dict[str, Any]], str], ...]


def data(size: int) -> str:
    """So many bytes in base64."""
    return b64encode(bytes(size)).decode()


THREADS: dict[str, tuple[int, Calls]] = {
    "namespace of a checkpoint, path of a task": (
        thread_values.MAX_PATH_BYTES,
        (("threads.put", lambda n: {"checkpoint_ns": "é" * (n // 2) + "x" * (n % 2)}, "/checkpoint_ns"),
         ("threads.put_writes", lambda n: {"task_path": "x" * n}, "/task_path")),
    ),
    "value of a thread in one piece": (
        thread_values.MAX_INLINE_BYTES,
        (("threads.put", lambda n: {"state": VALUE | {"data": data(n)}}, "/state/data"),),
    ),
    "piece of a value of a thread": (
        thread_values.MAX_PIECE_BYTES,
        (("threads.put_pieces", lambda n: {"pieces": [data(n)]}, "/pieces/0"),),
    ),
    "pieces of a value of a thread": (
        thread_values.MAX_PIECES,
        (("threads.put", lambda n: {"state": {"type": "t", "pieces": ["0" * 64] * n}}, "/state/pieces"),),
    ),
    "pieces a call": (
        thread_values.MAX_CARRIED,
        (("threads.put_pieces", lambda n: {"pieces": ["eA=="] * n}, "/pieces"),
         ("threads.get_pieces", lambda n: {"pieces": ["0" * 64] * n}, "/pieces")),
    ),
    "channels of a checkpoint": (
        thread_values.MOST_CHANNELS,
        (("threads.put", lambda n: {"channels": [{"channel": "c", "version": "1"}] * n}, "/channels"),
         ("threads.history", lambda n: {"channels": ["c"] * n}, "/channels")),
    ),
    "writes of a task": (
        threads.MOST_WRITES,
        (("threads.put_writes",
          lambda n: {**SAVED, "writes": [{"place": at, "channel": "c", **VALUE} for at in range(n)]}, "/writes"),),
    ),
    "names of threads or runs that are deleted at once": (
        1000,
        (("threads.delete", lambda n: {"thread_ids": ["x"] * n}, "/thread_ids"),
         ("threads.delete", lambda n: {"run_ids": ["x"] * n}, "/run_ids")),
    ),
    "checkpoints of a page": (20, (("threads.list", lambda n: {"limit": n}, "/limit"),)),
}  # fmt: skip
