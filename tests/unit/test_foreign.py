"""What other memories export (``client/foreign.py``, ``client/chatgpt.py``).

| in the file | read as |
|---|---|
| mem0: a list, ``results``, or lines | a memory each, its id, categories and agent in the metadata |
| LangGraph: prefix as text or list | the last part is the user; ``text``, ``content`` of the value, else the value as JSON |
| ChatGPT: a tree | the current branch, turns of user and assistant, what is hidden or of a tool left out |
| lines | a memory each |
| a time without an offset | UTC; a number: seconds since 1970 |
| anything else, anywhere | InvalidInput with the place of each fault, and nothing is read |
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.client.chatgpt import read_chatgpt
from muniment.client.foreign import ForeignMemory, read_langgraph, read_lines, read_mem0
from muniment.errors import InvalidInput

DAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
MEM0 = {
    "id": "m1", "memory": "Likes oat milk.", "user_id": "nora", "agent_id": None, "hash": "x",
    "metadata": {"a": 1}, "categories": ["food"], "created_at": "2026-05-04T02:00:00-07:00",
}  # fmt: skip
ITEM = {
    "prefix": "memories.nora", "key": "k1", "value": {"text": "Likes oat milk."},
    "created_at": "2026-05-04T09:00:00", "updated_at": "2026-05-05T09:00:00",
}  # fmt: skip
LINE = {
    "text": "Likes oat milk.",
    "user_id": "nora",
    "at": DAY.timestamp(),
    "kind": "user_preference",
}


def written(tmp_path: Path, content: Any, *, lines: bool = False) -> Path:
    file = tmp_path / "file"
    text = "\n".join(json.dumps(one) for one in content) + "\n" if lines else json.dumps(content)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("form", ["list", "results", "lines"])
def test_mem0(tmp_path: Path, form: str) -> None:
    content: Any = {"results": [MEM0]} if form == "results" else [MEM0]
    found = read_mem0(written(tmp_path, content, lines=form == "lines"), None)
    metadata = {"a": 1, "mem0_id": "m1", "categories": ["food"]}
    assert found == [ForeignMemory(1, "nora", "Likes oat milk.", "fact", DAY, metadata)]


@pytest.mark.parametrize(
    ("item", "user", "text"),
    [
        (ITEM, "nora", "Likes oat milk."),
        (ITEM | {"prefix": ["memories", "tomas"]}, "tomas", "Likes oat milk."),
        (ITEM | {"value": '{"content": "Likes tea."}'}, "nora", "Likes tea."),
        (ITEM | {"value": {"kind": "tea", "n": 2}}, "nora", 'k1: {"kind": "tea", "n": 2}'),
    ],
)
def test_langgraph(tmp_path: Path, item: dict[str, Any], user: str, text: str) -> None:
    (found,) = read_langgraph(written(tmp_path, [item]), None)
    assert (found.user_id, found.text, found.at) == (user, text, DAY)
    assert found.metadata == {"prefix": f"memories.{user}", "key": "k1"}


def test_lines(tmp_path: Path) -> None:
    found = read_lines(written(tmp_path, [LINE, {"text": "Has a cat."}], lines=True), "ann")
    assert found == [
        ForeignMemory(1, "ann", "Likes oat milk.", "user_preference", DAY, {}),
        ForeignMemory(2, "ann", "Has a cat."),
    ]


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (read_mem0, MEM0, {"memory": ""}),
        (read_mem0, MEM0, MEM0 | {"memory": None}),
        (read_mem0, MEM0, MEM0 | {"memory": "x" * 70_000}),
        (read_mem0, MEM0, MEM0 | {"user_id": None}),
        (read_mem0, MEM0, MEM0 | {"metadata": [1]}),
        (read_mem0, MEM0, MEM0 | {"created_at": "yesterday"}),
        (read_mem0, MEM0, MEM0 | {"created_at": True}),
        (read_mem0, MEM0, [1]),
        (read_langgraph, ITEM, ITEM | {"prefix": 3}),
        (read_langgraph, ITEM, ITEM | {"prefix": []}),
        (read_langgraph, ITEM, ITEM | {"key": None}),
        (read_langgraph, ITEM, ITEM | {"value": "no json"}),
        (read_langgraph, ITEM, ITEM | {"value": "[1]"}),
        (read_lines, LINE, LINE | {"trust": "user_stated"}),
        (read_lines, LINE, LINE | {"at": 1e300}),
        (read_lines, LINE, LINE | {"kind": 1}),
        (read_lines, LINE, LINE | {"user_id": "n" * 300}),
    ],
)
@pytest.mark.parametrize("lines", [True, False])
def test_a_fault_names_its_place_and_nothing_is_read(
    tmp_path: Path,
    read: Callable[[Path, str | None], list[ForeignMemory]],
    good: dict[str, Any],
    bad: Any,
    lines: bool,
) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(written(tmp_path, [good, bad, good, bad], lines=lines), None)
    assert [fault.pointer for fault in caught.value.faults] == ["/2", "/4"]
    assert "nothing was imported" in caught.value.detail


def test_a_line_that_is_no_json(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(json.dumps(MEM0) + "\n\n{oops\n")
    with pytest.raises(InvalidInput) as caught:
        read_mem0(file, None)
    assert [(one.pointer, one.message) for one in caught.value.faults] == [("/3", "is not JSON")]


@pytest.mark.parametrize("read", [read_mem0, read_langgraph, read_lines, read_chatgpt])
def test_a_file_that_is_none(tmp_path: Path, read: Callable[[Path, str], object]) -> None:
    with pytest.raises(InvalidInput):
        read(tmp_path / "nowhere", "u")
    (tmp_path / "broken").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput):
        read(tmp_path / "broken", "u")


def node(parent: str | None, role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    """A node of the tree, with its message."""
    message = {"author": {"role": role}, "content": {"content_type": "text", "parts": [*parts]}}
    return {"parent": parent, "children": [], "message": message | more}


def tree(**changes: Any) -> dict[str, Any]:
    """A conversation whose second question was edited: two branches."""
    mapping = {
        "root": {"parent": None, "children": ["sys"], "message": None},
        "sys": node("root", "system", "Be brief."),
        "q1": node("sys", "user", "Hello.", create_time=DAY.timestamp()),
        "a1": node("q1", "assistant", "Hi.", create_time=None),
        "q2": node("a1", "user", "Old question."),
        "t2": node("a1", "tool", "Looked up."),
        "q3": node("t2", "user", "New question.", {"asset_pointer": "image"}, create_time=DAY.timestamp() + 9.5),
        "h3": node("q3", "user", "Hidden.", metadata={"is_visually_hidden_from_conversation": True}),
        "a3": node("h3", "assistant", "New answer.", ""),
    }  # fmt: skip
    found = {
        "id": "c1",
        "title": "Tea",
        "create_time": DAY.timestamp(),
        "mapping": mapping,
        "current_node": "a3",
    }
    return found | changes


def test_chatgpt(tmp_path: Path) -> None:
    found = read_chatgpt(written(tmp_path, [tree(), tree(id="c2", current_node="q2")]), "nora")
    first, second = found.sessions
    assert (found.id, first.session_id, second.session_id) == ("nora", "c1", "c2")
    assert [(turn.number, turn.event().role, turn.content) for turn in first.turns] == [
        (0, "user", "Hello."),
        (1, "assistant", "Hi."),
        (2, "user", "New question."),
        (3, "assistant", "New answer."),
    ]
    assert [turn.content for turn in second.turns] == ["Hello.", "Hi.", "Old question."]
    times = [turn.at for turn in first.turns]
    assert times == sorted(set(times))
    assert (times[0], times[2].timestamp()) == (DAY, DAY.timestamp() + 9.5)


def test_chatgpt_without_a_current_node(tmp_path: Path) -> None:
    (session,) = read_chatgpt(written(tmp_path, [tree(current_node=None)]), "nora").sessions
    assert session.turns[-1].content == "New answer."


LOOP = {"a": {"parent": "b", "message": None}, "b": {"parent": "a", "message": None}}


@pytest.mark.parametrize(
    "bad",
    [
        1,
        {},
        tree(id=None),
        tree(mapping=[]),
        tree(mapping={"a3": 1}),
        tree(mapping=LOOP, current_node="a"),
        tree(current_node="nowhere"),
        tree(create_time="then"),
        tree(mapping={"a3": node(None, "user", "x" * 70_000)}),
    ],
)
def test_chatgpt_faults(tmp_path: Path, bad: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_chatgpt(written(tmp_path, [tree(), bad]), "nora")
    assert [fault.pointer for fault in caught.value.faults] == ["/2"]


def test_chatgpt_twice_the_same_id(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        read_chatgpt(written(tmp_path, [tree(), tree()]), "nora")
    with pytest.raises(InvalidInput):
        read_chatgpt(written(tmp_path, {"no": "list"}), "nora")
