"""What every operation needs, done once.

Authenticate, count against the rate limits, authorise, parse; then in the same transaction:
answer again what was answered under this idempotency key, or run the handler and audit; commit.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from uuid import UUID

from muniment.domain.allowance import Allowance
from muniment.errors import Fault, Forbidden, MunimentError, NotFound, Overtaken, Unauthenticated
from muniment.operations.operation import Effect, Operation, Parsed
from muniment.ports import Caller, Context, Trail, World
from muniment.records.audit_entries import write_entry
from muniment.records.credentials import KnownKeys, Token, read_token
from muniment.records.idempotency import Claim, answered_before, digest_of, keep_answer
from muniment.records.refusals import Asked, Refusals
from muniment.records.sealing import SealWait

C = TypeVar("C")
R = TypeVar("R")

_TRIES = 5
_OF_ONE_USER = "This key is for one user."


@dataclass(frozen=True)
class Request:
    """What a surface knows of a call besides its input. ``within``: the user, namespace and agent
    that it is kept to, whatever its key reaches. ``again``: it is answered as it was before, or
    NotFound.
    """

    token: str
    request_id: str
    idempotency_key: str | None = None
    within: Mapping[str, str] = field(default_factory=dict)
    again: bool = False


@dataclass(frozen=True)
class Answer(Generic[R]):
    """A result; whether it is that of an earlier call; what is left of the rate limits; its entry
    in the audit trail, if it has one.
    """

    result: R
    replayed: bool = False
    allowance: Allowance | None = None
    entry_id: UUID | None = None


class Dispatch:
    """Runs operations. The same for every surface."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._keys = KnownKeys()
        self._refusals = Refusals(world)
        self._seals = SealWait(world)

    async def __call__(
        self,
        operation: Operation[C, R],
        request: Request,
        parse: Callable[[], Parsed[C]],
    ) -> Answer[R]:
        """Run one operation; ``parse`` is called only for a key that may call it.

        Raises errors of the service alone. Nothing is stored unless this returns. A call that a
        forget or a new policy overtakes is tried anew, as it would go after that. What destroys
        waits for the seal of its audit entry, though not for long.
        """
        call = _Call(operation, request, read_token(request.token), parse)
        try:
            answer = await self._tried(call)
        except MunimentError as error:
            await self._note(error, operation, request, call.token, call.trail)
            raise
        if operation.effect is Effect.DESTRUCTIVE and answer.entry_id is not None:
            await self._seals.sealed(call.token.tenant_id, answer.entry_id)
        return answer

    async def admit(self, request: Request) -> Caller:
        """Whose a request is that runs no operation; it counts like one that does.

        Raises Unauthenticated and RateLimited.
        """
        return await self._admitted(read_token(request.token))

    async def _admitted(self, token: Token) -> Caller:
        world = self._world
        async with world.units.open(token.tenant_id, reading=True) as unit:
            caller = await self._keys.authenticate(unit, token, world.clock.now(), anew=True)
        world.limiter.take(caller.tenant_id, caller.key_id)
        return caller

    async def permit(self, request: Request, needed: Sequence[Operation[Any, Any]]) -> Caller:
        """Whose a request is that runs several operations; it counts like one that runs one.

        Raises, and notes, what a call of one of them would be refused with for its key.
        """
        token, asked = read_token(request.token), needed[0]
        try:
            caller = await self._admitted(token)
            for asked in needed:
                authorise(asked, caller)
            return _narrowed(caller, request.within)
        except MunimentError as error:
            await self._note(error, asked, request, token, Trail())
            raise

    async def _note(
        self,
        error: MunimentError,
        operation: Operation[Any, Any],
        request: Request,
        token: Token,
        trail: Trail,
    ) -> None:
        """Note a refusal in the audit trail, if it is one that has an entry there."""
        if not error.noted:
            return
        code = None if type(error) in {Unauthenticated, Forbidden} else error.code
        asked = Asked(
            operation.name, operation.verb, operation.layer, request.request_id, code,
            Trail() if code is None else trail,
        )  # fmt: skip
        await self._refusals.note(token, asked)

    async def _tried(self, call: "_Call[C, R]") -> Answer[R]:
        for _ in range(_TRIES - 1):
            with suppress(Overtaken):
                return await self._attempt(call)
        return await self._attempt(call, last=True)

    async def _attempt(self, call: "_Call[C, R]", *, last: bool = False) -> Answer[R]:
        world = self._world
        operation, request = call.operation, call.request
        now = world.clock.now()
        reading = operation.effect is Effect.READ
        async with world.units.open(call.token.tenant_id, reading=reading) as unit:
            if last:
                # Nobody who changes the policy again and again gets in between any more.
                await unit.value("policy_hold")
            caller = await self._keys.authenticate(unit, call.token, now, anew=last)
            if call.parsed is None:
                call.allowance = world.limiter.take(caller.tenant_id, caller.key_id)
            authorise(operation, caller)
            caller = _narrowed(caller, request.within)
            parsed = call.parsed = call.parsed or call.parse()
            _keep_to_own_user(operation, parsed.command, caller)
            ctx = Context.of(
                world,
                policy=await world.policies.of(unit, world.policy, caller.policy_revision),
                caller=caller,
                now=now,
                unit=unit,
                request_id=request.request_id,
                repairs=parsed.repairs,
            )
            call.trail = ctx.trail
            answer = await _run(operation, request, parsed.command, ctx)
            world.drill.reached("operation.before_commit")
        world.drill.reached("operation.committed")
        return replace(answer, allowance=call.allowance)


