"""Who is measured, how each is started, and what each does not do."""

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from bench.peers.parent import Child
from muniment.postgres.embedded import ADMIN, Postmaster, hold
from muniment.testing import running_service

OURS = "Muniment over HTTP"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A contender: the environment and the module that it runs in, what it needs, what it is."""

    name: str
    environment: str
    module: str
    arguments: tuple[str, ...] = ()
    server: bool = False
    durable: bool = True
    lacks: str

    def command(self, environments: Path) -> list[str]:
        """How its child is started; our own runs in the harness's environment."""
        python = environments / self.environment / "bin" / "python" if self.environment else None
        return [str(python or sys.executable), "-m", f"bench.peers.adapters.{self.module}", *self.arguments]  # fmt: skip

    def missing(self, environments: Path) -> str | None:
        """Why there is no environment for it, if there is none."""
        if not self.environment or (environments / self.environment / ".installed").exists():
            return None
        log = environments / self.environment / "install.log"
        said = log.read_text(encoding="utf-8").strip().splitlines() if log.exists() else []
        return f"not installed: {said[-1] if said else 'see what pip said'}"


KINDS = (
    Kind(name=OURS, environment="", module="muniment", lacks=""),
    Kind(
        name="mem0, pgvector",
        environment="mem0",
        module="mem0",
        arguments=("pgvector",),
        server=True,
        lacks="no service, no validity, no trust, no log of recalls; a history beside, in SQLite",
    ),
    Kind(
        name="mem0, its default (Qdrant in a directory)",
        environment="mem0",
        module="mem0",
        arguments=("qdrant",),
        lacks="the same; compares every vector in this process, so one process at a time",
    ),
    Kind(
        name="LangGraph PostgresStore",
        environment="langgraph",
        module="langgraph_postgres",
        server=True,
        lacks="no service, no words, no dates, no trust, no log; vectors alone",
    ),
    Kind(
        name="LangGraph SqliteStore",
        environment="langgraph",
        module="langgraph_sqlite",
        lacks="the same; one writer at a time",
    ),
    Kind(
        name="Chroma, persistent client",
        environment="chroma",
        module="chroma",
        lacks="no service, no words, no dates, no trust, no log; one process at a time",
    ),
    Kind(
        name="Hindsight over HTTP",
        environment="hindsight",
        module="hindsight",
        server=True,
        lacks="without a model no facts, entities or links: chunks of text; no trust, no log",
    ),
)


@contextlib.contextmanager
def started(
    kind: Kind, environments: Path, texts: Path, place: Path, patience: float
) -> Iterator[Child]:
    """The contender's child, opened and empty, with what it talks to."""
    with contextlib.ExitStack() as stack:
        data = place / "data"
        data.mkdir(parents=True, mode=0o755)
        given = {"folder": str(texts), "data": str(data), "conninfo": {}, "url": "", "key": ""}
        if not kind.environment:
            service = stack.enter_context(running_service())
            given |= {"url": service.url, "key": service.key}
        if kind.server:
            given["conninfo"] = stack.enter_context(_server(place / "server"))
        command = kind.command(environments)
        child = stack.enter_context(Child(command, place / "child.log", patience))
        child.tell(given)
        yield child


@contextlib.contextmanager
def _server(data: Path) -> Iterator[dict[str, str]]:
    """A server of its own, with the settings of Muniment's."""
    with hold(data) as lock:
        server = Postmaster.prepare(lock, entropy=os.urandom)
        with server.running():
            given = conninfo_to_dict(server.conninfo(ADMIN))
            yield {name: str(value) for name, value in given.items() if value}
