"""The field types of commands: limits, normal forms, and what the input may not be."""

import json
import unicodedata
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform

import regex
from annotated_types import Ge, Le, MinLen
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)

from muniment.domain.timeline import parse_instant, zulu

MAX_TEXT_BYTES = 64 * 1024
MAX_DETAIL_BYTES = 64 * 1024
MAX_METADATA_BYTES = 16 * 1024
MAX_DOCUMENT_BYTES = 3 * 1024 * 1024
MAX_IDENTIFIER_BYTES = 256
MAX_VALUE_BYTES = 1024
MAX_EVENTS = 500

C = TypeVar("C")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def command(cls: type[C]) -> type[C]:
    """A frozen dataclass that refuses fields it does not know."""
    cls.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return dataclass(frozen=True, kw_only=True)(cls)


Tier = Literal["episodic", "semantic"]
RecallTier = Literal["episodic", "semantic", "knowledge"]
Level = Literal["user", "org"]

# Characters that have no place in a name: controls, surrogates, formats (zero width, bidirectional,
# tags), private use, line separators, and the mark that a broken character leaves; what shows
# nothing (joiners, fillers, variation selectors but for an emoji's), and what is no character.
_UNFIT_CLASSES = (
    r"\p{Cc}\p{Cs}\p{Cf}\p{Co}\p{Zl}\p{Zp}\uFFFD"
    r"\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}"
)
_UNFIT = regex.compile(
    rf"(?<!\p{{Extended_Pictographic}})[\ufe0e\ufe0f]|[[{_UNFIT_CLASSES}]--[\ufe0e\ufe0f]]",
    regex.V1,
)
# A character that can be seen, the blank of Braille aside.
VISIBLE_PATTERN = rf"[^{_UNFIT_CLASSES}\p{{Z}}\u2800]"
_VISIBLE = regex.compile(VISIBLE_PATTERN)
# For the schema; at least one character is not white space.
IDENTIFIER_PATTERN = rf"^\p{{Zs}}*[^{_UNFIT_CLASSES}\p{{Zs}}][^{_UNFIT_CLASSES}]*$"


# The normal form may be shorter than what was sent, but not by this much; making it of a long run
# of combining marks takes time that grows with its square.
_LONGEST_FORM = 4


def check_name(value: str, most: int) -> str:
    """A name in its normal form. Raises ValueError for what is none, or longer."""
    if len(value) <= _LONGEST_FORM * most:
        value = unicodedata.normalize("NFC", value)
    if len(value) > most or len(value.encode()) > most:
        raise ValueError(f"at most {most} bytes of UTF-8")
    if not value.strip():
        raise ValueError("not only white space")
    if _UNFIT.search(value):
        raise ValueError("no control, zero-width, bidirectional, private or broken characters")
    return value


def _identifier(value: str) -> str:
    return check_name(value, MAX_IDENTIFIER_BYTES)


def is_name(value: str) -> bool:
    """Whether a text shows what it says, as a name has to."""
    return bool(value.strip()) and _UNFIT.search(value) is None


def _visible(value: str) -> str:
    if _VISIBLE.search(value) is None:
        raise ValueError("not only white space or invisible characters")
    return value


def _within(limit: int) -> AfterValidator:
    def check(value: str) -> str:
        if len(value) * 4 > limit and len(value.encode()) > limit:
            raise ValueError(f"at most {limit} bytes of UTF-8")
        return value

    return AfterValidator(check)


def _instant(value: Any) -> Any:
    """RFC 3339 with an offset; kept with the offset that was written."""
    if not isinstance(value, str):
        raise ValueError("expected a string such as 2026-05-26T09:30:00+02:00")
    return parse_instant(value)


def _metadata(value: dict[str, Any]) -> dict[str, Any]:
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(compact.encode()) > MAX_METADATA_BYTES:
        raise ValueError(f"at most {MAX_METADATA_BYTES} bytes as JSON")
    return value


_INSTANT_SCHEMA = WithJsonSchema({"type": "string", "format": "date-time"})

Identifier = Annotated[
    str,
    AfterValidator(_identifier),
    Field(
        json_schema_extra={
            "minLength": 1,
            "maxLength": MAX_IDENTIFIER_BYTES,
            "pattern": IDENTIFIER_PATTERN,
        }
    ),
]
Text = Annotated[
    str, MinLen(1), _within(MAX_TEXT_BYTES), Field(json_schema_extra={"maxLength": MAX_TEXT_BYTES})
]
Statement = Annotated[
    Text, AfterValidator(_visible), Field(json_schema_extra={"pattern": VISIBLE_PATTERN})
]
"""A text that says something: what a memory is to say."""
DocumentText = Annotated[
    str,
    MinLen(1),
    _within(MAX_DOCUMENT_BYTES),
    AfterValidator(_visible),
    Field(json_schema_extra={"maxLength": MAX_DOCUMENT_BYTES, "pattern": VISIBLE_PATTERN}),
]
Content = Annotated[
    str, _within(MAX_TEXT_BYTES), Field(json_schema_extra={"maxLength": MAX_TEXT_BYTES})
]
Value = Annotated[
    str,
    MinLen(1),
    _within(MAX_VALUE_BYTES),
    AfterValidator(_visible),
    Field(json_schema_extra={"maxLength": MAX_VALUE_BYTES, "pattern": VISIBLE_PATTERN}),
]
Instant = Annotated[
    AwareDatetime,
    BeforeValidator(_instant),
    PlainSerializer(zulu, return_type=str),
    _INSTANT_SCHEMA,
]
Metadata = Annotated[dict[str, Any], AfterValidator(_metadata)]
Turn = Annotated[int, Ge(0), Le(2**31 - 1)]
Count = Annotated[int, Ge(0)]
Page = Annotated[int, Ge(1), Le(200)]
Json = Any
