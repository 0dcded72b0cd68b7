"""The order of chunks of shared knowledge: BM25 over their stems, and cosines.

Candidates come from the database; they are weighed as rows of a scope's index are, so that the
strength of both compares.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from muniment.domain.ranking.evidence import K1, B, Floats, idf
from muniment.domain.ranking.question import Question
from muniment.domain.ranking.scoring import Hit, Parts, Ranking, RankingPolicy, scaled
from muniment.domain.text import Terms, decode_terms

MOST_WORDS: Final = 24
"""So many words of a question are looked for: the longest, which are mostly the rarest."""
_SPOKEN: Final = 1e-3


@dataclass(frozen=True)
class Candidate:
    """A chunk that may answer."""

    id: UUID
    terms: bytes
    cosine: float


def sought(question: Question) -> list[int]:
    """Hashed stems to look for, in the order in which ``frequencies`` are given."""
    words = sorted(question.words, key=lambda word: -len(word[0]))[:MOST_WORDS]
    return [hashed for _, hashed in words]


def scope_key(scope_id: UUID, hashed: int) -> int:
    """A hashed stem of one scope as a signed number of 64 bits."""
    both = int.from_bytes(scope_id.bytes[12:], "big") << 32 | hashed
    return both - (1 << 64) if both >> 63 else both


def keys_of(scope_id: UUID, terms: bytes) -> list[int]:
    """The keys under which a chunk of the scope is found."""
    return [scope_key(scope_id, int(one)) for one in decode_terms(terms).hashes]


def rank_chunks(
    candidates: Sequence[Candidate],
    hashes: Sequence[int],
    frequencies: Sequence[int],
    count: int,
    k: int,
    policy: RankingPolicy,
) -> Ranking:
    """The best ``k`` of the candidates, or none below the floors; ``count``: chunks in all."""
    if not candidates:
        return Ranking((), abstained=True, mass=0.0, cosine=0.0, eligible=0)
    own, mass = _lexical(
        [decode_terms(one.terms) for one in candidates], hashes, frequencies, count
    )
    cosine = np.array([one.cosine for one in candidates], dtype=np.float32)
    best_mass, best_cosine = min(float(mass.max()), 1.0), float(cosine.max())
    strength = best_mass + policy.cosine_evidence * max(best_cosine - policy.cosine_rest, 0.0)
    words = np.float32(policy.own + policy.before + policy.both) * own
    semantic = np.float32(policy.cosine + policy.context_cosine) * cosine
    relevance = words + semantic
    spoken = (words > _SPOKEN) | (cosine >= policy.cosine_rest + policy.cosine_noise)
    spoken &= relevance >= policy.relevance_floor * relevance.max()
    hits: tuple[Hit, ...] = ()
    if strength >= policy.evidence_floor and spoken.any():
        hits = _hits(candidates, words, semantic, relevance, spoken, k, policy)
    return Ranking(hits, not hits, best_mass, best_cosine, len(candidates), strength)


def _hits(
    candidates: Sequence[Candidate],
    words: Floats,
    semantic: Floats,
    relevance: Floats,
    spoken: NDArray[np.bool_],
    k: int,
    policy: RankingPolicy,
) -> tuple[Hit, ...]:
    score = scaled(relevance, policy.relevance_span)
    lexical, near = scaled(words, 0.0), scaled(semantic, policy.relevance_span)
    found: list[int] = np.flatnonzero(spoken).tolist()
    order = sorted(found, key=lambda at: (-relevance[at], candidates[at].id))[:k]
    return tuple(
        Hit(
            id=candidates[at].id,
            score=float(score[at]),
            parts=Parts(float(lexical[at]), float(near[at]), float(score[at]), 0.0, 0.0),
        )
        for at in order
    )


def _lexical(
    terms: Sequence[Terms], hashes: Sequence[int], frequencies: Sequence[int], count: int
) -> tuple[Floats, Floats]:
    """BM25 of each candidate as a share of what the known words could reach, and of all words."""
    blank = np.zeros(len(terms), dtype=np.float32)
    if not hashes:
        return blank, blank
    counts = np.array([_counts(one, hashes) for one in terms], dtype=np.float32)
    held = np.maximum(np.asarray(frequencies, np.float64), np.count_nonzero(counts, axis=0))
    weights = idf(count, np.minimum(held, count))
    total = float(np.minimum(weights, idf(count, np.ones(1))).sum())
    lengths = np.array([one.length for one in terms], dtype=np.float32)
    mean = max(float(lengths.mean()), 1.0)
    norm = (K1 * (1.0 - B) + (K1 * B / mean) * lengths)[:, None]
    reached = (counts / (counts + norm)) @ (weights * (K1 + 1.0)).astype(np.float32)
    attainable = max(float(weights[held > 0].sum()) * (K1 + 1.0), 1e-9)
    return (reached / attainable).astype(np.float32), (reached / max(total, 1e-9)).astype(
        np.float32
    )


def _counts(terms: Terms, hashes: Sequence[int]) -> list[float]:
    """How often each of the hashed stems is in a chunk."""
    places = np.searchsorted(terms.hashes, hashes)
    return [
        float(terms.counts[at]) if at < len(terms.hashes) and terms.hashes[at] == one else 0.0
        for at, one in zip(places, hashes, strict=True)
    ]
