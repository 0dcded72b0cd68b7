"""What is written is rid of its secrets before it is judged, embedded, indexed or stored."""

from collections.abc import Mapping
from typing import Any

from muniment.ports import Redactor


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
        """Metadata with every text in it without its secrets; the names of fields stay."""
        return {name: self.value(value, name) for name, value in metadata.items()}

    def value(self, value: Any, named: str | None = None) -> Any:
        """The same of any JSON value."""
        if isinstance(value, str):
            return self.text(value, named)
        if isinstance(value, dict):
            return self.metadata(value)
        if isinstance(value, list):
            return [self.value(one, named) for one in value]
        return value
