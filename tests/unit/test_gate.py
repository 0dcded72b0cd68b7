"""The write gate: tables of turns and the labelled sets."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from muniment.domain.gate.cues import Reason
from muniment.domain.gate.judge import (
    IMPORTANCE,
    GateContext,
    GateInput,
    Role,
    Verdict,
    judge,
    judge_sentences,
    recalled_digests,
    sentence_digests,
)

DATA = Path(__file__).parent / "data"
DROPPED = {
    Reason.GREETING,
    Reason.THANKS,
    Reason.FILLER,
    Reason.MOOD,
    Reason.QUESTION,
    Reason.OFFER,
    Reason.BARE_REQUEST,
    Reason.REPETITION,
    Reason.ECHO,
    Reason.PRIVACY,
    Reason.EMPTY,
}
ROLES: tuple[Role, ...] = ("user", "assistant", "tool", "external")


def said(text: str, role: Role = "user", name: str | None = None) -> GateInput:
    return GateInput(role, text, name)


def verdict(text: str, role: Role = "user", after: str = "", asker: Role = "assistant") -> Verdict:
    previous = said(after, asker) if after else None
    return judge(said(text, role), GateContext(previous))


def role_of(text: str) -> Role:
    return next(role for role in ROLES if role == text)


def judged(row: dict[str, str]) -> Verdict:
    previous = None
    if row["prev"]:
        role, _, text = row["prev"].partition(": ")
        previous = said(text, role_of(role))
    role = role_of(row["role"])
    seen = sentence_digests(said(row["seen"], role)) if row["seen"] else frozenset()
    return judge(said(row["text"], role), GateContext(previous, seen))


def rows(half: str) -> list[dict[str, str]]:
    with (DATA / f"gate_turns_{half}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("half", ["dev", "held", "fresh"])
def test_keeps_and_drops_as_labelled(half: str) -> None:
    counts = Counter((row["label"], judged(row).kept) for row in rows(half))
    kept, lost = counts["keep", True], counts["keep", False]
    noise, dropped = counts["drop", True], counts["drop", False]
    figures = {
        "keep precision": kept / (kept + noise),
        "keep recall": kept / (kept + lost),
        "drop precision": dropped / (dropped + lost),
        "drop recall": dropped / (dropped + noise),
    }
    print(half, {name: round(figure, 3) for name, figure in figures.items()})
    assert min(figures.values()) >= 0.95


@pytest.mark.parametrize("half", ["dev", "held", "fresh"])
def test_names_the_labelled_reason(half: str) -> None:
    labelled = rows(half)
    right = sum(judged(row).reason == row["reason"] for row in labelled)
    assert right / len(labelled) >= 0.8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I prefer window seats.", Reason.PREFERENCE),
        ("We decided to go with the cheaper supplier.", Reason.DECISION),
        ("No, the review is on Tuesday.", Reason.CORRECTION),
        ("We no longer sell in Norway.", Reason.RETRACTION),
        ("My name is Farid.", Reason.IDENTITY),
        ("From now on, answer in Dutch.", Reason.STANDING_INSTRUCTION),
        ("Please never email clients on a Sunday.", Reason.STANDING_INSTRUCTION),
        ("The orders table lags three days.", Reason.FACT),
        ("I will send the contract.", Reason.COMMITMENT),
        ("The audit starts on 3 November.", Reason.DATE),
        ("Hi there!", Reason.GREETING),
        ("Thanks a lot for your help!", Reason.THANKS),
        ("haha, makes sense", Reason.FILLER),
        ("I'm so hungry right now", Reason.MOOD),
        ("What is the capital of France?", Reason.QUESTION),
        ("Write a haiku about autumn.", Reason.BARE_REQUEST),
        ("?!", Reason.EMPTY),
        (" \n\t ", Reason.EMPTY),
        ("", Reason.EMPTY),
    ],
)
def test_reasons_of_a_user_turn(text: str, reason: Reason) -> None:
    assert verdict(text).reason == reason
    assert verdict(text).kept == (reason not in DROPPED)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Can you book my Thursday flight to Oslo?", True),
        ("How is my daughter Mia's recital going?", True),
        ("Should I take the train, since I hate flying?", True),
        ("When does Mia's recital start?", True),
        ("Could I bring the kids?", True),
        ("Why does our checkout time out?", True),
        ("Remember this place from last summer?", True),
        ("How was your trip to Iceland?", True),
        ("I don't have a car any more", True),
        ("Have the driver wait at gate 3.", True),
        ("Did Priya pay the caterer?", True),
        ("Draft an apology to the Hansen family.", True),
        ("I've moved to Lund - how are you?", True),
        ("Is it late, or is the meeting on 12 May?", True),
        ("Write a letter to Anna.", True),
        ("Write it in German from now on.", True),
        ("Who wrote Don Quixote?", False),
        ("How do I reverse a list in Python?", False),
        ("Can you explain how vaccines work?", False),
        ("What is my name?", False),
        ("Where do I live?", False),
        ("what's your favorite book?", False),
        ("why is the sky blue", False),
        ("Show me more", False),
    ],
)
def test_a_question_or_request_is_kept_when_it_rests_on_a_fact(text: str, kept: bool) -> None:
    assert verdict(text).kept is kept


@pytest.mark.parametrize(
    ("after", "text", "kept"),
    [
        ("Where do you live?", "Rotterdam.", True),
        ("Where do you live?", "Rotterdam, thanks!", True),
        ("Who is it for?", "Oh, Anna!", True),
        ("Do you have any pets?", "No", True),
        ("Is the outage over?", "yep", True),
        ("Shall I cancel the booking?", "ok", True),
        ("Shall I cancel the booking?", "👍", True),
        ("How was the interview?", "Terrible.", True),
        ("Did you enjoy the concert?", "It was amazing!", True),
        ("So you have two children.", "Yes", True),
        ("I booked it for Friday.", "No", True),
        ("So you have two children.", "Three, actually.", True),
        ("Shall I cancel the booking?", "Yes, go ahead.", True),
        ("Shall I cancel the booking?", "Try again.", True),
        ("There is a grey one or a blue one.", "blue", True),
        ("I booked it for Friday.", "Great!", False),
        ("Anything else I can do?", "No, that's all, thanks.", False),
        ("How are you?", "Good, thanks", False),
        ("Where do you live?", "Hi!", False),
        ("Here is a joke.", "😂", False),
    ],
)
def test_a_short_reply_is_kept_when_it_answers(after: str, text: str, kept: bool) -> None:
    assert verdict(text, after=after).kept is kept


def test_a_speaker_does_not_answer_their_own_question() -> None:
    asked = said("Where do you live?", name="Ann")
    answered = judge(said("Great!", name="Ann"), GateContext(said("How was it?", name="Ann")))
    assert not answered.kept
    assert judge(said("Great!", name="Bob"), GateContext(said("How was it?", name="Ann"))).kept
    assert judge(said("Lund.", name="Bob"), GateContext(asked)).kept


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Sure! I can help with that.", Reason.FILLER),
        ("I'll remember that.", Reason.FILLER),
        ("Let me check that for you.", Reason.FILLER),
        ("Would you like me to explain that?", Reason.OFFER),
        ("Let me know if you have any questions.", Reason.OFFER),
        ("Would you like me to book the 9:40 train to Utrecht?", Reason.DATE),
        ("I'll call the clinic at 9:00.", Reason.COMMITMENT),
        ("I've cancelled the order.", Reason.TOOL_RESULT),
        ("I recommend the annual plan.", Reason.RECOMMENDATION),
        ("Paris is the capital of France.", Reason.FACT),
    ],
)
def test_assistant_turns(text: str, reason: Reason) -> None:
    assert verdict(text, "assistant").reason == reason


@pytest.mark.parametrize("text", ["Hi, ticket 5512 was closed.", "Hello", "ok", "Thanks!", "0"])
def test_a_tool_result_is_kept_whatever_it_says(text: str) -> None:
    twice = GateContext(seen=sentence_digests(said(text, "tool")))
    assert judge(said(text, "tool"), twice).reason is Reason.TOOL_RESULT


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", " None ", '""'])
def test_a_void_tool_result_is_dropped(text: str) -> None:
    assert verdict(text, "tool").reason is Reason.EMPTY


@pytest.mark.parametrize(
    "text",
    [
        "Ik woon in Rotterdam.",
        "Wo wohnst du?",
        "Hola, ¿qué tal?",
        "東京に住んでいます。",
        "Спасибо!",
    ],
)
def test_what_is_not_english_is_kept_unjudged(text: str) -> None:
    assert verdict(text).reason is Reason.UNJUDGED


@pytest.mark.parametrize(
    ("text", "asked", "withdraws"),
    [
        ("Don't remember this.", True, True),
        ("please forget I said that", True, True),
        ("This is off the record: we may be sold.", True, False),
        ("My salary is 70k but don't write that down.", True, False),
        ("Could you please not store this message?", True, True),
        ("Do not remember my card number.", True, True),
        ("Don't forget this: I can't eat nuts.", False, False),
        ("Don't forget I told you about the allergy.", False, False),
        ("I don't remember where I parked.", False, False),
        ("Why don't you remember this?", False, False),
        ("We don't store this anywhere.", False, False),
        ("Don't store this in the EU bucket.", False, False),
        ("Do not save customer emails in the schema.", False, False),
        ("He told me off the record that he's leaving.", False, False),
    ],
)
def test_do_not_remember(text: str, asked: bool, withdraws: bool) -> None:
    found = verdict(text)
    assert (found.reason is Reason.PRIVACY) is asked
    assert found.kept is not asked
    assert found.withdraws_previous is withdraws


def test_do_not_remember_is_found_at_either_end_of_a_long_turn() -> None:
    long = "The depot in Ghent has forty docks. " * 400
    assert not verdict(f"{long} Please don't remember this.").kept
    assert not verdict(f"Please don't remember this. {long}").kept
    assert verdict(long).kept


@pytest.mark.parametrize("role", ["assistant", "external"])
def test_only_a_user_can_ask_not_to_be_remembered(role: Role) -> None:
    assert verdict("Please don't remember this. The board meets on Monday.", role).kept


def test_the_same_sentence_again_is_dropped_and_other_words_are_kept() -> None:
    context = GateContext(seen=sentence_digests(said("I live in Rotterdam.", name="Ann")))
    assert judge(said("I live in ROTTERDAM!", name="Ann"), context).reason is Reason.REPETITION
    assert judge(said("Hi! I live in Rotterdam.", name="Ann"), context).reason is Reason.REPETITION
    assert judge(said("My home is in Rotterdam.", name="Ann"), context).kept
    assert judge(said("I live in Rotterdam. So does Bo.", name="Ann"), context).kept


def test_the_same_sentence_of_another_speaker_is_another_statement() -> None:
    context = GateContext(seen=sentence_digests(said("I love climbing.", name="Ann")))
    assert judge(said("I love climbing.", name="Bob"), context).kept


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The balance is 5.", "The balance is -5."),
        ("It costs $5.", "It costs €5."),
        ("It is at 3.5.", "It is at 35."),
    ],
)
def test_another_amount_is_not_a_repetition(first: str, second: str) -> None:
    assert judge(said(second), GateContext(seen=sentence_digests(said(first)))).kept


def test_an_answer_given_before_is_no_repetition() -> None:
    context = GateContext(said("Is it still broken?", "assistant"), sentence_digests(said("no")))
    assert judge(said("no"), context).kept


def test_recalled_text_that_is_echoed_is_dropped() -> None:
    context = GateContext(recalled=recalled_digests("The orders table lags three days."))
    echo = "The orders table lags three days."
    assert judge(said(echo, "assistant"), context).reason is Reason.ECHO
    assert judge(said(echo), context).reason is Reason.ECHO
    assert judge(said(f"{echo} It is fixed now."), context).kept


def test_a_user_who_says_of_themselves_what_was_recalled_reaffirms_it() -> None:
    context = GateContext(recalled=recalled_digests("I live in Rotterdam."))
    assert judge(said("I live in Rotterdam."), context).kept
    assert not judge(said("I live in Rotterdam.", "assistant"), context).kept


@pytest.mark.parametrize(
    ("text", "role", "importance"),
    [
        ("I'm allergic to penicillin.", "user", 10),
        ("Do not contact me by phone.", "user", 10),
        ("My name is Bo.", "user", 8),
        ("I prefer tea.", "user", 6),
        ("Our office is in Leiden.", "user", 5),
        ("My dog is called Pixel.", "user", 3),
        ("I prefer tea.", "external", 4),
        ("I will send it.", "assistant", 5),
        ("Hello!", "user", 1),
    ],
)
def test_importance_by_reason_and_slot(text: str, role: Role, importance: int) -> None:
    assert verdict(text, role).importance == importance


def test_importance_follows_the_policy_table() -> None:
    table = {**IMPORTANCE, Reason.PREFERENCE: 9}
    assert judge(said("I prefer tea."), importance=table).importance == 9


def test_sentences_are_judged_one_by_one() -> None:
    found = list(judge_sentences(said("Hi! I live in Lund. Thanks!")))
    assert [(text, finding.kept) for text, finding in found] == [
        ("Hi!", False),
        ("I live in Lund.", True),
        ("Thanks!", False),
    ]
