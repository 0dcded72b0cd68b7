"""Lines of an export that tell memories: records, versions, and what they rest on."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal
from uuid import UUID

from annotated_types import Ge, Le, MaxLen
from pydantic import Field, TypeAdapter

from muniment.domain.trust import Trust
from muniment.operations import transfer_format as base
from muniment.operations.file_paths import FilePath
from muniment.operations.store_fields import Life, Path, Places
from muniment.operations.transfer_format import Kept, Line, Name, Outcome, Placed, Share, Weight
from muniment.operations.types import Content, Identifier, Instant, Json, Text, Turn, command

Key = tuple[object, ...]


@command
class Extraction(base.OfSession):
    """A candidate that was decided on, by its digest."""

    type: Literal["extraction"]
    digest: Annotated[str, Field(pattern=r"^\\x[0-9a-f]{64}$")]
    cited: tuple[UUID, ...]
    outcome: Outcome
    rule: Name
    decided_at: Instant

    def names(self) -> Iterator[tuple[object, ...]]:
        yield self._here("extraction", self.session_pk, self.digest)


@command
class Memory(Placed):
    """What is held to be true, whatever its versions say."""

    type: Literal["memory"]
    memory_id: UUID
    kind: Name
    subject_id: UUID
    slot: Name | None
    value: str | None
    value_key: str | None
    text: Text
    detail: str | None
    data_source: Name | None
    agent_id: Name | None
    metadata: dict[str, Json]
    created_at: Instant
    created_by: UUID

    def names(self) -> Iterator[Key]:
        yield ("memory", self.memory_id)
        yield self._here("memory", self.memory_id)
        yield self._here("memory in slot", self.memory_id, self.slot)

    def needs(self) -> Iterator[Key]:
        yield from super().needs()
        yield self._here("entity", self.subject_id)

    def more(self) -> dict[str, Any]:
        if len({one is None for one in (self.slot, self.value, self.value_key)}) > 1:
            raise ValueError("slot, value and value_key come together")
        return {}


@command
class Version(Placed, Kept):
    """What was held when: ``valid`` in the world, ``recorded`` by the service."""

    type: Literal["version"]
    version_id: UUID
    memory_id: UUID
    subject_id: UUID
    slot: Name | None
    cardinality: Literal["one", "many"] | None
    valid_from: Instant
    valid_to: Instant | None
    recorded_from: Instant
    recorded_to: Instant | None
    standing: base.Standing
    trust: Trust
    confidence: Share
    importance: Weight
    pinned: bool
    is_durative: bool
    archived: bool
    retracted: bool
    superseded_by: UUID | None
    ended_by: UUID | None
    restores: UUID | None
    observed_at: Instant

    def names(self) -> Iterator[Key]:
        yield self._here("version", self.version_id)

    def needs(self) -> Iterator[Key]:
        yield from super().needs()
        yield self._here("memory in slot", self.memory_id, self.slot)
        yield self._here("entity", self.subject_id)
        for other in (self.superseded_by, self.ended_by):
            if other is not None:
                yield self._here("memory", other)

    def more(self) -> dict[str, Any]:
        if (self.slot is None) != (self.cardinality is None):
            raise ValueError("slot and cardinality come together")
        return {
            "valid": base.range_text(self.valid_from, self.valid_to),
            "recorded": base.range_text(self.recorded_from, self.recorded_to),
        }


@command
class Evidence(Placed):
    """What supports a memory; without a session where that was not the user's."""

    type: Literal["evidence"]
    evidence_id: UUID
    memory_id: UUID
    source_namespace: Identifier | None
    session_pk: UUID | None
    event_id: UUID | None
    turn: Turn | None
    key_id: UUID
    trust: Trust
    observed_at: Instant
    recorded_at: Instant
    withdrawn: Annotated[tuple[base.Window, ...], MaxLen(1000)]

    def names(self) -> Iterator[Key]:
        yield self._here("evidence", self.evidence_id)
        if self.session_pk is not None and self.turn is not None:
            turn = (self.source_namespace, self.session_pk, self.turn)
            yield self._here("evidence of", self.memory_id, *turn)

    def needs(self) -> Iterator[Key]:
        yield from super().needs()
        yield self._here("memory", self.memory_id)
        if self.session_pk is not None:
            yield ("session", self.source_namespace, self.session_pk)
        if self.event_id is not None:
            yield ("event", self.source_namespace, self.event_id)

    def more(self) -> dict[str, Any]:
        if (self.source_namespace is None) is not (self.session_pk is None):
            raise ValueError("source_namespace and session_pk come together")
        if self.session_pk is None and (self.turn is not None or self.event_id is not None):
            raise ValueError("a turn is of a session")
        windows = ",".join(base.range_text(one.start, one.end) for one in self.withdrawn)
        return {"withdrawn": f"{{{windows}}}"}


