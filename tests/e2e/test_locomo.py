"""Retrieval on a part of LoCoMo stays above the floor (the whole has a target of its own)."""

from pathlib import Path

import pytest

from muniment.client import Client
from muniment.client.conversations import read_conversations
from muniment_evals.retrieval import evaluate

pytestmark = pytest.mark.long

DATA = Path(__file__).parents[3] / "shared/data/locomo.jsonl"
FLOOR = 0.72


@pytest.mark.skipif(
    not DATA.exists(), reason="the evaluation data lies beside the checkout and is not there"
)
def test_two_conversations(admin: Client) -> None:
    conversations = [one for one in read_conversations(DATA) if one.id in {"conv-26", "conv-30"}]
    report = evaluate(admin, conversations, lambda _: None)
    assert report.questions == 302
    assert report.scores["overall"]["recall@10"] >= FLOOR
    assert 0.0 < report.dropped_share < 0.15
