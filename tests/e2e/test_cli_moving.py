"""``muniment export`` and ``muniment import`` against a real service.

| file | then |
|---|---|
| an export, into another tenant | the same lines when it is exported there |
| the same again | the same answer, nothing more |
| an export with a line that is broken, or cut | exit status, the line's number, nothing held |
| mem0, LangGraph, lines, ChatGPT | memories and turns; again: nothing more |
| one record of such a file is not in the format | exit status 2, its number, nothing held |
| the service refuses one of them | exit status 1, where it stopped |
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from muniment.client import AsyncClient, Client
from muniment.client.transfers import export_user, export_user_async, import_user_async, pages
from muniment.testing import Running

pytestmark = pytest.mark.long

Run = Callable[..., "subprocess.CompletedProcess[str]"]
SUBJECT = "nora"


def tenant(running: Running, name: str) -> str:
    """The key of a new tenant's admin."""
    with Client(running.url, running.key) as installation:
        return installation.tenants.create(name=name).key.secret


def runner(running: Running, key: str) -> Run:
    """Runs commands as the holder of a key."""
    environment = {"MUNIMENT_URL": running.url, "MUNIMENT_API_KEY": key, "COLUMNS": "120"}

    def call(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "muniment", *words], capture_output=True, text=True,
            env=os.environ | environment, check=False,
        )  # fmt: skip

    return call


@pytest.fixture
def run(running: Running) -> Run:
    """Run a command as the admin of a fresh tenant."""
    return runner(running, tenant(running, "moving"))


def kept(lines: str) -> list[dict[str, Any]]:
    """Lines without what an import changes."""
    changed = {"taken_at", "written_by", "created_by", "key_id"}
    found = [json.loads(line) for line in lines.splitlines()]
    return [{name: one[name] for name in one if name not in changed} for one in found]


def test_there_and_there_again(running: Running, run: Run, tmp_path: Path) -> None:
    there = runner(running, tenant(running, "there"))
    told = ("--user-id", SUBJECT, "--kind", "fact", "--speaker", "operator", "--slot", "city")
    for city in ("Gouda", "Breda"):
        run("memories", "remember", *told, "--value", city, "--text", f"Lives in {city}.")
    file, again = tmp_path / "nora.jsonl", tmp_path / "again.jsonl"
    done = run("export", SUBJECT, str(file))
    assert done.returncode == 0, done.stderr
    assert file.stat().st_mode & 0o077 == 0
    assert done.stdout == f"nora: {len(file.read_text().splitlines())} lines\n"
    first, second = (there("import", "user", str(file)) for _ in range(2))
    assert (first.returncode, first.stdout) == (0, second.stdout)
    assert "2 memory" in first.stdout
    assert there("export", SUBJECT, str(again)).returncode == 0
    assert kept(again.read_text()) == kept(file.read_text())
    assert kept(there("export", SUBJECT, "-").stdout) == kept(file.read_text())
    refused = run("import", "user", str(file), "--user", "other")
    assert refused.returncode == 1
    assert "held in this tenant already" in refused.stderr
    assert [one.name for one in tmp_path.iterdir() if one.suffix == ".part"] == []


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        (lambda lines: [*lines[:3], "{oops", *lines[4:]], 2, "/4: is not an object of JSON"),
        (lambda lines: [*lines[:3], "{}", *lines[4:]], 1, "line 4: "),
        (lambda lines: lines[:-1], 1, "not every line is there"),
        (lambda lines: lines[1:], 2, "the first line is not that of an export"),
        (lambda _: [], 2, "the first line is not that of an export"),
    ],
)
def test_a_file_that_is_broken(
    running: Running, run: Run, tmp_path: Path, change: Any, status: int, says: str
) -> None:
    run("memories", "remember", "--user-id", SUBJECT, "--kind", "fact", "--text", "Has a cat.")
    there = runner(running, tenant(running, "there"))
    file = tmp_path / "nora.jsonl"
    run("export", SUBJECT, str(file))
    lines = change(file.read_text().splitlines())
    file.write_text("".join(f"{line}\n" for line in lines))
    done = there("import", "user", str(file))
    assert done.returncode == status
    assert says in done.stderr
    assert there("export", SUBJECT, "-").returncode == 1


