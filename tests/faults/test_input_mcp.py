"""What breaks input handling, over MCP: the same typed errors as over HTTP, in both eras and over
both transports.

| what | answer |
|---|---|
| every string, in every field of every tool that takes a text | as over HTTP, as the tool's error |
| arguments that are no object; a field that there is not, or that no tool has | `invalid_input` there |
| a message that is not JSON as the service reads it | -32700 with the problem document |
| more than 4 MiB | `too_large`, over HTTP 413 |
| an address of a resource with any string in it | `not_found` or `invalid_input`, or the answer |
| a method or parameters that MCP does not know | an error of MCP; never a stack trace |
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from muniment.operations.decode import clean
from muniment.settings import environment_with
from muniment.surfaces.mcp.tools import TOOLS
from muniment.testing import Running
from tests.faults.input_calls import Answer
from tests.faults.input_fields import Field, fields
from tests.faults.test_input_bodies import MALFORMED
from tests.faults.test_input_strings import STRINGS, check, some, value
from tests.support.mcp_calls import LEGACY, MODERN, answer_of, headers, message, tool_call

pytestmark = pytest.mark.long

pytest_plugins = ["tests.faults.input_service"]
BY_OPERATION = {tool.operation.name: tool for tool in TOOLS.values()}
FIELDS = [
    field
    for field in fields()
    if (tool := BY_OPERATION.get(field.operation.name)) is not None
    and field.path[0] not in tool.leaves_out
]
each_field = pytest.mark.parametrize("field", FIELDS, ids=str)
ERAS = (LEGACY, MODERN)
MOST = 4 * 1024 * 1024


def over_mcp(http: httpx.Client, tool: str, arguments: Any, era: str) -> Answer:
    """A tool call as an answer."""
    sent = message("tools/call", tool_call(tool, arguments), era=era)
    by = headers(sent, era)
    response = http.post("/mcp", content=json.dumps(sent).encode(), headers=by)
    assert response.status_code < 500, response.text
    return as_answer(answer_of(response))


def as_answer(told: dict[str, Any]) -> Answer:
    """The result of a tool as an answer."""
    found = told["result"]["structuredContent"]
    assert json.loads(told["result"]["content"][0]["text"]) == found
    if not told["result"]["isError"]:
        return Answer(None, result=found)
    assert found["type"] == f"urn:muniment:problem:{found['code']}"
    return Answer(found["code"], tuple(one["pointer"] for one in found.get("errors", ())))


@pytest.mark.timeout(1800)
@each_field
def test_strings(field: Field, root_http: httpx.Client) -> None:
    tool = BY_OPERATION[field.operation.name]
    for at, text in enumerate(some(field, 0)):
        arguments = field.with_value(value(field, text))
        check(field, text, over_mcp(root_http, tool.name, arguments, ERAS[at % 2]))


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("arguments", [[], "x", 1, True, [{}]])
def test_arguments_that_are_no_object(root_http: httpx.Client, arguments: Any, era: str) -> None:
    answer = over_mcp(root_http, "recall", arguments, era)
    assert (answer.code, answer.pointers) == ("invalid_input", ("",))


@pytest.mark.parametrize("name", [*TOOLS["recall"].leaves_out, "nothing", "", "a/b~c", "\ud800"])
def test_fields_that_there_are_not(root_http: httpx.Client, name: str) -> None:
    arguments = {"user_id": "u", "query": "Where?", name: None}
    assert over_mcp(root_http, "recall", arguments, LEGACY).code == "invalid_input"


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_not_json(name: str, root_http: httpx.Client) -> None:
    by = headers(message("tools/list"))
    response = root_http.post("/mcp", content=MALFORMED[name], headers=by)
    told = response.json()
    assert (response.status_code, told["error"]["code"]) == (400, -32700)
    assert told["error"]["data"]["code"] == "malformed_body"


def test_too_much(root_http: httpx.Client) -> None:
    by = headers(message("tools/list"))
    response = root_http.post("/mcp", content=b" " * (MOST + 1), headers=by)
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("era", ERAS)
def test_addresses(root_http: httpx.Client, era: str) -> None:
    for text in STRINGS:
        escaped = quote(text.encode("utf-8", "surrogatepass"), safe="")
        for uri in (f"muniment://users/{escaped}/profile", f"muniment://users/{text}/profile"):
            sent = message("resources/read", {"uri": uri}, era=era)
            repaired = clean(uri, "", [])
            by = headers(message("resources/read", {"uri": repaired}, era=era), era)
            response = root_http.post("/mcp", content=json.dumps(sent).encode(), headers=by)
            told = answer_of(response)
            code = told["error"].get("data", {}).get("code") if "error" in told else None
            assert code in (None, "not_found", "invalid_input"), (uri, told)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "sent",
    [
        {},
        [],
        "x",
        {"jsonrpc": "1.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": "\ud800"},
        {"jsonrpc": "2.0", "id": 1, "method": "nothing/known"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x" * 100_000}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a\x00\ud800"}},
        {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": {"a": 1}}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": [1]}},
        {"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": True, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": "\ud800", "method": "tools/list", "params": []},
        {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}},
        [{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}],
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ],
    ids=repr,
)
def test_messages_that_mcp_does_not_know(sent: Any, era: str, root_http: httpx.Client) -> None:
    by = headers(message("tools/list"), LEGACY) | {"mcp-protocol-version": era}
    response = root_http.post("/mcp", content=json.dumps(sent).encode(), headers=by)
    assert response.status_code < 500
    for word in ("Traceback", "validation error", "pydantic"):
        assert word not in response.text
    if response.content:
        told = answer_of(response)
        assert "error" in told or sent["method"] == "tools/list"


@pytest.fixture(scope="module")
def piped(unlimited: Running) -> Iterator[subprocess.Popen[bytes]]:
    """`muniment mcp`, as a client starts it."""
    known = {"MUNIMENT_URL": unlimited.url, "MUNIMENT_API_KEY": unlimited.key}
    with subprocess.Popen(
        [sys.executable, "-m", "muniment", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment_with(known),
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


def through(piped: subprocess.Popen[bytes], line: bytes) -> dict[str, Any]:
    """What a line is answered with."""
    assert piped.stdin is not None
    assert piped.stdout is not None
    piped.stdin.write(line + b"\n")
    piped.stdin.flush()
    found: dict[str, Any] = json.loads(piped.stdout.readline())
    return found


@pytest.mark.parametrize("field", [one for one in FIELDS if one.form == "name"], ids=str)
def test_strings_over_stdio(
    field: Field, piped: subprocess.Popen[bytes], root_http: httpx.Client
) -> None:
    tool = BY_OPERATION[field.operation.name].name
    for at, text in enumerate(some(field, 1)):
        arguments = field.with_value(value(field, text))
        sent = message("tools/call", tool_call(tool, arguments), era=ERAS[at % 2], number=at)
        told = through(piped, json.dumps(sent).encode())
        assert told["id"] == at
        check(field, text, as_answer(told))


def test_malformed_over_stdio(piped: subprocess.Popen[bytes]) -> None:
    for name, body in MALFORMED.items():
        if b"\n" in body or len(body) > MOST:
            continue
        told = through(piped, body.strip())
        assert told["error"]["data"]["code"] == "malformed_body", name


def test_too_much_over_stdio(piped: subprocess.Popen[bytes]) -> None:
    arguments = {"user_id": "u", "query": "x" * MOST}
    sent = json.dumps(message("tools/call", tool_call("recall", arguments), number=7)).encode()
    assert as_answer(through(piped, sent)).code == "too_large"
    assert through(piped, json.dumps(message("ping", number=8)).encode())["id"] == 8
