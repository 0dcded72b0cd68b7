"""Memories that lose evidence: what becomes of each is worked out first, then written down."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from muniment.domain.derived import (
    Grades,
    HeldVersion,
    Statement,
    Support,
    Wording,
    regraded,
    reworded,
)
from muniment.domain.memory import Standing
from muniment.domain.text import analyzer_for
from muniment.domain.trust import Role, Trust
from muniment.ports import Context, ScopeMark
from muniment.records.apart import worked_out
from muniment.records.duplicates import NOT_FOUND, hashes_of
from muniment.records.index_rows import searchable
from muniment.records.versions import about


@dataclass(frozen=True)
class Losing:
    """Which evidence goes: that of whole scopes, of sessions, of turns; whom it names."""

    scopes: Sequence[UUID]
    whole: bool = False
    sessions: Sequence[UUID] = ()
    events: Sequence[UUID] = ()
    identifiers: Sequence[str] = ()

    def columns(self) -> dict[str, Any]:
        """As parameters of the statements that look for what rests on it."""
        return {
            "scopes": list(self.scopes),
            "whole": self.whole,
            "sessions": list(self.sessions),
            "events": list(self.events),
        }


@dataclass(frozen=True)
class Derived:
    """What becomes of one memory; without ``grades`` it goes.

    ``grades`` are those of the versions that stay; what ``dropped`` rested on is all erased.
    """

    scope_id: UUID
    memory_id: UUID
    kind: str
    said: Wording
    grades: dict[UUID, tuple[Grades, datetime | None]]
    dropped: Sequence[UUID] = ()


@dataclass(frozen=True)
class _Memory:
    scope_id: UUID
    memory_id: UUID
    kind: str
    text: str
    slot: str | None
    value: str | None
    subject: str | None
    data_source: str | None
    detail: str | None
    agent_id: str | None
    metadata: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True)
class _Support:
    memory_id: UUID
    recorded_at: datetime
    observed_at: datetime
    trust: Trust
    erased: bool
    role: Role | None
    content: str | None
    name: str | None
    stated_trust: Trust | None
    stated_confidence: float


@dataclass(frozen=True)
class _Version:
    memory_id: UUID
    version_id: UUID
    recorded_from: datetime
    recorded_to: datetime | None
    standing: Standing
    trust: Trust
    confidence: float
    observed_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True)
class _ScopeId:
    scope_id: UUID


async def scopes_resting(ctx: Context, losing: Losing) -> list[UUID]:
    """Other scopes that hold a memory with evidence that goes, in the order of locking."""
    rows = await ctx.unit.rows(_ScopeId, "erasure_scopes_resting", **losing.columns())
    return sorted(row.scope_id for row in rows)


async def derived_from(ctx: Context, losing: Losing) -> list[Derived]:
    """Every memory with evidence that goes, and what becomes of it.

    Whoever erases holds the locks of the scopes that it lies in.
    """
    memories = await ctx.unit.rows(_Memory, "erasure_resting", **losing.columns())
    if not memories:
        return []
    found = {
        "memories": [row.memory_id for row in memories],
        "places": list({row.scope_id for row in memories}),
    }
    supports = await ctx.unit.rows(_Support, "erasure_supports", **found, **losing.columns())
    versions = await ctx.unit.rows(_Version, "erasure_versions", **found)
    stated = {key: list(rows) for key, rows in groupby(supports, lambda row: row.memory_id)}
    held = {key: list(rows) for key, rows in groupby(versions, lambda row: row.memory_id)}
    return [
        _judged(ctx, losing, row, stated.get(row.memory_id, []), held.get(row.memory_id, []))
        for row in memories
    ]


def _judged(
    ctx: Context,
    losing: Losing,
    row: _Memory,
    supports: Sequence[_Support],
    versions: Sequence[_Version],
) -> Derived:
    slot = None if row.slot is None else ctx.policy.slots.get(row.slot)
    said = Wording(
        row.text, slot, row.value, row.subject, row.data_source, row.detail, row.agent_id,
        row.metadata,
    )  # fmt: skip
    statements = _statements(supports)
    gone = Derived(row.scope_id, row.memory_id, row.kind, said, {})
    analyzer = analyzer_for(ctx.language)
    fate, said = reworded(said, row.created_at, statements, losing.identifiers, analyzer)
    if fate == "goes":
        return gone
    grades: dict[UUID, tuple[Grades, datetime | None]] = {}
    for version in versions:
        held = HeldVersion(
            version.version_id, version.recorded_from, version.recorded_to, version.trust,
            version.confidence, version.observed_at,
        )  # fmt: skip
        anew = regraded(
            held, said, statements, lambda known: ctx.policy.confidence_of(None, stated=known)
        )
        if anew is not None:
            expires_at = _expiry(ctx, row, said, version, anew.observed_at)
            grades[version.version_id] = (anew, expires_at)
    dropped = [one.version_id for one in versions if one.version_id not in grades]
    return replace(gone, said=said, grades=grades, dropped=dropped if grades else ())


def _expiry(
    ctx: Context, row: _Memory, said: Wording, version: _Version, observed_at: datetime
) -> datetime | None:
    """A life that counts from what was observed is shorter when that is longer ago."""
    if version.expires_at is None or version.standing == "quarantined":
        return version.expires_at
    anew = ctx.policy.expiry(row.kind, said.slot, observed_at)
    return version.expires_at if anew is None else min(version.expires_at, anew)


def _statements(supports: Sequence[_Support]) -> list[Statement]:
    """Evidence by the moment at which it was stated: each write into a scope has its own."""
    found = []
    for at, rows in groupby(supports, lambda row: row.recorded_at):
        cited = list(rows)
        found.append(
            Statement(
                recorded_at=at,
                trust=cited[0].stated_trust or "agent_inferred",
                confidence=cited[0].stated_confidence,
                supports=[
                    Support(
                        one.recorded_at, one.observed_at, one.trust, one.erased, one.role,
                        one.content, one.name,
                    )
                    for one in cited
                ],
            )
        )  # fmt: skip
    return found


async def write_derived(ctx: Context, mark: ScopeMark, derived: Sequence[Derived]) -> None:
    """Write down what stays of memories of one scope, whose lock the caller holds (``mark``)."""
    staying = [one for one in derived if one.grades]
    if not staying:
        return
    dropped = [version for one in staying for version in one.dropped]
    await ctx.unit.run("erase_versions", scope_id=mark.scope_id, versions=dropped)
    await ctx.unit.many(
        "memory_reword",
        [
            {
                "scope_id": one.scope_id,
                "memory_id": one.memory_id,
                "text": one.said.text,
                "detail": one.said.detail,
                "agent_id": one.said.agent_id,
                "metadata": one.said.metadata,
                **(
                    NOT_FOUND
                    if one.said.slot
                    else hashes_of(
                        ctx, one.kind, one.said.data_source, one.said.text, one.said.metadata
                    )
                ),
            }
            for one in staying
        ],
    )
    texts = [(f"{one.said.text}{about(one.said.slot, one.said.subject)}", None) for one in staying]
    size = sum(len(text) for text, _ in texts)
    rows = []
    columns = await worked_out(size, partial(searchable, ctx, texts))
    for one, found_by in zip(staying, columns, strict=True):
        for version_id, (grades, expires_at) in one.grades.items():
            rows.append(
                {
                    "scope_id": one.scope_id,
                    "version_id": version_id,
                    "rev": mark.version,
                    "recorded_from": grades.recorded_from,
                    "trust": grades.trust,
                    "confidence": grades.confidence,
                    "observed_at": grades.observed_at,
                    "expires_at": expires_at,
                    **found_by,
                }
            )
    await ctx.unit.many("version_regrade", rows)
    await ctx.unit.many("index_regrade", rows)
