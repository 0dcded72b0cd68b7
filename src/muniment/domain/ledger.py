"""The tool ledger: what a claim answers, and which record of a result counts (RULES 14.2)."""

from dataclasses import dataclass, replace
from typing import Literal

ToolEffect = Literal["read", "write"]
CallState = Literal["claimed", "succeeded", "failed", "in_doubt", "settled"]
CallStatus = Literal["claimed", "succeeded", "failed", "in_doubt", "settled", "not_attempted"]
"""As people see it: a claim that nobody holds any more is in doubt; what was settled as not done
was not attempted.
"""
ResultStatus = Literal["succeeded", "failed", "in_doubt"]
ClaimAnswer = Literal["execute", "replay", "in_flight", "in_doubt"]
Recorded = Literal["stored", "same"]


@dataclass(frozen=True)
class Call:
    """A call as the ledger has it. ``lapsed``: who claimed it holds the run no more.

    ``happened``: what a person settled. ``arguments`` and ``result`` are digests.
    """

    state: CallState
    attempt: int
    arguments: bytes
    effect: ToolEffect
    idempotent: bool
    lapsed: bool = False
    happened: bool | None = None
    result: bytes | None = None

    @property
    def is_harmless(self) -> bool:
        """Whether to do it twice does nothing more than to do it once."""
        return self.effect == "read" or self.idempotent

    def of_tool(self, effect: ToolEffect, *, idempotent: bool) -> "Call":
        """The call of a tool that is defined so now: it may write, and does harm when it is done
        twice, if that is so by what was said when it was claimed, or by what is said now.
        """
        return replace(
            self,
            effect="write" if "write" in {self.effect, effect} else "read",
            idempotent=self.is_harmless and (effect == "read" or idempotent),
        )

    @property
    def is_in_doubt(self) -> bool:
        """Whether the effect may have happened, and nobody knows."""
        return self.state == "in_doubt" or (self.state == "claimed" and self.lapsed)

    @property
    def status(self) -> CallStatus:
        """As people see it."""
        if self.is_in_doubt:
            return "in_doubt"
        return "not_attempted" if self.happened is False else self.state


class OtherArgumentsError(ValueError):
    """The key was used with other arguments; the first stay."""


class NoSuchClaimError(ValueError):
    """Nobody claimed this attempt."""


class AnotherResultError(ValueError):
    """Another result is held, or a later attempt is under way; it stays."""


class NotInDoubtError(ValueError):
    """Nothing is to be settled."""


@dataclass(frozen=True)
class Claim:
    """What a claim answers; ``attempt`` is the one that it is about."""

    answer: ClaimAnswer
    attempt: int


def claim(call: Call | None, arguments: bytes, *, retry: bool = False) -> Claim:
    """What who asks for a call may do.

    A write that may have happened is done again only if its tool is idempotent. ``retry`` does
    again what is known to have failed. Raises OtherArgumentsError.
    """
    if call is None:
        return Claim("execute", 1)
    if call.arguments != arguments:
        raise OtherArgumentsError
    again = Claim("execute", call.attempt + 1)
    if call.is_in_doubt:
        return again if call.is_harmless else Claim("in_doubt", call.attempt)
    if call.state == "claimed":
        return Claim("in_flight", call.attempt)
    if call.happened is False or (call.state == "failed" and retry):
        return again
    return Claim("replay", call.attempt)


def record(call: Call | None, attempt: int, status: ResultStatus, result: bytes | None) -> Recorded:
    """Whether a result is stored or was there already.

    The first one that is final stays, and the same again changes nothing. That an effect happened
    is taken from a late attempt too, whatever came of the attempts behind it, unless a person said
    how it was. Raises NoSuchClaimError and AnotherResultError.
    """
    if call is None or attempt > call.attempt:
        raise NoSuchClaimError
    if (call.state, call.result) == (status, result):
        return "same"
    is_last = attempt == call.attempt
    if call.state in {"claimed", "in_doubt"}:
        if is_last or status == "succeeded":
            return "stored"
        raise AnotherResultError
    if call.state == "settled":
        if call.happened and status == "succeeded" and call.result == result:
            return "same"
        if call.happened is False and status == "succeeded":
            return "stored"
        raise AnotherResultError
    if call.state == "failed" and not is_last and status == "succeeded":
        return "stored"
    raise AnotherResultError


def settle(call: Call | None, *, happened: bool, result: bytes | None) -> Recorded:
    """Whether a person's word on what is in doubt is stored or was there already.

    Raises NoSuchClaimError and NotInDoubtError.
    """
    if call is None:
        raise NoSuchClaimError
    if call.state == "settled" and (call.happened, call.result) == (happened, result):
        return "same"
    if not call.is_in_doubt:
        raise NotInDoubtError
    return "stored"
