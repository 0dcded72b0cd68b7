"""Which entities a text names.

| the text | then |
|---|---|
| the name, in any case, with a possessive, inside punctuation | named |
| another form of its words (plural) | named |
| one letter missing, too much, wrong, or two changed, in a long word | named |
| the same in the first two letters, in a short word, or in one with digits | not |
| two slips | not |
| its words side by side; apart | named; not |
| a part of the name, a longer word | not |
| several names of one | once, at the first place |
| several | in the order in which they are named |
| signs that belong to a name | count |
"""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.mentions import mentions
from muniment.domain.text import analyzer_for

ANALYZER = analyzer_for()


def named(text: str, *names: str) -> list[str]:
    return [one.of for one in mentions(text, [(name, name) for name in names], ANALYZER)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What does Lantern cost?", "lantern"),
        ("LANTERN?", "Lantern"),
        ("Lantern's owner", "Lantern"),
        ("“Lantern”, they say", "Lantern"),
        ("which exceptions do we raise", "exception"),
        ("the class hierarchy", "class hierarchies"),
        ("the release_train is late", "release train"),
        ("the release train is late", "release_train"),
        ("lantrn", "lantern"),
        ("lanterrn", "lantern"),
        ("lantarn", "lantern"),
        ("lanetrn", "lantern"),
        ("eror handling", "error handling"),
        ("we use C++ here", "C++"),
        ("react.js components", "React.js"),
        ("v2 migration", "v2"),
        ("東京 の 天気", "東京"),
    ],
)
def test_it_is_named(text: str, name: str) -> None:
    assert named(text, name) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lintern", "lantern"),
        ("alntern", "lantern"),
        ("lattren", "lantern"),
        ("just a moment", "Jest"),
        ("k9s", "k8s"),
        ("v3 migration", "v2 migration"),
        ("the train of the release", "release train"),
        ("the release", "release train"),
        ("lanternfish", "lantern"),
        ("eror handlign", "error handling"),
        ("we use C here", "C++"),
        ("", "lantern"),
        ("lantern", ""),
        ("lantern", "?!"),
    ],
)
def test_it_is_not_named(text: str, name: str) -> None:
    assert named(text, name) == []


def test_each_once_in_the_order_of_the_text() -> None:
    names = [("Lantern", 1), ("the old light", 1), ("Beacon", 2), ("Harbour", 3)]
    found = mentions("The old light, the Beacon and the Lantern", names, ANALYZER)
    assert [one.of for one in found] == [1, 2]


LETTERS = st.text(string.ascii_lowercase, min_size=1, max_size=9)


@given(st.lists(LETTERS, min_size=1, max_size=4), st.lists(LETTERS, max_size=5), st.integers(0, 5))
def test_a_name_is_found_wherever_it_stands(name: list[str], around: list[str], place: int) -> None:
    text = " ".join([*around[:place], *name, *around[place:]])
    assert named(text, " ".join(name)) == [" ".join(name)]


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=5))
def test_whatever_is_written(text: str, names: list[str]) -> None:
    assert set(named(text, *names)) <= set(names)
