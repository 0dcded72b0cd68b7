"""The family slots. Generated; do not edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class SlotInfo:
    """A slot and where it comes from: a ``default``, the tenant's ``own``, one that ``overrides`` a
    default, or a default that is ``hidden``.
    """

    name: str
    origin: Literal["default", "own", "overrides", "hidden"]
    cardinality: Literal["one", "many"]
    value_type: Literal["text", "number", "date"]
    aliases: dict[str, str]
    cues: tuple[str, ...]
    authority: Literal["user", "system"]
    stale_after: int | None
    ttl: int | None
    pinned: bool
    importance: int


@dataclass(frozen=True)
class SlotChanged:
    """The slot as it is now; none if there is none any more.

    ``recounted`` versions of what is held got another cardinality, ``shortened`` items live
    shorter, and ``expired`` of them are over by that.
    """

    slot: SlotInfo | None
    recounted: int
    shortened: int
    expired: int


@dataclass(frozen=True)
class Slots:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[SlotInfo, ...]
    next: str | None


_DEFINE = Endpoint("slots.define", "PUT", "/v1/slots/{name}", writes=True)
_LIST = Endpoint("slots.list", "GET", "/v1/slots")
_REMOVE = Endpoint("slots.remove", "DELETE", "/v1/slots/{name}", writes=True)


class SlotsCalls:
    """Calls of the family slots."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def define(
        self,
        *,
        name: str,
        cardinality: Literal["one", "many"],
        value_type: Literal["text", "number", "date"] = "text",
        aliases: Mapping[str, str] | None = None,
        cues: Sequence[str] = (),
        authority: Literal["user", "system"] = "user",
        stale_after: int | None = None,
        ttl: int | None = None,
        pinned: bool = False,
        importance: int = 5,
        idempotency_key: str | None = None,
    ) -> SlotChanged:
        """Define a slot for the tenant.

        A slot as a whole: what is left out has its default, whatever was defined before.

        ``value_type`` says how values are made comparable, ``aliases`` which other spellings
        are one value; ``stale_after`` and ``ttl`` are days. A cue is how people say it: "live
        in *".

        >>> client.slots.define(name="city", cardinality="one")
        """
        return self._call(
            _DEFINE, {'name': name, 'cardinality': cardinality, 'value_type': value_type,
            'aliases': aliases, 'cues': cues, 'authority': authority, 'stale_after': stale_after,
            'ttl': ttl, 'pinned': pinned, 'importance': importance}, SlotChanged, idempotency_key
        )  # fmt: skip

    def list(self, *, cursor: str | None = None, limit: int = 100) -> Slots:
        """List the slots that there are, and where each comes from.

        Slots by name; those that the tenant hides are there too, as ``hidden``.

        >>> client.slots.list()
        """
        return self._call(_LIST, {"cursor": cursor, "limit": limit}, Slots)

    def remove(self, *, name: str, idempotency_key: str | None = None) -> SlotChanged:
        """Take a slot's definition back, or hide a default.

        Take the tenant's own definition back; without one, hide the default.

        >>> client.slots.remove(name="city")
        """
        return self._call(_REMOVE, {"name": name}, SlotChanged, idempotency_key)


class AsyncSlotsCalls:
    """Calls of the family slots."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def define(
        self,
        *,
        name: str,
        cardinality: Literal["one", "many"],
        value_type: Literal["text", "number", "date"] = "text",
        aliases: Mapping[str, str] | None = None,
        cues: Sequence[str] = (),
        authority: Literal["user", "system"] = "user",
        stale_after: int | None = None,
        ttl: int | None = None,
        pinned: bool = False,
        importance: int = 5,
        idempotency_key: str | None = None,
    ) -> SlotChanged:
        """Define a slot for the tenant.

        A slot as a whole: what is left out has its default, whatever was defined before.

        ``value_type`` says how values are made comparable, ``aliases`` which other spellings
        are one value; ``stale_after`` and ``ttl`` are days. A cue is how people say it: "live
        in *".

        >>> await client.slots.define(name="city", cardinality="one")
        """
        return await self._call(
            _DEFINE, {'name': name, 'cardinality': cardinality, 'value_type': value_type,
            'aliases': aliases, 'cues': cues, 'authority': authority, 'stale_after': stale_after,
            'ttl': ttl, 'pinned': pinned, 'importance': importance}, SlotChanged, idempotency_key
        )  # fmt: skip

    async def list(self, *, cursor: str | None = None, limit: int = 100) -> Slots:
        """List the slots that there are, and where each comes from.

        Slots by name; those that the tenant hides are there too, as ``hidden``.

        >>> await client.slots.list()
        """
        return await self._call(_LIST, {"cursor": cursor, "limit": limit}, Slots)

    async def remove(self, *, name: str, idempotency_key: str | None = None) -> SlotChanged:
        """Take a slot's definition back, or hide a default.

        Take the tenant's own definition back; without one, hide the default.

        >>> await client.slots.remove(name="city")
        """
        return await self._call(_REMOVE, {"name": name}, SlotChanged, idempotency_key)
