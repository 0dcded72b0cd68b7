"""The time that a question names, as days, and whether it is all that is asked for.

| question, asked on Wednesday 10 June 2026 | days | used |
|---|---|---|
| "What did we discuss on 3 May?", "... 38 days ago?" | 3 May | only |
| "What did I tell you last month?" | May | only |
| "What did we say about flour on 1 April?" | 1 April | only |
| "Yesterday, what did Teun say about the bicycle?" | 9 June | only |
| "What happened last week?" | 1 to 7 June | only |
| "When is the inspection in June?", "Where did Ann go on 3 May?" | June; 3 May | near |
| "Which flour do we use?" | none | |

``only``: the time is that of the talk, or nothing else is asked. ``near``: it may be the time of
what is told, and that is told before or after.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

import regex

from muniment.domain.late import late_regex
from muniment.domain.ranking.days import NamedDays, named_days

_TELL: Final = (
    r"discuss(?:ed)?|talk(?:ed)?|say|said|tell|told|mention(?:ed)?|speak|spoke|spoken|chat(?:ted)?"
    r"|br(?:ing|ought) up|go(?:ne)? over|went over|cover(?:ed)?|report(?:ed)?|agreed?|decided?"
    r"|explain(?:ed)?"
)
_WHO: Final = r"(?!to\b)(?:(?:I|we|you|he|she|they)\b|[\p{L}'-]+(?: and [\p{L}'-]+)?)"
_TALK: Final = late_regex(
    rf"\b(?:did|have|has|had) {_WHO} (?:all |just |already |last )?(?:{_TELL})\b"
    rf"(?: (?:you|me|us|to (?:you|me|us)|with (?:you|me|us)))?(?: about\b)?"
    rf"|\b(?:was|were|(?:has|have|had) been) (?:{_TELL})\b(?: about\b)?"
    rf"|\b(?:I|we|you) (?:{_TELL})\b(?: (?:you|me|us|to (?:you|me|us)))?(?: about\b)?"
    r"|\b(?:our|the|this|these|my) (?:conversations?|chats?|talks?|discussions?|sessions?)\b",
    regex.IGNORECASE,
)
_EVENT: Final = late_regex(
    r"\bwhat(?:'s| has| have| had| is| was)? (?:been )?"
    r"(?:happen(?:ed|ing)?|went on|going on|came up|come up|new|did (?:I|we|you) do)\b",
    regex.IGNORECASE,
)
_FILLER: Final = late_regex(
    r"\b(?:what|which|things?|topics?|remind|summari[sz]e|summary|sum up|recap|list|tell me|show"
    r"|give|please|everything|anything|something|all|can|could|again|else|exactly|about"
    r"|(?:this|last|the) (?:spring|summer|autumn|fall|winter))\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class AskedTime:
    """Days from ``start`` to before ``end``, the words that say so, and ``rest`` of the question
    without them and without what asks for talk.
    """

    start: date
    end: date
    words: str
    use: Literal["only", "near"]
    rest: str


def asked_time(text: str, today: date) -> AskedTime | None:
    """The time that a question names. Only days up to ``today`` are those of a talk."""
    found = named_days(text, today)
    if not found:
        return None
    talk = _TALK.search(text)
    chosen = _of_the_talk(text, found, talk) if talk is not None else None
    if chosen is None and (talk is not None or _EVENT.search(text) is not None):
        # Nothing but the time is asked for, wherever it stands.
        chosen = next((one for one in found if not _subject(text, one)), None)
    if chosen is None or chosen.start > today:
        return _asked(text, found[0], "near")
    return _asked(text, chosen, "only")


def _of_the_talk(text: str, found: list[NamedDays], talk: regex.Match[str]) -> NamedDays | None:
    """The time that stands first, next to the talk, or behind all as an adverb."""
    for one in found:
        lead = text[: one.at].strip()
        behind = text[one.to :].strip(" ?.!,;")
        between = text[talk.end() : one.at].strip(" ,")
        if not lead or (one.at >= talk.end() and not between):
            return one
        if between and not behind and not one.loose:
            return one
    return None


def _asked(text: str, one: NamedDays, use: Literal["only", "near"]) -> AskedTime:
    return AskedTime(
        one.start, one.end, text[one.at : one.to].strip(" ?.!,;"), use, _subject(text, one)
    )


def _subject(text: str, one: NamedDays) -> str:
    """What is left of a question without its time and without what asks for talk."""
    rest = text[: one.at] + " " + text[one.to :]
    for pattern in (_TALK, _EVENT, _FILLER):
        rest = pattern.sub(" ", rest)
    return " ".join(rest.split()).strip(" ?.!,;")
