"""What the command line shows: tables for people, JSON for programs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any, TextIO, TypeVar
from uuid import UUID

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from muniment.errors import MunimentError
from muniment.surfaces.cli.visible import visible, visible_json
from muniment.surfaces.json_text import dump_json

EXIT_USAGE = 2
_T = TypeVar("_T")
# A column that folds gets at least this, or what it needs. Where there is no room: no table.
_NARROWEST = 16
_LAYOUT = "\n\t"


class Output:
    """Standard output that remembers the error of a write: others may be of any file."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def write(self, text: str) -> int:
        """Write, as the stream does."""
        return self._watched(lambda: self._stream.write(text))

    def flush(self) -> None:
        """Flush, as the stream does."""
        self._watched(self._stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _watched(self, act: Callable[[], _T]) -> _T:
        try:
            return act()
        except OSError as error:
            self.error = error
            raise


def say(text: str, *, error: bool = False) -> None:
    """A line."""
    typer.echo(visible(text), err=error)


def show_error(error: MunimentError, *, as_json: bool = False) -> None:
    """One line, one for each field that is at fault, and one for each thing that is told besides;
    or the same as a line of JSON.
    """
    if as_json:
        faults = [{"pointer": one.pointer, "detail": one.message} for one in error.faults]
        told = {"code": error.code, "detail": error.detail, "errors": faults}
        typer.echo(_json(error.extra | told), err=True)
        return
    say(f"error: {error.detail}", error=True)
    for fault in error.faults:
        say(f"  {fault.pointer or '/'}: {fault.message}", error=True)
    for name, value in error.extra.items():
        said = value if isinstance(value, str) else dump_json(value).decode()
        say(f"  {name.replace('_', ' ')}: {said}", error=True)


def show(result: Any, columns: Sequence[str], *, as_json: bool) -> None:
    """A result: the columns of its list as a table, or its fields; as JSON when asked."""
    if as_json:
        typer.echo(_json(result))
        return
    console = Console()
    if columns:
        _list(console, result, columns)
    else:
        _fields(console, list(_flat(result)))


def show_rows(rows: Sequence[Any], *, as_json: bool) -> None:
    """Dataclasses of one type as a table, a row each."""
    if as_json or not rows:
        typer.echo(_json(list(rows)))
        return
    _rows(Console(), [one.name for one in fields(rows[0])], rows)


def _list(console: Console, result: Any, columns: Sequence[str]) -> None:
    place = columns[0].partition(".")[0]
    rows = getattr(result, place)
    asked = [column.partition(".")[2] for column in columns]
    names = [
        name.removesuffix("?")
        for name in asked
        if not name.endswith("?") or any(getattr(row, name[:-1]) for row in rows)
    ]
    _rows(console, names, rows)
    for name, value in _flat(result):
        if value and name != place:
            # Never broken: a cursor or a watermark is there to be given back.
            note = Text(f"{name}: {_text(value)}", style="dim")
            console.print(note, soft_wrap=True, highlight=False)


def _rows(console: Console, names: Sequence[str], rows: Sequence[Any]) -> None:
    """A table; where it does not fit, each row by itself."""
    columns = {name: [getattr(row, name) for row in rows] for name in names}
    whole = {name for name, values in columns.items() if any(map(_is_whole, values))}
    table = Table(box=None, pad_edge=False)
    least = len(names) - 1
    for name, values in columns.items():
        title = name.replace("_", " ")
        table.add_column(title, overflow="fold", no_wrap=name in whole)
        width = max(map(_width, (title, *map(_cell, values))))
        least += width if name in whole else min(width, _NARROWEST)
    if least <= console.width:
        for row in rows:
            table.add_row(*[Text(_cell(getattr(row, name))) for name in names])
        console.print(table)
        return
    for row in rows:
        _fields(console, [(name, getattr(row, name)) for name in names])
        console.print()


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _fields(console: Console, found: Sequence[tuple[str, Any]]) -> None:
    """A field a line, never broken: what is copied from it, a secret above all, is whole."""
    width = max(len(name) for name, _ in found)
    margin = "\n" + " " * (width + 2)
    for name, value in found:
        # Further lines of a text stand to the right: none can pass for a field.
        line = Text(f"{name:<{width}}  {_text(value)}".replace("\n", margin))
        console.print(line, soft_wrap=True, highlight=False)


def _flat(result: Any, prefix: str = "") -> Iterable[tuple[str, Any]]:
    for one in fields(result):
        value = getattr(result, one.name)
        if is_dataclass(value):
            yield from _flat(value, f"{prefix}{one.name}.")
        else:
            yield f"{prefix}{one.name}", value


def _is_whole(value: Any) -> bool:
    """Whether a value is of no use in pieces: ids and times."""
    if isinstance(value, tuple):
        return any(map(_is_whole, value))
    return isinstance(value, UUID | datetime)


def _cell(value: Any) -> str:
    """As ``_text``, made to fit a column: times to the minute, an id a line."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%MZ")
    if isinstance(value, tuple) and _is_whole(value):
        return "\n".join(map(_cell, value))
    return _text(value)


def _text(value: Any) -> str:
    """A value for people, with nothing in it that a terminal obeys."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(_text(item) for item in value) or "-"
    if isinstance(value, str):
        return visible(value, keep=_LAYOUT)
    if isinstance(value, datetime):
        value = value.astimezone(UTC)
    return visible(dump_json(value).decode().strip('"'))


def _json(value: Any) -> str:
    return visible_json(dump_json(value).decode())
