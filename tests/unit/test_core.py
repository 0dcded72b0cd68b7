"""The SDK without I/O: what it sends is what the service reads, and the other way round.

| argument | on the way |
|---|---|
| any name in the path or the query | arrives as it is |
| None | is left out |
| broken text in a body | travels escaped, for the service to repair |
| a user in the path, the query or the body | stands in a header too, for a balancer |
| a user that is no name, or too long for one | is in no header: the service says what is wrong |
| broken text in a name, NaN, what is not data | InvalidInput before anything is sent |
| an answer that is no answer of the service | the root class, never another exception |
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, unquote
from uuid import UUID

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.client.core import ROUTE, Endpoint, Prepared, error_of, prepare, read
from muniment.client.generated.events import Event
from muniment.errors import Conflict, Fault, InvalidInput, MunimentError, NotFound
from muniment.operations.operation import Operation, Parsed
from muniment.operations.registry import REGISTRY
from muniment.surfaces.http.router import Router

ROUTER = Router((o.http.method, o.http.path, o) for o in REGISTRY.values())
HTTP = httpx.Client(base_url="http://127.0.0.1:7300")
KEY = "mnm_key"
HOSTILE = [
    ".", "..", "...", "/", "//", "a/b", "%", "%2F", "%2f%2E", "%zz", "?", "#", "&", "=", ";", "+",
    " a ", "{user_id}", "{key}", "sessions", "working", "events", "profile", "~", "\\", '"', "'",
    "[1]", '["a"]', "null", "true", "1", ",", "a,b", "é", "東京", "😀", "\u0338a", "%00", ":", "@",
    "http://x/", "x" * 256,
]  # fmt: skip
names = st.sampled_from(HOSTILE) | st.text(
    st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters="\ufffd"),
    min_size=1,
    max_size=20,
).filter(lambda text: bool(text.strip()))


def endpoint(operation: Operation[Any, Any]) -> Endpoint:
    return Endpoint(operation.name, operation.http.method, operation.http.path)


def received(request: Prepared) -> tuple[Operation[Any, Any], Parsed[Any]]:
    """What the service makes of a request that went through the HTTP client's hands."""
    sent = HTTP.build_request(request.method, request.target, content=request.body)
    raw_path, _, query = sent.url.raw_path.partition(b"?")
    operation, path = ROUTER.match(sent.method, raw_path)
    if operation.http.method in ("GET", "DELETE"):
        texts = dict(parse_qsl(query.decode("ascii"), keep_blank_values=True))
        return operation, operation.parse_texts(texts, path)
    return operation, operation.parse(request.body or b"", path)


def round_trip(name: str, arguments: Mapping[str, Any]) -> Any:
    operation, parsed = received(prepare(endpoint(REGISTRY[name]), arguments, KEY))
    assert operation.name == name
    assert parsed.repairs == ()
    return parsed.command


# What else stands in a path is a name too, but for the path of a file and the id of an export, an
# import or a context.
IN_PATH = [
    name
    for name, o in REGISTRY.items()
    if "user_id" in o.http.path_fields
    and not {"export_id", "import_id", "context_id", "path"} & {*o.field_names}
]


@given(st.sampled_from(["recall", "sessions.get", "jobs.list", "keys.create"]), names)
def test_the_user_of_a_call_is_in_a_header(operation: str, user: str) -> None:
    given = {"user_id": user, "session_id": "s", "query": "q"}
    told = prepare(endpoint(REGISTRY[operation]), given, KEY).headers[ROUTE]
    assert told.isascii()
    assert told.isprintable()
    assert unquote(told) == user


@pytest.mark.parametrize("user", [None, 7, "\ud800", "x" * 257, ["u"]])
def test_no_header_of_what_is_no_user(user: object) -> None:
    given = {"user_id": user, "query": "q"}
    assert ROUTE not in prepare(endpoint(REGISTRY["recall"]), given, KEY).headers


