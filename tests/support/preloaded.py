"""Processes of Muniment that start at once: forked from a template that has imported the service.

``python -m muniment ...`` imports for more than a second, and so does each child of a supervisor;
the tests start hundreds. So ``subprocess`` asks the template instead, which forks. What a test gets
is a process like any other: a child of whoever started it, with its own number, session, files,
environment, directory, command line and exit status. Only its imports are done. A supervisor gets
a template of its own, for its children.

Whatever is no ``-m muniment``, or has options, limits or an environment that a fork cannot have, is
started as ever; with TEST_EXEC=1 everything is.
"""

import contextlib
import ctypes
import fcntl
import gc
import io
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

TITLE = "preloaded"
_COMMAND = [sys.executable, "-m", "muniment"]
# What the supervisor has its children run first, with two arguments, to bind them to its own end.
_BINDING = [sys.executable, "-I", "-S", "-c"]
_BOUND = 7
_FIXED = ("PYTHON", "LC_", "LANG", "LD_", "TZ", "MALLOC_", "OMP_", "OPENBLAS_", "OPENSSL_")
_SET_SUBREAPER, _GET_SUBREAPER = 36, 37
_MOST_FILES, _FAR, _TITLE_BYTES = 64, 256, 4096
_LOADED = ("processes", "database", "recovery", "importing", "exporting", "operations")
_OTHERS = ("muniment.operations.registry", "muniment_evals.cli", "uvloop", "uvicorn.lifespan.on")
_libc = ctypes.CDLL(None, use_errno=True)
_fork_exec = subprocess._fork_exec  # type: ignore[attr-defined]


class Template:
    """The template, for the process that starts others."""

    def __init__(self, control: socket.socket | None = None) -> None:
        self._control = control
        self._process: subprocess.Popen[bytes] | None = None
        self._fixed = _fixed(os.environ)
        self._lock = threading.Lock()

    def install(self) -> None:
        """From now on ``subprocess`` asks the template first."""
        if "TEST_EXEC" not in os.environ:
            subprocess._fork_exec = self._start  # type: ignore[attr-defined]

    def close(self) -> None:
        """End it; what it forked goes on."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()

    def _start(
        self, args: Any, paths: Any, close: Any, keep: Any, cwd: Any, env: Any, *how: Any
    ) -> int:
        words = [os.fsdecode(word) for word in args]
        pairs = [os.fsdecode(pair).partition("=") for pair in env or ()]
        given = {name: value for name, _, value in pairs} if env is not None else dict(os.environ)
        is_ours = _command(words)[:3] == _COMMAND
        is_plain = close and how[8] and how[10:16] == (-1, None, None, None, -1, None)
        if not is_ours or not is_plain or _fixed(given) != self._fixed:
            return int(_fork_exec(args, paths, close, keep, cwd, env, *how))
        standard = {0: how[0], 1: how[3], 2: how[5]}
        files = {name: name if file == -1 else file for name, file in standard.items()}
        files |= {name: name for name in keep if name != how[7]}
        place = os.fsdecode(cwd or Path.cwd())
        asked = [words, given, place, bool(how[9]), list(files)]
        with self._lock, _adopting():
            control = self._control or self._begin()
            socket.send_fds(control, [json.dumps(asked).encode()], list(files.values()))
            return int(control.recv(32))

    def _begin(self) -> socket.socket:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            # The last word is room for the command lines of what is forked.
            words = ["-m", __name__, str(theirs.fileno()), "-" * _TITLE_BYTES]
            self._process = subprocess.Popen([sys.executable, *words], pass_fds=[theirs.fileno()])
        return self._control


def _command(words: list[str]) -> list[str]:
    return words[_BOUND:] if words[:4] == _BINDING else words


def _fixed(env: Mapping[str, str]) -> tuple[object, ...]:
    """What a fork has from its template, whoever asks for it."""
    status = Path("/proc/self/status").read_text(encoding="utf-8", errors="replace").splitlines()
    return (
        Path("/proc/self/limits").read_text(encoding="utf-8"),
        [line for line in status if line.startswith(("Umask", "Uid", "Gid"))],
        {name: value for name, value in env.items() if name.startswith(_FIXED)},
    )


@contextlib.contextmanager
def _adopting() -> Iterator[None]:
    """Who is orphaned below meanwhile becomes a child of this process."""
    before = ctypes.c_int()
    _libc.prctl(_GET_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    _libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        _libc.prctl(_SET_SUBREAPER, before.value, 0, 0, 0)


def _forked(control: socket.socket) -> tuple[list[Any], list[int]] | None:
    """The life of a template. Returns in each process that it forks, and with None at its end."""
    while True:
        message, files, _, _ = socket.recv_fds(control, 2**20, _MOST_FILES)
        if not message:
            return None
        here, there = socket.socketpair()
        between = os.fork()
        if between == 0:
            here.close()
            asked = json.loads(message)
            # Whoever looks finds the child with its own title from the first.
            _entitle(*_command(asked[0]))
            child = os.fork()
            if child:
                there.send(str(child).encode())
                os._exit(0)
            if there.recv(1):
                control.close()
                return asked, files
            os._exit(1)
        # When the one between is gone, its child is one of the process that asked.
        os.waitpid(between, 0)
        control.send(here.recv(32))
        here.send(b"!")
        for file in (here.detach(), there.detach(), *files):
            os.close(file)


def _become(env: dict[str, str], cwd: str, leads: bool, names: list[int], files: list[int]) -> None:
    """Take over what the caller gave its child."""
    if leads:
        os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path[0] = cwd
    moved = [fcntl.fcntl(file, fcntl.F_DUPFD, _MOST_FILES) for file in files]
    os.closerange(0, _MOST_FILES)
    for file, name in zip(moved, names, strict=True):
        os.dup2(file, name)
    os.closerange(_MOST_FILES, max(moved) + 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=os.isatty(1))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _bind(words: list[str]) -> None:
    """Run what the supervisor has its child run first, up to where that becomes the command."""
    sys.argv = ["-c", *words[5:]]
    execute, os.execvp = os.execvp, lambda *_: None  # type: ignore[assignment]
    exec(words[4], {})  # noqa: S102 -- the supervisor's own
    os.execvp = execute
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_IGN)


def _entitle(*words: str) -> None:
    """The command line that others see."""
    numbers = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    start, room = int(numbers[45]), int(numbers[46]) - int(numbers[45])
    ctypes.memmove(start, "\0".join(words).encode()[: room - 1].ljust(room, b"\0"), room)


def _serve(control: socket.socket) -> None:
    _entitle(TITLE)
    if (asked := _forked(control)) is None:
        return
    (words, env, cwd, leads, names), files = asked
    command = _command(words)
    own: socket.socket | None = None
    if command[3:4] == ["serve"]:
        own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            for file in (own.detach(), *files):
                os.close(file)
            _serve(theirs)
            return
        theirs.close()
        own = socket.socket(fileno=fcntl.fcntl(own.detach(), fcntl.F_DUPFD_CLOEXEC, _FAR))
    _become(env, cwd, leads, names, files)
    if own is not None:
        Template(own).install()
    if command != words:
        _bind(words)
    sys.argv = command[2:]
    runpy.run_module("muniment", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for _module in (*(f"muniment.surfaces.cli.{name}" for name in _LOADED), *_OTHERS):
        import_module(_module)
    gc.freeze()
    _nowhere = os.open(os.devnull, os.O_RDWR)
    for _name in range(3):
        os.dup2(_nowhere, _name)
    _serve(socket.socket(fileno=int(sys.argv[1])))
