"""The words around a verb that say that a clause lasts, or that it only passes."""

import re
from typing import Final

from muniment.domain.late import late

FLEETING: Final = late(
    r"\b(?:right now|at the moment|just now|for now|so far|tonight|this (?:morning|afternoon"
    r"|evening|minute|instant|second|time|once|one)|later today|in (?:a|an|\w+) (?:sec|second"
    r"|minute|moment|bit|minutes|hour|hours|seconds)|today|for once|hang on|hold on|one sec"
    r"|for the (?:demo|fair|call|meeting|slides?|deck)|only for|just for|(?:last|the other) night"
    r"|again and again|on the way|yesterday|earlier|a minute ago|an hour ago|this week|the way I"
    r"|literally|apparently|obviously|no idea|no clue|not sure|so many|so much|a lot of (?:fun"
    r"|work)|as usual|to death|surely|promised (?:me|us) personally|(?:pasted|attached|uploaded"
    r"|shared|sent)"
    r" (?:it|them|the \w+)(?: in| here| below| above)?|an? [\w -]{0,20}(?:error|exception|timeout"
    r"|crash|traceback|warning|stack ?trace)"
    r"|the whole time|all (?:day|night|morning|week)|whatever|somehow|or something|I guess"
    r"|of (?:this|that|these|those)|like (?:this|that|crazy|mad)|again)\b|\byou (?:said|say|told"
    r"|wrote|have|put|noted)\b|\bmy (?:fault|bad)\b|\.\.\.|…",
    re.IGNORECASE,
)
_LEAD = r"^(?:(?:and|so|but|well|yes|no|oh|hi|also)[ ,]+)*"
_NOW = r"(?:at the moment|right now|just now|for now|for the moment|for the time being|at present)"
_LIVES = (
    r"(?:I|we) (?:(?:still|both|all|only|mostly) )*(?:(?:rent|lease|sublet|own|commute|employ"
    r"|live(?! (?:for|off|out of|and|through)\b)|lodge|share (?:an?|the (?:flat|house))"
    r"|study (?!the\b|this\b|it\b)|teach)\b"
    r"|(?:am|are) (?:renting|living (?:with|on|in an?|at)|lodging|subletting"
    r"|staying with (?:my|our)|sharing an?)\b"
    r"|(?:have|keep|run|serve) (?:only )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten"
    r"|twelve) (?!minutes|hours|questions|things|problems|meetings|tabs|options|days|weeks"
    r"|issues|errors|choices|calls)"
    r"|(?:am |are )?work(?:ing)? (?:from|nights|days|shifts|weekends|part|full|remote\w*"
    r"|freelance|as an?|(?:\w+ ){0,2}days)\b)"
)
FOR_NOW: Final = late(
    rf"{_LEAD}{_NOW},? (?={_LIVES})"
    rf"|(?<=\w),? {_NOW}(?=[,.!]*$)",
    re.IGNORECASE,
)
"""Where one lives and works, and what one has, is so for long, even "at the moment"."""
LIVES: Final = late(rf"{_LEAD}{_LIVES}", re.IGNORECASE)
FROM_THEN: Final = late(
    r"\b(?:since|starting|from|as of|effective|until|till) (?:today|yesterday|tonight"
    r"|this week)\b",
    re.IGNORECASE,
)
DECIDED_SO: Final = late(
    r"[,;] (?:and |so )?(?:we|they|it|that|this|which|(?:the|our|my) [\w-]+)"
    r"(?: (?:all|both|just|finally|have|has|had|was|is|were|been|now))*"
    r" (?:decided|agreed|settled|approved|resolved)(?: (?:it|that|so|on|upon|on it))?"
    r"(?: (?:today|yesterday|earlier|just now|last (?:night|week|month|\w+day)"
    r"|this (?:morning|afternoon|evening|week|month)|(?:on|in|at) [\w' -]{2,40}))?\s*[.!]*$",
    re.IGNORECASE,
)
"""What goes before was decided; the day is that of the decision."""
HEADS: Final = late(r"(?:[\w'-]+ ){0,2}head of [\w'-]", re.IGNORECASE)
"""Who heads something, where a head alone is one's own."""
MADE: Final = late(r"^an? (?:[\w-]+ ){0,2}?(?-i:[A-Z])[\w-]+", re.IGNORECASE)
"""What a thing is by its make: "a ThinkPad with Linux"."""
POINTS: Final = late(
    r"^(?:(?:with|for|on|at|to|of|in|about|from) )?(?:it|this|that|them|those|these|there|him"
    r"|her|you|your|yours|so|one|ones|what|how|why|whether|if)\b",
    re.IGNORECASE,
)
TRANSIENT: Final = late(
    r"^(?:(?:a bit|a little|so|very|too|quite|really|pretty|still|all|kind of|not|now|just|rather"
    r"|super|still|totally|getting) )*(?:slow|slower|broken|down|late|tired|great|good|bad|fine|ok"
    r"|okay|ready|done|wrong|right|nice|awful|terrible|full|empty|stuck|busy|sick|ill|nervous"
    r"|happy|sad|angry|hungry|cold|hot|up|here|there|about|missing|acting|frozen|dead|dying|crazy"
    r"|weird|odd|funny|confused|lost|sure|glad|sorry|afraid|aware|curious|interested|worried"
    r"|excited|proud|pleased|grateful|surprised|shocked|impressed|back|home|online|offline|well"
    r"|better|worse|early|alone|in a|on it|behind|next|over the moon|beside|toast|knackered"
    r"|exhausted|amazing|awesome|fantastic|brilliant|perfect|lovely|beautiful|horrible|huge"
    r"|massive"
    r"|tiny|a (?:mess|disaster|nightmare|joke|pain|shame|pity|bit|little|lot|dream|delight|monster"
    r"|genius|lawyer|saint|star|angel|hero|wreck|zombie|fan|believer|robot|potato|king|queen)"
    r"|the (?:same|best|worst|king|queen|problem|one|only|point|reason|devil|boss here)"
    r"|that|what|how|why|to|because|like|as|such|something|nothing|everything|yours|mine|ours)\b",
    re.IGNORECASE,
)
PLAYFUL: Final = late(
    r"\b(?:home stretch|live for|patience|sanity|soul|universe|religion|kidney|throne|kingdom"
    r"|zero (?:patience|regrets"
    r"|chill)|nonsense|bullsh\w+|crap|damn|hell|heck|nuts|lawyer up|world domination|my job|my bed"
    r"|life is (?:complete|over|perfect|a joke|good)|spreadsheets?|allergic to work|ironing"
    r"|mondays?$)\b",
    re.IGNORECASE,
)
WAYS: Final = late(
    r"^(?:based|from|responsible for|in charge of|off (?:on|from)|away|out of office|on (?:leave"
    r"|sabbatical|call|insulin|blood thinners|medication|antidepressants|statins|beta blockers|the"
    r" (?:board|pill|committee|council|works council|waiting list)|parental|maternity|paternity"
    r"|warfarin|a (?:diet|low|gluten|keto))|colou?r|allergic|new to|used to|fluent|good at"
    r"|hopeless"
    r" at|closed|open|due|available|reachable|free on|at home|in (?:remission|therapy|recovery"
    r"|training|retirement|my final|my first|my second|my third|year|the (?:alto|band|choir|union"
    r"|army|navy|reserve))|into (?:bouldering|\w+ing)|with [A-ZÀ-Þ]|at [A-ZÀ-Þ]|\d{1,3}\b|a member"
    r"|members of|a team of|the (?:only|youngest|eldest|oldest|sole|main|legal|new) \w+|two|three"
    r"|four|five|six|seven|eight|nine|ten|twelve|an only child|a (?:single|stay-at-home|first)"
    r"|insured|registered|licensed|certified|qualified|trained|enrolled|signed up|booked"
    r"|vaccinated"
    r"|stopping|called|named|located)",
    re.IGNORECASE,
)
LINK: Final = late(
    r"^(?:(?:now|still|always|only|currently|also|actually|both|already) )*(?:called|named"
    r"|[A-ZÀ-Þ]\S*"
    r"|[€$£]?\d\S*|in|at|on|from|due|closed|open|over|gone|every|each|Mr|Mrs|Dr|the|an?|my|our"
    r"|about"
    r"|around|under|by|until|till|weekly|monthly|daily|quarterly|fixed|capped|limited|based|run"
    r"|written|made|owned|moving|seven|six|five|four|three|two|one|eight|nine|ten|eleven|twelve"
    r"|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|no"
    r"|allergic|diabetic|vegan|vegetarian|deaf|blind|bilingual|retired|married|pregnant|with)\b",
)
OFFICE: Final = late(r"(?:responsible for|in charge of|the (?:one|person) who) ", re.IGNORECASE)
"""What a colleague has to do, and so whom to ask."""
TREATED: Final = late(
    r"\b(?:surgery|an? (?:baby|operation|scan|mri|transplant|biopsy)|done|removed|replaced|fitted"
    r"|out|operated on|pulled)\b",
    re.IGNORECASE,
)
OURS_TOO: Final = late(r"\b(?:our|us|for me|from me|me on|my|with me|to me)\b", re.IGNORECASE)
OF_MINE: Final = late(
    r"^(?:(?:now|also|still|both|actually|only) )*(?:one of )?(?:my"
    r"|our) (?P<noun>(?:[\w'-]+ ){0,3}?"
    r"[\w'-]+)(?=[.,!]|$| (?:for|at|in|since|from|on|of|and|with)\b)",
    re.IGNORECASE,
)
SINCE: Final = late(
    r"\b(?:since|for (?:about |over |almost |nearly |around |the (?:last|past) )?(?:\d+|a|an|two"
    r"|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|many|some|several|ages)"
    r"(?: (?:years?|months?|decades?|seasons?))?)\b",
    re.IGNORECASE,
)
AWAY: Final = late(
    r"^(?:away|off|out|abroad|on (?:\w+ )?(?:leave|holiday|vacation|sabbatical)|closed|in [A-ZÀ-Þ]"
    r"|unavailable|unreachable|back)\b"
)
ORDERED: Final = late(r"^(?:to|that|on|not to|against|for|between|in favou?r)\b")
DEGREE: Final = late(
    r"^(?:(?:my|a|an|the) )?(?:\w+ )?(?:phd|doctorate|master'?s?|bachelor'?s?|degree|mba|diploma"
    r"|apprenticeship|training|residency|military service|thesis|a-levels|abitur|internship)\b",
    re.IGNORECASE,
)
SKILLED: Final = late(r"\b(?:well|inside out|by heart|fluently|without help|blindfold)\b")


