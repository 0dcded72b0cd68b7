"""Scores of retrieval (RULES 16.1), against figures worked out by hand.

recall@k is the share of the evidence among the first k cited turns, all@k whether it is all of
it, any@k whether it is any; NDCG@10 has gains of 0 and 1 and a logarithm to base 2.
"""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.client import Client
from muniment.client.conversations import Conversation, ConversationSession, ConversationTurn
from muniment.client.models import (
    EventsWritten,
    EventVerdict,
    Evidence,
    Item,
    MemoryView,
    Watermarks,
)
from muniment.client.wire import to_json
from muniment_evals.retrieval import Turn, cited_turns, evaluate, ndcg
from muniment_evals.retrieval import _scores as scores

START = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def turns(*numbers: int) -> tuple[Turn, ...]:
    return tuple(("s", str(number)) for number in numbers)


def evidence(*numbers: int) -> frozenset[Turn]:
    return frozenset(turns(*numbers))


def log(place: int) -> float:
    """What a hit at a place counts, the first being 1."""
    return 1 / math.log2(place + 1)


@pytest.mark.parametrize(
    ("wanted", "cited", "found"),
    [
        ((1,), (1,), 1.0),
        ((1,), (9, 1), log(2)),
        ((1,), (9, 8, 1), 0.5),
        ((1,), (), 0.0),
        ((1,), (9, 8), 0.0),
        ((1,), (*range(20, 30), 1), 0.0),
        ((1,), (*range(20, 29), 1), log(10)),
        ((1, 2), (1, 2), 1.0),
        ((1, 2), (2, 1), 1.0),
        ((1, 2), (1, 9, 2), (1 + 0.5) / (1 + log(2))),
        ((1, 2), (1,), 1 / (1 + log(2))),
        (tuple(range(20)), tuple(range(10)), 1.0),
        (tuple(range(20)), tuple(range(5)), sum(map(log, range(1, 6))) / sum(map(log, range(1, 11)))),
    ],
)  # fmt: skip
def test_ndcg(wanted: tuple[int, ...], cited: tuple[int, ...], found: float) -> None:
    assert ndcg(evidence(*wanted), turns(*cited), 10) == pytest.approx(found)


@given(st.sets(st.integers(0, 30), min_size=1), st.lists(st.integers(0, 30), unique=True))
def test_ndcg_is_a_share_and_one_for_the_best_order(wanted: set[int], cited: list[int]) -> None:
    found = ndcg(evidence(*wanted), turns(*cited), 10)
    assert 0.0 <= found <= 1.0 + 1e-9
    best = [*sorted(wanted), *(number for number in cited if number not in wanted)]
    assert ndcg(evidence(*wanted), turns(*best), 10) == pytest.approx(1.0)


def test_scores_of_one_question() -> None:
    cited = turns(9, 1, 8, 7, 6, 2, *range(20, 24), 3)
    found = scores([(evidence(1, 2, 3, 4), cited)])
    assert (found["recall@5"], found["recall@10"], found["recall@20"]) == (0.25, 0.5, 0.75)
    assert (found["all@5"], found["all@10"], found["all@20"]) == (0.0, 0.0, 0.0)
    assert (found["any@5"], found["any@10"], found["any@20"]) == (1.0, 1.0, 1.0)
    best = 1 + log(2) + log(3) + log(4)
    assert found["ndcg@10"] == pytest.approx((log(2) + log(6)) / best, abs=1e-4)
    assert found["questions"] == 1


def test_scores_are_means_over_questions() -> None:
    found = scores(
        [
            (evidence(1), turns(1)),
            (evidence(1, 2), turns(2)),
            (evidence(1), turns()),
            (evidence(1, 2), turns(9, 9, 2, 1)),
        ]
    )
    assert (found["recall@5"], found["all@5"], found["any@5"]) == (0.625, 0.5, 0.75)
    assert found["questions"] == 4


@given(
    st.lists(
        st.tuples(
            st.sets(st.integers(0, 9), min_size=1).map(lambda found: evidence(*found)),
            st.lists(st.integers(0, 9), unique=True).map(lambda found: turns(*found)),
        ),
        min_size=1,
    )
)
def test_more_turns_never_score_less(
    pairs: Sequence[tuple[frozenset[Turn], tuple[Turn, ...]]],
) -> None:
    found = scores(pairs)
    for name in ("recall", "all", "any"):
        assert found[f"{name}@5"] <= found[f"{name}@10"] <= found[f"{name}@20"]
    for cut in (5, 10, 20):
        assert found[f"all@{cut}"] <= found[f"recall@{cut}"] <= found[f"any@{cut}"]


