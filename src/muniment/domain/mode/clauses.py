"""A question in its clauses: what is asked for, what is only told, and what is turned down.

| clause | is |
|---|---|
| "please rerun it", "let's dig deeper", "the usual checks" | a request |
| "which region churns most?" | an open question |
| "is that still so?" | a yes-or-no question |
| "we switched couriers in January" | told |
| "don't start over", "instead of running everything again" | turned down |
| "before we build on it", "we can dig further afterwards" | put off, left out |
| what stands in quotation marks | the subject's own words, left out |
"""

from dataclasses import dataclass
from typing import Final, Literal

from muniment.domain.late import late

Form = Literal["request", "open", "polar", "told"]

_QUOTED: Final = late(r"[\"“”«»][^\"“”«»]{0,200}[\"“”«»]|(?<!\w)'[^']{1,200}'(?!\w)")
_SENTENCE: Final = late(r"(?<=[.?!;])\s+|\n+|\s[–—]\s")
_PARTS: Final = late(
    r"[,:]\s+(?:and\s+|but\s+|so\s+)?(?:then\s+)?|\s+(?=but\b|(?:and|then) (?:then )?(?:please )?"
    r"(?:continue|carry|go|dig|drill|look|run|rerun|repeat|check|tell|give|split|do|skip|analyse|"
    r"analyze|stop)\b)"
)
_LEAD: Final = late(
    r"^(?:(?:ok|okay|so|now|and|but|well|then|just|only|simply|first|quickly|quick one|also|maybe|"
    r"please|plz|pls|hi|hello|hey|kindly|thanks|thank you|right|alright|good|great)\b[\s,]*|"
    r"(?:can|could|may) (?:i|we) (?=(?:have|get|see)\b)|"
    r"(?:can|could|would|will) (?:you|we|i)\b(?! (?:still |really |safely |now |actually "
    r")?(?:rely|"
    r"trust|count on|depend|bank|lean|stand|bet|quote|cite|publish|swear|vouch|be |say|claim))"
    r"(?: please| just| maybe| now| kindly)*\s*|"
    r"let(?:'s|’s|s| us| me)\b\s*|(?:i|we)(?:'d|’d| would)?(?: only| just| really)? (?:like|love|"
    r"want|need|"
    r"prefer)"
    r"(?: (?:you|us))?(?: to\b| if)?\s*|(?:i|we) (?:think |guess )?(?:we )?should\s+|"
    r"(?:time|nothing left but) to\s+|(?:would you|do you) mind\s+|it(?:'s|’s| is) time to\s+)+"
)
_OPEN: Final = late(
    r"^(?:what|which|who|whom|whose|how|where|why|when|(?:at|by|in|to|for|on|from|of|with|under) "
    r"(?:what|which|whom|how))\b"
)
_POLAR: Final = late(
    r"^(?:is|are|was|were|am|do(?! (?:it|this|that)\b)|does|did|has|have|had|can|could|will|would|"
    r"should|may|might|"
    r"isn't|aren't|wasn't|don't we|doesn't|didn't|hasn't|haven't|any (?:sign|chance|evidence|"
    r"indication|change|movement|improvement|news))\b"
)
_WHEN_ASKED: Final = late(r"^(?:when|where|if|since|as|while|once|now that|given|because)\b")
_TOLD: Final = late(
    r"^(?:(?:we|i|they|you|it|he|she|this|that|there|these|those)\b|"
    r"(?:the|our|my|a|an|all|some|last|this)(?: [\w'’/%-]+){1,8}? (?:is|are|was|were|has|have|had|"
    r"went|will|got|came|did|stays?|can|might)\b)"
)
_TURNED_DOWN: Final = late(
    r"\b(?:don't|dont|do not|no need|need not|needn't|not|never|without|rather than|instead of|"
    r"nothing|no more|stop|avoid|rather you didn't|isn't about|doesn't have to|"
    r"no (?=exploring|digging|verifying|checking|rerunning|repeating)|nobody wants|skip the|"
    r"spare)\b"
)
_PUT_OFF: Final = late(
    r"^before (?:we|i|you|building|going|continuing)\b|\b(?:afterwards|later on|after that we|"
    r"some other time)\b|\b(?:for|can|could|will|may|let's|leave)\b.{1,60}\banother time\b"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a question without its courtesies; ``declined`` is what is turned down of it."""

    text: str
    form: Form
    wanted: str
    declined: str


def clauses_of(question: str) -> list[Clause]:
    """The clauses of a question in their order, those that are put off left out."""
    found: list[Clause] = []
    plain = _QUOTED.sub(" _ ", question.casefold().replace("\u2019", "'"))
    for sentence in _SENTENCE.split(" ".join(plain.split())):
        *ahead, last = sentence.split(": ")
        for piece in (*ahead, last):
            # What stands before a colon is no question, though one may follow.
            asks = piece is last and sentence.endswith("?")
            for part in _PARTS.split(piece):
                text = part.strip(" .?!;,:")
                if text and not _PUT_OFF.search(text):
                    found.append(_clause(text, asks=asks))
    return found


def _clause(text: str, *, asks: bool) -> Clause:
    bare = _LEAD.sub("", text)
    down = _TURNED_DOWN.search(bare)
    cut = len(bare) if down is None else down.start()
    return Clause(bare, _form(bare, asks=asks), bare[:cut].strip(), bare[cut:].strip())


def _form(bare: str, *, asks: bool) -> Form:
    if _OPEN.search(bare) and (asks or not _WHEN_ASKED.search(bare)):
        return "open"
    if _POLAR.search(bare) and asks:
        return "polar"
    if _TOLD.search(bare):
        return "told"
    return "request"
