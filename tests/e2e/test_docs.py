"""Every code block of the documents runs, or says why it does not.

| block | what happens |
|---|---|
| `sh` | run by sh -eu against a service, in a fresh directory |
| `python` | run in one namespace a document, so that a block goes on from the one before |
| `output` | what the block before printed; `...` stands for anything |
| any, after `<!-- file: NAME -->` | written to that file first |
| `sql`, after `<!-- as: superuser -->` | run as a superuser of an external server |
| any, after `<!-- not run: REASON -->` | not run, and listed below |
| `nginx`, `caddy` | configuration of other programs, always with the name of its file |
| `text`, `mermaid` | not code |
| anything else | fails |
"""

import contextlib
import doctest
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
import pytest
from mem0 import MemoryClient

from muniment.client import Client
from muniment.postgres.embedded import ADMIN, Postmaster
from muniment.testing import Running, new_tenant
from tests.support import curl
from tests.support.cluster import fresh_place, session_cluster
from tests.support.documents import ROOT, Block, blocks, documents, rows_of_codes
from tests.support.services import running_service
from tests.support.waiting import until

pytestmark = pytest.mark.long

ARCHITECTURE = "ARCHITECTURE.md"
EXTERNAL = "docs/how-to/external-postgres.md"
# Whose reader holds an admin key.
OF_ADMINS = {
    f"docs/how-to/{name}.md"
    for name in ("runs", "keys", "audit", "analysis", "knowledge", "mcp", "context", "replay")
} | {f"docs/how-to/{name}.md" for name in ("langgraph-checkpoints", "langgraph", "evaluate")}
# What a tenant knows and how its policy is counts in what is recorded there.
ALONE = {"docs/how-to/replay.md"}
# Exports and imports are for operators.
MOVING = ("docs/how-to/export.md", "docs/how-to/import.md")
READER: dict[str, Any] = {
    "principal": "reader",
    "verbs": ["read", "write", "forget"],
    "layers": ["episodic", "semantic"],
}
MOVER: dict[str, Any] = {
    "verbs": ["read", "write", "forget", "operate"],
    "layers": ["working", "episodic", "semantic"],
    "roles": ["user", "assistant", "tool", "external", "operator"],
}
# Carried out by test_backup.py, with services and servers of its own.
BACKUP = "docs/how-to/backup.md"
NOT_RUN = {
    ("CONTRIBUTING.md", "these are the tests themselves"),
    ("README.md", "these are the make targets themselves"),
    ("README.md", "names a place of your machine"),
    ("README.md", "needs a file of conversations"),
    ("docs/quickstart.md", "starts a service that stays"),
    ("docs/quickstart.md", "names a place of your machine"),
    ("docs/evaluation.md", "needs a file of beliefs"),
    ("docs/evaluation.md", "needs the files of the repository"),
    ("docs/evaluation.md", "needs a file of conversations"),
    ("docs/evaluation.md", "takes a minute; tests/e2e/test_probes.py runs a smaller one"),
    ("docs/evaluation.md", "needs a file of labelled conversations"),
    ("docs/evaluation.md", "takes two minutes; the suite reports a third of the payloads"),
    (EXTERNAL, "starts a service that stays; the test starts one with these settings"),
    ("docs/how-to/embedded-postgres.md", "names a place of your machine"),
    ("docs/how-to/embedded-postgres.md", "a part of a program"),
    ("docs/how-to/anthropic-memory-tool.md", "needs a package registry"),
    ("docs/how-to/anthropic-memory-tool.md", "needs a key of yours"),
    ("docs/how-to/deploy.md", "changes the system"),
    ("docs/how-to/deploy.md", "needs containers"),
    ("docs/how-to/deploy.md", "needs containers, and an editor"),
    ("docs/how-to/model.md", "downloads a model of 250 MB and takes minutes"),
    ("docs/how-to/model.md", "needs a key of yours"),
    ("docs/how-to/model.md", "needs a model and a file of labelled conversations"),
    ("docs/how-to/model.md", "needs a package registry"),
    ("docs/how-to/sdk.md", "starts a service"),
    ("docs/how-to/typescript.md", "needs npm"),
    ("docs/how-to/typescript.md", "run by make typescript"),
    ("docs/how-to/openai-agents.md", "needs a package registry"),
    ("docs/how-to/adk.md", "needs a package registry"),
    ("docs/how-to/pydantic-ai.md", "needs a package registry"),
    ("docs/how-to/model.md", "needs a server of yours"),
    ("docs/how-to/replay.md", "needs the files of the repository"),
    ("docs/how-to/scale-out.md", "names hosts of yours"),
    ("docs/how-to/scale-out.md", "needs a cluster"),
    ("docs/how-to/scale-out.md", "starts processes that stay"),
    ("docs/how-to/sentence-models.md", "needs a package registry"),
    ("docs/how-to/sentence-models.md", "needs a model"),
    ("docs/how-to/tls.md", "names a host of yours"),
    ("docs/how-to/upgrade.md", "changes the system"),
    ("docs/how-to/upgrade.md", "needs containers"),
    ("docs/how-to/upgrade.md", "needs the administrator of your database"),
}
_RUN = {"sh", "python"}
_CONFIGURATION = {"nginx", "caddy"}
_LANGUAGES = _RUN | _CONFIGURATION | {"sql", "output", "text", "mermaid", "json", "ts"}
_OUTPUT = doctest.OutputChecker()
_FLAGS = doctest.ELLIPSIS | doctest.REPORT_NDIFF


