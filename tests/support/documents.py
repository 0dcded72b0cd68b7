"""The documents as tests read them: code blocks with their marks, links and headings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
_MARK = re.compile(r"<!--\s*(not run|file|as):\s*(.*?)\s*-->")
_PARSER = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Block:
    """A fenced block. ``marks`` are the comments right before it: ``not run``, ``file``, ``as``."""

    document: str
    line: int
    language: str
    text: str
    marks: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.document}:{self.line}"


def documents() -> list[str]:
    """Every document that people wrote, by its path from the root."""
    written = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "evals").glob("*.md")]
    names = {path.relative_to(ROOT).as_posix() for path in written}
    return sorted(name for name in names if not name.startswith("docs/reference/"))


def text_of(document: str) -> str:
    """The text of a document."""
    return (ROOT / document).read_text(encoding="utf-8")


def blocks(document: str) -> list[Block]:
    """Its fenced blocks in order."""
    found: list[Block] = []
    marks: dict[str, str] = {}
    for token in _PARSER.parse(text_of(document)):
        if token.type == "html_block":
            marks = dict(_MARK.findall(token.content))
        elif token.type == "fence":
            line = (token.map or [0])[0] + 1
            found.append(Block(document, line, token.info.strip(), token.content, marks))
            marks = {}
        elif token.level == 0:
            marks = {}
    return found


def links(document: str) -> Iterator[str]:
    """The target of every link."""
    for token in _inline(document):
        for child in token.children or ():
            target = child.attrGet("href") if child.type == "link_open" else None
            if target is not None:
                yield str(target)


def codes(document: str) -> Iterator[str]:
    """Every piece of code inside a line."""
    for token in _inline(document):
        for child in token.children or ():
            if child.type == "code_inline":
                yield child.content


def rows_of_codes(document: str) -> list[list[str]]:
    """The pieces of code in every row of its tables."""
    rows: list[list[str]] = []
    in_cell = False
    for token in _PARSER.parse(text_of(document)):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in {"td_open", "td_close"}:
            in_cell = token.type == "td_open"
        elif in_cell:
            rows[-1] += [one.content for one in token.children or () if one.type == "code_inline"]
    return rows


def anchors(document: str) -> set[str]:
    """What a link may name behind ``#``: headings in the form that code hosts give them."""
    tokens = _PARSER.parse(text_of(document))
    return {
        slug(following.content)
        for token, following in pairwise(tokens)
        if token.type == "heading_open"
    }


def slug(heading: str) -> str:
    """Lower case, without punctuation, hyphens for spaces."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def _inline(document: str) -> Iterator[Token]:
    return (token for token in _PARSER.parse(text_of(document)) if token.type == "inline")
