"""Who the user is: name, role, employer, home and languages, beyond what cues find."""

import re
from collections.abc import Iterator

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.values import address, organisation, place, tidy, title, zone
from muniment.domain.extraction.words import ENDS_NAME, HABIT, LANGUAGE, ROLE_HEAD, first_group
from muniment.domain.late import late

_PERSON_NAME = (
    r"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-ZÀ-ÞĀ-Ž][\w'’-]+(?: (?:van |de |von "
    r"|der |den |al |bin )*[A-ZÀ-ÞĀ-Ž][\w'’-]+){0,2})"
)
_MY_NAME = late(
    rf"(?:.*\b)?[Mm]y (?:full |real |first )?name(?: is|'s|:) (?:actually )?{_PERSON_NAME}"
    r"|(?:.*\b)?(?:[Ii] am called|[Ii] go by|[Yy]ou can call me|[Pp]eople call me"
    r"|[Ee]veryone calls me|[Jj]ust call me"
    rf"|[Cc]all me) {_PERSON_NAME.replace('?P<name>', '?P<called>')}"
)
_I_AM = late(
    rf"(?i:{LEAD})(?P<it>I am|I'm|[Tt]his is|[Ii]t is"
    rf"|[Mm]e is) (?-i:{_PERSON_NAME})(?=[,.!:]| (?:here|from|and|at|by|speaking|again"
    r"|over|in|who)\b|$)"
)
_HERE = late(
    rf"(?i:{LEAD})(?:[A-Za-zÀ-ÿ ]{{2,16}}[,!] )?(?-i:{_PERSON_NAME}) (?:here"
    r"|speaking)\b|^(?P<small>[a-z]+) here\b"
)
_ITS_SMALL = late(
    r"^(?:(?:yo|hey|hi|hello|heyy+|sup|so)[ ,!]*)+(?:it is|this is|I am|its"
    r"|it's) (?P<name>[a-z]{2,14})[.!]*$",
    re.IGNORECASE,
)
NOT_A_NAME = late(
    r"^(?:English|German|French|Dutch|Spanish|Italian|American|British|Indian|Chinese"
    r"|Japanese|Irish|Scottish|Canadian|Australian|Mexican|Brazilian|Polish"
    r"|Swedish|Danish|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January"
    r"|February|March|April|May|June|July|August|September|October"
    r"|November|December|Christmas|Easter|CEO|CTO|CFO|VP|OK|Not|So|In|On|At|The|A|An"
    r"|New|Still|Sorry|Glad|Happy|Back|Sure|Done|Fine|Good|Ready"
    r"|Muslim|Jewish|Catholic|Christian|Buddhist|Hindu|Vegan|Vegetarian|European|Asian"
    r"|African|Russian|Ukrainian|Greek|Turkish|Swiss|Austrian|Belgian"
    r"|Norwegian|Finnish|Portuguese|Korean|Vietnamese|Nigerian|Kenyan|Welsh|Same"
    r"|Nothing|Everything|Nobody|Somebody|Someone|Anybody|Everybody|From|Also|Only|Just|Working"
    r"|Here)\b",
    re.IGNORECASE,
)
_ROLE_BY_AT = late(
    r"(?:^|.*?, |.*?\b(?:as|am|become|became|I work as|be|is) )(?:the |an? "
    r"|our )?(?P<role>(?:(?!I\b|we\b|my\b|and\b|or\b|to\b|of\b|at\b"
    rf"|in\b)[\w/&+'’-]+ ){{0,4}}?{ROLE_HEAD})"
    r"(?P<of> (?:of|for|on) [\w &'’-]{3,40}?)?,? (?:over )?(?:at|with|@) (?:the )?(?P<org>\S.*)",
    re.IGNORECASE,
)
_APPOSED = late(
    r"^(?:,| here,| -|:)\s*(?:the |an? "
    rf"|your )?(?P<rest>(?:[\w/&+'’-]+ ){{0,4}}?{ROLE_HEAD}\b.*)",
    re.IGNORECASE,
)
_ACTIVITY = late(
    rf"{LEAD}(?:I|we) (?:am |are )?(?:currently |mainly |mostly )?(?:do|doing|handle"
    r"|handling|run|running|manage|managing|look(?:ing)? after|lead|leading|head"
    rf"|heading) (?P<what>(?!not\b)[\w/& -]{{3,40}}?) "
    r"(?:over )?(?:at|in|for|with) (?:the )?(?P<org>[A-ZÀ-Þ]\S*.*)$",
)
_AS_ROLE = late(r",? as (?P<rest>(?:the |an? |their )?\S.*)$", re.IGNORECASE)
_MY_LAST = late(
    r"\b(?:my|our) (?:very )?last (?:\w+ )?(?:day|days|week|weeks|minutes|hours|shift"
    r"|month)s? (?:is |are )?(?:at|with|in|for) (?P<org>\S.*)",
    re.IGNORECASE,
)
_LEFT = late(
    rf"{LEAD}(?:I|we) (?:have |had )?(?:just |finally |now )?(?:left|quit"
    r"|resigned from) (?P<org>[A-Z]\S*.*)",
    re.IGNORECASE,
)
_FROM_ON = late(
    r"^(?:it is|it will be|I am with|I am at|I will be (?:at|with)|you will find me at"
    r"|I work (?:for|at)) (?:the )?(?P<org>[A-ZÀ-Þ]\S*.*)"
)
_AT_ORG = late(
    rf"{LEAD}(?:I am|we are|I'm) (?:now |still |currently |back )?(?:at"
    r"|with) (?:the )?(?P<org>[A-ZÀ-Þ]\S*.*)"
)
_VISITING = late(
    r"\b(?:this week|next week|today|tonight|for the (?:day|week|weekend|fair"
    r"|conference|summit|offsite|audit|night|wedding|holidays?|meeting|festival)"
    r"|for a (?:few|couple|week|conference|wedding|meeting|visit|trip)"
    r"|visiting|on holiday|on vacation|at the moment|right now|for (?:\w+ )?(?:days"
    r"|weeks|nights|hours)|on business|passing through|on a trip|until|back on"
    r"|for work|this month|a meeting|love|just for)\b",
    re.IGNORECASE,
)
_I_AM_IN = late(
    rf"{LEAD}(?:I am|we are) (?P<adv>(?:now|still|based|back|living|currently|over"
    r"|right) )*(?:in|at) (?P<rest>[^ ].*)",
    re.IGNORECASE,
)
_MOVE_IN_WITH = late(
    rf"{LEAD}(?:I|we) (?:am |are |will |shall |have )*(?:move|moved"
    rf"|moving) in with [\w' ]{{2,25}}? (?:in|at) (?P<rest>\S.*)",
    re.IGNORECASE,
)
_JUST_IN = late(
    r"^(?:(?:so|and|but|well|hi|hey)[ ,]+)*(?:I am|we are) (?:over |up "
    r"|down )?in (?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)(?:,? (?:by the way|btw|here"
    r"|too|as well|anyway))?[.!]*$",
    re.IGNORECASE,
)
_HOME_MARK = late(
    r"\b(?:now|like before|as before|as always|still|til the lease|until the lease"
    r"|based|living|permanently|since|these days|for good|from now on|all year)\b",
    re.IGNORECASE,
)
_LANGUAGE_WITH = late(
    r"\b(?:with you,? (?:I )?(?:always |only |mostly )?(?:speak |write |use "
    rf"|talk )?(?P<a>{LANGUAGE})\b|(?:speak|talk|write|use|prefer|stick to"
    rf"|keep to) (?:\w+ )?(?P<b>{LANGUAGE}) (?:with you|to you|when you|with everybody"
    r"|please)"
    r"|(?:^|(?:answer|reply|respond|write|talk|speak)(?: to)?(?: me)?(?: only"
    rf"| always)? )in (?P<c>{LANGUAGE})(?:,? please| from now on|$|\.|,| only)"
    rf"|^(?:so )?(?P<d>{LANGUAGE}),? (?:please|it is)\b"
    rf"|my (?:working |first |native |main )?language is (?P<e>{LANGUAGE})\b"
    rf"|mother tongue is (?P<f>{LANGUAGE})|^so (?P<g>{LANGUAGE})\.?$)",
    re.IGNORECASE,
)
_ADDRESS_HINT = late(
    r"\b(?:mov(?:e|ed|ing)|shifted|relocated|address|flat|apartment|house|live|living"
    r"|reside|lives|sent to|send|ship|deliver(?:y|ed|ies)?|post(?:ed)?"
    r"|parcels?|packages?|letters?|write to me|place|letter box|mail"
    r"|street|come to|place is|home is"
    r"|office|headquarters|hq|find (?:me|us) at|we are at|am at|stay|based)\b",
    re.IGNORECASE,
)
_NOT_MY_ADDRESS = late(
    r"\b(?:restaurant|hotel|meeting|conference|venue|customer|client|visit"
    r"|signed the lease|shop|store|garage|clinic|dentist|doctor|party|let them"
    r"|pick ?up|supplier)\b",
    re.IGNORECASE,
)
_MOVED_BARE = late(
    rf"{LEAD}(?:I|we) (?:have )?(?:finally |just )?(?:moved|relocated|settled in|landed"
    r"|arrived)(?: house| in)?[,.!]*$",
    re.IGNORECASE,
)
_ZONE_CONTEXT = late(
    r"\b(?:I am|we are|which is|on|my clock|work|works|time ?zone|in|everything"
    r"|times? (?:are|in|is)|goes on|stay)\b",
    re.IGNORECASE,
)
_ZONE_OF_DATA = late(
    r"\b(?:column|table|field|timestamps?|ts\b|\w+_\w+|csv|export|server|logs?|meeting"
    r"|call|deadline|flight|train|release|data|starts?|ends?|arrives?|departs?|at \d)",
    re.IGNORECASE,
)


