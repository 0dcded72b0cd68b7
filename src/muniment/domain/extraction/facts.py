"""Facts of the user's world that have no slot: dated changes, what is used, counts, family."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.lasting import passes
from muniment.domain.extraction.values import REGION, address
from muniment.domain.extraction.words import CHANGES
from muniment.domain.late import late

_USES: Final = late(
    rf"^{LEAD}(?:I|we) (?:still |now |only |mostly |mainly |all |just |usually )*(?:use"
    r"|run on|rely on|drive|ride|play) (?!it\b|that\b|this\b|to\b|them\b|you\b|your\b"
    r"|the \w+ (?:you|to)\b)[\w'].*",
    re.IGNORECASE,
)
_COUNTED: Final = late(
    rf"^{LEAD}(?:we|I) (?:now |currently |also |only )*(?:have|employ|operate|run|own"
    r"|manage|serve) (?:about |around |over |roughly |only |now )?(?:\d[\d.,]*|two"
    r"|three|four|five|six|seven|eight|nine|ten|eleven|twelve) [a-z]\w+",
    re.IGNORECASE,
)
_COUNTED_AFTER = late(rf"^{LEAD}(?:we|I) (?:only )?have (?:only )?\d+[.!]*$")
_COUNTED_BAD = late(
    r"\b(?:minutes?|hours?|days?|weeks?|seconds?|questions?|things?|meetings?|tickets?"
    r"|options?|choices?|calls?|errors?|emails?|left|more|problems?|requests?|ideas?"
    r"|dogs?|cats?|rows?|tabs|windows|files|messages|unread|items|changes|comments|drafts)\b",
    re.IGNORECASE,
)
_ANY_MORE: Final = late(
    rf"^{LEAD}(?:I|we) (?:no longer [a-z]+|(?:do|am|are|can"
    r"|will) not [a-z]+ .*\bany ?(?:more|longer))\b",
    re.IGNORECASE,
)
_FAMILY: Final = late(
    rf"^{LEAD}(?:(?:I|we) (?:have|got) (?:an? |one |two |three |four "
    r"|five )(?:\w+ )?(?:kids?|children|sons?|daughters?|boys?|girls?|grandchildren"
    r"|brothers?|sisters?)\b(?!.*\b(?:who|that) (?:wants?|needs?)\b)"
    r"|I am (?:\w+ )?(?:married|divorced|widowed|single|engaged|pregnant|vegan"
    r"|vegetarian|pescatarian|left-handed|colou?r[- ]?blind|diabetic|deaf"
    r"|hard of hearing|dyslexic|asthmatic|teetotal|retired|self-employed|freelance"
    r"|an only child|a (?:single )?(?:mother|father|mum|dad|parent|vegan|vegetarian"
    r"|widow|widower|grandmother|grandfather))\b(?! (?:to|of) (?:the idea|death|work))"
    r"|my birthday is|I was born (?:in|on)|I turn(?:ed)? \d+"
    r"|I am \d{2}(?: years old)?\b(?=$|[,.!])|I (?:grew up in|come from"
    r"|am originally from|am from) (?-i:[A-Z]))",
    re.IGNORECASE,
)
_OWNS: Final = late(
    r"^(?i:(?:so|and|well|hi|hello|hey|bonjour)[ ,!]+)*(?:I|We|we) (?:have|run|own"
    r"|started|founded|opened|set up|manage)(?: just| recently)? (?:a|an|my own"
    r"|our own|the|this) (?:[\w'-]+ ){0,4}?(?:shop|store|company|business|bakery"
    r"|restaurant|cafe|café|studio|agency|firm|practice|farm|brewery|gallery|startup"
    r"|bookshop|workshop|clinic|salon|nursery|consultancy|cooperative|charity|vineyard"
    r"|hotel|school|blog|podcast|channel|stall)\b,? (?:called |named )?(?-i:[A-Z]).*"
)
_ROUTINE: Final = late(
    r"\b(?:block|keep|reserve|hold|put)\b.*\b(?:every (?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b.*\b(?:at|from"
    r"|between|for)\b|\bstanding (?:thing|meeting|appointment|slot)\b",
    re.IGNORECASE,
)
_REGULAR: Final = late(
    rf"^{LEAD}(?:every|each) (?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning"
    rf"|evening|afternoon|night))?(?: at [\d:.apm]+)? (?:I|we) [a-z]+|^{LEAD}(?:I"
    r"|we) [a-z]+ .*\b(?:every (?:mon|tues|wednes|thurs|fri|satur|sun)day|on (?:mon"
    r"|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_STAYS: Final = late(
    r"\b(?:backups?|staging|replicas?|dr|archive|logs|cdn|test|dev)\b.*\b(?:stay|stays"
    r"|live|lives|run|runs|sit|sits|are|is|remain|remains|go|goes|in)\b",
    re.IGNORECASE,
)
_DATED_SUBJECT: Final = late(
    rf"^{LEAD}(?:we|our|my|the|I|[A-Z][\w'’-]+|it) ",
    re.IGNORECASE,
)
_SIGNIFICANT: Final = late(
    r"\b(?:switched|moved|replaced|changed|starts?|opens?|opened|closes?|closed|signed"
    r"|costs?|is|are|does|do|runs?|handles?|takes?|took over|goes|went|became|merged"
    r"|launched|renamed|raised|introduced|hired|adopted|reports?|works?|hosted"
    r"|rolled out|migrated|belongs)\b",
    re.IGNORECASE,
)
_TRIVIAL: Final = late(
    r"\b(?:rain\w*|weather|sick|ill|tired|exhausted|sleep|slept|headache|cold|hungry"
    r"|waiting|late|red|down|broken|failing|fails|stuck|meeting|called|asked|wrote"
    r"|sent|email|mail|ticket|bug|error|issue|movie|film|dinner|lunch|breakfast|drunk"
    r"|party|traffic|train|flight|nervous|happy|sad|busy|fun|great|awful"
    r"|night shift, first|first night|mood|crying|my head|my back|interview"
    r"|appointment|dentist|doctor|coming|visiting|visit|holiday|vacation|trip"
    r"|mountains?|deadline|due|demo|release day|died|passed)\b",
    re.IGNORECASE,
)


_OURS: Final = late(
    rf"^{LEAD}(?:(?:my|our|the(?= (?:shop|office|team|company|store|warehouse|bank"
    r"|school|board|depot|clinic|studio|club|plant|lab|farm|choir|band|bakery"
    r"|department|kids|children|house|flat|garden|fiscal|financial|quarter|sprint"
    r"|release|night|early|late|school) ?)) (?!(?:day|week|head|back|mood|evening"
    r"|morning|brain|feet|phone|computer|laptop|point|question|idea|guess|bad|mistake"
    r"|fault|pleasure|apologies|plan|dear|god|goodness|turn|problem|issue|last|first"
    r"|only|weather|answer|first name|name|second|third|other|same|next|boss"
    rf"|best)\b)(?:[\w'&-]+ ){{1,4}}?"
    r"(?:is|are|has|have|starts?|ends?|closes?|opens?|runs?|uses?|meets?|reports?"
    r"|needs?|takes?|comes?|goes|lives?|works?|sits?|lasts?|expires?|renews?|counts?"
    r"|belongs?|supports?|ships?|sells?|covers?|turns|pays?|handles?|consists? of"
    r"|begins?)\b"
    r"|(?:I|we) (?:now |also |still |only |both |usually |currently |mostly )*(?:own"
    r"|drive|ride|play|teach|study|take|commute|cycle|volunteer|sing|coach|collect"
    r"|grow|brew|train|rent|manage|run|lead|organi[sz]e|sell|ship|serve|support"
    r"|report to|work (?:from|on|in|with|nights?|remotely|part|four|three)|have (?:an?"
    r"|two|three|four|five|my|our|one)|invoice|bill|pay|close|open|meet|start|finish"
    r"|stop) )",
    re.IGNORECASE,
)
_SPECIFIC: Final = late(
    r"(?<!^)(?<![.!?] )\b[A-Z][a-zà-ÿ]+|\d|\b(?:now|since|every|each|always|twice|weekly|monthly"
    r"|daily|yearly|quarterly|remotely|from home|part[- ]time|half|two|three|four|five"
    r"|six|seven|eight|nine|ten|twelve|first of|end of)\b"
)
_WORLD: Final = late(
    rf"^{LEAD}(?:(?:the|our|my) (?!last\b|first\b|next\b)(?:[\w'&-]+ ){{1,4}}?|(?!(?:It|That|This"
    r"|There|He|She|They|What|Who|You|I|We|Thanks|Please|Today|Now|Here"
    r"|One|Someone|Everyone|Took|Went)\b)(?-i:[A-Z][a-z]+) (?:(?:over"
    r"|under|above|to|for) (?:the )?\w+ )?)"
    r"(?:meets?|closes?|opens?|starts?|ends?|costs?|goes to|go to"
    r"|is closed|belongs? to|runs? (?:on|from)|needs? (?:two|three|an?"
    r"|my|our|to be)|pays?|lasts|expires?|renews?|ships?|rehearses?"
    r"|is now|are now|is free|takes? place"
    r"|(?:is|are|runs?|lives?|sits?) [^.]{2,40}\b(?:now|since|from now on)\b)",
    re.IGNORECASE,
)
_PASSING: Final = late(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:week|morning|afternoon|evening"
    r"|month|time)|right now|at the moment|again|just|so far|still (?:waiting|broken"
    r"|down|not)|broken|down|failing|late|stuck|annoying|tired|sick|ill|nervous|happy"
    r"|sad|angry|hungry|cold|hot|great|awful|terrible|nice|good|bad|fine|wrong|right"
    r"|ready|done|missing|problem|question|idea|feeling|headache|minute|second|moment"
    r"|look|guess|point|doubt|chance|hard time|fun|call|look at|a lot|too much|of you"
    r"|help|you)\b",
    re.IGNORECASE,
)


_LASTING: Final = tuple(
    late(rf"^{LEAD}{pattern}", re.IGNORECASE)
    for pattern in (
        (
            r"(?:I|we) (?:have |recently |finally |now )*(?:stopped|given up"
            r"|gave up|quit|switched from"
            r"|switched to|started (?!looking|writing|introducing|focusing"
            r"|thinking|feeling)\w+ing|replaced|sold (?:my|our)"
            r"|dropped (?:our|my|the)) \w+"
        ),
        (
            r"(?:I|we) (?:do not|never|only) (?:ship|sell|accept|work"
            r"|eat|drink|drive|take|own"
            r"|support|offer|deliver|open|smoke|fly|travel|invoice|hire|store"
            r"|serve|cook|teach|bill)\b"
        ),
        (
            r"I am (?:now |currently |still |also )*(?:learning|training (?:for"
            r"|to)|studying|retiring"
            r"|expecting|getting married|writing a (?:book|thesis|novel)|preparing for)\b"
        ),
        r"(?:I|we) (?:have|had) been an? \w+",
        r"(?:I|we) have got (?:an?|one|two|three|four|five) (?:kids?|sons?|daughters?|children)\b",
        (
            r"(?:I|we) have (?:an? |my |our )(?:\w+ )?(?:appointment|exam|surgery|wedding"
            r"|operation)\b.*\b(?:on|at)\b"
        ),
        r"we are (?:an? )?(?:\w+ )?(?:team|company|family|shop|group|startup|firm|club|choir) of\b",
        r"(?:I|we) (?:report to|cycle to|walk to|commute|pay (?:by|in|with)|travel by|work from)\b",
        (
            r"(?:I|we) (?:do not (?:have|own)|have no) (?:an? |any )?(?:car"
            r"|driving licen[cs]e|licen[cs]e|printer|tv"
            r"|television|smartphone|phone|children|kids|pets?|computer|garden|oven|microwave"
            r"|credit card|bank account|lift|siblings|office|landline|scanner|warehouse)\b"
        ),
        r"I have an? (?:bad|weak|chronic|sensitive|broken|artificial|heart) \w+",
        r"I am on (?:\w+ )?(?:leave|sabbatical)\b",
        r"(?:I|we) (?:can not|do not) (?:do|work|meet) (?:on )?\w+days\b",
        (
            r"(?:my|our) (?:\w+ )?(?:manager|boss|doctor|landlord|accountant"
            r"|supervisor|dentist|lawyer"
            r"|assistant|partner|wife|husband|deadline|birthday|anniversary|domain|website"
            r"|licence|license"
            r"|budget|fiscal year|competitor|supplier|tailor|vet|editor|thesis|major"
            r"|goal)(?: [\w ]{0,20})? (?:is|are|was born)\b"
        ),
    )
)


def _lasting(clause: Clause) -> bool:
    """A change or a state of the user's that lasts, in plain words."""
    return any(one.match(clause.text) for one in _LASTING) and not _FLEETING.search(clause.text)


