"""Whether a name is a firm's or a place's, and what one does for a firm.

"in X" is where one lives, and "at X" or "with X" where one works, unless the name says otherwise:
a firm by its form ("Nordfracht", "Tull Engineering", "R&B"), or by work spoken of beside it; a
place by being a well-known one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.grammar import Subject, Tense, read_clause
from muniment.domain.extraction.values import ZONE, organisation, place
from muniment.domain.extraction.words import TITLED_NAME
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late
from muniment.domain.text import MONTHS

_KINDS: Final = (
    r"Hospital|Bank|Labs?|Inc|Ltd|GmbH|University|College|Clinic|Group|Freight|Airlines|School"
    r"|Department|Agency|AG|BV|LLC|Corp|Company|Institute|Partners|Systems"
    r"|Software|Technologies|Studios?|Media|Energy|Foods|Logistics|Insurance|Capital"
    r"|Consulting|Solutions|Industries|Motors|Pharma|Council|Ministry|Museum|Press|Services"
    r"|Foundation|Trust"
)
_ORGANISATION: Final = late(rf"\b(?:{_KINDS}|Centre|Center)\b")
_AT_THE_END: Final = (
    r"NV|SA|PLC|plc|Co|Tech|Engineering|Dental|Plumbing|Electric|Electrical|Roofing|Steel|Timber"
    r"|Brewery|Bakery|Dairies|Textiles|Robotics|Analytics|Networks|Telecom|Transport|Shipping"
    r"|Ceramics|Games|Books|Builders|Construction|Interiors|Architects|Solicitors|Legal|Health"
    r"|Healthcare|Pharmacy|Vets|Veterinary|Catering|Travel|Tours|Events|Recruitment|Mobile"
    r"|Digital|Design|Printing|Packaging|Chemicals|Materials|Aerospace|Automotive|Biotech"
)
_FIRM: Final = late(
    rf"\b(?:{_KINDS}|{_AT_THE_END})\.?$|\w ?& ?\w|\band (?:Sons|Daughters|Co)\b|[a-z][A-Z]"
    r"|\w(?:fracht|freight|soft|tech|works|werke?|ware|bank|corp|trans|logistics?|media|pharma"
    r"|tronics?|systems|labs?|cart|desk|pay|cloud|data|net)$",
)
_KNOWN: Final = late(
    r"(?:Accenture|Adidas|Airbus|Aldi|Amazon|Apple|Audi|Barclays|BASF|Bayer|BMW|Boeing|Bosch|Cisco"
    r"|Deloitte|DHL|Dell|Ericsson|EY|FedEx|Ford|Google|Heineken|Honda|HSBC|IBM|IKEA|Ikea|Infosys"
    r"|ING|Intel|KPMG|Lidl|Lufthansa|Maersk|McKinsey|Meta|Microsoft|Nestl[eé]|Netflix|Nike|Nokia"
    r"|Novartis|Oracle|Pfizer|Philips|PwC|Renault|Roche|Samsung|SAP|Shell|Siemens|Sony|Spotify"
    r"|TCS|Tesco|Tesla|Toyota|Uber|Unilever|UPS|Vodafone|Volkswagen|Volvo|Walmart|Wipro)"
)
_PLACES: Final = late(
    r"(?:Aberdeen|Abu Dhabi|Accra|Adelaide|Alicante|Almere|Amersfoort|Amsterdam|Ankara|Antwerp"
    r"|Arnhem|Athens|Atlanta|Auckland|Austin|Baltimore|Bangalore|Bangkok|Barcelona|Basel|Bath"
    r"|Beijing|Beirut|Belfast|Belgrade|Bengaluru|Bergen|Berlin|Bern|Bilbao|Birmingham|Bogot[aá]"
    r"|Bologna|Bonn|Bordeaux|Boston|Bratislava|Breda|Bremen|Brighton|Brisbane|Bristol|Brno"
    r"|Bruges|Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Calgary|Cambridge|Canberra"
    r"|Cape Town|Cardiff|Casablanca|Chennai|Chicago|Cluj|Cologne|Copenhagen|Cork|Dakar|Dallas"
    r"|Delft|Delhi|Denver|Detroit|Doha|Dortmund|Dresden|Dubai|Dublin|Dundee|Durban|Durham"
    r"|D[uü]sseldorf|Edinburgh|Eindhoven|Essen|Exeter|Florence|Frankfurt|Galway|Gda[nń]sk|Geneva"
    r"|Genoa|Ghent|Glasgow|Gothenburg|Granada|Graz|Groningen|Haarlem|Halifax|Hamburg|Hanoi"
    r"|Hanover|Helsinki|Hong Kong|Houston|Hull|Hyderabad|Istanbul|Jakarta|Jerusalem"
    r"|Johannesburg|Kampala|Karachi|Kigali|Kolkata|Krak[oó]w|Kuala Lumpur|Kyiv|Kyoto|Lagos"
    r"|Lausanne|Leeds|Leicester|Leiden|Leipzig|Leuven|Lille|Lima|Limerick|Lisbon|Liverpool"
    r"|Ljubljana|London|Los Angeles|Lviv|Lyon|Maastricht|Madrid|Malaga|Malm[oö]|Manchester"
    r"|Manila|Marseille|Melbourne|Mexico City|Miami|Milan|Minneapolis|Montevideo|Montreal"
    r"|Moscow|Mumbai|Munich|Nagoya|Nairobi|Nantes|Naples|Nashville|Newcastle|New Delhi"
    r"|New York|Nice|Nicosia|Norwich|Nottingham|Nuremberg|Oakland|Odense|Osaka|Oslo|Ottawa"
    r"|Oxford|Palermo|Paris|Perth|Philadelphia|Phoenix|Pittsburgh|Plymouth|Porto|Portland"
    r"|Prague|Pune|Quebec|Quito|Reykjavik|Riga|Rio|Rio de Janeiro|Rome|Rotterdam|Salzburg"
    r"|San Diego|San Francisco|Santiago|S[aã]o Paulo|Sapporo|Seattle|Seoul|Seville|Shanghai"
    r"|Sheffield|Singapore|Sofia|Southampton|Split|Stockholm|Strasbourg|Stuttgart|Sydney"
    r"|Taipei|Tallinn|Tampere|Tbilisi|Tehran|Tel Aviv|The Hague|Tilburg|Tokyo|Toronto"
    r"|Toulouse|Trieste|Trondheim|Tunis|Turin|Turku|Utrecht|Valencia|Vancouver|Venice|Vienna"
    r"|Vilnius|Warsaw|Washington|Wellington|Winnipeg|Wroc[lł]aw|York|Zagreb|Z[uü]rich|Zwolle"
    r"|Argentina|Australia|Austria|Belgium|Brazil|Canada|Chile|China|Croatia|Denmark|Egypt"
    r"|England|Estonia|Finland|France|Germany|Ghana|Greece|Hungary|Iceland|India|Indonesia"
    r"|Ireland|Israel|Italy|Japan|Kenya|Latvia|Lithuania|Luxembourg|Malaysia|Malta|Mexico"
    r"|Morocco|Nepal|Netherlands|New Zealand|Nigeria|Norway|Pakistan|Peru|Philippines|Poland"
    r"|Portugal|Romania|Scotland|Serbia|Slovakia|Slovenia|South Africa|Spain|Sweden"
    r"|Switzerland|Taiwan|Thailand|Tunisia|Turkey|Ukraine|Vietnam|Wales|Texas|California"
    r"|Florida|Ohio|Ontario|Bavaria|Cornwall|Devon|Kent|Brooklyn|Queens|USA?|UK)"
)
_SETTLED: Final = late(
    r".*(?:ton|ham|bridge|ford|ville|burgh?|stadt|dorf|ingen|wick|bury|mouth|pool|shire|dale"
    r"|chester|stead|hurst|minster|port|berg|haven|furt|holm|grad|polis|veen)"
)
"""How the names of towns end, and those of some firms too: neither is said of such."""
_DEPARTMENTS: Final = late(
    r"(?:the )?(?:Accounting|Accounts|Admin|Billing|Compliance|Design|Engineering|Facilities"
    r"|Finance|HR|Human Resources|IT|Legal|Logistics|Marketing|Operations|Ops|Payroll|People"
    r"|Procurement|Product|Purchasing|QA|R&D|Research|Sales|Security|Support|Treasury)"
)
_WORK: Final = late(
    r"\b(?:jobs?|hired|contract|colleagues?|employer|boss|salary|probation|onboarding|offer"
    r"|notice|team|department|role|career|secondment|placement|internship|apprenticeship)\b",
    re.IGNORECASE,
)


def is_firm(name: str) -> bool:
    """Whether a name is a firm's by its form."""
    known = _FIRM.search(name) is not None or _KNOWN.fullmatch(name) is not None
    return known and not is_place(name)


