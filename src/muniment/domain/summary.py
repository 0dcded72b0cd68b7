"""The summary of a session without a model: dated, verbatim, attributed, and it cites its turns."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby, islice, pairwise

from muniment.domain.gate import GateInput, Role, judge_sentences
from muniment.domain.gate.language import ENGLISH
from muniment.domain.late import late
from muniment.errors import Fault, InvalidInput

MIN_LIMIT = 160
"""The shortest summary that may be asked for, in characters: a heading and some of a sentence."""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WORD = late(r"[^\W_]+(?:['’][^\W_]+)*")
_UNSPACED = late(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_CONCRETE = late(r"\d|(?<=[^.!?]\s)[A-Z][a-z]+")
_MAX_SPEAKER = 40
_SENTENCES_A_TURN = 48
_CONTENDERS = 256
_MISFITS = 24
_WORST_OVERLAP = 0.6


@dataclass(frozen=True, slots=True)
class SummaryTurn:
    """A turn of the session. ``kept`` and ``importance`` (1 to 10) are its gate verdict.

    ``usable`` is false for what may not be built on, such as quarantined text.
    """

    number: int
    speaker: str
    content: str
    role: Role = "user"
    kept: bool = True
    usable: bool = True
    importance: int = 5


@dataclass(frozen=True, slots=True)
class Summary:
    """``text`` of at most the limit; ``cited``: the numbers of exactly the turns quoted in it."""

    text: str
    cited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    place: int
    turn: SummaryTurn
    text: str
    importance: int
    terms: frozenset[str]


def summarise(
    turns: Sequence[SummaryTurn],
    started_at: datetime,
    ended_at: datetime,
    limit_chars: int = 600,
) -> Summary:
    """Quote the few most informative sentences of ``turns`` (in order of time), under their date.

    Deterministic. Raises ``InvalidInput`` for naive or reversed times or a limit below 160.
    """
    _check(started_at, ended_at, limit_chars)
    heading = _heading(started_at, ended_at)
    sentences = list(_sentences(turns))
    if not sentences:
        return Summary(f"{heading} nothing was kept.", ())
    chosen = _choose(_ranked(sentences), limit_chars - len(heading))
    if not chosen:
        chosen = [_cut(_ranked(sentences)[0][1], limit_chars - len(heading))]
    return _render(heading, sorted(chosen, key=lambda sentence: sentence.place))


def _check(started_at: datetime, ended_at: datetime, limit_chars: int) -> None:
    faults = [
        Fault(f"/{name}", "Give the time with an offset.")
        for name, time in (("started_at", started_at), ("ended_at", ended_at))
        if time.utcoffset() is None
    ]
    if not faults and ended_at < started_at:
        faults.append(Fault("/ended_at", "The end lies before the start."))
    if limit_chars < MIN_LIMIT:
        faults.append(Fault("/limit_chars", f"Allow at least {MIN_LIMIT} characters."))
    if faults:
        raise InvalidInput("A session cannot be summarised like this.", faults=faults)


def _heading(started_at: datetime, ended_at: datetime) -> str:
    ended_at = ended_at.astimezone(started_at.tzinfo)
    zone = _zone(started_at.utcoffset() or timedelta(0))
    start, end = f"{started_at:%H:%M}", f"{ended_at:%H:%M}"
    if started_at.date() != ended_at.date():
        return (
            f"From {day_in_words(started_at)} ({start}) to {day_in_words(ended_at)} ({end} {zone}):"
        )
    hours = start if start == end else f"{start} to {end}"
    return f"On {day_in_words(started_at)} ({hours} {zone}):"


def _zone(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}" if minutes else "UTC"


def day_in_words(time: date) -> str:
    """Such as "26 May 2026"."""
    return f"{time.day} {_MONTHS[time.month - 1]} {time.year}"


def _sentences(turns: Sequence[SummaryTurn]) -> Iterator[_Sentence]:
    place = 0
    for turn in turns:
        if not (turn.kept and turn.usable):
            continue
        said = judge_sentences(GateInput(turn.role, turn.content, turn.speaker))
        for text, verdict in islice(said, _SENTENCES_A_TURN):
            place += 1
            terms = _terms(text)
            if verdict.kept and terms:
                weight = min(turn.importance, verdict.importance)
                yield _Sentence(place, turn, text, weight, terms)


def _terms(text: str) -> frozenset[str]:
    """Content words; of scripts without spaces the pairs of characters."""
    terms: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        if _UNSPACED.search(word):
            terms.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in ENGLISH:
            terms.add(word)
    return frozenset(terms)


def _ranked(sentences: Sequence[_Sentence]) -> list[tuple[float, _Sentence]]:
    """Best first: the gate's importance first, then what the sentence carries."""
    count = len(sentences)
    spread = Counter(term for sentence in sentences for term in sentence.terms)
    rarity = {term: math.log1p(count / seen) for term, seen in spread.items()}
    central = [
        sum(rarity[term] * (spread[term] - 1) for term in sentence.terms)
        / math.sqrt(len(sentence.terms) + 4)
        for sentence in sentences
    ]
    top = max(central) or 1.0
    scored = [
        (_score(sentence, share / top, count), sentence)
        for sentence, share in zip(sentences, central, strict=True)
    ]
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].place))


