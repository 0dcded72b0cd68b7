"""Calls over MCP as messages of JSON-RPC, for tests that look at what goes over the wire."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import httpx
from mcp.shared.inbound import encode_header_value

from muniment.client import Client
from muniment.client.models import Event

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
NOON = datetime(2026, 5, 26, 12, tzinfo=UTC)
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


def arguments_of(admin: Client) -> dict[str, dict[str, Any]]:
    """Arguments with which each tool does something, in an order in which that works."""
    turn = Event(turn=1, role="user", content="I live in Gouda.", occurred_at=NOON)
    admin.events.write(user_id="u", session_id="s", events=[turn])
    held = admin.memories.remember(kind="fact", user_id="u", text="Has one cat.")
    admin.tools.define(name="t", effect="write")
    run = admin.runs.open(agent_id="a", user_id="u")
    place = {"run_id": str(run.run_id)}
    working = place | {"fence": run.fence}
    more = {
        "turn": 2,
        "role": "user",
        "content": "We deploy to eu-west-1.",
        "occurred_at": NOON.isoformat(),
    }
    finding = {
        "text": "Sales fell in May.",
        "label": "confirmatory",
        "evidence": [{"session_id": "s", "turn": 1}],
    }
    return {
        "recall": {"user_id": "u", "query": "Where does the user live?"},
        "remember": {"kind": "fact", "user_id": "u", "text": "Likes tea."},
        "write_events": {"user_id": "u", "session_id": "s", "events": [more]},
        "correct": {"id": str(held.id), "text": "Has two cats."},
        "profile": {"user_id": "u"},
        "plan": {"user_id": "u", "data_source": "sales", "question": "Why did sales fall?"},
        "context": {"user_id": "u", "query": "Where does the user live?", "budget": 500},
        "report": {
            "user_id": "u",
            "session_id": "s",
            "data_source": "sales",
            "findings": [finding],
        },
        "assemble_context": {"user_id": "u", "query": "Where does the user live?"},
        "checkpoint": working | {"step": 1},
        "claim_tool": working | {"tool": "t", "key": "k", "arguments": {}},
        "record_tool": place | {"tool": "t", "key": "k", "attempt": 1, "status": "succeeded"},
        "request_approval": working | {"action": "t", "gate": "g"},
        "forget": {"user_id": "u", "dry_run": True},
    }
