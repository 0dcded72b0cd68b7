"""What a candidate is worth before anything that is held is looked at (RULES 4, 5, 7).

An extractor only proposes. What its candidate says is graded by the turns that it cites, as
``remember`` grades: who said it, whether in these words, and since when it holds.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from muniment.domain.extraction import Extracted
from muniment.domain.instructions import is_suspect
from muniment.domain.policy import CATEGORIES, Category, Policy
from muniment.domain.slot import Slot
from muniment.domain.statement import STATING, Claim, SupportingTurn, grade, grade_retraction
from muniment.domain.text import Analyzer, analyzer_for
from muniment.domain.trust import Role, Trust

PASSING: Final = frozenset({"user_preference", "domain_pattern"})
"""Kinds that the transcript pass writes, and nobody else (RULES 6)."""
_UNPROPOSED: Final = frozenset({"summary"})

Refusal = Literal[
    "cites_no_turn",
    "nothing_new",
    "kind_not_admitted",
    "slot_not_defined",
    "assistant_alone",
    "echo",
    "below_confidence_floor",
    "window_reversed",
]


@dataclass(frozen=True)
class SessionTurn:
    """A live turn of a session as admission looks at it.

    ``echo``: nothing rests on it alone. ``fresh``: it came after the session was last extracted.
    """

    turn: int
    role: Role
    name: str | None
    content: str
    occurred_at: datetime
    trust: Trust
    standing: str
    category: Category
    reason: str
    data_source: str | None
    agent_id: str | None
    echo: bool
    fresh: bool


@dataclass(frozen=True)
class Admitted:
    """A candidate as it may go on to reconciliation; ``cited`` are the turns that say it."""

    kind: str
    text: str
    subject: str | None
    slot: Slot | None
    value: str | None
    data_source: str | None
    agent_id: str | None
    valid_from: datetime
    valid_to: datetime | None
    observed_at: datetime
    trust: Trust
    confidence: float
    importance: int
    category: Category
    suspect: bool
    retracts: bool
    replaces: str | None
    cited: tuple[int, ...]


def admitted(
    candidate: Extracted,
    turns: Mapping[int, SessionTurn],
    policy: Policy,
    user_name: str | None = None,
    analyzer: Analyzer | None = None,
) -> Admitted | Refusal:
    """The candidate with grade, confidence, importance, category and window; or why it is refused.

    ``user_name`` is what the extractor was told to call the user, ``analyzer`` of their language.
    """
    cited = [turns[turn] for turn in sorted(set(candidate.cited)) if turn in turns]
    refused = _refused(candidate, cited, policy)
    if refused is not None:
        return refused
    slot = None if candidate.slot is None else policy.slots[candidate.slot]
    trust, stated = _graded(candidate, slot, cited, (user_name,), analyzer)
    confidence = policy.confidence_of(None, stated=stated)
    if confidence < policy.confidence.write_floor:
        return "below_confidence_floor"
    window = _window(candidate, cited)
    if window is None:
        return "window_reversed"
    valid_from, valid_to, retracts = window
    return Admitted(
        kind=candidate.kind,
        text=candidate.text,
        subject=candidate.subject or _speaker(cited, turns.values()),
        slot=slot,
        value=candidate.value,
        data_source=candidate.data_source or _source(candidate.kind, cited),
        agent_id=next((one.agent_id for one in cited if one.role in STATING), None),
        valid_from=valid_from,
        valid_to=valid_to,
        observed_at=max(one.occurred_at for one in cited),
        trust=trust,
        confidence=confidence,
        importance=_importance(candidate.kind, slot, cited, policy),
        category=max((one.category for one in cited), key=CATEGORIES.index),
        suspect=is_suspect(
            (candidate.subject, candidate.text, candidate.value),
            trust,
            (one.standing for one in cited),
        ),
        retracts=retracts,
        replaces=candidate.replaces if slot is None else None,
        cited=tuple(one.turn for one in cited),
    )


def digest_of(candidate: Extracted, slot: Slot | None, session: bytes) -> bytes:
    """By what a candidate of a session is known again: its turns, kind, slot, and what it says."""
    words = " ".join(candidate.text.casefold().split())
    says = words if slot is None else slot.key(candidate.value or "")
    told = [
        session.hex(), sorted(set(candidate.cited)), candidate.kind, candidate.slot,
        candidate.subject, says, candidate.retracts,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(told).encode()).digest()


def transcript_start(fresh: Sequence[bool], least: int) -> int:
    """Where the transcript pass begins: the last ``least`` turns, or all since the last pass."""
    since = next((at for at, new in enumerate(fresh) if new), len(fresh))
    return max(0, min(since, len(fresh) - least))


def _refused(candidate: Extracted, cited: Sequence[SessionTurn], policy: Policy) -> Refusal | None:
    kind = policy.kinds.get(candidate.kind)
    if kind is None or kind.layer != "semantic" or kind.writers or candidate.kind in _UNPROPOSED:
        return "kind_not_admitted"
    if (candidate.slot is None) != (candidate.value is None):
        return "slot_not_defined"
    if candidate.slot is not None and candidate.slot not in policy.slots:
        return "slot_not_defined"
    if len(cited) < len(set(candidate.cited)) or not cited:
        return "cites_no_turn"
    saying = [one for one in cited if one.role in STATING]
    if not saying:
        return "assistant_alone"
    if all(one.echo for one in saying):
        return "echo"
    if not any(one.fresh for one in cited):
        return "nothing_new"
    return None


def _graded(
    candidate: Extracted,
    slot: Slot | None,
    cited: Sequence[SessionTurn],
    called: Sequence[str | None],
    analyzer: Analyzer | None,
) -> tuple[Trust, bool]:
    """A retraction is graded as ``memories.retract`` grades; the end of what is stated with its
    end, as the statement.
    """
    names = [name for name in (*called, *(one.name for one in cited)) if name]
    closed = candidate.valid_to is not None
    claim = Claim(candidate.text, candidate.value, slot, rendered=True, names=names, closed=closed)
    supporting = [SupportingTurn(one.role, one.content, one.trust) for one in cited]
    if candidate.retracts:
        return grade_retraction(claim, supporting, analyzer or analyzer_for())
    return grade(claim, supporting)


def _window(
    candidate: Extracted, cited: Sequence[SessionTurn]
) -> tuple[datetime, datetime | None, bool] | None:
    """Since when, until when, and whether it takes back; None for a window that ends first.

    A retraction closes at the end that was named, or when it was said. What has an end before it
    was said, and no beginning, says only that it ended.
    """
    saying = [one for one in cited if one.role in STATING]
    said = min(one.occurred_at for one in [o for o in saying if o.fresh] or saying)
    start, end = candidate.valid_from, candidate.valid_to
    if candidate.retracts:
        return end or start or max(one.occurred_at for one in saying), None, True
    if start is None and end is not None and end <= said:
        return end, None, True
    if start is not None and end is not None and end <= start:
        return None
    return start or said, end, False


def _speaker(cited: Sequence[SessionTurn], turns: Collection[SessionTurn]) -> str | None:
    """Whom it is about, where several people speak as the user of one session."""
    speakers = {one.name for one in turns if one.role == "user" and one.name}
    if len(speakers) < 2:
        return None
    return next((one.name for one in reversed(cited) if one.role == "user" and one.name), None)


def _source(kind: str, cited: Sequence[SessionTurn]) -> str | None:
    """The data that the turns were about, for kinds that are about data."""
    if kind not in ("data_quality", "domain_pattern", "finding"):
        return None
    named = {one.data_source for one in cited if one.data_source}
    return named.pop() if len(named) == 1 else None


def _importance(kind: str, slot: Slot | None, cited: Sequence[SessionTurn], policy: Policy) -> int:
    if slot is not None:
        return slot.importance
    reasons = [one.reason for one in cited if one.role in STATING]
    # A turn is kept for one reason, and may say more than that.
    reasons += ["preference"] * (kind == "user_preference")
    return max(policy.importance.get(reason, 1) for reason in reasons)
