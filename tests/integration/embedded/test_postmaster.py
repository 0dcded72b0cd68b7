"""A server of our own: settings, access, places with odd names, odd environments."""

import signal
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from muniment.postgres.embedded import ADMIN, APP, ROLES, WORKER, Postmaster
from muniment.postgres.embedded.diagnosis import prune_logs
from muniment.postgres.embedded.processes import processes_in
from tests.integration.embedded.conftest import Start
from tests.integration.embedded.people import NOBODY, psql
from tests.integration.embedded.waiting import exited, until
from tests.support.cluster import cluster_in, fresh_place, session_cluster

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def shared(engine_dir: Path) -> Iterator[Postmaster]:
    """A durable, running server with the project's roles, which these tests only read."""
    with (
        fresh_place() as place,
        cluster_in(place / "data", engine_dir=engine_dir) as postmaster,
        postmaster.running(),
    ):
        with postmaster.connect() as connection:
            for role in (APP, WORKER):
                connection.execute(f'CREATE ROLE "{role}" NOLOGIN')
            connection.execute("CREATE ROLE intruder LOGIN SUPERUSER")
        postmaster.ensure_login_roles()
        yield postmaster


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("data_checksums", "on"),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("wal_compression", "off"),
        ("wal_recycle", "off"),
        ("jit", "off"),
        ("listen_addresses", ""),
        ("unix_socket_permissions", "0700"),
        ("max_connections", "60"),
        ("TimeZone", "UTC"),
        ("server_encoding", "UTF8"),
        ("allow_alter_system", "off"),
        ("log_min_messages", "log"),
        ("log_error_verbosity", "terse"),
    ],
)
def test_settings_in_force(shared: Postmaster, name: str, value: str) -> None:
    with shared.connect() as connection:
        row = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row == (value,)


def test_every_setting_of_our_file_was_taken(shared: Postmaster) -> None:
    with shared.connect() as connection:
        rows = connection.execute(
            "SELECT name, error FROM pg_file_settings WHERE error IS NOT NULL"
        ).fetchall()
        wrong = connection.execute("SELECT name FROM pg_settings WHERE pending_restart").fetchall()
    assert (rows, wrong) == ([], [])


def test_the_database(shared: Postmaster) -> None:
    with shared.connect() as connection:
        row = connection.execute(
            "SELECT datlocprovider::text, datlocale, pg_get_userbyid(datdba) FROM pg_database"
            " WHERE datname = current_database()"
        ).fetchone()
        # What the lower-case of a letter outside ASCII needs, and "C" would not do.
        low = connection.execute("SELECT lower('ÄÉ')").fetchone()
        for name in ("vector", "btree_gist", "pg_trgm", "amcheck"):
            connection.execute(f"CREATE EXTENSION IF NOT EXISTS {name}")
    assert row == ("b", "C.UTF-8", ADMIN)
    assert low == ("äé",)


