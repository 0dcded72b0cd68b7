"""Values in wordings that may stand anywhere in a clause, kind by kind."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import TECHNOLOGY, allergen, disliked
from muniment.domain.extraction.values import (
    money,
    organisation,
    place,
    several,
    tidy,
    title,
    zone,
)
from muniment.domain.extraction.words import CHANNEL, LANGUAGE, ROLE_HEAD, SPECIES

_CAPITAL = r"(?-i:[A-ZÀ-ÞĀ-Ž][\w'’&-]*)"
_CAPITALS = rf"(?P<v>{_CAPITAL}(?: (?:(?:of|de|the|and|&|for) )?{_CAPITAL})*)"
_ADVERBS = (
    r"(?:(?:now|still|just|also|only|finally|currently|mostly|mainly|always|really|recently|already|all"
    r"|actually|officially|basically|back|both|kind of|severely|highly|deathly|badly|quite|very) )*"
)
_ILL: Final = re.compile(
    r"allerg|\bhives|rash|anaphyl|epi-?pen|swell|swollen|throat|hospital|itch|\breact(?:s|ed|ions?)?\b(?!\.)"
    r"|antihistamine|intoleran|wheez|blister|faint|ambulance|\b(?:could|can|would|will|might)? ?(?:literally )?kills? me\b|patch test|skin test",
    re.IGNORECASE,
)
_BE_ALLERGIC: Final = re.compile(
    rf"\b(?:I|we) (?:{_ADVERBS}(?:am|are|have|got|have got|have been|react|reacted|get|got a rash)) {_ADVERBS}"
    r"(?:an? |this |the )?(?:(?:severe|bad|serious|mild|strong|terrible|nasty|known|life-threatening|slight"
    r"|diagnosed|real|violent) )*(?:allergy|allergic|allergies|intoleran(?:t|ce)|reactions?|badly|in hives)"
    r" ?(?:reaction )?(?:to|of|against|from|with) (?P<v>\S.*)",
    re.IGNORECASE,
)
_IS_WHAT_I_REACT: Final = re.compile(
    r"(?:^|[:,] )(?P<v>[\w' -]{2,30}?) (?:is|are) (?:what|the thing|something|one thing) I "
    r"(?:\w+ )?(?:react (?:badly )?to|am allergic to|can not (?:have|eat|touch|take)|must avoid|have to avoid)",
    re.IGNORECASE,
)
_NEVER_LIKED: Final = re.compile(
    r"^(?:(?:and|but|so|oh|well|no|nah|nope)[ ,]+)*(?P<v>[A-Za-z][\w' -]{2,30}?),? I (?:have |had |really |just )*(?:never"
    r"(?: much| really)? (?:liked|enjoyed|cared for|got|warmed to|understood)|can ?not (?:stand|bear|abide)|do not (?:like"
    r"|enjoy|care for)|hate|loathe|detest|dislike)\b",
    re.IGNORECASE,
)
_NONE_PLEASE: Final = re.compile(
    r"(?:^|[,:] (?:so |and |but )?)(?:so |and |but )?(?:no|zero|without|skip the|hold the|leave out the|keep) "
    r"(?P<v>(?!more\b|need\b|idea\b|problem\b|rush\b|one\b)[\w' -]{2,25}?)(?: (?:for me|please|near me|ever"
    r"|on (?:my|anything)|in (?:my|anything)|at all)|[.!,]|$)",
    re.IGNORECASE,
)
_TESTED: Final = re.compile(
    r"\b(?:patch|allergy|skin|blood|prick) tests?\b.*\b(?:it is|says?|shows?|showed|found|for|to) "
    r"(?:actually |in fact |really )?(?P<v>[\w-]+(?: [\w-]+)?)[.!]*$",
    re.IGNORECASE,
)
_CLOSES: Final = re.compile(
    r"(?:^|[:,] )(?P<v>[\w'-]+(?: [\w'-]+)?) (?:closes?|shuts?|swells?) (?:up )?my (?:throat|airways?|lips|face)"
    r"|(?:^|[:,] )(?P<v2>[\w'-]+(?: [\w'-]+)?) (?:could|can|would|will|might) (?:literally |really |actually )?"
    r"(?:kill|hospitali[sz]e) me",
    re.IGNORECASE,
)


def allergies_by_idiom(
    clause: Clause, sentence: Sentence, around: str
) -> Iterator[Found]:
    """What the user's body does not bear, anywhere in a clause; ``around``: the turn's own words."""
    if clause.other or re.search(r"\bnot (?:an? )?allerg|\bno allerg", around, re.IGNORECASE):
        return
    none = _NONE_PLEASE.search(clause.text)
    explicit = re.search(r"\ballerg(?:ic|y) (?:to|against)\b", around, re.IGNORECASE) is not None
    if none is not None and not explicit and _ILL.search(around) and (value := allergen(none["v"])) is not None:
        yield Found(clause, "allergy.none", "allergy", value)
        return
    spared = re.search(r"\bno [\w -]{2,25} for me\b", around) is not None
    for pattern in (_BE_ALLERGIC, _IS_WHAT_I_REACT, _TESTED, *(() if spared else (_CLOSES,))):
        match = pattern.search(clause.text)
        if match is None or re.search(r"\b(?:not|never|no)\b", clause.text[: match.start() + 10]):
            continue
        said = next(one for one in match.groups() if one)
        for value in several(said, allergen):
            yield Found(clause, "allergy.idiom", "allergy", value)
        return


_LIVES: Final = re.compile(
    rf"\b(?:I|we) (?:{_ADVERBS}(?:am|are|have|will|was|got))?(?: ?{_ADVERBS})(?:be(?:en)? )?"
    r"(?:sleep|sleeping|crash|crashing|settled|settling|settle|ended up|end up|landed|wound up|stationed"
    r"|posted|holed up|base myself|based|living|live|residing|reside|camped|staying|stay|home) "
    rf"{_ADVERBS}(?:over |down |up |out |right |here )?(?:in|near|outside|around) (?P<v>\S.*)",
    re.IGNORECASE,
)
_LASTING: Final = re.compile(
    r"\b(?:these days|nowadays|now|since|for good|permanently|settled|ended up|wound up|live|living|reside"
    r"|residing|based|home|for years|all year|by now)\b",
    re.IGNORECASE,
)
_PEOPLE_OF: Final = re.compile(
    rf"\b(?:I|we) (?:am|are|have been|have become|became)(?: an?| officially| now| proud)* {_CAPITALS} "
    r"(?:people|folks?|residents?|locals?|person|dwellers?|dweller|based)\b",
    re.IGNORECASE,
)
_FROM_HOME: Final = re.compile(
    r"\bfrom (?:the same |my |our |my own |a |the )(?:\w+ )?(?:kitchen|desk|flat|house|home|apartment|office"
    rf"|studio|garage|couch|sofa|basement|attic|room|garden|spare room|home office)(?: table)? in {_CAPITALS}",
    re.IGNORECASE,
)
_WILL_BE: Final = re.compile(
    rf"\b(?:I|we) (?:will|shall|am going to|are going to) (?:be|be living|be based|live) (?:in|near) {_CAPITALS}",
    re.IGNORECASE,
)
_FROM_TO: Final = re.compile(
    rf"\b(?:I|we) (?:am |are |have |will |just |finally |be )*(?:mov(?:e|ed|ing)|relocat(?:e|ed|ing)|switch(?:ed|ing)?)"
    r"(?: house| home| flat| over)?(?: back)? from (?P<old>[\w' -]{2,30}?) (?:over |down |up |back )?to "
    r"(?P<v>[\w' -]{2,30}?)(?=$|[,.!;]| (?:on|in|next|this|at|because|for|with|and|so|since)\b)",
    re.IGNORECASE,
)
_HOME_IS: Final = re.compile(
    r"\b(?:home|my home|our home|my base|home base|headquarters|HQ) (?:is|remains|stays|will be|was always) "
    rf"(?:still |now |always |in )*{_CAPITALS}",
    re.IGNORECASE,
)
_SAME_AS_EVER: Final = re.compile(
    rf"\b(?:I am|we are)(?: from| a)? {_CAPITALS},? (?:born and (?:raised|bred)|through and through)|"
    rf"\b{_CAPITALS} is where you (?:will )?(?:find|reach) (?:me|us)|".replace("P<v>", "P<v1>", 1).replace("P<v>", "P<v3>", 1) +
    rf"\b(?:I|we) (?:am|are) (?:still )?in {_CAPITALS},? (?:same as (?:ever|always|before)|as (?:ever|always"
    r"|usual)|and staying|for good)",
    re.IGNORECASE,
)


def homes_by_idiom(clause: Clause, around: str) -> Iterator[Found]:
    """Where the user lives, in other words than living."""
    if clause.other and not _HOME_IS.search(clause.text):
        return
    between = _FROM_TO.search(clause.text)
    if between is not None:
        old, new = place(between["old"]), place(between["v"])
        if new is not None and old is not None:
            day = next((one.day for one in clause.dates if one.part in ("on", "from")), None)
            if day is not None:
                yield Found(clause, "home.left", "city", old, end_before=day)
            yield Found(clause, "home.moves", "city", new, changes=True)
        return
    if re.search(r"\b(?:was|were|used to|not|never|no longer|until (?:last|recently))\b", clause.text):
        return
    lives = _LIVES.search(clause.text)
    match = (
        (lives if lives is not None and _LASTING.search(clause.whole) else None)
        or _PEOPLE_OF.search(clause.text)
        or _FROM_HOME.search(clause.text)
        or (
            _WILL_BE.search(clause.text)
            if any(one.part == "from" for one in clause.dates)
            and not any(one.part == "until" for one in clause.dates)
            else None
        )
        or _HOME_IS.search(clause.text)
        or _SAME_AS_EVER.search(clause.text)
    )
    found = None if match is None else place(next(one for one in match.groups() if one))
    if found is not None and not re.fullmatch(rf"{LANGUAGE}|{TECHNOLOGY}", found, re.IGNORECASE):
        yield Found(clause, "home.idiom", "city", found, changes=True)


_HIRES_ME: Final = re.compile(
    r"(?:^|[,:;!.] |\band |\bbut )(?:the )?(?!(?:They|He|She|It|We|You|The|Who|That|This|My|Our|Someone|Management) )"
    rf"{_CAPITALS} (?:(?:has|have|had|just|finally|now|then|officially) )*"
    r"(?:hired|took|made|appointed|named|promoted|employs?|poached|signed|recruited|picked|offered|starts?|gave"
    r"|wants|is taking|is hiring|brought) me\b(?: on| in| over| up)?(?: as| to be| the| an?| their| to)*"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_WILL_BE_AT: Final = re.compile(
    rf"\b(?:I|we) (?:will|shall|am going to) be (?:in [^,.]{{2,30}}, )?(?:at|with) (?:the )?{_CAPITALS}", re.IGNORECASE
)
_DAY_AT: Final = re.compile(
    rf"\b(?:my|our) (?:very )?first (?:\w+ )?(?:day|week|shift) (?:at|with|in|for) (?:the )?(?P<v>\S.*)",
    re.IGNORECASE,
)
_IN_THE_TEAM: Final = re.compile(
    rf"\b(?:in|on|from|of) the (?:[\w&-]+ ){{1,4}}?(?:department|team|group|division|unit|office|section|lab|branch|desk"
    rf"|practice|faculty|school) (?:of|at|in) (?:the )?{_CAPITALS}",
    re.IGNORECASE,
)
_AT_SOME: Final = re.compile(
    rf"\b(?:I|we) (?:.{{2,60}}?) (?:at|in|for|with|by) (?:an?|the|this|some|my) (?:[a-z][\w'-]* ){{1,5}}?"
    rf"(?:(?:there|here|nearby|downtown|called|named) ?)*, ?{_CAPITALS}(?=[,.!]|$| as\b| and\b)",
    re.IGNORECASE,
)
_WORKS: Final = re.compile(
    rf"\b(?:job|work(?:s|ing|ed)?|hired|position|gig|contract|role|employed|teach\w*|intern\w*|{ROLE_HEAD})\b",
    re.IGNORECASE,
)
_STARTS_AT: Final = re.compile(
    r"\b(?:I|we) (?:am |will |shall |be |now |still |also |have )*(?:work (?=for|at)|working (?=for|at)|employed (?=by|at)"
    r"|start|starting|begin|beginning|join|joining)(?: work| working)? ?"
    r"(?:at|with|in|for|by)? ?the (?P<v>[a-z][\w'’-]+(?: [a-z][\w'’-]+){1,3}?)"
    r"(?=$|[,.!;]| (?:an?|on|in|next|this|from|as|and|for|with|so|tomorrow|today|two|three)\b)",
    re.IGNORECASE,
)
_NO_PLACE_OF_WORK = re.compile(
    r"\b(?:bottom|beginning|top|end|start|gym|course|class|train|diet|day|week|month|year|weekend|lesson|list"
    r"|new|night|day shift|project|job|fun|call|meeting|choir|club|team|move|process|shift)\b",
    re.IGNORECASE,
)


def work_by_idiom(clause: Clause, sentences: Sequence[Sentence]) -> Iterator[Found]:
    """Who employs the user, where the employer is the subject, or is named in apposition."""
    hires = _HIRES_ME.search(clause.text)
    if hires is not None:
        org = organisation(hires["v"])
        rest = hires["rest"].strip(" ,.!")
        role = title(rest) if rest else None
        if org is not None and (role is not None or re.search(r"\b(?:hired|employs?|starts?|took|poached"
                                r"|signed|recruited)\b", hires.group(), re.IGNORECASE)):
            yield Found(clause, "work.hires_me", "employer", org, changes=True)
            if role is not None:
                yield Found(clause, "work.hires_me", "role", role, changes=True)
        return
    if clause.other:
        return
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
        return
    starts = _STARTS_AT.search(clause.text)
    if starts is not None and not _NO_PLACE_OF_WORK.search(starts["v"]) and len(starts["v"].split()) > 1:
        yield Found(clause, "work.starts_at", "employer", starts["v"], changes=True)


_NEVER_TO: Final = re.compile(
    r"\b(?:do not|never|not|no longer|stop|no)(?: ever)? (?:send|sending|mail|write|forward|post|put|deliver|copy|use)"
    r"(?: (?:me|us|a thing|anything|things|stuff|it|mail|mails|messages?|emails?|one word|a word|any\w*|another"
    r" thing|more|that))* (?:to|on|at|via|into) (?:my|our) (?P<v>(?:[\w-]+ ){0,2}?(?:"
    + CHANNEL
    + r"|gmail|inbox|number|account|address))\b",
    re.IGNORECASE,
)
_NO_SUCH: Final = re.compile(
    r"(?:^|[,:] (?:and |so |but )?)(?:so |and |but |please )*no (?P<v>sms|texts?|text messages?|(?:phone |voice |video )?calls?"
    r"|fax(?:es)?|voice ?mails?|whatsapp|telegram|voice messages?|push notifications?)[.! ]*$",
    re.IGNORECASE,
)
_REACH: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:look|search|try|write|ask|aim|catch|reach|find|ping|message|contact|call|answer|remind|tell|get)(?: for| to| up)?"
        rf" me (?:\w+ )?(?:on|by|via|over|through|in|with) (?:my |the )?(?P<v>{CHANNEL})\b",
        rf"\b(?:with|by|on|via|over) (?:the )?(?P<v>{CHANNEL}),? I (?:always |still |usually )?(?:answer|reply|respond|react"
        r"|read|see)\b",
        rf"\b(?:you|people|they|one) (?:can |will |could |should )?(?:always |best |still |only |easily )*(?:catch"
        rf"|reach|find|get|ping|get hold of|contact)(?: me| us)? (?:always |best |only )*(?:on|by|via|over|through) "
        rf"(?P<v>{CHANNEL})\b",
        rf"(?:^|, )(?:(?:so|and|but|then|ok|no|instead|only|better|there)[ ,]+)*(?P<v>{CHANNEL}) "
        r"(?:reach(?:es)? me(?: best| fastest| first)?|finds? me|gets? to me|gets? me|works|does it|it is|is fine|is good|will do|always works|please)(?: (?:for me|best|fine|better|always"
        r"|now|instead))*[.!]*$",
        rf"(?:^|, )(?:just |please |then |always |better )*(?P<v>text|e-?mail|slack|whatsapp|dm|phone|call|ring|sms"
        r"|message|telegram|signal) me(?=$|[.,!]| (?:instead|then|first|please|straight away|right away|and))",
        r"\b(?:who(?:ever)?|anyone who|people who|those who|if someone|if somebody) (?:wants?|needs?|looks? for|is"
        r" looking for) [\w ]{1,30}?(?:,? (?:can|should|must|may|has to))? ?(?:writes?|messages?|calls?|pings?|finds?"
        rf"|reach(?:es)?|contacts?|texts?|goes|uses?)(?: me)?(?: on| by| via| over| through)? (?P<v>{CHANNEL})\b",
        rf"\b(?:use|try|stick to|go with|keep to|go through) (?P<v>{CHANNEL}) (?:for me|with me|to reach me|instead"
        r"|from now on|for anything|for everything|to get me|when you need me)\b",
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
    if re.search(r"\b(?:not|never|no)\b", clause.text):
        return
    for pattern in _REACH:
        match = pattern.search(clause.text)
        if match is not None:
            yield Found(clause, "contact.idiom", "contact_channel", match["v"])
            return


_TO_ME: Final = re.compile(
    rf"^(?:and |so |but |ok )*in (?P<v0>{LANGUAGE})(?:,? (?:if|please|as|not|from now|always|only)\b|[.! ]*$)|"
    rf"\b(?:to|with|for) (?:me|us)(?:,| you)? ?(?:you |please |write |speak |answer |reply |use |talk |it is |in "
    rf"|always |only |just )*(?P<v>{LANGUAGE})\b",
    re.IGNORECASE,
)
_ON_ZONE: Final = re.compile(
    r"\b(?:my|our) (?:agenda|calendar|clock|day|schedule|hours|diary|team|office|working day|working hours|squad"
    r"|shift|week)(?: \w+)? (?:goes|go|runs?|is|are|works?|follows?|sits?) (?:already |now |all )?(?:by|on|in"
    r"|to|at) (?P<v>\S.*)|\b(?:I|we) (?:\w+ )?(?:work|working|works|start working|keep|run on|follow|live on"
    r"|observe|am on|are on|use) (?:on |in |by |now )*(?P<v2>\S.*)",
    re.IGNORECASE,
)


def speech_by_idiom(clause: Clause) -> Iterator[Found]:
    """The language and the time zone of the user."""
    told = _TO_ME.search(clause.text)
    if told is not None and not re.search(r"\b(?:not|never|no)\b", clause.text[: told.end()]):
        yield Found(clause, "language.to_me", "language", told["v"] or told["v0"])
    on = _ON_ZONE.search(clause.text)
    if on is not None and (found := zone((on["v"] or on["v2"])[:40])) is not None:
        at = (on["v"] or on["v2"]).find(found)
        if 0 <= at <= 8:
            yield Found(clause, "timezone.idiom", "timezone", found, changes=True)


_TOOL = rf"(?P<v>{TECHNOLOGY}|{LANGUAGE}|(?-i:[A-Z]\w*[A-Z]\w*))"
_SKILLS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bI (?:really |do |already )*(?:know|speak|read|write|master) (?P<v>(?-i:[A-Z])[\w+#]*) (?:inside out|very well"
        r"|well|by heart|backwards|cold|like the back|fluently|better than)\b",
        rf"(?:^|[,;:] |\band )(?:in )?{_TOOL} I (?:know|speak|read|write|use|do|master|understand)"
        r"(?!.*\b(?:not|badly|poorly|a little|a bit)\b)",
        rf"(?:^|[,;:] |\band ){_TOOL} is (?:\w+ )?my (?:first|main|daily|mother|native|second|strongest|best|home"
        r"|favou?rite|usual|go-to)\b",
        rf"\bI am (?:an? |more of an? |very much an? |mostly an? )+{_TOOL} (?:person|guy|girl|dev|developer|shop"
        r"|programmer|coder|user|expert|pro)\b",
        r"\bI (?:have |just |finally |recently )*(?:passed|got|earned|hold|have|completed|finished|obtained) "
        rf"(?:my |the |an? )(?P<v>{TECHNOLOGY}|{LANGUAGE}|(?-i:[A-Z][\w+#]+)) (?:\w+ )?(?:certificate|certification"
        r"|exam|diploma|qualification|course|badge)\b",
    )
)


def skills_by_idiom(clause: Clause) -> Iterator[Found]:
    """What the user can do, with the skill in front or in a compound."""
    for pattern in _SKILLS:
        match = pattern.search(clause.text)
        if match is not None:
            yield Found(clause, "skill.idiom", "skill", match["v"])
            return


_PRICED: Final = re.compile(
    r"\b(?:I|we) (?:am|are) (?:now |still |currently )*at (?P<v>\S.*)|^(?:\w+ )?(?P<v2>(?:[$€£¥]|[A-Z]{3} ?)\d[\d.,]*\w*"
    r"|\d[\d.,]* ?(?:[$€£¥]|[A-Za-z]+)) (?:for|per|an?|each) ",
)
_PRICES: Final = re.compile(
    r"\b(?:prices?|rates?|costs?|fee|tariff|charge|quote[sd]?|pricing|sell)\b", re.IGNORECASE
)
_BARE_PRICE: Final = re.compile(
    r"\b(?:costs?|sells? (?:it |them )?for|price is|price (?:went|goes|is going) (?:up|down) to|goes for|is priced at"
    r"|retails? (?:at|for)) (?:now |about |only |still )*(?P<v>\d[\d.,]*\d|\d+)(?=$|[.,;!]| (?:each|per|a|now|from"
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


_WHO_IS_PET: Final = re.compile(
    rf"\b(?P<v>{_CAPITAL}),? (?:who|which) is (?:\w+ ){{0,3}}?{SPECIES}\b|\b(?:the|my|our) (?:[\w-]+ )?{SPECIES}"
    rf"(?:,|:| is| called| named| -) (?P<v2>{_CAPITAL})(?= (?:is|has|does|can|will|needs?|comes?|goes|stays?|loves?"
    rf"|hates?)\b|'s\b|[,.!]|$)|\b(?:\w+|one)[ -](?:cat|dog|pet) (?:household|home|family),? (?:just|only|with) "
    rf"(?P<v3>{_CAPITAL})",
    re.IGNORECASE,
)
_CALLED_PET: Final = re.compile(
    rf"^(?:(?:so|and)[ ,]+)?(?:he|she|it|they) (?:is|are) (?:called|named) (?P<v>{_CAPITAL})|^(?:he|she|it|they) (?:answers?|goes|listens?|responds?) (?:to|by) (?:the name (?:of )?)?"
    rf"(?P<v0>{_CAPITAL})|^(?:we|I) (?:call|named|called|have named|have called) (?:him|her|it|them) (?P<v1>{_CAPITAL})|^(?:his|her|its) "
    rf"name is (?P<v2>{_CAPITAL})",
    re.IGNORECASE,
)
_SPECIES: Final = re.compile(rf"\b{SPECIES}\b", re.IGNORECASE)
_NOT_OURS: Final = re.compile(
    r"\b(?:his|her|their|neighbou?r'?s|sister|brother|friend|boss|colleague|landlord|want|wish|would|no|not)\b"
    rf" (?:\w+ )?{SPECIES}\b",
    re.IGNORECASE,
)


def pets_by_idiom(sentence: Sentence, before: Sentence | None) -> Iterator[Found]:
    """Animals by name in a relative clause, in apposition, or named a sentence later."""
    if not sentence.clauses or not sentence.meant or _NOT_OURS.search(sentence.text):
        return
    match = _WHO_IS_PET.search(sentence.text)
    if match is None and before is not None and _SPECIES.search(before.text) and before.meant:
        match = None if _NOT_OURS.search(before.text) else _CALLED_PET.search(sentence.text)
    if match is not None:
        name = next(one for one in match.groups() if one)
        if name not in {"I", "It", "He", "She", "The", "They", "This"}:
            yield Found(sentence.clauses[0], "pet.idiom", "pet", name)


_DO_NOT_DO: Final = re.compile(
    r"\bI do not do (?P<v>[\w -]{3,30}?)(?:[.,!]|$)|\bI (?:never|can not) (?:do|run|touch) (?P<v2>[\w -]{3,30}?)"
    r"(?:[.,!]|$)",
    re.IGNORECASE,
)
_CAN_NOT_STAND_THEM: Final = re.compile(
    r"\b(?:can ?not|can't) (?:stand|bear|abide) (?:it|them|that)\b|\bI (?:hate|loathe|detest) (?:it|them|that)\b",
    re.IGNORECASE,
)


def dislikes_by_idiom(sentences: Sequence[Sentence]) -> Iterator[Found]:
    """ "I don't do dissections. Can't stand them": what "them" is stands in the sentence before."""
    for at, sentence in enumerate(sentences):
        for clause in sentence.clauses:
            fronted = _NEVER_LIKED.match(clause.text) if clause.meant else None
            if fronted is not None and (value := disliked(fronted["v"])) is not None:
                yield Found(clause, "dislike.fronted", "dislike", value)
        match = _DO_NOT_DO.search(sentence.text)
        around = " ".join(one.text for one in sentences[at : at + 2])
        if match is not None and sentence.meant and _CAN_NOT_STAND_THEM.search(around):
            value = disliked(match["v"] or match["v2"])
            if value is not None:
                yield Found(sentence.clauses[0], "dislike.idiom", "dislike", value)


_BUSY_ON: Final = re.compile(
    r"\b(?:I am|we are) (?:now |still |back )*on (?P<f>(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*)?) (?:full[- ]?time|these days)\b|"
    r"\b(?:I am|I'm|we are|I have been|my time goes into|I spend my (?:days|time) on) (?:now |still |currently |mostly |all "
    r"|busy |heads down |working |flat out |helping |knee[- ]deep |up to my \w+ |buried |mainly )*(?:on|with|in|writing"
    r"|finishing|preparing|drafting|rewriting|leading|running|building) (?:the |our |a )?"
    r"(?P<v>(?=[^,.;]*(?-i:\b[A-Z]))[A-Za-z][\w'’&-]*(?: [\w'’&-]+){0,6}?)(?=$|[,.;!]| (?:till|until|now|at the moment"
    r"|these days|this|for the|from|since|with|and|so|full[- ]time|right now|through)\b)",
    re.IGNORECASE,
)
_WORK_NOUN: Final = re.compile(
    r"\b(?:renewal|pitch|paper|inventory|report|study|survey|migration|rewrite|launch|rollout|audit|tender|proposal|book"
    r"|thesis|novel|project|campaign|deal|bid|case|redesign|app|platform|pilot|merger|integration|upgrade|review"
    r"|translation|exhibition|show|album|film|documentary|catalogue|handbook|course|curriculum|site|grant|programme)\b",
    re.IGNORECASE,
)
_RENAMED: Final = re.compile(
    r"\b(?:name of (?:my|our|the) (?:project|app|product|tool|team|repo)|(?:my|our|the) (?:project|app|product|tool"
    r"|repo)(?: \w+)? (?:was|is|has been|got) (?:renamed|rebranded)|new name|renamed)\b",
    re.IGNORECASE,
)
_IT_IS: Final = re.compile(
    rf"^(?:it|the new one|the name|we) (?:is|are|call it)(?: now| called)* {_CAPITALS}[.!]*$", re.IGNORECASE
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


