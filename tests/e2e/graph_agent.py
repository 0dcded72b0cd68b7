"""An agent in a process of its own, for tests that kill it: ``URL KEY PHASE EFFECTS``.

It collects, does two things side by side, asks, and buys. Each node notes in the file EFFECTS that
it began. In the phase ``first`` the right one stays in its node; in ``second`` the agent stays
after it has asked; in ``third`` it is answered.
"""

import json
import operator
import sys
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from muniment.client import Client
from muniment.langgraph import MunimentSaver

CONFIG: Any = {"configurable": {"thread_id": "order"}}
LARGE = "x" * 2_000_000


class Order(TypedDict):
    """What is known of the order."""

    done: Annotated[list[str], operator.add]
    catalogue: str


def say(line: str) -> None:
    """Tell whoever started the process."""
    print(line, flush=True)


def build(saver: MunimentSaver, phase: str, effects: Path) -> Any:
    """The graph."""

    def noted(name: str) -> dict[str, Any]:
        with effects.open("a") as file:
            file.write(f"{name}\n")
        return {"done": [name]}

    def collect(_state: Order) -> dict[str, Any]:
        return noted("collect") | {"catalogue": LARGE}

    def left(_state: Order) -> dict[str, Any]:
        return noted("left")

    def right(_state: Order) -> dict[str, Any]:
        done = noted("right")
        if phase == "first":
            say("in the middle")
            sys.stdin.readline()
        return done

    def ask(state: Order) -> dict[str, Any]:
        answer = interrupt({"after": sorted(state["done"]), "bytes": len(state["catalogue"])})
        return noted(f"bought: {answer}")

    graph = StateGraph(Order)
    for node in (collect, left, right, ask):
        graph.add_node(node.__name__, node)  # type: ignore[arg-type]
    graph.add_edge(START, "collect")
    graph.add_edge("collect", "left")
    graph.add_edge("collect", "right")
    graph.add_edge(["left", "right"], "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=saver)


def main(url: str, key: str, phase: str, effects: str) -> None:
    """One life of the agent."""
    given: Any = {
        "first": {"done": [], "catalogue": ""}, "second": None, "third": Command(resume="yes"),
    }[phase]  # fmt: skip
    with Client(url, key) as client:
        saver = MunimentSaver(client, user_id="nora")
        state = build(saver, phase, Path(effects)).invoke(given, CONFIG)
        asked = [one.value for one in state.get("__interrupt__", ())]
        say(json.dumps({"asked": asked, "done": state["done"], "bytes": len(state["catalogue"])}))
        if phase == "second":
            sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])
