"""The family tools. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class Tool:
    """A tool; ``trust`` is that of its results."""

    name: str
    effect: Literal["read", "write"]
    idempotent: bool
    trust: Literal["tool_verified", "external_content"]
    dedupe_seconds: int | None
    gate: str | None
    defined_at: datetime


@dataclass(frozen=True)
class Tools:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[Tool, ...]
    next: str | None


_DEFINE = Endpoint("tools.define", "PUT", "/v1/tools/{name}", writes=True)
_LIST = Endpoint("tools.list", "GET", "/v1/tools")


class ToolsCalls:
    """Calls of the family tools."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def define(
        self,
        *,
        name: str,
        effect: Literal["read", "write"],
        idempotent: bool = False,
        trust: Literal["tool_verified", "external_content"] = "external_content",
        dedupe_seconds: int | None = None,
        gate: str | None = None,
        idempotency_key: str | None = None,
    ) -> Tool:
        """Define a tool that agents may call.

        Define a tool, or say anew what it does. A call that was claimed before is one of both:
        in doubt, it is done again only where it might be by what the tool was, and by what it
        is.

        ``idempotent``: the same key twice has its effect once, so what is in doubt may be sent
        again. ``dedupe_seconds``: for so long a key counts in every run of the same user and
        namespace. ``trust``: what turns of the role ``tool`` that name it are trusted at.
        ``gate``: a call needs the approval of a key that has it.

        >>> client.tools.define(name="erp.post", effect="read")
        """
        return self._call(
            _DEFINE, {'name': name, 'effect': effect, 'idempotent': idempotent, 'trust': trust,
            'dedupe_seconds': dedupe_seconds, 'gate': gate}, Tool, idempotency_key
        )  # fmt: skip

    def list(self, *, cursor: str | None = None, limit: int = 100) -> Tools:
        """List the tools that agents may call.

        Tools in the order of their names.

        >>> client.tools.list()
        """
        return self._call(_LIST, {"cursor": cursor, "limit": limit}, Tools)


class AsyncToolsCalls:
    """Calls of the family tools."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def define(
        self,
        *,
        name: str,
        effect: Literal["read", "write"],
        idempotent: bool = False,
        trust: Literal["tool_verified", "external_content"] = "external_content",
        dedupe_seconds: int | None = None,
        gate: str | None = None,
        idempotency_key: str | None = None,
    ) -> Tool:
        """Define a tool that agents may call.

        Define a tool, or say anew what it does. A call that was claimed before is one of both:
        in doubt, it is done again only where it might be by what the tool was, and by what it
        is.

        ``idempotent``: the same key twice has its effect once, so what is in doubt may be sent
        again. ``dedupe_seconds``: for so long a key counts in every run of the same user and
        namespace. ``trust``: what turns of the role ``tool`` that name it are trusted at.
        ``gate``: a call needs the approval of a key that has it.

        >>> await client.tools.define(name="erp.post", effect="read")
        """
        return await self._call(
            _DEFINE, {'name': name, 'effect': effect, 'idempotent': idempotent, 'trust': trust,
            'dedupe_seconds': dedupe_seconds, 'gate': gate}, Tool, idempotency_key
        )  # fmt: skip

    async def list(self, *, cursor: str | None = None, limit: int = 100) -> Tools:
        """List the tools that agents may call.

        Tools in the order of their names.

        >>> await client.tools.list()
        """
        return await self._call(_LIST, {"cursor": cursor, "limit": limit}, Tools)
