"""Errors as problem documents: the table is total, the documents can be sent and read back."""

import json
from collections.abc import Iterator

import pytest

from muniment import errors
from muniment.client.core import error_of
from muniment.errors import Fault, MunimentError, StartRefused
from muniment.surfaces.http.problems import STATUS, problem, problem_response, problem_type


def tree(root: type[MunimentError]) -> Iterator[type[MunimentError]]:
    yield root
    for child in root.__subclasses__():
        yield from tree(child)


CLASSES = list(tree(MunimentError))


def made(cls: type[MunimentError]) -> MunimentError:
    if issubclass(cls, StartRefused):
        return cls("It will not.", cure="Let it.")
    return cls("Said.", faults=[Fault("/a", "is wrong")], extra={"allow": ["GET"]})


def test_every_error_has_a_status_and_nothing_else_has() -> None:
    assert set(STATUS) == set(CLASSES)
    assert {cls.__name__ for cls in CLASSES} == {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, MunimentError)
    }


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("MalformedBody", 400), ("Unauthenticated", 401), ("Forbidden", 403), ("NotFound", 404),
        ("MethodNotAllowed", 405), ("Conflict", 409), ("TurnConflict", 409), ("WritesRefused", 409),
        ("TooLarge", 413), ("UnsupportedMedia", 415), ("InvalidInput", 422), ("RateLimited", 429),
        ("Internal", 500), ("MunimentError", 500), ("StartRefused", 500), ("Unreachable", 502),
        ("Unavailable", 503), ("StorageFull", 507),
    ],
)  # fmt: skip
def test_statuses(name: str, status: int) -> None:
    assert STATUS[getattr(errors, name)] == status


@pytest.mark.parametrize("cls", CLASSES)
def test_every_error_can_be_sent(cls: type[MunimentError]) -> None:
    response = problem_response(made(cls), "r-1")
    assert response.status_code == STATUS[cls]
    assert response.media_type == "application/problem+json"
    assert response.headers["x-request-id"] == "r-1"
    document = json.loads(bytes(response.body))
    assert document["type"] == problem_type(cls.code) == f"urn:muniment:problem:{cls.code}"
    assert (document["status"], document["code"]) == (STATUS[cls], cls.code)
    assert (document["title"], document["request_id"]) == (cls.title, "r-1")
    assert document["detail"]


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if not issubclass(cls, StartRefused)])
def test_the_sdk_raises_the_same_class(cls: type[MunimentError]) -> None:
    found = error_of(bytes(problem_response(made(cls), "r-1").body))
    assert type(found) is (errors.Internal if cls is MunimentError else cls)
    assert (found.detail, found.faults) == ("Said.", (Fault("/a", "is wrong"),))
    assert found.extra == {"request_id": "r-1", "allow": ["GET"]}


def test_codes_are_stable_and_of_one_class_each() -> None:
    codes = [cls.code for cls in CLASSES if cls is not MunimentError]
    assert len(set(codes)) == len(codes)


def test_without_a_detail_the_title_says_it() -> None:
    document = problem(errors.NotFound(), "r-1")
    assert document["detail"] == document["title"] == "There is nothing under this name."
    assert "errors" not in document


def test_nothing_extra_hides_what_a_document_says() -> None:
    hostile = errors.Conflict("Said.", extra={"status": 200, "code": "fine", "more": 1})
    document = problem(hostile, "r-1")
    assert (document["status"], document["code"], document["more"]) == (409, "conflict", 1)


@pytest.mark.parametrize(
    ("error", "header", "value"),
    [
        (errors.Unauthenticated(), "www-authenticate", "Bearer"),
        (errors.MethodNotAllowed(extra={"allow": ["GET", "PUT"]}), "allow", "GET, PUT"),
        (errors.MethodNotAllowed(), "allow", ""),
        (errors.RateLimited(extra={"retry_after": 7}), "retry-after", "7"),
        (errors.Unavailable(), "retry-after", "1"),
        (errors.Unavailable(extra={"retry_after": 30}), "retry-after", "30"),
    ],
)
def test_headers_that_go_with_it(error: MunimentError, header: str, value: str) -> None:
    assert problem_response(error, "r-1").headers[header] == value


def test_no_other_error_names_them() -> None:
    for cls in (errors.NotFound, errors.Internal, errors.InvalidInput):
        headers = problem_response(cls(), "r-1").headers
        assert not {"www-authenticate", "allow", "retry-after"} & set(headers)
