"""The worker lets others go first where processors are short.

| process | then |
|---|---|
| the worker of a service | MUNIMENT_WORKER_NICE, 5 by default; its session, too, where the kernel weighs sessions |
| API and database | as they were started |
| a worker that leads no session | itself alone: the session is somebody else's |
| started with a higher one | keeps that |
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.testing import Running
from tests.support.preloaded import TITLE
from tests.support.waiting import until

AUTOGROUP = Path("/proc/self/autogroup")
# Sets its own priority first, as nice(1) would, then stands back and says what came of it.
SCRIPT = """
import os, sys
from pathlib import Path
from muniment.surfaces.priority import stand_back
os.nice(int(sys.argv[1]))
stand_back(int(sys.argv[2]), Path(sys.argv[3]))
print(os.getpriority(os.PRIO_PROCESS, 0))
"""


def children(parent: int) -> dict[str, int]:
    """The processes of a service: the word after ``muniment``, or the program, and the number."""
    found = {}
    for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        if words[0] == TITLE:
            continue
        name = words[words.index("muniment") + 1] if "muniment" in words else Path(words[0]).name
        found[name] = int(pid)
    return found


def test_the_worker_of_a_service(running: Running) -> None:
    # It begins to work after the service says that it is ready.
    until(lambda: priorities(running) == {"postgres": 0, "api": 0, "worker": 5}, within=60)


def priorities(running: Running) -> dict[str, int]:
    kept = children(running.process.pid)
    return {name: os.getpriority(os.PRIO_PROCESS, pid) for name, pid in kept.items()}


@pytest.mark.parametrize(
    ("before", "setting", "after"), [(0, 10, 10), (0, 0, 0), (12, 10, 12), (3, 19, 19)]
)
@pytest.mark.parametrize("leads", [True, False])
def test_standing_back(tmp_path: Path, before: int, setting: int, after: int, leads: bool) -> None:
    group = tmp_path / "autogroup"
    group.write_text("unset")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(before), str(setting), str(group)],
        start_new_session=leads,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{after}\n"
    assert group.read_text() == (str(setting) if leads else "unset")


def test_a_session_that_cannot_be_lowered_is_let_be(tmp_path: Path) -> None:
    place = tmp_path / "autogroup"
    place.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "0", "10", str(place)],
        start_new_session=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "10"


def test_the_session_of_a_service_s_worker(running: Running) -> None:
    if not AUTOGROUP.exists():
        # The kernel weighs processes alone; there is nothing more to lower.
        return
    until(lambda: priorities(running).get("worker") == 5, within=60)
    worker = children(running.process.pid)["worker"]
    until(lambda: Path(f"/proc/{worker}/autogroup").read_text().split()[-1] == "5", within=60)
