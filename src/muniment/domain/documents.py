"""Documents of shared knowledge: cut into chunks by their structure, each under its headings.

The blocks of CommonMark say where headings are; below them Unicode's rules for paragraphs,
sentences, words and characters say where a long text is cut.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from markdown_it import MarkdownIt
from semantic_text_splitter import MarkdownSplitter, TextSplitter

Format = Literal["markdown", "text"]
CHUNK_CHARACTERS: Final = 1_200
MOST_CHUNKS: Final = 5_000
MOST_LINES: Final = 100_000
_HEADING_CHARACTERS: Final = 200
# The splitter takes time by the square of what it is given.
_WINDOW: Final = 16_384
_CUTS: Final = ("\n\n", "\n", " ")


class TooLongError(ValueError):
    """A document of more lines or chunks than there may be; the message says which."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a document, and the headings that it stands under, outermost first."""

    headings: tuple[str, ...]
    text: str

    def found_by(self, title: str) -> str:
        """What is embedded and indexed: the piece says by itself where it belongs."""
        return "\n".join((title, *self.headings, self.text))


@dataclass(frozen=True)
class _Section:
    headings: tuple[str, ...]
    text: str
    leaf: bool


def chunks_of(text: str, form: Format) -> list[Chunk]:
    """The chunks of a document in their order. Raises ``TooLongError``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") >= MOST_LINES:
        raise TooLongError(f"at most {MOST_LINES} lines")
    splitter = MarkdownSplitter if form == "markdown" else TextSplitter
    cutter = splitter(CHUNK_CHARACTERS)
    found = []
    for section in _sections(text) if form == "markdown" else (_Section((), text, True),):
        cut = (piece for window in _windows(section.text) for piece in cutter.chunks(window))
        # What separates data (U+001C to U+001F) is white space to Python, not to the splitter.
        pieces = [piece for piece in cut if piece.strip()]
        if not pieces and section.leaf and section.headings:
            pieces = [section.headings[-1]]
        found += [Chunk(section.headings, piece) for piece in pieces]
        if len(found) > MOST_CHUNKS:
            raise TooLongError(f"at most {MOST_CHUNKS} chunks; put it as several documents")
    return found


def _sections(text: str) -> Iterator[_Section]:
    """The text between two headings each; a heading that is too long for one is text too."""
    lines = text.split("\n")
    path: list[tuple[int, str]] = []
    start = 0
    for level, first, after, said in _headings(text):
        yield _Section(
            _names(path), "\n".join(lines[start:first]), not path or level <= path[-1][0]
        )
        path = [one for one in path if one[0] < level]
        path.append((level, said[:_HEADING_CHARACTERS]))
        start = first if len(said) > _HEADING_CHARACTERS else after
    yield _Section(_names(path), "\n".join(lines[start:]), leaf=True)


def _names(path: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(said for _, said in path if said)


def _headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Level, first line, line behind, and words of every heading that is in no other block."""
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.disable(["reference"])
    tokens = parser.parse(text)
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            said = " ".join(tokens[place + 1].content.split())
            yield int(token.tag[1:]), token.map[0], token.map[1], said


def _windows(text: str) -> Iterator[str]:
    """Pieces that are short enough for the splitter, cut where the least is torn apart."""
    start = 0
    while len(text) - start > _WINDOW:
        end = start + _WINDOW
        places = (text.rfind(cut, start + _WINDOW // 2, end) for cut in _CUTS)
        end = next((place for place in places if place > 0), end)
        yield text[start:end]
        start = end
    yield text[start:]
