"""Private directories and files: made safely, never loosened, never followed."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.errors import StartRefused
from muniment.postgres.embedded.account import Account
from muniment.postgres.embedded.files import (
    make_data_dir,
    private_dir,
    read_plain,
    refusing,
    write_private,
)
from tests.integration.embedded.people import NOBODY

ME = Account(os.geteuid(), os.getegid(), "me")
OTHER = Account(NOBODY, NOBODY, "nobody", drop=True)


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


@pytest.mark.parametrize(("shared", "expected"), [(True, 0o755), (False, 0o700)])
def test_a_data_directory_has_its_mode_whatever_the_umask(
    place: Path, umask: int, shared: bool, expected: int
) -> None:
    (place / "old").mkdir(mode=0o711)
    before = mode(place / "old")
    make_data_dir(place / "old" / "a" / "b", shared=shared)
    assert [mode(place / "old" / "a"), mode(place / "old" / "a" / "b")] == [expected] * 2
    assert mode(place / "old") == before


def test_a_file_in_the_way_of_a_data_directory(place: Path) -> None:
    (place / "file").touch()
    with pytest.raises(OSError, match="Not a directory"):
        make_data_dir(place / "file", shared=False)
    with pytest.raises(OSError, match="Not a directory"):
        make_data_dir(place / "file" / "below", shared=False)


def test_a_private_directory_is_private_whatever_the_umask(place: Path, umask: int) -> None:
    private_dir(place / "run", ME)
    private_dir(place / "run", ME)
    assert mode(place / "run") == 0o700
    assert [path.name for path in place.iterdir()] == ["run"]


def test_roots_private_directory_belongs_to_the_servers_user(needs_root: None, place: Path) -> None:
    private_dir(place / "run", OTHER)
    assert (place / "run").stat().st_uid == NOBODY


@pytest.mark.parametrize("case", ["link", "dangling", "file", "loose"])
def test_what_is_there_already_is_refused_and_left_alone(place: Path, case: str) -> None:
    path = place / "run"
    (place / "elsewhere").mkdir(mode=0o755)
    if case == "link":
        path.symlink_to("elsewhere")
    elif case == "dangling":
        path.symlink_to("nowhere")
    elif case == "file":
        path.touch()
    else:
        path.mkdir()
        path.chmod(0o750)
    before = path.lstat()
    with pytest.raises(StartRefused):
        private_dir(path, ME)
    after = path.lstat()
    assert (before.st_mode, before.st_ino, before.st_uid) == (
        after.st_mode,
        after.st_ino,
        after.st_uid,
    )
    assert mode(place / "elsewhere") == 0o755


def test_anothers_directory_is_refused(needs_root: None, place: Path) -> None:
    (place / "run").mkdir(mode=0o700)
    os.chown(place / "run", NOBODY, NOBODY)
    with pytest.raises(StartRefused, match=str(NOBODY)):
        private_dir(place / "run", ME)
    assert (place / "run").stat().st_uid == NOBODY


def test_a_private_file_replaces_and_follows_nothing(place: Path, umask: int) -> None:
    victim = place / "victim"
    victim.write_text("untouched")
    (place / "conf").symlink_to("victim")
    (place / ".conf.new").symlink_to("victim")
    write_private(place / "conf", "new", ME)
    assert victim.read_text() == "untouched"
    assert not (place / "conf").is_symlink()
    assert (read_plain(place / "conf"), mode(place / "conf")) == ("new", 0o600)


def test_reading_follows_no_link_and_takes_regular_files_alone(place: Path) -> None:
    (place / "secret").write_text("x")
    (place / "link").symlink_to("secret")
    os.mkfifo(place / "pipe")
    with pytest.raises(OSError, match="symbolic links"):
        read_plain(place / "link")
    assert read_plain(place / "pipe") is None
    assert read_plain(place / "missing") is None


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (errno.EROFS, "writable"),
        (errno.EACCES, "access"),
        (errno.ENOSPC, "space"),
        (errno.EDQUOT, "quota"),
        (errno.ENOTDIR, "in the way"),
        (errno.EBUSY, "Mount"),
        (errno.EIO, "another data directory"),
    ],
)
def test_an_error_of_the_system_becomes_a_sentence_and_a_cure(number: int, word: str) -> None:
    with pytest.raises(StartRefused) as caught, refusing(Path("/srv/data")):
        raise OSError(number, "x")
    assert "/srv/data" in caught.value.problem
    assert word in caught.value.cure
