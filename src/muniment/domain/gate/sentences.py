"""Sentences of free text: split in one linear pass, and digests by which one is known again."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from muniment.domain.gate.tokens import word_set
from muniment.domain.late import late

DIGESTED_SENTENCES = 64
"""How many sentences of one text get a digest of their own; the whole text always has one."""

HEAD = 8_192
"""Characters of a text whose sentences are read, so that the work on a turn is bounded."""

_ABBREVIATIONS = word_set(
    "mr mrs ms mx dr prof rev gen sen rep hon st mt ft vs cf approx dept est fig vol pp ca "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri "
    "e.g i.e viz resp incl excl ext tel bzw z.b d.h ca nr"
)
_ABBREVIATIONS_THAT_MAY_END = word_set(
    "etc inc ltd co corp jr sr a.m p.m u.s u.k u.n e.u al ave blvd rd ph.d b.sc m.sc"
)
_BREAK = late(
    r"(?P<wide>[。！？｡]++[”’」』）)\"']*+)"
    r"|(?P<stop>[.!?…]++[\"'”’)\]]*+)(?=\s|$)"
    r"|(?P<line>(?:\r\n|[\n\r\v\f\x85\u2028\u2029])[^\S\n\r\v\f\x85\u2028\u2029]*+)"
)
_BULLET = late(r"[-*•–>#]|\d{1,3}[.)]\s")
_WRAPPED_AT = 55
_LINE_SEPARATORS = "\n\r\v\f\x85\u2028\u2029"
_WORD = late(r"[^\W_]+|[$€£¥%°+<>=]|-(?=\d)")


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of ``text`` in order, white space collapsed, empty ones left out.

    Abbreviations, initials, decimals, URLs, list numbers and hard-wrapped lines do not split.
    """
    start = 0
    for match in _BREAK.finditer(text):
        if not _splits(text, start, match):
            continue
        sentence = " ".join(text[start : match.end()].split())
        if sentence:
            yield sentence
        start = match.end()
    rest = " ".join(text[start:].split())
    if rest:
        yield rest


def _splits(text: str, start: int, match: re.Match[str]) -> bool:
    if match.lastgroup == "wide":
        return True
    if match.lastgroup == "line":
        return _line_splits(text, start, match)
    return _stop_splits(text, start, match)


def _line_splits(text: str, start: int, match: re.Match[str]) -> bool:
    """A line break inside a hard-wrapped paragraph is white space; any other ends a sentence."""
    following = text[match.end() : match.end() + 5]
    if not following or following[0] in _LINE_SEPARATORS or _BULLET.match(following):
        return True
    line_start = max(text.rfind("\n", start, match.start()) + 1, start)
    wrapped = match.start() - line_start >= _WRAPPED_AT
    return not (wrapped and following[0].islower())


def _stop_splits(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match.group("stop")
    following = text[match.end() : match.end() + 3].lstrip()
    if mark.startswith(("..", "…")) and "?" not in mark and "!" not in mark:
        return not following[:1].islower()
    if mark != ".":
        return True
    before = text[max(start, match.start() - 16) : match.start()]
    word = before.split()[-1] if before.split() else ""
    return not _is_abbreviation(word.lstrip("(\"'“‘["), following, at_start=word == before.strip())


def _is_abbreviation(word: str, following: str, *, at_start: bool) -> bool:
    bare = word.casefold()
    if bare in _ABBREVIATIONS:
        return True
    if bare in _ABBREVIATIONS_THAT_MAY_END:
        return not following[:1].isupper()
    if bare in {"no", "nos", "art", "p"}:
        return following[:1].isdigit()
    if len(word) == 1 and word.isupper() and word != "I":
        return following[:1].isupper() and not at_start
    return word.isdigit() and len(word) <= 3 and at_start


def normalise(sentence: str) -> str:
    """The words of ``sentence``, NFKC and case-folded, joined by one space: no punctuation, but
    signs, currencies and units stay, since they make another statement.
    """
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", sentence).casefold()))


def head_of(text: str) -> str:
    """The part of ``text`` that is read sentence by sentence."""
    return text if len(text) <= HEAD else text[:HEAD]


def digest(sentence: str, *, speaker: str) -> str:
    """A 96-bit hexadecimal digest of the normalised sentence as said by ``speaker``."""
    return _hash(speaker, normalise(sentence))


def whole_digest(text: str, *, speaker: str) -> str:
    """A digest of the whole text up to case, for texts of many sentences."""
    return _hash(speaker + "\x01", text.strip().casefold())


def digests(text: str, *, speaker: str) -> frozenset[str]:
    """The digests of the first sentences of ``text`` and of the whole of it."""
    sentences = islice(split_sentences(head_of(text)), DIGESTED_SENTENCES)
    each = {digest(sentence, speaker=speaker) for sentence in sentences if normalise(sentence)}
    return frozenset(each | {whole_digest(text, speaker=speaker)}) if each else frozenset()


def _hash(speaker: str, words: str) -> str:
    payload = f"{speaker}\x00{words}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(payload, digest_size=12).hexdigest()
