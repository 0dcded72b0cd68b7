"""The item that recall, profile, list and get answer with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast, get_args
from uuid import UUID

from muniment.domain.binding import binds
from muniment.domain.filter import FilterError, Predicate, compile_filter, one_of
from muniment.domain.memory import Status
from muniment.domain.ranking import Parts
from muniment.domain.trust import Trust
from muniment.errors import Fault, Forbidden, InvalidInput, NotFound
from muniment.operations.types import Instant, Json, Level, Metadata, RecallTier, Tier
from muniment.ports import Caller, Context
from muniment.records.governing import GoverningRow
from muniment.records.items import ItemRow, Moment, is_stale, status
from muniment.records.scopes import UserRow, find_user


@dataclass(frozen=True)
class Evidence:
    """A turn that supports the item's own text."""

    session_id: str
    turn: int


@dataclass(frozen=True)
class ScoreParts:
    """What a score is made of, each in [0, 1] over the candidates (RULES 11.2)."""

    lexical: float
    semantic: float
    relevance: float
    recency: float
    importance: float


@dataclass(frozen=True)
class DocumentPlace:
    """Where an item of shared knowledge stands; ``headings``: outermost first."""

    document_id: UUID
    source: str
    version: int
    title: str
    headings: tuple[str, ...]
    position: int


@dataclass(frozen=True)
class GoverningDocument:
    """A version of a document that a run went by; ``retired``: it is not in force any more. Without
    a ``source`` the document is there no more, or not for this key.
    """

    document_id: UUID
    version: int
    source: str | None
    retired: bool


@dataclass(frozen=True)
class Item:
    """One memory or event. ``as_of`` is when it was last observed, ``valid_*`` when it is true.

    ``is_durative``: a fault that recurred. ``unconfirmed``: of the organisation, and only one
    agent inferred it, so it does not bind yet.
    ``watermark`` and ``user_id`` are those of an answer of one item; answers of many have the one
    beside them, and were asked for by the other.
    ``document``: of the tier ``knowledge``, where its text stands. ``governed_by``: of the episode
    of a run, the documents that it recalled. ``rerank``: what a model gave that ordered the items
    anew, on a scale of its own; ``score`` is the one before.
    """

    id: UUID
    tier: RecallTier
    kind: str
    scope: Level
    text: str
    name: str | None
    subject: str | None
    slot: str | None
    value: str | None
    data_source: str | None
    as_of: Instant
    valid_from: Instant | None
    valid_to: Instant | None
    recorded_at: Instant
    expires_at: Instant | None
    trust: Trust
    confidence: float | None
    importance: int
    pinned: bool
    status: Status
    stale: bool
    contested_by: tuple[UUID, ...]
    evidence: tuple[Evidence, ...]
    metadata: Metadata
    is_durative: bool = False
    unconfirmed: bool = False
    score: float | None = None
    score_parts: ScoreParts | None = None
    rerank: float | None = None
    watermark: Instant | None = None
    user_id: str | None = None
    document: DocumentPlace | None = None
    governed_by: tuple[GoverningDocument, ...] = ()


@dataclass(frozen=True)
class Watermarks:
    """How far the records of the user and of the organisation went; none where there is none."""

    user: Instant | None
    org: Instant | None


@dataclass(frozen=True)
class Place:
    """Where an item lives."""

    scope_id: UUID
    level: str
    user_id: str | None
    namespace: str


async def find_place(ctx: Context, item_id: UUID) -> Place:
    """Where an item lives; one of another user is not there for a key of one user, nor one of
    another namespace for a call that is kept to one.
    """
    place = await ctx.unit.one(Place, "item_places", id=item_id)
    if place is None or (place.level == "user" and not _reaches(ctx.caller, place)):
        raise NotFound("There is no such memory.")
    return place


def _reaches(caller: Caller, place: Place) -> bool:
    namespace = caller.within.get("namespace", place.namespace)
    return caller.user_id in (None, place.user_id) and namespace == place.namespace


