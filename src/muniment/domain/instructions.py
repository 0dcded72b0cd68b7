"""Does a text from a low-trust channel talk to the agent instead of telling it something?

Advice for quarantine and review. What may supersede what is decided by trust, never by this.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from muniment.domain import defiance
from muniment.domain.gate.automaton import PhraseAutomaton
from muniment.domain.gate.directives import COORDINATING, PASSING, PHRASES, RULES
from muniment.domain.gate.sequences import SequenceWatch
from muniment.domain.gate.tokens import expand
from muniment.domain.late import late
from muniment.domain.text import stream_safe
from muniment.domain.trust import Trust, may_displace

_THRESHOLD = 2
_TOKEN = late(
    r"(?P<sink>(?i:(?:https?|ftp)://|www\.)[^\s<>\"')\]]*(?<![.,;:!?])"
    r"|(?<![\w.@-])(?i:[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,6}?\.(?:com|net|org|io|dev|ai|co|app|"
    r"cloud|info|biz|xyz|ru|cn|me|site|online|tech|example|internal))(?![\w-]|\.\w)"
    r"|/(?:tmp|var|mnt|dev/shm)/[^\s]*+)"
    r"|(?P<mail>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})"
    r"|(?P<word>\w++(?:'\w++)*+)"
    r"|(?P<end>[.!?;]++(?=\s|$|[\"'”’)\]*])|\n[^\S\n]*+\n|```)"
    r"|(?P<colon>:(?!//)|—|–)"
    r"|(?P<opening>\s-\s|\n|[<>\[\]{}(\"“|*#•,])"
)
_ROLE_LINE = late(
    r"^[ \t#*<>!\"'-]{0,12}(?:system|assistant|developer|ai) ?:", re.MULTILINE | re.IGNORECASE
)
_HEADER = late(
    r"^[ \t#*]{0,12}(?:[A-Z]{4,16} ){0,3}(?:SYSTEM|PLATFORM|INFRASTRUCTURE|SERVICE|DEPLOYMENT|"
    r"ADMIN|AGENT|OVERRIDE|MANDATORY|DIRECTIVE|SECURITY CONFIG|SECURITY UPDATE|CONFIGURATION|"
    r"INSTRUCTIONS?)(?: [A-Z]{4,16}){0,3} ?:",
    re.MULTILINE,
)
_MARKUP = (
    (
        "role.markup",
        2,
        late(
            r"<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\|>|"
            r"\[/?INST\]|<</?SYS>>"
            r"|</?(?:system|assistant|developer|instructions?|system_prompt|tool_response|human|"
            r"admin)>"
            r"|^#{2,4} ?(?:instruction|system|assistant|human)s? ?:",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "tool.syntax",
        2,
        late(
            r"<(?:tool_call|function_calls?|tool_use|antml:|invoke name)"
            r"|\"(?:tool|function|name|tool_name|"
            r"recipient_name)\"\s{0,4}:\s{0,4}\"[^\"\n]{1,80}\"\s{0,4},\s{0,4}"
            r"\"(?:arguments|parameters|input|args|tool_input)\"\s{0,4}:\s{0,4}[{\[\"]"
            r"|^Action ?: ?\w+\s{1,4}Action Input ?:",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "exfil.image",
        2,
        late(
            r"!\[[^\]\n]{0,80}\]\(\s{0,4}https?://[^\s()?]{1,200}\?[^\s()]{0,200}?"
            r"(?:[{$]|%7b|<|=[A-Z_]{10,}|=[\w%+/-]{40,}|\b(?:data|secret|token|history|"
            r"conversation|chat|prompt|leak|exfil|payload|memory|cookie|d|q|c)=[^\s()]{8,})"
            r"|<img[^>\n]{1,80}src=[\"']?https?://[^\s\"'>]{1,200}[{$]",
        ),
    ),
    (
        "hidden.style",
        1,
        late(
            r"style=[\"'][^\"'\n]{0,80}(?:display:\s?none|font-size:\s?0|visibility:\s?hidden|"
            r"opacity:\s?0\b)",
            re.IGNORECASE,
        ),
    ),
)
_DANGER = late(
    r"os\.system|subprocess|socket\.|\beval\(|\bexec\(|rm -rf|rmtree\(|\|\s{0,3}(?:ba)?sh\b|"
    r"open\([\"']/etc|/boot/|"
    r"pickle|requests\.(?:post|get)|urlretrieve|urlopen|smtplib|pexpect|cookie|Fernet|"
    r"multiprocessing|keyboard|ftplib|bluetooth|httpx|aiohttp|psutil",
)
_INVISIBLE = late(
    r"[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u180e\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
_SPLIT_WORD = late(r"[A-Za-z][\u200b-\u200d\u2060\ufeff\u180e]+[A-Za-z]")
_TAGS = late(r"(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]{2,}")
_OVERRIDES = late(r"[\u202d\u202e]")
_BASE64 = late(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{24,}+={0,2}")
_HEX = late(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){20,}+(?![0-9A-Za-z])")
_MAX_BLOBS = 16
_MAX_BLOB = 8_192
_SINK, _SNAKE, _COLON, _OPENING, _ROLE, _HEADING = (
    "\0sink",
    "\0snake",
    "\0:",
    "\0,",
    "\0role",
    "\0head",
)
_MAIL = "\0mail"
_PLACES = {"sink": _SINK, "mail": _MAIL}
_MARKS = {
    _MAIL: ("mail",),
    _SINK: ("sink",),
    _SNAKE: ("snake",),
    _COLON: (":",),
    _OPENING: (",",),
    _ROLE: ("role", ":"),
    _HEADING: ("header", ":"),
}
_LOOKALIKES = str.maketrans("асеорхуіѕԁ’‘`´", "aceopxyisd''''")


@dataclass(frozen=True, slots=True)
class Detection:
    """``rules`` names everything that was found, sorted; ``flagged`` when it weighs enough."""

    flagged: bool
    rules: tuple[str, ...]


def is_suspect(said: Iterable[str | None], trust: Trust, rests_on: Iterable[str] = ()) -> bool:
    """Instruction-like, or resting on what is, from a channel below ``operator`` (RULES 5).

    ``rests_on`` are the standings of the turns that it cites.
    """
    if may_displace(trust, "operator"):
        return False
    if "quarantined" in rests_on:
        return True
    return any(looks_like_instruction(text).flagged for text in said if text)


def looks_like_instruction(text: str) -> Detection:
    """Whether ``text`` carries words meant to steer the agent. Pure, total, linear in length."""
    found = _found(text)
    for decoded in _decoded(text):
        inner = _found(decoded)
        if sum(inner.values()) >= _THRESHOLD:
            found["encoded.payload"] = 2
            found.update(inner)
    return Detection(sum(found.values()) >= _THRESHOLD, tuple(sorted(found)))


def _found(text: str) -> dict[str, int]:
    found = _hidden(text)
    folded = unicodedata.normalize("NFKC", stream_safe(text))
    visible = _INVISIBLE.sub("", folded).translate(_LOOKALIKES)
    for name, weight, pattern in _MARKUP:
        if pattern.search(visible):
            found[name] = weight
    found.update(_worded(visible))
    if "code.offered" in found and _DANGER.search(visible):
        found["code.dangerous"] = 2
    return found


def _hidden(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    if text.isascii():
        return found
    if len(list(islice(_SPLIT_WORD.finditer(text), 2))) == 2:
        found["hidden.zero_width"] = 2
    if _TAGS.search(text):
        found["hidden.tags"] = 2
    if _OVERRIDES.search(text):
        found["hidden.direction"] = 1
    return found


def _worded(text: str) -> dict[str, int]:
    """The phrase rules that the words of ``text`` meet, by name."""
    watch, defying = SequenceWatch(RULES), SequenceWatch(defiance.RULES)
    for sentence in _sentences(text):
        _read(sentence, PHRASES, watch)
        watch.end_sentence()
        if defiance.may_defy(sentence):
            _read(sentence, defiance.PHRASES, defying)
            defying.end_sentence()
    return watch.met | defying.met


def _sentences(text: str) -> Iterator[list[str]]:
    """The words of each sentence; what is no word stands as a mark of its own."""
    marks = {match.end(): _ROLE for match in _ROLE_LINE.finditer(text)}
    marks |= {match.end(): _HEADING for match in _HEADER.finditer(text)}
    words: list[str] = []
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "end":
            yield words
            words = []
        elif kind == "word":
            words.extend(_word(token.group()))
        elif kind in _PLACES:
            words.append(_PLACES[kind])
        else:
            words.append(marks.get(token.end(), _COLON if kind == "colon" else _OPENING))
    yield words


def _word(raw: str) -> tuple[str, ...]:
    return (_SNAKE,) if "_" in raw.strip("_") else expand(raw.lower())


def _read(words: list[str], phrases: PhraseAutomaton, watch: SequenceWatch) -> None:
    """Show the labels of a sentence to the rules; ``^`` marks one at which an order may begin."""
    position, opening = 0, True
    while position < len(words):
        word = words[position]
        if word in _MARKS:
            watch.see(_MARKS[word], position)
            opening = opening or word not in {_SINK, _MAIL, _SNAKE}
            position += 1
            continue
        end, labels = phrases.longest(words, position) or (position + 1, ())
        if "none" in labels:
            labels = ()
        elif opening:
            labels += tuple(f"^{label}" for label in labels)
        watch.see(labels, position)
        opening = word in COORDINATING or (
            opening and all(each in PASSING for each in words[position:end])
        )
        position = end


def _decoded(text: str) -> Iterator[str]:
    """What base64 and hexadecimal runs of ``text`` say, when they say something readable."""
    for match in islice(_BASE64.finditer(text), _MAX_BLOBS):
        blob = match.group()[:_MAX_BLOB].rstrip("=")
        yield from _readable(blob[: len(blob) // 4 * 4], base64.b64decode)
    for match in islice(_HEX.finditer(text), _MAX_BLOBS):
        yield from _readable(match.group()[:_MAX_BLOB], bytes.fromhex)


def _readable(blob: str, decode: Callable[[str], bytes]) -> Iterator[str]:
    try:
        decoded = decode(blob).decode("utf-8")
    except (binascii.Error, ValueError):
        return
    if " " in decoded and decoded.replace("\n", " ").isprintable():
        yield decoded
