"""Recall in shared knowledge: the database finds candidates, and they are ranked here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.ranking import encode_vector
from muniment.domain.ranking.chunks import Candidate, rank_chunks, scope_key, sought
from muniment.ports import Context, HalfVector, ScopeRow
from muniment.records.alongside import Alongside, answer_of, ask_alongside
from muniment.records.items import ItemRow, Moment, Passage
from muniment.records.knowledge import KIND
from muniment.records.search import Ask, Found

_IMPORTANCE = 5
_NEAREST, _WORDED = 40, 60


@dataclass(frozen=True)
class _Row:
    chunk_id: UUID
    position: int
    headings: list[str]
    text: str
    terms: bytes
    cosine: float
    frequencies: list[int]
    document_id: UUID
    source: str
    version: int
    title: str
    data_source: str | None
    metadata: dict[str, Any]
    category: str
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime


@dataclass(frozen=True)
class ChunkSearch:
    """What is looked for in the documents of a scope, and what came of it."""

    scope: ScopeRow
    ask: Ask
    as_of: datetime
    hashes: Sequence[int]
    asked: Alongside[_Row]


def look_for_chunks(ctx: Context, scope: ScopeRow, ask: Ask) -> ChunkSearch:
    """Ask for the chunks of a scope together with the next statement of the unit."""
    as_of, hashes = ask.as_of or ctx.now, sought(ask.question)
    vector, predicate = ask.question.vector, ask.predicate
    asked = ask_alongside(
        ctx,
        _Row,
        "knowledge_find",
        scope_id=scope.scope_id,
        vector=None if vector is None else HalfVector(encode_vector(vector)),
        keys=[scope_key(scope.scope_id, one) for one in hashes],
        as_of=as_of,
        known_at=ask.known_at,
        path=None if predicate is None else predicate.path,
        variables=None if predicate is None else predicate.json,
        held=scope.chunks,
        nearest=max(_NEAREST, ask.k),
        worded=max(_WORDED, ask.k),
        place=ctx.policy.embedding.place,
    )
    return ChunkSearch(scope, ask, as_of, hashes, asked)


async def found_chunks(ctx: Context, search: ChunkSearch) -> Found:
    """The best of them. Where no statement took the question along, one goes out for it."""
    candidates = await answer_of(ctx, search.scope.scope_id, search.asked)
    rows = {row.chunk_id: row for row in candidates}
    ranking = rank_chunks(
        [Candidate(row.chunk_id, row.terms, row.cosine) for row in candidates],
        search.hashes,
        candidates[0].frequencies if candidates else (),
        max(search.scope.chunks, len(rows)),
        search.ask.k,
        ctx.policy.ranked,
    )
    found = [(rows[hit.id], hit) for hit in ranking.hits]
    newest = max((row.recorded_at for row, _ in found), default=search.scope.watermark)
    known_at = search.ask.known_at or max(search.scope.watermark, newest)
    return Found(
        search.scope.scope_id,
        "org",
        Moment(search.as_of, known_at, ctx.now),
        ranking.abstained,
        ranking.strength,
        [(_item(row), hit) for row, hit in found],
    )


def _item(row: _Row) -> ItemRow:
    """A chunk as recall answers it: what stewards put is an operator's word."""
    passage = Passage(
        row.document_id, row.source, row.version, row.title, tuple(row.headings), row.position
    )
    return ItemRow(
        version=row.version, watermark=row.recorded_at, index_id=row.chunk_id, tier="knowledge",
        kind=KIND, id=row.chunk_id, text=row.text, name=None, as_of=row.recorded_at,
        valid_from=row.valid_from, valid_to=row.valid_to,
        recorded_at=row.recorded_at, superseded_at=None, standing="asserted", trust="operator",
        confidence=1.0, importance=_IMPORTANCE, expires_at=None, slot=None, value=None,
        subject=None, subject_kind=None, data_source=row.data_source, pinned=False,
        superseded_by=None, retracted=False, archived=False, metadata=row.metadata, evidence=None,
        contested_by=None, is_durative=False, observers=None, document=passage,
    )  # fmt: skip
