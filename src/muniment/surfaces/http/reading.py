"""What a request says: its key, its idempotency key, its query and its body."""

import re

from starlette.requests import Request

from muniment.errors import Fault, InvalidInput, TooLarge, Unauthenticated, UnsupportedMedia
from muniment.operations.decode import pointer
from muniment.surfaces.http.router import decoded

MAX_BODY_BYTES = 4 * 1024 * 1024
IDEMPOTENCY_KEY = r'^(?:"[ -~]{1,255}"|[!#-~](?:[ -~]{0,253}[!#-~])?)$'
"""A key in quotes, as the draft of the header has it, or bare, as most clients send it."""
_BEARER = "bearer "


def bearer_token(request: Request) -> str:
    """The API key as it was sent. Raises Unauthenticated."""
    header = request.headers.get("authorization", "")
    if not header.lower().startswith(_BEARER):
        raise Unauthenticated
    return header[len(_BEARER) :].strip()


def idempotency_key(request: Request) -> str | None:
    """The key of a write, if it has one. Raises InvalidInput for what is not one."""
    given = request.headers.getlist("idempotency-key")
    if not given:
        return None
    if len(given) > 1 or not re.fullmatch(IDEMPOTENCY_KEY, given[0]):
        fault = Fault("", "1 to 255 printable ASCII characters, quoted or bare")
        raise InvalidInput("The header Idempotency-Key is not one.", faults=[fault])
    return given[0].removeprefix('"').removesuffix('"')


def query(request: Request) -> dict[str, str]:
    """Names and values. Raises InvalidInput for what does not decode, and for a name twice."""
    found: dict[str, str] = {}
    for part in request.scope["query_string"].split(b"&"):
        if not part:
            continue
        raw_name, _, raw_value = part.replace(b"+", b" ").partition(b"=")
        name = decoded("", raw_name)
        if name in found:
            raise InvalidInput(faults=[Fault(pointer([name]), "is given twice")])
        found[name] = decoded(name, raw_value)
    return found


async def body(request: Request) -> bytes:
    """The body, counted while it streams. Raises TooLarge and UnsupportedMedia."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise UnsupportedMedia
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > MAX_BODY_BYTES:
        raise TooLarge(f"The body is larger than {MAX_BODY_BYTES} bytes.")
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise TooLarge(f"The body is larger than {MAX_BODY_BYTES} bytes.")
        chunks.append(chunk)
    media = request.headers.get("content-type", "application/json").partition(";")[0]
    if size and media.strip().lower() != "application/json":
        raise UnsupportedMedia
    return b"".join(chunks)
