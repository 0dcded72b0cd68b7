"""Entities: what facts are about besides the user, under the names that people give them."""

import hashlib
from collections.abc import Iterable, Mapping

SELF = "user"
"""The key of the user, whom every scope has."""
_MAX_KEY_BYTES = 256
_THE_USER = frozenset(f"named:{word}" for word in ("user", "the user", "i", "me", "myself"))


def name_key(name: str) -> str:
    """What spellings of a name share: case and spacing do not count. A digest where the name is too
    long for a column of names.
    """
    folded = " ".join(name.casefold().split())
    key = f"named:{folded}"
    if len(key.encode()) <= _MAX_KEY_BYTES:
        return key
    return f"digest:{hashlib.sha256(folded.encode()).hexdigest()}"


def is_the_user(name: str, user_id: str | None = None) -> bool:
    """True for the user's own id and for words that mean the user, whom a fact is about where it
    names nobody.
    """
    key = name_key(name)
    return key in _THE_USER or (user_id is not None and key == name_key(user_id))


def by_key(names: Iterable[str]) -> Mapping[str, str]:
    """Names by their keys, the first spelling of each."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(name_key(name), name)
    return found
