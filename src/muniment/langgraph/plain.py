"""Values of items as JSON holds them: what would come back as something else is refused."""

import unicodedata
from collections.abc import Mapping
from math import isfinite
from typing import Any

from muniment.errors import Fault, InvalidInput

_DEEPEST = 64
_MOST_BITS = 3321
_LONGEST_NAME = 1024


def checked(value: Any, at: str) -> dict[str, Any]:
    """The value, if it comes back as it was. Raises InvalidInput with the place of what would not:
    what is no object; in one a date, bytes, a set or another object, a name that is no text, NUL
    and broken characters, a number that is not finite.
    """
    if not isinstance(value, Mapping):
        raise _refused(at, f"is no object: {type(value).__name__}")
    _check(value, at, 0)
    return dict(value)


def _check(value: Any, at: str, depth: int) -> None:
    if depth > _DEEPEST:
        raise _refused(at, f"nests deeper than {_DEEPEST}")
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if not isinstance(name, str):
                raise _refused(at, f"has a name that is no text: {type(name).__name__}")
            _check_text(name, at)
            _check(inner, f"{at}/{name.replace('~', '~0').replace('/', '~1')}", depth + 1)
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            _check(inner, f"{at}/{place}", depth + 1)
    else:
        _check_leaf(value, at)


def _check_leaf(value: Any, at: str) -> None:
    if isinstance(value, str):
        _check_text(value, at)
    elif isinstance(value, int):
        if value.bit_length() > _MOST_BITS:
            raise _refused(at, "is a number of more than 1,000 digits")
    elif isinstance(value, float):
        if not isfinite(value):
            raise _refused(at, "is a number that is not finite")
    elif value is not None:
        raise _refused(at, f"is nothing that JSON can hold: {type(value).__name__}")


def _check_text(text: str, at: str) -> None:
    broken = text.encode("utf-8", "replace") != text.encode("utf-8", "surrogatepass")
    if broken or "\x00" in text:
        raise _refused(at, "has NUL or broken characters")


def _refused(at: str, why: str) -> InvalidInput:
    return InvalidInput(faults=[Fault(at, why)])


def normal(name: Any) -> Any:
    """A label or key in the form in which the service keeps it; what is none stays as it is."""
    if isinstance(name, str) and len(name) <= _LONGEST_NAME:
        return unicodedata.normalize("NFC", name)
    return name
