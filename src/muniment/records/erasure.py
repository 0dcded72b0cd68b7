"""Forgetting: what rests on a target, counted and then deleted with all that derives from it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID

from muniment.domain.filter import Predicate
from muniment.ports import Context, ScopeMark, ScopeRow
from muniment.records.derived import Derived, Losing, derived_from, scopes_resting, write_derived
from muniment.records.gathering import gathered_behind, give_back
from muniment.records.holds import cover
from muniment.records.knowledge import DocumentVersion, documents_among
from muniment.records.ledger import Taken
from muniment.records.scopes import UserRow, find_user, lock_scope, scope_mark
from muniment.records.sessions import enqueue_consolidation
from muniment.records.taking_back import settle_disputes
from muniment.records.tenant_policy import hold_policy
from muniment.records.transfers import erase_transfers
from muniment.records.usage import recount_usage

Counts = Mapping[str, int]


@dataclass(frozen=True)
class Extent:
    """Everything that a forget takes: whole scopes of a user, or parts of one scope.

    ``memories`` go, by scope; of those in ``derived`` some stay, without what they lose.
    ``requoted`` sessions get their summary anew.
    """

    losing: Losing
    episodes: Sequence[UUID] = ()
    documents: Sequence[DocumentVersion] = ()
    memories: Mapping[UUID, Sequence[UUID]] = field(default_factory=dict)
    derived: Sequence[Derived] = ()
    requoted: frozenset[UUID] = frozenset()
    analyses: Sequence[UUID] = ()

    @property
    def places(self) -> list[UUID]:
        """Scopes that lose something and stay, in the order of locking behind the target's."""
        found = {*self.memories, *(one.scope_id for one in self.derived)}
        own = set(self.losing.scopes)
        return sorted(found - own if self.losing.whole else found | own)

    @property
    def memory_ids(self) -> list[UUID]:
        """Memories that go, of every scope."""
        return [one for ids in self.memories.values() for one in ids]

    @property
    def dropped(self) -> list[UUID]:
        """Versions that go of memories that stay."""
        return [version for one in self.derived for version in one.dropped]

    @property
    def document_ids(self) -> list[UUID]:
        """Documents that go."""
        return [one.id for one in self.documents]

    @property
    def named(self) -> list[list[str]]:
        """Ids of all that goes or changes, whole scopes by themselves: the same for the same. A
        document has one id through its versions, so these are named, too.
        """
        documents = [f"{one.id} {one.version}" for one in self.documents]
        derived = [one.memory_id for one in self.derived]
        found = (
            self.losing.scopes, self.losing.sessions, self.losing.events, self.episodes, documents,
            self.memory_ids, derived, self.analyses,
        )  # fmt: skip
        return [sorted(str(one) for one in ids) for ids in found]

    @property
    def parts_of(self) -> Sequence[UUID]:
        """The scopes of which something goes or changes."""
        losing = self.losing
        parts = (
            losing.sessions, losing.events, self.episodes, self.documents, self.memory_ids,
            self.derived, self.analyses,
        )  # fmt: skip
        return losing.scopes if losing.whole or any(parts) else ()

    def taken_in(self, scope_id: UUID, session: str | None) -> Taken:
        """What goes with parts of a scope."""
        losing = self.losing
        ids = [*losing.sessions, *losing.events, *self.episodes, *self.document_ids]
        ids += [*self.memory_ids, *self.analyses, *self.dropped]
        return Taken(ids, [scope_id, *self.places], scope_id=scope_id, session=session)


@dataclass(frozen=True)
class _Count:
    name: str
    rows: int


@dataclass(frozen=True)
class _InSession:
    id: UUID
    session_pk: UUID


@dataclass(frozen=True)
class _Turn:
    id: UUID
    session_pk: UUID
    summarised: bool


@dataclass(frozen=True)
class _InScope:
    scope_id: UUID
    memory_id: UUID


@dataclass(frozen=True)
class _Session:
    session_pk: UUID


@dataclass(frozen=True)
class _Scope:
    scope_id: UUID


@dataclass(frozen=True)
class _Item:
    id: UUID


@dataclass(frozen=True)
class User:
    """A person as a forget takes them; one of whom nothing was written has no ``user_pk``."""

    user_id: str
    user_pk: UUID | None
    extent: Extent
    versions: Sequence[int] = ()
    """Of their scopes: another one where anything was written since."""

    @property
    def taken(self) -> Taken:
        """What goes with the user."""
        scopes, own = self.extent.losing.scopes, [] if self.user_pk is None else [self.user_pk]
        ids = [*own, *scopes, *self.extent.memory_ids, *self.extent.dropped]
        return Taken(ids, [*scopes, *self.extent.places], user_id=self.user_id)


