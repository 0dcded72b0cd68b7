"""Sixteen writers at once on one slot, through several API processes.

| at any time | then |
|---|---|
| while they write | never two current values |
| when they have | one current value, the history has all sixteen, nothing was refused |

Tried once with `scope_bump` reading instead of updating, so without the lock: in the first round the
constraint against two truths refused twelve of the sixteen.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from muniment.client import Client
from muniment.errors import MunimentError
from muniment.testing import Running
from tests.faults.input_size import UNLIMITED
from tests.support.processes import further_api
from tests.support.services import running_service

WRITERS, PROCESSES = 16, 3
# `make faults` asks for fifty rounds.
ROUNDS = 50 if int(os.environ.get("TEST_KILLS", "3")) >= 20 else 3
FEW = UNLIMITED | {"MUNIMENT_POOL_SIZE": "6"}


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[Running, list[str]]]:
    """A service and where its API processes are."""
    with ExitStack() as stack:
        running = stack.enter_context(running_service(environment=FEW))
        more = [stack.enter_context(further_api(running, FEW)) for _ in range(PROCESSES - 1)]
        yield running, [running.url, *more]


def write_at_once(urls: list[str], key: str, user: str) -> list[str]:
    """Each writer states a value of its own; what went wrong, and what a reader saw of two."""
    start, done = threading.Barrier(WRITERS + 1, timeout=120), threading.Event()
    wrong: list[str] = []

    def write(number: int) -> None:
        try:
            with Client(urls[number % len(urls)], key) as client:
                start.wait()
                client.memories.remember(
                    kind="fact", text=f"Lives in town {number}.", user_id=user, slot="city",
                    value=f"town {number}",
                )  # fmt: skip
        except MunimentError as error:
            wrong.append(f"{number}: {error!r}")

    def look() -> None:
        with Client(urls[0], key) as client:
            start.wait()
            while not done.is_set():
                values = [item.value for item in client.memories.list(user_id=user).items]
                if len(values) > 1:
                    wrong.append(f"current at once: {values}")

    writers = [threading.Thread(target=write, args=[number]) for number in range(WRITERS)]
    reader = threading.Thread(target=look)
    for thread in (*writers, reader):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    return wrong


def test_sixteen_writers_on_one_slot(service: tuple[Running, list[str]]) -> None:
    running, urls = service
    for number in range(ROUNDS):
        user = f"u{number}"
        assert write_at_once(urls, running.key, user) == []
        with Client(running.url, running.key) as client:
            (item,) = client.memories.list(user_id=user).items
            history = client.memories.history(id=item.id).versions
        said = {version.value for version in history}
        assert said == {f"town {number}" for number in range(WRITERS)}
        open_now = {v.value for v in history if v.superseded_at is None and v.valid_to is None}
        assert open_now == {item.value}
