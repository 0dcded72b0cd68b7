"""How to reach the user, by type: one channel, and a word of reaching, preferring or refusing."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.values import tidy
from muniment.domain.extraction.words import CHANNEL
from muniment.domain.late import late

_VERB: Final = (
    r"(?:phon(?:e|ed|ing)|call(?:ed|ing)?|r[iu]ng|ringing|text(?:ed|ing)?"
    r"|e-?mail(?:ed|ing)?|fax(?:ed|ing)?)"
)
_BASE: Final = r"(?:phone|call|ring|text|e-?mail|fax)"
_ANY_WAY: Final = late(rf"\b(?:{CHANNEL}|{_VERB})\b", re.IGNORECASE)
"""Without one of these nothing below can match."""
_TO_REFUSE: Final = tuple(
    late(pattern, re.IGNORECASE)
    for pattern in (
        (
            rf"\b(?:nobody|no one|never|not|stop|refuse|hate"
            rf"|rather not)\b[^,.;]{{0,30}}? (?:to )?(?:be )?"
            rf"(?P<verb>{_BASE}|(?:phon|call|ring|text|e-?mail|fax)ing) (?:me|us)\b"
        ),
        rf"\b(?:nobody|no one)\b[^,.;]{{0,20}}? (?P<verb>{_BASE}) (?:me|us)\b",
        rf"\b(?:refuse|hate) (?:to be|being) (?P<verb>{_VERB})\b",
        (
            rf"^(?P<verb>{_VERB}) (?:me|us) (?:is|will be) (?:pointless|useless|no use|no good"
            r"|a waste of time|of no use)"
        ),
        (
            rf"\b(?:any ?thing|any ?way|any (?:channel|means)|whatever|all|everything|however)"
            rf"(?: you (?:like|want|please|prefer)| else| is fine)?,? (?:except|but|bar|save"
            rf"|other than"
            rf"|apart from|except for|besides) (?:for )?(?:the |my |by |via "
            rf"|on )?(?P<way>{CHANNEL})\b"
        ),
        (
            rf"\b(?:not|never|no|not a single|no more)\b[^,.;]{{0,30}}? (?:messages?|word|thing"
            rf"|line"
            rf"|note|mail|calls?) (?:from \w+ )?(?:on|by|via|over|through|to|in) (?:the |my )?"
            rf"(?P<way>{CHANNEL})\b"
        ),
        (
            rf"^(?:so |and |but |also |please )*(?P<way>{CHANNEL}) (?:is|are) (?:out|no good|no use"
            r"|useless|pointless|dead|off)(?: for me| to me| with me| as far as I am concerned)\b"
        ),
        (
            rf"\b(?:will|do|can) not (?:take|accept|have|want|do|answer|use|open) (?:any |your "
            rf"|more )?"
            rf"(?P<way>{CHANNEL})(?: from (?:you|anyone|anybody|work|the \w+))?(?=[,.;!]|$)"
        ),
        rf"^(?:please )?never by (?P<way>{CHANNEL})\b",
        rf"\b(?:never|not) (?:ever )?(?:want|wish|like) (?:to be|being) (?P<verb>{_VERB})\b",
        rf"\b(?:keep|stay) (?:off|away from) my (?P<way>{CHANNEL})\b",
        rf"\b(?:leave|keep) (?P<way>{CHANNEL}) out of (?:it|this)\b",
        (
            r"^(?:(?:and|so|but|also|please)[ ,]+)*(?:no|never) (?P<verb>(?:phon|call|ring|text"
            r"|e-?mail)ing)"
            r" (?:me|us)\b"
        ),
        rf"^(?:(?:and|so|but|also)[ ,]+)*(?P<way>{CHANNEL}),? never(?=[,.!]|$)",
        (
            rf"^(?:(?:and|so|but|also)[ ,]+)*nothing (?:to|on|by|via|through|over) (?:my "
            rf"|the )?(?P<way>"
            rf"(?:work |private |home )?{CHANNEL})(?=[,.;!]|$)"
        ),
    )
)
_SOMETIMES: Final = late(
    r"\b(?:before|after|until|between|during|when|while|at night|weekends?|\w+days|unless|this"
    r"|today|tonight|tomorrow|again|back|about|names|him|them|customers?|clients?|he|she|they"
    r"|yet|enough|names|out|could|did|was|were|has)\b",
    re.IGNORECASE,
)
_REACHING: Final = late(
    r"\b(?:reach|contact|message|call|text|write|mail|ping|tell|notify|me|us|I|my)\b", re.IGNORECASE
)


def refused(clause: Clause, sentence: Sentence) -> Iterator[str]:
    """The channel that the user refuses."""
    if _ANY_WAY.search(clause.text) is None:
        return
    if _SOMETIMES.search(re.sub(r"\bout (?:for|of)\b|\bis out\b", "", clause.whole)):
        return
    for pattern in _TO_REFUSE:
        match = pattern.search(clause.text)
        if match is None:
            continue
        groups = match.groupdict()
        way = groups.get("way")
        if way:
            short = len(sentence.text.split()) <= 7
            if short or _REACHING.search(sentence.text):
                yield tidy(way)
            return
        yield _verb(match["verb"])
        return


def _verb(said: str) -> str:
    said = said.lower()
    if said.startswith(("call", "ring", "rung", "phon")):
        return "phone"
    return next(one for one in ("text", "email", "fax", "e-mail") if said.startswith(one))


_ONE_WAY: Final = late(
    rf"\b(?P<v>{CHANNEL})\b(?! (?:number|list|thread|group|from|about|them|him|her|customers?"
    r"|clients?|report|template|address|draft|campaign|order|code|file))",
    re.IGNORECASE,
)
_TO_ME: Final = late(
    r"\b(?:reach|get|find|catch|contact|ping|message|notify|tell|update|write|write to|talk to"
    r"|drop|send|hit|alert|buzz|answer|nudge|get hold of|let) (?:to )?(?:me|us)\b"
    r"|\b(?:to|with|for) me\b|\bI (?:\w+ ){0,2}?(?:read|check|see|look|answer|pick up|hear|reply"
    r"|respond|live|prefer|want to hear|would rather (?:get|have|hear)|like (?:it|things))\b",
    re.IGNORECASE,
)
_PREFERRED: Final = late(
    r"\b(?:best|better|quickest|fastest|surest|safest|easiest|simplest|only|always|first|nothing"
    r"|how I|where|the one|goes? through|come through|please|instead|beats?|for me:|ideal"
    r"|prefer\w*|rather|if you need"
    r"|for everything|for anything|anything comes up|anything urgent|from now on|way)\b",
    re.IGNORECASE,
)
_SWITCHED: Final = late(
    rf"\b(?:use|try|stick to|stick with|go with|make it|go by) (?:my |the )?(?P<v>{CHANNEL})\b",
    re.IGNORECASE,
)
_BEST_TO: Final = late(
    r"^(?:so |and |but )*(?:it is )?(?:best|better|easiest|quickest) (?:to |if you )?(?:just )?"
    r"(?P<v>e-?mail|text|phone|call|ring|message|dm|slack|whatsapp) me\b",
    re.IGNORECASE,
)
_BY_PHONE: Final = late(r"\bI (?:only |just )*pick up (?:the|my) (?P<v>phone)\b", re.IGNORECASE)
_MESSAGES: Final = late(
    r"\b(?:texts?|calls?|letters?|messages?|mails?|e-?mails?|reach|get through|arrive[sd]?"
    r"|never came)\b",
    re.IGNORECASE,
)
_SO_MANY: Final = late(
    r"\b(?:one|two|three|\d+|a single|fewer|less|shorter|longer|each|every) (?:\w+ )?(?:e-?mails?"
    r"|messages?|texts?|calls?|letters?)\b|\b(?:a|per|each) (?:day|week|month)\b",
    re.IGNORECASE,
)
"""How often, not how."""
_NOT_MINE: Final = late(
    r"\b(?:not|never|no|none|nobody|remind|them|him|her|customers?|clients?|team|everyone|draft"
    r"|report|file|export|today|tonight|tomorrow|she|he|they|list|summary|link|sent|got)\b",
    re.IGNORECASE,
)


def channel(clause: Clause, sentence: Sentence, before: Sentence | None) -> Iterator[str]:
    """The one channel by which the user is to be reached."""
    text = clause.text
    plain = _BEST_TO.search(text) or _BY_PHONE.search(text)
    if plain is not None:
        yield plain["v"]
        return
    found = {match["v"] for match in _ONE_WAY.finditer(text)}
    if _SO_MANY.search(text):
        return
    if len(found) != 1 or _NOT_MINE.search(re.sub(r"\bnothing\b", "", text)):
        return
    around = f"{before.text if before else ''} {sentence.text.replace(text, ' ')}"
    switched = _SWITCHED.search(text)
    if (_TO_ME.search(text) and _PREFERRED.search(text)) or (
        switched is not None and _PREFERRED.search(sentence.text) and _MESSAGES.search(around)
    ):
        yield found.pop()
