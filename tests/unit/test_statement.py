"""Whose word a candidate is (RULES 4.3, 4.4).

| cites | says it literally | trust | stated |
|---|---|---|---|
| a user's turn | yes | user_stated | yes |
| a user's turn | no | agent_inferred | no |
| a verified tool's turn | yes | tool_verified | yes |
| another tool's turn | yes | external_content | no |
| an assistant's turn | yes | agent_inferred | no |
| external content | yes | external_content | no |
| nothing | | agent_inferred | no |
| a user's turn that says it, beside others | yes | user_stated | yes |
| a user's turn that does not, beside external content that does | | external_content | no |

What "says it" means is the table of `test_what_a_turn_asserts`; what takes it back, that of
`test_what_a_turn_takes_back`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.own_words import own_words
from muniment.domain.slot import Slot
from muniment.domain.statement import (
    Claim,
    SupportingTurn,
    grade,
    grade_retraction,
    states,
)
from muniment.domain.text import analyzer_for
from muniment.domain.trust import GRADES, ROLES, Role, Trust, may_displace

SAYS, SILENT = "I moved to Utrecht in May.", "We spoke about the weather."
CITY = Slot("city", "one")
UTRECHT = Claim("Nora lives in Utrecht.", "Utrecht", CITY)


def turn(role: Role, trust: Trust, content: str = SAYS) -> SupportingTurn:
    return SupportingTurn(role, content, trust)


USER = turn("user", "user_stated")
VERIFIED = turn("tool", "tool_verified")
TOOL = turn("tool", "external_content")
ASSISTANT = turn("assistant", "agent_inferred")
MAIL = turn("external", "external_content")
QUIET = turn("user", "user_stated", SILENT)
QUARANTINED = turn("user", "external_content")


@pytest.mark.parametrize(
    ("turns", "trust", "stated"),
    [
        ([USER], "user_stated", True),
        ([QUIET], "agent_inferred", False),
        ([VERIFIED], "tool_verified", True),
        ([turn("tool", "tool_verified", SILENT)], "agent_inferred", False),
        ([TOOL], "external_content", False),
        ([ASSISTANT], "agent_inferred", False),
        ([MAIL], "external_content", False),
        ([], "agent_inferred", False),
        ([USER, MAIL, ASSISTANT], "user_stated", True),
        ([VERIFIED, USER], "user_stated", True),
        ([VERIFIED, QUIET], "tool_verified", True),
        ([QUIET, MAIL], "external_content", False),
        ([QUIET, ASSISTANT], "agent_inferred", False),
        # What a user pasted is stored as external content, and lends no more than that.
        ([QUARANTINED], "external_content", False),
    ],
)
def test_whose_word_it_is(turns: list[SupportingTurn], trust: Trust, stated: bool) -> None:
    assert grade(UTRECHT, turns) == (trust, stated)


MAIL_IN_TURN = """Please answer this one.

From: Eve <eve@example.org>
Subject: your city

