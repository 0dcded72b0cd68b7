"""What a memory's trust follows from: who said it, and whether they literally did (RULES 4.3).

A turn states a value where it has its words, in a sentence of the speaker's own that asserts them:
not in a question, a supposition or a denial, and not in what was quoted or forwarded (RULES 4.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import regex

from muniment.domain.gate.questions import is_question
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.gate.tokens import read
from muniment.domain.late import late_regex
from muniment.domain.naming import named
from muniment.domain.rendering import WORDS, renders
from muniment.domain.slot import Slot
from muniment.domain.text import Analyzer, analyzer_for, normalise
from muniment.domain.trust import Role, Trust, lowest, rank

STATING: frozenset[Role] = frozenset({"user", "tool"})
"""Whose turns state something: what assistants and others say is no fact about the user."""
_FOREIGN_WORDS = 4

_QUOTED_LINE = late_regex(r"^[^\S\n]*>.*$", regex.MULTILINE)
_QUOTATION = late_regex(r'"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]')
_QUOTED_WORDS = 5
_FORWARDED = late_regex(
    r"^[^\S\n]*(?:-{2,}[^\S\n]*(?:original|forwarded|begin forwarded)\b.*"
    r"|begin forwarded message\b.*|on [^\n]{5,120} wrote:[^\S\n]*"
    r"|(?:from|to|cc|sent|date|subject|reply-to):[^\n]*\n[^\S\n]*"
    r"(?:from|to|cc|sent|date|subject|reply-to):.*)$",
    regex.MULTILINE | regex.IGNORECASE,
)
_BREAKS = late_regex(
    r"[;—–]|,?\s\b(?:but|because|although|though|whereas|so)\b"
    r"|(?<=^\W*(?:no|not)\b[^,]*),|,(?=\s(?:and |so )?(?:i|we|he|she|they|it|you|my|our|the)\b)",
    regex.IGNORECASE,
)
_STRETCH = late_regex(r"[,;]|\b(?:but|and|or|because|although|though|whereas)\b", regex.IGNORECASE)
_DENIES = late_regex(
    r"\b(?:not|never|cannot|no longer|neither|nor|without|used to|away from|\w+n['’]t)\b"
    r"|\bno\b(?!\s*[,.])",
    regex.IGNORECASE,
)
_SUPPOSES = late_regex(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|pretend|hypothetically|might|maybe|perhaps"
    r"|wish|jokingly|(?:would|['’]d)(?: really)? (?:like|love) to|hope to|dream of"
    r"|(?<!\bI )(?:thinks?|believes?|claims?|assumes?)|(?:write|translate|draft|compose)\b[^.]*)\b",
    regex.IGNORECASE,
)
# Whom a sentence is about, if not its speaker.
_OTHERS = late_regex(
    r"\b(?:my|our|his|her|their)(?: \w+)? (?P<who>brother|sister|mother|father|mum|mom|dad"
    r"|wife|husband|partner|girlfriend|boyfriend|son|daughter|child|kid|cousin|uncle|aunt|niece|nephew|friend"
    r"|colleague|coworker|boss|manager|neighbou?r|roommate|flatmate|client|customer|landlord"
    r"|parents|grandmother|grandfather)s?\b(?!(?:,| and) (?:I|me)\b)(?!['’]s)",
    regex.IGNORECASE,
)
# Words that say no in their own way: "I can't eat nuts" and "is allergic to nuts" agree.
_OVER = (
    r"stop(?:s|ped)?|quit|left|former|formerly|previous|previously|ended|deleted"
    r"|cancel(?:s|ed|led)?|drop(?:s|ped)?|lost|sold|gave|given|free of|without"
)
_AVERSE = late_regex(
    r"\b(?:dislik(?:e|es|ed|ing)|hat(?:e|es|ed)|avoid(?:s|ed|ing)?|allerg(?:y|ies|ic)"
    r"|intoleran(?:t|ce)|refus(?:e|es|ed)|exclud(?:e|es|ed|ing)"
    rf"|unable|banned|forbid|forbids|forbidden|{_OVER})\b",
    regex.IGNORECASE,
)
_ENDED = late_regex(rf"\b(?:{_OVER})\b", regex.IGNORECASE)
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
# "Forget that I have a cat" denies what follows; "do not forget that" does not.
_DISOWNS = late_regex(
    r"\b(?:forget|disregard|ignore|scrap|retract|withdraw)\b"
    r"(?:(?: about)? (?:that|the fact that)\b(?!\s*,))? (?:I|we|my|our)\b",
    regex.IGNORECASE,
)
_REMINDS = late_regex(
    r"\b(?:do not|don['’]t|never|not to|cannot|can not|can['’]t) (?:\w+ )?"
    r"(?:forget|ignore|disregard)\b",
    regex.IGNORECASE,
)
# What somebody moved from is where they are no more.
_LEFT = late_regex(
    r"\b(?:mov|migrat|switch|shift|relocat|transfer|chang|went|go(?:es|ing)?)\w*\b.*"
    r"\bfrom (?:the )?$",
    regex.IGNORECASE,
)
_FOR = late_regex(r"\s*(?:in|on)?to\b", regex.IGNORECASE)
# How far from the words a clause reaches, in characters.
_JOINED_BEFORE = late_regex(r"\w[-_/@]\Z")
_JOINED_AFTER = late_regex(r"[-_/@]\w")
_REACH = 400


@dataclass(frozen=True)
class Claim:
    """What is to be remembered: a sentence, and the value that it gives a slot, if it does.

    ``rendered``: it was made from the turns, so that the speaker's own words told in the third
    person are literally stated; ``names`` is what it calls them by.
    """

    text: str
    value: str | None = None
    slot: Slot | None = None
    rendered: bool = False
    names: Sequence[str] = ()


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
            for sentence in split_sentences(normalise(own_words(turn.content)))
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
    sentence = _REMINDS.sub(" ", sentence)
    taken = _TAKES_BACK.search(sentence) is not None
    if not taken and _FORBIDS.search(claim.text):
        taken = _AGAIN.search(sentence) is not None
        if not taken:
            return False
    places = [] if claim.value is None else [*_places(sentence, claim.value)]
    if places:
        senses = [_sense(sentence, place) for place in places]
        return any(
            (taken or sense.denied or sense.ended) and sense.meant(claim.text) for sense in senses
        )
    if not taken and not any(one.search(sentence) for one in (_DENIES, _AVERSE)):
        return False
    # Of the whole sentence, as at its end.
    of_all = _sense(sentence, (len(sentence), len(sentence)))
    return of_all.meant(claim.text) and bool(
        named(sentence, None, [claim.text], analyzer, claim.names)
    )


def states(content: str, stated: str) -> bool:
    """True if the content has the words of ``stated`` in a row, whatever their case and spacing.

    A number counts as a whole: "3.5" does not state 3, nor "-5" 5.
    """
    return next(_places(content, stated), None) is not None


def restated(content: str, stated: str, instead: str) -> str | None:
    """The content with something else where it states ``stated``; None unless it does so once, and
    not as a part of another word ("Ede-Zuid").
    """
    places = list(_places(content, stated))
    if len(places) != 1:
        return None
    text, (start, end) = normalise(content), places[0]
    if _JOINED_BEFORE.search(text[:start]) or _JOINED_AFTER.match(text[end:]):
        return None
    return text[:start] + instead + text[end:]


def own_words(content: str) -> str:
    """A turn without what its speaker quotes or forwards; a quoted name or phrase stays."""
    forwarded = _FORWARDED.search(content)
    own = content if forwarded is None else content[: forwarded.start()]
    own = _QUOTED_LINE.sub("", own)
    return _QUOTATION.sub(
        lambda found: found[0] if len(_words(found[0])) < _QUOTED_WORDS else " ", own
    )


def _lends(turn: SupportingTurn, claim: Claim) -> bool:
    own = turn.content if turn.role == "tool" else own_words(turn.content)
    if claim.value is not None:
        return _informs(claim.value) and _asserts(own, claim.value, claim.text)
    sentences = list(split_sentences(claim.text))
    return bool(sentences) and all(
        _asserts(own, one, one) or (claim.rendered and _tells(own, one, claim.names))
        for one in sentences
    )


def _tells(own: str, text: str, names: Sequence[str]) -> bool:
    """True if ``text`` tells of the speaker what a sentence of theirs asserts, in its words."""
    text = normalise(text)
    for sentence in split_sentences(normalise(own)):
        places = None if is_question(read(sentence), 0) else renders(sentence, text, names)
        if places is None:
            continue
        said, told = _sense(sentence, places[0]), _sense(text, places[1])
        of_another = said.other is not None and not states(text, said.other)
        if not of_another and replace(said, other=None) == replace(told, other=None):
            return True
    return False


def _asserts(own: str, stated: str, text: str) -> bool:
    """True if a sentence asserts ``stated``, and ``text`` does so in the same sense."""
    text = normalise(text)
    meant = [_sense(text, place) for place in _places(text, stated)]
    for sentence in split_sentences(normalise(own)):
        if is_question(read(sentence), 0):
            continue
        for place in _places(sentence, stated):
            said = _sense(sentence, place)
            if said.other is not None and not states(text, said.other):
                continue
            if any(said.agrees(sense) for sense in meant):
                return True
    return False


def _keeps_to(claim: Claim, turns: Sequence[SupportingTurn]) -> bool:
    """True if the text around a value brings little that is not in the turns."""
    if claim.value is None:
        return True
    analyzer = analyzer_for()
    known = set(analyzer.stems(" ".join([claim.value, *(turn.content for turn in turns)])))
    if claim.slot is not None:
        known |= set(analyzer.stems(claim.slot.words))
    foreign = dict.fromkeys(stem for stem in analyzer.stems(claim.text) if stem not in known)
    return len(foreign) <= _FOREIGN_WORDS


def _informs(value: str) -> bool:
    """False for a value of function words alone: any turn has those."""
    words = _words(value)
    return bool(analyzer_for().stems(value)) or not all(word.isascii() for word in words)


@dataclass(frozen=True)
class _Sense:
    denied: bool
    supposed: bool
    averse: bool
    other: str | None
    ended: bool = field(default=False, compare=False)

    def meant(self, text: str) -> bool:
        """It is said in earnest, and of nobody but whom the text names."""
        return not self.supposed and (self.other is None or states(text, self.other))

    def agrees(self, other: "_Sense") -> bool:
        """Both assert, or both deny; one may do so in a word of its own."""
        if self.supposed:
            return other.supposed
        return self.denied == other.denied or (self.averse or other.averse)


def _sense(sentence: str, place: tuple[int, int]) -> _Sense:
    """How a sentence holds what stands at a place in it: from the clause before, and after it."""
    start, end = place
    reach = _REMINDS.sub(" ", sentence[max(0, start - _REACH) : start])
    breaks = [found.end() for found in _BREAKS.finditer(reach)]
    before = reach[max(breaks, default=0) :]
    after = _STRETCH.split(sentence[end : end + _REACH], maxsplit=1)[0]
    around = f"{before} {sentence[start:end]} {after}"
    other = _OTHERS.search(before)
    left = _LEFT.search(before) is not None and _FOR.match(after) is not None
    return _Sense(
        denied=left or any(one.search(around) for one in (_DENIES, _DISOWNS)),
        supposed=_SUPPOSES.search(before) is not None,
        averse=_AVERSE.search(around) is not None,
        ended=_ENDED.search(around) is not None,
        other=None if other is None else other["who"],
    )


def _places(content: str, stated: str) -> Iterator[tuple[int, int]]:
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
