"""The operating-system user that the server runs as."""

import os
import pwd
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from muniment.errors import StartRefused
from muniment.postgres.embedded.exclusive import alone

ACCOUNT = "muniment"
_TOOL_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"
# What pg_ident.conf can hold between double quotes; a leading slash would make it a pattern.
_MAPPABLE = re.compile(r"[^/\"\s][^\"\r\n]*")
# useradd takes a lock on the account files; a second process may find it taken.
_USERADD_PATIENCE = 10.0


@dataclass(frozen=True)
class Account:
    """Who runs the server. ``name`` is None without a passwd entry; ``drop`` means that we are
    root and have to become this user first."""

    uid: int
    gid: int
    name: str | None
    groups: tuple[int, ...] = ()
    drop: bool = False

    @property
    def label(self) -> str:
        """The user as people write it."""
        return self.name or f"number {self.uid}"

    def peers(self) -> tuple[str, ...]:
        """System user names that may log in by peer authentication; empty means it cannot work."""
        names = (self.name, _name_of(0)) if self.drop else (self.name,)
        return tuple(name for name in names if name and _MAPPABLE.fullmatch(name))

    def first_closed(self, directories: Sequence[Path]) -> Path | None:
        """The first of ``directories`` that this user cannot enter, asked as that user."""
        script = 'for d; do [ -x "$d" ] || { printf %s "$d"; exit 0; }; done'
        try:
            answer = subprocess.run(
                ["/bin/sh", "-c", script, "sh", *map(str, directories)],
                user=self.uid if self.drop else None,
                group=self.gid if self.drop else None,
                extra_groups=self.groups if self.drop else None,
                env={"PATH": _TOOL_PATH, "LC_ALL": "C"},
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise StartRefused(
                f"Root may not become user {self.label} here ({error}).",
                cure="Allow setuid and setgid, or start as an ordinary user.",
            ) from None
        return Path(os.fsdecode(answer.stdout)) if answer.stdout else None


def _name_of(uid: int) -> str | None:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return None


def _lookup(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _create(name: str) -> pwd.struct_passwd:
    """Add the system user; another process doing the same at once is fine.

    Two useradds at once would both succeed, and the second give the user another number.
    """
    with alone(Path("/etc"), os.O_RDONLY | os.O_DIRECTORY):
        return _lookup(name) or _add(name)


def _add(name: str) -> pwd.struct_passwd:
    tool = shutil.which("useradd", path=_TOOL_PATH)
    options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"]
    said = "there is no useradd"
    deadline = time.monotonic() + _USERADD_PATIENCE
    while tool and time.monotonic() < deadline:
        done = subprocess.run(
            [tool, *options, name],
            env={"PATH": _TOOL_PATH, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if entry := _lookup(name):
            return entry
        said = done.stderr.strip() or f"useradd ended with status {done.returncode}"
        if "lock" not in said:
            break
        time.sleep(0.1)
    raise StartRefused(
        f"As root the server runs as system user {name}, who cannot be created ({said}).",
        cure=f"Create that user ('useradd {' '.join(options)} {name}'), or start as an ordinary "
        "user.",
    )


def resolve(name: str = ACCOUNT) -> Account:
    """The account for this process: system user ``name`` when root, else the caller."""
    uid = os.geteuid()
    if uid != 0:
        return Account(uid, os.getegid(), _name_of(uid))
    entry = _lookup(name) or _create(name)
    if entry.pw_uid == 0:
        raise StartRefused(
            f"User {name} is root under another name, and PostgreSQL does not run as root.",
            cure=f"Give {name} a number of its own.",
        )
    groups = tuple(os.getgrouplist(name, entry.pw_gid))
    return Account(entry.pw_uid, entry.pw_gid, name, groups, drop=True)
