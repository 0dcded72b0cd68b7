"""Whose the threads of a ``MunimentSaver`` are: no call reads or deletes in the wrong place.

| saver | a config or call that names a user | one that names none |
|---|---|---|
| of a user | the same: that user's; another: InvalidInput | that user's |
| ``USER`` | that user's | InvalidInput |
| of nobody | InvalidInput | nobody's |

Threads of one name and two owners, or in two namespaces, are apart; a forget takes the user's.
Metadata comes back whole, however much of it there is.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from muniment.client import Client
from muniment.errors import InvalidInput
from muniment.langgraph import USER, MunimentSaver
from muniment.testing import Running
from tests.e2e.graphs import checkpoint, config

MADE = checkpoint("1", {"c": "x"}, {"c": "1"})
Deletion = Callable[..., None]
DELETIONS: dict[str, tuple[Deletion, int]] = {
    "delete_thread": (lambda saver, **of: saver.delete_thread("t", **of), 0),
    "delete_for_runs": (lambda saver, **of: saver.delete_for_runs(["r"], **of), 1),
    "prune": (lambda saver, **of: saver.prune(["t"], **of), 1),
    "prune all": (lambda saver, **of: saver.prune(["t"], strategy="delete", **of), 0),
}
OWNERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "fixed": ({"user_id": "ada"}, {}),
    "named": ({"user_id": USER}, {"user_id": "ada"}),
    "nobody": ({}, {}),
}


@pytest.fixture(scope="module")
def admin(running: Running) -> Iterator[Client]:
    with (
        Client(running.url, running.key) as installation,
        Client(running.url, installation.tenants.create(name="owners").key.secret) as client,
    ):
        yield client


def save(saver: MunimentSaver, **of: Any) -> None:
    """Two checkpoints of the thread ``t``, the second of the run ``r``."""
    for name, run in (("1", "q"), ("2", "r")):
        metadata: Any = {"run_id": run}
        saver.put(config("t", **of), checkpoint(name, {}, {}), metadata, {})


def count(saver: MunimentSaver, **of: Any) -> int:
    return len(list(saver.list(config("t", **of))))


@pytest.mark.parametrize("name", DELETIONS)
@pytest.mark.parametrize("whose", OWNERS)
def test_a_saver_deletes_what_it_wrote(admin: Client, whose: str, name: str) -> None:
    delete, left = DELETIONS[name]
    told, of = OWNERS[whose]
    namespace = f"{whose} {name}"
    saver = MunimentSaver(admin, namespace=namespace, **told)
    others: list[tuple[MunimentSaver, dict[str, Any]]] = [
        (MunimentSaver(admin, namespace=namespace, user_id="ben"), {}),
        (MunimentSaver(admin, namespace="another application", **told), of),
    ]
    save(saver, **of)
    for other, theirs in others:
        save(other, **theirs)
    delete(saver, **of)
    assert count(saver, **of) == left
    assert [count(other, **theirs) for other, theirs in others] == [2, 2]


@pytest.mark.parametrize(("fixed", "named"), [(None, "ben"), ("ada", "ben"), (USER, None)], ids=str)
async def test_what_is_of_another_is_refused(
    admin: Client, fixed: str | None, named: str | None
) -> None:
    saver = MunimentSaver(admin, user_id=fixed)
    at = config("t") if named is None else config("t", user_id=named)
    tries: list[Callable[[], Any]] = [
        lambda: saver.put(at, MADE, {}, {"c": "1"}),
        lambda: saver.get_tuple(at),
        lambda: list(saver.list(at)),
        lambda: saver.put_writes(at, [("c", 1)], "t"),
        lambda: saver.get_delta_channel_history(config=at, channels=["c"]),
        lambda: saver.copy_thread("t", "u", user_id=named),
        *(lambda one=one: one(saver, user_id=named) for one, _ in DELETIONS.values()),
    ]
    for attempt in tries:
        with pytest.raises(InvalidInput):
            attempt()
    for awaited in (
        saver.adelete_thread("t", user_id=named),
        saver.adelete_for_runs(["r"], user_id=named),
        saver.acopy_thread("t", "u", user_id=named),
        saver.aprune(["t"], user_id=named),
    ):
        with pytest.raises(InvalidInput):
            await awaited


async def test_threads_of_a_user_go_with_them(admin: Client) -> None:
    named, hers = MunimentSaver(admin, user_id=USER), MunimentSaver(admin, user_id="eve")
    at = named.put(config("own", user_id="dan"), MADE, {}, {"c": "1"})
    assert at["configurable"]["user_id"] == "dan"
    hers.put(config("own"), MADE, {}, {"c": "1"})
    assert await MunimentSaver(admin).aget_tuple(config("own")) is None
    found = await named.aget_tuple(at)
    assert found is not None
    assert found.config == at
    key = admin.keys.create(principal="p", user_id="eve").secret
    with Client(admin.url, key) as own:
        assert MunimentSaver(own, user_id="eve").get_tuple(config("own")) is not None
    await named.acopy_thread("own", "copy", user_id="dan")
    forgotten = admin.forget(user_id="dan")
    assert {name: forgotten.counts[name] for name in ("thread", "thread_checkpoint")} == {
        "thread": 2,
        "thread_checkpoint": 2,
    }
    assert await named.aget_tuple(at) is None
    listed = [one async for one in hers.alist(None)]
    assert [one.config["configurable"]["thread_id"] for one in listed] == ["own"]


class Asked(TypedDict):
    said: str


def test_a_graph_with_much_metadata(admin: Client) -> None:
    graph = StateGraph(Asked)
    graph.add_node("ask", lambda _state: {"said": interrupt("?")})
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    saver = MunimentSaver(admin, user_id=USER, namespace="much")
    compiled = graph.compile(checkpointer=saver)
    large = {f"tag{n}": "x" * 2000 for n in range(20)} | {"note": "y" * 5000}
    at: Any = config("t", user_id="ada") | {"metadata": large}
    compiled.invoke({"said": ""}, at)
    assert compiled.invoke(Command(resume="yes"), at) == {"said": "yes"}
    last, *_ = found = list(saver.list(at, filter={"source": "loop"}))
    assert len(found) == 2
    assert large.items() <= last.metadata.items()
    assert list(saver.list(at, filter={"note": None}, limit=1)) == []
    assert len(list(saver.list(at, filter={"absent": None}, limit=1))) == 1
    saver.delete_thread("t", user_id="ada")
    assert saver.get_tuple(at) is None
