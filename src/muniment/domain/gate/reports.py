"""What an assistant says in answer: a result or promise of its own, or talk about the turn."""

import re
from collections.abc import Iterable
from typing import Final

from muniment.domain.gate.tokens import Words, word_set
from muniment.domain.late import late

_CHANGES = (
    r"(?:booked|ordered|cancel+ed|sent|scheduled|paid|refunded|transferred|shipped|delivered"
    r"|deployed|published|merged"
    r"|submitted|uploaded|renewed|registered|filed|bought|purchased|released|invited|emailed"
    r"|posted|signed|reserved"
    r"|rescheduled|confirmed|approved|rolled out|rolled back|migrated|restarted|deleted|created"
    r"|reset|archived|revoked)"
)
_DID: Final = late(
    rf" (?:i|we) (?:have )?(?:now |just |already |successfully )*{_CHANGES} "
    rf"| (?:is|are|was|were|has been|have been) (?:now |all |already |successfully )*{_CHANGES} "
    rf"|^ (?:(?:done|great news|good news|ok|okay|all set) )*{_CHANGES} | went through | "
    rf"(?:succeeded|failed) "
)
_PROMISES: Final = late(r" (?:i|we) (?:will|shall|am going to|are going to) ")
_ADVISES: Final = late(
    r" (?:i (?:would |strongly |highly )*(?:recommend|suggest|advise|propose)|my (?:suggestion"
    r"|recommendation|advice)"
    r"|you (?:should|may want to|might want to)|it is best to|better (?:take|use|wait|book)) "
)
_SPECIFIC: Final = late(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|may"
    r"|june|july|august|september"
    r"|october|november|december)\b|\btomorrow\b|\btonight\b|\bnext \w+\b"
)
_SHORT_FORM: Final = re.compile(
    r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)s?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
)
_EMPTY = word_set(
    """
    the a an of to in on for with and or from by at as is are be it that this these those your you
    i we will shall have
    from now until every all any only not no so then also them they their its my our up out into
    over per each one two
    three four five first last before after when if than
    """
)
_SHARE: Final = 0.5


def says_new(words: Words, previous: str) -> bool:
    """Whether an assistant's sentence behind ``previous`` does, promises or advises something.

    A promise that has nothing specific, or only what was just asked of it, repeats the request.
    """
    if _DID.search(words.line) or _ADVISES.search(words.line):
        return True
    if _PROMISES.search(words.line) is None or _SPECIFIC.search(words.line) is None:
        return False
    said = {word for word in words.words if word not in _EMPTY}
    told = set(re.findall(r"[^\W_]+", previous.lower()))
    return len(said & told) < _SHARE * len(said) and not _specifics(words.words) <= _specifics(told)


def _specifics(words: Iterable[str]) -> set[str]:
    """Days, months and numbers, each as its short form has it: "Tuesdays" is "tue"."""
    return {
        (word.rstrip("stndrh") if word[0].isdigit() else word[:3])
        for word in words
        if _SPECIFIC.search(word) or _SHORT_FORM.fullmatch(word)
    }
