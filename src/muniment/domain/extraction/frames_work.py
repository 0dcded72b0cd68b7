"""Frames of a sentence that give a value of trade, of a service, or a way to reach the user."""

import re
from typing import Final

from muniment.domain.extraction.frames_life import Frame
from muniment.domain.extraction.shapes import project_name
from muniment.domain.extraction.values import Shape, money, tidy, zone
from muniment.domain.extraction.words import CAPITAL, CHANNEL
from muniment.domain.late import late

_TIER: Final = (
    r"(?:free|pro|basic|starter|enterprise|business|premium|plus|growth|scale|standard|team"
    r"|essentials|gold|silver|bronze|platinum)"
)
_VERBS: Final = {
    "ring": "phone",
    "rung": "phone",
    "call": "phone",
    "phon": "phone",
    "tele": "phone",
    "text": "text",
    "mess": "message",
    "emai": "email",
    "e-ma": "email",
}
_REFUSED_VERB: Final = r"(?:telephon|phon|call|text|e-?mail|messag)"


def _frame(pattern: str, shape: Shape) -> Frame:
    return late(pattern, re.IGNORECASE), shape


def _way(rest: str) -> str | None:
    match = re.match(rf"{CHANNEL}\b", rest, re.IGNORECASE)
    return None if match is None else match.group()


def _refused(rest: str) -> str | None:
    """A channel as it is said, or that of a verb."""
    known = _VERBS.get(rest[:4].lower())
    verb = re.match(rf"{_REFUSED_VERB}(?:ed|ing|e)?\b|r[iu]ng\b", rest, re.IGNORECASE)
    return known if verb is not None and known is not None else _way(rest)


def _tier(rest: str) -> str | None:
    match = re.match(rf"{_TIER}\b|{CAPITAL}", rest, re.IGNORECASE)
    return None if match is None else match.group()


def _count(rest: str) -> str | None:
    match = re.match(r"\d[\d.,]*", rest)
    return None if match is None else tidy(match.group())


def _project(rest: str) -> str | None:
    return project_name(re.sub(r"^project (?=[A-Z])", "", rest, flags=re.IGNORECASE))


