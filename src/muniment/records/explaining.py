"""What became of items of answers: their versions, what they rest on, and who decided on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.memory import Standing, Version
from muniment.domain.timeline import FIRST, Window
from muniment.domain.trust import Trust
from muniment.ports import Context
from muniment.records.runs import RunRow


@dataclass(frozen=True)
class VersionRow:
    """A version of a memory, with what the memory says."""

    scope_id: UUID
    id: UUID
    kind: str
    text: str
    slot: str | None
    value: str | None
    data_source: str | None
    version_id: UUID
    standing: Standing
    trust: Trust
    confidence: float
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    succeeded_by: UUID | None
    ended_by: UUID | None
    retracted: bool
    archived: bool
    expires_at: datetime | None
    contested_by: list[UUID] | None

    @property
    def version(self) -> Version:
        """It as rules see it."""
        return Version(
            version_id=self.version_id,
            memory_id=self.id,
            valid=Window(self.valid_from, self.valid_to),
            recorded=Window(self.recorded_at, self.superseded_at),
            standing=self.standing,
            trust=self.trust,
            superseded_by=self.succeeded_by,
            retracted=self.retracted,
            archived=self.archived,
            expires_at=self.expires_at,
        )


@dataclass(frozen=True)
class EvidenceRow:
    """A turn that a memory rests on, or the bare word of a key; its text as long as it is held."""

    id: UUID
    session_id: str | None
    turn: int | None
    role: str | None
    name: str | None
    text: str | None
    trust: Trust
    observed_at: datetime
    recorded_at: datetime
    relayed_by: str | None
    withdrawn: bool


@dataclass(frozen=True)
class DecisionTold:
    """What was decided about a memory: by a rule, or by a person in review, who gave a reason."""

    id: UUID
    decision_id: UUID
    outcome: str
    rule: str
    decided_at: datetime
    decided_by: str | None
    reason: str | None


@dataclass(frozen=True)
class EpisodeRow:
    """A turn, or a summary with one of the turns behind it."""

    id: UUID
    scope_id: UUID
    kind: str
    standing: str
    superseded_at: datetime | None
    expires_at: datetime | None
    event_id: UUID | None
    session_id: str
    turn: int | None
    role: str | None
    name: str | None
    text: str
    said: str | None
    trust: Trust
    occurred_at: datetime
    recorded_at: datetime
    relayed_by: str | None


@dataclass(frozen=True)
class DocumentRow:
    """The document of a chunk as it is now; ``text`` where the chunk is there still."""

    id: UUID
    document_id: UUID
    source: str
    title: str
    version: int
    recorded_at: datetime
    text: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    put_by: str | None

    @property
    def valid(self) -> Window:
        """When it is in force."""
        return Window(FIRST if self.valid_from is None else self.valid_from, self.valid_to)


@dataclass(frozen=True)
class RunFactRow:
    """A fact that a run committed to."""

    id: UUID
    key: str
    value: Any
    source: str
    step: int
    valid_from: datetime
    superseded_from: datetime | None
    superseded_by: UUID | None


@dataclass(frozen=True)
class _Due:
    id: UUID
    due: datetime | None


@dataclass(frozen=True)
class Behind:
    """Everything that is held of some items, by their ids."""

    versions: Mapping[UUID, Sequence[VersionRow]]
    evidence: Mapping[UUID, Sequence[EvidenceRow]]
    decisions: Mapping[UUID, Sequence[DecisionTold]]
    episodes: Mapping[UUID, Sequence[EpisodeRow]]
    documents: Mapping[UUID, DocumentRow]
    facts: Mapping[UUID, RunFactRow]
    due: Mapping[UUID, datetime | None]


async def what_is_behind(
    ctx: Context,
    scopes: Sequence[UUID],
    by_tier: Mapping[str, Sequence[UUID]],
    documents: Mapping[UUID, UUID | None],
    run: RunRow | None,
) -> Behind:
    """What is held of items, by their tiers; ``documents``: of a chunk, as far as it is known."""
    where: dict[str, Any] = {"scopes": list(scopes), "now": ctx.now}
    memories = {"scopes": list(scopes), "ids": list(by_tier.get("semantic", ()))}
    episodes = list(by_tier.get("episodic", ()))
    facts: list[RunFactRow] = []
    due: list[_Due] = []
    if run is not None:
        ids = [one for named in by_tier.values() for one in named]
        facts = await ctx.unit.rows(RunFactRow, "trail_run_facts", **run.place, ids=ids)
        due = await ctx.unit.rows(_Due, "trail_due", **run.place, ids=ids)
    chunks = {"ids": list(documents), "documents": list(documents.values())}
    found = await ctx.unit.rows(DocumentRow, "trail_documents", **where, **chunks)
    return Behind(
        versions=_grouped(
            await ctx.unit.rows(VersionRow, "trail_versions", **memories, now=ctx.now)
        ),
        evidence=_grouped(
            await ctx.unit.rows(EvidenceRow, "trail_evidence", **memories, now=ctx.now)
        ),
        decisions=_grouped(await ctx.unit.rows(DecisionTold, "trail_decisions", **memories)),
        episodes=_grouped(await ctx.unit.rows(EpisodeRow, "trail_episodes", **where, ids=episodes)),
        documents={row.id: row for row in found},
        facts={row.id: row for row in facts},
        due={row.id: row.due for row in due},
    )


def _grouped(rows: Sequence[Any]) -> dict[UUID, list[Any]]:
    groups: dict[UUID, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.id, []).append(row)
    return groups
