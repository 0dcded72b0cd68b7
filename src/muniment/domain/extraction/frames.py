"""Values by frames: a sentence of the user that is made so that its slot is sure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.domain.extraction.clauses import Sentence
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.frames_life import FRAMES_OF_LIFE, Frame
from muniment.domain.extraction.frames_work import FRAMES_OF_WORK
from muniment.domain.extraction.people import NOT_A_NAME
from muniment.domain.extraction.values import REGION, ZONE, several, tidy
from muniment.domain.extraction.words import CLITIC, PROPER, first_group
from muniment.domain.gate.register import earnest
from muniment.domain.late import late

_REQUEST: Final = late(
    r"(?:and |so |but |please )*(?:can|could|would|will) (?:you|we)\b", re.IGNORECASE
)
_OTHERS: Final = late(
    r"\b(?:his|her|their|he|she|they|him|them|your|customer's|client's|boss|sister|brother|mother"
    r"|father|wife|husband|friend|colleague|neighbou?r)\b",
    re.IGNORECASE,
)
_NO_SUBJECT: Final = late(
    r"(?:he|she|it|they|that|this|there|who|what|which|everything|something|nothing|you|I|we|these"
    r"|those|one|got)\b",
    re.IGNORECASE,
)
_SENDER: Final = late(
    r"(?:(?:kind|best|warm|many)(?:est)? )?(?:regards|wishes)|(?:yours )?(?:sincerely|faithfully"
    r"|truly)"
    r"|yours",
    re.IGNORECASE,
)
_SIGNED: Final = late(rf"^(?:(?i:{_SENDER.pattern}),? ?)?(?P<v>{PROPER}(?: {PROPER}){{0,2}})[.]?$")
_GREETS: Final = late(
    r"(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|morning|evening|greetings)"
    r"(?: (?:there|all|again))?[!.,]*",
    re.IGNORECASE,
)
_INTRODUCED: Final = late(
    rf"^(?P<v>{PROPER}(?: {PROPER})?)(?:, (?:new\b|the new\b|\w+ floor\b|from\b|here from\b|room\b)"
    rf"| from the "
    rf"|, (?:an? )?[\w' ]+ (?:customer|member|subscriber|user|tenant|patient)\b)"
)
_IT: Final = late(
    r"^(?:I )?(?:really |just )?(?:can not stand|hate|loathe|detest) (?:it|them)\b", re.IGNORECASE
)
_ASKED: Final = late(r"^(?:(?:and|oh|so)[ ,]+)*(?P<v>[A-ZÀ-Þa-z][\w' -]{2,25})\?$")
_MANY: Final = frozenset({"allergy", "dislike"})
_HINTS: Final[dict[str, tuple[str, ...]]] = {
    "name": ("sign", " as ", "name", "btw", "by the way", "married"),
    "city": ("live", "livin", " in ", " my ", "resident", "moved", "leaving"),
    "employer": (
        " work",
        "left",
        "quit",
        "from",
        "after",
        "notice",
        "first",
        "at ",
        "own",
        "with ",
    ),
    "role": (
        "job",
        " me",
        "from",
        "self-employed",
        "freelanc",
        "retired",
        "title",
        "role",
        "position",
    ),
    "language": (
        "please",
        "pls",
        "plz",
        "?",
        "switch",
        "change",
        "easier",
        "better",
        "nicer",
        "best",
        "stay",
        "stick",
        "remain",
        "keep",
    ),
    "address": (" at ",),
    "pet": (" my ", "(my", " our ", "(our", "new "),
    "skill": ("experience", "i have", "it "),
    "dislike": ("never", "keen", "gone off", "thing", "not for me", "no ", " it", "them", " can "),
    "allergy": ("hives", "rash", "react", "anaphyl", "up ", "allerg", "intoleran", "epi"),
    "timezone": ("from",),
    "contact_channel": (" to ", " me", "rather", "prefer"),
    "do_not_contact": (" me", "not ", " list", "no more"),
    "account_tier": (
        "plan",
        "tier",
        "pay for",
        "membership",
        "from",
        " is ",
        "customer",
        "subscriber",
        "member",
    ),
    "price": ("bill", "invoice", "price", "rate", "fee", "used to", "back", "not "),
    "stock": (" at ", ": ", "hold", "down to"),
    "project": (" i ", " we ", "renamed", "project"),
}
"""Of the words of a slot's frames one is in a sentence that they read."""
_WISHED: Final = frozenset({"language", "dislike", "contact_channel", "do_not_contact", "price"})
"""What a wish gives too ("I would rather not be phoned"), or what was before ("used to be")."""


