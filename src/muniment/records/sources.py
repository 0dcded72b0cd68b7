"""Data sources by their names: what is held under any of them is held on the source."""

from dataclasses import dataclass

from muniment.ports import Context


@dataclass(frozen=True)
class SourceNames:
    """A data source: what it is called, by every name, and who answers for it."""

    canonical: str
    names: tuple[str, ...]
    owner: str | None = None


@dataclass(frozen=True)
class _Named:
    name: str
    canonical: str
    owner: str | None


async def source_names(ctx: Context, name: str) -> SourceNames:
    """The source of this name; one that nobody defined has this name alone, and no owner."""
    rows = await ctx.unit.rows(_Named, "source_find", name=name)
    if not rows:
        return SourceNames(name, (name,))
    owners = [row.owner for row in rows if row.owner is not None]
    return SourceNames(
        rows[0].canonical, tuple(row.name for row in rows), owners[0] if owners else None
    )


async def names_of(ctx: Context, name: str | None) -> tuple[str, ...]:
    """Every name of the source of this name; none of none."""
    return () if name is None else (await source_names(ctx, name)).names
