"""Values by the build of a clause, where no cue of the slot is in it."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from muniment.domain.extraction.clauses import Clause
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.grammar import without_lead
from muniment.domain.extraction.shapes import allergen, project_name, technology
from muniment.domain.extraction.values import money, place, region, short_thing, tidy
from muniment.domain.extraction.words import CHANNEL, first_group
from muniment.domain.late import late

_BY: Final = r"(?:by|via|through|on|over|using|with|per|in) (?:the |my |our |a )?"
_WAY: Final = rf"(?P<way>(?:work |private |home |office )?{CHANNEL})\b"
_REFUSED: Final = late(
    r"\b(?:do not|never|would rather not|not|no longer) (?:really |ever )?(?:(?:want|wish|like"
    r"|care"
    r"|need|care) )?(?:to )?(?:be|being|get) (?:contacted|called|reached|rung|phoned|approached"
    rf"|bothered|messaged|chased|written to|notified|pinged)(?: \w+){{0,2}}? {_BY}{_WAY}"
    r"|\b(?:do not|never|not|stop|quit|please do not) (?:ever )?(?:try to )?(?:reach(?:ing)? out"
    r"|get(?:ting)? in touch|reach(?:ing)?|contact(?:ing)?|writ(?:e|ing)|messag(?:e|ing)"
    r"|get(?:ting)? hold of|approach(?:ing)?|bother(?:ing)?|ping(?:ing)?|chas(?:e|ing)"
    rf"|notify(?:ing)?)(?: (?:to|with|me|us))* {_BY}{_WAY.replace('way', 'way2')}"
    rf"|(?:^|[:,] )(?P<way3>{CHANNEL}),? (?:is|are) (?:off limits|off the table|a no-go|a no go"
    r"|no good (?:for|to) me|not an option|no use to me|taboo)\b"
    rf"|^(?:please )?no (?:more )?(?P<way4>{CHANNEL})(?: to me| for me)?[,.!]*(?: ?(?:ever|please"
    r"|thanks|thank you|at all|from (?:you|anyone|anybody|sales|the)|under (?:any|no)).*)?$",
    re.IGNORECASE,
)
_VERBS_OF: Final = {
    "ring": "phone",
    "rung": "phone",
    "call": "phone",
    "called": "phone",
    "phone": "phone",
    "phoned": "phone",
    "text": "text",
    "texted": "text",
    "email": "email",
    "emailed": "email",
    "fax": "fax",
}
_BY_VERB: Final = late(
    r"^(?P<verb>ring|call|phone|text|email|fax) (?:me|us) never\b"
    r"|\b(?:am|are|is|want) not to be (?P<verb2>rung|called|phoned|texted|emailed)\b"
    r"|\b(?:do|would) not (?:want|wish|like) (?:to be|being) (?P<verb3>rung|called|phoned|texted"
    r"|emailed)\b|\byou (?:will|must|shall|may|are) (?:not|never) (?:to )?(?P<verb4>ring|call"
    r"|phone"
    r"|text|email|fax) me\b",
    re.IGNORECASE,
)
_ONLY_SOMETIMES: Final = late(
    r"\b(?:before|after|until|between|during|when|while|at night|weekends?|\w+days|names?|unless"
    r"|this|today|tonight|tomorrow|again|back|about)\b",
    re.IGNORECASE,
)
_REACHED: Final = late(
    rf"^(?:just |only |please |always |then |use )?(?P<way>{CHANNEL}) (?:or nothing|is the go"
    rf"|is it"
    r"|only|it is)\b(?! (?:for|when|that))|^back to (?P<way2>letters?|e-?mails?|phone|texts?) with"
    rf" (?:me|us)\b|\b(?:is|works) (?:best|better) (?:for me )?{_BY}(?P<way3>{CHANNEL})\b"
    rf"|^(?P<way4>{CHANNEL}) (?:reaches|gets|finds) (?:me|us)\b"
    r"|\b(?:I|we) (?:am|are) (?:now |always |these days )*(?:best|easiest|quickest|most easily"
    r"|better|usually|normally|only) (?:to )?(?:be )?(?:reached|reach|contacted|found|available"
    rf"|reachable) {_BY}(?P<way5>{CHANNEL})\b",
    re.IGNORECASE,
)
_SKILL: Final = late(
    rf"^{LEAD}(?:you (?:can|may) assume (?:that )?)?(?:I|we) (?:(?:really|already|do|also|actually"
    r"|even|can safely say I) )*(?:know (?P<a>[\w+#. -]{1,40}?) (?:very |quite |pretty |really "
    r"|rather |fairly )?(?:well|inside out|by heart|backwards|like the back of my hand)"
    r"|can (?:do|write|use|handle|run|code in|program in|work with|read and write) "
    r"(?P<b>[\w+#. -]{1,40}?) (?:without (?:any )?help|blindfold(?:ed)?|in my sleep|on my own"
    r"|with (?:the|my) eyes closed|alone|by myself)|(?:have )?(?:become|became|got|gotten|am"
    r"|grown)"
    r" (?:quite |very |pretty |really |rather |fairly |fully )*(?:skilled|proficient|handy|fluent"
    r"|competent|comfortable|experienced|well versed|good) (?:at|in|with) (?P<c>[\w+#. -]{1,40}?)"
    r"|have (?:used|done|known|written|worked with) (?P<d>[\w+#. -]{1,40}?) for (?:years|decades"
    r"|ages|(?:\w+ )+years))(?:$|[,.!;]|(?= (?:now|these|by now|since|and|so)\b))",
    re.IGNORECASE,
)
_ASSUMED: Final = late(
    r"^(?:you (?:can|may) (?:safely )?(?:assume|take it|take for granted)"
    r"|rest assured)(?: that)? I"
    r" (?:already )?(?:know|can do|understand|am (?:good|skilled|fluent) (?:at"
    r"|in)) (?P<a>[\w+#. -]"
    r"{2,40}?)(?:$|[,.!])",
    re.IGNORECASE,
)
_PROJECT: Final = late(
    r"^(?P<a>\S[\w' -]{1,40}?) is (?:(?:now|also|still|currently) )*(?:one of my|my|our|the) "
    r"(?:(?:new|other|main|current|latest|biggest|second|big|side|pet) )*(?:projects?)(?:$|[,.!]"
    r"| (?:now|at|for|these)\b)",
)
_GONE_TO: Final = late(
    r"\b(?:has|have|just)? ?(?:gone|went|goes|going|put|raised|moved|climbed|dropped|come|came"
    r"|cut|lowered|reduced|increased) (?:it |them |the price )?(?:up|down"
    r"|back)? ?(?:from \S+ )?to "
    r"(?P<v>\S.*)",
    re.IGNORECASE,
)
_OF_SALE: Final = late(
    r"\b(?:service|plan|seat|licen[cs]e|subscription|ticket|jar|bottle|box|bag|loaf|kilo|hour"
    r"|lesson|session|class|unit|piece|price|menu|course|room|night|rate|fee|bowl|cup|basket"
    r"|hamper|repair|haircut|consultation|tier|package|edition|copy|membership)s?\b",
    re.IGNORECASE,
)
_NUMBER: Final = (
    r"(?:\d[\d.,]*\d|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-\w+)"
)
_LEFT: Final = late(
    rf"\bthere (?:is|are) (?:only |just |still |exactly )?(?P<a>{_NUMBER}) (?:[\w'-]+ ){{0,4}}?"
    r"(?:left|remaining|in stock|on hand|on the shel(?:f|ves))\b"
    rf"|\b(?:stock|inventory)\b[^.]{{0,30}}? from {_NUMBER}(?: \w+)? (?:down |up )?to (?P<b>"
    rf"{_NUMBER})\b|^(?:of )?(?:the |our )?(?:[\w'-]+ ){{1,3}}remain(?:s"
    rf"|ing)?:? (?P<c>{_NUMBER})\b",
    re.IGNORECASE,
)
_SOLD_OUT: Final = late(
    r"\b(?:have|has|is|are|got) (?:no|not any|no more|zero) [\w' -]{2,30}?(?: left)? (?:in stock"
    r"|on hand|left)\b[^.]{0,30}?\bthe last (?P<n>\d[\d.,]*)"
    r"|\b(?:forget|drop|scrap|delete|remove) the (?P<n2>\d[\d.,]*) [\w' -]{2,20}\b",
    re.IGNORECASE,
)
_NO_STOCK: Final = late(r"\b(?:in stock|on hand|hold stock|keep stock|stock any)\b", re.IGNORECASE)
_BODY: Final = late(
    r"\b(?:I|we)(?: \w+self)? (?:can not|must not|may not|must never|can never"
    r"|could not) (?:go near"
    r"|be near|come near|be around|be given|tolerate|have so much as) (?:any |a "
    r"|the )?(?P<a>[\w-]+"
    r"(?: [\w-]+)?)|\bit is (?P<b>[\w-]+(?: [\w-]+)?) that (?:gets|does it|did it|makes me"
    r"|sets me)"
    r"|\b(?P<c>[\w-]+(?: [\w-]+)?),? that (?:one )?(?:put|landed|sent) me in",
    re.IGNORECASE,
)
_HARM: Final = late(
    r"allerg|hives|rash|anaphyl|epi-?pen|swell|swollen|throat|hospital|itch|react|intoleran|wheez"
    r"|ended up in|ambulance|\bER\b|A&E|nights? in",
    re.IGNORECASE,
)
_HOUSEHOLD_OF: Final = late(
    rf"^{LEAD}(?i:we are|I am) (?:now )?an? "
    r"(?P<a>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?) (?:household"
    r"|family|resident|local|dweller|girl|boy|lad|lass|man|woman|couple)\b",
)
_OUT_OF: Final = late(
    r"\b(?:we|I|they|it|everything|services?|jobs|workloads?|prod|production) (?:now )?(?:runs?|is"
    r"|are|live|lives|sits?|deploys?|operates?) (?:now )?(?:out of|from|in) (?P<v>\S+)",
    re.IGNORECASE,
)


def by_build(clause: Clause, around: str) -> Iterator[Found]:
    """The values that a clause, said of the user, gives by its build."""
    for reader in (_projects,) if clause.other else _READERS:
        yield from reader(clause, around)


def _refusals(clause: Clause, _around: str) -> Iterator[Found]:
    text = without_lead(clause.text)
    match = _REFUSED.search(text)
    if match is not None and not _ONLY_SOMETIMES.search(text):
        way = first_group(match)
        yield Found(clause, "build.refused", "do_not_contact", tidy(way))
        return
    verb = _BY_VERB.search(text)
    if verb is not None and not _ONLY_SOMETIMES.search(re.sub(r"about work", "", text)):
        said = first_group(verb).lower()
        yield Found(clause, "build.refused", "do_not_contact", _VERBS_OF[said])


def _channels(clause: Clause, _around: str) -> Iterator[Found]:
    match = _REACHED.search(without_lead(clause.text))
    if match is not None and not re.search(r"\b(?:no|not|never)\b", clause.text):
        way = first_group(match)
        yield Found(clause, "build.reached", "contact_channel", tidy(way))


def _skills(clause: Clause, _around: str) -> Iterator[Found]:
    match = _SKILL.match(clause.text) or _ASSUMED.match(clause.text)
    if match is None:
        return
    said = first_group(match)
    value = technology(said) if len(said.split()) == 1 else None
    value = value or short_thing(said)
    if value is not None and not re.match(
        r"(?:it|that|this|them|you|him|her|the|all|how|what|who|why|where|my|your|someone"
        r"|people)\b",
        said,
        re.IGNORECASE,
    ):
        yield Found(clause, "build.skill", "skill", value)


def _projects(clause: Clause, _around: str) -> Iterator[Found]:
    match = _PROJECT.match(without_lead(clause.text))
    value = None if match is None else project_name(match["a"])
    if value is not None:
        yield Found(clause, "build.project", "project", value)


def _prices(clause: Clause, _around: str) -> Iterator[Found]:
    match = _GONE_TO.search(clause.text)
    amount = None if match is None else money(match["v"][:30])
    if match is not None and amount is not None and _OF_SALE.search(clause.text[: match.start()]):
        yield Found(clause, "build.price", "price", amount, changes=True)


_NO_GOODS: Final = late(
    r"\b(?:days?|weeks?|hours?|minutes?|pages?|questions?|tasks?|people|seats?|steps?)\b",
    re.IGNORECASE,
)


def _stocks(clause: Clause, around: str) -> Iterator[Found]:
    gone = _SOLD_OUT.search(clause.text)
    if gone is not None and _NO_STOCK.search(around):
        yield Found(clause, "build.sold_out", "stock", tidy(gone["n"] or gone["n2"]), retracts=True)
        return
    match = _LEFT.search(clause.text)
    if match is not None and not _NO_GOODS.search(match.group()):
        number = first_group(match)
        yield Found(clause, "build.stock", "stock", tidy(number), changes=True)


def _allergies(clause: Clause, around: str) -> Iterator[Found]:
    match = _BODY.search(clause.text)
    if match is None or not _HARM.search(around):
        return
    value = allergen(first_group(match))
    if value is not None:
        yield Found(clause, "build.body", "allergy", value)


_NO_TIER: Final = (
    r"(?:hold|pause|fire|file|track|top|time|ice|sale|record|display|order|offer|request|trial"
    r"|monthly|yearly|annual|autopay|autorenew|auto|invoice|credit|call|my|your|his|her|their|our"
    r"|its|a|an|the|this|that|it|us|me|him|them|you)\b"
)
"""Where else an account may be, and whose."""
_TIER: Final = late(
    r"\b(?:switch|move|put|upgrade|downgrade|bump|change) (?:me|us|(?:my|our) (?!city\b|town\b"
    r"|name\b"
    r"|location\b|language\b|address\b|role\b|title\b|employer\b|time)\w+)(?: up| down"
    r"| back"
    r"| over)? (?:to|on|onto) (?:the )?(?P<a>(?-i:[A-ZÀ-Þ])[\w'’+-]*(?: (?:(?-i:[A-ZÀ-Þ])[\w'’+-]*"
    r"|\d+)){0,2})"
    r"(?: plan| tier| package| subscription)?(?=$|[,.!]| (?:from|with|as|starting|please|on"
    r"|instead)\b)"
    r"|^(?:(?:and|so|but|also)[ ,]+)*(?:we|I) (?:are|am) (?:(?:now|still|only"
    r"|currently) )*on (?:the )?"
    r"(?P<b>(?-i:Pro|Basic|Starter|Enterprise|Business|Premium|Plus|Growth|Scale|Standard"
    r"|Essentials"
    r"|Team|Free|Gold|Silver|Bronze|Platinum)(?: Plus)?)(?: plan| tier| package)?(?=$|[,.!])"
    r"|^(?:(?:and|so|but|also)[ ,]+)*(?:my|our|the) (?:account|subscription|workspace|membership"
    r"|licen[cs]e|plan|tier) (?:is|was moved|moved|went)(?: now| still| currently)? on(?:to)?"
    rf" (?:the (?P<c>[a-z][\w+-]*) (?:plan|tier|package)|(?P<d>(?!{_NO_TIER})[a-z][\w+-]*)"
    r"(?: plan| tier| package)?)(?: now| again| these days)?(?=$|[,.!])",
    re.IGNORECASE,
)


def _tiers(clause: Clause, _around: str) -> Iterator[Found]:
    match = _TIER.search(clause.text)
    if match is not None and " Time" not in match.group():
        yield Found(clause, "build.tier", "account_tier", tidy(first_group(match)), changes=True)


def _homes(clause: Clause, _around: str) -> Iterator[Found]:
    match = _HOUSEHOLD_OF.match(clause.text)
    value = None if match is None else place(match["a"])
    if value is not None:
        yield Found(clause, "build.household", "city", value, changes=True)


def _regions(clause: Clause, _around: str) -> Iterator[Found]:
    match = _OUT_OF.search(clause.text)
    value = None if match is None else region(match["v"])
    if value is not None and not re.search(r"\bnot\b|\bno longer\b", clause.text):
        yield Found(clause, "build.region", "deploy_region", value, changes=True)


_READERS: Final[tuple[Callable[[Clause, str], Iterator[Found]], ...]] = (
    _refusals,
    _channels,
    _skills,
    _projects,
    _prices,
    _stocks,
    _allergies,
    _homes,
    _tiers,
    _regions,
)
