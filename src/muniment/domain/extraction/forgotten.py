"""What a sentence asks to forget of what was said: "forget that I have a cat"."""

import re
from typing import Final

from muniment.domain.late import late

_ASKED: Final = late(
    r"^(?:(?:please|pls|ok|okay|so|and|now|just|you can|you may|can you|could you|actually|well|oh"
    r"|no|sorry|wait|then|kindly|also|let us)[ ,]+)*"
    r"(?:(?:forget|disregard|ignore|scrap|retract|withdraw|delete|erase)(?: about)?"
    r" (?:that|the fact that) (?=(?:I|we|my|our|the|there)\b)|forget (?=(?:I|we) ))"
    r"(?P<what>[^;?]+?)(?=\s*(?:$|[;?]|[.!]+$|\s[-–—]+\s|, |\b(?:and|but|because|as|since)\b))"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_FOR_NOW: Final = late(
    r"\b(?:for (?:now|this|the (?:moment|rest|sake)|today|once)|this time|just here|here|today"
    r"|in this (?:chat|session|question|conversation|answer|example))\b",
    re.IGNORECASE,
)
_GOES_ON: Final = late(r"^,? *(?:and|as|since|because)\b", re.IGNORECASE)


def forgotten(text: str) -> tuple[str, str] | None:
    """What a sentence asks to forget, and what else it says; None if it asks nothing like that.

    Of what is to be left aside for a while, and of words that may belong to either, nothing is
    given.
    """
    asked = _ASKED.match(text)
    if asked is None:
        return None
    rest = asked["rest"].strip(" ?!.;,-–—")
    if _FOR_NOW.search(text):
        return "", ""
    return f"{asked['what'].strip(' .!')}.", "" if _GOES_ON.match(asked["rest"]) else rest
