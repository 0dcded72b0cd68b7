"""What speaks for each row: BM25 over three keys and the session, cosines, dates, priors.

BM25 is Robertson and Zaragoza's with the non-negative idf of Lucene,
``ln(1 + (N - df + 0.5) / (df + 0.5))``, over the scope's live rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.domain.ranking.links import NEIGHBOUR_SHARE, Links, is_live, lends_context
from muniment.domain.ranking.question import Days, Question, RelatedStems, Span
from muniment.domain.ranking.rows import EPISODIC, OPEN, Columns
from muniment.domain.text import DATED

Floats = NDArray[np.float32]
TermRows = Callable[[Sequence[int]], tuple[NDArray[np.intp], NDArray[np.intp], Floats]]
"""Of hashed stems: which of them, a row that holds it, and how often; the stems in order."""

K1: Final = 1.2
B: Final = 0.75
FULL_LENGTH: Final = 10.0
"""Stems from which a row is no longer taken to be too short to say much."""
DAYS_AFTER: Final = 7.0
DAYS_BEFORE: Final = 3.0
"""How fast a date loses hold: things are told some days after they happen, or planned before."""
_DAY: Final = 86_400_000_000


@dataclass(frozen=True)
class Stats:
    """Figures of the whole scope, whatever a view lets through; lengths are in stems."""

    live: NDArray[np.bool_]
    count: int
    lengths: tuple[Floats, Floats, Floats]
    means: tuple[float, float, float]
    lending: NDArray[np.bool_]
    session_length: Floats
    session_mean: float
    sessions: int
    soonest_expiry: int

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that are this object's own."""
        own = (self.live, *self.lengths[1:], self.lending, self.session_length)
        return sum(array.nbytes for array in own)


def stats_of(columns: Columns, links: Links, groups: int) -> Stats:
    """Compute ``Stats``; ``groups`` is how many group codes there are."""
    live, lending = is_live(columns), lends_context(columns)
    own = columns.length
    before = own + links.before_weight * own[links.before]
    both = before + links.after_weight * own[links.after]
    lengths = (own, before, both)
    session_length = np.bincount(columns.group, own * lending, minlength=groups)
    sessions = int(np.count_nonzero(np.bincount(columns.group, lending, minlength=groups)))
    return Stats(
        live=live,
        count=int(np.count_nonzero(live)),
        lengths=lengths,
        means=(_mean(own[live]), _mean(before[live]), _mean(both[live])),
        lending=lending,
        session_length=session_length.astype(np.float32),
        session_mean=max(float(session_length.sum()) / max(sessions, 1), 1.0),
        sessions=sessions,
        soonest_expiry=int(columns.expires_at.min(initial=OPEN)),
    )


def _mean(lengths: Floats) -> float:
    return max(float(lengths.mean()), 1.0) if len(lengths) else 1.0


@dataclass(frozen=True)
class Lexical:
    """BM25 of ``rows``, the only ones with any: shares of what the question could reach.

    ``mass`` is over all informative words, those that the scope does not know included, and over
    none that are merely related; ``session`` (by row) scores the row's session as one document.
    """

    rows: NDArray[np.intp]
    own: Floats
    before: Floats
    both: Floats
    session: Floats
    mass: Floats