def names(clause: Clause, speaker: str | None) -> Iterator[Found]:
    """The user's name."""
    match = (
        _MY_NAME.match(clause.text)
        or _I_AM.match(clause.text)
        or _HERE.match(clause.text)
        or _ITS_SMALL.match(clause.text)
    )
    if match is None:
        return
    groups = match.groupdict()
    rule = "name.called" if groups.get("called") else "name.said"
    name = groups.get("name") or groups.get("called") or groups.get("small") or ""
    small = name.islower()
    known = speaker is not None and name.split()[-1].casefold() in (
        *speaker.casefold().split(),
        speaker.casefold(),
    )
    if (
        NOT_A_NAME.match(name)
        or re.fullmatch(ROLE_HEAD, name, re.IGNORECASE)
        or place_like(name, clause.text)
        or (small and not known)
    ):
        return
    if (
        (groups.get("it") or "I am").lower() in ("it is", "this is")
        and not known
        and (speaker is not None or clause.dates or clause.sentence > 0)
    ):
        return
    if groups.get("called") and speaker is not None and not known:
        return
    if not known and speaker is not None and match.re is _HERE:
        return
    yield Found(clause, rule, "name", tidy(name))
    rest = _APPOSED.match(clause.text[match.end() :])
    role = None if rest is None else title(rest["rest"])
    if role is not None:
        yield Found(clause, "role.apposed", "role", role)


