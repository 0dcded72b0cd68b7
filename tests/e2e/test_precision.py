"""muniment eval precision: what is asked for comes back and nothing else.

| cases | then |
|---|---|
| the shared set, as it is and under other names | at least 70 of 76, and as many |
| a belief that is expected and not there; one too many | named |
| a file that is none | InvalidInput with the line |
"""

import json
from pathlib import Path
from typing import Any

import pytest

from muniment.client import Client
from muniment.errors import InvalidInput
from muniment_evals.precision import evaluate, read_users
from muniment_evals.renaming import renamed

DATA = Path(__file__).parents[3] / "shared/data/precisionmembench.jsonl"
shared = pytest.mark.skipif(
    not DATA.exists(), reason="the evaluation data lies beside the checkout and is not there"
)
LEAST = 70


@shared
@pytest.mark.parametrize("seed", [None, 7])
def test_the_shared_set(admin: Client, seed: int | None) -> None:
    users = read_users(DATA)
    report = evaluate(admin, users if seed is None else renamed(users, seed), lambda _: None)
    assert report.cases == 76
    assert report.passed >= LEAST


@shared
def test_other_names_are_other_names() -> None:
    users = read_users(DATA)
    again = renamed(users, 7)
    assert again == renamed(users, 7) != renamed(users, 8)
    names = [
        [one["meta"]["canonical_name"] for user in given for one in user["sessions"]]
        for given in (users, again)
    ]
    assert all(one != other for one, other in zip(*names, strict=True))


def belief(name: str, **more: Any) -> dict[str, Any]:
    meta = {
        "type": "entity", "canonical_name": name, "aliases": [], "scope": ["domain:work"],
        "epistemic_status": "active", "superseded_by": None, "pinned": False,
    }  # fmt: skip
    turns = [{"turn_id": name, "speaker": "user", "text": f"The {name} is painted green."}]
    return {"session_id": name, "turns": turns, "meta": meta | more}


def case(name: str, text: str, *only: str) -> dict[str, Any]:
    return {
        "id": name, "text": text, "category": "own", "scope": ["domain:work"], "budget": None,
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": list(only)}},
    }  # fmt: skip


def test_a_fault_is_named(admin: Client, tmp_path: Path) -> None:
    user = {
        "id": "u",
        "sessions": [belief("harbour_crane"), belief("depot")],
        "questions": [
            case("right", "How high is the harbour crane?", "harbour_crane"),
            case("lacks", "How high is the crane?", "harbour_crane"),
            case("too-many", "Where is the depot?"),
        ],
    }
    file = tmp_path / "users.jsonl"
    file.write_text(json.dumps(user) + "\n")
    report = evaluate(admin, read_users(file), lambda _: None)
    assert (report.cases, report.passed) == (3, 1)
    assert report.failures == {
        "lacks": ["relevantBeliefs lacks harbour_crane"],
        "too-many": ["relevantBeliefs has depot"],
    }


@pytest.mark.parametrize("line", ["{", "[]", '{"sessions": [{}]}', '{"sessions": [{"turns": []}]}'])
def test_what_is_no_file_of_users(tmp_path: Path, line: str) -> None:
    file = tmp_path / "users.jsonl"
    file.write_text(f'{{"sessions": []}}\n{line}\n')
    with pytest.raises(InvalidInput, match="line 2"):
        read_users(file)
    with pytest.raises(InvalidInput):
        read_users(tmp_path / "none.jsonl")
