"""Strings that break input handling: our own, and the big list of naughty strings."""

import json
import unicodedata
from pathlib import Path

import pytest
import regex

from muniment.operations.types import VISIBLE_PATTERN

BLNS = Path(__file__).parents[3] / "shared/data/blns.json"
needs_blns = pytest.mark.skipif(
    not BLNS.exists(), reason="the big list of naughty strings lies beside the checkout"
)

# Whole text: emoji with joiners and skin, flags, direction, combining and normal forms, scripts
# without spaces, characters that only look empty, noncharacters, and other languages' syntax.
WHOLE = [
    "👩🏽‍🚀👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🇳🇱🇪🇺", "❤️‍🔥", "שלום עולם", "مرحبا بالعالم", "\u202egnp.exe", "a\u2066b\u2069c",
    "Z̷̡͝a̴͇͠l̸̦̈́g̵̛͇o̶̬͠", "e\u0301", "é", "\u212b", "ﬁ", "İıſß", "한국어", "각", "日本語です", "ภาษาไทย", "नमस्ते",
    "\u200b", "a\u200db", "\ufeffBOM", "\u00ad", "\U000e0061\U000e0062", "\ue000", "\ufffd", "\uffff",
    "\U0010ffff", "\x01\x1b[31m\x7f", "tab\tnew\nline\r\n", "\x85\u2028\u2029", " \u00a0\u3000 ", " ", "",
    "' OR 1=1--", "'; DROP TABLE event; --", '"', "\\", "\\'", "$$", "$1", "%s %(x)s {0} ${x}",
    "100%_", "a:* & !b | c <-> d", "$.x ? (@ == 1)", '$."', "@ > 0", "../../etc/passwd", "a/b", "..",
    ".", "%2F%00", "?a=1&b#c", "a+b c", "null", "true", "0", "NaN", "[]", "{}", "<script>alert(1)</script>",
    "{{7*7}}", "\u0345\uff9e" * 20, "x" * 256, "é" * 128, "😀" * 64,
]  # fmt: skip

# Broken text, and what it is kept as.
BROKEN = {
    "a\x00b": "a\ufffdb",
    "\x00": "\ufffd",
    "\ud800": "\ufffd",
    "x\udfffy": "x\ufffdy",
    "\udc00\ud800": "\ufffd\ufffd",
    "\ud83d!\ude00": "\ufffd!\ufffd",
}


def naughty() -> list[str]:
    """The big list of naughty strings, each once; empty where it is not there."""
    if not BLNS.exists():
        return []
    return list(dict.fromkeys(json.loads(BLNS.read_text(encoding="utf-8"))))


# RULES 2.2, said a second time: nothing that is not seen, but for the space.
_UNFIT = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
_NOT_SEEN = regex.compile(r"\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|\uFFFD")
_EMOJI = regex.compile(r"(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]")


_SHOWN = regex.compile(VISIBLE_PATTERN)


def shows(text: str) -> bool:
    """Whether something of a text can be seen, once it is repaired."""
    return _SHOWN.search(text.replace("\0", "\ufffd")) is not None


def fits_a_name(text: str, most: int = 256) -> bool:
    """Whether a text may be an identifier: 1 to 256 bytes in NFC, all of it visible or a space."""
    composed = unicodedata.normalize("NFC", text)
    return (
        bool(composed.strip())
        and len(composed.encode("utf-8", "surrogatepass")) <= most
        and all(unicodedata.category(c) not in _UNFIT for c in composed)
        and _NOT_SEEN.search(_EMOJI.sub("", composed)) is None
    )


def as_name(text: str) -> str:
    """An identifier as it is kept."""
    return unicodedata.normalize("NFC", text)
