"""Values of trade by their type: an amount, number, zone or region, and a word of its class.

The last to read a turn: what no wording and no topic has found. A clause that is asked, supposed,
said in fun, denied before the value, or of somebody else's gives nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.typed_life import by_type_of_life
from muniment.domain.extraction.values import REGION, ZONE, amounts, tidy
from muniment.domain.extraction.words import DENIED, first_group
from muniment.domain.gate.register import earnest
from muniment.domain.late import late

_IS: Final = late(
    r"(?<=[a-zA-Z])'s (?=[£$€¥]|\d|(?:my|our|the|home|out|where|what|how|now|best|quickest|off)\b"
    r"|[A-ZÀ-Þ])"
)
SOLD: Final = (
    r"(?:tins?|jars?|bottles?|box(?:es)?|bags?|packs?|candles?|soaps?|mugs?|bowls?|plates?|vases?"
    r"|pots?|prints?|cards?|loaf|loaves|bread|sourdough|rolls?|buns?|cakes?|tarts?|pies?|honey"
    r"|jam|cheese|coffees?|latte|espresso|pints?|menus?|rooms?|nights?|tables?|tickets?|entry"
    r"|admission|pass(?:es)?|memberships?|subscriptions?|plans?|tiers?|seats?|licen[cs]es?"
    r"|lessons?|class(?:es)?|courses?|workshops?|sessions?|hours?|haircuts?|cuts?|colou?rs?"
    r"|massages?|treatments?|consultations?|repairs?|services?|units?|pieces?|kilos?|crates?"
    r"|baskets?|hampers?|bouquets?|wreaths?|scarf|scarves|shirts?|tees?|hoodies|socks|rings?"
    r"|earrings|necklaces?|bracelets?|books?|copies|copy|editions?|zines?|posters?|stickers?"
    r"|rentals?|call-?outs?|whites?|scoops?|tours?|rides?|fares?|parking|deliver(?:y|ies)"
    r"|shipping|postage|slots?|visits?"
    r"|sets?|kits?|refills?|eggs|chickens?|lamps?|chairs?|stools?|quilts?|blankets?)"
)
_PRICE: Final = late(
    r"\b(?:prices?|rates?|fees?|tariffs?|charges?|costs?|pric(?:ed|ing)|sells?|goes for|go for)\b",
    re.IGNORECASE,
)
_SELLS: Final = late(rf"\b{SOLD}\b", re.IGNORECASE)
_SPENT: Final = late(
    r"\b(?:I|we) (?:have |had |just |only )*(?:bought|paid|spent|owe|earn|saw|found|won|lost|saved"
    r"|got|ordered|donated)\b|\b(?:budget|salary|rent|revenue|profit|loss|saved"
    r"|spent|refund|deposit|earn\w*|raised|grant|bill|tax|tip|cash|limit|threshold|expenses?|loan"
    r"|mortgage|over|under|above|below|between|more than|less than|up to|invoices?|orders?|total"
    r"|sum|average|target|competitors?|they|their|his|her|costs? (?:me|us)|was|were|used to|late"
    r"|fine|worth|discount|off|anything|everything|supplier|wholesale|marketing)\b",
    re.IGNORECASE,
)
_TO: Final = late(
    rf"\b{SOLD}\b[^,.;]{{0,25}}? (?:go|goes|going|gone|went|move[sd]?|rises?|rose|climbs?|jumps?"
    r"|drops?|dropped|falls?|fell|comes?|came|creeps?)(?: back)? (?:up |down )?(?:from \S+ )?to "
    r"(?P<v>\d+(?:[.,]\d+)?)"
    r"|\b(?:put|putting|rais(?:e|ed|ing)|drop(?:ped|ping)?|lower(?:ed|ing)?|bump(?:ed|ing)?"
    r"|cut(?:ting)?|bring(?:ing)?|brought|tak(?:e|ing)|took|knock(?:ed|ing)?|mark(?:ed|ing)?) "
    rf"(?:the |our |my |all )?(?:[\w'-]+ ){{0,3}}?{SOLD}(?: price)?(?: back)?(?: up| down)? to "
    r"(?P<v2>\d+(?:[.,]\d+)?)",
    re.IGNORECASE,
)
_AT_DECIMAL: Final = late(
    rf"^(?:(?:so|and|but|the|my|our|a|an)[ ,]+)*(?:[\w'-]+ ){{0,3}}?{SOLD} (?:is|are|costs?"
    rf"|goes? for"
    r"|stays? at) (?:now |still )*(?P<v>\d+\.\d\d)",
    re.IGNORECASE,
)
_AFTER_BARE: Final = late(
    r"(?:$|[,.;!]|\s(?:from|for the|as of|each|apiece|a|an|per|now|until|this|next|since|and"
    r"|on)\b)",
    re.IGNORECASE,
)
_MOVED: Final = late(
    r"\b(?:mov|rais|lower|put|drop|bump|set|tak|cut|bring|chang|go|went|com|climb"
    r"|jump)\w*\b[^,.;]{0,40} (?:to|at) $",
    re.IGNORECASE,
)
_PLAN_TO: Final = late(
    r"\b(?:mov|rais|lower|put|drop|bump|cut|bring|chang)\w*\b[^,.;]{3,30} (?:plan|tier|price"
    r"|rate|fee)"
    r"[^,.;]{0,15} to $",
    re.IGNORECASE,
)
_NAMED: Final = late(
    rf"^(?:(?:so|and|but|also|now)[ ,]+)*(?:the |my |our |a |an )?(?:[\w'-]+ ){{0,3}}?{SOLD}(?:"
    r"(?: (?:is|are|will be|stays?|now))+|:| at| for)? (?:now |still |only |at |about )*$",
    re.IGNORECASE,
)
_IT_IS: Final = late(
    r"^(?:and |so |but )*(?:it is|its|that is) (?:now |also )?(?:my|our|the) (?:new |regular "
    r"|normal |standard )*(?:price|rate|fee|charge)\b",
    re.IGNORECASE,
)


def _price(clause: Clause, around: str) -> Iterator[str]:
    text = clause.text
    found = amounts(text)
    if not found:
        bare = _TO.search(text) or _AT_DECIMAL.search(text)
        if (
            bare is not None
            and _AFTER_BARE.match(text[bare.end() :])
            and "stock" not in around.lower()
        ):
            yield first_group(bare)
        return
    if len({*found}) > 1 or _SPENT.search(text.replace("fee", "")):
        return
    before = text[: text.find(found[0])]
    if DENIED.search(before):
        return
    told = _PRICE.search(text) is not None or _NAMED.match(before) is not None
    moved = _MOVED.search(before) is not None
    if told or (moved and _SELLS.search(before)) or _PLAN_TO.search(before):
        yield tidy(found[0])


_MY_TIME: Final = late(
    r"\b(?:I am|I work|I live|I keep|I sit|I run|we are|we work|we keep|we sit|we run|my|our|me|us)"
    r"\b",
    re.IGNORECASE,
)
_SMALL_ZONE: Final = late(
    r"\b(?:on|in|to|is|am|are|keep|work|run|use|follow|observe|as|from|it is)(?: the)? (?P<v>cet"
    r"|cest|utc|gmt|bst|ist|jst|sgt|aest|aedt|pst|pdt|mst|mdt|cst|est|edt|eet|wet|eat|wat|sast"
    r"|gst|pkt|nzt|hkt|(?:pacific|eastern|mountain|central)(?= (?:hours|time)\b|[,.!]|$)"
    r"|europe/\w+|america/\w+|asia/\w+|africa/\w+|australia/\w+"
    r")(?: ?[+-] ?\d{1,2}(?::\d\d)?)?\b",
    re.IGNORECASE,
)
_OF_A_CLOCK: Final = late(
    r"\b(?:column|table|field|timestamps?|csv|export|server|logs?|data|rows?|chart|deadline|flight"
    r"|meeting is|call is|is at|starts|ends|opens|closes|plan|tier|support)\b|\bat \d|\d ?(?:am"
    r"|pm)?"
    r" [A-Z]{3,4}\b|\d:\d\d",
    re.IGNORECASE,
)


def _zone(clause: Clause, _around: str) -> Iterator[str]:
    text = clause.whole
    match = ZONE.search(text)
    small = _SMALL_ZONE.search(text) if match is None else None
    at = match.start() if match is not None else small.start("v") if small is not None else -1
    if at < 0 or clause.other or DENIED.search(text[:at]) or _OF_A_CLOCK.search(text):
        return
    if _MY_TIME.search(text):
        yield match.group() if match is not None else small["v"] if small is not None else ""


_RUNS: Final = late(
    r"\b(?:runs?|running|lives?|sits?|deploys?|hosts?|hosted|operates?|serves?|ships?|home|stack"
    r"|platform|prod|production|services?|workloads?|everything)\b",
    re.IGNORECASE,
)
_LESSER: Final = late(
    r"\b(?:backups?|staging|dev|replicas?|dr|disaster|test|sandbox|failover|secondary|mirror"
    r"|archive|their|his|her|customer|vendor|moved|migrat\w+|cost|cheaper|outage|down)\b",
    re.IGNORECASE,
)


def _region(clause: Clause, _around: str) -> Iterator[str]:
    found = {match.group() for match in REGION.finditer(clause.text)}
    if len(found) != 1 or clause.other or _LESSER.search(clause.text):
        return
    (value,) = found
    if _RUNS.search(clause.text) and not DENIED.search(clause.text.split(value)[0]):
        yield value


_COUNT: Final = (
    r"(?P<v{0}>\d[\d.,]*\d|\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety)"
)
_LEFT: Final = late(
    rf"\b{_COUNT.format(1)} (?:of the |of our )?(?:[\w'-]+ ){{1,4}}?(?:are |is )?(?:left|remain"
    r"|remaining|in stock|on hand|on the shel(?:f|ves)|unsold|to sell|still here)\b"
    rf"|\b{_COUNT.format(4)} (?:[\w'-]+ ){{1,3}}?(?:still )?(?:in|on) (?:the|my|our) (?:store"
    rf"|stockroom"
    r"|storeroom|shelf|shelves|warehouse|depot|shed|cellar|freezer|fridge|pantry|barn|van|garage"
    r"|larder|cabinet|rack)\b"
    rf"|\bdown to (?:the |our |my )?(?:last )?{_COUNT.format(5)} [a-z]+|\b(?:my|our) last "
    rf"{_COUNT.format(6)} [a-z]+s\b|\bmake (?:it|that) {_COUNT.format(7)} [a-z]+s\b"
    rf"|\b(?:leaves?|left) (?:me |us )?(?:with )?(?:only |just |about )?{_COUNT.format(2)} "
    r"(?:[\w'-]+ ){1,3}?(?:in|on|at) the (?:store|shop|shelf|shelves|warehouse|depot|shed|back"
    r"|cellar|freezer|van)\b"
    rf"|\b(?:stock ?take|stock ?count|inventory|count)(?: today)? (?:says|shows|gives|came to"
    rf"|came out at|is)(?: we have)? {_COUNT.format(3)}\b",
    re.IGNORECASE,
)
_NO_GOODS: Final = late(
    r"\b(?:days?|weeks?|hours?|minutes?|months?|years?|people|persons?|questions?|tasks?|tests?"
    r"|tickets?|pages?|chapters?|errors?|issues?|bugs?|emails?|messages?|meetings?|rows?|votes?"
    r"|points?|percent|friends?|teeth|brain|patience|games?|steps?|things|calls?|exams?|lessons?"
    r"|students?|pupils?|customers?|clients?|staff|employees|spots?|places|seats?|rooms?)\b",
    re.IGNORECASE,
)


def _stock(clause: Clause, _around: str) -> Iterator[str]:
    match = _LEFT.search(clause.text)
    if match is not None and not clause.other and not _NO_GOODS.search(match.group()):
        yield first_group(match)


_READERS: Final = (
    ("price", _price),
    ("timezone", _zone),
    ("deploy_region", _region),
    ("stock", _stock),
)


def asserted(clause: Clause, sentence: Sentence) -> bool:
    """Whether a clause is said in earnest and as so: the one test of all that reads by type."""
    return clause.meant and earnest(sentence.text)


def by_type(sentences: Sequence[Sentence], have: frozenset[str | None]) -> Iterator[Found]:
    """The values of slots without one so far, each by what it is and the words beside it."""
    given: set[str] = set()
    for at, sentence in enumerate(sentences):
        before = sentences[at - 1] if at else None
        for clause in sentence.clauses:
            if not asserted(clause, sentence):
                continue
            plain = _IS.sub(" is ", clause.text)
            for slot, reader in _READERS:
                if slot in have or slot in given:
                    continue
                read = clause if plain == clause.text else _with_text(clause, plain)
                for value in reader(read, sentence.text):
                    given.add(slot)
                    yield Found(clause, f"type.{slot}", slot, value, changes=True)
        yield from _of_before(sentence, before, have)
        for found in by_type_of_life(sentence, before, have | given):
            given.add(found.slot or "")
            yield found


def _with_text(clause: Clause, text: str) -> Clause:
    return replace(clause, text=text, whole=_IS.sub(" is ", clause.whole))


def _of_before(
    sentence: Sentence, before: Sentence | None, have: frozenset[str | None]
) -> Iterator[Found]:
    """ "I quoted 40 euros. That's my rate now.": the amount of the sentence before."""
    if before is None or "price" in have or not sentence.clauses:
        return
    found = amounts(before.text)
    clause = sentence.clauses[0]
    if len({*found}) == 1 and _IT_IS.match(clause.text) and asserted(clause, sentence):
        yield Found(clause, "type.price", "price", tidy(found[0]), changes=True)
