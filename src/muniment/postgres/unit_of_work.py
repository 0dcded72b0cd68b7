"""A transaction of one tenant: BEGIN, SET LOCAL and the first statement go in one round trip."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, AsyncCursor, sql
from psycopg.pq import TransactionStatus
from psycopg.rows import BaseRowFactory, TupleRow, class_row, scalar_row, tuple_row

from muniment.ports import Unit
from muniment.postgres.database_errors import translate
from muniment.postgres.pool import Pool
from muniment.postgres.queries import admin_queries, named_queries

T = TypeVar("T")


class PostgresUnit:
    """Implements ``ports.Unit`` on one connection in autocommit, which this class begins."""

    def __init__(self, connection: AsyncConnection[TupleRow], tenant_id: UUID) -> None:
        self.connection = connection
        self._tenant_id = tenant_id
        self._begun = False
        self._actions: list[Callable[[], None]] = []

    @property
    def tenant_id(self) -> UUID:
        return self._tenant_id

    async def one(self, row: type[T], query: str, /, **params: Any) -> T | None:
        cursor = await self._execute(class_row(row), query, params)
        return await cursor.fetchone()

    async def rows(self, row: type[T], query: str, /, **params: Any) -> list[T]:
        cursor = await self._execute(class_row(row), query, params)
        return await cursor.fetchall()

    async def value(self, query: str, /, **params: Any) -> Any:
        cursor = await self._execute(scalar_row, query, params)
        return await cursor.fetchone()

    async def run(self, query: str, /, **params: Any) -> int:
        cursor = await self._execute(tuple_row, query, params)
        return cursor.rowcount

    async def many(self, query: str, params: Sequence[Mapping[str, Any]], /) -> None:
        if not params:
            return
        await self._begin()
        async with self.connection.cursor() as cursor:
            await cursor.executemany(
                named_queries()[query],
                [{"tenant_id": self._tenant_id, **one} for one in params],
            )

    @asynccontextmanager
    async def as_tenant(self, tenant_id: UUID) -> AsyncIterator[Unit]:
        await self._begin()
        own = self._tenant_id
        await self._be(tenant_id)
        try:
            yield self
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

    def after_commit(self, action: Callable[[], None]) -> None:
        self._actions.append(action)

    async def commit(self) -> None:
        """Commit, then run what was asked for after it."""
        if self._begun:
            await self.connection.execute(admin_queries()["commit"])
        for action in self._actions:
            action()

    async def rollback(self) -> None:
        """Roll back if there is a connection left to say so on."""
        if self._begun and not self.connection.closed and not self.connection.broken:
            await self.connection.execute(admin_queries()["rollback"])

    async def _execute(
        self, factory: BaseRowFactory[T], query: str, params: Mapping[str, Any]
    ) -> AsyncCursor[T]:
        statement = named_queries()[query]
        params = {"tenant_id": self._tenant_id, **params}
        cursor: AsyncCursor[T] = self.connection.cursor(row_factory=factory, binary=True)
        if self._begun:
            await cursor.execute(statement, params)
            return cursor
        async with self.connection.pipeline():
            await self._begin()
            await cursor.execute(statement, params)
        return cursor

    async def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            await self.connection.execute(admin_queries()["begin"])
            await self._be(self._tenant_id)

    async def _be(self, tenant_id: UUID) -> None:
        self._tenant_id = tenant_id
        await self.connection.execute(
            sql.SQL(admin_queries()["become_tenant"]).format(str(tenant_id))
        )


class PostgresUnits:
    """Implements ``ports.Units`` on a pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @asynccontextmanager
    async def open(self, tenant_id: UUID) -> AsyncIterator[Unit]:
        """Open a transaction. Every driver error leaves as an error of the service."""
        try:
            async with self._pool.connection() as connection:
                unit = PostgresUnit(connection, tenant_id)
                try:
                    yield unit
                    await unit.commit()
                except BaseException:
                    await unit.rollback()
                    raise
        except psycopg.Error as error:
            raise translate(error) from error