def place_like(name: str, text: str) -> bool:
    """Whether a capitalised word is said to be somewhere rather than somebody."""
    return re.search(rf"\b(?:in|to|at|from) {re.escape(name)}\b", text) is not None


def named_first(sentence: Sentence, speaker: str | None) -> Iterator[Found]:
    """ "Ngozi, data engineer over at Palmcart": the name that the session knows, apposed."""
    if speaker is None:
        return
    for clause in sentence.clauses:
        match = re.match(rf"{LEAD}(?:.*: )?({re.escape(speaker)})(?=,)", clause.text, re.IGNORECASE)
        if (
            match is not None
            and clause.meant
            and re.search(rf"{ROLE_HEAD}\b", clause.text, re.IGNORECASE)
        ):
            yield Found(clause, "name.apposed", "name", match[1])
            role = _APPOSED.match(clause.text[match.end() :])
            found = None if role is None else title(role["rest"])
            if found is not None:
                yield Found(clause, "role.apposed", "role", found)


def work(clause: Clause) -> Iterator[Found]:
    """Role and employer said together, and ends of employment."""
    match = _ROLE_BY_AT.match(clause.text)
    if match is not None and re.match(
        rf"{LEAD}(?:[A-Za-zÀ-ÿ ]{{2,16}}[,!] )?(?:I|we|[A-ZÀ-Þ][\w'’-]+,"
        r"|[A-ZÀ-Þ][\w'’-]+ here|\w+ here|my name)\b",
        clause.text,
    ):
        org = organisation(match["org"])
        if (
            org is not None
            and title(match["role"]) is not None
            and not re.search(r"\b(?:was|were|used to|not|no)\b", clause.text[: match.start("org")])
        ):
            yield Found(clause, "work.at", "employer", org)
    activity = _ACTIVITY.match(clause.text)
    if (
        activity is not None
        and " at " not in activity["what"]
        and (org := organisation(activity["org"])) is not None
    ):
        # "I do the books at Harmon": that is what one does, and no title.
        if re.match(r"(?:the|our|all|an?|my) ", activity["what"]) is None:
            yield Found(clause, "work.activity", "role", tidy(activity["what"]))
        yield Found(clause, "work.activity", "employer", org)
    yield from _ends(clause)
    for pattern in (
        _AT_ORG,
        *((_FROM_ON,) if any(one.part == "from" for one in clause.dates) else ()),
    ):
        match = pattern.match(clause.text)
        if (
            match is not None
            and (org := organisation(match["org"])) is not None
            and place_at(clause.text, org)
        ):
            yield Found(clause, "work.now", "employer", org, changes=True)