HELD: Final = frozenset(
    [
        "call",
        "name",
        "own",
        "base",
        "run",
        "write",
        "cap",
        "limit",
        "host",
        "hold",
        "make",
        "store",
        "keep",
        "set",
        "handle",
        "bear",
        "found",
        "employ",
        "insure",
        "register",
    ]
)
IT_IS: Final = late(
    r"^(?:(?:so|ok|okay|right|well|then"
    r"|and)[ ,]+)*(?-i:[A-ZÀ-Þ])[\w'.+#-]*(?: [\w'.+#-]+){0,3}? it"
    r" is(?= for\b| then\b| from\b|[,.!]|$)"
)
PUTS: Final = late(
    r"^(?:me|us|him|her|them|(?:the|my|our) \w+) (?:back )?(?:up|down|on|in charge)\b",
    re.IGNORECASE,
)
LIMIT: Final = late(
    r"^(?:anything|everything|nothing|all [\w-]+|any [\w-]+|no [\w-]+|[\w-]+s) (?:above|over|under"
    r"|below|beyond|up to|from|more than|less than|older than|bigger than"
    r"|smaller than) [€$£]?\d\S*"
    r"(?: \w+){0,2}? (?:needs?|must|goes|go|has to|have to|is|are|requires?|gets?|takes?"
    r"|counts?)\b",
    re.IGNORECASE,
)
"""A rule with a threshold."""
SINCE_ALONE: Final = late(
    r"^(?:been|worked|lived|living|working|married|sober|vegan|vegetarian|retired|divorced|single"
    r"|based|with [A-ZÀ-Þ]\S*)\b.*\bsince (?:\d{4}|\w+)\b",
    re.IGNORECASE,
)
"""Since when something is so, without a subject."""