async def extent_of_user(ctx: Context, user_id: str, *, lock: bool) -> User:
    """What forgetting a user takes; locked against writers until the transaction ends, if asked."""
    if lock:
        hold_policy(ctx)
        user = await ctx.unit.one(UserRow, "user_lock", user_id=user_id)
    else:
        user = await find_user(ctx, user_id)
    if user is None:
        return User(user_id, None, Extent(Losing((), whole=True)))
    query = "scopes_of_user_lock" if lock else "scopes_of_user"
    scopes = await ctx.unit.rows(ScopeRow, query, user_pk=user.user_pk)
    losing = Losing([row.scope_id for row in scopes], whole=True, identifiers=(user_id,))
    versions = [row.version for row in scopes]
    return User(user_id, user.user_pk, await _extent(ctx, losing, lock=lock), versions)


async def sessions_named(ctx: Context, scope_id: UUID, session_id: str) -> list[UUID]:
    """The session of this name, if there is one."""
    rows = await ctx.unit.rows(
        _Session, "erasure_sessions", scope_id=scope_id, session_id=session_id
    )
    return [row.session_pk for row in rows]


async def scopes_with_source(ctx: Context, names: Sequence[str]) -> list[UUID]:
    """Every scope with something of a source, in the order in which scopes are locked."""
    rows = await ctx.unit.rows(_Scope, "erasure_scopes_of_source", names=list(names))
    return [row.scope_id for row in rows]


async def items_matching(ctx: Context, scope_id: UUID, predicate: Predicate) -> list[UUID]:
    """Every item that a filter admits, of any standing and in any of its versions."""
    rows = await ctx.unit.rows(
        _Item,
        "erasure_matching",
        scope_id=scope_id,
        path=predicate.path,
        variables=predicate.json,
    )
    return [row.id for row in rows]


async def extent_of_parts(
    ctx: Context,
    scope_id: UUID,
    sessions: Sequence[UUID],
    items: Sequence[UUID],
    *,
    lock: bool,
    sources: Sequence[str] = (),
) -> Extent:
    """What forgetting sessions, items or a source, by its names, of a scope takes. Who erases holds
    the scope's lock.
    """
    target = {"scope_id": scope_id, "items": list(items)}
    turns = await ctx.unit.rows(_Turn, "erasure_events", sessions=list(sessions), **target)
    events = [row.id for row in turns]
    requoted = {row.session_pk for row in turns if row.summarised} - set(sessions)
    episodes = await ctx.unit.rows(
        _InSession, "erasure_episodes", losing=[*requoted, *sessions], events=events, **target
    )
    named = await ctx.unit.rows(_InScope, "erasure_named", **target)
    analyses = await ctx.unit.rows(_Item, "erasure_analyses", names=list(sources), **target)
    losing = Losing([scope_id], sessions=list(sessions), events=events)
    extent = await _extent(
        ctx,
        losing,
        named=named,
        episodes=[row.id for row in episodes],
        documents=await documents_among(ctx, scope_id, items),
        requoted=frozenset(requoted),
        lock=lock,
    )
    return replace(extent, analyses=[row.id for row in analyses])


async def _extent(
    ctx: Context,
    losing: Losing,
    *,
    lock: bool,
    named: Sequence[_InScope] = (),
    episodes: Sequence[UUID] = (),
    documents: Sequence[DocumentVersion] = (),
    requoted: frozenset[UUID] = frozenset(),
) -> Extent:
    """What rests on the evidence that goes; its scopes are locked before that is worked out."""
    if lock:
        for place in await scopes_resting(ctx, losing):
            await lock_scope(ctx, place)
    derived = await derived_from(ctx, losing)
    gone = [(row.scope_id, row.memory_id) for row in named]
    gone += [(one.scope_id, one.memory_id) for one in derived if not one.grades]
    made = await ctx.unit.rows(
        _InScope,
        "erasure_derivations",
        places=list({scope_id for scope_id, _ in gone}),
        memories=[memory_id for _, memory_id in gone],
    )
    gone += [(row.scope_id, row.memory_id) for row in made]
    memories: dict[UUID, list[UUID]] = defaultdict(list)
    for scope_id, memory_id in dict.fromkeys(gone):
        memories[scope_id].append(memory_id)
    staying = [one for one in derived if (one.scope_id, one.memory_id) not in set(gone)]
    return Extent(losing, episodes, documents, dict(memories), staying, requoted)


async def count_extent(ctx: Context, extent: Extent, user: User | None = None) -> Counts:
    """Rows by table that erasing the extent deletes; of keys, those that it ends."""
    losing = extent.losing
    rows = await ctx.unit.rows(
        _Count,
        "erasure_counts",
        user_pk=None if user is None else user.user_pk,
        user_id=None if user is None else user.user_id,
        user_key=None if user is None else ctx.digest(user.user_id),
        whole=list(losing.scopes) if losing.whole else [],
        places=extent.places,
        sessions=list(losing.sessions),
        events=list(losing.events),
        episodes=list(extent.episodes),
        analyses=list(extent.analyses),
        documents=extent.document_ids,
        memories=extent.memory_ids,
        versions=extent.dropped,
        derived=[one.memory_id for one in extent.derived],
        losing=list(extent.parts_of),
    )
    found = {row.name: row.rows for row in rows}
    if user is not None and ctx.schema.keeps_answers:
        found["idempotency"] = await ctx.unit.value("idempotency_of_user", user_id=user.user_id)
    return {name: count for name, count in found.items() if count}