def by_frame(sentences: Sequence[Sentence], have: frozenset[str | None]) -> Iterator[Found]:
    """The values of slots without one so far that the frames of a turn's sentences give."""
    given: set[str | None] = set(have)
    for at, sentence in enumerate(sentences):
        for found in _of_sentence(sentence, given):
            given.add(found.slot)
            yield found
        before = sentences[at - 1] if at else None
        for found in _of_two(sentence, before, last=at == len(sentences) - 1, first=at < 2):
            if found.slot not in given and earnest(sentence.text):
                given.add(found.slot)
                yield found


def _of_sentence(sentence: Sentence, have: set[str | None]) -> Iterator[Found]:
    if not sentence.clauses:
        return
    asks = sentence.text.rstrip().endswith("?")
    if asks and not _REQUEST.match(sentence.text):
        return
    lower = sentence.text.lower()
    texts = {sentence.text: None} | {one.text: None for one in sentence.clauses if one.dates}
    for slot, frames in (*FRAMES_OF_LIFE, *FRAMES_OF_WORK):
        if slot in have or (asks and slot != "language"):
            continue
        if not any(word in lower for word in _HINTS[slot]):
            continue
        for text in texts:
            found = [*_framed(slot, frames, CLITIC.sub(" is ", text), sentence)]
            yield from found
            if found:
                break


def _framed(slot: str, frames: Sequence[Frame], text: str, sentence: Sentence) -> Iterator[Found]:
    for pattern, shape in frames:
        match = pattern.search(text)
        if match is None or _OTHERS.search(match.group()):
            continue
        said = first_group(match)
        values = several(said, shape) if slot in _MANY else [shape(said)]
        kept = [one for one in values if one is not None and _is_sure(slot, one)]
        if not kept:
            continue
        clause = next((one for one in sentence.clauses if kept[0] in one.text), sentence.clauses[0])
        if clause.joking or (clause.supposed and slot not in _WISHED) or not earnest(sentence.text):
            continue
        for value in kept:
            yield Found(clause, f"frame.{slot}", slot, value, changes=True)
        return


def _is_sure(slot: str, value: str) -> bool:
    """Whether a value is none of another slot, and no word that stands for one."""
    if _NO_SUBJECT.match(value):
        return False
    if slot in {"city", "employer", "name", "pet"}:
        return not (NOT_A_NAME.match(value) or REGION.fullmatch(value) or ZONE.fullmatch(value))
    return True


def _of_two(
    sentence: Sentence, before: Sentence | None, *, last: bool, first: bool
) -> Iterator[Found]:
    """What a sentence gives by the one before it: a greeting, a close, a thing."""
    text = CLITIC.sub(" is ", sentence.text)
    if not sentence.clauses:
        return
    clause = sentence.clauses[0]
    close = _SIGNED.match(text) if last else None
    if close is not None and (
        _SENDER.match(text) or (before is not None and _SENDER.fullmatch(before.text.strip(" ,.")))
    ):
        if not _SENDER.fullmatch(close["v"]):
            yield Found(clause, "frame.signed", "name", close["v"])
        return
    hello = _GREETS.match(text)
    greeted = hello is not None or (before is not None and _GREETS.fullmatch(before.text))
    met = (
        _INTRODUCED.match(text[hello.end() :].strip())
        if hello is not None
        else _INTRODUCED.match(text)
    )
    if first and greeted and met is not None and not NOT_A_NAME.match(met["v"]):
        yield Found(clause, "frame.greeted", "name", met["v"])
    if before is None:
        return
    asked = _ASKED.match(before.text) if _IT.match(text) else None
    if asked is not None and not _NO_SUBJECT.match(asked["v"]):
        yield Found(clause, "frame.asked", "dislike", tidy(asked["v"]))