def runnable(document: str) -> list[Block]:
    """Blocks that are run, in order."""
    return [one for one in blocks(document) if one.language in _RUN and "not run" not in one.marks]


PLAIN = [
    one for one in documents() if runnable(one) and one not in {ARCHITECTURE, BACKUP, EXTERNAL}
]


def test_blocks_that_are_not_run_are_listed() -> None:
    marked = [
        (one.document, one.marks["not run"])
        for document in documents()
        for one in blocks(document)
        if "not run" in one.marks
    ]
    assert sorted(set(marked)) == sorted(NOT_RUN)


def test_every_block_has_a_language_that_is_known() -> None:
    for document in documents():
        for one in blocks(document):
            assert one.language in _LANGUAGES, f"{one.place}: {one.language!r}"
            if one.language == "sql" or one.language in _CONFIGURATION:
                assert one.marks, f"{one.place}: {one.language} needs a mark"


class Reader:
    """Carries a document out, block by block."""

    def __init__(self, place: Path, environment: Mapping[str, str]) -> None:
        self.place = place
        self.environment = {**os.environ, **environment, "PATH": _path(place)}
        self.namespace: dict[str, Any] = {}
        self.printed = ""

    def read(self, one: Block) -> None:
        """Do what a block asks for. Fails with the place of a block that does not work."""
        if "not run" in one.marks:
            return
        if "file" in one.marks:
            (self.place / one.marks["file"]).write_text(one.text, encoding="utf-8")
        elif one.language == "sh":
            self.shell(one, one.text)
        elif one.language == "python":
            self._python(one)
        elif one.language == "output":
            self._compare(one)

    def close(self) -> None:
        """End the connections that the blocks left open, as the end of their program would."""
        for value in self.namespace.values():
            if isinstance(value, Client):
                value.close()
            elif isinstance(value, MemoryClient):
                value.client.close()

    def _compare(self, one: Block) -> None:
        if not _OUTPUT.check_output(one.text, self.printed, _FLAGS):
            example = doctest.Example("", one.text)
            difference = _OUTPUT.output_difference(example, self.printed, _FLAGS)
            pytest.fail(f"{one.place}: {difference}")

    def shell(self, one: Block, text: str) -> None:
        """Run a script; it must end well and write no error."""
        done = subprocess.run(
            ["/bin/sh", "-eu"], input=text, env=self.environment, cwd=self.place,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{one.place}: {done.stdout}{done.stderr}"
        assert "urn:muniment:problem" not in done.stdout, f"{one.place}: {done.stdout}"
        self.printed = done.stdout

    def _python(self, one: Block) -> None:
        script = self.place / f"block_{one.line}.py"
        script.write_text(one.text, encoding="utf-8")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.namespace = runpy.run_path(str(script), self.namespace)
        self.printed = printed.getvalue()


def _path(place: Path) -> str:
    """The commands of this environment, and a curl where the machine has none."""
    found = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    if shutil.which("curl", path=found) is not None:
        return found
    commands = place / "bin"
    commands.mkdir()
    stand_in = commands / "curl"
    stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{curl.__file__}" "$@"\n')
    stand_in.chmod(0o755)
    return f"{found}{os.pathsep}{commands}"


@pytest.fixture
def alone() -> Iterator[Running]:
    """A service that no other document speaks to."""
    with running_service() as service:
        yield service


@pytest.mark.parametrize("document", PLAIN)
def test_the_blocks_run(
    document: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = request.getfixturevalue("alone" if document in ALONE else "running")
    with Client(running.url, new_tenant(running)) as admin:
        key = admin.keys.create(**{**READER, **(MOVER if document in MOVING else {})}).secret
    environment = {
        "MUNIMENT_URL": running.url,
        "MUNIMENT_API_KEY": running.key if document in OF_ADMINS else key,
        "MUNIMENT_DATA_DIR": str(running.data_dir),
        "COLUMNS": "120",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    reader = Reader(tmp_path, environment)
    try:
        for one in blocks(document):
            reader.read(one)
    finally:
        reader.close()


def test_the_stand_in_for_curl(running: Running, capsys: pytest.CaptureFixture[str]) -> None:
    request = ["-sS", f"{running.url}/v1/recall", "-H", f"Authorization: Bearer {running.key}"]
    json = ["-H", "Content-Type: application/json", "-d", '{"user_id": "nobody", "query": "Who?"}']
    assert curl.main([*request, *json]) == 0
    assert '"abstained":true' in capsys.readouterr().out
    assert curl.main(["-sS", f"{running.url}/healthz"]) == 0
    assert capsys.readouterr().out == '{"status":"ok"}'


# An external server ---------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[Postmaster]:
    """A server of its own that lets anybody in over its private socket."""
    with session_cluster() as cluster:
        access = cluster.layout.pg / "pg_hba.conf"
        access.write_text(f"local all all trust\n{access.read_text()}")
        with psycopg.connect(cluster.conninfo(ADMIN, "postgres"), autocommit=True) as superuser:
            superuser.execute("SELECT pg_reload_conf()")
            superuser.execute("DROP DATABASE muniment")
        yield cluster


def reaches(url: str) -> bool:
    """True once the server lets in whom the URL names."""
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def test_the_external_database_is_set_up_as_described(server: Postmaster) -> None:
    socket = quote(str(server.layout.socket_dir), safe="")

    def here(text: str) -> str:
        return re.sub(r"@db\.example:5432/(\w+)", rf"@/\1?host={socket}", text)

    with fresh_place() as place:
        data = place / "data"
        reader = Reader(place, {"MUNIMENT_DATA_DIR": str(data), "COLUMNS": "120"})
        settings: dict[str, str] = {}
        for one in blocks(EXTERNAL):
            settings |= dict(re.findall(r"export (\w+)=(\S+)", here(one.text)))
            if "not run" in one.marks:
                continue
            if one.language == "sh":
                until(partial(reaches, settings["MUNIMENT_ADMIN_DATABASE_URL"]))
                reader.shell(one, here(one.text))
            elif one.language == "sql":
                database = "muniment" if one.marks["as"].endswith("muniment") else "postgres"
                _execute(server.conninfo(ADMIN, database), one.text)
            else:
                reader.read(one)
        assert len(settings) == 3
        with (
            running_service(data, settings) as service,
            Client(service.url, service.key) as client,
        ):
            assert client.recall(user_id="nobody", query="Who?").abstained


def _execute(conninfo: str, text: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as superuser:
        for statement in text.split(";"):
            if statement.strip():
                superuser.execute(statement.encode())


# A new operation ------------------------------------------------------------------------------

# What ARCHITECTURE.md promises of the work that an operation takes.
MOST_FILES = 9
MOST_LINES = 130


@pytest.fixture
def tree() -> Iterator[Path]:
    """A copy of the repository, where every user can read it."""
    ignored = shutil.ignore_patterns("__pycache__", ".*", "dist", "build")
    with fresh_place() as place:
        shutil.copytree(ROOT, place, ignore=ignored, dirs_exist_ok=True)
        shutil.copy(ROOT / ".importlinter", place)
        yield place


def add_line(tree: Path, name: str, below: str, line: str) -> None:
    """One row of the table: a line below the only one that begins so, as far to the right."""
    path = tree / name
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (at,) = (at for at, one in enumerate(lines) if one.strip().startswith(below))
    inner = "    " if lines[at].rstrip().endswith("(") else ""
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at + 1, f"{margin}{inner}{line}\n")
    path.write_text("".join(lines), encoding="utf-8")


def carry_out(tree: Path) -> list[str]:
    """Write the files and the lines of ARCHITECTURE.md, no more of them than it promises; the code
    that was touched.
    """
    files = [one for one in blocks(ARCHITECTURE) if "file" in one.marks]
    rows = [row for row in rows_of_codes(ARCHITECTURE) if row and (tree / row[0]).is_file()]
    for one in files:
        (tree / one.marks["file"]).write_text(one.text, encoding="utf-8")
    for name, below, line in rows:
        add_line(tree, name, below, line)
    touched = {*(one.marks["file"] for one in files), *(row[0] for row in rows)}
    assert len(touched) <= MOST_FILES
    assert len(rows) + sum(one.text.count("\n") for one in files) <= MOST_LINES
    return sorted(name for name in touched if name.endswith(".py"))


def test_an_operation_is_added_as_described(tree: Path) -> None:
    code = carry_out(tree)
    changed = {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree / 'evals'}"}

    def run(*command: str, **more: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], env={**os.environ, **changed, **more}, cwd=tree,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    run("-m", "tools.generate")
    run("-m", "ruff", "check", "--no-cache", *code)
    run("-m", "ruff", "format", "--no-cache", "--check", *code)
    run("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache")
    # What is new, and what looks at the whole table; in one process, which has one server.
    run(
        "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly",
        "tests/surfaces", "tests/unit/test_documents.py", "tests/unit/test_rooms.py",
        "tests/integration/test_people.py", "tests/e2e/test_isolation.py",
        "-k", "people or test_documents or test_rooms or unique or reaches_no_other",
    )  # fmt: skip
    with running_service(environment=changed) as service:
        where = {"MUNIMENT_URL": service.url, "MUNIMENT_API_KEY": service.key}
        told = ("--user-id", "nora", "--kind", "fact", "--text", "Nora sails.")
        run("-m", "muniment", "memories", "remember", *told, **where)
        on_the_command_line = run("-m", "muniment", "people", "get", "nora", "--json", **where)
        script = (
            "import os; from muniment import Client; "
            "client = Client(os.environ['MUNIMENT_URL'], os.environ['MUNIMENT_API_KEY']); "
            "print(client.people.get(user_id='nora').held)"
        )
        assert run("-c", script, **where) == "1\n"
        headers = {"Authorization": f"Bearer {service.key}"}
        answer = httpx.get(f"{service.url}/v1/people/nora", headers=headers, trust_env=False)
        assert answer.json()["held"] == 1
        assert answer.text == on_the_command_line.strip()
        nobody = httpx.get(f"{service.url}/v1/people/nobody", headers=headers, trust_env=False)
        assert nobody.status_code == 404
