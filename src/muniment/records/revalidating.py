"""What a report says of what was found before: confirmed, replaced, or gone (RULES 2.3, 13.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from muniment.domain.reconcile import Plan
from muniment.domain.retract import replace_named, stands_beside
from muniment.errors import NotFound, NotHeld
from muniment.ports import Context, ScopeMark
from muniment.records.changing import Target, Word, confirm_one, retract_one
from muniment.records.duplicates import said_before
from muniment.records.gone import ONCE, noted_alone
from muniment.records.held import KeptRow, rows_of_memory
from muniment.records.memories import Settled, carry_out, settle, subject_of
from muniment.records.sources import SourceNames
from muniment.records.versions import NewMemory

REPORTED = ("finding", "data_quality")


@dataclass(frozen=True)
class Prior:
    """A finding or a fault of the data that a report is about, under its scope's lock.

    ``rows`` are those of its versions that hold, or did until their time was over, within its
    grace.
    """

    target: Target
    rows: Sequence[KeptRow]

    @property
    def row(self) -> KeptRow:
        """The version that a report speaks of."""
        return self.rows[-1]


async def prior_of(ctx: Context, mark: ScopeMark, memory_id: UUID, source: SourceNames) -> Prior:
    """Raises NotFound for what is not held on the source, NotHeld for what ended."""
    rows = await rows_of_memory(ctx, mark.scope_id, memory_id)
    if not rows or rows[0].kind not in REPORTED or rows[0].data_source not in source.names:
        raise NotFound("There is no such finding or fault on this data source.")
    held = [
        row
        for row in rows
        if row.is_open
        and row.standing != "quarantined"
        and not row.retracted
        and row.version.valid.holds(ctx.now)
        and not _past_grace(ctx, row.kind, row.expires_at)
    ]
    if not held:
        raise NotHeld("Nothing of this memory is held any more; its history says why.")
    return Prior(Target(mark, rows, None), held)


async def was_over(ctx: Context, mark: ScopeMark, new: NewMemory) -> bool:
    """Whether the time of what is reported, and its grace, were over before anybody heard of it;
    what is held and says the same is observed once more by it all the same.
    """
    expires_at = ctx.policy.expiry(new.kind, new.slot, new.observed_at)
    if new.apart is not None or not _past_grace(ctx, new.kind, expires_at):
        return False
    alike = await said_before(ctx, mark, await subject_of(ctx, mark, new.subject), new)
    return not any(row.expires_at is None or row.expires_at > ctx.now for row in alike.held)


def _past_grace(ctx: Context, kind: str, expires_at: datetime | None) -> bool:
    grace = timedelta(days=ctx.policy.kinds[kind].grace)
    return expires_at is not None and expires_at + grace <= ctx.now


async def confirm_prior(ctx: Context, prior: Prior, word: Word, said: NewMemory) -> Settled:
    """Observed again: its evidence counts, and its time begins anew by what is seen later. A fault
    of the data may recur by that (RULES 8.4), as if it were told again (``said``).
    """
    if prior.row.kind == "data_quality" and prior.row.live(ctx.now):
        return await settle(ctx, prior.target.mark, said)
    return await confirm_one(ctx, prior.target, word, prior.row)


async def replace_prior(ctx: Context, prior: Prior, new: NewMemory) -> Settled | None:
    """The new finding in the place of the old one; None if both say the same.

    What reads like an instruction replaces nothing. Where something else says the new one already,
    that is reinforced, and the old one ends. Nobody alone ends a fault that two observed: the new
    one stands beside it.
    """
    mark = prior.target.mark
    if new.suspect:
        return await settle(ctx, mark, new)
    subject_id = await subject_of(ctx, mark, new.subject)
    alike = await said_before(ctx, mark, subject_id, new)
    if new.text == prior.row.text or prior.row.memory_id in {row.memory_id for row in alike.held}:
        return None
    if any(row.standing == "asserted" for row in alike.held):
        return await settle(ctx, mark, new)
    plan = replace_named(new.candidate, [row.version for row in prior.rows])
    if await noted_alone(ctx, mark.scope_id, prior.rows, new.trust):
        plan = stands_beside(new.candidate, prior.row.memory_id, ONCE)
    if alike.held and plan.standing == "contested":
        again = alike.held[0].memory_id
        plan = Plan("reinforced", plan.rule, reinforces=again, incumbent=plan.incumbent)
    return await carry_out(ctx, mark, subject_id, new, plan, prior.rows)


async def end_prior(ctx: Context, prior: Prior, at: datetime, word: Word) -> Settled:
    """It holds no more from a moment on. A lower grade ends nothing, nor does one principal alone
    what binds by two.
    """
    return await retract_one(ctx, prior.target, at, word, prior.rows)


async def begun_anew(ctx: Context, prior: Prior) -> bool:
    """Whether what was just said of a memory makes it last longer: what was seen before it was last
    seen does not, nor a word of a lower grade, nor any where the kind is not refreshed.
    """
    was, scope_id = prior.row.expires_at, prior.target.mark.scope_id
    rows = await rows_of_memory(ctx, scope_id, prior.row.memory_id)
    lasts = [row.expires_at for row in rows if row.is_open and row.expires_at is not None]
    return was is not None and any(until > was for until in lasts)


async def confirmations(ctx: Context, scope_id: UUID, memory_id: UUID) -> int:
    """How often a memory was observed."""
    return int(
        await ctx.unit.value("confirmations_of", scope_id=scope_id, memory_id=memory_id) or 0
    )