def place_at(text: str, org: str) -> bool:
    """Whether an organisation is named as where one works, not where one happens to be."""
    return (_VISITING.search(text) is None and not org.isupper()) or len(org) > 4


def _ends(clause: Clause) -> Iterator[Found]:
    last = _MY_LAST.search(clause.text)
    if last is not None and (org := organisation(last["org"])) is not None:
        ends = [one.day for one in clause.dates if one.part == "on"]
        short = re.search(r"last (?:\w+ )?(?:minutes|hours|day|shift)\b", clause.text) is not None
        yield Found(
            clause,
            "work.last_day",
            "employer",
            org,
            end=ends[0] if ends else None,
            ends_today=short and not ends,
        )
    left = _LEFT.match(clause.text)
    if (
        left is not None
        and not HABIT.match(left["org"])
        and (org := organisation(left["org"])) is not None
    ):
        yield Found(clause, "work.left", "employer", org, retracts=True)


def role_after(clause: Clause, employer: bool) -> Iterator[Found]:
    """ "From 1 March I change to Adria Freight, as head of planning"."""
    match = _AS_ROLE.search(clause.text) if employer else None
    role = None if match is None else title(match["rest"])
    if role is not None:
        yield Found(clause, "role.as", "role", role, changes=True)


def home(clause: Clause) -> Iterator[Found]:
    """Where the user is, where they say that it is where they are at home."""
    moving = _MOVE_IN_WITH.match(clause.text)
    if moving is not None and (there := place(moving["rest"])) is not None:
        yield Found(clause, "home.move_in", "city", there, changes=True)
    match = _I_AM_IN.match(clause.text)
    if match is None:
        return
    marked = _HOME_MARK.search(clause.whole) is not None or any(
        one.part in ("until", "from") for one in clause.dates
    )
    if re.search(r"\bat (?:my|our) (?:\w+'s|family|parents|in-laws)", clause.whole):
        return
    if (
        _VISITING.search(clause.whole)
        and not any(one.part == "until" for one in clause.dates)
        and "lease" not in clause.whole
    ) or not (marked or _JUST_IN.match(clause.text)):
        return
    at_theirs = re.match(r"(?:my|our) [\w' ]{3,25}? in (?P<rest>\S.*)", match["rest"])
    found = place(match["rest"] if at_theirs is None else at_theirs["rest"])
    if at_theirs is None and re.search(r"\bat $", clause.text[: match.start("rest")]):
        return
    if found is not None:
        yield Found(clause, "home.in", "city", found, changes=True)


