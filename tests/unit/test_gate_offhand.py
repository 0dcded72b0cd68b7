"""What is said to an assistant, and by it, that is not worth a line.

| who | says | then |
|---|---|---|
| a person | play, supposition, a mood, a chore, an echo | dropped |
| the same with a correction or a standing wish | | kept |
| people among themselves | the same | judged as before |
| an assistant | talk about what was just said | dropped |
| an assistant | a result, advice, a promise with something new | kept |
"""

import pytest

from muniment.domain.gate import GateContext, GateInput, Verdict, judge


def after(before: GateInput, said: GateInput) -> Verdict:
    return judge(said, GateContext(before))


@pytest.mark.parametrize(
    "text",
    [
        "Lovely, the printer jammed again.",
        "If we won the contract I would buy everybody a boat.",
        "Big if, but imagine we had two ovens.",
        "I'm knackered.",
        "I never want to see another invoice.",
        "Exactly what I have been praying for.",
        "now convert that to a list",
        '"Fridays are for stocktaking", you have there.',
    ],
)
def test_a_person_in_play_to_an_assistant_is_let_go(text: str) -> None:
    assert not after(GateInput("assistant", "Here it is."), GateInput("user", text)).kept


@pytest.mark.parametrize(
    "text",
    [
        "haha no, I live in Delft",
        "lol no pies, ever",
        "We close on Fridays.",
        "Please always round up.",
        "No, the blue one.",
        "My dog is called Rex, lol.",
    ],
)
def test_what_counts_is_kept_in_any_tone(text: str) -> None:
    assert after(GateInput("assistant", "Here it is."), GateInput("user", text)).kept


def test_people_among_themselves_are_judged_as_before() -> None:
    asked = GateInput("user", "How was your weekend?", "Ann")
    told = GateInput("user", "If we had more rain the lake would be full, haha.", "Bob")
    assert judge(told, GateContext(asked)).rule != "offhand.play"


@pytest.mark.parametrize(
    ("before", "text", "kept"),
    [
        ("No decimals please.", "Rounded to whole numbers.", False),
        ("Which store sold most?", "Leeds, with 41 percent of all sales.", False),
        ("Always use kilos.", "I'll use kilos from now on.", False),
        ("Stop at 10 November.", "I'll stop at 10 November.", False),
        ("Can you cancel it?", "I've cancelled the order.", True),
        ("Which one?", "I recommend the annual plan.", True),
        ("I need it soon.", "I will send the contract to Lena by Friday.", True),
    ],
)
def test_an_assistant_says_something_new_or_only_talks(before: str, text: str, kept: bool) -> None:
    said = after(GateInput("user", before), GateInput("assistant", text))
    assert said.kept is kept
