"""Inputs of runs: what was recalled, and what became of it since (RULES 14.4)."""

from datetime import datetime
from typing import Literal, get_args

from muniment.domain.memory import Status

StaleWhy = Literal["superseded", "retracted", "expired", "contested", "quarantined", "erased"]
_WHY: dict[Status, StaleWhy | None] = {
    "active": None,
    "archived": None,  # faded, and as true as before
    "future": "superseded",
    "past": "superseded",
    **{one: one for one in get_args(StaleWhy) if one != "erased"},
}


def why_stale(status: Status) -> StaleWhy | None:
    """Why what has this status now, and held when it was recalled, does not hold any more."""
    return _WHY[status]


def why_gone(due: datetime | None, now: datetime) -> StaleWhy:
    """Why an item is there no more: its time was over, else somebody erased it."""
    return "expired" if due is not None and due <= now else "erased"


def is_news(why: StaleWhy | None, acknowledged: str | None, *, contested: bool) -> bool:
    """Whether a run has to know: it did not acknowledge this, or something contests it since."""
    return contested or (why is not None and why != acknowledged)
