"""Cursors: what a page ended with comes back as it was; anything else is a fault at /cursor."""

import base64
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InvalidInput
from muniment.operations.paging import next_cursor, read_cursor
from tests.unit.test_timeline import moments

LAST = UUID("018f2a6c-0000-7000-8000-000000000000")
NOW = datetime(2026, 5, 26, 9, 30, tzinfo=UTC)


@given(moments(UTC) | moments(timezone(timedelta(hours=-3, minutes=-30))), st.uuids())
def test_a_cursor_is_read_back(at: datetime, last: UUID) -> None:
    cursor = next_cursor(at, last)
    assert read_cursor(cursor) == (at, last)
    assert len(cursor) <= 200
    assert cursor.isascii()


def test_no_cursor_is_the_beginning() -> None:
    assert read_cursor(None) == (None, None)


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "", "x", "!", "é", "\ud800", "====", next_cursor(NOW, LAST)[:-4], next_cursor(NOW, LAST) + "x",
        "\n" + next_cursor(NOW, LAST), encoded(""), encoded(" "), encoded(NOW.isoformat()),
        encoded(f"{NOW.isoformat()} "), encoded(f" {LAST.hex}"), encoded(f"{NOW.isoformat()} x"),
        encoded(f"2026-05-26T09:30:00 {LAST.hex}"), encoded(f"2026-05-26 {LAST.hex}"),
        encoded(f"infinity {LAST.hex}"), encoded(f"{NOW.isoformat()} {LAST.hex} more"),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    ],
)  # fmt: skip
def test_what_is_no_cursor(cursor: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_cursor(cursor)
    (fault,) = caught.value.faults
    assert (fault.pointer, fault.message) == ("/cursor", "is not a cursor of this list")


@given(st.text(st.characters(exclude_categories=())) | st.text().map(encoded))
def test_any_text_is_a_cursor_or_refused(cursor: str) -> None:
    try:
        at, last = read_cursor(cursor)
    except InvalidInput:
        return
    assert at is not None
    assert last is not None
    assert read_cursor(next_cursor(at, last)) == (at, last)
