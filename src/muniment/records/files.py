"""Versions of files, under the lock of their scope."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.errors import Conflict, StaleVersion
from muniment.ports import Context, ScopeMark
from muniment.records.usage import add_usage

MOST_VERSIONS = 100
"""As many of a file are kept; those before go when another one comes."""


@dataclass(frozen=True)
class FileRow:
    """A version of a file."""

    path: str
    version: int
    content: str
    agent_id: str | None
    written_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class EndedFile:
    """What a file said when it ended."""

    path: str
    content: str
    agent_id: str | None


@dataclass(frozen=True)
class _Thinned:
    size: int


async def find_file(
    ctx: Context, scope_id: UUID, path: str, version: int | None = None
) -> FileRow | None:
    """What a file says, or said in a version."""
    if version is None:
        return await ctx.unit.one(FileRow, "file_current", scope_id=scope_id, path=path)
    return await ctx.unit.one(
        FileRow, "file_at_version", scope_id=scope_id, path=path, version=version
    )


async def write_file(
    ctx: Context,
    mark: ScopeMark,
    path: str,
    content: str,
    *,
    agent_id: str | None,
    if_version: int | None = None,
) -> int:
    """The next version of a file, which ends the one before. Raises StaleVersion where another
    than ``if_version`` is there.
    """
    held = await find_file(ctx, mark.scope_id, path)
    version = 0 if held is None else held.version
    if if_version is not None and if_version != version:
        raise StaleVersion(extra={"version": version})
    if held is not None:
        await end_files(ctx, mark, path)
    last = await ctx.unit.value("file_last", scope_id=mark.scope_id, path=path)
    version = int(last or 0) + 1
    size = len(path.encode()) + len(content.encode())
    await ctx.unit.run(
        "file_insert",
        scope_id=mark.scope_id,
        path=path,
        version=version,
        content=content,
        size=size,
        agent_id=agent_id,
        key_id=ctx.caller.key_id,
        at=mark.watermark,
    )
    gone = await ctx.unit.rows(
        _Thinned,
        "file_thin",
        scope_id=mark.scope_id,
        path=path,
        upto=version - MOST_VERSIONS,
    )
    await add_usage(ctx, mark, 1 - len(gone), size - sum(one.size for one in gone))
    return version


async def end_files(ctx: Context, mark: ScopeMark, path: str) -> list[EndedFile]:
    """End a file, or all files below a directory; their versions stay."""
    return await ctx.unit.rows(
        EndedFile, "file_end", scope_id=mark.scope_id, path=path, at=mark.watermark
    )


async def require_room(ctx: Context, scope_id: UUID, path: str, directories: Sequence[str]) -> None:
    """Raises Conflict where the path is a directory, or lies in what is a file."""
    if await ctx.unit.value("file_there", scope_id=scope_id, paths=list(directories), below=path):
        raise Conflict("The path is a directory, or lies in one that is a file.")
