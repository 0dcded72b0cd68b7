"""From a method and a raw path to an operation.

| path | answer |
|---|---|
| an escaped slash, dot, per cent, brace | data of its segment |
| an empty segment, a trailing slash | an empty parameter, which no name may be |
| `.` and `..` | data: nothing is folded away |
| a `%` that escapes nothing, escapes that are not UTF-8 | InvalidInput at the parameter |
| another method | MethodNotAllowed with those that there are |
| anything else | NotFound |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InvalidInput, MethodNotAllowed, NotFound
from muniment.operations.registry import REGISTRY
from muniment.surfaces.http.router import Router

ROUTES = [
    ("GET", "/v1/items", "list"),
    ("POST", "/v1/items", "make"),
    ("GET", "/v1/items/{id}", "get"),
    ("DELETE", "/v1/items/{item}", "delete"),
    ("GET", "/v1/items/{id}/parts/{part}", "part"),
    ("GET", "/health", "health"),
]
ROUTER = Router(ROUTES)


@pytest.mark.parametrize(
    ("method", "path", "target", "parameters"),
    [
        ("GET", b"/v1/items", "list", {}),
        ("POST", b"/v1/items", "make", {}),
        ("GET", b"/health", "health", {}),
        ("GET", b"/v1/items/7", "get", {"id": "7"}),
        ("DELETE", b"/v1/items/7", "delete", {"item": "7"}),
        ("GET", b"/v1/items/7/parts/8", "part", {"id": "7", "part": "8"}),
        ("GET", b"/v1/items/a%2Fb", "get", {"id": "a/b"}),
        ("GET", b"/v1/items/a%2fb%2F", "get", {"id": "a/b/"}),
        ("GET", b"/v1/items/%2E%2E", "get", {"id": ".."}),
        ("GET", b"/v1/items/..", "get", {"id": ".."}),
        ("GET", b"/v1/items/./parts/..", "part", {"id": ".", "part": ".."}),
        ("GET", b"/v1/items/%25", "get", {"id": "%"}),
        ("GET", b"/v1/items/%252F", "get", {"id": "%2F"}),
        ("GET", b"/v1/items/%7Bid%7D", "get", {"id": "{id}"}),
        ("GET", b"/v1/items/{}", "get", {"id": "{}"}),
        ("GET", b"/v1/items/{id}", "get", {"id": "{id}"}),
        ("GET", b"/v1/items/a+b%20c", "get", {"id": "a+b c"}),
        ("GET", b"/v1/items/a%3Fb%23c;d=e", "get", {"id": "a?b#c;d=e"}),
        ("GET", b"/v1/items/%C3%A9", "get", {"id": "é"}),
        ("GET", b"/v1/items/\xc3\xa9", "get", {"id": "é"}),
        ("GET", b"/v1/items/%00", "get", {"id": "\x00"}),
        ("GET", b"/v1/items/", "get", {"id": ""}),
        ("GET", b"/v1/items//parts/", "part", {"id": "", "part": ""}),
        ("GET", b"v1/items", "list", {}),
    ],
)
def test_what_is_there(method: str, path: bytes, target: str, parameters: dict[str, str]) -> None:
    assert ROUTER.match(method, path) == (target, parameters)


@pytest.mark.parametrize(
    "path",
    [
        b"/", b"", b"//", b"/v1", b"/v1/", b"/v2/items", b"/V1/items", b"/health/", b"//health",
        b"/v1//items", b"/v1/items/7/", b"/v1/items/7/parts", b"/v1/items/7/parts/8/",
        b"/v1/items/7/parts/8/9", b"/v1/%69tems", b"/v1/items/a/b", b"/v1/items/../items",
        b"/%2Fhealth", b"/health?", b"\xff",
    ],
)  # fmt: skip
def test_what_is_not_there(path: bytes) -> None:
    with pytest.raises(NotFound):
        ROUTER.match("GET", path)


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        (b"/v1/items/%", "/id"),
        (b"/v1/items/a%2", "/id"),
        (b"/v1/items/%zz", "/id"),
        (b"/v1/items/%u0041", "/id"),
        (b"/v1/items/%%20", "/id"),
        (b"/v1/items/%FF", "/id"),
        (b"/v1/items/%C0%AF", "/id"),
        (b"/v1/items/%ED%A0%80", "/id"),
        (b"/v1/items/\xe9", "/id"),
        (b"/v1/items/7/parts/%", "/part"),
    ],
)
def test_what_does_not_decode(path: bytes, parameter: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        ROUTER.match("GET", path)
    assert [fault.pointer for fault in caught.value.faults] == [parameter]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PATCH", b"/v1/items", ["GET", "POST"]),
        ("HEAD", b"/v1/items/7", ["DELETE", "GET"]),
        ("get", b"/health", ["GET"]),
        ("", b"/health", ["GET"]),
        ("OPTIONS", b"/v1/items/%", ["DELETE", "GET"]),
    ],
)
def test_another_method(method: str, path: bytes, allowed: list[str]) -> None:
    with pytest.raises(MethodNotAllowed) as caught:
        ROUTER.match(method, path)
    assert caught.value.extra == {"allow": allowed}


@given(st.sampled_from(["GET", "POST", "BREW"]), st.binary(max_size=40))
def test_any_path_is_matched_or_refused(method: str, path: bytes) -> None:
    prefix = b"/v1/items/"
    for tried in (path, prefix + path):
        try:
            target, parameters = ROUTER.match(method, tried)
        except (NotFound, MethodNotAllowed, InvalidInput):
            continue
        assert target in {route[2] for route in ROUTES}
        assert all(isinstance(value, str) for value in parameters.values())


def test_every_operation_is_reached_by_its_own_path() -> None:
    router = Router((o.http.method, o.http.path, o.name) for o in REGISTRY.values())
    for operation in REGISTRY.values():
        found = router.match(operation.http.method, operation.http.path.encode())
        assert found == (operation.name, {n: f"{{{n}}}" for n in operation.http.path_fields})
