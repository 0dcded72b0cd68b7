"""What is said to an assistant and not meant to last: play, supposition, moods, chores."""

import re
from typing import Final

from muniment.domain.gate import register as register
from muniment.domain.gate.cues import Reason
from muniment.domain.gate.passing import of_the_moment
from muniment.domain.gate.questions import presupposes
from muniment.domain.gate.tokens import Words, word_set
from muniment.domain.gate.writing import write_out
from muniment.domain.late import late

_WEAK: Final = frozenset(
    {Reason.FACT, Reason.COMMITMENT, Reason.DATE, Reason.PREFERENCE, Reason.IDENTITY}
)
PLAY_RULES: Final = frozenset(
    {
        "offhand.play",
        "offhand.mood",
        "offhand.supposed",
        "aside.imagined",
        "aside.sarcasm",
        "aside.mood",
    }
)
"""What is said in play or in a mood; the sentences beside it go with it."""
LASTING: Final = late(
    r" (?:my|our) .* (?:is|are|has|have) (?:called|named|allergic|at|in) | (?:my|our|we|i) .* "
    r"(?:every|each|always|never|since|from|until|only|anymore|no longer|on "
    r"\S+days) | no \S+ ever "
    r"|^ (?:\S+ ){0,2}(?:no|nope|nah|not) | (?:please|allergic|english) "
)
"""What counts in any tone."""
_FIRST: Final = late(r" (?:i|we|my|our|me|us|mine|no|not|never|dont) ")
_CHORES = word_set(
    """
    add append apply arrange assign attach book bring build calculate call change check choose
    clean close commit compare
    compute convert copy correct count create cut delete deploy do draft draw drop edit erase
    explain export fetch fill
    find fix flag forward generate get give go help import insert lay leave let look mail make
    mark merge move open order
    paste pick ping plan plot post prepare print pull push put read rebuild recompute redo refresh
    remove rename rerun
    reschedule reset resend restart retry return revert review rewrite run save say schedule
    search send set shift show
    shorten skip solve sort split start summarise summarize swap take tell test translate
    transpose try turn type undo
    unpack update upload write
    """
)
_LEADS = word_set(
    """
    so and but or then now ok okay right great good nice super thanks please just also hey hi
    hello yes yeah yep no well
    first next last anyway hm hmm ah oh can could would will you u kindly maybe let us me quick
    one love cool fine
    """
)
_KEEPS: Final = late(
    r" (?:always|never|every|each|any|all|whenever|from now on|in future|going forward|by "
    r"default|unless|instead|rather|not"
    r"|no|only|without|don't|dont|until|since|because|instead of) "
)


def offhand(sentence: str, words: Words, reason: Reason) -> tuple[Reason, str] | None:
    """Why a person's sentence to an assistant is let go, and the rule; None if it may be kept.

    ``reason`` is why it would be kept: a correction or a standing wish is one in any tone.
    """
    if reason not in _WEAK:
        return None
    text = write_out(sentence)
    if register.mood(text):
        return Reason.MOOD, "offhand.mood"
    if of_the_moment(text):
        return Reason.MOOD, "offhand.moment"
    if register.supposes(text) or (register.conditional(text) and ":" not in text):
        return Reason.FILLER, "offhand.supposed"
    if register.plays(text) and not LASTING.search(words.line):
        return Reason.FILLER, "offhand.play"
    if is_chore(words, sentence):
        return Reason.BARE_REQUEST, "offhand.chore"
    return None


def is_chore(words: Words, sentence: str) -> bool:
    """Whether a sentence only orders one thing, and names nothing of its speaker."""
    start = next((at for at, word in enumerate(words.words) if word not in _LEADS), None)
    if start is None or words.words[start] not in _CHORES or _KEEPS.search(words.line):
        return False
    return presupposes(words, start, sentence) is None


def leans_on_nothing(line: str) -> bool:
    """Whether a sentence beside one in play says nothing of its speaker."""
    return _FIRST.search(line) is None


_LITTLE: Final = 6
_SPECIFIC: Final = late(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june"
    r"|july|august|september"
    r"|october|november|december)\b|[_@#$€£%:]|\b(?:only|instead|actually|wrong|please|pls"
    r"|allerg\w+|since|until|every|each"
    r"|always|now|gone|dead|over|closed|fixed|null|empty|blank|missing|decided|agreed|two|three"
    r"|four|five|six|seven|eight"
    r"|nine|ten|don|dont)\b",
    re.IGNORECASE,
)


def beside(words: Words, sentence: str, content: str, *, asked: bool) -> tuple[Reason, str] | None:
    """Why a sentence that says nothing of its speaker is let go, and the rule; None if it may be
    kept. ``asked``: the turn before asked for something, so that it may be the answer.
    """
    if words.asks and not asked:
        return Reason.QUESTION, "offhand.question"
    if not asked and says_little(words, sentence):
        return Reason.FILLER, "offhand.little"
    return (Reason.FILLER, "offhand.brought") if register.brings_words(content) else None


def says_little(words: Words, sentence: str) -> bool:
    """Whether a few words name nothing: no number, day, name or state of anything."""
    return (
        2 <= len(words.words) <= _LITTLE
        and not any(words.capital)
        and not sentence[:1].isupper() * (len(words.words) <= 2)
        and _SPECIFIC.search(sentence) is None
    )
