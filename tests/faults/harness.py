"""The fault harness: writers that remember what was acknowledged, and ways to strike.

Used by every later kill test: real processes, ``kill -9``, armed points, no mocks.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from muniment.client import Client
from muniment.client.models import Event
from muniment.errors import Conflict, MunimentError, Unavailable, Unreachable
from muniment.testing import Running
from tests.support.preloaded import TITLE
from tests.support.world import START

Pick = Callable[[dict[int, str]], int | None]


def descendants(pid: int) -> dict[int, str]:
    """Processes below one, with their command lines; no template of theirs (preloaded.py)."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                stat = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                line = (
                    (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
                parents[int(entry.name)] = (int(stat[1]), line)
    found: dict[int, str] = {}
    level = {pid}
    while level:
        level = {child for child, (parent, _) in parents.items() if parent in level}
        found |= {child: parents[child][1] for child in level}
    return {pid: line for pid, line in found.items() if not line.startswith(TITLE)}


def alive(pid: int) -> bool:
    """True while a process runs (a zombie does not)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return False
    return stat[0] != "Z"


PROCESSES = {
    "api": ("muniment", " api "),
    "worker": ("muniment", " worker"),
    "postgres": ("postgres", "-D"),
}


def process(service: Running, name: str) -> int | None:
    """The process of this name below a service, if it runs now."""
    words = PROCESSES[name]
    for pid, line in descendants(service.process.pid).items():
        if all(word in line for word in words):
            return pid
    return None


def strike(service: Running, name: str) -> bool:
    """``kill -9`` one of the service's processes; False if it does not run now."""
    pid = process(service, name)
    if pid is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return True


@dataclass
class Writer:
    """Writes turns of its own session one by one and remembers which were acknowledged.

    A call without an answer is sent again as it was, until it is answered.
    """

    client: Client
    user: str
    session: str
    acknowledged: list[int] = field(default_factory=list)
    unanswered: int = 0
    wrong: list[str] = field(default_factory=list)

    def run(self, stop: threading.Event) -> None:
        """Write until told to stop."""
        number = 0
        while not stop.is_set():
            if self._write(number, stop):
                self.acknowledged.append(number)
            number += 1

    def _write(self, number: int, stop: threading.Event) -> bool:
        event = Event(turn=number, role="user", content=self.said(number), occurred_at=START)
        key = f"{self.session}-{number}"
        while True:
            try:
                self.client.events.write(
                    user_id=self.user, session_id=self.session, events=[event], idempotency_key=key
                )
            except (Unreachable, Unavailable, Conflict):
                # In flight or not answered: the same again.
                self.unanswered += 1
                if stop.wait(0.02):
                    return False
            except MunimentError as error:
                self.wrong.append(f"{number}: {error.code} {error.detail}")
                return False
            else:
                return True

    def said(self, number: int) -> str:
        """The content of a turn."""
        return f"Fact {number} of {self.session}: the heron nests in tree {number}."


@contextlib.contextmanager
def writing(service: Running, count: int, user: str = "u") -> Iterator[list[Writer]]:
    """So many clients that write at once for as long as the block lasts."""
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        writers = [
            Writer(stack.enter_context(Client(service.url, service.key)), user, f"s{at}")
            for at in range(count)
        ]
        threads = [threading.Thread(target=writer.run, args=(stop,)) for writer in writers]
        for thread in threads:
            thread.start()
        try:
            yield writers
        finally:
            stop.set()
            for thread in threads:
                thread.join()


def stored(client: Client, user: str) -> dict[tuple[str, int], list[str]]:
    """Every event of a user: contents by (session, turn)."""
    found: dict[tuple[str, int], list[str]] = {}
    cursor = None
    while True:
        page = client.memories.list(
            user_id=user, tiers=["episodic"], kinds=["event"], limit=200, cursor=cursor
        )
        for item in page.items:
            for one in item.evidence:
                found.setdefault((one.session_id, one.turn), []).append(item.text)
        cursor = page.next
        if cursor is None:
            return found


def lost_and_doubled(client: Client, writers: list[Writer]) -> tuple[list[str], list[str]]:
    """What was acknowledged and is not there as it was said; what is there twice."""
    found = stored(client, writers[0].user)
    lost = [
        f"{writer.session}/{number}"
        for writer in writers
        for number in writer.acknowledged
        if found.get((writer.session, number)) != [writer.said(number)]
    ]
    return lost, [f"{place}" for place, texts in found.items() if len(texts) > 1]


def answers(client: Client) -> bool:
    """True if the service takes a write and reads it."""
    event = Event(turn=0, role="user", content="The stork nests on the roof.", occurred_at=START)
    try:
        client.events.write(user_id="probe", session_id="s", events=[event])
        return bool(client.recall(user_id="probe", query="Where does the stork nest?").items)
    except MunimentError:
        return False
