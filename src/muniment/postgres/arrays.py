"""Lists of ids and of instants on the wire: written at once, where the driver writes each of them
and looks through it for what has to be quoted.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.abc import Buffer
from psycopg.types.array import ListDumper


class _Lists(ListDumper):
    def dump(self, obj: list[Any]) -> Buffer | None:
        kinds = set(map(type, obj))
        if kinds == {UUID}:
            return b"{%b}" % ",".join([one.hex for one in obj]).encode()
        if kinds == {datetime}:
            return b'{"%b"}' % '","'.join(map(str, obj)).encode()
        return super().dump(obj)


def register_lists(connection: AsyncConnection[Any]) -> None:
    """Teach a connection to send them so."""
    connection.adapters.register_dumper(list, _Lists)