def is_place(name: str) -> bool:
    """Whether a name is that of a well-known place."""
    return _PLACES.fullmatch(name) is not None


def joined(found: Iterable[Found], clause: Clause) -> list[Found]:
    """A move to an organisation, or into a job, is no move to a place."""
    job = re.search(r",? as (?:an? |the |their )?\w+", clause.text) is not None
    return [
        replace(one, slot="employer")
        if one.slot == "city"
        and (
            _ORGANISATION.search(one.value or "")
            or (job and re.search(r"\b(?:chang|mov|switch|go)\w* to\b", clause.text))
        )
        else one
        for one in found
    ]


def settled(found: Iterable[Found], sentences: Sequence[Sentence]) -> Iterator[Found]:
    """What was found, where a firm was taken for a city or a city for a firm, under its slot."""
    told = [*found]
    employed = any(one.slot == "employer" for one in told)
    working = any(_WORK.search(one.text) for one in sentences)
    for one in told:
        name = one.value or ""
        if one.slot == "city" and not is_place(name) and one.rule != "home.move_in":
            lone = len([other for other in told if other.slot == "city"]) == 1
            bare = one.rule in ("home.in", "home.idiom") and lone and not employed
            if is_firm(name) or (bare and working and not _ends_like_a_town(name) and _comes(one)):
                yield replace(one, slot="employer")
                continue
        if one.slot == "employer" and one.rule in ("work.now", "work.will_be") and is_place(name):
            if re.search(rf"\bwith {re.escape(name)}\b", one.clause.text) is None:
                yield replace(one, slot="city")
            continue
        if one.slot == "city" and _DEPARTMENTS.fullmatch(name):
            continue
        yield one