CHOSEN: Final = late(
    r"^(?:go|opt|settle|stick|land) (?:with|for|on) (?!the flow\b|it\b|that\b|this\b|you\b|your\b)"
    r"[\w' .+#-]{2,40}? for (?:the|our|my|all|every|now on)\b",
    re.IGNORECASE,
)
"""One thing for a purpose: what was chosen."""
GIVEN_UP: Final = late(
    r"^(?:now |all )?(?:off(?: the (?:table|list|menu|cards))?|out|cancelled|canceled|called off"
    r"|history|dropped|no longer an option|not happening)(?=[,.!]|$)",
    re.IGNORECASE,
)
SENSES: Final = late(
    r"\b(?:my|our) (?:hearing|sight|eyesight|sense of (?:smell|taste)|taste|smell|voice|memory|leg"
    r"|arm|hand|foot|finger|thumb|eye|kidney|licen[cs]e|husband|wife|son|daughter|mother|father"
    r"|job)\b",
    re.IGNORECASE,
)
"""What one loses for good."""
STAYS_ON: Final = late(
    r"^(?:on |in |with |at )?(?:to )?(?:my|our|the) (?:\w+ )?(?:job|post|position|role|flat|house"
    r"|apartment|place|shop|office|name|account|team|school|plan|contract|landlord|supplier"
    r"|bank)\b",
    re.IGNORECASE,
)
ONLY_WHEN: Final = late(
    r"^(?:for|on|from|by) (?:the )?(?:\d{1,2}(?:st|nd|rd|th)? \w+|\w+ \d{1,2}(?:st|nd|rd|th)?"
    r"|\w+day)[.!]*$",
    re.IGNORECASE,
)
"""A day and nothing else: no object."""