def test_nothing_is_open_to_others(shared: Postmaster) -> None:
    layout = shared.layout
    for path in (layout.pg, layout.log, layout.socket_dir, layout.socket_dir / ".s.PGSQL.5432"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700, path
    for path in (layout.passfile, layout.lock_file, *layout.log.iterdir()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@pytest.mark.parametrize("role", ROLES)
def test_who_runs_muniment_may_be_each_role(shared: Postmaster, role: str) -> None:
    with psycopg.connect(shared.conninfo(role)) as connection:
        assert connection.execute("SELECT current_user").fetchone() == (role,)


@pytest.mark.parametrize("role", ["intruder", "postgres", "root", "muniment"])
def test_no_other_role_is_let_in(shared: Postmaster, role: str) -> None:
    with pytest.raises(psycopg.OperationalError, match=r"pg_hba\.conf rejects|does not exist"):
        psycopg.connect(shared.conninfo(ADMIN), user=role)


def test_no_other_user_is_let_in(needs_root: None, running: Postmaster) -> None:
    program = running.binaries.program("psql")
    target = running.conninfo(ADMIN)
    own = psql(program, target, "SELECT 'in'", uid=running.account.uid)
    assert own.stdout == "in\n"
    closed = psql(program, target, "SELECT 'in'", uid=NOBODY)
    assert "Permission denied" in closed.stderr
    # The second line, were the directory ever opened:
    running.layout.socket_dir.chmod(0o755)
    (running.layout.socket_dir / ".s.PGSQL.5432").chmod(0o777)
    stranger = psql(program, target, "SELECT 'in'", uid=NOBODY)
    assert "Peer authentication failed" in stranger.stderr
    assert stranger.stdout == ""
    running.layout.socket_dir.chmod(0o700)


def test_passwords_are_stored_as_verifiers_and_survive_a_restart(running: Postmaster) -> None:
    passfile = running.layout.passfile
    before = passfile.read_text()
    assert len({line.rsplit(":", 1)[1] for line in before.splitlines()}) == len(ROLES)
    with running.connect() as connection:
        row = connection.execute(
            "SELECT rolpassword FROM pg_authid WHERE rolname = %s", [ADMIN]
        ).fetchone()
    assert row is not None
    assert str(row[0]).startswith("SCRAM-SHA-256$")
    running.stop()
    running.start()
    assert passfile.read_text() == before


def test_a_lost_passfile_is_made_again(running: Postmaster) -> None:
    before = running.layout.passfile.read_text()
    running.stop()
    running.layout.passfile.unlink()
    running.start()
    assert running.layout.passfile.read_text() != before


def test_an_operator_may_tune_and_may_not_loosen(running: Postmaster) -> None:
    running.stop()
    operator = running.layout.pg / "operator.conf"
    assert operator.stat().st_uid == running.account.uid
    operator.write_text("work_mem = '7MB'\nlog_statement = 'all'\nfsync = off\n")
    main = running.layout.pg / "postgresql.conf"
    main.write_text(main.read_text() + "\nlog_statement = 'all'\nlisten_addresses = '*'\n")
    running.start()
    with running.connect() as connection:
        row = connection.execute(
            "SELECT current_setting('work_mem'), current_setting('log_statement'),"
            " current_setting('listen_addresses')"
        ).fetchone()
        with pytest.raises(psycopg.errors.FeatureNotSupported):
            connection.execute("ALTER SYSTEM SET log_statement = 'all'")
    assert row == ("7MB", "none", "")
    assert operator.read_text().startswith("work_mem")


def test_logs_stay_bounded(running: Postmaster) -> None:
    log = running.layout.log
    for day in range(1, 10):
        (log / f"postgres-2020010{day}T000000.log").write_text("old")
    running.tend()
    names = sorted(path.name for path in log.glob("postgres-*.log"))
    assert len(names) == 7
    assert names[0] == "postgres-20200104T000000.log"
    prune_logs(running.layout, keep=1)
    assert "ready to accept connections" in next(log.glob("postgres-*.log")).read_text()


def test_a_full_log_file_is_followed_by_another(running: Postmaster) -> None:
    log = running.layout.log
    (only,) = log.glob("postgres-*.log")
    with only.open("ab") as file:
        file.truncate(11 * 1024 * 1024)
    # The collector looks at the size when it gets a message; a checkpoint gives it one.
    with running.connect() as connection:

        def rotated() -> bool:
            connection.execute("CHECKPOINT")
            return len(list(log.glob("postgres-*.log"))) > 1

        until(rotated, "a second log file")


def test_prepare_again_keeps_the_cluster(running: Postmaster, engine_dir: Path) -> None:
    with running.connect() as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS a")
    running.stop()
    with pytest.raises(psycopg.OperationalError):
        running.connect()
    running.start()
    with running.connect() as connection:
        assert connection.execute("SELECT a FROM kept").fetchone() == (7,)


def test_session_cluster_is_gone_afterwards() -> None:
    with session_cluster(durable=False) as postmaster:
        data = postmaster.layout.data
        assert postmaster.ready()
        pids = processes_in(postmaster.layout.pg)
        assert len(pids) > 3
    assert not data.exists()
    for pid in pids:
        exited(pid)


@pytest.mark.parametrize(
    "name",
    [
        "with spaces",
        "it's",
        'a "quoted" one',
        "back\\slash",
        "100%s %d %Y",
        "données-データ-🗝",
        "$HOME `id` ;x",
        "a,comma",
        "# hash",
        "-dash",
        "l" * 120,
    ],
)
def test_data_directories_with_odd_names(name: str, place: Path, engine_dir: Path) -> None:
    with (
        cluster_in(place / name, engine_dir=engine_dir, durable=False) as postmaster,
        postmaster.running(),
        postmaster.connect() as connection,
    ):
        row = connection.execute("SELECT current_setting('data_directory')").fetchone()
        assert row == (str(place / name / "pg"),)
        assert list((place / name / "log").glob("postgres-*.log"))
    if postmaster.layout.socket_dir.parent != postmaster.layout.data:
        postmaster.layout.socket_dir.rmdir()


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o777])
def test_a_tiny_environment_and_any_umask(
    umask: int, place: Path, engine_dir: Path, start: Start
) -> None:
    options = {"data": str(place / "d" / "data"), "engine_dir": str(engine_dir), "umask": umask}
    served = start("serve", options, environment={"PATH": "/nowhere"}).ready()
    for name in ("pg", "run", "log"):
        assert stat.S_IMODE((place / "d" / "data" / name).stat().st_mode) == 0o700
    assert stat.S_IMODE((place / "d" / "data" / "pgpass").stat().st_mode) == 0o600
    served.stop()


