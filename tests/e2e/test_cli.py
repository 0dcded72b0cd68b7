"""The command line as a person uses it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.client import Client
from muniment.testing import Running

pytestmark = pytest.mark.long

Run = Callable[..., "subprocess.CompletedProcess[str]"]

CONVERSATION = {
    "id": "trip",
    "speakers": ["Ann", "Bob"],
    "sessions": [
        {
            "session_id": "one",
            "started_at": "2026-03-01T10:00:00",
            "turns": [
                {"turn_id": "1:1", "speaker": "Ann", "text": "Hi Bob!"},
                {"turn_id": "1:2", "speaker": "Bob", "text": "I booked the cabin in Lofoten for July."},
                {"turn_id": "1:3", "speaker": "Ann", "text": "Lovely, I will bring my red kayak.", "image_caption": "a kayak"},
            ],
        }
    ],
    "questions": [
        {"id": "q1", "text": "Where did Bob book the cabin?", "category": "single", "evidence_turn_ids": ["1:2"]},
        {"id": "q2", "text": "What will Ann bring?", "category": "single", "evidence_turn_ids": ["1:3"]},
        {"id": "q3", "text": "Who won?", "category": "none", "evidence_turn_ids": []},
    ],
}  # fmt: skip


@pytest.fixture
def run(running: Running, admin: Client) -> Run:
    """Run a command as the admin of a fresh tenant."""
    key = admin.keys.create(
        principal="cli",
        verbs=["read", "write", "forget", "admin", "operate"],
        layers=["episodic", "semantic", "governance"],
    ).secret
    environment = {
        "MUNIMENT_URL": running.url, "MUNIMENT_API_KEY": key, "COLUMNS": "120", "TERM": "dumb",
    }  # fmt: skip

    def call(
        *words: str, stdin: str = "", stdout: int = subprocess.PIPE
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "muniment", *words], stdout=stdout, stderr=subprocess.PIPE,
            text=True, env=os.environ | environment, input=stdin, check=False,
        )  # fmt: skip

    return call


def test_write_recall_forget(run: Run) -> None:
    events = [
        {
            "turn": 1,
            "role": "user",
            "content": "My boat [red] lies in Hoorn.",
            "occurred_at": "2026-05-01T10:00:00Z",
        }
    ]
    done = run("events", "write", "u", "s", "--events", json.dumps(events))
    assert done.returncode == 0, done.stderr
    assert "user_stated" in done.stdout
    done = run("events", "write", "u", "s", "--events", "@-", "--json", stdin=json.dumps(events))
    assert json.loads(done.stdout)["stored"] == 0
    done = run("recall", "--user-id", "u", "--query", "Where is the boat?")
    assert "My boat [red] lies in Hoorn." in done.stdout
    done = run(
        "recall",
        "--user-id",
        "u",
        "--query",
        "Where is the boat?",
        "--tiers",
        "episodic",
        "--k",
        "3",
        "--json",
    )
    assert len(json.loads(done.stdout)["items"]) == 1
    done = run("forget", "--user-id", "u", "--dry-run")
    assert "event" in done.stdout
    assert json.loads(run("forget", "--user-id", "u", "--json").stdout)["counts"]["event"] == 1
    assert (
        json.loads(run("recall", "--user-id", "u", "--query", "boat", "--json").stdout)["items"]
        == []
    )


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        # The command line cannot work: the service is not asked.
        (("recall", "--user-id", "u", "--query", "x", "--k", "many"), 2, "/k: expected integer"),
        (("events", "write", "u", "s", "--events", "["), 2, "/events"),
        (("events", "write", "u", "s", "--events", "@/nowhere.json"), 2, "/nowhere.json"),
        (("import", "conversation", "/nowhere.jsonl"), 2, "/nowhere.jsonl"),
        # The service refuses.
        (("events", "write", "u", "s", "--events", "{"), 1, "/events/0"),
        (("recall", "--user-id", "u", "--query", "x", "--k", "0"), 1, "/k"),
        (("memories", "get", "00000000-0000-7000-8000-000000000000"), 1, "no such memory"),
        (("profile", "get", "u", "--as-of", "yesterday"), 1, "/as_of"),
    ],
)
def test_errors_are_lines(run: Run, words: tuple[str, ...], status: int, says: str) -> None:
    done = run(*words)
    assert done.returncode == status
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_tables_show_what_matters_and_nothing_that_a_terminal_obeys(run: Run) -> None:
    text = "Nora's cat is \x1b[2J\x9b1mred."
    told = ("--user-id", "u", "--kind", "fact", "--text", text)
    done = run("memories", "remember", *told, "--slot", "pet", "--value", "red", "--json")
    assert done.returncode == 0, done.stderr
    held = json.loads(done.stdout)["id"]
    done = run("recall", "--user-id", "u", "--query", "What colour is Nora's cat?")
    heads = done.stdout.splitlines()[0].split()
    assert heads == ["as", "of", "status", "stale", "trust", "text", "id"]
    assert held in done.stdout
    assert "\\x1b[2J" in done.stdout
    assert not {"\x1b", "\x9b"} & set(done.stdout)
    (mark,) = [line for line in done.stdout.splitlines() if line.startswith("watermark: ")]
    again = ("recall", "--user-id", "u", "--query", "What colour is Nora's cat?", "--json")
    done = run(*again, "--known-at", mark.split()[1])
    assert [one["id"] for one in json.loads(done.stdout)["items"]] == [held]
    assert "\x9b" not in done.stdout
    heads = run("profile", "get", "u").stdout.splitlines()[0].split()
    assert {"subject", "stale"} <= set(heads)
    listed = run("keys", "list").stdout
    for name in ("layers", "roles", "expires"):
        assert name in listed


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words", [("keys", "list"), ("keys", "list", "--json"), ("keys", "--help"), ("--version",)]
)
def test_an_output_that_cannot_be_written(
    run: Run, words: tuple[str, ...], unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with Path("/dev/full").open("wb") as full:
        done = run(*words, stdout=full.fileno())
    said = "error: The output cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (1, said)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run(*words, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_no_service(run: Run) -> None:
    environment = {**os.environ, "MUNIMENT_URL": "http://127.0.0.1:9", "MUNIMENT_API_KEY": "mnm_x"}
    done = subprocess.run(
        [sys.executable, "-m", "muniment", "keys", "list"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.startswith("error: Nothing answers at http://127.0.0.1:9 ")


def test_import_and_evaluate(run: Run, running: Running, tmp_path: Path) -> None:
    file = tmp_path / "conversations.jsonl"
    file.write_text(json.dumps(CONVERSATION) + "\n")
    assert run("import", "conversation", str(file)).stdout == "trip: 3 turns, 3 new, 2 kept\n"
    assert run("import", "conversation", str(file)).stdout == "trip: 3 turns, 0 new, 2 kept\n"
    done = run("recall", "--user-id", "trip", "--query", "Which kayak?", "--json")
    assert json.loads(done.stdout)["items"][0]["text"].endswith("[image: a kayak]")
    environment = {**os.environ, "MUNIMENT_API_KEY": running.key}
    evaluated = subprocess.run(
        [sys.executable, "-m", "muniment", "eval", "retrieval", str(file), "--json", "--against", running.url],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    report = json.loads(evaluated.stdout)
    assert report["overall"]["recall@5"] == 1.0
    assert report["overall"]["questions"] == 2
    assert report["scores"]["single"]["ndcg@10"] == 1.0
    assert (report["turns"], report["dropped_share"]) == (3, 0.3333)


def test_a_broken_file_imports_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "conversations.jsonl"
    file.write_text(json.dumps(CONVERSATION | {"id": "other"}) + '\n{"id": "x"}\n')
    done = run("import", "conversation", str(file))
    assert done.returncode == 2
    assert "/2: lacks 'sessions'" in done.stderr
    assert (
        json.loads(run("recall", "--user-id", "other", "--query", "kayak", "--json").stdout)[
            "items"
        ]
        == []
    )
