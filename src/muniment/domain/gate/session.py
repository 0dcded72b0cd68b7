"""One turn as it was written, and what is known around it in its session."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from muniment.domain.gate import phrases as phrases
from muniment.domain.gate.cues import Reason
from muniment.domain.gate.replies import Asked, what_was_asked
from muniment.domain.gate.sentences import split_sentences
from muniment.domain.gate.tokens import read
from muniment.domain.late import late

Role = Literal["user", "assistant", "tool", "external"]


class _Digester(Protocol):
    def __call__(self, text: str, /, *, speaker: str) -> str: ...


SHORT_REPLY: Final = 3
"""Words of a reply that may be an answer by its place alone."""
_FIRST_PERSON: Final = late(r"\b(?:I|my|we|our|me)\b", re.IGNORECASE)
_WORD: Final = late(r"[^\W_]+")
_SHORT: Final = 400
_JOINS: Final = frozenset({"or", "and"})
_PICKING: Final = frozenset({"the", "one", "a", "option"})
_CALLED: Final = late(r"[GTAYNP]*V")


@dataclass(frozen=True, slots=True)
class GateInput:
    """One turn as it was written: who relayed it, its text, and the speaker's name if known."""

    role: Role
    content: str
    name: str | None = None

    @property
    def speaker(self) -> str:
        """Whose words they are: the same sentence of two speakers is two statements."""
        return f"{self.role}:{self.name or ''}"


@dataclass(frozen=True, slots=True)
class GateContext:
    """What came before in the session.

    ``seen`` holds ``sentence_digests`` of its earlier turns, ``recalled`` holds
    ``recalled_digests`` of what recall returned into it.
    """

    previous: GateInput | None = None
    seen: AbstractSet[str] = frozenset()
    recalled: AbstractSet[str] = frozenset()


NOTHING_BEFORE: Final = GateContext()
"""The context of the first turn of a session."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one sentence is: kept or not, why, and by which rule."""

    kept: bool
    reason: Reason
    rule: str


class Session:
    """What is known around one turn, worked out once and only when a sentence needs it."""

    def __init__(self, context: GateContext, event: GateInput) -> None:
        self._context = context
        self._event = event
        self._asked: Asked | None = None

    @property
    def with_agent(self) -> bool:
        """Whether the turn is one to an assistant or of one, not of people among themselves."""
        previous = self._context.previous
        return self.after_agent or (
            previous is not None and previous.speaker == self._event.speaker
        )

    @property
    def after_agent(self) -> bool:
        """Whether an assistant or a tool spoke last: then it is sure to whom the turn is said."""
        previous = self._context.previous
        return previous is not None and previous.role in {"assistant", "tool"}

    @property
    def may_be_with_agent(self) -> bool:
        """Whether nothing says that it is one of people among themselves: who opens a session
        with somebody's name speaks to a person.
        """
        return not self._calls if self._context.previous is None else self.with_agent

    @property
    def _calls(self) -> bool:
        first = next(split_sentences(self._event.content), "")
        reading = phrases.classify_words(read(first))
        return _CALLED.match(reading.letters) is not None

    @property
    def before(self) -> str | None:
        """What was said last."""
        previous = self._context.previous
        return None if previous is None else previous.content

    @property
    def chooses(self) -> bool:
        """Whether a few words pick one of what was named just before, or another number."""
        said = _WORD.findall(self._event.content[:_SHORT].lower())
        before = _WORD.findall((self.before or "")[-5 * _SHORT :].lower())
        named = set(before) | _PICKING
        offered = not _JOINS.isdisjoint(before)
        picks = offered and all(word in named for word in said)
        return picks or (bool(before) and any(map(str.isdigit, said)))

    @property
    def answers_user(self) -> str | None:
        """What an assistant's turn answers; None where nothing of a user or tool stands before."""
        previous = self._context.previous
        return previous.content if previous is not None and previous.role != "external" else None

    @property
    def asked(self) -> Asked:
        if self._asked is None:
            self._asked = self._ask()
        return self._asked

    def _ask(self) -> Asked:
        previous = self._context.previous
        if previous is None or previous.role in {"tool", "external"}:
            return Asked.NOTHING
        if previous.name is not None and previous.speaker == self._event.speaker:
            return Asked.NOTHING
        asked = what_was_asked(previous.content)
        if asked is Asked.REQUEST:
            return Asked.STATEMENT if self._event.role == "assistant" else Asked.POLAR
        if asked is Asked.GUESS and previous.role != "assistant":
            return Asked.STATEMENT
        return asked

    def may_answer(self, words: list[str] | tuple[str, ...]) -> bool:
        """A few words after a question mean something new, though they were said before."""
        return len(words) <= SHORT_REPLY and self.asked.is_question

    def known(self, digester: _Digester, text: str) -> Finding | None:
        """A finding if the text was said by this speaker before, or is recalled text echoed."""
        seen, recalled = self._context.seen, self._context.recalled
        if seen and digester(text, speaker=self._event.speaker) in seen:
            return Finding(False, Reason.REPETITION, "session.repeated")
        if recalled and digester(text, speaker="") in recalled and not self._reaffirms(text):
            return Finding(False, Reason.ECHO, "session.echo")
        return None

    def _reaffirms(self, text: str) -> bool:
        """A person who says of themselves what was recalled states it anew."""
        return self._event.role == "user" and _FIRST_PERSON.search(text) is not None
