"""Operations of the service for one request: same keys, limits and audit as on every surface."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from muniment.errors import Fault, MunimentError, TooLarge
from muniment.operations.dispatch import Dispatch
from muniment.operations.dispatch import Request as Call
from muniment.operations.operation import Effect
from muniment.operations.registry import REGISTRY
from muniment.ports import Allowance, Caller, Ids
from muniment.surfaces.tracing import note_records, span_of

_PAGE = 200
_MOST_PAGES = 50
# Fields of operations, and of the calls that they stand for.
_PLACES = {
    "/events": "/messages", "/filter": "/filters", "/id": "/memory_id",
    "/valid_from": "/timestamp", "/valid_to": "/expiration_date",
}  # fmt: skip


@dataclass
class Asking:
    """What one request asks; ``known`` once an operation looked at its key."""

    dispatch: Dispatch
    call: Call
    ids: Ids
    known: bool = False
    replayed: bool = False
    allowance: Allowance | None = None
    _writes: int = field(default=0)

    @property
    def key(self) -> str | None:
        """The idempotency key of the request, if it has one."""
        return self.call.idempotency_key

    async def __call__(self, name: str, /, **arguments: Any) -> Any:
        """The result of an operation. Its faults name places of the request."""
        operation = REGISTRY[name]
        call = replace(self.call, idempotency_key=self._next_key(operation.effect))
        given = {field: value for field, value in arguments.items() if value is not None}
        self.known = True
        try:
            with span_of(operation, call.request_id) as span:
                answer = await self.dispatch(
                    operation, call, lambda: operation.parse_decoded(given, {})
                )
                note_records(operation, span, answer.result)
        except MunimentError as error:
            error.faults = tuple(Fault(_place(one.pointer), one.message) for one in error.faults)
            raise
        self.replayed = answer.replayed
        self.allowance = answer.allowance or self.allowance
        return answer.result

    async def about(self, place: str, name: str, /, **arguments: Any) -> Any:
        """The same where the operation's ``text`` stands at a place of the request's own."""
        try:
            return await self(name, **arguments)
        except MunimentError as error:
            error.faults = tuple(
                Fault(place if one.pointer == "/text" else one.pointer, one.message)
                for one in error.faults
            )
            raise

    async def caller(self) -> Caller:
        """Whose the request is. Raises Unauthenticated and RateLimited."""
        self.known = True
        return await self.dispatch.admit(self.call)

    async def may(self, *names: str) -> bool:
        """Whether the key may call these operations."""
        caller = await self.caller()
        asked = [REGISTRY[name] for name in names]
        reached = {None, *caller.layers}
        return all(one.allows(caller.verbs) and one.layer in reached for one in asked)

    async def all_of(self, name: str, /, **arguments: Any) -> list[Any]:
        """Every item of a list. Raises TooLarge for more than 10,000."""
        items: list[Any] = []
        cursor: Mapping[str, Any] = {}
        for _ in range(_MOST_PAGES):
            page = await self(name, **arguments, **cursor, limit=_PAGE)
            items += page.items
            if page.next is None:
                return items
            cursor = {"cursor": page.next}
        raise TooLarge(f"There are more than {_PAGE * _MOST_PAGES}; ask for fewer by a filter.")

    def _next_key(self, effect: Effect) -> str | None:
        """Each write of a request has a key of its own, the same one if it is sent again."""
        if self.key is None or effect is Effect.READ:
            return None
        self._writes += 1
        return sha256(f"mem0 {self._writes} {self.key}".encode()).hexdigest()


def _place(pointer: str) -> str:
    if pointer.startswith("/filter/"):
        # Inside it the two grammars differ.
        return "/filters"
    first, slash, rest = pointer.removeprefix("/").partition("/")
    return _PLACES.get(f"/{first}", f"/{first}" if first else "") + slash + rest
