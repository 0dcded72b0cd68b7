"""A turn in clauses: whose words they are, whether they are meant, and the days that they name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from muniment.domain.extraction.dates import Dated, find_dates
from muniment.domain.extraction.forgotten import forgotten
from muniment.domain.extraction.words import PERSON
from muniment.domain.gate.sentences import head_of, split_sentences
from muniment.domain.gate.writing import APOSTROPHES, write_out
from muniment.domain.late import late
from muniment.domain.own_words import own_words

_LONGEST = 600
_MOST = 40


_PRONOUN = r"(?:I|we|he|she|they|it|you|my|our|his|her|their|the|this|that|these|there)"
_VERBAL = (
    r"(?:please|do|make|book|do not|never|always|use|keep|give|send|put|exclude"
    r"|include|write|call|text|note"
    r"|stop|so|no)"
)
_SPLIT: Final = late(
    r"\s*;\s*|\s+[-–—]{1,2}\s+|\s*—\s*"
    r"|,?\s+(?:but|however|though|although|whereas|while|because|cause)\s+"
    rf"|,?\s+(?:and|so|plus)\s+(?={_PRONOUN}\b|{_VERBAL}\b|in\s+\w+\s+I\b|live\b|work\b"
    r"|moved\b|move\b)"
    r"|,\s+(?=(?:I|we|he|she|they|it|my|our|his|her|please (?=\w)|do not|never (?=\w)"
    r"|always (?=\w)|is that\b|which is\b))"
    r"|,\s+(?:and|then|so)\s+(?=\w+\s)"
    r"|,\s+(?=(?:from|since|as of|starting|until) [^,]{2,25} (?:I|we)\b)"
    r"|,?\s+(?:so |and |but |then )?(?=(?:can|could|would|will|shall"
    r"|should|do|does|did|is|are|have|has)"
    r"(?: you| I| we| it| they| there| the| that| this| any| my| one)\b.*\?)"
    r"|,\s+(?:so |and |but |then )?(?=(?:what|where|when|how|why|who|which|any)\b.*\?)"
    r"|\s+\(|\)\s*"
    r"|(?<=\w)\.\.+\s*",
    re.IGNORECASE,
)
_COLON = late(
    r"^[^:]{3,80}?:\s+(?=(?:I|we|my|our|always|never|please|do|no|from|since|as of|tomorrow"
    r"|today)\b)"
    r"|^(?:also |and |so |ok )*(?:note|remember|for (?:the|my|your)|before|update|heads up|fyi"
    r"|by the way|one for)"
    r"\b[^:]{3,60}?:\s+(?=\w)",
    re.IGNORECASE,
)

_ASKS = late(
    r"^(?:(?:and|so|but|or|oh|ok|also|hey|hi|btw|well)[ ,]+)*+(?:what|who|whom|whose"
    r"|where|when|why|how|which"
    r"|is|are|was|were|do|does|did|can|could|would|will|should|shall|have|has|had|may"
    r"|might|any|am)\b"
    r"(?!,)",
    re.IGNORECASE,
)
_SUPPOSED = late(
    r"^(?:(?:and|so|but|or|oh|then|well|also|sure|ok)[ ,]+)*+(?:(?:even |only |what )?if"
    r"(?! (?:you|u|needed|possible|in doubt|there is)\b)|suppos(?:e|ing)|imagine"
    r"|hypothetic\w*|were (?:I|we|it)"
    r"|had (?:I|we|they|it)|assum(?:e|ing)|say (?:I|we)\b|let us (?:say|pretend"
    r"|imagine)|pretend|in theory"
    r"|in another life|in a (?:perfect|parallel|different) world|one day|some ?day"
    r"|once (?:I|we) (?:am|are|have)"
    r"|unless (?:I|we)|what about|as if|when I (?:was|grow)|back when|for the sake of)\b",
    re.IGNORECASE,
)
_SUPPOSED_IN = late(
    r"\b(?:would(?! (?:rather|prefer|like|love|appreciate|want|you|need|be (?:great"
    r"|nice|good|better|best"
    r"|helpful|my)))|could (?:have|be|move|live|see)|might|maybe|perhaps|possibly|hypothetic\w*"
    r"|think(?:ing)? (?:about|of|that maybe)|thought (?:about|of)|consider(?:ing|ed)"
    r"|toying with|dream(?:ing|t|ed)?"
    r" (?:of|about)|fantasi[sz]\w+|not sure|wonder(?:ing)?|hop(?:e|ing) to"
    r"|(?<!not )want(?:ed)? to (?:move|live|work|learn|get"
    r"|join|have|be)|wish|tempted|almost|nearly|used to|in case|should (?:I|we) |as if"
    r"|as though|if only"
    r"|supposed to|probably|someday|one day|I guess|if I (?:were|was|had)|were I|had I"
    r"|if we had|if they"
    r"|looking (?:at|into) moving|interview(?:ing)?|apply(?:ing)?|applied)\b",
    re.IGNORECASE,
)
_JOKING = late(
    r"\b(?:lol|lmao|rofl|ha(?:ha)+h?|hehe|jk|kidding|joking|joke|just pulling your leg"
    r"|serious proposal|sarcasm)\b"
    r"|😂|🤣|😜|😝|🙃|/s\b|"
    r"^(?!right now\b)(?:oh|ah|well)?,? ?(?:oh|sure|yeah|right|great|fantastic|wonderful|brilliant"
    r"|perfect|lovely|super),? "
    r"(?:and I am|because I|great|fantastic|wonderful|brilliant|lovely|yes|sure|what a"
    r"|how|another|now|just what)\b"
    r"|^(?:oh|and|yeah)?,? ?(?:what a (?:joy|treat|great|lovely|wonderful|fantastic"
    r"|surprise|delight)"
    r"|how (?:lovely|wonderful|delightful|nice|kind)|just what I|thank you universe"
    r"|love this (?:journey|for me))\b"
    r"|\bjust what I (?:needed|ordered|wanted)\b|\bI (?:so |just |really )?LOVE\b"
    r"|\bi AM\b|\bobviously because\b"
    r"|\bas one does\b|\bliving the dream\b|\blucky me\b|\bmy favou?rite (?:hobby|pastime)\b",
)
_JOKING_IN = late(
    r"\b(?:sell (?:a|one|my) kidney|marry the|win the lottery|join the circus"
    r"|goat farmer|run for (?:chancellor"
    r"|president|parliament|mayor|prime)|king of|queen of|emperor|reincarnation"
    r"|on the moon|to the moon|to mars"
    r"|on mars|vampire|zombie|unicorns?|wizard|superhero|time travel|antarctica|hermit"
    r"|monk|nun|pirate|astronaut"
    r"|a million (?:dollars|years)|billionaire|Monte Carlo)\b",
    re.IGNORECASE,
)
_OTHER = late(
    r"^(?:(?:and|so|but|also|well|oh|because|since|that|apparently|btw|by the way"
    r"|funny thing|turns out)[ ,]+)*+"
    r"(?:he|she|they|his|her|their|(?:my|our|your|the|a|one of (?:my|our|the)|his|her"
    r"|their|some|another)"
    rf"(?: [\w'-]+){{0,3}}? {PERSON}(?:'s)?\b|{PERSON} of mine|somebody|someone"
    r"|everyone|everybody|nobody|people"
    r"|(?:some |this |a |the |that )?(?:dude|guy|bloke|chap|fella|lad|lady|woman|man"
    r"|kid) (?:from|at|in"
    r"|of|who|next))(?![-\w])",
    re.IGNORECASE,
)
_OTHER_NAME = late(
    r"^(?:(?:and|so|but|also|well|oh|because|btw)[ ,]+)*+(?!I\b|You\b|Your\b|We\b|My\b|Our\b"
    r"|This\b"
    r"|That\b|It\b|There\b|The\b|Every|"
    r"No\b|Please\b|Do\b|Yes\b|What\b|When\b|If\b|Since\b|From\b|As\b|On\b|In\b|At\b|For\b)"
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?(?P<name>[A-ZÀ-Þ][\w'’-]+)(?: [A-ZÀ-Þ][\w'’-]+)?,?"
    r"(?: (?:who|also|now|still|just|really|always|never|already|himself|herself))* "
    r"(?:is|was|has|had|will|does|did|wants?|lives?|likes?|loves?|hates?|prefers?"
    r"|moved|works?|says?|said|thinks?|stays?"
    r"|sits?|needs?|can(?:not)?|got|cannot|reckons?|keeps?|uses?|would|left|goes|asks?"
    r"|takes?|comes?|enters?|speaks?)\b"
)
_THING_IS = late(
    r"(?:(?:and|so|but|also)[ ,]+)*(?:Address|Home|Rent|Delivery|Price"
    r"|Location|Contact|Email|E-mail|Phone|Mail|Slack|Teams|Signal"
    r"|WhatsApp|Telegram|SMS|Text|Post|Letters?|Parcels?|Packages?"
    r"|Dinner|Lunch|Breakfast|Work|Payment|Shipping|Production|Prod"
    r"|Staging|Billing|Support|Sales|Revenue|Churn|Refunds?|Returns"
    r"|Orders?|Invoices?|Tickets?|Reports?|Data|Timestamps?|Dates"
    r"|Column|Table|Friday|Monday|Tuesday|Wednesday|Thursday|Saturday"
    r"|Sunday|Weekends?|Mornings?|Evenings?|Tomorrow|Today"
    r"|Everything|Anything|Nothing|Something|One|Two|Three|English"
    r"|French|German|Spanish|Dutch|Italian|Membership|Tuition"
    r"|Admission|Entry|Rehearsals?|Practice|Training|Opening|Deadline"
    r"|Budget|Stock|Inventory|Python|Rust|Java|Excel|SQL)\b"
)
_REPORTED = late(
    r"\b(?:said|says|told|tells|claims?|claimed|thinks?|thought|believes?|reckons?"
    r"|wrote|writes|heard|rumou?r"
    r"|according to|apparently|allegedly|suppose|asked)\b(?! me to\b)",
    re.IGNORECASE,
)
_BULLET = late(r"^(?:\((?=[A-Z])|[^\w\"'(£$€`]+|\(?\d{1,2}[.)]\s+|[a-d]\)\s+)+")
_DURATION = late(
    r"\s(?:since|for)(?: the)?(?: last| past)? (?:about |over |almost |nearly |around )?"
    r"(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|twelve|many|some|several)"
    r" (?:years?|months?|weeks?|decades?)(?: now| already)?\b",
    re.IGNORECASE,
)
_LONG_WORD = late(r"\S{60,}")
"""No word, and work by the square of its length."""
_TITLE = late(r'"([^"]{1,60})"')


_ANNOUNCES: Final = late(
    r"^(?:(?:oh|ah|and|so|well|ok|okay|right|hey|also|now|yes)[ ,]+)*"
    r"(?:before I forget(?: it)?|(?:just )?so you (?:know|are aware)|by the way|btw|fyi"
    r"|for (?:the record|your information|context|what it is worth)|incidentally"
    r"|while I (?:think of|remember|am at) it|while (?:we are at|you are at) it"
    r"|(?:one|a) (?:more|other|last|final|quick) thing|another thing|last thing"
    r"|(?:a |just a )?(?:quick|small|little|side) (?:note|aside|update|reminder|heads up)"
    r"(?: (?:for later|for you|for the files?|to self))?"
    r"|side note|(?:one|what) I forgot to (?:say|mention)"
    r"|I (?:almost |nearly )?forgot(?: to (?:say|mention))?"
    r"|something (?:else|I forgot))"
    r"(?: that)?\s*[,:–—-]+\s*(?=[\w\"'(])",
    re.IGNORECASE,
)
"""It says no more than that something is said."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a sentence: contractions written out, days taken out of ``text``."""

    text: str
    whole: str
    """With its days."""
    dates: tuple[Dated, ...]
    sentence: int
    first: bool
    asked: bool
    supposed: bool
    joking: bool
    other: bool
    """Its subject is a third person."""

    @property
    def meant(self) -> bool:
        """Its speaker says it in earnest, as so."""
        return not (self.asked or self.supposed or self.joking)

    @property
    def stated(self) -> bool:
        """Meant, and not of somebody else."""
        return self.meant and not self.other


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with contractions written out, and its clauses."""

    text: str
    clauses: tuple[Clause, ...]
    taken_back: bool = False
    """It is asked to be forgotten."""

    @property
    def meant(self) -> bool:
        """Whether nothing in it is asked, supposed or a joke."""
        return all(clause.meant for clause in self.clauses)

    def dates(self) -> list[Dated]:
        """The days of all its clauses."""
        return [one for clause in self.clauses for one in clause.dates]


def read_turn(content: str, said_at: datetime, names: Sequence[str] = ()) -> list[Sentence]:
    """The sentences of a turn that are its speaker's own words; ``names`` are what they are
    called."""
    own = own_words(head_of(content), names).translate(APOSTROPHES)
    found: list[Sentence] = []
    for raw in split_sentences(own):
        if len(found) >= _MOST:
            break
        text = _BULLET.sub("", _LONG_WORD.sub("…", raw[:_LONGEST]))
        text = _ANNOUNCES.sub("", _TITLE.sub(_quoted, write_out(text)))
        asked = forgotten(text)
        parts = ((text, False),) if asked is None else ((asked[0], True), (asked[1], False))
        for part, taken_back in parts:
            read = _sentence(part, len(found), said_at)
            if read.clauses:
                found.append(replace(read, taken_back=taken_back))
    return found


_TAG: Final = late(
    r",? (?:ok|okay|right|remember|you know|yeah|alright|got it|deal|is it not|huh|eh|no|you see"
    r"|if you remember|as you know)\?+$",
    re.IGNORECASE,
)
_HARMLESS: Final = late(
    r"\b(?:if|he|she|they|who|unless|would|whether|not|never|no|nobody|wish|think|thought|hope"
    r"|said"
    r"|says|told|that|what|when|because|suppose|wonder|like|than|as|where|everything|anything"
    r"|until"
    r"|before|after|while|why|how|whatever|which|all|only|every)\b",
    re.IGNORECASE,
)
_USER_STARTS: Final = late(r"(?<= )(?=(?:I|we|We|my|our) [a-z])")
_PART_OF: Final = late(
    r"^(?:the|an?|this|that|these|those|each)\b.*"
    r" (?:in|of|at|for|with|on|to|from|by|about|under) $",
    re.IGNORECASE,
)


def without_prefix(clause: Clause) -> Clause | None:
    """The clause from where the user comes in, if what stands before is no more than a lead."""
    match = _USER_STARTS.search(clause.text)
    if match is None:
        return None
    prefix = clause.text[: match.start()]
    if len(prefix.split()) > 7 or _HARMLESS.search(prefix) or is_other(prefix):
        return None
    if clause.text.startswith(("my ", "our "), match.start()) and _PART_OF.match(prefix):
        # "The limit in our shop is": what stands before is the subject, and ours is a part of it.
        return None
    return replace(clause, text=clause.text[match.start() :])


def _quoted(match: re.Match[str]) -> str:
    """A short quotation: a title or a name is its words, what somebody says is nobody's here."""
    return " " if re.search(r"\b(?:I|we|my|our|me|you)\b", match[1]) else match[1]


