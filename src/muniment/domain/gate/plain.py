"""What a person says plainly of themselves or their own: nothing but doubt of a kind overrules it.

Evidence that is learned from talk knows the talk that it was learned from. Plain statements are
rare in talk, and must not be lost for that.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from muniment.domain.gate.signs import signs
from muniment.domain.gate.tokens import read
from muniment.domain.late import late

_OF_A_TURN: Final = ("mark.quote", "register.brings", "register.plays")
"""What casts doubt on every sentence of a turn."""
_OF_A_SENTENCE: Final = (
    "register.echoes",
    "register.mood",
    "register.supposes",
    "form.if",
    "form.let_us",
    "form.order",
    "form.reported",
    "form.so_much",
    "form.would",
    "word.mood",
    "word.scene",
    "word.suppose",
    "word.you",
)
_LEADS: Final = (
    r" (?:(?:and|but|also|oh|well|so|ok|okay|yes|no|right|actually|now|by the way|just so you know"
    r"|for the record|fyi|one more thing|before i forget|while i think of it|as i said) )*+"
)
_LASTS: Final = (
    r"(?:training|learning|studying|writing|building|expecting|saving|moving|teaching|leading"
    r"|good at|getting married|off on|in the|in a|on the|on a|out of office)\b"
)
_OF_THEIR_OWN: Final = late(
    rf"{_LEADS}(?P<said>(?:my |our |mine |call me |\S+(?: \S+)? (?:is|are) (?:my|our) "
    r"|\S+ \S+s (?:all |most )?(?:of )?(?:my|our) "
    r"|(?:\S+ ){0,8}?(?:i|we) (?:rather|prefer|always|never|only|usually|am allergic|decided|agreed"
    r"|have (?:decided|agreed|chosen)) "
    r"|the (?:\S+ ){1,4}(?:is|are) (?:called|named|missing|stale|incomplete) "
    r"|the (?:\S+ ){1,6}(?:lags? by|(?:every|each) (?:hour|night|morning|day|week|month|quarter"
    r"|year|[a-z]+day)) "
    r"|(?:\S+ ){0,8}?(?:always|never) [a-z]+ |(?:\S+ ){0,12}(?:from (?:here|now|then|today) on"
    r"|(?:was|were|has been|is) (?:decided|agreed|settled|approved)) "
    r"|(?:i|we) (?!think|guess|hope|wonder|suppose|see|mean|bet|swear|just|will"
    rf"|am (?:not )?(?!{_LASTS})(?:\S+ing|so|sure|afraid|sorry|here|back|done|out|in|off|on my"
    r"|tired|happy|glad|fine|good|ready)\b(?! (?:a|an|the)\b))).*)"
)


def says_of_own(sentences: Iterable[str], found: AbstractSet[str]) -> bool:
    """Whether a sentence states something of the speaker without doubt.

    ``found`` are the signs of the whole turn. Others of its sentences may ask or order.
    """
    return not any(sign.startswith(_OF_A_TURN) for sign in found) and any(map(_states, sentences))


def _states(sentence: str) -> bool:
    if sentence.rstrip().endswith("?"):
        return False
    line = read(sentence).line.replace(" would rather ", " rather ")
    stated = _OF_THEIR_OWN.match(line.replace(" would prefer ", " prefer "))
    if stated is None:
        return False
    found = signs(stated["said"], [stated["said"]], None, "nothing")
    return not any(sign.startswith(_OF_A_SENTENCE) for sign in found)
