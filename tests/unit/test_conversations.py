"""Conversations in files (the format of ``client/conversations.py``).

| in the file | read as |
|---|---|
| a time without an offset | UTC |
| a turn without a time | the session's start and its place, in seconds |
| an image's caption | behind the text, in brackets |
| a speaker with the name of a role | that role, unless everybody is a person |
| a line that is not in the format | InvalidInput that names the line |
"""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.client.conversations import Conversation, read_conversations
from muniment.errors import InvalidInput

START = "2023-05-08T13:56:00"


def line(**changes: Any) -> dict[str, Any]:
    turns = [
        {"turn_id": "D1:1", "speaker": "Ann", "text": "Hello."},
        {"turn_id": "D1:2", "speaker": "Bo", "text": "Hi.", "image_caption": "a red barn"},
    ]
    session = {"session_id": "s1", "started_at": START, "turns": turns}
    found: dict[str, Any] = {
        "id": "c1",
        "speakers": ["Ann", "Bo"],
        "sessions": [session],
        "questions": [{"id": "q1", "text": "Who?"}],
    }
    return found | changes


def session(**changes: Any) -> dict[str, Any]:
    """A conversation whose session is changed."""
    found = line()
    found["sessions"][0] |= changes
    return found


def turn(**changes: Any) -> dict[str, Any]:
    """A conversation whose first turn is changed."""
    found = line()
    found["sessions"][0]["turns"][0] |= changes
    return found


def written(place: Path, *lines: Any) -> Path:
    file = place / "conversations.jsonl"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return file


def only(place: Path, document: Any) -> Conversation:
    (found,) = read_conversations(written(place, document))
    return found


def test_a_conversation(tmp_path: Path) -> None:
    found = only(tmp_path, line())
    assert (found.id, found.questions) == ("c1", ({"id": "q1", "text": "Who?"},))
    (read,) = found.sessions
    assert read.session_id == "s1"
    assert [(t.turn_id, t.number, t.speaker, t.content) for t in read.turns] == [
        ("D1:1", 0, "Ann", "Hello."),
        ("D1:2", 1, "Bo", "Hi. [image: a red barn]"),
    ]


def test_turns_without_a_time_keep_their_order(tmp_path: Path) -> None:
    first, second = only(tmp_path, line()).sessions[0].turns
    assert first.at == datetime.fromisoformat(f"{START}+00:00")
    assert second.at - first.at == timedelta(seconds=1)


