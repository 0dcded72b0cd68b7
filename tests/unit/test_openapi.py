"""The OpenAPI document: whole, resolvable, stable, and the same as what the service does."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from muniment.operations.operation import Effect, Http, Operation
from muniment.operations.registry import REGISTRY
from muniment.surfaces.http.openapi import openapi_document
from muniment.surfaces.http.problems import STATUS

DOCUMENT = openapi_document(REGISTRY.values())
METHODS = {"get", "put", "post", "delete"}
ENTRIES = [
    (path, method, entry)
    for path, item in DOCUMENT["paths"].items()
    for method, entry in item.items()
]
each_operation = pytest.mark.parametrize("operation", REGISTRY.values(), ids=list(REGISTRY))


def entry_of(operation: Operation[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][operation.http.path][operation.http.method.lower()]
    return found


def fields_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Its parameters without the headers, which all writes share."""
    return [one for one in entry["parameters"] if "$ref" not in one]


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for one in node:
            yield from references(one)


def resolve(reference: str) -> Any:
    assert reference.startswith("#/")
    found: Any = DOCUMENT
    for part in reference[2:].split("/"):
        found = found[part]
    return found


def test_it_is_openapi_3_1() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    assert {"title", "version"} <= set(DOCUMENT["info"])
    assert set(DOCUMENT) == {"openapi", "info", "security", "paths", "components"}
    assert set(DOCUMENT["components"]) == {"securitySchemes", "schemas", "headers", "parameters"}
    for requirement in DOCUMENT["security"]:
        assert set(requirement) <= set(DOCUMENT["components"]["securitySchemes"])
    assert all(re.fullmatch(r"[\w.-]+", name) for name in DOCUMENT["components"]["schemas"])


def test_it_is_the_same_each_time_and_plain_json() -> None:
    again = openapi_document(REGISTRY.values())
    assert json.dumps(again) == json.dumps(DOCUMENT)
    assert json.loads(json.dumps(DOCUMENT)) == DOCUMENT


def test_every_operation_is_there_once() -> None:
    assert sorted(entry["operationId"] for _, _, entry in ENTRIES) == sorted(REGISTRY)
    assert {method for _, method, _ in ENTRIES} <= METHODS


def test_every_reference_resolves() -> None:
    found = set(references(DOCUMENT))
    assert found
    for reference in found:
        assert isinstance(resolve(reference), dict)


def test_every_component_is_used() -> None:
    kinds = ("schemas", "headers", "parameters")
    there = {
        f"#/components/{kind}/{name}" for kind in kinds for name in DOCUMENT["components"][kind]
    }
    assert set(references(DOCUMENT)) == there


def test_no_definition_is_left_inside() -> None:
    assert "$defs" not in json.dumps(DOCUMENT)


@each_operation
def test_responses(operation: Operation[Any, Any]) -> None:
    responses = entry_of(operation)["responses"]
    done = str(operation.http.status)
    assert done in responses
    for status, response in responses.items():
        assert re.fullmatch(r"[1-5][0-9]{2}", status)
        assert response["description"]
        media = "application/json" if status == done else "application/problem+json"
        assert list(response["content"]) == [media]
    expected = {STATUS[error] for error in operation.errors} | {401, 403, 422, 429, 503}
    if operation.http.method in ("POST", "PUT"):
        expected |= {400, 413, 415}
    if operation.effect is not Effect.READ:
        expected |= {409, 507}
    assert set(responses) == {done, *map(str, expected)}


@each_operation
def test_parameters_are_those_of_the_path_and_the_query(operation: Operation[Any, Any]) -> None:
    entry = entry_of(operation)
    parameters = fields_of(entry)
    places = {one["name"]: one["in"] for one in parameters}
    assert len(places) == len(parameters)
    in_path = re.findall(r"\{(\w+)\}", operation.http.path)
    assert [name for name, place in places.items() if place == "path"] == in_path
    for one in parameters:
        assert ("schema" in one) != ("content" in one)
        assert one["required"] or one["in"] == "query"
    fields = set(operation.field_names)
    if operation.http.method in ("GET", "DELETE"):
        assert set(places) == fields
        assert "requestBody" not in entry
    else:
        assert set(places) == set(in_path)
        body = entry["requestBody"]["content"]["application/json"]["schema"]
        assert set(body["properties"]) == fields - set(in_path)
        assert set(body["required"]) <= set(body["properties"])
        assert body["additionalProperties"] is False
        assert entry["requestBody"]["required"] == bool(body["required"])


@each_operation
def test_writes_alone_take_an_idempotency_key(operation: Operation[Any, Any]) -> None:
    shared = [one["$ref"] for one in entry_of(operation)["parameters"] if "$ref" in one]
    taken = [] if operation.effect is Effect.READ else ["#/components/parameters/Idempotency-Key"]
    assert shared == taken


@each_operation
def test_required_fields_are_those_without_a_default(operation: Operation[Any, Any]) -> None:
    entry = entry_of(operation)
    named = {one["name"] for one in fields_of(entry) if one["required"]}
    if "requestBody" in entry:
        named |= set(entry["requestBody"]["content"]["application/json"]["schema"]["required"])
    assert named == set(operation.schema.get("required", []))


@each_operation
def test_the_result_is_described_as_it_is_written(operation: Operation[Any, Any]) -> None:
    """Two types of one name would describe each other's results."""
    reference = entry_of(operation)["responses"][str(operation.http.status)]["content"][
        "application/json"
    ]["schema"]["$ref"]
    own = operation.results.json_schema(
        ref_template="#/components/schemas/{model}", mode="serialization"
    )
    own.pop("$defs", None)
    assert resolve(reference) == own


def test_two_types_of_one_name_are_refused() -> None:
    @dataclass(frozen=True)
    class Profile:
        """Another result of that name."""

        height: int

    own = REGISTRY["profile.get"]
    other = replace(own, name="profile.measure", result=Profile, http=Http("GET", "/v1/height"))
    with pytest.raises(ValueError, match="two types of the registry are called Profile"):
        openapi_document([own, other])
