"""memories.remember: state a memory, under the rules of trust and supersession."""

from dataclasses import dataclass, field, replace
from uuid import UUID

from muniment.domain.entity import is_the_user
from muniment.domain.memory import Label
from muniment.domain.policy import Category
from muniment.domain.reconcile import Outcome
from muniment.domain.slot import Slot
from muniment.domain.trust import Trust
from muniment.errors import Fault, InvalidInput, WritesRefused
from muniment.operations.citing import (
    Citations,
    Citing,
    Speaker,
    check_speaker,
    without_secrets,
)
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.stating import Graded, Said, graded
from muniment.operations.types import (
    Identifier,
    Instant,
    Metadata,
    Statement,
    Text,
    Value,
    command,
)
from muniment.ports import Context
from muniment.records.memories import Settled, settle
from muniment.records.scopes import DEFAULT_NAMESPACE, open_scope


@command
class Remember:
    """State a memory. Without a ``user_id`` it is the organisation's, where the kind allows.

    ``text`` is one or two self-contained sentences in the third person. ``slot`` and ``value`` go
    together; ``subject`` names whom or what it is about when that is not the user. Trust follows
    from the cited turns and from who speaks (RULES 4), never from a field.
    """

    kind: Identifier
    text: Statement
    user_id: Identifier | None = None
    namespace: Identifier = DEFAULT_NAMESPACE
    subject: Identifier | None = None
    slot: Identifier | None = None
    value: Value | None = None
    detail: Text | None = None
    data_source: Identifier | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    evidence: Citations = ()
    label: Label | None = None
    speaker: Speaker = "assistant"
    agent_id: Identifier | None = None
    category: Category = "personal"
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True)
class Remembered:
    """What became of it, by which rule. ``id`` is the memory that holds it; none if rejected.

    ``trust`` and ``confidence`` are those of what was stated now. ``warnings`` name what was
    repaired, and where a secret was taken out before anything was stored.
    """

    id: UUID | None
    outcome: Outcome
    rule: str
    trust: Trust
    confidence: float
    superseded: tuple[UUID, ...]
    warnings: tuple[Fault, ...]


async def remember(command: Remember, ctx: Context) -> Remembered:
    """Bypasses the gate, never the rules of trust and supersession."""
    if command.subject is not None and is_the_user(command.subject, command.user_id):
        command = replace(command, subject=None)
    citing = Citing(command.user_id, command.namespace, command.evidence)
    slot = _checked(command, citing, ctx)
    command, secrets = await without_secrets(command, ctx, ("text", "value", "detail", "metadata"))
    sources = await citing.sources(ctx)
    mark = await open_scope(ctx, command.user_id, command.namespace)
    cited = await citing.turns(ctx, sources)
    said = graded(ctx, _said(command, slot), cited)
    if said.new is None:
        return _answer((*ctx.repairs, *secrets), None, said)
    settled = await settle(ctx, mark, said.new)
    ctx.trail.subjects += [settled.memory_id, *settled.superseded]
    ctx.trail.detail |= {"outcome": settled.outcome, "rule": settled.rule}
    return _answer((*ctx.repairs, *secrets), settled, said)


def _said(command: Remember, slot: Slot | None) -> Said:
    return Said(
        kind=command.kind,
        text=command.text,
        subject=command.subject,
        slot=slot,
        value=command.value,
        detail=command.detail,
        data_source=command.data_source,
        agent_id=command.agent_id,
        metadata=command.metadata,
        valid_from=command.valid_from,
        valid_to=command.valid_to,
        label=command.label,
        speaker=command.speaker,
        category=command.category,
    )


def _checked(command: Remember, citing: Citing, ctx: Context) -> Slot | None:
    """What the command's own fields say against the policy; the slot if it names one."""
    faults = _kind_faults(command, ctx)
    if (command.slot is None) != (command.value is None):
        faults.append(Fault("/slot", "slot and value go together"))
    slot = None
    if command.slot is not None:
        slot = ctx.policy.slots.get(command.slot)
        if slot is None:
            known = ", ".join(sorted(ctx.policy.slots))
            faults.append(Fault("/slot", f"is not a defined slot; these are: {known}"))
    bounds = command.valid_from, command.valid_to
    if bounds[0] is not None and bounds[1] is not None and bounds[1] <= bounds[0]:
        faults.append(Fault("/valid_to", "must be after valid_from"))
    faults += citing.faults
    if faults:
        raise InvalidInput(faults=faults)
    check_speaker(ctx, command.speaker, command.kind)
    return slot


def _kind_faults(command: Remember, ctx: Context) -> list[Fault]:
    kind = ctx.policy.kinds.get(command.kind)
    if kind is None or kind.layer != "semantic":
        names = sorted(name for name, one in ctx.policy.kinds.items() if one.layer == "semantic")
        return [Fault("/kind", f"is not a kind of memory; these are: {', '.join(names)}")]
    if kind.scope == "user" and command.user_id is None:
        return [Fault("/user_id", "is needed: this kind belongs to a user")]
    if kind.scope == "org" and command.user_id is not None:
        return [Fault("/user_id", "must be left out: this kind belongs to the organisation")]
    return []


def _answer(warnings: tuple[Fault, ...], settled: Settled | None, said: Graded) -> Remembered:
    if settled is None:
        return Remembered(
            None, "rejected", "below_confidence_floor", said.trust, said.confidence, (), warnings
        )
    return Remembered(
        id=None if settled.outcome == "rejected" else settled.memory_id,
        outcome=settled.outcome,
        rule=settled.rule,
        trust=said.trust,
        confidence=said.confidence,
        superseded=settled.superseded,
        warnings=warnings,
    )


OPERATIONS = (
    Operation(
        name="memories.remember",
        summary="State a memory",
        command=Remember,
        result=Remembered,
        handler=remember,
        effect=Effect.WRITE,
        verb="write",
        layer="semantic",
        http=Http("POST", "/v1/memories"),
        errors=(WritesRefused,),
        proposable=True,
    ),
)