FRAMES_OF_WORK: Final[tuple[tuple[str, tuple[Frame, ...]], ...]] = (
    (
        "timezone",
        (
            _frame(
                r"\b(?:I|we) (?:have )?(?:just |now )*(?:switched|changed|moved|went) from \S+"
                r"(?: time)? to (?P<a>\S.*)",
                lambda rest: zone(" ".join(rest.split()[:3])),
            ),
        ),
    ),
    (
        "contact_channel",
        (
            _frame(
                r"\b(?:easiest|best|quickest|fastest) to (?:catch|reach|get|find|contact|ping|get "
                r"hold of)(?: me)? (?:on|by|via|over|through) (?P<a>\S.*)"
                r"|\b(?:rather|prefer to) be (?:contacted|reached|notified|messaged) (?:by|via|on"
                r"|over) (?P<b>\S.*)"
                r"|\b(?:do not|never) (?:call|phone|ring|text|e-?mail)(?: me)?,? (?:just )?(?P<c>"
                r"text|e-?mail|message|call|phone) me (?:instead|rather)\b"
                r"|^(?:no,? )?(?:please )?(?P<d>text|e-?mail|message) me (?:rather than"
                r"|instead of|not)\b"
                r"|^(?:just |please )?send me an? (?P<e>text|e-?mail|sms|letter),? (?:I (?:never"
                r"|rarely|hardly)\b|instead\b)",
                _way,
            ),
        ),
    ),
    (
        "do_not_contact",
        (
            _frame(
                rf"\bunder no circumstances (?:should you )?(?P<a>{_REFUSED_VERB}e?) me\b"
                rf"|^(?:please )?(?:stop|quit|cease) (?P<b>{_REFUSED_VERB}ing) me\b"
                rf"|\b(?:do not|would not) (?:want|wish|like|care) to be (?P<c>{_REFUSED_VERB}ed"
                rf"|rung)"
                rf"(?=[,.!]|$)|\bwould rather not be (?P<d>{_REFUSED_VERB}ed|rung)(?=[,.!]|$)"
                r"|\b(?:take|remove|strike) me (?:off|from) (?:the |your "
                r"|all )*(?P<e>\S+) (?:mailing )?"
                r"lists?\b"
                r"|^(?:please,? )?no more (?P<f>\S+) from (?:you|anyone|anybody)\b",
                _refused,
            ),
        ),
    ),
    (
        "account_tier",
        (
            _frame(
                rf"^(?P<a>{_TIER}) (?:plan|tier) here\b"
                rf"|\b(?:I|we) pay for (?P<b>(?-i:[A-Z]){_TIER[:0]}\w+)(?=[.!]?$| now\b)"
                rf"|\bit is (?:now )?the (?P<c>{CAPITAL}) (?:plan|tier)(?: now)?\b"
                rf"|\b(?:I|we) have (?:got )?(?:a |the )?(?P<d>{CAPITAL}|{_TIER}) membership\b"
                rf"|\b(?:I|we) (?:have )?(?:just )?(?:went|gone|moved|switched|upgraded"
                rf"|downgraded) "
                rf"(?:up |down )?from {_TIER} to (?P<e>{_TIER})\b"
                rf"|\b(?:our|my) (?:workspace|account|org|subscription"
                rf"|licen[cs]e) is (?:now )?(?P<f>"
                rf"{_TIER})(?=[.!]?$)|\b(?:I am|we are) (?:now )?a (?P<g>(?-i:[A-Z])\w+) "
                r"(?:customer|subscriber|member)(?=[.!]?$)",
                lambda rest: (
                    found
                    if (found := _tier(rest)) and re.fullmatch(_TIER, found, re.IGNORECASE)
                    else None
                ),
            ),
        ),
    ),
    (
        "price",
        (
            _frame(
                r"\b(?:I|we) (?:now )?(?:bill|invoice) (?P<a>[^,.]{1,3}\d\S*(?: \w+)?"
                r"|\d\S*(?: \w+)?) "
                r"(?:an?|per) \w+"
                r"|\b(?:put|raised|dropped|lowered|upped|increased|cut) (?:my|our"
                r"|the) (?:\w+ ){0,2}?"
                r"(?:price|rate|fee)s? (?:up |down )?(?:from \S+(?: \w+)? )?to (?P<b>\S.*)"
                r"|\bused to (?:be|cost) [^,.;]{2,20},? (?:but |and )?(?:now )?(?:it is )?(?:now "
                r")?(?P<c>[^\s,.]*\d\S*(?: \w+)?)"
                r"|\bsets? (?:customers?|people|guests?|buyers?|clients?) back (?P<d>\S.*)"
                r"|\b(?:is|are) not [^,.;]{2,20} any ?more,? (?:it is|they are) (?:now )?"
                r"(?P<e>[^\s,.]*\d\S*(?: \w+)?)",
                lambda rest: money(" ".join(rest.split()[:3])),
            ),
        ),
    ),
    (
        "stock",
        (
            _frame(
                r"\b(?:stock|delivery|order|restock|pallets?|shipment)\b[^.;]{2,30}?,? (?:so )?we "
                r"are (?:now )?at (?P<a>\d[\d.,]*) [a-z]+s?\b"
                r"|\bthe (?:count|stock ?take|stock ?count|inventory): (?P<b>\d[\d.,]*) "
                r"|\b(?:the|our) (?:warehouse|stockroom|storeroom|depot|cellar|freezer) (?:now )?"
                r"holds? (?P<c>\d[\d.,]*) [a-z]+"
                r"|\b(?:we|I) (?:am|are) down to (?P<d>\d[\d.,]*) (?!people|days?|weeks?"
                r"|hours?)[a-z]+s"
                r"[.!]*$",
                _count,
            ),
        ),
    ),
    (
        "project",
        (
            _frame(
                rf"^(?P<a>{CAPITAL}|[a-z][\w-]+) (?:=|is) (?:the|our|my"
                rf"|an?) [\w -]{{3,30}}? (?:that "
                r")?(?:I|we) (?:maintain|run|build|work on|look after|own|babysit|lead|am building"
                r"|are building|am working on)\b"
                r"|\brenamed (?:the|our|my) project (?:from \S+ )?to (?P<b>\S.*)"
                r"|\b(?:moved|put|assigned|transferred|switched) me (?:over )?(?:to|on|onto) (?P<c>"
                r"(?-i:Project) (?-i:[A-Z])\w+)",
                _project,
            ),
        ),
    ),
)
"""By slot, in the order in which they are tried."""
