"""Values by the cues of the slot registry: how people say a slot, first person."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import regex

from muniment.domain.extraction.clauses import Clause
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import shape_for
from muniment.domain.extraction.values import Shape, several
from muniment.domain.extraction.words import forms
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late, late_regex
from muniment.domain.slot import Slot

_ADVERB = (
    r"(?:really|still|now|finally|just|also|currently|actually|usually|mostly|mainly"
    r"|only|already|recently|officially|both"
    r"|all|myself|originally|absolutely|totally|truly|simply|kind of|honestly|always"
    r"|primarily|happily|again|permanently"
    r"|temporarily|mainly|basically|generally|quite|pretty|very|badly|severely|deathly"
    r"|highly|violently|terribly|a bit|a little|mildly|slightly"
    r"|personally|definitely|certainly|fully|more or less|so|too|most|on the whole"
    r"|as ever|there|here|big|huge|much|great)"
)
LEAD: Final = (
    r"(?:(?:"
    r"since (?=I\b|we\b)|as (?=I am\b|we are\b|I live|we live)|because|given that|"
    r"seeing that|seeing as|now that|like I said|as I said|as mentioned|"
    r"I should mention(?: that)?|I should (?:say|add|note|tell you)(?: that)?|"
    r"I forgot to (?:say|mention|tell you)(?: that)?|just so you know|so you know|"
    r"(?:I )?found out(?: that)?|(?:I )?learned that"
    r"|you can assume(?: that)?|for context|small update|little update"
    r"|quick update|p\.?s\.?|the thing is|"
    r"truth is|turns out(?: that)?|fun fact|not sure if I said|important|"
    r"did I mention(?: that)?|I told you(?: that)?|you should know(?: that)?|"
    r"please know(?: that)?|be aware(?: that)?|keep in mind(?: that)?|"
    r"do not forget(?: that)?|bear in mind(?: that)?|again|once more|to be precise|"
    r"to be honest|frankly|in short|basically|in other news|while I think of it|"
    r"before I forget|mind you|I mean|I meant|obviously|of course|thankfully|"
    r"last thing|another thing|"
    r"good (?:day|morning|afternoon|evening)|hello there|greetings|morning|so"
    r"|and|but|oh|ok|okay|well|yes|yep|yeah|no|nope|nah|ah|hm+|also|btw"
    r"|by the way|now|actually|honestly|anyway|then|right|hi|hello|hey"
    r"|yo|in earnest|in earnest,? however|however|quick one|just|fyi|for the record"
    r"|look|sorry|correction|that|nowadays|these days|at the moment|currently"
    r"|though|still|here|unfortunately|sadly|luckily|good news|news|update|first"
    r"|second|secondly|finally|to be clear|in fact|as it happens|at home"
    r"|at work|professionally|in my day job|day to day|by day|contrary to \w+"
    r"|personally|guess what|heads up|of the two|of those|given the choice"
    r"|one more thing|one thing|remember"
    r"|note that|please note that|as you know|you should know that"
    r"|for your information|not any more|officially|it is official)\b[ ,:.!]*)*+"
)
_LEAD: Final = late_regex(LEAD, regex.IGNORECASE)


def lead_end(text: str) -> int:
    """Where a clause begins behind the words that only lead into it."""
    match = _LEAD.match(text)
    return 0 if match is None else match.end()


SUBJECT: Final = (
    r"(?:I|we|(?:my|our) (?:wife|husband|partner|family|boyfriend|girlfriend) and I"
    r"|me and my \w+|me and \w+|\w+ and I)"
)
_AUXILIARY = (
    r"(?:am|are|is|was|were|have|has|had|been|be|do|did|will|shall|going to|can|got to"
    r"|get to|about to)"
)
_NEGATION = r"(?:not|never|no longer|neither)"
_PAST_ONLY = late(r"\b(?:was|were|had|used to|did)\b", re.IGNORECASE)
_CHANGING: Final = word_set(
    """
    move join start land relocate settle make take accept change become upgrade downgrade
    switch migrate
    """
)
_ANY_MORE = late(r"\b(?:no longer|any ?more|any longer)\b", re.IGNORECASE)
_TENTATIVE = late(r"\b(?:will|shall|going to|about to)\b", re.IGNORECASE)
_NOUN_LINK = (
    r"(?:,? (?:for|of|in|at|here|there|on)\b[^,:=.;]{0,40}?)?"
    r"(?:\s*[:=]\s*|\s+(?:is|are|will be|remains?|stays?|became|has (?:changed"
    r"|moved) to|changed to|moved to|goes to|went to|has gone to)\s+)"
    r"(?:(?:now|still|currently|called|named|always|set to|going to be|actually"
    r"|officially|both|simply|just) )*"
)


@dataclass(frozen=True, slots=True)
class _Cue:
    slot: str
    source: str
    shape: Shape
    verb: str
    many: bool
    event: bool
    """Happens rather than lasts: "was promoted to"."""
    hint: str
    """A word that a clause with this cue has, in small letters."""


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled when a clause first has the hint of its cue: most cues of a registry are rare."""
    return re.compile(source, re.IGNORECASE)


def by_cues(clause: Clause, slots: Mapping[str, Slot]) -> Iterator[Found]:
    """The values that a clause gives by the cues of its slots."""
    lower = clause.text.lower()
    start = lead_end(clause.text)
    for cue in _compiled(
        tuple((one.name, one.cues, one.value_type, one.cardinality) for one in slots.values())
    ):
        if cue.hint not in lower:
            continue
        match = _pattern(cue.source).match(clause.text, start)
        if match is not None:
            yield from _read(cue, match, clause)


