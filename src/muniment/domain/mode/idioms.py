"""Sayings that speak for a mode: as in ``cues``."""

from typing import Final

from muniment.domain.mode.clauses import Form
from muniment.domain.mode.cues import (
    ANY,
    ASKED,
    OPENLY,
    PLAIN,
    REQUEST,
    RUN,
    SAID,
    STRONG,
    TOLD,
    WORK,
)
from muniment.domain.mode.situation import Mode

_TIME: Final = (
    r"(?:last (?:time|week|month|quarter|year)|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|q[1-4]|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)

_PERIOD: Final = (
    r"(?:first|second|third|fourth|last|this|new|past) (?:day|week|month|quarter|year|half|season|"
    r"term)|q[1-4]|h[12]|week \d+|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?"
)
# It has words of another mode in it ("the same answer without").
STRONGER: Final = STRONG + 2.0

IDIOMS: Final[tuple[tuple[Mode, str, float, frozenset[Form], str], ...]] = (
    (
        "fresh", "as_if_new", STRONG, ANY,
        (r"\b(?:as if|as though|as someone|like someone|pretend|imagine|suppose|assume|act (?:as|"
        r"like)|if)\b.{0,40}\b(?:(?:never|not|n't|just|newly) (?:been )?(?:seen|met|heard|looked|"
        r"hired|joined|arrived|started|known|knew)|first (?:day|week|look|encounter|contact)|"
        r"(?:new|day one) (?:here|on the job|in the job)|no (?:background|history|record|memory|"
        r"past|prior \w+))\b"),
    ),
    (
        "fresh", "as_if_new", STRONG, ANY,
        (r"\b(?:some(?:one|body)|an? (?:\w+ )?(?:analyst|person|colleague|reader)) (?:with(?: no|"
        r"out)"
        r"(?: any)?|who (?:has|had|knows?|lacks?)(?: no| nothing)?)\b.{0,20}\b(?:background|"
        r"history|"
        r"context|knowledge|notes|prior|findings|nothing)\b"),
    ),
    (
        "fresh", "not_led_by_it", STRONGER, ANY,
        (rf"\b(?:same|another|different|a similar) (?:\w+ )?(?:{WORK}|place|number)\b.{{0,40}}"
        r"(?:\bwithout|\bnot|n't|\bbefore) (?:\w+ ){0,2}(?:know|see|seen|knowing|seeing|looking|"
        r"look|"
        r"hav|hear)\w*\b"),
    ),
    (
        "fresh", "sets_aside", STRONG, SAID,
        (r"\b(?:put|leave|set)(?:ting)?\b.{1,50}\b(?:to (?:one|the) side|on (?:the|one) side|at "
        r"the "
        r"door|out of (?:your|my|our) (?:head|mind))\b|\b(?:clear|empty|wipe|clean) (?:your|my|"
        r"our|"
        r"the) (?:head|mind|memory|board|table|slate|desk)\b"),
    ),
    (
        "fresh", "from_scratch", STRONG, SAID,
        (r"\b(?:question|doubt|rethink|challenge) (?:everything|it all|all of it)\b|\bfrom the "
        r"(?:bottom|raw data|data|foundations?|ground)(?: up)?(?=$| up\b)|\bbegin(?:ning)? "
        r"(?:anew|afresh|again)\b"),
    ),
    (
        "fresh", "fresh_eyes", STRONG, SAID,
        (r"\b(?:untouched|unclouded|uncluttered|unburdened|second|independent|separate|parallel)"
        r"(?: [\w,]+){0,2} (?:perspective|read|reading|look|take|view|opinion|attempt|go|mind|"
        r"eyes|"
        r"assessment|evaluation)\b|\bunburdened by\b"),
    ),
    (
        "extend", "the_open_ones", STRONG, ANY,
        (r"\bthreads?\b.{0,20}\b(?:dangl|loose|hang|left|open)\w*|\bdangling\b|\b(?:did|do|have|"
        r"has) "
        r"(?:we|you|i) (?:not|never) (?:yet )?(?:get|got|gotten|reach|manage|look|tr(?:y|ied)|"
        r"cover)\w*"
        r"|\bnever got (?:to|round to|around to)\b"),
    ),
    (
        "extend", "goes_on", STRONG, SAID | OPENLY,
        (r"\b(?:one|another|a|the next|next) (?:\w+ )?(?:step|level|layer|notch) (?:deeper|"
        r"further|"
        r"down|on|up)\b|\b(?:logical|natural|obvious|sensible) (?:next|follow)\b|\bnext "
        r"(?:thing|step|cut|slice|layer|angle|question|chapter|piece)\b"),
    ),
    (
        "extend", "goes_on", STRONG, REQUEST,
        (r"^(?:to )?(?:pick|take) (?:it |this |that |things )?up\b|\b(?:the|that|our) (?:thread|"
        r"trail)\b"),
    ),
    (
        "revalidate", "may_we_say_so", STRONG, ASKED,
        (r"\b(?:stand behind|bank on|lean on|build on|swear by|hang my hat on|defend|"
        r"safe to|safely|firm ground|solid ground|thin ice|put (?:my|our|your) name (?:to|on))\b"),
    ),
    (
        "revalidate", "may_we_say_so", PLAIN, SAID,
        (r"\b(?:about|going|have|has|asked|want|wants|due) to (?:present|publish|quote|cite|"
        r"repeat|"
        r"claim|announce|tell|show|defend|rely)\b|\b(?:hate|embarrassing|awkward|bad) to be "
        r"wrong\b|"
        r"\breassur\w+\b"),
    ),
    (
        "revalidate", "still_so", STRONG, ASKED | OPENLY,
        (r"\b(?:intact|what we (?:said|claimed|thought|found|reported|believed)|the test of time|"
        r"aged|"
        r"held up|hold(?:s|ing)? (?:up|(?:any )?water)|(?:they|he|she) (?:be )?(?:right|wrong|"
        r"have a "
        r"point))\b"),
    ),
    (
        "revalidate", "has_it_changed", STRONG, ASKED,
        (r"^(?:has|have|did)\b.{0,80}\b(?:worn off|wear off|waned?|eased?|cured?|healed?|"
        r"subsided?|"
        r"abated?|died down|let up|(?:end|ended|passed|pass)$|tailed? off|(?:do|done) (?:anything|"
        r"something|the trick)|taken care of|put right|cleared(?: up)?)\b|"
        r"^(?:is|are)\b.{0,80}\b(?:waning|easing|subsiding|abating|wearing off|on the mend|"
        r"intact)\b"),
    ),
    (
        "revalidate", "checks", STRONG, REQUEST,
        (r"\bthrough (?:its|their) paces\b|^(?:to )?know (?:whether|if|that)\b.{0,80}\b(?:still|"
        r"keeps?|"
        r"remains?|holds?|stands?|continues?)\b|\b(?:defend it or|keep it or|kill it or)\b"),
    ),
    (
        "revalidate", "doubts", STRONG, SAID,
        (r"^(?:some(?:one|body)|people|everyone|(?:the|our|my) [\w-]+|[\w-]+) (?:doubts?|"
        r"questions|"
        r"disputes?|challenges|contests?|is questioning|are questioning|wonders?|asks?) (?:the|"
        r"that|"
        r"our|it|this|whether|if|about)\b|^check$"),
    ),
    (
        "re-run", "as_before", STRONG, SAID | ASKED,
        (rf"\b(?:the way|like|just like|exactly like|as|just as|exactly as) (?:we|you|i) (?:did|"
        rf"had|"
        rf"made|handled|treated|ran)\b|\b(?:produced|made|built|done|run|computed|calculated|"
        rf"treated) "
        rf"(?:like|as) (?:in )?{_TIME}|\blike[- ]for[- ]like\b"),
    ),
    (
        "re-run", "as_before", STRONG, SAID,
        (r"\bsame (?:\w+ )?(?:drill|exercise|treatment|deal|again|questions?|charts?|recipe|show|"
        r"process|format|layout|outputs?|thing again)\b|\b(?:you|we all) know (?:what to do|the "
        r"drill|how it goes|the routine)\b|\brinse and repeat\b"),
    ),
    (
        "re-run", "the_usual", STRONG, REQUEST,
        (rf"\b(?:usual|customary|regular|standard) (?:treatment|drill|exercise|programme|fare|"
        rf"{RUN})\b|"
        rf"\b{_TIME}(?:'s)? (?:edition|version|issue|instal?lment)\b|^(?:to )?(?:run|play|spin) "
        rf"(?:it|"
        r"them|this|that|everything) (?:back|through|over)\b"),
    ),
    (
        "re-run", "brings_up_to_date", STRONG, REQUEST,
        rf"^(?:to )?(?:roll|move|carry)\b.{{1,60}}\b(?:over|forward|on) to {_TIME}\b",
    ),
    (
        "fresh", "as_if_new", STRONGER, ANY,
        (r"\bif\b.{0,40}(?:n't|\bnot|\bnever) (?:already |yet |ever )?(?:made up (?:our|your|my) "
        r"minds?|seen|known|decided|concluded|looked|heard)\b"),
    ),
    (
        "fresh", "sets_aside", STRONG, SAID,
        (r"\b(?:leave|keep)\b.{1,50}\b(?:closed|shut|unopened|unread|untouched|alone|in the "
        r"drawer)\b"),
    ),
    (
        "fresh", "fresh_eyes", STRONG, SAID,
        (r"\b(?:completely|entirely|totally|wholly|altogether) (?:new|different|fresh) (?:take|"
        r"read|view|"
        r"idea|reading)\b"),
    ),
    (
        "extend", "goes_on", PLAIN, TOLD,
        r"^we (?:now |already |do )?know (?:now |already )?(?:that|why|how|what|where)\b",
    ),
    (
        "extend", "goes_on", STRONG, REQUEST,
        r"^(?:next|next up|onwards?|further|deeper)$|\btie (?:it|them|that|this) up\b",
    ),
    (
        "revalidate", "checks", STRONG, REQUEST,
        (r"^(?:to )?(?:make (?:really |quite |absolutely |very )?certain|be (?:\w+ "
        r")?(?:confident|sure|"
        r"certain|clear) (?:that|about|of|it|they|we))\b|\b(?:fact or fiction|true or false|true "
        r"or not|"
        r"right or wrong|myth or (?:fact|truth|reality)|yes or no)\b"),
    ),
    (
        "revalidate", "may_we_say_so", PLAIN, ANY,
        (r"\b(?:on the (?:strength|basis|back) of (?:our|the|that|this)|(?:bear|carry|take|"
        r"support) "
        r"(?:the|that) weight|in front of (?:the|a|our|my|some)|(?:put|stake) (?:our|my|your) "
        r"(?:name|reputation|money))\b"),
    ),
    (
        "revalidate", "doubts", STRONG, ANY,
        (r"\b(?:seems?|looks?|sounds?|feels?) (?:\w+ ){0,2}(?:high|low|large|small|odd|off|wrong|"
        r"much|"
        r"little|implausible|unlikely|steep|strange|big)\b|^(?:are )?(?:you|we) (?:really |quite |"
        r"so )?(?:sure|certain|positive|confident)\b"),
    ),
    (
        "re-run", "has_come", PLAIN, SAID,
        (rf"^(?:{_PERIOD})(?:'s)?\b.{{0,40}}\b(?:complete|closed?|in|loaded|final(?:ised|ized)?|"
        rf"available|"
        r"there|ready|over|done|behind us|booked|posted|imported|uploaded|arrived|landed|finished|"
        r"here)\b(?! (?:than|of|by|to|from|as|for))|^(?:the |our |all (?:the )?)?[\w' -]{1,40} "
        rf"(?:for|of|from) (?:the )?(?:{_PERIOD})\b.{{0,20}}\b(?:is|are|has|have) (?:\w+ )?(?:in|"
        r"loaded|there|complete|arrived|landed|here|final|ready|available)\b|"
        rf"\b(?:covers?|includes?|contains?|reaches|goes up to|runs to|extends to) (?:now "
        rf")?(?:the )?"
        rf"(?:{_PERIOD})\b|^there(?:'s| is| are) (?:a |some )?(?:new|another|more|fresh) (?:\w+ )?"
        r"(?:day|week|month|quarter|year|batch|load|file|export|data|rows|entries)\b"),
    ),
    (
        "re-run", "the_numbers", STRONG, SAID | OPENLY,
        (r"\b(?:wants?|needs?|expects?|awaits?|is waiting for|are waiting for|asks? for|is due) "
        r"(?:its|"
        rf"their|the|our|his|her|my) (?:\w+ ){{0,2}}(?:{RUN}|update|overview|digest|pack|sheet)\b|"
        r"\bwhere (?:did|do|have) we (?:end(?:ed)? up|stand|come out|land(?:ed)?|"
        r"finish(?:ed)?)\b"),
    ),
    (
        "re-run", "the_usual", PLAIN, REQUEST,
        rf"^(?:the )?(?:{_PERIOD})$",
    ),
    (
        "re-run", "the_usual", STRONG, REQUEST,
        (r"\b(?:established|agreed|tried and tested|settled|regular|recurring|periodic|standing|"
        r"usual) "
        rf"(?:\w+ )?(?:routine|procedure|programme|overview|summary|update|digest|{RUN})\b|"
        r"\b(?:through|into) the (?:mill|machine|mangle|grinder|mincer)\b|\blike (?:the|all the) "
        r"(?:ones|others|last (?:one|ones)|previous (?:one|ones))\b|\bthe way we(?:'ve| have)? "
        r"(?:always )?(?:done?|did|run|ran)\b"),
    ),
    (
        "re-run", "as_before", STRONG, ASKED | REQUEST,
        rf"^(?:have|get|see|need) (?:me )?the same (?:\w+ )?{RUN}\b",
    ),
    (
        "re-run", "as_before", STRONG, TOLD,
        (r"\b(?:the )?old (?:ones|cuts|checks|steps|tests|queries|battery)\b.{0,40}\bdo\b|"
        r"\b(?:the|that|it|this) (?:\w+ )?(?:unchanged|number for number)\b"),
    ),
)  # fmt: skip
