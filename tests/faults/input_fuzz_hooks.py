"""What schemathesis is told about this service: read by its process, not by pytest.

A value that the schema admits and the service refuses fails the run, unless the fault is one of
BEYOND_THE_SCHEMA: rules that JSON Schema cannot say.
"""

import atexit
import itertools
import json
import os
import re
import uuid
from collections import Counter
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis.openapi.checks import RejectedPositiveData

from muniment.operations.thread_values import PATH_PATTERN
from muniment.operations.types import IDENTIFIER_PATTERN, VISIBLE_PATTERN
from muniment.surfaces.http.reading import IDEMPOTENCY_KEY
from tests.faults.input_strings import fits_a_name

RUN, numbers = uuid.uuid4().hex, itertools.count()
OWN_KEY = uuid.UUID(os.environ["FUZZ_KEY_ID"])
COUNTS = Path(os.environ["FUZZ_COUNTS"])

Value = Any
Case = schemathesis.Case[Any]
Holds = Callable[[Value], bool]


def _always(_value: Value) -> bool:
    return True


def _whole_float(value: Value) -> bool:
    return isinstance(value, float) and value.is_integer()


def _long(value: Value) -> bool:
    """More bytes than characters, so that a limit of bytes is passed before one of characters."""
    return isinstance(value, str) and len(value.encode()) > len(value)


def _leap_second(value: Value) -> bool:
    return isinstance(value, str) and re.search(r":60|\.\d{10}", value) is not None


def _null(value: Value) -> bool:
    return value in (None, "null")


