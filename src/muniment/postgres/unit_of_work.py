"""A transaction of one tenant: BEGIN, SET LOCAL and the first statements go in one round trip."""

import asyncio
import select
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

import psycopg
import structlog
from psycopg import AsyncCursor, sql
from psycopg import errors as pg
from psycopg.pq import TransactionStatus
from psycopg.rows import scalar_row, tuple_row

from muniment.errors import MunimentError, Overtaken
from muniment.ports import Sure, Unit, Units
from muniment.postgres.connection import Connection
from muniment.postgres.database_errors import translate
from muniment.postgres.pool import Pool
from muniment.postgres.queries import admin_queries, named_queries

T = TypeVar("T")

_UNDER_WAY = (TransactionStatus.INTRANS, TransactionStatus.INERROR)

_log = structlog.get_logger()


@lru_cache(maxsize=4096)
def _become(tenant_id: UUID) -> str:
    return sql.SQL(admin_queries()["become_tenant"]).format(str(tenant_id)).as_string()


@dataclass(frozen=True)
class _Condition:
    """A statement that goes out with the next one, and what looks at its rows."""

    row: type[Any]
    query: str
    params: Mapping[str, Any]
    check: Callable[[Any], None]
    sure: Sure | None


@dataclass(frozen=True)
class _Write:
    """A statement that goes out with the next one, once for each set of parameters."""

    query: str
    params: Sequence[Mapping[str, Any]]


