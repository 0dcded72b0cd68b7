"""What a turn says holds, and what it only mentions (RULES 4.2, 5; ADR 0008).

| the turn | gives |
|---|---|
| says that it is so, or came to be | the value |
| tells of it as past | nothing, or a window that is closed |
| supposes, doubts, denies, refuses it, jokes | nothing |
| quotes, forwards or relays somebody else | nothing |
| says that it is so no more, or not after all | that it is taken back |

The user writes on Wednesday, 13 May 2026; her name is Nora. What a turn gives nothing of, no memory
that cites it is the user's word for either.
"""

from datetime import date

import pytest

from muniment.domain.own_words import own_words
from muniment.domain.slot import Slot
from muniment.domain.statement import Claim, SupportingTurn, grade, grade_retraction
from muniment.domain.text import analyzer_for
from tests.unit.extraction import given, slotted
from tests.unit.sentences import HOLDS, NOTHING

WATCHED = {"city", "employer", "allergy", "pet", "dislike"}


@pytest.mark.parametrize(("said", "values"), HOLDS)
def test_what_holds(said: str, values: set[tuple[str, str]]) -> None:
    found = given(said)
    assert slotted(found) == values
    assert [one for one in found if one.slot and one.valid_to and not one.retracts] == []


@pytest.mark.parametrize("said", NOTHING)
def test_what_does_not_hold(said: str) -> None:
    assert [one for one in slotted(given(said)) if one[0] in WATCHED] == []


WINDOWS = [
    ("I worked at Globex from 2010 to 2015.", ("Globex", date(2010, 1, 1), date(2015, 1, 1))),
    ("I worked at Globex between 2010 and 2015.", ("Globex", date(2010, 1, 1), date(2015, 1, 1))),
    ("In 2012 I moved to Delft.", ("Delft", date(2012, 1, 1), None)),
    ("I joined Globex in March 2019.", ("Globex", date(2019, 3, 1), None)),
    ("Ten years ago I moved to Delft.", ("Delft", date(2016, 1, 1), None)),
    ("I will move to Delft in 2028.", ("Delft", date(2028, 1, 1), None)),
    ("I've worked at Globex since 2010.", ("Globex", None, None)),
    ("I moved to Delft in 2026.", ("Delft", None, None)),
    ("I moved to Delft in March.", ("Delft", None, None)),
]


@pytest.mark.parametrize(("said", "expected"), WINDOWS)
def test_years(said: str, expected: tuple[str, date | None, date | None]) -> None:
    found = [
        (one.value, one.valid_from and one.valid_from.date(), one.valid_to and one.valid_to.date())
        for one in given(said)
        if one.slot in ("city", "employer")
    ]
    assert found == [expected]


TAKEN_BACK = [
    ("I am no longer allergic to nuts.", "allergy", "nuts"),
    ("I'm not allergic to nuts any more.", "allergy", "nuts"),
    ("I won't move to Delft after all.", "city", "Delft"),
    ("I'm not moving to Delft after all.", "city", "Delft"),
    ("We cancelled our move to Delft.", "city", "Delft"),
    ("I decided not to move to Delft.", "city", "Delft"),
    ("I'm not joining Globex after all.", "employer", "Globex"),
    ("I no longer work at Globex.", "employer", "Globex"),
    ("I left Globex.", "employer", "Globex"),
    ("I left Delft.", "city", "Delft"),
    ("I no longer play tennis.", None, "No longer so: Nora plays tennis."),
    ("I'm not a vegetarian anymore.", None, "No longer so: Nora is a vegetarian."),
]


@pytest.mark.parametrize(("said", "slot", "what"), TAKEN_BACK)
def test_what_is_taken_back(said: str, slot: str | None, what: str) -> None:
    back = [one for one in given(said) if one.retracts]
    assert (slot, what) in {(one.slot, one.value if one.slot else one.text) for one in back}
    for one in back:
        if one.slot == slot:
            claim = Claim(one.text, one.value, rendered=True, names=["Nora"])
            turn = SupportingTurn("user", said, "user_stated")
            assert grade_retraction(claim, [turn], analyzer_for()) == ("user_stated", True)


CLAIMS = [
    ("Delft", Slot("city", "one"), "The user lives in Delft."),
    ("Globex", Slot("employer", "one"), "The user works at Globex."),
    ("nuts", Slot("allergy", "many"), "The user is allergic to nuts."),
]


def graded(said: str) -> list[bool]:
    """Whether a turn makes each memory of what it names the user's own word."""
    turn = SupportingTurn("user", said, "user_stated")
    return [
        grade(Claim(text, value, slot), [turn])[1] for value, slot, text in CLAIMS if value in said
    ]


@pytest.mark.parametrize("said", NOTHING)
def test_it_is_nobodys_word_either(said: str) -> None:
    assert not any(graded(said))


@pytest.mark.parametrize("said", [said for said, _ in HOLDS if not said.startswith("Nora:")])
def test_what_holds_is_the_users_word(said: str) -> None:
    assert all(graded(said))


TEXTS = [
    # what a memory says of the turn "I live in Gouda."
    ("Nora lives in Gouda.", True),
    ("Nora Bergmann's home is Gouda.", True),
    ("Nora is based in Gouda.", True),
    ("Gouda", True),
    ("The city of the user is Gouda.", True),
    ("The user lives in Ulm, hates Gouda.", False),
    ("The user lives in Gouda, hates cats.", False),
    ("The user lives in Gouda and works at Acme.", False),
    ("The user, who hates cats, lives in Gouda.", False),
    ("Nora lives in Gouda since 1999.", False),
    ("Nora hates Gouda.", False),
    ("Nora left Gouda.", False),
    ("Nora lived in Gouda near Ulm.", False),
    ("Ulm, not Gouda, is home.", False),
    ("The user pays for three big Gouda flats.", False),
]


@pytest.mark.parametrize(("text", "does"), TEXTS)
def test_a_text_says_no_more_than_its_turn(text: str, does: bool) -> None:
    claim = Claim(text, "Gouda", Slot("city", "one"))
    assert grade(claim, [SupportingTurn("user", "I live in Gouda.", "user_stated")])[1] is does


OWN = [
    ("Nora: I live in Delft.", ["Nora"], "Nora: I live in Delft."),
    ("Anna: I live in Delft.", ["Nora"], "Anna."),
    ("Hello. Anna told me: I live in Delft.", [], "Hello. Anna told me."),
    ("I told you: I live in Delft.", [], "I told you: I live in Delft."),
    ("Just kidding!", [], "Just kidding!"),
    ("I live in Delft. Just kidding! I live in Ulm.", [], " I live in Ulm."),
    ("a\n```\nI live in Delft\n```\nb", [], "a\n\nb"),
    ("a <blockquote>b</blockquote> c", [], "a   c"),
    ("Fwd: I live in Delft", [], ""),
]


@pytest.mark.parametrize(("content", "names", "own"), OWN)
def test_own_words(content: str, names: list[str], own: str) -> None:
    assert own_words(content, names) == own
