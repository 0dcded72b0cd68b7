"""The family artifacts. Generated; do not edit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.client.calls import AsyncCall, Call
from muniment.client.core import Endpoint


@dataclass(frozen=True)
class PutDone:
    """The version that was written, and the one of its type."""

    run_id: UUID
    name: str
    version: int
    schema: str
    schema_version: int


@dataclass(frozen=True)
class Artifact:
    """A version of an artifact; ``step`` is the run's checkpoint after which it was put."""

    run_id: UUID
    name: str
    version: int
    schema: str
    schema_version: int
    value: Any
    step: int
    agent_id: str | None
    put_at: datetime


@dataclass(frozen=True)
class ArtifactVersion:
    """The same without its value; ``bytes`` are those of its JSON."""

    name: str
    version: int
    schema: str
    schema_version: int
    bytes: int
    step: int
    agent_id: str | None
    put_at: datetime


@dataclass(frozen=True)
class ArtifactVersions:
    """One page; ``next`` is the ``cursor`` of the following one."""

    items: tuple[ArtifactVersion, ...]
    next: str | None


@dataclass(frozen=True)
class ArtifactChange:
    """What is at a place before and after; of lists, at the same index."""

    pointer: str
    change: Literal["added", "removed", "replaced"]
    before: Any
    after: Any


@dataclass(frozen=True)
class ArtifactDifference:
    """The smallest places that changed: the first 1,000; ``whole`` says whether that is all."""

    name: str
    from_version: int
    to_version: int
    changes: tuple[ArtifactChange, ...]
    whole: bool


_PUT = Endpoint(
    "artifacts.put",
    "PUT",
    "/v1/runs/{run_id}/artifacts/{name}",
    writes=True,
    nullable=frozenset(["value"]),
)
_GET = Endpoint("artifacts.get", "GET", "/v1/runs/{run_id}/artifacts/{name}")
_LIST = Endpoint("artifacts.list", "GET", "/v1/runs/{run_id}/artifacts")
_HISTORY = Endpoint("artifacts.history", "GET", "/v1/runs/{run_id}/artifacts/{name}/versions")
_DIFF = Endpoint("artifacts.diff", "GET", "/v1/runs/{run_id}/artifacts/{name}/diff")


class ArtifactsCalls:
    """Calls of the family artifacts."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def put(
        self,
        *,
        run_id: UUID,
        name: str,
        schema: str,
        value: Any,
        if_version: int,
        schema_version: int | None = None,
        agent_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> PutDone:
        """Write the next version of an artifact of a run.

        Write the next version of an artifact of a run. ``if_version`` is the one that it
        follows, 0 for a new one. It is of the last version of its ``schema``, or of another
        ``schema_version``.

        No lease is needed: agents share a blackboard, and the version says who was first.

        >>> client.artifacts.put(run_id=run_id, name="main", schema="schema",
        ...     value={"amount": "5"}, if_version=1)
        """
        return self._call(
            _PUT, {'run_id': run_id, 'name': name, 'schema': schema, 'value': value,
            'if_version': if_version, 'schema_version': schema_version, 'agent_id': agent_id},
            PutDone, idempotency_key
        )  # fmt: skip

    def get(self, *, run_id: UUID, name: str, version: int | None = None) -> Artifact:
        """Show an artifact of a run, or a version of it.

        An artifact as it is, or a ``version`` that does not change any more.

        >>> client.artifacts.get(run_id=run_id, name="main")
        """
        return self._call(
            _GET, {'run_id': run_id, 'name': name, 'version': version}, Artifact
        )  # fmt: skip

    def list(self, *, run_id: UUID, cursor: str | None = None, limit: int = 50) -> ArtifactVersions:
        """List the artifacts of a run.

        The artifacts of a run by name, without their values.

        >>> client.artifacts.list(run_id=run_id)
        """
        return self._call(
            _LIST, {'run_id': run_id, 'cursor': cursor, 'limit': limit}, ArtifactVersions
        )  # fmt: skip

    def history(
        self, *, run_id: UUID, name: str, cursor: str | None = None, limit: int = 50
    ) -> ArtifactVersions:
        """List the versions of an artifact.

        The versions of an artifact, latest first, without their values.

        >>> client.artifacts.history(run_id=run_id, name="main")
        """
        return self._call(
            _HISTORY, {'run_id': run_id, 'name': name, 'cursor': cursor, 'limit': limit},
            ArtifactVersions
        )  # fmt: skip

    def diff(
        self, *, run_id: UUID, name: str, from_version: int, to_version: int
    ) -> ArtifactDifference:
        """Show what changed between two versions of an artifact.

        What changed between two versions of an artifact.

        >>> client.artifacts.diff(run_id=run_id, name="main", from_version=1, to_version=1)
        """
        return self._call(
            _DIFF, {'run_id': run_id, 'name': name, 'from_version': from_version,
            'to_version': to_version}, ArtifactDifference
        )  # fmt: skip


class AsyncArtifactsCalls:
    """Calls of the family artifacts."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def put(
        self,
        *,
        run_id: UUID,
        name: str,
        schema: str,
        value: Any,
        if_version: int,
        schema_version: int | None = None,
        agent_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> PutDone:
        """Write the next version of an artifact of a run.

        Write the next version of an artifact of a run. ``if_version`` is the one that it
        follows, 0 for a new one. It is of the last version of its ``schema``, or of another
        ``schema_version``.

        No lease is needed: agents share a blackboard, and the version says who was first.

        >>> await client.artifacts.put(run_id=run_id, name="main", schema="schema",
        ...     value={"amount": "5"}, if_version=1)
        """
        return await self._call(
            _PUT, {'run_id': run_id, 'name': name, 'schema': schema, 'value': value,
            'if_version': if_version, 'schema_version': schema_version, 'agent_id': agent_id},
            PutDone, idempotency_key
        )  # fmt: skip

    async def get(self, *, run_id: UUID, name: str, version: int | None = None) -> Artifact:
        """Show an artifact of a run, or a version of it.

        An artifact as it is, or a ``version`` that does not change any more.

        >>> await client.artifacts.get(run_id=run_id, name="main")
        """
        return await self._call(
            _GET, {'run_id': run_id, 'name': name, 'version': version}, Artifact
        )  # fmt: skip

    async def list(
        self, *, run_id: UUID, cursor: str | None = None, limit: int = 50
    ) -> ArtifactVersions:
        """List the artifacts of a run.

        The artifacts of a run by name, without their values.

        >>> await client.artifacts.list(run_id=run_id)
        """
        return await self._call(
            _LIST, {'run_id': run_id, 'cursor': cursor, 'limit': limit}, ArtifactVersions
        )  # fmt: skip

    async def history(
        self, *, run_id: UUID, name: str, cursor: str | None = None, limit: int = 50
    ) -> ArtifactVersions:
        """List the versions of an artifact.

        The versions of an artifact, latest first, without their values.

        >>> await client.artifacts.history(run_id=run_id, name="main")
        """
        return await self._call(
            _HISTORY, {'run_id': run_id, 'name': name, 'cursor': cursor, 'limit': limit},
            ArtifactVersions
        )  # fmt: skip

    async def diff(
        self, *, run_id: UUID, name: str, from_version: int, to_version: int
    ) -> ArtifactDifference:
        """Show what changed between two versions of an artifact.

        What changed between two versions of an artifact.

        >>> await client.artifacts.diff(run_id=run_id, name="main", from_version=1,
        ...     to_version=1)
        """
        return await self._call(
            _DIFF, {'run_id': run_id, 'name': name, 'from_version': from_version,
            'to_version': to_version}, ArtifactDifference
        )  # fmt: skip
