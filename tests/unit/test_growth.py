"""The measure of growth tells linear work from quadratic."""

from tests.support.growth import grows_linearly


def test_linear_and_bounded_work_pass() -> None:
    assert grows_linearly(lambda size: sum(range(size)), 800_000)
    assert grows_linearly(lambda size: sum(range(min(size, 1000))), 800_000)


def test_quadratic_work_does_not() -> None:
    assert not grows_linearly(lambda size: sum(range(size * size)), 2_000)
