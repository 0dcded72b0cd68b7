"""A change of a tenant's policy: checked against what is held, and carried out on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any
from uuid import UUID

from muniment.domain.overrides import (
    effective,
    keep_locks,
    longer_classes,
    shorter_classes,
    shorter_lives,
)
from muniment.domain.policy import Policy
from muniment.errors import SlotInUse
from muniment.ports import Context
from muniment.records.tenant_policy import TenantPolicy


@dataclass(frozen=True)
class Lives:
    """How many items live shorter by a change, and how many of those have expired with it."""

    shortened: int = 0
    expired: int = 0

    def __add__(self, other: "Lives") -> "Lives":
        return Lives(self.shortened + other.shortened, self.expired + other.expired)


@dataclass(frozen=True)
class Changed:
    """The policy after a change, the version of its document, and what became of what is held."""

    policy: Policy
    version: int
    lives: Lives
    recounted: int = 0


@dataclass(frozen=True)
class _Disagreement:
    subjects: int
    versions: int


@dataclass(frozen=True)
class _Scope:
    scope_id: UUID


async def put_document(ctx: Context, was: TenantPolicy, document: Mapping[str, Any]) -> Changed:
    """A new document in the place of the one that there is. Raises PolicyError.

    The caller has taken the policy and read what ``was``.
    """
    base = ctx.policy.installed
    after = effective(base, document, was.slots, was.revision + 1)
    before = was.over(base)
    keep_locks(before, after)
    version = await ctx.unit.value("policy_put", document=dumps(document), now=ctx.now)
    _tell("lengthened", longer_classes(before, after), ctx)
    _tell("shortened", shorter_classes(before, after), ctx)
    return Changed(after, version, await _shorten(ctx, before, after))


def _tell(name: str, classes: Sequence[tuple[str, str, int]], ctx: Context) -> None:
    """What becomes of the time that classes are kept, for the audit entry."""
    if classes:
        days = {f"{one}.{category}": days for one, category, days in classes}
        ctx.trail.detail.setdefault("retention", {})[name] = days


async def put_slot(
    ctx: Context, was: TenantPolicy, name: str, slots: Mapping[str, Mapping[str, Any] | None]
) -> Changed:
    """``slots`` in the place of those that there are; they differ in the slot of this name.

    Raises SlotInUse where what is held of it does not go with its cardinality, PolicyError. The
    caller has taken the policy and read what ``was``.
    """
    base = ctx.policy.installed
    after = effective(base, was.document, slots, was.revision + 1)
    recounted = await _recount(ctx, name, after)
    await ctx.unit.run("policy_put", document=None, now=ctx.now)
    if name in slots:
        definition = slots[name]
        await ctx.unit.run(
            "slot_put",
            name=name,
            definition=None if definition is None else dumps(definition),
            now=ctx.now,
            key_id=ctx.caller.key_id,
        )
    else:
        await ctx.unit.run("slot_delete", name=name)
    lives = await _shorten(ctx, was.over(base), after)
    return Changed(after, was.version, lives, recounted)


async def _recount(ctx: Context, name: str, after: Policy) -> int:
    """What is held of the slot gets its cardinality, by which the database refuses two truths."""
    slot = after.slots.get(name)
    if slot is None:
        return 0
    if slot.cardinality == "one":
        found = await ctx.unit.one(_Disagreement, "slot_disagreements", name=name, now=ctx.now)
        if found is not None and found.subjects:
            raise SlotInUse(
                f"{found.versions} values of {found.subjects} subjects hold beside others in this "
                "slot; with one value at a time they could not.",
                extra={"subjects": found.subjects, "values": found.versions},
            )
    return await ctx.unit.run("slot_recount", name=name, cardinality=slot.cardinality, now=ctx.now)


async def _shorten(ctx: Context, before: Policy, after: Policy) -> Lives:
    """What lives shorter now does so at once. What may live longer does if it is written anew."""
    lives, classes = shorter_lives(before, after), shorter_classes(before, after)
    by_class: dict[str, Any] = {
        "classes": [one[0] for one in classes],
        "categories": [one[1] for one in classes],
        "days": [one[2] for one in classes],
        "now": ctx.now,
    }
    by_kind: dict[str, Any] = {
        "kinds": [*lives["kinds"]],
        "kind_days": [*lives["kinds"].values()],
        "slots": [*lives["slots"]],
        "slot_days": [*lives["slots"].values()],
        "now": ctx.now,
    }
    affected: list[_Scope] = []
    found = Lives()
    if classes:
        found += await ctx.unit.one(Lives, "proposal_lives", **by_class) or Lives()
        affected += await ctx.unit.rows(_Scope, "lives_of_classes", **by_class)
    if lives["kinds"] or lives["slots"]:
        affected += await ctx.unit.rows(_Scope, "lives_of_kinds", **by_kind)
    scopes = {"scopes": list({row.scope_id for row in affected})}
    if not affected:
        return found
    await ctx.unit.rows(_Scope, "scopes_take", **scopes)
    await ctx.unit.run("scopes_move", now=ctx.now, **scopes)
    for query in ("event_lives", "episode_lives", "memory_version_lives"):
        found += await ctx.unit.one(Lives, query, **by_class, **scopes) or Lives()
    found += await ctx.unit.one(Lives, "memory_lives", **by_kind, **scopes) or Lives()
    await ctx.unit.run("index_lives", **scopes)
    return found
