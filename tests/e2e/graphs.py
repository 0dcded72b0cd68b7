"""Configs and checkpoints of LangGraph, as tests of its saver make them."""

from collections.abc import Mapping
from typing import Any

from langgraph.checkpoint.base import empty_checkpoint


def config(thread: str, ns: str = "", checkpoint_id: str | None = None, **more: Any) -> Any:
    """A config that names a checkpoint, or a thread."""
    named = {"thread_id": thread, "checkpoint_ns": ns, **more}
    return {"configurable": named | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}


def checkpoint(name: str, values: Mapping[str, Any], versions: Mapping[str, Any]) -> Any:
    """A checkpoint of this name."""
    return empty_checkpoint() | {"id": name, "ts": "2026-05-01", "channel_values": dict(values), "channel_versions": dict(versions)}  # fmt: skip