class PostgresUnit:
    """Implements ``ports.Unit`` on one connection in autocommit, which this class begins."""

    def __init__(self, connection: Connection, tenant_id: UUID) -> None:
        self.connection = connection
        self._tenant_id = tenant_id
        self._begun = False
        self._waiting: list[_Condition | _Write] = []
        self._ahead: AsyncExitStack | None = None
        self._asked: list[tuple[_Condition, AsyncCursor[Any]]] = []
        self.wrote = False
        self.never_began = False
        self._actions: list[Callable[[], None]] = []
        self._regrets: list[Callable[[], None]] = []
        self._committing = False

    @property
    def tenant_id(self) -> UUID:
        return self._tenant_id

    def provided(
        self, row: type[T], query: str, check: Callable[[Sequence[T]], None],
        sure: Sure | None = None, /, **params: Any,
    ) -> None:  # fmt: skip
        self._waiting.append(_Condition(row, query, params, check, sure))

    async def ahead(self) -> None:
        if self._begun or not self._waiting:
            return
        self._begun = self.never_began = True
        self._ahead = AsyncExitStack()
        try:
            await self._ahead.enter_async_context(self.connection.pipeline())
            await self._send_begin()
            await self._send_waiting()
        except psycopg.Error:
            self.never_began = self.connection.closed
            raise

    async def one(self, row: type[T], query: str, /, **params: Any) -> T | None:
        cursor = await self._execute(row, query, params)
        return self._read(row, query, cursor, await cursor.fetchone())

    async def rows(self, row: type[T], query: str, /, **params: Any) -> list[T]:
        cursor = await self._execute(row, query, params)
        return self._read(row, query, cursor, await cursor.fetchall())

    async def value(self, query: str, /, **params: Any) -> Any:
        cursor = await self._execute(scalar_row, query, params)
        return self._read(scalar_row, query, cursor, await cursor.fetchone())

    async def run(self, query: str, /, **params: Any) -> int:
        self.wrote = True
        cursor = await self._execute(tuple_row, query, params)
        return self._read(tuple_row, query, cursor, cursor.rowcount)

    async def later(self, query: str, /, **params: Any) -> None:
        self.wrote = True
        self._waiting.append(_Write(query, [params]))

    async def many(self, query: str, params: Sequence[Mapping[str, Any]], /) -> None:
        if params:
            self.wrote = True
            self._waiting.append(_Write(query, params))

    @asynccontextmanager
    async def as_tenant(self, tenant_id: UUID) -> AsyncIterator[Unit]:
        await self.begin()
        own = self._tenant_id
        await self._be(tenant_id)
        try:
            yield self
            await self.begin()
        finally:
            if self.connection.info.transaction_status == TransactionStatus.INTRANS:
                await self._be(own)

    @asynccontextmanager
    async def undone(self) -> AsyncIterator[None]:
        await self.begin()
        before = list(self._actions)
        try:
            async with self.connection.transaction(force_rollback=True):
                yield
        finally:
            self._actions = before
            self._waiting = [one for one in self._waiting if isinstance(one, _Condition)]

    def after_commit(self, action: Callable[[], None]) -> None:
        self._actions.append(action)

    def after_rollback(self, action: Callable[[], None]) -> None:
        self._regrets.append(action)

    def regret(self) -> None:
        """Run what was asked for should nothing be committed, if that is certain."""
        regrets, self._regrets = self._regrets, []
        if not self._committing:
            for action in regrets:
                action()

    async def commit(self) -> None:
        """Commit, then run what was asked for after it."""
        sure = self._made_sure()
        if sure is None:
            await self.prove()
            if self._waiting and not self._begun:
                await self.begin()
        self._committing = True
        try:
            if self._waiting:
                async with self.connection.pipeline():
                    if not self._begun:
                        self._begun = True
                        await self._send_begin()
                    await self._send_waiting()
                    await self.connection.told(admin_queries()["commit"])
            elif self._begun:
                await self.connection.told(admin_queries()["commit"])
        except pg.DivisionByZero:
            for one in sure or ():
                one.lost()
            raise
        finally:
            # A statement that failed took the commit with it.
            status = self.connection.info.transaction_status
            self._committing = status != TransactionStatus.INERROR
        self.act()

    def _made_sure(self) -> list[Sure] | None:
        """Where nothing has gone out and the server can make sure of every condition, these: they
        wait as statements from now on, and all goes out whole. None elsewhere.

        A connection with something to say died while it waited, most likely. It is begun on first:
        what was lost then is known to be nothing.
        """
        if self._begun or not self._waiting or self.connection.closed or self._is_heard():
            return None
        sure, statements = list[Sure](), list[_Condition | _Write]()
        for one in self._waiting:
            if isinstance(one, _Write):
                statements.append(one)
            elif one.sure is None:
                return None
            else:
                sure.append(one.sure)
                statements.append(_Write(one.sure.query, [one.sure.params]))
        self._waiting = statements
        return sure

    def _is_heard(self) -> bool:
        heard = select.poll()
        heard.register(self.connection.fileno(), select.POLLIN)
        return bool(heard.poll(0))

    async def prove(self) -> None:
        """Ask for the conditions that went out with nothing so far, and look at what they say."""
        if self._ahead is not None or any(isinstance(one, _Condition) for one in self._waiting):
            await self.begin()

    def act(self) -> None:
        """Run what was asked for after the commit."""
        actions, self._actions = self._actions, []
        for action in actions:
            action()

    async def rollback(self) -> None:
        """Roll back what is still under way, if there is a connection left to say so on."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            # Whatever it says: it was asked for what did not come.
            with suppress(psycopg.Error):
                await ahead.aclose()
        if not self.connection.closed and self.connection.info.transaction_status in _UNDER_WAY:
            await self.connection.told(admin_queries()["rollback"])

    def _read(self, row: object, query: str, cursor: AsyncCursor[Any], found: T) -> T:
        """What was read of an answer; its cursor may run the same statement again."""
        self.connection.kept(query, row, cursor)
        return found

    async def _execute(
        self, row: object, query: str, params: Mapping[str, Any]
    ) -> AsyncCursor[Any]:
        cursor = self.connection.taken(query, row)
        if self._is_settled:
            await self._send(cursor, query, params)
        else:
            await self._together(lambda: self._send(cursor, query, params))
        return cursor

    async def _send(self, cursor: AsyncCursor[Any], query: str, params: Mapping[str, Any]) -> None:
        await cursor.execute(named_queries()[query], {"tenant_id": self._tenant_id, **params})

    @property
    def _is_settled(self) -> bool:
        """Whether it has begun, and nothing waits to be sent or to be read."""
        return self._begun and not self._waiting and self._ahead is None

    async def begin(self) -> None:
        """Begin, if that was not done, and ask for the conditions that went out with nothing."""
        if not self._is_settled:
            await self._together(None)

    async def _together(self, statement: Callable[[], Awaitable[None]] | None) -> None:
        """The begin, what waits in its order, a statement; what a condition raises comes first."""
        ahead, self._ahead = self._ahead, None
        begun, self._begun = self._begun, True
        self.never_began = not begun or ahead is not None
        try:
            async with ahead or self.connection.pipeline():
                if not begun:
                    await self._send_begin()
                await self._send_waiting()
                if statement is not None:
                    await statement()
            self.never_began = False
        finally:
            self.never_began &= self.connection.closed
            asked, self._asked = self._asked, []
            for one, cursor in asked:
                if cursor.pgresult is not None:
                    one.check(self._read(one.row, one.query, cursor, await cursor.fetchall()))

    async def _send_begin(self) -> None:
        await self.connection.told(admin_queries()["begin"])
        if self.connection.prepare_threshold is None:
            await self.connection.told(admin_queries()["plan_anew"])
        await self._be(self._tenant_id)

    async def _send_waiting(self) -> None:
        """Send what waits in its order; the cursors of conditions are asked from then on."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if isinstance(one, _Condition):
                cursor = self.connection.taken(one.query, one.row)
                self._asked.append((one, cursor))
                await self._send(cursor, one.query, one.params)
            elif len(one.params) == 1:
                await self._send(self.connection.cursor(binary=True), one.query, one.params[0])
            else:
                sets = [{"tenant_id": self._tenant_id, **params} for params in one.params]
                await self.connection.cursor().executemany(named_queries()[one.query], sets)

    async def _be(self, tenant_id: UUID) -> None:
        self._tenant_id = tenant_id
        await self.connection.told(_become(tenant_id), prepare=False)


