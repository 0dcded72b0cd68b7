"""The wordings of wishes: what is general, what is asked once, what is a matter of form."""

import re
from typing import Final

from muniment.domain.extraction.cues import LEAD
from muniment.domain.late import late

WEEKDAYS = (
    r"(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends"
    r"|weekdays|mornings|evenings|nights|afternoons)"
)
GENERAL: Final = late(
    r"\b(?:always|never|ever|from (?:now|here|today) on(?:wards?)?|going forward"
    r"|in (?:the )?future|by default|as a rule|in general|generally|every ?time"
    r"|each time|whenever|standing|permanently|every|each|any|anything|everything"
    r"|everywhere"
    r"|all (?:my|our|the|of my|your)|no longer|any ?more|across the board"
    r"|without exception|as standard|for good|regardless|no matter|in every"
    r"|at all times|when(?:ever)? you (?:write|send|make|give|show|draft|book|plan"
    r"|format|answer|reply|report|quote|summari[sz]e|do|create|build|prepare|use|code"
    r"|talk|address|refer)"
    rf"|when I (?:ask|say|send|request|want)|{WEEKDAYS}|unless|only|(?:in|for"
    r"|on) (?:all |my |our |your )?(?:letters|emails|mails|reports|messages|quotes"
    r"|invoices|meetings|slides|documents|contracts|summaries|replies|returns|charts"
    r"|posts|recipes|presentations|translations|commits)|rather than|instead of"
    r"|at most|max(?:imum)?|no more than|under any circumstances|first thing|weekly"
    r"|daily|monthly)\b",
    re.IGNORECASE,
)
VERB = (
    r"(?:use|exclude|include|avoid|skip|stop|keep|prefer|round|format|reply|answer"
    r"|respond|write|give|send|show|put|leave|start|end|begin|call|address|sign"
    r"|translate|convert|add|list|sort|group|report|quote|summari[sz]e|book|schedule"
    r"|plan"
    r"|set|make|mention|tell|ask|check|explain|draft|cc|copy|attach|spell|display"
    r"|print|label|name|highlight|assume|apply|treat|order|reserve|remind|notify|warn"
    r"|block|forward|share|post|publish|deliver|invoice|charge|bill|type|say|speak"
    r"|talk"
    r"|drop|remove|hide|default|stick|limit|cut|be|get|take|do|follow|refer|pick"
    r"|choose|phrase|word|cite|link|quit|cap|flag|run|work|split|number|date|comment"
    r"|indent|title|tag|store|file|save)"
)
POLITE = (
    r"(?:(?:so|and|but|oh|ok|okay|well|yes|no|nah|also|then|great|right|please|just"
    r"|now|hey|hi|btw|by the way|thanks|one more(?: thing)?|one thing"
    r"|another thing|for the record|as always|from now on|going forward|in future"
    r"|in the future|by default|you (?:should|can|may|must|have to|need to)"
    r"|can you|could you|would you|I (?:would like|would|want|need|expect|ask) you to"
    r"|make sure (?:to|that you|you)|be sure to|remember to|try to"
    r"|let us)\b[ ,:!.]*)*+"
    r"(?:(?:when(?:ever)? (?:you|I)|for|in|on|with|if you|to) [^,]{2,50}?, ?"
    r"|(?:when(?:ever)? (?:you|I)|for|in|on|with|to) (?:[\w'-]+ ){1,8}?(?=(?:please "
    r"|always |never |do not |only )))?"
    r"(?:please |and )?"
)
IMPERATIVE: Final = late(
    rf"^{POLITE}(?:always |never |only |do not (?:ever )?|please "
    rf"|not to )*{VERB}\b(?!')(?! (?:is|are|was|been|out of))",
    re.IGNORECASE,
)
NEGATIVE: Final = late(
    r"\b(?:do not|never|please do not|stop|no need to|you (?:do not|should not"
    r"|must not) (?:need to |have to )?|I do not want you to|quit)(?: ever| please"
    r"| just)* "
    r"(?:give|explain|send|sending|use|using|write|writing|call|calling|address"
    r"|addressing|show|showing|add|adding|include|including|put|putting|mention"
    r"|mentioning|remind|reminding|schedule|scheduling|book|booking|round|rounding"
    r"|format|summari[sz]e|summari[sz]ing|translate|suggest|suggesting"
    r"|recommend|recommending|ask|asking|apologi[sz]e|apologi[sz]ing|repeat|repeating"
    r"|share|sharing|cc|copy|copying|forward|offer|offering|quote|quoting|start"
    r"|starting|end|ending|sugarcoat|assume|assuming|bother|spam|wake|disturb|serve"
    r"|order|ordering|the|with|giving|explaining|capitali[sz]e|abbreviate|pad|name"
    r"|sign|propose|push|nudge|congratulate|praise|guess|invent|truncate|wrap|auto\w+"
    r"|greet)\b"
    r"(?! (?:it|that|this|them|anything|him|her|me (?:wrong|down|off|up|started)|worry"
    r"|up|with (?:it|that|this))(?:$|[,.!]| (?:yet|now|today|up|to|for now|again today"
    r"|either|as well|out)))",
    re.IGNORECASE,
)
ONE_OFF: Final = late(
    r"\b(?:this time|just this once|for now|right now|this one|this (?:morning"
    r"|afternoon|evening|week|month|report|mail|email|letter|message|text|file|quote"
    r"|ticket|draft|meeting|trip)|today|tonight|tomorrow|that (?:mail|email|file|draft"
    r"|ticket|quote|parcel|form)|week \d+|the (?:draft|file) (?:above|below)|again\?"
    r"|line \d+"
    r"|on it|asap|do not \w+ (?:it|that|this|them|anything)(?:$|[.,!]| to me)|quickly"
    r"|platter|roster|off that|at the (?:do|party)|please do[.!]*$|as always|as usual"
    r"|same (?:report|thing|as)|(?:the|this|that|an?) (?:bug|error|test|meeting"
    r"|call) (?:at|on|in))\b",
    re.IGNORECASE,
)
DESIRE: Final = late(
    rf"^{LEAD}(?:(?:what )?(?:I|we)(?: \w+)?? (?:always |only |really |still |much "
    r"|usually |strongly |generally |do |would |am |definitely )*(?:want|wanting|need"
    r"|prefer|expect|insist on|would rather|rather|would like|like(?= (?:my|them|it"
    r"|to have|to get|to see|all|every))|favou?r)\b|my preference is|I am (?:a"
    r"|an?) \w+ (?:person|guy|fan)\b|give me\b)",
    re.IGNORECASE,
)
CONTRAST: Final = late(
    r"\b(?:rather than|instead of|over (?!the|a|to|here|there|at|all)\w+"
    r"|not (?:the )?\w+[\w -]*$|not \w+|in place of|and not|but not|never)\b|, not \w+",
    re.IGNORECASE,
)
WISH_ONLY = late(
    r"\b(?:want|need|like|prefer|love) (?:to (?:know|ask|see|check|talk|move|go|buy"
    r"|learn|get|be|say|tell|change|cancel|order|try|start|thank|do|have|make|add|find"
    r"|join|visit)|a |an |one|some|your help|help|it|that|this|the (?:status|number"
    r"|total|list|link|file)|more|another|coffee|sleep|holiday|vacation)\b",
    re.IGNORECASE,
)
FORMAT: Final = late(
    r"\b(?:bullets?|bullet points?|paragraphs?|table|tables|markdown|plain text|csv"
    r"|pdf|decimals?|thousands?|millions?|currency|euros?|dollars|usd|eur|gbp|metric"
    r"|imperial|celsius|fahrenheit|24[- ]hour|12[- ]hour|iso|date format|dates"
    r"|timezone|utc|lowercase|uppercase|capital(?:s| letters)|tone|formal|informal"
    r"|short|shorter|long|brief|concise"
    r"|summary|summaries|emoji|emojis|exclamation marks?|commas?|semicolons?|tabs"
    r"|spaces|indent\w*|commit messages?|subject lines?|headings?|footnotes?"
    r"|citations?|units?|grain|granularity|percent\w*|p-values?|intervals?|charts?"
    r"|graphs?|colou?rs?|font|letters?|english|french|german|spanish|british|american"
    r"|spelling|first names?|surnames?|sir|madam"
    r"|code|diffs?|comments?|ctes?|subquer\w+|keywords|types?|tests?|examples?"
    r"|sources?|links?|attachments?|voice|line by line|step by step|jargon|answers?"
    r"|replies|aisle|window seat|vegetarian|vegan|invoices?|quotes?|discounts?"
    r"|reports?|meetings?|calls?|reminders?|notifications?|newsletters?|slides?|deck"
    r"|numbers?|rounding|rounded)\b",
    re.IGNORECASE,
)
ADDRESSED: Final = late(
    rf"^{POLITE}(?:please )?(?:always )?(?:address|call|refer to|sign) (?:me|us"
    r"|my \w+)(?: to| in \w+| only| always)? ?(?:as |by |with )?(?P<how>(?:Dr|Mr|Mrs"
    r"|Ms|Prof|Miss)\.? ?[A-Z]\w*|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*|by my (?:first"
    r"|last) name|my (?:first|last) name)",
    re.IGNORECASE,
)
SIGN_AS = late(
    r"(?<!they )(?<!people )(?<!friends )(?<!everyone )\b(?:sign|address|call"
    r"|refer to) me (?:only |always |simply )?as \w+",
    re.IGNORECASE,
)
NOW_ON = late(
    r"^(?:(?:so|and|ok|please)[ ,]+)*(?:from now on|going forward|by default"
    r"|in (?:the )?future|as of now)\b",
    re.IGNORECASE,
)
NO_THING: Final = late(
    r"^(?:(?:so|and|but|oh|ok|also|then|please|well|no, )[ ,]*)*+(?:no|nothing|zero"
    r"|not a single|absolutely no) (?P<what>[\w' -]{2,40})",
    re.IGNORECASE,
)
NO_MARK: Final = late(
    r"\b(?:please|ever|unless|in (?:any|my|the|your)|for me|at all|before|after"
    rf"|on {WEEKDAYS}|that day|from now on|under any|thanks|again|any ?more|without"
    r"|is to be|to be|between|allowed|past)\b",
    re.IGNORECASE,
)
NOT_NO = late(
    r"^(?:\w+ ){0,2}(?:no (?:no\b|idea|problem|worries|doubt|wonder|way|one|more of"
    r"|longer|need|rush|hurry|thanks|thank|questions?|luck|clue|chance|matter|changes?"
    r"|news|big deal|reply|response|answer|results?|longer)|nothing (?:new|else|yet"
    r"|to (?:add|report|see|do|worry)|changed|of the|happened|works|special|urgent)"
    r"|no,|no\.)",
    re.IGNORECASE,
)
ALWAYS_TAIL: Final = late(
    r"(?<! as)(?:,? (?:always|every time|without exception|standing thing|as a rule|for good"
    r"|no exceptions)|, ever|, please)[.!]*$",
    re.IGNORECASE,
)
I_ALWAYS: Final = late(
    rf"^{LEAD}(?:I|we) (?:always|never) (?!feel\b|worry\b|love\b|think\b|wonder\b"
    r"|hope\b|try\b|believe\b|find\b|enjoy\b|expected\b|dreamed\b|looked?\b|seem\b"
    r"|imagined\b|tell\b|give up\b|realized\b|been\b|had\b|said\b|thought\b"
    r"|wanted to\b|know\b|knew\b|worked\b|told\b|heard\b|saw\b|liked\b|was\b|did\b"
    r"|got\b|forget\b|wonder\b|learn\b|understood\b|understand\b|agreed\b|asked\b"
    r"|met\b|went\b|approved\b|fall\b|lose\b|end up\b)[a-z]+",
    re.IGNORECASE,
)
LIKES: Final = late(
    rf"^{LEAD}(?:I|we) (?:really |do |just |absolutely |also |still |especially "
    r"|particularly |truly |both |all |simply )*(?:love|like|enjoy|adore|am (?:really "
    r"|very |so )?(?:into|fond of|crazy about|keen on|passionate about)|am a (?:big "
    r"|huge |massive )?fan of|prefer) (?P<what>(?!it\b|that\b|this\b|them\b|how\b"
    r"|the (?:way|idea|sound|look)\b|to (?:know|see|hear|think|ask|move)\b|you\b"
    r"|your\b|him\b|her\b|what\b|those\b|these\b|where\b|when\b|him\b|a (?:bit|lot)\b"
    r"|both\b|one\b|all\b|the (?:thought|vibe|rush|feelings?|smell|taste|structure"
    r"|view|tech|sentiment|energy|support)\b|being here\b|your\b|its\b"
    r"|their work\b)[\w'].*)",
    re.IGNORECASE,
)
FAVOURITE: Final = late(
    rf"^{LEAD}my (?:all[- ]time )?favou?rite (?P<what>[\w -]{{2,30}}?) (?:is|are"
    r"|has always been) (?P<value>\S.*)",
    re.IGNORECASE,
)
CHOICE = late(r"^(?:no|nah|not|nope|neither|god no|whoa)\b", re.IGNORECASE)
ASSISTANT_DID = late(
    r"\b(?:I (?:have |will |shall |would |could |can |should |am |now |just "
    r"|also )*(?:put|set|use|used|using|assume|assumed|convert\w*|list\w*|show\w*"
    r"|start\w*|write|wrote|book\w*|round\w*|group\w*|send|sent|format\w*|sort\w*|take"
    r"|took|apply|applied|add(?:ed)?|made|make|keep|kept|remove|include\w*|switch\w*"
    r"|chose|choose|pick\w*|translate\w*|deliver\w*|plan\w*|scaffold\w*)|I'll \w+"
    r"|I've \w+|shall I|should I|do you (?:want|prefer)|would you (?:like|prefer))\b",
    re.IGNORECASE,
)
ALL_SHOULD = late(
    rf"^{LEAD}(?:everything|anything|all|every|each|nothing)\b.{{2,60}}?\b(?:should"
    r"|must|has to|have to|needs to) (?:always |never |not )?[a-z]+",
    re.IGNORECASE,
)
GOES_OUT = late(
    rf"^{LEAD}(?:what|anything|everything|whatever)(?: that)? (?:goes|is sent|I send"
    r"|you send|you write|we send) (?:out )?(?:to|for) [\w ]+ (?:is|are|must|should"
    r"|has to|needs)\b",
    re.IGNORECASE,
)
OF_THAT = late(
    r"\b(?:do not|never) \w+ (?:to |count )?(?:it|that|this|them|anything)(?:$|[,.!]"
    r"| to me| any ?more)|\bI never \w+(?: to)? (?:it|them|that)\b",
    re.IGNORECASE,
)
ASKS_YOU = late(
    r"^(?:(?:so|and|but|ok|also|please|hey)[ ,]+)*+(?:(?:can|could) (?:you|we)|(?:would"
    r"|will) you please|may I ask you to) (?:please )?",
    re.IGNORECASE,
)
FOR_GOOD = late(
    r"\b(?:from (?:now|here) on|always|every ?time|in (?:the )?future|going forward"
    r"|by default|never|whenever|every \w+day|(?:you|please) stop \w+ing|not use"
    r"|no longer)\b",
    re.IGNORECASE,
)
FORM_ORDER = late(
    r"^(?:(?:so|and|but|ok|also|please|just|then|yes|no)[ ,]+)*+(?:please )?(?:answer"
    r"|reply|respond|keep|use|round|spell|format|skip|stick to|phrase"
    r"|write)(?: to)? (?!(?:an?|this|that|these|it|me|him|her|them|the (?:second|first"
    r"|third|last|file|draft|mail|email|report|following|above|other|same|one|new|old)"
    r"|some|another|one|two|three|five|ten)\b)",
    re.IGNORECASE,
)
FORM_FRAGMENT = late(
    r"^(?:(?:so|and|but|ok|also|no|yes)[ ,]+)*+(?:(?!(?:the|this|that|a|an|it|I"
    r"|we)\b)[\w-]+s|everything|all [\w-]+) (?:in|as|with|without|by"
    r"|on) [\w -]{2,40},? please\b",
    re.IGNORECASE,
)
USE_NOT = late(
    r"^(?:(?:so|and|but|ok|also|please|just)[ ,]+)*+(?:use )?[\w-]+s,? not [\w-]+s\b", re.IGNORECASE
)
FOR_ME_ALWAYS = late(r"\bit is always [\w -]+ (?:for|with) me\b", re.IGNORECASE)
PRONOUNS = late(
    r"\b(?:my pronouns are|I go by (?:they|she|he)|I use (?:they|she|he)/)", re.IGNORECASE
)
LIKED_WHEN = late(
    rf"^{LEAD}(?:(?:I|we) (?:really |do |always |much )*(?:like|love|prefer|hate"
    r"|appreciate|dislike) it (?:when|if) you\b|(?:I|we) (?:would"
    r"|do) (?:really )?(?:appreciate|prefer|like|love) it if you .*\b(?:always|every"
    r"|each|never|from now on|any ?more)\b|it (?:would be|is) (?:better|best|easier"
    r"|nicer|great|good) (?:for me )?if you .*\b(?:always|every|each|never"
    r"|from now on)\b|(?:I|we) do not (?:want|need) (?:to (?:see|get|receive|read"
    r"|hear) |any (?:more )?)\w+)",
    re.IGNORECASE,
)
PEP_TALK = late(
    r"\b(?:worry|forget|give up|giving up|be afraid|quit on|keep (?:going|pushing"
    r"|it up|up|on|at it|shining|smiling|fighting|believing|in touch|me posted"
    r"|your chin)|hang in there|lose hope|be proud|believe in|follow your"
    r"|stay (?:strong|safe|positive)|take care|remember that you|cheer up|dream)\b"
    r"|\b(?:your|yourself)\b(?! (?:answers?|repl(?:y|ies)|reports?|summar(?:y|ies)"
    r"|responses?|messages?|tone|code|emails?|mails?|texts?|drafts?|notes?"
    r"|suggestions?|output|charts?|tables?|lists?|recommendations?))",
    re.IGNORECASE,
)
ENOUGH = late(
    r"\b(?:is (?:plenty|enough)|are (?:plenty|enough)|will do|suffices?"
    r"|is (?:quite )?sufficient)\b",
    re.IGNORECASE,
)
NO_ORDER = late(
    r"(?:they|it|he|she|these|those|this|that|moments|I|we|you|my|our|the|there)\b", re.IGNORECASE
)
LET_US = late(r"(?:(?:so|and|ok|but)[ ,]+)*+let us\b", re.IGNORECASE)
