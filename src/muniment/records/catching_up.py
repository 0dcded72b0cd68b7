"""A database that is behind the erasure ledger carries out what it has not: one that was restored,
or whose process died between the ledger and its commit (RULES 15.4).
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.domain.erasures import (
    Entry,
    Reading,
    line_of,
    pending,
    read_ledger,
    with_lines,
)
from muniment.errors import StartRefused
from muniment.ports import Caller, Context, Unit, World
from muniment.records.audit_entries import write_entry
from muniment.records.erasure import (
    Counts,
    count_extent,
    erase_parts,
    erase_user,
    extent_of_parts,
    extent_of_user,
)
from muniment.records.holds import kept_back, not_held
from muniment.records.holds_again import place_again, release_again, widen_again
from muniment.records.ledger import LedgerLine, Taken, end_forgets, ledger_lines, lock_name
from muniment.records.ledger_names import items_in, scope_in, user_in
from muniment.records.receipts import verified, write_receipt
from muniment.records.scopes import lock_scope
from muniment.records.tenant_policy import held_policy

_RECEIPTS = frozenset({"user", "session", "source", "items", "filter"})
_CURE = (
    "Put the ledger of this installation there, or set MUNIMENT_ERASURE_LEDGER_FILE to where it "
    "is. Without one, what was forgotten since a restored backup was made comes back."
)


@dataclass(frozen=True)
class CaughtUp:
    """How many lines were carried out, and how many the ledger had lost and has again."""

    carried_out: int
    written_again: int


async def open_ledger(world: World) -> None:
    """Begin the ledger if there is none. Raises Unavailable where it cannot be written, or is that
    of another installation: no forget would be done.
    """
    await world.ledger.begin(await _key(world))


async def catch_up(world: World) -> CaughtUp:
    """Carry out every line of the ledger that the database has not, before it serves.

    Raises StartRefused for a ledger that cannot be read, is damaged, is of another installation, or
    lost lines that this database does not have.
    """
    key = await _key(world)
    known = await _known(world)
    lines = [one.line for one in known]
    reading = read_ledger(key, _text(world))
    again = lost_lines(key, reading, lines)
    if again or not reading.whole:
        await world.ledger.mend(key, lines)
        reading = read_ledger(key, _text(world))
    entries: dict[UUID, list[Entry]] = defaultdict(list)
    for entry in reading.entries:
        entries[entry.tenant_id].append(entry)
    done = 0
    for tenant_id, own in entries.items():
        if await _is_there(world, tenant_id):
            done += await _catch_up(world, key, own, {one.entry_id for one in known})
    return CaughtUp(done, again)


async def mend_ledger(world: World) -> int:
    """Write lines again that the database has and the ledger lost; how many. The database is the
    one that wrote it: nothing else is missing. Raises StartRefused as ``catch_up``, Unavailable.
    """
    key = await _key(world)
    _refuse(read_ledger(key, _text(world)))
    return await world.ledger.mend(key, [one.line for one in await _known(world)])


def lost_lines(key: bytes, reading: Reading, lines: Sequence[str]) -> int:
    """How many lines of a database its ledger has not. Raises StartRefused for a ledger that
    is damaged, or lost more than these.
    """
    _refuse(reading)
    lost = len(with_lines(key, reading, lines)) - len(reading.entries)
    if reading.missing > lost:
        problem = f"{reading.missing - lost} lines of the erasure ledger are missing."
        raise StartRefused(problem, cure=_CURE)
    if reading.broken and not lost:
        raise StartRefused("Lines of the erasure ledger were moved or taken out.", cure=_CURE)
    return lost


def _text(world: World) -> str:
    try:
        return world.ledger.text()
    except OSError as error:
        problem = f"The erasure ledger cannot be read: {error.strerror}."
        raise StartRefused(problem, cure="Let this user read and write it.") from error


def _refuse(reading: Reading) -> None:
    if reading.foreign:
        raise StartRefused("The erasure ledger is that of another installation.", cure=_CURE)
    if reading.damaged:
        lines = ", ".join(map(str, reading.damaged[:5]))
        raise StartRefused(f"The erasure ledger is damaged in line {lines}.", cure=_CURE)


async def _key(world: World) -> bytes:
    async with world.units.open(UUID(int=0), reading=True) as unit:
        return bytes.fromhex(await unit.value("erasure_key"))


async def _is_there(world: World, tenant_id: UUID) -> bool:
    async with world.units.open(tenant_id, reading=True) as unit:
        return bool(await unit.value("tenant_is_there"))


async def _known(world: World) -> list[LedgerLine]:
    async with world.units.open(UUID(int=0), reading=True) as unit:
        return await ledger_lines(unit)


async def _catch_up(
    world: World, key: bytes, entries: Sequence[Entry], known: Collection[UUID]
) -> int:
    carried = 0
    for entry in pending(entries, known):
        async with world.units.open(entry.tenant_id) as unit:
            carried += await _carry_out(await _context(world, unit, entry), key, entry)
            world.drill.reached("ledger.carrying_out")
    return carried


async def _context(world: World, unit: Unit, entry: Entry) -> Context:
    """Whoever asked for the erasure; the rest of what they were is not known."""
    caller = Caller(
        tenant_id=entry.tenant_id, key_id=entry.key_id, principal="ledger", verbs=frozenset(),
        layers=frozenset(), roles=frozenset(), user_id=None,
    )  # fmt: skip
    return Context.of(
        world,
        policy=await held_policy(world, unit),
        caller=caller,
        now=world.clock.now(),
        unit=unit,
        request_id="ledger",
    )


async def _carry_out(ctx: Context, key: bytes, entry: Entry) -> int:
    """One entry in a transaction; 0 if another process was first."""
    line = line_of(key, entry)
    given = {"entry_id": entry.entry_id, "name_key": entry.closes, "line": line}
    if not await ctx.unit.run("erasure_insert", **given):
        return 0
    told: dict[str, Any] = {"target": entry.target}
    if entry.step == "reopen":
        ctx.trail.subjects += await end_forgets(ctx, entry.name)
    elif entry.step == "hold":
        await place_again(ctx, key, entry)
    elif entry.step == "widen":
        await widen_again(ctx, key, entry)
    elif entry.step == "release":
        await release_again(ctx, key, entry)
    else:
        told["counts"] = await _erase(ctx, key, entry)
    ctx.trail.subjects.append(entry.entry_id)
    await write_entry(ctx, f"ledger.{entry.step}", "destructive", ctx.trail.subjects, told)
    return 1


async def _erase(ctx: Context, key: bytes, entry: Entry) -> Counts:
    """What went at once, by table."""
    await ctx.unit.value("receipt_begin", receipt_id=entry.entry_id)
    step = _erase_user if entry.step == "user" else _erase_parts
    counts, taken = await step(ctx, key, entry)
    held = await kept_back(ctx, entry.entry_id)
    gone = not_held(counts, held)
    if entry.target in _RECEIPTS:
        await write_receipt(
            ctx,
            entry.entry_id,
            entry.target,
            gone,
            hidden_at=min(entry.at, ctx.now),
            verification=await verified(ctx, taken),
            held=held,
        )
    return gone


async def _erase_user(ctx: Context, key: bytes, entry: Entry) -> tuple[Any, Taken]:
    name = await user_in(ctx, key, entry)
    if name is None:
        return {}, Taken()
    await lock_name(ctx, name)
    user = await extent_of_user(ctx, name, lock=True)
    counts = await count_extent(ctx, user.extent, user)
    await erase_user(ctx, user)
    return counts, user.taken


async def _erase_parts(ctx: Context, key: bytes, entry: Entry) -> tuple[Any, Taken]:
    scope = await scope_in(ctx, key, entry)
    if scope is None:
        return {}, Taken()
    await lock_scope(ctx, scope.scope_id)
    found = await items_in(ctx, key, entry, scope)
    sessions = [row.id for row in found if row.is_session]
    items = [row.id for row in found if not row.is_session]
    extent = await extent_of_parts(ctx, scope.scope_id, sessions, items, lock=True)
    counts = await count_extent(ctx, extent)
    await erase_parts(ctx, scope.scope_id, scope.user_id, extent)
    return counts, extent.taken_in(scope.scope_id, None)
