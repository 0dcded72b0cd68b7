"""The worked example: it passes, fails where memory does not help, and a model can play it.

| the service, the policy | the example |
|---|---|
| as they are, scripted | every check right, exit 0 |
| no workaround reaches a plan | exit 1, and says in which session |
| a model that chooses at random among what it may | every check that holds of any policy is right |
| the data is not installed | exit 1, in a sentence |
"""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from examples.analyst.__main__ import perform
from examples.analyst.feed import MENDED, NoData, earlier, load
from examples.analyst.model import Modelled
from examples.analyst.policy import Scripted
from examples.analyst.steps import GROWTH, REVISIONS, Step, run
from pydantic_ai.models.test import TestModel
from rich.console import Console

from muniment.client import Client
from muniment.client.core import Endpoint
from muniment.client.models import AnalysisPlan
from muniment.testing import Running
from tests.support.documents import ROOT
from tests.support.services import running_service

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """A service; each test plays on a tenant of its own."""
    with running_service() as running:
        yield running


def play(
    service: Running, policy: Any, client: type[Client] = Client, **how: Any
) -> tuple[int, str]:
    """Play on a new tenant; the exit code and what was printed."""
    shown = io.StringIO()
    with Client(service.url, service.key) as operator:
        made = operator.tenants.create(name=os.urandom(4).hex())
    with client(service.url, made.key.secret) as mine:
        code = perform(mine, policy, Console(file=shown, width=200), **how)
    return code, shown.getvalue()


def test_it_passes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "examples.analyst"], cwd=ROOT, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("checks, none wrong.")


def test_without_the_data_it_says_what_to_do() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "examples.analyst"], cwd=ROOT, capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )  # fmt: skip
    assert (done.returncode, "make examples" in done.stderr) == (1, True), done.stderr


class Forgetful(Client):
    """A client whose plans have lost their workarounds."""

    def call(self, endpoint: Endpoint, *args: Any, **more: Any) -> Any:
        answer = super().call(endpoint, *args, **more)
        if isinstance(answer, AnalysisPlan):
            return replace(answer, required_workarounds=())
        return answer


def test_where_memory_does_not_help_it_fails(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("examples.analyst.sessions.Client", Forgetful)
    code, shown = play(service, Scripted())
    assert code == 1
    assert "workarounds of the third session" in shown


def test_a_model_can_play(service: Running) -> None:
    code, shown = play(service, Modelled(TestModel()), scripted=False)
    assert code == 0, shown


@pytest.mark.parametrize("month", ["2015-06", MENDED])
def test_the_lag_is_there_until_it_is_mended(month: str) -> None:
    feed = load()
    data = feed.published(month)
    whole = feed.published("2016-01").jobs["construction"]
    late = [at for at in data.jobs["construction"] if data.jobs["construction"][at] != whole[at]]
    expected = [] if month == MENDED else [earlier(month, 2), earlier(month, 1)]
    assert late == expected
    growth = run(Step(GROWTH, "construction", {"construction": 2}), feed, data).figures
    assert growth["construction"] > 4
    assert run(Step(REVISIONS, "government"), feed, data).figures == {}


def test_no_data_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NoData, match="make examples"):
        load()
