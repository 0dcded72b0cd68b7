"""Windows and instants (RULES 1).

| rule | shown by |
|---|---|
| 1.1 | which texts are instants |
| 1.2 | windows are half-open; equal and reversed bounds are refused |
| 1.3, 1.5 | what is left of a window, what two have in common, checked against their days |
"""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.timeline import OPEN, Window, disjoint, micros, parse_instant

START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = range(-1, 14)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def window(start: int, end: int | None = None) -> Window:
    return Window(day(start), None if end is None else day(end))


@st.composite
def windows(draw: st.DrawFn) -> Window:
    start = draw(st.integers(0, 10))
    return window(start, draw(st.none() | st.integers(start + 1, 12)))


def moments(zone: timezone) -> st.SearchStrategy[datetime]:
    """Any moment but those of the first and the last day, which other zones cannot name."""
    first, last = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
    spans = st.timedeltas(timedelta(0), last - first)
    return spans.map(lambda span: (first + span).astimezone(zone))


def days(*of: Window) -> list[int]:
    """The days inside any of the windows."""
    return [number for number in DAYS if any(one.holds(day(number)) for one in of)]


@pytest.mark.parametrize(("start", "end"), [(4, 4), (4, 3), (4, -9)])
def test_equal_and_reversed_bounds_are_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="ends after it starts"):
        window(start, end)


def test_bounds_are_compared_as_instants() -> None:
    east = timezone(timedelta(hours=2))
    with pytest.raises(ValueError, match="ends after it starts"):
        Window(datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2026, 1, 1, 14, tzinfo=east))
    found = Window(datetime(2026, 1, 1, 14, tzinfo=east), datetime(2026, 1, 1, 13, tzinfo=UTC))
    assert found.holds(datetime(2026, 1, 1, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("moment", "inside"),
    [
        (day(2) - timedelta(microseconds=1), False),
        (day(2), True),
        (day(4) - timedelta(microseconds=1), True),
        (day(4), False),
    ],
)
def test_windows_are_half_open(moment: datetime, inside: bool) -> None:
    assert window(2, 4).holds(moment) is inside


def test_an_open_window_has_no_end() -> None:
    assert window(2).holds(datetime.max.replace(tzinfo=UTC))
    assert not window(2).holds(day(2) - timedelta(microseconds=1))


@pytest.mark.parametrize(
    ("a", "b", "overlaps", "touches"),
    [
        ((0, 2), (2, 4), False, True),
        ((0, 2), (3, 4), False, False),
        ((0, 3), (2, 4), True, True),
        ((0, None), (2, 4), True, True),
        ((0, None), (2, None), True, True),
        ((4, None), (0, 4), False, True),
        ((4, None), (0, 3), False, False),
        ((0, 9), (2, 4), True, True),
        ((2, 4), (2, 4), True, True),
    ],
)
def test_how_two_windows_lie(
    a: tuple[int, int | None], b: tuple[int, int | None], overlaps: bool, touches: bool
) -> None:
    for one, other in ((window(*a), window(*b)), (window(*b), window(*a))):
        assert one.overlaps(other) is overlaps
        assert one.touches(other) is touches


def test_a_microsecond_between_is_no_touch() -> None:
    late = Window(day(2) + timedelta(microseconds=1), None)
    assert not window(0, 2).touches(late)


@given(windows(), windows())
def test_overlap_is_a_day_in_common(a: Window, b: Window) -> None:
    assert a.overlaps(b) == bool(set(days(a)) & set(days(b)))
    assert a.overlaps(b) == b.overlaps(a)


@given(windows(), windows())
def test_what_is_left_of_a_window(a: Window, b: Window) -> None:
    left = a.minus(b)
    assert days(*left) == [number for number in days(a) if number not in days(b)]
    assert disjoint(left)
    assert not any(part.overlaps(b) for part in left)
    assert list(left) == sorted(left, key=lambda part: part.start)


@given(windows(), windows())
def test_the_union_of_windows_that_touch(a: Window, b: Window) -> None:
    if a.touches(b):
        assert days(a.union(b)) == days(a, b)
        assert a.union(b) == b.union(a)


@given(st.lists(windows(), max_size=6))
def test_disjoint_means_every_day_once(of: list[Window]) -> None:
    counted = sum(len(days(one)) for one in of)
    assert disjoint(of) == (counted == len(days(*of)))


@given(moments(UTC) | moments(timezone(timedelta(hours=-11, minutes=-59))))
def test_microseconds_are_exact(moment: datetime) -> None:
    assert datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros(moment)) == moment
    assert micros(moment) < micros(None) == OPEN == 2**63 - 1


