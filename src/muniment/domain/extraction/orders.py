"""Orders for every time and declared preferences, by their build: whatever the verb is."""

import re
from typing import Final

from muniment.domain.extraction.grammar import without_lead
from muniment.domain.extraction.verbs import LEMMA
from muniment.domain.extraction.wish_words import ONE_OFF
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

_MORE_VERBS: Final = word_set(
    """
    abbreviate add address adopt align annotate append apply arrange assign attach avoid bcc block
    bold bullet calculate capitalise capitalize cc cite collapse colour color combine comment
    compare compress compute convert copy correct create date deduplicate default define delete
    describe display divide draft drop encrypt erase escape exclude explain export express filter
    flag follow format forward generate group hide highlight ignore include indent keep label leave
    let limit link lint list log mark mask match merge mention name normalise normalize note notify
    number omit overwrite paraphrase paste pin ping plot post prefix present print proofread
    propose publish quote rank rebase redact refer remind remove render rephrase reply respond
    restart return round rewrite run sanitise schedule separate share shorten show simplify sign
    skip sort spell start state stop strip style subtract suggest sugarcoat sum summarise summarize
    tag talk tell timestamp title translate treat trim truncate try underline update use validate
    verify version wait warn winsorize word wrap zip touch assume be ask round roll hand please
    """
)
_EVERY_TIME: Final = late(
    r"\b(?:from (?:here|now|today|this day) on(?:wards?)?|from now|going forward"
    r"|in (?:the )?future"
    r"|as a rule|by default|per default|as standard|as the default|every ?time|each time|any ?time"
    r"|whenever|any ?more|ever|unless I (?:say|ask|tell|specify|request|want)|unless (?:asked|told"
    r"|I have said|we agree)|until (?:I say|further notice)|without exception|no exceptions?|for"
    r" good|permanently|across the board|at all times|in all cases|(?:anything|everything"
    r"|whatever)"
    r" (?:you|I)\b|(?:all|every|each|any) (?:of )?(?:(?:my|the|your|our) )?(?!time\b|one\b|day\b"
    r"|month\b|week\b|year\b|ideas?\b|chance\b|luck\b|news\b|questions?\b|way\b|of\b)[a-z-]{3,}"
    r"|when(?:ever)? (?:you|I) (?:\w+ ){1,6}|if you (?:quote|write|draft|book|plan|send|make|show"
    r"|give|use|mention|cite|need to|find|are (?:not )?sure|change|touch|delete|translate))\b",
    re.IGNORECASE,
)
_SURE: Final = late(
    r"\b(?:from (?:here|now|today) on(?:wards?)?|going forward|in (?:the )?future|as a rule"
    r"|by default|per default|every ?time|each time|any ?time|whenever|unless I (?:say|ask|tell"
    r"|specify|request|want)|unless (?:asked|told)|until further notice|without exception"
    r"|no exceptions?|across the board|(?:anything|everything|whatever) (?:you|I)\b"
    r"|when(?:ever)? you (?:write|draft|quote|book|plan|send|make|show|give|use|mention|cite"
    r"|translate"
    r"|answer|reply|talk|speak|draw|plot|code|address|touch|change|summari[sz]e|report|format|name"
    r"|refer|compare|compute|calculate|email|mail|call)\b|before you (?:send|delete|change|touch"
    r"|book"
    r"|buy|order|publish|post|commit|push|deploy|run|restart|reply|answer|merge|overwrite) )",
    re.IGNORECASE,
)
_SCOPE: Final = late(
    r"^(?:(?:for|in|with|on|to|at|before|after|when(?:ever)?|any ?time|every ?time|each time"
    r"|if you"
    r"|unless|until|as a rule|by default|per default|from (?:here|now|today) on(?:wards?)?"
    r"|next time"
    r"|in future|in the future|going forward|wherever|where|as standard)\b[^,:;.]{0,60}?[,:] "
    r"|(?:as a rule|by default|per default|from (?:here|now) on|in future|going forward|next time"
    r"|(?:for|in) (?:[\w-]+ ){1,4}?(?=(?:always|never|please|only|do not) )),? ?)",
    re.IGNORECASE,
)
_FORBIDS: Final = late(
    r"^(?:please )?(?:(?P<ever>always|never|do not ever|do not you ever|only ever)|do not|please"
    r"|only|kindly|stop|quit|no more|make sure (?:to|that you|you)|be sure to|remember to|try to"
    r"|you (?:must|should|can|may|are to|have to|need to)(?: (?:always|never|not))?|I (?:want|need"
    r"|would like|expect|ask|would ask) you to(?: (?:always|never|not))?)\b ?(?:please )?"
    r"(?:(?P<late>always|never|ever|only) )?",
    re.IGNORECASE,
)
_NO_ORDER: Final = word_set(
    """
    mind had have been was were got is are thought knew felt saw said seem seems works worked
    happened happens said heard did does had liked wanted forgot
    """
)
_HERE_AND_NOW: Final = late(
    r"\b(?:this|that|these|those|now|today|tonight|tomorrow|yesterday|the (?:first|second|third"
    r"|last|next|other|same|attached|above|following|demo)|again|him|her|it[.!]*$|src/|line \d"
    r"|page \d|#\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?!s))\b",
    re.IGNORECASE,
)
_PREFERS: Final = late(
    r"\b(?:I|we) (?:(?:really|do|always|much|strongly|generally|usually|still|would|will|very|far"
    r"|tend to|definitely|normally) )*(?:prefer|rather)\b(?! not to (?:say|talk|discuss))"
    r"|\b(?:suits?|works?|reads?|goes|fits?) (?:me|us)?\b ?(?:\w+ )?(?:better|best|easier|nicer)"
    r" (?:for (?:me|us)|than)\b|\bsuits? (?:me|us) (?:\w+ )?(?:better|best|more|fine)\b"
    r"|\b(?:is|are) (?:just |exactly )?(?:how|the way|what) (?:I|we|my \w+|our \w+) (?:always "
    r"|really |do )?(?:like|likes|prefer|prefers|want|wants|need|needs|expect)\b"
    r"|\bwhat (?:I|we) (?:always |really |do )?prefer (?:is|are)\b|\bmy (?:\w+ )?preference (?:is"
    r"|goes|would be)\b|\b(?:I|we) (?:always |really |do )?like (?:my|our) (?:\w+ ){1,3}(?:\w+)"
    r"|\b(?:it is|only|always) [\w -]{2,30} (?:only )?(?:for|with) (?:me|us)\b(?!\?)"
    r"|\b(?:is|are) (?:easier|nicer|clearer|better|best) (?:for (?:me|us)|on my eyes)\b"
    r"|\b(?:I|we) (?:am|are) (?:an?|more of an?) [\w -]{2,25} (?:person|people)\b"
    r"|\b(?:I|we) (?:always |only |just |do )?(?:want|need|like|expect) (?:the |my "
    r"|all )?[\w -]{3,30}"
    r" (?:first|last|on top|at the top|up front)\b|^[\w -]{3,25} (?:over|before"
    r"|rather than) [\w -]"
    r"{3,25} (?:for|with) (?:me|us)\b|\b(?:they/them|she/her|he/him) (?:for|with|when)\b"
    r"|^(?:please )?[a-z-]+(?: [a-z-]+)? only(?:,? please)?[.!]*$"
    r"|\bgo(?:es)? (?:\w+ ){1,4}first (?:with|for) (?:me|us)\b|\b(?:I|we) (?:only |always )?(?:go"
    r"|think|work|count) in [\w -]+, (?:not|never)\b",
    re.IGNORECASE,
)
_ALL_YOU_MAKE: Final = late(
    r"^(?:any|every|each|all)(?: of the)? (?:[\w-]+ ){1,4}?(?:that )?you (?:run|make|write|do|send"
    r"|build|pull|give|draw|book|draft|show|quote)\b.* (?:skips?|leaves? out|excludes?|includes?"
    r"|uses?"
    r"|goes|go|comes?|is|are|gets?|has|have|needs?|must|should|starts?|ends?|counts?|ignores?) \w",
    re.IGNORECASE,
)
_UNIT: Final = (
    r"(?:kilomet(?:res|ers)|kms?|miles|met(?:res|ers)|feet|inches|cm|centimet(?:res|ers)|kilos?"
    r"|kilograms?|kg|pounds|lbs|stone|grams|ounces|lit(?:res|ers)|gallons|pints|celsius|fahrenheit"
    r"|kelvin|kwh|euros?|dollars|pounds sterling|knots|hectares|acres|square met(?:res|ers))"
)
_IN_UNITS: Final = late(
    rf"^(?:(?:and|so|also|please|oh)[ ,]+)*(?:(?:all|every)(?: the| my| your)? [\w-]+|everything"
    rf"|[\w-]+s) (?:(?:is|are|go|goes|always|only|please|should be|must be) )*in {_UNIT}\b",
    re.IGNORECASE,
)
_NONE_MORE: Final = late(
    r"^(?:(?:and|so|also|oh)[ ,]+)*(?:[\w-]+ ){1,3}no more,? please\b|\b(?:I|we) (?:never"
    r"|do not ever)"
    r" want (?:it|them|that|any|to see|the)\b",
    re.IGNORECASE,
)
_NOT_A_TASTE: Final = late(
    r"\b(?:this|that) (?:one|version|draft|chart|option|title|layout)\b|\b(?:today|now|tonight"
    r"|tomorrow|right now|this time|die|kill|rather (?:not|be|than|good|nice|odd|late|well))\b"
    r"|\b(?:than this|any more of)\b",
    re.IGNORECASE,
)


