"""Pages: a list takes ``cursor`` and ``limit`` and answers with ``items`` and ``next``.

A cursor says where a page ended. It is opaque to callers and checked when it comes back.
"""

import base64
from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar
from uuid import UUID

from annotated_types import MaxLen
from pydantic import TypeAdapter

from muniment.errors import Fault, InvalidInput

P = TypeVar("P")
R = TypeVar("R")

# Room for the longest identifier, with every character escaped.
MAX_CURSOR = 700
Cursor = Annotated[str, MaxLen(MAX_CURSOR)]


FIRST_ID = UUID(int=0)
"""Where a list that is ordered by ids begins."""


class Cursors(Generic[P]):
    """The cursors of a list. ``place`` is the tuple of what the list is ordered by."""

    def __init__(self, place: type[P]) -> None:
        self._places = TypeAdapter(place)

    def after(self, place: P) -> str:
        """The cursor behind the row that stands at ``place``."""
        return base64.urlsafe_b64encode(self._places.dump_json(place)).decode()

    def read(self, cursor: str | None) -> P | None:
        """The place behind a cursor. Raises InvalidInput for what ``after`` did not make."""
        if cursor is None:
            return None
        try:
            text = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True)
            place = self._places.validate_json(text, strict=True)
        except ValueError:
            place = None
        if place is None or self.after(place) != cursor:
            raise InvalidInput(faults=[Fault("/cursor", "is not a cursor of this list")])
        return place


def cut(rows: Sequence[R], limit: int) -> tuple[Sequence[R], R | None]:
    """The page, and its last row if there is more: of ``rows`` one beyond ``limit`` was read."""
    page = rows[:limit]
    return page, page[-1] if len(rows) > limit else None
