"""Become another program that dies with its parent: run as a script, standard library only.

Arguments: parent pid, death signal, user ("-" or "uid:gid:group,group"), log file or "-", program,
arguments. The death signal is set after the change of user, which would clear it, and the parent
is looked at afterwards, since it may have died before.
"""

import contextlib
import ctypes
import os
import pathlib
import resource
import signal
import sys

CANNOT_BECOME_USER = 124
CANNOT_WRITE_LOG = 125
CANNOT_EXECUTE = 126
PARENT_GONE = 123

_PR_SET_PDEATHSIG = 1

# Nothing of the caller's environment may steer the server (PGDATA, PGOPTIONS, LD_LIBRARY_PATH).
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def _become(user: str) -> None:
    uid, gid, groups = user.split(":")
    os.setgroups([int(group) for group in groups.split(",") if group])
    os.setgid(int(gid))
    os.setuid(int(uid))


def _write_to(log: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW
    descriptor = os.open(log, flags, 0o600)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)


def _close_inherited() -> None:
    for entry in list(pathlib.Path("/proc/self/fd").iterdir()):
        if int(entry.name) > 2:
            with contextlib.suppress(OSError):
                os.close(int(entry.name))


def _give_up(status: int, error: OSError) -> int:
    sys.stderr.write(f"FATAL:  {error}\n")
    return status


def main(arguments: list[str]) -> int:
    """Replace this process by the program, or say why not and return an exit status."""
    parent, death_signal, user, log, *command = arguments
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    # Python ignores these, and what is ignored stays so across exec.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.umask(0o077)
    # A core file would hold users' texts and outlive their erasure.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        if user != "-":
            _become(user)
    except OSError as error:
        return _give_up(CANNOT_BECOME_USER, error)
    try:
        if log != "-":
            _write_to(log)
    except OSError as error:
        return _give_up(CANNOT_WRITE_LOG, error)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
    if os.getppid() != int(parent):
        return PARENT_GONE
    _close_inherited()
    try:
        os.execve(command[0], command, _ENVIRONMENT)  # noqa: S606 -- no shell is the point
    except OSError as error:
        return _give_up(CANNOT_EXECUTE, error)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
