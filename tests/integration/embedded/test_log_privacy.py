"""No literal of a user ever reaches the server's log, whatever fails."""

import contextlib
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from muniment.postgres.embedded import ADMIN, APP, Postmaster
from tests.integration.embedded.waiting import until
from tests.support.cluster import cluster_in, fresh_place

WORD = "Kanarienvogel"
NUMBERS = itertools.count(1000)


@pytest.fixture(scope="module")
def server(engine_dir: Path) -> Iterator[Postmaster]:
    """A server whose operator asks for every chatty setting, with tables to fail on."""
    with (
        fresh_place() as place,
        cluster_in(place / "data", engine_dir=engine_dir, durable=False) as postmaster,
    ):
        (postmaster.layout.pg / "operator.conf").write_text(
            "log_min_messages = debug2\nlog_min_error_statement = debug5\nlog_statement = 'all'\n"
            "log_min_duration_statement = 0\nlog_error_verbosity = verbose\nlog_duration = on\n"
            "log_parameter_max_length = -1\nlog_parameter_max_length_on_error = -1\n"
            "debug_print_plan = on\nlog_lock_waits = on\ndeadlock_timeout = '20ms'\n"
            "log_temp_files = 0\nautovacuum_naptime = 1\n"
            "shared_preload_libraries = 'auto_explain'\n"
        )
        postmaster.start()
        with postmaster.connect() as connection:
            connection.execute(f"CREATE ROLE {APP} LOGIN")
            connection.execute(
                "CREATE TABLE parent (name text PRIMARY KEY);"
                "CREATE TABLE child (name text NOT NULL REFERENCES parent,"
                " size int CHECK (size < 10), span int4range,"
                " EXCLUDE USING gist (span WITH &&));"
                "CREATE TABLE odd (name text);"
                f"GRANT ALL ON parent, child, odd TO {APP}"
            )
            connection.execute("INSERT INTO parent VALUES (%s)", [f"{WORD}-0000"])
        yield postmaster
        assert WORD not in logged(postmaster)


@pytest.fixture
def canary() -> str:
    """A value of this test alone, always 18 characters."""
    return f"{WORD}-{next(NUMBERS)}"


def logged(server: Postmaster) -> str:
    return "\n".join(
        path.read_text(errors="replace") for path in sorted(server.layout.log.iterdir())
    )


def mark(server: Postmaster) -> None:
    """Have everything said so far written: a line that must arrive follows it in the pipe."""
    before = logged(server).count("checkpoint complete")
    with server.connect() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS marks (a int); INSERT INTO marks VALUES (1)")
        connection.execute("CHECKPOINT")
    until(lambda: logged(server).count("checkpoint complete") > before, "the log is written")


SIMPLE = {
    "unique": "INSERT INTO parent VALUES ('{c}'), ('{c}')",
    "foreign key": "INSERT INTO child (name) VALUES ('{c}-orphan')",
    "not null": "INSERT INTO child (name, size) VALUES (NULL, length('{c}'))",
    "check": "INSERT INTO child (name, size) SELECT '{c}', length('{c}')",
    "exclusion": "INSERT INTO child (name, span) SELECT '{c}', '[1,5)' FROM generate_series(1,2)",
    "uuid": "SELECT '{c}'::uuid",
    "integer": "SELECT '{c}'::int",
    "date": "SELECT '{c}'::date",
    "json": "SELECT '{{\"a\": {c}}}'::jsonb",
    "vector": "SELECT '{c}'::public.vector",
    "regex": "SELECT 'a' ~ '({c}'",
    "no column": 'SELECT "{c}"',
    "no table": 'SELECT 1 FROM "{c}"',
    "syntax": "SELEKT '{c}'",
    "unterminated": "SELECT '{c}",
    "setting": "SET statement_timeout = '{c}'",
    "warning": "DO $$BEGIN RAISE WARNING '{c}'; END$$",
    "notice": "DO $$BEGIN RAISE NOTICE '{c}'; END$$",
    "exception": "DO $$BEGIN RAISE EXCEPTION '{c}' USING DETAIL = '{c}', HINT = '{c}'; END$$",
    "nested": "DO $$BEGIN PERFORM '{c}'::int; END$$",
    "too long": "SELECT pg_sleep(20), '{c}'",
    "fine": "SELECT '{c}'",
    "temporary file": "SET work_mem = '64kB'; SELECT '{c}' || a FROM generate_series(1, 50000) a"
    " ORDER BY 1",
}


