"""The bench of peers, with contenders that need no library.

| case | what must come out |
|---|---|
| a contender that answers | rates and times for every round, hits as the answers say |
| one that raises, one that ends without a word | why, in its figures; the others go on |
| one without an environment | the last line of its installer |
| rounds | another one first in each; every memory added once, no question asked twice |
| targets | named where missed: times as long, adds in batches, ten times one by one |
"""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.peers.contenders import KINDS, OURS, Kind
from bench.peers.parent import Child
from bench.peers.report import missed, table
from bench.peers.rounds import Figures, Plan, run, turned
from bench.peers.texts import MOST, Texts, hits, make_texts, write_texts

PLAN = Plan(memories=30, rounds=2, singly=3, batch=5, questions=4, warm=1)
NAMES = ("answers", "raises", "dies")


@pytest.fixture(scope="module")
def texts() -> Texts:
    return make_texts(PLAN.memories, PLAN.asked)


@pytest.fixture(scope="module")
def found(texts: Texts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Figures]]:
    place = tmp_path_factory.mktemp("peers")
    write_texts(texts, place)
    given = {"folder": str(place), "data": str(place), "conninfo": {}, "url": "", "key": ""}
    with contextlib.ExitStack() as stack:
        children = {}
        for how in NAMES:
            command = [sys.executable, "-m", "tests.support.peers", how]
            children[how] = stack.enter_context(Child(command, place / f"{how}.log", 60.0))
            assert children[how].tell(given) == {"opened": True}
        yield run(children, texts, PLAN)


def test_who_answers_is_measured_in_every_round(found: dict[str, Figures]) -> None:
    figures = found["answers"]
    assert figures.failed is None
    assert [len(one) for one in (figures.singly, figures.batched, figures.p50, figures.p95)] == [
        2
    ] * 4
    assert min(figures.singly + figures.batched + figures.p50 + figures.p95) > 0
    assert (figures.hits, figures.asked) == (8, 8)


@pytest.mark.parametrize(
    ("how", "why"),
    [("raises", "ValueError: no | such\nindex"), ("dies", "opened with 256 dimensions")],
)
def test_who_fails_says_why_and_stops_nobody(found: dict[str, Figures], how: str, why: str) -> None:
    assert found[how].failed == why
    assert len(found[how].singly) == 2
    assert found[how].p50 == []


def test_the_table_has_everybody(found: dict[str, Figures]) -> None:
    kinds = [Kind(name=name, environment="", module=name, lacks="") for name in NAMES]
    shown = table(found, kinds)
    assert "| raises | ValueError: no / such index | | | | | |" in shown
    assert "| answers | " in shown
    assert missed(found, kinds)[0] == "raises: ValueError: no / such index"


def test_rounds() -> None:
    assert PLAN.slices() == [(0, 15), (15, 30)]
    assert [next(turned("abc", number)) for number in range(4)] == ["a", "b", "c", "a"]


def test_texts(texts: Texts) -> None:
    assert texts == make_texts(PLAN.memories, PLAN.asked)
    every = make_texts(MOST, 100)
    assert len(set(every.memories)) == MOST
    assert len({one.text for one in every.questions}) == 100
    got = [[every.memories[one.answer]] for one in every.questions]
    assert hits(every.questions, got, every.memories) == 100
    assert hits(every.questions, [[]] * 100, every.memories) == 0
    with pytest.raises(ValueError, match="at most"):
        make_texts(10, 11)


def test_who_is_not_installed_says_so(tmp_path: Path) -> None:
    kind = next(one for one in KINDS if one.environment)
    assert kind.missing(tmp_path) == "not installed: see what pip said"
    (tmp_path / kind.environment).mkdir()
    (tmp_path / kind.environment / "install.log").write_text("one\nNo matching distribution\n")
    assert kind.missing(tmp_path) == "not installed: No matching distribution"
    (tmp_path / kind.environment / ".installed").touch()
    assert kind.missing(tmp_path) is None


def figures(singly: float, batched: float, p50: float) -> Figures:
    return Figures(singly=[singly], batched=[batched], p50=[p50], p95=[p50], hits=1, asked=1)


@pytest.mark.parametrize(
    ("peer", "theirs", "lost"),
    [
        ("LangGraph PostgresStore", figures(10, 400, 20), []),
        ("LangGraph PostgresStore", figures(10, 400, 19), ["p50 of LangGraph PostgresStore is 1.90 times ours, wanted 2"]),
        ("Chroma, persistent client", figures(10, 400, 9), ["p50 of Chroma, persistent client is 0.90 times ours, wanted 1"]),
        ("mem0, pgvector", figures(10, 501, 40), ["mem0, pgvector adds 501 a second in batches, we 500"]),
        ("mem0, pgvector", figures(100, 400, 40), ["in batches we add 5.0 times what mem0, pgvector adds one by one, wanted 10"]),
    ],
)  # fmt: skip
def test_targets(peer: str, theirs: Figures, lost: list[str]) -> None:
    assert missed({OURS: figures(50, 500, 10), peer: theirs}) == lost
