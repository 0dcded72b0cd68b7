"""What every operation needs, done once: authenticate, authorise, transaction, audit, commit."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from muniment.errors import Fault, Forbidden
from muniment.operations.operation import Effect, Operation, Parsed
from muniment.ports import Caller, Context, Trail, World
from muniment.records.credentials import authenticate, read_token

C = TypeVar("C")
R = TypeVar("R")


@dataclass(frozen=True)
class Request:
    """What a surface knows of a call besides its input."""

    token: str
    request_id: str


class Dispatch:
    """Runs operations. The same for every surface."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def __call__(
        self,
        operation: Operation[C, R],
        request: Request,
        parse: Callable[[], Parsed[C]],
    ) -> R:
        """Run one operation; ``parse`` is called only for a key that may call it.

        Raises errors of the service alone. Nothing is stored unless this returns.
        """
        world = self._world
        token = read_token(request.token)
        now = world.clock.now()
        async with world.units.open(token.tenant_id) as unit:
            caller = await authenticate(unit, token, now)
            authorise(operation, caller)
            parsed = parse()
            _keep_to_own_user(operation, parsed.command, caller)
            trail = Trail()
            ctx = Context(
                caller=caller,
                now=now,
                unit=unit,
                ids=world.ids,
                entropy=world.entropy,
                policy=world.policy,
                embedder=world.embedder,
                indexes=world.indexes,
                queue=world.queue,
                recalls=world.recalls,
                trail=trail,
                request_id=request.request_id,
                repairs=parsed.repairs,
            )
            result = await operation.handler(parsed.command, ctx)
            if operation.effect is not Effect.READ:
                await _audit(operation, ctx)
        return result


def authorise(operation: Operation[Any, Any], caller: Caller) -> None:
    """Raises Forbidden unless the key has the operation's verb and layer."""
    if operation.verb not in caller.verbs:
        raise Forbidden(f"This key lacks the verb {operation.verb!r}.")
    if operation.layer is not None and operation.layer not in caller.layers:
        raise Forbidden(f"This key does not reach the layer {operation.layer!r}.")


def _keep_to_own_user(operation: Operation[Any, Any], command: object, caller: Caller) -> None:
    """A key of one user names that user in everything that it asks."""
    if caller.user_id is None:
        return
    if operation.checks_user:
        return
    if getattr(command, "user_id", None) != caller.user_id:
        raise Forbidden(
            "This key is for one user.", faults=[Fault("/user_id", "must be the key's own user")]
        )


async def _audit(operation: Operation[Any, Any], ctx: Context) -> None:
    await ctx.unit.run(
        "audit_insert",
        entry_id=ctx.ids.new(),
        at=ctx.now,
        operation=operation.name,
        effect=operation.effect.value,
        key_id=ctx.caller.key_id,
        request=ctx.request_id,
        subjects=list(ctx.trail.subjects),
        detail=ctx.trail.detail,
    )
