"""An agent that is killed, the effects that it has in the world, and a person who looks at them.

The effect server appends each call to a file and fsyncs it before it answers. It does not know a
call again: whatever is sent twice happens twice.
"""

import contextlib
import json
import multiprocessing
import os
import signal
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from muniment.client import Client
from muniment.client.runs import ToolInDoubt
from muniment.errors import MunimentError
from muniment.testing import Running
from tests.support.waiting import until

POINTS = ("claimed", "effect", "recorded", "checkpointed")
IN_DOUBT = 3
_TOOL = "erp.post"
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["tests.faults.chaos"])


# The world --------------------------------------------------------------------------------------


class _Effects(BaseHTTPRequestHandler):
    log: Path

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        with self.log.open("ab") as file:
            file.write(body + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing."""


def _serve(log: Path, port: Any) -> None:
    handler = type("Effects", (_Effects,), {"log": log})
    server = HTTPServer(("127.0.0.1", 0), handler)
    port.value = server.server_port
    server.serve_forever()


@dataclass
class World:
    """The effect server's address and its log."""

    log: Path
    port: int

    def happened(self) -> list[str]:
        """Keys of the effects, in order, each as often as it happened."""
        lines = self.log.read_bytes().splitlines() if self.log.exists() else []
        return [str(json.loads(line)["key"]) for line in lines]


@contextlib.contextmanager
def effects(log: Path) -> Iterator[World]:
    """An effect server in a process of its own."""
    port = _processes.Value("i", 0)
    process = _processes.Process(target=_serve, args=(log, port))
    process.start()
    try:
        until(lambda: port.value != 0)
        yield World(log, port.value)
    finally:
        process.kill()
        process.join()


# The agent --------------------------------------------------------------------------------------


@dataclass
class Armed:
    """Dies at a point, the so many-th time that it gets there."""

    point: str = ""
    left: int = 1

    def reached(self, point: str) -> None:
        """Die here when it is time."""
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def work(
    url: str, key: str, run_id: UUID, port: int, last: int, armed: Armed, *, ledger: bool
) -> None:
    """Step after step: a call with an effect, and a checkpoint. Leaves with IN_DOUBT for a person."""
    with Client(url, key) as client, httpx.Client(trust_env=False) as world:

        def post(arguments: Mapping[str, Any]) -> str:
            armed.reached("claimed")
            world.post(f"http://127.0.0.1:{port}/", json=dict(arguments)).raise_for_status()
            armed.reached("effect")
            return f"done {arguments['key']}"

        with client.run(run_id=run_id, take_over=True) as run:
            while run.state.step < last:
                memo = f"memo-{run.state.step + 1}"
                try:
                    if ledger:
                        called = run.tool(_TOOL, {"key": memo}, effect="write", key=memo)
                        assert called(post) == f"done {memo}"
                    else:
                        post({"key": memo})
                except ToolInDoubt:
                    os._exit(IN_DOUBT)
                armed.reached("recorded")
                run.checkpoint(facts={"memo": memo}, source=_TOOL)
                armed.reached("checkpointed")


# Whoever kills it, and looks after it ------------------------------------------------------------


@dataclass
class Chaos:
    """One run through many kills; what was counted."""

    service: Running
    world: World
    run_id: UUID
    ledger: bool = True
    kills: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    in_doubt: int = 0
    wrongly_not_attempted: int = 0

    def agent(self, armed: Armed | None = None, last: int = 10**9) -> BaseProcess:
        """A new process that takes the run over."""
        process = _processes.Process(
            target=partial(work, ledger=self.ledger),
            args=(
                self.service.url, self.service.key, self.run_id, self.world.port, last,
                armed or Armed(),
            ),
        )  # fmt: skip
        process.start()
        return process

    def until_it_ends(self, armed: Armed | None = None, last: int = 10**9) -> int:
        """Start agents until one ends in another way than by asking for a person; its exit code."""
        while True:
            process = self.agent(armed, last)
            process.join()
            if process.exitcode != IN_DOUBT:
                return process.exitcode or 0
            self.settle()

    def going_on(self) -> BaseProcess:
        """An agent that has made progress since it was started, so that the run went on."""
        while True:
            process, before = self.agent(), len(self.world.happened())
            until(lambda p=process, b=before: not p.is_alive() or len(self.world.happened()) > b)  # type: ignore[misc]
            if process.is_alive():
                self.resumed += 1
                return process
            process.join()
            assert process.exitcode == IN_DOUBT
            self.settle()

    def settle(self) -> None:
        """A person looks into the other system, and says how it was."""
        happened = set(self.world.happened())
        with Client(self.service.url, self.service.key) as client:
            held = patiently(partial(client.runs.get, run_id=self.run_id))
            for one in held.tool_results.values():
                if one.status == "not_attempted" and one.key in happened:
                    self.wrongly_not_attempted += 1
                if one.status == "in_doubt":
                    self.in_doubt += 1
                    said = {"happened": one.key in happened, "reason": "The log of the ERP."}
                    if one.key in happened:
                        said["result"] = encoded(f"done {one.key}")
                    settle = partial(
                        client.runs.settle_tool, run_id=self.run_id, tool=one.tool, key=one.key
                    )
                    patiently(partial(settle, **said))

    def twice(self) -> int:
        """Effects that happened more than once."""
        return sum(count - 1 for count in Counter(self.world.happened()).values())


def encoded(value: str) -> str:
    """A result as the SDK records it."""
    return b64encode(json.dumps(value).encode()).decode()


def patiently(call: Any) -> Any:
    """A call that is made again while the service comes back."""
    answers: list[Any] = []

    def answered() -> bool:
        try:
            answers.append(call())
        except MunimentError:
            return False
        return True

    until(answered, within=60)
    return answers[0]
