"""What the words of a question ask for: a start anew, more, a check of what was found, the same again.

A cue counts only where it speaks of the analysis: in what is asked for, not in the subject. "Start
over" at the head of a request is a wish; "how many users start over" is about users.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muniment.domain.late import late
from muniment.domain.mode.clauses import Clause, Form, clauses_of
from muniment.domain.mode.situation import Mode

STRONG: Final = 4.0
PLAIN: Final = 3.0
WEAK: Final = 1.5

_WORK: Final = (
    r"(?:analys[ei]s|work|findings?|results?|conclusions?|insights?|answers?|numbers?|figures?|checks?|"
    r"tests?|steps?|cuts?|battery|queries|reports?|breakdowns?|investigation|study|ones|thing|"
    r"approach|assumptions|story|hypothes[ie]s)"
)
_PRIOR: Final = (
    r"(?:(?:earlier|previous|prior|old|existing|past|former|last (?:time|week|month|year|quarter)(?:'?s)?|"
    r"our|any|all|everything|whatever|what|that|those|them|the|we|you|i|had|have|know|knew|found|"
    r"concluded|said|did|learned|of|about|from|before|so far) ?){1,9}"
)
_REQUEST: Final[frozenset[Form]] = frozenset({"request"})
_SAID: Final[frozenset[Form]] = frozenset({"request", "told"})
_ASKED: Final[frozenset[Form]] = frozenset({"polar"})
_OPENLY: Final[frozenset[Form]] = frozenset({"open"})
_ANY: Final[frozenset[Form]] = frozenset({"request", "told", "open", "polar"})


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that speak for a mode; ``said`` are those of the question."""

    mode: Mode
    code: str
    weight: float
    said: str


