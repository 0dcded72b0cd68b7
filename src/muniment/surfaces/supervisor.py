"""Keeps a list of child processes running: one plain process, no threads, no event loop.

Children start in order, each when the one before is ready, and stop in reverse. A child that dies
is started again, alone, after a bounded and growing delay. Every orphan below is adopted and
reaped. When the supervisor itself is killed, the kernel takes the children down.
"""

import contextlib
import ctypes
import enum
import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from muniment.errors import MunimentError, StartRefused

logger = logging.getLogger(__name__)

_PR_SET_CHILD_SUBREAPER = 36
_READY_POLL = 0.05
_HARD_SECONDS = 5.0
_ORPHAN_SECONDS = 2.0

# Runs between fork and the child's program: a death signal must be set by the child itself, and
# the parent may be gone before that.
_BOUND = """
import ctypes, os, signal, sys
parent, death_signal, *command = sys.argv[1:]
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
ctypes.CDLL(None).prctl(1, int(death_signal), 0, 0, 0)
if os.getppid() != int(parent):
    sys.exit(123)
try:
    os.execvp(command[0], command)
except OSError as error:
    sys.exit(f"{command[0]}: {error.strerror}")
"""


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """Seconds before a dead child is started again; they start over after ``healthy`` seconds of
    being ready."""

    first: float = 0.2
    factor: float = 2.0
    longest: float = 10.0
    healthy: float = 5.0

    def after(self, delay: float) -> float:
        """The delay that follows ``delay``; 0 stands for none yet."""
        return min(self.longest, delay * self.factor if delay else self.first)


@dataclass(frozen=True, kw_only=True)
class Child:
    """One process to keep. Give ``argv`` (with ``env``, None for ours) or a ``spawn`` of your own,
    which must bind its process to our death itself.

    ``ready`` is polled after each start; without it a child counts as ready at once. ``diagnose``
    turns the exit status of a child that never got ready into the error to show. ``tend`` is
    called every ``tend_every`` seconds while the child is up. ``spawn``, ``ready`` and ``tend``
    may raise ``OSError`` or ``MunimentError``: fatal at the first start, logged later.
    """

    name: str
    argv: Sequence[str] = ()
    env: Mapping[str, str] | None = None
    pass_fds: Sequence[int] = ()
    spawn: Callable[[], "subprocess.Popen[bytes]"] | None = None
    ready: Callable[[], bool] | None = None
    ready_within: float = 120.0
    diagnose: Callable[[int], Exception] | None = None
    tend: Callable[[], None] | None = None
    tend_every: float = 10.0
    backoff: Backoff = field(default_factory=Backoff)
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 30.0
    fast_signal: signal.Signals = signal.SIGKILL
    death_signal: signal.Signals = signal.SIGKILL

    def __post_init__(self) -> None:
        if bool(self.argv) == (self.spawn is not None):
            raise ValueError(f"child {self.name} needs either argv or spawn")

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the process in a session of its own, so that a terminal's ^C reaches us alone."""
        if self.spawn is not None:
            return self.spawn()
        bound = [sys.executable, "-I", "-S", "-c", _BOUND, str(os.getpid())]
        return subprocess.Popen(
            [*bound, str(int(self.death_signal)), *self.argv],
            env=self.env,
            pass_fds=tuple(self.pass_fds),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )


class _State(enum.Enum):
    DOWN = "down"
    STARTING = "starting"
    UP = "up"


