"""Values in the words behind a cue: a place, an organisation, a title, a thing, a price."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from muniment.domain.extraction.words import CHANNEL, LANGUAGE, NOT_A_VALUE, ROLE_HEAD
from muniment.domain.late import late
from muniment.domain.text import MONTHS

_NAME = r"[A-ZÀ-ÞĀ-Ž0-9][\w'’&.+/-]*"
_INNER = (
    r"(?:of|de|del|della|di|da|la|le|les|the|upon|on|and|und|&|den|der|van|von|du|des"
    r"|y|al|el|st|am)"
)
_CAPITALISED: Final = late(
    rf"(?:the )?(?P<name>{_NAME}(?:[ -](?:{_INNER} (?:la |le |the )?)?{_NAME})*)"
)
_STOP: Final = late(
    r"[,.!?():;\"]+(?=\s|$)|\s(?:alive|safely|finally)\b|\s[-–—]+\s|\s(?:and(?= (?:I"
    r"|we|it|he|she|they|you|that|the|my|our|now|then|not)\b)|but|so|because|since"
    r"|from|until|till|til"
    r"|which|that|who|whose|where|when|while|if|unless|although|though|as|now|today"
    r"|yesterday|tomorrow|these days"
    r"|currently|again|too|either|also|only|already|anymore|any ?more|any longer"
    r"|at all|full[- ]?time|part[- ]?time"
    r"|here|there|please|for|with|without|by|before|after|during|this|next|last|ever"
    r"|anyway|btw|rather than|instead"
    r"|not|just|like|lately|for ever|forever|more than|than|except|alone|myself"
    r"|to (?:be|me|us|you|do|have|get|make)"
    r"|is|are|was|were|will|has|have|does|do|can|could|would|should|must)\b|[😀-🙏🌀-🗿🚀-🛿]",
    re.IGNORECASE,
)
_PREPOSED = late(
    r"\s(?:in|at|on|of|over|near|around|to|into|under|via|down|up|out|off|over)\b.*$", re.IGNORECASE
)
_LEADING = late(
    r"^(?:(?:the|a|an|my|our|your|some|any|new|called|named|both|all|of|own|good old"
    r"|some sort of|really|pretty|very|quite"
    r"|only|just|currently|now|mostly|mainly|about|around|a bit of|a little|a lot of"
    r"|little|kind of|being a|actually)\s+)+",
    re.IGNORECASE,
)
_MONEY: Final = late(
    r"(?:(?:US|CA|AU|NZ)?[$€£¥]\s?\d+(?:[.,]\d+)*(?:\s?k\b)?"
    r"|\b\d+(?:[.,]\d+)*\s?(?:\$|€|£|¥|dollars?\b|euros?\b|pounds?\b|quid\b|bucks\b"
    r"|cents?\b|yen\b|pesos?\b|rupees?\b|francs?\b"
    r"|dirhams?\b|rand\b|shekels?\b|lira\b|roubles?\b|rubles?\b|won\b(?! (?:the|a|an|by|in|at"
    r"|it)\b)|baht\b|ringgit\b|rupiah\b"
    r"|reais\b|real\b(?! [a-z])|forints?\b"
    r"|koruna\b|dinars?\b|riyals?\b|naira\b|cedis?\b|shillings?\b|zlotys?\b|MAD\b|AED\b|ZAR\b"
    r"|BRL\b|THB\b|SGD\b|HKD\b"
    r"|KES\b|TRY\b|kr\b|kronor\b|kroner\b|krona\b|zloty\b|USD\b|EUR\b|GBP\b|CAD\b|AUD\b|NZD\b|CHF\b"
    r"|JPY\b|INR\b|MXN\b|SEK\b|NOK\b|DKK\b|PLN\b))"
    r"|(?:\b(?:USD|EUR|GBP|CAD|AUD|NZD|CHF|INR|JPY|SEK|NOK|DKK|PLN|MXN|BRL|ZAR|AED|MAD|SGD|HKD"
    r"|KES|NGN|PHP|CZK|HUF|Rs\.?|kr|zł"
    r"|R\$)|₹|₩|₦|₱|₪)\s?\d+(?:[.,]\d+)*",
    re.IGNORECASE,
)
REGION: Final = late(
    r"\b(?:(?:af|ap|ca|cn|eu|il|me|mx|sa|us)(?:-gov)?-(?:north|south|east|west|central"
    r"|northeast|northwest|southeast"
    r"|southwest)-?\d[a-z]?|(?:europe|us|asia|australia|northamerica|southamerica"
    r"|africa|me)-(?:north|south|east|west|central"
    r"|northeast|southeast|southwest|northwest)\d|(?:west|north|east|south|central|uk"
    r"|france|germany|sweden|norway|switzerland"
    r"|brazil|japan|korea|southeast|canada|australia|uae|poland|italy)(?:europe|us"
    r"|eastus|south|west|central|north|eastasia|asia|india|westcentral"
    r"|east)\d?)\b",
    re.IGNORECASE,
)
ZONE: Final = late(
    r"\b(?:(?:UTC|GMT)(?:\s?[+-−]\s?\d{1,2}(?::\d{2})?)?|(?:Africa|America|Asia"
    r"|Atlantic|Australia|Europe|Pacific|Indian)/[A-Z]\w+(?:/[A-Z]\w+)?"
    r"|C?EST|CET|EET|WET|BST|IST|JST|KST|SGT|AEST|AEDT|AWST|NZST|NZDT|PST|PDT|MST"
    r"|MDT|CST|CDT|EDT|HKT|MSK"
    r"|(?:Eastern|Pacific|Mountain|Central|Central European|New Zealand|NZ|UK|London"
    r"|Paris|Berlin|Tokyo|Sydney|India|Indian|Japan|Singapore|Dubai"
    r"|Lisbon|Helsinki|Madrid|Rome|Vienna|Zurich|Warsaw|Athens|Istanbul|Cairo"
    r"|Johannesburg|Cape Town|Mumbai|Delhi|Kolkata|Dhaka|Bangkok|Jakarta|Manila|Seoul"
    r"|Shanghai|Beijing|Taipei|Hong Kong|Brisbane|Melbourne|Perth|Adelaide|Auckland"
    r"|Wellington|Honolulu|Anchorage|Seattle|Vancouver|Los Angeles|Phoenix|New York"
    r"|Boston|Atlanta|Halifax|Bogotá|Lima|Santiago|Buenos Aires|São Paulo|Stockholm"
    r"|Oslo|Copenhagen|Amsterdam|Brussels|Prague|Budapest|Bucharest|Kyiv|Moscow|Tehran"
    r"|Karachi|Colombo|Kathmandu|Reykjavik|Casablanca|Accra|Swedish|Dutch|German"
    r"|French|Spanish|Italian|Brazilian|Mexican|Australian|Chinese|Korean|Hawaii"
    r"|Alaska|Atlantic|Arizona|Texas|California|East Coast|West Coast|local Berlin"
    r"|Nairobi|Lagos|Toronto|Chicago|Denver|Mountain|Irish|Dublin)(?: standard"
    r"| daylight)? time)\b(?!\s?\+)"
)
_ROLE: Final = late(
    rf"(?P<role>(?:[\w/&+'’-]+ ){{0,4}}?{ROLE_HEAD}(?![\w-])"
    rf"(?:(?: (?-i:[A-Z])[\w&-]*){{0,2}} {ROLE_HEAD}(?![\w-]))*)"
    r"(?P<of> of (?:the )?[\w'’&-]+(?: [\w'’&-]+){0,2})?",
    re.IGNORECASE,
)
_HEADS_OF = late(
    r"(?:^|\b)(?:head|director|chief|president|vp|chair|professor|dean"
    r"|vice president)$",
    re.IGNORECASE,
)
_ROLE_BAD = late(
    r"\b(?:of|in|at|on|with|for|from|to|the|a|an|my|your|his|her|their|our|who|not|no"
    r"|like|and|or|is|was|afraid|sure|good|great|big|huge"
    r"|bad|better|terrible|lousy|decent|first|only|more|than|as|morning|night|trusted"
    r"|happy|slow|fast|heavy|light|still|also|just|hoping"
    r"|engineer's|passionate|about|using|all|he|she|being|having|meeting"
    r"|seeing|total|complete|such|same|typical"
    r"|born|avid|keen|proud|careful|nervous)\b",
    re.IGNORECASE,
)
_ADDRESS: Final = late(
    r"(?P<address>(?:(?:[Ff]lat|[Aa]pt\.?|[Aa]partment|[Uu]nit|[Ss]uite"
    r"|[Rr]oom) \w+,? )?(?:\d{1,5}(?:-\d+)*[a-zA-Z]?,? (?:(?:rue|avenue|boulevard|place"
    r"|chemin|quai|allée|rua|calle|via|av\.?|ul\.?|de|la|le|du"
    r"|des) ){0,3}[A-ZÀ-Þ][\w'’.-]+"
    r"(?: (?:[A-ZÀ-Þ][\w'’.-]+|de|la|du|des|of|st\.?)){0,4}"
    r"|(?:[Vv]ia|Viale|Piazza|Rue|Calle|Avenida|Rua|Strada|Corso|Paseo|Plaza|Ul\."
    r"|Ulica)(?: (?:[A-ZÀ-Þ][\w'’.-]+|de|la|del|della|dei|di|da"
    r"|do)){1,4},? \d{1,4}[a-zA-Z]?"
    r"|[A-ZÀ-Þ][\w'’.-]*(?:straße|strasse|straat|gasse|weg|laan|gracht|kade|plein"
    r"|haven|gatan|vej|vägen|gade|katu|tie|allee|platz|dijk|hof"
    r"|markt)[\w'’]*(?: [A-ZÀ-Þ]\w+)? \d{1,4}[a-zA-Z]?"
    r"|[A-Z]-?\d{1,4}[,]? [A-Z][\w'’]+(?: [A-Z][\w'’]+)*"
    r"|[A-ZÀ-Þ][\w'’.-]{3,}(?: [A-ZÀ-Þ][\w'’.-]{2,})? \d{1,4}[a-z]?(?![\w%:.])))"
    r"(?P<more>(?:,? (?:unit|apt\.?|apartment|flat|suite|room|door|bis|box|#)\.? "
    r"?[\dA-Za-z]{1,4}\b)?"
    r"(?:, (?:[A-ZÀ-Þ][\w'’.-]+(?: [A-ZÀ-Þ0-9][\w'’.-]*)*|(?:flat|apt|floor"
    r"|\d+(?:st|nd|rd|th) floor)[ \w]*|(?:ground|first|second|third|fourth|fifth|sixth|top) floor"
    r"|\d{4,5}(?: [A-Z]{2})?(?: [A-ZÀ-Þ][\w'’-]+)?))*)"
)
_NO_STREET = late(
    r"^(?:\d{1,2}(?:st|nd|rd|th)? )?(?:January|February|March|April|May|June|July"
    r"|August|September|October|November|December|(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?"
    r"|Fri|Sat(?:ur)?|Sun)(?:day)?|Week|Q[1-4]|Version|Release|Room"
    r"|Python|Java|Windows|Ubuntu|Gate|Terminal|Level|Grade|Year|Team|Phase"
    r"|Sprint|Chapter|Part|Figure|Table|Site|Dock|Line|Bus|Train|Flight|Order|Ticket"
    r"|Invoice|flat on|flat(?! \w{1,4},? \d)|house|room on|Under|Over|About|From|Since|Until"
    r"|Mine|Only|Just)\b",
    re.IGNORECASE,
)
_QUANTITY: Final = late(
    r"\b\d[\d.,]*(?:\s?(?:units?|pieces?|pcs|items?|boxes|crates|pallets?|kg|kilos?"
    r"|tonnes?|litres?|liters?|bottles?|pairs?|sets?|rolls?|bags?|copies|packs?"
    r"|cases?))?\b",
    re.IGNORECASE,
)

Shape = Callable[[str], str | None]


def tidy(text: str) -> str:
    """A value without what stands around it."""
    return text.strip(" ,.;:!?\"'()-–")


def thing(rest: str) -> str | None:
    """The noun phrase at the head of ``rest``, without its article; None if it names nothing."""
    stop = _STOP.search(rest)
    head = rest if stop is None else rest[: stop.start()]
    head = tidy(_LEADING.sub("", tidy(head)))
    words = head.lower().split()
    if not words or len(words) > 7 or len(head) > 60 or words[0] in NOT_A_VALUE:
        return None
    return head


def short_thing(rest: str) -> str | None:
    """The noun phrase up to its first preposition."""
    found = thing(_PREPOSED.sub("", rest) if not rest.lower().startswith(("in ", "at ")) else rest)
    return found if found is not None and len(found.split()) <= 5 else None


def place(rest: str) -> str | None:
    """A name of a place: the capitalised words, or of one who writes all small one or two words."""
    match = _CAPITALISED.match(rest)
    if match is not None:
        name = re.sub(rf"(?: {_INNER})+$", "", tidy(match["name"]))
        bad = (
            any(char.isdigit() for char in name)
            or re.fullmatch(CHANNEL, name, re.IGNORECASE)
            or name.lower() in NOT_A_VALUE
            or _WEEKDAY_NAME.match(name)
        )
        return None if bad else name
    if rest[:1].isupper() or re.search(r"\b[A-Z]", rest):
        return None
    found = short_thing(rest)
    if (
        found is None
        or not re.fullmatch(_SMALL_PLACE, found, re.IGNORECASE)
        or rest.startswith(("a ", "an ", "the ", "my ", "our "))
    ):
        return None
    return None if _COMMON_PLACE.search(found) else found


_SMALL_PLACE = (
    r"(?:(?:new|san|los|las|north|south|east|west|st|saint|port|fort|cape|el|la|santa"
    r"|hong|buenos|rio de|tel|kuala|salt lake|mexico|sao|são|den|the) )?[\w'-]+"
)
_COMMON_PLACE = late(
    r"\b(?:flat|house|home|shape|touch|mind|line|control|sync|heart|general|person"
    r"|private|public|part|bed|tune|contact|office|apartment|room|place|city|town"
    r"|country|village|shop|bed|meeting|team|car|hospital|hotel|airport"
    r"|train|shower|holiday|vacation|peace|pain|hell|charge|fear|love|hope|trouble"
    r"|town|court|school|prison|weekly|daily|monthly|another|new)\b",
    re.IGNORECASE,
)
_NO_ORGANISATION = late(
    r"^(?:home|night|day|least|most|first|last|once|all|the moment|work|a|an|my|our"
    r"|the|this|that|their|his|her|noon|midnight|lunch|dinner"
    r"|school|peace|risk|it|them|scale|times|present|office|weekends?|sea|hand|ease"
    r"|large|\d.*)$|^(?:the|a|an) [a-z]",
    re.IGNORECASE,
)


def organisation(rest: str) -> str | None:
    """A name of an organisation: the capitalised words, or one small word."""
    if re.match(r"[A-Z]{3} ?\d", rest):
        return None
    match = _CAPITALISED.match(rest)
    if match is not None and not match["name"][0].isdigit():
        name = re.split(r"\s+(?:and|on|in|at)$", tidy(match["name"]))[0]
        if re.match(
            r" (?:project|team|programme|initiative|channel|meeting|plan|tier)\b",
            rest[match.end() :],
        ):
            return None
        return None if ZONE.fullmatch(name) or _WEEKDAY_NAME.match(name) else name
    found = short_thing(rest)
    if (
        found is None
        or len(found.split()) > 1
        or _NO_ORGANISATION.match(rest.split(",")[0].strip())
    ):
        return None
    return None if _NO_ORGANISATION.match(found) or not found.isascii() else found


_WEEKDAY_NAME = late(
    rf"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|(?:{'|'.join(MONTHS).title()})\b"
)


def title(rest: str) -> str | None:
    """A title of a job: the words up to one that names a job ("team lead", "head of planning")."""
    start = re.match(
        r"(?:the |a |an |our |their |now |new |newest |also |still "
        r"|currently |actually |really |just |plain |mere |humble |simple |regular |ordinary "
        r"|lowly |only )*",
        rest,
    )
    text = rest[start.end() if start else 0 :]
    match = _ROLE.match(text)
    if match is None or _ROLE_BAD.search(
        match["role"].rsplit(" ", 1)[0] if " " in match["role"] else ""
    ):
        return None
    role = match["role"]
    if match["of"] and _HEADS_OF.search(role):
        role += re.split(
            r"\b(?:at|for|in|since|and|here|now|from|with)\b", match["of"].replace(" the ", " ")
        )[0].rstrip()
    return tidy(role)


def region(rest: str) -> str | None:
    """A region of a cloud."""
    match = REGION.search(rest)
    return None if match is None else match.group()


_CITY_TIME: Final = late(
    r"(?:(?:\b(?:on|in|to|by) )|^)(?P<zone>(?!(?:The|My|Our|Some|Any"
    r"|This|That|First|Last|Next|Long|Full|Part|Short|Real|Lead|Half"
    r"|Every|No|Big|Good|Great|Free|Prime|Over|Dinner|Lunch|Quality"
    r"|Summer|Winter|School|Bed|Tea|What|Each|Same|Take|On|In)\b)"
    r"[A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+){0,2} [Tt]ime)\b"
)


def zone(rest: str) -> str | None:
    """A time zone by name or offset."""
    match = ZONE.search(rest)
    named = _CITY_TIME.search(rest) if match is None else None
    if named is not None:
        return named["zone"]
    return None if match is None else match.group()


def language(rest: str) -> str | None:
    """A language."""
    match = re.match(
        rf"(?:(?:mostly|in|only|always|fluent|native|my|the) )*({LANGUAGE})\b", rest, re.IGNORECASE
    )
    return None if match is None else match[1]


def channel(rest: str) -> str | None:
    """A way to reach somebody."""
    match = re.match(
        rf"(?:(?:my|the|a|an|our|work|via|by|on|me|still|always|in) )*({CHANNEL})\b",
        rest,
        re.IGNORECASE,
    )
    return None if match is None else match[1]


def money(rest: str) -> str | None:
    """An amount with its currency."""
    match = _MONEY.search(rest)
    return None if match is None else tidy(match.group())


def amounts(text: str) -> list[str]:
    """Every amount with its currency, in order."""
    return [match.group() for match in _MONEY.finditer(text)]


def quantity(rest: str) -> str | None:
    """A number, with the unit behind it."""
    match = _QUANTITY.search(rest)
    return None if match is None else tidy(match.group())


_SMALL_ADDRESS: Final = late(
    r"\b\d{1,5}[a-z]? (?:(?:[a-z]+|\d{1,3}(?:st|nd|rd|th)) ){1,3}(?:street|st|avenue|ave|road|rd"
    r"|lane|ln|boulevard|blvd|drive"
    r"|court|ct|square|terrace|crescent|gardens|parkway|highway)\b(?:,? (?:unit|apt|flat|suite"
    r"|#) ?\w{1,4})?"
)


def address(text: str) -> str | None:
    """A street with its number."""
    small = _SMALL_ADDRESS.search(text)
    if small is not None and not _NO_STREET.match(small.group()):
        return small.group()
    for match in _ADDRESS.finditer(text):
        found = tidy(match["address"] + (match["more"] or ""))
        if not _NO_STREET.match(found) and _MONEY.search(found) is None:
            return found
    return None


SHAPES: Final[Mapping[str, Shape]] = {
    "city": place,
    "employer": organisation,
    "role": title,
    "timezone": zone,
    "language": language,
    "address": address,
    "deploy_region": region,
    "contact_channel": channel,
    "price": money,
    "stock": quantity,
}
"""How a value of a default slot looks; of any other slot by its type."""


def shape_of(slot: str, value_type: str) -> Shape:
    """How the value of a slot is found in the words behind a cue."""
    known = SHAPES.get(slot)
    if known is not None:
        return known
    return quantity if value_type == "number" else thing


_AND = late(
    r"\s*(?:,\s*(?:and |or )?|\s(?:and|or|nor|as well as|&)\s(?:also |in |to )?)\s*", re.IGNORECASE
)


_ORDERS: Final = late(
    r"(?:skip|please|keep|leave|avoid|no|not|just|only|thanks|can|could"
    r"|so|order|pick|choose|book|make|get|find"
    r"|bring|remember|note|never|always|do|watch|check|be|use|take|put"
    r"|let|try|send|give|show|tell|ask|call|any|what"
    r"|which|who|how|where|when|is|are|hence|therefore|nothing|especially|mostly)\b",
    re.IGNORECASE,
)


def several(rest: str, shape: Shape) -> list[str]:
    """The values of a list ("R and in SAS", "prawns, crab"): every part has to be one."""
    values: list[str] = []
    for part in _AND.split(rest):
        if values and _ORDERS.match(part):
            break
        value = shape(part)
        if value is None:
            break
        values.append(value)
        if tidy(part) != value and not re.fullmatch(
            rf"(?:the |a |an |any |all |my )?{re.escape(value)}", tidy(part), re.IGNORECASE
        ):
            break
    return values
