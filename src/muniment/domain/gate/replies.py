"""What the turn before asked of the speaker, and whether a short reply answers it."""

from enum import StrEnum

from muniment.domain.gate import phrases as phrases
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.gate.tokens import Words, read, word_set
from muniment.domain.late import late

_TAIL = 600
_CLOSING = late(
    r" (?:anything else|how (?:can|may|could) i (?:help|assist)|what (?:else )?can i (?:do|help)|"
    r"can i help you with|any other questions|is there anything|does that (?:help|make sense)|"
    r"need anything|any questions|make sense|you know what) "
)
_PROPOSAL = late(
    r" (?:shall (?:i|we)|should (?:i|we)|would you like|do you want|want me to|may i|can i|"
    r"could i|ready to|"
    r"is (?:that|this|it) (?:ok|okay|fine|alright|correct|right)|does (?:that|this) (?:work|suit|"
    r"sound)|sound good|"
    r"how about|do you agree|do you approve|do you accept|confirm|proceed|go ahead|deal) "
)
_POLAR = late(
    r"^ (?:(?:and|so|but|or|oh|then|also|well|wait|hey) )*(?:is|are|am|was|were|do|does|did|can|"
    r"could|will|would|should|shall|may|might|has|have|had|not|you|still|any|ready|really) "
)
_REQUEST = late(r" (?:can|could|would|will) you ")
_HOW = late(r" how (?:was|is|are|were|did|do|does|have|has|about|come)? ")
_VOICED_NAME = late(r"(?:^|[AIYNP])V")
_GUESS = late(r" (?:you|your|you are) ")
_ASSENT = word_set(
    "ok okay k fine perfect great good alright deal please cool excellent lovely wonderful"
)


class Asked(StrEnum):
    """What the previous turn ended with, as far as it decides what a short reply means."""

    NOTHING = "nothing"
    STATEMENT = "statement"
    GUESS = "guess"
    CLOSING = "closing"
    COURTESY = "courtesy"
    PROPOSAL = "proposal"
    REQUEST = "request"
    POLAR = "polar"
    HOW = "how"
    OPEN = "open"

    @property
    def is_question(self) -> bool:
        """Whether a reply to it may be an answer that means nothing by itself."""
        return self in {Asked.PROPOSAL, Asked.POLAR, Asked.HOW, Asked.OPEN}


def what_was_asked(previous: str) -> Asked:
    """How the last sentence of the turn before (courtesies after it aside) calls for a reply."""
    for sentence in reversed(list(split_sentences(previous[-_TAIL:]))):
        words = read(sentence[-400:])
        if not words.words:
            continue
        low = phrases.low_value(phrases.classify_words(words))
        if words.asks:
            return Asked.COURTESY if low == phrases.GREETING else _kind(words)
        if low is None:
            return Asked.GUESS if _GUESS.search(words.line) else Asked.STATEMENT
    return Asked.STATEMENT if previous.strip() else Asked.NOTHING


def _kind(words: Words) -> Asked:
    if _CLOSING.search(words.line):
        return Asked.CLOSING
    if _PROPOSAL.search(words.line):
        return Asked.PROPOSAL
    if _REQUEST.search(words.line):
        return Asked.REQUEST
    if _HOW.search(words.line):
        return Asked.HOW
    return Asked.POLAR if _POLAR.match(words.line) else Asked.OPEN


def answers(asked: Asked, words: Words, letters: str) -> bool:
    """Whether low-value words (``letters`` of them) are an answer in their place."""
    present = set(letters)
    if asked is Asked.PROPOSAL:
        return bool(present & set("YN")) or bool(_ASSENT & set(words.words))
    if asked is Asked.OPEN and letters.startswith(phrases.NAME):
        return True
    if phrases.THANKS in present or phrases.GREETING in present:
        return False
    if asked.is_question and (_says_something(present) or _VOICED_NAME.search(letters)):
        return True
    if asked is Asked.POLAR:
        return bool(present & set("YN")) or letters in {phrases.PRAISE, phrases.MOOD}
    if asked is Asked.HOW:
        return bool(present & set("PM")) and phrases.FILLER not in present
    if asked is Asked.OPEN:
        return bool(present & set("YN")) and phrases.FILLER not in present
    if asked is Asked.GUESS:
        return bool(present & set("YN"))
    return asked is Asked.STATEMENT and phrases.NO in present


def _says_something(present: set[str]) -> bool:
    """Whether an evaluation has a subject or an object: "it was great", "the best one"."""
    if phrases.ARTICLE in present:
        return True
    return phrases.DEMONSTRATIVE in present and bool(present & set("PMn"))
