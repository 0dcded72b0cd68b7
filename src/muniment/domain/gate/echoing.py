"""Echoes: what recall returned into a session is not written into it anew (RULES 10)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from muniment.domain.echo import LEAST_WORDS, Recalled, echoes, recalled
from muniment.domain.gate.cues import Reason
from muniment.domain.gate.judge import GateInput, Verdict, judge_sentences
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.late import late
from muniment.domain.text import Analyzer

LONGEST: Final = 4_096
"""Characters of a turn that may be an echo; a longer one is something of its own."""
_SHORT: Final = 400
_UNCHANGED: Final = 4
_BLANK: Final = late(r"\s{8,}")
_MOST_SENTENCES: Final = 24
_FIRST_PERSON: Final = late(r"\b(?:I|my|we|our|me|us)\b", re.IGNORECASE)
# What a user does with what was recalled is new, whatever the words.
_NEW: Final = frozenset(
    {Reason.CORRECTION, Reason.RETRACTION, Reason.ANSWER, Reason.STANDING_INSTRUCTION}
)


class Heard:
    """What recall returned into a session lately, for every turn that is written in one call.

    A short text is compared as a whole, a long one by its sentences: the words of a whole summary
    are those of nearly everything. Each is read only once a turn is somewhat like it.
    """

    def __init__(self, texts: Sequence[str], analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._pieces = [piece for text in texts for piece in _pieces(text)]
        self._folded = [piece.casefold() for piece in self._pieces]
        self._read: dict[int, Recalled] = {}

    def says(self, text: str) -> bool:
        """Whether ``text`` is nearly one of them."""
        own = sorted(set(self._analyzer.stems(text)), key=lambda stem: (-len(stem), stem))
        # Nearly all of its words are in what it echoes: of the two longest at least one, by the
        # letters that no ending changes.
        heads = [stem[:_UNCHANGED] for stem in own[:2]]
        return len(own) >= LEAST_WORDS and echoes(text, self._like(heads), self._analyzer)

    def _like(self, heads: Sequence[str]) -> Iterator[Recalled]:
        for at, folded in enumerate(self._folded):
            if any(head in folded for head in heads):
                if at not in self._read:
                    self._read[at] = recalled(self._pieces[at], self._analyzer)
                yield self._read[at]


def _pieces(text: str) -> Iterable[str]:
    if len(text) <= _SHORT:
        return [text]
    return islice(split_sentences(_BLANK.sub("\n", text)), _MOST_SENTENCES)


def unless_echo(event: GateInput, verdict: Verdict, heard: Heard | None) -> Verdict:
    """``verdict``, or that of an echo for a turn of which every kept sentence was recalled.

    What an assistant merely says back is filler; an echo is named as one.

    A user who says of themselves what was recalled, corrects it, answers with it or makes it a
    standing instruction states it anew.
    """
    worth = verdict.kept or verdict.reason is Reason.FILLER
    if heard is None or not worth or len(event.content) > LONGEST:
        return verdict
    if event.role == "user" and (verdict.reason in _NEW or _FIRST_PERSON.search(event.content)):
        return verdict
    if _echoes(event, heard):
        return replace(
            verdict, kept=False, reason=Reason.ECHO, rule="session.recalled", importance=1
        )
    return verdict


def _echoes(event: GateInput, heard: Heard) -> bool:
    if heard.says(event.content):
        return True
    sentences = [*islice(split_sentences(event.content), _MOST_SENTENCES + 1)]
    if not 1 < len(sentences) <= _MOST_SENTENCES or not any(map(heard.says, sentences)):
        return False
    kept = [sentence for sentence, verdict in judge_sentences(event) if verdict.kept]
    return bool(kept) and all(map(heard.says, kept))
