"""What a process remembers of the keys that it met last."""

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Latest(OrderedDict[K, V]):
    """The ``most`` keys that were put last."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def put(self, key: K, value: V | None) -> None:
        """As the latest one; None lets go of it."""
        self.pop(key, None)
        if value is not None:
            self[key] = value
        if len(self) > self._most:
            self.popitem(last=False)