def moved_to_next(sentence: Sentence, following: Sentence | None) -> Iterator[Found]:
    """ "We finally moved. Rotterdam, fourth floor": the place stands in the next sentence."""
    if following is None or not any(
        _MOVED_BARE.match(one.text) and one.stated for one in sentence.clauses
    ):
        return
    head = following.clauses[0] if following.clauses else None
    if (
        head is None
        or not head.stated
        or re.match(r"(?:I|We|My|Our|The|It|This|That|So|And|But|Took|What|No|Yes)\b", head.text)
    ):
        return
    found = place(head.text)
    if found is not None and len(found.split()) <= 3 and ENDS_NAME.match(head.text[len(found) :]):
        mover = next(one for one in sentence.clauses if _MOVED_BARE.match(one.text))
        yield Found(mover, "home.moved", "city", found, changes=True)


def addresses(clause: Clause, context: str) -> Iterator[Found]:
    """A street with its number, where the words around it say that it is the user's."""
    found = address(clause.text)
    if found is None or _ADDRESS_HINT.search(context) is None or _NOT_MY_ADDRESS.search(context):
        return
    yield Found(clause, "address.street", "address", found, changes=True)


def languages(clause: Clause) -> Iterator[Found]:
    """The language in which the user wants to be spoken to."""
    match = _LANGUAGE_WITH.search(clause.text)
    if match is None or re.search(
        r"\b(?:not|never|no)\b", clause.text[: match.start() + 12], re.IGNORECASE
    ):
        return
    yield Found(clause, "language.with", "language", first_group(match))


def zones(clause: Clause) -> Iterator[Found]:
    """The user's time zone."""
    found = zone(clause.text)
    if found is None or _ZONE_OF_DATA.search(re.sub(r"\bmy meetings?\b", "", clause.text)):
        return
    before = clause.text[: clause.text.index(found)]
    if re.search(r"\b(?:not|no)\s*$", before) or (
        _ZONE_CONTEXT.search(before) is None
        and not re.search(
            r"\bfor me\b|\bfor (?:all )?my\b|\bmy tz\b|^use "
            r"|\bmy (?:time ?)?zone\b|hours ahead|hours behind|^all times"
            r"|times in",
            clause.text,
            re.IGNORECASE,
        )
    ):
        return
    whole = clause.whole
    personal = re.search(
        r"\b(?:for me|for (?:all )?my|my tz|[Tt]imes? in|[Uu]se (?:UTC|GMT)"
        r"|my (?:time ?)?zone|where I am|my time|my clock|hours (?:ahead"
        r"|behind))\b",
        whole,
    ) or re.match(
        r"(?:please )?(?:show|give|use|set|write|list|put)(?: me)?(?: all)?(?: the"
        r"| my)? (?:times?|everything|time ?zone|dates and times)\b|all times\b"
        r"|everything in\b",
        whole,
        re.IGNORECASE,
    )
    if personal or re.search(r"\b(?:I|we|my|me|which|time ?zone)\b", before) is not None:
        yield Found(clause, "timezone.named", "timezone", found)
