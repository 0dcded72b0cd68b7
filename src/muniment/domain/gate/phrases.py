"""Low-value talk told from content: every word or phrase of a sentence gets a class letter."""

from dataclasses import dataclass

from muniment.domain.gate import lexicon as lexicon
from muniment.domain.gate.automaton import PhraseAutomaton
from muniment.domain.gate.tokens import Words, word_set

GREETING, THANKS, FILLER, YES, NO = "G", "T", "A", "Y", "N"
PRAISE, MOOD, NOUN, INTENSIFIER, DEMONSTRATIVE = "P", "M", "n", "I", "D"
COPULA, FEELING, YOU_ARE, MOMENT, TAIL, ARTICLE, JOINER = "B", "W", "U", "L", "E", "a", "c"
NAME, CONTENT = "V", "x"

_MAX_NAMES = 2
_MAX_WORDS = 40
_PHRASES = PhraseAutomaton(
    [
        (GREETING, lexicon.GREETINGS),
        (THANKS, lexicon.THANKS),
        (FILLER, lexicon.FILLER),
        (YES, lexicon.YES),
        (NO, lexicon.NO),
        (FEELING, lexicon.MOOD_OPENERS),
        (YOU_ARE, lexicon.SECOND_PERSON),
        (COPULA, lexicon.COPULAS),
        (MOMENT, lexicon.MOMENTS),
        (TAIL, lexicon.TAILS),
    ]
)
_WORDS: dict[str, str] = {
    word: letter
    for letter, listed in (
        (NOUN, lexicon.PRAISE_NOUNS),
        (MOOD, lexicon.MOOD),
        (PRAISE, lexicon.PRAISE),
        (INTENSIFIER, lexicon.INTENSIFIERS),
        (JOINER, lexicon.JOINERS),
        (ARTICLE, lexicon.ARTICLES),
        (DEMONSTRATIVE, lexicon.DEMONSTRATIVES),
    )
    for word in listed.split()
}
_CALLED_AFTER = word_set(
    """
    hi hey hello hiya yo thanks thx you ya wow bye goodbye ok okay yes yeah yep yup no sure
    morning afternoon evening night great nice cool awesome congrats congratulations haha lol aw
    aww oh ooh sorry cheers welcome again too absolutely definitely totally
    """
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The class letters of a sentence, in order, and the index of the word after each."""

    letters: str
    ends: tuple[int, ...]


def classify_words(words: Words) -> Reading:
    """One letter for each phrase or word of ``words``; what no list knows is ``x`` or a name."""
    letters: list[str] = []
    ends: list[int] = []
    position = 0
    while position < len(words.words):
        found = _PHRASES.longest(words.words, position)
        if found is None:
            letters.append(_letter(words, position))
            position += 1
        else:
            letters.append(found[1][0])
            position = found[0]
        ends.append(position)
    return Reading("".join(letters), tuple(ends))


def _letter(words: Words, position: int) -> str:
    known = _WORDS.get(words.words[position])
    if known is not None:
        return known
    return NAME if words.capital[position] and _is_called(words, position) else CONTENT


def _is_called(words: Words, position: int) -> bool:
    """Whether a name is called out: "Hey Ann", "Good one, Ann", not "I know Ann"."""
    if words.paused[position] or words.capital[position - 1]:
        return True
    return words.words[position - 1] in _CALLED_AFTER


def low_value(reading: Reading) -> str | None:
    """The class of a sentence that carries nothing: thanks, greeting, mood, filler; else None."""
    letters = reading.letters
    if not letters or CONTENT in letters or len(letters) > _MAX_WORDS:
        return None
    if DEMONSTRATIVE + NOUN in letters and not set(letters) & {COPULA, PRAISE}:
        return None
    if letters[0] == NAME and len(letters) > 1 and set(letters[1:]) <= {FILLER, INTENSIFIER}:
        return None
    if FEELING + NAME in letters or COPULA + NAME in letters:
        return None
    if letters.count(NAME) > _MAX_NAMES or not set(letters) & set("GTAYNPMBUWI"):
        return None
    return _class_of(letters)


def _class_of(letters: str) -> str | None:
    present = set(letters)
    if THANKS in present:
        return THANKS
    if GREETING in present:
        return GREETING
    if FEELING in present:
        return MOOD if present & {MOOD, PRAISE} else None
    if MOOD in present:
        return None if DEMONSTRATIVE in present else MOOD
    if NO in present:
        return NO
    return YES if YES in present else FILLER


def prefix_end(words: Words, reading: Reading) -> int:
    """The index of the first word after leading greetings, thanks, interjections and names."""
    clean = 0
    for letter, after in zip(reading.letters, reading.ends, strict=True):
        if letter not in "GTAYNV":
            break
        single = letter != NAME and after - clean == 1
        if single or (after < len(words.words) and words.paused[after]):
            clean = after
    return clean if clean < len(words.words) else 0
