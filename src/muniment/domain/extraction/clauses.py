"""A turn in clauses: whose words they are, whether they are meant, and the days that they name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.domain.extraction.dates import Dated, find_dates
from muniment.domain.extraction.words import PERSON
from muniment.domain.gate.sentences import head_of, split_sentences
from muniment.domain.statement import own_words
from muniment.domain.text import MONTHS

_LONGEST = 600
_MOST = 40

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "“": '"', "”": '"'})
_WRITTEN_OUT: Final = (
    (r"\b(i|you|we|they)['’]?ve\b(?<!wve)", r"\1 have"),
    (r"\bI'm\b|\b[Ii]m\b", "I am"),
    (r"\b(you|we|they)'re\b", r"\1 are"),
    (r"\b(i|you|he|she|it|we|they|that|this|there)'ll\b", r"\1 will"),
    (r"\b(i|you|he|she|we|they|it)'d\b(?= (?:better|been|had|already|just|never)\b)", r"\1 had"),
    (r"\b(i|you|he|she|we|they|it)'d\b", r"\1 would"),
    (
        (
            r"\b(he|she|it|that|this|there|here|what|who|where|how|everything|everybody"
            r"|everyone)'s\b"
            r"(?= (?:been|got|had|gone|become|moved|started|left)\b)"
        ),
        r"\1 has",
    ),
    (
        (
            r"\b(he|she|it|that|this|there|here|what|who|where|how|when|everything|everybody"
            r"|everyone|"
            r"nobody|nothing)'s\b"
        ),
        r"\1 is",
    ),
    (r"\bits (?=(?:a|an|the|been|not|now|just|only|all|always|in|on|at|still|\w+ing)\b)", "it is "),
    (r"\bthats\b", "that is"),
    (r"\b(she|he)s\b", r"\1 is"),
    (r"\btheres\b", "there is"),
    (
        (
            r"\b(w(?:ould)|should|could|did|does|do|is|are|was|were|have|has|had|must"
            r"|need)n['’]?t\b"
        ),
        r"\1 not",
    ),
    (r"\bcan'?t\b|\bcannot\b", "can not"),
    (r"\bwon'?t\b(?<!wont)", "will not"),
    (r"\bshan't\b", "shall not"),
    (r"\bain't\b", "am not"),
    (r"\b(u)\b", "you"),
    (r"\bur\b", "your"),
    (r"\b(?:pls|plz|kindly)\b", "please"),
    (r"\blet'?s\b", "let us"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "have to"),
    (r"\bn\b(?! ?['’])", "and"),
    (r"(?<=\s)w\b(?!/)|\bw/(?=\s)", "with"),
    (r"\bb4\b", "before"),
    (r"\bcuz\b|\bcos\b|\bbcs?\b", "because"),
    (r"\bya\b", "yes"),
    (r"^myself (?=[A-Z])", "I am "),
    (r"^me,? I\b", "I"),
)
_EXPANSIONS: Final = tuple((re.compile(pattern, re.IGNORECASE), to) for pattern, to in _WRITTEN_OUT)
_MAY_EXPAND = re.compile(
    r"'|’|\b(?:lets|im|ive|its|thats|shes|hes|theres|dont|cant|wont|doesnt|didnt|isnt"
    r"|arent|u|ur|pls|plz"
    r"|kindly|gonna|wanna|gotta|n|w|b4|cuz|cos|bc|ya|cannot|myself|me|havent|hasnt|wasnt|wouldnt"
    r"|shouldnt|couldnt)\b",
    re.IGNORECASE,
)
_I_ALONE = re.compile(r"(?<![\w.-])i(?![\w.-])")

_PRONOUN = r"(?:I|we|he|she|they|it|you|my|our|his|her|their|the|this|that|these|there)"
_VERBAL = (
    r"(?:please|do|make|book|do not|never|always|use|keep|give|send|put|exclude"
    r"|include|write|call|text|note"
    r"|stop|so|no)"
)
_SPLIT: Final = re.compile(
    r"\s*;\s*|\s+[-–—]{1,2}\s+|\s*—\s*"
    r"|,?\s+(?:but|however|though|although|whereas|while|because|cause)\s+"
    rf"|,?\s+(?:and|so|plus)\s+(?={_PRONOUN}\b|{_VERBAL}\b|in\s+\w+\s+I\b|live\b|work\b"
    r"|moved\b|move\b)"
    r"|,\s+(?=(?:I|we|he|she|they|it|my|our|his|her|please (?=\w)|do not|never (?=\w)"
    r"|always (?=\w)|is that\b|which is\b))"
    r"|,\s+(?:and|then|so)\s+(?=\w+\s)"
    r"|,\s+(?=(?:from|since|as of|starting|until) [^,]{2,25} (?:I|we)\b)"
    r"|\s+\(|\)\s*"
    r"|(?<=\w)\.\.+\s*",
    re.IGNORECASE,
)
_COLON = re.compile(
    r"^[^:]{3,80}?:\s+(?=(?:I|we|my|our|always|never|please|do|no)\b)", re.IGNORECASE
)

_ASKS = re.compile(
    r"^(?:(?:and|so|but|or|oh|ok|also|hey|hi|btw|well)[ ,]+)*+(?:what|who|whom|whose"
    r"|where|when|why|how|which"
    r"|is|are|was|were|do|does|did|can|could|would|will|should|shall|have|has|had|may"
    r"|might|any|am)\b"
    r"(?!,)",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
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
_SUPPOSED_IN = re.compile(
    r"\b(?:would(?! (?:rather|prefer|like|love|appreciate|want|you|need|be (?:great"
    r"|nice|good|better|best"
    r"|helpful|my)))|could (?:have|be|move|live|see)|might|maybe|perhaps|possibly|hypothetic\w*"
    r"|think(?:ing)? (?:about|of|that maybe)|thought (?:about|of)|consider(?:ing|ed)"
    r"|toying with|dream(?:ing|t|ed)?"
    r" (?:of|about)|fantasi[sz]\w+|not sure|wonder(?:ing)?|hop(?:e|ing) to"
    r"|want(?:ed)? to (?:move|live|work|learn|get"
    r"|join|have|be)|wish|tempted|almost|nearly|used to|in case|should (?:I|we) |as if"
    r"|as though|if only"
    r"|supposed to|probably|someday|one day|I guess|if I (?:were|was|had)|were I|had I"
    r"|if we had|if they"
    r"|looking (?:at|into) moving|interview(?:ing)?|apply(?:ing)?|applied)\b",
    re.IGNORECASE,
)
_JOKING = re.compile(
    r"\b(?:lol|lmao|rofl|ha(?:ha)+h?|hehe|jk|kidding|joking|joke|just pulling your leg"
    r"|serious proposal|sarcasm)\b"
    r"|😂|🤣|😜|😝|🙃|/s\b|"
    r"^(?:oh|ah|well)?,? ?(?:oh|sure|yeah|right|great|fantastic|wonderful|brilliant"
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
_JOKING_IN = re.compile(
    r"\b(?:sell (?:a|one|my) kidney|marry the|win the lottery|join the circus"
    r"|goat farmer|run for (?:chancellor"
    r"|president|parliament|mayor|prime)|king of|queen of|emperor|reincarnation"
    r"|on the moon|to the moon|to mars"
    r"|on mars|vampire|zombie|unicorns?|wizard|superhero|time travel|antarctica|hermit"
    r"|monk|nun|pirate|astronaut"
    r"|a million (?:dollars|years)|billionaire|Monte Carlo)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"^(?:(?:and|so|but|also|well|oh|because|since|that|apparently|btw|by the way"
    r"|funny thing|turns out)[ ,]+)*+"
    r"(?:he|she|they|his|her|their|(?:my|our|your|the|a|one of (?:my|our|the)|his|her"
    r"|their|some|another)"
    rf"(?: [\w'-]+){{0,3}}? {PERSON}(?:'s)?\b|{PERSON} of mine|somebody|someone"
    r"|everyone|everybody|nobody|people)(?![-\w])",
    re.IGNORECASE,
)
_OTHER_NAME = re.compile(
    r"^(?:(?:and|so|but|also|well|oh|because|btw)[ ,]+)*+(?!I\b|You\b|Your\b|We\b|My\b|Our\b|This\b"
    r"|That\b|It\b|There\b|The\b|Every|"
    r"No\b|Please\b|Do\b|Yes\b|What\b|When\b|If\b|Since\b|From\b|As\b|On\b|In\b|At\b|For\b)"
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?(?P<name>[A-ZÀ-Þ][\w'’-]+)(?: [A-ZÀ-Þ][\w'’-]+)?,?"
    r"(?: (?:who|also|now|still|just|really|always|never|already|himself|herself))* "
    r"(?:is|was|has|had|will|does|did|wants?|lives?|likes?|loves?|hates?|prefers?"
    r"|moved|works?|says?|said|thinks?|stays?"
    r"|sits?|needs?|can(?:not)?|got|cannot|reckons?|keeps?|uses?|would|left|goes|asks?"
    r"|takes?|comes?|enters?|speaks?)\b"
)
_REPORTED = re.compile(
    r"\b(?:said|says|told|tells|claims?|claimed|thinks?|thought|believes?|reckons?"
    r"|wrote|writes|heard|rumou?r"
    r"|according to|apparently|allegedly|suppose|asked)\b(?! me to\b)",
    re.IGNORECASE,
)
_TITLE = re.compile(r'"([^"]{1,60})"')


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

    @property
    def meant(self) -> bool:
        """Whether nothing in it is asked, supposed or a joke."""
        return all(clause.meant for clause in self.clauses)

    def dates(self) -> list[Dated]:
        """The days of all its clauses."""
        return [one for clause in self.clauses for one in clause.dates]


_ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        1,
    )
}
_MONTH_NAMES = "|".join(name.capitalize() for name in MONTHS)
_ORDINAL: Final = re.compile(
    rf"\b(?P<a>{'|'.join(_ORDINALS)}) of (?P<b>{_MONTH_NAMES})\b"
    rf"|\b(?P<c>{_MONTH_NAMES}) (?:the )?(?P<d>{'|'.join(_ORDINALS)})\b"
)


def _ordinals(text: str) -> str:
    """ "The first of June" as "the 1 June"."""
    if "th " not in text and "st " not in text and "first" not in text:
        return text
    return _ORDINAL.sub(
        lambda found: f"{_ORDINALS[found['a'] or found['d']]} {found['b'] or found['c']}", text
    )


def write_out(text: str) -> str:
    """The text with straight quotes and contractions written out."""
    text = _ordinals(text.translate(_APOSTROPHES))
    if _MAY_EXPAND.search(text):
        for pattern, to in _EXPANSIONS:
            text = pattern.sub(to, text)
    return _I_ALONE.sub("I", text)


def read_turn(content: str, said_at: datetime) -> list[Sentence]:
    """The sentences of a turn that are its speaker's own words."""
    own = own_words(head_of(content).translate(_APOSTROPHES))
    found: list[Sentence] = []
    for raw in split_sentences(own):
        if len(found) >= _MOST:
            break
        text = _TITLE.sub(r"\1", write_out(raw[:_LONGEST]))
        found.append(_sentence(text, len(found), said_at))
    return found


