"""One user out of a service and into another: pages joined to lines, lines cut into pages."""

from collections.abc import AsyncIterator, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from json import JSONDecodeError, dumps, loads
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from muniment.client.client import AsyncClient, Client
from muniment.client.generated.imports import Imported
from muniment.client.paging import async_each, each
from muniment.errors import Fault, InvalidInput

Record = dict[str, Any]

_PAGE = 500
_PAGE_CHARACTERS = 1024 * 1024
_NAMES = UUID("6f0d8a1c-51a6-4c70-9a3e-6d756e696d65")


def export_user(client: Client, user_id: str) -> Iterator[Record]:
    """Every line of a fresh export, in order. Raises NotFound for a user who is not known."""
    made = client.exports.create(user_id=user_id)
    yield from each(client.exports.read, user_id=user_id, export_id=made.export_id)


async def export_user_async(client: AsyncClient, user_id: str) -> AsyncIterator[Record]:
    """The same for asyncio."""
    made = await client.exports.create(user_id=user_id)
    read = client.exports.read
    async for line in async_each(read, user_id=user_id, export_id=made.export_id):
        yield line


def import_user(
    client: Client, user_id: str, records: Iterable[Record], import_id: UUID
) -> Imported:
    """Take a user in, whole or not at all; again with the same ``import_id`` changes nothing."""
    sent = 0
    for page in pages(records):
        client.imports.upload(
            user_id=user_id,
            import_id=import_id,
            first=sent + 1,
            records=[dict(one) for one in page],
        )
        sent += len(page)
    if not sent:
        raise InvalidInput("There is no line to import.")
    return client.imports.commit(user_id=user_id, import_id=import_id, lines=sent)


async def import_user_async(
    client: AsyncClient, user_id: str, records: Iterable[Record], import_id: UUID
) -> Imported:
    """The same for asyncio."""
    sent = 0
    for page in pages(records):
        await client.imports.upload(
            user_id=user_id,
            import_id=import_id,
            first=sent + 1,
            records=[dict(one) for one in page],
        )
        sent += len(page)
    if not sent:
        raise InvalidInput("There is no line to import.")
    return await client.imports.commit(user_id=user_id, import_id=import_id, lines=sent)


def pages(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Records in calls of a bearable size."""
    page: list[Record] = []
    size = 0
    for record in records:
        length = len(dumps(record))
        if page and (len(page) == _PAGE or size + length > _PAGE_CHARACTERS):
            yield page
            page, size = [], 0
        page.append(record)
        size += length
    if page:
        yield page


def read_export(path: Path) -> Iterator[Record]:
    """Lines of a file. Raises InvalidInput naming the line that is no object of JSON."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                yield _object(number, line)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8"
        raise InvalidInput(f"{path}: {reason}.") from None


def import_id_of(path: Path, user_id: str) -> UUID:
    """The id of importing this file for this user: the same whenever it is tried."""
    digest = sha256()
    try:
        with path.open("rb") as content:
            while block := content.read(2**20):
                digest.update(block)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}.") from None
    return uuid5(_NAMES, f"{digest.hexdigest()} {user_id}")


def user_of(path: Path) -> str:
    """The user that the first line of an export names."""
    for record in islice(read_export(path), 1):
        if isinstance(record.get("user_id"), str):
            return str(record["user_id"])
    raise InvalidInput(f"{path}: the first line is not that of an export.")


def _object(number: int, line: str) -> Record:
    try:
        found = loads(line)
    except (JSONDecodeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        fault = Fault(f"/{number}", "is not an object of JSON")
        raise InvalidInput(f"Line {number} is not an object of JSON.", faults=[fault])
    return found
