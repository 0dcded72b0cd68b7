"""How good the gate and an extractor are on labelled conversations (RULES 16.3).

The gate and the rules are pure functions, and a model is asked as the service does; no service is
needed. A candidate matches a fact if it cites one of its turns and says the same: the slot and the
value, or without a slot the words that it must have.
"""

import json
import re
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from muniment.domain.extraction import Extracted, Extraction, SaidTurn, extract
from muniment.domain.gate import (
    GateContext,
    GateInput,
    Reason,
    Verdict,
    judge,
    sentence_digests,
)
from muniment.domain.policy import Policy
from muniment.domain.slot import Slot
from muniment.errors import InvalidInput, ModelOutputInvalid

Place = tuple[str, int]
Propose = Callable[[Sequence[SaidTurn], Mapping[str, Slot]], Extraction]
_CHANGED = {Reason.CORRECTION, Reason.RETRACTION}


@dataclass(frozen=True)
class Report:
    """Shares from 0 to 1 and the counts behind them; ``wrong_by_trap`` counts candidates."""

    overall: Mapping[str, float]
    counts: Mapping[str, int]
    found_by_kind: Mapping[str, Mapping[str, int]]
    wrong_by_trap: Mapping[str, int]
    wrong: Sequence[str]
    missed: Sequence[str]
    wrong_dates: Sequence[str]
    gate_errors: Sequence[str]


@dataclass
class _Tally:
    candidates: int = 0
    right: int = 0
    optional_only: int = 0
    retractions: int = 0
    required: int = 0
    found: int = 0
    kinds: list[bool] = field(default_factory=list)
    dates: list[bool] = field(default_factory=list)
    noise: list[bool] = field(default_factory=list)
    signal: list[bool] = field(default_factory=list)
    by_kind: dict[str, Counter[str]] = field(default_factory=dict)
    traps: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    wrong_dates: list[str] = field(default_factory=list)
    gate_errors: list[str] = field(default_factory=list)
    seconds: float = 0.0
    turns: int = 0
    tokens: int = 0
    invalid: int = 0


def default_slots() -> Mapping[str, Slot]:
    """The slots of the policy that ships."""
    text = (files("muniment.policy") / "default.toml").read_text(encoding="utf-8")
    return Policy.parse(tomllib.loads(text)).slots


def evaluate(
    file: Path, slots: Mapping[str, Slot] | None = None, propose: Propose = extract
) -> Report:
    """Score a file of labelled conversations. Raises InvalidInput for a line of another form.

    A session of which a model's output is invalid has no candidates and is counted.
    """
    tally = _Tally()
    known = default_slots() if slots is None else slots
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            conversation = json.loads(line)
            _score(conversation, known, tally, propose)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"{file}, line {number}: not a labelled conversation "
                f"({type(error).__name__}: {error}). The format is in evals/cases/README.md."
            ) from None
    if not tally.required:
        raise InvalidInput(f"{file}: no conversation has a required fact.")
    return _report(tally)


def _score(
    conversation: Mapping[str, Any], slots: Mapping[str, Slot], tally: _Tally, propose: Propose
) -> None:
    _check_evidence(conversation)
    given: list[tuple[frozenset[Place], Extracted]] = []
    traps: dict[Place, str] = {}
    for session in conversation["sessions"]:
        turns = _gated(session, tally)
        began = time.perf_counter()
        extraction = _proposed([turn for turn, _ in turns], slots, tally, propose)
        tally.seconds += time.perf_counter() - began
        tally.tokens += extraction.tokens
        tally.turns += len(turns)
        name = session["session_id"]
        traps |= {(name, turn.turn): label["trap"] for turn, label in turns if label["trap"]}
        given += [
            (frozenset((name, turn) for turn in one.cited), one) for one in extraction.candidates
        ]
    _match(conversation, given, traps, slots, tally)


