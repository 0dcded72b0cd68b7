"""Cursors: where a page ended, opaque to callers and checked when it comes back."""

import base64
from datetime import datetime
from typing import Annotated
from uuid import UUID

from annotated_types import MaxLen

from muniment.errors import Fault, InvalidInput

Cursor = Annotated[str, MaxLen(200)]


def next_cursor(at: datetime, last: UUID) -> str:
    """The cursor behind a row, by its moment and id."""
    return base64.urlsafe_b64encode(f"{at.isoformat()} {last.hex}".encode()).decode()


def read_cursor(cursor: str | None) -> tuple[datetime | None, UUID | None]:
    """The moment and id behind a cursor. Raises InvalidInput for what is not one."""
    if cursor is None:
        return None, None
    try:
        text = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True).decode()
        at, _, last = text.partition(" ")
        moment, found = datetime.fromisoformat(at), UUID(hex=last)
    except ValueError:
        raise InvalidInput(faults=[Fault("/cursor", "is not a cursor of this list")]) from None
    if moment.tzinfo is None:
        raise InvalidInput(faults=[Fault("/cursor", "is not a cursor of this list")])
    return moment, found
