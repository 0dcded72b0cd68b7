"""How a sentence holds what stands in it: as so, denied, supposed, over, or said of another.

| before or around what is said | it is |
|---|---|
| "not", "never", "dont", "anywhere but", "it is false that" | denied |
| "if", "might", "I thought", "I doubt that", "Anna said", "in my dream" | supposed |
| behind it "if I get the job", "unless" | supposed |
| "hate", "avoid", "turned down", "refused to" | averse: a no of its own |
| "left", "quit", "no longer" | ended |
| "lived", "worked", "was at", not "have lived", not "moved" | past |
| "my brother", "he", "Anna lives" | of another |
"""

from dataclasses import dataclass, field
from typing import Final

import regex

from muniment.domain.late import late_regex

_PERSONS: Final = (
    r"brother|sister|mother|father|mum|mom|dad"
    r"|wife|husband|partner|girlfriend|boyfriend|son|daughter|child|kid|cousin|uncle|aunt|niece"
    r"|nephew|friend|ex|mate|family"
    r"|colleague|coworker|boss|manager|neighbou?r|roommate|flatmate|client|customer|landlord"
    r"|parents|grandmother|grandfather"
)
BREAKS = late_regex(
    r"[;—–]|:(?=\s(?:i|we|my|our|from|since|as of)\b)|(?<=\bif\b[^:]*):|(?<=\bany ?(?:more"
    r"|longer)),|,?\s\b(?:but(?! not)|because|although|though|whereas|so)\b"
    r"|(?<=^\W*(?:no|not)\b[^,]*),|,(?=\s(?:and |so )?(?:i|we|he|she|they|it|you|my|our|the|now)\b)"
    r"|,?\sand\s(?=(?:now|then|i|we|joined|moved|started|work|live|took|got|became|am|have|switched)\b)"
    r"|(?<=\b(?:left|quit|leaving|turned down|said no to)\s(?:\S+\s){1,4})(?:for|to join)\b"
    r"|(?<=\b(?:left|quit)\s(?:\S+\s){1,4}?)and\b",
    regex.IGNORECASE,
)
# "Anywhere but Delft": no break, a denial of what follows.
_ALL_BUT: Final = (
    r"(?:any|every)(?:where|thing|one|body)(?: else)?|nowhere(?: near)?|all|everything|no ?one"
    r"|nobody"
)
STRETCH = late_regex(
    r"[,;]|\b(?:but|and|or|because|although|though|whereas|before|until|after|while)\b",
    regex.IGNORECASE,
)
_INSTEAD = late_regex(r"\b(?:instead of|rather than)\b", regex.IGNORECASE)
_UNTRUE: Final = (
    r"(?:it|that)(?:['’]?s| is| was)(?: \w+)? (?:false|untrue|wrong|a lie|a myth|a rumou?r|nonsense"
    r"|incorrect|fake news|a joke) (?:that|to say)"
    r"|\b(?:I|we)(?: \w+)? (?:deny|denied|dispute|disputed)\b"
)
_UNTRUTH = late_regex(_UNTRUE, regex.IGNORECASE)
DENIES = late_regex(
    r"\b(?:not|never|cannot|no longer|neither|nor|nobody|no one|without|used to|away from"
    r"|(?<!\b(?:based|works?|working|run) )out of"
    r"|hardly|barely|scarcely|\w+n['’]t|(?:ca|do|wo|ai|is|was|did|does|could|would|should|has|have"
    r"|had|are|were|must|need)nt)\b"
    rf"|\b(?:{_ALL_BUT}) (?:but|except(?: for)?|other than|besides|apart from|save)\b"
    r"|\b(?:instead of|rather than|far from)\b"
    rf"|{_UNTRUE}|\bno\b(?!\s*[,.])",
    regex.IGNORECASE,
)
_SUPPOSES = late_regex(
    r"\b(?:if(?! (?:you|needed|in doubt)\b)|unless|whether|suppose|supposing|imagine|pretend(?:s"
    r"|ed|ing)?|hypothetically|might"
    r"|maybe|perhaps"
    r"|wish|jokingly|(?:would|['’]d)(?: really)? (?:like|love) to|hope to|hoping to|want to"
    r"|interview\w*|appl(?:y|ies|ied|ying) (?:at|to|for)|visit(?:s|ed|ing)?|considering"
    r"|thinking (?:of|about)|tempted|dream(?:t|ed|ing|s)?(?: of| about| that| I| we)"
    r"|would(?! (?:rather|really|prefer|like|appreciate|need|want)\b)|(?<=\b(?:I"
    r"|we) )could(?! not\b)"
    r"|in (?:my|a|the|another) (?:dreams?"
    r"|novel|story|book|film|movie|game|play|role-?play|fantasy|life)|was going to|were going to"
    r"|let['’]?s (?:say|assume|pretend)|let us (?:say|assume|pretend)|say(?=(?: that)? (?:I|we)\b)"
    r"|as if|as though|almost|nearly|doubt(?:s|ed)?|wonder(?:ed|ing|s)?|unsure|not sure"
    r"|(?:thought|assumed|believed|figured|supposed|feared|guessed|lied)(?= (?:that "
    r"|for \w+ (?:that )?)?"
    r"(?:I|we|my|our)\b)|(?:said|saying)(?= (?:that )?(?:I|we) (?!said)\b)(?<!\b(?:I"
    r"|we) (?:\w+ )?said)"
    r"|(?<!\b(?:I|we) (?:\w+ )?)(?:write(?! (?:to|them|him|her|down)\b)|translate|draft"
    r"|compose)\b[^.]*)\b",
    regex.IGNORECASE,
)
_REPORTS = late_regex(
    r"(?<!\b(?:I|we|you (?:can|may)(?: safely)?) )"
    r"(?:(?:thinks?|believes?|claims?|claimed|assumes?|insists?|insisted|swears"
    r"|swore|reckons?)|(?:said|says|tells|told (?:me|us|him|her|them|you|everyone)|wrote"
    r"|writes)(?! to\b|[\"']?\s*:)"
    r"|heard|rumou?r has it|according to|allegedly|apparently|supposedly)",
    regex.IGNORECASE,
)
_IF_BEHIND = late_regex(
    r"^[^,;.]*?,?\s(?:only |even )?(?:if|unless|provided|assuming|as long as)\b"
    r"(?! (?:you|that|this|it|anyone|anybody|needed|necessary|asked|relevant|of|somebody|someone"
    r"|possible|any)\b)",
    regex.IGNORECASE,
)
# Whom a sentence is about, if not its speaker.
_OTHERS = late_regex(
    rf"\b(?:my|our|his|her|their)(?: \w+)? (?P<who>{_PERSONS})s?\b(?!(?:,| and) (?:I|me)\b)"
    r"(?!['’]s (?:place|house|flat|home)\b)",
    regex.IGNORECASE,
)
_ANOTHER = late_regex(
    r"^(?:(?i:and|so|but|also|well|oh|btw|by the way)[ ,]+)*+"
    r"(?:(?P<who>(?i:he|she|they))(?=\s(?i:is|are|was|were|has|have|had|lives?|lived|works?|worked"
    r"|moved|joined|just|also|now|will|hates?|likes?)\b|['’])"
    r"|(?!(?:I|We|You|It|This|That|There|Everything|Everyone|Nobody|Production|Prod|Home|Who|What)\b)"
    r"(?P<who>\p{Lu}[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+)?"
    r" (?:(?:also|now|still|just|always|already|has|had|is|was|will|have) )*"
    r"(?:lives?|lived|living|works?|worked|working|moved|moving|joined|move|join|allergic|based"
    r"|from|at|in|called|left|quit)\b)"
)
# Words that say no in their own way: "I can't eat nuts" and "is allergic to nuts" agree.
_OVER: Final = (
    r"stop(?:s|ped)?|quit|left|former|formerly|previous|previously|ended(?! up)|deleted"
    r"|cancel(?:s|ed|led)?|drop(?:s|ped)?|lost|sold|gave|given|free of|ex"
    r"|resigned|retired|fired|laid off"
)
_REFUSES: Final = (
    r"refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|reject(?:s|ed|ing)?|turn(?:s|ed|ing)? down"
    r"|turn(?:s|ed|ing)? (?:\w+ ){1,4}down|fail(?:s|ed)? to|decided against|said no|backed out"
)
AVERSE = late_regex(
    r"\b(?:dislik(?:e|es|ed|ing)|hat(?:e|es|ed)|avoid(?:s|ed|ing)?|allerg(?:y|ies|ic)"
    r"|intoleran(?:t|ce)|exclud(?:e|es|ed|ing)"
    rf"|unable|banned|forbid|forbids|forbidden|{_REFUSES}|{_OVER})\b",
    regex.IGNORECASE,
)
_ENDED = late_regex(rf"\b(?:{_OVER}|without)\b", regex.IGNORECASE)
_REFUSED = late_regex(rf"\b(?:{_REFUSES})\b", regex.IGNORECASE)
# "Forget that I have a cat" denies what follows; "do not forget that" does not.
DISOWNS = late_regex(
    r"\b(?:forget|disregard|ignore|scrap|retract|withdraw)\b"
    r"(?:(?: about)? (?:that|the fact that)\b(?!\s*,))? (?:I|we|my|our)\b",
    regex.IGNORECASE,
)
REMINDS = late_regex(
    r"\b(?:do not|don['’]?t|never|not to|cannot|can not|can['’]?t) (?:\w+ )?"
    r"(?:forget|ignore|disregard)\b|\bnot (?:kidding|joking|lying)\b|\bno (?:joke|kidding|doubt)\b"
    r"|\b(?:not only|not just)\b",
    regex.IGNORECASE,
)
# What somebody moved from is where they are no more.
_LEFT = late_regex(
    r"\b(?:mov|migrat|switch|shift|relocat|transfer|chang|went|go(?:es|ing)?)\w*\b.*"
    r"\bfrom (?:the )?$",
    regex.IGNORECASE,
)
_FOR = late_regex(r"\s*(?:in|on)?to\b", regex.IGNORECASE)
_WAS: Final = (
    r"(?:grew up|lived|resided|dwelt|dwelled|worked|interned|volunteered|freelanced|served"
    r"|studied|stayed"
    r"|rented|temped)"
)
_PAST = late_regex(
    rf"\b(?:had (?:\w+ )?(?:been|{_WAS})|(?<!always )(?:was|were)(?! (?:\w+ )?(?:hired|promoted"
    rf"|appointed"
    r"|transferred|posted|relocated|moved|given|offered|made|diagnosed|told|sent|named|recruited"
    r"|taken on|elected|assigned|called|accepted)\b)"
    rf"|(?<!\b(?:have|has|['’]ve|['’]s|having) (?:\w+ ){{0,2}}){_WAS})\b(?! to move)",
    regex.IGNORECASE,
)
_JOKES = late_regex(
    r"^[^;.]*?\b(?:kidding|joking|jk|lol|lmao|just a joke)\b|^[^;]*?(?:\.\.+|…|,|-)\s*not[\s!.]*$",
    regex.IGNORECASE,
)
_PASSING = late_regex(
    r"^\s+(?:only |just )?(?:for|over) (?:the|a|this|one|two|three|some|\d+) (?:\w+ )?"
    r"(?:weekend|weeks?|nights?|days?|holidays?|vacation|conference|wedding|hours?)\b(?! (?:shift"
    r"|team|crew|watch|desk))",
    regex.IGNORECASE,
)
_ONCE = late_regex(
    r"^(?:\s+\w+)?\s+(?:before(?! (?:that|and)\b)(?=\W*$)|once|in the past|previously|years ago"
    r"|back then|in those days)\b",
    regex.IGNORECASE,
)
_SINCE = late_regex(r"\b(?:have|has|['’]ve|['’]s)\b", regex.IGNORECASE)
_EVENT = late_regex(
    r"\b(?:mov(?:e|ed|ing)|join(?:ed|ing)?|start(?:ed|ing)?|became|becom\w+|relocat\w+|settl\w+"
    r"|switch\w*|transferr\w*|hired|took|got|accepted|signed|came to|going to|live|lives|work|works"
    r"|am|is|are)\b",
    regex.IGNORECASE,
)
# How far from the words a clause reaches, in characters.
_REACH: Final = 400


