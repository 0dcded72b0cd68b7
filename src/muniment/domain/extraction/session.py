"""A session's turns to its candidates: what is read of each, what takes back what, and the days."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from muniment.domain.extraction import standing
from muniment.domain.extraction.answers import answered
from muniment.domain.extraction.clauses import Sentence, all_clauses, read_turn
from muniment.domain.extraction.dates import Dated, denies_day
from muniment.domain.extraction.ending import endings
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.holding import holding
from muniment.domain.extraction.instead import corrected, said_before
from muniment.domain.extraction.model import Extracted, Extraction, SaidTurn
from muniment.domain.extraction.render import in_words
from muniment.domain.extraction.replied import replied
from muniment.domain.extraction.replies import denies, guesses, resolved, title_after_no
from muniment.domain.extraction.turns import read_slots, read_statements
from muniment.domain.extraction.words import CHANGES
from muniment.domain.gate.language import count_marks, is_latin
from muniment.domain.gate.privacy import asks_privacy
from muniment.domain.slot import Slot
from muniment.domain.text import analyzer_for

_MANY_A_TURN = 12
_STEMS = analyzer_for()
_ASKING = "please thanks use write reply answer talk speak send give now new"


@dataclass(frozen=True, slots=True)
class _Said:
    """Something found, with the turn that says it."""

    turn: SaidTurn
    found: Found
    start: date | None
    end: date | None


def extract(
    turns: Sequence[SaidTurn], slots: Mapping[str, Slot], *, user_name: str | None = None
) -> Extraction:
    """The few typed candidates of one session. Pure; nothing is guessed of another language.

    Give every turn of the session, those of assistants and tools too: they say what a short answer
    means. Turns that the gate dropped are marked ``echo`` or left out.
    """
    if _is_foreign(turns):
        return Extraction((), unsupported_language=True)
    reading = _Reading(slots, user_name)
    for at, turn in enumerate(turns):
        if turn.role == "user":
            reading.read(turn, turns[at - 1] if at else None)
    return Extraction(tuple(reading.candidates()))


def _is_foreign(turns: Sequence[SaidTurn]) -> bool:
    own = [turn.content for turn in turns if turn.role == "user"]
    if not own:
        return False
    if sum(len(text) for text in own if not is_latin(text)) * 2 > sum(map(len, own)):
        return True
    english, elsewhere = count_marks(
        [word.strip('.,!?;:"()') for text in own for word in text[:2000].replace("’", "'").split()]
    )
    return elsewhere > english


class _Reading:
    """What was said so far in a session."""

    def __init__(self, slots: Mapping[str, Slot], user_name: str | None) -> None:
        self._slots = slots
        self._user_name = user_name
        self._said: list[_Said] = []
        self._last_user: int | None = None

    def read(self, turn: SaidTurn, before: SaidTurn | None) -> None:
        """One turn of the user, with the turn before it."""
        private, alone = asks_privacy(turn.content)
        if private and alone and self._last_user is not None:
            self._drop(self._last_user)
        if private or turn.echo:
            if not turn.content:
                # It was withdrawn: "don't remember that" speaks of it, not of what came before.
                self._last_user = turn.turn
            return
        sentences = read_turn(turn.content, turn.occurred_at, self._called(turn))
        if denies(sentences) and self._last_user is not None:
            self._drop(self._last_user)
        self._last_user = turn.turn
        found = self._found(sentences, turn, before)
        found = holding(found, sentences, self._slots, turn.occurred_at.date())
        found += [*endings(sentences, found, self._slots)]
        for one in found[:_MANY_A_TURN]:
            start, end = _days(one, sentences, turn.occurred_at.date())
            self._said.append(_Said(turn, one, start, end))

    def _called(self, turn: SaidTurn) -> list[str]:
        return [name for name in (turn.name, self._user_name) if name]

    def _drop(self, turn: int) -> None:
        self._said = [one for one in self._said if one.turn.turn != turn]

    def _found(
        self, sentences: Sequence[Sentence], turn: SaidTurn, before: SaidTurn | None
    ) -> list[Found]:
        speaker = turn.name or self._user_name
        found = read_slots(sentences, self._slots, speaker, small=turn.content.islower())
        found += self._corrections(sentences, {one.slot for one in found})
        taken = [*found]
        if before is not None and before.role == "assistant":
            guessed = guesses(before, lambda read: read_slots(read, self._slots, None), self._slots)
            said = {one.slot for one in found}
            found += [
                one
                for one in resolved(sentences, guessed, before, self._slots)
                if one.slot not in said and not _names_a_way(one, turn.content)
            ]
            found += [
                one
                for one in answered(sentences, before.content, self._slots)
                if one.slot not in said
            ]
            said = {one.slot for one in found}
            found += [
                one
                for one in replied(sentences, before.content, guessed, self._slots)
                if one.slot not in said
            ]
            if "role" in self._slots and "role" not in {one.slot for one in found}:
                found += title_after_no(sentences, before.content)
        if before is not None and before.role == "assistant":
            chosen = [*standing.chosen(sentences, before.content)]
            statements = read_statements(sentences, taken, turn.content, reply=True)
            if chosen and not any(
                one.clause.sentence == chosen[0].clause.sentence for one in [*statements, *taken]
            ):
                statements += chosen
        else:
            statements = read_statements(sentences, taken, turn.content, reply=False)
        found += [one for one in statements if not self._says_no_more(one, found)]
        return [told for one in found if (told := _as_asked(one, sentences)) is not None]

    def _says_no_more(self, statement: Found, found: Sequence[Found]) -> bool:
        """Whether a statement is but the sentence that gives a slot its value."""
        if statement.slot is not None or not statement.rule.endswith(".general"):
            return False
        own = set(_STEMS.stems(statement.text or statement.clause.whole))
        for one in found:
            slot = self._slots.get(one.slot or "")
            if slot is None or one.value is None or one.retracts:
                continue
            value = set(_STEMS.stems(one.value))
            said = set(_STEMS.stems(f"{slot.words} {_ASKING}"))
            if value and value <= own and len(own - value - said) <= 1:
                return True
        return False

    def _corrections(self, sentences: Sequence[Sentence], have: set[str | None]) -> list[Found]:
        """A value that was given in this session, corrected by its own words: "X, not Y"."""
        found: dict[str, Found] = {}
        for said in reversed(self._said):
            slot, value = said.found.slot, said.found.value
            if slot is None or value is None or slot in have or slot in found:
                continue
            for sentence in sentences:
                new = corrected(sentence.text, value)
                if new is not None:
                    clause = sentence.clauses[0]
                    found[slot] = Found(clause, "correction.of_value", slot, new, old=value)
        return list(found.values())

    def candidates(self) -> list[Extracted]:
        """What holds at the end of the session, in the order in which it was said."""
        kept: list[_Said] = []
        for one in self._said:
            kept = self._merged(kept, one)
        return [self._extracted(one) for one in kept]

    def _merged(self, kept: list[_Said], new: _Said) -> list[_Said]:
        """``kept`` and what is new: restated once, changed the last, retracted gone."""
        slot = self._slots.get(new.found.slot or "")
        if slot is None or new.found.value is None:
            return self._merged_statement(kept, new)
        result: list[_Said] = []
        for old in kept:
            if old.found.slot != slot.name or old.found.value is None:
                result.append(old)
            elif _is_same(slot, old.found.value, new.found.value):
                if new.found.retracts and not old.found.retracts:
                    continue
                new = _restated(old, new)
            elif new.found.old is not None and _is_same(slot, old.found.value, new.found.old):
                continue
            elif slot.cardinality == "one" and _overlap(old, new):
                new = replace(new, found=replace(new.found, old=new.found.old or old.found.value))
            else:
                result.append(old)
        return [*result, new]

    def _merged_statement(self, kept: list[_Said], new: _Said) -> list[_Said]:
        text = in_words(new.found, None).casefold()
        return [
            one
            for one in kept
            if one.found.slot is not None or in_words(one.found, None).casefold() != text
        ] + [new]

    def _extracted(self, said: _Said) -> Extracted:
        found, turn = said.found, said.turn
        return Extracted(
            kind=found.kind,
            text=in_words(found, self._user_name or turn.name),
            subject=None,
            slot=found.slot,
            value=found.value,
            data_source=found.data_source,
            valid_from=_instant(said.start, turn.occurred_at),
            valid_to=_instant(said.end, turn.occurred_at),
            cited=tuple(sorted({*found.also, turn.turn})),
            rule=found.rule,
            retracts=found.retracts,
            replaces=found.old or _before(found),
        )


def _as_asked(one: Found, sentences: Sequence[Sentence]) -> Found | None:
    """What is to be forgotten takes back; of what ended before, nothing is left to forget."""
    if not sentences[one.clause.sentence].taken_back:
        return one
    return None if one.retracts else replace(one, retracts=True, rule="forget.asked")


def _is_same(slot: Slot, old: str, new: str) -> bool:
    """Whether two values are one: equal, or one of a single-valued slot said in short."""
    if slot.key(old) == slot.key(new):
        return True
    short = old.casefold().startswith(f"{new.casefold()} ")
    return slot.name == "employer" and short and len(new) > 3


def _before(found: Found) -> str | None:
    """What a statement without a slot replaces, where it says so itself."""
    if found.slot is not None or found.kind != "fact" or found.retracts:
        return None
    return said_before(found.text or found.clause.whole)


def _restated(old: _Said, new: _Said) -> _Said:
    """One candidate of two statements of a value: both turns, and the days that either gives."""
    also = tuple(sorted({*old.found.also, *new.found.also, old.turn.turn}))
    return replace(
        new,
        found=replace(
            new.found, also=also, value=old.found.value, old=new.found.old or old.found.old
        ),
        start=new.start or old.start,
        end=new.end or old.end,
    )


def _overlap(old: _Said, new: _Said) -> bool:
    """Whether both cannot be so one after the other."""
    if old.found.retracts or new.found.retracts:
        return False
    if old.end is not None or new.end is not None:
        return (old.end is not None and new.start is not None and new.start < old.end) or (
            old.end is None
            and new.end is not None
            and old.start is not None
            and old.start < new.end
        )
    return not any(
        one.start is not None and one.start > new.turn.occurred_at.date() and other.start is None
        for one, other in ((old, new), (new, old))
    )


def _instant(day: date | None, said_at: datetime) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), said_at.tzinfo)


def _days(
    found: Found, sentences: Sequence[Sentence], today: date
) -> tuple[date | None, date | None]:
    """From when and until when something is so, as far as the turn says it exactly."""
    if found.end_before is not None:
        return None, found.end_before
    if found.start is not None or found.end is not None:
        return found.start, None if found.end is None else found.end + timedelta(
            days=0 if found.retracts or found.closed else 1
        )
    if found.ends_today:
        return None, today + timedelta(days=1)
    clause = found.clause
    elsewhere = None if clause.dates or found.slot is None else _dated_elsewhere(found, sentences)
    dates = clause.dates if elsewhere is None else elsewhere
    if not dates and found.slot is None:
        told = [one for one in sentences if one.text in (found.text or clause.whole)]
        denied = denies_day(clause.whole)
        dates = tuple(day for one in told for day in one.dates() if denied or day.part != "on")
    if found.slot is None and found.kind == "fact" and not found.retracts:
        return _window(dates, found.text or clause.whole)
    changes = found.changes and (CHANGES.search(clause.whole) is not None or elsewhere is not None)
    start = next((one.day for one in dates if one.part == "from"), None)
    if start is None and changes:
        start = _nearest([one for one in dates if one.part == "on"], found)
    end = next((one.day + timedelta(days=1) for one in dates if one.part == "until"), None)
    if found.retracts:
        return None, next((one.day for one in dates if one.part in ("from", "on")), None)
    return start, end


def _names_a_way(one: Found, content: str) -> bool:
    """Whether a refusal was read of a reply that refuses nothing: it names another way."""
    return one.slot == "do_not_contact" and not re.search(
        r"\b(?:no|not|never|none|neither|nor)\b|n't\b|n’t\b", content, re.IGNORECASE
    )


_ENDS: Final = re.compile(
    r"\b(?:contract|lease|passport|visa|permit|licen[cs]e|trial|subscription|membership|warranty"
    r"|insurance|notice|term|season|project|pilot|course|sublet|tenancy|offer|freeze|ban|mandate"
    r"|placement|internship|leave|loan|rotation)\b[^.;]{0,40}?\b(?:ends?|ended|expires?|expired"
    r"|runs? out|ran out|finishes|finished|lapses"
    r"|is over|is up|is due|lifts?)\b|\b(?:my|our|the|his|her) (?:very )?last (?:day|shift|week"
    r"|lesson)\b",
    re.IGNORECASE,
)


def _window(dates: Sequence[Dated], said: str) -> tuple[date | None, date | None]:
    """From when and until when a statement without a slot is so: of a bare day, from that day on;
    of what ends on it, until its end.
    """
    start = next((one.day for one in dates if one.part == "from"), None)
    end = next((one.day + timedelta(days=1) for one in dates if one.part == "until"), None)
    bare = next((one.day for one in dates if one.part == "on"), None)
    if bare is not None and start is None and (end is None or bare < end):
        ends = end is None and _ENDS.search(said) is not None
        return (None, bare + timedelta(days=1)) if ends else (bare, end)
    return start, end


def _nearest(dates: Sequence[Dated], found: Found) -> date | None:
    """Of several days the one that stands nearest to the value."""
    at = found.clause.whole.find(found.value or "")
    return min(dates, key=lambda one: abs(one.start - max(at, 0))).day if dates else None


def _dated_elsewhere(found: Found, sentences: Sequence[Sentence]) -> tuple[Dated, ...] | None:
    """The days of another clause: of the same sentence, or one that repeats the value."""
    value = (found.value or "").lower()
    number = next((part for part in value.replace("$", " ").split() if part[:1].isdigit()), None)
    for clause in all_clauses(sentences):
        if clause is found.clause or not clause.dates or not clause.meant:
            continue
        lower = clause.whole.lower()
        if value in lower or (number is not None and f" {number} " in f" {lower} "):
            return clause.dates
        same = clause.sentence == found.clause.sentence
        follows = clause.sentence == found.clause.sentence + 1 and re.search(
            r"\b(?:it|there|that)\b", lower
        )
        if (
            follows
            and found.changes
            and not clause.other
            and any(one.part == "from" for one in clause.dates)
        ):
            return clause.dates
        fragment = (
            clause.sentence == found.clause.sentence - 1 and len(found.clause.text.split()) <= 6
        )
        if same and not clause.other and any(one.part == "from" for one in clause.dates):
            return clause.dates
        if (
            (same or fragment)
            and found.changes
            and CHANGES.search(clause.whole)
            and not clause.other
        ):
            return clause.dates
    return None
