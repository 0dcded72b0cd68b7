"""`muniment eval extraction FILE --extractor llm`: a model is scored as the rules are.

| the model | the report |
|---|---|
| proposes what a session says | precision and recall, tokens |
| answers one session with what is no proposal | that one has no candidates, and is counted |
| does not answer | the command ends with the error, and no report |
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.errors import BadSetting, ModelUnavailable
from muniment_evals.cli import app
from tests.support.model_server import (
    Exchange,
    ModelServer,
    candidate,
    hang_up,
    model_server,
    proposing,
    saying,
)

HOMES = ("Gouda", "Turin")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with model_server(proposing()) as made:
        monkeypatch.setenv("MUNIMENT_LLM_URL", made.url)
        monkeypatch.setenv("MUNIMENT_LLM_MODEL", "stub")
        yield made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two sessions, each with a home."""
    empty: dict[str, Any] = {"must": [], "must_not": [], "valid_from": None, "valid_to": None}
    sessions = [
        {
            "session_id": f"s{at}",
            "turns": [
                {
                    "turn": 1,
                    "role": "user",
                    "name": "Nora",
                    "content": f"Home is {home} now.",
                    "occurred_at": "2026-05-13T10:00:00+02:00",
                    "signal": True,
                    "trap": None,
                }
            ],
        }
        for at, home in enumerate(HOMES)
    ]
    facts = [
        {
            "kind": "fact",
            "slot": "city",
            "value": home,
            "evidence": [[f"s{at}", 1]],
            "status": "current",
        }
        | {"optional": False, **empty}
        for at, home in enumerate(HOMES)
    ]
    made = tmp_path / "set.jsonl"
    line = {"id": "c", "timezone": "Europe/Rome", "sessions": sessions, "facts": facts}
    made.write_text(json.dumps(line), encoding="utf-8")
    return made


async def home(exchange: Exchange) -> None:
    """Proposes the home that the turn names."""
    (found,) = [name for name in HOMES if f"Home is {name} now" in exchange.said]
    said = candidate(text=f"Nora lives in {found}.", slot="city", value=found)
    await proposing(said)(exchange)


def scored(file: Path) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["extraction", str(file), "--extractor", "llm", "--json"])
    if done.exception is not None:
        raise done.exception
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_a_good_model(file: Path, model: ModelServer) -> None:
    model.will(home)
    report = scored(file)
    assert (report["overall"]["precision"], report["overall"]["recall"]) == (1, 1)
    assert (report["counts"]["tokens"], report["counts"]["found"]) == (240, 2)
    assert report["counts"]["sessions_with_invalid_output"] == 0


def test_a_model_that_is_wrong_once(file: Path, model: ModelServer) -> None:
    model.will(saying("nonsense"), saying("nonsense"), home)
    report = scored(file)
    assert (report["overall"]["precision"], report["overall"]["recall"]) == (1, 0.5)
    assert report["counts"]["sessions_with_invalid_output"] == 1
    assert report["counts"]["tokens"] == 360


def test_a_model_that_does_not_answer(file: Path, model: ModelServer) -> None:
    model.will(hang_up)
    with pytest.raises(ModelUnavailable):
        scored(file)


def test_the_rules_need_none_of_it(file: Path, model: ModelServer) -> None:
    done = CliRunner().invoke(app, ["extraction", str(file), "--json"])
    assert json.loads(done.stdout)["counts"]["tokens"] == 0
    assert model.requests == []


def test_a_name_that_is_none(file: Path) -> None:
    done = CliRunner().invoke(app, ["extraction", str(file), "--extractor", "magic"])
    assert isinstance(done.exception, BadSetting)
