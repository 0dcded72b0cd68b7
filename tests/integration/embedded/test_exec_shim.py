"""Between fork and the program: user, log, death signal, descriptors."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from muniment.postgres.embedded import exec_shim
from tests.integration.embedded.people import NOBODY
from tests.integration.embedded.waiting import exited

ME = os.getpid()


def shim(
    *command: str, parent: int = ME, user: str = "-", log: str = "-", pass_fds: Sequence[int] = ()
) -> "subprocess.CompletedProcess[str]":
    options = [str(parent), str(int(signal.SIGKILL)), user, log]
    return subprocess.run(
        [sys.executable, "-I", "-S", exec_shim.__file__, *options, *command],
        capture_output=True,
        text=True,
        check=False,
        pass_fds=pass_fds,
    )


def test_the_program_runs_with_the_servers_environment_alone() -> None:
    done = shim("/usr/bin/env")
    assert done.returncode == 0
    assert sorted(done.stdout.split()) == [
        "LC_ALL=C",
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "TZ=UTC",
    ]


def test_without_its_parent_the_program_does_not_run(place: Path) -> None:
    done = shim("/usr/bin/touch", str(place / "ran"), parent=1)
    assert done.returncode == exec_shim.PARENT_GONE
    assert not (place / "ran").exists()


def test_a_program_that_cannot_run() -> None:
    done = shim("/nonexistent")
    assert done.returncode == exec_shim.CANNOT_EXECUTE
    assert "No such file" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("case", ["link", "directory", "missing"])
def test_a_log_that_cannot_be_written(case: str, place: Path) -> None:
    log = place / "log"
    (place / "victim").write_text("untouched")
    if case == "link":
        log.symlink_to("victim")
    elif case == "directory":
        log.mkdir()
    else:
        log = place / "nowhere" / "log"
    assert shim("/bin/true", log=str(log)).returncode == exec_shim.CANNOT_WRITE_LOG
    assert (place / "victim").read_text() == "untouched"


def test_the_log_takes_both_outputs_and_starts_anew(place: Path) -> None:
    log = place / "log"
    log.write_text("from before\n")
    done = shim("/bin/sh", "-c", "echo out; echo err >&2", log=str(log))
    assert (done.stdout, done.stderr, log.read_text()) == ("", "", "out\nerr\n")


def test_no_descriptor_is_passed_on(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY)
    try:
        done = shim("/bin/sh", "-c", f"[ -e /proc/$$/fd/{descriptor} ]", pass_fds=[descriptor])
    finally:
        os.close(descriptor)
    assert done.returncode == 1


def test_the_user_is_left_for_good(needs_root: None) -> None:
    script = "id -u; id -g; id -G; grep -E '^(CapEff|CapPrm)' /proc/self/status"
    done = shim("/bin/sh", "-c", script, user=f"{NOBODY}:{NOBODY}:{NOBODY},12345")
    assert done.stdout.split()[:4] == [str(NOBODY), str(NOBODY), str(NOBODY), "12345"]
    assert done.stdout.count("0000000000000000") == 2


def test_a_user_that_may_not_be_become(place: Path) -> None:
    user = "0:0:" if os.geteuid() else "-5:0:"
    done = shim("/usr/bin/touch", str(place / "ran"), user=user)
    assert done.returncode != 0
    assert not (place / "ran").exists()


@pytest.mark.parametrize("user", ["-", f"{NOBODY}:{NOBODY}:"])
def test_the_program_dies_with_its_parent(
    user: str, place: Path, request: pytest.FixtureRequest
) -> None:
    """Also after a change of user, which clears a death signal set before it."""
    if user != "-":
        request.getfixturevalue("needs_root")
    script = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-I', '-S', sys.argv[1], str(os.getpid()), '9',"
        " sys.argv[2], '-', '/bin/sh', '-c', 'echo $$; exec sleep 600'], stdout=1)\n"
        "child.wait()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, exec_shim.__file__, user], stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        exited(pid)
