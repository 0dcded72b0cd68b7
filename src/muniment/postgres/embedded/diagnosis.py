"""From what initdb and the server said to one sentence and a cure."""

import re
from dataclasses import dataclass
from pathlib import Path

from muniment.errors import StartRefused
from muniment.postgres.embedded import exec_shim
from muniment.postgres.embedded.configuration import LOG_GLOB, OPERATOR_FILE
from muniment.postgres.embedded.files import read_plain
from muniment.postgres.embedded.layout import Layout

_SERIOUS = re.compile(r"(?:FATAL|PANIC|initdb: error|initdb|postgres):\s+(.*)")
_PASSING = re.compile(r"the database system is|terminating connection")


@dataclass(frozen=True)
class _Finding:
    pattern: re.Pattern[str]
    problem: str
    cure: str


def _finding(pattern: str, problem: str, cure: str) -> _Finding:
    return _Finding(re.compile(pattern), problem, cure)


# The first that matches wins.
_FINDINGS = (
    _finding(
        r"look up effective user ID",
        "PostgreSQL cannot create a cluster for a user without a passwd entry.",
        "Add an entry for this user to /etc/passwd, or create the data directory once as a user "
        "who has one.",
    ),
    _finding(
        r"shared memory segment.*No space left|resize shared memory segment",
        "There is too little room in /dev/shm.",
        "Give the container more ('--shm-size=256m').",
    ),
    _finding(
        r"could not (?:open|create) shared memory segment",
        "Shared memory cannot be created in /dev/shm.",
        "Mount a tmpfs there that this user can write.",
    ),
    _finding(
        r"anonymous shared memory|Cannot allocate memory|out of memory",
        "There is too little memory for the server.",
        f"Lower shared_buffers in {OPERATOR_FILE}, or give this machine more memory.",
    ),
    _finding(
        r"No space left on device|Disk quota exceeded",
        "There is no space left on the disk.",
        "Free some space on the disk of the data directory.",
    ),
    _finding(
        r"Read-only file system",
        "The data directory is on a read-only file system.",
        "Mount it writable.",
    ),
    _finding(
        r"incompatible with server|initialized by PostgreSQL version",
        "The cluster is damaged, or was made by another build of PostgreSQL.",
        "Restore it from a backup, or dump it with the build that made it.",
    ),
    _finding(
        r"pre-existing shared memory block",
        "Processes of an earlier server still use this cluster.",
        "End them, then start again.",
    ),
    _finding(
        r'lock file "[^"]*" already exists',
        "Another server runs on this cluster.",
        "Stop it first.",
    ),
    _finding(
        r"wrong ownership|invalid permissions",
        "The cluster directory has the wrong owner or mode.",
        "Give it to the server's user alone (chown, chmod 700).",
    ),
    _finding(
        r"unrecognized configuration parameter|contains errors|invalid value for parameter",
        "The server's configuration has an error.",
        f"Correct {OPERATOR_FILE}; the log names the line.",
    ),
    _finding(
        r"bind Unix address|Unix-domain socket|create any Unix-domain sockets",
        "The server cannot open its socket.",
        "Check the socket directory.",
    ),
    _finding(
        r"valid checkpoint record|pg_control\": No such file|incorrect checksum|PANIC"
        r"|is not a valid data directory",
        "The cluster is damaged.",
        "Restore it from a backup.",
    ),
    _finding(
        r"Permission denied",
        "A file of the cluster may not be read or written by the server's user.",
        "Give the whole directory to that user (chown -R).",
    ),
)

_SHIM_FINDINGS = {
    exec_shim.CANNOT_BECOME_USER: _finding(
        "",
        "Root may not become the server's user here.",
        "Allow setuid and setgid, or start as an ordinary user.",
    ),
    exec_shim.CANNOT_WRITE_LOG: _finding(
        "", "The server's log cannot be written.", "Check the space and the owner of its directory."
    ),
    exec_shim.CANNOT_EXECUTE: _finding(
        "",
        "The server's program may not be run.",
        "Check its mode, and that its file system is not mounted noexec.",
    ),
    exec_shim.PARENT_GONE: _finding(
        "", "The process that started the server ended.", "Start again."
    ),
}


def serious_lines(output: str) -> list[str]:
    """The messages of level FATAL and PANIC and initdb's errors, without time and level."""
    found = (_SERIOUS.search(line) for line in output.splitlines())
    said = [match[1].strip().rstrip(".") for match in found if match]
    return [line for line in said if not _PASSING.search(line)]


def _match(text: str) -> _Finding | None:
    return next((each for each in _FINDINGS if each.pattern.search(text)), None)


def explain(output: str, status: int | None, *, what: str, log: Path | None) -> StartRefused:
    """The refusal for a program that ended with ``status`` (negative: by that signal)."""
    place = f" The log is in {log}." if log else ""
    said = serious_lines(output)
    finding = _SHIM_FINDINGS.get(status or 0) or _match("\n".join(said)) or _match(output)
    if finding:
        return StartRefused(finding.problem, cure=f"{finding.cure}{place}")
    if said:
        return StartRefused(f"{what} failed: {said[0]}.", cure=f"Mend that, then start.{place}")
    code = status or 0
    ended = f"ended with status {code}" if code >= 0 else f"was ended by signal {-code}"
    return StartRefused(f"{what} {ended} without a word.", cure=f"Start again.{place}")


@dataclass(frozen=True)
class LogMark:
    """How far the logs went at some moment, so that what came after it can be read."""

    layout: Layout
    sizes: dict[str, int]

    @classmethod
    def now(cls, layout: Layout) -> "LogMark":
        """Mark the present ends of the collector's files."""
        sizes = {path.name: path.lstat().st_size for path in layout.log.glob(LOG_GLOB)}
        return cls(layout, sizes)

    def since(self) -> str:
        """What the server said since: its startup log, then the collector's files."""
        early = read_plain(self.layout.startup_log) or ""
        collected = [
            read_plain(path, start=self.sizes.get(path.name, 0)) or ""
            for path in sorted(self.layout.log.glob(LOG_GLOB))
        ]
        return "\n".join([early, *collected])


def prune_logs(layout: Layout, *, keep: int = 7) -> None:
    """Remove all but the newest ``keep`` files of the collector (10 MB or a day each)."""
    for path in sorted(layout.log.glob(LOG_GLOB))[:-keep]:
        path.unlink(missing_ok=True)
