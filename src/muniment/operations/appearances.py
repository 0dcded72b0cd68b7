"""memories.appearances: which answers for a user had an item, and which steps those entered."""

from dataclasses import dataclass
from typing import Literal, cast
from uuid import UUID

from muniment.domain.assembly import Section
from muniment.operations.context_items import ContextTier
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Identifier, Instant, Page, command
from muniment.ports import Context
from muniment.records.trail import appearances_of

_CURSORS = Cursors(UUID)
_LAST = UUID(int=2**128 - 1)


@command
class FindAppearances:
    """Answers for a user that had the item with this id: a memory, a turn, a summary, a chunk."""

    user_id: Identifier
    id: UUID
    cursor: Cursor | None = None
    limit: Page = 50


@dataclass(frozen=True)
class Appearance:
    """An answer that had it: a ``context`` with the section; a ``recall``, which plans make too."""

    answer_id: UUID
    answer: Literal["context", "recall"]
    at: Instant
    run_id: str | None
    step: int | None
    session_id: str | None
    agent_id: str | None
    tier: ContextTier
    section: Section | None
    score: float | None


@dataclass(frozen=True)
class Appearances:
    """The latest first."""

    items: tuple[Appearance, ...]
    next: str | None


async def appearances(command: FindAppearances, ctx: Context) -> Appearances:
    """What nobody knows appeared nowhere. What was erased since did appear: ids are kept as long as
    the log is.
    """
    before = _CURSORS.read(command.cursor) or _LAST
    rows = await appearances_of(ctx, command.user_id, command.id, before, command.limit + 1)
    page, last = cut(rows, command.limit)
    return Appearances(
        items=tuple(
            Appearance(
                answer_id=row.recall_id,
                answer="context" if row.assembled else "recall",
                at=row.at,
                run_id=row.run_id,
                step=row.step,
                session_id=row.session_id,
                agent_id=row.agent_id,
                tier=cast("ContextTier", row.tier),
                section=cast("Section | None", row.section),
                score=row.score,
            )
            for row in page
        ),
        next=None if last is None else _CURSORS.after(last.recall_id),
    )


OPERATIONS = (
    Operation(
        name="memories.appearances",
        summary="Show which answers had an item, and which steps of runs those entered",
        command=FindAppearances,
        result=Appearances,
        handler=appearances,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/memories/{id}/appearances"),
        columns=("items.at", "items.answer", "items.run_id", "items.step", "items.section"),
    ),
)