def _read(cue: _Cue, match: re.Match[str], clause: Clause) -> Iterator[Found]:
    groups = match.groupdict()
    before, verb = groups.get("before") or "", groups.get("verb") or ""
    said = f"{before} {verb}".lower()
    at = match.start("rest")
    alone = clause.text[:at] + _BEFORE.sub("", clause.text[at:])
    over = _ANY_MORE.search(alone) is not None
    negated = bool(groups.get("neg")) or over
    if negated and not over:
        return
    if not over and cue.verb and not cue.event and _is_past(cue.verb, said):
        return
    rest = _FROM_TO.sub("", match["rest"])
    values = several(rest, cue.shape) if cue.many else [cue.shape(rest)]
    for value in values:
        if value is not None:
            yield Found(
                clause,
                f"cue.{cue.slot}",
                cue.slot,
                value,
                retracts=over,
                changes=cue.verb in _CHANGING
                or _TENTATIVE.search(said) is not None
                or cue.verb == "be",
            )


_BEFORE: Final = late(r",? (?:and )?not (?:[\w'’-]+ ){1,4}?any ?(?:more|longer)\b", re.IGNORECASE)
"""What is so no more beside what is: "Brno now, not Prague any more"."""
_FROM_TO: Final = re.compile(
    r"^(?:(?:down|up|dropped|fell|went|gone|rose) )?from \S*\d\S*(?: [a-z]+)? (?:(?:down"
    r"|up) )?to ",
    re.IGNORECASE,
)
"""Of a change from one number to another the second holds."""


def _is_past(verb: str, said: str) -> bool:
    """Whether a state is said to be over: "I lived in", "I was based in"."""
    if verb in _CHANGING:
        return False
    if _PAST_ONLY.search(said):
        return True
    form = said.split()[-1] if said.split() else ""
    return (
        form.endswith("ed") or form in {"ran", "sat", "built", "led", "knew"}
    ) and not re.search(r"\b(?:have|has|been|am|are|is)\b", said.rsplit(" ", 1)[0])


@lru_cache(maxsize=64)
def _compiled(slots: tuple[tuple[str, tuple[str, ...], str, str], ...]) -> tuple[_Cue, ...]:
    found = []
    for name, cues, value_type, cardinality in slots:
        for cue in cues:
            shape = shape_for(name, cue, value_type)
            many = cardinality == "many"
            if "*" in cue:
                found += [_verbal(name, cue, shape, many), _fronted(name, cue, shape, many)]
            else:
                found.append(
                    _Cue(name, _nominal(cue), shape, "", many, False, cue.lower().split()[-1])
                )
    return tuple(one for one in found if one is not None)


def _spaced(words: list[str]) -> str:
    return rf" (?:{_ADVERB} )*".join(re.escape(word) for word in words)


def _split_cue(cue: str) -> tuple[str, list[str], list[str]]:
    head, _, tail = cue.partition("*")
    words = head.split()
    return words[0], words[1:], tail.split()


def _hint(words: list[str]) -> str:
    """The longest plain word of a cue; for a verb alone its stem, which every form has."""
    plain = max(words, key=len, default="")
    return plain.lower()


def _verbal(name: str, cue: str, shape: Shape, many: bool) -> _Cue:
    verb, words, tail = _split_cue(cue)
    middle = f" (?:{_ADVERB} )*" + _spaced(words) if words else ""
    some = rf"(?:(?:{_AUXILIARY}|{_ADVERB}) )*"
    before = rf"(?P<before>{some})(?P<neg>{_NEGATION} {some})?"
    event = words[:1] in (["promoted"], ["hired"], ["appointed"], ["assigned"])
    form = f"(?:{forms(verb)}|get|gets|got)" if event else forms(verb)
    subject = rf"(?:{SUBJECT} {before}(?P<verb>{form})"
    if verb in _CHANGING and verb not in {"become", "take", "accept", "change"}:
        subject += rf"|{_elided(verb)}"
    subject += ")"
    rest = r" (?P<rest>\S.*)" if not tail else rf" (?P<rest>\S.*?) {_spaced(tail)}\b"
    pattern = rf"{subject}{middle},?{rest}"
    hint = _hint(words + tail) or verb[:3] * (verb not in {"be", "have", "go"})
    return _Cue(name, pattern, shape, verb, many, event, hint)


def _elided(verb: str) -> str:
    """A form of the verb that needs no subject to be a statement: "Landed in London"."""
    plain = re.escape(verb)
    return (
        r"(?:(?:just|finally|recently|officially|have|back) )*"
        rf"(?!{plain}\b|{plain}s\b){forms(verb)}"
    )


def _fronted(name: str, cue: str, shape: Shape, many: bool) -> _Cue | None:
    """ "What I can not stand is yaml"."""
    verb, words, tail = _split_cue(cue)
    if tail or verb == "be":
        return None
    middle = f" (?:{_ADVERB} )*" + _spaced(words) if words else ""
    pattern = (
        rf"(?:what|the (?:one )?thing(?: that)?"
        rf"|one thing(?: that)?) {SUBJECT} (?:(?:{_AUXILIARY}|{_ADVERB}) )*"
        rf"{forms(verb)}{middle}(?: the most| most)? (?:is|are) (?P<rest>\S.*)"
    )
    return _Cue(name, pattern, shape, verb, many, False, _hint(words) or verb[:3])


def _nominal(cue: str) -> str:
    return (
        r"(?:(?:my|our|the)\s+)?(?:[\w-]+ )"
        rf"{{0,2}}?{re.escape(cue)}{_NOUN_LINK}(?P<rest>\S.*)"
    )
