"""Walks through families of operations, for a caller that takes an operation's name."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest

from muniment.client.models import (
    ReportedFinding,
    StoreGet,
    StoreKey,
    StoreListing,
    StorePut,
    StoreSearch,
    TaskWrite,
    ThreadValue,
)
from muniment.errors import Conflict, InvalidInput, NotFound


def analyses(call: Callable[..., Any]) -> None:
    """A report, and the plan that it leads to."""
    assert call("sources.define", name="d", aliases=["e"]) in call("sources.list").items
    assert all(one.user_id for one in call("users.list").items)
    place: dict[str, Any] = {"user_id": "nora", "data_source": "d"}
    found = ReportedFinding(text="Sales fell.", label="confirmatory")
    call("analysis.report", **place, session_id="may", findings=[found])
    assert call("analysis.plan", **place, question="What else?", mode="extend").findings


def files(call: Callable[..., Any]) -> None:
    """A file is written, moved, read and deleted; its versions stay."""
    place = {"user_id": "nora"}
    assert call("files.put", **place, path="a/b", content="Tea.").version == 1
    assert call("files.move", **place, path="a", to="c").files == 1
    assert call("files.get", **place, path="c/b").content == "Tea."
    assert [one.path for one in call("files.list", **place).items] == ["c/b"]
    assert call("files.delete", **place, path="c").files == 1
    assert len(call("files.history", **place, path="c/b").items) == 1


def documents(call: Callable[..., Any]) -> None:
    """A document of shared knowledge comes, is read and goes."""
    call("knowledge.put", source="d", version=1, title="Sheet", text="Forty days.")
    assert call("knowledge.list").items[0].title == call("knowledge.get", source="d").title
    assert call("knowledge.delete", source="d").chunks == 1
    assert not call("knowledge.proposals").items
    for name, more in (("proposal", {}), ("decide", {"decision": "reject"})):
        with pytest.raises(NotFound):
            call(f"knowledge.{name}", document_id=uuid4(), **more)


def contexts(call: Callable[..., Any]) -> None:
    """A context, and the way back from it."""
    asked: dict[str, Any] = {"user_id": "nora", "run_id": "walk", "step": 1}
    made = call("context.assemble", **asked, query="What fell?", data_source="d", mode="extend")
    assert made.sections
    logged = call("context.get", user_id="nora", context_id=made.context_id)
    found = call("memories.appearances", user_id="nora", id=logged.items[0].id)
    assert found.items[0].answer_id == made.context_id
    assert len(call("runs.explain", **asked).items) == len(logged.items)


def threads(call: Callable[..., Any]) -> None:
    """A thread of a graph: a checkpoint, what a task wrote, a copy, and the end of both."""
    at: dict[str, Any] = {"user_id": "nora", "thread_id": "t"}
    call("threads.put_pieces", **at, pieces=["eA=="])
    cut = ThreadValue(type="bytes", pieces=(sha256(b"x").hexdigest(),))
    call("threads.put", **at, checkpoint_id="1", state=cut)
    call("threads.put", **at, checkpoint_id="2", state=cut, parent_id="1")
    write = TaskWrite(place=0, channel="c", type="bytes", data="eA==")
    call("threads.put_writes", **at, checkpoint_id="1", task_id="k", writes=[write])
    assert call("threads.copy", **at, target_id="u").checkpoints == 2
    assert call("threads.get_pieces", **at, pieces=list(cut.pieces)).pieces[0].data == "eA=="
    assert call("threads.history", **at, channels=["c"]).items[0].writes
    assert call("threads.delete", user_id="nora", thread_ids=["t", "u"]).threads == 2
    assert not call("threads.list", user_id="nora").items


def items(call: Callable[..., Any]) -> None:
    """An item of the application's own is put, found, listed and deleted."""
    place: dict[str, Any] = {"path": ("notes",), "key": "tea"}
    call("store.write", user_id="nora", puts=[StorePut(**place, value={"text": "No milk."})])
    asked = {"searches": [StoreSearch(query="milk")], "listings": [StoreListing()]}
    read = call("store.read", user_id="nora", gets=[StoreGet(**place)], **asked)
    assert read.items[0].value == read.found[0].items[0].value == {"text": "No milk."}
    assert read.listed[0].paths == (("notes",),)
    assert call("store.write", user_id="nora", deletes=[StoreKey(**place)]).deleted == 1


def embeddings(call: Callable[..., Any]) -> None:
    """The static table alone is there: nothing to go over to, and nothing to stop."""
    shown = call("embeddings.get")
    assert (shown.state, shown.available) == ("settled", (shown.embedder,))
    with pytest.raises(InvalidInput):
        call("embeddings.re_embed", to="none")
    with pytest.raises(Conflict):
        call("embeddings.cancel")


def apart(call: Callable[..., Any]) -> None:
    """Every walk of this module."""
    analyses(call)
    documents(call)
    files(call)
    contexts(call)
    threads(call)
    items(call)
    embeddings(call)
