"""Text analysis: tokens, stop words, stems, stable hashes and the ``terms`` column's encoding.

Analysis folds text for matching only; what is stored and shown is ``normalise(text)``. Stems
are stored hashed, which keeps rows small. A hash is not a secret: whoever can guess a word can
test for it, so ``terms`` is content and is erased with the row.
"""

import hashlib
import struct
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import regex
import Stemmer
from numpy.typing import NDArray

from muniment.errors import InvalidInput

TERMS_VERSION: Final = 1
"""First byte of every encoded ``terms`` value."""

DATED: Final = 1
"""Flag of a row whose text says a time ("yesterday", "in May", "2019")."""

MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

# Function words only; a word that can carry a fact stays in.
_STOP_WORDS: Final = {
    "english": """a about above after again against all am an and any are aren as at be because
        been before being below between both but by can couldn could d did didn do does doesn doing
        don down during each few for from further had hadn has hasn have haven having he her here
        hers herself him himself his how i if im in into is isn it its itself ive just ll m me more
        most my myself no nor not now o of off on once only or other our ours ourselves out over
        re s same she should shouldn so some such t than that the their theirs them themselves then
        there these they this those through to too under until up ve very was wasn we were weren
        what when where which while who whom why will with won would wouldn y you your yours
        yourself yourselves dont didnt doesnt isnt cant""",
    "german": """aber als am an auch auf aus bei bin bis bist da das dass dein deine dem den der des
        dich die dir doch du ein eine einem einen einer eines er es euch euer für hab habe haben hat
        hatte hatten ich ihm ihn ihnen ihr ihre im in ist ja kann mein meine meinem meinen meiner
        mich mir mit nach nicht noch nun nur ob oder sein seine sich sie sind so um und uns unser
        von vor war waren was wann wo wer wie wenn wird wir zu zum zur über""",
    "french": """a ai as au aux avec c ce ces cet cette d dans de des du elle elles en es est et eu
        il ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont
        ou où par pas pour qu quand que quel quelle qui quoi s sa se ses son sont sur t ta te tes
        toi ton tu un une vos votre vous y à été être""",
    "spanish": """a al algo ante con como cual cuando cuál cuándo de del donde dónde e el él ella
        ellas ellos en era es esa ese eso esta está este esto fue ha han has hay he la las le les lo
        los me mi mis mí muy más ni no nos o os para pero por porque que qué quien quién se ser si
        sin sobre son su sus sí te ti tu tus tú un una uno y ya yo""",
    "italian": """a ad ai al alla alle anche che chi ci come con cosa da dal dei del della delle di
        dove e ed è era gli ha hai ho i il in io la le lei lo loro lui ma mi mia mie miei mio ne nei
        nel nella noi non o per perché più quale quando questa questo qui se si sono su sua sue suo
        ti tra tu tua tuo un una uno vi voi""",
    "portuguese": """a ao aos as com como da das de do dos e é ela elas ele eles em era essa esse
        esta este eu foi há isso isto já lhe mais mas me meu meus minha na nas nem no nos não nós o
        onde os ou para pela pelo por qual quando que quem se sem ser seu seus sua são só também te
        tem tu tua um uma você à""",
    "dutch": """aan al als bij dan dat de der die dit doch door dus een en er ge geen had heb hebben
        heeft hem het hier hij hoe hun ik in is ja je kan maar me mij mijn met na naar niet nog nu
        of om ons onze ook op over te tot u uit van voor waar wanneer was wat we wel wie wij wordt
        ze zich zij zijn zo""",
}

# A stemmer strips endings; forms that change inside need a table. Ambiguous ones are left out.
_IRREGULAR: Final = {
    "english": """go went gone goes|buy bought|bring brought|think thought|take took taken|make made
        |get got gotten|give gave given|come came|see saw seen|know knew known|find found|tell told
        |say said|write wrote written|run ran|eat ate eaten|drink drank drunk|drive drove driven
        |ride rode ridden|fly flew flown|swim swam swum|sing sang sung|begin began begun
        |speak spoke spoken|break broke broken|choose chose chosen|forget forgot forgotten
        |wear wore worn|win won|lose lost|meet met|feel felt|keep kept|leave left|sleep slept
        |teach taught|catch caught|fight fought|sell sold|send sent|spend spent|build built
        |hold held|hear heard|lead led|pay paid|sit sat|stand stood|understand understood
        |become became|grow grew grown|throw threw thrown|draw drew drawn|show shown
        |hide hid hidden|fall fell fallen|steal stole stolen|wake woke woken|shake shook shaken
        |rise rose risen|freeze froze frozen|hang hung|stick stuck|dig dug|shoot shot|bend bent
        |lend lent|mean meant|deal dealt|dream dreamt|learn learnt|burn burnt|smell smelt|feed fed
        |breed bred|bleed bled|strike struck|tear tore torn|swear swore sworn|seek sought
        |overcome overcame|undergo underwent undergone|withdraw withdrew withdrawn|shine shone
        |slide slid|sweep swept|beat beaten|blow blew blown|shrink shrank shrunk|sink sank sunk
        |spin spun|ring rang rung|swing swung|weave wove woven|forgive forgave forgiven
        |arise arose arisen|mistake mistook mistaken|undertake undertook undertaken|bite bit bitten
        |child children|person people|man men|woman women|foot feet|tooth teeth|mouse mice
        |goose geese|wife wives|knife knives|half halves|wolf wolves|shelf shelves""",
}

