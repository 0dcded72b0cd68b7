"""profile.get: what a session starts with, by key, without a search."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from annotated_types import Ge, Le

from muniment.domain.profile import CHARACTERS, COUNTER, fit, line_of
from muniment.errors import NotFound
from muniment.operations.items import Item, item_of
from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.types import Count, Identifier, Instant, command
from muniment.ports import Context
from muniment.records.items import known_of_nothing, moment_of
from muniment.records.profiles import contested_values, profiled
from muniment.records.scopes import DEFAULT_NAMESPACE, find_scope

_MOST_TOKENS = 10_000


@command
class GetProfile:
    """Pinned, single-valued and important facts of a user, and preferences.

    ``max_tokens`` says how long their text may be, by default what the policy says: 300.
    """

    user_id: Identifier
    namespace: Identifier = DEFAULT_NAMESPACE
    as_of: Instant | None = None
    known_at: Instant | None = None
    max_tokens: Annotated[int, Ge(1), Le(_MOST_TOKENS)] | None = None


@dataclass(frozen=True)
class Profile:
    """Items, pinned first, then by importance; always in the same order. ``text`` says them, a line
    each, with the date of what is stale and the values that contest one.

    ``tokens`` is what the text takes, as ``counter`` counts; ``left_out`` items did not fit.
    """

    items: tuple[Item, ...]
    text: str
    tokens: Count
    counter: str
    left_out: Count
    watermark: Instant


async def get(command: GetProfile, ctx: Context) -> Profile:
    """A user without facts has an empty profile."""
    scope = await find_scope(ctx, command.user_id, command.namespace)
    if scope is None:
        return Profile((), "", 0, COUNTER, 0, known_of_nothing(ctx, command.known_at))
    moment = moment_of(ctx, scope.watermark, command.as_of, command.known_at)
    tokens = command.max_tokens or ctx.policy.profile.tokens
    found = await profiled(ctx, scope.scope_id, moment, CHARACTERS * tokens)
    every = [item_of(ctx, row, "user", moment) for row in found.rows]
    ids = [one for item in every for one in item.contested_by]
    contested = await contested_values(ctx, scope.scope_id, ids)
    fitted = fit([_line(item, contested) for item in every], tokens)
    items = tuple(every[at] for at in fitted.kept)
    if command.as_of is None and command.known_at is None:
        used = [(scope.scope_id, item.id) for item in items]
        tenant_id, now = ctx.unit.tenant_id, ctx.now
        ctx.unit.after_commit(lambda: ctx.recalls.use(tenant_id, used, now))
    return Profile(
        items=items,
        text=fitted.text,
        tokens=fitted.tokens,
        counter=COUNTER,
        left_out=found.eligible - len(items),
        watermark=moment.known_at,
    )


def _line(item: Item, contested: Mapping[UUID, str]) -> str:
    values = dict.fromkeys(contested[one] for one in item.contested_by if one in contested)
    return line_of(item.text, item.as_of, stale=item.stale, contested=[*values])


OPERATIONS = (
    Operation(
        name="profile.get",
        summary="Show what is known of a user by key",
        command=GetProfile,
        result=Profile,
        handler=get,
        effect=Effect.READ,
        verb="read",
        layer="semantic",
        http=Http("GET", "/v1/users/{user_id}/profile"),
        errors=(NotFound,),
        columns=(
            "items.slot",
            "items.value",
            "items.subject",
            "items.as_of",
            "items.stale",
            "items.trust",
            "items.text",
        ),
    ),
)
