"""memories.correct, retract and confirm: change one memory on somebody's word."""

from dataclasses import dataclass, field
from uuid import UUID

from muniment.domain.instructions import is_suspect
from muniment.domain.memory import Label
from muniment.domain.reconcile import Outcome
from muniment.domain.statement import (
    Claim,
    SupportingTurn,
    grade,
    grade_retraction,
    instead_of,
    restated,
    states,
)
from muniment.domain.text import analyzer_for
from muniment.domain.timeline import Window
from muniment.domain.trust import Trust
from muniment.errors import Fault, Forbidden, InvalidInput, NotFound, NotHeld, WritesRefused
from muniment.operations.citing import (
    Citations,
    Citing,
    Speaker,
    check_speaker,
    without_secrets,
)
from muniment.operations.items import Item, Place, find_place
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Identifier, Instant, Metadata, Statement, Text, Value, command
from muniment.ports import Context
from muniment.records.changing import (
    Right,
    Target,
    Word,
    confirm_one,
    correct_one,
    retract_one,
    target_of,
)
from muniment.records.held import KeptRow
from muniment.records.memories import Settled
from muniment.records.proposing import proposes
from muniment.records.scopes import open_known_scope
from muniment.records.versions import Cited


@command
class CorrectMemory:
    """The record was wrong: what is right takes its place, in the same window unless one is given.

    A given date is about the window that holds now, or the last one. ``value`` alone is put where
    the text states the old one; a text that states another needs the value too. A lower grade than
    the memory's stands beside it, contested; so does the word of one principal against a fault of
    the data that two observed.
    """

    id: UUID
    text: Statement | None = None
    value: Value | None = None
    detail: Text | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    evidence: Citations = ()
    label: Label | None = None
    speaker: Speaker = "assistant"
    agent_id: Identifier | None = None
    metadata: Metadata = field(default_factory=dict)


@command
class RetractMemory:
    """It is so no more, from ``at`` on: by default from when the cited turns said so, or now.

    At a lower grade than the memory's it is rejected, and the attempt is kept in its history; so is
    the word of one principal against a fault of the data that two observed (`gone_once`).
    """

    id: UUID
    at: Instant | None = None
    evidence: Citations = ()
    speaker: Speaker = "assistant"


@command
class ConfirmMemory:
    """It was observed again: evidence, a later observation, and a new life where the kind has one.

    Never raises what a memory is trusted at.
    """

    id: UUID
    evidence: Citations = ()
    label: Label | None = None
    speaker: Speaker = "assistant"


@dataclass(frozen=True)
class Changed:
    """What became of it, by which rule. ``id`` is the memory that holds it from now on; none if
    below the floor of confidence. ``decision_id`` is what undo takes.
    """

    id: UUID | None
    outcome: Outcome
    rule: str
    trust: Trust
    confidence: float
    superseded: tuple[UUID, ...]
    decision_id: UUID | None
    warnings: tuple[Fault, ...]


@dataclass(frozen=True)
class _Opened:
    """A memory under its scope's lock, and the turns that are cited."""

    target: Target
    cited: list[Cited]


async def correct(command: CorrectMemory, ctx: Context) -> Changed:
    """Raises NotFound, NotHeld, and InvalidInput for what says nothing new."""
    if not any((command.text, command.value, command.valid_from, command.valid_to)):
        raise InvalidInput(faults=[Fault("", "give a text, a value or a date that is right")])
    fields = ("text", "value", "detail", "metadata")
    command, secrets = await without_secrets(command, ctx, fields)
    opened = await _open(command, ctx)
    meant, right = _right(command, opened.target, ctx)
    turns = [_supporting(turn) for turn in opened.cited]
    claim = Claim(right.text, right.value, opened.target.slot)
    trust, stated = _spoken(command.speaker, grade(claim, turns))
    word = _word(
        ctx, opened, trust, ctx.policy.confidence_of(command.label, stated=stated),
        (right.text, right.value, right.detail),
    )  # fmt: skip
    warnings = (*ctx.repairs, *secrets)
    if word.confidence < ctx.policy.confidence.write_floor:
        return Changed(
            None, "rejected", "below_confidence_floor", trust, word.confidence, (), None, warnings
        )
    settled = await correct_one(ctx, opened.target, meant, right, word)
    return _answer(ctx, settled, word, warnings)


async def retract(command: RetractMemory, ctx: Context) -> Changed:
    """Raises NotFound, and NotHeld where nothing of it holds from then on."""
    opened = await _open(command, ctx)
    row = opened.target.held(ctx.now)[0]
    claim = Claim(row.text, row.value, opened.target.slot)
    turns = [_supporting(turn) for turn in opened.cited]
    analyzer = analyzer_for(ctx.language)
    trust, stated = _spoken(command.speaker, grade_retraction(claim, turns, analyzer))
    word = _word(ctx, opened, trust, ctx.policy.confidence_of(None, stated=stated), ())
    settled = await retract_one(ctx, opened.target, command.at or word.observed_at, word)
    return _answer(ctx, settled, word, tuple(ctx.repairs))


async def confirm(command: ConfirmMemory, ctx: Context) -> Changed:
    """Raises NotFound and NotHeld."""
    opened = await _open(command, ctx)
    row = opened.target.now(ctx.now)
    turns = [_supporting(turn) for turn in opened.cited]
    claim = Claim(row.text, row.value, opened.target.slot)
    trust, stated = _spoken(command.speaker, grade(claim, turns))
    confidence = ctx.policy.confidence_of(command.label, stated=stated)
    word = _word(ctx, opened, trust, confidence, ())
    settled = await confirm_one(ctx, opened.target, word)
    return _answer(ctx, settled, word, tuple(ctx.repairs))