def _sentence(text: str, at: int, said_at: datetime) -> Sentence:
    text = _TAG.sub(".", text)
    asks = text.rstrip(" \"')!").endswith("?")
    supposed = _SUPPOSED.search(text) is not None
    joking = _JOKING.search(text) is not None or _JOKING_IN.search(text) is not None
    parts = _parts(text)
    clauses: list[Clause] = []
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        asked = (asks and (last or _ASKS.match(part) is not None)) or (
            _ASKS.match(part) is not None and not asks and index == 0 and _inverted(part)
        )
        clauses.append(
            _clause(
                part, at, said_at, first=index == 0, asked=asked, supposed=supposed, joking=joking
            )
        )
    return Sentence(text, tuple(clauses))


_INVERSION = late(
    r"^(?:(?:and|so|but|or|oh|ok|also|hey|hi|btw|well)[ ,]+)*+(?:(?:what|where|who|why"
    r"|how|when|which)(?: [\w-]+){0,2}? (?:is|are|was|were|do|does|did|can|could|would"
    r"|will|should|shall|have|has|had)\b.*"
    r"|(?:is|are|was|do|does|did|can|could|would|will|should|shall|have|has) (?:I|we"
    r"|you|he|she|they|it|there|the|my"
    r"|our|this|that|one)\b)",
    re.IGNORECASE,
)
_WHAT_IS = late(
    r"^(?:and |so |but )*(?:what|where|when|how) (?:I|we|you|goes|comes|really|my"
    r"|our)\b",
    re.IGNORECASE,
)


