"""What the command line shows: tables for people, JSON for programs."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from muniment.errors import MunimentError
from muniment.surfaces.json_text import dump_json


def show_error(error: MunimentError) -> None:
    """One line, and one for each field that is at fault."""
    typer.echo(f"error: {error.detail}", err=True)
    for fault in error.faults:
        typer.echo(f"  {fault.pointer or '/'}: {fault.message}", err=True)


def show(result: Any, columns: Sequence[str], *, as_json: bool) -> None:
    """A result: the columns of its list as a table, or its fields; as JSON when asked."""
    if as_json:
        typer.echo(dump_json(result).decode())
        return
    console = Console()
    if columns:
        _list(console, result, columns)
    else:
        _fields(console, result)


def show_rows(rows: Sequence[Any], *, as_json: bool) -> None:
    """Dataclasses of one type as a table, a row each."""
    if as_json or not rows:
        typer.echo(dump_json(list(rows)).decode())
        return
    names = [one.name for one in fields(rows[0])]
    table = _table(names)
    for row in rows:
        table.add_row(*[_text(getattr(row, name)) for name in names])
    Console().print(table)


def _list(console: Console, result: Any, columns: Sequence[str]) -> None:
    place = columns[0].partition(".")[0]
    names = [column.partition(".")[2] for column in columns]
    table = _table(names)
    for row in getattr(result, place):
        table.add_row(*[_text(getattr(row, name)) for name in names])
    console.print(table)
    rest = [one.name for one in fields(result) if one.name != place]
    notes = [f"{name}: {_text(value)}" for name in rest if (value := getattr(result, name))]
    if notes:
        console.print("  ".join(notes), style="dim", markup=False, highlight=False)


def _table(names: Iterable[str]) -> Table:
    """Columns that fold: an id or a secret that ends in an ellipsis is lost."""
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name.replace("_", " "), overflow="fold")
    return table


def _fields(console: Console, result: Any) -> None:
    """A field a line, never broken: what is copied from it, a secret above all, is whole."""
    rows = list(_flat(result))
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        console.print(f"{name:<{width}}  {_text(value)}", soft_wrap=True, highlight=False)


def _flat(result: Any, prefix: str = "") -> Iterable[tuple[str, Any]]:
    for one in fields(result):
        value = getattr(result, one.name)
        if is_dataclass(value):
            yield from _flat(value, f"{prefix}{one.name}.")
        else:
            yield f"{prefix}{one.name}", value


def _text(value: Any) -> str:
    """A value in a cell; Rich must not read markup into it."""
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(_text(item) for item in value) or "-"
    if isinstance(value, str):
        return value.replace("[", r"\[")
    return dump_json(value).decode().strip('"')
