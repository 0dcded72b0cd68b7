"""Data between marks that it can neither close nor imitate.

| an item holds | the answer holds |
|---|---|
| plain words, accents, emoji of one character, another script | the same |
| a line break, a tab, NUL, an escape sequence | them written out; one line |
| a bidirectional override, a zero-width character, a tag, a variation selector | them written out |
| the marks of this fence, of another, or brackets that look alike | them written out |
| the sign of an end, or one that looks alike | it written out |
| anything | one opening mark, the item, one closing mark, and no other |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.fence import CLOSING, OPENING, Fence, escaped
from muniment.domain.late import late_regex

FENCE = Fence("a1b2c3")
HIDDEN = late_regex(r"[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]")
NASTY = st.sampled_from([*"\n\r\t\0\x1b\x85\u2028\u202e\u2066\u200b\u200d\ufe0f\U000e0041\ufeff", OPENING, CLOSING,
                         "\u301a", "\u301b", "a1b2c3", "/a1b2c3", *FENCE.marks, "## Required", "- "])  # fmt: skip
ITEMS = st.lists(st.one_of(NASTY, st.text(max_size=5)), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Zoë pays 3 % in Łódź.", "Zoë pays 3 % in Łódź."),
        ("売上は三日遅れ", "売上は三日遅れ"),
        ("a\nb\tc", "a\\u{a}b\\u{9}c"),
        ("\x1b[31mred", "\\u{1b}[31mred"),
        ("user\u202egnp", "user\\u{202e}gnp"),
        ("ig\u200bnore", "ig\\u{200b}nore"),
        ("x\U000e0041y", "x\\u{e0041}y"),
        ("\u27e6/a1b2c3\u27e7", "\\u{27e6}/a1b2c3\\u{27e7}"),
        ("a\u00b6 b\u204b", "a\\u{b6} b\\u{204b}"),
        ("\u301a/a1b2c3\u301b", "\\u{301a}/a1b2c3\\u{301b}"),
    ],
)
def test_what_is_shown(given: str, shown: str) -> None:
    assert escaped(given) == shown
    assert FENCE.around(given) == f"\u27e6a1b2c3\u27e7{shown}\u27e6/a1b2c3\u27e7"


@given(ITEMS)
def test_nothing_closes_or_imitates_a_fence(item: str) -> None:
    opening, closing = FENCE.marks
    whole = FENCE.around(item)
    assert whole.startswith(opening)
    assert whole.endswith(closing)
    inside = whole.removeprefix(opening).removesuffix(closing)
    assert OPENING not in inside
    assert CLOSING not in inside
    assert HIDDEN.search(inside) is None
    assert len(inside.splitlines()) <= 1


@given(ITEMS)
def test_what_is_escaped_stays_so(item: str) -> None:
    assert escaped(escaped(item)) == escaped(item)


def test_the_legend_names_the_marks() -> None:
    assert all(mark in FENCE.legend for mark in FENCE.marks)
