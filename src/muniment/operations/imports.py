"""imports.*: a user as another service exported them, taken in whole or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Annotated, Any, get_args
from uuid import UUID

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import ValidationError

from muniment.domain.trust import Role
from muniment.errors import Conflict, Fault, Forbidden, InvalidInput, NotFound
from muniment.operations.decode import place_of
from muniment.operations.items import require_every_layer
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.transfer_format import Kept, Line, latest, mark
from muniment.operations.transfer_memories import LINES, Memory, Version
from muniment.operations.transfer_secrets import without_secrets
from muniment.operations.types import Count, Identifier, Instant, Json, command
from muniment.ports import Context
from muniment.records.arrivals import let_in
from muniment.records.transfers import Waiting, own_keys, put_lines

MAX_LINES = 500
_MOST_FAULTS = 20
_KEYS = ("written_by", "created_by", "key_id")
LineNumber = Annotated[int, Ge(1), Le(2**40)]


@command
class UploadImport:
    """Lines of an export, the first of them with this number in the file; they wait for a day.

    You choose the ``import_id``. Secrets are taken out of what lines say. Lines that are sent again
    replace those of their numbers. Nothing is held of the user before ``imports.commit``.
    """

    user_id: Identifier
    import_id: UUID
    first: LineNumber
    records: Annotated[tuple[dict[str, Json], ...], MinLen(1), MaxLen(MAX_LINES)]


@command
class CommitImport:
    """Take the user in, all of the lines at once or nothing. Doing it again changes nothing more.

    Nothing may be held of the user. Ids and times stay what they were; vectors and the index are
    made anew. Keys that this tenant does not have are replaced by the one that imports.
    """

    user_id: Identifier
    import_id: UUID
    lines: LineNumber


@dataclass(frozen=True)
class ImportUploaded:
    """How many of the lines wait now, and until when; none of an import that is ``done``."""

    import_id: UUID
    lines: Count
    done: bool
    expires_at: Instant


@dataclass(frozen=True)
class Imported:
    """What was made, by the type of its lines."""

    import_id: UUID
    counts: Mapping[str, int]


async def upload(command: UploadImport, ctx: Context) -> ImportUploaded:
    """Raises InvalidInput with the numbers of the lines that are none, Conflict for an id that is
    an export's or another user's.
    """
    _require_import(ctx)
    told: list[Line] = []
    faults: list[Fault] = []
    for place, record in enumerate(command.records):
        try:
            one = LINES.validate_json(dumps(record), strict=True)
            one.more()
            faults += _unknown(ctx, one, place, command.first + place)
            told.append(one)
        except ValidationError as error:
            faults += _faults(error, place, command.first + place)
        except ValueError as error:
            faults.append(_fault(place, command.first + place, "", str(error)))
    if faults:
        raise InvalidInput(
            f"Not a line of an export: {faults[0].message}.", faults=faults[:_MOST_FAULTS]
        )
    lines = await _waiting(ctx, command.first, told)
    found = await put_lines(ctx, command.import_id, command.user_id, command.first, lines)
    done = found.done is not None
    waiting = 0 if done else len(lines)
    ctx.trail.subjects.append(command.import_id)
    ctx.trail.detail |= {"first": command.first, "lines": waiting}
    return ImportUploaded(command.import_id, waiting, done, found.expires_at)


async def commit(command: CommitImport, ctx: Context) -> Imported:
    """Raises NotFound, InvalidInput with the lines that do not fit, Conflict where ids or the user
    are taken, WritesRefused where they opted out.
    """
    _require_import(ctx)
    counts, user_pk = await let_in(ctx, command.import_id, command.user_id, command.lines)
    ctx.trail.subjects += [one for one in (command.import_id, user_pk) if one is not None]
    ctx.trail.detail |= {"counts": dict(counts)}
    return Imported(command.import_id, counts)


def _require_import(ctx: Context) -> None:
    """What is imported keeps its grades, so the key must be able to give each of them."""
    require_every_layer(ctx)
    missing = sorted(set(get_args(Role)) - ctx.caller.roles)
    if missing:
        raise Forbidden(f"An import keeps grades; this key may not relay: {', '.join(missing)}.")


def _unknown(ctx: Context, one: Line, place: int, line: int) -> list[Fault]:
    """What the policy of this tenant does not know, or knows otherwise."""
    found = []
    if isinstance(one, Kept) and one.retention_class not in ctx.policy.retention:
        found.append(("/retention_class", "is no class of the policy here"))
    if isinstance(one, Memory):
        kind = ctx.policy.kinds.get(one.kind)
        if kind is None or kind.layer != "semantic":
            found.append(("/kind", "is no kind of the policy here"))
    if isinstance(one, Version) and one.slot is not None:
        slot = ctx.policy.slots.get(one.slot)
        if slot is not None and slot.cardinality != one.cardinality:
            found.append(("/cardinality", f"the slot has {slot.cardinality!r} here"))
    return [_fault(place, line, at, rule) for at, rule in found]


def _faults(error: ValidationError, place: int, line: int) -> list[Fault]:
    found = []
    for one in error.errors(include_url=False, include_input=False):
        # Of a record that has a type, the path begins with that.
        at = one["loc"][1:]
        message = one["msg"] if one["loc"] else "has no type that is known"
        found.append(_fault(place, line, place_of(at), message))
    return found


def _fault(place: int, line: int, at: str, message: str) -> Fault:
    told = f"line {line}: {at[1:]}: {message}" if at else f"line {line}: {message}"
    return Fault(f"/records/{place}{at}", told)


async def _waiting(ctx: Context, first: int, told: list[Line]) -> list[Waiting]:
    rows = [LINES.dump_python(one, mode="json") | one.more() for one in told]
    rows = await without_secrets(ctx, rows)
    known = await own_keys(ctx, {UUID(row[name]) for row in rows for name in _KEYS if name in row})
    for row in rows:
        for name in _KEYS:
            if name in row and UUID(row[name]) not in known:
                row[name] = str(ctx.caller.key_id)
    return [
        _line(number, one, row)
        for number, (one, row) in enumerate(zip(told, rows, strict=True), first)
    ]


def _line(number: int, one: Line, row: dict[str, Any]) -> Waiting:
    return Waiting(
        line=number,
        kind=row["type"],
        namespace=row.get("namespace"),
        record=row,
        keys=[mark(*name) for name in one.names()],
        refs=[mark(*name) for name in one.needs()],
        recorded_at=latest(one),
    )


OPERATIONS = (
    Operation(
        name="imports.upload",
        summary="Send lines of an export, to be taken in",
        command=UploadImport,
        result=ImportUploaded,
        handler=upload,
        effect=Effect.WRITE,
        verb="operate",
        layer=None,
        http=Http("POST", "/v1/users/{user_id}/imports/{import_id}/lines"),
        errors=(Conflict, NotFound),
    ),
    Operation(
        name="imports.commit",
        summary="Take a user in, whole or not at all",
        command=CommitImport,
        result=Imported,
        handler=commit,
        effect=Effect.WRITE,
        verb="operate",
        layer=None,
        http=Http("POST", "/v1/users/{user_id}/imports/{import_id}/commit"),
        errors=(Conflict, NotFound),
    ),
)
