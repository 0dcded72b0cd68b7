"""Names in the place of identifiers, so that two plays of one trajectory can be compared.

What a service made up (a UUID, a key, a cursor) is called `@STEP.N` by the step of its first
appearance, or as the trajectory says. The marks around data in a prompt are called `@fence`,
salted digests `@digest`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.errors import InvalidInput

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_FENCE = re.compile(r"(?<=\u27e6)(/?)[0-9]{8}(?=\u27e7)")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_MADE_UP = frozenset({"secret", "confirm", "next", "job_id", "cursor"})
# Follows from chance, from the machine, or from everything else.
_VOLATILE = frozenset(
    {
        "score", "score_parts", "watermark", "watermarks", "hash", "digest", "signature",
        "public_key", "created_at", "updated_at", "scheduled_at", "latency_ms", "request_id",
        "sealed_at", "head",
    }
)  # fmt: skip


class Names:
    """What is called what in one play."""

    def __init__(self) -> None:
        self._name_of: dict[Any, str] = {}
        self._value_of: dict[str, Any] = {}

    def bind(self, name: str, value: Any) -> None:
        """Call a value so; the first name stays."""
        self._value_of[name] = value
        self._name_of.setdefault(value, f"@{name}")

    def learn(self, step: int, result: Any) -> None:
        """Name whatever a step's answer has for the first time."""
        count = 0
        for value in _made_up(result):
            if value not in self._name_of:
                count += 1
                self.bind(f"{step}.{count}", value)

    def symbolic(self, value: Any) -> Any:
        """With names in the place of what they stand for."""
        if isinstance(value, Mapping):
            return {
                self._renamed(key): self._field(key, one) for key, one in value.items()
            }  # fmt: skip
        if isinstance(value, list | tuple):
            return [self.symbolic(one) for one in value]
        return self._renamed(value) if isinstance(value, str) else value

    def _field(self, key: str, value: Any) -> Any:
        if key in _MADE_UP and isinstance(value, int | str):
            return self._name_of.get(value, value)
        return self.symbolic(value)

    def _renamed(self, text: str) -> str:
        if text in self._name_of:
            return self._name_of[text]
        found = _UUID.sub(lambda one: self._name_of.get(one[0], one[0]), text)
        return _DIGEST.sub("@digest", _FENCE.sub(r"\1@fence", found))

    def concrete(self, value: Any) -> Any:
        """The way back, for arguments; `@@` begins a text that begins with an @.

        Raises InvalidInput for a name that nothing has.
        """
        if isinstance(value, Mapping):
            return {key: self.concrete(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.concrete(one) for one in value]
        if not isinstance(value, str) or not value.startswith("@"):
            return value
        if value.startswith("@@"):
            return value[1:]
        if value[1:] not in self._value_of:
            raise InvalidInput(f"Nothing is called {value} at this step.")
        return self._value_of[value[1:]]

    def known(self, name: str) -> Any:
        """What a name stands for, or None."""
        return self._value_of.get(name)


def written(value: Any) -> Any:
    """Arguments as a file has them: a text that begins with an @ with two."""
    if isinstance(value, Mapping):
        return {key: written(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [written(one) for one in value]
    return f"@{value}" if isinstance(value, str) and value.startswith("@") else value


def _made_up(result: Any, key: str = "") -> Iterator[Any]:
    if isinstance(result, Mapping):
        for name, value in result.items():
            yield from _made_up(value, name)
    elif isinstance(result, list | tuple):
        for value in result:
            yield from _made_up(value, key)
    elif isinstance(result, str):
        if _UUID.fullmatch(result) or key in _MADE_UP:
            yield result
    elif key in _MADE_UP and isinstance(result, int) and not isinstance(result, bool):
        yield result


def pruned(value: Any) -> Any:
    """An answer as it is kept and compared: without chance, and without what is empty."""
    if isinstance(value, Mapping):
        fields = {key: pruned(one) for key, one in value.items() if key not in _VOLATILE}
        return {key: one for key, one in fields.items() if one not in (None, False, "", [], {})}
    if isinstance(value, list | tuple):
        return [pruned(one) for one in value]
    return value


def timeless(value: Any) -> Any:
    """The same with every instant alike, for a service whose clock nobody holds."""
    if isinstance(value, Mapping):
        return {key: timeless(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [timeless(one) for one in value]
    return _TIME.sub("@time", value) if isinstance(value, str) else value


def ids_in(value: Any) -> list[str]:
    """Names of items in an answer, in its order, each once."""
    found: dict[str, None] = {}

    def walk(one: Any) -> None:
        if isinstance(one, Mapping):
            for key, inner in one.items():
                if key in ("id", "event_id") and isinstance(inner, str):
                    found[inner] = None
                else:
                    walk(inner)
        elif isinstance(one, list):
            for inner in one:
                walk(inner)

    walk(value)
    return list(found)
