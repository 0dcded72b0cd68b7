"""Rows of the recall index: written in the transaction of what they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from muniment.domain.embedding import PLACES
from muniment.domain.ranking import encode_vector
from muniment.domain.text import analyzer_for
from muniment.ports import Context, HalfVector, ScopeMark
from muniment.records.apart import worked_out

_OF_A_MODEL = 2**20
"""As many characters as what a model reads counts for: it is never worked out on the loop."""


@dataclass(frozen=True)
class Indexed:
    """What one index row stands for, and the text by which it is found."""

    text: str
    group_id: UUID
    position: int
    tier: str
    kind: str
    standing: str
    valid_from: datetime
    valid_to: datetime | None
    occurred_at: datetime
    expires_at: datetime | None
    importance: int
    confidence: float | None
    event_id: UUID | None = None
    episode_id: UUID | None = None
    version_id: UUID | None = None
    speaker: str | None = None


async def write_index(ctx: Context, mark: ScopeMark, entries: Sequence[Indexed]) -> None:
    """Insert index rows at the scope's new version."""
    size = sum(len(entry.text) for entry in entries)
    if len(ctx.policy.embedding.written) > 1 or ctx.policy.embedding.embedder:
        size += _OF_A_MODEL
    await ctx.unit.many("index_insert", await worked_out(size, partial(_rows, ctx, mark, entries)))


def _rows(ctx: Context, mark: ScopeMark, entries: Sequence[Indexed]) -> list[dict[str, Any]]:
    found_by = searchable(ctx, [(entry.text, entry.speaker) for entry in entries])
    return [
        {
            "scope_id": mark.scope_id,
            "rev": mark.version,
            "recorded_at": mark.watermark,
            **columns,
            **{name: getattr(entry, name) for name in _COLUMNS},
        }
        for entry, columns in zip(entries, found_by, strict=True)
    ]


def searchable(ctx: Context, texts: Sequence[tuple[str, str | None]]) -> list[dict[str, Any]]:
    """The columns by which texts, each with its speaker, are found: the vector and the stems."""
    analyzer = analyzer_for(ctx.language)
    by_place = vectors_by_place(ctx, [text for text, _ in texts])
    return [
        {name: vectors[at] for name, vectors in by_place.items()}
        | {"terms": analyzer.encode(text, speaker=speaker)}
        for at, (text, speaker) in enumerate(texts)
    ]


def vectors_by_place(ctx: Context, texts: Sequence[str]) -> dict[str, list[HalfVector | None]]:
    """For each column of vectors those of the texts: None in one that is not written, and, but for
    one that is being filled, where a text has none.
    """
    embedding = ctx.policy.embedding
    found: dict[str, list[HalfVector | None]] = {place: [None] * len(texts) for place in PLACES}
    for place, name in embedding.written.items():
        filling = embedding.state == "building" and place == embedding.beside
        vectors = ctx.embedder_of(name).embed(texts)
        found[place] = [wire(one) if filling or one.any() else None for one in vectors]
    return found


async def asked_vector(ctx: Context, text: str, words: str) -> npt.NDArray[np.float32] | None:
    """The vector of a question, whole and as its informative words; a model is asked apart."""
    work = partial(ctx.embedder.embed_question, text, words)
    vector = await worked_out(_OF_A_MODEL if ctx.policy.embedding.embedder else 0, work)
    return vector if vector.any() else None


def vector_of(ctx: Context, text: str) -> HalfVector | None:
    """The vector by which a text is found; None where it has none."""
    vector = ctx.embedder.embed([text])[0]
    return wire(vector) if vector.any() else None


async def end_index(ctx: Context, mark: ScopeMark, ids: Sequence[UUID]) -> None:
    """The record of these rows ends at the scope's new moment."""
    if ids:
        await ctx.unit.later(
            "index_end", scope_id=mark.scope_id, ids=list(ids), at=mark.watermark, rev=mark.version
        )


def wire(vector: npt.NDArray[np.float32]) -> HalfVector:
    """A vector as it is stored."""
    return HalfVector(encode_vector(vector))


_COLUMNS = tuple(name for name in Indexed.__dataclass_fields__ if name not in {"text", "speaker"})
