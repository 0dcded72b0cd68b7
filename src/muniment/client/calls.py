"""How generated methods reach the wire."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from muniment.client.core import Endpoint

R = TypeVar("R")


class Call(Protocol):
    """Sends a call and waits for its result."""

    def __call__(
        self,
        endpoint: Endpoint,
        arguments: Mapping[str, Any],
        result: type[R],
        /,
        idempotency_key: str | None = None,
    ) -> R: ...


class AsyncCall(Protocol):
    """Sends a call; the result is awaited."""

    async def __call__(
        self,
        endpoint: Endpoint,
        arguments: Mapping[str, Any],
        result: type[R],
        /,
        idempotency_key: str | None = None,
    ) -> R: ...
