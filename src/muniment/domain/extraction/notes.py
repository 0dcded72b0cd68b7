"""The general path: a plain statement of what lasts in the user's world, whatever its wording.

A sentence counts by what it has: who it is about, how often or since when, a number or a name, a
predicate that lasts. What passes, what is asked for and what is not meant in earnest counts against
it. One that reaches the mark becomes a fact in its own words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence, is_other
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.grammar import Subject, Tense, read_clause, without_lead
from muniment.domain.extraction.lasting import lasting
from muniment.domain.extraction.predicates import (
    CHANGED,
    COMING,
    DENIES,
    EVENT,
    FIRST,
    HAPPENED,
    LASTS,
    MENTAL,
    ORDERS,
    PASSING,
    RECURS,
    RULES,
    THIS_DAY,
    TIMED,
    named,
    numbered,
)
from muniment.domain.extraction.standing import AT_HAND
from muniment.domain.extraction.unlasting import is_fragment, momentary, states_nothing
from muniment.domain.extraction.wishing import wish_score
from muniment.domain.gate import register
from muniment.domain.late import late
from muniment.domain.learned.lasting import lasting_odds

_MARK: Final = 5
_MARK_OF_OWN: Final = 4
"""What a sentence reaches of which the user is the subject."""
_OF_WORDING: Final = 1.25
"""What the odds of a turn and of its sentence count each beside a sign."""
_AGAINST: Final = -0.5
"""Odds of a sentence by which its wording speaks against it, whatever its signs."""
_LEANS: Final = late(
    r"^(?:(?:and|but|so|because|since|as|yes|no|ok|oh|well|also|then|which|now)\b[ ,]+)*(?:it"
    r"|they|that"
    r"|those|these|this|he|she|them|both|neither|there|their|its|his|her|same|half|all|otherwise"
    r"|not"
    r"|only|one|who|which)\b",
    re.IGNORECASE,
)
_OF_HEALTH: Final = late(
    r"\b(?:can not|must not|may not|should not) (?:have|eat|take|drink|be given|be near)\b"
    r"|\ballerg\w+|\bdiabetic\b"
    r"|\binsulin\b|\bhives\b|\bmedication\b|\bpills?\b|\btablets?\b|\bsurgery\b|\bdialysis\b"
    r"|\bpregnan\w+"
    r"|\bdiagnos\w+|\b(?:has|have|had|puts?|keep|is|are) (?:him|her|them|me|us) on \w+|\bdose\b"
    r"|\bprescri\w+",
    re.IGNORECASE,
)
_POINTS: Final = late(r"\b(?:it|that|this|them|those|there)\b", re.IGNORECASE)
_ANSWERS: Final = late(
    r"(?:(?:my|our) \w+|[A-ZÀ-Þ][\w'-]+) (?:is|does|decides|has|can|will|handles|takes)\b"
)
_TOLD: Final = late(
    r"\b(?:I|we) (?:have |had )?(?:told|said|mentioned|asked) .*\b(?:I|we)\b.*\b(?:every|each"
    r"|always|\w+days)\b",
    re.IGNORECASE,
)
_NOT_ABOUT: Final = late(
    r"^(?:it|that) (?:has|had|is|was) (?:rain|snow|been|raining|snowing|cold|hot|late|almost"
    r"|nearly)|\bheadache\b"
    r"|\bis booked for\b|\bcan not believe\b|\bneed a \w+ break\b",
    re.IGNORECASE,
)
_ONCE: Final = late(r"\b(?:took|lasted|last (?:run|time|night|one|try))\b", re.IGNORECASE)
_HOUSEHOLD: Final = late(
    r"(?:(?:and|so|but|also|because)[ ,]+)*(?:(?:my|our) (?:\w+ )?(?:dad|father|mum|mom|mother"
    r"|son|daughter|kids?|children"
    r"|wife|husband|partner|baby|twins|parents|dog|cat|boys?|girls?)|his|her|he|she|they|the "
    r"(?:kids|twins|baby|dog|cat))\b",
    re.IGNORECASE,
)
_ASKS: Final = late(
    r"(?:(?:and|so|but|or)[ ,]+)*(?:did|does|is|are|was|were|has|can|could|would|will|shall|should)"
    r" (?!not\b)",
    re.IGNORECASE,
)
_BESIDE: Final = frozenset(
    {"name", "skill", "pet", "project", "contact_channel", "allergy", "role"}
)
_THINGS: Final = late(
    r"^(?:(?:and|so|but|also)[ ,]+)*(?:they|it) (?:(?:have|has|need|needs) to|must|are due|is "
    r"due|should) (?:be|go|come)\b",
    re.IGNORECASE,
)
_BARE_PRONOUN: Final = late(
    r"^(?:(?:yes|no|and|so|but|ok|well|sure)[ ,]+)*(?:that|it|this|they|those) (?:has|have|is|are"
    r"|needs?|must|should|will|can)(?: not)?(?: to)?(?: \w+){0,2} (?:with|for|to|by|of|on) (?:me"
    r"|us)"
    r"[.!]*$",
    re.IGNORECASE,
)
"""All that it is about stands elsewhere."""
_FAULT_NOW: Final = late(
    r"\b(?:I|we) (?:\w+ )?(?:get|got|see|hit|am getting|keep getting|run into) an? (?:[\w-]+ ){0,3}"
    r"(?:error|exception|timeout|crash|traceback|warning|failure|blank page)\b|^(?:(?:oh|yeah|yes"
    r"|right)[ ,]+)*sure,? and I am the\b",
    re.IGNORECASE,
)
_TAKES_BACK: Final = late(
    r"^(?:[\w']+[ ,]+){0,4}?(?:forget|strike|scratch|scrap|erase|cancel|take back|drop|remove"
    r"|delete|ignore|disregard)\b"
    r"[^.]{0,40}\b(?:what I|that|the|my|it|those|this)\b",
    re.IGNORECASE,
)
_CORRECTS: Final = late(
    r"^(?:(?:oh|ah|eh|er|ha|lol|well|wait|sorry|please)\b[ ,]*)*(?:no+|nah|nope|not|wrong"
    r"|actually|nearly"
    r"|almost|never|neither|none|it is|that is|hang on)\b|\b(?:,|and) not\b|\bnot \w+[,.;]|\bnot "
    r"all\b",
    re.IGNORECASE,
)


def notes(
    sentences: Sequence[Sentence],
    taken: Iterable[Found],
    content: str,
    *,
    reply: bool,
    busy: frozenset[int],
) -> Iterator[Found]:
    """At most one statement of a turn that no other rule has read; ``busy`` are sentences that are.

    ``reply``: the turn before was the assistant's, so that a denial corrects it.
    """
    if not is_earnest(sentences, content):
        return
    slotted = {one.clause.sentence for one in taken}
    lax = {one.clause.sentence for one in taken if one.slot not in ("language", "timezone")}
    brought = register.brings_words(content)
    lax |= {at for at, one in enumerate(sentences) if register.mood(one.text) or not one.clauses}
    takes = any(_TAKES_BACK.search(one.text) for one in sentences)
    moody = takes or any(register.mood(one.text) for one in sentences)
    odds = lasting_odds(content)
    facts, wishes = [], []
    for at, one in enumerate(sentences):
        if at in busy or at in lax or not _eligible(one):
            continue
        wished = wish_score(one.text, tuple(clause.whole for clause in one.clauses)) - 3 * brought
        stated = _score(one, reply=reply) - 3 * brought - 2 * moody
        likely = stated + _of_wording(one, stated, odds)
        if not is_other(one.text) and wished >= 3 + (at in slotted) and wished + 2 >= stated:
            wishes.append((wished, -at))
        elif (
            at not in slotted
            and likely >= _mark(one.text) + bool(slotted)
            and not is_fragment(one.text)
            and not _speaks_against(one.text, reply=reply)
            and not (slotted and _POINTS.search(one.text))
        ):
            facts.append((likely, -at))
    used: frozenset[int] = frozenset()
    if wishes:
        at = -max(wishes)[1]
        used = frozenset({at})
        yield _found(sentences, at, busy | slotted | {-one for _, one in facts}, wish=True)
    if facts:
        yield _found(sentences, -max(facts)[1], busy | slotted | used, wish=False)


def _found(
    sentences: Sequence[Sentence], at: int, busy: frozenset[int] | set[int], *, wish: bool
) -> Found:
    sentence = sentences[at]
    text = _with_neighbour(sentences, at, frozenset(busy))
    said = [one for one in sentences if one.text in text]
    clauses = [*sentence.clauses, *(clause for one in said for clause in one.clauses)]
    clause = next((one for one in clauses if one.dates), sentence.clauses[0])
    return Found(
        clause,
        "wish.general" if wish else "note.general",
        kind="user_preference" if wish else "fact",
        text=text,
        changes=True,
    )


def remainders(sentences: Sequence[Sentence], taken: Sequence[Found]) -> Iterator[Found]:
    """What a sentence says beside the value that it gives a slot, in clauses of its own."""
    if any(register.supposes(one.text) or register.plays(one.text) for one in sentences):
        return
    for at, sentence in enumerate(sentences):
        of_slots = {one.clause.whole for one in taken if one.clause.sentence == at}
        rest = [one for one in sentence.clauses if one.whole not in of_slots]
        if any(one.slot not in _BESIDE for one in taken if one.clause.sentence == at):
            continue
        if not of_slots or not rest or len(rest) == len(sentence.clauses):
            continue
        for clause in rest:
            if _stands_alone(clause):
                yield Found(clause, "note.beside", text=clause.whole, changes=True)
                return


def _stands_alone(clause: Clause) -> bool:
    if not clause.stated or len(clause.whole.split()) < 4 or _LEANS.match(clause.whole):
        return False
    alone = Sentence(clause.whole, (clause,))
    plain = FIRST.search(clause.whole) is not None
    reading = read_clause(clause.whole)
    past = reading is not None and reading.tense is Tense.PAST
    if past and lasting(clause.whole, dated=False) is None:
        return False
    return plain and _eligible(alone) and _score(alone, reply=False) > _MARK + 1


def is_earnest(sentences: Sequence[Sentence], content: str) -> bool:
    """Whether nothing of a turn is in play, supposed, or read out of the notes."""
    if register.echoes(content):
        return False
    return not any(register.supposes(one.text) or register.plays(one.text) for one in sentences)


def _eligible(sentence: Sentence) -> bool:
    text = sentence.text
    return (
        bool(sentence.clauses)
        and not text.rstrip(" \"')").endswith("?")
        and not any(one.asked or one.joking for one in sentence.clauses)
        and not (register.conditional(text) and ": " not in text)
        and not register.mood(text)
        and not re.search(r"\s[.,](?:\s|$)", text)
        and not _ASKS.match(text)
        and not _BARE_PRONOUN.match(text)
        and not _FAULT_NOW.search(text)
        and not AT_HAND.search(text)
        and sum(len(one.text.split()) for one in sentence.clauses) >= 3
        and not _TAKES_BACK.search(text)
        and not states_nothing(text)
        and (4 if FIRST.search(text) else 3) < len(text.split()) <= 45
    )


_DECIDED: Final = late(r"(?:[\w',]+ ){0,5}?(?:decision|rule|policy|agreement)\b", re.IGNORECASE)


def _mark(text: str) -> int:
    reading = read_clause(text)
    own = reading is not None and reading.subject in (Subject.USER, Subject.OURS)
    return _MARK_OF_OWN if own or _DECIDED.match(text) else _MARK


def _speaks_against(text: str, *, reply: bool) -> bool:
    """Whether the wording of a sentence is that of talk, and it neither corrects what the assistant
    said nor is a plain one of the user's.
    """
    if lasting_odds(text) > _AGAINST or (reply and _CORRECTS.search(text) is not None):
        return False
    reading = read_clause(text)
    return (
        reading is None
        or reading.tense is not Tense.PRESENT
        or reading.subject not in (Subject.USER, Subject.OURS)
    )


def _of_wording(sentence: Sentence, stated: int, odds: float) -> float:
    """What the wording of a sentence, and of its turn with ``odds``, adds to its signs. It lifts
    nothing that has no sign, or that a sign speaks against.
    """
    if stated < 1 or _is_doubted(sentence.text):
        return 0.0
    return max(0.0, _OF_WORDING * (odds + lasting_odds(sentence.text)))


def _is_doubted(text: str) -> bool:
    signs = (ORDERS, PASSING, HAPPENED, THIS_DAY, _NOT_ABOUT, _ONCE)
    return is_other(text) or momentary(text) or any(one.search(text) for one in signs)


def _score(sentence: Sentence, *, reply: bool) -> int:
    text = without_lead(sentence.text) or sentence.text
    if ORDERS.match(text) and ": " in text:
        text = text.split(": ", 1)[1]
    score = any(one.part != "on" for one in sentence.dates()) + 0
    score += FIRST.search(text) is not None
    score += 3 * (RECURS.search(text) is not None)
    score += 2 * (any(one.dates for one in sentence.clauses) or TIMED.search(text) is not None)
    score += numbered(text)
    score += named(text)
    timed = bool(sentence.dates() and not THIS_DAY.search(text)) or RECURS.search(text) is not None
    lasting = any(one.search(text) for one in (LASTS, CHANGED, DENIES))
    other = is_other(text)
    if other and not (_HOUSEHOLD.match(text) and (_OF_HEALTH.search(text) or RECURS.search(text))):
        lasting = False
    score += 3 * (lasting or (timed and COMING.search(text) is not None))
    score += 2 * (RULES.search(text) is not None)
    score += 2 * (reply and _CORRECTS.search(text) is not None)
    score -= 3 * (PASSING.search(text) is not None) + (THIS_DAY.search(text) is not None)
    score += reply and named(text) and _ANSWERS.match(text) is not None
    score += 2 * (
        EVENT.search(text) is not None
        and score >= 3
        and (named(text) or FIRST.search(text) is not None)
    )
    score -= 3 * (MENTAL.search(text) is not None and not _TOLD.search(text))
    score += 3 * (_OF_HEALTH.search(text) is not None)
    score -= 6 * (ORDERS.match(text) is not None)
    score -= 2 * (_NOT_ABOUT.search(text) is not None)
    score -= 2 * (HAPPENED.search(text) is not None)
    if _THINGS.match(text):
        score += 1
    elif other:
        ours = _HOUSEHOLD.match(text) is not None
        score -= 3 - (2 if ours else 1) * bool(_OF_HEALTH.search(text) or RECURS.search(text))
    score -= 3 * momentary(text)
    score -= 3 * any(one.supposed for one in sentence.clauses)
    return score


def _with_neighbour(sentences: Sequence[Sentence], at: int, busy: frozenset[int]) -> str:
    """The sentence with the one that it leans on, or that goes on from it: two at most."""
    text = sentences[at].text
    before = sentences[at - 1] if at else None
    after = sentences[at + 1] if at + 1 < len(sentences) else None
    leans = _LEANS.match(text) or len(sentences) == 2 or len(text.split()) <= 5
    if leans and before is not None and at - 1 not in busy and _joins(before):
        return f"{before.text} {text}"
    if after is not None and at + 1 not in busy and _joins(after):
        return f"{text} {after.text}"
    return text


def _joins(sentence: Sentence) -> bool:
    return (
        not sentence.text.rstrip().endswith("?")
        and not any(one.asked or one.joking for one in sentence.clauses)
        and len(sentence.text.split()) > 1
    )