class PostgresUnits:
    """Implements ``ports.Units`` on a pool."""

    following: Units | None = None

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._ending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def open(self, tenant_id: UUID, *, reading: bool = False) -> AsyncIterator[Unit]:
        """Open a transaction. Every driver error leaves as an error of the service."""
        unit = None
        try:
            connection = await self._pool.getconn()
            unit, handed_over = PostgresUnit(connection, tenant_id), False
            try:
                yield unit
                if reading and not unit.wrote:
                    await unit.prove()
                    unit.act()
                    self._end_later(unit)
                    handed_over = True
                else:
                    await unit.commit()
            except BaseException as error:
                unit.regret()
                if isinstance(error, MunimentError):
                    # Whatever else is wrong, it is said only to who may hear it.
                    await unit.prove()
                raise
            finally:
                if not handed_over:
                    await self._give_back(unit)
        except psycopg.Error as error:
            if unit is not None and unit.never_began:
                # The connection had died while it waited, as all of them do in a restart.
                await self._pool.check()
                raise Overtaken from error
            raise translate(error) from error

    def _end_later(self, unit: PostgresUnit) -> None:
        """Nothing was written, so no answer waits for the end of the transaction."""
        task = asyncio.create_task(self._end(unit))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _end(self, unit: PostgresUnit) -> None:
        try:
            await unit.commit()
        except psycopg.Error as error:
            _log.info("connection_lost_after_read", kind=type(error).__name__)
        finally:
            await self._give_back(unit)

    async def _give_back(self, unit: PostgresUnit) -> None:
        try:
            await unit.rollback()
        finally:
            await self._pool.putconn(unit.connection)

    async def ended(self) -> None:
        """Wait until every transaction has ended, before the pool is closed."""
        while self._ending:
            await asyncio.gather(*self._ending)
