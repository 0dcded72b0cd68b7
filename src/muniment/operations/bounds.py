"""Lists and objects of far too many members, found before each member is looked at."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from muniment.errors import Fault
from muniment.operations.decode import pointer

Schema = Mapping[str, Any]


def oversized(schema: Schema, document: Any, most: int) -> list[Fault]:
    """Up to ``most`` faults: lists beyond their ``maxItems``, objects with more members than they
    have fields.

    Validation tells every member that is wrong, and a body has room for a million.
    """
    return list(islice(_faults(schema, schema.get("$defs", {}), document, ()), most))


def _faults(
    schema: Schema, definitions: Schema, value: Any, at: tuple[str | int, ...]
) -> Iterator[Fault]:
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    for option in schema.get("anyOf", ()):
        yield from _faults(option, definitions, value, at)
    if isinstance(value, list) and schema.get("type") == "array":
        bound = schema.get("maxItems")
        if bound is not None and len(value) > bound:
            yield Fault(pointer(at), f"at most {bound} of them")
            return
        for place, item in enumerate(value):
            yield from _faults(schema["items"], definitions, item, (*at, place))
    elif isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        if len(value) > len(known):
            yield from (
                Fault(pointer((*at, k)), "is not a field here") for k in value if k not in known
            )
            return
        for name in known.keys() & value.keys():
            yield from _faults(known[name], definitions, value[name], (*at, name))
