"""One server per data directory."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.errors import StartRefused
from muniment.postgres.embedded import hold
from tests.integration.embedded.people import own_interpreter

HOLDER = """
import sys
from pathlib import Path
from muniment.postgres.embedded import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(data: Path) -> "subprocess.Popen[bytes]":
    interpreter = own_interpreter()
    process = subprocess.Popen(
        [interpreter.program, "-c", HOLDER, data],
        env=interpreter.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_second_holder_is_told_the_first_ones_number(place: Path) -> None:
    with (
        hold(place / "data"),
        pytest.raises(StartRefused, match=f"process {os.getpid()}"),
        hold(place / "data"),
    ):
        pytest.fail("two hold one directory")


def test_another_process_holds(place: Path) -> None:
    with holder(place / "data") as process:
        with pytest.raises(StartRefused, match=f"process {process.pid}"), hold(place / "data"):
            pytest.fail("two hold one directory")
        process.kill()
        process.wait()
        with hold(place / "data") as lock:
            assert lock.layout.lock_file.read_text() == f"{os.getpid()}\n"


def test_the_lock_goes_with_its_holder_though_its_children_live(place: Path) -> None:
    with hold(place / "data"):
        child = subprocess.Popen(
            [sys.executable, "-c", "import sys; print('up', flush=True); sys.stdin.read()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            close_fds=False,
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"up\n"
    with child, hold(place / "data"):
        assert child.poll() is None


def test_a_link_to_the_directory_is_the_same_directory(place: Path) -> None:
    (place / "link").symlink_to("data")
    with hold(place / "data"), pytest.raises(StartRefused), hold(place / "link"):
        pytest.fail("two hold one directory")


def test_a_link_in_place_of_the_lock_is_refused(place: Path) -> None:
    (place / "data").mkdir()
    (place / "victim").write_text("untouched")
    (place / "data" / "serve.lock").symlink_to(place / "victim")
    with pytest.raises(StartRefused), hold(place / "data"):
        pytest.fail("a link was followed")
    assert (place / "victim").read_text() == "untouched"


def test_an_interrupted_holder_lets_go(place: Path) -> None:
    with holder(place / "data") as process:
        process.send_signal(signal.SIGTERM)
        process.wait()
    with hold(place / "data"):
        pass