@given(st.sampled_from(IN_PATH), names, names, names, names)
def test_any_name_arrives(name: str, user: str, session: str, key: str, namespace: str) -> None:
    operation = REGISTRY[name]
    given_names: dict[str, Any] = {
        "user_id": user,
        "session_id": session,
        "key": key,
        "namespace": namespace,
        "after": key,
        "agent_id": session,
    }
    arguments = {k: v for k, v in given_names.items() if k in operation.field_names}
    if name == "working.put":
        arguments["value"] = {key: [user]}
    if name == "events.write":
        arguments["events"] = [Event(turn=1, role="user", content=key, occurred_at=NOW)]
    found = round_trip(name, arguments)
    for field, value in arguments.items():
        if field != "events":
            expected = _normal(value) if isinstance(value, str) else value
            assert getattr(found, field) == expected


NOW = datetime(2026, 5, 26, 9, 30, tzinfo=UTC)


def _normal(name: str) -> Any:
    return REGISTRY["profile.get"].parse(json.dumps({"user_id": name}).encode(), {}).command.user_id


@pytest.mark.parametrize("name", HOSTILE)
def test_each_hostile_name_arrives(name: str) -> None:
    arguments = {"user_id": name, "session_id": name, "key": name, "namespace": name}
    for operation in ("working.get", "working.delete", "working.list"):
        given_names = {k: arguments[k] for k in arguments if k in REGISTRY[operation].field_names}
        found = round_trip(operation, given_names)
        assert all(getattr(found, field) == name for field in given_names)


@pytest.mark.parametrize("field", ["user_id", "session_id", "key"])
def test_an_empty_name_reaches_the_same_operation_and_is_refused(field: str) -> None:
    arguments = {"user_id": "u", "session_id": "s", "key": "k"} | {field: ""}
    for name in ("working.get", "working.delete"):
        with pytest.raises(InvalidInput) as caught:
            received(prepare(endpoint(REGISTRY[name]), arguments, KEY))
        assert [fault.pointer for fault in caught.value.faults] == [f"/{field}"]


def test_lists_objects_and_numbers_in_a_query() -> None:
    found = round_trip(
        "memories.list",
        {
            "user_id": "u",
            "tiers": ("semantic", "episodic"),
            "kinds": ["a,b", "[c]"],
            "as_of": NOW,
            "filter": {"metadata.a": {"$in": ["é", 2**200, None]}},
            "limit": 7,
        },
    )
    assert found.tiers == ("semantic", "episodic")
    assert found.kinds == ("a,b", "[c]")
    assert found.as_of == NOW
    assert found.filter == {"metadata.a": {"$in": ["é", 2**200, None]}}
    assert found.limit == 7


def test_an_id_in_the_path() -> None:
    memory = UUID("018f2a6c-0000-7000-8000-000000000000")
    assert round_trip("memories.get", {"id": memory}).id == memory


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**200), 2**200) | st.text()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    ).filter(lambda value: value is not None)
)  # fmt: skip
def test_any_data_arrives(value: Any) -> None:
    if "\\u0000" in json.dumps(value):
        return
    arguments = {"user_id": "u", "session_id": "s", "key": "k", "value": value}
    assert round_trip("working.put", arguments).value == value


def test_none_is_left_out() -> None:
    request = prepare(Endpoint("x", "POST", "/v1/x"), {"a": None, "b": 0, "c": {"d": None}}, KEY)
    assert json.loads(request.body or b"") == {"b": 0, "c": {"d": None}}
    assert prepare(Endpoint("x", "GET", "/v1/x"), {"a": None}, KEY).target == "/v1/x"


def test_headers() -> None:
    request = prepare(Endpoint("x", "POST", "/v1/x"), {}, KEY)
    assert request.headers == {
        "authorization": "Bearer mnm_key",
        "accept": "application/json",
        "content-type": "application/json",
    }
    assert request.body == b"{}"
    request = prepare(Endpoint("x", "DELETE", "/v1/x"), {}, KEY)
    assert (request.body, "content-type" in request.headers) == (None, False)


