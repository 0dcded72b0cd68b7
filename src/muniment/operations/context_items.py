"""What a context is made of: items by section, what was left out, and how each is told."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from muniment.domain.assembly import Section
from muniment.domain.context_text import Told, line_of
from muniment.domain.inputs import StaleWhy
from muniment.domain.trust import Trust
from muniment.operations.items import DocumentPlace, Item
from muniment.operations.types import Instant, Level
from muniment.records.analyses import OnSource
from muniment.records.profiles import ProfileRow
from muniment.records.run_inputs import Seen

ContextTier = Literal["episodic", "semantic", "knowledge", "run"]
DropReason = Literal[
    "budget", "floor", "mode", "other_source", "duplicate", StaleWhy,
]  # fmt: skip


@dataclass(frozen=True)
class ContextItem:
    """An item of a context, as it stands in the text. Of the tier ``run``: what a run holds; the
    id of a fact or a request, else that of the run.
    """

    id: UUID
    tier: ContextTier
    kind: str
    scope: Level
    text: str
    as_of: Instant
    trust: Trust
    stale: bool = False
    is_durative: bool = False
    unconfirmed: bool = False
    contested_by: tuple[UUID, ...] = ()
    score: float | None = None
    document: DocumentPlace | None = None


@dataclass(frozen=True)
class DroppedItem:
    """What might have been in, and why it is not. ``by``: what took its place, contests it, or says
    the same.
    """

    id: UUID
    tier: ContextTier
    section: Section
    reason: DropReason
    by: UUID | None = None


@dataclass(frozen=True)
class Candidate:
    """An item that a section might have. ``place``: by which those that are in are shown.

    ``seen``: what a run is told of later; ``used``: its clock of use moves.
    """

    item: ContextItem
    scope_id: UUID
    place: tuple[object, ...]
    seen: Seen | None = None
    where: str | None = None

    def line(self, otherwise: Sequence[str]) -> str:
        """It in the text; ``otherwise`` is what is said instead."""
        one = self.item
        return line_of(
            Told(
                one.text, one.as_of, one.trust,
                stale=one.stale, recurring=one.is_durative, unconfirmed=one.unconfirmed,
                contested=bool(one.contested_by), otherwise=otherwise, where=self.where,
            )
        )  # fmt: skip


@dataclass
class Gathered:
    """Candidates by section, the best first, and what is out already. An item is there once; which
    of those with the same words are told shows when it is known what has room.
    """

    sections: dict[Section, list[Candidate]] = field(default_factory=dict)
    dropped: list[DroppedItem] = field(default_factory=list)
    _known: set[tuple[UUID, str, str]] = field(default_factory=set)

    def add(self, section: Section, candidates: Iterable[Candidate]) -> None:
        """Those that are not there yet."""
        for one in candidates:
            if not self.has(one.item):
                self._known.add(_key(one.item))
                self.sections.setdefault(section, []).append(one)

    def has(self, item: ContextItem) -> bool:
        """Whether the item is there, or left out."""
        return _key(item) in self._known

    def drop(
        self,
        section: Section,
        item_id: UUID,
        tier: ContextTier,
        reason: DropReason,
        by: UUID | None = None,
    ) -> None:
        """Leave an item out."""
        self.dropped.append(DroppedItem(item_id, tier, section, reason, by))


def _key(item: ContextItem) -> tuple[UUID, str, str]:
    # What a run holds has no id of its own but for facts and requests.
    return (item.id, item.tier, item.text if item.tier == "run" else "")


def of_profile(
    row: ProfileRow, scope_id: UUID, known_at: datetime, position: int, *, stale: bool
) -> Candidate:
    """A candidate of a profile, which keeps its order."""
    told = ContextItem(
        id=row.id, tier="semantic", kind=row.kind, scope="user", text=row.text, as_of=row.as_of,
        trust=row.trust, stale=stale, is_durative=row.is_durative,
        contested_by=tuple(row.contested_by or ()),
    )  # fmt: skip
    seen = Seen(row.id, scope_id, "semantic", known_at, row.expires_at, row.valid_to)
    return Candidate(told, scope_id, (position,), seen)


def of_item(item: Item, scope_id: UUID, known_at: datetime) -> Candidate:
    """A candidate of an item as recall answers it."""
    document = item.document
    seen = Seen(item.id, scope_id, item.tier, known_at, item.expires_at, item.valid_to)
    place: tuple[object, ...] = (0, item.as_of, item.id)
    where = item.name or _retired(item)
    if document is not None:
        seen = Seen(
            document.document_id, scope_id, item.tier, item.recorded_at, None, item.valid_to
        )
        place = (1, document.source, document.position, item.id)
        where = " > ".join([document.title, *document.headings])
    elif item.scope == "org":
        place = (0, "", 0, item.id)
    told = ContextItem(
        id=item.id, tier=item.tier, kind=item.kind, scope=item.scope, text=item.text,
        as_of=item.as_of, trust=item.trust, stale=item.stale, is_durative=item.is_durative,
        unconfirmed=item.unconfirmed, contested_by=item.contested_by, score=item.score,
        document=document,
    )  # fmt: skip
    return Candidate(told, scope_id, place, seen, where)


def _retired(item: Item) -> str | None:
    """By which guidance a run went that holds no more, as its episode is told."""
    gone = [one for one in item.governed_by if one.retired]
    if not gone:
        return None
    named = [f"{one.source or 'a document that is gone'} version {one.version}" for one in gone]
    return f"by {', '.join(named)}, no longer in force"


def of_row(
    row: OnSource, level: str, known_at: datetime, now: datetime, *, binding: bool
) -> Candidate:
    """A candidate of what is held on a data source; faults that recur are shown first."""
    told = ContextItem(
        id=row.id, tier="semantic", kind=row.kind, scope=cast("Level", level), text=row.text,
        as_of=row.as_of, trust=row.trust, stale=row.stale(now), is_durative=row.is_durative,
        unconfirmed=not binding, contested_by=tuple(row.contested_by or ()),
    )  # fmt: skip
    seen = Seen(row.id, row.scope_id, "semantic", known_at, row.expires_at, row.valid_to)
    place: tuple[object, ...] = (0, row.as_of, row.id)
    if row.kind == "data_quality":
        place = (not row.is_durative, row.as_of, row.id) if binding else (0, "", 0, row.id)
    return Candidate(told, row.scope_id, place, None if row.stale(now) else seen)


def dropped_of(logged: Iterable[Mapping[str, Any]]) -> tuple[DroppedItem, ...]:
    """What a context left out, as it was logged."""
    return tuple(
        DroppedItem(
            id=UUID(one["id"]),
            tier=one["tier"],
            section=one["section"],
            reason=one["reason"],
            by=None if one["by"] is None else UUID(one["by"]),
        )
        for one in logged
    )
