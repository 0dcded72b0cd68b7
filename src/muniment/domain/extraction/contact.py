"""How to reach the user, and how not to."""

import re
from collections.abc import Iterator

from muniment.domain.extraction.clauses import Clause
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.words import CHANNEL
from muniment.domain.late import late

_NOT_DO = (
    r"(?:never|do not(?: ever)?|please do not(?: ever)?|please never|not to|must not"
    r"|should not|may not|can not)"
)
_CONTACT = (
    r"(?:contact|call|ring|phone|text|email|e-mail|message|write|mail|ping|dm|reach"
    r"|disturb|notify|write to|send|fax|bother)"
)
_NEVER_BY = late(
    rf"\b{_NOT_DO} (?:try to )?{_CONTACT}(?: anything| things| stuff)?(?: to)?(?: me"
    r"| us)?(?: up)? (?:by|on|via|over|through|at|to|using) (?:the |my |our )?"
    rf"(?P<way>(?:[\w'-]+ ){{0,2}}?(?:{CHANNEL}|gmail|inbox|account|address|number))\b",
    re.IGNORECASE,
)
_NEVER_RING = late(
    rf"\b{_NOT_DO} (?:ring|call|phone|text|email|message|fax) (?:up )?(?:me on )?(?:my "
    rf"|our )(?P<way>(?:\w+ )?(?:{CHANNEL}|number|gmail))\b",
    re.IGNORECASE,
)
_NEVER_VERB = late(
    rf"\b{_NOT_DO} (?P<way>call|ring|phone|text|email|fax)(?: me| us)?(?! (?:it|him|her"
    r"|them|this|that|the|an?|everybody|my \w+ \w+ing)\b)(?=$|[,.!]| (?:me|us|on|in|at"
    r"|before|after|again|ever|any|when|about|during|unless|please|for|under))",
    re.IGNORECASE,
)
_NO_CHANNEL = late(
    rf"(?:^|\b(?:and|so|but|please|,) )(?:no|no more) (?P<way>{CHANNEL})(?:,? (?:please"
    r"|ever|for me|to me|thanks|thank you|at all|under any))",
    re.IGNORECASE,
)
_REACH_ME = late(
    r"\b(?:reach|contact|ping|message|get (?:hold of|in touch with)|write(?: to)?|find"
    r"|notify|tell|answer|speak (?:to|with)|catch|update) (?:me|us) (?:\w+ )?(?:by|on"
    rf"|via|over|through|in|at) (?:the |my |a )?(?P<way>(?:work )?{CHANNEL})\b",
    re.IGNORECASE,
)
_VERB_ME = late(
    r"^(?:(?:so|and|but|just|please|always|better|then|ok|or|from now on"
    r"|instead)[ ,]+)*(?P<way>text|email|e-mail|slack|whatsapp|dm|phone|call|ring"
    r"|telegram|signal) (?:me|us)\b(?! (?:a |the |an |it|that|this|when|your|his|her"
    r"|back|crazy|later|about|old|at \d|(?-i:[A-Z])))",
    re.IGNORECASE,
)
_BEST_WAY = late(
    r"(?:^|\b(?:so|and|but|you|me|:|it is|via|is|that|use|by"
    rf"|on) )(?P<way>{CHANNEL}) (?:is|works|would be|will be) (?:always |still |the "
    r"|my |by far )?(?:best|better|fine|preferred|fastest|easiest|quickest"
    r"|my preferred|preferable|simplest|ideal|the way)\b(?: (?:for|with"
    r"|to reach) (?:me|us))?",
    re.IGNORECASE,
)
_BEST_IS = late(
    r"\b(?:the )?(?:best|fastest|easiest|quickest|surest|only|preferred) (?:way"
    r"|channel|place|method)(?: to (?:reach|contact|get|find|catch)(?: hold of)? (?:me"
    r"|us)| for me| of reaching me)? (?:is|would be) (?:via |by |on |through |still "
    rf"|always |my )*(?P<way>{CHANNEL})\b"
    r"|\bif you need (?:me|us|anything),? (?:it is|use|try|then|go for|please use"
    rf"|there is) (?:always |only )?(?P<way2>{CHANNEL})\b|\b(?:my"
    r"|our) preferred (?:\w+ )?(?:channel"
    rf"|contact(?: method)?) is (?P<way3>{CHANNEL})\b"
    r"|\bI (?:would )?(?:much |really )?(?:prefer|like) (?:to be (?:contacted|reached"
    rf"|written to) )?(?:by |via |over |on )(?P<way4>{CHANNEL})\b"
    r"|\bI (?:only )?(?:check|read|answer|live) (?:on |in )?(?P<way5>slack|teams"
    r"|whatsapp|signal|telegram|discord|email) (?:fastest|all day|first|most)\b",
    re.IGNORECASE,
)


_SOMETIMES = re.compile(
    r"^[^,.]{0,40}\b(?:before|until|today|tonight|tomorrow|this (?:week|morning|afternoon|month)"
    r"|names"
    r"|right now|between)\b",
    re.IGNORECASE,
)
"""A refusal for an hour or a day refuses no channel."""


def contact(clause: Clause) -> Iterator[Found]:
    """How to reach the user, and how not to."""
    refused = (
        _NEVER_BY.search(clause.text)
        or _NEVER_RING.search(clause.text)
        or _NO_CHANNEL.search(clause.text)
        or _NEVER_VERB.search(clause.text)
    )
    if refused is not None and re.search(r"'s? ", refused["way"]):
        return
    if refused is not None and _SOMETIMES.search(clause.whole[refused.start() :]):
        return
    if refused is not None:
        yield Found(
            clause,
            "contact.never",
            "do_not_contact",
            re.sub(r"^(?:my|the|our) ", "", refused["way"]),
        )
        return
    for pattern in (_REACH_ME, _VERB_ME, _BEST_IS, _BEST_WAY):
        match = pattern.search(clause.text)
        if match is not None:
            way = next(
                one for name, one in match.groupdict().items() if name.startswith("way") and one
            )
            if not re.search(
                r"\b(?:not|never|no)\b[^,]*$",
                clause.text[
                    : match.start("way") if match.groupdict().get("way") else match.start()
                ],
                re.IGNORECASE,
            ):
                yield Found(clause, "contact.by", "contact_channel", way)
            return
