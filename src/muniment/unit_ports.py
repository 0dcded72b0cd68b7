"""What the core asks of transactions. ``ports`` has these by name too."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from uuid import UUID

T = TypeVar("T")


@dataclass(frozen=True)
class Sure:
    """A statement that fails in the server unless a condition holds: it divides by the number of
    rows for which it does. ``lost`` is called where it may not have.
    """

    query: str
    params: Mapping[str, Any]
    lost: Callable[[], None]


class Unit(Protocol):
    """One transaction of one tenant. Statements are named queries of ``postgres/sql``.

    Rows come back as instances of the dataclass given, whose fields the columns must match.
    Every statement gets the parameter ``tenant_id`` by itself.
    """

    @property
    def tenant_id(self) -> UUID: ...

    def provided(
        self, row: type[T], query: str, check: Callable[[Sequence[T]], None],
        sure: Sure | None = None, /, **params: Any,
    ) -> None:  # fmt: skip
        """A statement that goes out with the next one of this unit. ``check`` sees its rows before
        what the other answers, and before a commit; what it raises ends the unit.

        A unit that only writes goes out whole, in one round trip with its commit, where the server
        can make ``sure`` of each of its conditions. It raises Overtaken where one does not hold.
        """

    async def ahead(self) -> None:
        """Begin and send what waits, if nothing was sent: the database works on it meanwhile. What
        it answers is looked at with the next statement.
        """

    async def one(self, row: type[T], query: str, /, **params: Any) -> T | None:
        """The first row, or None."""

    async def rows(self, row: type[T], query: str, /, **params: Any) -> list[T]:
        """Every row."""

    async def value(self, query: str, /, **params: Any) -> Any:
        """The first column of the first row, or None."""

    async def run(self, query: str, /, **params: Any) -> int:
        """Run a statement; the number of rows that it touched."""

    async def later(self, query: str, /, **params: Any) -> None:
        """Run a statement in the round trip of the next one, or of the commit."""

    async def many(self, query: str, params: Sequence[Mapping[str, Any]], /) -> None:
        """The same once for each set of parameters."""

    def as_tenant(self, tenant_id: UUID) -> AbstractAsyncContextManager["Unit"]:
        """The same transaction acting for another tenant, for operators who make one."""

    def undone(self) -> AbstractAsyncContextManager[None]:
        """What happens inside is taken back at its end, as a dry run needs it."""

    def after_commit(self, action: Callable[[], None]) -> None:
        """Call ``action`` once the transaction has committed."""

    def after_rollback(self, action: Callable[[], None]) -> None:
        """Call ``action`` if the transaction is taken back; not where that is uncertain."""


class Units(Protocol):
    """Opens transactions: committed when the block ends, rolled back when it raises.

    ``reading``: where nothing was written, the block does not wait for the transaction's end.
    """

    @property
    def following(self) -> "Units | None":
        """The same on a server that follows this one and may be behind, if one is to be read."""

    def open(
        self, tenant_id: UUID, *, reading: bool = False
    ) -> AbstractAsyncContextManager[Unit]: ...