def _inverted(part: str) -> bool:
    return (
        _INVERSION.match(part) is not None
        and _WHAT_IS.match(part) is None
        and " so " not in part[:40]
    )


def _parts(text: str) -> list[str]:
    colon = _COLON.match(text)
    pieces = [text] if colon is None else [text[: colon.end()].rstrip(": "), text[colon.end() :]]
    parts = [part.strip(" ,") for piece in pieces for part in _SPLIT.split(piece)]
    return [part for part in parts if part]


def _clause(
    part: str, at: int, said_at: datetime, *, first: bool, asked: bool, supposed: bool, joking: bool
) -> Clause:
    dates = find_dates(part, said_at)
    text = part
    for one in reversed(dates):
        text = f"{text[: one.start].rstrip(' ')} {text[one.end :].lstrip(' ')}"
    text = _DURATION.sub("", text)
    text = re.sub(r"\s+([,.!])", r"\1", text)
    text = re.sub(r"^[ ,:]+|,(?=[.!]?$)", "", text).strip()
    if any(one.part == "from" for one in dates):
        text = _HAS_BEEN.sub(r"\1 is", text)
    return Clause(
        text=text,
        whole=part,
        dates=tuple(dates),
        sentence=at,
        first=first,
        asked=asked,
        supposed=supposed or _SUPPOSED_IN.search(part) is not None,
        joking=joking,
        other=is_other(text),
    )


_HAS_BEEN: Final = late(r"^((?:my|our) [\w' -]{2,40}?) has been\b", re.IGNORECASE)
"""With a day since when: it is so."""


def is_other(text: str) -> bool:
    """Whether the subject of a clause is a third person, or somebody is quoted in it."""
    named = _OTHER_NAME.match(text)
    if _OTHER.match(text) is not None or (named is not None and not _THING_IS.match(text)):
        return True
    reported = _REPORTED.search(text)
    return reported is not None and not re.match(r"(?:I|we) ", text) and "I told you" not in text


def all_clauses(sentences: Sequence[Sentence]) -> list[Clause]:
    """The clauses of a turn in order."""
    return [clause for sentence in sentences for clause in sentence.clauses]
