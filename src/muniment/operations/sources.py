"""sources.*: data sources, their other names, and who answers for them."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import MaxLen

from muniment.errors import Fault, InvalidInput
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.audit_entries import note_change
from muniment.records.holds import widen_holds
from muniment.records.ledger import note_widening
from muniment.records.sources import SourceName
from muniment.records.tenant_policy import hold_policy

_CURSORS = Cursors(tuple[Identifier])
_MOST_ALIASES = 50


@command
class DefineSource:
    """Define a data source, or say anew what else it is called and who answers for it.

    What is held under any of its names is held on it; a legal hold on it is on every name that it
    gets. ``owner`` is the principal whose word alone ends a fault of the data. A source
    that nobody defined has one name and no owner.
    """

    name: Identifier
    aliases: Annotated[tuple[Identifier, ...], MaxLen(_MOST_ALIASES)] = ()
    owner: Identifier | None = None


@command
class ListSources:
    """Defined sources in the order of their names."""

    cursor: Cursor | None = None
    limit: Page = 100


@dataclass(frozen=True)
class DataSource:
    """A data source with its other names."""

    name: str
    aliases: tuple[str, ...]
    owner: str | None
    defined_at: Instant


@dataclass(frozen=True)
class DataSources:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[DataSource, ...]
    next: str | None


@dataclass(frozen=True)
class _Name:
    name: str


@dataclass(frozen=True)
class _Row:
    name: str
    owner: str | None
    defined_at: Instant
    aliases: list[str]


async def define(command: DefineSource, ctx: Context) -> DataSource:
    """Raises InvalidInput for a name that another source has."""
    hold_policy(ctx)
    aliases = tuple(dict.fromkeys(name for name in command.aliases if name != command.name))
    named = {"canonical": command.name, "names": [command.name, *aliases]}
    taken = {row.name for row in await ctx.unit.rows(_Name, "source_taken", **named)}
    faults = [
        Fault(f"/aliases/{at}", "is a name of another source")
        for at, name in enumerate(command.aliases)
        if name in taken
    ]
    if command.name in taken:
        faults.append(Fault("/name", "is another name of a source; define that, or take it away"))
    if faults:
        raise InvalidInput(faults=faults)
    was = await ctx.unit.rows(SourceName, "source_find", name=command.name)
    await ctx.unit.run("source_unname", **named)
    common = {"canonical": command.name, "now": ctx.now, "defined_by": ctx.caller.key_id}
    rows = [common | {"name": command.name, "owner": command.owner}]
    rows += [common | {"name": name, "owner": None} for name in aliases]
    await ctx.unit.many("source_define", rows)
    before = {row.name: row.owner for row in was} or None
    after = {row["name"]: row["owner"] for row in rows}
    note_change(ctx, f"source:{ctx.digest(command.name)}", before, after)
    for held in await widen_holds(ctx, [command.name, *aliases]):
        await note_widening(ctx, held.hold_id, held.names)
    ctx.trail.detail |= {"aliases": len(aliases), "owned": command.owner is not None}
    return DataSource(command.name, tuple(sorted(aliases)), command.owner, ctx.now)


async def list_sources(command: ListSources, ctx: Context) -> DataSources:
    """A page at a time."""
    place = _CURSORS.read(command.cursor)
    after = None if place is None else place[0]
    rows = await ctx.unit.rows(_Row, "source_page", after=after, limit=command.limit + 1)
    page, last = cut(rows, command.limit)
    return DataSources(
        items=tuple(
            DataSource(row.name, tuple(row.aliases), row.owner, row.defined_at) for row in page
        ),
        next=None if last is None else _CURSORS.after((last.name,)),
    )


OPERATIONS = (
    Operation(
        name="sources.define",
        summary="Define a data source, its other names and its owner",
        command=DefineSource,
        result=DataSource,
        handler=define,
        effect=Effect.WRITE,
        verb="operate",
        layer="semantic",
        http=Http("PUT", "/v1/sources/{name}"),
    ),
    Operation(
        name="sources.list",
        summary="List the data sources that were defined",
        command=ListSources,
        result=DataSources,
        handler=list_sources,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/sources"),
        columns=("items.name", "items.aliases", "items.owner?"),
    ),
)
