"""From the server's words to one sentence and a cure."""

from pathlib import Path

import pytest

from muniment.postgres.embedded import exec_shim
from muniment.postgres.embedded.diagnosis import explain, serious_lines

T = "2026-01-01 00:00:00.000 UTC [1] "
LOG = Path("/srv/data/log")


@pytest.mark.parametrize(
    ("output", "status", "sentence"),
    [
        ("initdb: could not look up effective user ID 5: user does not exist", 1, "passwd entry"),
        (
            f'{T}FATAL:  could not resize shared memory segment "/P.1" to 9 bytes: No space left',
            1,
            "/dev/shm",
        ),
        (f"{T}FATAL:  could not map anonymous shared memory: Cannot allocate memory", 1, "memory"),
        (f'{T}FATAL:  could not write to file "x": No space left on device', 1, "no space left"),
        ('initdb: error: could not create directory "x": Read-only file system', 1, "read-only"),
        (f"{T}FATAL:  database files are incompatible with server", 1, "another build"),
        (
            f"{T}FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use",
            1,
            "earlier server",
        ),
        (f'{T}FATAL:  lock file "postmaster.pid" already exists', 1, "Another server"),
        (f'{T}FATAL:  data directory "/d" has wrong ownership', 1, "owner or mode"),
        (f'{T}FATAL:  configuration file "/d/operator.conf" contains errors', 1, "configuration"),
        (f"{T}FATAL:  could not create any Unix-domain sockets", 1, "socket"),
        (f"{T}PANIC:  could not locate a valid checkpoint record at 0/1", -6, "damaged"),
        (f'{T}FATAL:  could not open file "x": Permission denied', 1, "may not be read"),
        ("FATAL:  [Errno 1] Operation not permitted", exec_shim.CANNOT_BECOME_USER, "may not bec"),
        ("FATAL:  [Errno 13] Permission denied: 'x'", exec_shim.CANNOT_EXECUTE, "may not be run"),
        ("FATAL:  [Errno 28] No space left", exec_shim.CANNOT_WRITE_LOG, "log cannot be written"),
        (f"{T}FATAL:  something quite new.", 1, "something quite new."),
        (f"{T}LOG:  starting", -9, "ended by signal 9"),
        ("", 127, "status 127"),
    ],
)
def test_each_failure_has_its_sentence(output: str, status: int, sentence: str) -> None:
    refusal = explain(output, status, what="PostgreSQL", log=LOG)
    assert sentence in refusal.problem
    assert str(LOG) in refusal.cure
    assert "\n" not in str(refusal)


def test_what_clients_were_told_is_not_a_cause() -> None:
    output = f"{T}FATAL:  the database system is starting up\n{T}FATAL:  the cause\n{T}LOG:  done"
    assert serious_lines(output) == ["the cause"]
