"""What the core asks of the world outside it. ``bootstrap`` alone knows who answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from json import dumps
from typing import Any, Protocol, TypeVar
from uuid import UUID

from muniment.domain.allowance import Allowance as Allowance
from muniment.domain.embedding import Place
from muniment.domain.erasures import Ledger
from muniment.domain.policy import Policy
from muniment.domain.ranking import RelatedWords, ScopeIndex
from muniment.domain.sealing import Signer, salted
from muniment.domain.trust import Role
from muniment.errors import Fault
from muniment.model_ports import Embedder as Embedder
from muniment.model_ports import Extractor as Extractor
from muniment.model_ports import MissingEmbedder
from muniment.model_ports import Reranker as Reranker
from muniment.model_ports import TokenCounter as TokenCounter
from muniment.unit_ports import Sure as Sure
from muniment.unit_ports import Unit as Unit
from muniment.unit_ports import Units as Units

T = TypeVar("T")


class Clock(Protocol):
    """Now, as an aware instant in UTC."""

    def now(self) -> datetime: ...


class Ids(Protocol):
    """New identifiers (UUID version 7), in rising order within a process."""

    def new(self) -> UUID: ...


class Entropy(Protocol):
    """Random bytes fit for secrets."""

    def bytes(self, count: int) -> bytes: ...


@dataclass(frozen=True)
class Redacted:
    """A text with a marker in the place of each secret, and the kinds of those."""

    text: str
    kinds: tuple[str, ...]


class Redactor(Protocol):
    """Finds secrets before anything is stored, embedded or logged. Pure, of bounded work."""

    def redact(self, text: str, *, named: str | None = None) -> Redacted:
        """The text without its secrets; ``named`` is the name under which it stands, if any."""

    def member(self, name: str, above: str | None) -> str:
        """Under which name a member of an object counts: its own, or that of the object, where what
        lies in that is a secret by its name.
        """


class HalfVector(bytes):
    """A vector as 16-bit big-endian floats, the form in which it is stored."""


class Queue(Protocol):
    """Enqueues jobs in the transaction of the unit; arguments are ids only."""

    async def defer(self, unit: Unit, task: str, key: str, /, **ids: str) -> int | None:
        """The job's number, or None if one with this key already waits."""


@dataclass(frozen=True)
class ScopeMark:
    """A scope as a transaction sees it: its version, and below which caches must reload."""

    scope_id: UUID
    version: int
    rebuilt: int
    watermark: datetime


@dataclass(frozen=True)
class ScopeRow(ScopeMark):
    """A scope and its mark as a transaction saw it."""

    level: str
    chunks: int = 0  # of shared knowledge

    @property
    def mark(self) -> ScopeMark:
        """By which caches know their age."""
        return ScopeMark(self.scope_id, self.version, self.rebuilt, self.watermark)


@dataclass(frozen=True)
class Vectors:
    """Whose vectors an index has, and where they are. Equal ones compare, others never do."""

    embedder: str
    dimensions: int
    place: Place
    since: int


class HeldIndex(Protocol):
    """A cached index and the version of the scope that it holds."""

    @property
    def version(self) -> int: ...

    @property
    def index(self) -> ScopeIndex: ...


class Indexes(Protocol):
    """The cached scope indexes of this process."""

    async def current(self, unit: Unit, mark: ScopeMark, vectors: Vectors) -> HeldIndex:
        """The index of a scope with these vectors and no others, at least as new as ``mark``; rank
        before the next await.
        """

    def discard(self, tenant_id: UUID, scope_id: UUID) -> None:
        """Let go of a scope whose rows have gone."""

    def scopes_of(self, reader: str) -> Sequence[ScopeRow]:
        """Where a reader (a digest of tenant, user and namespace) was last found to look."""

    def remember(self, reader: str, scopes: Sequence[ScopeRow]) -> None:
        """Where a reader looks, as a transaction found it just now; nowhere lets go of it."""


@dataclass(frozen=True)
class RecallRecord:
    """What the recall log keeps of one answer: ids and scores, never text."""

    tenant_id: UUID
    scope_id: UUID
    recall_id: UUID
    at: datetime
    key_id: UUID
    session_pk: UUID | None
    user_key: str | None
    run_id: str | None
    step: int | None
    agent_id: str | None
    tiers: Sequence[str]
    k: int
    as_of: datetime
    known_at: datetime
    watermark: datetime
    abstained: bool
    items: Sequence[Mapping[str, Any]]
    budget: int | None = None  # of a context: how many tokens it might have
    tokens: int | None = None
    counter: str | None = None
    dropped: str | None = None  # as JSON
    user_watermark: datetime | None = None
    org_watermark: datetime | None = None

    def columns(self) -> dict[str, Any]:
        """The record as parameters of the statement that stores it."""
        columns = {one.name: getattr(self, one.name) for one in fields(self)}
        return columns | {"items": dumps(self.items)}


class RecallLog(Protocol):
    """Keeps recalls and moves the clock of use, in batches off the path."""

    def add(self, record: RecallRecord) -> None:
        """Log an answer soon; what a crash loses is the last batch."""

    def use(self, tenant_id: UUID, items: Sequence[tuple[UUID, UUID]], at: datetime) -> None:
        """Note that items, as (scope, item), were useful."""

    def waiting(self, tenant_id: UUID, session_pk: UUID) -> list[UUID]:
        """Items of this session's answers that this process has not logged yet, latest first."""