async def erase_user(ctx: Context, user: User) -> None:
    """Delete a user with everything of theirs, and what elsewhere rests on them.

    Answers and keys go last: who wrote until the locks were taken has committed by then.
    """
    extent = user.extent
    await cover(ctx, [*extent.losing.scopes, *extent.places])
    for place in extent.places:
        await _erase_in(ctx, await scope_mark(ctx, place), extent)
    for scope_id in extent.losing.scopes:
        await ctx.unit.run("erase_scope", scope_id=scope_id)
        ctx.unit.after_commit(partial(ctx.indexes.discard, ctx.unit.tenant_id, scope_id))
    if user.user_pk is not None:
        await ctx.unit.run("erase_user", user_pk=user.user_pk)
        await ctx.unit.run("hold_nameless", user_pk=user.user_pk)
    for place in extent.places:
        await recount_usage(ctx, place)
    await ctx.unit.run("erase_recalls_of_user", user_key=ctx.digest(user.user_id))
    await ctx.unit.run("transfer_erase", user_id=user.user_id)
    await ctx.unit.run("erase_keys_of_user", user_id=user.user_id, now=ctx.now)
    if ctx.schema.keeps_answers:
        await ctx.unit.run("idempotency_forget_user", user_id=user.user_id)
    await ctx.unit.run("erase_jobs", scopes=list(extent.losing.scopes), sessions=[])


async def erase_parts(ctx: Context, scope_id: UUID, user_id: str | None, extent: Extent) -> None:
    """Delete parts of a scope; summaries that may rest on an erased turn are made anew.

    The caller took the scope's lock before it worked out the extent.
    """
    losing = extent.losing
    sessions, events = list(losing.sessions), list(losing.events)
    items = [*events, *extent.episodes]
    await cover(ctx, [scope_id, *extent.places])
    if extent.parts_of:
        await erase_transfers(ctx, scope_id)
    await ctx.unit.run("erase_access", scope_id=scope_id, items=items)
    await ctx.unit.run("erase_evidence", scope_id=scope_id, events=events)
    await ctx.unit.run("erase_extractions", scope_id=scope_id, events=events)
    await ctx.unit.run("erase_recalls", scope_id=scope_id, sessions=sessions)
    await ctx.unit.run("erase_analyses", scope_id=scope_id, analyses=list(extent.analyses))
    await ctx.unit.run("erase_sessions", scope_id=scope_id, sessions=sessions)
    await ctx.unit.run("erase_episodes", scope_id=scope_id, episodes=list(extent.episodes))
    await ctx.unit.run("document_delete", scope_id=scope_id, documents=extent.document_ids)
    await ctx.unit.run("erase_turns", scope_id=scope_id, events=events)
    await ctx.unit.run("erase_events", scope_id=scope_id, events=events)
    for place in extent.places:
        await _erase_in(ctx, await scope_mark(ctx, place), extent)
        await recount_usage(ctx, place)
    if sessions:
        await ctx.unit.run("erase_jobs", scopes=[], sessions=sessions)
        if user_id is not None and ctx.schema.keeps_answers:
            await ctx.unit.run("idempotency_forget_sessions", user_id=user_id)
    if ctx.schema.keeps_answers:
        named = [*sessions, *extent.document_ids, *extent.analyses]
        await ctx.unit.run("idempotency_forget_ids", ids=named)
    mark = await scope_mark(ctx, scope_id)
    for session_pk in sorted(extent.requoted):
        await ctx.unit.run(
            "session_dirty", scope_id=scope_id, session_pk=session_pk, at=mark.watermark
        )
        await enqueue_consolidation(ctx, scope_id, session_pk)


async def _erase_in(ctx: Context, mark: ScopeMark, extent: Extent) -> None:
    """Delete the memories of one scope that go, and write down what stays of the others."""
    scope_id = mark.scope_id
    ids = list(extent.memories.get(scope_id, ()))
    derived = [one for one in extent.derived if one.scope_id == scope_id]
    dropped = [version for one in derived for version in one.dropped]
    behind = await gathered_behind(ctx, scope_id, ids)
    if ids or dropped:
        await ctx.unit.run("forget_versions", scope_id=scope_id, memories=ids, versions=dropped)
    await ctx.unit.run("erase_memories", scope_id=scope_id, memories=ids)
    await ctx.unit.run("erase_access", scope_id=scope_id, items=ids)
    await ctx.unit.run("erase_nameless", scope_id=scope_id)
    await ctx.unit.run(
        "erase_reviews", scope_id=scope_id, memories=[one.memory_id for one in derived]
    )
    await write_derived(ctx, mark, derived)
    await give_back(ctx, mark, behind)
    await settle_disputes(ctx, mark)
    await ctx.unit.run("scope_rebuilt", scope_id=scope_id)
    ctx.unit.after_commit(partial(ctx.indexes.discard, ctx.unit.tenant_id, scope_id))
