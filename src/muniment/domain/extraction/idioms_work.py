"""Values of a working life in wordings that may stand anywhere in a clause."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import TECHNOLOGY
from muniment.domain.extraction.values import (
    money,
    organisation,
    tidy,
    title,
    zone,
)
from muniment.domain.extraction.words import CHANNEL, LANGUAGE, PROPER_NAME, ROLE_HEAD
from muniment.domain.late import late

_HIRES_ME: Final = late(
    r"(?:^|[,:;!.] |\band |\bbut )(?:the )?(?!(?:They|He|She|It|We|You|The|Who|That|This|My|Our"
    r"|Someone|Management) )"
    rf"{PROPER_NAME} (?:(?:has|have|had|just|finally|now|then|officially) )*"
    r"(?:hired|took|made|appointed|named|promoted|employs?|poached|signed|recruited|picked"
    r"|offered|starts?|gave"
    r"|wants|is taking|is hiring|brought) me\b(?: on| in| over| up)?"
    r"(?: (?:as|to be|the|an?|their|to)\b)*"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_WILL_BE_AT: Final = late(
    rf"\b(?:I|we) (?:will|shall|am going to) be (?:in [^,.]{{2,30}}, )?(?:at|with) (?:the "
    rf")?{PROPER_NAME}",
    re.IGNORECASE,
)
_DAY_AT: Final = late(
    r"\b(?:my|our) (?:very )?first (?:\w+ )?(?:day|week|shift) (?:at|with|in|for) (?:the "
    r")?(?P<v>\S.*)",
    re.IGNORECASE,
)
_IN_THE_TEAM: Final = late(
    rf"\b(?:in|on|from|of) the (?:[\w&-]+ ){{1,4}}?(?:department|team|group|division|unit|office"
    rf"|section|lab|branch|desk"
    rf"|practice|faculty|school) (?:of|at|in) (?:the )?{PROPER_NAME}",
    re.IGNORECASE,
)
_AT_SOME: Final = late(
    rf"\b(?:I|we) (?:.{{2,60}}?) (?:at|in|for|with|by) (?:an?|the|this|some|my) (?:[a-z][\w'-]* "
    rf"){{1,5}}?"
    rf"(?:(?:there|here|nearby|downtown|called|named) ?)*, ?{PROPER_NAME}(?=[,.!]|$| as\b| and\b)",
    re.IGNORECASE,
)
_WORKS: Final = late(
    rf"\b(?:job|work(?:s|ing|ed)?|hired|position|gig|contract|role|employed|teach\w*|intern\w*"
    rf"|{ROLE_HEAD})\b",
    re.IGNORECASE,
)
_STARTS_AT: Final = late(
    r"\b(?:I|we) (?:am |will |shall |be |now |still |also |have )*(?:work (?=for|at)|working "
    r"(?=for|at)|employed (?=by|at)"
    r"|start|starting|begin|beginning|join|joining)(?: work| working)? ?"
    r"(?:at|with|in|for|by)? ?the (?P<v>[a-z][\w'’-]+(?: [a-z][\w'’-]+){1,3}?)"
    r"(?=$|[,.!;]| (?:an?|on|in|next|this|from|as|and|for|with|so|tomorrow|today|two|three)\b)",
    re.IGNORECASE,
)
_NO_PLACE_OF_WORK = late(
    r"\b(?:bottom|beginning|top|end|start|gym|course|class|train|diet|day|week|month|year"
    r"|weekend|lesson|list"
    r"|new|night|day shift|project|job|fun|call|meeting|choir|club|team|move|process|shift)\b",
    re.IGNORECASE,
)


def work_by_idiom(clause: Clause) -> Iterator[Found]:
    """Who employs the user, where the employer is the subject, or is named in apposition."""
    hires = _HIRES_ME.search(clause.text)
    if hires is not None:
        org = organisation(hires["v"])
        rest = hires["rest"].strip(" ,.!")
        role = title(rest) if rest else None
        if org is not None and (
            role is not None
            or re.search(
                r"\b(?:hired|employs?|starts?|took|poached"
                r"|signed|recruited)\b",
                hires.group(),
                re.IGNORECASE,
            )
        ):
            yield Found(clause, "work.hires_me", "employer", org, changes=True)
            if role is not None:
                yield Found(clause, "work.hires_me", "role", role, changes=True)
        return
    if clause.other:
        return
    yield from _own_work(clause)


def _own_work(clause: Clause) -> Iterator[Found]:
    """Who employs the user, as the user says it of themselves."""
    first = _DAY_AT.search(clause.text)
    if first is not None and (org := organisation(first["v"])) is not None:
        yield Found(clause, "work.first_day", "employer", org, changes=True)
        return
    coming = _WILL_BE_AT.search(clause.text)
    if (
        coming is not None
        and any(one.part == "from" for one in clause.dates)
        and (org := organisation(coming["v"])) is not None
    ):
        yield Found(clause, "work.will_be", "employer", org, changes=True)
        return
    team = _IN_THE_TEAM.search(clause.text)
    if (
        team is not None
        and re.search(rf"\b(?:I|we|my)\b.*\b{ROLE_HEAD}|\bwork", clause.text, re.IGNORECASE)
        and (org := organisation(team["v"])) is not None
    ):
        yield Found(clause, "work.team_of", "employer", org, changes=True)
        return
    some = _AT_SOME.search(clause.text)
    if (
        some is not None
        and _WORKS.search(clause.text)
        and not re.search(r"\b(?:not|never|was|used to)\b", clause.text[: some.start("v")])
        and (org := organisation(some["v"])) is not None
    ):
        yield Found(clause, "work.apposed", "employer", org, changes=True)
        as_role = re.search(r"\bas (?:an? |the |their )?(?P<rest>\w.*)$", clause.text)
        role = None if as_role is None else title(as_role["rest"])
        if role is not None:
            yield Found(clause, "work.apposed", "role", role, changes=True)
        return
    starts = _STARTS_AT.search(clause.text)
    if (
        starts is not None
        and not _NO_PLACE_OF_WORK.search(starts["v"])
        and len(starts["v"].split()) > 1
    ):
        yield Found(clause, "work.starts_at", "employer", starts["v"], changes=True)


_NEVER_TO: Final = late(
    r"\b(?:do not|never|not|no longer|stop|no)(?: ever)? (?:send|sending|mail|write|forward|post"
    r"|put|deliver|copy|use)"
    r"(?: (?:me|us|a thing|anything|things|stuff|it|mail|mails|messages?|emails?|one word|a word"
    r"|any\w*|another"
    r" thing|more|that))* (?:to|on|at|via|into) (?:my|our) (?P<v>(?:[\w-]+ ){0,2}?(?:"
    + CHANNEL
    + r"|gmail|inbox|number|account|address))\b",
    re.IGNORECASE,
)
_NO_SUCH: Final = late(
    r"(?:^|[,:] (?:and |so |but )?)(?:so |and |but |please )*no (?P<v>sms|texts?|text messages?"
    r"|(?:phone |voice |video )?calls?"
    r"|fax(?:es)?|voice ?mails?|whatsapp|telegram|voice messages?|push notifications?)[.! ]*$",
    re.IGNORECASE,
)
_REACH: Final = tuple(
    late(pattern, re.IGNORECASE)
    for pattern in (
        (
            rf"\b(?:look|search|try|write|ask|aim|catch|reach|find|ping|message|contact|call|answer"
            rf"|remind|tell|get)(?: for| to| up)?"
            rf" me (?:\w+ )?(?:on|by|via|over|through|in|with) (?:my |the )?(?P<v>{CHANNEL})\b"
        ),
        (
            rf"\b(?:with|by|on|via|over) (?:the )?(?P<v>{CHANNEL}),? I (?:always |still |usually "
            rf")?(?:answer|reply|respond|react"
            r"|read|see)\b"
        ),
        (
            rf"\b(?:you|people|they|one) (?:can |will |could |should )?(?:always |best |still "
            rf"|only "
            rf"|easily )*(?:catch"
            rf"|reach|find|get|ping|get hold of|contact)(?: me| us)? (?:always |best |only )*(?:on"
            rf"|by|via|over|through) "
            rf"(?P<v>{CHANNEL})\b"
        ),
        (
            rf"(?:^|, )(?:(?:so|and|but|then|ok|no|instead|only|better|there)[ "
            rf",]+)*(?P<v>{CHANNEL}) "
            r"(?:reach(?:es)? me(?: best| fastest| first)?|finds? me|gets? to me|gets? me|works"
            r"|does "
            r"it|it is|is fine|is good|will do|always works|please)(?: (?:for me|best|fine|better"
            r"|always"
            r"|now|instead))*[.!]*$"
        ),
        (
            r"(?:^|, )(?:just |please |then |always |better )*(?P<v>text|e-?mail|slack|whatsapp|dm"
            r"|phone|call|ring|sms"
            r"|message|telegram|signal) me(?=$|[.,!]| (?:instead|then|first|please|straight away"
            r"|right away|and))"
        ),
        (
            r"\b(?:who(?:ever)?|anyone who|people who|those who|if someone|if somebody) (?:wants?"
            r"|needs?|looks? for|is"
            r" looking for) [\w ]{1,30}?(?:,? (?:can|should|must|may|has to))? ?(?:writes?"
            r"|messages?"
            r"|calls?|pings?|finds?"
            rf"|reach(?:es)?|contacts?|texts?|goes|uses?)(?: me)?(?: on| by| via| over| through)? "
            rf"(?P<v>{CHANNEL})\b"
        ),
        (
            rf"\b(?:use|try|stick to|go with|keep to|go through) (?P<v>{CHANNEL}) (?:for me|with me"
            rf"|to reach me|instead"
            r"|from now on|for anything|for everything|to get me|when you need me)\b"
        ),
    )
)


def channels_by_idiom(clause: Clause) -> Iterator[Found]:
    """How to reach the user, and how not to."""
    never = _NEVER_TO.search(clause.text)
    if never is not None:
        yield Found(clause, "contact.never_to", "do_not_contact", tidy(never["v"]))
        return
    none = _NO_SUCH.search(clause.text)
    if none is not None:
        yield Found(clause, "contact.none", "do_not_contact", none["v"])
        return
    if re.search(r"\b(?:not|never|no)\b", clause.text, re.IGNORECASE):
        return
    for pattern in _REACH:
        match = pattern.search(clause.text)
        if match is not None:
            yield Found(clause, "contact.idiom", "contact_channel", match["v"])
            return


_TO_ME: Final = late(
    rf"^(?:and |so |but |ok )*in (?P<v0>{LANGUAGE})(?:,? (?:if|please|as|not|from now|always"
    rf"|only)\b|[.! ]*$)|"
    rf"\b(?:to|with|for) (?:me|us)(?:,| you)? ?(?:you |please |write |speak |answer |reply |use "
    rf"|talk |it is |in "
    rf"|always |only |just )*(?P<v>{LANGUAGE})\b",
    re.IGNORECASE,
)
_ON_COAST: Final = late(
    r"\b(?:I am|we are|I work|we work|I live) (?:on|in|by) (?P<v>(?:pacific|eastern|central"
    r"|mountain|atlantic) time)\b"
    r"|^(?P<v2>(?:pacific|eastern|central|mountain|atlantic) time) (?:suits|works)",
    re.IGNORECASE,
)
_ON_ZONE: Final = late(
    r"\b(?:my|our) (?:agenda|calendar|clock|day|schedule|hours|diary|team|office|working day"
    r"|working hours|squad"
    r"|shift|week)(?: \w+)? (?:goes|go|runs?|is|are|works?|follows?|sits?) (?:already |now |all "
    r")?(?:by|on|in"
    r"|to|at) (?P<v>\S.*)|\b(?:I|we) (?:\w+ )?(?:work|working|works|start working|keep|run on"
    r"|follow|live on"
    r"|observe|am on|are on|use) (?:on |in |by |now )*(?P<v2>\S.*)",
    re.IGNORECASE,
)


def speech_by_idiom(clause: Clause) -> Iterator[Found]:
    """The language and the time zone of the user."""
    told = _TO_ME.search(clause.text)
    if told is not None and not re.search(r"\b(?:not|never|no)\b", clause.text[: told.end()]):
        yield Found(clause, "language.to_me", "language", told["v"] or told["v0"])
    coast = _ON_COAST.search(clause.text)
    if coast is not None:
        yield Found(clause, "timezone.coast", "timezone", coast["v"] or coast["v2"], changes=True)
        return
    on = _ON_ZONE.search(clause.text)
    if on is not None and (found := zone((on["v"] or on["v2"])[:40])) is not None:
        at = (on["v"] or on["v2"]).find(found)
        if 0 <= at <= 8:
            yield Found(clause, "timezone.idiom", "timezone", found, changes=True)


_TOOL = rf"(?P<v>{TECHNOLOGY}|{LANGUAGE}|(?-i:[A-Z]\w*[A-Z]\w*))"
_SKILLS: Final = tuple(
    late(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"\bI (?:really |do |already )*(?:know|speak|read|write|master) "
            r"(?P<v>(?-i:[A-Z])[\w+#]*) (?:inside out|very well"
            r"|well|by heart|backwards|cold|like the back|fluently|better than)\b"
        ),
        (
            rf"(?:^|[,;:] |\band )(?:in )?{_TOOL} I (?:know|speak|read|write|use|do|master"
            rf"|understand)"
            r"(?!.*\b(?:not|badly|poorly|a little|a bit)\b)"
        ),
        (
            rf"(?:^|[,;:] |\band ){_TOOL} is (?:\w+ )?my (?:first|main|daily|mother|native|second"
            rf"|strongest|best|home"
            r"|favou?rite|usual|go-to)\b"
        ),
        (
            rf"\bI am (?:an? |more of an? |very much an? |mostly an? )+{_TOOL} (?:person|guy|girl"
            rf"|dev|developer|shop"
            r"|programmer|coder|user|expert|pro)\b"
        ),
        (
            r"\bI (?:have |just |finally |recently )*(?:passed|got|earned|hold|have|completed"
            r"|finished|obtained) "
            rf"(?:my |the |an? )(?P<v>{TECHNOLOGY}|{LANGUAGE}|(?-i:[A-Z][\w+#]+)) (?:\w+ "
            rf")?(?:certificate|certification"
            r"|exam|diploma|qualification|course|badge)\b"
        ),
    )
)


def skills_by_idiom(clause: Clause) -> Iterator[Found]:
    """What the user can do, with the skill in front or in a compound."""
    for pattern in _SKILLS:
        match = pattern.search(clause.text)
        if match is not None:
            yield Found(clause, "skill.idiom", "skill", match["v"])
            return


_PRICED: Final = late(
    r"\b(?:I|we) (?:am|are) (?:now |still |currently )*at (?P<v>\S.*)|^(?:\w+ )?(?P<v2>(?:[$€£¥]"
    r"|[A-Z]{3} ?)\d[\d.,]*\w*"
    r"|\d[\d.,]* ?(?:[$€£¥]|[A-Za-z]+)) (?:for|per|an?|each) ",
)
_PRICES: Final = late(
    r"\b(?:prices?|rates?|costs?|fee|tariff|charge|quote[sd]?|pricing|sell)\b", re.IGNORECASE
)
_BARE_PRICE: Final = late(
    r"\b(?:costs?|sells? (?:it |them )?for|price is|price (?:went|goes|is going) (?:up|down) to"
    r"|goes for|is priced at"
    r"|retails? (?:at|for)) (?:now |about |only |still )*(?P<v>\d[\d.,]*\d|\d+)(?=$|[.,;!]| "
    r"(?:each|per|a|now|from"
    r"|since|from|and|instead|not|I|we)\b)",
    re.IGNORECASE,
)


def prices_by_idiom(clause: Clause, around: str) -> Iterator[Found]:
    """A price where the words around speak of one, and a bare number behind "costs"."""
    match = _PRICED.search(clause.text)
    if match is not None and _PRICES.search(around):
        found = money(match["v"] or match["v2"])
        if found is not None:
            yield Found(clause, "price.idiom", "price", found, changes=True)
            return
    bare = _BARE_PRICE.search(clause.text)
    if bare is not None and not clause.other:
        yield Found(clause, "price.bare", "price", bare["v"].rstrip(".,"), changes=True)


_BUSY_ON: Final = late(
    r"\b(?:I am|we are) (?:now |still |back )*on (?P<f>(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*)?) "
    r"(?:full[- ]?time|these days)\b|"
    r"\b(?:I am|I'm|we are|I have been|my time goes into|I spend my (?:days|time) on) (?:now "
    r"|still |currently |mostly |all "
    r"|busy |heads down |working |flat out |helping |knee[- ]deep |up to my \w+ |buried |mainly "
    r")*(?:on|with|in|writing"
    r"|finishing|preparing|drafting|rewriting|leading|running|building) (?:the |our |a )?"
    r"(?P<v>(?=[^,.;]*(?-i:\b[A-Z]))[A-Za-z][\w'’&-]*(?: [\w'’&-]+){0,6}?)(?=$|[,.;!]| (?:till"
    r"|until|now|at the moment"
    r"|these days|this|for the|from|since|with|and|so|full[- ]time|right now|through)\b)",
    re.IGNORECASE,
)
_WORK_NOUN: Final = late(
    r"\b(?:renewal|pitch|paper|inventory|report|study|survey|migration|rewrite|launch|rollout"
    r"|audit|tender|proposal|book"
    r"|thesis|novel|project|campaign|deal|bid|case|redesign|app|platform|pilot|merger"
    r"|integration|upgrade|review"
    r"|translation|exhibition|show|album|film|documentary|catalogue|handbook|course|curriculum"
    r"|site|grant|programme)\b",
    re.IGNORECASE,
)
_RENAMED: Final = late(
    r"\b(?:name of (?:my|our|the) (?:project|app|product|tool|team|repo)|(?:my|our|the) "
    r"(?:project|app|product|tool"
    r"|repo)(?: \w+)? (?:was|is|has been|got) (?:renamed|rebranded)|new name|renamed)\b",
    re.IGNORECASE,
)
_IT_IS: Final = late(
    rf"^(?:it|the new one|the name|we) (?:is|are|call it)(?: now| called)* {PROPER_NAME}[.!]*$",
    re.IGNORECASE,
)


def projects_by_idiom(sentences: Sequence[Sentence]) -> Iterator[Found]:
    """The new name of a project, told in the sentence after the one that says that it changed."""
    for sentence in sentences:
        for clause in sentence.clauses:
            busy = _BUSY_ON.search(clause.text) if clause.stated else None
            if busy is not None and busy["f"]:
                yield Found(clause, "project.busy", "project", tidy(busy["f"]), changes=True)
            elif busy is not None and _WORK_NOUN.search(busy["v"]) and len(busy["v"].split()) >= 2:
                yield Found(clause, "project.busy", "project", tidy(busy["v"]), changes=True)
    for at, sentence in enumerate(sentences[1:], 1):
        match = _IT_IS.match(sentence.text)
        if match is not None and sentence.meant and _RENAMED.search(sentences[at - 1].text):
            yield Found(sentence.clauses[0], "project.renamed", "project", match["v"], changes=True)
