"""Recall's order: weighs the evidence, scores in [0, 1], abstains when there is too little."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from muniment.domain.ranking.evidence import (
    Floats,
    Lexical,
    Sought,
    Stats,
    TermRows,
    closeness,
    cosines,
    fullness,
    lexical,
    named_speakers,
    outside_sessions,
    says_time,
    session_best,
    unexpired,
)
from muniment.domain.ranking.links import Links
from muniment.domain.ranking.question import Question
from muniment.domain.ranking.rows import EPISODIC, TIERS, Columns

_NOTHING: Final = 1e-3
_WEEK: Final = 7 * 86_400_000_000


@dataclass(frozen=True)
class TierWeights:
    """Shares of relevance, recency and importance in a tier's score; they add up to one."""

    relevance: float
    recency: float
    importance: float


_TIER_WEIGHTS: Final = MappingProxyType(
    {
        "episodic": TierWeights(0.96, 0.02, 0.02),
        "semantic": TierWeights(0.84, 0.08, 0.08),
        "knowledge": TierWeights(1.0, 0.0, 0.0),
    }
)


@dataclass(frozen=True)
class RankingPolicy:
    """Weights of the evidence, floor of abstention, spans under which min-max does not stretch.

    Lexical evidence is a share of the BM25 mass that the question's known words could reach, so
    that one set of weights serves questions of any length. Recall abstains while ``mass +
    cosine_evidence * max(cosine - cosine_rest, 0)`` is below ``evidence_floor``. These and
    ``cosine_noise`` belong to the embedder: ``cosine_rest`` is its cosine of texts that have
    nothing in common, and what exceeds it by less than the noise speaks for nothing. A row whose
    relevance is below ``relevance_floor`` of the best row's is a near miss and is left out.
    A row that lacks a word and has a related one holds the word ``related`` times.
    """

    own: float = 0.2
    before: float = 0.7
    both: float = 0.8
    session: float = 0.5
    session_best: float = 0.5
    cosine: float = 0.6
    context_cosine: float = 0.3
    speaker: float = 0.2
    length: float = 0.2
    dated: float = 0.25
    date: float = 0.6
    related: float = 0.35
    tiers: Mapping[str, TierWeights] = field(default_factory=lambda: _TIER_WEIGHTS)
    half_life_weeks: float = 8.0
    candidates: int = 64
    relevance_span: float = 0.25
    recency_span: float = 0.25
    importance_span: float = 0.3
    cosine_evidence: float = 2.0
    cosine_rest: float = 0.0
    cosine_noise: float = 0.1
    evidence_floor: float = 0.55
    relevance_floor: float = 0.4

    def uncalibrated(self) -> "RankingPolicy":
        """The same for an embedder whose cosines nobody measured: they order, and are evidence of
        nothing.
        """
        return replace(self, cosine_evidence=0.0, cosine_noise=2.0)


@dataclass(frozen=True)
class Parts:
    """What a score is made of, each in [0, 1] over the candidates."""

    lexical: float
    semantic: float
    relevance: float
    recency: float
    importance: float


@dataclass(frozen=True)
class Hit:
    """One row that was found, with its score in [0, 1] and what the score is made of."""

    id: UUID
    score: float
    parts: Parts


@dataclass(frozen=True)
class Ranking:
    """Hits, best first; none when ``abstained``.

    ``mass`` (BM25 over all informative words, as a share) and ``cosine`` are the best absolute
    evidence among the ``eligible`` rows, on which abstaining rests; ``strength`` sums them up.
    """

    hits: tuple[Hit, ...]
    abstained: bool
    mass: float
    cosine: float
    eligible: int
    strength: float = 0.0


@dataclass(frozen=True)
class Scope:
    """What the ranking reads of an index."""

    columns: Columns
    links: Links
    stats: Stats
    term_rows: TermRows
    speakers: Mapping[bytes, int]


@dataclass(frozen=True)
class Evidence:
    """Weighed evidence, one value a row, and the best absolute figures among eligible rows.

    ``spoken`` is false for rows that nothing speaks for; they are never returned.
    """

    lexical: Floats
    semantic: Floats
    relevance: Floats
    spoken: NDArray[np.bool_]
    mass: float
    cosine: float


def gather(
    scope: Scope, question: Question, eligible: NDArray[np.bool_], now: int, policy: RankingPolicy
) -> Evidence:
    """Weigh everything that speaks for each row; ``eligible`` has at least one row."""
    columns, links = scope.columns, scope.links
    if scope.stats.soonest_expiry <= now:
        links = unexpired(links, columns, now)
    names, named = named_speakers(question, scope.speakers)
    asked = [hashed for _, hashed in question.words]
    # A turn that says a speaker's name is mostly somebody else's, so names do not count as words,
    # unless the question has no others.
    hashes = [hashed for hashed in asked if hashed not in names] or asked
    asked_for = Sought(hashes, question.related, policy.related)
    found = lexical(asked_for, scope.term_rows, columns, links, scope.stats)
    own, context = cosines(question.vector, columns, links)
    words = np.zeros(len(columns), dtype=np.float32)
    about = words.copy()
    mass = 0.0
    if found is not None:
        words[found.rows] = (
            policy.own * found.own + policy.before * found.before + policy.both * found.both
        )
        about = words + _from_session(found, columns, eligible, scope.stats, policy)
        mass = float(found.mass[eligible[found.rows]].max(initial=0.0))
    if question.periods:
        near = closeness(question.periods, columns.occurred_at)
        about += (policy.date * near).astype(np.float32)
    semantic = policy.cosine * own + policy.context_cosine * context
    relevance = about + semantic + _from_priors(columns, question, named, policy)
    spoken = (about > _NOTHING) | (own >= policy.cosine_rest + policy.cosine_noise)
    return Evidence(words, semantic, relevance, spoken, min(mass, 1.0), float(own[eligible].max()))