@pytest.mark.parametrize("case", SIMPLE)
def test_a_failing_statement(server: Postmaster, canary: str, case: str) -> None:
    with psycopg.connect(
        server.conninfo(APP), autocommit=True, options="-c statement_timeout=150ms"
    ) as connection:
        fails = case not in {"fine", "warning", "notice", "temporary file"}
        with pytest.raises(psycopg.Error) if fails else contextlib.nullcontext():
            connection.execute(SIMPLE[case].format(c=canary).encode())
    mark(server)
    assert canary not in logged(server)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT %s::uuid",
        "INSERT INTO child (name) VALUES (%s)",
        "SELECT 1 / (length(%s) - 18)",
    ],
)
def test_a_failing_statement_with_parameters(
    server: Postmaster, canary: str, statement: str
) -> None:
    assert len(canary) == 18
    with psycopg.connect(server.conninfo(APP), autocommit=True) as connection:
        connection.prepare_threshold = 0
        with pytest.raises(psycopg.DataError if "INS" not in statement else psycopg.Error):
            connection.execute(statement.encode(), [canary])
    mark(server)
    assert canary not in logged(server)


def test_a_failing_copy(server: Postmaster, canary: str) -> None:
    with (
        psycopg.connect(server.conninfo(APP), autocommit=True) as connection,
        pytest.raises(psycopg.DataError),
        connection.cursor() as cursor,
        cursor.copy("COPY child (name, size) FROM STDIN") as copy,
    ):
        copy.write_row((canary, canary))
    mark(server)
    assert canary not in logged(server)


def test_a_failing_analyze_in_the_background(server: Postmaster, canary: str) -> None:
    """Maintenance evaluates expressions over users' values, in a process without a client."""
    with server.connect() as connection:
        connection.execute(
            "CREATE SEQUENCE tries;"
            "CREATE FUNCTION picky(t text) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$BEGIN"
            "  IF current_setting('application_name') = 'writer' THEN RETURN 1; END IF;"
            "  PERFORM nextval('public.tries'); RETURN t::int; END$$;"
            "CREATE TABLE picked (name text) WITH (autovacuum_analyze_threshold = 1);"
            "CREATE INDEX ON picked (picky(name))"
        )
        connection.execute("SET application_name = 'writer'")
        connection.execute(
            "INSERT INTO picked SELECT %s || a FROM generate_series(1, 100) a", [canary]
        )
        until(
            lambda: connection.execute("SELECT 1 FROM tries WHERE is_called").fetchone(),
            "the background analyze fails",
        )
        connection.execute("DROP TABLE picked")
    mark(server)
    assert canary not in logged(server)


def test_waiting_and_deadlocked_statements(server: Postmaster, canary: str) -> None:
    with server.connect() as connection:
        connection.execute("INSERT INTO odd SELECT 'left' UNION ALL SELECT 'right'")
    errors: list[psycopg.Error] = []
    barrier = threading.Barrier(2)

    def cross(first: str, second: str) -> None:
        with psycopg.connect(server.conninfo(ADMIN)) as connection:
            change = "UPDATE odd SET name = name || '' WHERE name = %s AND %s <> ''"
            connection.execute(change, [first, canary])
            barrier.wait(20)
            try:
                connection.execute(change, [second, canary])
            except psycopg.Error as error:
                errors.append(error)
            connection.rollback()

    both = [
        threading.Thread(target=cross, args=pair) for pair in (("left", "right"), ("right", "left"))
    ]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join(30)
    assert [type(error) for error in errors] == [psycopg.errors.DeadlockDetected]
    mark(server)
    assert canary not in logged(server)


def in_a_statement(server: Postmaster, canary: str, then: Callable[[int], None]) -> None:
    """Run ``then`` with the number of a backend that is in a statement with the canary."""
    connection = psycopg.connect(server.conninfo(APP), autocommit=True)
    pid = connection.info.backend_pid

    def work() -> None:
        with pytest.raises(psycopg.OperationalError), connection:
            connection.execute(f"SELECT pg_sleep(60), '{canary}'".encode())

    thread = threading.Thread(target=work)
    thread.start()
    with server.connect() as other:
        until(
            lambda: other.execute(
                "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'", [pid]
            ).fetchone(),
            "the statement runs",
        )
    then(pid)
    thread.join(30)


def test_a_terminated_backend(server: Postmaster, canary: str) -> None:
    in_a_statement(server, canary, lambda pid: os.kill(pid, signal.SIGTERM))
    mark(server)
    assert canary not in logged(server)


def test_a_crashed_backend(server: Postmaster, canary: str) -> None:
    """The server logs a crash, and its DETAIL would be the statement."""
    crashes = logged(server).count("was terminated by signal 9")
    starts = logged(server).count("ready to accept connections")
    in_a_statement(server, canary, lambda pid: os.kill(pid, signal.SIGKILL))
    until(
        lambda: (
            logged(server).count("was terminated by signal 9") > crashes
            and logged(server).count("ready to accept connections") > starts
        ),
        "crash and recovery are logged",
    )
    mark(server)
    assert canary not in logged(server)


def test_without_the_settings_the_log_would_tell(server: Postmaster) -> None:
    """Shows that the searches above look where the server writes."""
    word = "Gegenprobe-0815"
    with server.connect() as connection:
        connection.execute("SET log_min_messages = 'error'")
        with pytest.raises(psycopg.DataError):
            connection.execute("SELECT %s::text::uuid", [word])
    mark(server)
    assert word in logged(server)
