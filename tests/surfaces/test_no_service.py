"""The command line while nothing answers: one sentence, with where and what to do, exit status 3.

| a key | a service | said |
|---|---|---|
| yes or no | no | nothing answers at the URL; start it, or point elsewhere |
| no | yes | there is no key (exit status 1) |
"""

import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from muniment.operations.operation import Operation
from muniment.operations.registry import REGISTRY
from muniment.settings import Settings, variable_of
from muniment.surfaces.cli.main import main

NOWHERE = "http://127.0.0.1:9"
SAMPLES = {"string": "x", "integer": "1", "number": "1", "boolean": "true", "array": "[]", "object": "{}", "JSON": "1"}  # fmt: skip
CONVERSATION = '{"id": "c", "speakers": ["a"], "questions": [], "sessions": [{"session_id": "s", "started_at": "2026-03-01T10:00:00", "turns": [{"turn_id": "1", "speaker": "a", "text": "Hi."}]}]}'  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(variable_of(name), raising=False)
    monkeypatch.setenv("MUNIMENT_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MUNIMENT_URL", NOWHERE)


def words(operation: Operation[Any, Any]) -> list[str]:
    """A command line of an operation, with what it must be given."""
    named = operation.name.split(".")
    options = []
    for name in operation.schema.get("required", []):
        if name in operation.http.path_fields:
            continue
        kind = next(one for one in operation.types(name) if one != "null")
        option = f"--{name.replace('_', '-')}"
        options += [option] if kind == "boolean" else [option, SAMPLES[kind]]
    numbers = [operation.types(name) == ["integer"] for name in operation.http.path_fields]
    return [*named, *["1" if number else "x" for number in numbers], *options]


def said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *line: str
) -> tuple[object, str]:
    """The exit status of a command, and its standard error."""
    monkeypatch.setattr(sys, "argv", ["muniment", *line])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr().err


def is_told(status: object, text: str) -> bool:
    """Nothing answers, where, and what to do about it, in a line."""
    assert status == 3, text
    assert text.count("\n") == 1
    assert text.startswith(f"error: Nothing answers at {NOWHERE} (")
    return text.endswith(
        "Start the service with 'muniment serve', or set MUNIMENT_URL to where it is.\n"
    )


@pytest.mark.parametrize("key", [None, "mnm_x"])
@pytest.mark.parametrize("operation", REGISTRY.values(), ids=[*REGISTRY])
def test_every_operation_says_that_nothing_answers(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    operation: Operation[Any, Any],
    key: str | None,
) -> None:
    if key is not None:
        monkeypatch.setenv("MUNIMENT_API_KEY", key)
    assert is_told(*said(monkeypatch, capsys, *words(operation)))


def test_an_import_says_so_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "conversations.jsonl"
    file.write_text(CONVERSATION + "\n")
    monkeypatch.setenv("MUNIMENT_API_KEY", "mnm_x")
    assert is_told(*said(monkeypatch, capsys, "import", "conversation", str(file)))


class _Fine(BaseHTTPRequestHandler):
    """Something that answers."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def answering() -> Iterator[str]:
    """Where something answers."""
    with HTTPServer(("127.0.0.1", 0), _Fine) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_service_and_no_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answering: str
) -> None:
    monkeypatch.setenv("MUNIMENT_URL", answering)
    status, text = said(monkeypatch, capsys, "keys", "list")
    assert status == 1
    assert text.startswith(
        "error: There is no key: set MUNIMENT_API_KEY, or start the service once"
    )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda file: file.mkdir(), "Is a directory"),
        (lambda file: file.write_bytes(b"\xff\xfe"), "it is not text"),
    ],
)
def test_a_key_file_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answering: str,
    tmp_path: Path,
    make: Any,
    reason: str,
) -> None:
    make(tmp_path / "admin.key")
    monkeypatch.setenv("MUNIMENT_URL", answering)
    status, text = said(monkeypatch, capsys, "keys", "list")
    assert (status, text.count("\n")) == (1, 1)
    assert f"admin.key cannot be read ({reason})" in text
