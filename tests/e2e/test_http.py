"""HTTP as a client sees it: problems, headers, limits, health."""

import gzip
import json
from typing import Any

import httpx
import pytest

from muniment.testing import Running
from tests.support.waiting import until

RECALL = {"user_id": "u", "query": "Where?"}


@pytest.fixture
def http(running: Running) -> Any:
    """A bare client with the installation's key."""
    headers = {"authorization": f"Bearer {running.key}"}
    with httpx.Client(base_url=running.url, headers=headers) as client:
        yield client


def problem(answer: httpx.Response) -> dict[str, Any]:
    """The problem document, checked for its shape."""
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert document["status"] == answer.status_code
    assert document["type"] == f"urn:muniment:problem:{document['code']}"
    assert document["request_id"] == answer.headers["x-request-id"]
    assert {"title", "detail"} <= set(document)
    return document


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer"}, 401),
        ({"authorization": "Bearer mnm_x_y"}, 401),
        ({"authorization": "Basic dTpw"}, 401),
        ({"authorization": "Bearer \xff\xfe"}, 401),
    ],
)
def test_without_a_key(running: Running, headers: dict[str, str], status: int) -> None:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    answer = httpx.post(f"{running.url}/v1/recall", json=RECALL, headers=raw)
    assert (answer.status_code, problem(answer)["code"]) == (status, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/", 404, "not_found"),
        ("GET", "/v1", 404, "not_found"),
        ("GET", "/v2/recall", 404, "not_found"),
        ("GET", "/v1/recall", 405, "method_not_allowed"),
        ("PATCH", "/v1/memories", 405, "method_not_allowed"),
        ("GET", "/v1/users/a/b/c/profile", 404, "not_found"),
        ("GET", "/v1/users/%FF/profile", 422, "invalid_input"),
        ("GET", "/v1/users/%00/profile", 422, "invalid_input"),
        ("GET", "/v1/users/%E2%80%8B/profile", 422, "invalid_input"),
        ("GET", "/v1/jobs/1000000000000000000000000000000", 422, "invalid_input"),
        ("GET", "/v1/jobs/one", 422, "invalid_input"),
        ("GET", "/v1/memories/not-an-id", 422, "invalid_input"),
    ],
)
def test_paths_that_are_none(
    http: httpx.Client, method: str, path: str, status: int, code: str
) -> None:
    answer = http.request(method, path)
    assert (answer.status_code, problem(answer)["code"]) == (status, code)
    if status == 405:
        assert answer.headers["allow"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "invalid_input"),
        (b"null", 422, "invalid_input"),
        (b"[]", 422, "invalid_input"),
        (b"{", 400, "malformed_body"),
        (b'{"a": NaN}', 400, "malformed_body"),
        (b'{"a": 1e5000}', 400, "malformed_body"),
        (b'{"a": 1, "a": 2}', 400, "malformed_body"),
        (b"\xef\xbb\xbf{}", 400, "malformed_body"),
        ("{}".encode("utf-16"), 400, "malformed_body"),
        (b'{"query": "\xff"}', 400, "malformed_body"),
        (b"[" * 200_000, 400, "malformed_body"),
        (json.dumps(RECALL | {"tenant_id": "x"}).encode(), 422, "invalid_input"),
        (json.dumps(RECALL | {"k": "10"}).encode(), 422, "invalid_input"),
        (json.dumps(RECALL | {"k": 0}).encode(), 422, "invalid_input"),
        (json.dumps(RECALL | {"as_of": "2026-05-01T10:00:00"}).encode(), 422, "invalid_input"),
        (json.dumps(RECALL | {"as_of": 1717171717}).encode(), 422, "invalid_input"),
    ],
)
def test_bodies_that_are_none(http: httpx.Client, body: bytes, status: int, code: str) -> None:
    answer = http.post("/v1/recall", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, problem(answer)["code"]) == (status, code)


def test_a_body_that_is_too_large(http: httpx.Client) -> None:
    body = json.dumps(RECALL | {"query": "x" * (4 * 2**20)}).encode()

    def streamed() -> Any:
        for start in range(0, len(body), 65536):
            yield body[start : start + 65536]

    for content in (body, streamed()):
        answer = http.post(
            "/v1/recall", content=content, headers={"content-type": "application/json"}
        )
        assert (answer.status_code, problem(answer)["code"]) == (413, "too_large")


