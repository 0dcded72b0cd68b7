"""Artifacts of runs and their types, as they are stored."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.ports import Context
from muniment.records.runs import RunRow


@dataclass(frozen=True)
class SchemaRow:
    """A version of a type."""

    name: str
    version: int
    schema: dict[str, Any]
    registered_at: datetime


@dataclass(frozen=True)
class ArtifactRow:
    """A version of an artifact."""

    name: str
    version: int
    schema: str
    schema_version: int
    value: Any
    digest: bytes
    step: int
    agent_id: str | None
    put_at: datetime


@dataclass(frozen=True)
class VersionRow:
    """The same without its value."""

    name: str
    version: int
    schema: str
    schema_version: int
    bytes: int
    step: int
    agent_id: str | None
    put_at: datetime


async def find_schema(ctx: Context, name: str, version: int | None = None) -> SchemaRow | None:
    """A version of a type, by default the last."""
    return await ctx.unit.one(SchemaRow, "schema_find", name=name, version=version)


async def find_artifact(
    ctx: Context, run: RunRow, name: str, version: int | None = None
) -> ArtifactRow | None:
    """A version of an artifact of a run, by default the last."""
    return await ctx.unit.one(ArtifactRow, "artifact_find", **run.place, name=name, version=version)