async def _open(command: CorrectMemory | RetractMemory | ConfirmMemory, ctx: Context) -> _Opened:
    """The memory of a command, its scope locked, and the cited turns."""
    place = await find_place(ctx, command.id)
    if place.level == "org" and ctx.caller.user_id is not None:
        raise Forbidden("This key is for one user.")
    citing = _citing(command, place)
    if citing.faults:
        raise InvalidInput(faults=citing.faults)
    sources = await citing.sources(ctx)
    mark = await open_known_scope(ctx, citing.user_id, place.namespace)
    target = await target_of(ctx, mark, command.id)
    check_speaker(ctx, command.speaker, target.rows[0].kind)
    return _Opened(target, await citing.turns(ctx, sources))


def _citing(command: CorrectMemory | RetractMemory | ConfirmMemory, place: Place) -> Citing:
    user_id = place.user_id if place.level == "user" else None
    return Citing(user_id, place.namespace, command.evidence)


def _supporting(turn: Cited) -> SupportingTurn:
    return SupportingTurn(turn.role, turn.content, turn.trust)


def _spoken(speaker: Speaker, graded: tuple[Trust, bool]) -> tuple[Trust, bool]:
    return ("operator", True) if speaker == "operator" else graded


def _word(
    ctx: Context,
    opened: _Opened,
    trust: Trust,
    confidence: float,
    texts: tuple[str | None, ...],
) -> Word:
    observed = max((turn.occurred_at for turn in opened.cited), default=ctx.now)
    suspect = is_suspect(texts, trust, (turn.standing for turn in opened.cited))
    return Word(opened.cited, trust, confidence, observed, suspect, proposes(ctx))


def _right(command: CorrectMemory, target: Target, ctx: Context) -> tuple[list[KeptRow], Right]:
    """The versions that were wrong, and what is right."""
    dated = command.valid_from is not None or command.valid_to is not None
    meant = [target.now(ctx.now)] if dated else target.held(ctx.now)
    was, slot = meant[0], target.slot
    if command.value is not None and slot is None:
        raise InvalidInput(faults=[Fault("/value", "this memory has no slot")])
    value = was.value if command.value is None else command.value
    text = command.text or _reworded(was, command.value)
    if command.value is None and was.value is not None and not states(text, was.value):
        raise InvalidInput(faults=[Fault("/text", "does not state the value; give that too")])
    same = text == was.text and (slot is None or slot.key(value or "") == was.value_key)
    windows = [row.version.valid for row in meant]
    if dated:
        windows = [_window(command, was.version.valid)]
    if same and windows == [row.version.valid for row in meant]:
        raise InvalidInput(faults=[Fault("", "says nothing that is not held already")])
    return meant, Right(
        text=text,
        value=value,
        windows=windows,
        copied=command.text is None or (slot is not None and command.value is None),
        moves=same,
        detail=command.detail,
        agent_id=command.agent_id,
        metadata=command.metadata,
    )


def says(text: str, value: str) -> bool:
    """Whether a text states a value, as a correction by it needs."""
    return states(text, value)


def value_instead(was: Item, text: str) -> str | None:
    """The value that a text gives in the words in which a memory gives its own; None where it has
    other words too, or that memory has none.
    """
    return None if was.value is None else instead_of(was.text, was.value, text)


def _window(command: CorrectMemory, was: Window) -> Window:
    start = command.valid_from or was.start
    end = was.end if command.valid_to is None else command.valid_to
    if end is not None and end <= start:
        name = "/valid_from" if command.valid_to is None else "/valid_to"
        raise InvalidInput(faults=[Fault(name, "the window would end before it begins")])
    return Window(start, end)


def _reworded(was: KeptRow, value: str | None) -> str:
    """The text with a new value in the one place where it states the old one."""
    if value is None or was.value is None or value == was.value:
        return was.text
    text = restated(was.text, was.value, value)
    if text is None:
        raise InvalidInput(
            faults=[Fault("/value", "the text does not state the old one once; give that too")]
        )
    return text


def _answer(ctx: Context, settled: Settled, word: Word, warnings: tuple[Fault, ...]) -> Changed:
    ctx.trail.subjects += [settled.memory_id, *settled.superseded]
    ctx.trail.detail |= {"outcome": settled.outcome, "rule": settled.rule}
    return Changed(
        id=settled.memory_id,
        outcome=settled.outcome,
        rule=settled.rule,
        trust=word.trust,
        confidence=word.confidence,
        superseded=settled.superseded,
        decision_id=settled.decision_id,
        warnings=warnings,
    )


_ERRORS = (NotFound, NotHeld, WritesRefused)
OPERATIONS = (
    Operation(
        name="memories.correct",
        summary="Correct a memory: the record was wrong",
        command=CorrectMemory,
        result=Changed,
        handler=correct,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories/{id}/correct"),
        checks_user=True,
        proposable=True,
        errors=_ERRORS,
    ),
    Operation(
        name="memories.retract",
        summary="Take a memory back: it is so no more",
        command=RetractMemory,
        result=Changed,
        handler=retract,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories/{id}/retract"),
        checks_user=True,
        errors=_ERRORS,
    ),
    Operation(
        name="memories.confirm",
        summary="Confirm a memory: it was observed again",
        command=ConfirmMemory,
        result=Changed,
        handler=confirm,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories/{id}/confirm"),
        checks_user=True,
        errors=_ERRORS,
    ),
)
