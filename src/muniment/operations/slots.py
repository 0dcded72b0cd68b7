"""slots.*: the registry of slots, as a tenant has it (RULES 3)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from annotated_types import Ge, Le, MaxLen
from pydantic import AfterValidator, Field, TypeAdapter

from muniment.domain.overrides import Origin, origin
from muniment.domain.policy import Policy, SlotEntry
from muniment.domain.slot import Cardinality, Slot, ValueType
from muniment.domain.trust import Authority
from muniment.errors import Conflict, Fault, InvalidInput, NotFound, SlotInUse
from muniment.operations.decode import pointer
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.paging import Cursor, Cursors, cut
from muniment.operations.types import Count, Identifier, Page, Value, command
from muniment.ports import Context
from muniment.records.audit_entries import note_change
from muniment.records.policy_change import Changed, put_slot
from muniment.records.rereviews import open_rereview
from muniment.records.tenant_policy import TenantPolicy, read_policy, take_policy

_MOST_SLOTS = 200
_MOST_ALIASES = 500
_MOST_CUES = 20
_CURSORS = Cursors(tuple[Identifier])
_VALUE: TypeAdapter[str] = TypeAdapter(Value)
# Words; a star stands where the value does, behind the verb that comes first.
_CUE = re.compile(r"[\w'-]+(?: [\w'-]+){0,7}(?: \*(?: [\w'-]+){0,7})?")


def _cue(text: str) -> str:
    if len(text) > 100 or _CUE.fullmatch(text) is None:
        raise ValueError('words, and at most one star behind them: "live in *"')
    return text


def _alias(text: str) -> str:
    return _VALUE.validate_python(text)


# Without the pattern of a value: as the name of a property that would let all others through.
Alias = Annotated[str, AfterValidator(_alias), Field(json_schema_extra={"minLength": 1})]
Cue = Annotated[str, AfterValidator(_cue)]
Days = Annotated[int, Ge(1), Le(36_500)]
Weight = Annotated[int, Ge(1), Le(10)]


@command
class DefineSlot:
    """A slot as a whole: what is left out has its default, whatever was defined before.

    ``value_type`` says how values are made comparable, ``aliases`` which other spellings are one
    value; ``stale_after`` and ``ttl`` are days. A cue is how people say it: "live in *".
    """

    name: Identifier
    cardinality: Cardinality
    value_type: ValueType = "text"
    aliases: Annotated[dict[Alias, Value], MaxLen(_MOST_ALIASES)] = field(default_factory=dict)
    cues: Annotated[tuple[Cue, ...], MaxLen(_MOST_CUES)] = ()
    authority: Authority = "user"
    stale_after: Days | None = None
    ttl: Days | None = None
    pinned: bool = False
    importance: Weight = 5


@command
class ListSlots:
    """Slots by name; those that the tenant hides are there too, as ``hidden``."""

    cursor: Cursor | None = None
    limit: Page = 100


@command
class RemoveSlot:
    """Take the tenant's own definition back; without one, hide the default."""

    name: Identifier


@dataclass(frozen=True)
class SlotInfo:
    """A slot and where it comes from: a ``default``, the tenant's ``own``, one that ``overrides`` a
    default, or a default that is ``hidden``.
    """

    name: str
    origin: Origin
    cardinality: Cardinality
    value_type: ValueType
    aliases: dict[str, str]
    cues: tuple[str, ...]
    authority: Authority
    stale_after: int | None
    ttl: int | None
    pinned: bool
    importance: int


@dataclass(frozen=True)
class Slots:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[SlotInfo, ...]
    next: str | None


@dataclass(frozen=True)
class SlotChanged:
    """The slot as it is now; none if there is none any more.

    ``recounted`` versions of what is held got another cardinality, ``shortened`` items live
    shorter, and ``expired`` of them are over by that.
    """

    slot: SlotInfo | None
    recounted: Count
    shortened: Count
    expired: Count


async def define(command: DefineSlot, ctx: Context) -> SlotChanged:
    """Holds from the next call on, in every process. Raises SlotInUse where what is held does not
    go with the cardinality, Conflict where the tenant has too many slots.
    """
    was = await take_policy(ctx)
    if command.name not in was.slots and len(was.slots) >= _MOST_SLOTS:
        raise Conflict(f"A tenant defines or hides at most {_MOST_SLOTS} slots.")
    slots = dict(was.slots) | {command.name: _entry(command)}
    return await _change(ctx, was, command.name, slots, "slots.define")


