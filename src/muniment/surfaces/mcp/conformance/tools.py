"""Tools of the fixtures."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.subscriptions import PromptsListChanged, ToolsListChanged
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageResult,
    ElicitRequest,
    ElicitResult,
    LoggingMessageNotification,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel

from muniment.surfaces.mcp.conformance.contents import AUDIO, IMAGE, done, embedded, text
from muniment.surfaces.mcp.conformance.inputs import INPUT_TOOLS, question, sample

Asked = ServerRequestContext[Any, Any]
Fixture = Callable[[Asked], Awaitable[dict[str, Any]]]
_PAUSE = 0.05

BUS = InMemorySubscriptionBus()
_ENUMS: dict[str, Any] = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {
        "type": "string",
        "oneOf": [
            {"const": "value1", "title": "First Option"},
            {"const": "value2", "title": "Second Option"},
            {"const": "value3", "title": "Third Option"},
        ],
    },
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {
        "type": "array",
        "items": {"type": "string", "enum": ["option1", "option2", "option3"]},
    },
    "titledMulti": {
        "type": "array",
        "items": {
            "anyOf": [
                {"const": "value1", "title": "First Choice"},
                {"const": "value2", "title": "Second Choice"},
                {"const": "value3", "title": "Third Choice"},
            ]
        },
    },
}
_DEFAULTS: dict[str, Any] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {
        "type": "string",
        "enum": ["active", "inactive", "pending"],
        "default": "active",
    },
    "verified": {"type": "boolean", "default": True},
}
_USER = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}


def _argument(asked: Asked, name: str) -> str:
    arguments = (asked.params or {}).get("arguments") or {}
    return str(arguments.get(name, ""))


async def _log(asked: Asked, said: str) -> None:
    """A log entry to whoever may get one: since 2026-07-28 that is asked for by each request."""
    if asked.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return
    params = {"level": "info", "data": said}
    note = LoggingMessageNotification.model_validate(
        {"method": "notifications/message", "params": params}
    )
    await asked.session.send_notification(note, related_request_id=asked.request_id)


async def _with_logging(asked: Asked) -> dict[str, Any]:
    await _log(asked, "Tool execution started")
    await asyncio.sleep(_PAUSE)
    await _log(asked, "Tool processing data")
    await asyncio.sleep(_PAUSE)
    await _log(asked, "Tool execution completed")
    return done(text("Three entries were logged."))


async def _with_progress(asked: Asked) -> dict[str, Any]:
    for at in (0, 50, 100):
        await asked.session.report_progress(at, 100, f"{at} of 100")
        await asyncio.sleep(_PAUSE)
    return done(text("It is done."))


async def _ask(asked: Asked, request: BaseModel, answer: type[Any]) -> Any:
    related = ServerMessageMetadata(related_request_id=asked.request_id)
    return await asked.session.send_request(request, answer, metadata=related)  # type: ignore[arg-type]


async def _sampling(asked: Asked) -> dict[str, Any]:
    request = CreateMessageRequest.model_validate(sample(_argument(asked, "prompt")))
    found = await _ask(asked, request, CreateMessageResult)
    return done(text(f"LLM response: {getattr(found.content, 'text', '')}"))


async def _form(asked: Asked, message: str, fields: Mapping[str, Any], need: bool) -> str:
    form = question(message, "x")
    form["params"]["requestedSchema"] = {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields) if need else [],
    }
    found = await _ask(asked, ElicitRequest.model_validate(form), ElicitResult)
    return f"action={found.action}, content={found.content}"


async def _elicitation(asked: Asked) -> dict[str, Any]:
    said = await _form(asked, _argument(asked, "message"), _USER, need=True)
    return done(text(f"User response: {said}"))


async def _defaults(asked: Asked) -> dict[str, Any]:
    said = await _form(asked, "Please check the defaults", _DEFAULTS, need=False)
    return done(text(f"Elicitation completed: {said}"))


async def _enums(asked: Asked) -> dict[str, Any]:
    said = await _form(asked, "Please choose", _ENUMS, need=False)
    return done(text(f"Elicitation completed: {said}"))


async def _reconnection(asked: Asked) -> dict[str, Any]:
    await _log(asked, "Before the stream ends")
    if asked.close_sse_stream is not None:
        await asked.close_sse_stream()
    await asyncio.sleep(4 * _PAUSE)
    return done(text("The client came back for this."))


async def _missing_capability(asked: Asked) -> dict[str, Any]:
    meta = (asked.params or {}).get("_meta") or {}
    if "sampling" not in (meta.get("io.modelcontextprotocol/clientCapabilities") or {}):
        needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling.", needed)
    return done(text("The client can sample."))


async def _changed_tools(_asked: Asked) -> dict[str, Any]:
    await BUS.publish(ToolsListChanged())
    return done(text("Said that the tools changed."))


async def _changed_prompts(_asked: Asked) -> dict[str, Any]:
    await BUS.publish(PromptsListChanged())
    return done(text("Said that the prompts changed."))


def _fixed(result: dict[str, Any]) -> Fixture:
    async def answer(_asked: Asked) -> dict[str, Any]:
        return result

    return answer


FIXTURES: dict[str, Fixture] = {
    "test_simple_text": _fixed(done(text("This is a simple text response for testing."))),
    "test_image_content": _fixed(done(IMAGE)),
    "test_audio_content": _fixed(done(AUDIO)),
    "test_embedded_resource": _fixed(
        done(embedded("test://embedded-resource", "This is an embedded resource content."))
    ),
    "test_multiple_content_types": _fixed(
        done(
            text("Multiple content types test:"),
            IMAGE,
            embedded(
                "test://mixed-content-resource", '{"test":"data","value":123}', "application/json"
            ),
        )
    ),
    "test_error_handling": _fixed(
        done(text("This tool intentionally returns an error for testing"), failed=True)
    ),
    "json_schema_2020_12_tool": _fixed(done(text("The arguments were taken."))),
    "test_custom_headers": _fixed(done(text("Header and argument agree."))),
    "test_tool_with_logging": _with_logging,
    "test_logging_tool": _with_logging,
    "test_tool_with_progress": _with_progress,
    "test_sampling": _sampling,
    "test_elicitation": _elicitation,
    "test_elicitation_sep1034_defaults": _defaults,
    "test_elicitation_sep1330_enums": _enums,
    "test_reconnection": _reconnection,
    "test_missing_capability": _missing_capability,
    "test_trigger_tool_change": _changed_tools,
    "test_trigger_prompt_change": _changed_prompts,
    **INPUT_TOOLS,
}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


_SCHEMAS: dict[str, dict[str, Any]] = {
    "test_sampling": _object(prompt={"type": "string"}),
    "test_elicitation": _object(message={"type": "string"}),
    "test_custom_headers": {
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "tenant": {"type": "string", "x-mcp-header": "Tenant"},
        },
    },
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
}


def schema_of(name: str) -> dict[str, Any] | None:
    """The schema of a fixture's arguments; None where there is no such fixture."""
    return _SCHEMAS.get(name, {"type": "object"}) if name in FIXTURES else None


def listed() -> list[dict[str, Any]]:
    """The fixtures as they are listed."""
    return [
        {"name": name, "description": "A fixture of conformance.", "inputSchema": schema_of(name)}
        for name in FIXTURES
    ]
