"""Further processes of a service that runs."""

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from muniment.settings import environment_with
from muniment.testing import Running, stop


@contextlib.contextmanager
def further_api(service: Running, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """One more API process on the same database; where it is. Requests wait until it is ready."""
    with listening() as listener, api_process(service, listener, environment):
        yield address(listener)


def listening() -> socket.socket:
    """Where an API process is to be found, and the one that is started after it."""
    return socket.create_server(("127.0.0.1", 0), backlog=512)


def address(listener: socket.socket) -> str:
    """The URL of whoever serves there."""
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextlib.contextmanager
def api_process(
    service: Running, listener: socket.socket, environment: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """An API process that nobody starts anew, on the service's database."""
    with contextlib.ExitStack() as stack:
        log = stack.enter_context((service.data_dir.parent / "further-api.log").open("a"))
        number = listener.fileno()
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "muniment", "api", "--fd", str(number)],
                pass_fds=[number],
                stderr=log,
                env=environment_with(
                    {"MUNIMENT_DATA_DIR": str(service.data_dir), **(environment or {})}
                ),
            )
        )
        stack.callback(stop, process)
        yield process


@contextlib.contextmanager
def worker_process(
    environment: Mapping[str, str], log: Path
) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker that nobody starts anew, with its log appended to a file."""
    with log.open("ab") as file, contextlib.ExitStack() as stack:
        process = subprocess.Popen(
            [sys.executable, "-m", "muniment", "worker"],
            stdout=file,
            stderr=file,
            env=environment_with(environment),
        )
        stack.callback(stop, process)
        yield process
