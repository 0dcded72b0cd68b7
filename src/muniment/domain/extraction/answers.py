"""Answers in a few words to a question of the assistant: "Where are you based?" "Ghent." """

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.shapes import project_called, shape_for
from muniment.domain.extraction.values import Shape, several, short_thing, title
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.gate.writing import write_out
from muniment.domain.late import late
from muniment.domain.slot import Slot

_QUESTIONS: Final = tuple(
    (slot, late(pattern, re.IGNORECASE))
    for slot, pattern in (
        (
            "name",
            (
                r"(?:what is|may I (?:have|ask|know)|can I have|and) your name"
                r"|who am I (?:talking|speaking) (?:to|with)|what (?:should|may|can"
                r"|do) I call you|how should I (?:call|address) you"
            ),
        ),
        (
            "city",
            (
                r"where (?:do you live|are you (?:based|living|located|now|moving"
                r"|off to|calling|writing)|is home|will you (?:live|be living|move))"
                r"|(?:which|what) (?:city|town)|where (?:to|in the world)\?"
                r"|where did you move"
            ),
        ),
        (
            "employer",
            (
                r"who (?:do you work for|is your (?:new )?employer"
                r"|are you (?:joining|with)|hired you)|where (?:do|will"
                r"|are) you (?:work|working|starting)|(?:which|what) (?:company|firm"
                r"|employer|hospital|organi[sz]ation|school|university) "
            ),
        ),
        (
            "role",
            (
                r"what (?:do you do|is your (?:new )?(?:role|job|title|position)"
                r"|will you (?:do|be)|role|position|title)|as what\?|in (?:which"
                r"|what) (?:role|position|capacity)|what are you (?:there|now)"
            ),
        ),
        ("timezone", r"(?:which|what) (?:is your )?time ?zone"),
        (
            "language",
            (
                r"(?:which|what) language|in (?:English|French|German|Spanish"
                r"|Italian|Dutch) or "
            ),
        ),
        (
            "address",
            (
                r"(?:what is|and|give me|what will be) (?:the|your)(?: \w+)? address"
                r"|where (?:should|shall|do|can|may) (?:I|it|they|we|the \w+) (?:go"
                r"|send|ship|deliver|be (?:sent|delivered|shipped))|(?:which"
                r"|what) address|address\?"
            ),
        ),
        (
            "deploy_region",
            (
                r"(?:which|what) (?:\w+ )?region|where (?:do|should|shall"
                r"|will) (?:you|we|I|it) deploy"
            ),
        ),
        (
            "contact_channel",
            (
                r"how (?:should|can|may|do|shall|would you like me to"
                r"|would you prefer that) (?:I|we|they|you)?(?: best| want me to"
                r"| prefer to be)? ?(?:reach|contact|notify|get hold|remind|ping"
                r"|be (?:reached|contacted))|(?:which|what) channel"
                r"|how would you (?:like|prefer) to be (?:contacted|reached"
                r"|notified)|by (?:phone|e-?mail|text)(?:,| or) |where (?:should"
                r"|shall|can) I (?:send|post) (?:the )?(?:reminders?|updates?"
                r"|alerts?)"
            ),
        ),
        ("account_tier", r"(?:which|what) (?:plan|tier)|what is your (?:plan|tier)"),
        (
            "price",
            (
                r"how much (?:is|does|do|will|are)|what (?:is|does|will) (?:the |it "
                r"|your |a )?(?:\w+ )?(?:price|cost)|at (?:which|what) price"
            ),
        ),
        (
            "pet",
            (
                r"what (?:is|are) (?:his|her|its|their|the (?:dog|cat|puppy"
                r"|kitten)'s|your (?:dog|cat|puppy|kitten)'s) names?|what (?:is"
                r"|are) (?:he|she|they|it) called"
            ),
        ),
        (
            "project",
            (
                r"(?:which|what) (?:project|repo\w*|codebase|product)\b|what (?:is"
                r"|will) (?:it|the (?:project|app|repo|product|tool))(?: be)? called"
                r"|what are you (?:working on|building)"
            ),
        ),
        (
            "allergy",
            (
                r"allerg|intoleran|anything (?:that )?(?:you|I|we) (?:can not"
                r"|should avoid|have to avoid)"
            ),
        ),
        (
            "skill",
            (
                r"(?:which|what) (?:programming )?languages? do you (?:code|program"
                r"|write|know|speak)|what are you good at"
            ),
        ),
        ("stock", r"how many .* (?:in stock|left|on hand)"),
    )
)
_LEAD = late(
    r"^(?:(?:oh|well|um|hm+|ah|so|just|it is|it will be|that is"
    r"|that would be|in|at|to|from|by|via|on|only|my|the|as an?|as|an?"
    r"|currently|now|still|yes|yeah|yep|sure|please"
    r"|mainly|mostly|his name is|her name is|she is|he is|they are"
    r"|its name is|called|it's|use|for now|same as before)\b[ ,:.]*)+",
    re.IGNORECASE,
)
_NO_ANSWER: Final = late(
    r"^(?:no|nope|nah|not|none|never|nothing|don't|do not|why|what|who"
    r"|how|I do not|thanks|thank you|ok|okay|later|skip|whatever|either"
    r"|both|any|depends|good|great|fine|same|let me|tell|yes|sure|I|we"
    r"|you|she|he|they|it|this|that|there)\b",
    re.IGNORECASE,
)
_WORDS = 9


def answered(
    sentences: Sequence[Sentence], assistant: str, slots: Mapping[str, Slot]
) -> Iterator[Found]:
    """The value that a short answer gives to the slot that the assistant asked for."""
    slot = _asked(assistant)
    if slot is None or slot not in slots or not sentences or not sentences[0].clauses:
        return
    head = sentences[0].clauses[0]
    text = _LEAD.sub("", head.text)
    if not head.meant or (head.other and slot != "pet") or _NO_ANSWER.match(text):
        return
    if len(head.text.split()) > _WORDS:
        return
    shape = _shape(slot, slots[slot])
    values = several(text, shape) if slots[slot].cardinality == "many" else [shape(text)]
    for value in values:
        if value is not None:
            yield Found(head, "answer.asked", slot, value, changes=True)


def _asked(assistant: str) -> str | None:
    """The slot that the last question of a turn asks for; None if it asks for several."""
    questions = [
        one for one in split_sentences(assistant[-600:]) if one.rstrip(" \"')").endswith("?")
    ]
    if not questions:
        return None
    text = write_out(questions[-1])
    found = [slot for slot, pattern in _QUESTIONS if pattern.search(text)]
    return found[0] if len(found) == 1 else None


def _shape(slot: str, entry: Slot) -> Shape:
    if slot == "name":
        return _name
    if slot == "role":
        return lambda text: title(text) or short_thing(text)
    if slot == "project":
        return lambda text: project_called(re.sub(r"^[Pp]roject (?=[A-Z])", "", text))
    if slot == "account_tier":
        return short_thing
    return shape_for(slot, "", entry.value_type)


def _name(text: str) -> str | None:
    match = re.match(r"(?P<name>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2})(?=$|[,.!])", text)
    return None if match is None else match["name"]
