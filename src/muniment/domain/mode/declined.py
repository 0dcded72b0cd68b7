"""Words that speak for a mode where they are turned down: mode, code, weight, in which clauses."""

from typing import Final

from muniment.domain.mode.clauses import Form
from muniment.domain.mode.cues import ANY, PLAIN, REQUEST, SAID, STRONG, TOLD, WEAK
from muniment.domain.mode.situation import Mode

DECLINED: Final[tuple[tuple[Mode, str, float, frozenset[Form], str], ...]] = (
    (
        "fresh", "relies_on_nothing", STRONG, REQUEST,
        (r"\b(?:rely|relying|assume|assuming|presum\w+|presuppos\w+|tak(?:e|"
        r"ing) .{0,20}granted|peek\w*|glanc\w*|refer\w*|depend\w*|start\w* from|know\w*|"
        r"remember\w*|build|building|base|use|using|trust|read|reading|look(?:ing)? at|"
        r"consider|carry|carrying|lean(?:ing)?|anchor\w*|reference)\b.{0,40}\b(?:that|those|"
        r"them|it|earlier|previous|prior|old|past|before|findings|results|conclusions|"
        r"existing)\b"),
    ),
    (
        "fresh", "relies_on_nothing", STRONG, TOLD,
        (r"\b(?:rely|assume|presume|peek|refer|know|remember|build|base|use|read|look at|consider|"
        r"lean|carry|trust)\b.{0,40}\b(?:that|those|them|it|earlier|previous|prior|old|past|"
        r"before|last|"
        r"findings|results|conclusions|existing|came out)\b"),
    ),
    (
        "fresh", "relies_on_nothing", STRONG, SAID,
        (r"\b(?:hear|see|be told|be reminded|be shown)\b.{0,40}\b(?:already|we (?:know|knew|found|"
        r"said)|known|earlier|previous|before)\b"),
    ),
    (
        "revalidate", "doubts", STRONG, TOLD,
        (r"\b(?:(?:trust|believe|buy)(?! (?:any|all|(?:the |our )?(?:earlier|previous|old|"
        r"prior))\b)|"
        r"sure|certain|convinced|adds? up|plausible|looks? right|seems? right)\b"),
    ),
    (
        "fresh", "as_if_new", STRONG, SAID,
        (r"^never (?:been )?(?:seen|met|heard|looked|known)\b.{0,8}\b(?:this|it|the|these|them|"
        r"any)\b"),
    ),
    (
        "fresh", "not_led_by_it", STRONG, ANY,
        (r"\b(?:influenc|bias|sway|guid|steer|colou?r|led|lead|distract|anchor|prejudic|"
        r"affect)\w*\b"
        r"|\b(?:regard|reference|respect|recourse|attention) (?:to|for)\b"),
    ),
    (
        "extend", "keeps_what_is", PLAIN, SAID,
        (r"\b(?:start(?:ing)?|begin(?:ning)?)\b.{0,20}\b(?:over|again|anew|from scratch|"
        r"from zero)\b|\bthrow\w* (?:out|away)\b"),
    ),
    (
        "extend", "takes_as_given", WEAK, SAID,
        r"\b(?:re-?check|check|verify|confirm|validate|re-?validate|test)\b",
    ),
)  # fmt: skip
