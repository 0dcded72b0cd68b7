"""What recurs in several sessions of a user, and what it becomes. Pure: the caller applies it."""

from muniment.domain.curation.recurrence import (
    HeldText,
    Place,
    Promotable,
    Recurrence,
    Recurring,
    Spoken,
    promotable,
)
from muniment.domain.curation.wishes import aside
from muniment.domain.curation.wording import (
    DROPPED,
    KINDS,
    Told,
    Worded,
    sentences,
    worded,
)

__all__ = [
    "DROPPED",
    "KINDS",
    "HeldText",
    "Place",
    "Promotable",
    "Recurrence",
    "Recurring",
    "Spoken",
    "Told",
    "Worded",
    "aside",
    "promotable",
    "sentences",
    "worded",
]