def _check_evidence(conversation: Mapping[str, Any]) -> None:
    """Raises ValueError for a fact that cites no turn, or one that is not there."""
    places = {
        (session["session_id"], turn["turn"])
        for session in conversation["sessions"]
        for turn in session["turns"]
    }
    for at, fact in enumerate(conversation["facts"]):
        cited = [tuple(one) if isinstance(one, list) else one for one in fact["evidence"]]
        if not cited or any(not isinstance(one, tuple) or one not in places for one in cited):
            raise ValueError(f"/facts/{at}/evidence must be [session_id, turn] pairs that exist")


def _proposed(
    turns: Sequence[SaidTurn], slots: Mapping[str, Slot], tally: _Tally, propose: Propose
) -> Extraction:
    try:
        return propose(turns, slots)
    except ModelOutputInvalid as error:
        tally.invalid += 1
        return Extraction((), tokens=int(error.extra["tokens"]))


def judged(
    session: Mapping[str, Any],
) -> Iterator[tuple[Mapping[str, Any], GateInput, GateContext, Verdict]]:
    """Each labelled turn of a session as the service's gate meets it, and its verdict."""
    previous: GateInput | None = None
    seen: set[str] = set()
    for label in session["turns"]:
        event = GateInput(label["role"], label["content"], label["name"])
        context = GateContext(previous, frozenset(seen), frozenset())
        verdict = judge(event, context)
        yield label, event, context, verdict
        seen = (set() if verdict.reason in _CHANGED else seen) | sentence_digests(event)
        previous = event


def _gated(session: Mapping[str, Any], tally: _Tally) -> list[tuple[SaidTurn, Mapping[str, Any]]]:
    """The turns of a session as the service would hand them on; what the gate drops is an echo."""
    turns = []
    for label, _, _, verdict in judged(session):
        _count_verdict(session["session_id"], label, verdict, tally)
        turns.append(
            (
                SaidTurn(
                    turn=label["turn"],
                    role=label["role"],
                    name=label["name"],
                    content=label["content"],
                    occurred_at=datetime.fromisoformat(label["occurred_at"]),
                    echo=not verdict.kept,
                ),
                label,
            )
        )
    return turns


def _count_verdict(session: str, label: Mapping[str, Any], verdict: Verdict, tally: _Tally) -> None:
    if label["signal"] is None:
        return
    right = verdict.kept == label["signal"]
    (tally.signal if label["signal"] else tally.noise).append(right)
    if not right:
        did = "kept" if verdict.kept else "dropped"
        tally.gate_errors.append(
            f"{session}:{label['turn']} {label['role']} {did} {verdict.rule}: "
            f"{label['content'][:140]}"
        )


def _match(
    conversation: Mapping[str, Any],
    given: Sequence[tuple[frozenset[Place], Extracted]],
    traps: Mapping[Place, str],
    slots: Mapping[str, Slot],
    tally: _Tally,
) -> None:
    matched: dict[int, list[Extracted]] = {}
    for places, candidate in given:
        if candidate.retracts:
            tally.retractions += 1
            continue
        tally.candidates += 1
        facts = [
            at
            for at, fact in enumerate(conversation["facts"])
            if places & {(session, turn) for session, turn in fact["evidence"]}
            and says(candidate, fact, slots)
        ]
        for at in facts:
            matched.setdefault(at, []).append(candidate)
        if not facts:
            _count_wrong(places, candidate, traps, tally)
        elif all(conversation["facts"][at]["optional"] for at in facts):
            tally.optional_only += 1
        else:
            tally.right += 1
    for at, fact in enumerate(conversation["facts"]):
        _count_fact(conversation["id"], fact, matched.get(at, []), tally)


def _count_wrong(
    places: frozenset[Place], candidate: Extracted, traps: Mapping[Place, str], tally: _Tally
) -> None:
    tally.traps.update({traps[place] for place in places if place in traps})
    where = " ".join(f"{session}:{turn}" for session, turn in sorted(places))
    tally.wrong.append(
        f"{where} {candidate.rule} {candidate.kind} {candidate.slot}={candidate.value}: "
        f"{candidate.text}"
    )


