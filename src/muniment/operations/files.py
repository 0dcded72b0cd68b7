"""files.*: texts that agents keep for themselves, by path, with their versions."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from muniment.errors import Conflict, Fault, InvalidInput, NotFound, StaleVersion, WritesRefused
from muniment.operations.file_paths import FilePath, above, checked_path
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Content, Count, Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.apart import worked_out
from muniment.records.files import end_files, find_file, require_room, write_file
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope, open_scope, scope_to_clear
from muniment.records.secrets import Cleaner

_ALL = "/v1/users/{user_id}/files"
_ONE = f"{_ALL}/{{path}}"
_PATHS = Cursors(tuple[FilePath])
_NUMBERS = Cursors(tuple[int])
FileVersionNumber = Annotated[int, Ge(1), Le(2**31 - 1)]


@command
class PutFile:
    """Write a file. ``if_version`` 0 asks that there be none, N that version N is what it says."""

    user_id: Identifier
    path: FilePath
    content: Content
    namespace: Identifier = DEFAULT_NAMESPACE
    agent_id: Identifier | None = None
    if_version: Annotated[int, Ge(0), Le(2**31 - 1)] | None = None


@command
class GetFile:
    """What a file says, or said in a ``version``."""

    user_id: Identifier
    path: FilePath
    namespace: Identifier = DEFAULT_NAMESPACE
    version: FileVersionNumber | None = None


@command
class ListFiles:
    """Files of a user, or those below a directory, in the order of their paths."""

    user_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    directory: FilePath | None = None
    cursor: Cursor | None = None
    limit: Page = 100


@command
class FileHistory:
    """Versions of a file, the last first; also of one that was deleted or moved away."""

    user_id: Identifier
    path: FilePath
    namespace: Identifier = DEFAULT_NAMESPACE
    cursor: Cursor | None = None
    limit: Page = 100


@command
class MoveFile:
    """Give a file another path, or all files below a directory."""

    user_id: Identifier
    path: FilePath
    to: FilePath
    namespace: Identifier = DEFAULT_NAMESPACE


@command
class DeleteFile:
    """End a file, or all files below a directory. Versions stay until the user is forgotten."""

    user_id: Identifier
    path: FilePath
    namespace: Identifier = DEFAULT_NAMESPACE


@dataclass(frozen=True)
class FileStored:
    """The version that a file has now. ``redacted``: kinds of the secrets that were taken out."""

    path: str
    version: Count
    redacted: tuple[str, ...]


@dataclass(frozen=True)
class File:
    """A version of a file; ``ended_at``: since when it is not what the file says."""

    path: str
    version: Count
    content: str
    agent_id: str | None
    written_at: Instant
    ended_at: Instant | None


@dataclass(frozen=True)
class FileEntry:
    """A file without its content; ``size`` is that of the content in bytes."""

    path: str
    version: Count
    size: Count
    written_at: Instant


@dataclass(frozen=True)
class Files:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[FileEntry, ...]
    next: str | None


@dataclass(frozen=True)
class FileVersion:
    """One version; ``size`` is that of the content in bytes."""

    version: Count
    size: Count
    agent_id: str | None
    written_at: Instant
    ended_at: Instant | None


@dataclass(frozen=True)
class FileVersions:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[FileVersion, ...]
    next: str | None


@dataclass(frozen=True)
class FilesChanged:
    """How many files were moved or deleted."""

    files: Count


async def put(command: PutFile, ctx: Context) -> FileStored:
    """Raises StaleVersion where another version is there, and Conflict where the path is a
    directory or lies in what is a file.
    """
    cleaner = Cleaner(ctx.redactor)
    content = await worked_out(len(command.content), lambda: cleaner.text(command.content))
    mark = await open_scope(ctx, command.user_id, command.namespace)
    await require_room(ctx, mark.scope_id, command.path, above(command.path))
    version = await write_file(
        ctx, mark, command.path, content, agent_id=command.agent_id, if_version=command.if_version
    )
    ctx.trail.subjects.append(mark.scope_id)
    ctx.trail.detail |= {"version": version}
    return FileStored(command.path, version, cleaner.kinds)


async def get(command: GetFile, ctx: Context) -> File:
    """Raises NotFound."""
    scope = await find_scope(ctx, command.user_id, command.namespace)
    row = None
    if scope is not None:
        row = await find_file(ctx, scope.scope_id, command.path, command.version)
    if row is None:
        raise NotFound("There is no such file.")
    return File(**vars(row))


async def list_files(command: ListFiles, ctx: Context) -> Files:
    """An unknown user has none."""
    after = (_PATHS.read(command.cursor) or (None,))[0]
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return Files((), None)
    asked = {"scope_id": scope.scope_id, "after": after, "limit": command.limit + 1}
    if command.directory is None:
        rows = await ctx.unit.rows(FileEntry, "file_page_all", **asked)
    else:
        rows = await ctx.unit.rows(FileEntry, "file_page", below=command.directory, **asked)
    page, last = cut(rows, command.limit)
    return Files(tuple(page), None if last is None else _PATHS.after((last.path,)))


async def history(command: FileHistory, ctx: Context) -> FileVersions:
    """Raises NotFound for a file that never was."""
    before = (_NUMBERS.read(command.cursor) or (None,))[0]
    scope = await find_scope(ctx, command.user_id, command.namespace)
    rows: list[FileVersion] = []
    if scope is not None:
        rows = await ctx.unit.rows(
            FileVersion,
            "file_versions",
            scope_id=scope.scope_id,
            path=command.path,
            before=before,
            limit=command.limit + 1,
        )
    if not rows and before is None:
        raise NotFound("There never was such a file.")
    page, last = cut(rows, command.limit)
    return FileVersions(tuple(page), None if last is None else _NUMBERS.after((last.version,)))


async def move(command: MoveFile, ctx: Context) -> FilesChanged:
    """Raises NotFound, and Conflict where something is at the other path already."""
    if f"{command.to}/".startswith(f"{command.path}/"):
        raise InvalidInput(faults=[Fault("/to", "lies in what is to be moved")])
    mark = await open_scope(ctx, command.user_id, command.namespace)
    await require_room(ctx, mark.scope_id, command.to, [*above(command.to), command.to])
    ended = await end_files(ctx, mark, command.path)
    if not ended:
        raise NotFound("There is no such file or directory.")
    for one in ended:
        path = command.to + one.path.removeprefix(command.path)
        await write_file(ctx, mark, _checked(path), one.content, agent_id=one.agent_id)
    ctx.trail.subjects.append(mark.scope_id)
    ctx.trail.detail |= {"files": len(ended)}
    return FilesChanged(len(ended))


async def delete(command: DeleteFile, ctx: Context) -> FilesChanged:
    """Raises NotFound."""
    mark = await scope_to_clear(ctx, command.user_id, command.namespace)
    ended = [] if mark is None else await end_files(ctx, mark, command.path)
    if mark is None or not ended:
        raise NotFound("There is no such file or directory.")
    ctx.trail.subjects.append(mark.scope_id)
    ctx.trail.detail |= {"files": len(ended)}
    return FilesChanged(len(ended))


def _checked(path: str) -> str:
    """A path that was put together. Raises InvalidInput where it became too long or too deep."""
    try:
        return checked_path(path)
    except ValueError as error:
        raise InvalidInput(faults=[Fault("/to", f"makes a path that is wrong: {error}")]) from None


OPERATIONS = (
    Operation(
        name="files.put",
        summary="Write a file",
        command=PutFile,
        result=FileStored,
        handler=put,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("PUT", _ONE),
        errors=(Conflict, StaleVersion, WritesRefused),
        exact=("content",),
    ),
    Operation(
        name="files.get",
        summary="Read a file",
        command=GetFile,
        result=File,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", _ONE),
        errors=(NotFound,),
    ),
    Operation(
        name="files.list",
        summary="List the files of a user",
        command=ListFiles,
        result=Files,
        handler=list_files,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", _ALL),
        columns=("items.path", "items.version", "items.size", "items.written_at"),
    ),
    Operation(
        name="files.history",
        summary="List the versions of a file",
        command=FileHistory,
        result=FileVersions,
        handler=history,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", f"{_ONE}/history"),
        errors=(NotFound,),
        columns=("items.version", "items.size", "items.written_at", "items.ended_at"),
    ),
    Operation(
        name="files.move",
        summary="Move a file or a directory",
        command=MoveFile,
        result=FilesChanged,
        handler=move,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", f"{_ONE}/move"),
        errors=(Conflict, NotFound, WritesRefused),
    ),
    Operation(
        name="files.delete",
        summary="Delete a file or a directory",
        command=DeleteFile,
        result=FilesChanged,
        handler=delete,
        effect=Effect.DESTRUCTIVE,
        verb="write",
        layer="semantic",
        http=Http("DELETE", _ONE),
        errors=(NotFound,),
    ),
)
