"""Echoes: what recall returned into a session is not written into it anew (RULES 10)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from muniment.domain.echo import Recalled, echoes, recalled
from muniment.domain.gate.cues import Reason
from muniment.domain.gate.judge import GateInput, Verdict, judge_sentences
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.text import Analyzer

LONGEST: Final = 4_096
"""Characters of a turn that may be an echo; a longer one is something of its own."""
_SHORT: Final = 400
_MOST_SENTENCES: Final = 24
_FIRST_PERSON: Final = re.compile(r"\b(?:I|my|we|our|me|us)\b", re.IGNORECASE)
# What a user does with what was recalled is new, whatever the words.
_NEW: Final = frozenset(
    {Reason.CORRECTION, Reason.RETRACTION, Reason.ANSWER, Reason.STANDING_INSTRUCTION}
)


@dataclass(frozen=True, slots=True)
class Heard:
    """What recall returned into a session lately, read once for every turn that is written."""

    items: Sequence[Recalled]
    analyzer: Analyzer

    @classmethod
    def of(cls, texts: Sequence[str], analyzer: Analyzer) -> "Heard":
        """A short text is compared as a whole, a long one by its sentences: the words of a whole
        summary are those of nearly everything.
        """
        pieces = [
            piece
            for text in texts
            for piece in (
                [text] if len(text) <= _SHORT else islice(split_sentences(text), _MOST_SENTENCES)
            )
        ]
        return cls([recalled(piece, analyzer) for piece in pieces], analyzer)


def unless_echo(event: GateInput, verdict: Verdict, heard: Heard | None) -> Verdict:
    """``verdict``, or that of an echo for a kept turn of which every kept sentence was recalled.

    A user who says of themselves what was recalled, corrects it, answers with it or makes it a
    standing instruction states it anew.
    """
    if heard is None or not heard.items or not verdict.kept or len(event.content) > LONGEST:
        return verdict
    if event.role == "user" and (verdict.reason in _NEW or _FIRST_PERSON.search(event.content)):
        return verdict
    if _echoes(event, heard):
        return replace(
            verdict, kept=False, reason=Reason.ECHO, rule="session.recalled", importance=1
        )
    return verdict


def _echoes(event: GateInput, heard: Heard) -> bool:
    if echoes(event.content, heard.items, heard.analyzer):
        return True
    sentences = [*islice(judge_sentences(event), _MOST_SENTENCES + 1)]
    kept = [sentence for sentence, verdict in sentences if verdict.kept]
    return (
        len(kept) > 0
        and len(sentences) <= _MOST_SENTENCES
        and all(echoes(sentence, heard.items, heard.analyzer) for sentence in kept)
    )
