"""What fixtures answer with."""

import base64
import zlib
from typing import Any


def _chunk(kind: bytes, data: bytes) -> bytes:
    checked = kind + data
    return len(data).to_bytes(4, "big") + checked + zlib.crc32(checked).to_bytes(4, "big")


def _red_pixel() -> bytes:
    """A PNG of one pixel."""
    head = (1).to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    pixels = zlib.compress(bytes([0, 255, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data) for kind, data in ((b"IHDR", head), (b"IDAT", pixels), (b"IEND", b""))
    )


def _silence() -> bytes:
    """A WAV without samples."""
    form = b"fmt " + (16).to_bytes(4, "little") + bytes([1, 0, 1, 0])
    form += (8000).to_bytes(4, "little") * 2 + bytes([1, 0, 8, 0])
    body = b"WAVE" + form + b"data" + (0).to_bytes(4, "little")
    return b"RIFF" + len(body).to_bytes(4, "little") + body


PNG = base64.b64encode(_red_pixel()).decode()
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO = {
    "type": "audio",
    "data": base64.b64encode(_silence()).decode(),
    "mimeType": "audio/wav",
}


def text(said: str) -> dict[str, Any]:
    """A piece of text."""
    return {"type": "text", "text": said}


def embedded(uri: str, said: str, media: str = "text/plain") -> dict[str, Any]:
    """A resource inside a result."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": media, "text": said}}


def done(*contents: dict[str, Any], failed: bool = False) -> dict[str, Any]:
    """The result of a tool."""
    return {"content": list(contents), "isError": failed}
