"""Fixtures for the embedded server: places, programs, other users."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from muniment.postgres.embedded import Postmaster
from tests.integration.embedded.people import (
    Interpreter,
    anyones_interpreter,
    own_interpreter,
)
from tests.integration.embedded.waiting import Lines
from tests.support.cluster import cluster_in, fresh_place


@pytest.fixture(scope="session")
def engine_dir() -> Iterator[Path]:
    """Where a root's server keeps its programs; shared, since a copy takes a while."""
    with fresh_place() as place:
        yield place / "engine"


@pytest.fixture
def place() -> Iterator[Path]:
    """A fresh directory that every user can reach."""
    with fresh_place() as made:
        yield made


@pytest.fixture
def needs_root() -> None:
    """Skip unless root runs the tests."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to become other users or to mount")


@pytest.fixture
def needs_mounts(needs_root: None) -> None:
    """Skip unless root may mount in a namespace of its own."""
    tried = subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
    )
    if tried.returncode != 0:
        pytest.skip("needs the right to mount in a namespace of its own")


@pytest.fixture
def prepared(place: Path, engine_dir: Path) -> Iterator[Postmaster]:
    """An initialised server that does not run yet."""
    with cluster_in(place / "data", engine_dir=engine_dir, durable=False) as postmaster:
        yield postmaster


@pytest.fixture
def running(prepared: Postmaster) -> Iterator[Postmaster]:
    """A running server of this test alone."""
    prepared.start()
    yield prepared
    prepared.stop()


@pytest.fixture(scope="session")
def anyones() -> Iterator[Interpreter]:
    """An interpreter that any user can run."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to become other users")
    with fresh_place() as place:
        yield anyones_interpreter(place)


class Served:
    """A program of ``programs`` and its output."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.lines = Lines(process)

    def ready(self) -> "Served":
        """Wait until every child is ready."""
        self.lines.wait_for("all children are ready")
        return self

    def pid_of(self, child: str) -> int:
        """The process number of a child, from the last line about its start that was seen."""
        marker = f"{child} started as process "
        told = [line for line in self.lines.seen if line.startswith(marker)]
        return int(told[-1].removeprefix(marker))

    def refusal(self) -> str:
        """The refusal that it ends with, "problem | cure"."""
        line = self.lines.wait_for("refused: ")
        assert self.process.wait(60) == 3
        return line.removeprefix("refused: ")

    def stop(self) -> None:
        """An orderly stop."""
        self.process.terminate()
        self.lines.wait_for("all stopped")
        assert self.process.wait(60) == 0


Start = Callable[..., Served]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a program; whatever still runs at the end of the test is ended."""
    begun: list[Served] = []

    def _start(
        program: str,
        options: object,
        *,
        interpreter: Interpreter | None = None,
        **how: Any,
    ) -> Served:
        chosen = interpreter or own_interpreter()
        begun.append(Served(chosen.start(program, options, **how)))
        return begun[-1]

    yield _start
    for served in begun:
        if served.process.poll() is None:
            served.process.terminate()
            try:
                served.process.wait(60)
            except subprocess.TimeoutExpired:
                served.process.kill()
                served.process.wait()
        assert served.process.stdout is not None
        served.process.stdout.close()


def mounted(script: str, *arguments: str | Path) -> Sequence[str]:
    """A wrapper that runs ``script`` (mounts; ``$1``.. are ``arguments``) in a mount namespace of
    its own before the program."""
    count = len(arguments)
    text = f'set -e\n{script}\nshift {count}\nexec "$@"'
    return ["unshare", "-m", "sh", "-c", text, "sh", *map(str, arguments)]


def hand_over(path: Path, uid: int) -> None:
    """Give a tree to ``uid``."""
    shutil.chown(path, uid, uid)
    for found in path.rglob("*"):
        os.chown(found, uid, uid, follow_symlinks=False)
