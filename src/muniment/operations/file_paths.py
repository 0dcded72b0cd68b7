"""Paths of files: relative, case-sensitive, and without a way out of the scope."""

import unicodedata
from typing import Annotated
from urllib.parse import unquote

from pydantic import AfterValidator, Field

from muniment.operations.types import is_name

MAX_PATH_BYTES = 512
MAX_DEPTH = 16
_AROUND = {".", ".."}


def checked_path(value: str) -> str:
    """Segments between single slashes. Escapes count as what they stand for: a way up is refused
    in every spelling.
    """
    if len(value) > MAX_PATH_BYTES:
        raise ValueError(f"at most {MAX_PATH_BYTES} bytes of UTF-8")
    value = unicodedata.normalize("NFC", value)
    if len(value.encode("utf-8", "replace")) > MAX_PATH_BYTES:
        raise ValueError(f"at most {MAX_PATH_BYTES} bytes of UTF-8")
    parts = value.split("/")
    if len(parts) > MAX_DEPTH:
        raise ValueError(f"at most {MAX_DEPTH} levels deep")
    if not all(_is_segment(part) for part in parts):
        raise ValueError(
            "names between single slashes, none of them a way up or around, without backslashes "
            "and characters that do not show"
        )
    return value


def _is_segment(part: str) -> bool:
    meant = part
    for _ in range(len(part)):
        if (again := unquote(meant)) == meant:
            break
        meant = again
    return is_name(part) and meant.strip() not in _AROUND and not {"/", "\\", "\x00"} & set(meant)


FilePath = Annotated[
    str,
    AfterValidator(checked_path),
    Field(json_schema_extra={"minLength": 1, "maxLength": MAX_PATH_BYTES}),
]


def above(path: str) -> list[str]:
    """The directories that a path lies in, outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]
