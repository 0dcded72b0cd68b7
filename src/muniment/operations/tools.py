"""tools.*: which tools agents may call, and what calling one does."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from muniment.domain.approvals import is_move
from muniment.domain.ledger import ToolEffect
from muniment.domain.trust import ResultTrust
from muniment.errors import Fault, InvalidInput
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.audit_entries import note_change
from muniment.records.calls import ToolRow

_CURSORS = Cursors(tuple[Identifier])
_YEAR = 366 * 24 * 3600


@command
class DefineTool:
    """Define a tool, or say anew what it does. A call that was claimed before is one of both: in
    doubt, it is done again only where it might be by what the tool was, and by what it is.

    ``idempotent``: the same key twice has its effect once, so what is in doubt may be sent again.
    ``dedupe_seconds``: for so long a key counts in every run of the same user and
    namespace.
    ``trust``: what turns of the role ``tool`` that name it are trusted at. ``gate``: a call needs
    the approval of a key that has it.
    """

    name: Identifier
    effect: ToolEffect
    idempotent: bool = False
    trust: ResultTrust = "external_content"
    dedupe_seconds: Annotated[int, Ge(1), Le(_YEAR)] | None = None
    gate: Identifier | None = None


@command
class ListTools:
    """Tools in the order of their names."""

    cursor: Cursor | None = None
    limit: Page = 100


@dataclass(frozen=True)
class Tool:
    """A tool; ``trust`` is that of its results."""

    name: str
    effect: ToolEffect
    idempotent: bool
    trust: ResultTrust
    dedupe_seconds: int | None
    gate: str | None
    defined_at: Instant


@dataclass(frozen=True)
class Tools:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Tool, ...]
    next: str | None


async def define(command: DefineTool, ctx: Context) -> Tool:
    """Defining it again changes it from the next claim on. Raises InvalidInput for a name under
    which a move to a stage is approved.
    """
    if is_move(command.name):
        raise InvalidInput(faults=[Fault("/name", "is what a move to a stage is called")])
    was = await ctx.unit.one(ToolRow, "tool_find", name=command.name)
    await ctx.unit.run(
        "tool_define",
        name=command.name,
        effect=command.effect,
        idempotent=command.idempotent,
        trust=command.trust,
        dedupe_seconds=command.dedupe_seconds,
        gate=command.gate,
        now=ctx.now,
        defined_by=ctx.caller.key_id,
    )
    ctx.trail.detail |= {"effect": command.effect, "idempotent": command.idempotent}
    tool = Tool(
        command.name, command.effect, command.idempotent, command.trust, command.dedupe_seconds,
        command.gate, ctx.now,
    )  # fmt: skip
    name = f"tool:{ctx.digest(command.name)}"
    note_change(ctx, name, None if was is None else vars(was), vars(tool))
    return tool


async def list_tools(command: ListTools, ctx: Context) -> Tools:
    """A page at a time."""
    place = _CURSORS.read(command.cursor)
    rows = await ctx.unit.rows(
        ToolRow, "tool_page", after=None if place is None else place[0], limit=command.limit + 1
    )
    page, last = cut(rows, command.limit)
    return Tools(
        items=tuple(Tool(**vars(row)) for row in page),
        next=None if last is None else _CURSORS.after((last.name,)),
    )


OPERATIONS = (
    Operation(
        name="tools.define",
        summary="Define a tool that agents may call",
        command=DefineTool,
        result=Tool,
        handler=define,
        effect=Effect.WRITE,
        verb="operate",
        layer="run",
        http=Http("PUT", "/v1/tools/{name}"),
    ),
    Operation(
        name="tools.list",
        summary="List the tools that agents may call",
        command=ListTools,
        result=Tools,
        handler=list_tools,
        effect=Effect.READ,
        verb="read",
        layer="run",
        http=Http("GET", "/v1/tools"),
        columns=("items.name", "items.effect", "items.idempotent", "items.trust"),
    ),
)
