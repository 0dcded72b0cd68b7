"""Pages and cursors.

| given | then |
|---|---|
| the place of a row | a cursor that is read back as that place |
| no cursor | the beginning |
| anything else than a cursor of this list | a fault at /cursor |
| one row more than the limit | the page ends at its last row |
"""

import base64
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated
from uuid import UUID

import pytest
from annotated_types import Ge
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AwareDatetime

from muniment.errors import InvalidInput
from muniment.operations.paging import MAX_CURSOR, Cursors, cut
from muniment.operations.types import MAX_IDENTIFIER_BYTES, Identifier
from tests.unit.test_timeline import moments

ROWS = Cursors(tuple[AwareDatetime, UUID])
NAMES = Cursors(tuple[Identifier])
NUMBERS = Cursors(tuple[Annotated[int, Ge(1)]])
LAST = UUID("018f2a6c-0000-7000-8000-000000000000")
NOW = datetime(2026, 5, 26, 9, 30, tzinfo=UTC)
GIVEN = ROWS.after((NOW, LAST))


@given(moments(UTC) | moments(timezone(timedelta(hours=-3, minutes=-30))), st.uuids())
def test_a_cursor_is_read_back(at: datetime, last: UUID) -> None:
    cursor = ROWS.after((at, last))
    assert ROWS.read(cursor) == (at, last)
    assert len(cursor) <= MAX_CURSOR
    assert cursor.isascii()


@pytest.mark.parametrize(
    "name", ["a", "é", "日本", '"' * MAX_IDENTIFIER_BYTES, "\\" * 256, "𝒳" * 64]
)
def test_any_name_has_a_cursor_that_is_not_too_long(name: str) -> None:
    cursor = NAMES.after((name,))
    assert NAMES.read(cursor) == (name,)
    assert len(cursor) <= MAX_CURSOR


def test_no_cursor_is_the_beginning() -> None:
    assert ROWS.read(None) is None


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "", "x", "!", "é", "\ud800", "====", GIVEN[:-4], GIVEN + "x", "\n" + GIVEN, encoded(""),
        encoded(" "), encoded("null"), encoded("[]"), encoded("{}"), encoded(f'["{NOW.isoformat()}"]'),
        encoded(f'["2026-05-26T09:30:00","{LAST}"]'), encoded(f'["infinity","{LAST}"]'),
        encoded(f'["2026-05-26T09:30:00Z", "{LAST}"]'), encoded(f'["2026-05-26T09:30:00Z","{LAST.hex}"]'),
        encoded(f'["2026-05-26T09:30:00Z","{LAST}",1]'), encoded(f'[0,"{LAST}"]'),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(), NAMES.after(("a",)), NUMBERS.after((1,)),
    ],
)  # fmt: skip
def test_what_is_no_cursor(cursor: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        ROWS.read(cursor)
    (fault,) = caught.value.faults
    assert (fault.pointer, fault.message) == ("/cursor", "is not a cursor of this list")


@pytest.mark.parametrize(
    "text", ['["a\\u0000"]', '[""]', '["e\\u0301"]', "[1]", '["%s"]' % ("a" * 257)]
)
def test_what_is_no_name_is_no_cursor_of_names(text: str) -> None:
    with pytest.raises(InvalidInput):
        NAMES.read(encoded(text))


@pytest.mark.parametrize("text", ["[0]", "[1.0]", "[true]", '["1"]', "[ 1]", "[1e0]"])
def test_what_is_no_number_is_no_cursor_of_numbers(text: str) -> None:
    with pytest.raises(InvalidInput):
        NUMBERS.read(encoded(text))


@given(st.text(st.characters(exclude_categories=())) | st.text().map(encoded))
def test_any_text_is_a_cursor_or_refused(cursor: str) -> None:
    try:
        place = NAMES.read(cursor)
    except InvalidInput:
        return
    assert place is not None
    assert NAMES.after(place) == cursor


@pytest.mark.parametrize(
    ("rows", "limit", "page", "last"),
    [
        ([], 1, [], None),
        ([1], 1, [1], None),
        ([1, 2], 1, [1], 1),
        ([1, 2], 2, [1, 2], None),
        ([1, 2, 3], 2, [1, 2], 2),
    ],
)
def test_a_page_ends_where_there_is_more(
    rows: list[int], limit: int, page: list[int], last: int | None
) -> None:
    assert cut(rows, limit) == (page, last)
