"""What recall returned into a session lately: its texts, by which an echo is known."""

from dataclasses import dataclass

from muniment.ports import Context
from muniment.records.sessions import SessionRow

RECALLS = 20
"""Answers of the session that are looked at, the latest."""
_ITEMS_OF_EACH = 10
_MOST_ITEMS = 64


@dataclass(frozen=True)
class _Text:
    text: str


async def recalled_lately(ctx: Context, session: SessionRow) -> list[str]:
    """Texts that the last recalls of a session returned. Answers of other processes are logged up
    to a second later; until then they are not known here.
    """
    rows = await ctx.unit.rows(
        _Text,
        "recalled_in_session",
        scope_id=session.scope_id,
        session_pk=session.session_pk,
        waiting=ctx.recalls.waiting(ctx.unit.tenant_id, session.session_pk)[:_MOST_ITEMS],
        recalls=RECALLS,
        items=_ITEMS_OF_EACH,
        most=_MOST_ITEMS,
    )
    return [row.text for row in rows]
