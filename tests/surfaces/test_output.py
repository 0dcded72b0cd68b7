"""What the command line prints of what is stored: nothing that a terminal obeys or hides.

| stored | in a table, a field, a note | in a message | in JSON |
|---|---|---|---|
| controls (C0, DEL, C1) | escaped, but for newline and tab | escaped | escaped |
| bidirectional embeddings, overrides, isolates | escaped | escaped | escaped |
| marks of direction, zero width, tags, line separators | escaped | escaped | as they are |
| everything else, markup of Rich too | as it is | as it is | as it is |

| an error | in lines | as JSON |
|---|---|---|
| what was wrong, and where | a line each | `detail`, `errors` with pointers, `code` |
| what is told besides: what is left of a budget, the last step | a line each | under its name |
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest

from muniment.errors import BudgetSpent, Fault, InvalidInput
from muniment.surfaces.cli.output import say, show, show_error, show_rows
from muniment.surfaces.cli.visible import visible, visible_json

LAYOUT = "\n\t"
CASES = [
    # stored, shown where newline and tab stay
    ("plain", "plain"),
    ("Zoë, 東京, שלום, 🛶", "Zoë, 東京, שלום, 🛶"),
    ("[red]x[/] :boat: \\[", "[red]x[/] :boat: \\["),
    ("a\nb\tc", "a\nb\tc"),
    ("a\r\nb", "a\\x0d\nb"),
    ("\x1b[2J\x1b]0;t\x07", "\\x1b[2J\\x1b]0;t\\x07"),
    ("\x00\x08\x0b\x0c\x7f", "\\x00\\x08\\x0b\\x0c\\x7f"),
    ("\x85\x90\x9b31m\x9f", "\\x85\\x90\\x9b31m\\x9f"),
    ("\u202a\u202b\u202c\u202d\u202e", "\\u202a\\u202b\\u202c\\u202d\\u202e"),
    ("\u2066\u2067\u2068\u2069", "\\u2066\\u2067\\u2068\\u2069"),
    ("\u200e\u200f\u061c", "\\u200e\\u200f\\u061c"),
    ("a\u200bb\u200c\u200d\u2060\ufeff\u00ad", "a\\u200bb\\u200c\\u200d\\u2060\\ufeff\\xad"),
    ("\u2028\u2029", "\\u2028\\u2029"),
    ("\U000e0041", "\\U000e0041"),
    ("\udc9b", "\\udc9b"),
]
ID = UUID("00000000-0000-7000-8000-00000000000a")
OTHER = UUID("00000000-0000-7000-8000-00000000000b")
AT = datetime(2026, 5, 1, 10, 0, 0, 123456, tzinfo=UTC)


@dataclass(frozen=True)
class Row:
    """One of a list."""

    id: UUID
    text: str
    at: datetime = AT
    contested_by: tuple[UUID, ...] = ()


@dataclass(frozen=True)
class Marks:
    """A part of a result."""

    user: datetime | None


@dataclass(frozen=True)
class Listed:
    """A list with what goes with it."""

    items: tuple[Row, ...]
    next: str | None = None
    watermark: datetime | None = None
    marks: Marks = Marks(None)


COLUMNS = ("items.at", "items.text", "items.id", "items.contested_by?")


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "dumb")


@pytest.mark.parametrize(("stored", "shown"), CASES)
def test_visible(stored: str, shown: str) -> None:
    assert visible(stored, keep=LAYOUT) == shown
    assert visible(stored) == shown.replace("\n", "\\x0a").replace("\t", "\\x09")


def obeyed(text: str) -> list[str]:
    """The characters that a terminal acts on."""
    return [char for char in text if visible(char, keep=LAYOUT) != char]


@pytest.mark.parametrize(("stored", "shown"), CASES)
def test_every_way_out(stored: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    row = Row(ID, stored)
    show(Listed((row,), next=stored), COLUMNS, as_json=False)
    show(row, (), as_json=False)
    show_rows([row], as_json=False)
    say(stored)
    show_error(InvalidInput(stored, faults=[Fault(f"/{stored}", stored)]))
    printed, errors = capsys.readouterr()
    assert obeyed(printed + errors) == []
    assert errors.count("\n") == 2
    for piece in shown.split():
        assert printed.count(piece) >= 4
        assert errors.count(piece) == 3 or "\n" in stored or "\t" in stored


def test_an_error_with_what_is_told_besides(capsys: pytest.CaptureFixture[str]) -> None:
    left = {"steps_left": 0, "cost_left_usd": "1.50"}
    error = BudgetSpent("Over it.", faults=[Fault("/step", "is one too many")], extra=left)
    show_error(error)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "error: Over it.", "  /step: is one too many", "  steps left: 0", "  cost left usd: 1.50",
    ]  # fmt: skip
    show_error(error, as_json=True)
    faults = [{"pointer": "/step", "detail": "is one too many"}]
    told = {"code": "budget_spent", "detail": "Over it.", "errors": faults}
    assert json.loads(capsys.readouterr().err) == left | told


@pytest.mark.parametrize(
    ("stored", "written"),
    [
        ("\x1b", "\\u001b"),
        ("\x7f\x80\x9b\x9f", "\\u007f\\u0080\\u009b\\u009f"),
        ("\u202a\u202e", "\\u202a\\u202e"),
        ("\u2066\u2069", "\\u2066\\u2069"),
        ("ë \u200d 東", "ë \u200d 東"),
    ],
)
def test_json(stored: str, written: str, capsys: pytest.CaptureFixture[str]) -> None:
    show(Row(ID, stored), (), as_json=True)
    printed = capsys.readouterr().out
    assert f'"text":"{written}"' in printed
    assert json.loads(printed)["text"] == stored
    show_rows([Row(ID, stored)], as_json=True)
    assert f'"text":"{written}"' in capsys.readouterr().out
    assert visible_json('{"a":"b"}') == '{"a":"b"}'


def shown(
    capsys: pytest.CaptureFixture[str], rows: tuple[Row, ...], **more: Any
) -> list[list[str]]:
    """The words of each line of a list."""
    show(Listed(rows, **more), COLUMNS, as_json=False)
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    there = AT.astimezone(timezone(timedelta(hours=2)))
    assert shown(capsys, (Row(ID, "a"), Row(OTHER, "b", there))) == [
        ["at", "text", "id"],
        ["2026-05-01", "10:00Z", "a", str(ID)],
        ["2026-05-01", "10:00Z", "b", str(OTHER)],
    ]


def test_a_column_only_where_a_row_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    heads, first, second, third = shown(
        capsys, (Row(ID, "a", contested_by=(ID, OTHER)), Row(OTHER, "b"))
    )
    assert heads == ["at", "text", "id", "contested", "by"]
    assert (first[-1], second, third[-1]) == (str(ID), [str(OTHER)], "-")


@pytest.mark.parametrize("columns", ["1", "40", "70", "90", "120"])
def test_ids_and_times_are_whole(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    show(Listed((Row(ID, "word " * 60, contested_by=(OTHER,)),)), COLUMNS, as_json=False)
    printed = capsys.readouterr().out
    assert printed.count(str(ID)) == printed.count(str(OTHER)) == 1
    assert printed.count("2026-05-01 10:00Z") == 1 or "2026-05-01T10:00:00.123456Z" in printed


def test_what_can_be_given_back_is_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    cursor = "c" * 300
    lines = shown(capsys, (), next=cursor, watermark=AT, marks=Marks(AT))
    assert lines[1:] == [
        ["next:", cursor],
        ["watermark:", "2026-05-01T10:00:00.123456Z"],
        ["marks.user:", "2026-05-01T10:00:00.123456Z"],
    ]


def test_a_further_line_passes_for_no_field(capsys: pytest.CaptureFixture[str]) -> None:
    show(Row(ID, "a\nat  1999"), (), as_json=False)
    starts = [line.split(" ")[0] for line in capsys.readouterr().out.splitlines()]
    assert starts == ["id", "text", "", "at", "contested_by"]