def _sentence(text: str, at: int, said_at: datetime) -> Sentence:
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


_INVERSION = re.compile(
    r"^(?:(?:and|so|but|or|oh|ok|also|hey|hi|btw|well)[ ,]+)*+(?:(?:what|where|who|why"
    r"|how|when|which)(?: [\w-]+){0,2}? (?:is|are|was|were|do|does|did|can|could|would"
    r"|will|should|shall|have|has|had)\b.*"
    r"|(?:is|are|was|do|does|did|can|could|would|will|should|shall|have|has) (?:I|we"
    r"|you|he|she|they|it|there|the|my"
    r"|our|this|that|one)\b)",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(
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
    text = re.sub(r"\s+([,.!])", r"\1", text)
    text = re.sub(r"^[ ,:]+|,(?=[.!]?$)", "", text).strip()
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


def is_other(text: str) -> bool:
    """Whether the subject of a clause is a third person, or somebody is quoted in it."""
    if _OTHER.match(text) is not None or _OTHER_NAME.match(text) is not None:
        return True
    reported = _REPORTED.search(text)
    return reported is not None and not re.match(r"(?:I|we) ", text) and "I told you" not in text


def all_clauses(sentences: Sequence[Sentence]) -> list[Clause]:
    """The clauses of a turn in order."""
    return [clause for sentence in sentences for clause in sentence.clauses]
