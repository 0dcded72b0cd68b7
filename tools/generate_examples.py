"""An example of each operation in the SDK, with the arguments that it needs."""

import textwrap
from collections.abc import Mapping
from typing import Any

from muniment.operations.operation import Operation

_WIDTH = 82
# Names say more than types; what is an expression stands as one.
_BY_NAME = {
    "user_id": '"nora"', "session_id": '"monday"', "agent_id": '"billing"', "id": "memory_id",
    "ids": "[memory_id]", "query": '"Where does Nora live?"', "kind": '"fact"',
    "text": '"Nora lives in Gouda."', "content": '"I live in Gouda."', "reason": '"A court asked."',
    "data_source": '"sales"', "question": '"How do sales grow?"', "tool": '"erp.post"',
    "role": '"user"', "key": '"memo-4711"', "principal": '"assistant"', "title": '"Expenses"',
    "source": '"handbook"', "document": '{"working": {"ttl_hours": 12}}', "value": '{"amount": "5"}',
    "turn": "0", "name": '"main"', "thread_id": '"monday"', "data": '"AAAA"',
}  # fmt: skip
# What an operation is called with besides, or otherwise.
_BESIDES: dict[str, dict[str, str]] = {
    "forget": {"user_id": '"nora"', "session_id": '"monday"', "dry_run": "True"},
    "memories.remember": {"user_id": '"nora"', "slot": '"city"', "value": '"Gouda"'},
    "memories.list": {"user_id": '"nora"'},
    "memories.correct": {"text": '"Nora lives in Delft."', "value": '"Delft"'},
    "entities.define": {"name": '"Acme"', "kind": '"account"', "user_id": '"nora"'},
    "entities.get": {"name": '"Acme"', "user_id": '"nora"'},
    "entities.merge": {"name": '"Acme Inc"', "into": '"Acme"', "user_id": '"nora"'},
    "entities.remove": {"name": '"Acme"', "user_id": '"nora"'},
    "holds.place": {"user_id": '"nora"'},
    "imports.upload": {"records": '[{"type": "end", "lines": 1}]'},
    "slots.define": {"name": '"city"'},
    "slots.remove": {"name": '"city"'},
    "threads.get_pieces": {"pieces": '["ab" * 32]'},
    "threads.put_pieces": {"pieces": '["AAAA"]'},
    "tools.define": {"name": '"erp.post"'},
}


def example(operation: Operation[Any, Any]) -> str:
    """The call, as it stands behind ``client.``."""
    schema = operation.schema
    given = {
        name: _BY_NAME.get(name) or _sample(name, schema["properties"][name], schema)
        for name in schema.get("required", ())
    }
    given |= _BESIDES.get(operation.name, {})
    arguments = ", ".join(f"{name}={value}" for name, value in given.items())
    return f"{operation.name}({arguments})"


def doctest(operation: Operation[Any, Any], *, asynchronous: bool) -> str:
    """The same as lines of a docstring."""
    call = f"{'await ' if asynchronous else ''}client.{example(operation)}"
    # Only behind an argument, never within a text.
    held = call.replace(" ", "\xa0").replace(",\xa0", ", ")
    lines = textwrap.wrap(held, _WIDTH, break_long_words=False, break_on_hyphens=False)
    shown = [f"...     {line}" if at else f">>> {line}" for at, line in enumerate(lines)]
    return "\n".join(shown).replace("\xa0", " ")


def _sample(name: str, schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """Any value that the schema takes."""
    if "$ref" in schema:
        model = str(schema["$ref"]).rpartition("/")[2]
        found = root["$defs"][model]
        fields = {one: found["properties"][one] for one in found.get("required", ())}
        inner = ", ".join(
            f"{one}={_BY_NAME.get(one) or _sample(one, field, root)}"
            for one, field in fields.items()
        )
        return f"{model}({inner})"
    if "anyOf" in schema:
        return _sample(name, schema["anyOf"][0], root)
    if "enum" in schema:
        return _quoted(schema["enum"][0])
    if "const" in schema:
        return _quoted(schema["const"])
    if schema.get("type") == "array":
        return f"[{_sample(name, schema['items'], root)}]"
    if schema.get("type") == "string":
        return _text(name, schema)
    return {
        "integer": str(schema.get("minimum", 1) or 1), "number": "1.0", "boolean": "True",
        "object": "{}",
    }.get(str(schema.get("type")), "{}")  # fmt: skip


def _text(name: str, schema: Mapping[str, Any]) -> str:
    if schema.get("format") == "uuid":
        return name if name.endswith("_id") else "memory_id"
    if schema.get("format") == "date-time":
        return "datetime(2026, 6, 1, 9, 30, tzinfo=UTC)"
    return _quoted(name)


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
