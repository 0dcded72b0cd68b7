"""Every error that Muniment raises on purpose: one tree, each class with a stable code. No message
holds content, SQL or a stack trace. HTTP statuses are in ``surfaces/http/problems.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Fault:
    """One thing wrong with the input: where (a JSON pointer, ``""`` for the whole) and what."""

    pointer: str
    message: str


class MunimentError(Exception):
    """Root of the tree. ``code`` is stable across releases; as text, ``detail`` and faults."""

    code: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong inside the service."
    noted: ClassVar[bool] = False  # whether a refusal has an entry in the audit trail

    def __init__(
        self, detail: str = "", *, faults: Sequence[Fault] = (),
        extra: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.detail = detail or self.title
        self.faults = tuple(faults)
        self.extra = dict(extra or {})
        super().__init__(self.detail)

    def __str__(self) -> str:
        told = [f"{fault.pointer or 'the whole'}: {fault.message}" for fault in self.faults]
        return " ".join([super().__str__(), "; ".join(told)]).strip()


class Internal(MunimentError):
    """A defect of the service. The log has the cause under the request id."""


class StartRefused(MunimentError):
    """The service will not start as configured; ``cure`` says what to do about it."""

    code = "start_refused"
    title = "The service will not start as configured."

    def __init__(self, problem: str, *, cure: str) -> None:
        super().__init__(f"{problem} {cure}")
        self.problem = problem
        self.cure = cure


class BadSetting(StartRefused):
    """A setting or an option has a value that cannot work."""

    code = "bad_setting"
    title = "A setting cannot work."


class InvalidInput(MunimentError):
    """Well-formed JSON that breaks a rule of the operation; ``faults`` say where."""

    code = "invalid_input"
    title = "The input breaks a rule of this operation."


class RetentionLocked(InvalidInput):
    """A retention class that is locked would be kept shorter, or unlocked; ``faults`` say which."""

    code = "retention_locked"
    title = "A retention class that is locked is never kept shorter."


class MalformedBody(MunimentError):
    """No HTTP/1.1, or no JSON as this service reads it: syntax, encoding, duplicate keys, depth."""

    code = "malformed_body"
    title = "The request is not HTTP or JSON that this service reads."


class TooLarge(MunimentError):
    """More bytes or items than the documented limit."""

    code = "too_large"
    title = "The request is larger than the limit."


class UnsupportedMedia(MunimentError):
    """The body's media type or content coding is not one that the service reads."""

    code = "unsupported_media"
    title = "Send application/json without a content coding."


class Unauthenticated(MunimentError):
    """No key, or one that is unknown, expired or revoked."""

    code = "unauthenticated"
    noted = True
    title = "Send a valid API key as 'Authorization: Bearer KEY'."


class Forbidden(MunimentError):
    """The key is valid and may not do this."""

    code = "forbidden"
    noted = True
    title = "This key may not do that."


class OwnRequest(Forbidden):
    """Nobody decides on what was written with their key, or under their name."""

    code = "own_request"
    title = "Who asked for something does not decide on it; another person's key does."


class WrongGate(Forbidden):
    """The key does not approve what passes this gate."""

    code = "wrong_gate"
    title = "This key does not have the gate of that request."


class NotFound(MunimentError):
    """Nothing under this name that the key may see; says nothing about other tenants."""

    code = "not_found"
    title = "There is nothing under this name."


class MethodNotAllowed(MunimentError):
    """The path exists and does not take this method."""

    code = "method_not_allowed"
    title = "This path does not take that method."


class Conflict(MunimentError):
    """The request is at odds with what is stored."""

    code = "conflict"
    title = "The request is at odds with what is stored."


class TurnConflict(Conflict):
    """The turn was written before with other content; the first stays."""

    code = "turn_conflict"
    title = "This turn was written before with other content; the first one stays."


class WritesRefused(Conflict):
    """The session is ``no_store`` or its user opted out."""

    code = "writes_refused"
    title = "This session or user takes no writes."


class Forgotten(WritesRefused):
    """The user (until ``users.reopen``), session or turn was forgotten and takes no writes."""

    code = "forgotten"
    title = "What was forgotten takes no writes any more; an operator may reopen a user."


class SlotInUse(Conflict):
    """What is held in the slot is too many; ``extra``: how many values of how many subjects."""

    code = "slot_in_use"
    title = "What is held in this slot does not go with that cardinality."


class Changed(Conflict):
    """What a call was to destroy is not what its dry run showed any more."""

    code = "changed"
    title = "What would go has changed since the dry run; look again, and confirm that."


class NotHeld(Conflict):
    """Nothing of the memory is held, or from the moment asked for on: nothing to change."""

    code = "not_held"
    title = "Nothing of this memory is held."


class CannotUndo(Conflict):
    """A decision that is not undone: ``extra`` has ``reason`` and the ``decisions`` in the way."""

    code = "cannot_undo"
    title = "That decision cannot be undone."


class StaleCheckpoint(Conflict):
    """Another step follows the run's last checkpoint; ``extra`` has the ``last_step``."""

    code = "stale_checkpoint"
    title = "The run's last checkpoint is another one; resume the run to see where it is."


