"""What a memory's trust follows from: who said it, and whether they literally did (RULES 4.3).

A turn states a value where it has its words, in a sentence of the speaker's own that asserts them:
not in a question, a supposition or a denial, and not in what was quoted or forwarded (RULES 4.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from muniment.domain.asserting import AVERSE, DENIES, REMINDS, Sense, sense
from muniment.domain.gate.questions import is_question
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.gate.tokens import read
from muniment.domain.late import late_regex
from muniment.domain.naming import named
from muniment.domain.own_words import own_words
from muniment.domain.rendering import WORDS, renders
from muniment.domain.slot import Slot
from muniment.domain.text import Analyzer, analyzer_for, normalise
from muniment.domain.trust import Role, Trust, lowest, rank

STATING: frozenset[Role] = frozenset({"user", "tool"})
"""Whose turns state something: what assistants and others say is no fact about the user."""
OF_NOW: frozenset[str] = frozenset(
    {
        "address",
        "city",
        "contact_channel",
        "deploy_region",
        "employer",
        "language",
        "role",
        "timezone",
    }
)
"""Slots that tell how things are: what was so is no value of them."""
_FOREIGN_WORDS = 3
_PART = late_regex(
    r"[.,;:!?()—–]+(?=\s|$)|\b(?:and|but|or|because|although|while|who|whose|which)\b"
)

# What forbids is not taken back by a no, but by a leave.
_FORBIDS = late_regex(r"\b(?:must|may|should|can) ?not\b|\bnever\b|n['’]t\b", regex.IGNORECASE)
_AGAIN = late_regex(r"\b(?:can|may|could)\b.*\bagain\b", regex.IGNORECASE)
_TAKES_BACK = late_regex(
    r"\b(?:forget|ignore|disregard|scrap|discard|retract|withdraw|remove|skip|wrong|incorrect"
    r"|untrue|mistaken|fixed|solved|resolved|repaired|corrected|sorted|outdated|over|undo|lose"
    r"|died|dead|passed|gone|ran (?:away|out)|out of stock|turn(?:ed|ing)? (?:\w+ ){0,3}down"
    r"|the last (?:\S+ ){1,3}(?:went|sold|left|shipped|broke)|declined|rejected|handed"
    r"|resigned|fired|laid off"
    r"|(?:fine|works?|working|clean|normal) (?:now|again)|back to normal)\b",
    regex.IGNORECASE,
)
_CALLS = "user customer person name users"
_CALLED = late_regex(
    r"(?:(?:Do not|Don['’]t|Never|Always|Please) (?:\p{Ll}+ ){1,2})?"
    r"(?P<who>\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})(?:['’]s?)?\b"
)
_JOINED_BEFORE = late_regex(r"\w[-_/@]\Z")
_JOINS = late_regex(r"[.;:!?,]\s|\b(?:and|but|or|not)\b", regex.IGNORECASE)
_JOINED_AFTER = late_regex(r"[-_/@]\w")
_NAMES = late_regex(r"(?<!^)(?<![.!?] )\b\p{Lu}[\p{L}\p{N}'’&-]*|\p{N}[\p{N}.,:]*")


@dataclass(frozen=True)
class Claim:
    """What is to be remembered: a sentence, and the value that it gives a slot, if it does.

    ``rendered``: it was made from the turns, so that the speaker's own words told in the third
    person are literally stated; ``names`` is what it calls them by. ``closed``: it ended.
    """

    text: str
    value: str | None = None
    slot: Slot | None = None
    rendered: bool = False
    names: Sequence[str] = ()
    closed: bool = False


@dataclass(frozen=True)
class SupportingTurn:
    """A cited turn: who relayed it, its text and the trust that it was stored with."""

    role: Role
    content: str
    trust: Trust


def grade(claim: Claim, turns: Sequence[SupportingTurn]) -> tuple[Trust, bool]:
    """The trust of a claim and whether a turn literally states it.

    A user's (or verified tool's) turn that states it lends its trust; otherwise it is a guess, as
    good as the least of what it rests on. Of a claim with a value the value counts, if the claim's
    own text says no more than that: few words that neither the turns nor the slot have.
    """
    stating = [turn for turn in turns if turn.role in STATING and _lends(turn, claim)]
    lent = [turn.trust for turn in stating if rank(turn.trust) < rank("agent_inferred")]
    if lent and _keeps_to(claim, turns):
        return min(lent, key=rank), True
    return lowest(["agent_inferred", *(turn.trust for turn in turns)]), False


def grade_retraction(
    claim: Claim, turns: Sequence[SupportingTurn], analyzer: Analyzer
) -> tuple[Trust, bool]:
    """The trust with which turns take a claim back, and whether one literally does.

    A user's (or verified tool's) turn that names it, and says that it is so no more, lends its
    trust; otherwise it is a guess, as ``grade`` has it.
    """
    lent = [
        turn.trust
        for turn in turns
        if turn.role in STATING
        and rank(turn.trust) < rank("agent_inferred")
        and any(
            _ends(sentence, claim, analyzer)
            for sentence in split_sentences(normalise(own_words(turn.content, claim.names)))
        )
    ]
    if lent:
        return min(lent, key=rank), True
    return lowest(["agent_inferred", *(turn.trust for turn in turns)]), False


def _ends(sentence: str, claim: Claim, analyzer: Analyzer) -> bool:
    """True if a sentence says that the claim is so no more, or never was.

    Where it has the value, what counts is said of that.
    """
    if is_question(read(sentence), 0):
        return False
    sentence = REMINDS.sub(" ", sentence)
    taken = _TAKES_BACK.search(sentence) is not None
    if not taken and _FORBIDS.search(claim.text):
        taken = _AGAIN.search(sentence) is not None
        if not taken:
            return False
    at = [] if claim.value is None else [*places(sentence, claim.value)]
    if at:
        senses = [sense(sentence, place) for place in at]
        return any(
            (taken or one.denied or one.ended or one.given_up) and _is_meant(one, claim.text)
            for one in senses
        )
    if not taken and not any(one.search(sentence) for one in (DENIES, AVERSE)):
        return False
    # Of the whole sentence, as at its end.
    of_all = sense(sentence, (len(sentence), len(sentence)))
    return _is_meant(of_all, claim.text) and bool(
        named(sentence, None, [claim.text], analyzer, claim.names)
    )


def _is_meant(held: Sense, text: str) -> bool:
    """It is said in earnest, and of nobody but whom the text names."""
    return not held.supposed and (held.other is None or states(text, held.other))


def states(content: str, stated: str) -> bool:
    """True if the content has the words of ``stated`` in a row, whatever their case and spacing.

    A number counts as a whole: "3.5" does not state 3, nor "-5" 5.
    """
    return next(places(content, stated), None) is not None


def restated(content: str, stated: str, instead: str) -> str | None:
    """The content with something else where it states ``stated``; None unless it does so once, and
    not as a part of another word ("Ede-Zuid").
    """
    found = list(places(content, stated))
    if len(found) != 1:
        return None
    text, (start, end) = normalise(content), found[0]
    if _JOINED_BEFORE.search(text[:start]) or _JOINED_AFTER.match(text[end:]):
        return None
    return text[:start] + instead + text[end:]


def instead_of(content: str, stated: str, other: str) -> str | None:
    """What another content states where this one states ``stated``, in the same words else; None
    unless that is one phrase.
    """
    found = list(places(content, stated))
    if len(found) != 1:
        return None
    text, (start, end) = normalise(content), found[0]
    read = normalise(other)
    before, after = text[:start], text[end:].rstrip(". !")
    if read.rstrip(". !")[: len(before)].lower() != before.lower():
        return None
    rest = read[len(before) :].rstrip(". !")
    if not rest.lower().endswith(after.lower()):
        return None
    value = rest[: len(rest) - len(after)].strip()
    return value if value and not _JOINS.search(value) else None


def _lends(turn: SupportingTurn, claim: Claim) -> bool:
    own = turn.content if turn.role == "tool" else own_words(turn.content, claim.names)
    if claim.value is not None:
        # What was so does not fill a slot that tells what is so, with no end in sight.
        timeless = claim.slot is not None and claim.slot.name not in OF_NOW
        holds = claim.slot is not None and not timeless and not claim.closed
        return _informs(claim.value) and _asserts(own, claim.value, claim.text, holds, timeless)
    sentences = list(split_sentences(claim.text))
    return bool(sentences) and all(
        _asserts(own, one, one) or (claim.rendered and _tells(own, one, claim.names))
        for one in sentences
    )


def _tells(own: str, text: str, names: Sequence[str]) -> bool:
    """True if ``text`` tells of the speaker what a sentence of theirs asserts, in its words."""
    text = normalise(text)
    for sentence in split_sentences(normalise(own)):
        found = None if is_question(read(sentence), 0) else renders(sentence, text, names)
        if found is None:
            continue
        said, told = sense(sentence, found[0]), sense(text, found[1])
        of_another = said.other is not None and not states(text, said.other)
        if not of_another and replace(said, other=None) == replace(told, other=None):
            return True
    return False


def _asserts(own: str, stated: str, text: str, holds: bool = False, timeless: bool = False) -> bool:
    """True if a sentence asserts ``stated``, and ``text`` does so in the same sense.

    ``holds``: as what is so, not as what was; ``timeless``: whether it was or is makes no odds.
    """
    text = normalise(text)
    meant = [sense(text, place) for place in places(text, stated)]
    for sentence in split_sentences(normalise(own)):
        if is_question(read(sentence), 0):
            continue
        for place in places(sentence, stated):
            said = sense(sentence, place)
            if said.other is not None and not states(text, said.other):
                continue
            told = [one for one in meant if timeless or not said.past or (one.past and not holds)]
            if any(said.agrees(one) for one in told):
                return True
    return False


def _keeps_to(claim: Claim, turns: Sequence[SupportingTurn]) -> bool:
    """True if the text around a value says no more than the turns: no other name or number, few
    words of its own, and those with the value, not in a clause beside it.

    Whom the text begins with is free: it may be called by a name that the turns do not have.
    """
    if claim.value is None:
        return True
    analyzer = analyzer_for()
    said = " ".join([claim.value, *(turn.content for turn in turns)])
    known = set(analyzer.stems(said)) | set(analyzer.stems(_CALLS))
    for name in claim.names:
        known |= set(analyzer.stems(name))
    if claim.slot is not None:
        known |= set(analyzer.stems(claim.slot.words))
    text = normalise(claim.text)
    called = _CALLED.match(text)
    if called is not None:
        known |= set(analyzer.stems(called["who"]))
    if any(not known.issuperset(analyzer.stems(one[0])) for one in _NAMES.finditer(text)):
        return False
    foreign: dict[str, None] = {}
    for part in _PART.split(text):
        new = [stem for stem in analyzer.stems(part) if stem not in known]
        if new and not states(part, claim.value):
            return False
        foreign |= dict.fromkeys(new)
    return len(foreign) <= _FOREIGN_WORDS


def _informs(value: str) -> bool:
    """False for a value of function words alone: any turn has those."""
    words = _words(value)
    return bool(analyzer_for().stems(value)) or not all(word.isascii() for word in words)


def places(content: str, stated: str) -> Iterator[tuple[int, int]]:
    """Where the words of ``stated`` stand in the content, as spans of its normal form."""
    wanted = _words(stated)
    if not wanted:
        return
    found = list(WORDS.finditer(normalise(content)))
    words = [match.group().casefold() for match in found]
    for at in range(len(words) - len(wanted) + 1):
        if words[at : at + len(wanted)] == wanted:
            yield found[at].start(), found[at + len(wanted) - 1].end()


def _words(text: str) -> list[str]:
    return [match.group().casefold() for match in WORDS.finditer(normalise(text))]
