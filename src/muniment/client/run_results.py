"""Results of tool calls: JSON as it is recorded, and read again."""

import json
from base64 import b64decode, b64encode
from typing import Any

MAX_RESULT_BYTES = 1024 * 1024


def encode(value: Any) -> str | None:
    """A result as it is recorded; None for what is no JSON or too long."""
    try:
        raw = json.dumps(value, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        return None
    return b64encode(raw).decode() if len(raw) <= MAX_RESULT_BYTES else None


def decoded(result: str | None) -> Any:
    """A result as it was recorded: JSON, or the bytes that somebody else recorded."""
    if result is None:
        return None
    raw = b64decode(result)
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw
