"""policy.*: what a tenant changes of the policy of its installation (RULES 6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from muniment.domain.overrides import changed_places
from muniment.domain.policy import PolicyError
from muniment.errors import Conflict, Fault, InvalidInput, RetentionLocked
from muniment.operations.decode import pointer
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Instant, Json, command
from muniment.ports import Context
from muniment.records.audit_entries import note_change
from muniment.records.policy_change import put_document
from muniment.records.rereviews import open_rereview
from muniment.records.tenant_policy import read_policy, take_policy


@command
class GetPolicy:
    """The policy of the tenant."""


@command
class PutPolicy:
    """``document`` names what differs from the installation's policy, in its tables; an empty one
    takes all changes back. ``if_version`` asks that this version be there, 0 that there be none.
    """

    document: dict[str, Json]
    if_version: Annotated[int, Ge(0), Le(2**53 - 1)] | None = None


@dataclass(frozen=True)
class TenantsPolicy:
    """What the tenant changes, and the policy that holds by that. Slots have a list of their own.

    ``version`` is that of ``document``, 0 where the tenant never changed anything.
    """

    version: int
    document: dict[str, Json]
    effective: dict[str, Json]
    changed_at: Instant | None


@dataclass(frozen=True)
class PolicyChanged:
    """``shortened`` items live shorter by it, and ``expired`` of them are over by that."""

    version: int
    shortened: Count
    expired: Count


async def get(_command: GetPolicy, ctx: Context) -> TenantsPolicy:
    """As it holds for this call."""
    found = await read_policy(ctx.unit)
    return TenantsPolicy(
        version=found.version,
        document=dict(found.document),
        effective=_shown(found.over(ctx.policy.installed).document),
        changed_at=found.changed_at,
    )


async def put(command: PutPolicy, ctx: Context) -> PolicyChanged:
    """Holds from the next call on, in every process; what lives shorter by it does so at once.

    Raises InvalidInput with a pointer below ``/document``, RetentionLocked where a class that is
    locked would be kept shorter or unlocked, Conflict when ``if_version`` is not the
    version that is there.
    """
    was = await take_policy(ctx)
    if command.if_version not in (None, was.version):
        raise Conflict("The policy has another version now.")
    try:
        changed = await put_document(ctx, was, command.document)
    except PolicyError as error:
        faults = [Fault(pointer(("document", *place)), rule) for place, rule in error.faults]
        raise (RetentionLocked if error.locked else InvalidInput)(faults=faults) from None
    counts = {"shortened": changed.lives.shortened, "expired": changed.lives.expired}
    places = changed_places(was.document, command.document)
    if places:
        detail = {"version": changed.version, "places": places} | counts
        await open_rereview(ctx, "policy", "policy.put", detail)
    note_change(ctx, "policy", was.document, command.document)
    ctx.trail.detail |= {"version": changed.version, "revision": changed.policy.revision} | counts
    return PolicyChanged(version=changed.version, **counts)


def _shown(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: table for name, table in document.items() if name != "slots"}


OPERATIONS = (
    Operation(
        name="policy.get",
        summary="Show the policy, and what the tenant changes of it",
        command=GetPolicy,
        result=TenantsPolicy,
        handler=get,
        effect=Effect.READ,
        verb="operate",
        layer="governance",
        http=Http("GET", "/v1/policy"),
    ),
    Operation(
        name="policy.put",
        summary="Change the policy for the tenant",
        command=PutPolicy,
        result=PolicyChanged,
        handler=put,
        effect=Effect.WRITE,
        verb="operate",
        layer="governance",
        http=Http("PUT", "/v1/policy"),
        errors=(Conflict, RetentionLocked),
    ),
)
