"""What makes an order or a fragment a standing wish: form, generality, a rule that is announced."""

import re
from typing import Final

from muniment.domain.extraction.wish_words import FORMAT, GENERAL, ONE_OFF
from muniment.domain.late import late

_LEADS = (
    r"(?:(?:so|and|but|or|oh|ok|okay|well|yes|yeah|yep|no|nope|nah|right|great|good|super|thanks"
    r"|hi|hey|hello|also"
    r"|then|now|just|only|please|first|one (?:more )?(?:thing|request)|last (?:one|thing)"
    r"|another thing|at first"
    r"|quick one|anyway|btw|by the way|hm+|wait|instead|in that case|from my side|next time|for "
    r"the record)\b[ ,:.!]*)*"
)
_VERBS = (
    "abbreviate add address adopt align always annotate answer append apply archive arrange ask "
    "assume attach avoid back"
    " base begin bill block bold book break bring build call cap capitalise capitalize cc change "
    "charge chart check choose"
    " cite close code collapse colour color combine comment compare compute convert copy count "
    "cut date default define"
    " deliver describe disregard display divide do draft draw drop email end exclude expect "
    "explain express file fill"
    " filter flag follow format forward give go group highlight hide hold ignore include indent "
    "invoice join keep label"
    " lead leave limit line link list log look make mark match measure mention merge mind move "
    "name never note number"
    " offer omit open order page paint pick ping place plan plot point post prefer prepare "
    "present price print propose"
    " provide put quote rank read record refer remind remove render reply report reserve respond "
    "return round run save"
    " say schedule send separate set share shorten show sign skip sort spare speak spell split "
    "stack start state stay"
    " stick stop store strip style subtract sugarcoat suggest summarise summarize switch tag "
    "take talk tell test title"
    " translate treat trim truncate type use verify wait warn weigh weight wrap write"
)
ORDERED: Final = late(
    rf"^{_LEADS}(?:(?:when(?:ever)?|before|after|if|for|in|on|with|to|at|until|unless) "
    rf"[^:]{{3,60}}?[,:]? )?{_LEADS}"
    r"(?:please |kindly |always |never |do not (?:you )?(?:ever )?|you (?:can |should |must |may "
    r"|have to |need to |always )?"
    rf"|(?:can|could|would|will) you (?:please |always )?|let us |let me |make sure (?:to |that "
    rf")?|be sure to )*"
    rf"(?:{'|'.join(_VERBS.split())})\b(?! (?:is|are|was|were|has|have|goes|day|time)\b)",
    re.IGNORECASE,
)
_FRAGMENT: Final = late(
    rf"^{_LEADS}(?:no |not |nothing |never |only |zero |all |any |every(?:thing)? |less |more "
    rf"|fewer |shorter |without )?"
    r"(?!(?:I|we|he|she|they|it|this|that|there|my|our)\b)[\w'-]+(?: [\w'-]+){0,6}?,? (?:in|as"
    r"|with|without|by|on|first|only"
    r"|always|tops|max|please|not|or nothing|and nothing else|rather than|instead)\b",
    re.IGNORECASE,
)
_OBLIGED: Final = late(
    r"\b(?:should|must|has to|have to|needs? to|ought to|is to|are to|shall) (?:always |never "
    r"|not |only |all )*(?:be|have"
    r"|come|go|use|start|end|stay|read|look|get|say|include|show|carry)\b|\b(?:goes?|comes?"
    r"|stays?|is|are) (?:always |only"
    r" )*(?:in|by|first|last|with|without|on top|at the top|under|always)\b|\bnothing (?:under"
    r"|over|above|below|of|but)\b"
    r"|\b(?:I|we) (?:always |only |just |do )*(?:want|need|prefer|like|expect|would like|would "
    r"rather)\b",
    re.IGNORECASE,
)
ANNOUNCED: Final = late(
    r"\b(?:(?:house|new|standing|ground|general|golden|our|my|one|team|company|group|simple"
    r"|hard) )?(?:rules?|policy"
    r"|convention|guideline|deal|standard|instruction|request|wish|principle|preference"
    r"|arrangement)"
    r"(?: (?:of|for|on|about|with|here|from|starting|is|at)\b[^.:]{0,40})?(?:[:.,]|$|\bis\b)",
    re.IGNORECASE,
)
_ALL_OF_KIND: Final = late(
    r"\b(?:for|in|with|on) (?:anything|everything|whatever|any|all|every|each)\b|\bwhatever I "
    r"ask\b|\bwhen(?:ever)? you\b"
    r"|\bin (?:my|our) (?:name|style|voice)\b|\b(?:with|for|to) me\b|\bfor us\b|\bby default\b"
    r"|\bper default\b"
    r"|\b(?:you (?:make|draft|write|send|give|show|plan|prepare|do)) (?:for me|for us)?\b"
    r"|\bunless\b|\botherwise\b"
    r"|\bat most\b|\bno more than\b|\bat least\b|\bmaximum\b|\btops\b|\bmax\b|\bnot more than\b"
    r"|\bup to\b"
    r"|\bno exceptions?\b|\bwithout exception\b|\bperiod\b|\bfrom here on\b|\bany time\b|\beach "
    r"of\b",
    re.IGNORECASE,
)
_MORE_FORM: Final = late(
    r"\b(?:bullets?|sentences?|words|lines?|pages?|screens?|slides?|plots?|charts?|figures?|axis"
    r"|axes|labels?|gridlines"
    r"|legend|palette|colou?r[- ]?(?:blind|safe)?|font|point|pt|decimals?|digits|rounded|kilos?"
    r"|grams|pounds|metres?|meters"
    r"|feet|miles|km|celsius|fahrenheit|litres?|cups|euros?|dollars?|usd|gbp|percent|24[- "
    r"]?h(?:our)?|12[- ]?h(?:our)?|clock"
    r"|am/pm|iso|date format|third person|first person|passive|tone|formal|informal|casual"
    r"|polite|short|brief|concise|long"
    r"|plain|simple|easy|table|markdown|json|csv|pdf|latex|prose|paragraphs?|headings?"
    r"|footnotes?|sources?|citations?"
    r"|abbreviations?|jargon|emojis?|exclamation|caps|uppercase|lowercase|subject lines?"
    r"|signature|greeting|english"
    r"|french|german|spanish|italian|dutch|portuguese|british|american|spelling|voseo|t[úu]|net"
    r"|gross|vat|tax|median"
    r"|mean|average|p-values?|confidence intervals?|intervals?|thousands|millions|whole numbers"
    r"|units?|tabs|spaces"
    r"|comments|docstrings?|type hints|tests?|mocks?|examples?|summary|recaps?|recap|reports?"
    r"|e-?mails?|letters?|replies"
    r"|answers?|newsletters?|quotes?|invoices?|captions?|titles?|translations?|essays?|lists?"
    r"|tutorials?|basics"
    r"|explanations?|reminders?|notifications?|alphabetical|chronological|sorted|grouped|one "
    r"screen|commentary"
    r"|pay ?slips?|slips|appointments?|meetings?|calls?)\b",
    re.IGNORECASE,
)
_REASON: Final = late(
    r"\b(?:because|since|cause|so that|as I|as we|otherwise|that way|that is how|I read|I am "
    r"colou?r|my (?:boss|manager"
    r"|client|eyes|phone|printer)|hard to read|easier|makes me|kills? me|hurts?|confus\w+)\b",
    re.IGNORECASE,
)
_ONE_THING: Final = late(
    r"\b(?:this|that|these|those|above|below|now|today|tonight|tomorrow|the (?:first|second"
    r"|third|last|next|other|same|file"
    r"|draft|attached|above|following|bug|error|link|form|ticket|meeting|booking|order|list"
    r"|banner|agenda)|#?\d{4,}"
    r"|src/|line \d|section \d|page \d|chapter|attached|here is|again)\b|\b(?:him|her|them"
    r"|it)[.!]*$|\bclass [A-Z]|^(?:please )?do not \w+ (?:it|that|this|them|anything)[.!]*$",
)


