"""The words that speak for a mode: mode, code, weight, in which clauses, pattern."""

from typing import Final

from muniment.domain.mode.clauses import Form
from muniment.domain.mode.situation import Mode

STRONG: Final = 4.0
PLAIN: Final = 3.0
WEAK: Final = 1.5

WORK: Final = (
    r"(?:analys[ei]s|work|findings?|results?|conclusions?|insights?|answers?|numbers?|"
    r"figures?|checks?|"
    r"tests?|steps?|cuts?|battery|queries|reports?|breakdowns?|investigation|study|ones|thing|"
    r"approach|assumptions|story|hypothes[ie]s|notes|ideas|theor(?:y|ies)|views|opinions|beliefs|"
    r"memor(?:y|ies)|history|context|outcomes?|knowledge|expectations|guess(?:es)?)"
)
RUN: Final = (
    r"(?:checks?|steps?|battery|pipeline|routine|analys[ei]s|quer(?:y|ies)|scripts?|"
    r"procedure|protocol|"
    r"tests?|reports?|tables?|figures|numbers|statistics|stats|calculations?|"
    r"computations?|workflow|"
    r"programme|program|job|set|list)"
)
_PRIOR: Final = (
    r"(?:(?:earlier|previous|prior|old|existing|past|former|"
    r"last (?:time|week|month|year|quarter)(?:'?s)?|"
    r"our|any|all|everything|whatever|what|that|those|them|the|we|you|i|had|have|know|knew|found|"
    r"concluded|said|did|learned|of|about|from|before|so far) ?){1,9}"
)
REQUEST: Final[frozenset[Form]] = frozenset({"request"})
SAID: Final[frozenset[Form]] = frozenset({"request", "told"})
ASKED: Final[frozenset[Form]] = frozenset({"polar"})
TOLD: Final[frozenset[Form]] = frozenset({"told"})
OPENLY: Final[frozenset[Form]] = frozenset({"open"})
ANY: Final[frozenset[Form]] = frozenset({"request", "told", "open", "polar"})

