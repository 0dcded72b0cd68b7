"""A word between "I" and its verb is told as it is; the verb is the one that changes.

| the turn | told |
|---|---|
| "I already own ..." | "Nora already owns ..." |
| "I long for ..." | a verb, whatever else it may be |
| "I no longer keep ..." | "Nora no longer keeps ..." |
"""

import pytest

from muniment.domain.extraction.grammar import ADVERBS
from muniment.domain.extraction.render import third_person
from tests.unit.extraction import given

BESIDE = sorted({*ADVERBS, "nowadays", "thus", "twice", "yet", "habitually"} - {"long", "myself"})


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
