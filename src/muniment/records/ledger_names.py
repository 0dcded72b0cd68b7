"""What a line of the erasure ledger names, looked for in a database by its digests."""

from dataclasses import dataclass
from uuid import UUID

from muniment.domain.erasures import Entry
from muniment.ports import Context
from muniment.records.ledger import item_name, scope_name, source_name, user_name


@dataclass(frozen=True)
class _Name:
    name: str


@dataclass(frozen=True)
class NamedScope:
    """A scope, and the user whose it is."""

    scope_id: UUID
    user_id: str | None


@dataclass(frozen=True)
class NamedItem:
    """A turn, summary, memory or session."""

    id: UUID
    is_session: bool


async def user_in(ctx: Context, key: bytes, entry: Entry) -> str | None:
    """The user that an entry names, if they are there."""
    for row in await ctx.unit.rows(_Name, "user_names"):
        if user_name(key, entry.tenant_id, row.name) == entry.name:
            return row.name
    return None


async def scope_in(ctx: Context, key: bytes, entry: Entry) -> NamedScope | None:
    """The scope that an entry names, if it is there."""
    for row in await ctx.unit.rows(NamedScope, "scopes_all"):
        if scope_name(key, entry.tenant_id, row.scope_id) == entry.scope:
            return row
    return None


async def items_in(ctx: Context, key: bytes, entry: Entry, scope: NamedScope) -> list[NamedItem]:
    """What of the items that an entry names is in its scope."""
    wanted = set(entry.items)
    rows = await ctx.unit.rows(NamedItem, "scope_items", scope_id=scope.scope_id)
    return [row for row in rows if item_name(key, entry.tenant_id, row.id) in wanted]


async def sources_in(ctx: Context, key: bytes, entry: Entry) -> list[str]:
    """The names that an entry has for a source of data, as far as they are known here; in its
    order.
    """
    rows = await ctx.unit.rows(_Name, "source_names")
    found = {source_name(key, entry.tenant_id, row.name): row.name for row in rows}
    return [found[item] for item in entry.items if item in found]
