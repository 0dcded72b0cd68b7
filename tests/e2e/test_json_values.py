"""A JSON value is the same value on every surface: what one stores the others read."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.client import Client
from muniment.surfaces.cli.main import make_cli
from muniment.testing import Running

pytestmark = pytest.mark.long

PLACE: dict[str, Any] = {"user_id": "nora", "session_id": "s"}
VALUES: list[Any] = [
    None, True, False, 0, -1, 0.5, 2**53 + 1, "", "null", "naïve ☕", [], {}, [None], {"a": None},
]  # fmt: skip
IDS = [json.dumps(value) for value in VALUES]


def cli(running: Running, key: str, *words: str) -> Any:
    environment = {"MUNIMENT_URL": running.url, "MUNIMENT_API_KEY": key}
    done = CliRunner().invoke(make_cli(words[0]), [*words, "--json"], env=environment)
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


@pytest.fixture
def key(admin: Client) -> str:
    secret: str = admin.keys.create(principal="values").secret
    return secret


@pytest.mark.parametrize("value", VALUES, ids=IDS)
def test_what_the_sdk_stores(running: Running, admin: Client, key: str, value: object) -> None:
    admin.working.put(**PLACE, key="k", value=value)
    read = [
        admin.working.get(**PLACE, key="k").value,
        cli(running, key, "working", "get", "nora", "s", "k")["value"],
    ]
    assert [json.dumps(one) for one in read] == [json.dumps(value)] * 2


@pytest.mark.parametrize("value", VALUES, ids=IDS)
def test_what_the_command_line_stores(
    running: Running, admin: Client, key: str, value: object
) -> None:
    cli(running, key, "working", "put", "nora", "s", "k", "--value", json.dumps(value))
    assert json.dumps(admin.working.get(**PLACE, key="k").value) == json.dumps(value)