@pytest.mark.parametrize(("user", "file", "status"), [("nobody", "x", 1), ("u", "no/where/x", 2)])
def test_an_export_that_is_none(
    run: Run, tmp_path: Path, user: str, file: str, status: int
) -> None:
    run("memories", "remember", "--user-id", "u", "--kind", "fact", "--text", "Has a cat.")
    done = run("export", user, str(tmp_path / file))
    assert (done.returncode, done.stdout) == (status, "")
    assert "Traceback" not in done.stderr
    assert [*tmp_path.iterdir()] == []


MEM0 = {
    "id": "1",
    "memory": "Likes oat milk.",
    "user_id": "u",
    "created_at": "2026-05-04T09:00:00Z",
}
ITEM = {
    "prefix": "m.u",
    "key": "k",
    "value": {"text": "Plays the oboe."},
    "created_at": "2026-05-04T09:00:00Z",
}
LINE = {"user_id": "u", "text": "Prefers weekly reports.", "kind": "user_preference"}
CHAT = {
    "id": "c1", "create_time": 1777885200, "current_node": "a",
    "mapping": {"a": {"parent": None, "message": {"author": {"role": "user"}, "content": {"parts": ["My boat lies in Hoorn."]}}}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "good", "bad", "first", "again", "found"),
    [
        ("mem0", MEM0, {"memory": 1}, "1 inserted", "1 reinforced", "oat milk"),
        ("langgraph", ITEM, {"key": 1}, "1 inserted", "1 reinforced", "oboe"),
        ("jsonl", LINE, {"text": ""}, "1 inserted", "1 reinforced", "weekly"),
        (
            "chatgpt",
            CHAT,
            {"id": "c2"},
            "1 turns, 1 new, 1 kept",
            "1 turns, 0 new, 1 kept",
            "Hoorn",
        ),
    ],
)
def test_foreign_files(
    run: Run, tmp_path: Path, command: str, good: Any, bad: Any, first: str, again: str, found: str
) -> None:
    words = ("import", command, str(tmp_path / "file"), "--user", "u")
    tiers = ("--user-id", "u", "--tiers", "episodic,semantic", "--json")
    (tmp_path / "file").write_text(json.dumps([good, bad]))
    done = run(*words)
    assert done.returncode == 2
    assert "/2: " in done.stderr
    assert json.loads(run("memories", "list", *tiers).stdout)["items"] == []
    (tmp_path / "file").write_text(json.dumps([good]))
    for says in (first, again):
        done = run(*words)
        assert done.returncode == 0, done.stderr
        assert says in done.stdout
    items = json.loads(run("memories", "list", *tiers).stdout)["items"]
    assert [found in one["text"] for one in items if one["kind"] != "session_summary"] == [True]
    assert {one["trust"] for one in items} <= {"agent_inferred", "user_stated"}


def test_the_service_refuses_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(json.dumps([LINE, LINE | {"kind": "poem"}, LINE]))
    done = run("import", "jsonl", str(tmp_path / "file"))
    assert done.returncode == 1
    assert "Stopped at record 2: 1 of 3 were imported." in done.stderr


async def test_asyncio(running: Running) -> None:
    here, there = tenant(running, "here"), tenant(running, "there")
    with Client(running.url, here) as client:
        client.memories.remember(kind="fact", user_id="u", text="Has a cat.")
        lines = list(export_user(client, "u"))
    async with AsyncClient(running.url, here) as client:
        assert len([one async for one in export_user_async(client, "u")]) == len(lines)
    async with AsyncClient(running.url, there) as client:
        made = await import_user_async(client, "u", lines, uuid4())
    assert made.counts["memory"] == 1


def test_pages_are_bounded() -> None:
    records = [{"n": number} for number in range(1200)] + [{"x": "y" * 700_000}] * 3
    found = list(pages(records))
    assert [one for page in found for one in page] == records
    assert [len(page) for page in found] == [500, 500, 201, 1, 1]
