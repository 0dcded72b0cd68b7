"""Secrets in a text, and the text without them. Bounded work, no network, nothing is logged."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

import regex
from detect_secrets.filters.heuristic import is_templated_secret
from stdnum import luhn

from muniment.domain.late import late, late_regex
from muniment.ports import Redacted
from muniment.providers import secret_formats as formats

Span = tuple[int, int, str]
"""Where a secret starts and ends, and what kind it is."""

_HELD_BYTES: Final = 64 * 1024
_MARKER: Final = "[redacted: {}]"
_MARKED: Final = _MARKER.partition("{")[0]

_FIRST = r"pass(?:word|wd|phrase|code)|\bpwd|kennwort|passwort|wachtwoord|contraseña|mot de passe"
_SECOND = (
    r"(?:api|access|secret|private|client|auth|account|app|service|encryption|signing|master"
    r"|shared|storage|webhook)[ _-]?key"
    r"|(?:access|auth|api|bearer|refresh|session|bot|id|security)[ _-]?token|authtoken"
    r"|client[ _-]?secret|\bsecret|_secret|\btoken|_token|credential"
)
_NAME: Final = late_regex(
    rf"(?:(?P<password>{_FIRST})|(?P<secret>{_SECOND}))"
    r"(?:[_-]?(?:base|prod|production|dev|test|staging|live|value|string|\d{1,2}))?",
    regex.IGNORECASE,
)
# A text without any of these has no such name.
_NAMED: Final = (
    "pass", "pwd", "secret", "token", "key", "credential", "kennwort", "wachtwoord", "contrase",
)  # fmt: skip
_PARAMETER: Final = late_regex(r"&\w{1,64}=")
_ASSIGNED: Final = late_regex(
    r"[\\\"'\]]{0,3}(?P<op>\s{0,3}+(?::=|=>|={1,3}|:)\s{0,3}+|\s{1,3}+(?:is|was)\s{1,3}+:?\s?+)"
    r"(?:\{[^{}]{0,200}?\\?[\"'](?:value|plain(?:text)?|text|content|data|current|raw|secret)"
    r"\\?[\"']\s{0,3}+:\s{0,3}+)?+"
    r"(?:\\?(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{1,512}+)\\?(?P=quote)"
    r"|(?P<plain>[^\s\"'`“”<>;,]{1,512}+))",
    regex.IGNORECASE,
)
_URL: Final = late_regex(r"://[^\s:/@?#\"']{0,128}+:(?P<secret>[^\s@/\"']{1,256}+)@(?=[\w\[])")
_HEADER: Final = late_regex(
    r"\b(?:bearer\s{1,3}+|authorization[\"']?\s{0,3}+[:=]\s{0,3}+[\"']?(?:basic|token)\s{1,3}+)"
    r"(?P<secret>[A-Za-z0-9._~+/-]{12,4096}+={0,2})",
    regex.IGNORECASE,
)
_BLOCK: Final = late_regex(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_END: Final = late_regex(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PUTTY: Final = late_regex(r"PuTTY-User-Key-File-\d")
_PUTTY_END: Final = late_regex(r"Private-(?:MAC|Hash): \w*+")
_BASE64_LINES: Final = late_regex(r"(?:(?:\s|\\r|\\n)*+[A-Za-z0-9+/=]{8,}+)*+")
_LONGEST_BLOCK: Final = 32_768

_CALL: Final = late(r"[A-Za-z_][\w.]*(?:\(|\[$)")
_PATH: Final = late(r"(?:~|\.{1,2})?(?:/[A-Za-z_.][\w.-]*){2,}")
_FIELD: Final = late(r"[\w .$-]{1,64}")
_NO_SECRETS: Final = frozenset(
    {
        "none", "null", "nil", "true", "false", "undefined", "undef", "required", "optional",
        "expired", "wrong", "missing", "invalid", "empty", "redacted", "hidden", "todo", "changeme",
        "password", "secret", "token", "string", "str", "prompt",
    }
)  # fmt: skip
# What is said of a secret beside the secret itself.
_DESCRIBE: Final = frozenset(
    {
        "id", "name", "label", "title", "description", "hint", "note", "type", "kind", "format",
        "algorithm", "policy", "status", "state", "version", "length", "min_length", "max_length",
        "required", "rotation", "created_at", "updated_at", "changed_at", "expires_at",
        "expires_in", "user", "username", "user_id", "owner", "email", "url", "path", "source",
        "scope", "in",
    }
)  # fmt: skip
_FOUR_DIGITS: Final = late(r"\d{4}")
_CARD: Final = late_regex(
    r"(?<![\w.-])(?:\d{14,19}|\d{4}(?P<a>[ \u00a0.-])\d{4}(?P=a)\d{4}(?P=a)\d{1,7}"
    r"|\d{4}(?P<b>[ \u00a0.-])\d{6}(?P=b)\d{4,5})(?![\w]|[.-](?!0++(?!\d))\d)"
)
# Issuers by the first digits, with the lengths of their numbers. Those of thirteen digits are no
# longer issued, and are the length of article numbers.
_ISSUERS: Final = (
    (late_regex(r"4"), {16, 19}),
    (late_regex(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), {16}),
    (late_regex(r"3[47]"), {15}),
    (late_regex(r"6011|64[4-9]|65"), {16, 19}),
    (late_regex(r"30[0-5]|3[689]"), {14}),
    (late_regex(r"35(?:2[89]|[3-8])"), {16, 19}),
    (late_regex(r"62"), {16, 17, 18, 19}),
    (late_regex(r"5018|5020|5038|5893|6304|6759|676[1-3]"), {16, 18, 19}),
)


class SecretRedactor:
    """Implements ``ports.Redactor``: formats of keys by detect-secrets and some newer than it, what
    is assigned to a name of secrets, passwords in addresses, private keys, card numbers by their
    issuer and check digit.
    """

    def member(self, name: str, above: str | None) -> str:
        """See ports.Redactor; what only describes a secret is none."""
        if above is None or name.casefold() in _DESCRIBE or _kind_of_name(above) is None:
            return name
        return above if _kind_of_name(name) is None else name

    def redact(self, text: str, *, named: str | None = None) -> Redacted:
        """The text with a marker in the place of each secret, and the kinds of them."""
        kind = None if named is None else _kind_of_name(named)
        if kind is not None and _fits(text, kind, "=", quoted=True):
            return Redacted(_MARKER.format(kind), (kind,))
        spans = _merged([*_found(text)])
        if not spans:
            return Redacted(text, ())
        kinds = tuple(dict.fromkeys(kind for _, _, kind in spans))
        without = _without(text, spans)
        if len(without) > len(text) and len(without.encode()) > _HELD_BYTES:
            # Markers may be longer than what they stand for, and what is kept has a limit.
            without = _masked(text, spans)
        return Redacted(without, kinds)


def _found(text: str) -> Iterator[Span]:
    yield from _keys(text)
    if "://" in text:
        yield from _within(text, _URL, "password")
        yield from ((m.start(), m.end(), "slack-webhook") for m in formats.HOOK.finditer(text))
    if "-----BEGIN " in text or "PuTTY-" in text:
        yield from _blocks(text)
    folded = text.lower()
    if any(word in folded for word in _NAMED):
        yield from _assigned(text)
    if "bearer" in folded or "authorization" in folded:
        yield from _headers(text)
    if _FOUR_DIGITS.search(text) is not None:
        yield from _cards(text)


def _keys(text: str) -> Iterator[Span]:
    """Keys that are known by their format."""
    for run in formats.RUN.finditer(text):
        at = run.start()
        while (start := formats.START.search(text, at, run.end())) is not None:
            at = min(run.end(), start.start() + formats.LONGEST)
            yield from _keys_in(text[start.start() : at], start.start())


def _keys_in(candidate: str, offset: int) -> Iterator[Span]:
    for kind, detector in formats.DETECTORS:
        end = 0
        for secret in detector.analyze_string(candidate):
            begin = candidate.find(secret, end)
            if begin < 0 or (kind == "aws-key" and not _alone(candidate, begin, len(secret))):
                continue
            tail = formats.TAIL.match(candidate, begin + len(secret))
            end = begin + len(secret) if tail is None else tail.end()
            yield offset + begin, offset + end, kind
    for parts in formats.PARTS.finditer(candidate):
        if formats.is_token_header(parts[1]):
            yield offset + parts.start(), offset + parts.end(), "jwt"


def _alone(text: str, start: int, length: int) -> bool:
    """Not a piece of something longer, as capitals in encoded data may be."""
    around = text[max(0, start - 1) : start] + text[start + length : start + length + 1]
    return not any(c.isalnum() for c in around)


def _within(text: str, pattern: regex.Pattern[str], kind: str) -> Iterator[Span]:
    for match in pattern.finditer(text):
        start, end = match.span("secret")
        if not _is_placeholder(text[start:end]):
            yield start, end, kind


def _assigned(text: str) -> Iterator[Span]:
    """What stands behind a name of secrets: ``password=...``, ``"api_key": "..."``."""
    done = 0
    for name in _NAME.finditer(text):
        # What a marker calls the secret that it stands for is given no value by what follows it.
        passed = name.start() < done or text.endswith(_MARKED, 0, name.start())
        match = None if passed else _ASSIGNED.match(text, name.end())
        if match is None:
            continue
        kind = "password" if name["password"] else "secret"
        group = "plain" if match["quote"] is None else "quoted"
        start, end = match.span(group)
        value = text[start:end]
        if group == "quoted":
            value = value.rstrip("\\")
        else:
            following = _PARAMETER.search(value)
            value = value[: following.start()] if following else value.rstrip(".:)]}?\\|")
        end = start + len(value)
        if _fits(value, kind, match["op"], quoted=group == "quoted"):
            done = end
            yield start, end, kind


def _kind_of_name(name: str) -> str | None:
    """The kind of secret that a name says its value is."""
    if _FIELD.fullmatch(name) is None:
        return None
    ends = [one for one in _NAME.finditer(name) if one.end() == len(name)]
    if not ends:
        return None
    return "password" if ends[0]["password"] else "secret"


def _fits(value: str, kind: str, op: str, *, quoted: bool) -> bool:
    """Whether an assigned value is a secret rather than a remark, a place or a form to fill in."""
    if len(value) < 3 or len(value) > 512 or _is_placeholder(value):
        return False
    digit, letter = any(map(str.isdigit, value)), any(map(str.isalpha, value))
    if " " in value.strip():
        return False
    if kind == "password":
        # "password=swordfish" gives one; "password: required" and "the password is wrong" do not.
        plain = value.isalpha() and (value.islower() or value.istitle() or value.isupper())
        return not plain or (op.strip() in {"=", ":="} and not op[:1].isspace()) or quoted
    if letter and digit:
        return len(value) >= (8 if op == "=" or quoted else 10)
    return letter and len(value) >= 20 and not value.islower() and not value.isupper()


def _is_placeholder(value: str) -> bool:
    """A form to fill in, a reference to where the secret is, or a word of no secret."""
    folded = value.casefold()
    return (
        folded in _NO_SECRETS
        or value.startswith(("[redacted", "${", "$(", "{{", "%(", "<", "os.environ", "process.env"))
        or (value[0] == "$" and value[1:].replace("_", "").isupper())
        or is_templated_secret(value)
        or not any(map(str.isalnum, value))
        or _CALL.match(value) is not None
        or _PATH.fullmatch(value) is not None
    )


def _headers(text: str) -> Iterator[Span]:
    for start, end, kind in _within(text, _HEADER, "token"):
        if any(map(str.isdigit, text[start:end])) or "=" in text[end - 1 : end]:
            yield start, end, kind


def _blocks(text: str) -> Iterator[Span]:
    """Private keys from their first line to their last, or as far as encoded lines go on."""
    for first, last in ((_BLOCK, _BLOCK_END), (_PUTTY, _PUTTY_END)):
        ends = [match.end() for match in last.finditer(text)]
        at = 0
        while (start := first.search(text, at)) is not None:
            lines = _BASE64_LINES.match(text, start.end())
            place = bisect_left(ends, start.end())
            at = start.end() if lines is None else lines.end()
            if place < len(ends) and ends[place] - start.end() <= _LONGEST_BLOCK:
                at = max(at, ends[place])
            yield start.start(), at, "private-key"


def _cards(text: str) -> Iterator[Span]:
    for match in _CARD.finditer(text, overlapped=True):
        digits = "".join(filter(str.isdigit, match.group()))
        issued = any(len(digits) in sizes and by.match(digits) for by, sizes in _ISSUERS)
        if digits.isascii() and issued and luhn.is_valid(digits):
            yield match.start(), match.end(), "card-number"


def _merged(spans: list[Span]) -> list[Span]:
    """In order, without overlaps; of two that overlap the one that starts first names the kind."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            begun, until, named = merged[-1]
            merged[-1] = (begun, max(until, end), named)
        else:
            merged.append((start, end, kind))
    return merged


def _without(text: str, spans: list[Span]) -> str:
    pieces, at = [], 0
    for start, end, kind in spans:
        pieces += [text[at:start], _MARKER.format(kind)]
        at = end
    return "".join([*pieces, text[at:]])


def _masked(text: str, spans: list[Span]) -> str:
    pieces, at = [], 0
    for start, end, _ in spans:
        pieces += [text[at:start], "*" * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])
