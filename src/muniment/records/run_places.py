"""In which scopes runs lie: a statement that names the scope reads one partition instead of all."""

from uuid import UUID

from muniment.domain.latest import Latest
from muniment.ports import Context


class KnownPlaces:
    """Implements ``ports.Places``: of the runs that were last asked for, and what checkpoints left
    of those that were last written.
    """

    def __init__(self, most: int = 100_000, most_left: int = 1_000) -> None:
        self._known: Latest[tuple[UUID, UUID], UUID] = Latest(most)
        self._left: Latest[tuple[UUID, UUID], object] = Latest(most_left)

    def of(self, tenant_id: UUID, run_id: UUID) -> UUID | None:
        """The scope of a run, if it is known."""
        if (tenant_id, run_id) in self._known:
            self._known.move_to_end((tenant_id, run_id))
        return self._known.get((tenant_id, run_id))

    def note(self, tenant_id: UUID, run_id: UUID, scope_id: UUID) -> None:
        """Remember where a run lies."""
        self._known.put((tenant_id, run_id), scope_id)

    def left(self, tenant_id: UUID, run_id: UUID) -> object | None:
        """What a checkpoint left of the run."""
        return self._left.get((tenant_id, run_id))

    def leave(self, tenant_id: UUID, run_id: UUID, what: object | None) -> None:
        """Remember that, or nothing more."""
        self._left.put((tenant_id, run_id), what)


async def place_of(ctx: Context, run_id: UUID) -> UUID | None:
    """The scope of a run, also of one that was known here and has gone; None where none is."""
    known = ctx.places.of(ctx.unit.tenant_id, run_id)
    if known is not None:
        return known
    found: UUID | None = await ctx.unit.value("run_scope", run_id=run_id)
    if found is not None:
        ctx.places.note(ctx.unit.tenant_id, run_id, found)
    return found