# mode, code, weight, in which clauses, pattern
_CUES: Final = (
    # To start anew.
    ("fresh", "starts_over", STRONG, _SAID,
     r"^(?:to )?(?:re)?(?:start|begin|commence)(?:ing)? (?:all )?(?:over|anew|afresh|fresh|clean|again\b(?: with| from|$)|from (?:scratch|zero|nothing|the beginning))"),
    ("fresh", "from_scratch", STRONG, _REQUEST,
     r"\b(?:from (?:scratch|zero|nothing|square one|the ground up|first principles|a blank \w+)|(?:blank|clean) (?:slate|sheet|page|start|analysis|sheet of paper)|tabula rasa)\b"),
    ("fresh", "fresh_eyes", STRONG, _SAID,
     r"\b(?:fresh (?:eyes|look|take|start|analysis|perspective|pair)|(?:unbiased|independent|blind|second) (?:look|opinion|view|analysis|assessment)|independently|with(?:out)? (?:no )?(?:preconceptions|prejudice|bias))\b"),
    ("fresh", "sets_aside", STRONG, _SAID,
     rf"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|discard(?:ing)?|scrap(?:ping)?|drop(?:ping)?|bin|(?:set|put|leave|leaving|setting|putting) aside|throw(?:ing)? (?:out|away)|toss|dump) (?:about )?(?:{_PRIOR})?(?:\w+ ){{0,2}}{_WORK}\b"),
    ("fresh", "sets_aside", STRONG, _SAID,
     r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|(?:set|put|leave|leaving|setting|putting) aside|throw(?:ing)?)\b.{0,40}\b(?:we (?:know|knew|had|found|did|concluded|said|learned)|so far|before|them|it) ?(?:out|away|aside|behind|before|earlier)?"),
    ("fresh", "sets_aside", STRONG, _ANY, r"\b(?:leav(?:e|ing) .{1,40} behind|no carry-?over|wip(?:e|ing) the slate)\b"),
    ("fresh", "as_if_new", STRONG, _ANY,
     r"\b(?:as if|as though|pretend|imagine|suppose)\b.{0,40}\b(?:nobody|no one|no-one|never|new|first time|did ?n.t|knew nothing|no history)\b"),
    ("fresh", "new_analysis", PLAIN, _REQUEST, rf"^(?:a |an |do a |run a |make a |take a )?(?:completely |entirely |totally |brand )?new (?:analysis|approach|start|look|investigation|study)\b"),
    ("fresh", "new_analysis", PLAIN, _ANY, r"\b(?:completely|entirely|totally|wholly) (?:new|different|fresh) (?:approach|analysis|start|look|angle)\b"),
    ("fresh", "nothing_holds", STRONG, _ANY, r"\b(?:nothing (?:we|that we|you|i) \w+ (?:applies|holds|counts|is valid)|(?:findings|results|conclusions|analysis) (?:no longer|don't|do not) (?:apply|hold|count|matter))\b"),
    # To go on.
    ("extend", "goes_on", STRONG, _REQUEST,
     r"^(?:to )?(?:continue|carry(?:ing)? on|go(?:ing)? on|keep (?:going|on)|proceed|move on|resume|pick(?:ing)? up|go (?:ahead|further|deeper)|follow(?:ing)?[- ]up|build(?:ing)? (?:up)?on|expand|extend|broaden|deepen|elaborate|dig|drill|dive|explore (?:further|more)|push (?:further|on)|take\b.{1,60}\bfurther)\b"),
    ("extend", "goes_on", PLAIN, _REQUEST,
     r"\b(?:go (?:deeper|further)|dig (?:deeper|further|into)|drill (?:down|into)|deep[- ]dive|(?:take|carry|push) (?:this|that|it|the .{1,40}) (?:further|on)|where we (?:left|stopped)|left off|next (?:step|thing|question)|starting point|keep what (?:we|you) have|building on|given (?:that|what)|on top of (?:that|what)|as (?:given|settled))\b"),
    ("extend", "the_open_ones", PLAIN, _ANY, r"\b(?:open (?:questions?|points?|issues?|ends)|(?:was|were|is|are|left|remain(?:s|ing)?) (?:still )?(?:open|unanswered|unexplored))\b"),
    ("extend", "what_else", STRONG, frozenset({"open", "polar", "request", "told"}),
     r"\b(?:(?:what|where|who|anything|something|which) else|any(?:thing)? (?:other|further|more)|what other|other (?:patterns|causes|drivers|reasons|factors|savings|explanations)|(?:more|further) (?:savings|insights|causes|drivers|patterns|reasons|explanations)|what(?:'s| is) (?:next|missing|left)|(?:have ?n.t|not) (?:we |you |been )?(?:\w+ )?(?:looked|tried|explored|checked|covered|tested|considered)|(?:we|you) missed|yet to)\b"),
    ("extend", "what_else", STRONG, _OPENLY, r"\b(?:should|do|can|could) (?:we|i|you) (?:\w+ ){1,3}next\b|\bnext\?*$"),
    ("extend", "beyond", PLAIN, _ANY, r"^(?:beyond|besides|apart from|in addition to|aside from)\b"),
    ("extend", "and_by", PLAIN, _ANY, r"^(?:(?:and )?by [\w -]{1,40}$|(?:what|how) about\b|split (?:it|this|that|them|further)|break (?:it|this|that|them) down)"),
    ("extend", "asks_why", WEAK, _OPENLY, r"^(?:why|how come|what (?:explains|causes|drives|is behind|lies behind|is the reason))\b|\b(?:is|are) (?:behind|causing|responsible)\b"),
    ("extend", "asks_too", WEAK, _ASKED, r"\b(?:too|as well|behind)\b|\bbecause of\b|\bthe same (?:for|in|with|among|across)\b|\b(?:predict|explain)\b"),
    # To check.
    ("revalidate", "checks", STRONG, _REQUEST,
     r"^(?:to )?(?:(?:double|cross|re|spot|sanity|fact)[- ]?check|re-?validate|validate|verify|re-?verify|re-?confirm|confirm|make (?:really |quite )?sure|ensure|prove)\b"),
    ("revalidate", "checks", STRONG, _REQUEST,
     r"^(?:to )?(?:check|test|see|tell me|find out|let me know|look) (?:whether|if|that)\b.{0,80}\b(?:still|holds?|stands?|remains?|changed|gone|true|right|valid|correct|same|moved|persists?)\b"),
    ("revalidate", "checks", PLAIN, _REQUEST, r"^(?:to )?(?:check|test) (?:whether|if|that)\b|\b(?:double|sanity|cross)[- ]check\b"),
    ("revalidate", "checks", STRONG, frozenset({"polar"}), r"\b(?:verify|validate|confirm|double-check|sanity-check|re-?check) (?:it|that|this|them|the)\b"),
    ("revalidate", "still_so", STRONG, _ASKED, r"\bstill\b"),
    ("revalidate", "still_so", PLAIN, _ASKED | _REQUEST, r"\b(?:is|are|does|do|remains?) .{0,60}\bstill\b|\bit still (?:there|so|holds?|true)\b|\bstill (?:there|so|the case|holds?|true|valid|stands?|applies)\b"),
    ("revalidate", "still_so", STRONG, _ASKED,
     r"\b(?:hold(?:s|ing)? (?:up|true|good)|hold$|stand(?:s)? (?:up)?$|remain(?:s|ed)? (?:valid|true|so|the same|in place)|(?:that|it|this) (?:right|true|correct|accurate|valid|the case)|are (?:we|you) (?:sure|certain)|(?:surviv|persist)\w*|no longer|any ?more)\b"),
    ("revalidate", "has_it_changed", STRONG, _ASKED,
     r"^(?:has|have|did)\b.{0,80}\b(?:chang\w*|mov\w*|shift\w*|improv\w*|worsen\w*|gone|go(?:ne)? (?:away|down|up)|c[oa]me (?:down|back|up)|dropp?\w*|fall\w*|fell|ris\w*|rose|stop\w*|disappear\w*|vanish\w*|help\w*|work\w*|fix\w*|resolv\w*|solv\w*|recover\w*|normali[sz]\w*|settl\w*)\b"),
    ("revalidate", "has_it_changed", PLAIN, _ASKED, r"\b(?:gone|fixed|resolved|solved|over|back to normal|as \w+ as (?:they|it|before|last)|better|worse|(?:he|them)? ?now)$|\bgone\b"),
    ("revalidate", "has_it_changed", PLAIN, _OPENLY, r"^how (?:is|are|does|do)\b.{0,60}\b(?:now|these days|today|since)$"),
    ("revalidate", "doubts", PLAIN, frozenset({"told"}), r"\b(?:(?:have|has|had|am having) (?:my |some )?doubts?|(?:am|'m|are|'re) (?:not|un) ?(?:so |quite )?(?:sure|certain|convinced)|sceptical|skeptical)\b"),
    ("revalidate", "we_said", WEAK, frozenset({"told", "request"}), r"\b(?:we|you|i|it was) (?:said|claimed|found|concluded|reported|thought|assumed)\b"),
    ("revalidate", "then_stop", WEAK, _REQUEST, r"^(?:stop|that's all|nothing more)$|\bonly (?:confirm|check|verify)\b"),
    # The same again.
    ("re-run", "runs_again", STRONG, _REQUEST,
     r"^(?:to )?(?:re-?run|re-?execute|repeat|redo|replay|reproduce|re-?do|re-?calculate|re-?compute|refresh|re-?apply)\b"),
    ("re-run", "runs_again", STRONG, _REQUEST,
     r"^(?:to )?(?:run|do|execute|perform|make|go through|apply|compute|calculate|produce|give|send|pull)\b.{0,60}\b(?:again|once more|another time|one more time|over again|anew)\b"),
    ("re-run", "runs_again", PLAIN, _REQUEST, r"^(?:again|once more|one more time|same again)\b"),
    ("re-run", "as_before", STRONG, _SAID | _OPENLY,
     rf"\bsame (?:\w+ ){{0,2}}{_WORK}\b|\b(?:the )?old (?:ones|cuts|checks|steps|tests|queries|battery)\b.{{0,40}}\bdo\b|\b(?:the way|as|like|just as|exactly as) (?:we|you|i) did\b|\b(?:as|like) (?:last time|before|in \w+)$|\bunchanged\b|\bnumber for number\b"),
    ("re-run", "the_usual", STRONG, _REQUEST,
     rf"^(?:the |our |my |a |it's time for the )?(?:usual|regular|standard|routine|customary|(?:usual )?(?:daily|weekly|monthly|quarterly|yearly|annual))\b.{{0,40}}\b{_WORK}\b|\b(?:daily|weekly|monthly|quarterly|yearly|annual) (?:\w+ ){{0,2}}(?:refresh|check|checks|report|update|run|numbers|figures)$"),
    ("re-run", "brings_up_to_date", STRONG, _REQUEST, r"^(?:to )?(?:update|bring)\b.{1,60}\b(?:with|up to date|to date|for)\b|^update (?:the|our|my|all)\b"),
    ("re-run", "the_numbers", PLAIN, _REQUEST,
     r"^(?:the |our |my |give me (?:the |our )?|send (?:me )?(?:the )?|show (?:me )?(?:the )?)?(?:[\w-]+ ){0,3}(?:numbers|figures|report|stats|kpis|dashboard|breakdown)(?: (?:for|of|with) .{1,40})?$"),
    ("re-run", "new_data", WEAK, _ANY,
     r"\b(?:(?:now that|once|since)\b.{1,60}\b(?:in|loaded|arrived|there|available|complete)$|(?:load|month|week|quarter|day|data|orders|invoice|file|batch|export|extract|rows|records|visits|transactions|numbers)\b.{0,30}\b(?:is|are|has|have) (?:\w+ )?(?:in|loaded|arrived|landed|available|there|complete|come in)$)"),
    ("re-run", "new_data", WEAK, _REQUEST, r"\b(?:on|with|for|against|to) (?:the |this |our )?(?:new|latest|fresh|current|this|updated|recent|month's|week's|today's)(?: \w+'?s?)* ?(?:data|month|week|quarter|orders|visits|transactions|load|numbers|figures|rows|records|day|year)?\b"),
    ("re-run", "with_them", WEAK, _OPENLY, r"\b(?:all|our) (?:\w+ )?(?:figures|numbers|kpis|metrics|results)\b"),
)  # fmt: skip
_PATTERNS: Final = tuple(
    (mode, code, weight, forms, late(pattern)) for mode, code, weight, forms, pattern in _CUES
)
# What is said of a clause that is turned down.
_DECLINED: Final = (
    ("fresh", "relies_on_nothing", STRONG, late(
        r"\b(?:rely|relying|build|building|base|use|using|trust|read|reading|look(?:ing)? at|consider|carry|carrying|lean(?:ing)?|anchor\w*|reference)\b.{0,40}\b(?:that|those|them|it|earlier|previous|prior|old|past|before|findings|results|conclusions|existing)\b")),
    ("extend", "keeps_what_is", PLAIN, late(r"\b(?:start(?:ing)?|begin(?:ning)?)\b.{0,20}\b(?:over|again|anew|from scratch|from zero)\b|\bthrow\w* (?:out|away)\b")),
    ("extend", "takes_as_given", WEAK, late(r"\b(?:re-?check|check|verify|confirm|validate|re-?validate|test)\b")),
)  # fmt: skip


def cues_of(question: str) -> list[Cue]:
    """What speaks for a mode in the words of a question, each code of a mode once."""
    found: dict[tuple[Mode, str], Cue] = {}
    for clause in clauses_of(question):
        for cue in _of_clause(clause):
            known = found.get((cue.mode, cue.code))
            if known is None or known.weight < cue.weight:
                found[cue.mode, cue.code] = cue
    return list(found.values())


def _of_clause(clause: Clause) -> Iterator[Cue]:
    whole = clause.form in {"polar", "open"} or not clause.declined
    text = clause.text if whole else clause.wanted
    for mode, code, weight, forms, pattern in _PATTERNS:
        if clause.form in forms and (match := pattern.search(text)):
            yield Cue(mode, code, weight, match[0].strip())
    if not whole:
        for mode, code, weight, pattern in _DECLINED:
            if match := pattern.search(clause.declined):
                yield Cue(mode, code, weight, match[0].strip())