def _from_priors(
    columns: Columns, question: Question, named: set[int], policy: RankingPolicy
) -> Floats:
    """What orders rows but proves nothing: substance, the speaker, a time where one is asked."""
    value = policy.length * fullness(columns)
    if question.asks_time:
        value += np.float32(policy.dated) * says_time(columns)
    if named:
        value += np.float32(policy.speaker) * np.isin(columns.speaker, list(named))
    return value


def _from_session(
    found: Lexical,
    columns: Columns,
    eligible: NDArray[np.bool_],
    stats: Stats,
    policy: RankingPolicy,
) -> Floats:
    """A session that is about the question speaks for its turns; a fact speaks for itself."""
    whole = found.session.copy()
    alone = outside_sessions(columns)
    if alone.any():
        own = np.zeros(len(columns), dtype=np.float32)
        own[found.rows] = found.own
        whole[alone] = own[alone]
    best = session_best(found, columns, eligible, len(stats.session_length))
    return policy.session * whole + policy.session_best * best


def rank(
    scope: Scope,
    question: Question,
    eligible: NDArray[np.bool_],
    now: int,
    k: int,
    policy: RankingPolicy,
) -> Ranking:
    """The best ``k`` of the eligible rows, or none where the evidence is below both floors."""
    count = int(np.count_nonzero(eligible))
    if count == 0:
        return Ranking((), abstained=True, mass=0.0, cosine=0.0, eligible=0)
    evidence = gather(scope, question, eligible, now, policy)
    near = max(evidence.cosine - policy.cosine_rest, 0.0)
    strength = evidence.mass + policy.cosine_evidence * near
    if question.within is not None and not _has_subject(question, scope):
        strength = max(strength, policy.evidence_floor)
    enough = strength >= policy.evidence_floor
    spoken = eligible & evidence.spoken
    hits = _best(scope.columns, evidence, spoken, now, k, policy) if enough else ()
    return Ranking(hits, not hits, evidence.mass, evidence.cosine, count, strength)


def _has_subject(question: Question, scope: Scope) -> bool:
    """Whether a question asks for more than who spoke."""
    names, _ = named_speakers(question, scope.speakers)
    return any(hashed not in names for _, hashed in question.words)


def _best(
    columns: Columns,
    evidence: Evidence,
    eligible: NDArray[np.bool_],
    now: int,
    k: int,
    policy: RankingPolicy,
) -> tuple[Hit, ...]:
    rows = _candidates(evidence.relevance, eligible, max(policy.candidates, 4 * k))
    if not len(rows):
        return ()
    parts = np.stack(
        [
            scaled(evidence.lexical[rows], 0.0),
            scaled(evidence.semantic[rows], policy.relevance_span),
            scaled(evidence.relevance[rows], policy.relevance_span),
            scaled(_recency(columns, rows, now, policy.half_life_weeks), policy.recency_span),
            scaled(columns.importance[rows] / np.float32(10.0), policy.importance_span),
        ]
    )
    weights = _weights(columns, rows, policy)
    scores = np.einsum("ij,ij->j", weights, parts[2:])
    ids = columns.ids[rows].view(">u8").reshape(-1, 2)
    newest = -columns.occurred_at[rows].astype(np.float64)
    order = np.lexsort((ids[:, 1], ids[:, 0], newest, -scores))
    relevance = evidence.relevance[rows]
    near_enough = relevance >= policy.relevance_floor * relevance.max()
    order = order[near_enough[order]][:k]
    found = zip(
        columns.ids[rows[order]], scores[order].tolist(), parts[:, order].T.tolist(), strict=True
    )
    return tuple(
        Hit(id=UUID(bytes=one.tobytes()), score=score, parts=Parts(*made_of))
        for one, score, made_of in found
    )


def _candidates(relevance: Floats, eligible: NDArray[np.bool_], most: int) -> NDArray[np.intp]:
    rows = np.flatnonzero(eligible)
    if len(rows) <= most:
        return rows
    return rows[np.argpartition(-relevance[rows], most - 1)[:most]]


def scaled(values: NDArray[np.floating[Any]], least_span: float) -> NDArray[np.float64]:
    """Min-max into [0, 1] with the best at 1; a span below ``least_span`` is not stretched.

    All zeros where no value is positive: what nothing speaks for is not made the best.
    """
    exact = values.astype(np.float64)
    high = float(exact.max())
    if high <= 0.0:
        return np.zeros(len(exact), dtype=np.float64)
    span = max(high - float(exact.min()), least_span)
    return np.clip(1.0 - (high - exact) / span, 0.0, 1.0) if span > 0.0 else np.ones(len(exact))


def _recency(
    columns: Columns, rows: NDArray[np.intp], now: int, half_life_weeks: float
) -> NDArray[np.float64]:
    """``2 ** (-weeks / half-life)`` since last use, for events since they occurred."""
    occurred, used = columns.occurred_at[rows], columns.last_used_at[rows]
    then = np.where(columns.tier[rows] == EPISODIC, occurred, np.maximum(occurred, used))
    weeks = np.maximum(float(now) - then.astype(np.float64), 0.0) / _WEEK
    return np.exp2(-np.minimum(weeks / half_life_weeks, 1_000.0))


def _weights(
    columns: Columns, rows: NDArray[np.intp], policy: RankingPolicy
) -> NDArray[np.float64]:
    """One column a candidate: relevance, recency, importance."""
    table = np.array(
        [
            (tier.relevance, tier.recency, tier.importance)
            for tier in (policy.tiers[name] for name in TIERS)
        ]
    )
    return table[columns.tier[rows]].T
