"""Where an embedded cluster keeps its files, and how a client reaches it."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from psycopg.conninfo import make_conninfo

from muniment.errors import StartRefused

ADMIN = "muniment_admin"
APP = "muniment_app"
WORKER = "muniment_worker"
ROLES = (ADMIN, APP, WORKER)
DATABASE = "muniment"
PORT = 5432
SYSTEM_DATA_DIR = Path("/var/lib/muniment")
ENGINE_DIR = SYSTEM_DATA_DIR / "engine"

# One place for every process, whatever TMPDIR says in its own environment: the server and its
# clients must compute the same socket directory.
SYSTEM_TEMP = Path("/tmp")  # noqa: S108

# sizeof(sockaddr_un.sun_path) is 108 on Linux and PostgreSQL wants room for the final NUL.
SOCKET_PATH_LIMIT = 107
SOCKET_NAME = f".s.PGSQL.{PORT}"


def default_data_dir() -> Path:
    """``/var/lib/muniment`` for root, else the user's data directory (platformdirs)."""
    if os.geteuid() == 0:
        return SYSTEM_DATA_DIR
    try:
        return platformdirs.user_data_path("muniment", appauthor=False).absolute()
    except RuntimeError:
        raise StartRefused(
            f"User {os.geteuid()} has no home directory to keep data in.",
            cure="Name a data directory that this user can write.",
        ) from None


def _refuse_unusable(data: Path) -> None:
    try:
        text = str(data).encode().decode()
    except UnicodeEncodeError:
        raise StartRefused(
            f"The data directory {str(data)!r} is not valid UTF-8.", cure="Choose another name."
        ) from None
    if any(mark in text for mark in "\n\r\0"):
        raise StartRefused(
            f"The data directory {text!r} has a line break or NUL in its name.",
            cure="Choose another name.",
        )


def _socket_dir(data: Path, temp: Path) -> Path:
    """``<data>/run``, or a short name below ``temp`` where libpq or the kernel cannot use that."""
    own = data / "run"
    # A comma would make libpq see two hosts.
    fits = len(os.fsencode(own / SOCKET_NAME)) <= SOCKET_PATH_LIMIT
    if fits and "," not in str(own):
        return own
    return temp / f"muniment-{hashlib.sha256(os.fsencode(data)).hexdigest()[:24]}"


@dataclass(frozen=True)
class Layout:
    """The paths of one data directory; the same for the server and every client of it."""

    data: Path
    socket_dir: Path

    @classmethod
    def of(cls, data: Path, *, temp: Path = SYSTEM_TEMP) -> "Layout":
        """Resolve ``data`` (symbolic links too) and derive every path from it; no I/O beyond."""
        _refuse_unusable(data)
        resolved = data.resolve()
        _refuse_unusable(resolved)
        return cls(resolved, _socket_dir(resolved, temp))

    @property
    def pg(self) -> Path:
        """The cluster, mode 0700."""
        return self.data / "pg"

    @property
    def unfinished(self) -> Path:
        """Where initdb builds; renamed to ``pg`` when it is whole."""
        return self.data / ".pg-unfinished"

    @property
    def log(self) -> Path:
        """The server's logs, mode 0700."""
        return self.data / "log"

    @property
    def startup_log(self) -> Path:
        """What the server said before its log collector ran."""
        return self.log / "startup.log"

    @property
    def lock_file(self) -> Path:
        """Locked by the one process that serves this directory; holds its pid."""
        return self.data / "serve.lock"

    @property
    def passfile(self) -> Path:
        """The roles' passwords in libpq's passfile format, mode 0600."""
        return self.data / "pgpass"

    def conninfo(self, role: str, dbname: str = DATABASE) -> str:
        """A libpq connection string for one of ``ROLES``; it holds no secret, only its file."""
        if role not in ROLES:
            raise ValueError(f"{role!r} is not one of {', '.join(ROLES)}")
        return make_conninfo(
            "",
            host=str(self.socket_dir),
            port=PORT,
            user=role,
            dbname=dbname,
            passfile=str(self.passfile),
            connect_timeout=10,
            # Given, so that PGOPTIONS and PGHOSTADDR of the environment do not count.
            options="",
            hostaddr="",
        )


def conninfo(data: Path, role: str, dbname: str = DATABASE) -> str:
    """As ``Layout.conninfo``, for a process that only knows the data directory."""
    return Layout.of(data).conninfo(role, dbname)