def _score(sentence: _Sentence, centrality: float, count: int) -> float:
    concrete = min(1.0, len(_CONCRETE.findall(sentence.text)) / 3)
    substance = min(1.0, len(sentence.terms) / 8)
    early = 1.0 - min(1.0, sentence.place / (count + 1))
    score = 0.08 * sentence.importance + 0.2 * centrality + 0.15 * concrete
    score += 0.1 * substance + 0.05 * early
    return score * (0.6 if sentence.text.endswith(("?", "？")) else 1.0)


def _choose(ranked: Sequence[tuple[float, _Sentence]], room: int) -> list[_Sentence]:
    """Take the best that fit and say something that is not said yet."""
    chosen: list[_Sentence] = []
    said: set[str] = set()
    misfits = 0
    for _, sentence in ranked[:_CONTENDERS]:
        cost = len(_line(sentence.turn, sentence.text))
        overlap = len(sentence.terms & said) / len(sentence.terms)
        if cost > room:
            misfits += 1
        elif overlap <= _WORST_OVERLAP:
            chosen.append(sentence)
            said |= sentence.terms
            room -= cost
        if misfits > _MISFITS:
            break
    return chosen


def _cut(sentence: _Sentence, room: int) -> _Sentence:
    """The head of a sentence that is longer than a whole summary, cut between words."""
    room -= len(_line(sentence.turn, " …"))
    head = sentence.text[:room]
    head = head[: head.rfind(" ")] if " " in head else head
    return _Sentence(
        sentence.place, sentence.turn, f"{head} …", sentence.importance, sentence.terms
    )


def _line(turn: SummaryTurn, text: str) -> str:
    """A line of its own: white space inside is collapsed, so no text can open another one."""
    speaker = " ".join(turn.speaker.split()) or turn.role
    if len(speaker) > _MAX_SPEAKER:
        speaker = speaker[: _MAX_SPEAKER - 1] + "…"
    return f"\n{speaker}: {text}"


def _render(heading: str, chosen: Sequence[_Sentence]) -> Summary:
    lines, cited = [heading], []
    for _, group in groupby(chosen, key=lambda sentence: id(sentence.turn)):
        said = list(group)
        lines.append(_line(said[0].turn, _joined(said)))
        cited.append(said[0].turn.number)
    return Summary("".join(lines), tuple(cited))


def _joined(said: Sequence[_Sentence]) -> str:
    """Sentences of one turn; a mark stands where some between them were left out."""
    parts = [said[0].text]
    for before, after in pairwise(said):
        parts.append(after.text if after.place == before.place + 1 else f"… {after.text}")
    return " ".join(parts)