_FLEETING: Final = late(
    r"\b(?:time|idea|clue|today|tonight|right now|at the moment|energy|it|that|this"
    r"|there|late|sick|ill"
    r"|busy|on holiday|away|out|crazy|great|nice|awesome|amazing|angry"
    r"|mad|right|wrong|you|your|a (?:lot|ton|bit))\b",
    re.IGNORECASE,
)


def _general(clause: Clause, sentence: Sentence) -> bool:
    """A plain statement of what lasts: of the user or theirs, with something specific in it."""
    text = clause.text
    return (
        _OURS.match(text) is not None
        and _SPECIFIC.search(text) is not None
        and _PASSING.search(sentence.text) is None
        and sentence.meant
        and 4 <= len(text.split()) <= 24
        and not any(one.other for one in sentence.clauses)
    )


def facts(sentence: Sentence, after: Sentence | None) -> Iterator[Found]:
    """What a sentence says of the user's world beyond slots: at most one statement a sentence."""
    for clause in sentence.clauses:
        if not clause.meant:
            continue
        rule = _fact(clause, sentence)
        if rule is not None and not (rule in _UNDATED and passes(clause.whole)):
            named = (
                rule == "fact.dated"
                and after is not None
                and after.meant
                and address(after.text) is not None
            )
            tail = f" {after.text}" if named and after is not None else ""
            yield Found(
                clause,
                rule,
                text=sentence.text + tail if len(sentence.text.split()) <= 30 else clause.whole,
                changes=True,
            )
            return