_TIME_PHRASES: Final = """yesterday today tonight tomorrow last next ago week weekend month year day
    days weeks months years recently soon morning evening night since just spring summer autumn
    winter christmas easter halloween thanksgiving"""
_TIME_WORDS: Final = frozenset((*_TIME_PHRASES.split(), *MONTHS, *WEEKDAYS))
_ROLE_NAMES: Final = frozenset(
    {"user", "assistant", "system", "tool", "operator", "agent", "human"}
)

# Hangul has spaces, but its particles cling to the word, so bigrams serve it better as well.
_UNSPACED: Final = (
    r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
)
_ASCII_TOKEN: Final = regex.compile(r"[0-9]+(?:[.,][0-9]+)+|[a-z0-9]+")
_TOKEN: Final = regex.compile(
    rf"(?P<run>[{_UNSPACED}]+)|\p{{N}}+(?:[.,]\p{{N}}+)+"
    rf"|[\p{{L}}\p{{N}}--[{_UNSPACED}]][\p{{L}}\p{{M}}\p{{N}}--[{_UNSPACED}]]*"
    r"|\p{Extended_Pictographic}",
    regex.V1,
)
_HAN: Final = regex.compile(r"\p{Han}")
ORDINAL: Final = regex.compile(r"([0-9]+)(?:st|nd|rd|th)")
_CACHE_LIMIT: Final = 65_536
_MOST: Final = 65_535
_HEAD: Final = struct.Struct("<BBHHH")


# The halfwidth sound marks are letters that become marks in NFKC.
_LONG_RUN: Final = regex.compile(r"([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]++")


def stream_safe(text: str) -> str:
    """``text`` with the first 30 of every run of combining marks (UAX 15's stream-safe format).

    A normal form puts a run in order, which takes time by the square of its length.
    """
    return text if text.isascii() else _LONG_RUN.sub(r"\1", text)


def normalise(text: str) -> str:
    """The NFC form of ``stream_safe(text)``, the form in which text is compared."""
    return unicodedata.normalize("NFC", stream_safe(text))


def tokenise(text: str, *, singles: bool = False) -> list[str]:
    """Folded tokens in order: words, numbers, and character bigrams of scripts without spaces.

    ``singles`` (for rows, not for questions) adds each Han character, so that a question of one
    character finds the words that contain it.
    """
    if text.isascii():
        found: list[str] = _ASCII_TOKEN.findall(text.lower())
        return [_plain_number(token) for token in found]
    tokens: list[str] = []
    folded = unicodedata.normalize("NFKC", stream_safe(text)).casefold().replace("i\u0307", "i")
    for match in _TOKEN.finditer(folded):
        token = match.group()
        if match.lastgroup == "run" and len(token) > 1:
            tokens.extend(token[at : at + 2] for at in range(len(token) - 1))
            if singles:
                tokens.extend(_HAN.findall(token))
        else:
            tokens.append(_plain_number(token))
    return tokens


def _plain_number(token: str) -> str:
    return token.replace(",", "") if token[0].isdecimal() else token


def stable_hash(stem: str) -> int:
    """The 32-bit hash of a stem: the same in every process, release and platform."""
    digest = hashlib.blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "little")


def languages() -> frozenset[str]:
    """The Snowball stemmers that a tenant may choose from."""
    return frozenset(Stemmer.algorithms())


