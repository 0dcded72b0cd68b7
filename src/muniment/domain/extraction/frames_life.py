"""Frames of a sentence that give a value of a person's life: what stands in the frame is it.

A frame is a pattern whose first group that matched begins with the value, and the shape that the
value has. It names the user by itself ("my", "me", "I"), so that the subject may be another.
"""

import re
from typing import Final

from muniment.domain.extraction.shapes import TECHNOLOGY, allergen, disliked, technology
from muniment.domain.extraction.values import Shape, address, organisation, place, title
from muniment.domain.extraction.words import CAPITAL, LANGUAGE, SPECIES, TITLED_NAME
from muniment.domain.late import late

Frame = tuple["re.Pattern[str]", Shape]

_LEAD: Final = r"^(?:(?:and|so|but|also|oh|ok|well|yes|no|now|ha|just|btw|by the way)[ ,]+)*"
_I: Final = r"\b(?:I|we) (?:(?:have|am|are|will|just|finally|now|recently|still|both|all) )*"
_HARM: Final = r"(?:hives|a rash|a (?:bad |nasty |strong |severe )?reaction|anaphylaxis)"


def _named(rest: str) -> str | None:
    match = re.match(TITLED_NAME, rest)
    return None if match is None else match.group()


def _frame(pattern: str, shape: Shape) -> Frame:
    return late(pattern, re.IGNORECASE), shape


def _tongue(rest: str) -> str | None:
    match = re.match(LANGUAGE, rest, re.IGNORECASE)
    return None if match is None else match.group()


def _first_disliked(rest: str) -> str | None:
    return disliked(re.sub(r"[?!.,]+$", "", rest))


