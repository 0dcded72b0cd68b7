"""What is forked from a template (tests/support/preloaded.py) is as if it had been executed.

| started | then |
|---|---|
| a command | output, error output and exit status are its own |
| a process that stays | it is a child of this process, with the command line, directory, session and files that were asked for; ``kill -9`` ends it, and its status says so |
| with what a fork cannot have, such as another hash seed | executed as ever |
"""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from muniment.settings import environment_with

COMMAND = [sys.executable, "-m", "muniment"]


@pytest.mark.parametrize(
    ("words", "status", "out", "error"),
    [
        (["--version"], 0, "0.1.0\n", ""),
        (["nonsense"], 2, "", "No such command 'nonsense'"),
        (["db", "status"], 2, "", "MUNIMENT_NONE is not a setting"),
    ],
)
def test_a_command(tmp_path: Path, words: list[str], status: int, out: str, error: str) -> None:
    env = environment_with({"MUNIMENT_NONE": "1"} if "db" in words else {})
    done = subprocess.run(
        [*COMMAND, *words], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (status, out)
    assert error in done.stderr


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"start_new_session": True},
        {"env": {"PYTHONHASHSEED": "1"}},
    ],
    ids=["plain", "of its own session", "another hash seed"],
)
def test_a_process_that_stays(tmp_path: Path, how: dict[str, Any]) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        socket.create_server(("127.0.0.1", 0)) as kept,
    ):
        place = f"postgresql://a:b@127.0.0.1:{silent.getsockname()[1]}/c"
        env = environment_with({"MUNIMENT_DATABASE_URL": place, **how.pop("env", {})})
        command = [*COMMAND, "api", "--fd", str(kept.fileno())]
        with subprocess.Popen(
            command, env=env, cwd=tmp_path, pass_fds=[kept.fileno()], **how
        ) as made:
            # It waits for a database that takes connections and says nothing.
            silent.accept()[0].close()
            seen = Path(f"/proc/{made.pid}")
            assert Path(f"/proc/{made.pid}/cmdline").read_text().rstrip("\0").split("\0") == command
            assert (seen / "cwd").readlink() == tmp_path
            assert (os.getsid(made.pid) == made.pid) == bool(how.get("start_new_session"))
            listening = os.fstat(kept.fileno()).st_ino
            files = {int(each.name): each for each in (seen / "fd").iterdir()}
            assert files[kept.fileno()].stat().st_ino == listening
            stat = (seen / "stat").read_text().rpartition(")")[2].split()
            assert int(stat[1]) == os.getpid()
            made.send_signal(signal.SIGKILL)
            assert made.wait(60) == -signal.SIGKILL
