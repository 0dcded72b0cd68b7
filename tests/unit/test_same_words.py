"""Items with the same words: one of them is told, and never at the cost of what is required.

| items (section, trust) | then |
|---|---|
| other words; another case | each |
| other white space | the first |
| of one section | the first |
| of two sections, trust alike | that of the first section |
| the later one of higher trust | that one |
| two required ones, whatever they say | both |
| a required one and one of no higher trust | the required one |
| a required one and one of higher trust | both |
| the one that would be in has no room | the next one of another section; of its own none |
| none has room | none is out for its words |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.same_words import Place, Saying, said_again
from muniment.domain.trust import GRADES, Trust, rank


def fault(text: str, trust: Trust = "agent_inferred", at: int = 0) -> Saying:
    return Saying(text, trust, (0, at), required=True)


def item(section: int, at: int = 0, trust: Trust = "agent_inferred", text: str = "a b") -> Saying:
    return Saying(text, trust, (section, at))


@pytest.mark.parametrize(
    ("sayings", "missed", "out"),
    [
        ([item(1, text="a"), item(1, 1, text="b")], [], {}),
        ([item(1, text="Column a"), item(1, 1, text="Column A")], [], {}),
        ([item(1), item(1, 1, text=" a\n b ")], [], {(1, 1): (1, 0)}),
        ([item(2), item(1)], [], {(2, 0): (1, 0)}),
        ([item(1), item(2, trust="operator")], [], {(1, 0): (2, 0)}),
        ([item(1), item(2, trust="external_content")], [], {(2, 0): (1, 0)}),
        ([fault("a b"), fault("a b", at=1)], [], {}),
        ([fault("a b"), item(2)], [], {(2, 0): (0, 0)}),
        ([fault("a b"), item(2, trust="user_stated"), item(3)], [], {(3, 0): (2, 0)}),
        ([item(1), item(1, 1), item(2), item(3)], [(1, 0)], {(1, 1): (2, 0), (3, 0): (2, 0)}),
        ([item(1), item(2)], [(1, 0), (2, 0)], {}),
        ([fault("a b"), item(2, trust="user_stated"), item(3)], [(2, 0)], {(3, 0): (0, 0)}),
    ],
)  # fmt: skip
def test_which_is_told(sayings: list[Saying], missed: list[Place], out: dict[Place, Place]) -> None:
    assert said_again(sayings, missed) == out


SAYINGS = st.lists(
    st.tuples(st.sampled_from(["a", "A", "a b", "a  b"]), st.sampled_from(GRADES)), max_size=5
)


@given(st.lists(SAYINGS, max_size=5))
def test_nothing_is_lost(sections: list[list[tuple[str, Trust]]]) -> None:
    """What is out is said, word for word and at no lower trust, by something that is in."""
    sayings = {
        (section, at): Saying(text, trust, (section, at), required=section == 0)
        for section, told in enumerate(sections)
        for at, (text, trust) in enumerate(told)
    }
    out = said_again(list(sayings.values()))
    assert not [place for place in out if place[0] == 0]
    for place, by in out.items():
        assert by not in out
        assert sayings[place].text.split() == sayings[by].text.split()
        assert rank(sayings[by].trust) <= rank(sayings[place].trust)
    kept = [one for place, one in sayings.items() if place not in out and place[0] != 0]
    assert len({" ".join(one.text.split()) for one in kept}) == len(kept)
