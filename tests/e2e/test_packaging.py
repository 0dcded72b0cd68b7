"""The files for operators work: what Containerfile and compose.yaml say is carried out without
containers, and systemd reads the unit.

| given | when | then |
|---|---|---|
| the tree | the steps of the build stage run in a plain directory | a wheel with every file of both packages and no tests; a virtual environment without pip |
| that environment | an ordinary user runs the image's command | it serves from an embedded database; the image's health check passes; SIGTERM ends it with 0 |
| a new PostgreSQL | deploy/postgres-init.sh and the services of compose.yaml run in their order | ready; both health checks pass; the command line finds the key |
| the unit | `systemd-analyze verify` and `security` | nothing to say; little exposure |
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
import pytest

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Postmaster
from tests.integration.embedded.people import (
    NOBODY,
    _copied_program,
    _open_to_all,
    _open_up,
)
from tests.support.cluster import fresh_place, session_cluster
from tests.support.documents import ROOT
from tests.support.packaging import (
    arguments_of_build,
    compose,
    environment_of_image,
    health_command,
    of,
    pyproject_value,
)
from tests.support.waiting import until

# The packages come from a registry.
pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
SECRETS = {
    name: name.lower().replace("_", "")
    for name in ("POSTGRES_PASSWORD", "DBA_PASSWORD", "APP_PASSWORD", "WORKER_PASSWORD")
}
IGNORED = shutil.ignore_patterns("__pycache__")


@dataclass(frozen=True)
class Built:
    """What the build stage leaves: the sources it saw, the environment, and how to run there."""

    source: Path
    environment: Path
    libraries: str | None

    @property
    def wheel(self) -> Path:
        """The wheel of the project."""
        (found,) = (self.source / "dist").glob("*.whl")
        return found

    def variables(self, given: Mapping[str, str]) -> dict[str, str]:
        """The image's variables and ``given``, with the commands of the environment first."""
        libraries = {} if self.libraries is None else {"LD_LIBRARY_PATH": self.libraries}
        path = f"{self.environment / 'bin'}:/usr/bin:/bin"
        return {**environment_of_image(), **given, "PATH": path, **libraries}

    def run(
        self, words: Sequence[str], given: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        program = self.environment / "bin" / words[0]
        return subprocess.run(
            [program, *words[1:]], env=self.variables(given), cwd="/",
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    def start(
        self, words: Sequence[str], given: Mapping[str, str], log: Path, **options: Any
    ) -> "subprocess.Popen[bytes]":
        """Start a command, its output in a file."""
        with log.open("wb") as output:
            return subprocess.Popen(
                [self.environment / "bin" / words[0], *words[1:]], env=self.variables(given),
                cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options,
            )  # fmt: skip


def base_python(place: Path) -> str | None:
    """Put a ``python`` that anyone can run into ``place/bin``; returns where its libraries are."""
    program = Path(sys.executable).resolve()
    if os.geteuid() == 0 and not _open_to_all(program.parent):
        copy = _copied_program(place)
        _open_up(place)
        (place / "bin/python").symlink_to(copy.program)
        return str(copy.libraries)
    (place / "bin").mkdir()
    (place / "bin/python").symlink_to(program)
    return os.environ.get("LD_LIBRARY_PATH")


def copy_sources(one: str, target: Path) -> None:
    """What a COPY instruction does."""
    *sources, to = one.split()
    for name in sources:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / to, ignore=IGNORED)
        else:
            (target / to).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / to)