def _ends_like_a_town(name: str) -> bool:
    return any(_SETTLED.fullmatch(word) is not None for word in name.lower().split())


def _comes(one: Found) -> bool:
    """Whether it is so from a time on that is named."""
    return _FROM.search(one.clause.whole) is not None


_FROM: Final = late(
    rf"\b(?:from|as of|starting|since) (?:the |next |this )?(?:\d|\w+ \d|{'|'.join(MONTHS)}|week"
    r"|month|year|summer|spring|autumn|fall|winter|\w+day|tomorrow|today)",
    re.IGNORECASE,
)
_WILL_BE: Final = late(
    rf"^{LEAD}(?:(?:from|as of|starting) (?:next )?\w+,? (?:on,? )?)?(?:I|we) (?:will"
    r"|shall|am going to|are going to) be (?P<how>in|at|with) (?:the )?"
    r"(?P<name>(?-i:[A-ZÀ-Þ])\S*.*)",
    re.IGNORECASE,
)
_MONTH: Final = late(
    rf"\b(?:from|as of|starting) (?:next month|next year|(?:next )?(?:{'|'.join(MONTHS)}))\b"
    r"(?! (?:to|until|till|through)\b)",
    re.IGNORECASE,
)
_FOR_A_WHILE: Final = late(
    r"\b(?:for(?! good)|until|till|visit\w*|holidays?|trip)\b", re.IGNORECASE
)


