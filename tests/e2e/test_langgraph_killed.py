"""An agent of LangGraph is killed with ``-9``, and another process goes on.

| killed | the next process |
|---|---|
| in a node, beside one that was done | does that node again, and neither of those before it nor the one beside it |
| after it asked a person | is given the answer, and goes on from there |
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muniment.client import Client
from muniment.langgraph import MunimentSaver
from muniment.testing import Running
from tests.e2e.graph_agent import CONFIG, LARGE
from tests.support.documents import ROOT
from tests.support.waiting import until


@contextlib.contextmanager
def agent(client: Client, key: str, phase: str, effects: Path) -> Iterator[Any]:
    """A life of the agent, which ends with a kill."""
    command = [
        sys.executable,
        "-m",
        "tests.e2e.graph_agent",
        client.url,
        key,
        phase,
        str(effects),
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: Any) -> str:
    """What the agent says next."""
    return str(process.stdout.readline()).strip()


def test_a_graph_that_is_killed_twice(running: Running, tmp_path: Path) -> None:
    with Client(running.url, running.key) as installation:
        key = installation.tenants.create(name="killed").key.secret
    effects = tmp_path / "effects"
    with Client(running.url, key) as client:
        saver = MunimentSaver(client, user_id="nora")

        def left_is_saved() -> bool:
            found = saver.get_tuple(CONFIG)
            written = found.pending_writes if found is not None and found.pending_writes else ()
            return ("done", ["left"]) in [(channel, value) for _, channel, value in written]

        with agent(client, key, "first", effects) as process:
            assert line(process) == "in the middle"
            until(left_is_saved)
        assert process.returncode == -9
        asked = {"after": ["collect", "left", "right"], "bytes": len(LARGE)}
        with agent(client, key, "second", effects) as process:
            told = json.loads(line(process))
            assert told["asked"] == [asked]
        assert process.returncode == -9
        with agent(client, key, "third", effects) as process:
            told = json.loads(line(process))
        assert told["asked"] == []
        assert told["bytes"] == len(LARGE)
        assert sorted(told["done"]) == ["bought: yes", "collect", "left", "right"]
    noted = effects.read_text().split("\n")[:-1]
    assert sorted(noted) == ["bought: yes", "collect", "left", "right", "right"]
