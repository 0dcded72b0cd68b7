"""Where files are: the table of paths, socket names and connection strings."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from muniment.errors import StartRefused
from muniment.postgres.embedded import ROLES, Layout, conninfo, default_data_dir
from muniment.postgres.embedded.layout import SOCKET_NAME, SOCKET_PATH_LIMIT

SHORT = Path("/srv/data")
ROOM = SOCKET_PATH_LIMIT - len(f"/run/{SOCKET_NAME}")


def test_the_files_of_a_data_directory() -> None:
    layout = Layout.of(SHORT)
    assert [layout.pg, layout.log, layout.socket_dir, layout.lock_file] == [
        SHORT / "pg",
        SHORT / "log",
        SHORT / "run",
        SHORT / "serve.lock",
    ]


@pytest.mark.parametrize(
    ("data", "below_data"),
    [
        (SHORT, True),
        (Path("/" + "d" * (ROOM - 1)), True),
        (Path("/" + "d" * ROOM), False),
        (Path("/" + "é" * ((ROOM - 1) // 2)), True),
        (Path("/" + "é" * (ROOM // 2 + 1)), False),
        (Path("/srv/one,two"), False),
        (Path('/srv/it\'s 100% "mine" ü'), True),
    ],
)
def test_the_socket_is_in_the_data_directory_unless_it_cannot_be(
    data: Path, below_data: bool, tmp_path: Path
) -> None:
    layout = Layout.of(data, temp=tmp_path)
    assert (layout.socket_dir == data / "run") is below_data
    assert below_data or layout.socket_dir.parent == tmp_path
    assert Layout.of(data, temp=tmp_path) == layout


@pytest.mark.parametrize("name", ["line\nbreak", "carriage\rreturn", "broken\udcff"])
def test_names_that_postgres_cannot_take_are_refused(name: str) -> None:
    with pytest.raises(StartRefused):
        Layout.of(Path("/srv") / name)


def test_two_ways_to_one_directory_have_one_layout(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert Layout.of(tmp_path / "link") == Layout.of(tmp_path / "real")


@given(
    st.text(
        st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="/"), min_size=1
    ).filter(lambda name: name not in {".", ".."})
)
def test_a_connection_string_says_what_the_layout_says(name: str) -> None:
    data = Path("/nowhere-at-all") / name
    layout = Layout.of(data)
    for role in ROLES:
        told = conninfo_to_dict(conninfo(data, role))
        assert told["host"] == str(layout.socket_dir)
        assert told["passfile"] == str(layout.passfile)
        assert (told["user"], told["dbname"]) == (role, "muniment")
        assert "," not in str(told["host"])
        assert len(os.fsencode(layout.socket_dir / SOCKET_NAME)) <= SOCKET_PATH_LIMIT


def test_only_the_projects_roles_have_a_connection_string() -> None:
    with pytest.raises(ValueError, match="postgres"):
        conninfo(SHORT, "postgres")


@pytest.mark.parametrize(
    ("uid", "home", "expected"),
    [
        (0, "/root", Path("/var/lib/muniment")),
        (1000, "/home/ann", Path("/home/ann/.local/share/muniment")),
    ],
)
def test_default_data_directory(
    uid: int, home: str, expected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    assert default_data_dir() == expected


def test_without_a_home_the_default_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    with pytest.raises(StartRefused, match="54321"):
        default_data_dir()
