"""Calls of tools within a run: which functions can be called, and what is told and recorded."""

import inspect
from collections.abc import Callable
from typing import Any, Literal

from muniment.client.generated.runs import ClaimedTool
from muniment.client.run_results import decoded

ToolEffect = Literal["read", "write"]


class ToolFailed(Exception):
    """The tool said no, and nothing happened. Raise it in the function that calls the tool.

    ``result`` is what it said, any JSON; a replay raises it again with the same. What was recorded
    otherwise and is no JSON is given as bytes.
    """

    def __init__(self, result: Any = None) -> None:
        super().__init__("The tool call failed; nothing happened.")
        self.result = result


class ToolInDoubt(Exception):
    """The call may have had its effect, and nobody knows: ``runs.settle_tool`` is for a person."""

    def __init__(self, tool: str, key: str) -> None:
        super().__init__(f"Whether {tool} with the key {key!r} happened is not known.")
        self.tool, self.key = tool, key


class ToolInFlight(Exception):
    """Another task makes this call now."""

    def __init__(self, tool: str, key: str) -> None:
        super().__init__(f"Another task calls {tool} with the key {key!r} now.")
        self.tool, self.key = tool, key


class ResultNotKept(ValueError):
    """The call succeeded and is recorded so; what it returned is no JSON, or too long to keep."""


def check_callable(call: Callable[..., Any], effect: str, *, awaits: bool) -> None:
    """Raises before anything is claimed: TypeError for a function that only makes what is to be
    run later, where nobody would run it, and ValueError for an effect that is none.
    """
    if effect not in {"read", "write"}:
        raise ValueError("effect is 'read' or 'write'")
    for one in (call, getattr(call, "__call__", None)):  # noqa: B004 - an object that is called
        if inspect.isgeneratorfunction(one) or inspect.isasyncgenfunction(one):
            raise TypeError("A generator is no call of a tool: nothing of it runs by itself.")
        if inspect.iscoroutinefunction(one) and not awaits:
            raise TypeError("An async function needs AsyncClient: nothing of it runs here.")


def check_done(value: Any) -> None:
    """Raises TypeError where a function returned what somebody has yet to run: whether it had its
    effect is not known.
    """
    if inspect.iscoroutine(value):
        value.close()
    if inspect.isawaitable(value) or inspect.isgenerator(value) or inspect.isasyncgen(value):
        raise TypeError("The function returned what is yet to be run, and no result.")


def after_fault(claim: ClaimedTool, effect: ToolEffect) -> Literal["failed", "in_doubt"]:
    """What is recorded of a call that raised something unknown: only where nothing is written by
    the word of the caller and of the tool's definition is it known that nothing happened.
    """
    return "failed" if (effect, claim.effect) == ("read", "read") else "in_doubt"


def agree(claim: ClaimedTool, effect: ToolEffect) -> None:
    """Raises ToolFailed, before the call, for a write by a tool that is defined as one that reads:
    the ledger would have it done again when its answer is lost.
    """
    if (effect, claim.effect) == ("write", "read"):
        raise ToolFailed("The tool is defined as one that reads; see tools.define.")


def replayed(claim: ClaimedTool) -> Any:
    """What a call came to that is not made now."""
    if claim.answer == "in_doubt":
        raise ToolInDoubt(claim.tool, claim.key)
    if claim.answer == "in_flight":
        raise ToolInFlight(claim.tool, claim.key)
    value = decoded(claim.result)
    if claim.status == "failed":
        raise ToolFailed(value)
    return value
