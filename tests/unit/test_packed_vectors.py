"""Vectors as they come from the database, in blocks or one by one: the same index either way.

| a scope's rows | vectors come as |
|---|---|
| each with one of equal size | blocks of lines, one for each piece |
| some without, or all of them | one by one, None where there is none |
| of other sizes, in one piece or in two | one by one, and refused |
| of another size than the index | refused |
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ranking.rows import Blocks, decode_vectors, encode_vector
from muniment.postgres.index_cache import _vectors

_DIMENSIONS = 3

vectors = st.lists(st.floats(-1, 1, width=16), min_size=_DIMENSIONS, max_size=_DIMENSIONS).map(
    lambda values: encode_vector(np.array(values, np.float32))
)


def packed(values: list[bytes | None]) -> tuple[bytes, int]:
    """The vectors of one row of ``index_load``, and how many."""
    sent = [value or b"" for value in values]
    return b"".join((len(one) // 2).to_bytes(2) + b"\0\0" + one for one in sent), len(values)


@given(st.lists(st.none() | vectors, min_size=1, max_size=8), st.sets(st.integers(1, 7)))
def test_both_ways_give_the_same_rows(values: list[bytes | None], cuts: set[int]) -> None:
    ends = [0, *sorted(cut for cut in cuts if cut < len(values)), len(values)]
    found = _vectors([packed(values[start:end]) for start, end in pairwise(ends)])
    assert isinstance(found, Blocks) is (None not in values)
    decoded = decode_vectors(found, _DIMENSIONS)
    assert decoded.tobytes() == decode_vectors(values, _DIMENSIONS).tobytes()
    for value, row in zip(values, decoded, strict=True):
        wanted = np.zeros(_DIMENSIONS) if value is None else np.frombuffer(value, ">f2")
        assert np.array_equal(row, wanted)


@pytest.mark.parametrize("width", [1, 256, 2**15])
def test_every_finite_number_is_what_it_would_be_converted_to(width: int) -> None:
    every = np.arange(2**16, dtype=np.uint16).view(">f2")
    finite = np.resize(every[np.isfinite(every)], (2**16 // width, width)).astype(">f2")
    decoded = decode_vectors(Blocks([finite.view(np.uint16)]), width)
    assert decoded.tobytes() == finite.astype(np.float32).tobytes()


@pytest.mark.parametrize(
    "pieces",
    [
        [[bytes(4)]],
        [[bytes(4), None]],
        [[bytes(6), bytes(4)]],
        [[bytes(6)], [bytes(4)]],
        [[bytes(4), bytes(8)]],
        [[bytes(8), bytes(4)], [bytes(6)]],
    ],
)
def test_another_size_is_refused(pieces: list[list[bytes | None]]) -> None:
    with pytest.raises(ValueError, match="3 dimensions"):
        decode_vectors(_vectors([packed(values) for values in pieces]), _DIMENSIONS)