def test_media_that_are_not_read(http: httpx.Client) -> None:
    body = json.dumps(RECALL).encode()
    bomb = gzip.compress(b" " * (50 * 2**20))
    for content, headers in (
        (bomb, {"content-type": "application/json", "content-encoding": "gzip"}),
        (body, {"content-type": "text/plain"}),
        (body, {"content-type": "application/x-www-form-urlencoded"}),
    ):
        answer = http.post("/v1/recall", content=content, headers=headers)
        assert (answer.status_code, problem(answer)["code"]) == (415, "unsupported_media")
    answer = http.post(
        "/v1/recall", content=body, headers={"content-type": "Application/JSON; charset=utf-8"}
    )
    assert answer.status_code == 200


def test_what_belongs_elsewhere(http: httpx.Client) -> None:
    answer = http.post("/v1/recall?user_id=u", json=RECALL)
    assert problem(answer)["errors"] == [{"pointer": "/user_id", "detail": "belongs into the body"}]
    answer = http.request("GET", "/v1/keys", json={"limit": 1})
    assert answer.status_code == 422
    answer = http.get("/v1/keys?limit=1&limit=2")
    assert problem(answer)["errors"] == [{"pointer": "/limit", "detail": "is given twice"}]
    answer = http.post("/v1/users/u/sessions/s/close", json={"user_id": "v"})
    assert problem(answer)["errors"] == [
        {"pointer": "/user_id", "detail": "is given by the path already"}
    ]


@pytest.mark.parametrize(
    "name", ["a/b", "..", ".", "%2F", "a b", "ä", "?x=1#y", "'; --", "a" * 256]
)
def test_names_that_need_escaping(http: httpx.Client, name: str) -> None:
    from_sdk = httpx.URL("/v1/users/x/sessions/y/working").raw_path  # a path that needs none
    assert from_sdk
    escaped = "".join(f"%{byte:02X}" for byte in name.encode())
    put = http.put(
        f"/v1/users/{escaped}/sessions/{escaped}/working/{escaped}", json={"value": name}
    )
    assert put.status_code == 200
    assert put.json()["key"] == name
    got = http.get(f"/v1/users/{escaped}/sessions/{escaped}/working/{escaped}")
    assert got.json()["value"] == name


def test_a_request_id_is_given_back(http: httpx.Client) -> None:
    answer = http.post("/v1/recall", json=RECALL, headers={"x-request-id": "mine-1"})
    assert answer.headers["x-request-id"] == "mine-1"
    for unfit in ("x" * 129, "a\tb"):
        answer = http.post("/v1/recall", json=RECALL, headers={"x-request-id": unfit})
        assert answer.headers["x-request-id"] != unfit


def test_health_needs_no_key(running: Running) -> None:
    assert httpx.get(f"{running.url}/healthz").json() == {"status": "ok"}
    for path in ("/healthz", "/metrics", "/v1/keys"):
        answer = httpx.head(
            f"{running.url}{path}", headers={"authorization": f"Bearer {running.key}"}
        )
        assert (answer.status_code, answer.content) == (200, b"")
    # A worker that has only just started has not yet said so.
    until(lambda: httpx.get(f"{running.url}/readyz").status_code == 200)
    ready = httpx.get(f"{running.url}/readyz")
    # What waits for a second person is a warning, and no reason.
    told = ready.json() | {"warnings": {}}
    assert (ready.status_code, told["status"], told["reasons"]) == (200, "ready", {})
    document = httpx.get(f"{running.url}/openapi.json").json()
    assert document["openapi"] == "3.1.0"


def test_errors_never_show_the_content(http: httpx.Client) -> None:
    secret = "hush-4711"
    bodies = [
        {"user_id": secret + "\u200b", "query": secret},
        {"user_id": "u", "query": secret, "k": secret},
        {"user_id": "u", "query": secret, "as_of": secret},
        {"user_id": "u", "query": secret, "filter": {"as_of": secret}},
        {"user_id": "u", "query": secret, "tiers": [secret]},
    ]
    for body in bodies:
        answer = http.post("/v1/recall", json=body)
        assert answer.status_code == 422
        assert secret not in answer.text
