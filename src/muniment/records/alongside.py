"""Questions that go out with the next statement of a unit, and cost no round trip of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from uuid import UUID

from muniment.ports import Context
from muniment.records.scopes import scope_mark

T = TypeVar("T")


@dataclass
class Alongside(Generic[T]):
    """A question that is under way, and its answer once a statement took it along."""

    rows: Sequence[T] = ()
    answered: bool = field(default=False)

    def take(self, rows: Sequence[T]) -> None:
        """The answer, as it comes in."""
        self.rows, self.answered = rows, True


def ask_alongside(ctx: Context, row: type[T], query: str, **params: Any) -> Alongside[T]:
    """Ask together with the next statement."""
    asked: Alongside[T] = Alongside()
    ctx.unit.provided(row, query, asked.take, **params)
    return asked


async def answer_of(ctx: Context, scope_id: UUID, asked: Alongside[T]) -> Sequence[T]:
    """The answer. Where no statement took the question along, one goes out for it."""
    if not asked.answered:
        await scope_mark(ctx, scope_id)
    return asked.rows
