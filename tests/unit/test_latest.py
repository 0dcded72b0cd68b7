"""The keys that were put last (``domain.latest``).

| put | then |
|---|---|
| fewer than are kept | all are there |
| one more | the one that was put longest ago is not |
| one again, or with another value | it is the latest, with that value |
| nothing for a key | that is let go of, there or not; no other is |
"""

from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.latest import Latest

PUTS = st.lists(st.tuples(st.integers(0, 6), st.none() | st.integers(0, 3)), max_size=40)


@given(PUTS, st.integers(1, 5))
def test_the_last_that_were_put(puts: list[tuple[int, int | None]], most: int) -> None:
    latest: Latest[int, int] = Latest(most)
    expected: list[tuple[int, int]] = []
    for key, value in puts:
        latest.put(key, value)
        expected = [one for one in expected if one[0] != key]
        expected += [] if value is None else [(key, value)]
        expected = expected[-most:]
        assert list(OrderedDict(latest).items()) == expected
