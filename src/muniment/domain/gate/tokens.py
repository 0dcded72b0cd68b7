"""Words of one sentence as the gate reads them: lower case, contractions written out."""

from dataclasses import dataclass

from muniment.domain.late import late

MAX_READ = 400
"""Characters of one sentence that are read; what is longer is never judged low value."""


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(text.split())


_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'", "＇": "'"})
_TOKEN = late(r"[^\W_]+(?:'[^\W_]+)*+")
_NUMBERS = word_set(
    """
    zero one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty
    fifty sixty hundred thousand first second third once twice half
    """
)
_SUFFIXES = (("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am"))
_IS_AFTER = word_set(
    "it that what who how where when why there here he she this everything everyone "
    "everybody nobody nothing something anything"
)
_WHOLE = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "cant": ("can", "not"),
    "wouldnt": ("would", "not"),
    "shouldnt": ("should", "not"),
    "couldnt": ("could", "not"),
    "thats": ("that", "is"),
    "whats": ("what", "is"),
    "hows": ("how", "is"),
    "wheres": ("where", "is"),
    "whos": ("who", "is"),
    "theres": ("there", "is"),
    "youre": ("you", "are"),
    "youve": ("you", "have"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gimme": ("give", "me"),
    "pls": ("please",),
    "plz": ("please",),
}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a sentence and, for each, whether it was written as a name is."""

    words: tuple[str, ...]
    capital: tuple[bool, ...]
    paused: tuple[bool, ...]
    """For each word, whether punctuation stands before it (the first word: true)."""
    line: str
    """The words joined by one space, with one at either end: what cue patterns run on."""
    asks: bool
    """Ends with a question mark."""


def read(sentence: str) -> Words:
    """The words of ``sentence``; a capital counts when it is not merely how sentences start."""
    text = sentence[:MAX_READ].translate(_APOSTROPHES)
    shouted = text.isupper()
    words: list[str] = []
    capital: list[bool] = []
    paused: list[bool] = []
    end = 0
    for match in _TOKEN.finditer(text):
        raw = match.group()
        start = match.end() - len(raw)
        parts = expand(raw.lower())
        words.extend(parts)
        named = raw[0].isupper() and raw != "I" and not shouted and raw.lower() not in _NUMBERS
        named = named and (bool(words[: -len(parts)]) or text[match.end() : match.end() + 1] == ",")
        capital.append(named and not _opens(text, start))
        paused.append(end == 0 or match.start() - end > 1 or not text[end].isspace())
        end = match.end()
        capital.extend([False] * (len(parts) - 1))
        paused.extend([False] * (len(parts) - 1))
    asks = text.rstrip(" \"'”’)!").endswith(("?", "？"))
    return Words(tuple(words), tuple(capital), tuple(paused), f" {' '.join(words)} ", asks)


def _opens(text: str, start: int) -> bool:
    """Whether a quotation or a clause after a colon starts here: its capital says nothing."""
    return text[max(0, start - 2) : start].strip() in {"“", '"', ":", "("} and start > 0


def expand(word: str) -> tuple[str, ...]:
    """The words that a lower-case contraction stands for; any other word alone."""
    if word in _WHOLE:
        return _WHOLE[word]
    if "'" not in word:
        return (word,)
    for suffix, full in _SUFFIXES:
        if word.endswith(suffix) and len(word) > len(suffix):
            return (word[: -len(suffix)], full)
    if word.endswith("'d"):
        return (word[:-2], "would")
    if word.endswith("'s") and word[:-2] in _IS_AFTER:
        return (word[:-2], "is")
    return (word,)
