"""Which mode, who decided it, and why (RULES 13).

| asked for | prior findings | then |
|---|---|---|
| a mode | any | that one, by the user |
| `auto` | any | by wording, else by what is known; inferred |
| nothing | three or more | none: the gate is open, and the user chooses |
| nothing | fewer | `fresh`, by default |
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from muniment.domain.mode.cues import PLAIN
from muniment.domain.mode.situation import Mode, Situation
from muniment.domain.mode.wording import Cue, Likeness, cues_of, likeness_of

GATE: Final = 3
"""So many prior findings open the gate."""
CHOICES: Final[tuple[Mode, ...]] = ("fresh", "extend", "revalidate", "re-run")
DecidedBy = Literal["user", "inferred", "default"]
Revision = Literal["confirmed", "invalidated", "inconclusive"]

_RECENT: Final = timedelta(days=14)
_LONG: Final = timedelta(days=21)
_NEAR: Final = 0.5
_ON_GROUND: Final = 0.34
_UNSURE: Final = 0.6
_SAME_SITTING: Final = timedelta(days=1)
_FEW_WORDS: Final = 2
_CONTEXT: Final = 1.0
_ASKED_FIRST: Final = 1.5
_OF_A_CUE: Final = 1.25
# Where wording says as much for one mode as for another.
_FIRST: Final[tuple[Mode, ...]] = ("fresh", "revalidate", "re-run", "extend")
_WORDS: Final[Mapping[str, str]] = {
    "asked": "the caller named the mode",
    "gate": "there are {count} findings on this source: the user chooses",
    "few_findings": "there are {count} findings on this source, fewer than {gate}",
    "nothing_known": "nothing was found or run on this source before",
    "wording": 'the question says "{said}"',
    "likeness": 'the question is worded as ones that ask for this ("{said}")',
    "same_data": "the data is the same as at the last analysis",
    "changed_data": "the data changed since the last analysis",
    "recent": "the last analysis was {days} days ago",
    "long_ago": "the last analysis was {days} days ago",
    "known_ground": "the question is about what was found before",
    "open_unknown": "the question is about what was left open",
    "near_ground": "the question goes on from what was looked at",
    "follows_on": "a short question goes on from the last analysis",
    "other_ground": "the question is about something else than was looked at before",
    "stale_finding": "the finding is past its time",
    "unsure_finding": "the finding was not certain",
    "nothing_current": "no finding is current enough to build on",
    "nothing_to_confirm": "there is no finding to confirm",
    "nothing_to_repeat": "no battery is recorded",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: a code, and the same in words."""

    code: str
    words: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The mode (none while the gate is open), who decided it, and why."""

    mode: Mode | None
    decided_by: DecidedBy
    reasons: tuple[Reason, ...]
    gate_open: bool = False


def choose(asked: Mode | Literal["auto"] | None, situation: Situation) -> Decision:
    """Deterministic: the same situation gives the same decision."""
    count = len(situation.findings)
    if asked is None:
        if count >= GATE:
            return Decision(None, "default", (_reason("gate", count=count),), gate_open=True)
        return Decision("fresh", "default", (_reason("few_findings", count=count, gate=GATE),))
    if asked != "auto":
        return Decision(asked, "user", (_reason("asked"), *_missing(asked, situation)))
    mode, reasons = _inferred(situation)
    return Decision(mode, "inferred", tuple(reasons))


def _inferred(situation: Situation) -> tuple[Mode, list[Reason]]:
    if not situation.has_history and not situation.flags:
        return "fresh", [_reason("nothing_known")]
    cues, likeness = cues_of(situation.question), likeness_of(situation.question)
    leaning, why = _by_context(situation)
    ruled = _by_rules(cues, leaning)
    sums = {mode: ruled[mode] + likeness.shares[mode] for mode in _FIRST}
    sums[leaning] += likeness.neither
    mode = max(_FIRST, key=lambda one: sums[one])
    said = [_said(cue) for cue in cues if cue.mode == mode] or _alike(likeness, mode)
    return _possible(mode, said or why, situation)


def _by_rules(cues: Sequence[Cue], leaning: Mode) -> Mapping[Mode, float]:
    """What the cues say for each mode, ``_OF_A_CUE`` in all; nothing where there are none.

    What is known decides where words are weak; where they balance, what is asked for first.
    """
    sums = {mode: sum(cue.weight for cue in cues if cue.mode == mode) for mode in _FIRST}
    if not cues:
        return sums
    first = next((cue.mode for cue in cues if cue.weight >= PLAIN), None)
    sums[leaning if first is None else first] += _CONTEXT if first is None else _ASKED_FIRST
    total = sum(sums.values())
    return {mode: _OF_A_CUE * one / total for mode, one in sums.items()}


def _alike(likeness: Likeness, mode: Mode) -> list[Reason]:
    if likeness.shares[mode] <= likeness.neither:
        return []
    return [Reason("wording:likeness", _WORDS["likeness"].format(said=likeness.telling(mode)))]


def _by_context(situation: Situation) -> tuple[Mode, list[Reason]]:
    """What the time since, the ground and the data speak for, without any word of the question."""
    gap = situation.gap
    long_ago = gap is not None and gap >= _LONG
    found = situation.nearest([one.text for one in situation.findings])
    unknown = situation.nearest(situation.unknowns)
    ground = max(found, unknown, situation.nearest(situation.steps))
    when = [] if gap is None else [_reason("long_ago" if long_ago else "recent", days=gap.days)]
    data = _data(situation)
    if found >= _NEAR and found >= unknown:
        doubts = list(_doubts(situation, long_ago=long_ago))
        mode: Mode = "revalidate" if doubts else "extend"
        return mode, [_reason("known_ground"), *doubts, *when]
    settled = gap is None or gap <= _RECENT or situation.fingerprint == "same"
    if unknown >= _NEAR and settled:
        return "extend", [_reason("open_unknown"), *data, *when]
    if gap is not None and gap <= _SAME_SITTING and len(situation.asked) <= _FEW_WORDS:
        return "extend", [_reason("follows_on"), *data, *when]
    if ground >= _ON_GROUND or (ground > 0 and settled and situation.fingerprint != "changed"):
        if settled:
            return "extend", [_reason("near_ground"), *data, *when]
        if ground >= _NEAR:
            return "revalidate", [_reason("known_ground"), *data, *when]
    return "fresh", [_reason("other_ground"), *when]


def _doubts(situation: Situation, *, long_ago: bool) -> Iterator[Reason]:
    """Why a finding may not hold any more."""
    target = situation.target
    if situation.fingerprint == "changed":
        yield _reason("changed_data")
    if target is not None and target.stale:
        yield _reason("stale_finding")
    if situation.fingerprint == "unknown" and long_ago:
        yield _reason("long_ago", days=0 if situation.gap is None else situation.gap.days)
    if target is not None and target.confidence < _UNSURE and situation.fingerprint != "same":
        yield _reason("unsure_finding")


def _data(situation: Situation) -> list[Reason]:
    known = {"same": "same_data", "changed": "changed_data"}.get(situation.fingerprint)
    return [] if known is None else [_reason(known)]


def _possible(mode: Mode, why: list[Reason], situation: Situation) -> tuple[Mode, list[Reason]]:
    """The mode, or the nearest one that there is something for."""
    missing = _missing(mode, situation)
    if not missing:
        return mode, why
    current = any(not one.stale for one in situation.findings)
    if mode == "extend":
        return "revalidate", [*why, *missing]
    if mode == "revalidate" or current:
        again: Mode = "extend" if situation.steps or situation.unknowns or current else "fresh"
        return again, [*why, *missing]
    return ("revalidate" if situation.findings else "fresh"), [*why, *missing]


def _missing(mode: Mode, situation: Situation) -> list[Reason]:
    """What the mode has need of and is not there."""
    findings = situation.findings
    if mode == "extend" and findings and all(one.stale for one in findings):
        return [_reason("nothing_current")]
    if mode == "extend" and not situation.has_history:
        return [_reason("nothing_known")]
    if mode == "revalidate" and situation.target is None:
        return [_reason("nothing_to_confirm")]
    if mode == "re-run" and not situation.steps:
        return [_reason("nothing_to_repeat")]
    return []


def _said(cue: Cue) -> Reason:
    return Reason(f"wording:{cue.code}", _WORDS["wording"].format(said=cue.said))


def _reason(code: str, **values: object) -> Reason:
    return Reason(code, _WORDS[code].format(**values))
