"""What is stored, made safe to print: no character that a terminal obeys or a reader cannot see."""

import re
import unicodedata

# Controls, formats (bidirectional, zero width, tags), surrogates, line and paragraph separators.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_OBEYED_IN_JSON = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str, *, keep: str = "") -> str:
    """The text with every unseen character escaped, as in Python, but for those to ``keep``."""
    return "".join(
        _escaped(char) if char not in keep and unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


def visible_json(text: str) -> str:
    """The same JSON value with the controls and directions that JSON leaves alone escaped."""
    return _OBEYED_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escaped(char: str) -> str:
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
