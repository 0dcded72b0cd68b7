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
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.statement import SupportingTurn, grade, states
from muniment.domain.trust import GRADES, ROLES, Role, Trust, may_displace

SAYS, SILENT = "I moved to Utrecht in May.", "We spoke about the weather."


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
    assert grade("Utrecht", turns) == (trust, stated)


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
    trust, stated = grade("Utrecht", [*turns, more])
    if may_displace(trust, "tool_verified"):
        assert stated
        assert any(
            one.trust == trust and one.role in ("user", "tool") and one.content == SAYS
            for one in (*turns, more)
        )
    else:
        assert not stated
        assert all(may_displace(one.trust, trust) for one in (*turns, more))