class Policies(Protocol):
    """The policies of tenants, as this process knows them."""

    async def of(self, unit: Unit, base: Policy, revision: int, /) -> Policy:
        """What the tenant of the unit makes of ``base``, at this revision of it or a later one."""


class Schema(Protocol):
    """What the database's schema offers: a build runs on its own head and on the one before.

    Between the two an upgrade is under way, and what the last migration brings is not there yet.
    """

    @property
    def keeps_answers(self) -> bool:
        """Idempotency keys can be kept (schema 2)."""

    @property
    def counts_usage(self) -> bool:
        """What scopes store is counted (schema 2)."""


class Limiter(Protocol):
    """Rate limits of this process."""

    def take(self, tenant_id: UUID, key_id: UUID) -> Allowance | None:
        """Count a request; None where there are no limits. Raises RateLimited."""


class Quotas(Protocol):
    """What users and tenants may store."""

    async def check(self, unit: Unit, scope_id: UUID, *, grows: bool = True) -> None:
        """Raises StorageFull for a full disk, and QuotaExceeded where a full scope grows."""


class Places(Protocol):
    """In which scopes runs lie, as this process found them: a run never moves."""

    def of(self, tenant_id: UUID, run_id: UUID, /) -> UUID | None: ...
    def note(self, tenant_id: UUID, run_id: UUID, scope_id: UUID, /) -> None: ...

    def left(self, tenant_id: UUID, run_id: UUID, /) -> object | None:
        """What the last checkpoint left of a run, if that was written here; others may have written
        since.
        """

    def leave(self, tenant_id: UUID, run_id: UUID, what: object | None, /) -> None:
        """Remember that, or nothing more, of a run whose place is known."""


class Drill(Protocol):
    """Where fault drills strike; in service nothing happens there."""

    def reached(self, point: str) -> None: ...


@dataclass(frozen=True)
class Caller:
    """Who calls, as the API key says, and which revision of the policy the tenant has."""

    tenant_id: UUID
    key_id: UUID
    principal: str
    verbs: frozenset[str]
    layers: frozenset[str]
    roles: frozenset[Role]
    user_id: str | None
    expires_at: datetime | None = None
    policy_revision: int = 0
    gates: frozenset[str] = frozenset()
    within: Mapping[str, str] = field(default_factory=dict)  # namespace, agent_id it was kept to


@dataclass
class Trail:
    """What the audit entry will tell, no content. The answer names ``user_id`` and ``about``."""

    subjects: list[UUID] = field(default_factory=list)
    detail: dict[str, Any] = field(default_factory=dict)
    user_id: str | None = None
    about: list[UUID] = field(default_factory=list)
    opened: dict[UUID, ScopeMark] = field(default_factory=dict)  # as scopes were first locked
    changes: dict[str, tuple[str | int | None, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class World:
    """The adapters that a process works with."""

    units: Units
    clock: Clock
    ids: Ids
    entropy: Entropy
    policy: Policy
    policies: Policies
    embedder: Embedder
    embedders: Mapping[str | None, Embedder]
    reranker: Reranker | None
    words: RelatedWords
    tokens: TokenCounter
    redactor: Redactor
    extractor: Extractor
    indexes: Indexes
    places: Places
    queue: Queue
    recalls: RecallLog
    quotas: Quotas
    limiter: Limiter
    schema: Schema
    ledger: Ledger
    drill: Drill
    signer: Signer
    seal_seconds: float  # how long destructive calls wait for their seal

    def embedder_of(self, name: str | None) -> Embedder:
        """The embedder of this name; None: the static table."""
        found = self.embedders.get(name)
        return MissingEmbedder(name or "") if found is None else found


@dataclass(frozen=True)
class Context(World):
    """Everything a handler may use. Time and identity are values, so that a history replays."""

    caller: Caller
    now: datetime
    unit: Unit
    trail: Trail
    request_id: str
    language: str = "english"
    repairs: Sequence[Fault] = ()

    @property
    def vectors(self) -> Vectors:
        """Whose vectors the tenant's texts are found by."""
        serving = self.policy.embedding
        name, size = self.embedder.name, self.embedder.dimensions
        return Vectors(name, size, serving.place, serving.since)

    def digest(self, text: str) -> str:
        """A name that a caller chose, as it may be kept when whom it names is forgotten."""
        return salted(self.unit.tenant_id, text)

    @classmethod
    def of(
        cls, world: World, *, policy: Policy, caller: Caller, now: datetime, unit: Unit,
        request_id: str, repairs: Sequence[Fault] = (),
    ) -> "Context":  # fmt: skip
        """The context of one call in one transaction; ``policy`` is the tenant's."""
        adapters = {one.name: getattr(world, one.name) for one in fields(World)}
        adapters["embedder"] = world.embedder_of(policy.embedding.embedder)
        return cls(
            **(adapters | {"policy": policy}), caller=caller, now=now, unit=unit, trail=Trail(),
            request_id=request_id, repairs=repairs,
        )  # fmt: skip
