"""The same server for an ordinary user and for one without a passwd entry."""

import os
import shutil
from pathlib import Path

import pytest

from muniment.postgres.embedded import ADMIN, Layout
from tests.integration.embedded.conftest import Start, hand_over
from tests.integration.embedded.people import NOBODY, UNKNOWN, Interpreter, psql

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("needs_root")]


@pytest.fixture
def nobodys(place: Path) -> Path:
    """A directory of user nobody's."""
    home = place / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    return home


def options(data: Path, engine_dir: str = "/nonexistent/engine") -> dict[str, object]:
    return {"data": str(data), "engine_dir": engine_dir}


def test_an_ordinary_user_runs_the_programs_in_place(
    nobodys: Path, anyones: Interpreter, start: Start
) -> None:
    data = nobodys / "a" / "data"
    served = start("serve", options(data), interpreter=anyones, uid=NOBODY).ready()
    pid = served.pid_of("postgres")
    program = Path(f"/proc/{pid}/exe").readlink()
    assert any(program.is_relative_to(path) for path in anyones.path)
    assert Path(f"/proc/{pid}").stat().st_uid == NOBODY
    assert data.stat().st_mode & 0o777 == 0o700
    tool = program.with_name("psql")
    target = Layout.of(data).conninfo(ADMIN)
    assert psql(tool, target, "SELECT current_user", uid=NOBODY).stdout == f"{ADMIN}\n"
    # Root opens every socket; the map still does not know it here.
    assert "Peer authentication failed" in psql(tool, target, "SELECT 1").stderr
    served.stop()


def test_a_user_without_a_passwd_entry_cannot_create_a_cluster(
    place: Path, anyones: Interpreter, start: Start
) -> None:
    home = place / "home"
    home.mkdir()
    os.chown(home, UNKNOWN, UNKNOWN)
    served = start("serve", options(home / "data"), interpreter=anyones, uid=UNKNOWN)
    refusal = served.refusal()
    assert "passwd entry" in refusal
    assert not list((home / "data").glob(".pg-unfinished*"))


@pytest.fixture
def strangers(nobodys: Path, anyones: Interpreter, start: Start) -> Path:
    """A data directory made by nobody, now of a user without a passwd entry."""
    data = nobodys / "data"
    start("serve", options(data), interpreter=anyones, uid=NOBODY).ready().stop()
    hand_over(nobodys, UNKNOWN)
    return data


def test_a_user_without_a_passwd_entry_runs_an_existing_cluster(
    strangers: Path, anyones: Interpreter, start: Start
) -> None:
    served = start("serve", options(strangers), interpreter=anyones, uid=UNKNOWN).ready()
    tool = Path(f"/proc/{served.pid_of('postgres')}/exe").readlink().with_name("psql")
    layout = Layout.of(strangers)
    with_secret = psql(tool, layout.conninfo(ADMIN), "SELECT current_user", uid=UNKNOWN)
    assert with_secret.stdout == f"{ADMIN}\n"
    without = layout.conninfo(ADMIN).replace(str(layout.passfile), "/nonexistent")
    assert "no password supplied" in psql(tool, without, "SELECT 1", uid=UNKNOWN).stderr
    wrong = f"{without} password=wrong"
    assert "password authentication failed" in psql(tool, wrong, "SELECT 1", uid=UNKNOWN).stderr
    served.stop()


def test_without_entry_and_secret_there_is_no_way_in(
    strangers: Path, anyones: Interpreter, start: Start
) -> None:
    (strangers / "pgpass").unlink()
    served = start("serve", options(strangers), interpreter=anyones, uid=UNKNOWN)
    assert "password file" in served.refusal()


def test_an_open_secret_is_refused(strangers: Path, anyones: Interpreter, start: Start) -> None:
    (strangers / "pgpass").chmod(0o644)
    served = start("serve", options(strangers), interpreter=anyones, uid=UNKNOWN)
    assert "not this user's alone" in served.refusal()


def test_roots_user_is_created_once(place: Path, engine_dir: Path, start: Start) -> None:
    served = start("serve", options(place / "data", str(engine_dir))).ready()
    owner = (place / "data" / "pg").owner()
    assert owner == "muniment"
    assert (place / "data").owner() == "root"
    pid = served.pid_of("postgres")
    status = Path(f"/proc/{pid}/status").read_text()
    uid = str((place / "data" / "pg").stat().st_uid)
    assert f"Uid:\t{uid}\t{uid}\t{uid}\t{uid}" in status
    assert "CapEff:\t0000000000000000" in status
    served.stop()


def test_root_follows_no_link_that_the_servers_user_planted(
    place: Path, engine_dir: Path, start: Start
) -> None:
    how = options(place / "data", str(engine_dir))
    start("serve", how).ready().stop()
    victim = place / "victim"
    victim.write_text("untouched")
    victim.chmod(0o600)
    pg, log = place / "data" / "pg", place / "data" / "log"
    for path in (pg / "muniment.conf", pg / "pg_hba.conf", pg / ".pg_hba.conf.new"):
        path.unlink(missing_ok=True)
        path.symlink_to(victim)
    shutil.copy(log / "startup.log", log / "postgres-old.log")
    (log / "startup.log").unlink()
    (log / "startup.log").symlink_to(victim)
    served = start("serve", how)
    assert served.refusal()
    assert victim.read_text() == "untouched"
    assert victim.stat().st_uid == 0