@pytest.mark.parametrize(
    ("text", "in_utc"),
    [
        ("2026-05-26T09:30:00+02:00", "2026-05-26T07:30:00+00:00"),
        ("2026-05-26T09:30:00Z", "2026-05-26T09:30:00+00:00"),
        ("2026-05-26t09:30:00z", "2026-05-26T09:30:00+00:00"),
        ("2026-05-26 09:30:00Z", "2026-05-26T09:30:00+00:00"),
        ("2026-05-26T09:30Z", "2026-05-26T09:30:00+00:00"),
        ("2026-05-26T09:30:00.1Z", "2026-05-26T09:30:00.100000+00:00"),
        ("2026-05-26T09:30:00.123456Z", "2026-05-26T09:30:00.123456+00:00"),
        ("2026-05-26T09:30:00-00:00", "2026-05-26T09:30:00+00:00"),
        ("2026-05-26T09:30:00+14:00", "2026-05-25T19:30:00+00:00"),
        ("2026-05-26T09:30:00-12:00", "2026-05-26T21:30:00+00:00"),
        ("2026-05-26T09:30:00+23:59", "2026-05-25T09:31:00+00:00"),
        ("2026-05-26T09:30:00-23:59", "2026-05-27T09:29:00+00:00"),
        # Amsterdam's clocks skip 02:30 on 29 March and show it twice on 25 October.
        ("2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00+00:00"),
        ("2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00+00:00"),
        ("2026-10-25T02:30:00+01:00", "2026-10-25T01:30:00+00:00"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00+00:00"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999+00:00"),
    ],
)
def test_instants(text: str, in_utc: str) -> None:
    assert parse_instant(text).astimezone(UTC).isoformat() == in_utc


NOT_INSTANTS = [
    "2026-05-26T09:30:00",  # naive
    "2026-05-26",
    "2026-05-26T09:30:00 UTC",
    "2026-05-26T09:30:00 Europe/Amsterdam",
    "2026-05-26T09:30:00+02:00[Europe/Amsterdam]",
    "2026-05-26T24:00:00Z",
    "2026-05-26T09:60:00Z",
    "2016-12-31T23:59:60Z",  # a leap second that was
    "2026-05-26T09:30:00.1234567891Z",
    "2026-05-26T09:30:00,5Z",
    "2026-05-26T09:30:00.Z",
    "2026-05-26T09Z",
    "2026-05-26T09:30:00+0200",
    "2026-05-26T09:30:00+02",
    "2026-05-26T09:30:00+24:00",
    "2026-05-26T09:30:00+02:60",
    "2026-05-26T09:30:00+02:00:00",
    "2026-05-26T09:30:00−02:00",
    "20260526T093000Z",
    "2026-W22-2T09:30:00Z",
    "2026-146T09:30:00Z",
    "2026-02-30T09:30:00Z",
    "2025-02-29T09:30:00Z",
    "2026-13-01T09:30:00Z",
    "2026-00-01T09:30:00Z",
    "2026-05-00T09:30:00Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "+12026-01-01T00:00:00Z",
    "-0044-03-15T00:00:00Z",
    "0044-03-15T00:00:00Z BC",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "infinity",
    "-infinity",
    "now",
    "",
    " 2026-05-26T09:30:00Z",
    "2026-05-26T09:30:00Z\n",
    "٢٠٢٦-٠٥-٢٦T٠٩:٣٠:٠٠Z",
    "1780000000",
]


# None of them quotes the text that it refuses.
MESSAGES = {
    "expected an instant with an offset, such as 2026-05-26T09:30:00+02:00",
    "is not a day of the calendar",
    "is outside the years 1 to 9999",
}


def refusal(text: str) -> str | None:
    """Why a text is no instant; None for one that is, with an offset."""
    try:
        moment = parse_instant(text)
    except ValueError as error:
        return str(error)
    return None if moment.tzinfo is not None else "naive"


@pytest.mark.parametrize("text", NOT_INSTANTS)
def test_what_is_no_instant(text: str) -> None:
    assert refusal(text) in MESSAGES


@given(st.text())
def test_any_text_is_an_instant_or_refused_in_these_words(text: str) -> None:
    assert refusal(text) in {None, *MESSAGES}


@given(
    st.integers(-1439, 1439).flatmap(lambda minutes: moments(timezone(timedelta(minutes=minutes))))
)
def test_what_is_written_is_read(moment: datetime) -> None:
    found = parse_instant(moment.isoformat())
    assert (found, found.utcoffset()) == (moment, moment.utcoffset())
