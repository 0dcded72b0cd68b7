"""schemas.*: the types of artifacts, in JSON Schema 2020-12."""

from dataclasses import dataclass
from json import dumps
from typing import Annotated

from muniment.domain.schema_reading import schema_flaws
from muniment.errors import Conflict, Fault, InvalidInput
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.run_state import json_within
from muniment.operations.types import Count, Identifier, Instant, Json, Page, command
from muniment.ports import Context
from muniment.records.apart import worked_out_in_turn
from muniment.records.artifacts import SchemaRow, find_schema
from muniment.records.audit_entries import note_change

MAX_SCHEMA_BYTES = 32 * 1024
_CURSORS = Cursors(tuple[Identifier, int])


@command
class RegisterSchema:
    """Register the next version of a type. It stands for itself: references lead into it alone,
    patterns are those of RE2, formats are notes.
    """

    name: Identifier
    schema: Annotated[dict[str, Json], json_within(MAX_SCHEMA_BYTES)]


@command
class ListSchemas:
    """Every version of every type, by name and version."""

    cursor: Cursor | None = None
    limit: Page = 20


@dataclass(frozen=True)
class ArtifactSchema:
    """A version of a type."""

    name: str
    version: Count
    schema: dict[str, Json]
    registered_at: Instant


@dataclass(frozen=True)
class ArtifactSchemas:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ArtifactSchema, ...]
    next: str | None


async def register(command: RegisterSchema, ctx: Context) -> ArtifactSchema:
    """What is registered already is not registered again. Raises InvalidInput for what is no schema
    of 2020-12 or is not read here, and Conflict where somebody else registers it at this moment.
    """
    flaws = await worked_out_in_turn(lambda: schema_flaws(command.schema))
    if flaws:
        raise InvalidInput(faults=[Fault(f"/schema{one.pointer}", one.what) for one in flaws])
    last = await find_schema(ctx, command.name)
    made = SchemaRow(command.name, 1 + (last.version if last else 0), command.schema, ctx.now)
    if last is not None and dumps(last.schema) == dumps(command.schema):
        made = last
    else:
        await ctx.unit.run(
            "schema_insert",
            name=made.name,
            version=made.version,
            schema=dumps(command.schema, ensure_ascii=False),
            now=ctx.now,
            registered_by=ctx.caller.key_id,
        )
        name = f"schema:{ctx.digest(made.name)}"
        note_change(ctx, name, None if last is None else last.schema, made.schema)
    ctx.trail.detail |= {"version": made.version}
    return ArtifactSchema(**vars(made))


async def list_schemas(command: ListSchemas, ctx: Context) -> ArtifactSchemas:
    """A page at a time."""
    place = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        SchemaRow,
        "schema_page",
        after=None if place is None else place[0],
        after_version=0 if place is None else min(place[1], 2**31 - 1),
        limit=command.limit + 1,
    )
    page, last = cut(rows, command.limit)
    return ArtifactSchemas(
        items=tuple(ArtifactSchema(**vars(row)) for row in page),
        next=None if last is None else _CURSORS.after((last.name, last.version)),
    )


OPERATIONS = (
    Operation(
        name="schemas.register",
        summary="Register the next version of a type of artifacts",
        command=RegisterSchema,
        result=ArtifactSchema,
        handler=register,
        effect=Effect.WRITE,
        verb="operate",
        layer="run",
        http=Http("PUT", "/v1/schemas/{name}"),
        errors=(Conflict,),
    ),
    Operation(
        name="schemas.list",
        summary="List types of artifacts and their versions",
        command=ListSchemas,
        result=ArtifactSchemas,
        handler=list_schemas,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/schemas"),
        columns=("items.name", "items.version", "items.registered_at"),
    ),
)