def from_then(clause: Clause) -> Iterator[Found]:
    """Where one will live or work from a month on: "From May I'll be with Tessel"."""
    match = _WILL_BE.match(clause.text)
    if match is None or not clause.stated or _MONTH.search(clause.whole) is None:
        return
    if _FOR_A_WHILE.search(clause.whole):
        return
    name = re.split(r" (?:from|as of|starting)\b", match["name"])[0]
    if match["how"] == "in":
        there = place(name)
        if there is not None:
            yield Found(clause, "home.in", "city", there, changes=True)
    elif (org := organisation(name)) is not None:
        yield Found(clause, "work.will_be", "employer", org, changes=True)


_HELLO: Final = (
    r"(?i:(?:hi+|hello|hey|hiya|good (?:morning|afternoon|evening|day)|morning|afternoon|evening"
    r"|dear \w+|greetings|there|all|again|everyone|team|so|ok|well)[ ,.!:]*)*"
)
_NAME: Final = TITLED_NAME
_CALLER: Final = late(
    rf"^{_HELLO}(?:(?P<says>(?i:this is|it is|my name is|the name is|I am|you are speaking (?:to"
    rf"|with))) (?P<a>{_NAME})|(?P<b>{_NAME})) (?P<how>from|of|with|at|over at|calling from"
    r"|writing from|out of) (?:the |team )?(?P<org>[A-ZÀ-Þ]\S*.*)"
)
_SIGNS: Final = late(r",? (?:here|speaking|on the line)(?=$|[,.!;])", re.IGNORECASE)


def caller(sentences: Sequence[Sentence], speaker: str | None) -> Iterator[Found]:
    """Name and firm of one who reports as firms do: "This is Petra from Nordfracht"."""
    for sentence in sentences[:2]:
        if not sentence.clauses or not sentence.clauses[0].meant:
            continue
        match = _CALLER.match(sentence.text)
        if match is None:
            continue
        name = match["a"] or match["b"]
        known = speaker is not None and bool(
            {*name.casefold().split()} & {*speaker.casefold().split()}
        )
        signs = _SIGNS.search(match["org"])
        org = organisation(match["org"][: signs.start()] if signs else match["org"])
        if org is None or (speaker is not None and not known) or _no_firm(org, match):
            return
        if match["b"] and signs is None:
            return
        yield Found(sentence.clauses[0], "intro.caller", "name", name)
        yield Found(sentence.clauses[0], "intro.caller", "employer", org, changes=True)
        return


def _no_firm(org: str, match: re.Match[str]) -> bool:
    if is_firm(org) and not _DEPARTMENTS.fullmatch(org):
        return False
    if is_place(org) or _DEPARTMENTS.fullmatch(org) or ZONE.fullmatch(org):
        return True
    # "I am Sam from Tessel": of one who does not report, it is as well a village.
    of_a_place = match["how"] in ("from", "of", "out of")
    reports = match["says"] is None or match["says"].lower() in ("this is", "it is")
    return of_a_place and (not reports or _ends_like_a_town(org))


_NO_TRADE: Final = word_set(
    """
    be work have start begin join sign move change go switch get take live leave return report sit
    belong stay come want need like love hate know hope plan apply
    """
)


def occupations(taken: Iterable[Found]) -> Iterator[Found]:
    """What one does for a firm, of which a slot has only the name: "I drive a bus for Tull"."""
    told = [*taken]
    for one in told:
        if one.slot != "employer" or one.retracts or one.value is None:
            continue
        at = one.clause.sentence
        if any(other.slot in ("role", "skill") and other.clause.sentence == at for other in told):
            continue
        reading = read_clause(one.clause.whole)
        if (
            reading is not None
            and reading.subject is Subject.USER
            and reading.tense is Tense.PRESENT
            and not (reading.negated or reading.passive)
            and reading.verb not in _NO_TRADE
            and one.value in reading.rest
        ):
            yield Found(one.clause, "fact.occupation", text=one.clause.whole)
            return