class Analyzer:
    """Turns text into stems and hashes for one Snowball language, or none; not thread-safe."""

    def __init__(self, language: str | None = "english") -> None:
        """Raises ``InvalidInput`` for a language that Snowball does not have."""
        if language is not None and language not in languages():
            raise InvalidInput(f"There is no Snowball stemmer named {language!r}.")
        self.language = language
        self._stop = frozenset(_STOP_WORDS.get(language or "", "").split())
        self._irregular = _irregular_forms(language)
        self._stemmer = Stemmer.Stemmer(language, 0) if language is not None else None
        self._known: dict[str, tuple[str, int] | None] = {}

    def stems(self, text: str) -> list[str]:
        """Stems of the content words, in order, repeats kept."""
        return [known[0] for known in map(self._look_up, tokenise(text)) if known]

    def hashes(self, text: str) -> list[int]:
        """``stable_hash`` of each of ``stems(text)``."""
        return [known[1] for known in map(self._look_up, tokenise(text)) if known]

    def content(self, text: str) -> list[tuple[str, int]]:
        """The content words as (folded token, hash of its stem), in order."""
        pairs = ((token, self._look_up(token)) for token in tokenise(text))
        return [(token, known[1]) for token, known in pairs if known]

    def _look_up(self, token: str) -> tuple[str, int] | None:
        if token in self._known:
            return self._known[token]
        if len(self._known) >= _CACHE_LIMIT:
            self._known.clear()
        known: tuple[str, int] | None = None
        if token not in self._stop:
            stem = self._stem(token)
            known = (stem, stable_hash(stem))
        self._known[token] = known
        return known

    def _stem(self, token: str) -> str:
        if self._stemmer is None:
            return token
        if self.language == "english" and (ordinal := ORDINAL.fullmatch(token)):
            return str(ordinal[1])
        return str(self._stemmer.stemWord(self._irregular.get(token, token)))

    def encode(self, text: str, *, speaker: str | None = None) -> bytes:
        """The ``terms`` value of a row: hashed stems with counts, flags, hashed speaker name.

        A role word ("user", "assistant") is no name and is left out.
        """
        tokens = tokenise(text, singles=True)
        body = [known[1] for known in map(self._look_up, tokens) if known]
        return encode_terms(body, self.name_hashes(speaker), _flags(tokens))

    def name_hashes(self, speaker: str | None) -> list[int]:
        """Hashes of the words of a speaker's name; empty for none and for a role word."""
        if speaker is None or speaker.strip().casefold() in _ROLE_NAMES:
            return []
        return self.hashes(speaker)


def _irregular_forms(language: str | None) -> dict[str, str]:
    groups = (group.split() for group in _IRREGULAR.get(language or "", "").split("|"))
    return {form: group[0] for group in groups if group for form in group[1:]}


class _Local(threading.local):
    def __init__(self) -> None:
        self.by_language: dict[str | None, Analyzer] = {}


_LOCAL: Final = _Local()


def analyzer_for(language: str | None = "english") -> Analyzer:
    """This thread's ``Analyzer`` for a language (stemmers must not be shared by threads)."""
    made = _LOCAL.by_language.get(language)
    if made is None:
        made = _LOCAL.by_language[language] = Analyzer(language)
    return made


def text_flags(text: str) -> int:
    """``DATED`` if the text says a time, else 0; words for times are English, years are not."""
    return _flags(tokenise(text))


def _flags(tokens: Iterable[str]) -> int:
    said = (token in _TIME_WORDS or (len(token) == 4 and token.isdecimal()) for token in tokens)
    return DATED if any(said) else 0


@dataclass(frozen=True)
class Terms:
    """One decoded ``terms`` value; ``length`` counts the body's stems with repeats."""

    hashes: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    speaker: NDArray[np.uint32]
    length: int
    flags: int


def encode_terms(body: Sequence[int], speaker: Iterable[int] = (), flags: int = 0) -> bytes:
    """Pack hashed stems (repeats counted, up to 255) and the speaker's hashes.

    Little-endian: version u8, flags u8, length u16, distinct body hashes n u16, speaker hashes
    m u16, then n u32 ascending, m u32 ascending, n counts u8, zeros up to a multiple of four.
    """
    counted = sorted(Counter(body).items())[:_MOST]
    names = sorted(set(speaker))[:_MOST]
    n, m = len(counted), len(names)
    packed = _HEAD.pack(TERMS_VERSION, flags, min(len(body), _MOST), n, m)
    packed += struct.pack(f"<{n + m}I", *(pair[0] for pair in counted), *names)
    packed += bytes(min(pair[1], 255) for pair in counted)
    return packed + bytes(-len(packed) % 4)


def decode_terms(packed: bytes) -> Terms:
    """Unpack one value of ``encode_terms``; raises ``ValueError`` for anything else."""
    if len(packed) < _HEAD.size or packed[0] != TERMS_VERSION:
        raise ValueError("Not a terms value of a version that this release reads.")
    _, flags, length, n, m = _HEAD.unpack_from(packed)
    end = _HEAD.size + 4 * (n + m)
    if len(packed) != end + n + (-(end + n) % 4):
        raise ValueError("A terms value is cut short or has bytes left over.")
    hashes = np.frombuffer(packed, "<u4", n, _HEAD.size).astype(np.uint32)
    names = np.frombuffer(packed, "<u4", m, _HEAD.size + 4 * n).astype(np.uint32)
    counts = np.frombuffer(packed, np.uint8, n, end)
    return Terms(hashes, counts, names, length, flags)
