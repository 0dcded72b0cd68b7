"""Contractions, slang and ordinals of a text written out, so that rules read one form."""

import re
from typing import Final

from muniment.domain.late import late
from muniment.domain.text import MONTHS

APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "“": '"', "”": '"'})


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
    (
        (
            r"(?<!at my )(?<!at our )\b(?!(?:it|that|he|she|let)\b)([A-Za-zÀ-ÿ]{2,})'s(?= "
            r"(?:still|now|not|called|named|in|at|on|always|also|just"
            r"|only|back|closed|open|due|over|done|dead|fine|off|gonna|going|coming|moving"
            r"|staying|leaving|having|doing"
            r"|a|an|the|my|our|from|away|out|no|too|sorted|diabetic|allergic|pregnant|retired"
            r"|vegan|vegetarian|free"
            r"|booked|locked|where|what|how|why|mine|ours|yours|running|working)\b)"
        ),
        r"\1 is",
    ),
    (
        (
            r"\b(?!(?:it|that|he|she|let)\b)([A-Za-zÀ-ÿ]{2,})'s(?= (?:been|gone|got|had|moved|left"
            r"|become)\b)"
        ),
        r"\1 has",
    ),
    (r"\bits (?=(?:a|an|the|been|not|now|just|only|all|always|in|on|at|still|\w+ing)\b)", "it is "),
    (r"\bthats\b", "that is"),
    (r"\balergi", "allergi"),
    (r"\badress\b", "address"),
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
    (r"^so{2,}\b", "so"),
    (r"\btmrw\b|\btmr\b", "tomorrow"),
    (r"\byest(?:erd)?\b", "yesterday"),
    (r"^myself (?=[A-Z])", "I am "),
    (r"^me,? I\b", "I"),
)


_EXPANSIONS: Final = tuple((late(pattern, re.IGNORECASE), to) for pattern, to in _WRITTEN_OUT)


_MAY_EXPAND = late(
    r"'|’|^so{2,}|\b(?:tmrw|tmr|yest|lets|im|ive|its|thats|shes|hes|theres|dont|cant|wont|doesnt"
    r"|didnt|isnt"
    r"|arent|u|ur|pls|plz"
    r"|kindly|gonna|wanna|gotta|n|w|b4|cuz|cos|bc|ya|cannot|myself|me|havent|hasnt|wasnt|wouldnt"
    r"|shouldnt|couldnt)\b|\balergi|\badress\b",
    re.IGNORECASE,
)


_I_ALONE = late(r"(?<![\w.-])i(?![\w.-])")


_ORDINALS_WORDS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
_ORDINALS: Final = {word: number for number, word in enumerate(_ORDINALS_WORDS.split(), 1)}


_MONTH_NAMES = "|".join(name.capitalize() for name in MONTHS)


_ORDINAL: Final = late(
    rf"\b(?P<a>{'|'.join(_ORDINALS)}) of (?P<b>{_MONTH_NAMES})\b"
    rf"|\b(?P<c>{_MONTH_NAMES}) (?:the )?(?P<d>{'|'.join(_ORDINALS)})\b"
)


_FIRST_OF: Final = late(r"\bthe first of ((?:this|next|last|the) month)\b")


def _ordinals(text: str) -> str:
    """ "The first of June" as "the 1 June"."""
    if not any(one in text for one in ("th ", "st ", "rd ", "second ", "first")):
        return text
    text = _FIRST_OF.sub(r"the 1st of \1", text)
    return _ORDINAL.sub(
        lambda found: f"{_ORDINALS[found['a'] or found['d']]} {found['b'] or found['c']}", text
    )


def write_out(text: str) -> str:
    """The text with straight quotes and contractions written out."""
    text = _ordinals(text.translate(APOSTROPHES))
    if _MAY_EXPAND.search(text):
        for pattern, to in _EXPANSIONS:
            text = pattern.sub(to, text)
    return _I_ALONE.sub("I", text)