async def list_slots(command: ListSlots, ctx: Context) -> Slots:
    """Of the installation and of the tenant together."""
    place = _CURSORS.read(command.cursor)
    was = await read_policy(ctx.unit)
    base, policy = ctx.policy.installed, was.over(ctx.policy.installed)
    names = sorted({*base.slots, *policy.slots})
    after = [name for name in names if place is None or name > place[0]]
    page, last = cut(after[: command.limit + 1], command.limit)
    return Slots(
        items=tuple(_info(name, policy, was) for name in page),
        next=None if last is None else _CURSORS.after((last,)),
    )


async def remove(command: RemoveSlot, ctx: Context) -> SlotChanged:
    """What is held in it stays, and is written to no more unless a default takes its place.

    Raises NotFound for a slot that is not there or hidden already, SlotInUse where what is held
    does not go with the default.
    """
    was = await take_policy(ctx)
    known = ctx.policy.installed.slots
    slots = {name: one for name, one in was.slots.items() if name != command.name}
    if command.name not in was.slots:
        if command.name not in known:
            raise NotFound("There is no such slot.")
        slots[command.name] = None
    elif was.slots[command.name] is None:
        raise NotFound("There is no such slot: it is hidden already. Define it to have it again.")
    return await _change(ctx, was, command.name, slots, "slots.remove")


async def _change(
    ctx: Context,
    was: TenantPolicy,
    name: str,
    slots: Mapping[str, Mapping[str, Any] | None],
    operation: str,
) -> SlotChanged:
    changed: Changed = await put_slot(ctx, was, name, slots)
    counts = {
        "recounted": changed.recounted,
        "shortened": changed.lives.shortened,
        "expired": changed.lives.expired,
    }
    if was.slots != slots:
        await open_rereview(ctx, "slot", operation, {"slot": name} | counts)
    note_change(ctx, f"slot:{ctx.digest(name)}", was.slots.get(name), slots.get(name))
    ctx.trail.detail |= {"slot": ctx.digest(name), "revision": changed.policy.revision} | counts
    found = changed.policy.slots.get(name)
    told = None if found is None else _told(found, origin(name, ctx.policy.installed, slots))
    return SlotChanged(slot=told, **counts)


def _entry(command: DefineSlot) -> dict[str, Any]:
    """The definition as it is stored, and as a policy document has it."""
    folded = Slot(command.name, command.cardinality)
    stands_for = {folded.key(alias): folded.key(value) for alias, value in command.aliases.items()}
    if len(stands_for) != len(command.aliases):
        raise InvalidInput(faults=[Fault("/aliases", "has two spellings of one alias")])
    chained = [
        Fault(pointer(["aliases", alias]), "stands for an alias; name the value of that one")
        for alias, value in command.aliases.items()
        if stands_for.get(folded.key(value), folded.key(value)) != folded.key(value)
    ]
    if chained:
        raise InvalidInput(faults=chained)
    names = SlotEntry.model_fields
    entry = {name: getattr(command, name) for name in names}
    return SlotEntry(**entry).model_dump(mode="json")


def _info(name: str, policy: Policy, was: TenantPolicy) -> SlotInfo:
    base = policy.installed
    slot = policy.slots.get(name) or base.slots[name]
    return _told(slot, origin(name, base, was.slots))


def _told(slot: Slot, where: Origin) -> SlotInfo:
    return SlotInfo(
        name=slot.name,
        origin=where,
        cardinality=slot.cardinality,
        value_type=slot.value_type,
        aliases=dict(slot.aliases),
        cues=slot.cues,
        authority=slot.authority,
        stale_after=None if slot.stale_after is None else slot.stale_after.days,
        ttl=None if slot.ttl is None else slot.ttl.days,
        pinned=slot.pinned,
        importance=slot.importance,
    )


OPERATIONS = (
    Operation(
        name="slots.define",
        summary="Define a slot for the tenant",
        command=DefineSlot,
        result=SlotChanged,
        handler=define,
        effect=Effect.WRITE,
        verb="operate",
        layer="governance",
        http=Http("PUT", "/v1/slots/{name}"),
        errors=(Conflict, SlotInUse),
    ),
    Operation(
        name="slots.list",
        summary="List the slots that there are, and where each comes from",
        command=ListSlots,
        result=Slots,
        handler=list_slots,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/slots"),
        columns=("items.name", "items.origin", "items.cardinality", "items.value_type"),
    ),
    Operation(
        name="slots.remove",
        summary="Take a slot's definition back, or hide a default",
        command=RemoveSlot,
        result=SlotChanged,
        handler=remove,
        effect=Effect.DESTRUCTIVE,
        verb="operate",
        layer="governance",
        http=Http("DELETE", "/v1/slots/{name}"),
        errors=(NotFound, SlotInUse),
    ),
)
