"""What a memory becomes when turns that it rests on are erased (RULES 15.2).

A memory rests on statements; a statement cites turns, or none. What is left of its statements
grades the memory anew, and what only an erased turn says is not said any more.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.domain.slot import Slot
from muniment.domain.statement import Claim, SupportingTurn, grade, states
from muniment.domain.text import Analyzer
from muniment.domain.trust import Authority, Role, Trust, lowest, rank

Fate = Literal["stays", "said_anew", "goes"]


@dataclass(frozen=True)
class Support:
    """One piece of evidence: a turn (``content`` None where it is not kept any more), or none."""

    recorded_at: datetime
    observed_at: datetime
    trust: Trust
    erased: bool
    role: Role | None = None
    content: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Statement:
    """What was stated at one moment, as it was graded then, with all that it cited."""

    recorded_at: datetime
    trust: Trust
    confidence: float
    supports: Sequence[Support]

    @property
    def left(self) -> list[Support]:
        """Evidence that is not erased."""
        return [support for support in self.supports if not support.erased]

    @property
    def intact(self) -> bool:
        """True if none of its evidence is erased."""
        return len(self.left) == len(self.supports)


@dataclass(frozen=True)
class Wording:
    """What a memory says, and what its first statement said beside it."""

    text: str
    slot: Slot | None
    value: str | None
    subject: str | None
    data_source: str | None
    detail: str | None
    agent_id: str | None
    metadata: dict[str, Any]


@dataclass(frozen=True)
class Grades:
    """What follows from a version's evidence, and since when the service holds it."""

    recorded_from: datetime
    trust: Trust
    confidence: float
    observed_at: datetime


@dataclass(frozen=True)
class HeldVersion:
    """A version as it was before."""

    version_id: UUID
    recorded_from: datetime
    recorded_to: datetime | None
    trust: Trust
    confidence: float
    observed_at: datetime


def reworded(
    said: Wording,
    created_at: datetime,
    statements: Sequence[Statement],
    identifiers: Sequence[str],
    analyzer: Analyzer,
) -> tuple[Fate, Wording]:
    """What becomes of the words of a memory; of one that goes they do not matter.

    ``identifiers`` name the person who is forgotten. The words are those of the statement that was
    first; a statement without a slot that is repeated says the same words.
    """
    traces = _Traces(said, statements, identifiers, analyzer)
    if not any(statement.left for statement in statements):
        return "goes", said
    core = (said.text, said.value, said.subject, said.data_source)
    if any(traces.names(text) for text in core):
        return "goes", said
    first = [one for one in statements if one.recorded_at == created_at]
    lost = any(not statement.intact for statement in first)
    own = said.slot is None and any(statement.intact for statement in statements)
    fate: Fate = "stays"
    if lost and not own and any(traces.says(text) for text in core):
        if said.slot is None or any(traces.says(text) for text in core[1:]):
            return "goes", said
        fate = "said_anew"
        label = said.slot.label.capitalize()
        said = replace(said, text=f"{label}: {said.value}.")
    alone = lost and not any(statement.left for statement in first)
    return fate, _beside(said, traces, lost=lost, alone=alone)


def _beside(said: Wording, traces: "_Traces", *, lost: bool, alone: bool) -> Wording:
    """What the first statement said beside its text goes with it, or where it has a trace."""

    def clean(text: str | None) -> bool:
        return not (alone or traces.names(text) or (lost and traces.says(text)))

    return replace(
        said,
        detail=said.detail if clean(said.detail) else None,
        agent_id=said.agent_id if clean(said.agent_id) else None,
        metadata=said.metadata if clean(" ".join(_strings(said.metadata))) else {},
    )


def _strings(value: object) -> Iterable[str]:
    """Every string inside a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif value is not None:
        yield str(value)


class _Traces:
    """Finds in a text what only the erased turns have."""

    def __init__(
        self,
        said: Wording,
        statements: Sequence[Statement],
        identifiers: Sequence[str],
        analyzer: Analyzer,
    ) -> None:
        supports = [support for one in statements for support in one.supports]
        left = [one.content for one in supports if not one.erased and one.content]
        if said.slot is not None:
            left += [said.slot.label, *said.slot.cues]
        if any(statement.intact for statement in statements):
            # It said the same of the same: that much is its own.
            left += [text for text in (said.value, said.subject) if text]
        names = [one.name for one in supports if not one.erased and one.name]
        speakers = [one.name for one in supports if one.erased and one.role == "user" and one.name]
        # A speaker is given away by their name only where it is the person who is forgotten.
        speakers = speakers if identifiers else []
        self._analyzer = analyzer
        self._identifiers = [
            name
            for name in (*identifiers, *speakers)
            if not any(states(text, name) for text in (*left, *names))
        ]
        erased = [one.content for one in supports if one.erased and one.content]
        self._words = self._stems(erased) - self._stems(left)

    def _stems(self, texts: Iterable[str]) -> set[str]:
        return {stem for text in texts for stem in self._analyzer.stems(text)}

    def says(self, text: str | None) -> bool:
        """True if the text has a word that the erased turns have and nothing that is left has."""
        return text is not None and not self._words.isdisjoint(self._analyzer.stems(text))

    def names(self, text: str | None) -> bool:
        """True if the text names who is forgotten."""
        return text is not None and any(states(text, name) for name in self._identifiers)


def regraded(
    version: HeldVersion,
    said: Wording,
    statements: Sequence[Statement],
    confidence_of: Callable[[bool], float],
) -> Grades | None:
    """A version graded by what is left of the statements that it rested on; None if nothing is.

    Nothing rises: no grade, no confidence, no date. It is held since the first statement left.
    """
    own = [
        one
        for one in statements
        if one.left and (version.recorded_to is None or one.recorded_at < version.recorded_to)
    ]
    if not own:
        return None
    authority: Authority = "user" if said.slot is None else said.slot.authority
    graded = [_statement(one, said, confidence_of) for one in own]
    best = min((trust for trust, _ in graded), key=lambda trust: rank(trust, authority))
    observed_at = max(support.observed_at for one in own for support in one.left)
    return Grades(
        recorded_from=max(version.recorded_from, min(one.recorded_at for one in own)),
        trust=lowest([version.trust, best], authority),
        confidence=min(version.confidence, max(confidence for _, confidence in graded)),
        observed_at=min(version.observed_at, observed_at),
    )


def _statement(
    one: Statement, said: Wording, confidence_of: Callable[[bool], float]
) -> tuple[Trust, float]:
    """Trust and confidence of a statement by the evidence that is left of it."""
    if one.intact:
        return one.trust, one.confidence
    if one.trust == "operator":
        # An operator's word is graded by who speaks.
        return one.trust, one.confidence
    turns = [SupportingTurn(s.role or "external", s.content or "", s.trust) for s in one.left]
    names = [support.name for support in one.left if support.name]
    # Nothing rises by it, so whoever worded the memory, it may be the turn's own words.
    claim = Claim(said.text, said.value, said.slot, rendered=True, names=names)
    trust, stated = grade(claim, turns)
    return lowest([one.trust, trust]), min(one.confidence, confidence_of(stated))
