"""Play, moods, questions without a mark and short acknowledgements, in an assistant's session.

| given | after an assistant's turn | then |
|---|---|---|
| a question by its order of words, without a mark | | dropped |
| praise that means the contrary, a tall tale, an allergy to a chore | | dropped |
| how its speaker feels, in other words than "I am" | | dropped |
| an acknowledgement of one or two words, of whatever land | | dropped |
| a plain statement that has a word of these | | kept |
| a name with a hyphen and a number | said by the assistant | no mark of another language |
"""

import pytest

from muniment.domain.gate import GateContext, GateInput, judge
from muniment.domain.gate.language import is_foreign

AGENT = GateInput("assistant", "Here is the list.")


def kept(text: str) -> bool:
    return judge(GateInput("user", text), GateContext(AGENT)).kept


@pytest.mark.parametrize(
    "text",
    [
        "is the parking included or is that extra",
        "are the photos of saturday in there",
        "does rain even matter for this",
        "did the courier come or is he stuck",
        "was tuesday better than monday",
    ],
)
def test_a_question_without_a_mark_is_dropped(text: str) -> None:
    assert not kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "another outage on a friday night, my life is complete",
        "six hours in a queue for a stamp. what a bargain",
        "Car broke down in the rain, I can recommend it to everyone.",
        "a birthday at the airport, I am a lucky man",
        "I'm allergic to mornings, write that down",
        "One more spreadsheet and I move to a cave.",
    ],
)
def test_what_means_the_contrary_is_dropped(text: str) -> None:
    assert not kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm in foul form this evening",
        "ugh, so much of everything",
        "i am running on two hours of sleep",
        "it has been one of those weeks",
        "this heat is killing me",
        "proper shattered now",
        "I really can't be bothered today",
    ],
)
def test_a_mood_in_other_words_is_dropped(text: str) -> None:
    assert not kept(text)


@pytest.mark.parametrize(
    "text", ["sgtm", "lgtm!", "Bang on.", "parfait", "Most illuminating.", "you and me both"]
)
def test_an_acknowledgement_is_dropped(text: str) -> None:
    assert not kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to walnuts, write that down",
        "My sleep clinic is in Leeds",
        "We moved the killing floor audit to 3 March",
        "I have one more exam and then I move to Porto on 1 June",
        "My daughter is allergic to working dogs",
        "I was promoted to shift lead",
        "Has moved to Lyon, my brother, since May",
        "I work nights on the heat desk",
    ],
)
def test_a_statement_with_such_a_word_is_kept(text: str) -> None:
    assert kept(text)


@pytest.mark.parametrize("text", ["Noted, eu-west-3.", "Deployed to eu-central-1."])
def test_a_name_with_a_number_is_no_language(text: str) -> None:
    assert not is_foreign(text)
