"""The harness's side of a child: started, told, listened to, ended."""

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parent.parent.parent


class ContenderFailed(RuntimeError):
    """A child said why it cannot go on, or ended without a word."""


class Child:
    """One contender's process; every answer has to come within ``patience`` seconds."""

    def __init__(self, command: Sequence[str], log: Path, patience: float) -> None:
        self._log = log
        self._patience = patience
        with log.open("w", encoding="utf-8") as file:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
                # A group of its own, so that what it started ends with it, whatever happens.
                start_new_session=True,
            )

    def tell(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Its answer; raises ContenderFailed."""
        if self._process.stdin is None or self._process.stdout is None:
            raise ValueError("the process was started without pipes")
        timer = threading.Timer(self._patience, self._kill)
        timer.start()
        try:
            self._process.stdin.write(json.dumps(sent) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            raise ContenderFailed(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        if "failed" in answer:
            raise ContenderFailed(answer["failed"])
        return answer

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _last_words(self) -> str:
        said = self._log.read_text(encoding="utf-8").strip().splitlines()
        return said[-1] if said else f"ended, or said nothing for {self._patience:.0f} s"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close its input, which ends it, and end it when that takes too long."""
        if self._process.stdin is not None:
            # What it did not read while it lived is written once more.
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(min(self._patience, 60.0))
        finally:
            self._kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
