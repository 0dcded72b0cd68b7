"""An import that waits becomes the rows of a user: all of them, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from muniment.domain.slot import defined_now
from muniment.domain.store import TooManyTexts
from muniment.domain.timeline import FIRST
from muniment.errors import Conflict, Fault, InvalidInput, Overtaken, WritesRefused
from muniment.ports import Context, ScopeMark
from muniment.records.apart import worked_out
from muniment.records.duplicates import NOT_FOUND, hashes_of
from muniment.records.index_rows import Indexed, searchable
from muniment.records.ledger import refuse_forgotten_user
from muniment.records.scopes import UserRow, follow_user
from muniment.records.sessions import enqueue_consolidation
from muniment.records.store import size_of_item, vectors_of
from muniment.records.tenant_policy import hold_policy
from muniment.records.transfers import find_transfer
from muniment.records.usage import recount_usage
from muniment.records.versions import about, indexed

_AT_ONCE = 500
_MOST_FAULTS = 20
_AHEAD = timedelta(days=1)
_BEFORE_MEMORIES = (
    "session", "event", "episode", "source", "extraction", "working", "entity", "alias", "merge",
)  # fmt: skip
_AFTER_MEMORIES = (
    "version", "evidence", "derivation", "decision", "review", "promotion", "access", "analysis",
    "file",
)  # fmt: skip


@dataclass(frozen=True)
class _Count:
    lines: int
    last: int
    heads: int
    told: int


@dataclass(frozen=True)
class _Kind:
    kind: str
    lines: int


@dataclass(frozen=True)
class _LineFault:
    line: int
    what: str


@dataclass(frozen=True)
class _Namespace:
    namespace: str
    watermark: datetime
    curated_at: datetime
    gathered_at: datetime
    summed_to: datetime


@dataclass(frozen=True)
class _Line:
    """A line; of a version, with what its memory says and whom it is about."""

    line: int
    scope_id: UUID
    record: dict[str, Any]
    text: str = ""
    kind: str = ""
    subject: str = ""
    of_self: bool = True


@dataclass(frozen=True)
class _Scope:
    scope_id: UUID


@dataclass(frozen=True)
class _Dirty:
    scope_id: UUID
    session_pk: UUID


async def let_in(
    ctx: Context, transfer_id: UUID, user_id: str, lines: int
) -> tuple[Mapping[str, int], UUID | None]:
    """Make the rows of an import of so many lines; how many of each kind, and the user's key.

    One that is done answers the same, without the key. Raises NotFound, InvalidInput with the lines
    that do not fit, Conflict where the user is known, WritesRefused where they opted out, Forgotten
    where they were forgotten.
    """
    found = await find_transfer(ctx, "in", transfer_id, user_id)
    if found.done is not None:
        return found.done, None
    hold_policy(ctx)
    user_pk = await _empty_user(ctx, transfer_id, user_id)
    found = await find_transfer(ctx, "in", transfer_id, user_id, lock=True)
    if found.done is not None:
        return found.done, None
    await _check(ctx, transfer_id, lines)
    place = {"transfer_id": transfer_id, "user_pk": user_pk}
    scopes = await _make_scopes(ctx, place)
    for kind in _BEFORE_MEMORIES:
        await ctx.unit.run(f"import_{kind}", **place)
    await _make_memories(ctx, place)
    for kind in _AFTER_MEMORIES:
        await ctx.unit.run(f"import_{kind}", **place)
    await _make_index(ctx, place)
    await _make_items(ctx, place)
    for scope_id in scopes:
        await recount_usage(ctx, scope_id)
        await ctx.quotas.check(ctx.unit, scope_id)
    for row in await ctx.unit.rows(_Dirty, "import_dirty", user_pk=user_pk):
        await enqueue_consolidation(ctx, row.scope_id, row.session_pk)
    kinds = await ctx.unit.rows(_Kind, "import_kinds", transfer_id=transfer_id)
    made = {row.kind: row.lines for row in kinds if row.kind not in {"export", "end"}}
    await ctx.unit.run("transfer_done", transfer_id=transfer_id, done=made)
    await ctx.unit.run("transfer_lines_clear", transfer_id=transfer_id)
    return made, user_pk


async def _empty_user(ctx: Context, transfer_id: UUID, user_id: str) -> UUID:
    """The user, locked, of whom nothing is held."""
    await refuse_forgotten_user(ctx, user_id)
    user = await ctx.unit.one(UserRow, "user_lock", user_id=user_id)
    if user is None:
        new = {"transfer_id": transfer_id, "user_pk": ctx.ids.new(), "user_id": user_id}
        if not await ctx.unit.run("import_user", **new):
            raise InvalidInput(faults=[Fault("/import_id", "no line tells the user")])
        user = await ctx.unit.one(UserRow, "user_lock", user_id=user_id)
        if user is None:
            raise Overtaken
        await follow_user(ctx, user.user_pk, user_id)
    elif user.opted_out_at is not None:
        raise WritesRefused("This user takes no writes.")
    if await ctx.unit.rows(_Scope, "scopes_ids_of_user", user_pk=user.user_pk):
        raise Conflict("Something is held of this user: an import does not mix with it.")
    return user.user_pk


async def _check(ctx: Context, transfer_id: UUID, lines: int) -> None:
    """Raises InvalidInput with the lines that are missing or do not fit, Conflict for taken ids."""
    place = {"transfer_id": transfer_id}
    count = await ctx.unit.one(_Count, "import_count", **place)
    if count is None or {count.lines, count.last, count.told} != {lines} or count.heads != 2:
        what = "not every line is there: the first one, the user and the end among them"
        raise InvalidInput(faults=[Fault("/lines", what)])
    faults = await ctx.unit.rows(_LineFault, "import_faults", limit=_MOST_FAULTS, **place)
    _refuse(InvalidInput, faults)
    taken = await ctx.unit.rows(_LineFault, "import_taken", limit=_MOST_FAULTS, **place)
    _refuse(Conflict, taken)


def _refuse(error: type[InvalidInput | Conflict], faults: Sequence[_LineFault]) -> None:
    if faults:
        told = [Fault("/import_id", f"line {one.line} {one.what}") for one in faults]
        raise error(f"Line {faults[0].line} {faults[0].what}.", faults=told)


async def _make_scopes(ctx: Context, place: Mapping[str, UUID]) -> list[UUID]:
    namespaces = await ctx.unit.rows(_Namespace, "import_scopes", transfer_id=place["transfer_id"])
    made: list[UUID] = []
    for one in namespaces:
        if one.watermark > ctx.now + _AHEAD:
            what = "the record is ahead of this service's clock"
            raise InvalidInput(faults=[Fault("/import_id", what)])
        columns = asdict(one)
        made.append(ctx.ids.new())
        await ctx.unit.run(
            "scope_ensure",
            scope_id=made[-1],
            level="user",
            user_pk=place["user_pk"],
            namespace=columns.pop("namespace"),
        )
        await ctx.unit.run("import_scope", scope_id=made[-1], now=ctx.now, **columns)
        # Nothing of it was here before, whatever the record says.
        ctx.trail.opened[made[-1]] = ScopeMark(made[-1], 1, 1, FIRST)
    return made


async def _make_memories(ctx: Context, place: Mapping[str, UUID]) -> None:
    """Memories, with what their like is found by as this service finds it."""
    after = 0
    while True:
        rows = await ctx.unit.rows(
            _Line, "import_lines", kind="memory", after=after, limit=_AT_ONCE, **place
        )
        if not rows:
            return
        after = rows[-1].line
        size = sum(len(row.record["text"]) for row in rows)
        hashes = await worked_out(size, partial(_hashes, ctx, rows))
        await ctx.unit.many(
            "import_memory",
            [
                {"transfer_id": place["transfer_id"], "line": row.line, "scope_id": row.scope_id}
                | one
                for row, one in zip(rows, hashes, strict=True)
            ],
        )


def _hashes(ctx: Context, rows: Sequence[_Line]) -> list[dict[str, int | None]]:
    made: list[dict[str, int | None]] = []
    for row in rows:
        of = row.record
        if of["slot"] is not None:
            made.append(dict(NOT_FOUND))
        else:
            found = hashes_of(ctx, of["kind"], of["data_source"], of["text"], of["metadata"])
            made.append(dict(found))
    return made


async def _make_index(ctx: Context, place: Mapping[str, UUID]) -> None:
    """The rows by which recall finds what came, with the vectors and stems of this service."""
    for kind, described in (("event", _event), ("episode", _episode), ("version", _version)):
        after = 0
        while True:
            rows = await _next_lines(ctx, place, kind, after)
            if not rows:
                break
            after = rows[-1].line
            entries = [described(ctx, row) for row in rows]
            size = sum(len(entry.text) for entry in entries)
            found_by = await worked_out(size, partial(_searchable, ctx, entries))
            await ctx.unit.many(
                "import_index",
                [
                    {name: value for name, value in vars(entry).items() if name not in _SPOKEN}
                    | {
                        "scope_id": row.scope_id,
                        "recorded_from": row.record["recorded_from"],
                        "recorded_to": row.record["recorded_to"],
                    }
                    | columns
                    for entry, row, columns in zip(entries, rows, found_by, strict=True)
                ],
            )


async def _make_items(ctx: Context, place: Mapping[str, UUID]) -> None:
    """The application's own items, found as this service finds them."""
    after = 0
    while rows := await _next_lines(ctx, place, "item", after):
        after = rows[-1].line
        size = sum(len(repr(row.record["value"])) for row in rows)
        made = await worked_out(size, partial(_items, ctx, rows))
        await ctx.unit.many(
            "import_item",
            [
                {"transfer_id": place["transfer_id"], "line": row.line, "scope_id": row.scope_id}
                | one
                for row, one in zip(rows, made, strict=True)
            ],
        )


