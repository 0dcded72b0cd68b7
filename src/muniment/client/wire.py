"""Plain data and models as JSON text."""

from typing import Any

from pydantic import TypeAdapter

_ANY: TypeAdapter[Any] = TypeAdapter(Any)


def to_json(value: Any) -> str:
    """Models, instants and ids included."""
    return _ANY.dump_json(value).decode()
