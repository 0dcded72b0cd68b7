"""What is written is rid of its secrets before it is judged, embedded, indexed or stored."""

from collections.abc import Mapping
from typing import Any, Final

from muniment.ports import Redactor

_SHORTEST: Final = 8
"""No name of fewer characters is a secret."""


class Cleaner:
    """Texts and metadata of one thing that is written, without secrets, and the kinds found."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._kinds: dict[str, None] = {}

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the secrets found so far, in the order in which they were met."""
        return tuple(self._kinds)

    def text(self, text: str, named: str | None = None) -> str:
        """A text without its secrets."""
        found = self._redactor.redact(text, named=named)
        self._kinds |= dict.fromkeys(found.kinds)
        return found.text

    def metadata(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """Metadata without the secrets in its texts, numbers and names of fields."""
        return self._members(metadata, None)

    def value(self, value: Any, named: str | None = None) -> Any:
        """The same of any JSON value. What lies in an object under a name of secrets is one too,
        but for what describes it.
        """
        if isinstance(value, str):
            return self.text(value, named)
        if isinstance(value, dict):
            return self._members(value, named)
        if isinstance(value, list):
            return [self.value(one, named) for one in value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        # A number is as secret as its digits.
        digits = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
        clean = self.text(digits, named)
        return value if clean == digits else clean

    def _members(self, value: Mapping[str, Any], named: str | None) -> dict[str, Any]:
        member, clean = self._redactor.member, dict[str, Any]()
        for name, one in value.items():
            clean[self._name(name, clean)] = self.value(one, member(name, named))
        return clean

    def _name(self, name: str, taken: Mapping[str, Any]) -> str:
        """The name of a field without its secrets; two that differ in these alone stay two."""
        if len(name) < _SHORTEST:
            return name
        found = clean = self.text(name)
        count = 1
        while clean in taken:
            count += 1
            clean = f"{found} ({count})"
        return clean
