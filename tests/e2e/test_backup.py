"""docs/how-to/backup.md is carried out, and what it promises of a restore is looked at.

| backup | restored into | then |
|---|---|---|
| `muniment backup` of the running embedded server | the same one, stopped | what is in it, without what was forgotten since |
| the same, the ledger is gone | | written again from the database that makes room, then the same |
| the same, of another installation; it lost lines that this database does not have either | | refused; with `--without-ledger` everything comes back |
| the same | | analysed, so that what was forgotten since goes quickly |
| `pg_dump` of the running embedded server | a fresh data directory, with the ledger | everything but what was forgotten since; the old key counts |
| `pg_basebackup` | a data directory made by hand | the same |
| a copy of the stopped data directory | another place | the same |
| `pg_dump` and the roles of an external server | another server | the schema verifies and the service runs on it, without what was forgotten since |
| the same as a role that row-level security binds | | refused, nothing left out silently |
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from muniment import testing
from muniment.client import Client
from muniment.errors import Forgotten
from muniment.postgres.embedded import ADMIN, APP, WORKER, Layout, Postmaster
from muniment.postgres.migrate import migrate
from muniment.settings import environment_with
from muniment.testing import Running
from tests.e2e.test_docs import Reader
from tests.support.cluster import fresh_place, session_cluster
from tests.support.documents import Block, blocks
from tests.support.services import running_service
from tests.support.world import START

# Clusters are made, copied and restored, durably.
pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
BACKUP = "docs/how-to/backup.md"
OPERATOR, STOPPED = "operator of the new directory", "operator of the stopped service"
SUPERUSER, NEW_SUPERUSER = "superuser of the server", "superuser of the new server"
ADMINISTRATOR = "administrator of the new server"
_PARTITIONS_OF_A_USER = "16\n"
PLACES = ("restored", "copied", "unpacked")


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that every user can reach."""
    with fresh_place() as made:
        yield made


def chapters(place: Path) -> dict[str, list[Block]]:
    """The document's blocks by what they are marked as, with this machine's places."""
    found: dict[str, list[Block]] = {}
    last = ""
    for one in blocks(BACKUP):
        last = last if one.language == "output" else one.marks.get("as", "")
        text = one.text.replace("/srv/", f"{place}/")
        if text == _PARTITIONS_OF_A_USER:
            text = f"{os.environ['MUNIMENT_PARTITIONS']}\n"
        found.setdefault(last, []).append(Block(one.document, one.line, one.language, text, one.marks))  # fmt: skip
    return found


def of(found: list[Block], word: str) -> Block:
    """The one block that has a word."""
    (one,) = (block for block in found if word in block.text)
    return one


def test_every_block_is_carried_out_here(place: Path) -> None:
    marks = {"", OPERATOR, STOPPED, SUPERUSER, NEW_SUPERUSER, ADMINISTRATOR}
    assert set(chapters(place)) == marks


def remember(service: Running, *users: str) -> None:
    """A fact each."""
    with Client(service.url, service.key) as client:
        for user in users:
            client.memories.remember(kind="fact", user_id=user, text=f"{user} sails.")


def known(service: Running) -> set[str]:
    """Who of both has a fact."""
    with Client(service.url, service.key) as client:
        users = ("kept", "forgotten")
        return {user for user in users if client.memories.list(user_id=user).items}


def forget(service: Running) -> None:
    """What an application does for a person who asks for it."""
    with Client(service.url, service.key) as client:
        client.forget(user_id="forgotten")
    assert known(service) == {"kept"}


def refused(service: Running) -> None:
    """Who was forgotten takes no writes, also where that was restored."""
    with Client(service.url, service.key) as client, pytest.raises(Forgotten):
        client.memories.remember(kind="fact", user_id="forgotten", text="Sails again.")


def test_a_restore_without_a_ledger(place: Path) -> None:
    data, dump = place / "data", place / "a.dump"
    with running_service(data) as service:
        remember(service, "kept", "forgotten")
        assert muniment(data, "backup", str(dump)).returncode == 0
        assert "There is a file" in muniment(data, "backup", str(dump)).stderr
        forget(service)
        assert "is served by process" in muniment(data, "restore", str(dump)).stderr
    ledger = data.with_name("data.erasures")
    whole = ledger.read_text()
    title, _ = whole.splitlines(keepends=True)
    # The database that makes room knows what was forgotten.
    ledger.unlink()
    done = muniment(data, "restore", str(dump))
    assert (done.returncode, "1 erasures made since" in done.stdout) == (0, True), done.stderr
    assert ledger.read_text() == whole
    ledger.write_text(whole.replace("muniment", "other"))
    lost(muniment(data, "restore", str(dump)), "There is no erasure ledger")
    assert muniment(data, "restore", "--without-ledger", str(dump)).returncode == 0
    with running_service(data) as service:
        assert known(service) == {"kept", "forgotten"}
        assert analysed(data)
    # Nor does that database know it now: the ledger alone did.
    ledger.write_text(title)
    lost(muniment(data, "restore", str(dump)), "1 lines of the erasure ledger are missing")


def analysed(data: Path) -> bool:
    """Whether the planner knows how many users there are, which a dump does not tell."""
    with psycopg.connect(Layout.of(data).conninfo(ADMIN)) as admin:
        rows = admin.execute("SELECT reltuples FROM pg_class WHERE relname = 'end_user'").fetchall()
    return rows == [(2.0,)]


