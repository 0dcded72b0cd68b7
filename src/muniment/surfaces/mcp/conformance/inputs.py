"""Fixtures that ask the client for something before they answer (2026-07-28)."""

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from muniment.surfaces.mcp.conformance.contents import done, text

Asked = ServerRequestContext[Any, Any]
Requests = dict[str, Any]


def question(message: str, field: str, kind: str = "string") -> Requests:
    """A form with one field."""
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def sample(prompt: str, tokens: int = 100) -> Requests:
    """A question to the client's model."""
    messages = [{"role": "user", "content": text(prompt)}]
    return {
        "method": "sampling/createMessage",
        "params": {"messages": messages, "maxTokens": tokens},
    }


ROOTS: Requests = {"method": "roots/list", "params": {}}


def required(requests: Requests, state: str | None = None) -> dict[str, Any]:
    """A result that waits for the client's answers."""
    found = {"resultType": "input_required", "inputRequests": requests}
    return found if state is None else found | {"requestState": state}


def answers(asked: Asked) -> Mapping[str, Any]:
    """What the client answered, by the names that were asked for."""
    found = (asked.params or {}).get("inputResponses")
    return found if isinstance(found, Mapping) else {}


def filled(asked: Asked, name: str, field: str) -> Any:
    """The value of a field of an accepted form; None where there is none."""
    answer = answers(asked).get(name)
    content = answer.get("content") if isinstance(answer, Mapping) else None
    return content.get(field) if isinstance(content, Mapping) else None


def state_of(asked: Asked) -> str | None:
    """The state that came back, verified by the SDK before it gets here."""
    found = (asked.params or {}).get("requestState")
    return found if isinstance(found, str) else None


async def _elicitation(asked: Asked) -> dict[str, Any]:
    name = filled(asked, "user_name", "name")
    if not isinstance(name, str):
        return required({"user_name": question("What is your name?", "name")})
    return done(text(f"Hello, {name}!"))


async def _sampling(asked: Asked) -> dict[str, Any]:
    answer = answers(asked).get("capital_question")
    if not isinstance(answer, Mapping):
        return required({"capital_question": sample("What is the capital of France?")})
    content = answer.get("content")
    said = content.get("text") if isinstance(content, Mapping) else content
    return done(text(f"{said}"))


async def _list_roots(asked: Asked) -> dict[str, Any]:
    answer = answers(asked).get("client_roots")
    if not isinstance(answer, Mapping):
        return required({"client_roots": ROOTS})
    uris = [root.get("uri") for root in answer.get("roots", [])]
    return done(text(f"Roots: {uris}"))


async def _request_state(asked: Asked) -> dict[str, Any]:
    if state_of(asked) != "waits for ok":
        return required({"confirm": question("Please confirm", "ok", "boolean")}, "waits for ok")
    return done(text("state-ok"))


async def _tampered(asked: Asked) -> dict[str, Any]:
    if not answers(asked):
        return required({"confirm": question("Please confirm", "ok", "boolean")}, "sealed")
    if state_of(asked) != "sealed":
        raise MCPError(INVALID_PARAMS, "The state is not one of this server.")
    return done(text("state-ok"))


async def _multiple(asked: Asked) -> dict[str, Any]:
    wanted = {
        "user_name": question("What is your name?", "name"),
        "greeting": sample("Generate a greeting", 50),
        "client_roots": ROOTS,
    }
    if not set(wanted) <= set(answers(asked)):
        return required(wanted, "waits for three")
    return done(text("All three arrived."))


async def _multi_round(asked: Asked) -> dict[str, Any]:
    if state_of(asked) == "round 2" and "step2" in answers(asked):
        return done(text("Both rounds are over."))
    if state_of(asked) == "round 1" and "step1" in answers(asked):
        form = question("Step 2: What is your favorite color?", "color")
        return required({"step2": form}, "round 2")
    return required({"step1": question("Step 1: What is your name?", "name")}, "round 1")


async def _capabilities(asked: Asked) -> dict[str, Any]:
    meta = (asked.params or {}).get("_meta") or {}
    declared = meta.get("io.modelcontextprotocol/clientCapabilities") or {}
    asking = {
        "elicitation": {"name": question("What is your name?", "name")},
        "sampling": {"greeting": sample("Generate a greeting")},
        "roots": {"client_roots": ROOTS},
    }
    wanted = {k: v for name, some in asking.items() if name in declared for k, v in some.items()}
    if wanted and not set(wanted) <= set(answers(asked)):
        return required(wanted)
    return done(text("Nothing more is needed."))


INPUT_TOOLS: dict[str, Callable[[Asked], Any]] = {
    "test_input_required_result_elicitation": _elicitation,
    "test_input_required_result_sampling": _sampling,
    "test_input_required_result_list_roots": _list_roots,
    "test_input_required_result_request_state": _request_state,
    "test_input_required_result_tampered_state": _tampered,
    "test_input_required_result_multiple_inputs": _multiple,
    "test_input_required_result_multi_round": _multi_round,
    "test_input_required_result_capabilities": _capabilities,
    "test_streaming_elicitation": _elicitation,
}
