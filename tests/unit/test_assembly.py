"""What of a context fits: the budget is never exceeded, and what is required is never left out.

| sections (tokens, by words) | budget | then |
|---|---|---|
| everything fits | | all of it, in the order of sections |
| required ones that do not fit | | TooSmall, with what they need |
| a section beyond its share, the next one empty | | it gets what is left in the end |
| a section within its share | | what it leaves goes to the next |
| a long line, then a short one | | the long one is left out, the short one is in |
| many lines that are longer than what is left | little more is counted than there is room for |
| runs of spaces, which are few tokens | in |
| a line that is not wanted | nowhere |
| lines with places | | shown by those, chosen by rank |
| nothing fits | | no text at all |
"""

import os
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.assembly import SECTIONS, Part, Section, TooSmall, pack

MIXES = int(os.environ.get("TEST_MIXES", "1000"))
PREFACE = "Before it all."


def words(texts: Sequence[str]) -> list[int]:
    """A counter that adds up."""
    return [len(text.split()) for text in texts]


def merging(texts: Sequence[str]) -> list[int]:
    """A counter that does not: a whole may be more or less than its pieces."""
    return [
        len(re.findall(r"\w{1,3}|\W", text)) + (7 if "]\n- [" in text else 0) - text.count("\n\n")
        for text in texts
    ]


def part(section: Section, *lines: str, share: float = 0.2, places: Sequence[object] = ()) -> Part:
    return Part(section, f"## {section}", "end", lines, share, places)


def lines(count: int, size: int) -> list[str]:
    return [" ".join([f"- {at}", *["word"] * (size - 2)]) for at in range(count)]


def kept(budget: int, *parts: Part) -> list[list[int]]:
    return [list(one) for one in pack(PREFACE, parts, budget, words).kept]


def test_everything_fits() -> None:
    packed = pack(PREFACE, [part("required_workarounds", "- a"), part("facts", "- b", "- c")], 100, words)  # fmt: skip
    assert packed.text == (
        "Before it all.\n\n## required_workarounds\n- a\nend\n\n## facts\n- b\n- c\nend\n"
    )
    assert packed.tokens == len(packed.text.split())
    assert packed.kept == ((0,), (0, 1))


def test_what_is_required_is_in_or_nothing_is() -> None:
    required = part("required_workarounds", *lines(5, 10))
    assert kept(56, required, part("facts", *lines(3, 10))) == [[0, 1, 2, 3, 4], []]
    with pytest.raises(TooSmall) as caught:
        pack(PREFACE, [required, part("facts", "- a")], 55, words)
    assert caught.value.needed == 56


def test_shares() -> None:
    many = lines(10, 10)
    # 100 tokens beside the preface, 3 for what frames a section: 7 of the first half go to the next.
    both = [part("facts", *many, share=0.5), part("knowledge", *many, share=0.5)]
    assert kept(103, *both) == [[0, 1, 2, 3], [0, 1, 2, 3, 4]]
    # What facts leave goes on; what is left in the end goes to the first that lack room.
    short = [part("facts", *many[:1], share=0.5), part("knowledge", *many, share=0.5)]
    assert kept(103, *short) == [[0], [0, 1, 2, 3, 4, 5, 6, 7]]
    none = [part("facts", *many, share=0.2), part("knowledge", share=0.8)]
    assert kept(103, *none) == [[0, 1, 2, 3, 4, 5, 6, 7, 8], []]


def test_a_long_line_does_not_keep_out_a_short_one() -> None:
    long, short = lines(1, 50)[0], "- short"
    assert kept(40, part("facts", long, short, share=1.0)) == [[1]]
    assert kept(40, part("facts", "x " * 10_000, short, share=1.0)) == [[1]]


@pytest.mark.parametrize(("size", "count"), [(9_000, 60), (200, 5_000), (3, 100_000)])
def test_no_more_is_counted_than_needed(size: int, count: int) -> None:
    """Tokens that were counted: of what is in twice, and of what is not in as many, and some."""
    counted: list[int] = []

    def recording(texts: Sequence[str]) -> list[int]:
        counted.extend(words(texts))
        return words(texts)

    long = part("interactions", *[f"- {'word ' * size}"] * count, share=1.0)
    packed = pack(PREFACE, [long, part("knowledge", "- short", share=0.0)], 30_000, recording)
    assert packed.kept[1] == (0,) or size == 3
    assert packed.tokens <= 30_000 < packed.tokens + size + 5
    assert sum(counted) < 4 * 30_000 + 2 * 20_000


def test_runs_of_spaces() -> None:
    """Each a token of its own for some tokenizers, and none for others."""
    spaces = f"- a{' ' * 100_000}b"
    assert kept(50, part("facts", spaces, *lines(3, 20))) == [[0, 1, 2]]


def test_what_is_not_wanted() -> None:
    parts = [Part("facts", "## facts", "end", ["- a", "- b", "- c"], 1.0, out={1})]
    assert pack(PREFACE, parts, 100, words).kept == ((0, 2),)
    assert pack(PREFACE, parts, 10, words).kept == ((0, 2),)
    assert kept(9, *parts) == [[0]]


def test_places() -> None:
    packed = pack(PREFACE, [part("facts", "- c", "- a", "- b", places=[3, 1, 2])], 100, words)
    assert packed.kept == ((1, 2, 0),)
    assert "- a\n- b\n- c" in packed.text


def test_nothing_fits() -> None:
    packed = pack(PREFACE, [part("facts", *lines(1, 50))], 20, words)
    assert (packed.text, packed.tokens, packed.kept) == ("", 0, ((),))
    assert pack(PREFACE, [part("facts")], 20, words).text == ""


TEXTS = st.lists(st.integers(1, 60).map(lambda size: "- [" + "wo rd" * size + "]"), max_size=12)
MIX = st.fixed_dictionaries(dict.fromkeys(SECTIONS, TEXTS))
SHARES = st.lists(st.floats(0, 1), min_size=len(SECTIONS), max_size=len(SECTIONS))


@settings(max_examples=MIXES, deadline=None)
@given(mix=MIX, shares=SHARES, budget=st.integers(5, 900), adds_up=st.booleans())
def test_any_mix(
    mix: dict[Section, list[str]], shares: list[float], budget: int, *, adds_up: bool
) -> None:
    total = sum(shares) or 1.0
    parts = [
        part(section, *mix[section], share=share / max(total, 1.0))
        for section, share in zip(SECTIONS, shares, strict=True)
    ]
    count = words if adds_up else merging
    least = pack(PREFACE, parts[:1], 10**9, count).tokens
    if least > budget:
        with pytest.raises(TooSmall) as caught:
            pack(PREFACE, parts, budget, count)
        assert caught.value.needed == least
        return
    packed = pack(PREFACE, parts, budget, count)
    assert packed.tokens == (count([packed.text])[0] if packed.text else 0)
    assert packed.tokens <= budget
    assert list(packed.kept[0]) == list(range(len(mix["required_workarounds"])))
    shown = [mix[section][at] for section, places in zip(SECTIONS, packed.kept, strict=True) for at in places]  # fmt: skip
    assert [line for line in packed.text.splitlines() if line.startswith("- [")] == shown
