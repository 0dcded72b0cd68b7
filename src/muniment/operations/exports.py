"""exports.*: all that is held of one user, as lines that another service can take in."""

from dataclasses import dataclass
from uuid import UUID

from muniment.errors import NotFound
from muniment.operations.items import require_every_layer
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors
from muniment.operations.transfer_format import FORMAT, VERSION
from muniment.operations.types import Count, Identifier, Instant, Json, Page, command
from muniment.ports import Context
from muniment.records.scopes import find_user
from muniment.records.transfers import begin_transfer, export_page, find_transfer, take_export

PAGE_BYTES = 1024 * 1024
_CURSORS = Cursors(tuple[int])


@command
class CreateExport:
    """Copy all that is held of a user, in every namespace, as of now.

    The copy waits for an hour. What is forgotten of the user meanwhile takes it along.
    """

    user_id: Identifier


@command
class ReadExport:
    """Lines of an export in order; a page ends at about a mebibyte."""

    user_id: Identifier
    export_id: UUID
    cursor: Cursor | None = None
    limit: Page = 200


@dataclass(frozen=True)
class UserExport:
    """An export: how many lines it has, and until when they can be fetched."""

    export_id: UUID
    lines: Count
    taken_at: Instant
    expires_at: Instant


@dataclass(frozen=True)
class ExportLines:
    """One object a line, in the format of docs/reference/export.md."""

    items: tuple[dict[str, Json], ...]
    next: str | None


async def create(command: CreateExport, ctx: Context) -> UserExport:
    """Raises NotFound for a user who is not known."""
    require_every_layer(ctx)
    user = await find_user(ctx, command.user_id)
    if user is None:
        raise NotFound("There is no such user.")
    export_id = ctx.ids.new()
    expires_at = await begin_transfer(ctx, "out", export_id, command.user_id)
    form = (FORMAT, VERSION)
    lines = await take_export(ctx, export_id, command.user_id, user.user_pk, form)
    ctx.trail.subjects += [user.user_pk, export_id]
    ctx.trail.detail |= {"lines": lines}
    return UserExport(export_id, lines, ctx.now, expires_at)


async def read(command: ReadExport, ctx: Context) -> ExportLines:
    """Raises NotFound for an export of another user, one that is not there, or is no more."""
    require_every_layer(ctx)
    place = _CURSORS.read(command.cursor)
    await find_transfer(ctx, "out", command.export_id, command.user_id)
    after = 0 if place is None else place[0]
    page = await export_page(ctx, command.export_id, after, command.limit, PAGE_BYTES)
    # Every export ends with a line that says so.
    ended = not page or page[-1].record.get("type") == "end"
    following = None if ended else _CURSORS.after((page[-1].line,))
    return ExportLines(tuple(row.record for row in page), following)


OPERATIONS = (
    Operation(
        name="exports.create",
        summary="Copy all that is held of a user",
        command=CreateExport,
        result=UserExport,
        handler=create,
        effect=Effect.WRITE,
        verb="operate",
        layer=None,
        http=Http("POST", "/v1/users/{user_id}/exports"),
        errors=(NotFound,),
    ),
    Operation(
        name="exports.read",
        summary="Fetch the lines of an export",
        command=ReadExport,
        result=ExportLines,
        handler=read,
        effect=Effect.READ,
        verb="operate",
        layer=None,
        http=Http("GET", "/v1/users/{user_id}/exports/{export_id}"),
        errors=(NotFound,),
    ),
)
