"""The family machines. Generated; do not edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class AllowedMove:
    """A move that is allowed, and the gate whose approval it needs."""

    source: str
    target: str
    gate: str | None


@dataclass(frozen=True)
class StateMachine:
    """A version of a machine."""

    name: str
    version: int
    initial: str
    transitions: tuple[AllowedMove, ...]
    defined_at: datetime


@dataclass(frozen=True)
class Transition:
    """A move that is allowed, and the gate whose approval it needs, if it needs one."""

    source: str
    target: str
    gate: str | None = None


@dataclass(frozen=True)
class Machines:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[StateMachine, ...]
    next: str | None


_DEFINE = Endpoint("machines.define", "PUT", "/v1/machines/{name}", writes=True)
_LIST = Endpoint("machines.list", "GET", "/v1/machines")


class MachinesCalls:
    """Calls of the family machines."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def define(
        self,
        *,
        name: str,
        initial: str,
        transitions: Sequence[Transition] = (),
        idempotency_key: str | None = None,
    ) -> StateMachine:
        """Define the next version of a state machine.

        Define the next version of a machine. Runs keep the version that they began with.

        >>> client.machines.define(name="main", initial="initial")
        """
        return self._call(
            _DEFINE, {'name': name, 'initial': initial, 'transitions': transitions}, StateMachine,
            idempotency_key
        )  # fmt: skip

    def list(self, *, cursor: str | None = None, limit: int = 50) -> Machines:
        """List state machines and their versions.

        Every version of every machine, by name and version.

        >>> client.machines.list()
        """
        return self._call(_LIST, {"cursor": cursor, "limit": limit}, Machines)


class AsyncMachinesCalls:
    """Calls of the family machines."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def define(
        self,
        *,
        name: str,
        initial: str,
        transitions: Sequence[Transition] = (),
        idempotency_key: str | None = None,
    ) -> StateMachine:
        """Define the next version of a state machine.

        Define the next version of a machine. Runs keep the version that they began with.

        >>> await client.machines.define(name="main", initial="initial")
        """
        return await self._call(
            _DEFINE, {'name': name, 'initial': initial, 'transitions': transitions}, StateMachine,
            idempotency_key
        )  # fmt: skip

    async def list(self, *, cursor: str | None = None, limit: int = 50) -> Machines:
        """List state machines and their versions.

        Every version of every machine, by name and version.

        >>> await client.machines.list()
        """
        return await self._call(_LIST, {"cursor": cursor, "limit": limit}, Machines)
