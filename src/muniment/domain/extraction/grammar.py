"""A light analysis of a clause: whose it is, in which tense, what its verb is, what follows it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from muniment.domain.extraction.cues import lead_end
from muniment.domain.extraction.verbs import LEMMA, PARTICIPLES, PAST
from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late


class Subject(StrEnum):
    """Whom a clause is about."""

    USER = "user"
    OURS = "ours"
    GROUP = "group"
    NAME = "name"
    NONE = "none"
    OTHER = "other"


class Tense(StrEnum):
    """When, and how far along."""

    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    GOING_ON = "going_on"
    SO_FAR = "so_far"
    FUTURE = "future"
    MODAL = "modal"


@dataclass(frozen=True, slots=True)
class Reading:
    """One clause. ``noun`` is the subject without its possessive; ``rest`` stands behind the verb;
    ``front`` before the subject.
    """

    subject: Subject
    noun: str
    verb: str
    tense: Tense
    negated: bool
    passive: bool
    modal: str
    adverbs: frozenset[str]
    rest: str
    front: str


ADVERBS: Final = word_set(
    """
    also still now only just already currently usually mostly mainly generally always never often
    normally typically both all really actually finally recently officially myself personally
    sometimes rarely seldom since then here ever even rather quite so too almost nearly once again
    definitely certainly basically simply ourselves later soon long since together alone hardly
    barely either each lately yesterday today tonight tomorrow
    """
)
_NOT: Final = word_set("not never neither nor hardly rarely seldom")
_BE: Final = word_set("am is are was were be been being")
_HAVE: Final = word_set("have has had having")
_DO: Final = word_set("do does did")
_MODALS: Final = word_set("can could may might must should would will shall")
_PAST_TOO: Final = word_set("quit found felt saw left")
_AUXILIARY: Final = _BE | _HAVE | _DO | _MODALS
_COLON: Final = late(
    r"^(?:[\w'’-]+,? ){0,6}?(?:note|notes|update|reminder|fyi|news|decision|rule|forget|of it"
    r"|record"
    r"|thing|btw|way|correction|info|know|info|fact|heads up|mind|ps|point|files?|profile"
    r"|side|background|context|meeting|you|later|me)[^:.!?]{0,25}:\s+",
    re.IGNORECASE,
)
_FRONT: Final = late(
    r"^(?:as (?:an?|the) |every |each |from |since |until |till |after |before |on |in |at |for "
    r"|during |under |over |between |with |by |to |outside |next |this |last |once |twice "
    r"|because "
    r"of |instead of |of |these days|nowadays|normally|usually|mostly|sometimes|mondays|tuesdays"
    r"|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays|mornings|evenings|nights"
    r"|professionally|privately|at home|at work)",
    re.IGNORECASE,
)
_PREPOSITIONS: Final = word_set(
    """
    as from since until till after before on in at for during under over between with by to outside
    of and or about into onto through via without than like near behind above below
    """
)
_NO_NAME: Final = ADVERBS | word_set(
    """
    same one two three four five six seven eight nine ten nobody everybody somebody someone anyone
    everyone all some most many few such another other last next first second only half part
    a an any every each did does do is are was were write thanks please yes no ok more less much
    guess congratulations hello hi hey good great nice
    """
)
_PRONOUNS: Final = word_set(
    """
    he she they it you this that there who which these those your his her their its what how why
    where when if please not no
    """
)
_SUBJECT_AT: Final = late(r"(?<=[ ,])(?:I|we|my|our|the|it)(?= )")
_CAPITAL: Final = late(r"^[A-ZÀ-ÞĀ-Ž][\w'’.&-]*$")
_THE_ONE: Final = late(r" (?:is|are) the ones? (?:that|who|which) ", re.IGNORECASE)
"""It only stresses: "Ghent is the one that closes"."""
_MOST_WORDS: Final = 40
_JOINED: Final = late(
    r"^(?:(?:my|our) (?:[\w'-]+ )?[\w'-]+|me|(?-i:[A-ZÀ-Þ][\w'’-]+)) and (?:I|my [\w'-]+|myself)\b"
    r"|^both (?:of us|my \w+ and I)\b|^(?:all|most|some|two|three|four) of us\b",
    re.IGNORECASE,
)


def without_announcement(text: str) -> str:
    """A sentence without what only announces it: "before I forget: …"."""
    rest = _COLON.sub("", text.strip())
    return rest[:1].upper() + rest[1:]


def without_lead(text: str) -> str:
    """A clause without the words that only announce it: "before I forget: …", "so, well, …"."""
    text = _COLON.sub("", text.strip())
    return text[lead_end(text) :].strip(" ,")


def read_clause(text: str) -> Reading | None:
    """The analysis of a clause with contractions written out; None where there is no verb."""
    text = without_lead(text)
    front = ""
    if _FRONT.match(text):
        opens = next((one for one in _SUBJECT_AT.finditer(text, 0, 90) if _opens(text, one)), None)
        if opens is not None and len(text[: opens.start()].split()) <= 9:
            front, text = text[: opens.start()].strip(" ,"), text[opens.start() :]
            if front.lower() in _PREPOSITIONS:
                # "Before we start", "since I moved": a time or a reason, no statement.
                return None
    text = _JOINED.sub("we", text, count=1)
    text = _THE_ONE.sub(" ", text, count=1)
    words = text.split()[:_MOST_WORDS]
    if not words:
        return None
    found = _subject(words)
    if found is None:
        return None
    subject, noun, at = found
    return _predicate(words, at, subject, noun, front)


def _opens(text: str, at: re.Match[str]) -> bool:
    """Whether a subject stands there: a noun behind a preposition is no subject."""
    before = text[: at.start()].split()
    if at.group() in ("I", "we", "it") or before[-1].endswith(","):
        return True
    return len(before) > 1 and before[-1].lower() not in _PREPOSITIONS


def _bare(word: str) -> str:
    return word.strip(',.;:!?()"').lower()


def _subject(words: list[str]) -> tuple[Subject, str, int] | None:
    first = _bare(words[0])
    if first in ("i", "we"):
        return Subject.USER, first, 1
    if first in ("my", "our", "the"):
        end = _noun_end(words)
        kind = Subject.GROUP if first == "the" else Subject.OURS
        return None if end is None else (kind, " ".join(words[1:end]).strip(","), end)
    if first in _PRONOUNS:
        return Subject.OTHER, first, 1
    if _CAPITAL.match(words[0]) and first not in _NO_NAME and LEMMA.get(first) != first:
        end = _name_end(words)
        if end is not None:
            return Subject.NAME, " ".join(words[:end]).strip(","), end
    changed = (first in PAST or first in PARTICIPLES) and LEMMA.get(first) != first
    if changed or first in {"based", "closed", "off", "away"}:
        return Subject.NONE, "", 0
    return None


def _noun_end(words: list[str]) -> int | None:
    """Where the noun behind "my", "our" or "the" ends: at the first word that can be its verb."""
    for at in range(2, min(len(words), 10)):
        word, before = _bare(words[at]), words[at - 1]
        if word in _AUXILIARY:
            return at
        bends = _finite(word) or (before.endswith("s") and LEMMA.get(word) == word)
        if word in LEMMA and not before.endswith(",") and bends:
            return at
        if before.endswith((":", ";")):
            return None
    return None


def _name_end(words: list[str]) -> int | None:
    """Where a name ends: at its verb, with nothing but capitals and links before."""
    for at in range(1, min(len(words), 6)):
        word = _bare(words[at])
        capital = _CAPITAL.match(words[at]) is not None
        if not capital and (word in _AUXILIARY or word in LEMMA):
            return at
        if not capital and word not in {"and", "of", "&", "de", "van"}:
            return None
    return None


def _finite(word: str) -> bool:
    """Whether a form can be the verb of a sentence: no participle in -ing, no bare plural noun."""
    return not word.endswith("ing") and (word.endswith("s") or word in PAST)


def _predicate(
    words: list[str], at: int, subject: Subject, noun: str, front: str
) -> Reading | None:
    adverbs: set[str] = set()
    chain: list[str] = []
    negated = False
    modal = ""
    while at < len(words):
        word = _bare(words[at])
        if word in _NOT:
            negated = True
        elif word == "no" and _bare(words[at + 1] if at + 1 < len(words) else "") == "longer":
            negated, at = True, at + 1
        elif word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in LEMMA):
            adverbs.add(word)
        elif word in _BE or word in _HAVE or word in _DO:
            chain.append(word)
        elif word in _MODALS:
            modal = word
            chain.append(word)
        else:
            break
        at += 1
    word = _bare(words[at]) if at < len(words) else ""
    after = " ".join(words[at + 1 :])
    here = " ".join(words[at:])
    last = chain[-1] if chain else ""
    lemma = LEMMA.get(word, "")
    tense, verb, rest, passive = _verb(chain, last, word, lemma, here, after)
    if not verb:
        return None
    return Reading(
        subject, noun, verb, tense, negated, passive, modal, frozenset(adverbs), rest, front
    )


def _verb(
    chain: list[str], last: str, word: str, lemma: str, here: str, after: str
) -> tuple[Tense, str, str, bool]:
    tense = _tense(chain)
    if last in _BE:
        return _with_be(tense, word, lemma, here, after)
    if last == "having" and len(chain) > 1 and chain[-2] in _BE:
        return Tense.GOING_ON, "have", here, False
    if last in _HAVE:
        return _with_have(tense, last, word, lemma, here, after)
    if last:
        return (
            (tense, "do", here, False)
            if last in _DO and not lemma
            else (tense, lemma or word, after, False)
        )
    if not lemma:
        return Tense.PRESENT, word if word.isalpha() else "", after, False
    # Of verbs whose past is their base the present is the likelier.
    past = word in PAST and LEMMA.get(word) != word
    return (Tense.PAST if past or word in _PAST_TOO else Tense.PRESENT), lemma, after, False


def _with_be(
    tense: Tense, word: str, lemma: str, here: str, after: str
) -> tuple[Tense, str, str, bool]:
    if word == "going" and re.match(r"to [a-z]", after):
        to = after.split()
        return Tense.FUTURE, LEMMA.get(_bare(to[1]), _bare(to[1])), " ".join(to[2:]), False
    if word.endswith("ing") and lemma:
        return (Tense.SO_FAR if tense is Tense.PERFECT else Tense.GOING_ON), lemma, after, False
    if word in PARTICIPLES:
        return tense, lemma, after, True
    return tense, "be", here, False


def _with_have(
    tense: Tense, last: str, word: str, lemma: str, here: str, after: str
) -> tuple[Tense, str, str, bool]:
    if word == "got":
        return Tense.PRESENT, "have", after, False
    if word == "to":
        to = _bare(after.split(" ", 1)[0]) if after else ""
        return Tense.MODAL, LEMMA.get(to, "?"), after, False
    if word in PARTICIPLES:
        return Tense.PERFECT, lemma, after, False
    return (Tense.PAST if last == "had" else tense), "have", here, False


def _tense(chain: list[str]) -> Tense:
    if not chain:
        return Tense.PRESENT
    first = chain[0]
    if first in ("will", "shall"):
        return Tense.FUTURE
    if first in _MODALS:
        return Tense.MODAL
    if first in ("was", "were", "did"):
        return Tense.PAST
    if first in _HAVE and len(chain) > 1:
        return Tense.PERFECT
    return Tense.PRESENT