def idf(count: int, frequency: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lucene's inverse document frequency, never negative."""
    return np.log1p((count - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True)
class Sought:
    """Hashed stems that are looked for, and what a row has of one that it lacks if it has one of
    those that are ``related`` to it: ``share`` of an occurrence.
    """

    hashes: Sequence[int]
    related: Mapping[int, RelatedStems]
    share: float


@dataclass(frozen=True)
class _Counted:
    """How often each row holds each stem, a line a stem: ``exact``, and ``counts`` with the shares
    of related ones. ``frequency``: of the live rows, how many hold the stem itself.
    """

    exact: Floats
    counts: Floats
    frequency: NDArray[np.intp]


def lexical(
    sought: Sought, term_rows: TermRows, columns: Columns, links: Links, stats: Stats
) -> Lexical | None:
    """BM25 of the rows that hold one of the stems or one related to it, or whose neighbour does."""
    found = _counted(sought, term_rows, stats)
    weights = idf(stats.count, found.frequency.astype(np.float64))
    # A word that no row holds weighs no more than one that a single row holds: in a scope of ten
    # rows that it is missing says little.
    total = float(np.minimum(weights, idf(stats.count, np.ones(1))).sum())
    known = found.counts.any(axis=1)
    if not known.any():
        return None
    absent = np.flatnonzero(found.frequency == 0)
    if len(absent):
        # A word that is there by others alone is as rare as they are together.
        holding = np.count_nonzero(found.counts[absent] * stats.live, axis=1)
        weights[absent] = idf(stats.count, holding.astype(np.float64))
    weights, counts = weights[known], found.counts[known]
    touched = np.asarray(counts.any(axis=0))
    touched |= touched[links.before] | touched[links.after]
    rows = np.flatnonzero(touched)
    keys = _keys(rows, counts, links)
    attainable = float(weights.sum()) * (K1 + 1.0)
    own, before, both = (
        _bm25(weights, key, lengths[rows], mean)
        for key, lengths, mean in zip(keys, stats.lengths, stats.means, strict=True)
    )
    said = both
    if found.counts is not found.exact:
        key = _keys(rows, found.exact[known], links)[2]
        said = _bm25(weights, key, stats.lengths[2][rows], stats.means[2])
    return Lexical(
        rows=rows,
        own=own / attainable,
        before=before / attainable,
        both=both / attainable,
        session=_sessions(counts, columns, stats) / attainable,
        mass=said / max(total, 1e-9),
    )


def _counted(sought: Sought, term_rows: TermRows, stats: Stats) -> _Counted:
    size = len(sought.hashes)
    others = [
        (line, stem)
        for line, hashed in enumerate(sought.hashes)
        for stem in sought.related.get(hashed, ())
        if sought.share > 0.0
    ]
    which, rows, values = term_rows([*sought.hashes, *(stem for _, stem in others)])
    themselves = int(which.searchsorted(size))
    own, held = which[:themselves], rows[:themselves]
    exact = np.zeros((size, len(stats.live)), dtype=np.float32)
    exact[own, held] = values[:themselves]
    counts = exact
    if themselves < len(which):
        lines = np.array([line for line, _ in others], dtype=np.intp)
        counts = np.zeros_like(exact)
        counts[lines[which[themselves:] - size], rows[themselves:]] = sought.share
        counts[own, held] = values[:themselves]
    return _Counted(exact, counts, np.bincount(own[stats.live[held]], minlength=size))


def _keys(rows: NDArray[np.intp], counts: Floats, links: Links) -> tuple[Floats, Floats, Floats]:
    own = counts[:, rows]
    before = own + counts[:, links.before[rows]] * links.before_weight[rows]
    return own, before, before + counts[:, links.after[rows]] * links.after_weight[rows]


def _bm25(weights: NDArray[np.float64], counts: Floats, lengths: Floats, mean: float) -> Floats:
    norm = K1 * (1.0 - B) + (K1 * B / mean) * lengths
    scale = (weights * (K1 + 1.0)).astype(np.float32)
    return np.asarray(scale @ (counts / (counts + norm)), dtype=np.float32)


def _sessions(counts: Floats, columns: Columns, stats: Stats) -> Floats:
    """BM25 of each row's session as one document; 0 for rows that are in none."""
    groups = len(stats.session_length)
    lines, rows = np.nonzero(counts)
    held = np.bincount(
        lines * groups + columns.group[rows],
        counts[lines, rows] * stats.lending[rows],
        minlength=len(counts) * groups,
    )
    by_session: Floats = held.reshape(len(counts), groups).astype(np.float32)
    weights = idf(stats.sessions, np.count_nonzero(by_session, axis=1).astype(np.float64))
    return _bm25(weights, by_session, stats.session_length, stats.session_mean)[columns.group]


def cosines(vector: Floats | None, columns: Columns, links: Links) -> tuple[Floats, Floats]:
    """Cosine of each row, and of each row with its neighbours; zeros without a vector."""
    if vector is None:
        blank = np.zeros(len(columns), dtype=np.float32)
        return blank, blank
    own: Floats = columns.vectors @ vector
    context: Floats = own + NEIGHBOUR_SHARE * links.before_weight * own[links.before]
    context += NEIGHBOUR_SHARE * links.after_weight * own[links.after]
    context /= np.where(links.norm > 0.0, links.norm, np.float32(1.0))
    return own, context


def unexpired(links: Links, columns: Columns, now: int) -> Links:
    """The links without those to a row that is past its expiry: it may not even lend context."""
    gone = columns.expires_at <= now
    return Links(
        links.before,
        links.after,
        np.where(gone[links.before], np.float32(0.0), links.before_weight),
        np.where(gone[links.after], np.float32(0.0), links.after_weight),
        links.norm,
    )


def closeness(
    periods: Sequence[Days | Span], occurred_at: NDArray[np.int64]
) -> NDArray[np.float64]:
    """How near each row is to a period that the question names: 1 inside, falling outside."""
    days = occurred_at / _DAY
    near = np.zeros(len(days), dtype=np.float64)
    years = _years(days)
    for period in periods:
        for start, end in period.spans(years):
            gap = np.where(days < start, (days - start) / DAYS_BEFORE, 0.0)
            gap = np.where(days >= end, (end - days) / DAYS_AFTER, gap)
            np.maximum(near, np.exp(gap), out=near)
    return near


def _years(days: NDArray[np.float64]) -> range:
    """The years that rows fall into, at most 200; open bounds are no dates."""
    real = days[np.abs(days) < 365.0 * 10_000]
    if not len(real):
        return range(0)
    first, last = (int(1970 + day / 365.2425) for day in (real.min(), real.max()))
    return range(max(first, last - 200), last + 1)


def fullness(columns: Columns) -> Floats:
    """Length as a share of ``FULL_LENGTH``, at most 1."""
    shares: Floats = columns.length / np.float32(FULL_LENGTH)
    return np.minimum(shares, np.float32(1.0))


def says_time(columns: Columns) -> NDArray[np.bool_]:
    """Rows whose text says a time."""
    said: NDArray[np.bool_] = (columns.flags & np.uint8(DATED)) != 0
    return said


def session_best(
    found: Lexical, columns: Columns, eligible: NDArray[np.bool_], groups: int
) -> Floats:
    """For each row the best lexical evidence of an eligible row in its group."""
    best = np.zeros(groups, dtype=np.float32)
    allowed = np.where(eligible[found.rows], found.both, np.float32(0.0))
    np.maximum.at(best, columns.group[found.rows], allowed)
    return best[columns.group]


def outside_sessions(columns: Columns) -> NDArray[np.bool_]:
    """Rows that stand alone: everything but events."""
    alone: NDArray[np.bool_] = columns.tier != EPISODIC
    return alone


def named_speakers(question: Question, speakers: Mapping[bytes, int]) -> tuple[set[int], set[int]]:
    """Hashes of the question that are part of a speaker's name, and the speaker it names.

    The second set is empty when the question names several people: then none is preferred.
    """
    asked = {hashed for _, hashed in question.words}
    by_word: dict[int, set[int]] = {}
    for name, code in speakers.items():
        for hashed in np.frombuffer(name, "<u4").tolist():
            if hashed in asked:
                by_word.setdefault(hashed, set()).add(code)
    distinct = {frozenset(codes) for codes in by_word.values()}
    return set(by_word), set(next(iter(distinct))) if len(distinct) == 1 else set()
