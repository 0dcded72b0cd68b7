"""Every field that takes a text, and every string that breaks input handling.

| field | a string | answer |
|---|---|---|
| name (identifier) | 1 to 256 bytes in NFC, visible | taken in NFC |
| path of names | nothing, or the same of up to 1024 bytes | taken in NFC |
| | else: empty, control, zero width, direction, tags, private use, U+FFFD, broken | 422 there |
| text | within its limit | taken as it is; NUL and lone surrogates as U+FFFD |
| choice, instant, UUID, cursor, kind, slot | any that is not one | 422 there |
| JSON, metadata | any, as key and as value | taken as it is |
| what comes back exactly: working values, items of the store, files | NUL, lone surrogates | 422 there |

Nothing is a 5xx, whichever way it comes. ``make test`` tries every field with every string in the
parser, and with a part of them over HTTP and the SDK; ``make fuzz`` with all of them everywhere.
"""

from typing import Any

import httpx
import pytest

from muniment.client import Client
from tests.faults.input_calls import Answer, over_http, over_sdk, parse
from tests.faults.input_fields import Field, fields
from tests.faults.input_size import LONG
from tests.faults.input_strings import BROKEN, WHOLE, as_name, fits_a_name, naughty, shows

pytestmark = pytest.mark.long

pytest_plugins = ["tests.faults.input_service"]
FIELDS = fields()
STRINGS = [*WHOLE, *BROKEN, *naughty()]
# A user may have been opted out by a string that was sent before.
OUTCOMES = (
    None,
    "invalid_input",
    "not_found",
    "conflict",
    "turn_conflict",
    "stale_version",
    "writes_refused",
    # Of a user or session of that name, whom a forget took before: the order is random.
    "forgotten",
)
# So many strings a field in `make test`, half over HTTP, half over the SDK; others for each field.
_PART = 12
each_field = pytest.mark.parametrize("field", FIELDS, ids=str)


def some(field: Field, surface: int) -> list[str]:
    """The strings that are sent, others on each of the two surfaces."""
    if LONG:
        return STRINGS
    first = FIELDS.index(field) * 7
    return [STRINGS[(first + at * 47) % len(STRINGS)] for at in range(surface, _PART, 2)]


def kept(text: str) -> str:
    """A text as the service keeps it."""
    return BROKEN.get(text, text)


def taken(field: Field, text: str) -> bool:
    """Whether the field takes the text (policy and cursors: once it reaches the handler)."""
    if text in BROKEN and field.path[0] in field.operation.exact:
        return False
    if field.form == "name":
        return (not text and not field.least) or fits_a_name(text, field.most)
    if field.shown and not shows(text):
        return False
    if field.form == "text":
        return field.least <= len(text) and len(kept(text).encode()) <= field.most
    return field.form in ("json", "object")


def value(field: Field, text: str) -> Any:
    """The text in the form that the field takes it: in an object as key and as value."""
    if field.form != "object":
        return text
    return {"metadata.k": text} if field.path == ("filter",) else {text: text, "k": [text]}


def check(field: Field, text: str, answer: Answer) -> None:
    """The answer is as the table says."""
    where = f"{field}: {text!r}: {answer}"
    assert answer.refuses(field.pointer) is not taken(field, text), where
    assert answer.code in OUTCOMES, where


def found(result: Any, field: Field) -> Any:
    """What the parsed command has in the place."""
    for part in field.path:
        result = result[part]
    return result


@each_field
def test_every_string_in_the_parser(field: Field) -> None:
    for text in STRINGS:
        answer = parse(field.operation, field.with_value(value(field, text)))
        if field.form in ("policy", "cursor"):
            assert answer.code in (None, "invalid_input")
            continue
        check(field, text, answer)
        if answer.code is None:
            expected = as_name(text) if field.form == "name" else value(field, kept(text))
            assert found(answer.result, field) == expected, f"{field}: {text!r}"


@pytest.mark.timeout(1800)
@each_field
def test_strings_over_http(field: Field, root_http: httpx.Client) -> None:
    for text in some(field, 0):
        answer = over_http(root_http, field.operation, field.with_value(value(field, text)))
        if in_target(field) and text in BROKEN and "\x00" not in text:
            # What is no UTF-8 cannot be repaired.
            assert answer.refuses(field.pointer), f"{field}: {text!r}: {answer}"
        else:
            check(field, text, answer)


@pytest.mark.timeout(1800)
@each_field
def test_strings_over_the_sdk(field: Field, root_sdk: Client) -> None:
    for text in some(field, 1):
        answer = over_sdk(root_sdk, field.operation, field.with_value(value(field, text)))
        if in_target(field) and text in BROKEN and "\x00" not in text:
            assert answer.code == "invalid_input", f"{field}: {text!r}: {answer}"
        else:
            check(field, text, answer)


def in_target(field: Field) -> bool:
    """Whether the field travels in the path or the query as it is, not as JSON."""
    http = field.operation.http
    if field.form in ("json", "object"):
        return False
    return http.method in ("GET", "DELETE") or field.path[0] in http.path_fields
