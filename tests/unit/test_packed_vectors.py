"""Vectors as they come from the database, all in one or one by one: the same index either way.

| a scope's rows | vectors come as |
|---|---|
| each with one of equal size | lines of one block |
| some without, or all of them | one by one, None where there is none |
| of another size than the index | refused |
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ranking.rows import decode_vectors, encode_vector
from muniment.postgres.index_cache import _vectors

_HEADER = b"\0\3\0\0"
_DIMENSIONS = 3

vectors = st.lists(st.floats(-1, 1, width=16), min_size=_DIMENSIONS, max_size=_DIMENSIONS).map(
    lambda values: encode_vector(np.array(values, np.float32))
)


def packed(values: list[bytes | None]) -> tuple[bytes, bytes]:
    """The two columns of ``index_load``."""
    sent = [b"" if value is None else _HEADER + value for value in values]
    return b"".join(sent), np.array([*map(len, sent)], ">i4").tobytes()


@given(st.lists(st.none() | vectors, min_size=1, max_size=6))
def test_both_ways_give_the_same_rows(values: list[bytes | None]) -> None:
    found = _vectors(*packed(values))
    assert isinstance(found, np.ndarray) is (None not in values)
    decoded = decode_vectors(found, _DIMENSIONS)
    assert decoded.tobytes() == decode_vectors(values, _DIMENSIONS).tobytes()
    for value, row in zip(values, decoded, strict=True):
        wanted = np.zeros(_DIMENSIONS) if value is None else np.frombuffer(value, ">f2")
        assert np.array_equal(row, wanted)


def test_every_number_is_looked_up_as_it_would_be_converted() -> None:
    every = np.arange(2**16, dtype=np.uint16).reshape(1, -1)
    wanted = every.view(">f2").astype(np.float32)
    assert np.array_equal(decode_vectors(every, 2**16), wanted, equal_nan=True)


@pytest.mark.parametrize("values", [[bytes(4)], [bytes(4), None], [bytes(4), bytes(6)]])
def test_another_size_is_refused(values: list[bytes | None]) -> None:
    with pytest.raises(ValueError, match="3 dimensions"):
        decode_vectors(_vectors(*packed(values)), _DIMENSIONS)