@dataclass
class _Call(Generic[C, R]):
    """One call through its tries: it is counted and parsed once."""

    operation: Operation[C, R]
    request: Request
    token: Token
    parse: Callable[[], Parsed[C]]
    parsed: Parsed[C] | None = None
    allowance: Allowance | None = None
    trail: Trail = field(default_factory=Trail)


async def _run(operation: Operation[C, R], request: Request, command: C, ctx: Context) -> Answer[R]:
    claim = _claim(operation, request, command, ctx)
    if claim is not None:
        answer = await answered_before(ctx, claim)
        if answer is not None:
            before = operation.results.validate_json(answer)
            if operation.still_holds is None or await operation.still_holds(command, before, ctx):
                return Answer(before, replayed=True)
            claim = None
    if request.again:
        raise NotFound("Nothing was answered under this key.")
    result = await operation.handler(command, ctx)
    ctx.drill.reached("operation.handled")
    entry_id = None if operation.effect is Effect.READ else await _audit(operation, ctx)
    if claim is not None:
        shown = None if operation.secret else operation.results.dump_json(result)
        # Whom an answer names that was asked for by an id alone; and what.
        trail = ctx.trail
        of = replace(claim, user_id=claim.user_id or trail.user_id, ids=tuple(trail.about))
        await keep_answer(ctx, of, shown)
    return Answer(result, entry_id=entry_id)


def _claim(operation: Operation[C, R], request: Request, command: C, ctx: Context) -> Claim | None:
    """What the request claims under its key; None for reads and requests without one."""
    key = request.idempotency_key
    if key is None or operation.effect is Effect.READ or not ctx.schema.keeps_answers:
        return None
    asked = operation.commands.dump_python(command, mode="json")
    return Claim(
        key=key,
        operation=operation.name,
        digest=digest_of(key, operation.name, asked),
        # Whom a forget was about is not noted by the forget.
        user_id=None if operation.name == "forget" else getattr(command, "user_id", None),
    )


def authorise(operation: Operation[Any, Any], caller: Caller) -> None:
    """Raises Forbidden unless the key has the operation's verb and layer."""
    if not operation.allows(caller.verbs):
        raise Forbidden(f"This key lacks the verb {operation.verb!r}.")
    if operation.layer is not None and operation.layer not in caller.layers:
        raise Forbidden(f"This key does not reach the layer {operation.layer!r}.")


def _narrowed(caller: Caller, within: Mapping[str, str]) -> Caller:
    """A caller that meets every check that a key of that one user meets."""
    if not within:
        return caller
    user_id = within.get("user_id", caller.user_id)
    if caller.user_id not in (None, user_id):
        raise Forbidden(_OF_ONE_USER, faults=[Fault("/user_id", "must be the key's own user")])
    return replace(caller, user_id=user_id, within=within)


def _keep_to_own_user(operation: Operation[Any, Any], command: object, caller: Caller) -> None:
    """A key of one user names that user in everything that it asks."""
    if caller.user_id is None or operation.checks_user:
        return
    if getattr(command, "user_id", None) != caller.user_id:
        raise Forbidden(_OF_ONE_USER, faults=[Fault("/user_id", "must be the key's own user")])


async def _audit(operation: Operation[Any, Any], ctx: Context) -> UUID:
    trail = ctx.trail
    effect = operation.effect.value
    return await write_entry(ctx, operation.name, effect, trail.subjects, trail.detail)
