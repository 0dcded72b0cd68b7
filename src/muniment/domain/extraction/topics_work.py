"""Values of a working life that their topic gives away."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.domain.extraction.clauses import Clause
from muniment.domain.extraction.values import (
    REGION,
    money,
    organisation,
    tidy,
    title,
)
from muniment.domain.extraction.words import (
    CAPITAL,
    CHANNEL,
    DENIED,
    PLACE_NAME,
    REGION_TOLD,
    ROLE_HEAD,
    first_group,
)
from muniment.domain.late import late

_MOVES: Final = late(
    r"\b(?:mov|migrat|switch|shift|relocat|transfer|leav)\w*|\bleft\b", re.IGNORECASE
)
_FROM: Final = late(r"\b(?:from|off|out of|leav\w+|left)(?: the| our| \w+ in)? $", re.IGNORECASE)


def regions(clause: Clause, _around: str) -> Iterator[str]:
    """Where software runs; not where it was moved from."""
    found = [*REGION.finditer(clause.text)]
    moves = len(found) > 1 or _MOVES.search(clause.text) is not None
    left = [one for one in found if moves and _FROM.search(clause.text[: one.start()])]
    match = next((one for one in found if one not in left), None)
    if match is None or len(clause.text.split()) < 3:
        return
    before = clause.text[: match.start()]
    if (
        DENIED.search(before)
        or REGION_TOLD.search(clause.whole)
        or re.search(
            r"\b(?:backups?|staging|dev|replicas?|dr|disaster|test|sandbox|failover|secondary"
            r"|mirror"
            r"|archive"
            r"|their|his|her|customer|vendor|instead|out of|against|ruled out)\b",
            clause.text,
            re.IGNORECASE,
        )
    ):
        return
    yield match.group()


_TIER: Final = late(
    rf"\b(?:on|to|onto|have|got|took|into|for) (?:the |our |a |an )?(?P<v>{CAPITAL}(?: "
    rf"{CAPITAL})?|free|basic"
    r"|pro|premium|plus|starter|standard|business|enterprise|team|gold|silver|bronze|platinum"
    r"|growth|scale)"
    r" (?:plan|tier|subscription|package|level|account|licen[cs]e|edition)\b"
    rf"|\b(?:plan|tier|subscription|package|account) (?:is|is now|became|goes to|went to|:"
    rf"|changed to|moved to) (?:the "
    rf"|on |called )*(?P<v2>{CAPITAL}|free|basic|pro|premium|plus|starter|standard|business"
    rf"|enterprise|gold|silver"
    r"|platinum)\b|\b(?:upgraded|downgraded|bumped|moved|switched)(?: us| me| up| down| over)* "
    r"(?:to|from \w+ to) "
    rf"(?P<v3>{CAPITAL}|free|pro|premium|plus|basic|business|enterprise|starter|standard)(?=$"
    rf"|[.,!]| (?:on|from|in"
    r"|since|today|tier|plan|now)\b)"
    r"|\b(?:account|workspace|org|organi[sz]ation) (?:has been|is|was put|was moved|went) on(?:to)?"
    r" (?:the |a )?(?P<v4>[\w-]+) (?:plan|tier|package)\b",
    re.IGNORECASE,
)
_TIER_TOPIC: Final = late(
    r"\b(?:plan|tier|subscription|package|account|licen[cs]e|seats?|upgrad\w+|downgrad\w+)\b",
    re.IGNORECASE,
)


def tiers(clause: Clause, around: str) -> Iterator[str]:
    """The plan of an account."""
    match = _TIER.search(clause.text)
    if (
        match is None
        or DENIED.search(clause.text[: match.start()])
        or not _TIER_TOPIC.search(around)
    ):
        return
    value = first_group(match)
    if re.search(
        rf"\b{re.escape(value)} (?:plan|tier)\b.*\b(?:costs?|price|seat)\b|\$|€|£", clause.text
    ):
        return
    yield value


_STOCK: Final = late(
    r"\b(?P<v0>\d[\d.,]*\d|\d+) (?!(?:years?|hours?|minutes?|people|days?)\b)[a-z]+ (?:are |is "
    r")?(?:lying|sitting|standing|waiting|stored|stacked"
    r"|remaining|left|still there|to go) (?:in|on|at) (?:the|my|our)\b|^(?:we |I )?(?:just "
    r")?counted\b[^.]*?(?P<v9>\d+)\b|"
    r"\b(?:have|got|hold|are|is|holds?|counted|keep|still|only|down to|at|with|stock is|stock at"
    r"|leaves?)"
    r"(?: me| us)? (?:about |around |only |still |just |exactly |roughly |now "
    r")*(?P<v>\d[\d.,]*\d|\d+|two|three|four"
    r"|five|six|seven|eight|nine|ten|eleven|twelve|twenty|forty)(?P<unit> (?!left|in\b|on\b"
    r"|of\b)[a-z]+){0,3}?"
    r"(?: of (?:them|it|those|the \w+))? (?:left|in stock|on hand|remaining|on the shel(?:f|ves)"
    r"|in the (?:warehouse"
    r"|store ?room|depot|back|shop|cellar)|to sell|available)\b"
    r"|\b(?:stock|inventory|stock level)(?: of [\w ]{2,20}?| for [\w ]{2,20}?)? (?:is|stands"
    r"|sits|fell|dropped|went"
    r"|rose|down|now)(?: from \d[\d.,]*)?(?: (?!from\b)\w+)? ?(?:at|to|is|down to)?"
    r" (?P<v2>\d[\d.,]*)\b",
    re.IGNORECASE,
)


def stocks(clause: Clause, _around: str) -> Iterator[str]:
    """How much is left of something."""
    match = _STOCK.search(clause.text)
    if match is not None and not re.search(
        r"\b(?:days?|weeks?|hours?|minutes?|years?|pages?|e-?mails?|tasks?|questions?)\b",
        match.group(),
    ):
        number = next(one for one in match.group("v0", "v9", "v", "v2") if one)
        unit = re.match(r"\s+[a-z]+s\b", clause.text[clause.text.find(number) + len(number) :])
        yield tidy(number + (unit.group() if unit is not None and match["v0"] else ""))


_PRICE_TOPIC: Final = late(
    r"\b(?:prices?|priced|pricing|costs?|charges?|charging|rates?|sells?|selling|goes (?:for|up"
    r"|down)|go(?:es)? at"
    r"|going for|ask(?:ing)? for|list(?:ed)? at|retails?|tickets?|tuition|per (?:hour|day|month"
    r"|seat|word|head|night"
    r"|kilo|lesson|session|person|piece)|an? (?:hour|day|month|seat|word|head|night|kilo|lesson"
    r"|session|piece|pop"
    r"|bottle|jar|box|class|loaf|cup|ticket|unit)|each|apiece)\b",
    re.IGNORECASE,
)
_NOT_PRICE: Final = late(
    r"\b(?:budget|salary|rent|revenue|profit|loss|saved|spent|spend|paid|owe|owed|discount|fee"
    r"|fine|raise|bonus|mrr"
    r"|arr|turnover|refund|deposit|earn|donat\w+|raised|grant|bill|tax|tip|cash|limit|threshold"
    r"|expenses?|loan"
    r"|mortgage|over|under|above|below|between|more than|less than|up to|quote[sd]?|invoice[sd]?"
    r"|order|bought"
    r"|total|sum|basket|median|average|target|competitor|they)\b",
    re.IGNORECASE,
)


def prices(clause: Clause, around: str) -> Iterator[str]:
    """What something costs."""
    amount = money(clause.text)
    if amount is None or _NOT_PRICE.search(clause.text) or not _PRICE_TOPIC.search(around):
        return
    if DENIED.search(clause.text[: clause.text.find(amount)]):
        return
    yield amount


_CHANNEL_TOPIC: Final = late(
    r"\b(?:reach|contact|catch|find|get hold|get in touch|ping|message|notify|remind|tell|update"
    r"|talk to|write to"
    r"|write|text|alert|buzz|answer|read|check|look at|respond|reply|send|send me|come to|prefer"
    r"|best|fastest|quickest"
    r"|easiest|monitor|see)\b",
    re.IGNORECASE,
)
_CHANNEL_BY: Final = late(
    rf"\b(?:by|on|via|over|through|use|using|is|check|read|answer|prefer|like|it is|to|with|my) "
    rf"(?:my |the |a |an |plain"
    rf" |good old |work |personal |always |only )*(?P<v>{CHANNEL})\b(?! (?:number|list|channel"
    rf"|thread|group|from|about"
    r"|them|him|her|customers?|clients?|report))",
    re.IGNORECASE,
)
_ME_BY: Final = late(
    r"\b(?:reach|contact|catch|find|ping|message|notify|remind|tell|update|text|alert|buzz|nudge"
    r"|get|poke|bug|hit)"
    r" (?:me|us)\b|\b(?:me|us) (?:by|on|via|over|through|in)\b|\bI (?:only |always |mostly "
    r"|actually |rarely )*(?:answer"
    r"|read|check|look at|see|live on|live in|respond|reply|prefer|monitor)\b|\bto me\b|\bfor "
    r"me\b|\b(?:get|getting) (?:to"
    r" |hold of |in touch with )me\b|\bmy preferred\b|\bif you need (?:me|anything)\b",
    re.IGNORECASE,
)


def channels(clause: Clause, _around: str) -> Iterator[str]:
    """How to reach the user."""
    text = clause.text
    if re.search(r"\bremind me\b", text, re.IGNORECASE):
        return
    if DENIED.search(text) or not _ME_BY.search(text) or not _CHANNEL_TOPIC.search(text):
        return
    match = _CHANNEL_BY.search(text)
    if match is not None:
        yield match["v"]


_REFUSED: Final = late(
    r"\b(?:do not|never|please never|no more|stop|quit|not|must not|no)(?: ever| please| you)*"
    r" (?:to )?(?:call|calling|phone|phoning|ring|ringing|text|texting|fax|faxing|email|emailing"
    r"|contact|contacting"
    r"|message|messaging|write|writing|use|using|try|trying|send|sending|leave|leaving|reach"
    r"|bother|disturb|mail|ping)"
    r"(?: to| me| us| anything| things| stuff| messages?| any| a| up)*"
    r"(?: (?:on|by|via|at|to|over|through|in|with))? (?:my |our |the |that |any |by |this "
    r")*(?P<v>(?:[\w-]+ ){0,2}?(?:" + CHANNEL + r"|number|gmail|inbox|account|address|extension))\b"
    r"|\b(?:not|never|no longer) (?:\w+ ){0,3}?be (?:contacted|reached|called|messaged|notified"
    r"|written to|approached)(?: any ?more| at all)? (?:by|on|via|through|over) (?:the )?(?P<v2>"
    + CHANNEL
    + r")\b",
    re.IGNORECASE,
)


def refused(clause: Clause, _around: str) -> Iterator[str]:
    """How not to reach the user."""
    match = _REFUSED.search(clause.text)
    if match is not None and re.search(r"\b(?:I|we|me|us|my|our)\b", clause.text):
        value = match["v"] or match["v2"]
        yield tidy(re.sub(r"^(?:to|me|on|by|via|the|my|our|any) ", "", value))


_WORK_TOPIC: Final = late(
    rf"\b(?:work(?:s|ing|ed)?|job|hired|employ\w*|join(?:ed|ing)?|(?:I|we) (?:\w+ ){{0,2}}?start"
    rf"(?:ed|ing|s)?|contract|position|gig|role|payroll"
    rf"|teach\w*|intern\w*|offer|signed|signing|salary|boss|company|firm|employer|startup"
    rf"|colleagues?|office|{ROLE_HEAD})\b",
    re.IGNORECASE,
)
_AT_ORG: Final = late(
    rf"\b(?:I|we|I'm|me|my|our)\b[^.;]*?\b(?:at|for|with|joined|join|joining|by"
    rf"|(?<!over )from) (?:the |a "
    rf"company called |a firm"
    rf" called |an? \w+ called )?{PLACE_NAME}",
    re.IGNORECASE,
)
_NO_ORG: Final = late(
    r"\b(?:meeting|call|lunch|dinner|coffee|interview\w*|demo|trip|visit|customer|client|vendor"
    r"|supplier|conference"
    r"|ticket|invoice|contract with|friend|talked|spoke|met|birthday|flight|train|appointment"
    r"|quote|audit|deal"
    r"|partner\w*|account|bought|order|class|course|exam)\b",
    re.IGNORECASE,
)


_IS_SOMEONE: Final = late(r",? (?:my|our) [a-z]", re.IGNORECASE)
"""Behind a name: it is that of a person or an animal."""


def employers(clause: Clause, _around: str) -> Iterator[str]:
    """Who employs the user."""
    match = _AT_ORG.search(clause.text)
    if (
        match is None
        or not _WORK_TOPIC.search(clause.text[: match.start("v")])
        or _NO_ORG.search(clause.text)
        or _IS_SOMEONE.match(clause.text, match.end("v"))
        or DENIED.search(clause.text[: match.start("v")])
    ):
        return
    found = organisation(clause.text[match.start("v") :])
    if found is not None and not re.match(r"[A-Z]{3}\b ?\d", clause.text[match.start("v") :]):
        yield found


_IN_ROLE: Final = late(
    rf"\b(?:I|we|me)\b[^.;]*?\b(?:become|became|becoming|am|made|named|appointed|promoted "
    rf"to|(?:succeed|follow|replace) [^,.]{{3,30}} as|(?:start|work|join)\w* as"
    rf"|job is|title is|role is|position is) (?:now |officially |going to "
    rf"be |also |still |actually"
    rf" |the new |an? |the |our |their |acting |interim )*(?P<v>(?:(?!a\b|the\b|an\b)[\w/&+'’-]+ "
    rf"){{0,3}}?{ROLE_HEAD})"
    r"(?! (?:called|said|says|told|is|was|wants|does|has|team|meeting|asked|who|left|will|'s))\b",
    re.IGNORECASE,
)


def roles(clause: Clause, _around: str) -> Iterator[str]:
    """What the user is at work."""
    match = _IN_ROLE.search(clause.text)
    if match is None or DENIED.search(clause.text[: match.start("v")]):
        return
    found = title(clause.text[match.start("v") :])
    if found is not None and len(found.split()) <= 5:
        yield found


_PROJECT: Final = late(
    rf"\b(?:project|app|product|tool|repo|repository|codebase|platform|game|initiative|programme"
    rf"|codename|rewrite|launch"
    rf"|prototype)(?: (?:is|was|now|we|I|of|mine|ours|will be|goes))*,? (?:called|named"
    rf"|codenamed|nicknamed|known as|by the"
    rf" name(?: of)?|is|:) (?:the |now )?{PLACE_NAME}|\b(?:call|calling|called|named|christened"
    rf"|dubbed) (?:it|her|the thing"
    rf"|this one|the project|the app) (?P<v2>{CAPITAL}(?: {CAPITAL})*)"
    rf"|\b(?:I|we|I'm|me) (?:\w+ ){{0,4}}?(?:on|onto|to|off|into|for|run|lead|own|build|join\w*"
    rf"|start\w*|building"
    rf"|leading|running|owning) (?:the )?(?:project )?(?P<v3>{CAPITAL}(?: {CAPITAL})?)(?: "
    rf"(?:project|rewrite|migration"
    rf"|launch|rollout|app|initiative|programme|codebase|repo|platform))\b",
    re.IGNORECASE,
)


def projects(clause: Clause, _around: str) -> Iterator[str]:
    """What the user works on."""
    match = _PROJECT.search(clause.text)
    if match is None or DENIED.search(clause.text[: match.start()]):
        return
    value = first_group(match)
    if not re.match(r"(?:I|The|A|It|This|That|My|Our|We)$", value):
        yield tidy(value)
