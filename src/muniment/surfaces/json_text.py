"""JSON as every surface writes it: UTF-8, no NaN, not escaped."""

from typing import Any

from pydantic import TypeAdapter

_ANY: TypeAdapter[Any] = TypeAdapter(Any)


def dump_json(value: Any) -> bytes:
    """Encode plain data, dataclasses, instants and UUIDs."""
    return _ANY.dump_json(value)
