"""Calls over MCP as messages of JSON-RPC, for tests that look at what goes over the wire."""

import json
from collections.abc import Mapping
from typing import Any

import httpx
from mcp.shared.inbound import encode_header_value

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
}


def message(
    method: str, params: Mapping[str, Any] | None = None, *, era: str = LEGACY, number: int = 1
) -> dict[str, Any]:
    """A request of one of the two eras."""
    given = dict(params or {})
    if era == MODERN:
        given["_meta"] = given.get("_meta", {}) | {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": given}


def headers(sent: Mapping[str, Any], era: str = LEGACY) -> dict[str, str]:
    """The headers that go with it."""
    found = HEADERS | {"mcp-protocol-version": era}
    if era == MODERN:
        params = sent["params"]
        found["mcp-method"] = sent["method"]
        name = params.get("uri", params.get("name"))
        found |= {} if name is None else {"mcp-name": encode_header_value(name)}
    return found


def answer_of(response: httpx.Response) -> dict[str, Any]:
    """The one message that a response has, as JSON or as a stream of one event."""
    if response.headers["content-type"].startswith("text/event-stream"):
        (line,) = [one for one in response.text.split("\n") if one.startswith("data: ")]
        found: dict[str, Any] = json.loads(line.removeprefix("data: "))
        return found
    return dict(response.json())


def tool_call(tool: str, arguments: Any, **meta: Any) -> dict[str, Any]:
    """The parameters of a call."""
    return {"name": tool, "arguments": arguments} | ({"_meta": meta} if meta else {})
