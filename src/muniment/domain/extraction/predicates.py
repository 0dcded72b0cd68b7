"""What the general path looks for: predicates that last and that pass, times, and who is meant."""

import re
from typing import Final

from muniment.domain.late import late

_NUMBERS = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen"
    r"|twenty|thirty|forty|fifty|sixty|hundred|thousand|dozen|half)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_UNIT = r"(?:hour|day|night|week|fortnight|month|quarter|term|season|year|morning|evening|shift)"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb"
    r"|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_ADVERBS = (
    r"(?:(?:also|still|now|only|just|already|currently|usually|mostly|mainly|generally|always|never"
    r"|often|normally|typically|both|all|really|actually|finally|recently|officially|myself"
    r"|personally"
    r"|sometimes|rarely|since|then|here|ever|by now|at last)\b[ ,]*)*"
)
FIRST: Final = late(r"\b(?:I|we|my|our|us|me|mine|ours|myself|ourselves)\b", re.IGNORECASE)
RECURS: Final = late(
    rf"\b(?:(?:every|each)(?: (?:second|other|third|last|first|single|working|week))? (?!one\b"
    rf"|thing\b)\w+"
    rf"|{_WEEKDAY}s|weekdays|weekends|(?:in the )?(?:mornings|evenings|afternoons)|nights|always"
    rf"|usually"
    r"|normally|typically|generally|weekly|fortnightly|monthly|quarterly|yearly|annually|nightly"
    r"|daily"
    rf"|(?:once|twice|thrice|\d+ times|{_NUMBERS} (?:times|days|hours|nights|shifts)|\d+ (?:days"
    rf"|hours))"
    rf" (?:a|an|per|each|every) {_UNIT}|(?:a|per|an) (?:day|week|month|year)|permanently|for good"
    r"|from (?:now|here|today|then|that day) on(?:wards)?|no longer|any ?more|any longer|as a "
    r"rule|by default"
    rf"|these days|nowadays|whole (?:day|week)|on (?:a )?{_WEEKDAY} \w+s)\b",
    re.IGNORECASE,
)
TIMED: Final = late(
    rf"\b(?:until|till|since|by|from|before|after|on|in|for|this|next|of)(?: the| the end of| "
    rf"end of| early"
    rf"| late| mid| mid-| about)? (?:{_MONTH}|{_WEEKDAY}|20\d\d|noon|midnight|easter|christmas"
    rf"|spring|summer"
    rf"|autumn|fall|winter|next {_UNIT}|the {_UNIT}|{_UNIT}end|tomorrow|then)\b"
    rf"|\b(?:{_MONTH})\.? \d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b"
    rf"|\b(?:the|a) (?:\d{{1,2}}(?:st|nd|rd|th))\b|\bat (?:\d{{1,2}}(?:[:.]\d\d)?|{_NUMBERS}"
    rf"|noon|half)\b"
    rf"|\b(?:\d+|{_NUMBERS}|an?) {_UNIT}s? (?:ago|from now|old|later|long|more|notice|earlier|in)\b"
    rf"|\bnext {_UNIT}\b|\b(?:{_NUMBERS}|\d+) (?:years|months)\b|\bin 20\d\d\b"
    rf"|\b\d{{1,2}}:\d\d\b|\bbetween \d",
    re.IGNORECASE,
)
_STATES = """
    live work teach study drive ride cycle commute walk own rent run manage lead head coach train
    play
    sing dance paint write bake cook brew grow keep raise collect sell buy ship deliver serve supply
    support maintain host deploy use store back report answer belong speak read translate interpret
    invoice bill charge pay earn cost take open close start finish end meet share wear carry eat
    drink
    smoke fly travel swim sleep practise practice volunteer freelance consult rely depend stick do
    handle cover count measure weigh track test review release build make produce print design
    develop
    code program analyze analyse treat foster breed farm fish hunt sew knit craft repair fix rotate
    operate employ hire reuse recycle analyse stock import export source roast clean care look throw
    split cap limit allow accept require need owe hold base batch
"""
_STATE_FORMS = "|".join(_STATES.split())
LASTS: Final = late(
    rf"\b(?:I|we) {_ADVERBS}(?:{_STATE_FORMS}|can not|do not|have (?:an?|no|my|our|the|\d+"
    rf"|{_NUMBERS}|got|to"
    r"|allerg\w+|diabetes|asthma)|am (?:an?|the|in charge|responsible|based|from|on|off"
    r"|allergic|new to"
    r"|vegan|vegetarian|retired|married|divorced|single|pregnant|colou?r|left|with|at|in|into"
    r"|used to"
    r"|fluent|bilingual|deaf|blind|diabetic|dyslexic|self|free|away|out of)|are (?:an?|the|in "
    r"charge"
    r"|responsible|based|from|on|off|new to|\d+|closed|open|with|at|in|only|about|free|away"
    r"|moving))\b"
    r"|\b(?:my|our) (?:[\w'’&-]+ ){1,4}?(?:is|are|has|have|starts?|ends?|closes?|opens?|runs?"
    r"|uses?|meets?"
    r"|takes?|goes|go|comes?|lives?|works?|lasts?|expires?|renews?|supports?|covers?|needs?"
    r"|sits?|stays?"
    r"|costs?|ships?|belongs?|reports?|can not|does not|do not|prefers?|reads?|leaves?|will)\b"
    r"|\b(?:in|at|of|with|for|on) (?:my|our)\b"
    r"|\b(?:is|are|was|were) (?:now |always |still |only )*(?:closed|open|booked|due|called"
    r"|named|run by"
    r"|owned|based|capped|limited|locked in|cancelled|canceled|postponed|scheduled|set|fixed"
    r"|handled|measured"
    r"|counted|recorded|stored|written|kept|gone|over|dead|diabetic|off limits|responsible|done "
    r"with|decided"
    r"|agreed|approved|signed|banned|forbidden|mandatory|required|paid|free)\b"
    r"|\bit is (?:an?|the|our|my|in|on|at)\b|\bthere (?:is|are) (?:\d+|no|only|an?|"
    rf"{_NUMBERS})\b|\b(?:last|first) (?:day|week)\b|\bis (?:my|our) \w+|\b(?:I|we) (?:am|are) "
    rf"{_NUMBERS}\b"
    r"|\bmakes? (?:us|me) \w+",
    re.IGNORECASE,
)
_TURNS = (
    "move switch stop start begin quit leave sell buy adopt get hire rename retire graduate "
    "marry divorce"
    " open close cancel drop migrate upgrade downgrade sign renew join launch found decide "
    "choose agree"
    " settle approve win inherit rent become turn finish replace change swap ban book schedule "
    "postpone"
    " promise end expire give take pass qualify register enrol merge split introduce raise lower "
    "cut add"
    " install pick grow deliver submit accept reject appoint promote make lose bring set lock "
    "put hand sort"
    " commit fix convert"
)
_IRREGULAR_PAST = (
    "quit left sold bought got became began won gave given took taken made lost brought set cut "
    "put grew"
    " chose chosen split met went gone had born"
)
_PAST_FORMS = "|".join(
    sorted(
        {
            *_IRREGULAR_PAST.split(),
            *(
                f"{verb}d" if verb.endswith("e") else f"{verb}(?:ed|{verb[-1]}ed)"
                for verb in _TURNS.split()
            ),
        }
    )
)
_ING = "|".join(
    f"{verb[:-1]}ing" if verb.endswith("e") else f"{verb}(?:ing|{verb[-1]}ing)"
    for verb in _TURNS.split()
)
CHANGED: Final = late(
    rf"\b(?:I|we) {_ADVERBS}(?:have |had )?{_ADVERBS}(?:{_PAST_FORMS})\b"
    rf"|\b(?:I|we) (?:am|are) {_ADVERBS}(?:{_ING}|training|learning|studying|saving|expecting"
    rf"|renovating"
    r"|building|writing an?|away|off|out|presenting|keeping|hosting|running)\b"
    r"|\b(?:I|we) have been \w+ing\b"
    rf"|^(?:(?:so|and|also|oh|ok|well|just|finally)[ ,]+)*(?:{_PAST_FORMS})\b"
    rf"|\b(?:has|have) (?:been|now|just|already)? ?(?:{_PAST_FORMS})\b",
    re.IGNORECASE,
)
COMING: Final = late(
    r"\b(?:I|we) (?:will|shall|am going to|are going to) (?!not\b)\w+", re.IGNORECASE
)
DENIES: Final = late(
    r"\b(?:I|we) (?:\w+ )?(?:do not|can not|never|will not|did not|have no|have never|no longer"
    r"|have not"
    r"|hardly ever|rarely|neither)\b|\bno \w+[^.]*(?:here|at home|for me|with me|in my|of mine)\b"
    r"|\b(?:off|without) (?:alcohol|sugar|meat|caffeine|gluten|dairy)\b|\bnever\b|\bnone of\b",
    re.IGNORECASE,
)
EVENT: Final = late(
    r"\b(?:starts|begins|ends|opens|closes|moves|expires|finishes|launches|due"
    r"|takes? place|happens?"
    r"|leaves?|comes?|goes|delivers?|freeze|deadline|must|joins?|retires?|arrives?|lands?"
    r"|hand back)\b",
    re.IGNORECASE,
)
RULES: Final = late(
    r"\b(?:rules?|policy|policies|standard|convention|agreement|deadline|permanent\w*"
    r"|official\w*|regular"
    r"|routine|habit|tradition|contract|budget|target|quota|limit|maximum|minimum|threshold"
    r"|decision|decided"
    r"|agreed|appointment|surgery|exam|wedding|holiday|leave|shift|schedule|rota|birthday"
    r"|anniversary"
    r"|only|must|have to|has to|allerg\w+|diabetic|medication|insulin|tablets?|pills?)\b",
    re.IGNORECASE,
)
PASSING: Final = late(
    r"\b(?:right now|at the moment|this (?:morning|afternoon|evening|minute|one|instant)"
    r"|just now|for now|so far|in a (?:sec|second|minute|moment|bit)|weather|traffic|lunch break"
    r"|coffee break"
    r"|hang on|hold on|give me a|one sec|later today|happy (?:new|birthday|monday|friday)|good luck"
    r"|broken|crashed|frozen|stuck|headache|waiting|this week|no way|not my (?:circus|watch"
    r"|problem|job)|same \w+ as (?:always|usual|ever)|for the (?:fair|weekend|conference|summit)"
    r"|for (?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|\d+)[.!]*$|keys|questions?|meetings today"
    r"|(?:close to|almost|nearly) (?:done|there|finished|over|home)|home (?:stretch|straight)"
    r"|first time|see you|talk (?:soon|later|tomorrow)|no idea|not sure|never mind|nobody"
    r"|whatever)\b",
    re.IGNORECASE,
)
THIS_DAY: Final = late(r"\b(?:tonight|today|this (?:morning|afternoon|evening))\b", re.IGNORECASE)
MENTAL: Final = late(
    r"\b(?:I|we) (?:\w+ ){0,2}(?:think|thought|guess|suppose|reckon|hope|hoped|wonder|know|knew"
    r"|see|saw|hear|heard"
    r"|feel|felt|remember|forgot|forget|mean|meant|understand|believe|doubt|bet|swear|wish|need"
    r"|want|wanted"
    r"|like|love|hate|said|told|asked|tell|say|mention\w*|noticed|found|realised|realized|assume"
    r"|expected"
    r"|should (?:\w+ )?have|can not believe|could not|appreciate|thank|promise|imagine|see|agree"
    r"|disagree|care|mind|pray|fear|miss)\b",
    re.IGNORECASE,
)
_ORDER_VERBS = (
    "add answer append apply arrange assign attach book bring build buy calculate call cancel "
    "change check"
    " choose clean close commit compare compute convert copy correct count create cut delete "
    "deploy do"
    " draft draw drop email erase explain export fetch fill find fix flag forward generate get "
    "give go help"
    " hold import include keep leave let list look mail make mark mention merge move note open "
    "order pick"
    " ping plan plot post prepare print pull push put re-run read rebuild recompute redo refresh "
    "remind"
    " remove rename reply rerun reschedule reset resend restart retry return revert review "
    "rewrite run save"
    " say schedule send set shift show skip sort split start stop summarise summarize swap "
    "switch take tell"
    " test translate try turn update upload use wait watch write need"
)
ORDERS: Final = late(
    r"^(?:(?:so|and|but|or|oh|ok|okay|well|yes|yeah|yep|no|nah|right|great|good|super|thanks|hi"
    r"|hey|hello|also"
    r"|then|now|just|only|please|first|next|last one|quick one|quick q|one more|anyway|btw|by "
    r"the way|hm+)"
    r"\b[ ,:.!]*)*(?:do not |never |always )?(?:can you|could you|would you|will you|you (?:can"
    r"|may|should|could)"
    rf"|let us|{'|'.join(_ORDER_VERBS.split())})\b(?! (?:is|are|was|were|has|have|goes|starts?"
    rf"|ends?|closes?"
    r"|opens?|day|time)\b)",
    re.IGNORECASE,
)
HAPPENED: Final = late(
    r"\b(?:I|we|he|she|they|it|somebody|someone) (?:just |already |once )?(?:was|were|went|came"
    r"|had|did|said"
    r"|told|asked|wrote|called|saw|met|ate|woke|slept|ran|fell|tried|looked|talked|checked"
    r"|turned up|sent"
    r"|watched|laughed|cried|forgot|spent|walked|drove|waited)\b",
    re.IGNORECASE,
)
_CAPITAL = late(r"(?<=[\w,;] )(?!I\b)[A-ZÀ-ÞĀ-Ž][\w'’-]+|\b[A-Z]{2,}\b|\b\w+[_-]\w*\d\w*|\b\w+_\w+")
_DIGITS = late(rf"\d|\b{_NUMBERS}\b", re.IGNORECASE)


def named(text: str) -> bool:
    """Whether a name or an identifier stands in a sentence."""
    return _CAPITAL.search(text) is not None


def numbered(text: str) -> bool:
    """Whether a number stands in a sentence."""
    return _DIGITS.search(text) is not None
