"""Errors as RFC 9457 problem documents: one table from class to status, proven total by a test."""

from typing import Any

from starlette.responses import Response

from muniment.errors import (
    AlreadyDecided,
    AlreadyDone,
    ApprovalExpired,
    ApprovalNeeded,
    BadSetting,
    BudgetSpent,
    CannotUndo,
    Changed,
    Conflict,
    Forbidden,
    Forgotten,
    InFlight,
    Internal,
    InvalidInput,
    KeyReused,
    LeaseHeld,
    LeaseLost,
    MalformedBody,
    MethodNotAllowed,
    ModelBudgetSpent,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
    MunimentError,
    NotClaimed,
    NotFound,
    NotHeld,
    NotInDoubt,
    Overtaken,
    OwnRequest,
    QuotaExceeded,
    RateLimited,
    ResultConflict,
    RetentionLocked,
    RunClosed,
    SlotInUse,
    StaleCheckpoint,
    StaleInputs,
    StaleVersion,
    StartRefused,
    StorageFull,
    TooLarge,
    ToolConflict,
    TransitionRefused,
    TurnConflict,
    Unauthenticated,
    Unavailable,
    Unreachable,
    UnsupportedMedia,
    WritesRefused,
    WrongGate,
)
from muniment.ports import Allowance
from muniment.surfaces.json_text import dump_json

STATUS: dict[type[MunimentError], int] = {
    MalformedBody: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    OwnRequest: 403,
    WrongGate: 403,
    NotFound: 404,
    MethodNotAllowed: 405,
    Conflict: 409,
    SlotInUse: 409,
    TransitionRefused: 409,
    ApprovalExpired: 409,
    AlreadyDecided: 409,
    ApprovalNeeded: 409,
    NotInDoubt: 409,
    ResultConflict: 409,
    NotClaimed: 409,
    ToolConflict: 409,
    BudgetSpent: 409,
    RunClosed: 409,
    LeaseLost: 409,
    LeaseHeld: 409,
    StaleCheckpoint: 409,
    StaleInputs: 409,
    StaleVersion: 409,
    CannotUndo: 409,
    InFlight: 409,
    NotHeld: 409,
    Changed: 409,
    AlreadyDone: 409,
    TurnConflict: 409,
    WritesRefused: 409,
    Forgotten: 409,
    TooLarge: 413,
    UnsupportedMedia: 415,
    InvalidInput: 422,
    RetentionLocked: 422,
    KeyReused: 422,
    RateLimited: 429,
    MunimentError: 500,
    Internal: 500,
    StartRefused: 500,
    BadSetting: 500,
    Unreachable: 502,
    ModelOutputInvalid: 502,
    ModelRefused: 502,
    Unavailable: 503,
    Overtaken: 503,
    ModelUnavailable: 503,
    ModelBudgetSpent: 503,
    StorageFull: 507,
    QuotaExceeded: 507,
}


def problem_type(code: str) -> str:
    """The ``type`` of a problem document."""
    return f"urn:muniment:problem:{code}"


def problem(error: MunimentError, request_id: str) -> dict[str, Any]:
    """The document of an error: what, where (JSON pointers), and the request it was."""
    document: dict[str, Any] = {
        "type": problem_type(error.code),
        "title": error.title,
        "status": STATUS[type(error)],
        "code": error.code,
        "detail": error.detail,
        "request_id": request_id,
    }
    if error.faults:
        document["errors"] = [
            {"pointer": fault.pointer, "detail": fault.message} for fault in error.faults
        ]
    return {**error.extra, **document}


def rate_limit_headers(allowance: Allowance) -> dict[str, str]:
    """RateLimit fields (draft-ietf-httpapi-ratelimit-headers-10): the policy, and what is left."""
    name = f'"{allowance.name}"'
    return {
        "ratelimit-policy": f"{name};q={allowance.limit};w={allowance.window}",
        "ratelimit": f"{name};r={allowance.remaining};t={allowance.reset}",
    }


def problem_response(
    error: MunimentError,
    request_id: str,
    media_type: str = "application/problem+json",
    status: int | None = None,
) -> Response:
    """The same as a response, with the headers that go with it; ``status``: another than its
    class has.
    """
    status = status or STATUS[type(error)]
    headers = {"x-request-id": request_id}
    if isinstance(error, Unauthenticated):
        headers["www-authenticate"] = "Bearer"
    if "retry_after" in error.extra:
        headers["retry-after"] = str(error.extra["retry_after"])
    elif isinstance(error, Unavailable):
        headers["retry-after"] = "1"
    limit = error.extra.get("limit")
    if isinstance(error, RateLimited) and limit is not None:
        headers |= rate_limit_headers(Allowance(**limit))
    if isinstance(error, MethodNotAllowed):
        headers["allow"] = ", ".join(error.extra.get("allow", ()))
    return Response(
        dump_json({**problem(error, request_id), "status": status}),
        status_code=status,
        headers=headers,
        media_type=media_type,
    )