def _fact(clause: Clause, sentence: Sentence) -> str | None:
    if REGION.search(clause.text) and _STAYS.search(clause.text):
        return "fact.region"
    if clause.other:
        return "fact.dated" if _dated(clause) else None
    for rule, pattern in _PLAIN:
        if pattern.match(clause.text):
            return None if _is_vague(rule, clause) else rule
    if _COUNTED_AFTER.match(clause.text) and re.search(r"\bnot have \d+ \w+", sentence.text):
        return "fact.counted"
    if _ROUTINE.search(clause.whole) or _ROUTINE.search(sentence.text):
        return "fact.routine"
    return "fact.dated" if _dated(clause) else _state(clause, sentence)


def _is_vague(rule: str, clause: Clause) -> bool:
    """Whether a plain fact does not say what it is about, or counts what passes."""
    if rule == "fact.any_more":
        return re.search(r"\b(?:there|it|that|this|them)\b", clause.text) is not None
    return rule == "fact.counted" and _COUNTED_BAD.search(clause.text) is not None


def _state(clause: Clause, sentence: Sentence) -> str | None:
    """The rule by which a clause says what lasts."""
    if not sentence.meant:
        return None
    if _lasting(clause):
        return "fact.lasting"
    specific = _SPECIFIC.search(clause.whole) and not _PASSING.search(sentence.text)
    if specific and _WORLD.match(clause.text):
        return "fact.world"
    return "fact.general" if _general(clause, sentence) else None


