"""The server of the fixtures: tools, prompts, resources, completions."""

import json
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    CompleteResult,
    GetPromptResult,
    JSONRPCMessage,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceResult,
    SetLevelRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

from muniment.surfaces.mcp.conformance.contents import IMAGE, PNG, embedded, text
from muniment.surfaces.mcp.conformance.inputs import filled, question, required
from muniment.surfaces.mcp.conformance.tools import BUS, FIXTURES, listed, schema_of

Asked = ServerRequestContext[Any, Any]
_NAME = "muniment-conformance"
_PROMPTS: dict[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}
_TEXTS = {
    "test://static-text": "This is the content of the static text resource.",
    "test://watched-resource": "This may be watched.",
}
_BINARY = "test://static-binary"
_TEMPLATE = "test://template/"


class Events(EventStore):
    """What was sent on each stream, for clients that come back; as long as the process."""

    def __init__(self) -> None:
        self._events: list[tuple[str, JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Keep one event."""
        self._events.append((stream_id, message))
        return str(len(self._events))

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        """Send what came after an event on its stream."""
        at = int(last_event_id) if last_event_id.isdigit() else 0
        if not 0 < at <= len(self._events):
            return None
        stream = self._events[at - 1][0]
        for number, (where, message) in enumerate(self._events[at:], start=at + 1):
            if where == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


async def _list_tools(_asked: Asked, _params: Any) -> Any:
    return ListToolsResult.model_validate({"tools": listed()})


async def _call_tool(asked: Asked, params: Any) -> Any:
    fixture = FIXTURES.get(params.name)
    if fixture is None:
        raise MCPError(INVALID_PARAMS, "There is no such tool.")
    return _whole(CallToolResult, await fixture(asked))


async def _list_resources(_asked: Asked, _params: Any) -> Any:
    uris = [*_TEXTS, _BINARY]
    found = [{"uri": uri, "name": uri.removeprefix("test://")} for uri in uris]
    return ListResourcesResult.model_validate({"resources": found})


async def _list_templates(_asked: Asked, _params: Any) -> Any:
    found = [{"name": "data", "uriTemplate": "test://template/{id}/data"}]
    return ListResourceTemplatesResult.model_validate({"resourceTemplates": found})


async def _read_resource(asked: Asked, params: Any) -> Any:
    uri = str(params.uri)
    if uri in _TEXTS:
        content = {"uri": uri, "mimeType": "text/plain", "text": _TEXTS[uri]}
    elif uri == _BINARY:
        content = {"uri": uri, "mimeType": "image/png", "blob": PNG}
    elif uri.startswith(_TEMPLATE) and uri.endswith("/data"):
        name = uri.removeprefix(_TEMPLATE).removesuffix("/data")
        told = {"id": name, "templateTest": True, "data": f"Data for ID: {name}"}
        content = {"uri": uri, "mimeType": "application/json", "text": json.dumps(told)}
    else:
        modern = asked.protocol_version in MODERN_PROTOCOL_VERSIONS
        code = INVALID_PARAMS if modern else -32002
        raise MCPError(code, "There is no such resource.", {"uri": uri})
    return ReadResourceResult.model_validate({"contents": [content]})


async def _list_prompts(_asked: Asked, _params: Any) -> Any:
    found = [
        {
            "name": name,
            "description": "A fixture of conformance.",
            "arguments": [{"name": one, "description": one, "required": True} for one in arguments],
        }
        for name, arguments in _PROMPTS.items()
    ]
    return ListPromptsResult.model_validate({"prompts": found})


async def _get_prompt(asked: Asked, params: Any) -> Any:
    given = params.arguments or {}
    contents: list[dict[str, Any]]
    match params.name:
        case "test_simple_prompt":
            contents = [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            shown = f"arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"
            contents = [text(f"Prompt with arguments: {shown}")]
        case "test_prompt_with_embedded_resource":
            inside = embedded(given["resourceUri"], "Embedded resource content for testing.")
            contents = [inside, text("Please process the embedded resource above.")]
        case "test_prompt_with_image":
            contents = [IMAGE, text("Please analyze the image above.")]
        case "test_input_required_result_prompt":
            context = filled(asked, "user_context", "context")
            if context is None:
                form = question("What context should the prompt use?", "context")
                return required({"user_context": form})
            contents = [text(f"Use this context: {context}")]
        case _:
            raise MCPError(INVALID_PARAMS, "There is no such prompt.")
    messages = [{"role": "user", "content": one} for one in contents]
    return GetPromptResult.model_validate({"messages": messages})


async def _complete(_asked: Asked, _params: Any) -> Any:
    found = {"values": [], "total": 0, "hasMore": False}
    return CompleteResult.model_validate({"completion": found})


def _whole(result: type[BaseModel], found: dict[str, Any]) -> Any:
    """A result that is complete, or one that waits for the client, as it is."""
    return found if found.get("resultType") == "input_required" else result.model_validate(found)


async def _nothing(_asked: Asked, _params: Any) -> Any:
    return {}


def fixtures() -> Server[Any]:
    """A server with every fixture."""
    hint = CacheHint(ttl_ms=0, scope="private")
    server: Server[Any] = Server(
        _NAME,
        version="1",
        cache_hints={
            "tools/list": hint,
            "prompts/list": hint,
            "resources/list": hint,
            "resources/templates/list": hint,
            "resources/read": hint,
        },
        get_tool_input_schema=schema_of,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=_read_resource,
        on_subscribe_resource=_nothing,
        on_unsubscribe_resource=_nothing,
        on_subscriptions_listen=ListenHandler(BUS),
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
        on_completion=_complete,
    )
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _nothing)
    boundary = RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=_NAME)
    server.middleware.append(boundary)
    return server
