"""Sentences that state nothing of their speaker's that lasts, by their build: none is kept.

| build | such as |
|---|---|
| no verb, no number, day or name of the user's | "New shop, new rules." |
| the assistant is its subject, and is told nothing to do | "You convinced me with the 60 days." |
| an output of a program, or a row of a list | "error[E05]: cannot borrow", "tour 2: Kiel, 8:30" |
| what was done just now, or is fancied just now | "I've just put the kettle on." |
| weather, a night without sleep | "It's chucking it down", "I've been up since 4" |
| somebody else's, "not me" | "My mother is allergic to nuts, not me." |
| what only announces or narrows what is asked | "Just the dates then: 6/18, 6/19" |
"""

import re
from typing import Final

from muniment.domain.extraction.grammar import Subject, Tense, read_clause, without_lead
from muniment.domain.extraction.lasting import lasting, passes
from muniment.domain.extraction.lasting_words import TRANSIENT
from muniment.domain.extraction.nouns import PASSING
from muniment.domain.extraction.predicates import FIRST, RECURS, TIMED
from muniment.domain.extraction.verbs import CHANGE, LEMMA
from muniment.domain.gate.passing import LEADS, of_the_moment
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

_AUXILIARY: Final = word_set(
    """
    am is are was were be been has have had do does did can could may might must shall should will
    would need needs cannot
    """
)
_SAYS_SOMETHING: Final = late(
    r"\d|\b(?:every|each|always|never|no|none|without|since|until|till|from|by|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|twelve|allerg\w+|\w+days?|mornings?|evenings?|only|called"
    r"|named)\b|\w_\w|: \w",
    re.IGNORECASE,
)
_TO_YOU: Final = late(
    rf"^{LEADS}you (?:are|were|have|had|did|do(?! not)|convinced|\w+ed|(?!can\b|could\b|may\b"
    r"|might\b|must\b|should\b|shall\b|will\b|would\b|need\b|never\b|always\b|do\b|write\b|call\b"
    r"|send\b|use\b|only\b|collapse\b|take\b|put\b|go\b)\w+)\b",
    re.IGNORECASE,
)
_OF_MINE: Final = late(r"\b(?:my|our) (?!\w+ (?:and|is)\b)\w+", re.IGNORECASE)
_ROW: Final = late(r"^\W*(?:[a-z]+ ?)?\d{1,3}\s*[:.)]\s+\S", re.IGNORECASE)
_NOT_ME: Final = late(
    r"^(?:(?:and|so|but|also|no|oh)[ ,]+)*(?:my|our|his|her|their|the|it is) .*, (?:and )?not "
    r"(?:me|mine|myself|us|ours)[.!]*$",
    re.IGNORECASE,
)
_NARROWS: Final = late(
    r"^(?:ok |okay |so |and |no |then )*(?:just|only) (?:the|those|these) [\w ]{2,25}?"
    r"(?: then| please| again| for now)?:|^(?:(?:first|so|ok|okay|well|just|here is)[ ,]+)*"
    r"(?:some|a (?:bit|little) of|a quick|a little|a short|more) (?:background|context|info)\b"
    r"(?![^.]*:)",
    re.IGNORECASE,
)
_NO_STATE: Final = late(
    r"^(?:(?:no+|nah|nope|meh|well|eh|still|and|but|yes|yeah)[ ,]+)*(?:not|so|very|too|a bit"
    r"|really|pretty|bit|super|quite) (?!(?:every|only|all|any|more|less|before|after|until)\b)"
    r"[a-z]+(?: (?:as of )?(?:now|today|yet|anymore|though|tbh|really|at all|lately|either))*"
    r"[.!]*$",
    re.IGNORECASE,
)


def momentary(text: str) -> bool:
    """Whether a first person says what happens or happened once, and nothing that stays so."""
    if passes(text) and RECURS.search(text) is None:
        return True
    reading = read_clause(text)
    if reading is None:
        return False
    if reading.subject is Subject.OURS:
        return PASSING.match(reading.noun) is not None
    if reading.subject is not Subject.USER or lasting(text, dated=False) is not None:
        return False
    if reading.verb == "be" and reading.tense is Tense.PRESENT:
        return TRANSIENT.match(reading.rest) is not None and not reading.negated
    happened = not reading.negated and reading.verb not in CHANGE
    once = reading.tense is Tense.PAST and not re.search(
        r"\blast (?!night)\w+|\bin (?:19|20)\d\d\b|\b\w+ (?:years?|months?) ago", text
    )
    just = reading.tense is Tense.PERFECT and "just" in reading.adverbs
    return (happened and (once or just)) or reading.tense is Tense.GOING_ON


def states_nothing(text: str) -> bool:
    """Whether a sentence, with contractions written out, is of one of these builds."""
    plain = without_lead(text) or text
    told = (_NOT_ME, _NARROWS, _NO_STATE)
    if any(one.search(text) for one in told) or _NO_STATE.match(plain) or of_the_moment(text):
        return True
    if _ROW.match(text) and not re.search(r"\b(?:I|we|my|our|me|us)\b", text, re.IGNORECASE):
        return True
    return _TO_YOU.match(text) is not None and _OF_MINE.search(text.split(",")[0]) is None


def is_fragment(text: str) -> bool:
    """Whether no word can be a verb, and none says how many, when, never, or whose."""
    if any(one.search(text) for one in (_SAYS_SOMETHING, TIMED, RECURS, FIRST)):
        return False
    if read_clause(text) is not None:
        return False
    words = re.findall(r"[a-z]+(?:'[a-z]+)?", text)
    return not any(word in _AUXILIARY or word in LEMMA for word in words)
