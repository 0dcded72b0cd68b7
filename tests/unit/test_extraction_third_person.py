"""The user's words in the third person.

A word between "I" and its verb is told as it is; the verb is the one that changes.

| the turn | told |
|---|---|
| "I already own ..." | "Nora already owns ..." |
| "I long for ..." | a verb, whatever else it may be |
| "I no longer keep ..." | "Nora no longer keeps ..." |
| "of mine", "is ours" | "of theirs", "is theirs" |
| "the mine", "a coal mine" | as it is |
"""

import pytest

from muniment.domain.extraction.grammar import ADVERBS
from muniment.domain.extraction.render import third_person
from tests.unit.extraction import given

BESIDE = sorted(
    {*ADVERBS, "nowadays", "thus", "twice", "yet", "habitually"} - {"long", "myself", "ourselves"}
)


@pytest.mark.parametrize("adverb", BESIDE)
def test_the_verb_changes(adverb: str) -> None:
    told = third_person(f"I {adverb} own two bakeries.", "Nora")
    assert told == f"Nora {adverb} owns two bakeries."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I long for the sea every summer.", "Nora longs for the sea every summer."),
        ("We already ship to Norway every week.", "Nora's team already ships to Norway every week."),
        ("I nowadays bake all our bread.", "Nora nowadays bakes all their bread."),
        ("I already have two kids.", "Nora already has two kids."),
    ],
)  # fmt: skip
def test_in_a_memory(said: str, told: str) -> None:
    assert [one.text for one in given(said)] == [told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The red bike is mine.", "The red bike is theirs."),
        ("A friend of mine runs a bakery.", "A friend of theirs runs a bakery."),
        ("The cabin is ours since 2019.", "The cabin is theirs since 2019."),
        ("Ours is a family business.", "Theirs is a family business."),
        ("Yours has two doors, mine has four.", "Yours has two doors, theirs has four."),
        ("I work at the Kiruna mine.", "Nora works at the Kiruna mine."),
        ("I know every coal mine here.", "Nora knows every coal mine here."),
        ("My own mine is closed.", "Their own mine is closed."),
        ("We built it ourselves.", "Nora's team built it themselves."),
        ("I cut it myself.", "Nora cuts it themselves."),
        ("Our shop is mine.", "Their shop is theirs."),
    ],
)
def test_whose(said: str, told: str) -> None:
    assert third_person(said, "Nora") == told


def test_whose_in_an_order() -> None:
    told = third_person("For mine, use nickel, and ask my boss about ours.", "Nora", inner=True)
    assert told == "For Nora's, use nickel, and ask Nora's boss about Nora's."
