"""What a statement says was so before: "… is Ravi now, not Vera", "… now instead of Swiftline"."""

import re
from typing import Final

from muniment.domain.late import late

_NOW: Final = late(r"\b(?:now|nowadays|these days|as of today|by now)\b", re.IGNORECASE)
_WORD: Final = r"(?:[^\s,;:.!?]|[.,:](?=\d))+"
"""A word, or a number with its marks."""
_BEFORE: Final = late(
    r"(?:[,;:–—-]| and| but)?\s(?:not|no longer|not any ?more|instead of|rather than|in place of)\s"
    r"(?:(?:on|in|at|to|by|for|with|from|every|the|a|an)\s){0,2}"
    rf"(?P<old>{_WORD}(?:\s{_WORD}){{0,4}}?)(?:\s(?:any ?more|any longer))?\s*[.!]?$",
    re.IGNORECASE,
)
_LOOSE: Final = late(
    r"\b(?:yet|sure|really|only|just|always|that|because|if|it|this)\b", re.IGNORECASE
)


_CORRECTED: Final = late(
    r"\b(?P<new>[\w@.+'’-]+(?: [\w@.+'’-]+){0,3}),? (?:and |but )?not (?P<old>[\w@.+'’-]+"
    r"(?: [\w@.+'’-]+){0,3})",
    re.IGNORECASE,
)
_LEAD: Final = late(
    r"^(?:.*\b(?:mean|meant|is|are|it|say|said|with|to|at|in|on|for|by|via|sorry|oops|no|wait"
    r"|rather|actually|correction|be)\b[:,]? )?(?:the |a |an )?",
    re.IGNORECASE,
)


_SLIP: Final = late(
    r"\b(?:mean|meant|sorry|oops|whoops|wait|correction|typo|mistyped|misread|mistake|wrong|rather"
    r"|actually|make that|should (?:be|have been|say)|autocorrect|mixed up)\b|^(?:no|nah)\b",
    re.IGNORECASE,
)
_FEW: Final = 6


def corrected(text: str, value: str) -> str | None:
    """What a text puts in the place of an earlier ``value``: "I mean X, not VALUE"."""
    if not _SLIP.search(text) and len(text.split()) > _FEW:
        return None
    for found in _CORRECTED.finditer(text):
        if not found["old"].casefold().startswith(value.casefold()):
            continue
        after = found["old"][len(value) : len(value) + 1]
        new = _LEAD.sub("", found["new"], count=1)
        if new and not after.isalnum() and new.casefold() != value.casefold():
            return new
    return None


def said_before(text: str) -> str | None:
    """What a statement that something is otherwise *now* names as what it was; None if nothing."""
    found = _BEFORE.search(text)
    if found is None or not _NOW.search(text[: found.start()]):
        return None
    old = found["old"]
    return None if _LOOSE.search(old) else old