def test_the_servers_environment_is_not_ours(place: Path, engine_dir: Path, start: Start) -> None:
    hostile = {
        "PGDATA": "/x",
        "PGPORT": "1",
        "PGOPTIONS": "-c fsync=off",
        "PGHOSTADDR": "192.0.2.1",
        "LC_ALL": "xx_XX",
    }
    options = {"data": str(place / "data"), "engine_dir": str(engine_dir)}
    served = start("serve", options, environment=hostile | {"SECRET": "s3cret"}).ready()
    pid = served.pid_of("postgres")
    environ = Path(f"/proc/{pid}/environ").read_text().split("\0")
    assert sorted(filter(None, environ)) == [
        "LC_ALL=C",
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "TZ=UTC",
    ]
    assert "Max core file size        0 " in Path(f"/proc/{pid}/limits").read_text()
    served.stop()


def test_initdb_killed_half_way_leaves_nothing_that_blocks(
    place: Path, engine_dir: Path, start: Start
) -> None:
    options = {"data": str(place / "data"), "engine_dir": str(engine_dir), "durable": True}
    first = start("serve", options)
    first.lines.wait_for("holding")
    until(lambda: list((place / "data").glob(".pg-unfinished*/base/1/*")), "initdb at work")
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    assert not (place / "data" / "pg").exists()
    second = start("serve", options).ready()
    assert not list((place / "data").glob(".pg-unfinished*"))
    second.stop()


def test_an_unfinished_cluster_is_not_shared_with_a_living_bootstrap(
    place: Path, engine_dir: Path, start: Start
) -> None:
    """However it dies, a second start ends with one whole cluster and no stray process."""
    options = {"data": str(place / "data"), "engine_dir": str(engine_dir)}
    for _ in range(3):
        first = start("serve", options)
        first.lines.wait_for("holding")
        until(lambda: list((place / "data").glob(".pg-unfinished*")), "initdb begun")
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
    start("serve", options).ready().stop()
    left = subprocess.run(
        ["pgrep", "-f", str(place)], capture_output=True, text=True, check=False
    ).stdout
    assert left == ""