def _dated(clause: Clause) -> bool:
    """A change of the user's world from an exact day on."""
    starts = [one for one in clause.dates if one.part == "from"]
    bare = [one for one in clause.dates if one.part == "on"]
    if not starts and not (bare and CHANGES.search(clause.text)):
        return False
    if (
        _TRIVIAL.search(clause.text)
        or len(clause.text.split()) < 4
        or _DATED_SUBJECT.match(clause.text) is None
    ):
        return False
    if bare and not starts:
        return (
            re.match(rf"{LEAD}(?:we|I|our) ", clause.text, re.IGNORECASE) is not None
            and re.search(
                r"\b(?:switched|replaced|signed|opened|launched|changed|migrated|bought|closed"
                r"|merged|renamed|hired)\b",
                clause.text,
            )
            is not None
        )
    return _SIGNIFICANT.search(clause.text) is not None


_UNDATED: Final = frozenset(
    {"fact.family", "fact.counted", "fact.lasting", "fact.general", "fact.uses", "fact.any_more"}
)
_PLAIN: Final = (
    ("fact.family", _FAMILY),
    ("fact.owns", _OWNS),
    ("fact.any_more", _ANY_MORE),
    ("fact.counted", _COUNTED),
    ("fact.uses", _USES),
    ("fact.regular", _REGULAR),
)
