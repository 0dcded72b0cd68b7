"""A real service for tests, demonstrations and evaluations: private, throw-away, on a free port."""

import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.client import Client
from muniment.errors import StartRefused
from muniment.settings import environment_with

_READY = "Muniment is ready at "
_STOP_SECONDS = 60


@dataclass(frozen=True)
class Running:
    """Where a service is, its admin key, its data directory and its supervisor's process."""

    url: str
    key: str
    data_dir: Path
    process: "subprocess.Popen[str]"


@contextlib.contextmanager
def running_service(
    data_dir: Path | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """``muniment serve`` in a process of its own, stopped in the end.

    Without a ``data_dir`` the data is thrown away. Raises StartRefused if it does not start.
    """
    with contextlib.ExitStack() as stack:
        if data_dir is None:
            data_dir = stack.enter_context(_throw_away())
        data_dir.parent.mkdir(parents=True, exist_ok=True)
        serve = ["serve", "--data", str(data_dir), "--port", "0"]
        command = [sys.executable, "-m", "muniment", *serve]
        log = stack.enter_context((data_dir.parent / f"{data_dir.name}.log").open("a"))
        process = stack.enter_context(
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment_with(environment or {}),
            )
        )
        stack.callback(stop, process)
        yield Running(
            url=_await_ready(process, Path(log.name)),
            key=(data_dir / "admin.key").read_text(encoding="utf-8").strip(),
            data_dir=data_dir,
            process=process,
        )


def new_tenant(running: Running, name: str = "test") -> str:
    """The admin key of a new tenant, so that a test sees nothing of others."""
    with Client(running.url, running.key) as installation:
        secret = installation.tenants.create(name=name).key.secret
    return str(secret)


@contextlib.contextmanager
def _throw_away() -> Iterator[Path]:
    # Reachable for the system user that a server of root's runs as.
    place = Path(tempfile.mkdtemp(prefix="muniment-"))
    place.chmod(0o755)
    try:
        yield place / "data"
    finally:
        shutil.rmtree(place)


def _await_ready(process: "subprocess.Popen[str]", log: Path) -> str:
    if process.stdout is None:
        raise ValueError("the process was started without a pipe")
    for line in process.stdout:
        if line.startswith(_READY):
            return line.removeprefix(_READY).partition(";")[0].strip()
    process.wait()
    said = log.read_text(encoding="utf-8").strip().splitlines()
    raise StartRefused(
        f"The service did not start: {said[-1] if said else 'it said nothing'}.",
        cure="Mend that, then try again.",
    )


def stop(process: "subprocess.Popen[Any]") -> None:
    """Ask a process to end, and end it when it takes longer than a minute."""
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