# pointer, message, what the value must be, why the schema cannot say it
BEYOND_THE_SCHEMA: tuple[tuple[str, str, Holds, str], ...] = (
    (r".*", r"Input should be a valid integer", _whole_float,
     "1.0 is an integer to JSON Schema; the service takes a whole number written as one"),
    (r".*", r"at most \d+ bytes of UTF-8", _long, "maxLength counts characters, not bytes"),
    (r".*/metadata", r"at most 16384 bytes as JSON", _always, "objects have no size"),
    (r".*", r"expected an instant .*", _leap_second,
     "date-time admits leap seconds and any number of fractional digits"),
    (r"/id", r"expected a UUID", _null,
     "the generator takes ids from answers, and an id that is null there becomes text in a path"),
    (r"/cursor", r"is not a cursor of this list", _always, "a cursor is opaque"),
    (r"/kind", r"is not a kind of memory.*", _always, "kinds are the policy's"),
    (r"/slot", r"is not a defined slot.*", _always, "slots are the policy's"),
    (r"/slot", r"slot and value go together", _always, "depends on another field"),
    (r"/user_id", r"is needed: .*|must be left out: .*", _always, "depends on the kind or target"),
    (r"/user_id", r"name a user, .*", _always, "one of several fields is needed"),
    (r"/(session_id|ids|filter|data_source)", r"does not go with .*", _always, "one of several fields"),
    (r"/valid_to", r"must be after valid_from", _always, "compares two fields"),
    (r"/text", r"at most \d+ (lines|chunks).*", _always, "depends on the structure of a document"),
    (r"/evidence/\d+", r"there is no such turn", _always, "depends on what is stored"),
    (r"/evidence/\d+/user_id", r"is needed: .*", _always, "depends on another field"),
    (r"/expires_at", r"must be in the future", _always, "depends on the clock"),
    (r"", r"give a text, a value or a date.*|says nothing that is not held.*", _always,
     "one of several fields is needed, and depends on what is stored"),
    (r"/value", r"this memory has no slot", _always, "depends on what is stored"),
    (r"/text|/value", r"(?:does not|must) (?:say|state|contain).*", _always,
     "depends on another field or on what is stored"),
    (r"/valid_from|/valid_to|/at", r"the window would end before it begins", _always,
     "depends on what is stored"),
    (r"/evidence/\d+/user_id", r"is not the memory's user", _always, "depends on what is stored"),
    (r"/decision", r"is for what is contested alone", _always, "depends on what is stored"),
    (r"/until", r"is over", _always, "depends on the clock"),
    (r"/cues/\d+", r"words, and at most one star.*", _always, "cues are a language of their own"),
    (r"/aliases.*", r".*spelling.*|.*names another entity.*", _always, "compares several values"),
    (r"/kind", r"stands for the user.*", _always, "one word is taken"),
    (r"/name", r"is the user; .*|is how the user is called.*", _always, "depends on what is stored"),
    (r"/aliases/.*", r"not only white space.*|.* two spellings .*", _always,
     "no names of properties can be drawn from a pattern"),
    (r"/head/tenant_id", r"is not the tenant of this key", _always, "depends on the key"),
    (r"/records/\d+.*", r"line \d+: .*", _always,
     "lines of an export are checked as they come, with tests of their own"),
    (r"/to_step", r"is before from_step", _always, "compares two fields"),
    (r"/schema.*", r".*(dialect|fetched|nowhere|no schema|not read.*|RE2|of its own|2020-12|too deep|too large|more than).*", _always,
     "a schema is a language of its own"),
    (r"/schema", r"is not (registered|the type).*", _always, "depends on what is stored"),
    (r"/value.*", r"breaks .* of the schema|.* to check.*|.*cannot be checked|.*a pattern that .*", _always, "depends on what is stored"),
    (r"/ids/\d+", r"is nothing that this run recalled", _always, "depends on what is stored"),
    (r"/confirm", r"does not go with dry_run", _always, "depends on another field"),
    (r"/aliases/\d+|/name", r".*name of (?:another|a) source.*", _always, "depends on what is stored"),
    (r"/analysed_at", r"is in the future", _always, "depends on the clock"),
    (r"/revalidation/finding|/retired/\d+/id", r".*", _always, "compares fields, depends on what is stored"),
    (r".*/evidence/\d+(?:/user_id)?", r"there is no such turn", _always, "depends on what is stored"),
    (r"/tool", r"is not defined; see tools.define", _always, "tools are the tenant's"),
    (r"/name", r"is what a move to a stage is called", _always, "a prefix that is the moves'"),
    (r"/result", r"is not base 64", _always, "contentEncoding says so and binds nobody"),
    (r"/transitions/\d+", r"begins at a stage that no run reaches", _always, "compares fields"),
    (r"/scope|/granted", r"is of values that a move .*", _always, "depends on another field and the run"),
    (r"/to", r"is no embedder that this service has", _always, "models are the installation's"),
    (r"/(?:puts/\d+/)?(?:value|content).*", r"holds NUL or a broken character, which cannot be kept as it is", _always,
     "JSON Schema says nothing of characters at any depth"),
    (r"/path|/to|/directory", r"names between single slashes.*|at most \d+ levels deep|at most \d+ bytes.*", _always,
     "paths are a language of their own, with tests of their own"),
    (r".*", r"expected base64|at most \d+ bytes in base64", _always, "contentEncoding says so and binds nobody"),
    (r".*/pieces/\d+|/.*", r"expected a SHA-256 digest in hexadecimal", _always, "to the generator the end of a pattern admits a line break"),
    (r"/state|/.*/\d+", r"has data or pieces, and not both", _always, "depends on another field"),
    (r"/.*", r"has a .* twice|is given twice|names .* twice", _always, "compares several values"),
    (r"/target_id", r"is the thread itself", _always, "compares two fields"),
    (r"/to", r"lies in what is to be moved|makes a path that is wrong.*", _always, "compares two fields"),
    (r"/timezone", r"is no time zone.*", _always, "zones are a list of their own"),
    (r"/.*", r"is named more than once|at most \d+ conditions.*|at most \d+ characters of all texts.*", _always, "compares several values"),
    (r"/into|/head", r"is needed.*", _always, "depends on another field"),
    (r"/document.*", r".*", _always, "the policy is a language of its own, with tests of its own"),
    (r"/filter.*", r".*", _always, "the filter is a language of its own, fuzzed elsewhere"),
)  # fmt: skip


