"""More words that speak for a mode, as people at work put it: as in ``cues``."""

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

PHRASES: Final[tuple[tuple[Mode, str, float, frozenset[Form], str], ...]] = (
    (
        "fresh", "sets_aside", STRONG, SAID,
        (r"\b(?:never mind|no matter|irrespective of|regardless of|independent(?:ly)? of|"
        r"whatever (?:came|was)|forget about)\b.{0,40}\b(?:earlier|previous|prior|old|past|before|"
        r"found|last|so far|know|knew|think|thought|concluded|said|results?|findings?|notes)\b"),
    ),
    (
        "fresh", "fresh_eyes", STRONG, SAID | ASKED,
        (r"\b(?:open mind(?:ed)?|new (?:pair of )?eyes|newcomer|outsider|stranger|zero[- ]based|"
        r"clean (?:restart|run|attempt|try)|brand[- ]new|(?:all |completely |entirely )new "
        r"(?:look|approach|analysis|attempt|angle|start|try)|restart|rethink|reset|"
        r"(?:who|that) (?:has |have |had )?never (?:seen|heard|looked)|"
        r"for the (?:very )?first time|"
        r"back to (?:the )?(?:start|beginning|zero|basics)|tear (?:it |them |everything )?up|"
        r"start(?:ing)? (?:it |this )?(?:clean|afresh|anew|fresh|new|blank|over))\b"),
    ),
    (
        "extend", "goes_on", STRONG, REQUEST,
        (r"^(?:to )?(?:keep going|go on|take it from (?:there|here)|finish|complete|fill in|"
        r"look further|go beyond|add|widen|enlarge|develop|advance|progress|further)\b"),
    ),
    (
        "extend", "goes_on", PLAIN, ANY,
        (r"\b(?:where were we|in (?:more|greater) (?:detail|depth)|on that basis|"
        r"based on (?:that|this|"
        r"what|our|the)|starting from|(?:now that|since|as|knowing|"
        r"seeing) (?:that )?we(?: now)? know|"
        r"building up on|take (?:it|this|that) one step further|the (?:rest|remainder) of|"
        r"another (?:aspect|dimension|factor|layer|step|cut)|next (?:layer|level|"
        r"stage|round of questions)|"
        r"(?:still|yet) (?:unknown|unclear|missing|to be|a mystery)|(?:don't|"
        r"do not) (?:\w+ )?know yet|"
        r"not yet (?:\w+ )?(?:looked|known|explored|covered|clear|done)|unexplored|"
            r"untouched (?:\w+ )?(?:questions?|areas?|ground|parts?|points?))\b"),
    ),
    (
        "revalidate", "checks", STRONG, REQUEST,
        (r"^(?:to )?(?:do |run |make |take |have )?(?:a |one |just |"
        r"another )*(?:quick |short |single |"
        r"simple |final |brief |second )*(?:check|test|verification|confirmation|validation)"
        r"\b.{0,40}\b(?:whether|if|that|of (?:the|that|our)|on (?:the|that|our)|at (?:the|that|our)"
        r")\b|^(?:to )?(?:challenge|question|scrutini[sz]e|stress[- ]test|probe|retest)"
        r"\b(?! (?:everything|it all|all of it))"),
    ),
    (
        "revalidate", "may_we_say_so", STRONG, ASKED,
        (r"\b(?:rely on|trust|count on|depend on|quote|cite|publish|present|stand by|vouch for|"
        r"bet on|go public with|put .{1,40} (?:on|in|into) (?:a |the |my |"
        r"our )?(?:slides?|deck|report|"
        r"presentation|paper|mail|newsletter))\b"),
    ),
    (
        "revalidate", "is_it_so", PLAIN, ASKED,
        (r"\b(?:really|actually|truly|indeed|for (?:sure|certain|real)|up to date|"
        r"out of date|outdated|"
        r"(?:different|unchanged|the same|similar|as (?:high|low|big|bad|good|strong|"
        r"large)) (?:now|today|"
        r"as|this|these)|by now|these days|nowadays|at present|currently|today)\b"),
    ),
    (
        "revalidate", "doubts", PLAIN, TOLD,
        (r"\b(?:suspicious|odd|strange|fishy|too (?:good|high|low|big|small|neat|clean) "
        r"(?:to be true)?|doubt\w*|disagree\w*|"
        r"(?:disput|contradict)\w* (?:that|the|our|it|this|us)|sceptic\w*|skeptic\w*|"
        r"(?:gets?|got|has|have|sees?|saw|reports?) (?:another|a different|"
        r"other) (?:number|figure|value|"
        r"result|rate|share))\b"),
    ),
    (
        "re-run", "runs_again", STRONG, REQUEST | ASKED,
        (rf"\b(?:replicat\w*|re-?perform\w*|re-?process\w*|re-?build|re-?tally|re-?count|"
        rf"re-?load and run|duplicate)\b.{{0,60}}\b(?:{RUN}|{WORK})\b|\b(?:as|"
        rf"like) (?:usual|always|"
        r"every (?:day|week|month|quarter|year|time|monday|friday)|each (?:week|month|quarter))\b"),
    ),
    (
        "re-run", "the_usual", PLAIN, REQUEST | OPENLY | ASKED,
        (rf"\b(?:daily|weekly|monthly|quarterly|yearly|annual|half-yearly|term|season|month-end|"
        rf"year-end)\b.{{0,40}}\b(?:{RUN}|overview|summary|update|pack|sheet)\b|"
        rf"\b(?:{RUN}|overview|summary|update) for (?:this|the (?:new|current|last|past)|last|"
        r"january|february|march|april|may|june|july|august|september|october|november|"
        r"december|q[1-4])\b"),
    ),
)  # fmt: skip
