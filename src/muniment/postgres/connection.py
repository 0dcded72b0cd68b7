"""A connection that keeps the cursors of its statements.

For a new cursor the driver looks up a loader for each column and a dumper for each parameter, which
takes as long as a small statement does. One that runs the same text again has them still.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from operator import itemgetter
from typing import Any, TypeVar

from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import TupleRow, class_row, tuple_row

from muniment.domain.latest import Latest

T = TypeVar("T")

_KEPT = 100
_MOST_BYTES = 65_536
"""A cursor holds its last answer: one that takes about as much or more is not kept."""


class RowsOf:
    """A row factory of one cursor that runs one statement: its columns are looked at once.

    As ``psycopg.rows.class_row``: columns are given by their names.
    """

    def __init__(self, row: type[Any]) -> None:
        self._row = row
        self._columns = -1
        self._make: Callable[[Sequence[Any]], Any] = tuple

    def __call__(self, cursor: AsyncCursor[Any]) -> Callable[[Sequence[Any]], Any]:
        result = cursor.pgresult
        columns = 0 if result is None else result.nfields
        if columns != self._columns:
            self._make = _by_place(self._row, cursor) or class_row(self._row)(cursor)
            self._columns = columns
        return self._make


def _by_place(row: type[Any], cursor: AsyncCursor[Any]) -> Callable[[Sequence[Any]], Any] | None:
    """Make a row without names, where the columns are the first fields of a dataclass."""
    names = [column.name for column in cursor.description or ()]
    if len(names) < 2 or not is_dataclass(row):
        return None
    first = [field.name for field in fields(row) if field.init and not field.kw_only][: len(names)]
    if names == first:
        return lambda values: row(*values)
    if sorted(names) != sorted(first):
        return None
    in_order = itemgetter(*(names.index(name) for name in first))
    return lambda values: row(*in_order(values))


def _size_of(cursor: AsyncCursor[Any]) -> int:
    """Bytes of an answer whose rows are as long as the first."""
    result = cursor.pgresult
    if result is None or not result.ntuples:
        return 0
    values = (result.get_value(0, at) for at in range(result.nfields))
    return result.ntuples * sum(len(value) for value in values if value is not None)


class Connection(AsyncConnection[TupleRow]):
    """Hands out a cursor for a statement, and takes it back when its answer was read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept: Latest[tuple[str, Any], AsyncCursor[Any]] = Latest(_KEPT)

    def taken(self, query: str, row: Any) -> AsyncCursor[Any]:
        """A cursor for one statement and what its rows become: a dataclass, or a row factory."""
        cursor = self._kept.pop((query, row), None)
        if cursor is None:
            factory = RowsOf(row) if isinstance(row, type) else row
            cursor = self.cursor(row_factory=factory, binary=True)
        return cursor

    async def told(self, text: str, *, prepare: bool | None = None) -> None:
        """Run a statement without parameters and rows, such as BEGIN."""
        cursor = self.taken(text, tuple_row)
        await cursor.execute(text, prepare=prepare)
        self.kept(text, tuple_row, cursor)

    def kept(self, query: str, row: Any, cursor: AsyncCursor[Any]) -> None:
        """Keep a cursor whose answer was read."""
        if _size_of(cursor) < _MOST_BYTES:
            self._kept.put((query, row), cursor)