def item_of(
    ctx: Context,
    row: ItemRow,
    level: Level,
    moment: Moment,
    *,
    score: float | None = None,
    parts: Parts | None = None,
) -> Item:
    """A row as it is answered."""
    return Item(
        id=row.id,
        tier=cast("RecallTier", row.tier),
        kind=row.kind,
        scope=level,
        text=row.text,
        name=row.name,
        subject=None if row.subject_kind == "self" else row.subject,
        slot=row.slot,
        value=row.value,
        data_source=row.data_source,
        as_of=row.as_of,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        recorded_at=row.recorded_at,
        expires_at=row.expires_at,
        trust=row.trust,
        confidence=None if row.document else row.confidence,
        importance=row.importance,
        pinned=row.pinned,
        status=status(row, moment),
        stale=is_stale(ctx, row, moment),
        contested_by=tuple(row.contested_by or ()),
        evidence=_evidence(ctx, row, level),
        metadata=row.metadata,
        is_durative=row.is_durative,
        unconfirmed=row.tier == "semantic" and not binds(level, row.trust, row.observers or 0),
        score=score,
        score_parts=None if parts is None else ScoreParts(**_parts(parts)),
        document=None if row.document is None else DocumentPlace(**vars(row.document)),
        governed_by=tuple(_governing(ctx, one) for one in row.governing),
    )


def _governing(ctx: Context, row: GoverningRow) -> GoverningDocument:
    source = row.source if "knowledge" in ctx.caller.layers else None
    return GoverningDocument(row.document_id, row.version, source, row.retired)


def _evidence(ctx: Context, row: ItemRow, level: Level) -> tuple[Evidence, ...]:
    """What the organisation knows rests on anybody's sessions: not for a key of one user."""
    if level == "org" and ctx.caller.user_id is not None:
        return ()
    return tuple(Evidence(one["session_id"], one["turn"]) for one in row.evidence or ())


def require_every_layer(ctx: Context) -> None:
    """Raises Forbidden for a key that does not reach all that is held of a user."""
    missing = sorted({"working", *get_args(Tier)} - ctx.caller.layers)
    if missing:
        raise Forbidden(f"This key does not reach the layers: {', '.join(missing)}.")


def readable_tiers(
    ctx: Context, wanted: Sequence[RecallTier] | None, among: Sequence[str] = get_args(Tier)
) -> frozenset[str]:
    """The tiers to look in: those that were asked for, or else those that the key reaches.

    Raises Forbidden for one that it does not reach.
    """
    reached = ctx.caller.layers.intersection(among)
    tiers = reached if wanted is None else frozenset(wanted)
    faults = [
        Fault("/tiers", f"this key does not reach: {tier}") for tier in sorted(tiers - reached)
    ]
    if faults or not reached:
        raise Forbidden("This key does not reach the layers asked for.", faults=faults)
    return tiers


def predicate_of(
    expression: dict[str, Json] | None, sources: Sequence[str] = ()
) -> Predicate | None:
    """The compiled filter of a command, with the names of its data source, if it has one.

    Raises InvalidInput with a pointer below ``/filter``.
    """
    predicate = None
    if expression is not None:
        try:
            predicate = compile_filter(expression)
        except FilterError as error:
            fault = Fault(f"/filter{error.pointer}", error.message)
            raise InvalidInput(faults=[fault]) from None
    if not sources:
        return predicate
    if predicate is None:
        return one_of("data_source", *sources)
    return predicate.both("data_source", *sources)


async def require_user(ctx: Context, user_id: str) -> UserRow:
    """The user, or NotFound."""
    user = await find_user(ctx, user_id)
    if user is None:
        raise NotFound("There is no such user.")
    return user


def _parts(parts: Parts) -> dict[str, float]:
    return {name: round(value, 6) for name, value in vars(parts).items()}
