"""Logs say what went wrong and where, and never what users sent.

| logged | written |
|---|---|
| an error with content in its message, its notes or a local variable | its class and its frames |
| the error behind it | the same |
| a group of errors | each of them, the same |
| an entry of another library | one JSON object, the same |
"""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from muniment.surfaces.logs import configure_logs

CONTENT = "my doctor is called Vance"


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers, root.level
    yield
    root.handlers, root.level = before[0], before[1]
    structlog.reset_defaults()


def fail(content: str) -> None:
    """An error with content wherever it may be."""
    try:
        dict[str, str]()[content]
    except KeyError as cause:
        error = ValueError(f"cannot read {content}")
        error.add_note(content)
        raise error from cause


def logged(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """The one entry that was written."""
    (line,) = capsys.readouterr().err.splitlines()
    entry: dict[str, object] = json.loads(line)
    return entry


def test_an_error_is_its_class_and_its_frames(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", "api")
    with pytest.raises(ValueError, match="cannot read") as caught:
        fail(CONTENT)
    structlog.get_logger().error("defect", exc_info=caught.value)
    entry = logged(capsys)
    assert CONTENT not in json.dumps(entry)
    assert (entry["event"], entry["level"], entry["process"]) == ("defect", "error", "api")
    errors = entry["exception"]
    assert isinstance(errors, list)
    assert [error["exc_type"] for error in errors] == ["ValueError", "KeyError"]
    frame = errors[0]["frames"][-1]
    assert frame["name"] == "fail"
    assert set(frame) == {"filename", "lineno", "name"}


def test_a_group_of_errors(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", "worker")
    group = ExceptionGroup(CONTENT, [ValueError(CONTENT), TypeError(CONTENT)])
    structlog.get_logger().error("job_failed", exc_info=group)
    entry = logged(capsys)
    assert CONTENT not in json.dumps(entry)
    errors = entry["exception"]
    assert isinstance(errors, list)
    assert [one["exc_type"] for one in errors[0]["exceptions"]] == ["ValueError", "TypeError"]


def test_other_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", "api")
    try:
        fail(CONTENT)
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    entry = logged(capsys)
    assert CONTENT not in json.dumps(entry)
    assert entry["event"] == "Exception in ASGI application"
