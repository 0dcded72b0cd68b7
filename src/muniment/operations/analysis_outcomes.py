"""What became of what was reported, in one word and in a sentence, and the answer of a report."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal
from uuid import UUID

from annotated_types import Ge

from muniment.domain.reconcile import Outcome
from muniment.domain.trust import Trust
from muniment.errors import Fault
from muniment.operations.types import Count

Became = Literal[
    "stored", "reinforced", "below_floor", "expired", "contested", "quarantined", "rejected",
    "confirmed", "superseded", "retracted", "noted", "unchanged",
]  # fmt: skip


@dataclass(frozen=True)
class FindingOutcome:
    """What became of a finding, by which rule, and why in words. ``id`` is what holds it."""

    kind: Literal["finding", "data_quality"]
    id: UUID | None
    became: Became
    rule: str
    why: str
    trust: Trust
    confidence: float
    superseded: tuple[UUID, ...]


@dataclass(frozen=True)
class PriorOutcome:
    """What became of what was found before; ``confirmations``: how often it was observed."""

    id: UUID
    became: Became
    rule: str
    why: str
    by: UUID | None
    confirmations: Annotated[int, Ge(0)]


@dataclass(frozen=True)
class AnalysisReported:
    """``findings`` and ``retired`` in the order in which they were reported."""

    analysis_id: UUID
    data_source: str
    findings: tuple[FindingOutcome, ...]
    revalidation: PriorOutcome | None
    retired: tuple[PriorOutcome, ...]
    steps: Count
    warnings: tuple[Fault, ...]


_OF: Final[Mapping[Outcome, Became]] = {
    "inserted": "stored",
    "superseded": "stored",
    "reinforced": "reinforced",
    "contested": "contested",
    "quarantined": "quarantined",
    "rejected": "rejected",
    "retracted": "retracted",
}
_WHY: Final[Mapping[str, str]] = {
    "stored": "Nothing that is held says the same.",
    "reinforced": "It is held already, and was observed once more.",
    "below_floor": "Its label gives less confidence than is kept.",
    "expired": "Its time was over before it was reported; it is not kept.",
    "contested": "What is held has a higher grade, or it is not clear which one is meant.",
    "quarantined": "It reads like an instruction and waits for review.",
    "rejected": "What is held stands against it.",
    "confirmed": "It was observed once more; its time goes on as it did.",
    "superseded": "Another finding takes its place.",
    "retracted": "It holds no more.",
    "noted": "One observation is noted.",
    "unchanged": "It is held as it was.",
}
_BY_RULE: Final[Mapping[str, str]] = {
    "replaces_named": "It takes the place of the finding that it invalidates.",
    "near_duplicate": "It is held already in other words, and was observed once more.",
    "lower_grade_never_retracts": "It is held as it was: a lower grade ends nothing.",
    "lower_grade_never_displaces": "A lower grade takes no place of a higher one; both stand.",
    "gone_once": "One observation that it is gone is noted; a second principal's ends it.",
    "gone_twice": "Two principals say that it is gone.",
    "retired_by_owner": "The owner of the data source says that it is gone.",
    "retired_by_operator": "An operator says that it is gone.",
    "inconclusive": "The test was inconclusive; it is held as it was.",
}
_ANEW: Final = "It was observed once more, and its time begins anew."


def became_of(outcome: Outcome) -> Became:
    """An outcome of reconciliation, for who reported."""
    return _OF[outcome]


def why(became: Became, rule: str, *, anew: bool = False) -> str:
    """One sentence: what the rule says, or what the outcome means. ``anew``: its time begins so."""
    return _ANEW if anew else _BY_RULE.get(rule, _WHY[became])
