"""Channels of which checkpoints have no value: ``MunimentSaver`` beside the saver in memory.

| what | then |
|---|---|
| delta channels, over many steps, pruned | the state is the same |
| a history, a page at a time | ends with the value of every channel |
"""

from typing import Annotated, Any, TypedDict

import pytest
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from muniment.client import Client
from muniment.langgraph import MunimentSaver
from tests.e2e.graphs import checkpoint, config


@pytest.fixture
def saver(admin: Client) -> MunimentSaver:
    return MunimentSaver(admin, user_id="sanne")


class Messages(TypedDict):
    """A conversation that only its changes are stored of."""

    said: Annotated[list[str], DeltaChannel(lambda held, new: held + [one for w in new for one in w], list, snapshot_frequency=4)]  # fmt: skip
    count: int


def conversation(saver: Any) -> Any:
    def answer(state: Messages) -> Any:
        return {"said": [f"answer {state['count']}"], "count": state["count"] + 1}

    graph = StateGraph(Messages)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    return graph.compile(checkpointer=saver)


def test_delta_channels(saver: MunimentSaver) -> None:
    graphs = [conversation(InMemorySaver()), conversation(saver)]
    for turn in range(7):
        states = [
            graph.invoke({"said": [f"question {turn}"], "count": turn}, config("delta"))
            for graph in graphs
        ]
        assert states[0] == states[1]
    kept = graphs[1].get_state(config("delta")).values
    assert len(kept["said"]) == 14
    before = len([*saver.list(config("delta"))])
    saver.prune(["delta"])
    after = [*saver.list(config("delta"))]
    assert 1 < len(after) < before
    assert graphs[1].get_state(config("delta")).values == kept
    states = [graph.invoke({"said": ["more"], "count": 9}, config("delta")) for graph in graphs]
    assert states[0] == states[1]
    saver.prune(["delta"], strategy="delete")
    assert saver.get_tuple(config("delta")) is None


def test_history_by_the_page(saver: MunimentSaver, admin: Client) -> None:
    at: Any = config("long")
    for number in range(6):
        values = {"seed": number} if number == 1 else {}
        at = saver.put(
            at, checkpoint(f"{number}", values, {"seed": f"{number}"}), {}, {"seed": f"{number}"}
        )
        saver.put_writes(at, [("seed", number), ("other", number)], "t")
    whole = saver.get_delta_channel_history(config=at, channels=["seed", "other"])
    assert whole["seed"] == {"writes": [("t", "seed", n) for n in range(1, 5)], "seed": 1}
    assert whole["other"] == {"writes": [("t", "other", n) for n in range(5)]}
    asked: dict[str, Any] = {"user_id": "sanne", "thread_id": "long", "channels": ["seed"]}
    pages: list[Any] = []
    cursor = None
    while cursor or not pages:
        page = admin.threads.history(**asked, cursor=cursor, limit=1)
        pages += page.items
        cursor = page.next
    assert [one.checkpoint_id for one in pages] == ["4", "3", "2", "1"]
