"""From a method and a raw path to an operation and its path parameters."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import unquote_to_bytes

from muniment.errors import Fault, InvalidInput, MethodNotAllowed, NotFound
from muniment.operations.decode import pointer

T = TypeVar("T")
_PARAMETER = "{}"
_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")


@dataclass
class _Node(Generic[T]):
    children: dict[str, "_Node[T]"] = field(default_factory=dict)
    targets: dict[str, tuple[T, tuple[str, ...]]] = field(default_factory=dict)


class Router(Generic[T]):
    """Matches segment by segment on the path as it was sent, so that an escaped ``/`` is data."""

    def __init__(self, routes: Iterable[tuple[str, str, T]]) -> None:
        """``routes`` are (method, path with ``{name}`` segments, target)."""
        self._root: _Node[T] = _Node()
        for method, path, target in routes:
            node, names = self._root, []
            for part in path.removeprefix("/").split("/"):
                named = part.startswith("{")
                if named:
                    names.append(part[1:-1])
                node = node.children.setdefault(_PARAMETER if named else part, _Node())
            node.targets[method] = (target, tuple(names))

    def match(self, method: str, raw_path: bytes) -> tuple[T, Mapping[str, str]]:
        """The target and its decoded parameters, empty and dot segments taken as they are.

        Raises NotFound, MethodNotAllowed, and InvalidInput for a parameter that does not decode.
        """
        node, values = self._root, list[bytes]()
        for part in raw_path.removeprefix(b"/").split(b"/"):
            name = part.decode("latin-1")
            if name in node.children and name != _PARAMETER:
                node = node.children[name]
            elif _PARAMETER in node.children:
                node = node.children[_PARAMETER]
                values.append(part)
            else:
                raise NotFound("There is nothing under this path.")
        if not node.targets:
            raise NotFound("There is nothing under this path.")
        if method not in node.targets:
            raise MethodNotAllowed(extra={"allow": sorted(node.targets)})
        target, names = node.targets[method]
        return target, {
            name: decoded(name, value) for name, value in zip(names, values, strict=True)
        }


def decoded(name: str, value: bytes) -> str:
    """The text behind percent-encoded UTF-8. Raises InvalidInput, at the field ``name``."""
    at = pointer([name] if name else [])
    if _BROKEN_ESCAPE.search(value):
        raise InvalidInput(faults=[Fault(at, "has a % that escapes nothing")])
    try:
        return unquote_to_bytes(value).decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput(faults=[Fault(at, "is not UTF-8")]) from None