I live in Utrecht."""

ASSERTED = [
    # content of the user's turn, text of the claim, value, does it state it
    ("I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", True),
    ("No, I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", True),
    ("Not Paris, Utrecht.", "Nora lives in Utrecht.", "Utrecht", True),
    ("Not Paris, Utrecht.", "Nora lives in Paris.", "Paris", False),
    ("I live in Utrecht, not Paris.", "Nora lives in Utrecht.", "Utrecht", True),
    ("I live in Utrecht, not Paris.", "Nora lives in Paris.", "Paris", False),
    ("I don't like Paris, I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", True),
    ("I wasn't born here but I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", True),
    ("I moved out; Utrecht is home now.", "Nora lives in Utrecht.", "Utrecht", True),
    # Denied.
    ("I do not live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I don’t live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I never lived in Utrecht.", "Nora lived in Utrecht.", "Utrecht", False),
    ("I no longer live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("Utrecht is not where I live.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I don't live in Paris, Utrecht or Berlin.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I do not live in Utrecht.", "Nora does not live in Utrecht.", "Utrecht", True),
    ("I live in Utrecht.", "Nora does not live in Utrecht.", "Utrecht", False),
    # A word of its own that says no.
    ("I can't eat peanuts.", "Nora is allergic to peanuts.", "peanuts", True),
    ("I'm allergic to peanuts.", "Nora is allergic to peanuts.", "peanuts", True),
    ("I don't like coriander.", "Nora dislikes coriander.", "coriander", True),
    ("Please don't call me by phone.", "Do not contact Nora by phone.", "phone", True),
    # Asked or supposed.
    ("Should I live in Utrecht?", "Nora lives in Utrecht.", "Utrecht", False),
    ("Do I live in Utrecht", "Nora lives in Utrecht.", "Utrecht", False),
    ("If I lived in Utrecht I would cycle.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I might move to Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I might move to Utrecht.", "Nora might move to Utrecht.", "Utrecht", True),
    ("It's lovely here. I live in Utrecht, you know?", "Nora lives in Utrecht.", "Utrecht", True),
    ("I'd like to live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I would really love to live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I'd like to live in Utrecht.", "Nora would like to live in Utrecht.", "Utrecht", True),
    ("Write a story where I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("Translate: I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("My boss thinks I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I think I live in Utrecht now.", "Nora lives in Utrecht.", "Utrecht", True),
    # No more.
    ("I used to live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("I used to live in Utrecht.", "Nora formerly lived in Utrecht.", "Utrecht", True),
    ("I'm moving away from Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("We moved from Utrecht to Gouda.", "Nora lives in Utrecht.", "Utrecht", False),
    ("We moved from Utrecht to Gouda.", "Nora lives in Gouda.", "Gouda", True),
    ("We moved from Utrecht to Gouda.", "Nora moved from Utrecht to Gouda.", "Utrecht", True),
    ("I work from Utrecht.", "Nora works from Utrecht.", "Utrecht", True),
    # Of somebody else.
    ("My brother lives in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("My older sister lives in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ("My brother lives in Utrecht.", "Nora has a brother in Utrecht.", "Utrecht", True),
    ("My wife and I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", True),
    ("My brother moved, but I live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", True),
    # Of somebody else's words (RULES 4.2).
    ("> I live in Utrecht.\nWhat do you make of that.", "Nora lives in Utrecht.", "Utrecht", False),
    (MAIL_IN_TURN, "Nora lives in Utrecht.", "Utrecht", False),
    ("See below.\n-----Original Message-----\nI live in Utrecht.", "Nora lives in Utrecht.",
     "Utrecht", False),
    ("On Monday Eve wrote:\nI live in Utrecht.", "Nora lives in Utrecht.", "Utrecht", False),
    ('Eve said "I have always lived in Utrecht" to me.', "Nora lives in Utrecht.", "Utrecht", False),
    ('My team is called "Blue Heron".', "Nora's team is called Blue Heron.", "Blue Heron", True),
    # The value lends to what says no more than it does.
    ("I have a question.", "Nora is allergic to aspirin.", "a", False),
    ("I live in Utrecht.", "Nora is based there.", "Utrecht", False),
    ("Do deploy to eu-west-1.", "Nora approved sending all invoices to account 666 by eu-west-1.",
     "eu-west-1", False),
    # Without a value the whole text counts.
    ("The lag is three days.", "The lag is three days.", None, True),
    ("I don't think the lag is three days.", "The lag is three days.", None, False),
    ("The lag is three days. It was five.", "The lag is three days. It was five.", None, True),
    ("The lag is three days.", "The lag is three days. It was five.", None, False),
    ("Is the lag three days?", "Is the lag three days?", None, False),
]  # fmt: skip


@pytest.mark.parametrize(("content", "text", "value", "does"), ASSERTED)
def test_what_a_turn_asserts(content: str, text: str, value: str | None, does: bool) -> None:
    trust, stated = grade(Claim(text, value), [turn("user", "user_stated", content)])
    assert stated is does
    assert trust == ("user_stated" if does else "agent_inferred")


DOG = ("Nora has a pet: dog.", "dog")
LIVES = ("No longer so: Nora lives in Berlin.", "Berlin")
TAKEN_BACK = [
    # content of the user's turn, the claim, does it take that back
    ("I no longer have a dog.", DOG, True),
    ("I don't have a dog any more.", DOG, True),
    ("My dog died in March.", DOG, True),
    ("I sold the dog.", DOG, True),
    ("Forget that I have a dog.", DOG, True),
    ("We have a dog and I no longer work nights.", DOG, False),
    ("I no longer live in Berlin.", LIVES, True),
    ("I don't live in Berlin anymore.", LIVES, True),
    ("I do not live in Berlin any more.", LIVES, True),
    ("I left Berlin.", LIVES, True),
    ("We moved from Berlin to Gouda.", LIVES, True),
    ("I live in Berlin.", LIVES, False),
    ("I live in Berlin because I am no longer at Acme.", LIVES, False),
    ("I am no longer at Acme.", LIVES, False),
    # Reminded, asked, supposed, of somebody else, of somebody else's words.
    ("Don't forget that I live in Berlin.", LIVES, False),
    ("Do I no longer live in Berlin?", LIVES, False),
    ("If I no longer lived in Berlin I would cycle.", LIVES, False),
    ("My brother no longer lives in Berlin.", LIVES, False),
    ("> I no longer live in Berlin.", LIVES, False),
    # What says no itself is not taken back by saying so again.
    ("I'm allergic to nuts.", ("Nora is allergic to nuts.", "nuts"), False),
    ("I'm no longer allergic to nuts.", ("Nora is allergic to nuts.", "nuts"), True),
    ("Never call me by phone.", ("Nora must not be contacted by phone.", "phone"), False),
    ("You can use the phone again.", ("Nora must not be contacted by phone.", "phone"), True),
    # Without a value the sentence has to name it.
    ("The lag of the orders is fixed.", ("The lag of the orders is three days.", None), True),
    ("The returns are fixed.", ("The lag of the orders is three days.", None), False),
]


@pytest.mark.parametrize(("content", "claim", "does"), TAKEN_BACK)
def test_what_a_turn_takes_back(content: str, claim: tuple[str, str | None], does: bool) -> None:
    said = [turn("user", "user_stated", content)]
    trust, stated = grade_retraction(Claim(*claim), said, analyzer_for())
    assert (trust, stated) == (("user_stated", True) if does else ("agent_inferred", False))
    assisting = [turn("assistant", "agent_inferred", content)]
    assert grade_retraction(Claim(*claim), assisting, analyzer_for())[0] == "agent_inferred"


@pytest.mark.parametrize(
    ("content", "does"),
    [
        ("Forget that I live in Utrecht.", False),
        ("Please disregard that my city is Utrecht.", False),
        ("Don't forget that I live in Utrecht.", True),
        ("Never forget I live in Utrecht.", True),
    ],
)
def test_what_is_to_be_forgotten_is_not_stated(content: str, does: bool) -> None:
    said = [turn("user", "user_stated", content)]
    assert grade(UTRECHT, said)[1] is does


def test_a_tool_quotes_nobody() -> None:
    report = '{"says": "the city of residence is Utrecht"}'
    assert grade(UTRECHT, [turn("tool", "tool_verified", report)]) == ("tool_verified", True)


@pytest.mark.parametrize(
    ("content", "own"),
    [
        ("I live in Utrecht.", "I live in Utrecht."),
        ("a\n> b\nc", "a\n\nc"),
        ('so "one two three four five" it goes', "so   it goes"),
        ('so "one two" it goes', 'so "one two" it goes'),
        ("“one two three four five”", " "),
        ("ask\nFrom: a\nTo: b\nrest", "ask\n"),
        ("From: a\nonly one header", "From: a\nonly one header"),
    ],
)
def test_the_words_of_a_turn_that_are_its_own(content: str, own: str) -> None:
    assert own_words(content) == own


@given(st.text(max_size=200))
def test_own_words_are_no_longer_than_the_turn(content: str) -> None:
    assert len(own_words(content)) <= len(content)


@pytest.mark.parametrize(
    ("content", "stated", "does"),
    [
        (SAYS, "Utrecht", True),
        (SAYS, "utrecht", True),
        (SAYS, "UTRECHT IN may", True),
        (SAYS, "Utrecht  in\nMay", True),
        (SAYS, "Utrecht, in May!", True),
        (SAYS, "I moved to Utrecht in May.", True),
        (SAYS, "Utrech", False),
        (SAYS, "trecht", False),
        (SAYS, "May in Utrecht", False),
        (SAYS, "moved Utrecht", False),
        (SAYS, "", False),
        (SAYS, " ?! ", False),
        ("", "Utrecht", False),
        ("I live in Romeville.", "Rome", False),
        ("It's Zu\u0308rich.", "Zürich", True),
        ("Ich wohne in der Hauptstraße.", "HAUPTSTRASSE", True),
        ("我住在東京。", "東京", False),  # no spaces, so no words of its own
        ("東京。", "東京", True),
        ("The lag is 3.5 days.", "3.5", True),
        ("The lag is 3.5 days.", "3", False),
        ("The lag is 3.5 days.", "5 days", False),
        ("The lag is 3 days.", "3", True),
        ("The lag is 3.", "3", True),
        ("It holds 1,000 items.", "1,000", True),
        ("It holds 1,000 items.", "1", False),
        ("It is -5 degrees.", "-5", True),
        ("It is -5 degrees.", "5", False),
        ("It is 5 degrees.", "-5", False),
        ("From 3-5 apples.", "5 apples", True),
        ("Since 2024-05-01.", "2024-05-01", True),
        ("At 10:30 sharp.", "10:30", True),
        ("At 10:30 sharp.", "10", False),
        ("I write C++.", "C++", True),
        ("I write C.", "C++", False),
        ("My cat is a 🐈.", "🐈", True),
        ("My cat is a 🐕.", "🐈", False),
    ],
)
def test_what_is_literally_said(content: str, stated: str, does: bool) -> None:
    assert states(content, stated) is does


words = st.text(st.characters(categories=["L", "N"]), min_size=1)
texts = st.text(max_size=40)
turns_of = st.builds(
    SupportingTurn, st.sampled_from(ROLES), st.sampled_from([SAYS, SILENT]), st.sampled_from(GRADES)
)


@given(texts, texts, texts)
def test_a_text_states_its_own_parts(before: str, stated: str, after: str) -> None:
    if states(stated, stated):
        assert states(f"{before} \n {stated} \n {after}", stated)


@given(words)
def test_any_word_states_itself(word: str) -> None:
    assert states(word, word)


@given(st.lists(turns_of, max_size=5), turns_of)
def test_citing_more_never_makes_a_guess_a_statement(
    turns: list[SupportingTurn], more: SupportingTurn
) -> None:
    """Only a user's or a tool's turn that says it lends more than a guess is worth, and never more
    than the turn was stored with.
    """
    trust, stated = grade(UTRECHT, [*turns, more])
    if may_displace(trust, "tool_verified"):
        assert stated
        assert any(
            one.trust == trust and one.role in ("user", "tool") and one.content == SAYS
            for one in (*turns, more)
        )
    else:
        assert not stated
        assert all(may_displace(one.trust, trust) for one in (*turns, more))
