"""Results of tool calls as they travel: base 64, byte for byte."""

import base64
import binascii
from typing import Annotated

from pydantic import AfterValidator, Field

MAX_RESULT_BYTES = 1024 * 1024
_CHARACTERS = (MAX_RESULT_BYTES + 2) // 3 * 4


def _base64(text: str) -> str:
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise ValueError("is not base 64") from None
    if base64.b64encode(raw).decode() != text:
        raise ValueError("is not base 64")
    if len(raw) > MAX_RESULT_BYTES:
        raise ValueError(f"at most {MAX_RESULT_BYTES} bytes")
    return text


Result = Annotated[
    str,
    Field(max_length=_CHARACTERS, json_schema_extra={"contentEncoding": "base64"}),
    AfterValidator(_base64),
]


def decoded(result: str | None) -> bytes | None:
    """A result as it is stored."""
    return None if result is None else base64.b64decode(result)
