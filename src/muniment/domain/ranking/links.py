"""Neighbours inside a session, and how much of a neighbour a row's context may hold.

Nothing of a neighbour is stored with a row: links are made anew when a turn comes or goes, so a
forgotten turn leaves nothing behind in the next one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from muniment.domain.ranking.rows import DROPPED, EPISODIC, OPEN, QUARANTINED, Columns

CONTEXT_STEMS: Final = 16.0
"""Beyond this many stems a turn needs less context, and lends less, in proportion."""
NEIGHBOUR_SHARE: Final = 0.5
"""Weight of a neighbour's unit vector in the contextual vector."""

_PIECE: Final = 256
"""Rows that are weighed at once."""


@dataclass
class Links:
    """Previous and next row (itself where there is none) with weights.

    ``norm`` is the length of the contextual vector, 0 where there is none.
    """

    before: NDArray[np.int32]
    after: NDArray[np.int32]
    before_weight: NDArray[np.float32]
    after_weight: NDArray[np.float32]
    norm: NDArray[np.float32]

    @classmethod
    def none(cls, start: int, stop: int) -> Self:
        """Rows ``start`` to ``stop`` without neighbours."""
        rows = np.arange(start, stop, dtype=np.int32)
        blank = np.zeros(stop - start, dtype=np.float32)
        return cls(rows, rows.copy(), blank, blank.copy(), blank.copy())

    def arrays(self) -> list[NDArray[np.int32] | NDArray[np.float32]]:
        """Every array."""
        return [self.before, self.after, self.before_weight, self.after_weight, self.norm]

    def extended(self, size: int) -> Self:
        """These links and further rows without neighbours, up to ``size`` rows."""
        added = type(self).none(len(self.before), size)
        return type(self)(
            np.concatenate([self.before, added.before]),
            np.concatenate([self.after, added.after]),
            np.concatenate([self.before_weight, added.before_weight]),
            np.concatenate([self.after_weight, added.after_weight]),
            np.concatenate([self.norm, added.norm]),
        )


def lends_context(columns: Columns) -> NDArray[np.bool_]:
    """Rows that may be neighbours: events on record, dropped ones too, quarantined ones not."""
    mask: NDArray[np.bool_] = columns.tier == EPISODIC
    mask &= columns.recorded_to == OPEN
    mask &= columns.standing != QUARANTINED
    return mask


def is_live(columns: Columns) -> NDArray[np.bool_]:
    """Rows that count for idf and average lengths: on record and not dropped."""
    mask: NDArray[np.bool_] = columns.recorded_to == OPEN
    mask &= columns.standing != DROPPED
    return mask


def relink(links: Links, columns: Columns, groups: Iterable[int] | None = None) -> None:
    """Set the links of every row, or of the rows of some groups, in place."""
    lending = lends_context(columns)
    if groups is None:
        members = np.arange(len(columns))
    else:
        members = np.flatnonzero(np.isin(columns.group, np.fromiter(groups, dtype=np.int32)))
    before, after = members.copy(), members.copy()
    at = np.flatnonzero(lending[members])
    order = at[np.lexsort((columns.position[members[at]], columns.group[members[at]]))]
    ordered = members[order]
    same = columns.group[ordered[1:]] == columns.group[ordered[:-1]]
    before[order[1:]] = np.where(same, ordered[:-1], ordered[1:])
    after[order[:-1]] = np.where(same, ordered[1:], ordered[:-1])
    changed = _changed(links, members, before, after)
    links.before[members], links.after[members] = before, after
    _weigh(links, columns, changed)


def _changed(
    links: Links,
    members: NDArray[np.intp],
    before: NDArray[np.intp],
    after: NDArray[np.intp],
) -> NDArray[np.intp]:
    # A row whose own or whose neighbour's content changed may keep its links; its norm was zeroed.
    moved: NDArray[np.bool_] = links.norm[members] == 0.0
    moved |= (links.before[members] != before) | (links.after[members] != after)
    return np.compress(moved, members)


def _weigh(links: Links, columns: Columns, rows: NDArray[np.intp]) -> None:
    """Weights and contextual norms of some rows, from their links."""
    # In pieces that stay in the processor's cache: whole scopes at once are all page faults.
    for start in range(0, len(rows), _PIECE):
        piece = rows[start : start + _PIECE]
        before, after = links.before[piece], links.after[piece]
        links.before_weight[piece] = _weight(columns, piece, before)
        links.after_weight[piece] = _weight(columns, piece, after)
        context = columns.vectors[piece]
        for weight, lenders in (
            (links.before_weight[piece], before),
            (links.after_weight[piece], after),
        ):
            lent = columns.vectors[lenders]
            lent *= (NEIGHBOUR_SHARE * weight)[:, None]
            context += lent
        links.norm[piece] = np.sqrt(np.einsum("ij,ij->i", context, context))


def _weight(
    columns: Columns, rows: NDArray[np.intp], neighbours: NDArray[np.int32]
) -> NDArray[np.float32]:
    """How much of a neighbour counts: all of it between short turns, none for no neighbour."""
    lent = CONTEXT_STEMS / np.maximum(columns.length[neighbours], CONTEXT_STEMS)
    needed = CONTEXT_STEMS / np.maximum(columns.length[rows], CONTEXT_STEMS)
    return np.where(neighbours == rows, 0.0, lent * needed).astype(np.float32)
