"""Statements by the classes of their words: what of a sentence lasts, clause by clause."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.grammar import without_announcement
from muniment.domain.extraction.lasting import lasting
from muniment.domain.extraction.lasting_words import DECIDED_SO, PLAYFUL
from muniment.domain.gate import register
from muniment.domain.late import late

_LONGEST: Final = 30
_NEW_JOB: Final = late(
    r"^(?:(?:and|so|but|well|news)[ ,:]+)*I (?:have |just |finally )*(?:changed|switched|got|found"
    r"|started|landed|moved) (?:a |an |my |to a )?(?:new )?(?:jobs?|position|employers?"
    r"|companies|role)"
    r"[.!]*$",
    re.IGNORECASE,
)
"""No more than what the value of a slot says."""
_ONE_OFF: Final = late(r"^(?:I|it|that|this|you|your|he|she|let us|shall)\b", re.IGNORECASE)
_GOES_ON: Final = late(
    r"^(?:(?:and|so|but)[ ,]+)*(?:it|he|she|they|his|her|their|its|that|this|both|we|there)\b",
    re.IGNORECASE,
)


def statements(
    sentence: Sentence, after: Sentence | None, given: Sequence[Found], wished: Sequence[Found]
) -> Iterator[Found]:
    """What a sentence says of the user that lasts: one statement, of the clauses that say it.

    ``given`` are the values that the turn gives slots, said once; ``wished`` what the sentence
    wishes, which keeps its own words.
    """
    if not register.earnest(sentence.text):
        return
    if register.conditional(sentence.text) or sentence.text.rstrip(" \"')").endswith("?"):
        return
    taken = {one.clause.text for one in [*given, *wished]}
    values = [value.lower() for one in given if (value := one.value) is not None]
    first = sentence.clauses[0]
    if not given and not wished and first.meant and _decided(sentence.text):
        yield Found(first, "plain.decision", text=without_announcement(sentence.text), changes=True)
        return
    for clause in sentence.clauses:
        lower = clause.whole.lower()
        if clause.text in taken or not clause.meant or any(one in lower for one in values):
            continue
        parted = any(one.clause.sentence == clause.sentence for one in [*given, *wished])
        if _NEW_JOB.match(clause.text) and any(one.slot in ("employer", "role") for one in given):
            continue
        rule = lasting(clause.whole, dated=bool(clause.dates))
        if rule is not None:
            yield Found(
                clause, f"plain.{rule}", text=_text(clause, sentence, after, parted), changes=True
            )
            return


def _decided(text: str) -> bool:
    """Whether a sentence ends by saying that it was decided so: "…, we agreed yesterday"."""
    said = DECIDED_SO.search(text) is not None and PLAYFUL.search(text) is None
    return said and _ONE_OFF.match(text) is None


def _text(clause: Clause, sentence: Sentence, after: Sentence | None, parted: bool) -> str:
    """The whole sentence, or of one that says two things the clause; with what goes on from it."""
    if parted or len(sentence.text.split()) > _LONGEST:
        return clause.whole
    goes_on = (
        after is not None
        and _GOES_ON.match(after.text)
        and all(one.meant for one in after.clauses)
        and not after.text.endswith("?")
        and not register.mood(after.text)
        and not register.plays(after.text)
        and len(after.text.split()) <= 16
    )
    text = without_announcement(sentence.text)
    return f"{text} {after.text}" if goes_on and after is not None else text