def item(number: int, *cited: tuple[str, int]) -> Item:
    return Item(
        id=UUID(int=number), tier="episodic", kind="event", scope="user", text="-", name=None,
        subject=None, slot=None, value=None, data_source=None, as_of=START, valid_from=None,
        valid_to=None, recorded_at=START, expires_at=None, trust="user_stated", confidence=None,
        importance=5, pinned=False, status="active", stale=False, contested_by=(),
        evidence=tuple(Evidence(session_id, turn) for session_id, turn in cited), metadata={},
    )  # fmt: skip


def test_items_are_flattened_in_rank_order_without_repeats() -> None:
    ids = {("s", str(number)): ("s", f"D{number}") for number in range(9)}
    items = [
        item(1, ("s", 3)),
        item(2, ("s", 1), ("s", 3), ("s", 2)),
        item(3, ("t", 1), ("s", 77)),  # nothing of the file
        item(4),
        item(5, ("s", 2), ("s", 4)),
    ]
    assert list(cited_turns(items, ids)) == [("s", "D3"), ("s", "D1"), ("s", "D2"), ("s", "D4")]


def conversation(*questions: dict[str, Any]) -> Conversation:
    said = [ConversationTurn(f"D{n}", n, "assistant", f"Turn {n}.", START) for n in range(10)]
    return Conversation("c1", (ConversationSession("s", tuple(said)),), questions)


def service(answers: Mapping[str, Sequence[Item]], log_of: list[dict[str, Any]]) -> Client:
    """A service over a script: drops every fifth turn, answers each question from a table."""

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        log_of.append(body)
        if request.url.path == "/v1/recall":
            items = tuple(answers[body["query"]])
            found: Any = MemoryView(
                items, UUID(int=1), abstained=not items, watermark=START,
                watermarks=Watermarks(user=START, org=None),
            )  # fmt: skip
        else:
            verdicts = tuple(verdict(event["turn"]) for event in body["events"])
            found = EventsWritten(verdicts, stored=len(verdicts), obeyed=(), warnings=())
        return httpx.Response(200, text=to_json(found))

    return Client("http://127.0.0.1:7300", "key", transport=httpx.MockTransport(answer))


def verdict(number: int) -> EventVerdict:
    return EventVerdict(
        turn=number, event_id=UUID(int=number), kept=number % 5 != 0, reason="fact", rule="r",
        importance=5, trust="user_stated", quarantined=False, redacted=(),
    )  # fmt: skip


def test_an_evaluation() -> None:
    answers = {
        "first": [item(1, ("s", 3)), item(2, ("s", 1), ("s", 3))],
        "second": [],
        "audited": [item(1, ("s", 5))],
    }
    asked: list[dict[str, Any]] = []
    told: list[str] = []
    questions = (
        {"text": "first", "category": "a", "evidence_turn_ids": ["D1", "D2"]},
        {"text": "second", "category": "b", "evidence_turn_ids": ["D4"]},
        {
            "text": "audited",
            "category": "b",
            "evidence_turn_ids": ["D4"],
            "audit": {"evidence_turn_ids": ["D5"]},
        },
        {"text": "no evidence", "category": "a", "evidence_turn_ids": []},
        {"text": "none that is known", "category": "a", "evidence_turn_ids": ["D99"]},
    )
    with service(answers, asked) as client:
        report = evaluate(client, [conversation(*questions)], told.append)
    assert (report.questions, report.turns) == (3, 10)
    assert (report.dropped_share, report.abstained_share) == (0.2, 0.3333)
    assert set(report.scores) == {"overall", "a", "b"}
    assert report.scores["a"]["recall@5"] == 0.5
    assert report.scores["a"]["questions"] == 1
    assert report.scores["b"]["recall@5"] == 0.0
    assert report.scores["overall"]["recall@10"] == 0.1667
    assert report.audited["recall@10"] == 0.5
    assert told == ["c1: 3 questions so far"]
    writes = [body for body in asked if "events" in body]
    assert [event["role"] for body in writes for event in body["events"]] == ["user"] * 10
    assert [event["name"] for event in writes[0]["events"]] == ["assistant"] * 10
    recalls = [body for body in asked if "query" in body]
    assert [(body["user_id"], body["query"], body["k"]) for body in recalls] == [
        ("c1", "first", 20), ("c1", "second", 20), ("c1", "audited", 20),
    ]  # fmt: skip


def test_an_evaluation_without_questions() -> None:
    with service({}, []) as client:
        report = evaluate(client, [conversation()], lambda _text: None)
    assert (report.questions, report.turns, report.audited) == (0, 10, {})
    assert math.isnan(report.recall_p50_ms)
