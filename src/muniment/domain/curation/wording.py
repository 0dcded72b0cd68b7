"""Turns of several sessions in sentences, and what a recurring one becomes, in words (RULES 6, 8).

| it is | and | becomes |
|---|---|---|
| a wish for the task at hand | of form, whatever it is for | `user_preference` |
| a wish for the task at hand | of method | `user_preference`; `domain_pattern` of one data source |
| any other wish, a habit | each time on the same data source | `domain_pattern` |
| any other wish | | nothing: it is a task |
| a statement that is meant, of the user or their world | | `fact`, or `user_preference` |
| a question, a supposition, a joke, a mood, of somebody else, of the moment | | nothing |

The sentence says that it keeps being asked for, or what was said; never more.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from muniment.domain.curation.recurrence import Recurring, Spoken
from muniment.domain.curation.wishes import aside, wish_of
from muniment.domain.curation.words import HABIT, LEANS, OF_THE_MOMENT, SUBJECT
from muniment.domain.extraction.clauses import Sentence, read_turn
from muniment.domain.extraction.render import third_person, tidy_sentence
from muniment.domain.gate import GateInput, Reason, judge
from muniment.domain.gate.register import earnest, plays
from muniment.domain.likeness import Likeness, likeness
from muniment.domain.text import Analyzer, analyzer_for

KINDS: Final = frozenset({"fact", "user_preference", "domain_pattern"})
"""What recurrence is promoted to."""
DROPPED: Final = (Reason.BARE_REQUEST.value, Reason.QUESTION.value)
"""Turns that the gate drops and that count here: a wish for the task at hand is a bare request."""

_PREFERS = frozenset({Reason.PREFERENCE, Reason.STANDING_INSTRUCTION})
_STATES = frozenset({Reason.FACT, Reason.DATE, Reason.IDENTITY, Reason.DECISION}) | _PREFERS
_LONGEST: Final = 300
_LEAST: Final = 2


@dataclass(frozen=True, slots=True)
class Told:
    """A turn of the user; ``drawn`` are the texts of memories that rest on it already."""

    turn: UUID
    session: UUID
    name: str | None
    content: str
    occurred_at: datetime
    data_source: str | None
    drawn: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Worded:
    """What a group becomes, in the third person."""

    kind: str
    text: str
    data_source: str | None


def sentences(
    turns: Iterable[Told], analyzer: Analyzer, generic: frozenset[str]
) -> Iterator[Spoken]:
    """The sentences of turns that nothing is drawn from yet, without quoted and forwarded words."""
    for told in turns:
        drawn = [_content(likeness(text, analyzer, aside=generic)) for text in told.drawn]
        for number, sentence in enumerate(read_turn(told.content, told.occurred_at)):
            days = [one.day.isoformat() for one in sentence.dates()]
            wish = wish_of(sentence.text)
            like = likeness(
                sentence.text if wish is None else wish.compared,
                analyzer,
                aside=generic,
                days=days,
            )
            if like.size and not any(_shares(_content(like), words) for words in drawn):
                yield Spoken(
                    (told.turn, number), told.session, told.name, sentence.text,
                    told.occurred_at, told.data_source, like,
                )  # fmt: skip


def _content(like: Likeness) -> frozenset[str]:
    return like.words | {value for _, value in like.values}


def _shares(words: frozenset[str], drawn: frozenset[str]) -> bool:
    """Whether a memory may have been drawn from a sentence: half of the words of either."""
    return 2 * len(words & drawn) >= min(len(words), len(drawn)) > 0


def worded(group: Recurring, user_name: str | None) -> Worded | None:
    """Kind and text of a group, in the wording that was used most; None if it is neither a wish nor
    a statement.
    """
    who = group.spoken[0].speaker or user_name or "The user"
    sources = {one.data_source for one in group.spoken}
    source = sources.pop() if len(sources) == 1 else None
    used = Counter(one.text for one in group.spoken)
    first = {one.text: at for at, one in reversed([*enumerate(group.spoken)])}
    for text in sorted(used, key=lambda text: (-used[text], first[text])):
        sentence = _read(text, group.spoken[first[text]].moment)
        found = None
        if sentence is not None and len(text) <= _LONGEST:
            found = _wished(sentence, who, source) or _stated(sentence, who, source)
        if found is not None:
            return found
    return None


def _read(text: str, moment: datetime) -> Sentence | None:
    read = read_turn(text, moment)
    return read[0] if len(read) == 1 else None


def _wished(sentence: Sentence, who: str, source: str | None) -> Worded | None:
    if plays(sentence.text) or any(clause.joking or clause.other for clause in sentence.clauses):
        return None
    wish = wish_of(sentence.text)
    if wish is None:
        return None
    what = third_person(wish.what, who, inner=True)
    said = f"{who} keeps asking{':' if wish.ordered else ' for'} {what}."
    if wish.general and (wish.formed or source is None):
        return Worded("user_preference", said, None)
    if source is None:
        return None
    said = f"the{said[3:]}" if who == "The user" else said
    return Worded("domain_pattern", f"On {source}, {said}", source)


def _stated(sentence: Sentence, who: str, source: str | None) -> Worded | None:
    text = sentence.text
    if not all(clause.stated for clause in sentence.clauses) or text.endswith("?"):
        return None
    if LEANS.match(text) or OF_THE_MOMENT.search(text) or not SUBJECT.match(text):
        return None
    if not earnest(text):
        return None
    analyzer = analyzer_for()
    if wish_of(text) or likeness(text, analyzer, aside=aside(analyzer)).size < _LEAST:
        return None
    verdict = judge(GateInput(role="user", content=text))
    if not verdict.kept or verdict.reason not in _STATES:
        return None
    said = third_person(tidy_sentence(text), who)
    said = f"{who}'s{said[5:]}" if said.startswith("Their ") else said
    if source is not None and HABIT.search(text):
        return Worded("domain_pattern", said, source)
    return Worded("user_preference" if verdict.reason in _PREFERS else "fact", said, None)