def lost(done: "subprocess.CompletedProcess[str]", said: str) -> None:
    """A restore was refused, and says why."""
    assert (done.returncode, said in done.stderr) == (3, True), done.stderr


def muniment(data: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command line on a data directory."""
    return subprocess.run(
        [sys.executable, "-m", "muniment", *words], capture_output=True, text=True, check=False,
        env=environment_with({"MUNIMENT_DATA_DIR": str(data)}),
    )  # fmt: skip


def hand_over(directory: Path, like: Path) -> None:
    """The chown of the document, where another user than ours runs the server."""
    owner = like.stat()
    subprocess.run(["chown", "-R", f"{owner.st_uid}:{owner.st_gid}", str(directory)], check=True)


def test_the_embedded_server(place: Path) -> None:
    found = chapters(place)
    data = place / "data"
    reader = Reader(place, {"MUNIMENT_DATA_DIR": str(data), "COLUMNS": "120"})
    restored, copied, unpacked = (place / name for name in PLACES)
    with running_service(data) as service:
        remember(service, "kept", "forgotten")
        for one in found[""]:
            reader.read(one)
        forget(service)
        # Installed here and now: another installation.
        with testing.running_service(restored) as fresh:
            assert fresh.key != service.key
            reader.read(of(found[OPERATOR], "restored"))
    with running_service(restored) as again:
        verify = f"MUNIMENT_DATA_DIR={restored} muniment db verify"
        reader.shell(of(found[OPERATOR], "restored"), verify)
        assert again.key == service.key
        # What the document says.
        assert known(again) == {"kept"}
        refused(again)
    reader.read(of(found[OPERATOR], "copied"))
    hand_over(copied / "pg", data / "pg")
    with running_service(copied) as again:
        assert again.key == service.key
        assert known(again) == {"kept"}
    reader.read(of(found[STOPPED], "unpacked"))
    with running_service(unpacked) as again:
        assert known(again) == {"kept"}
    at = found[STOPPED].index(of(found[STOPPED], "muniment restore"))
    for one in found[STOPPED][at : at + 2]:
        reader.read(one)
    with running_service(data) as again:
        assert known(again) == {"kept"}
        refused(again)


# External servers -------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[Postmaster]:
    """A server of its own with this build's schema in it."""
    with session_cluster() as cluster:
        with psycopg.connect(cluster.conninfo(ADMIN), autocommit=True) as superuser:
            migrate(superuser, partitions=4, now=START)
        cluster.ensure_login_roles()
        yield cluster


@pytest.fixture
def new_server() -> Iterator[Postmaster]:
    """Another, with nothing in it."""
    with session_cluster() as cluster:
        with psycopg.connect(cluster.conninfo(ADMIN, "postgres"), autocommit=True) as superuser:
            superuser.execute("DROP DATABASE muniment")
        yield cluster


def on(server: Postmaster, text: str) -> str:
    """A script with the server's own place instead of the embedded one's."""
    return f"export MUNIMENT_DATA_DIR={server.layout.data}\n{text}"


def urls(server: Postmaster) -> dict[str, str]:
    """The settings that name a server."""
    return {
        "MUNIMENT_DATABASE_URL": server.conninfo(APP),
        "MUNIMENT_WORKER_DATABASE_URL": server.conninfo(WORKER),
        "MUNIMENT_ADMIN_DATABASE_URL": server.conninfo(ADMIN),
    }


def test_an_external_server(place: Path, server: Postmaster, new_server: Postmaster) -> None:
    found = chapters(place)
    reader = Reader(place, {"MUNIMENT_DATA_DIR": str(place / "data"), "COLUMNS": "120"})
    reader.read(of(found[""], "find_spec"))
    data = place / "data"
    reader.environment |= urls(server)
    reader.shell(found[SUPERUSER][0], "muniment db migrate")
    with running_service(data, urls(server)) as service:
        remember(service, "kept", "forgotten")
        reader.shell(found[SUPERUSER][0], on(server, found[SUPERUSER][0].text))
        forget(service)
    roles = (place / "roles.sql").read_text()
    assert re.search(r"CREATE ROLE muniment_(owner|app|worker);", roles)
    reader.shell(found[NEW_SUPERUSER][0], on(new_server, found[NEW_SUPERUSER][0].text))
    new_server.ensure_login_roles()
    reader.environment |= urls(new_server)
    for one in found[ADMINISTRATOR]:
        reader.read(one)
    with running_service(data, urls(new_server)) as again:
        # The dump is older than the forget, the ledger is not.
        assert known(again) == {"kept"}
        refused(again)


def test_a_dump_as_a_bound_role_is_refused(place: Path, server: Postmaster) -> None:
    with psycopg.connect(server.conninfo(ADMIN), autocommit=True) as superuser:
        for kind in ("TABLES", "SEQUENCES"):
            superuser.execute(f"GRANT SELECT ON ALL {kind} IN SCHEMA muniment TO muniment_worker")
    url = f"postgresql://{WORKER}@/muniment?host={quote(str(server.layout.socket_dir))}"
    program = server.binaries.program("pg_dump")
    done = subprocess.run(
        [program, "--schema=muniment", "--file", str(place / "dump"), url],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "row-level security" in done.stderr