@pytest.fixture(scope="module")
def built() -> Iterator[Built]:
    """The build stage, carried out."""
    with fresh_place() as place:
        (place / "python").mkdir()
        libraries = base_python(place / "python")
        places = {"/opt/build": str(place / "build"), "/opt/muniment": str(place / "muniment")}
        variables = {**os.environ, **arguments_of_build(1)}
        variables["PATH"] = f"{place / 'python/bin'}:/usr/bin:/bin"
        variables |= {} if libraries is None else {"LD_LIBRARY_PATH": libraries}
        source = place / "src"
        source.mkdir()
        for one in of("COPY", 1):
            copy_sources(one.text, source)
        for one in of("RUN", 1):
            script = one.text
            for path, own in places.items():
                script = script.replace(path, own)
            done = subprocess.run(
                ["/bin/sh", "-euc", script], env=variables, cwd=source,
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{one.text}\n{done.stdout}{done.stderr}"
        yield Built(source, place / "muniment", libraries)


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that the user who serves may write."""
    with fresh_place() as made:
        made.chmod(0o777)
        yield made


def files_of(source: Path) -> set[str]:
    """What a wheel of both packages must hold, by its names there."""
    return {
        path.relative_to(folder).as_posix()
        for folder in (source / "src", source / "evals")
        for path in folder.glob("muniment*/**/*")
        if path.is_file()
    }


def test_the_wheel_holds_both_packages_and_no_tests(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = set(wheel.namelist())
    version = pyproject_value(r'^version = "(.+)"')
    info = {name for name in names if name.startswith(f"muniment-{version}.dist-info/")}
    # What the probes tell pairs of statements by.
    pairs = {"muniment_evals/cases/duplicates.jsonl"}
    assert names - info == files_of(built.source) | pairs
    migrations = {f"muniment/postgres/sql/migrations/{one.name}" for one in (ROOT / "src/muniment/postgres/sql/migrations").iterdir()}  # fmt: skip
    assert names > migrations | {
        "muniment/py.typed",
        "muniment/policy/default.toml",
        "muniment/postgres/sql/schema.sql",
        "muniment_evals/cli.py",
    }
    assert not any("test" in Path(name).parts[0] for name in names)
    assert {Path(name).name for name in info} >= {"LICENSE", "NOTICE", "entry_points.txt"}


def test_what_is_installed(built: Built) -> None:
    version = built.run(["muniment", "--version"], {})
    assert version.stdout.strip() == pyproject_value(r'^version = "(.+)"'), version.stderr
    where = (
        "import muniment, muniment_evals; print(muniment.__file__); print(muniment_evals.__file__)"
    )
    found = built.run(["python", "-c", where], {}).stdout.split()
    assert len(found) == 2
    assert all(Path(one).is_relative_to(built.environment / "lib") for one in found)
    assert "retrieval" in built.run(["muniment", "eval", "--help"], {}).stdout
    assert not list((built.environment / "bin").glob("pip*"))


def ledger_in(place: Path) -> dict[str, str]:
    """The place of the erasure ledger, which the image has outside the data directory."""
    return {"MUNIMENT_ERASURE_LEDGER_FILE": str(place / "erasures")}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@contextlib.contextmanager
def stopped_in_the_end(
    process: "subprocess.Popen[bytes]", log: Path, ends: frozenset[int] = frozenset({0})
) -> Iterator[None]:
    """Send the image's stop signal afterwards; the process must end in one of these ways."""
    assert of("STOPSIGNAL")[0].text == "SIGTERM"
    try:
        yield
    except BaseException:
        process.kill()
        raise
    finally:
        process.terminate()
        status = process.wait(120)
    assert status in ends, log.read_text()


def test_an_ordinary_user_serves_with_the_images_command(built: Built, place: Path) -> None:
    port = free_port()
    data = place / "data"
    given = {"MUNIMENT_DATA_DIR": str(data), "MUNIMENT_PORT": str(port)}
    given |= ledger_in(place)
    log = place / "log"
    other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    command = [*of("ENTRYPOINT")[0].words, *of("CMD")[0].words]
    process = built.start(command, given, log, **other)

    def ready() -> bool:
        assert process.poll() is None, log.read_text()
        return b"Muniment is ready" in log.read_bytes()

    with stopped_in_the_end(process, log):
        until(ready, within=120)
        health = built.run(health_command(), given)
        assert health.returncode == 0, health.stderr
        owner = (data / "pg").stat().st_uid
        assert owner == (NOBODY if os.geteuid() == 0 else os.geteuid())
        key = (data / "admin.key").read_text().strip()
        with Client(f"http://127.0.0.1:{port}", key) as client:
            client.memories.remember(kind="fact", user_id="u", text="Nora sails.")
            assert client.recall(user_id="u", query="Who sails?").items[0].text == "Nora sails."
    assert built.run(health_command(), given).returncode != 0


# The services of compose.yaml -------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[Postmaster]:
    """A server that asks the three roles of compose.yaml for their passwords."""
    with session_cluster() as cluster:
        access = cluster.layout.pg / "pg_hba.conf"
        asked = "local muniment muniment_dba,muniment_app,muniment_worker scram-sha-256\n"
        access.write_text(asked + access.read_text())
        with psycopg.connect(cluster.conninfo(ADMIN, "postgres"), autocommit=True) as superuser:
            superuser.execute("SELECT pg_reload_conf()")
        yield cluster


@dataclass(frozen=True)
class Composed:
    """The services of compose.yaml as processes of this machine."""

    built: Built
    server: Postmaster
    data: Path
    port: int

    def service(self, name: str) -> dict[str, Any]:
        """What compose.yaml says of a service."""
        found: dict[str, Any] = compose(SECRETS)["services"][name]
        return found

    def variables(self, name: str) -> dict[str, str]:
        """Its environment, with this machine's places instead of names of the network."""
        at = f"@/muniment?host={quote(str(self.server.layout.socket_dir), safe='')}"
        api = f"http://127.0.0.1:{self.port}"
        given = {
            key: value.replace("@db:5432/muniment", at).replace("http://api:7300", api)
            for key, value in self.service(name)["environment"].items()
        }
        given |= ledger_in(self.data.parent)
        return given | {"MUNIMENT_DATA_DIR": str(self.data), "MUNIMENT_PORT": str(self.port)}

    def prepare(self) -> None:
        """What the database's image does at its first start."""
        given = self.service("db")["environment"] | {
            "POSTGRES_USER": ADMIN,
            "PGHOST": str(self.server.layout.socket_dir),
            "PATH": f"{self.server.binaries.program('psql').parent}:/usr/bin:/bin",
        }
        script = ROOT / "deploy/postgres-init.sh"
        subprocess.run([script], env=given, check=True, capture_output=True, text=True)

    def start(self, name: str) -> "contextlib.AbstractContextManager[None]":
        """Start a service that stays."""
        log = self.data.parent / f"{name}.log"
        words = ["muniment", *self.service(name)["command"]]
        # The HTTP server ends in order and then by the signal that it was sent.
        ends = frozenset({0, -signal.SIGTERM}) if name == "api" else frozenset({0})
        process = self.built.start(words, self.variables(name), log)
        return stopped_in_the_end(process, log, ends)

    def healthy(self, name: str) -> bool:
        """Whether its health check, its own or the image's, passes."""
        own = self.service(name).get("healthcheck")
        command = health_command() if own is None else own["test"][1:]
        return self.built.run(command, self.variables(name)).returncode == 0


def test_the_services_of_compose(built: Built, server: Postmaster, place: Path) -> None:
    composed = Composed(built, server, place / "data", free_port())
    composed.prepare()
    migrate = ["muniment", *composed.service("migrate")["command"]]
    done = built.run(migrate, composed.variables("migrate"))
    assert done.returncode == 0, done.stderr
    assert not composed.healthy("worker")
    with composed.start("api"), composed.start("worker"):
        until(lambda: composed.healthy("api"))
        until(lambda: composed.healthy("worker"))
        url = composed.variables("cli")["MUNIMENT_URL"]
        until(lambda: httpx.get(f"{url}/readyz", trust_env=False).status_code == 200)
        listed = built.run(["muniment", "keys", "list", "--json"], composed.variables("cli"))
        assert '"principal":"admin"' in listed.stdout, listed.stderr
        again = built.run(migrate, composed.variables("migrate"))
        assert again.stdout == "the database is at the head of this build\n"


@pytest.mark.parametrize("role", ["muniment_dba", "muniment_app", "muniment_worker"])
def test_each_role_has_its_own_password(
    built: Built, server: Postmaster, place: Path, role: str
) -> None:
    Composed(built, server, place / "data", 0).prepare()
    passwords = {name.removesuffix("_PASSWORD").lower(): word for name, word in SECRETS.items()}
    mine = passwords.pop(role.removeprefix("muniment_"))
    host = str(server.layout.socket_dir)
    psycopg.connect(host=host, dbname="muniment", user=role, password=mine).close()
    for other in passwords.values():
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(host=host, dbname="muniment", user=role, password=other)


# systemd ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", [["verify"], ["security", "--offline=true", "--threshold=20"]])
def test_systemd_takes_the_unit(check: list[str], tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    text = (ROOT / "deploy/muniment.service").read_text(encoding="utf-8")
    unit = tmp_path / "muniment.service"
    # A program that is there, since the command looks for it.
    unit.write_text(text.replace("/opt/muniment/bin/muniment", sys.executable))
    done = subprocess.run(
        ["systemd-analyze", *check, str(unit)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert check != ["verify"] or done.stderr == ""
