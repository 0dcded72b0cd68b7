"""Values that their topic gives away: a sentence about a slot, and one thing in it of its shape.

What no wording of a slot found is looked for here: the words of the topic stand somewhere in a plain
statement about the user, and so does a value that looks as such values do.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.gate.register import supposes
from muniment.domain.extraction.shapes import TECHNOLOGY, allergen, disliked
from muniment.domain.extraction.values import (
    REGION,
    ZONE,
    address,
    money,
    organisation,
    place,
    several,
    tidy,
    title,
)
from muniment.domain.extraction.words import CHANNEL, LANGUAGE, ROLE_HEAD, SPECIES

_CAPITAL = r"(?-i:[A-ZÀ-ÞĀ-Ž][\w'’&-]*)"
_CAPITALS = rf"(?P<v>{_CAPITAL}(?: (?:(?:of|de|del|la|the|and|upon|on|&) )?{_CAPITAL})*)"
_NOT: Final = re.compile(r"\b(?:not|never|no longer|no|nobody|without|used to|was|were|instead of)\b", re.IGNORECASE)
_MINE: Final = re.compile(r"\b(?:I|we|my|our|me|us|mine|ours)\b", re.IGNORECASE)


def _regions(clause: Clause, _around: str) -> Iterator[str]:
    match = REGION.search(clause.text)
    if match is None:
        return
    before = clause.text[: match.start()]
    if _NOT.search(before) or re.search(
        r"\b(?:backups?|staging|dev|replicas?|dr|disaster|test|sandbox|failover|secondary|mirror|archive"
        r"|their|his|her|customer|vendor|instead|out of|price|cost|cheaper|outage|down)\b",
        clause.text,
        re.IGNORECASE,
    ):
        return
    yield match.group()


_ADDRESS_TOPIC: Final = re.compile(
    r"\b(?:live|living|address|home|house|flat|apartment|place|move[ds]?|moving|parcels?|packages?|deliver\w*|ship\w*"
    r"|post\w*|mail|send|sent|door|courier|pick ?up|office|studio|shop|unit|street|find (?:me|us)|drop|keys?|it is"
    r"|based|lives?|sits?|visit|come|we are|I am)\b",
    re.IGNORECASE,
)
_ADDRESS_OF_OTHERS: Final = re.compile(
    r"\b(?:restaurant|hotel|conference|venue|customer|client|dentist|doctor|party|supplier|his|her|their|meeting|"
    r"appointment|pick ?up point|at the clinic)\b",
    re.IGNORECASE,
)


def _addresses(clause: Clause, around: str) -> Iterator[str]:
    found = address(clause.whole)
    if found is not None and _ADDRESS_TOPIC.search(around) and not _ADDRESS_OF_OTHERS.search(around):
        yield found


_TIER: Final = re.compile(
    rf"\b(?:on|to|onto|have|got|took|into|for) (?:the |our |a |an )?(?P<v>{_CAPITAL}(?: {_CAPITAL})?|free|basic"
    r"|pro|premium|plus|starter|standard|business|enterprise|team|gold|silver|bronze|platinum|growth|scale)"
    r" (?:plan|tier|subscription|package|level|account|licen[cs]e|edition)\b"
    rf"|\b(?:plan|tier|subscription|package|account) (?:is|is now|became|goes to|went to|:|changed to|moved to) (?:the "
    rf"|on |called )*(?P<v2>{_CAPITAL}|free|basic|pro|premium|plus|starter|standard|business|enterprise|gold|silver"
    r"|platinum)\b|\b(?:upgraded|downgraded|bumped|moved|switched)(?: us| me| up| down| over)* (?:to|from \w+ to) "
    rf"(?P<v3>{_CAPITAL}|free|pro|premium|plus|basic|business|enterprise|starter|standard)(?=$|[.,!]| (?:on|from|in"
    r"|since|today|tier|plan|now)\b)",
    re.IGNORECASE,
)
_TIER_TOPIC: Final = re.compile(
    r"\b(?:plan|tier|subscription|package|account|licen[cs]e|seats?|upgrad\w+|downgrad\w+)\b", re.IGNORECASE
)


def _tiers(clause: Clause, around: str) -> Iterator[str]:
    match = _TIER.search(clause.text)
    if match is None or _NOT.search(clause.text[: match.start()]) or not _TIER_TOPIC.search(around):
        return
    value = next(one for one in match.groups() if one)
    if re.search(rf"\b{re.escape(value)} (?:plan|tier)\b.*\b(?:costs?|price|seat)\b|\$|€|£", clause.text):
        return
    yield value


_STOCK: Final = re.compile(
    r"\b(?:have|got|hold|are|is|holds?|counted|keep|still|only|down to|at|with|stock is|stock at|leaves?)"
    r"(?: me| us)? (?:about |around |only |still |just |exactly |roughly |now )*(?P<v>\d[\d.,]*\d|\d+|two|three|four"
    r"|five|six|seven|eight|nine|ten|eleven|twelve|twenty|forty)(?P<unit> (?!left|in\b|on\b|of\b)[a-z]+){0,3}?"
    r"(?: of (?:them|it|those|the \w+))? (?:left|in stock|on hand|remaining|on the shel(?:f|ves)|in the (?:warehouse"
    r"|store ?room|depot|back|shop|cellar)|to sell|available)\b"
    r"|\b(?:stock|inventory|stock level)(?: of [\w ]{2,20}?| for [\w ]{2,20}?)? (?:is|stands|sits|fell|dropped|went"
    r"|rose|down|now)(?: \w+)? ?(?:at|to|is|down to)? (?P<v2>\d[\d.,]*)\b",
    re.IGNORECASE,
)


def _stocks(clause: Clause, _around: str) -> Iterator[str]:
    match = _STOCK.search(clause.text)
    if match is not None:
        yield tidy(match["v"] or match["v2"])


_PRICE_TOPIC: Final = re.compile(
    r"\b(?:prices?|priced|pricing|costs?|charges?|charging|rates?|sells?|selling|goes (?:for|up|down)|go(?:es)? at"
    r"|going for|ask(?:ing)? for|list(?:ed)? at|retails?|tickets?|tuition|per (?:hour|day|month|seat|word|head|night"
    r"|kilo|lesson|session|person|piece)|an? (?:hour|day|month|seat|word|head|night|kilo|lesson|session|piece|pop"
    r"|bottle|jar|box|class|loaf|cup|ticket|unit)|each|apiece)\b",
    re.IGNORECASE,
)
_NOT_PRICE: Final = re.compile(
    r"\b(?:budget|salary|rent|revenue|profit|loss|saved|spent|spend|paid|owe|owed|discount|fee|fine|raise|bonus|mrr"
    r"|arr|turnover|refund|deposit|earn|donat\w+|raised|grant|bill|tax|tip|cash|limit|threshold|expenses?|loan"
    r"|mortgage|over|under|above|below|between|more than|less than|up to|quote[sd]?|invoice[sd]?|order|bought"
    r"|total|sum|basket|median|average|target|competitor|they)\b",
    re.IGNORECASE,
)


def _prices(clause: Clause, around: str) -> Iterator[str]:
    amount = money(clause.text)
    if amount is None or _NOT_PRICE.search(clause.text) or not _PRICE_TOPIC.search(around):
        return
    if _NOT.search(clause.text[: clause.text.find(amount)]):
        return
    yield amount


_CHANNEL_TOPIC: Final = re.compile(
    r"\b(?:reach|contact|catch|find|get hold|get in touch|ping|message|notify|remind|tell|update|talk to|write to"
    r"|write|text|alert|buzz|answer|read|check|look at|respond|reply|send|send me|come to|prefer|best|fastest|quickest"
    r"|easiest|monitor|see)\b",
    re.IGNORECASE,
)
_CHANNEL_BY: Final = re.compile(
    rf"\b(?:by|on|via|over|through|use|using|is|check|read|answer|prefer|like|it is|to|with|my) (?:my |the |a |an |plain"
    rf" |good old |work |personal |always |only )*(?P<v>{CHANNEL})\b(?! (?:number|list|channel|thread|group|from|about"
    r"|them|him|her|customers?|clients?|report))",
    re.IGNORECASE,
)
_ME_BY: Final = re.compile(
    r"\b(?:reach|contact|catch|find|ping|message|notify|remind|tell|update|text|alert|buzz|nudge|get|poke|bug|hit)"
    r" (?:me|us)\b|\b(?:me|us) (?:by|on|via|over|through|in)\b|\bI (?:only |always |mostly |actually |rarely )*(?:answer"
    r"|read|check|look at|see|live on|live in|respond|reply|prefer|monitor)\b|\bto me\b|\bfor me\b|\b(?:get|getting) (?:to"
    r" |hold of |in touch with )me\b|\bmy preferred\b|\bif you need (?:me|anything)\b",
    re.IGNORECASE,
)


def _channels(clause: Clause, _around: str) -> Iterator[str]:
    text = clause.text
    if _NOT.search(text) or not _ME_BY.search(text) or not _CHANNEL_TOPIC.search(text):
        return
    match = _CHANNEL_BY.search(text)
    if match is not None:
        yield match["v"]


_NO_CHANNEL: Final = re.compile(
    r"\b(?:never|not|no|stop|quit|without|hate it when|dead|off limits|off the table|gone|cancelled)\b", re.IGNORECASE
)
_REFUSED: Final = re.compile(
    r"\b(?:do not|never|please never|no more|stop|quit|not|must not|no)(?: ever| please| you)*"
    r" (?:to )?(?:call|calling|phone|phoning|ring|ringing|text|texting|fax|faxing|email|emailing|contact|contacting"
    r"|message|messaging|write|writing|use|using|try|trying|send|sending|leave|leaving|reach|bother|disturb|mail|ping)"
    r"(?: to| me| us| anything| things| stuff| messages?| any| a| up)*"
    rf"(?: (?:on|by|via|at|to|over|through|in|with))? (?:my |our |the |that |any |by |this )*(?P<v>(?:[\w-]+ ){{0,2}}?(?:"
    + CHANNEL
    + r"|number|gmail|inbox|account|address|extension))\b",
    re.IGNORECASE,
)


def _refused(clause: Clause, _around: str) -> Iterator[str]:
    match = _REFUSED.search(clause.text)
    if match is not None and re.search(r"\b(?:me|us|my|our)\b", clause.text):
        yield tidy(re.sub(r"^(?:to|me|on|by|via|the|my|our|any) ", "", match["v"]))


_ALLERGIC: Final = re.compile(
    r"\ballerg(?:ic|y|ies) (?:reaction )?(?:to|against|is|are|:) (?:to )?(?P<v>\S.*)"
    r"|\b(?:an?|my|the|bad|severe|nasty|known|serious|has|have|with) (?P<v2>[\w-]+(?: [\w-]+)?) (?:allergy|intolerance)\b"
    r"|\b(?P<v3>[\w-]+) (?:allergic|intolerant)\b|\b(?:can not|must not|may not) (?:have|eat|touch|take|tolerate|be near"
    r"|be given|get near|handle|drink) (?:any |a |the )?(?P<v4>[\w-]+(?: [\w-]+)?)"
    r"|\breact(?:s|ed)? (?:badly |strongly |violently |terribly )?to (?P<v5>[\w-]+(?: [\w-]+)?)"
    r"|(?:^|[:,] )(?P<v6>[\w-]+(?: [\w-]+)?) (?:gives?|brings?|sends?|makes?|puts?|lands?) me (?:in |into |out |hives|a"
    r" rash|swell|wheez|itch|to (?:hospital|the er|a&e))",
    re.IGNORECASE,
)
_ILL: Final = re.compile(
    r"allerg|\bhives\b|\brash|anaphyl|epi-?pen|swell|swollen|airway|throat clos|closes my throat|\breact(?:s|ed|ion)\b"
    r"|intoleran|wheez|blister|hospital",
    re.IGNORECASE,
)


def _allergies(clause: Clause, around: str) -> Iterator[str]:
    match = _ALLERGIC.search(clause.text)
    if match is None or not _ILL.search(around) or not _MINE.search(clause.text):
        return
    said = next(one for one in match.groups() if one)
    if re.match(r"(?:am|is|are|was|not|really|very|so|I|we|highly|badly|severely|deathly|an?|no) ?\b", said):
        return
    if re.search(r"\b(?:not|no|never)\b(?! (?:have|eat|touch|take|tolerate|be|get|handle|drink))",
                 clause.text[: match.start()]):
        return
    yield from several(said, allergen)


_PET: Final = re.compile(
    rf"\b(?:my|our|the|a|an|one|new|this) (?:[\w'-]+ ){{0,4}}?{SPECIES}\b[^.]{{0,30}}?(?:called|named|name is|name of|,|:"
    rf"|is|goes by|answers to|we call (?:him|her|it)) (?P<v>{_CAPITAL})\b"
    rf"|\b(?P<v2>{_CAPITAL}),? (?:is |being )?(?:my|our|the|a|an) (?:[\w'-]+ ){{0,4}}?{SPECIES}\b"
    rf"|\b(?P<v3>{_CAPITAL}) the {SPECIES}\b|\b{SPECIES} (?P<v4>{_CAPITAL})\b",
    re.IGNORECASE,
)
_NO_PET: Final = re.compile(
    r"(?:I|We|My|Our|The|He|She|It|They|You|This|That|A|An|And|But|So|Is|His|Her|Mr|Mrs|Ms|Dr|Also|Yes|No|Just|Who|Which)$"
)


def _pets(clause: Clause, _around: str) -> Iterator[str]:
    match = _PET.search(clause.text)
    if match is None or _NOT.search(clause.text[: match.start()]):
        return
    name = next(one for one in match.groups() if one)
    if not _NO_PET.match(name) and name != name.upper():
        yield name


_ZONE_TOPIC: Final = re.compile(
    r"\b(?:I am|we are|my|our|me|I work|I live|times?|hours|clock|schedule|calendar|meetings?|zone|agenda)\b", re.IGNORECASE
)


def _zones(clause: Clause, _around: str) -> Iterator[str]:
    match = ZONE.search(clause.whole) or re.search(
        r"\b(?:pacific|eastern|central|mountain) time\b", clause.whole, re.IGNORECASE
    )
    if match is None or _NOT.search(clause.whole[: match.start()]):
        return
    if _ZONE_TOPIC.search(clause.whole) and not re.search(
        r"\b(?:column|table|field|timestamps?|csv|export|server|logs?|data|rows?|chart|deadline|flight|\d{1,2}(?::\d\d"
        r")? ?(?:am|pm)?) ?(?:is|are)? ?\b(?=.{0,12}$)|\w+_\w+|\bat \d",
        clause.whole,
        re.IGNORECASE,
    ):
        yield match.group()


_LANGUAGE_TOPIC: Final = re.compile(
    rf"\b(?:write|writes?|speak|talk|answer|reply|respond|stick|keep|switch|prefer|use|chat|address|converse|message"
    rf"|explain|everything|all|always|only|want|like|rather)\b[^.]*?\b(?P<v>{LANGUAGE})\b(?! (?:people|team|client|office"
    r"|customers?|market|teacher|class|course|lessons?|keyboard|colleagues?|version|food))",
    re.IGNORECASE,
)
_WITH_ME: Final = re.compile(r"\b(?:me|us|you|I|we|my|our)\b", re.IGNORECASE)
_OF_OTHERS: Final = re.compile(
    r"\b(?:they|them|him|her|he|she|clients?|customers?|suppliers?|people|testers?|learn\w*|translat\w*|novel|book"
    r"|write to them|letter|email to|post|text for|subject|page|poem|from \w+ (?:and \w+ )?to)\b",
    re.IGNORECASE,
)


def _languages(clause: Clause, _around: str) -> Iterator[str]:
    match = _LANGUAGE_TOPIC.search(clause.text)
    if (
        match is not None
        and not re.search(r"\b(?:fluent\w*|well|decent\w*|good|native\w*|bit of|some|badly|enough)\b", clause.text)
        and not re.fullmatch(rf"(?:I|we) (?:also )?(?:speak|use|write) {LANGUAGE}[.!]*", clause.text, re.IGNORECASE)
        and _WITH_ME.search(clause.text)
        and not _OF_OTHERS.search(clause.text)
        and not re.search(r"\b(?:not|never|no)\b", clause.text[: match.end()])
    ):
        yield match["v"]


_WORK_TOPIC: Final = re.compile(
    rf"\b(?:work(?:s|ing|ed)?|job|hired|employ\w*|join(?:ed|ing)?|start(?:ed|ing|s)?|contract|position|gig|role|payroll"
    rf"|teach\w*|intern\w*|offer|signed|signing|salary|boss|company|firm|employer|startup|colleagues?|office|{ROLE_HEAD})\b",
    re.IGNORECASE,
)
_AT_ORG: Final = re.compile(
    rf"\b(?:I|we|I'm|me|my|our)\b[^.;]*?\b(?:at|for|with|joined|join|joining|by|from) (?:the |a company called |a firm"
    rf" called |an? \w+ called )?{_CAPITALS}",
    re.IGNORECASE,
)
_NO_ORG: Final = re.compile(
    r"\b(?:meeting|call|lunch|dinner|coffee|interview\w*|demo|trip|visit|customer|client|vendor|supplier|conference"
    r"|ticket|invoice|contract with|friend|talked|spoke|met|birthday|flight|train|appointment|quote|audit|deal"
    r"|partner\w*|account|bought|order|class|course|exam)\b",
    re.IGNORECASE,
)


def _employers(clause: Clause, _around: str) -> Iterator[str]:
    match = _AT_ORG.search(clause.text)
    if (
        match is None
        or not _WORK_TOPIC.search(clause.text)
        or _NO_ORG.search(clause.text)
        or _NOT.search(clause.text[: match.start("v")])
    ):
        return
    found = organisation(clause.text[match.start("v") :])
    if found is not None and not re.match(r"[A-Z]{3}\b ?\d", clause.text[match.start("v") :]):
        yield found


_IN_ROLE: Final = re.compile(
    rf"\b(?:I|we|me)\b[^.;]*?\b(?:as|become|became|becoming|am|be|made|named|appointed|promoted to|into|was|now|new"
    rf"|of|get to be|call me|job is|title is|role is|position is) (?:now |officially |going to be |also |still |actually"
    rf" |the new |an? |the |our |their |acting |interim )*(?P<v>(?:(?!a\b|the\b|an\b)[\w/&+'’-]+ ){{0,3}}?{ROLE_HEAD})"
    r"(?! (?:called|said|says|told|is|was|wants|does|has|team|meeting|asked|who|left|will|'s))\b",
    re.IGNORECASE,
)


def _roles(clause: Clause, _around: str) -> Iterator[str]:
    match = _IN_ROLE.search(clause.text)
    if match is None or _NOT.search(clause.text[: match.start("v")]):
        return
    found = title(match["v"])
    if found is not None and len(found.split()) <= 5:
        yield found


_HOME_TOPIC: Final = re.compile(
    r"\b(?:live[sd]?|living|lives|mov(?:e|ed|ing)|relocat\w+|home|based|settl\w+|resid\w+|flat|apartment|house|place"
    r"|rent\w*|lease|landlord|neighbou?rhood|unpack\w*|keys|bought|packing|landed|new city|hometown)\b",
    re.IGNORECASE,
)
_IN_CITY: Final = re.compile(
    r"\b(?:I|we|(?:my|our) (?:new |own |current )?(?:home|flat|place|house|apartment|base|family))\b[^.;,]*?"
    rf"\b(?:in|to|outside|near|into|around) (?:downtown |central |sunny |rainy |good old )?"
    rf"{_CAPITALS}",
    re.IGNORECASE,
)
_NO_CITY: Final = re.compile(
    r"\b(?:meeting|conference|office|customers?|clients?|warehouse|visit\w*|trip|holiday|vacation|flight|fly\w*|train"
    r"|wedding|for the (?:week|weekend|day)|data|table|column|prod\w*|deploy\w*|servers?|cluster|region|store|shop"
    r"|brother|sister|mother|father|mum|mom|dad|parents|friend|colleague|son|daughter|in (?:January|February|March"
    r"|April|May|June|July|August|September|October|November|December)|born|grew up|from|study|studied|used to"
    r"|hotel|this week|next week|weekend|stay\w* (?:at|with)|team)\b",
    re.IGNORECASE,
)


def _cities(clause: Clause, _around: str) -> Iterator[str]:
    match = _IN_CITY.search(clause.text)
    if (
        match is None
        or not _HOME_TOPIC.search(clause.text)
        or _NO_CITY.search(clause.text)
        or address(clause.whole) is not None
        or _NOT.search(clause.text[: match.start("v")])
    ):
        return
    found = place(match["v"])
    if found is not None and not re.fullmatch(rf"{LANGUAGE}|{TECHNOLOGY}", found, re.IGNORECASE):
        yield found


_HATED: Final = re.compile(
    r"\b(?:I|we) (?:\w+ ){0,2}?(?:hate|loathe|detest|despise|can not (?:stand|bear|abide|stomach)|dread|dislike|abhor"
    r"|do not (?:like|care for|enjoy)|am no fan of|am not a fan of|am not into|have no time for|have no patience for"
    r"|am allergic to the idea of|could live without|can do without) (?P<v>\S.*)"
    r"|^(?P<v2>[\w' -]{3,30}?) (?:drives?|drive) me (?:mad|crazy|nuts|insane|up the wall|bonkers|to drink)"
    r"|^(?P<v3>[\w' -]{3,30}?) (?:is|are) (?:the bane of my|my idea of hell|not my (?:thing|cup of tea)|the devil|evil"
    r"|an abomination|torture)",
    re.IGNORECASE,
)


def _dislikes(clause: Clause, _around: str) -> Iterator[str]:
    match = _HATED.search(clause.text)
    if match is not None:
        value = disliked(next(one for one in match.groups() if one))
        if value is not None:
            yield value


_PROJECT: Final = re.compile(
    rf"\b(?:project|app|product|tool|repo|repository|codebase|platform|game|initiative|programme|codename|rewrite|launch"
    rf"|prototype)(?: (?:is|was|now|we|I|of|mine|ours|will be|goes))*,? (?:called|named|codenamed|nicknamed|known as|by the"
    rf" name(?: of)?|is|:) (?:the |now )?{_CAPITALS}|\b(?:call|calling|called|named|christened|dubbed) (?:it|her|the thing"
    rf"|this one|the project|the app) (?P<v2>{_CAPITAL}(?: {_CAPITAL})*)"
    rf"|\b(?:I|we|I'm|me) (?:\w+ ){{0,4}}?(?:on|onto|to|off|into|for|run|lead|own|build|join\w*|start\w*|building"
    rf"|leading|running|owning) (?:the )?(?:project )?(?P<v3>{_CAPITAL}(?: {_CAPITAL})?)(?: (?:project|rewrite|migration"
    rf"|launch|rollout|app|initiative|programme|codebase|repo|platform))\b",
    re.IGNORECASE,
)


def _projects(clause: Clause, _around: str) -> Iterator[str]:
    match = _PROJECT.search(clause.text)
    if match is None or _NOT.search(clause.text[: match.start()]):
        return
    value = next(one for one in match.groups() if one)
    if not re.match(r"(?:I|The|A|It|This|That|My|Our|We)$", value):
        yield tidy(value)


_READERS: Final[Sequence[tuple[str, Callable[[Clause, str], Iterator[str]], bool]]] = (
    ("deploy_region", _regions, False),
    ("address", _addresses, False),
    ("account_tier", _tiers, False),
    ("stock", _stocks, False),
    ("price", _prices, False),
    ("do_not_contact", _refused, False),
    ("contact_channel", _channels, False),
    ("allergy", _allergies, True),
    ("pet", _pets, False),
    ("timezone", _zones, False),
    ("language", _languages, False),
    ("employer", _employers, True),
    ("role", _roles, True),
    ("city", _cities, True),
    ("dislike", _dislikes, True),
    ("project", _projects, False),
)


def by_topic(sentences: Sequence[Sentence], have: frozenset[str | None]) -> Iterator[Found]:
    """What the topics of a turn's sentences give for the slots that it has not filled already."""
    around = " ".join(one.text for one in sentences)
    given: set[str] = set()
    for sentence in sentences:
        for clause in sentence.clauses:
            if not clause.stated or supposes(sentence.text):
                continue
            for slot, reader, _personal in _READERS:
                if slot in have or slot in given:
                    continue
                for value in reader(clause, around):
                    given.add(slot)
                    yield Found(clause, f"topic.{slot}", slot, value, changes=True)
