"""The small words of a sentence that change what it says, and when two sentences agree in them.

| the two differ in | alike? |
|---|---|
| may, must, should, would: how sure, or whose duty, a thing is | no |
| wants, likes, needs, has; goes, comes, makes, takes | no |
| both, one of, some, many, few, most | no; "all", "each" and "every" may go unsaid |
| and, or; if, because | no |
| I, you, he, she, we, they: who is meant | no, unless a word before says who it is |
| a particle: "opted in", "opted out", "gave up" | no |
| a preposition in the place of another: "on the bed", "under the bed" | no, but for a few pairs |
| signs and pictures: C, C++, thumbs up, thumbs down | no |
| how a rule or a wish is put: "must be", "should be", "is", "wants" | where the kind says so |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late_regex
from muniment.domain.quantities import Token


def _classes(table: Mapping[str, str]) -> Mapping[str, str]:
    return {word: name for name, words in table.items() for word in words.split()}


def _pairs(text: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split()) for pair in text.split("|"))


_GRADES: Final = _classes({
    "may": "may can cannot can't able allow allows allowed permit permits permitted",
    "might": "might could couldn't",
    "must": "must mustn't haveto needto",
    "should": "should shouldn't ought oughtn't shall",
    "would": "would wouldn't",
})  # fmt: skip
_WISHES: Final = _classes({
    "want": "want wants wanted wanting wish wishes wished please",
    "like": "like likes liked liking love loves loved enjoy enjoys enjoyed"
    " prefer prefers preferred preferring rather",
})  # fmt: skip
_VERBS: Final = _classes({
    "need": "need needs needed needing",
    "have": "have has had having",
    "make": "make makes made making", "take": "take takes took taken taking",
    "get": "get gets got getting", "go": "go goes went gone going",
    "come": "come comes came coming", "keep": "keep keeps kept keeping",
    "say": "say says said saying", "mention": "mention mentions mentioned",
    "use": "use uses used using",
})  # fmt: skip
_GIVING: Final = _classes({
    "give": "give gives gave given giving", "put": "put puts putting",
    "turn": "turn turns turned turning", "set": "set sets setting",
    "look": "look looks looked looking", "bring": "bring brings brought bringing",
    "call": "call calls called calling", "run": "run runs ran running",
    "stand": "stand stands stood standing", "show": "show shows showed shown showing",
})  # fmt: skip
_ORDERS: Final = word_set(
    "use exclude include keep drop remove add count set treat convert group sort round check"
)
_SHARES: Final = _classes({
    "some": "some several certain afew", "many": "many much lots", "few": "few",
    "most": "mostly", "often": "often frequently regularly usually normally generally typically",
    "always": "always", "other": "other another others", "one of": "oneof", "either": "either",
    "every other": "everyother",
})  # fmt: skip
_JOINS: Final = _classes({
    "or": "or nor either",
    "if": "if when whenever once while unless", "because": "because so why",
})  # fmt: skip
_PERSONS: Final = _classes({
    "i": "i me my mine myself user users", "we": "we us our ours ourselves",
    "you": "you your yours yourself yourselves", "he": "he him his himself",
    "she": "she her hers herself", "they": "they them their theirs themselves",
})  # fmt: skip
_NAMED_BEFORE: Final = frozenset({"he", "she", "they"})
_PLACES: Final = _classes({
    "in": "in within during inside across among", "at": "at", "on": "on", "of": "of",
    "from": "from", "with": "with using", "to": "to onto towards", "into": "into",
    "for": "for per", "by": "by", "about": "about regarding", "against": "against",
    "through": "through via", "until": "until till", "under": "under below beneath",
    "over": "over above", "near": "near beside", "behind": "behind", "around": "around",
    "after": "after", "before": "before",
    "out": "out outside", "off": "off", "up": "up", "down": "down", "away": "away",
    "along": "along",
})  # fmt: skip
_ADVERBS: Final = word_set("out off up down away along")
_FIRM: Final = word_set(
    "against through until under over near behind around out off up down away along into"
)
"""Prepositions that are in both sentences or in none."""
_SAME_PLACE: Final = _pairs("of on|of from|of in|of for|of with|of to|in for|at for|to into|for on")
_LEFT_OUT: Final = frozenset({"=missing", "held:1"})
_UNSAID: Final = word_set("of in on by to from")
"""Prepositions that may go unsaid behind the same word: "a lag in reporting"."""
_BEFORE_VALUES: Final = _pairs("of by|of at|of over|of under|with over")
_CONTRARY: Final = _pairs(
    "to from|from until|on under|over under|in out|on off|up down|for against|"
    "with from|with to|for from|in from|at from|on from|into out|into from|to through|"
    "to around|to over|from over|from near|with near"
)
_VALUED: Final = word_set("over under until by about around")
_BREAKS: Final = frozenset(_JOINS) | word_set(
    "and but that which who is are was were be been has have had does did will not"
)
_FOILS: Final = word_set(
    "prefer prefers preferred preferring like likes rather favour favor better"
)
_INFINITIVES: Final = frozenset(_VERBS) | {"be", "see"}
_RELATIVE: Final = word_set("what which that who whom where")
_GERUND: Final = late_regex(r"\s(?!morning|evening)\p{L}{2,}ing\b")
_PAUSE: Final = late_regex(r"[,;:!?.](?:\s|$)")
_PICTURES: Final = late_regex(
    r"\p{RI}{2}|[\p{Extended_Pictographic}--[©®™]]|[<>≤≥≠≈±→←↑↓]", regex.V1
)
_MARKED: Final = late_regex(r"(?:\+\+|[#+]|[-−](?![\w ]))")
_EMPHASIS: Final = word_set("not no all and or but may can any few now too must the a an i yes")
_OPENS: Final = late_regex(r"(?:^|[.!?:;\"“(])\s*$")
_MOST_CAPITALS: Final = 3


@dataclass(frozen=True, slots=True)
class SmallWords:
    """What a sentence says by its small words."""

    passive: bool
    """Says what is done to something."""
    orders: bool
    """Starts as an order does: "use", "exclude"."""
    grades: frozenset[str]
    wishes: frozenset[str]
    verbs: frozenset[str]
    shares: frozenset[str]
    joins: frozenset[str]
    phrasal: Mapping[str, str]
    """Particles behind verbs that say little: "took up", "gave up"."""
    persons: frozenset[str]
    anchored: frozenset[str]
    """Persons of whom something before says who they are."""
    firm: frozenset[str]
    """Particles, and prepositions that do not go unsaid."""
    pictures: tuple[str, ...]
    before: Mapping[str, tuple[str, frozenset[str]]]
    """Of each word of content: the one before it, and the prepositions between the two."""


def sign_of(text: str, one: Token) -> str:
    """What makes a name of a small word or a letter: "++" of "C++", capitals of "IT" and "Go"."""
    end = one.start + len(one.text)
    mark = _MARKED.match(text, end)
    if mark is not None and len(one.text) == 1 and one.text.isupper():
        return str(mark.group())
    low = one.text.casefold()
    if low in _EMPHASIS or one.family or not one.text[:1].isupper():
        return ""
    capitals = one.text.isupper() and 1 < len(one.text) <= _MOST_CAPITALS and not text.isupper()
    inside = not _OPENS.search(text, 0, one.start) and one.text[1:].islower()
    return "^" if capitals or (inside and low not in ("user", "users")) else ""


def small_words(
    text: str, read_tokens: Sequence[Token], line: Sequence[Sequence[str]], *, passive: bool
) -> SmallWords:
    """The small words of a sentence, whose words of content ``line`` has."""
    low = [one.text.casefold() for one in read_tokens]
    plain = [word for word, one in zip(low, read_tokens, strict=True) if not one.family]
    persons, anchored = _persons(low, line)
    firm, before = _places(text, read_tokens, line)
    phrasal = {
        low[at]: _VERBS.get(low[at - 1]) or _GIVING[low[at - 1]]
        for at in range(1, len(low))
        if low[at] in _PLACES and (low[at - 1] in _VERBS or low[at - 1] in _GIVING)
    }
    wishes = _found(plain, _WISHES)
    grades = _found(plain, _GRADES)
    return SmallWords(
        passive=passive,
        orders=any(
            word in _ORDERS and (not at or _PAUSE.search(text, *_gap(read_tokens, at)) is not None)
            for at, word in enumerate(low)
        ),
        grades=grades - {"would"} if wishes else grades,
        wishes=wishes,
        verbs=_found(plain, _VERBS),
        shares=_found(plain, _SHARES),
        joins=_found(plain, _JOINS),
        phrasal=phrasal,
        persons=persons,
        anchored=anchored,
        firm=firm,
        pictures=tuple(sorted(_PICTURES.findall(text))),
        before=before,
    )


def _gap(read_tokens: Sequence[Token], at: int) -> tuple[int, int]:
    return read_tokens[at - 1].start, read_tokens[at].start


def _found(words: Iterable[str], classes: Mapping[str, str]) -> frozenset[str]:
    return frozenset(classes[word] for word in words if word in classes)


def _persons(
    low: Sequence[str], line: Sequence[Sequence[str]]
) -> tuple[frozenset[str], frozenset[str]]:
    found: set[str] = set()
    anchored: set[str] = set()
    known = False
    for word, content in zip(low, line, strict=True):
        person = "" if content else _PERSONS.get(word, "")
        if person and (person not in found):
            found.add(person)
            if known and person in _NAMED_BEFORE:
                anchored.add(person)
        known = known or bool(content) or word in ("user", "users")
    return frozenset(found), frozenset(anchored)


def _places(
    text: str, read_tokens: Sequence[Token], line: Sequence[Sequence[str]]
) -> tuple[frozenset[str], Mapping[str, tuple[str, frozenset[str]]]]:
    words = {one.text.casefold() for one in read_tokens}
    turned = {"until": "to"} if "from" in words else {}
    prefers = bool(words & _FOILS)
    firm: set[str] = set()
    before: dict[str, tuple[str, frozenset[str]]] = {}
    last, gap = "", set[str]()
    for at, one in enumerate(read_tokens):
        low = one.text.casefold()
        if line[at]:
            for form in line[at]:
                before[form] = ("", frozenset()) if form in before else (last, frozenset(gap))
            last, gap = line[at][-1], set()
            continue
        name = _place(text, read_tokens, at)
        name = turned.get(name, name)
        if not name or (low == "over" and prefers):
            continue
        if name in _ADVERBS:
            firm.add(name)
        elif name not in ("after", "before") and _is_particle(text, read_tokens, line, at):
            if at + 1 < len(read_tokens) or not words & _RELATIVE:
                firm.add(f"{name}!")
        else:
            valued = any(behind.family for behind in read_tokens[at + 1 : at + 2])
            if name in _FIRM and not (valued and name in _VALUED):
                firm.add(name)
            gap.add(name)
    return frozenset(firm), before


def _place(text: str, read_tokens: Sequence[Token], at: int) -> str:
    """The preposition that stands here; "to" before a form in "ing", nothing before a verb."""
    one = read_tokens[at]
    name = "" if one.family else _PLACES.get(one.text.casefold(), "")
    if name in ("on", "about", "of") and _GERUND.match(text, one.start + len(one.text)):
        return "to"
    behind = read_tokens[at + 1].text if at + 1 < len(read_tokens) else ""
    return "" if name == "to" and behind in _INFINITIVES else name


def _is_particle(
    text: str, read_tokens: Sequence[Token], line: Sequence[Sequence[str]], at: int
) -> bool:
    """True if nothing follows that the word could stand before: "logged in at 9", "let out."."""
    one = read_tokens[at]
    if one.text.casefold() in ("of", "ofits", "to", "for", "from", "with"):
        return False
    if at + 1 == len(read_tokens):
        return True
    behind = read_tokens[at + 1]
    if _PAUSE.match(text, one.start + len(one.text)):
        return True
    low = behind.text.casefold()
    return not line[at + 1] and not behind.family and (low in _PLACES or low in _BREAKS)


def alike(one: SmallWords, other: SmallWords, *, always: bool = True) -> bool:
    """True if the two may say the same, but for how sure they are or what they wish for.

    ``always`` counts, unless what they say is of one source of data, which is so or is not.
    """
    aside = frozenset() if always else frozenset({"always"})
    return (
        one.shares - aside == other.shares - aside
        and one.pictures == other.pictures
        and ("or" in one.joins) == ("or" in other.joins)
        and not _exchanged(one.joins, other.joins)
        and _does_alike(one, other)
        and _same_persons(one, other)
        and one.firm == other.firm
        and _all_placed_alike(one, other)
    )


def put_alike(one: SmallWords, other: SmallWords) -> bool:
    """True if both are as sure, and wish for or demand the same."""
    return one.grades == other.grades and one.wishes == other.wishes


def ruled_alike(one: SmallWords, other: SmallWords) -> bool:
    """The same for what is a rule or a wish anyhow: "reports should be", "are", "wants reports"."""
    first, second = one.grades - other.grades, other.grades - one.grades
    if first and second:
        return False
    more, less, grades = (one, other, first) if first else (other, one, second)
    if not grades:
        return True
    if less.wishes or less.grades:
        return grades == {"should"}
    ordered = more.passive or less.orders
    return grades <= {"must", "should"} and ordered and not less.persons - less.anchored


def _does_alike(one: SmallWords, other: SmallWords) -> bool:
    """True if none of what says little of itself stands in the place of another."""
    if any(one.phrasal[word] != other.phrasal[word] for word in one.phrasal & other.phrasal.keys()):
        return False
    needs = ["need" in said.verbs for said in (one, other)]
    if all(said.wishes or "should" in said.grades for said in (one, other)):
        return needs[0] == needs[1]
    mine, yours = (said.verbs | said.wishes for said in (one, other))
    return not _exchanged(mine, yours) or mine ^ yours == {"go", "get"}


def _exchanged(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one - other and other - one)


def _same_persons(one: SmallWords, other: SmallWords) -> bool:
    mine, yours = one.persons - other.persons, other.persons - one.persons
    if mine and yours:
        return False
    return mine <= one.anchored | {"i"} and yours <= other.anchored | {"i"}


def _all_placed_alike(one: SmallWords, other: SmallWords) -> bool:
    common = one.before.keys() & other.before.keys()
    left = bool(common & _LEFT_OUT)
    unsaid = _UNSAID | ({"with"} if (one.verbs ^ other.verbs) & {"have", "use"} else frozenset())
    return all(
        _placed_alike(word, one.before[word], other.before[word], unsaid, left=left)
        for word in common
    )


def _placed_alike(
    word: str,
    one: tuple[str, frozenset[str]],
    other: tuple[str, frozenset[str]],
    unsaid: frozenset[str],
    *,
    left: bool,
) -> bool:
    """True if what stands before the word may stand before it in both.

    ``left``: something is missing or left out, so that "from" and "in" are one.
    """
    mine, yours = one[1] - other[1], other[1] - one[1]
    pairs = {frozenset({first, second}) for first in mine for second in yours}
    if left and frozenset({"in", "from"}) in pairs:
        return True
    if pairs & _CONTRARY:
        return False
    if one[0] != other[0] or pairs & _SAME_PLACE:
        return True
    if word.startswith(("\0", "part:")):
        return not pairs or bool(pairs & _BEFORE_VALUES)
    return not pairs and (not one[0] or mine | yours <= unsaid)