def standing_order(text: str) -> bool:
    """Whether a sentence tells the assistant what to do every time, not once."""
    plain = without_lead(text)
    scope = _SCOPE.match(plain)
    rest = plain[scope.end() :].strip(" ,") if scope is not None else plain
    forbids = _FORBIDS.match(rest)
    ever = forbids is not None and bool(forbids["ever"] or forbids["late"])
    body = rest[forbids.end() :] if forbids is not None else rest
    if not _commands(body, fresh=forbids is None):
        return False
    if _HERE_AND_NOW.search(plain) or (ONE_OFF.search(plain) and not ever):
        return False
    if ever:
        return len(body.split()) >= 2
    around = f"{scope.group() if scope is not None else ''} {body}"
    return _SURE.search(around) is not None or (
        forbids is not None and _EVERY_TIME.search(around) is not None
    )


def _commands(body: str, *, fresh: bool) -> bool:
    """Whether words begin with a verb in its base, or what somebody stops doing."""
    words = [word.strip(",.;:!?").lower() for word in body.split()[:2]]
    if len(words) < 2 or words[0] in _NO_ORDER:
        return False
    verb = LEMMA.get(words[0]) == words[0] or words[0] in _MORE_VERBS
    if not verb and words[0].endswith("ing"):
        return not fresh
    return verb and words[1] not in {"is", "are", "was", "has", "have", "will", "does"}


def declared(text: str) -> bool:
    """Whether a sentence says what its speaker prefers."""
    if _NOT_A_TASTE.search(text) is not None:
        return False
    said = (_PREFERS, _NONE_MORE)
    plain = without_lead(text)
    return any(one.search(text) for one in said) or any(
        one.match(plain) for one in (_ALL_YOU_MAKE, _IN_UNITS)
    )