_OF_TOPIC: Final = late(
    r"^(?:(?:and|so|ok|also|last thing|one thing|then)[ ,.]+)*(?:the |my |all |any |for |in |on "
    r"|when )?[\w' -]{3,60}: \S",
    re.IGNORECASE,
)
_EACH_IN: Final = late(
    r"\b(?:the |all |your |my |our )?[a-z]+s (?:in|as|with|without|by|at|on) [\w'-]+|\b[a-z]+s "
    r"(?:should|must|go|come|stay)\b",
    re.IGNORECASE,
)


_REFUSES: Final = late(
    r"^(?:please )?do not \w+ (?:it|that|this|them|anything)[.! ]*$", re.IGNORECASE
)


def wish_score(text: str, clauses: tuple[str, ...] = ()) -> int:
    """How much a sentence, or one of its clauses, is a wish for every time."""
    return max((_wish_score(one) for one in (text, *clauses)), default=0)


def _wish_score(text: str) -> int:
    announced = ANNOUNCED.search(text) is not None
    ordered = ORDERED.match(text) is not None
    obliged = _OBLIGED.search(text) is not None
    form = _MORE_FORM.search(text) is not None or FORMAT.search(text) is not None
    topic = form and _OF_TOPIC.match(text) is not None
    fragment = _FRAGMENT.match(text) is not None or topic
    if not (announced or ordered or obliged or fragment):
        return 0
    score = 2 * announced + form + topic + (announced and ":" in text)
    score += form and ordered and _EACH_IN.search(text) is not None
    score += (
        re.search(
            r",? (?:and )?(?:not|never|rather than|instead of) (?:by |in |with |the )?\w+", text
        )
        is not None
    )
    score += 2 * (GENERAL.search(text) is not None) + 2 * (_ALL_OF_KIND.search(text) is not None)
    score += form and re.search(r"\bplease\b", text, re.IGNORECASE) is not None
    score += form and _REASON.search(text) is not None
    score += form and re.search(r"\bno\b|\bwithout\b|\bonly\b|\bnothing\b", text) is not None
    score -= 3 * (_ONE_THING.search(text) is not None)
    if _REFUSES.match(text):
        return 0
    score -= 3 * (ONE_OFF.search(text) is not None)
    score -= fragment and not (announced or ordered or obliged) and not form
    return score