def _items(ctx: Context, rows: Sequence[_Line]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for row in rows:
        of = row.record
        try:
            vectors = vectors_of(ctx, of["value"], of["fields"])
        except TooManyTexts:
            what = f"line {row.line} names too many texts of its value"
            raise InvalidInput(faults=[Fault("/import_id", what)]) from None
        made.append(vectors | {"size": size_of_item(of["path"], of["key"], of["value"])})
    return made


_SPOKEN = {"text", "speaker"}


async def _next_lines(
    ctx: Context, place: Mapping[str, UUID], kind: str, after: int
) -> Sequence[_Line]:
    page = {"after": after, "limit": _AT_ONCE}
    if kind == "version":
        return await ctx.unit.rows(_Line, "import_versions_found", **page, **place)
    return await ctx.unit.rows(_Line, "import_lines", kind=kind, **page, **place)


def _searchable(ctx: Context, entries: Sequence[Indexed]) -> list[dict[str, Any]]:
    return searchable(ctx, [(entry.text, entry.speaker) for entry in entries])


def _event(_ctx: Context, row: _Line) -> Indexed:
    of = row.record
    return Indexed(
        text=of["content"],
        speaker=of["name"] if of["content"] else None,
        group_id=of["session_pk"],
        position=of["turn"],
        tier="episodic",
        kind="event",
        standing=of["standing"],
        valid_from=of["valid_from"],
        valid_to=None,
        occurred_at=of["occurred_at"],
        expires_at=of["expires_at"],
        importance=of["importance"],
        confidence=None,
        event_id=of["event_id"],
    )


def _episode(_ctx: Context, row: _Line) -> Indexed:
    of = row.record
    return Indexed(
        text=of["text"],
        group_id=of["episode_id"],
        position=0,
        tier="episodic",
        kind="session_summary",
        standing="archived" if of["archived"] else "asserted",
        valid_from=of["valid_from"],
        valid_to=None,
        occurred_at=of["ended_at"],
        expires_at=of["expires_at"],
        importance=of["importance"],
        confidence=None,
        episode_id=of["episode_id"],
    )


def _version(ctx: Context, row: _Line) -> Indexed:
    of = row.record
    slot = defined_now(ctx.policy.slots, of["slot"], of["cardinality"])
    named = about(slot, None if row.of_self else row.subject)
    return indexed(of, f"{row.text}{named}", row.kind)
