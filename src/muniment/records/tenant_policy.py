"""The policy of a tenant: what it changes, by revision, and how a change keeps writers out.

Writers of a scope hold the policy shared until they commit; a change takes it alone. So nobody
writes by a policy that was changed, and a change sees all that was written by the one before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.domain.embedding import Embedding
from muniment.domain.latest import Latest
from muniment.domain.overrides import still_effective
from muniment.domain.policy import Policy
from muniment.errors import Overtaken
from muniment.ports import Context, Unit, World


@dataclass(frozen=True)
class TenantPolicy:
    """What a tenant changes. ``version`` counts changes of the ``document``, ``revision`` those of
    the slots too.
    """

    revision: int = 0
    version: int = 0
    changed_at: datetime | None = None
    document: Mapping[str, Any] = field(default_factory=dict)
    slots: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    embedding: Mapping[str, Any] | None = None

    def over(self, base: Policy) -> Policy:
        """The policy that holds for the tenant."""
        if not self.revision:
            return base
        made = still_effective(base, self.document, self.slots, self.revision)
        return replace(made, embedding=Embedding.read(self.embedding))


@dataclass(frozen=True)
class _Revision:
    revision: int


@dataclass(frozen=True)
class _Held:
    held: str


class KnownPolicies:
    """Implements ``ports.Policies``: those of the tenants that were last asked for."""

    def __init__(self, most: int = 1_000) -> None:
        self._known: Latest[UUID, tuple[Policy, Policy]] = Latest(most)

    async def of(self, unit: Unit, base: Policy, revision: int) -> Policy:
        """The tenant's policy at ``revision``, or at a later one that the unit finds."""
        if not revision:
            return base
        known = self._known.get(unit.tenant_id)
        if known is None or known[0] is not base or known[1].revision != revision:
            known = base, (await read_policy(unit)).over(base)
        self._known.put(unit.tenant_id, known)
        return known[1]


async def read_policy(unit: Unit) -> TenantPolicy:
    """What the tenant changes, as the database has it now."""
    return await unit.one(TenantPolicy, "policy_read") or TenantPolicy()


async def take_policy(ctx: Context) -> TenantPolicy:
    """Keep every writer of the tenant out until the transaction ends, and read what there is."""
    await ctx.unit.value("policy_take")
    return await read_policy(ctx.unit)


def hold_policy(ctx: Context) -> None:
    """Keep changes of the policy out until the transaction ends, from its next statement on.

    Before the first lock that the transaction takes. That statement raises Overtaken if the policy
    has changed since the context was made.
    """

    def check(rows: Sequence[_Revision]) -> None:
        if [row.revision for row in rows] != [ctx.policy.revision]:
            raise Overtaken

    ctx.unit.provided(_Held, "policy_hold", _given)
    ctx.unit.provided(_Revision, "policy_revision", check)


async def held_policy(world: World, unit: Unit) -> Policy:
    """The tenant's policy, held from the first statement of a worker's transaction on."""
    unit.provided(_Held, "policy_hold", _given)
    revision = await unit.value("policy_revision")
    return await world.policies.of(unit, world.policy, revision)


async def taken_policy(world: World, unit: Unit) -> Policy:
    """The tenant's policy, with every writer kept out until a worker's transaction ends."""
    await unit.value("policy_take")
    revision = await unit.value("policy_revision")
    return await world.policies.of(unit, world.policy, revision)


def _given(_rows: Sequence[_Held]) -> None:
    """That the statement came back is all that there is to see."""
