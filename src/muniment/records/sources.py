"""Data sources by their names: what is held under any of them is held on the source."""

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.ports import Context
from muniment.records.alongside import Alongside, ask_alongside


@dataclass(frozen=True)
class SourceNames:
    """A data source: what it is called, by every name, and who answers for it."""

    canonical: str
    names: tuple[str, ...]
    owner: str | None = None


@dataclass(frozen=True)
class SourceName:
    """One of the names of a source."""

    name: str
    canonical: str
    owner: str | None


async def source_names(ctx: Context, name: str) -> SourceNames:
    """The source of this name; one that nobody defined has this name alone, and no owner."""
    return source_of(name, await ctx.unit.rows(SourceName, "source_find", name=name))


def ask_source(ctx: Context, name: str) -> Alongside[SourceName]:
    """The same, asked with the next statement; ``source_of`` reads the answer."""
    return ask_alongside(ctx, SourceName, "source_find", name=name)


def source_of(name: str, rows: Sequence[SourceName]) -> SourceNames:
    """The source of this name by what was found of it."""
    if not rows:
        return SourceNames(name, (name,))
    owners = [row.owner for row in rows if row.owner is not None]
    return SourceNames(
        rows[0].canonical, tuple(row.name for row in rows), owners[0] if owners else None
    )


async def names_of(ctx: Context, name: str | None) -> tuple[str, ...]:
    """Every name of the source of this name; none of none."""
    return () if name is None else (await source_names(ctx, name)).names