@pytest.mark.parametrize(
    ("written_as", "instant"),
    [
        ("2023-05-08T13:56:00", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08T13:56:00+02:00", "2023-05-08T11:56:00+00:00"),
        ("2023-05-08", "2023-05-08T00:00:00+00:00"),
    ],
)
def test_times(tmp_path: Path, written_as: str, instant: str) -> None:
    for document in (session(started_at=written_as), turn(at=written_as)):
        found = only(tmp_path, document).sessions[0].turns[0]
        assert found.at == datetime.fromisoformat(instant)


@pytest.mark.parametrize(
    ("speaker", "role"),
    [
        ("Ann", "user"),
        ("user", "user"),
        ("human", "user"),
        ("assistant", "assistant"),
        (" Assistant ", "assistant"),
        ("AI", "assistant"),
        ("bot", "assistant"),
        ("agent", "assistant"),
        ("tool", "tool"),
        ("system", "external"),
        ("external", "external"),
        ("operator", "user"),
    ],
)
def test_roles(tmp_path: Path, speaker: str, role: str) -> None:
    found = only(tmp_path, turn(speaker=speaker)).sessions[0].turns[0]
    assert (found.event().role, found.event(as_people=True).role) == (role, "user")
    assert found.event().name == speaker


def test_an_event_has_what_the_turn_has(tmp_path: Path) -> None:
    found = only(tmp_path, turn(at="2023-05-08T14:00:00Z")).sessions[0].turns[0]
    event = found.event()
    assert (event.turn, event.content, event.name) == (0, "Hello.", "Ann")
    assert event.occurred_at == datetime.fromisoformat("2023-05-08T14:00:00+00:00")
    nobody = only(tmp_path, turn(speaker="")).sessions[0].turns[0]
    assert nobody.event().name is None


@pytest.mark.parametrize(
    ("turns", "sizes"),
    [(0, []), (1, [1]), (200, [200]), (201, [200, 1]), (450, [200, 200, 50])],
)
def test_batches(tmp_path: Path, turns: int, sizes: list[int]) -> None:
    many = [{"turn_id": str(n), "speaker": "Ann", "text": "x"} for n in range(turns)]
    (read,) = only(tmp_path, session(turns=many)).sessions
    assert [len(batch) for batch in read.batches()] == sizes
    assert [one.turn_id for batch in read.batches() for one in batch] == [
        str(n) for n in range(turns)
    ]


def test_several_and_empty_lines(tmp_path: Path) -> None:
    file = tmp_path / "f.jsonl"
    file.write_text(f"\n{json.dumps(line())}\n  \n{json.dumps(line(id='c2'))}", encoding="utf-8")
    assert [one.id for one in read_conversations(file)] == ["c1", "c2"]


def test_a_line_ends_where_lines_end(tmp_path: Path) -> None:
    text = "one\u2028two\u0085three\x0bfour"
    file = tmp_path / "f.jsonl"
    file.write_text(json.dumps(turn(text=text), ensure_ascii=False), encoding="utf-8")
    (found,) = read_conversations(file)
    assert found.sessions[0].turns[0].content == text


def test_questions_are_optional(tmp_path: Path) -> None:
    document = line()
    del document["questions"]
    assert only(tmp_path, document).questions == ()


def without(document: dict[str, Any], *path: Any) -> dict[str, Any]:
    table: Any = document
    for part in path[:-1]:
        table = table[part]
    del table[path[-1]]
    return document


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "is not in the format"),
        ("x", "is not in the format"),
        (7, "is not in the format"),
        (None, "is not in the format"),
        ({}, "lacks 'id'"),
        (without(line(), "sessions"), "lacks 'sessions'"),
        (without(line(), "sessions", 0, "session_id"), "lacks 'session_id'"),
        (without(line(), "sessions", 0, "started_at"), "lacks 'started_at'"),
        (without(line(), "sessions", 0, "turns"), "lacks 'turns'"),
        (without(line(), "sessions", 0, "turns", 0, "turn_id"), "lacks 'turn_id'"),
        (without(line(), "sessions", 0, "turns", 0, "speaker"), "lacks 'speaker'"),
        (without(line(), "sessions", 0, "turns", 0, "text"), "lacks 'text'"),
        (line(sessions=None), "is not in the format"),
        (line(sessions=7), "is not in the format"),
        (line(sessions=["x"]), "is not in the format"),
        (line(questions=None), "is not in the format"),
        (session(turns={"a": 1}), "is not in the format"),
        (session(started_at=None), "is not in the format"),
        (session(started_at=7), "is not in the format"),
        (session(started_at="8 May"), "is not in the format"),
        (session(started_at="9999-12-31T23:59:59"), "is not in the format"),
        (turn(text=None), "is not in the format"),
        (turn(text=["x"]), "is not in the format"),
        (turn(speaker=None), "is not in the format"),
        (turn(image_caption=7), "is not in the format"),
        (turn(at="yesterday"), "is not in the format"),
        (turn(at=1683554160), "is not in the format"),
    ],
)
def test_what_is_not_in_the_format(tmp_path: Path, document: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=r"^Line 2 is not a conversation") as caught:
        list(read_conversations(written(tmp_path, line(), document)))
    assert [(one.pointer, one.message) for one in caught.value.faults] == [("/2", said)]


@pytest.mark.parametrize("text", ["{", "nul", "[" * 100_000, '{"id": "a"} {}'])
def test_what_is_not_json(tmp_path: Path, text: str) -> None:
    file = tmp_path / "f.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"^Line 1 is not a conversation"):
        list(read_conversations(file))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No such file"):
        list(read_conversations(tmp_path / "none.jsonl"))
    with pytest.raises(InvalidInput, match="Is a directory"):
        list(read_conversations(tmp_path))
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes('{"id": "é"}'.encode("latin-1"))
    with pytest.raises(InvalidInput, match="is not UTF-8"):
        list(read_conversations(latin))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "turns", "text", "k"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(JSON, st.sampled_from(["id", "sessions", "session_id", "started_at", "turns", "text", "at"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_line_is_a_conversation_or_refused(tmp_path: Path, value: Any, name: str) -> None:
    for document in (value, line(**{name: value}), session(**{name: value}), turn(**{name: value})):
        try:
            found = only(tmp_path, document)
        except InvalidInput:
            continue
        assert isinstance(found.id, str)
