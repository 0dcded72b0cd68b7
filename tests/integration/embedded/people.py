"""Running programs as other users, with an interpreter that they can reach."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg

import muniment
from muniment.postgres.embedded.account import Account

NOBODY = 65534
# A number that no passwd file has.
UNKNOWN = 54321
_PROGRAMS = "tests.integration.embedded.programs"
_ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Interpreter:
    """A Python with the project on its path, for any user when ``copied``."""

    program: Path
    path: Sequence[Path]
    libraries: Path | None = None

    def environment(self) -> dict[str, str]:
        """The smallest environment that finds the project."""
        found = {"PYTHONPATH": os.pathsep.join(map(str, self.path)), "PATH": "/usr/bin:/bin"}
        if self.libraries is not None:
            found["LD_LIBRARY_PATH"] = str(self.libraries)
        return found

    def start(
        self,
        program: str,
        options: object,
        *,
        uid: int | None = None,
        wrapper: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> "subprocess.Popen[bytes]":
        """Start a module of ``programs`` with ``options`` as JSON, as ``uid`` if given."""
        return subprocess.Popen(
            [*wrapper, str(self.program), "-m", f"{_PROGRAMS}.{program}", json.dumps(options)],
            env=self.environment() | dict(environment or {}),
            cwd="/",
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )


def own_interpreter() -> Interpreter:
    """The one that runs the tests, finding what they find."""
    libraries = os.environ.get("LD_LIBRARY_PATH")
    path = [_ROOT, *(Path(entry) for entry in sys.path if entry)]
    return Interpreter(Path(sys.executable), path, Path(libraries) if libraries else None)


_ANYONE = Account(NOBODY, NOBODY, "nobody", drop=True)
_IGNORED = shutil.ignore_patterns("test", "__pycache__", "config-*", "idlelib", "include")


def _open_to_all(path: Path) -> bool:
    return _ANYONE.first_closed([*reversed(path.parents), path]) is None


def _copied_program(place: Path) -> Interpreter:
    """A copy of the interpreter and its standard library below ``place``."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    without_site = shutil.ignore_patterns("site-packages", "dist-packages", "test", "__pycache__")
    shutil.copytree(sysconfig.get_path("stdlib"), place / "lib" / version, ignore=without_site)
    (place / "bin").mkdir()
    shutil.copy(Path(sys.executable).resolve(), place / "bin" / "python3")
    library = Path(
        sysconfig.get_config_var("LIBDIR") or "/", sysconfig.get_config_var("INSTSONAME") or "-"
    )
    if library.is_file() and ".so" in library.name:
        shutil.copy(library, place / "lib")
    return Interpreter(place / "bin" / "python3", [], place / "lib")


def anyones_interpreter(place: Path) -> Interpreter:
    """An interpreter with the project for every user: what others cannot reach is copied."""
    program = Path(sys.executable)
    reachable = _open_to_all(program.parent) and _open_to_all(program.resolve().parent)
    chosen = Interpreter(program, []) if reachable else _copied_program(place)
    path = []
    needed = (_ROOT, Path(muniment.__file__).parents[1], Path(psycopg.__file__).parents[1])
    for number, directory in enumerate(needed):
        if _open_to_all(directory):
            path.append(directory)
            continue
        target = place / f"path{number}"
        if directory == _ROOT:
            shutil.copytree(_ROOT / "tests", target / "tests", ignore=_IGNORED)
        else:
            shutil.copytree(directory, target, ignore=_IGNORED)
        path.append(target)
    _open_up(place)
    return Interpreter(chosen.program, path, chosen.libraries)


def _open_up(place: Path) -> None:
    for directory, _, files in os.walk(place):
        Path(directory).chmod(0o755)
        for name in files:
            file = Path(directory, name)
            if not file.is_symlink():
                file.chmod(file.stat().st_mode | 0o444)


def psql(
    program: Path, conninfo: str, statement: str, *, uid: int | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run one statement with the shipped psql, as ``uid`` if given."""
    return subprocess.run(
        [program, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, conninfo],
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        user=uid,
        group=uid,
        extra_groups=None if uid is None else [],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
