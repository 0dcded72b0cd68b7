"""How the user wants things: standing instructions, preferences, what they like."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.extraction import orders
from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.cues import LEAD
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.lasting import lasting
from muniment.domain.extraction.wish_words import (
    ADDRESSED,
    ALL_SHOULD,
    ALWAYS_TAIL,
    ASKS_YOU,
    ASSISTANT_DID,
    CHOICE,
    CONTRAST,
    DESIRE,
    ENOUGH,
    FAVOURITE,
    FOR_GOOD,
    FOR_ME_ALWAYS,
    FORM_FRAGMENT,
    FORM_ORDER,
    FORMAT,
    GENERAL,
    GOES_OUT,
    I_ALWAYS,
    IMPERATIVE,
    LET_US,
    LIKED_WHEN,
    LIKES,
    NEGATIVE,
    NO_MARK,
    NO_ORDER,
    NO_THING,
    NOT_NO,
    NOW_ON,
    OF_THAT,
    ONE_OFF,
    PEP_TALK,
    PRONOUNS,
    SIGN_AS,
    USE_NOT,
    WISH_ONLY,
)
from muniment.domain.late import late


def wishes(sentence: Sentence, before: Sentence | None, after: Sentence | None) -> Iterator[Found]:
    """What a sentence says of how the user wants things: at most one statement."""
    for clause in sentence.clauses:
        if clause.joking or (clause.asked and not _asks_for_good(clause)):
            continue
        plainly = (clause.first and orders.standing_order(sentence.text)) or (
            orders.declared(clause.whole) and not clause.other
        )
        if not plainly and (clause.other or _hypothetical(clause)):
            continue
        rule = _wish(clause, sentence)
        if rule is not None:
            yield Found(
                clause,
                rule,
                kind="user_preference",
                text=_with_topic(sentence, before, after, rule),
            )
            return


def _asks_for_good(clause: Clause) -> bool:
    """A question that is a standing request: "could you always ...", "can you stop ...ing"."""
    return (
        ASKS_YOU.match(clause.text) is not None
        and FOR_GOOD.search(clause.whole) is not None
        and not ONE_OFF.search(clause.whole)
    )


def _formatted(clause: Clause, _sentence: Sentence) -> bool:
    """An order of form that names no one thing: "please answer in lowercase"."""
    return not re.search(r"\b(?:this|these)\b", clause.text) and bool(
        (FORM_ORDER.match(clause.text) and FORMAT.search(clause.text))
        or (FORM_FRAGMENT.match(clause.text) and FORMAT.search(clause.text))
        or USE_NOT.match(clause.text)
    )


def _wished(clause: Clause, _sentence: Sentence) -> bool:
    if FOR_ME_ALWAYS.search(clause.text) or PRONOUNS.search(clause.text):
        return True
    return LIKED_WHEN.match(clause.text) is not None and not ONE_OFF.search(clause.whole)


def _hypothetical(clause: Clause) -> bool:
    """Supposed, but for wishes: "I would like", "unless", "as you suppose"."""
    return (
        clause.supposed
        and not re.match(
            rf"{LEAD}(?:I|we) would (?:like|prefer|rather|love)\b", clause.text, re.IGNORECASE
        )
        and not NEGATIVE.search(clause.text)
    )


def _wish(clause: Clause, sentence: Sentence) -> str | None:
    text = clause.text
    if ADDRESSED.match(text) or SIGN_AS.search(text):
        return "wish.addressed"
    if ONE_OFF.search(clause.whole) and not re.search(
        r"\b(?:always|never|from now on|every|any ?more|ever)\b", text
    ):
        return None
    if OF_THAT.search(text) or (AT_HAND.search(text) and not FOR_GOOD.search(clause.whole)):
        return None
    if PEP_TALK.search(text) or _ONE_THING.match(text) or _ONE_THING.match(sentence.text):
        return None
    for rule, test in _TESTS:
        if test(clause, sentence):
            return rule
    return None


AT_HAND: Final = late(r"\b(?:instead of|not|rather than) \S+ (?:in )?here[.!]*$", re.IGNORECASE)
"""An order for the task at hand."""
_ONE_THING: Final = late(
    r"(?:(?:and|so|ok|then|please)[ ,]+)*(?:can not\b|no please\b|(?:write|draft|make|do|create"
    r"|add|give me|send me|show me)"
    r" (?:me )?(?:an?|the|some|tests for) (?!table|list|summary|short|brief|one-page).*)",
    re.IGNORECASE,
)


def _ordered(clause: Clause, sentence: Sentence) -> bool:
    if not clause.first and NO_ORDER.match(sentence.text):
        return False
    if LET_US.match(clause.text) and not FOR_GOOD.search(clause.whole):
        return False
    if (
        NOW_ON.match(sentence.text)
        and not NOW_ON.fullmatch(clause.text)
        and not re.match(rf"{LEAD}(?:I|we|it is)\b", clause.text, re.IGNORECASE)
    ):
        return all(one.start == one.end for one in clause.dates)
    if IMPERATIVE.match(clause.text) is None:
        return False
    around = f"{clause.whole} {sentence.text if len(sentence.clauses) <= 3 else ''}"
    if not GENERAL.search(around):
        return False
    return not re.search(
        r"\b(?:only|at most|any|each|every|daily|weekly|monthly)\b", around
    ) or bool(
        FORMAT.search(around)
        or re.search(
            r"\b(?:always|never|from now on|every(?:thing)?|all my|any(?:thing)?)\b", around
        )
    )


def _forbidden(clause: Clause, _sentence: Sentence) -> bool:
    return (
        NEGATIVE.search(clause.text) is not None
        and not re.match(r"(?:he|she|they|you|people)\b", clause.text, re.IGNORECASE)
        and not re.search(r"\b(?:he|she|they|it|I|we) (?:do not|never)\b", clause.text)
    )


def _desired(clause: Clause, sentence: Sentence) -> bool:
    if DESIRE.match(clause.text) is None or WISH_ONLY.search(clause.text):
        return False
    around = sentence.text
    return bool(
        GENERAL.search(clause.whole)
        or CONTRAST.search(around)
        or FORMAT.search(clause.text)
        or re.search(r"\bprefer\b|\bwould rather\b", clause.text)
    )


def _none_of(clause: Clause, sentence: Sentence) -> bool:
    return (
        NO_THING.match(clause.text) is not None
        and NOT_NO.match(clause.text) is None
        and NO_MARK.search(sentence.text) is not None
    )


def _always(clause: Clause, _sentence: Sentence) -> bool:
    if I_ALWAYS.match(clause.text):
        return True
    if "for good" in clause.text and lasting(clause.whole, dated=False) is not None:
        return False
    return (
        ALWAYS_TAIL.search(clause.text) is not None
        and bool(
            re.search(
                r"always|every time|exception|standing|rule|for good", clause.text, re.IGNORECASE
            )
        )
        and not clause.other
        and len(clause.text.split()) >= 2
    )


def _contrasted(clause: Clause, sentence: Sentence) -> bool:
    return (
        bool(re.search(r"\b(?:rather than|instead of|and not|, not) ", sentence.text))
        and bool(FORMAT.search(clause.text))
        and clause.text in sentence.text
        and not re.match(rf"{LEAD}(?:I|we|the|it|they|our|that|this)\b", clause.text, re.IGNORECASE)
    )


def _must_be(clause: Clause, _sentence: Sentence) -> bool:
    if GOES_OUT.match(clause.text) or ALL_SHOULD.match(clause.text):
        return True
    if re.match(rf"{LEAD}(?:all (?:I|you|we)|it|that|this|there)\b", clause.text, re.IGNORECASE):
        return False
    return (
        re.search(
            r"\b(?:must|should|has to|have to|needs? to|is to|are to|goes|go) (?:always "
            r"|never |only |still |not |all )*(?:be|come|go|arrive|have|use|stay|in|on|out"
            r"|under)\b",
            clause.text,
        )
        is not None
        and bool(
            re.search(
                r"\b(?:every(?:thing)?|all|any(?:thing)?|always|never|each|no) ",
                clause.text,
                re.IGNORECASE,
            )
        )
        and not re.match(rf"{LEAD}(?:I|we) ", clause.text, re.IGNORECASE)
    )


def _any_order(clause: Clause, sentence: Sentence) -> bool:
    return clause.first and orders.standing_order(sentence.text)


def _declared(clause: Clause, _sentence: Sentence) -> bool:
    return orders.declared(clause.whole)


def _enough(clause: Clause, _sentence: Sentence) -> bool:
    return ENOUGH.search(clause.text) is not None and bool(FORMAT.search(clause.text))


def _liked(clause: Clause, _sentence: Sentence) -> bool:
    if FAVOURITE.match(clause.text):
        return True
    match = LIKES.match(clause.text)
    return (
        match is not None
        and not clause.dates
        and len(match["what"].split()) <= 12
        and not re.search(r"\b(?:weather|today|recipe|idea|joke|answer|your)\b", match["what"])
    )


def _works_for_me(clause: Clause, _sentence: Sentence) -> bool:
    return (
        re.search(
            r"\b(?:works|is) (?:best|better|easier|easiest) (?:for me|for us)\b"
            r"|\bsuits? me (?:best|better)\b",
            clause.text,
        )
        is not None
    )


def _colon_rules(clause: Clause, _sentence: Sentence) -> bool:
    return re.match(
        r"^(?:(?:ok|yes|and|also)[ ,.]+)*(?:[a-z]+ ?){1,3}: .*\b(?:no|only|never|always"
        r"|mood|case|first)\b",
        clause.text,
        re.IGNORECASE,
    ) is not None and bool(FORMAT.search(clause.text))


_TESTS: Final = (
    ("wish.forbidden", _forbidden),
    ("wish.ordered", _ordered),
    ("wish.formatted", _formatted),
    ("wish.wished", _wished),
    ("wish.desired", _desired),
    ("wish.none_of", _none_of),
    ("wish.always", _always),
    ("wish.must_be", _must_be),
    ("wish.contrast", _contrasted),
    ("wish.enough", _enough),
    ("wish.works_for_me", _works_for_me),
    ("wish.rules", _colon_rules),
    ("wish.standing", _any_order),
    ("wish.declared", _declared),
    ("like.said", _liked),
)


_POINTS: Final = late(
    r"\bthat day\b|^(?:(?:and|so|but|ok|please|then)[ ,]+)*(?:do not |never |always |please "
    r")?\w+ (?:it|that|this|them|those"
    r"|these|the \w+ default)\b|\bnever want (?:it|that|them)\b|\bthan that\b|\bin every \w+$",
    re.IGNORECASE,
)


def _with_topic(
    sentence: Sentence, before: Sentence | None, after: Sentence | None, rule: str
) -> str:
    """The sentence, after the one before it where only that names what it is about."""
    text = ASKS_YOU.sub("", sentence.text).rstrip("?") if sentence.text.endswith("?") else None
    if text:
        return text
    leans = re.match(
        r"(?:and |but |so )?(?:it|that|this|they|them|those|these|there|both|neither)\b",
        sentence.text,
        re.IGNORECASE,
    )
    if rule in ("wish.forbidden", "wish.none_of") and after is not None and after.meant:
        alternative = re.match(
            r"(?:use |just |only |rather )?[A-Z\"'][\w .'\"-]{2,40} (?:is|will|would"
            r"|are) (?:\w+ )?(?:sufficient|enough|fine|do|better|plenty|preferred|best)\b",
            after.text,
        )
        if alternative:
            return f"{sentence.text} {after.text}"
    if (
        before is not None
        and before.meant
        and (leans or _POINTS.search(sentence.text))
        and not before.text.endswith("?")
    ):
        return f"{before.text} {sentence.text}"
    return sentence.text


def chosen(sentences: Sequence[Sentence], assistant: str | None) -> Iterator[Found]:
    """ "No, dollars please": another choice than the assistant's."""
    if assistant is None or not sentences or ASSISTANT_DID.search(assistant) is None:
        return
    head = sentences[0]
    if not head.clauses or CHOICE.match(head.text) is None or not head.meant:
        return
    at = 0 if len(head.text.split()) > 2 else 1
    if at >= len(sentences):
        return
    chosen_one = sentences[at]
    if not chosen_one.meant or chosen_one.clauses[0].other:
        return
    text = re.sub(r"^(?:no|nah|nope|god no|whoa)[ ,.!]+", "", chosen_one.text, flags=re.IGNORECASE)
    if (
        re.search(r"\b(?:please|always|instead|not)\b", chosen_one.text)
        and FORMAT.search(chosen_one.text)
        and len(text.split()) <= 25
        and not re.match(r"(?:I|We|Everything)\b", text, re.IGNORECASE)
    ):
        rest = sentences[at + 1 : at + 2]
        tail = (
            f" {rest[0].text}"
            if rest and re.match(r"(?:We|I|Our|My) ", rest[0].text) and rest[0].meant
            else ""
        )
        yield Found(
            chosen_one.clauses[0], "wish.chosen", kind="user_preference", text=f"{text}{tail}"
        )
