"""How a document is cut into chunks.

| in the document | then |
|---|---|
| a paragraph below headings | a chunk with the path of the headings, outermost first |
| a heading with nothing below it | a chunk of its words; none where a deeper heading follows |
| a heading in a quote, a list or a code block | text like any other |
| a heading longer than 200 characters | cut short in the path, whole in the text |
| plain text | no headings, whatever it looks like |
| a text that is too long for a chunk | cut, nothing but white space lost, none over 1,200 characters |
| any text in any script | never an error but for too many lines or chunks; in reasonable time |
"""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.documents import (
    CHUNK_CHARACTERS,
    MOST_CHUNKS,
    MOST_LINES,
    Chunk,
    Format,
    TooLongError,
    chunks_of,
)

HANDBOOK = """Before all.

# Returns

Thirty days.

## Abroad

Sixty days.\r
> # No heading

```
# none either
```

Setext
======

# Empty
"""


def test_chunks_stand_under_their_headings() -> None:
    assert [(one.headings, one.text) for one in chunks_of(HANDBOOK, "markdown")] == [
        ((), "Before all."),
        (("Returns",), "Thirty days."),
        (("Returns", "Abroad"), "Sixty days.\n> # No heading\n\n```\n# none either\n```"),
        (("Setext",), "Setext"),
        (("Empty",), "Empty"),
    ]
    assert [one.headings for one in chunks_of(HANDBOOK, "text")] == [()]
    assert Chunk(("Returns", "Abroad"), "Sixty.").found_by("Handbook") == (
        "Handbook\nReturns\nAbroad\nSixty."
    )


def test_a_heading_that_is_too_long() -> None:
    said = "word " * 300
    chunks = chunks_of(f"# {said}\n\nBelow.", "markdown")
    assert {len(one.headings[0]) for one in chunks} == {200}
    assert sum(one.text.count("word") for one in chunks) == 300


TORTURE = {
    "one line": "word " * 60_000,
    "no space": "a" * 300_000,
    "han": "漢字" * 100_000,
    "hashes": "#" * 300_000,
    "quotes": ">" * 300_000 + " x",
    "lists": "".join(" " * at + "- a\n" for at in range(600)),
    "brackets": "[" * 300_000,
    "ticks": "`" * 300_000,
    "table": "|a" * 100_000 + "\n" + "|-" * 100_000,
    "marks": "e" + "\u0301" * 200_000,
    "families": "\U0001f469\u200d" * 100_000,
    "references": "[a]: b\n" * 40_000,
    "setext": "a\n" * 90_000 + "===",
    "blank": "\n" * 90_000 + "x",
    "broken": "\ufffd\0 " * 50_000,
}


@pytest.mark.parametrize("name", TORTURE)
def test_whatever_is_put_is_cut_in_time(name: str) -> None:
    began = time.process_time()
    chunks = chunks_of(TORTURE[name], "markdown")
    assert time.process_time() - began < 10
    assert chunks
    assert max(len(one.text) for one in chunks) <= CHUNK_CHARACTERS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n" * MOST_LINES, f"at most {MOST_LINES} lines"),
        ("# a\n" * (MOST_CHUNKS + 1), f"at most {MOST_CHUNKS} chunks"),
    ],
)
def test_too_much_is_told(text: str, said: str) -> None:
    with pytest.raises(TooLongError, match=said):
        chunks_of(text, "markdown")


pieces = st.sampled_from(
    ["# a\n", "\n", " ", "b c. ", "> ", "- ", "```\n", "漢字", "\t", "===\n", "\r", "\x1f", "\x85"]
)


@settings(max_examples=60)
@given(st.lists(pieces | st.text(max_size=20), max_size=60), st.sampled_from(["markdown", "text"]))
def test_nothing_but_white_space_is_lost(parts: list[str], form: Format) -> None:
    text = "".join(parts)
    chunks = chunks_of(text, form)
    assert all(one.text.strip() for one in chunks)
    if form == "text":
        kept = "".join("".join(one.text for one in chunks).split())
        assert kept == "".join(text.split())
