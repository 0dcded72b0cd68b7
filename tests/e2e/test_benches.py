"""Each bench runs on this build, small; what it measures then is noise, and is not looked at.

| bench | answer |
|---|---|
| any of them, with few rows and rounds | figures; an exit status that says whether a target was missed |
"""

import re
import subprocess
import sys

import pytest

from tests.support.documents import ROOT

pytestmark = pytest.mark.long

SMALL = {
    "backlog": "--sessions 4 --seconds 0.2",
    "context": "--memories 60 --rounds 8",
    "fleet": "--processes 2 --users 4 --memories 40 --clients 2 --rounds 1 --asked 12",
    "forgetting": "--memories 40 --rounds 1 --seconds 0.3",
    "growth": "--small 60 --large 120 --per-user 20 --rounds 3 --cold-rounds 2",
    "knowledge": "--chunks 1200 --questions 3",
    "load": "--clients 1,2 --seconds 0.3 --requests 40,80 --memories 20",
    "plan": "--memories 60 --rounds 8",
    "runs": "--steps 30 --rounds 4",
    "surfaces": "--memories 60 --questions 6",
}
TARGET_MISSED = 1


@pytest.mark.parametrize("name", SMALL)
def test_a_bench_runs(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"bench.{name}", *SMALL[name].split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in {0, TARGET_MISSED}, run.stderr
    assert "Traceback" not in run.stderr, run.stderr
    assert re.search(r"\d\.\d", run.stdout), run.stdout


def test_no_bench_is_left_out() -> None:
    """Those that this file does not run have a test of their own, or need what is not installed."""
    served = {
        path.stem
        for path in (ROOT / "bench").glob("*.py")
        if "running_service(" in path.read_text(encoding="utf-8")
    }
    assert served - set(SMALL) == {"__main__", "life"}
