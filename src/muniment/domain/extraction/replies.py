"""What a turn says only together with the turn before it: a guess confirmed or corrected."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from muniment.domain.extraction.clauses import Clause, Sentence, read_turn
from muniment.domain.extraction.found import Found
from muniment.domain.extraction.model import SaidTurn
from muniment.domain.extraction.shapes import shape_for
from muniment.domain.extraction.values import organisation, title
from muniment.domain.late import late
from muniment.domain.slot import Slot

_SWAPS: Final = (
    (
        late(
            r"(?<![\w-])(?:are you|you are|you're)(?: (?:still|now))?\b(?= (?:an? |the |in |at "
            r"|with |on |from "
            r"|allergic|based|living|working))",
            re.IGNORECASE,
        ),
        "I am",
    ),
    (
        late(
            r"(?:^|(?<=[.!?] ))do you (?:still |now )?(?=(?:live|work|use|prefer|like|hate)\b)",
            re.IGNORECASE,
        ),
        "I ",
    ),
    (late(r"(?:^|(?<=[.!?] ))still (?=(?:in|at|on|with|an?) )", re.IGNORECASE), "I am still "),
    (late(r"\byou are\b|\byou're\b", re.IGNORECASE), "I am"),
    (late(r"\byou were\b", re.IGNORECASE), "I was"),
    (late(r"\byour\b", re.IGNORECASE), "my"),
    (late(r"\byou\b", re.IGNORECASE), "I"),
)
_YES: Final = late(
    r"^(?:yes|yep|yeah|yup|exactly|correct|right|indeed|that is (?:right|correct|it)"
    r"|spot on|precisely|absolutely|true|confirmed|that is me|you got it|si"
    r"|oui)\b(?!,? but\b)(?:[ ,.!]+(?:yes|exactly|correct|right|indeed"
    r"|that is (?:right|correct|it)|please|it is|I am|I do|sir|thanks|thank you"
    r"|good guess|well done|precisely|absolutely))*[.! ]*$",
    re.IGNORECASE,
)
_NO: Final = late(r"^(?:no|nah|nope|not|ha,? no|wrong|never|almost|close)\b", re.IGNORECASE)
_NOT_THIS = late(
    r"^(?:(?:no|nah|nope)[ ,.]+)*not (?:the |in |at |a "
    r"|an )?(?P<old>[^,.;]{2,40}?)[,.;] (?:but )?(?:it is |I am (?:in |at )?|in "
    r"|at )?(?P<rest>\S.*)$",
    re.IGNORECASE,
)
_FRAGMENT = late(
    r"^(?:(?:no|nah|nope|ha|well|actually|close|almost|it is|in|at|to|an?|just|rather"
    r"|hm)[ ,.!]+)*(?P<rest>[\w][^,.;!?]{1,40}?)"
    r"(?:,? (?:now|nowadays|these days|actually|by now|at present|(?:since|as of"
    r"|from) [\w ]{2,20}))?[.!]*$",
    re.IGNORECASE,
)
_SET: Final = late(
    r"\b(?:set|noted|note|added|add|put|recorded|saved|updated|changed|change"
    r"|have) (?:down )?(?P<value>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*) (?:as|for|to) (?:my"
    r"|the|I) (?:new )?(?P<slot>[a-z ]{3,20})|\b(?:set|changed|change|updated"
    r"|update) (?:my|I) (?P<slot2>[a-z ]{3,20}?) to (?P<value2>[A-Z][\w'’-]*(?: "
    r"[A-Z][\w'’-]*)*)",
)
_DENIED: Final = late(
    r"\b(?:(?:do|did|doing|done) nothing of the kind|just (?:kidding|joking)"
    r"|only joking|I was joking|i'm joking|jk\b|I am (?:joking|kidding)|not really,"
    r"|it was a joke|april fool|first of april|scrap that(?! \w)|ignore that[,.!]"
    r"|forget what I (?:just )?said|I take that back|not serious|never mind that"
    r"|strike that|disregard that[,.!]|forget (?:that|it)(?:[,.!]|$)|hypothetically)\b",
    re.IGNORECASE,
)

Reader = Callable[[Sequence[Sentence]], list[Found]]


def denies(sentences: Sequence[Sentence]) -> bool:
    """Whether a turn takes back what its speaker said just before."""
    return any(_DENIED.search(one.text) for one in sentences[:2])


def guesses(turn: SaidTurn, read: Reader, slots: Mapping[str, Slot]) -> list[Found]:
    """The values that an assistant supposes of the user."""
    text = turn.content[-600:]
    for pattern, to in _SWAPS:
        text = pattern.sub(to, text)
    sentences = [
        Sentence(
            one.text,
            tuple(
                replace(
                    clause,
                    asked=False,
                    supposed=False,
                    text=_bare(clause.text),
                    whole=f"{clause.whole} now",
                )
                for clause in one.clauses
            ),
        )
        for one in read_turn(text, turn.occurred_at)
    ]
    found = [one for one in read(sentences) if one.slot is not None and not one.retracts]
    for sentence in sentences:
        match = _SET.search(sentence.text)
        if match is None or not sentence.clauses:
            continue
        slot = (match["slot"] or match["slot2"]).strip()
        name = {
            "location": "city",
            "home": "city",
            "company": "employer",
            "job": "role",
            "title": "role",
        }.get(slot, slot.replace(" ", "_"))
        if name in slots:
            found.append(
                Found(sentence.clauses[0], "guess.set", name, match["value"] or match["value2"])
            )
    return found


def _bare(text: str) -> str:
    return (
        re.sub(
            r"^(?:so|and|then|ah|great|nice|congratulations|lovely|exciting)[ ,!.]+",
            "",
            text,
            flags=re.IGNORECASE,
        )
        .rstrip("?")
        .strip()
    )


def resolved(
    sentences: Sequence[Sentence],
    guessed: Sequence[Found],
    assistant: SaidTurn,
    slots: Mapping[str, Slot],
) -> Iterator[Found]:
    """The guess that a turn confirms, or the value that it puts in its place."""
    if not sentences or not sentences[0].clauses:
        return
    head = sentences[0]
    by_slot = {one.slot: one for one in guessed if one.slot is not None}
    if _YES.match(head.text) and len(by_slot) == 1:
        guess = next(iter(by_slot.values()))
        yield replace(guess, clause=head.clauses[0], rule="reply.confirmed", also=(assistant.turn,))
        return
    for slot, guess in by_slot.items():
        yield from _corrected(sentences, slot, guess, slots)


def _corrected(
    sentences: Sequence[Sentence], slot: str, guess: Found, slots: Mapping[str, Slot]
) -> Iterator[Found]:
    head = sentences[0]
    told = _NOT_THIS.match(head.text)
    shape = shape_for(slot, "", slots[slot].value_type) if slot in slots else None
    if shape is None or slot == "name" or not head.meant:
        return
    said = told["rest"] if told is not None else _fragment(sentences)
    if said is None or len(said.split()) > 5:
        return
    value = shape(said)
    if value is not None and value.casefold() != (guess.value or "").casefold():
        yield Found(head.clauses[0], "reply.corrected", slot, value, old=guess.value)


def _fragment(sentences: Sequence[Sentence]) -> str | None:
    """The few words that stand for an answer: the first sentence, or the one after "no"."""
    at = (
        1
        if re.fullmatch(
            r"(?:ha|oh|well|ah)?[ ,]*(?:no|nah|nope)[ ,.!a-z]{0,6}",
            sentences[0].text,
            re.IGNORECASE,
        )
        else 0
    )
    if at >= len(sentences):
        return None
    match = _FRAGMENT.match(sentences[at].text)
    if (
        match is None
        or len(match["rest"].split()) > 3
        or re.match(
            r"(?:I|we|it|that|this|yes|yep|ok|okay|thanks|sure|done|good|great|please|never"
            r"|both|and|no|not|why|what)\b",
            match["rest"],
            re.IGNORECASE,
        )
    ):
        return None
    return match["rest"]


def title_after_no(sentences: Sequence[Sentence], assistant: str) -> Iterator[Found]:
    """ "Ha, no. Senior data engineer": a title in the place of the one that was guessed."""
    if (
        len(sentences) < 2
        or _NO.match(sentences[0].text) is None
        or len(sentences[0].text.split()) > 3
    ):
        return
    guessed = any(title(part) for part in re.split(r"[,.;:!?]\s*", assistant) if part) or re.search(
        r"\bas (?:an? |the )?\w+", assistant
    )
    head = sentences[1].clauses[0] if sentences[1].clauses else None
    if (
        guessed
        and head is not None
        and head.meant
        and not re.match(r"(?:I|we|my|the|it)\b", head.text, re.IGNORECASE)
    ):
        role = title(head.text)
        if role is not None and head.text.lower().startswith(role.lower()):
            yield Found(head, "reply.title", "role", role)


_POSTPONED = late(
    r"\b(?:change|move|start|switch|job|contract|joining)\b(?: date)?(?: to| at"
    r"| with)? (?:the )?(?P<org>[A-Z][\w'’&-]*(?: [A-Z][\w'’&-]*)*) (?:is|was|has been"
    r"|got) (?:postponed|delayed|moved|pushed(?: back)?|brought forward|shifted"
    r"|put off)\b"
)


def postponed(sentence: Sentence) -> Iterator[Found]:
    """ "The change to Adria Freight is postponed, not 1 March but 1 April"."""
    match = _POSTPONED.search(sentence.text)
    days = sentence.dates()
    if match is None or not days or not sentence.meant:
        return
    org = organisation(match["org"])
    if org is not None:
        yield Found(sentence.clauses[0], "work.postponed", "employer", org, start=days[-1].day)


_JOB_DOWN = late(
    r"\bI (?:have )?(?:turned|am turning) (?:the "
    r"|down )?(?P<org>[A-Z]\w+(?: [A-Z]\w+)*)(?: down| job| offer)"
    r"|\bI am staying (?:at|with) (?P<stay>[A-Z]\w+(?: [A-Z]\w+)*)",
    re.UNICODE,
)


def declined(clause: Clause) -> Iterator[Found]:
    """A job that was turned down."""
    match = _JOB_DOWN.search(clause.text)
    if match is not None and match["org"]:
        yield Found(clause, "work.declined", "employer", match["org"], retracts=True)
