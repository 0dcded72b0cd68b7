"""Tool calls of runs: found by their key, claimed, recorded, settled."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from muniment.domain.ledger import Call, CallState, ToolEffect
from muniment.domain.trust import ResultTrust
from muniment.ports import Context
from muniment.records.runs import RunRow

SMALL_RESULT = 4096
"""Bytes of a result that is shown with its run."""
LAST_CALLS = 50


@dataclass(frozen=True)
class ToolRow:
    """A tool as an operator defined it."""

    name: str
    effect: ToolEffect
    idempotent: bool
    trust: ResultTrust
    dedupe_seconds: int | None
    gate: str | None
    defined_at: datetime


@dataclass(frozen=True)
class CallRow:
    """A call as it is stored. ``lapsed``: who claimed it holds its run no more."""

    run_id: UUID
    tool: str
    key: str
    digest: bytes
    effect: ToolEffect
    idempotent: bool
    state: CallState
    attempt: int
    step: int
    claimed_at: datetime
    recorded_at: datetime | None
    result: bytes | None
    result_digest: bytes | None
    happened: bool | None
    lapsed: bool

    @property
    def call(self) -> Call:
        """As the rules see it."""
        return Call(
            state=self.state,
            attempt=self.attempt,
            arguments=self.digest,
            effect=self.effect,
            idempotent=self.idempotent,
            lapsed=self.lapsed,
            happened=self.happened,
            result=self.result_digest,
        )


def digest_of(arguments: Mapping[str, Any]) -> bytes:
    """By which arguments are known again: as JSON, with sorted names."""
    return hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).digest()


def result_digest(result: bytes | None) -> bytes | None:
    """By which a result is known again."""
    return None if result is None else hashlib.sha256(result).digest()


async def find_call(ctx: Context, run: RunRow, tool: str, key: str) -> CallRow | None:
    """The call of a run under a key."""
    return await ctx.unit.one(CallRow, "call_find", **run.place, tool=tool, key=key, now=ctx.now)


async def find_elsewhere(ctx: Context, run: RunRow, tool: ToolRow, key: str) -> CallRow | None:
    """The call under a key in another run of the scope, within the tool's window.

    The caller holds the scope's row: nobody else claims meanwhile.
    """
    if tool.dedupe_seconds is None:
        return None
    return await ctx.unit.one(
        CallRow,
        "call_elsewhere",
        **run.place,
        tool=tool.name,
        key=key,
        now=ctx.now,
        since=ctx.now - timedelta(seconds=tool.dedupe_seconds),
    )


async def calls_of(ctx: Context, run: RunRow, step: int, most: int) -> Sequence[CallRow]:
    """The last calls of a run, and every one that may be under way or in doubt; at most so many."""
    over = run.closed_at is not None or not run.lease.is_held(ctx.now)
    return await ctx.unit.rows(
        CallRow,
        "calls_shown",
        **run.place,
        step=step,
        fence=run.fence,
        lapsed=over,
        small=SMALL_RESULT,
        last=LAST_CALLS - 1,
        most=most,
    )
