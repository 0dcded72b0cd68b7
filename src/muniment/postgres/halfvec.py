"""pgvector's halfvec on the wire: 16-bit big-endian floats behind a header of two int16."""

import struct

from psycopg import AsyncConnection
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.rows import TupleRow
from psycopg.types import TypeInfo

from muniment.ports import HalfVector


class _HalfVectorDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: HalfVector) -> Buffer:
        return struct.pack(">HH", len(obj) // 2, 0) + obj


class _HalfVectorLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return bytes(data)[4:]


async def register_halfvec(connection: AsyncConnection[TupleRow]) -> None:
    """Teach a connection to send HalfVector and to receive halfvec as raw big-endian float16."""
    info = await TypeInfo.fetch(connection, "halfvec")
    if info is None:
        return
    # So that a list of them is sent as an array.
    info.register(connection)
    dumper = type("_Dumper", (_HalfVectorDumper,), {"oid": info.oid})
    connection.adapters.register_dumper(HalfVector, dumper)
    connection.adapters.register_loader(info.oid, _HalfVectorLoader)