class StaleVersion(Conflict):
    """Another version of the artifact or document is held: ``extra['version']``, 0 for none."""

    code = "stale_version"
    title = "Another version of this is held, or this version with other content; it stays."


class LeaseHeld(Conflict):
    """Somebody else holds the run's lease, until ``extra['expires_at']``."""

    code = "lease_held"
    title = "Somebody else holds the lease of this run."


class LeaseLost(Conflict):
    """Somebody else took the run over since: what its former holder writes is refused."""

    code = "lease_lost"
    title = "Somebody else took this run over; nothing of what was sent is stored."
    noted = True


class RunClosed(Conflict):
    """The run was closed; its state stays as it is."""

    code = "run_closed"
    title = "This run is closed."
    noted = True


class BudgetSpent(Conflict):
    """A ceiling of the run's budget is reached; ``extra`` says what is left."""

    code = "budget_spent"
    title = "This goes over the budget of the run."
    noted = True


class StaleInputs(Conflict):
    """What a run recalled does not hold any more; ``extra['stale_inputs']`` names it."""

    code = "stale_inputs"
    title = "The run rests on what does not hold any more: recall it again, or acknowledge it."
    noted = True


class ToolConflict(Conflict):
    """The key of a tool call was used with other arguments; the first stay."""

    code = "tool_conflict"
    title = "This key was used for a call with other arguments; the first one stays."
    noted = True


class NotClaimed(Conflict):
    """A result came for a call or an attempt that nobody claimed."""

    code = "not_claimed"
    title = "Nobody claimed this call, or this attempt of it; claim it first."


class ResultConflict(Conflict):
    """Another result is held, or a later attempt is under way; ``extra`` has its ``status``."""

    code = "result_conflict"
    title = "Another result of this call is held, or a later attempt is under way; it stays."
    noted = True


class NotInDoubt(Conflict):
    """What came of the call is known, or it is under way: nothing is to be settled."""

    code = "not_in_doubt"
    title = "This call is not in doubt."


class ApprovalNeeded(Conflict):
    """It needs an approval that holds; ``extra`` has the ``gate`` and what is wrong: ``reason``."""

    code = "approval_needed"
    title = "This needs an approval that holds."
    noted = True


class AlreadyDecided(Conflict):
    """Somebody decided on this request before; that stays."""

    code = "already_decided"
    title = "Somebody decided on this already."
    noted = True


class ApprovalExpired(Conflict):
    """The time in which the request could be decided on is over."""

    code = "approval_expired"
    title = "The time of this request is over; ask anew."
    noted = True


class TransitionRefused(Conflict):
    """The machine of the run has no such move; ``extra['allowed']`` lists those from its stage."""

    code = "transition_refused"
    title = "The run may not move there from its stage."
    noted = True


class InFlight(Conflict):
    """A request with the same idempotency key is being worked on."""

    code = "in_flight"
    title = "A request with this idempotency key is being worked on; ask again in a moment."


class AlreadyDone(Conflict):
    """Done before under this idempotency key; what it answered is not kept, since it was secret."""

    code = "already_done"
    title = "This was done before under this idempotency key; its answer is not shown twice."


class KeyReused(InvalidInput):
    """The idempotency key came before with another request."""

    code = "idempotency_key_reused"
    title = "This idempotency key was used for another request; take a new one."


class RateLimited(MunimentError):
    """Too many requests; ``extra['retry_after']`` gives the seconds to wait."""

    code = "rate_limited"
    title = "Too many requests."


class Unavailable(MunimentError):
    """The service cannot answer now and will later; the same request may be sent again."""

    code = "unavailable"
    title = "The service cannot answer right now; send the same request again."


class Overtaken(Unavailable):
    """A forget, or a change of the policy, came between each time that this was tried anew."""

    code = "overtaken"
    title = "A forget or a new policy overtook this request; send the same request again."


class StorageFull(MunimentError):
    """The disk under the database is full: writes are refused, reads go on."""

    code = "storage_full"
    title = "The storage is full; writes are refused until there is room."


class QuotaExceeded(StorageFull):
    """The user or tenant has stored as much as it may."""

    code = "quota_exceeded"
    title = "The quota of storage is used up; forget something, or ask the operator for more."


class ModelUnavailable(Unavailable):
    """A language model did not answer; ``extra['retry_after']``: seconds, where it said them."""

    code = "model_unavailable"
    title = "The language model does not answer right now; the job tries again."


class ModelBudgetSpent(ModelUnavailable):
    """The tenant's tokens of this hour are used up; ``extra['retry_after']`` is the rest of it."""

    code = "model_budget_spent"
    title = "The tenant's tokens of this hour are used up; the job waits for the next one."


class ModelRefused(MunimentError):
    """A language model's server refuses what it is asked: the key, the address or the name."""

    code = "model_refused"
    title = "The language model's server refuses the request; look at the settings of the model."


class ModelOutputInvalid(MunimentError):
    """What a language model answered breaks the rules of a proposal; nothing of it was used."""

    code = "model_output_invalid"
    title = "What the language model answered is no valid proposal; nothing of it was used."


class Unreachable(MunimentError):
    """Raised by the SDK alone: no answer came (refused, reset, timed out)."""

    code = "unreachable"
    title = "No answer from the service."