FRAMES_OF_LIFE: Final[tuple[tuple[str, tuple[Frame, ...]], ...]] = (
    (
        "name",
        (
            _frame(
                r"^(?:please )?(?:sign (?:it|this|that|the \w+|off)(?: off)?(?: as| with)?"
                rf"|(?:put|list|register|book|enter|save) me (?:down |in )?as) (?P<a>{TITLED_NAME})"
                r"(?=[.!]?$|, (?:please|that is me|thanks))"
                rf"|\b(?:under|in) my (?:own )?name,? (?P<b>{TITLED_NAME})(?=[,.!]|$)"
                rf"|\bmy (?:first |last |sur|given |full |maiden )?name,? (?:is )?(?:spelled|spelt"
                rf"|written|pronounced) (?P<c>{TITLED_NAME})"
                rf"|\bmy (?:first |full )?name, (?:it|that) is (?P<e>{TITLED_NAME})(?=[,.!]|$)"
                rf"|\bI am (?P<f>{TITLED_NAME}),? (?:btw|by the way)\b"
                rf"|\bI (?:got|am) married: (?P<d>{TITLED_NAME})(?=[.!]?$)",
                _named,
            ),
        ),
    ),
    (
        "city",
        (
            _frame(
                rf"\b(?!(?i:around|near|in|from"
                rf"|outside)\b)(?P<a>{CAPITAL}(?: {CAPITAL})?), (?:(?:that|which"
                rf"|it) is )?where (?:I|we)"
                r" (?:now |still )?live\b"
                r"|\bthe (?:city|town|village|place) (?:that |which )?(?:I|we) (?:now )?(?:live"
                r"|reside) in is (?:now )?(?P<b>\S.*)"
                r"|\b(?:I|we)\b[^.;]{3,40}? (?:and|,) (?:I |we )?(?:am |are )?(?:now|already) "
                r"(?:living )?in (?P<c>(?-i:[A-ZÀ-Þ])\S.*)"
                r"|\b(?:my|our|the) new (?:flat|place|house|apartment|home) is in (?P<d>\S.*)"
                r"|\b(?:change|set|update|switch|correct) my (?:home )?(?:city|location|home ?town"
                r"|town) to (?P<e>\S.*)"
                r"|^as an? (?:[\w-]+ )?residents? of (?P<f>\S.*)"
                rf"|{_LEAD}(?:just |finally |recently )*moved from {CAPITAL}(?: {CAPITAL})? to "
                r"(?P<g>\S.*)"
                r"|\b(?:I am|we are) (?:a )?(?:long-time |proud )?residents? of (?P<h>\S.*)"
                r"|\b(?:I am|we are|I'm) livin'? in (?P<i>\S.*)"
                r"|\bwe are leaving (?-i:[A-ZÀ-Þ])[\w-]+ for (?P<j>(?-i:[A-ZÀ-Þ])\S.*)"
                r"|\b(?:I|we) have been in (?P<k>(?-i:[A-ZÀ-Þ])[\w-]+(?: (?-i:[A-ZÀ-Þ])[\w-]+)?)"
                r" (?:for (?:\w+ )?(?:years|decades|ages|months)|since)\b",
                place,
            ),
        ),
    ),
    (
        "employer",
        (
            _frame(
                r"\bthe (?:company|firm|place|outfit|agency|shop) (?:that |which )?(?:I|we) (?:now "
                r")?work (?:for|at) is (?:called )?(?P<a>\S.*)"
                r"|\bI (?:have |had )?(?:just |finally |now )*(?:left|quit|switched from|hopped"
                r" from"
                r"|defected from|gone from|am leaving|leave|swapped) (?-i:[A-Z])[\w'&-]+(?: (?-i:"
                r"[A-Z])[\w'&-]+)* (?:for|to) (?P<b>(?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*)+)"
                r"|\bafter [\w ]{3,20} (?:at"
                r"|with) (?-i:[A-Z])[\w'&-]+(?: (?-i:[A-Z])[\w'&-]+)*,? I "
                r"(?:have )?(?:just |now )*(?:moved|gone|switched|changed|went|move|go) to "
                r"(?P<c>(?-i:[A-Z])\S.*)"
                r"|\b(?:my notice|resigned|quit|my resignation)\b[^.;]*?\b(?:going|moving|off"
                r"|switching) to (?P<d>(?-i:[A-Z])\S.*)"
                r"|\bwas my first (?:day|week|shift|month) (?:at|with) (?P<e>(?-i:[A-Z])\S.*)"
                rf"|{_LEAD}(?:here|over) at (?P<f>(?-i:[A-Z])[\w'&-]+(?: (?:& )?(?-i:[A-Z])"
                r"[\w'&-]+)*),? we\b"
                r"|\bmy own (?:studio|shop|company|business|firm|agency|bakery|practice|salon"
                r"|caf[eé]|bar|garage), (?:called )?(?P<g>(?-i:[A-Z])\S.*)"
                r"|^(?:just |finally |officially )*(?:signed|started) with (?P<h>(?-i:[A-Z])[\w'&-]"
                r"+(?: (?-i:[A-Z])[\w'&-]+)*)[.!]*$",
                organisation,
            ),
        ),
    ),
    (
        "role",
        (
            _frame(
                r"\bmy (?:day )?job is (?P<b>\S.*)"
                r"|\b(?:promoted|moved"
                r"|bumped) me(?: up)?,? (?:so )?(?:I am )?(?:now )?(?:to )?(?P<c>"
                r"\S.*)"
                rf"|{_I}(?:gone|went|moved up|moved|risen|rose|promoted) from (?:an? )?[\w -]"
                r"{2,25}? to (?:an? |the )?(?P<d>\S.*)"
                r"|\bI am (?:self-employed|freelance|freelancing|semi-retired),? (?:as )?an? "
                r"(?P<e>\S.*)"
                r"|^(?P<f>[\w -]{3,30}?) (?:at|in|for|with) [\w' ]{2,30}, that is me\b"
                r"|\bmy (?:job )?(?:title|job|role|position) is (?:no longer|not) [\w ]{2,25}?"
                r"(?: any ?more)?,? (?:it is|but) (?:now )?(?P<g>\S.*)",
                title,
            ),
        ),
    ),
    (
        "language",
        (
            _frame(
                rf"{_LEAD}(?:from (?:now|here) on|always|only|please)?,? ?(?P<a>{LANGUAGE})"
                r"(?:,? (?:only|again))?,? (?:please|pls|plz)\b"
                r"|^(?:(?:and|so|but|please)[ ,]+)*(?:can|could|would|will) (?:you|we) (?:please )?"
                r"(?:answer|reply|write|speak|talk|respond|chat|continue|carry on|switch|change"
                r"|do (?:this|it all|everything))(?: to me| with me| this)? ?(?:in |to )?(?P<b>"
                rf"{LANGUAGE})(?:,? (?:from now on|please|always|with me|instead|again))*\?$"
                rf"|^(?:please )?(?:switch|change) (?:back |over )?to (?P<c>{LANGUAGE})(?=[,.!]|$"
                r"| please| from| for good| again)"
                rf"|^(?P<d>{LANGUAGE}) would be (?:much |a lot )?(?:easier|better|best|nicer) for "
                r"me\b"
                rf"|\b(?:stay|stick|remain) (?:in|to|with) (?P<e>{LANGUAGE})\b"
                rf"|^(?:please )?keep (?:it|this|everything) in (?P<f>{LANGUAGE})(?=[.!]?$|,? "
                rf"(?:always|please|with me|from now on))"
                rf"|(?:^|, |\bso )(?P<g>{LANGUAGE}) with me,? (?:please|pls|only)\b"
                rf"|^answers? in (?P<h>{LANGUAGE}) (?:please|pls|plz)",
                _tongue,
            ),
        ),
    ),
    (
        "address",
        (
            _frame(
                r"\bmy (?:studio|office|workshop|house|flat|place|home|apartment"
                r"|practice) is (?:now"
                r" )?at (?P<a>\S.*)",
                address,
            ),
        ),
    ),
    (
        "pet",
        (
            _frame(
                rf"^(?P<a>{CAPITAL})(?:,| \(|,? that is|,? she is|,? he is)+ ?(?:that is |he is "
                rf"|she is )?(?:my|our) (?:[\w'-]+ ){{0,3}}?{SPECIES}\b"
                rf"|\b(?P<b>{CAPITAL}) \((?:my|our) (?:[\w'-]+ ){{0,3}}?{SPECIES}\)"
                rf"|\bnew (?:[\w'-]+ ){{0,2}}?{SPECIES} (?:in|at) [\w ]{{3,20}}: (?P<c>{CAPITAL})"
                r"|\bnew (?:family member|member of the family|addition to the family) is "
                rf"(?P<d>{CAPITAL}), an? (?:[\w'-]+ ){{0,3}}?{SPECIES}\b",
                _named,
            ),
        ),
    ),
    (
        "skill",
        (
            _frame(
                r"\bI have (?:got )?(?:[\w' ]{2,20} )?experience (?:with|in|of) (?P<a>\S.*)"
                r"|\bI have (?:done|used|written|coded in|coded|programmed in|worked with|taught) "
                r"(?P<b>\S+(?: \S+)?) (?:for|since)\b"
                rf"|\b(?:explain|teach me) (?P<c>{TECHNOLOGY}),? I (?:use|write|teach"
                rf"|work with) it "
                r"(?:daily|every day|all day|all the time)\b",
                technology,
            ),
        ),
    ),
    (
        "dislike",
        (
            _frame(
                r"\bI (?:have )?never (?:really )?liked (?P<a>\S.*)"
                r"|\bI am (?:really |just )?not (?:too |very |so |at all |that |overly )?keen on "
                r"(?P<b>\S.*)"
                r"|\bI (?:have )?(?:completely |totally )?gone off (?P<c>(?!to\b|for\b|on\b|with\b"
                r"|in\b|and\b|at\b)\S.*)"
                r"|^if there is one thing (?:that )?I (?:can not stand|hate|can not bear|loathe),? "
                r"it is (?P<d>\S.*)"
                r"|^(?P<e>[\w' -]{3,25}?) (?:is|are) (?:really |just |definitely )?not for me[.!]*$"
                r"|^(?:(?:and|so|but|please)[ ,]+"
                r"|please )*no (?P<f>[\w' -]{3,25}?),? (?:please,? )?I "
                r"(?:really |just )?(?:hate|can not stand|loathe|detest) (?:them|it|that)\b"
                r"|^(?P<g>[\w' -]{3,25}?)(?: tastes?\b[^,.]{3,30})?, (?:I )?(?:really "
                r"|just )?(?:hate"
                r"|can not stand|loathe|detest) (?:it|them)\b"
                r"|^(?:and |so |but )*(?P<h>[\w' -]{3,25}?) can (?:get in the bin|do one|get lost"
                r"|go in the bin)\b",
                _first_disliked,
            ),
        ),
    ),
    (
        "allergy",
        (
            _frame(
                rf"\bI (?:always |sometimes )?(?:get|got|come out in|break out in) {_HARM} (?:from"
                r"|off|because of|after eating|when I eat) (?P<a>\S.*)"
                r"|\bI (?:always )?(?:swell|puff) up [\w ]{0,20}?(?:from|because of"
                r"|after) (?P<b>\S.*)"
                rf"|^(?:[^:]{{3,50}}: )?(?P<c>[\w-]+(?: [\w-]+)?) (?:sets? off|triggers?) my "
                r"(?:allergy|allergies)\b"
                r"|\bit is (?P<d>[\w-]+(?: [\w-]+)?) (?:that )?I am (?:allergic|intolerant) to\b"
                r"|\bI\b[^.;]{0,30}? epi-?pen (?:because of|for|in case of) (?P<e>\S.*)"
                rf"|(?:^|: )(?P<f>[\w-]+(?: [\w-]+)?) gives? me {_HARM}",
                allergen,
            ),
        ),
    ),
)
"""By slot, in the order in which they are tried."""
