"""What looks like a way to reach somebody, a home or a firm, and is none.

"Stop calling me Mr Harrington, Joe is fine" speaks of a name and no telephone; "we switched payroll
from Sage to Xero" of tools, and "I'm in New York time" of a clock.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from muniment.domain.extraction.clauses import Sentence
from muniment.domain.extraction.firms import is_place
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.people import NOT_A_NAME
from muniment.domain.late import late
from muniment.domain.text import MONTHS

_NO_FIRST_NAME: Final = "|".join(month.title() for month in MONTHS if month != "may")
_CALLS_BY_NAME: Final = late(
    r"\b(?:do not|never|stop|not|quit|nobody|no one) (?:ever )?(?:(?:please|to) )?call(?:s|ing)?"
    r" (?:me|us) (?:by |the )?(?:Mr|Mrs|Ms|Miss|Dr|Prof|sir|madam|ma'am|dear|love|mate|honey|boss"
    rf"|(?-i:(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|{_NO_FIRST_NAME})[A-ZÀ-Þ])[\w'-]+)\b",
    re.IGNORECASE,
)
_RATHER: Final = late(
    r"[,;.:–-]+ (?:it is |just |but |and )*(?P<name>[A-ZÀ-Þ][\w'’-]+) (?:is|will|does|would)"
    r" (?:just |be |quite )?(?:fine|do|enough|ok|okay|better|plenty|good|nicer)\b"
)
_OF_A_THING: Final = late(
    r"\b(?:switch|mov|migrat|chang|convert|port|transferr)(?:e|ed|es|ing)? (?!from\b|to\b|house\b"
    r"|home\b|me\b|us\b|jobs?\b|employers?\b|firms?\b|compan\w+|offices?\b|cit\w+|over\b|back\b"
    r"|out\b|again\b|away\b|in\b|on\b|here\b|countr\w+|flats?\b|apartments?\b)"
    r"(?P<thing>[\w'& -]+?) from (?P<rest>\S.* to \S.*)",
    re.IGNORECASE,
)
_BARELY: Final = late(r"\b(?:switch(?:ed|ing)?|migrat(?:ed|ing)) from \S.* to ", re.IGNORECASE)


def without_lookalikes(found: Iterable[Found]) -> Iterator[Found]:
    """What was found, but for names taken for telephones and tools taken for homes and firms."""
    for one in found:
        text, value = one.clause.text, one.value or ""
        if one.slot == "do_not_contact" and _CALLS_BY_NAME.search(text):
            continue
        refused = _CALLS_BY_NAME.search(text) if one.slot == "name" else None
        if refused is not None and value in text[refused.start() : refused.end() + len(value)]:
            continue
        if one.slot in ("city", "employer"):
            thing = _OF_A_THING.search(text)
            if thing is not None and value in thing["rest"] and not is_place(value):
                continue
        if one.slot == "city" and re.search(rf"{re.escape(value)} time\b", text):
            continue
        if one.slot == "city" and _BARELY.search(text) and not is_place(value):
            continue
        yield one


def names_preferred(sentence: Sentence) -> Iterator[Found]:
    """The name by which one would rather be called: "stop calling me Mr Hale, Joe is fine"."""
    called = _CALLS_BY_NAME.search(sentence.text)
    if called is None or not sentence.meant:
        return
    rather = _RATHER.search(sentence.text, called.end())
    if rather is not None and not NOT_A_NAME.match(rather["name"]):
        yield Found(sentence.clauses[0], "name.rather", "name", rather["name"])
