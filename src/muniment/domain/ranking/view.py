"""The memory view: which rows a recall may see, decided before anything is ranked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.domain.ranking.rows import STANDINGS, TIERS, Columns

RECALLED: Final = frozenset({"asserted", "contested"})


@dataclass(frozen=True)
class View:
    """What may be returned: instants in microseconds, windows half-open, None for no limit.

    ``dropped`` rows are never visible, whatever ``standings`` says. A row without a confidence
    (an event) passes ``min_confidence``. ``ids`` are 16-byte UUIDs.
    """

    as_of: int
    known_at: int
    now: int
    tiers: frozenset[str] | None = None
    kinds: frozenset[str] | None = None
    standings: frozenset[str] = RECALLED
    min_confidence: float = 0.0
    ids: frozenset[bytes] | None = None


def visible(
    columns: Columns, view: View, kinds: Iterable[str], row_of: Mapping[bytes, int]
) -> NDArray[np.bool_]:
    """One flag a row, true where every condition holds; ``kinds`` in the order of their codes."""
    mask = columns.valid_from <= view.as_of
    mask &= view.as_of < columns.valid_to
    mask &= columns.recorded_from <= view.known_at
    mask &= view.known_at < columns.recorded_to
    mask &= view.now < columns.expires_at
    mask &= _among(columns.standing, view.standings - {"dropped"}, STANDINGS)
    if view.tiers is not None:
        mask &= _among(columns.tier, view.tiers, TIERS)
    if view.kinds is not None:
        mask &= _among(columns.kind, view.kinds, kinds)
    if view.min_confidence > 0.0:
        mask &= ~(columns.confidence < view.min_confidence)
    if view.ids is not None:
        allowed = np.zeros(len(columns), dtype=np.bool_)
        allowed[[row_of[ident] for ident in view.ids if ident in row_of]] = True
        mask &= allowed
    return mask


def _among(
    codes: NDArray[np.int8] | NDArray[np.int16], wanted: frozenset[str], names: Iterable[str]
) -> NDArray[np.bool_]:
    table = np.fromiter((name in wanted for name in names), dtype=np.bool_)
    return table[codes] if len(table) else np.zeros(len(codes), dtype=np.bool_)