IDENTIFIERS = st.text(
    st.characters(
        exclude_categories=("Cc", "Cs", "Cf", "Co", "Zl", "Zp"), exclude_characters="\ufffd"
    ),
    min_size=1,
    max_size=64,
).filter(fits_a_name)
KEYS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8, max_size=64).map(
    lambda text: text.replace('"', "'")
)
DRAWN = {
    IDENTIFIER_PATTERN: "identifier",
    IDEMPOTENCY_KEY: "idempotency-key",
    VISIBLE_PATTERN: "statement",
    PATH_PATTERN: "place",
}
schemathesis.openapi.format(DRAWN[PATH_PATTERN], st.just("") | IDENTIFIERS)
schemathesis.openapi.format(DRAWN[VISIBLE_PATTERN], IDENTIFIERS)
schemathesis.openapi.format(DRAWN[IDENTIFIER_PATTERN], IDENTIFIERS)
schemathesis.openapi.format(DRAWN[IDEMPOTENCY_KEY], KEYS)


def _drawable(node: Any) -> None:
    if isinstance(node, dict):
        if node.get("pattern") in DRAWN:
            node["format"] = DRAWN[node.pop("pattern")]
        for value in node.values():
            _drawable(value)
    elif isinstance(node, list):
        for value in node:
            _drawable(value)


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Names and statements by a strategy: no value can be drawn from their patterns (``\\p{Cf}``)."""
    _drawable(raw_schema)


FRAMING = {"content-length", "transfer-encoding", "connection", "upgrade", "expect"}


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """The key in use is not revoked: nothing could be tested after that.

    An idempotency key that is one is made unique: generators like to repeat themselves, and the
    second request under a key is refused. A header that says how long the body is makes another
    request of it, or none; such bytes have tests of their own.
    """
    path = case.path_parameters or {}
    given = str(path.get("key_id", ""))
    if given.lower().replace("-", "").strip("{}") == OWN_KEY.hex:
        path["key_id"] = str(uuid.uuid4())
    headers: MutableMapping[str, Any] = case.headers or {}
    for framing in [one for one in headers if one.lower() in FRAMING]:
        del headers[framing]
    name = next((one for one in headers if one.lower() == "idempotency-key"), None)
    if name is not None and re.fullmatch(r"[!#-~]{1,200}", str(headers[name])):
        headers[name] = f"{headers[name]}-{RUN}-{next(numbers)}"


calls: Counter[str] = Counter()


@schemathesis.hook
def after_call(
    context: schemathesis.HookContext, case: Case, response: schemathesis.Response
) -> None:
    """Count what was sent."""
    calls[f"{case.operation.definition.raw['operationId']} {response.status_code}"] += 1


@atexit.register
def _write_counts() -> None:
    COUNTS.write_text(json.dumps(calls))


@schemathesis.hook
def filter_failure(
    context: schemathesis.HookContext,
    failure: Exception,
    case: Case,
    response: schemathesis.Response,
) -> bool:
    """Drop the failure if every fault that was named is one that the schema cannot know."""
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 422:
        return True
    faults = response.json().get("errors", [])
    return not faults or not all(_beyond(fault, case) for fault in faults)


def _beyond(fault: dict[str, str], case: Case) -> bool:
    value = _at(fault["pointer"], case)
    return any(
        re.fullmatch(pointer, fault["pointer"], re.DOTALL)
        and re.fullmatch(message, fault["detail"], re.DOTALL)
        and holds(value)
        for pointer, message, holds, _ in BEYOND_THE_SCHEMA
    )


def _at(pointer: str, case: Case) -> Value:
    """The value at a pointer, in the path, the query or the body."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    places = [case.path_parameters or {}, case.query or {}]
    places += [case.body] if isinstance(case.body, dict) else []
    found: Value = next((place for place in places if parts and parts[0] in place), None)
    for part in parts:
        if isinstance(found, list) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        elif isinstance(found, dict):
            found = found.get(part)
        else:
            return None
    return found


@schemathesis.check
def problems_are_whole(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: Case
) -> None:
    """Every answer names its request; every error is a problem document that agrees with it."""
    (request_id,) = response.headers["x-request-id"]
    assert request_id
    if response.status_code < 400:
        return
    assert response.headers["content-type"] == ["application/problem+json"]
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["type"] == f"urn:muniment:problem:{problem['code']}"
    assert problem["request_id"] == request_id