@dataclass(frozen=True)
class Sense:
    """How a sentence holds what stands at a place in it."""

    denied: bool
    supposed: bool
    averse: bool
    other: str | None
    ended: bool = field(default=False, compare=False)
    past: bool = field(default=False, compare=False)
    given_up: bool = field(default=False, compare=False)
    imagined: bool = field(default=False, compare=False)
    """Supposed by the speaker, not by somebody whom they report."""
    untrue: bool = field(default=False, compare=False)

    @property
    def negative(self) -> bool:
        """It says no; a no of what says no itself is none."""
        return self.denied != self.averse

    def agrees(self, other: "Sense") -> bool:
        """Both assert, or both say no, in whichever word."""
        if self.supposed:
            return other.supposed
        return self.negative == other.negative


def sense(sentence: str, place: tuple[int, int]) -> Sense:
    """From the clause before, and after it, how a sentence holds what stands at ``place``."""
    start, end = place
    reach = REMINDS.sub(" ", sentence[max(0, start - _REACH) : start])
    breaks = [
        found.end() for found in BREAKS.finditer(reach) if not _is_all_but(reach[: found.end()])
    ]
    before = reach[max(breaks, default=0) :]
    rest = sentence[end : end + _REACH]
    # What stands behind "instead of" is denied, not what stands before it.
    after = _INSTEAD.split(STRETCH.split(rest, maxsplit=1)[0], maxsplit=1)[0]
    around = f"{before} {sentence[start:end]} {after}"
    mine = before if len(reach) < _REACH else sentence[:start]
    other = _OTHERS.search(before) or _ANOTHER.match(mine.lstrip(" ,"))
    imagined = _SUPPOSES.search(before) is not None or any(
        one.match(rest) for one in (_IF_BEHIND, _JOKES)
    )
    left = _LEFT.search(before) is not None and _FOR.match(after) is not None
    return Sense(
        denied=left or any(one.search(around) for one in (DENIES, DISOWNS)),
        supposed=imagined or _REPORTS.search(before) is not None,
        imagined=imagined,
        averse=AVERSE.search(around) is not None,
        ended=_ENDED.search(around) is not None,
        given_up=any(one.search(before) for one in (_REFUSED, _ENDED)),
        other=None if other is None else other["who"],
        past=_is_past(before, rest),
        untrue=_UNTRUTH.search(before) is not None,
    )


_ALL_BUT_ENDS = late_regex(rf"\b(?:{_ALL_BUT})\s+but$", regex.IGNORECASE)


def _is_all_but(reach: str) -> bool:
    """ "Anywhere but" is no new clause."""
    return _ALL_BUT_ENDS.search(reach) is not None


def _is_past(before: str, after: str) -> bool:
    """Its verb tells how it was: "I lived in", "I was at", "I have lived in ... before"."""
    if _PASSING.match(after) or (_ONCE.match(after) and _SINCE.search(before)):
        return True
    told = [*_PAST.finditer(before)]
    return bool(told) and _EVENT.search(before[told[-1].end() :]) is None