def _count_fact(
    conversation: str, fact: Mapping[str, Any], found: Sequence[Extracted], tally: _Tally
) -> None:
    said = fact["value"] if fact["slot"] else fact["must"]
    label = f"{fact['evidence']} {fact['kind']} {fact['slot']} {said}"
    if not fact["optional"]:
        tally.required += 1
        tally.found += bool(found)
        kind = tally.by_kind.setdefault(fact["slot"] or fact["kind"], Counter())
        kind.update(required=1, found=int(bool(found)))
        if not found:
            tally.missed.append(f"{conversation} {label}")
    if not found:
        return
    if not fact["optional"]:
        tally.kinds.append(any(one.kind == fact["kind"] for one in found))
    for end in ("valid_from", "valid_to"):
        days = [None if (at := getattr(one, end)) is None else f"{at:%Y-%m-%d}" for one in found]
        # The end of what a later session ends is not in the turns that a candidate cites.
        if fact[end] is None or (end == "valid_to" and not any(days)):
            continue
        last = next((day for day in reversed(days) if day is not None), None)
        tally.dates.append(last == fact[end])
        if last != fact[end]:
            tally.wrong_dates.append(f"{conversation} {label}: {end} {days}, not {fact[end]}")


def says(candidate: Extracted, fact: Mapping[str, Any], slots: Mapping[str, Slot]) -> bool:
    """Whether a candidate has a fact's slot and value, or the words that a fact without has."""
    if fact["slot"] is not None:
        slot = slots.get(fact["slot"]) or Slot(fact["slot"], "one")
        return (
            candidate.slot == fact["slot"]
            and candidate.value is not None
            and slot.key(candidate.value) == slot.key(fact["value"])
        )
    return all(
        any(_has(candidate.text, word) for word in alternatives) for alternatives in fact["must"]
    ) and not any(_has(candidate.text, word) for word in fact["must_not"])


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def _report(tally: _Tally) -> Report:
    return Report(
        overall={
            "precision": _share(tally.right + tally.optional_only, tally.candidates),
            "precision_of_required": _share(tally.right, tally.candidates - tally.optional_only),
            "recall": _share(tally.found, tally.required),
            "dates_exact": _share(sum(tally.dates), len(tally.dates)),
            "kinds_right": _share(sum(tally.kinds), len(tally.kinds)),
            "gate_drops_noise": _share(sum(tally.noise), len(tally.noise)),
            "gate_keeps_signal": _share(sum(tally.signal), len(tally.signal)),
            "ms_per_turn": round(1000 * tally.seconds / max(tally.turns, 1), 3),
        },
        counts={
            "turns": tally.turns,
            "candidates": tally.candidates,
            "retractions": tally.retractions,
            "matching_optional_only": tally.optional_only,
            "required": tally.required,
            "found": tally.found,
            "dates": len(tally.dates),
            "tokens": tally.tokens,
            "sessions_with_invalid_output": tally.invalid,
            "noise_turns": len(tally.noise),
            "signal_turns": len(tally.signal),
        },
        found_by_kind={name: dict(counts) for name, counts in sorted(tally.by_kind.items())},
        wrong_by_trap=dict(sorted(tally.traps.items())),
        wrong=tally.wrong,
        missed=tally.missed,
        wrong_dates=tally.wrong_dates,
        gate_errors=tally.gate_errors,
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def details(report: Report) -> Iterator[str]:
    """A line for each thing that went wrong."""
    for title, lines in (
        ("wrong", report.wrong),
        ("missed", report.missed),
        ("date", report.wrong_dates),
        ("gate", report.gate_errors),
    ):
        yield from (f"{title}: {line}" for line in lines)
