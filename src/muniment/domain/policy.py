"""The policy: kinds, retention classes, slots and numbers, read from one declarative document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from muniment.domain.assembly import (
    LEAST_TOKENS,
    MOST_TOKENS,
    REQUIRED,
    SECTIONS,
    Section,
)
from muniment.domain.curation.recurrence import Recurrence
from muniment.domain.decay import Cap, Decay
from muniment.domain.duplicates import Threshold
from muniment.domain.embedding import Embedding
from muniment.domain.gathering import Gathering
from muniment.domain.memory import Label
from muniment.domain.ranking.scoring import RankingPolicy, TierWeights
from muniment.domain.slot import Cardinality, Slot, ValueType
from muniment.domain.timeline import later
from muniment.domain.trust import Authority

Category = Literal["public", "internal", "personal", "regulated"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
"""From the least sensitive to the most."""
_Days = Annotated[int, Field(gt=0, le=36_500, strict=True)]
_Hours = Annotated[int, Field(gt=0, le=876_000, strict=True)]
_Weight = Annotated[int, Field(ge=1, le=10, strict=True)]
_Count = Annotated[int, Field(gt=0, le=10_000, strict=True)]
_Share = Annotated[float, Field(ge=0, le=1, strict=True)]
_Factor = Annotated[float, Field(ge=0, le=10, strict=True)]
RankedTier = Literal["episodic", "semantic", "knowledge"]
_ROUNDING: Final = 1e-9
_BY_DAYS: Final = ("recorded", "closed", "at_least")
Owner = Literal["subject", "steward", "operator", "agent", "auditor", "admin"]
Layer = Literal["working", "run", "episodic", "semantic", "knowledge", "audit", "governance"]


class PolicyError(ValueError):
    """The policy document breaks a rule; the message names the place and the rule.

    ``faults`` name every place, as keys from the outside in, and the rule; ``locked``: the rule is
    that of a class that is locked.
    """

    def __init__(
        self, faults: Sequence[tuple[Sequence[str | int], str]], *, locked: bool = False
    ) -> None:
        self.faults = tuple(faults)
        self.locked = locked
        place, rule = self.faults[0]
        super().__init__(f"{'.'.join(str(part) for part in place) or 'document'}: {rule}")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Kind(_Strict):
    """How memories of one kind live: whose they are, how long, and what counts as a duplicate."""

    layer: Layer
    scope: Literal["user", "org"]
    retention_class: str
    owner: Owner
    ttl: _Days | None = None
    grace: Annotated[int, Field(ge=0, strict=True)] = 0
    refreshed: bool = False
    decays: bool = False
    duplicates: Literal["slot", "semantic", "data_source", "none"]
    overlap: _Share | None = None
    ruled: bool = False
    """Whether what is said is a rule or a wish, so that "should be" and "wants" put it alike."""
    distance: dict[str, Annotated[float, Field(gt=0, le=2, strict=True)]] = Field(
        default_factory=dict
    )
    durative_after: _Count | None = None
    writers: tuple[str, ...] = ()

    def threshold(self, embedder: str) -> Threshold | None:
        """From where on two without a slot are one; None where only the same text is."""
        if self.duplicates == "none" or self.overlap is None:
            return None
        return Threshold(self.overlap, self.distance.get(embedder), self.ruled)


class Retention(_Strict):
    """How long a class of rows is kept, by data category: what ends it, and why it stays till then.

    ``at_least``: nothing removes it afterwards.
    """

    ends: Literal[
        "recorded", "closed", "at_least", "kind", "contents", "session", "source", "forget",
        "operator", "hold", "application",
    ]  # fmt: skip
    driver: Literal["purpose", "contract", "law", "proof", "security", "operations"]
    owner: Owner
    days: dict[Category, _Days] | None = None
    locked: Annotated[bool, Field(strict=True)] = False
    """It may be made longer, never shorter."""

    @model_validator(mode="after")
    def _days_where_counted(self) -> "Retention":
        if (self.ends in _BY_DAYS) != (self.days is not None):
            raise ValueError("days are given where they end it, and only there")
        missing = [name for name in get_args(Category) if name not in (self.days or {})]
        if self.days is not None and missing:
            raise ValueError(f"days are missing for {', '.join(missing)}")
        return self


class SlotEntry(_Strict):
    """A slot as a document defines it."""

    cardinality: Cardinality
    value_type: ValueType = "text"
    aliases: dict[str, str] = Field(default_factory=dict)
    cues: tuple[str, ...] = ()
    authority: Authority = "user"
    stale_after: _Days | None = None
    ttl: _Days | None = None
    pinned: bool = False
    importance: _Weight = 5


class _Confidence(_Strict):
    confirmatory: _Share
    exploratory: _Share
    exploratory_divergent: _Share
    stated: _Share
    inferred: _Share
    write_floor: _Share
    recall_floor: _Share


class _Working(_Strict):
    ttl_hours: _Hours


class _Session(_Strict):
    idle_hours: _Hours


class _Forget(_Strict):
    confirm: Annotated[bool, Field(strict=True)]


class _Transcript(_Strict):
    turns: _Count


class _Curation(_Strict):
    promote_after: Annotated[int, Field(ge=2, le=100, strict=True)]
    look_back: _Days
    overlap: Annotated[float, Field(gt=0, le=1, strict=True)]
    most: _Count


class _Decay(_Strict):
    half_life: Annotated[int, Field(gt=0, le=3650, strict=True)]
    threshold: Annotated[float, Field(ge=0.001, le=1, strict=True)]
    grace: _Days
    immune: Annotated[int, Field(ge=1, le=11, strict=True)]


class _Gathering(_Strict):
    cluster: Annotated[int, Field(ge=2, le=100, strict=True)]
    few: Annotated[int, Field(ge=2, le=100, strict=True)]
    importance: _Count
    related: Annotated[float, Field(gt=0, le=1, strict=True)]
    most: Annotated[int, Field(ge=2, le=100, strict=True)]
    characters: Annotated[int, Field(ge=200, le=16_000, strict=True)]


class _Upkeep(_Strict):
    share: _Share
    floor: Annotated[int, Field(ge=0, le=1_000_000, strict=True)]


class _Profile(_Strict):
    tokens: _Count
    importance: _Weight
    kinds: tuple[str, ...]


class _Context(_Strict):
    tokens: Annotated[int, Field(ge=LEAST_TOKENS, le=MOST_TOKENS, strict=True)]
    order: tuple[Section, ...]
    shares: dict[Section, _Share]

    @model_validator(mode="after")
    def _every_section_once(self) -> "_Context":
        if sorted(self.order) != sorted(SECTIONS):
            raise ValueError(f"the order names each of these once: {', '.join(SECTIONS)}")
        if set(self.shares) != {name for name in SECTIONS if name != REQUIRED}:
            raise ValueError(f"every section but {REQUIRED} has a share")
        if sum(self.shares.values()) > 1 + _ROUNDING:
            raise ValueError("the shares are more than 1 together")
        return self


class _TierWeights(_Strict):
    relevance: _Share
    recency: _Share
    importance: _Share

    @model_validator(mode="after")
    def _add_up(self) -> "_TierWeights":
        if abs(self.relevance + self.recency + self.importance - 1.0) > _ROUNDING:
            raise ValueError("relevance, recency and importance are 1 together")
        return self


class _Ranking(_Strict):
    own: _Factor
    before: _Factor
    both: _Factor
    related: _Share
    session: _Factor
    session_best: _Factor
    cosine: _Factor
    context_cosine: _Factor
    speaker: _Factor
    length: _Factor
    dated: _Factor
    date: _Factor
    evidence_floor: _Factor
    relevance_floor: _Share
    tiers: dict[RankedTier, _TierWeights]

    @model_validator(mode="after")
    def _every_tier_and_something(self) -> "_Ranking":
        if len(self.tiers) < len(get_args(RankedTier)):
            raise ValueError(f"each of these has weights: {', '.join(get_args(RankedTier))}")
        if not any((self.own, self.before, self.both, self.cosine, self.context_cosine)):
            raise ValueError("some words or vectors have a weight")
        return self


class _Document(_Strict):
    kinds: dict[str, Kind]
    retention: dict[str, Retention]
    slots: dict[str, SlotEntry]
    confidence: _Confidence
    working: _Working
    session: _Session
    forget: _Forget
    transcript: _Transcript
    curation: _Curation
    decay: _Decay
    gathering: _Gathering
    upkeep: _Upkeep
    profile: _Profile
    context: _Context
    ranking: _Ranking
    importance: dict[str, _Weight]

    @model_validator(mode="after")
    def _every_kind_names_a_class(self) -> "_Document":
        for name, kind in self.kinds.items():
            if kind.retention_class not in self.retention:
                raise ValueError(f"kind {name!r} names an unknown retention class")
        unknown = [name for name in self.profile.kinds if name not in self.kinds]
        if unknown:
            raise ValueError(f"the profile names an unknown kind {unknown[0]!r}")
        return self


@dataclass(frozen=True)
class Policy:
    """A validated policy; look-ups raise KeyError for what it does not define.

    ``document`` is what it was read from. A tenant's own policy says which of its ``revision``s it
    is, and what it was made from (``base``).
    """

    kinds: Mapping[str, Kind]
    retention: Mapping[str, Retention]
    slots: Mapping[str, Slot]
    confidence: _Confidence
    working_ttl: timedelta
    session_idle: timedelta
    confirms_forget: bool
    transcript_turns: int
    recurrence: Recurrence
    decay: Decay
    gathering: Gathering
    cap: Cap
    profile: _Profile
    context: _Context
    ranking: RankingPolicy
    importance: Mapping[str, int]
    document: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    revision: int = 0
    embedding: Embedding = field(default_factory=Embedding)
    base: "Policy | None" = field(default=None, repr=False, compare=False)

    @property
    def ranked(self) -> RankingPolicy:
        """The weights as they count with the vectors in use."""
        return self.ranking if self.embedding.calibrated else self.ranking.uncalibrated()

    @property
    def installed(self) -> "Policy":
        """The policy of the installation, which holds where the tenant says nothing else."""
        return self.base or self

    @staticmethod
    def parse(document: Mapping[str, Any]) -> "Policy":
        """Validate a decoded document. Raises PolicyError naming what is missing or wrong."""
        try:
            read = _Document.model_validate(document)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            faults = [(one["loc"], one["msg"].removeprefix("Value error, ")) for one in found]
            raise PolicyError(faults) from None
        return Policy(
            kinds=read.kinds,
            retention=read.retention,
            slots={name: slot_of(name, entry) for name, entry in read.slots.items()},
            confidence=read.confidence,
            working_ttl=timedelta(hours=read.working.ttl_hours),
            session_idle=timedelta(hours=read.session.idle_hours),
            confirms_forget=read.forget.confirm,
            transcript_turns=read.transcript.turns,
            recurrence=Recurrence(
                promote_after=read.curation.promote_after,
                look_back=timedelta(days=read.curation.look_back),
                overlap=read.curation.overlap,
                most=read.curation.most,
            ),
            decay=Decay(
                half_life=timedelta(days=read.decay.half_life),
                threshold=read.decay.threshold,
                grace=timedelta(days=read.decay.grace),
                immune=read.decay.immune,
            ),
            gathering=Gathering(**read.gathering.model_dump()),
            cap=Cap(share=read.upkeep.share, floor=read.upkeep.floor),
            profile=read.profile,
            context=read.context,
            ranking=_ranking(read.ranking),
            importance=read.importance,
            document=document,
        )

    def keep_until(
        self, retention_class: str, category: Category, start: datetime
    ) -> datetime | None:
        """When a row of this class goes, or None where something else than a date ends it."""
        days = self.retention[retention_class].days
        return None if days is None else later(start, timedelta(days=days[category]))

    def expiry(self, kind: str, slot: Slot | None, observed_at: datetime) -> datetime | None:
        """When a memory goes: the shorter life of its kind and slot, from ``observed_at``."""
        ttl = self.kinds[kind].ttl
        lives = [timedelta(days=ttl)] if ttl is not None else []
        if slot is not None and slot.ttl is not None:
            lives.append(slot.ttl)
        return later(observed_at, min(lives)) if lives else None

    def confidence_of(self, label: Label | None, *, stated: bool) -> float:
        """Confidence by the report's label, else by whether a turn states it (RULES 7.1)."""
        if label is not None:
            return float(getattr(self.confidence, label))
        return self.confidence.stated if stated else self.confidence.inferred


def _ranking(read: _Ranking) -> RankingPolicy:
    weights = read.model_dump(exclude={"tiers"})
    tiers: dict[str, TierWeights] = {
        name: TierWeights(**tier.model_dump()) for name, tier in read.tiers.items()
    }
    return RankingPolicy(**weights, tiers=tiers)


def slot_of(name: str, entry: SlotEntry) -> Slot:
    """The slot that an entry defines."""
    return Slot(
        name=name,
        cardinality=entry.cardinality,
        value_type=entry.value_type,
        aliases=entry.aliases,
        cues=entry.cues,
        authority=entry.authority,
        stale_after=None if entry.stale_after is None else timedelta(days=entry.stale_after),
        ttl=None if entry.ttl is None else timedelta(days=entry.ttl),
        pinned=entry.pinned,
        importance=entry.importance,
    )
