"""Rows for tests of the scope index, said in a few words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import NAMESPACE_OID, UUID, uuid5

import numpy as np
from numpy.typing import NDArray

from muniment.domain.ranking.question import Question, parse_question
from muniment.domain.ranking.rows import OPEN, RowBatch, encode_vector
from muniment.domain.ranking.scope_index import ScopeIndex
from muniment.domain.ranking.scoring import Ranking
from muniment.domain.ranking.view import View
from muniment.domain.text import Analyzer

DAY = 86_400_000_000
NOW = 20_000 * DAY
DIMENSIONS = 8
ANALYZER = Analyzer("english")


def ident(name: str) -> UUID:
    """A stable id for a name."""
    return uuid5(NAMESPACE_OID, name)


@dataclass(frozen=True)
class Row:
    """One row; times in microseconds, everything open unless said otherwise."""

    name: str
    text: str = ""
    group: str = "session"
    position: int = 0
    rev: int = 1
    tier: str = "episodic"
    kind: str = "event"
    standing: str = "asserted"
    valid_from: int = -OPEN - 1
    valid_to: int = OPEN
    recorded_from: int = 0
    recorded_to: int = OPEN
    expires_at: int = OPEN
    occurred_at: int = NOW - DAY
    last_used_at: int = -OPEN - 1
    importance: float = 5.0
    confidence: float = float("nan")
    speaker: str | None = None
    vector: tuple[float, ...] | None = None

    def with_(self, **changes: object) -> "Row":
        """The same row with some things changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def fact(name: str, text: str, **changes: object) -> Row:
    """A semantic row in a group of its own."""
    return Row(name, text, group=name, tier="semantic", kind="fact", confidence=0.9).with_(
        **changes
    )


def batch(rows: Sequence[Row]) -> RowBatch:
    """The rows as columns."""
    return RowBatch(
        ids=[ident(row.name).bytes for row in rows],
        groups=[ident(row.group).bytes for row in rows],
        positions=[row.position for row in rows],
        revs=[row.rev for row in rows],
        tiers=[row.tier for row in rows],
        kinds=[row.kind for row in rows],
        standings=[row.standing for row in rows],
        valid_from=[row.valid_from for row in rows],
        valid_to=[row.valid_to for row in rows],
        recorded_from=[row.recorded_from for row in rows],
        recorded_to=[row.recorded_to for row in rows],
        expires_at=[row.expires_at for row in rows],
        occurred_at=[row.occurred_at for row in rows],
        last_used_at=[row.last_used_at for row in rows],
        importance=[row.importance for row in rows],
        confidence=[row.confidence for row in rows],
        vectors=[None if row.vector is None else encode_vector(unit(row.vector)) for row in rows],
        terms=[ANALYZER.encode(row.text, speaker=row.speaker) for row in rows],
    )


def unit(values: Sequence[float]) -> NDArray[np.float32]:
    """A unit vector of the tests' dimensions that starts with the given values."""
    vector = np.zeros(DIMENSIONS, dtype=np.float32)
    vector[: len(values)] = values
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def index_of(rows: Sequence[Row]) -> ScopeIndex:
    """An index that holds the rows."""
    return ScopeIndex(DIMENSIONS, batch(rows))


def view(**changes: object) -> View:
    """Everything that is current now."""
    return replace(View(as_of=NOW, known_at=NOW, now=NOW), **changes)  # type: ignore[arg-type]


def ask(text: str, vector: Sequence[float] | None = None) -> Question:
    """A parsed question."""
    parsed = parse_question(text, ANALYZER, now=NOW)
    return parsed if vector is None else parsed.with_vector(unit(vector))


def names(ranking: Ranking, rows: Sequence[Row]) -> list[str]:
    """The names of the hits, best first."""
    by_id = {ident(row.name): row.name for row in rows}
    return [by_id[hit.id] for hit in ranking.hits]