@command
class Derivation(Placed):
    """A memory that was made from another."""

    type: Literal["derivation"]
    memory_id: UUID
    source_id: UUID

    def names(self) -> Iterator[Key]:
        yield self._here("derivation", self.memory_id, self.source_id)

    def needs(self) -> Iterator[Key]:
        yield from super().needs()
        yield self._here("memory", self.memory_id)
        yield self._here("memory", self.source_id)

    def more(self) -> dict[str, Any]:
        if self.memory_id == self.source_id:
            raise ValueError("a memory is not made from itself")
        return {}


@command
class Decision(Placed):
    """What reconciliation, a duty or a person decided, with the rule."""

    type: Literal["decision"]
    decision_id: UUID
    memory_id: UUID
    incumbent_id: UUID | None
    outcome: Outcome
    rule: Name
    inputs: dict[str, Json]
    ended: tuple[UUID, ...]
    made: tuple[UUID, ...]
    undoes: UUID | None
    key_id: UUID
    decided_at: Instant

    def names(self) -> Iterator[Key]:
        yield self._here("decision", self.decision_id)

    def needs(self) -> Iterator[Key]:
        yield from super().needs()
        yield self._here("memory", self.memory_id)
        if self.incumbent_id is not None:
            yield self._here("memory", self.incumbent_id)
        if self.undoes is not None:
            yield self._here("decision", self.undoes)


@command
class Review(Placed):
    """What a person decided on what waited, and why."""

    type: Literal["review"]
    review_id: UUID
    event_id: UUID | None
    memory_id: UUID | None
    version_id: UUID | None
    why: Literal["quarantined", "contested", "unconfirmed"]
    decision: Literal["approve", "reject", "keep_both"]
    reason: str
    trust_before: Trust
    trust_after: Trust
    key_id: UUID
    decided_at: Instant

    def names(self) -> Iterator[Key]:
        yield self._here("review", self.review_id)

    def needs(self) -> Iterator[Key]:
        yield from super().needs()
        for kind in ("event", "memory", "version"):
            of = getattr(self, f"{kind}_id")
            if of is not None:
                yield self._here(kind, of)

    def more(self) -> dict[str, Any]:
        if (self.event_id is None) == (self.memory_id is None):
            raise ValueError("a review is of a turn or of a memory")
        if (self.memory_id is None) != (self.version_id is None):
            raise ValueError("memory_id and version_id come together")
        return {}


@command
class Promotion(Placed):
    """A sentence that recurred and was counted once."""

    type: Literal["promotion"]
    event_id: UUID
    sentence: Annotated[int, Ge(0), Le(2**31 - 1)]
    memory_id: UUID | None
    decided_at: Instant

    def names(self) -> Iterator[Key]:
        yield self._here("promotion", self.event_id, self.sentence)

    def needs(self) -> Iterator[Key]:
        yield from super().needs()
        yield self._here("event", self.event_id)
        if self.memory_id is not None:
            yield self._here("memory", self.memory_id)


@command
class Access(Placed):
    """When an item was last useful, and how often it was."""

    type: Literal["access"]
    item_id: UUID
    last_at: Instant
    count: Annotated[int, Ge(1), Le(2**53 - 1)]

    def names(self) -> Iterator[Key]:
        yield self._here("access", self.item_id)


@command
class Item(Placed):
    """An item of the application's own."""

    type: Literal["item"]
    path: Path
    key: Identifier
    item_id: UUID
    value: dict[str, Json]
    fields: Places | None
    ttl: Life | None
    key_id: UUID
    created_at: Instant
    updated_at: Instant
    expires_at: Instant | None

    def names(self) -> Iterator[Key]:
        yield self._here("item", *self.path, "", self.key)

    def more(self) -> dict[str, Any]:
        if (self.ttl is None) != (self.expires_at is None):
            raise ValueError("ttl and expires_at come together")
        return {}


@command
class File(Placed):
    """A version of a file."""

    type: Literal["file"]
    path: FilePath
    version: Annotated[int, Ge(1), Le(2**31 - 1)]
    content: Content
    agent_id: Identifier | None
    key_id: UUID
    written_at: Instant
    ended_at: Instant | None

    def names(self) -> Iterator[Key]:
        yield self._here("file", self.path, self.version)
        if self.ended_at is None:
            yield self._here("current file", self.path)


_Any = Annotated[
    base.Export | base.End | base.User | base.Scope | base.Session | base.Event | base.Episode
    | Extraction | base.Working | base.Entity | base.Alias | base.Merge | Memory | Version
    | Evidence | Derivation | Decision | Review | Promotion | Access | base.Analysis
    | Item | File,
    Field(discriminator="type"),
]  # fmt: skip
LINES: TypeAdapter[Line] = TypeAdapter(_Any)
