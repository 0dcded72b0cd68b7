"""What recall returned into a session: its texts, by which an echo is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.domain.echo import Recalled, echoes, recalled
from muniment.domain.text import Analyzer, analyzer_for
from muniment.ports import Context
from muniment.records.alongside import Alongside, ask_alongside
from muniment.records.sessions import SessionRow

RECALLS = 20
"""Answers of the session that are looked at, the latest."""
_ITEMS_OF_EACH = 10
_MOST_ITEMS = 64
_RECALLS_OF_SESSION = 200
"""So many recalls of a whole session, the latest, are looked at."""


@dataclass(frozen=True)
class Text:
    """What an item says."""

    text: str


def ask_recalled_lately(ctx: Context, session: SessionRow) -> Alongside[Text]:
    """Texts that the last recalls of a session returned, asked with the next statement. Answers of
    other processes are logged up to a second later; until then they are not known here.
    """
    return ask_alongside(
        ctx,
        Text,
        "recalled_in_session",
        **session.place,
        waiting=ctx.recalls.waiting(ctx.unit.tenant_id, session.session_pk)[:_MOST_ITEMS],
        recalls=RECALLS,
        items=_ITEMS_OF_EACH,
        most=_MOST_ITEMS,
    )


@dataclass(frozen=True)
class _Returned:
    at: datetime
    text: str


@dataclass(frozen=True)
class Returned:
    """Everything that recall returned into a session, each text since it first did."""

    items: Sequence[tuple[datetime, Recalled]]
    analyzer: Analyzer

    def echoed_by(self, content: str, recorded_at: datetime) -> bool:
        """True if what was recorded then says again what had been recalled before."""
        before = [item for at, item in self.items if at < recorded_at]
        return echoes(content, before, self.analyzer)


async def returned_into(ctx: Context, scope_id: UUID, session_pk: UUID) -> Returned:
    """What a session was given, as far as it is logged."""
    rows = await ctx.unit.rows(
        _Returned,
        "extraction_recalled",
        scope_id=scope_id,
        session_pk=session_pk,
        recalls=_RECALLS_OF_SESSION,
    )
    analyzer = analyzer_for(ctx.language)
    return Returned([(row.at, recalled(row.text, analyzer)) for row in rows], analyzer)