@pytest.mark.parametrize("broken", ["a\ud800", "\udfff\x00é"])
def test_broken_text_is_repaired_by_the_service(broken: str) -> None:
    arguments = {"user_id": "u", "kind": "fact", "text": broken}
    _, parsed = received(prepare(endpoint(REGISTRY["memories.remember"]), arguments, KEY))
    assert "\ufffd" in parsed.command.text
    assert [one.pointer for one in parsed.repairs] == ["/text"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"user_id": "a\ud800"},
        {"user_id": "u", "namespace": "a\udfff"},
        {"user_id": "u", "as_of": float("nan")},
        {"user_id": "u", "as_of": [float("-inf")]},
        {"user_id": "u", "as_of": object()},
        {"user_id": "u", "as_of": b"\xff"},
        {"user_id": "u", "as_of": {"k": {1, object()}}},
    ],
    ids=range(7),
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_cannot_be_sent(method: str, arguments: dict[str, Any]) -> None:
    target = Endpoint("profile.get", method, "/v1/users/{user_id}/profile")
    if method == "POST" and "namespace" in arguments:
        assert prepare(target, arguments, KEY).body == b'{"namespace": "a\\udfff"}'
        return
    with pytest.raises(InvalidInput, match=r"profile\.get: an argument cannot be sent"):
        prepare(target, arguments, KEY)


@dataclass(frozen=True)
class Result:
    """A result of a call."""

    id: UUID
    at: datetime
    extra: Any = None


def test_a_result() -> None:
    found = read(
        Result,
        200,
        b'{"id": "018f2a6c-0000-7000-8000-000000000000", "at": "2026-05-26T09:30:00Z", "new": 1}',
    )
    assert found == Result(UUID("018f2a6c-0000-7000-8000-000000000000"), NOW)


PROBLEM = {
    "type": "urn:muniment:problem:conflict",
    "title": "Title",
    "status": 409,
    "code": "conflict",
    "detail": "Said.",
    "request_id": "r-1",
    "errors": [{"pointer": "/a", "detail": "is wrong", "more": 1}],
    "retry_after": 7,
}


def test_an_error() -> None:
    with pytest.raises(Conflict) as caught:
        read(Result, 409, json.dumps(PROBLEM).encode())
    error = caught.value
    assert (error.detail, error.faults) == ("Said.", (Fault("/a", "is wrong"),))
    assert error.extra == {"request_id": "r-1", "retry_after": 7}


def test_an_error_of_a_later_release() -> None:
    found = error_of(json.dumps(PROBLEM | {"code": "not_yet_known"}).encode())
    assert (type(found), found.detail) == (MunimentError, "Said.")
    assert type(error_of(json.dumps(PROBLEM | {"code": "not_found"}).encode())) is NotFound


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html>Bad Gateway</html>", b"\xff\xfe", b"null", b"[]", b"7", b'"x"', b"{}",
        b'{"message": "Unauthorized"}', b'{"errors": ["x"]}', b'{"errors": null, "code": 1}',
        json.dumps(PROBLEM | {"errors": ["x"]}).encode(),
        json.dumps(PROBLEM | {"errors": None}).encode(),
        json.dumps(PROBLEM | {"errors": [{"pointer": None, "detail": 1}]}).encode(),
        json.dumps(PROBLEM | {"code": ["conflict"]}).encode(),
        b"[" * 100_000,
    ],
    ids=range(16),
)  # fmt: skip
def test_what_is_no_answer_of_the_service(body: bytes) -> None:
    for status in (200, 302, 404, 502):
        with pytest.raises(MunimentError) as caught:
            read(Result, status, body)
        assert type(caught.value) is MunimentError
        assert caught.value.detail == "The answer is not one of this service."


@given(st.binary(max_size=60), st.integers(100, 599))
def test_any_answer_is_a_result_or_an_error(body: bytes, status: int) -> None:
    with pytest.raises(MunimentError):
        read(Result, status, body)
