"""Sentences that say nothing of the world: what would be, sarcasm, moods of the moment, thanks."""

from typing import Final

from muniment.domain.gate.cues import Reason
from muniment.domain.gate.tokens import Words
from muniment.domain.late import late

_LEADS = r"(?:(?:and|so|but|or|oh|well|then|also|sure|ok|okay|hey|yeah|yes|no|ah|hm) )*+"
_WOULD = r"(?:would|could|might|should have)"
_IMAGINED: Final = late(
    rf"^ {_LEADS}(?:"
    rf"if (?:i|we|he|she|it|they|the|my|our|this|that) (?:\S+ ){{1,20}}?{_WOULD} "
    rf"|if \S+ (?:had|were|was|would|could) (?:\S+ ){{1,20}}?{_WOULD} "
    r"|(?:were|had) (?:i|we|it|they) "
    r"|(?:just )?(?:imagine|suppose|hypothetically|hypotheticaly|in another life|in theory) )"
    rf"|^ {_LEADS}it would be (?:\S+ ){{1,5}}?if "
)
_SARCASM: Final = late(
    r"^ (?:oh|ah|well|and|yeah|yes|sure)(?: and| yes)? "
    r"(?:what a (?:joy|treat|surprise|delight|pleasure)|(?:great|fantastic|wonderful"
    r"|brilliant|lovely|perfect) "
    r"(?:the|another|my|now|just|status|more|yet)|how (?:lovely|wonderful|delightful)) "
    r"| just what i (?:needed|ordered|wanted) | love (?:this|that) (?:journey|for me) "
    r"| thank you universe "
    r"|^ what a (?:great|lovely|wonderful|perfect|fantastic) (?:moment|time|day|week"
    r"|present|start|christmas|way) "
)
_FEELING = (
    r"(?:tired|exhausted|sleepy|knackered|drained|shattered|nervous|anxious|stressed|sad|low|down|"
    r"happy|relieved|excited|bored|grumpy|hungry|thirsty|cold|hot|hungover|overwhelmed|annoyed|"
    r"frustrated|over it|fed up|dead|worn out|wiped out|proud|lonely|cranky|moody|restless)"
)
_MOOD: Final = late(
    rf"^ {_LEADS}(?:(?:today|tonight|this week|this morning|right now|honestly"
    r"|first night|first day) )*"
    r"(?:(?:i am|i feel|i find myself|feeling|am|little bit|a bit|i have been) )"
    r"(?:(?:so|a|bit|little|really|rather|very|quite|pretty|just|absolutely|totally"
    rf"|honestly|still|all|too) )*{_FEELING} "
    r"(?:(?:today|tonight|this week|this morning|right now|honestly|now|and|happy"
    r"|at the moment|to be honest|again|lol) )*$"
    rf"|^ {_LEADS}{_FEELING} (?:today|tonight|to be honest|right now|honestly)"
    r"|^ (?:i )?(?:can not|could not|did not) sleep(?: again| tonight| at all| last night)* $"
    rf"|^ {_LEADS}(?:today |tonight )?i feel like (?:a|an|i|crap|death|rubbish|hell) "
    r"|^ my head is "
)
_THANKFUL: Final = late(
    r" (?:thanks|thank you|thx|ty|tyty|cheers|ta|much obliged|merci|gracias|danke"
    r"|grazie|obrigad[oa]) "
)
_MORE = late(
    r"\d| (?:not|but|never|no|actually|only|please|instead|from|my|our|i|we) "
    r"| (?:thanks|thank you) the "
)
_THANKS_WORDS = 8


def aside(words: Words) -> tuple[Reason, str] | None:
    """Why a person's sentence is worth nothing by itself, and the rule; None if it may be."""
    line = words.line
    if len(words.words) <= _THANKS_WORDS and _THANKFUL.search(line) and not _MORE.search(line):
        return Reason.THANKS, "aside.thanks"
    if _MOOD.search(line):
        return Reason.MOOD, "aside.mood"
    if _SARCASM.search(line):
        return Reason.FILLER, "aside.sarcasm"
    if _IMAGINED.search(line):
        return Reason.FILLER, "aside.imagined"
    return None
