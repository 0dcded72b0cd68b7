"""The TypeScript client has every operation, with its fields, its path and whether it writes."""

import re
from typing import Any

import pytest
from tools.generate_typescript import FILE, typescript_files

from muniment.operations.operation import Effect, Operation
from muniment.operations.registry import REGISTRY
from muniment.surfaces.http.problems import STATUS
from tests.support.documents import ROOT

TEXT = (ROOT / FILE).read_text(encoding="utf-8")
ARGUMENTS = dict(re.findall(r'^  "([\w.]+)": \{ args: (\w+); result: \w+ \};$', TEXT, re.MULTILINE))
PLACES = {
    name: (method, path, writes == "true")
    for name, method, path, writes in re.findall(
        r'^  "([\w.]+)": \{ method: "(\w+)", path: "([^"]+)", writes: (\w+) \},$',
        TEXT,
        re.MULTILINE,
    )
}


def test_it_is_up_to_date() -> None:
    assert typescript_files(list(REGISTRY.values())) == {FILE: TEXT}


@pytest.mark.parametrize("operation", REGISTRY.values(), ids=list(REGISTRY))
def test_every_operation_is_there(operation: Operation[Any, Any]) -> None:
    writes = operation.effect is not Effect.READ
    assert PLACES[operation.name] == (operation.http.method, operation.http.path, writes)
    (body,) = re.findall(
        rf"^export interface {ARGUMENTS[operation.name]} \{{(.*?)\}}\n",
        TEXT,
        re.MULTILINE | re.DOTALL,
    )
    fields = dict(re.findall(r'^  "?([\w.]+)"?(\??): ', body, re.MULTILINE))
    required = set(operation.schema.get("required", ()))
    assert {name: mark == "" for name, mark in fields.items()} == {
        name: name in required for name in operation.field_names
    }
    assert f'call("{operation.name}", args, options)' in TEXT


def test_every_code_is_there() -> None:
    assert {error.code for error in STATUS} <= set(re.findall(r'^  \| "(\w+)"', TEXT, re.MULTILINE))
