"""Lines of an export, version 1: what each may hold, by what it is named, and to what it refers."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Literal
from uuid import UUID

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import Field

from muniment.domain.policy import Category
from muniment.domain.trust import Trust
from muniment.operations.types import (
    Content,
    Identifier,
    Instant,
    Json,
    Text,
    Turn,
    command,
)

FORMAT = "muniment.user"
VERSION = 1

Name = Annotated[str, MinLen(1), MaxLen(256)]
Digest = Annotated[str, Field(pattern=r"^\\x(?:[0-9a-f]{2})+$")]
Weight = Annotated[int, Ge(1), Le(10)]
Share = Annotated[float, Ge(0), Le(1)]
Number = Annotated[int, Ge(0), Le(2**53 - 1)]
Standing = Literal["asserted", "contested", "quarantined"]
Outcome = Literal[
    "inserted", "reinforced", "superseded", "contested", "quarantined", "rejected", "retracted",
    "archived", "changed", "restored", "undone",
]  # fmt: skip


@command
class Window:
    """A half-open stretch of time; no end means open."""

    start: Instant
    end: Instant | None


def mark(*parts: object) -> str:
    """A name of a record as it is compared: a digest, which repeats nothing of it."""
    return sha256("\x1f".join(str(part) for part in parts).encode()).hexdigest()[:32]


def range_text(start: datetime, end: datetime | None) -> str:
    """A window as the database writes one. Raises ValueError for one that holds nothing."""
    if end is not None and end <= start:
        raise ValueError("a window ends after it starts")
    return f"[{start.isoformat()},{'' if end is None else end.isoformat()})"


@dataclass(frozen=True)
class Line:
    """What all records have in common."""

    def names(self) -> Iterator[tuple[object, ...]]:
        """Names that no other record may have."""
        yield from ()

    def needs(self) -> Iterator[tuple[object, ...]]:
        """Names that some record must have."""
        yield from ()

    def more(self) -> dict[str, Any]:
        """Columns that the file writes otherwise. Raises ValueError for what none is."""
        return {}


@command
class Export(Line):
    """The first line."""

    type: Literal["export"]
    format: Literal["muniment.user"]
    version: Literal[1]
    user_id: Identifier
    taken_at: Instant

    def names(self) -> Iterator[tuple[object, ...]]:
        yield ("export",)


@command
class End(Line):
    """The last line: how many there are with it, so that a file that was cut is known."""

    type: Literal["end"]
    lines: Number

    def names(self) -> Iterator[tuple[object, ...]]:
        yield ("end",)


@command
class User(Line):
    """The person."""

    type: Literal["user"]
    created_at: Instant
    opted_out_at: Instant | None

    def names(self) -> Iterator[tuple[object, ...]]:
        yield ("user",)


@command
class Placed(Line):
    """A record of one namespace."""

    namespace: Identifier

    def _here(self, kind: str, *name: object) -> tuple[object, ...]:
        return (kind, self.namespace, *name)

    def needs(self) -> Iterator[tuple[object, ...]]:
        yield self._here("scope")


@command
class Scope(Placed):
    """A namespace, and up to when its record goes."""

    type: Literal["scope"]
    watermark: Instant
    curated_at: Instant
    gathered_at: Instant
    summed_to: Instant

    def names(self) -> Iterator[tuple[object, ...]]:
        yield self._here("scope")

    def needs(self) -> Iterator[tuple[object, ...]]:
        yield ("user",)


@command
class Session(Placed):
    """A conversation."""

    type: Literal["session"]
    session_pk: UUID
    session_id: Identifier
    use_case: Literal["low", "medium", "high"]
    no_store: bool
    opened_at: Instant
    last_event_at: Instant
    dirty_since: Instant | None
    closed_at: Instant | None
    outcome: Literal["success", "failure", "partial", "abandoned"] | None
    extracted_at: Instant | None
    transcribed_at: Instant | None
    run_id: UUID | None = None

    def names(self) -> Iterator[tuple[object, ...]]:
        yield self._here("session", self.session_pk)
        yield self._here("session named", self.session_id)


@command
class OfSession(Placed):
    """A record of one session."""

    session_pk: UUID

    def needs(self) -> Iterator[tuple[object, ...]]:
        yield from super().needs()
        yield self._here("session", self.session_pk)


@command
class Kept(Line):
    """What a row says of its own keeping; no expiry means that nothing ends it by time."""

    category: Category
    retention_class: Name
    expires_at: Instant | None


@command
class Event(OfSession, Kept):
    """A turn with its verdict; ``valid_from`` and ``recorded_*`` are those that recall goes by."""

    type: Literal["event"]
    event_id: UUID
    turn: Turn
    role: Literal["user", "assistant", "tool", "external"]
    name: Name | None
    content: Content
    fingerprint: Digest
    occurred_at: Instant
    occurred_text: Annotated[str, MaxLen(64)] | None
    recorded_at: Instant
    sentences: tuple[str, ...]
    data_source: Name | None
    tool: Name | None
    agent_id: Name | None
    metadata: dict[str, Json]
    redacted: tuple[str, ...]
    trust: Trust
    kept: bool
    reason: Name
    rule: Name
    importance: Weight
    standing: Literal["asserted", "quarantined", "dropped"]
    written_by: UUID
    valid_from: Instant
    recorded_from: Instant
    recorded_to: Instant | None

    def names(self) -> Iterator[tuple[object, ...]]:
        yield ("event", self.event_id)
        yield self._here("event", self.event_id)
        yield self._here("turn", self.session_pk, self.turn)

    def more(self) -> dict[str, Any]:
        if self.kept == (self.standing == "dropped"):
            raise ValueError("a turn is kept, or its standing is dropped")
        if self.occurred_text is not None:
            datetime.fromisoformat(self.occurred_text)
        return {"recorded": range_text(self.recorded_from, self.recorded_to)}


@command
class Governing:
    """A version of a document that a run went by."""

    document: UUID
    version: Annotated[int, Ge(1), Le(2**53 - 1)]


@command
class Episode(OfSession, Kept):
    """A summary of a session, and the turns that it quotes."""

    type: Literal["episode"]
    episode_id: UUID
    text: Text
    outcome: Name | None
    started_at: Instant
    ended_at: Instant
    through_turn: Turn
    trust: Trust
    importance: Weight
    archived: bool
    sources: tuple[UUID, ...]
    valid_from: Instant
    recorded_from: Instant
    recorded_to: Instant | None
    knowledge: Annotated[tuple[Governing, ...], MinLen(1)] | None = None

    def names(self) -> Iterator[tuple[object, ...]]:
        yield ("episode", self.episode_id)
        if self.recorded_to is None:
            yield self._here("current episode", self.session_pk)

    def needs(self) -> Iterator[tuple[object, ...]]:
        yield from super().needs()
        for one in self.sources:
            yield self._here("event", one)

    def more(self) -> dict[str, Any]:
        if self.ended_at < self.started_at:
            raise ValueError("a summary ends when it starts, or later")
        if len(set(self.sources)) != len(self.sources):
            raise ValueError("a turn is quoted once")
        return {"recorded": range_text(self.recorded_from, self.recorded_to)}


@command
class Working(OfSession):
    """A value of working memory."""

    type: Literal["working"]
    key: Identifier
    value: Json
    version: Annotated[int, Ge(1), Le(2**53 - 1)]
    updated_at: Instant
    expires_at: Instant

    def names(self) -> Iterator[tuple[object, ...]]:
        yield self._here("working", self.session_pk, self.key)


@command
class Analysis(OfSession, Kept):
    """What was run on a data source, and what stayed open."""

    type: Literal["analysis"]
    analysis_id: UUID
    data_source: Identifier
    mode: Literal["fresh", "extend", "revalidate", "re-run"]
    question: Text | None
    fingerprint: Name | None
    battery: tuple[Json, ...]
    unknowns: tuple[Text, ...]
    answered: tuple[Text, ...]
    outcome: Literal["confirmed", "invalidated", "inconclusive"] | None
    agent_id: Name | None
    key_id: UUID
    analysed_at: Instant
    recorded_at: Instant

    def names(self) -> Iterator[tuple[object, ...]]:
        yield ("analysis", self.analysis_id)


@command
class Entity(Placed):
    """What facts are about; the user is one."""

    type: Literal["entity"]
    entity_id: UUID
    kind: Name
    name: Name
    name_key: Name
    defined: bool
    merged_into: UUID | None

    def names(self) -> Iterator[tuple[object, ...]]:
        yield self._here("entity", self.entity_id)
        yield self._here("entity named", self.name_key)

    def needs(self) -> Iterator[tuple[object, ...]]:
        yield from super().needs()
        if self.merged_into is not None:
            yield self._here("entity", self.merged_into)

    def more(self) -> dict[str, Any]:
        if self.merged_into == self.entity_id:
            raise ValueError("an entity is not merged into itself")
        return {}


@command
class Alias(Placed):
    """Another name of an entity."""

    type: Literal["alias"]
    alias_key: Name
    alias: Name
    entity_id: UUID

    def names(self) -> Iterator[tuple[object, ...]]:
        yield self._here("alias", self.alias_key)

    def needs(self) -> Iterator[tuple[object, ...]]:
        yield from super().needs()
        yield self._here("entity", self.entity_id)


@command
class Merge(Placed):
    """Entities that turned out to be one."""

    type: Literal["merge"]
    merge_id: UUID
    source_id: UUID
    target_id: UUID
    followed: tuple[UUID, ...]
    touched: tuple[UUID, ...]
    began_at: Instant
    ended_at: Instant
    undone_at: Instant | None

    def names(self) -> Iterator[tuple[object, ...]]:
        yield ("merge", self.merge_id)

    def needs(self) -> Iterator[tuple[object, ...]]:
        yield from super().needs()
        yield self._here("entity", self.source_id)
        yield self._here("entity", self.target_id)

    def more(self) -> dict[str, Any]:
        if self.ended_at < self.began_at:
            raise ValueError("a merge ends when it began, or later")
        return {}


def latest(one: Line) -> datetime | None:
    """The latest moment of the service's record that a line names."""
    names = {"recorded_at", "recorded_from", "recorded_to", "began_at", "decided_at"}
    given = [getattr(one, name) for name in names & {f.name for f in fields(one)}]
    return max((moment for moment in given if moment is not None), default=None)
