"""By which texts an item is found: as LangGraph reads the same places.

| places | texts |
|---|---|
| of a value with them | as ``get_text_at_path`` finds, in order, each once, none that is empty |
| `$`, or nothing | the value as a whole, as JSON |
| a text beyond 65,536 characters | its beginning |
| more than a hundred texts, or far too many that are the same | refused |
"""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import get_text_at_path

from muniment.domain.store import TooManyTexts, texts_of
from muniment.domain.store.found_by import MOST_CHARACTERS, MOST_TEXTS

VALUE: dict[str, Any] = {
    "text": "Tea", "n": 3, "yes": True, "nothing": None, "empty": "",
    "meta": {"title": "T", "tags": ["x", "y"], "deep": {"text": "D"}},
    "parts": [{"text": "one"}, {"text": "two", "more": [1, 2]}, "three"],
}  # fmt: skip
PLACES = [
    "text", "n", "yes", "nothing", "empty", "missing", "meta", "meta.title", "meta.tags", "meta.tags[*]", "meta.tags[0]",
    "meta.tags[-1]", "meta.tags[2]", "meta.tags[-3]", "meta.tags[x]", "meta.*", "parts[*].text", "parts.*", "parts[1].more[*]", "parts[1]",
    "*", "*.text", "*.*", "{text,n}", "{text,meta.title}", "{ text , missing }", "meta.{title,deep.text}", "[0]", "text[0]",
    "{text", "parts[1", "", "a..b", ".text", "text.",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_places(place: str) -> None:
    wanted = dict.fromkeys(one for one in get_text_at_path(VALUE, place) if one)
    assert texts_of(VALUE, [place]) == list(wanted)


leaves = st.none() | st.booleans() | st.integers() | st.text("abc", max_size=3)
values = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_size=3,
)  # fmt: skip
parts = st.sampled_from(["a", "b", "*", "[0]", "[-1]", "[*]", "{a,b}", "{a.b,c}"])
places = st.lists(parts, min_size=1, max_size=4).map(".".join)


@given(values, places)
def test_any_place(value: dict[str, Any], place: str) -> None:
    wanted = dict.fromkeys(one for one in get_text_at_path(value, place) if one)
    assert texts_of(value, [place]) == list(wanted)


def test_a_value_as_a_whole() -> None:
    whole = json.dumps({"a": "é", "b": 1}, ensure_ascii=False)
    assert texts_of({"b": 1, "a": "é"}, ["$", "a", "$"]) == [whole, "é"]
    assert texts_of(VALUE, []) == []


def test_a_long_text_is_found_by_its_beginning() -> None:
    assert texts_of({"a": "x" * (MOST_CHARACTERS + 1)}, ["a"]) == ["x" * MOST_CHARACTERS]


def test_too_many_texts() -> None:
    enough = {"a": [str(n) for n in range(MOST_TEXTS)]}
    assert len(texts_of(enough, ["a[*]"])) == MOST_TEXTS
    for value, place in [
        (enough | {"b": "more"}, "*.*"),
        ({"a": ["same"] * 2000}, "a[*]"),
        ({"a": "x" * 1_000_000}, "{" + ",".join("a" * 120) + "}"),
    ]:
        with pytest.raises(TooManyTexts):
            texts_of(value, ["a[*]", "b", place])