class _Kept:
    """A child and where it stands."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.process: subprocess.Popen[bytes] | None = None
        self.state = _State.DOWN
        self.ever_ready = False
        self.since = 0.0
        self.delay = 0.0
        self.due = 0.0
        self.tended = 0.0

    def next_look(self) -> float:
        """The monotonic time at which there is something to do without a signal."""
        if self.state is _State.DOWN:
            return self.due
        if self.state is _State.STARTING:
            return time.monotonic() + _READY_POLL
        return self.tended + self.child.tend_every if self.child.tend else float("inf")

    def signal(self, number: signal.Signals) -> None:
        """Signal the process; it is not reaped yet, so the number is still its own."""
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, number)


def _note(_number: int, _frame: FrameType | None) -> None:
    """Signals matter through the wake-up descriptor; a handler must merely exist."""


class _Signals:
    """Signals as bytes to wait for, and the dispositions put back afterwards."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        numbers = [signal.SIGCHLD, signal.SIGTERM, signal.SIGINT]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup
            numbers.append(signal.SIGHUP)
        self._before = {number: signal.signal(number, _note) for number in numbers}

    def wait(self, seconds: float) -> list[int]:
        """The numbers of the signals that came, waiting at most ``seconds`` for the first."""
        timeout = None if seconds == float("inf") else max(0.0, seconds)
        if not select.select([self._read], [], [], timeout)[0]:
            return []
        with contextlib.suppress(BlockingIOError):
            return list(os.read(self._read, 4096))
        return []

    def close(self) -> None:
        """Give the process its former signal handling back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self._read)
        os.close(self._write)


def _become_subreaper() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the process cannot adopt orphans")


def _own_children() -> Iterator[int]:
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with contextlib.suppress(OSError):
                # The program's name, in parentheses, may hold anything; the parent follows it.
                after = (path / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if int(after[1]) == os.getpid():
                    yield int(path.name)


class Supervisor:
    """Runs ``children`` until SIGTERM or SIGINT; a second such signal stops them the fast way.

    ``all_ready`` is called once: from then on the end of one ends no other.
    """

    _signals: _Signals

    def __init__(
        self, children: Sequence[Child], all_ready: Callable[[], None] = lambda: None
    ) -> None:
        self._kept = [_Kept(child) for child in children]
        self._all_ready = all_ready
        self._stops = 0
        self._strangers: set[int] = set()

    def run(self) -> None:
        """Start all, keep them running, stop them when told to; in the main thread only.

        Raises what kept a child from its first start (``StartRefused``), after stopping the rest.
        """
        _become_subreaper()
        self._strangers = set(_own_children())
        self._signals = _Signals()
        try:
            try:
                self._start_all()
                while not self._stops:
                    self._turn()
            finally:
                self._stop_all()
        finally:
            self._signals.close()

    def _start_all(self) -> None:
        for kept in self._kept:
            self._launch(kept)
            while not kept.ever_ready and not self._stops:
                self._turn()
            if self._stops:
                return
        logger.info("all children are ready")
        self._all_ready()

    def _turn(self) -> None:
        """Wait for the next event and act on it."""
        begun = [kept for kept in self._kept if kept.process or kept.ever_ready]
        due = min((kept.next_look() for kept in begun), default=float("inf"))
        self._take(self._signals.wait(due - time.monotonic()))
        for kept in begun:
            if self._stops:
                return
            if kept.process is not None and kept.process.returncode is not None:
                self._died(kept, kept.process.returncode)
            self._advance(kept, time.monotonic())

    def _take(self, numbers: list[int]) -> None:
        stops = [number for number in numbers if number != signal.SIGCHLD]
        if stops:
            logger.info("stopping on %s", signal.Signals(stops[0]).name)
        self._stops += len(stops)
        self._reap()

    def _reap(self) -> None:
        by_pid = {kept.process.pid: kept.process for kept in self._kept if kept.process}
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in by_pid:
                by_pid[pid].returncode = os.waitstatus_to_exitcode(status)
            else:
                logger.debug("reaped orphan %d", pid)

    def _died(self, kept: _Kept, status: int) -> None:
        name = kept.child.name
        if not kept.ever_ready:
            if kept.child.diagnose is not None:
                raise kept.child.diagnose(status)
            raise StartRefused(
                f"The {name} process ended with status {status} before it was ready.",
                cure="Its output says why.",
            )
        self._postpone(kept, f"ended with status {status}")

    def _postpone(self, kept: _Kept, why: str) -> None:
        backoff = kept.child.backoff
        healthy = kept.state is _State.UP and time.monotonic() - kept.since > backoff.healthy
        kept.process = None
        kept.state = _State.DOWN
        kept.delay = backoff.after(0.0 if healthy else kept.delay)
        kept.due = time.monotonic() + kept.delay
        logger.warning("%s %s; starts again in %.1f s", kept.child.name, why, kept.delay)

    def _launch(self, kept: _Kept) -> None:
        try:
            kept.process = kept.child.start()
        except (OSError, MunimentError) as error:
            if not kept.ever_ready:
                raise self._refusal(kept, error) from error
            self._postpone(kept, f"cannot be started ({error})")
            return
        kept.state = _State.STARTING
        kept.since = time.monotonic()
        logger.info("%s started as process %d", kept.child.name, kept.process.pid)
        if kept.child.ready is None:
            self._look_whether_ready(kept, kept.since)

    def _refusal(self, kept: _Kept, error: Exception) -> MunimentError:
        if isinstance(error, MunimentError):
            return error
        return StartRefused(
            f"The {kept.child.name} process cannot be started: {error}.",
            cure="Mend that, then start again.",
        )

    def _advance(self, kept: _Kept, now: float) -> None:
        if kept.state is _State.DOWN:
            if now >= kept.due:
                self._launch(kept)
        elif kept.state is _State.STARTING:
            self._look_whether_ready(kept, now)
        elif kept.child.tend is not None and now >= kept.tended + kept.child.tend_every:
            kept.tended = now
            self._tend(kept, kept.child.tend)

    def _tend(self, kept: _Kept, tend: Callable[[], None]) -> None:
        try:
            tend()
        except (OSError, MunimentError) as error:
            logger.warning("tending %s failed: %s", kept.child.name, error)

    def _look_whether_ready(self, kept: _Kept, now: float) -> None:
        try:
            ready = kept.child.ready is None or kept.child.ready()
        except (OSError, MunimentError) as error:
            if not kept.ever_ready:
                raise self._refusal(kept, error) from error
            logger.warning("%s is not usable: %s", kept.child.name, error)
            ready = False
        if ready:
            kept.state = _State.UP
            kept.ever_ready = True
            kept.since = kept.tended = time.monotonic()
            logger.info("%s is ready", kept.child.name)
        elif now - kept.since > kept.child.ready_within:
            if not kept.ever_ready:
                raise StartRefused(
                    f"The {kept.child.name} process was not ready within "
                    f"{kept.child.ready_within:.0f} seconds.",
                    cure="Its output says why.",
                )
            logger.warning("%s does not get ready; killed", kept.child.name)
            kept.since = now
            kept.signal(signal.SIGKILL)

    def _stop_all(self) -> None:
        for kept in reversed(self._kept):
            self._stop(kept)
        self._end_orphans()

    def _stop(self, kept: _Kept) -> None:
        child = kept.child
        hurried = self._stops > 1
        steps = [
            (child.stop_signal, child.grace),
            (child.fast_signal, _HARD_SECONDS),
            (signal.SIGKILL, float("inf")),
        ]
        for number, seconds in steps[1:] if hurried else steps:
            kept.signal(number)
            if self._gone_within(kept, seconds, hurried=self._stops > 1):
                break
        if kept.process is not None:
            logger.info("%s stopped with status %s", child.name, kept.process.returncode)

    def _gone_within(self, kept: _Kept, seconds: float, *, hurried: bool) -> bool:
        """Wait for the end of a child, less long when a second stop signal comes meanwhile."""
        deadline = time.monotonic() + seconds
        while kept.process is not None and kept.process.returncode is None:
            left = deadline - time.monotonic()
            if left <= 0 or (self._stops > 1 and not hurried):
                return False
            self._take(self._signals.wait(left))
        return True

    def _end_orphans(self) -> None:
        """End what our children left behind; as their adoptive parent we are its only keeper."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            deadline = time.monotonic() + _ORPHAN_SECONDS
            told: set[int] = set()
            self._reap()
            # The death of one may make orphans of its own children.
            while (left := self._orphans()) and time.monotonic() < deadline:
                for pid in left - told:
                    logger.warning("orphan %d gets %s", pid, number.name)
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, number)
                told |= left
                self._signals.wait(deadline - time.monotonic())
                self._reap()

    def _orphans(self) -> set[int]:
        return set(_own_children()) - self._strangers