CUES: Final[tuple[tuple[Mode, str, float, frozenset[Form], str], ...]] = (
    (
        "fresh", "starts_over", STRONG, SAID,
        (r"^(?:to )?(?:re)?(?:start|begin|commence)(?:ing)? (?:all )?(?:over|anew|afresh|fresh|"
        r"clean|again\b(?: with| from|$)|from (?:scratch|zero|nothing|the beginning))"),
    ),
    (
        "fresh", "from_scratch", STRONG, REQUEST,
        (r"\b(?:from (?:scratch|zero|nothing|square one|the ground up|first principles|"
        r"a blank \w+)|(?:to|at) (?:square one|basics|the drawing board)|(?:blank|"
        r"clean) (?:slate|sheet|page|start|analysis|sheet of paper)|tabula rasa)\b"),
    ),
    (
        "fresh", "fresh_eyes", STRONG, SAID,
        (r"\b(?:fresh (?:eyes|look|take|start|analysis|perspective|pair)|(?:unbiased|"
        r"independent|blind|second) (?:look|opinion|view|analysis|assessment)|independently|"
        r"(?:with(?:out)?|no) (?:any |no )?(?:preconceptions|prejudice|bias|baggage|priors|"
        r"carry-?over|assumptions|memory)|(?:un(?:tainted|coloured|colored|prejudiced|"
        r"influenced|informed|spoiled|spoilt|primed)|neutral|impartial|naive|agnostic|"
        r"clean) (?:look|take|view|opinion|run|analysis|read|reading|assessment|approach|"
        r"angle)|outsider(?:'s)?)\b"),
    ),
    (
        "fresh", "fresh_eyes", STRONG, REQUEST,
        r"\b(?:cold|blind|unseen|unbiased)$|^(?:to )?(?:reset|restart)\b",
    ),
    (
        "fresh", "sets_aside", STRONG, SAID,
        (r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|discard(?:ing)?|"
        r"(?:^|to )(?:scrap|drop|bin|dump|toss|park|clear(?: out)?)|scrapping|dropping|"
        r"(?:set|put|leave|leaving|setting|putting) aside|"
        r"throw(?:ing)? (?:out|away)|shelve|wipe|erase|abandon|"
        rf"unlearn) (?:about )?(?:{_PRIOR})?(?:\w+ ){{0,2}}{WORK}\b"),
    ),
    (
        "fresh", "sets_aside", STRONG, SAID,
        (r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|(?:set|put|leave|leaving|"
        r"setting|putting) aside|throw(?:ing)?|park|shelve|wipe|erase|"
        r"unlearn)\b.{0,40}\b(?:(?:we|you|i)(?:'ve)? (?:think|thought|know|knew|had|have|got|"
        r"found|did|concluded|said|learned)|so far|before|them|it) ?(?:out|away|aside|behind|"
        r"before|earlier)?"),
    ),
    (
        "fresh", "sets_aside", STRONG, ANY,
        (r"\b(?:leav(?:e|ing) .{1,50} (?:behind|out(?: of (?:it|this))?)|no carry-?over|"
        r"wip(?:e|ing) the slate|keep .{1,50} out of (?:it|this))\b"),
    ),
    (
        "fresh", "as_if_new", STRONG, ANY,
        (r"\b(?:as if|as though|pretend|imagine|suppose|assume)\b.{0,40}\b(?:nobody|no one|"
        r"no-one|never|new|first time|did ?n.t|kn[eo]w nothing|nothing (?:is|was) known|"
        r"no history|unknown)\b"),
    ),
    (
        "fresh", "new_analysis", PLAIN, REQUEST,
        (r"^(?:a |an |do a |run a |make a |take a )?(?:completely |entirely |totally |"
        r"brand )?new (?:analysis|approach|start|look|investigation|study)\b"),
    ),
    (
        "fresh", "new_analysis", PLAIN, ANY,
        (r"\b(?:completely|entirely|totally|wholly) (?:new|different|fresh) (?:approach|"
        r"analysis|start|look|angle)\b"),
    ),
    (
        "fresh", "nothing_holds", STRONG, ANY,
        (r"\b(?:(?:moot|obsolete|void|worthless|outdated|meaningless|irrelevant|out of date|"
        r"superseded)$|nothing (?:we|that we|you|i) \w+ (?:applies|holds|counts|is valid)|"
        r"(?:findings|results|conclusions|analysis) (?:no longer|don't|do not) (?:apply|hold|"
        r"count|matter))\b"),
    ),
    (
        "extend", "goes_on", STRONG, REQUEST,
        (r"^(?:to )?(?:continue|carry(?:ing)? on|go(?:ing)? on|keep (?:on\b|\w+ing)|"
        r"push(?:ing)? on|(?:move|turn)(?: on)? to|on to|more (?:on|about)|zoom in|"
        r"narrow (?:it|this|that) down|proceed|move on|resume|pick(?:ing)? up|go (?:ahead|"
        r"further|deeper)|follow(?:ing)?[- ]up|build(?:ing)? (?:up)?on|expand|extend|broaden|"
        r"deepen|elaborate|dig|drill|dive|explore (?:further|more)|push (?:further|on)|"
        r"take\b.{1,60}\bfurther)\b"),
    ),
    (
        "extend", "goes_on", PLAIN, REQUEST,
        (r"\b(?:go (?:deeper|further)|dig (?:deeper|further|into)|drill (?:down|into)|"
        r"deep[- ]dive|(?:take|carry|push) (?:this|that|it|the .{1,40}) (?:further|on)|"
        r"where we (?:left|stopped)|left off|next (?:step|thing|question)|one level (?:down|"
        r"deeper)|follow-?up|with (?:that|this) in mind|using what (?:we|you)|"
        r"start from (?:our|the|your) (?:last|latest|previous|earlier|existing)|(?:to|"
        r"into) the (?:picture|mix|analysis|model)|another angle|starting point|"
        r"keep what (?:we|you) have|building on|given (?:that|what)|on top of (?:that|what)|"
        r"as (?:given|settled))\b"),
    ),
    (
        "extend", "the_open_ones", PLAIN, ANY,
        (r"\b(?:open (?:questions?|points?|issues?|ends)|(?:was|were|is|are|left|remain(?:s|"
        r"ing)?) (?:still )?(?:open|unanswered|unexplored|left|to do)|(?:remaining|unanswered|"
        r"outstanding|unsolved) (?:\w+ )?(?:questions?|points?|issues?|unknowns?|gaps?|parts?)|"
        r"loose ends?|gaps? (?:that|which|we|you|in|from)\b|what (?:we|you) (?:left|skipped))\b"),
    ),
    (
        "extend", "what_else", STRONG, ANY,
        (r"\b(?:(?:what|where|who|anything|something|which) else|any(?:thing)? (?:other|"
        r"further|more)|what other|other (?:patterns|causes|drivers|reasons|factors|savings|"
        r"explanations)|(?:more|further) (?:savings|insights|causes|drivers|patterns|reasons|"
        r"explanations)|what(?:'s| is) (?:next|missing|left)|(?:have ?n.t|not) (?:we |you |"
        r"been )?(?:\w+ )?(?:looked|tried|explored|checked|covered|tested|considered)|(?:we|"
        r"you) missed|yet to)\b"),
    ),
    (
        "extend", "what_else", STRONG, OPENLY,
        r"\b(?:should|do|can|could) (?:we|i|you) (?:\w+ ){1,3}next\b|\bnext\?*$",
    ),
    (
        "extend", "beyond", PLAIN, ANY,
        r"^(?:beyond|besides|apart from|in addition to|aside from)\b",
    ),
    (
        "extend", "and_by", PLAIN, ANY,
        (r"^(?:(?:and )?(?:by|for|on|in) [\w -]{1,40}$|(?:and |so )?(?:what|how) about\b|"
        r"where (?:does|do|did) (?:that|this|it) (?:lead|leave|take)|split (?:it|this|that|"
        r"them|further)|break (?:it|this|that|them) down)"),
    ),
    (
        "extend", "asks_why", WEAK, OPENLY,
        (r"^(?:why|how come|what (?:explains|causes|drives|is behind|lies behind|"
        r"is the reason))\b|\b(?:is|are) (?:behind|causing|responsible)\b"),
    ),
    (
        "extend", "asks_too", WEAK, ASKED,
        (r"\b(?:too|as well|behind)\b|\bbecause of\b|\b(?:is|are) (?:it|that|this|"
        r"they) (?:also |just )?(?:the same|\w+ (?:team|region|group|product|customer)s?)\b|"
        r"\bthe same (?:for|in|with|among|across|on|at)\b|\b(?:predict|explain)\b"),
    ),
    (
        "extend", "is_settled", WEAK, TOLD,
        (r"\b(?:that's|that is|it's|it is|we've|we have|you've|has been|was|"
        r"is) (?:\w+ )?(?:confirmed|settled|nailed|established|clear|done|fine|checked|"
        r"covered|known)\b"),
    ),
    (
        "extend", "looks_into", 1.0, REQUEST,
        r"^(?:to )?(?:look (?:into|at)|explore|investigate|examine|work on|add|include|find)\b",
    ),
    (
        "revalidate", "checks", STRONG, REQUEST,
        (r"^(?:to )?(?:(?:double|cross|re|spot|sanity|fact)[- ]?check|re-?validate|validate|"
        r"verify|re-?verify|re-?confirm|confirm|make (?:really |quite )?sure|ensure|prove)\b"),
    ),
    (
        "revalidate", "checks", STRONG, REQUEST,
        (r"^(?:to )?(?:check|test|see|tell me|find out|let me know|look) (?:whether|if|"
        r"that)\b.{0,80}\b(?:still|holds?|stands?|remains?|changed|gone|true|right|valid|"
        r"correct|same|moved|persists?)\b"),
    ),
    (
        "revalidate", "checks", PLAIN, REQUEST,
        (r"\bput\b.{1,60}\bto the test\b|"
        r"^(?:to )?(?:check|test) (?:whether|if|that|it|this)\b|^(?:to )?(?:check|"
        r"test)\b.{1,60}\bagainst\b|^one (?:\w+ )?(?:test|check)\b|\b(?:double|sanity|"
        r"cross)[- ]check\b"),
    ),
    (
        "revalidate", "checks", STRONG, ASKED,
        (r"\b(?:verify|validate|confirm|double-check|sanity-check|re-?check)(?:ing)? (?:it|"
        r"that|this|them|the)\b"),
    ),
    (
        "revalidate", "still_so", STRONG, ASKED,
        r"\bstill\b",
    ),
    (
        "revalidate", "still_so", PLAIN, ASKED | REQUEST,
        (r"\b(?:is|are|does|do|remains?) .{0,60}\bstill\b|\bit still (?:there|so|holds?|"
        r"true)\b|\bstill (?:there|so|the case|holds?|true|valid|stands?|applies)\b"),
    ),
    (
        "revalidate", "still_so", STRONG, ASKED,
        (r"\b(?:hold(?:s|ing)? (?:up|true|good)|hold$|stands?(?: up)?$|remain(?:s|"
        r"ed)? (?:valid|true|so|the same|in place)|(?:that|it|this|(?:number|figure|finding|"
        r"result|claim|value|rate|share|effect|link|correlation|pattern|trend)|ours|yours|"
        r"mine) (?:.{1,40} )?"
        r"(?:right|true|correct|accurate|valid|current|up to date|reliable|solid|the case|"
        r"real|genuine|"
        r"sound|a fluke|noise|(?:a )?chance|a coincidence|an? \w*artefact)|are (?:we|"
        r"you) (?:sure|certain)|"
        r"(?:surviv|persist)\w*|no longer|any ?more)\b"),
    ),
    (
        "revalidate", "has_it_changed", STRONG, ASKED,
        (r"^(?:has|have|did)\b.{0,80}\b(?:chang\w*|mov\w*|fad\w*|shrunk|shrink|grown?|"
        r"narrow\w*|widen\w*|shift\w*|improv\w*|worsen\w*|gone|go(?:ne)? (?:away|down|up)|"
        r"c[oa]me (?:down|back|up)|dropp?\w*|fall\w*|fell|ris\w*|rose|stop\w*|disappear\w*|"
        r"vanish\w*|help\w*|work\w*|fix\w*|resolv\w*|solv\w*|recover\w*|normali[sz]\w*|"
        r"settl\w*)\b"),
    ),
    (
        "revalidate", "has_it_changed", PLAIN, ASKED,
        (r"\b(?:gone|fixed|resolved|solved|over|back to normal|as \w+ as (?:they|it|before|"
        r"last)|better|worse|(?:he|them)? ?now)$|\bgone\b"),
    ),
    (
        "revalidate", "has_it_changed", STRONG, ASKED | REQUEST,
        r"^any (?:sign|evidence|indication|change|movement|improvement|news)\b",
    ),
    (
        "revalidate", "has_it_changed", PLAIN, ASKED,
        (r"\b(?:did|has|have) (?:that|this|it|they|those) (?:do|done|change[d]?|help(?:ed)?|"
        r"work(?:ed)?|fix(?:ed)?|make|made)\b"),
    ),
    (
        "revalidate", "has_it_changed", PLAIN, OPENLY,
        r"^what (?:has|have|did) (?:that|this|it|they|the \w+) (?:done?|change[d]?|brought?)\b",
    ),
    (
        "revalidate", "how_sure", STRONG, OPENLY,
        (r"^how (?:solid|reliable|robust|sure|certain|current|trustworthy|up to date|confident|"
        r"firm|valid|true)\b"),
    ),
    (
        "revalidate", "has_it_changed", PLAIN, REQUEST | ASKED,
        r"^(?:any )?(?:better|worse|true|fixed|gone|solved|lower|higher|different)\b",
    ),
    (
        "revalidate", "has_it_changed", PLAIN, OPENLY,
        r"^how (?:is|are|does|do)\b.{0,60}\b(?:now|these days|today|since)$",
    ),
    (
        "revalidate", "doubts", PLAIN, TOLD,
        (r"\b(?:(?:have|has|had|am having) (?:my |some )?doubts?|(?:am|'m|are|'re) (?:not|"
        r"un) ?(?:so |quite )?(?:sure|certain|convinced)|sceptical|skeptical|(?:disputes?|"
        r"questions?|challenges?|contests?|doubts?|does ?n't believe|don't believe) (?:that |"
        r"the |our |this |it)|(?:am|'m|are|'re|will be|'ll be) (?:quoting|presenting|"
        r"publishing|citing)|(?:disputed|challenged|questioned))\b"),
    ),
    (
        "revalidate", "we_said", WEAK, SAID,
        r"\b(?:we|you|i|it was) (?:said|claimed|found|concluded|reported|thought|assumed)\b",
    ),
    (
        "revalidate", "then_stop", WEAK, REQUEST,
        (r"^(?:stop|that's all|nothing (?:more|else).{0,12}|leave it (?:at that|there))$|"
        r"\bonly (?:confirm|check|verify)\b"),
    ),
    (
        "re-run", "runs_again", STRONG, REQUEST,
        (r"^(?:to )?(?:re-?run|re-?execute|repeat|redo|replay|reproduce|re-?do|re-?calculate|"
        r"re-?compute|refresh|re-?apply|re-?generate|re-?produce|re-?issue|re-?create|"
        r"re-?peat)\b|^(?:to )?roll\b.{1,60}\bforward\b"),
    ),
    (
        "re-run", "runs_again", STRONG, REQUEST,
        (r"^(?:to )?(?:run|do|execute|perform|make|go through|apply|compute|calculate|produce|"
        r"give|send|pull)\b.{0,60}\b(?:again|once more|another time|one more time|over again|"
        r"anew|a second time|all over)\b"),
    ),
    (
        "re-run", "runs_again", STRONG, REQUEST | ASKED,
        (rf"\b(?:{RUN}|everything|whole (?:thing|lot|set))\b.{{0,60}}\b(?:again|"
        r"once (?:more|again)|"
        r"(?:one more|another|a second|a further) (?:time|round|go|pass)|"
        r"(?:from )?start to finish)\b|"
        r"\b(?:once (?:more|again)|one more (?:time|round|pass)|another (?:round|pass|"
        r"run))\b.{0,40}"
        rf"\b(?:{RUN}|run)\b|\b(?:hit|press|push) (?:repeat|replay|play|run|go)\b|"
        rf"\b(?:run|go|going|take|taken|put)\b.{{0,60}}\bthrough\b.{{0,30}}\b{RUN}\b"),
    ),
    (
        "re-run", "runs_again", STRONG, REQUEST,
        (r"^(?:to )?(?:let|have)\b.{0,30}\b(?:stored|saved|recorded|existing|usual|standard|"
        r"same)\b.{0,40}\brun\b|^(?:to )?(?:kick off|trigger|fire up|launch|schedule|start) "
        r"(?:the |our |that )?"
        rf"(?:[\w-]+ ){{0,3}}{RUN}\b.{{0,30}}\b(?:again|anew|once more)\b"),
    ),
    (
        "re-run", "as_before", STRONG, REQUEST | ASKED,
        (r"\b(?:exactly |precisely |just )?(?:the )?(?:same|old|identical|usual|original|previous) "
        r"(?:order|settings?|parameters|filters?|sequence|way|configuration|definitions?|method)\b|"
        r"\b(?:settings|parameters|filters|steps|order|queries|tables|statistics|figures|numbers) "
        r"(?:that )?(?:you|we|i) (?:used|ran|gave|sent|made|had|applied)\b|\bstep (?:by|"
        r"for) step as\b"),
    ),
    (
        "re-run", "runs_again", PLAIN, REQUEST,
        (r"^(?:again|once more|one more time|same again|all over again)\b|\b(?:identical|"
        r"identically)\b"),
    ),
    (
        "re-run", "as_before", STRONG, REQUEST | OPENLY,
        (rf"\bsame (?:\w+ ){{0,2}}(?:{WORK}|protocol|procedure|routine|script|tables?|sql|"
        r"set)\b|\b(?:exactly )?(?:what|as|like) (?:we|you|i) (?:ran|did|had)\b|"
        rf"\b(?:the )?old (?:ones|cuts|checks|steps|tests|queries|battery)\b.{{0,40}}\bdo\b|"
        r"\b(?:the way|as|like|just as|exactly as) (?:we|you|i) did\b|\b(?:as|"
        r"like) (?:last time|before|in \w+)$|\bunchanged\b|\bnumber for number\b"),
    ),
    (
        "re-run", "the_usual", STRONG, REQUEST,
        (r"^(?:the |our |my |a |it's time for the )?(?:usual|regular|standard|routine|"
        r"customary|ordinary|recurring|(?:usual )?(?:daily|weekly|monthly|quarterly|yearly|"
        rf"annual))\b.{{0,40}}\b(?:{WORK}|set|run|one|tables?|routine)\b|\b(?:daily|weekly|"
        rf"monthly|quarterly|yearly|annual) (?:\w+ ){{0,2}}(?:refresh|check|checks|report|"
        r"update|run|numbers|figures)$"),
    ),
    (
        "re-run", "brings_up_to_date", STRONG, REQUEST,
        (r"^(?:to )?(?:update|bring)\b.{1,60}\b(?:with|up to date|to date|for)\b|"
        r"^update (?:the|our|my|all)\b"),
    ),
    (
        "re-run", "the_numbers", PLAIN, REQUEST,
        (r"^(?:the |our |my |give (?:me|us) (?:the |our )?|send (?:me |us )?(?:the )?|"
        r"show (?:me )?(?:the )?)?(?:[\w-]+ ){0,3}(?:numbers|figures|report|stats|kpis|"
        r"dashboard|breakdown|tables)(?: (?:for|of|with|on) .{1,40})?$"),
    ),
    (
        "re-run", "the_usual", PLAIN, SAID,
        (r"^(?:it's |it is |its )?(?:(?:month|quarter|year|week|term)[- ]?end|"
        r"end of (?:the )?(?:month|quarter|year|week|term)|(?:the )?first of the month|(?:mon|"
        r"tues|wednes|thurs|fri)day (?:again|report))\b|\b(?:is|are) due(?: again)?$"),
    ),
    (
        "re-run", "the_usual", STRONG, SAID,
        (r"\b(?:(?:this|the new|the current) (?:week|month|quarter|year|term|season)(?:'s)?|"
        r"today's|\w+day's) (?:version|edition|issue|run|update|instal?lment|round)\b"),
    ),
    (
        "re-run", "new_data", WEAK, ANY,
        (r"\b(?:(?:now that|once|since)\b.{1,60}\b(?:in|loaded|arrived|there|available|"
        r"complete)$|(?:load|month|week|quarter|day|data|orders|invoice|file|batch|export|"
        r"extract|rows|records|visits|transactions|numbers)\b.{0,30}\b(?:is|are|has|"
        r"have) (?:\w+ )?(?:in|loaded|arrived|landed|available|there|complete|come in)$)"),
    ),
    (
        "re-run", "new_data", WEAK, REQUEST,
        (r"\b(?:on|with|for|against|to) (?:the |this |our )?(?:new|latest|fresh|current|this|"
        r"updated|recent|month's|week's|today's)(?: \w+'?s?)* ?(?:data|month|week|quarter|"
        r"orders|visits|transactions|load|numbers|figures|rows|records|day|year)?\b"),
    ),
    (
        "re-run", "with_them", WEAK, OPENLY,
        r"\b(?:all|our) (?:\w+ )?(?:figures|numbers|kpis|metrics|results)\b",
    ),
)  # fmt: skip
