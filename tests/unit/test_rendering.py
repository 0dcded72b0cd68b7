"""A third-person sentence beside the user's own words (RULES 4.3).

| the turn | told as | literally stated |
|---|---|---|
| "I", "my", "me", "we" | the user, their name, "they", "their", "Nora's team" | yes |
| an order | "The user asks: ..." | yes |
| a part of a sentence, with nothing left out inside | | yes |
| another order of words, a word left out inside, a word more | | no |
| another subject in front, another person's | | no |
| asked, supposed, denied or averse on one side alone | | no |
| another number | | no |
"""

import pytest

from muniment.domain.statement import Claim, SupportingTurn, grade

STATED = [
    ("My dog is called Rex.", "Their dog is called Rex."),
    ("I release on Tuesdays.", "Nora releases on Tuesdays."),
    ("I release on Tuesdays.", "The user releases on Tuesdays."),
    ("We release on Tuesdays.", "Nora's team releases on Tuesdays."),
    ("Our team releases on Tuesdays.", "Their team releases on Tuesdays."),
    ("On weekdays I start at 6.30.", "Nora starts at 6.30."),
    ("I always want weekly grain, not daily.", "Nora always wants weekly grain, not daily."),
    (
        "Exclude OpenAI namespaces from all my revenue queries.",
        "Nora asks: Exclude OpenAI namespaces from all their revenue queries.",
    ),
    ("Send me the minutes on Friday.", "The user asks: Send Nora the minutes on Friday."),
    ("Please never use tables in answers.", "The user asks: never use tables in answers."),
    ("I do not eat meat.", "Nora does not eat meat."),
    ("I stopped eating meat.", "Nora stopped eating meat."),
    ("I would like to have short answers.", "The user would like to have short answers."),
    ("The lag is three days.", "The lag is three days."),
    ("I sing. We meet on Mondays.", "Nora sings. Nora's team meets on Mondays."),
    ("I went to Lisbon in 2024.", "Nora went to Lisbon in 2024."),
    ("The user table lags two days.", "The user table lags two days."),
    ("It is -5 degrees in our cellar.", "It is -5 degrees in their cellar."),
]
NOT_STATED = [
    ("John told Mary about the harbour.", "Mary told John about the harbour."),
    ("I want daily mails, never weekly reports.", "Nora wants weekly reports."),
    ("I do not eat meat.", "Nora eats meat."),
    ("I eat meat.", "Nora does not eat meat."),
    ("I want to stop weekly reports.", "Nora wants weekly reports."),
    ("I refuse to write weekly reports.", "Nora writes weekly reports."),
    ("I might sell the boat.", "Nora sells the boat."),
    ("Should I sell the boat?", "Nora sells the boat."),
    ("Pim deploys on Fridays.", "Nora deploys on Fridays."),
    ("My brother deploys on Fridays.", "Nora deploys on Fridays."),
    ("My brother and his friends deploy on Fridays.", "Nora deploys on Fridays."),
    ("Reports go to the board.", "Reports go to Nora."),
    ("I want reports to go to the board.", "Nora wants reports to go to the team."),
    ("I start at 6.30.", "Nora starts at 6."),
    ("It is 5 degrees in our cellar.", "It is -5 degrees in their cellar."),
    ("I sing.", "Nora sings. Nora dances."),
    ("I have a question.", "They are."),
    ("> I release on Tuesdays.\nSee above.", "Nora releases on Tuesdays."),
]


def told(content: str, text: str, *, rendered: bool = True) -> tuple[str, bool]:
    claim = Claim(text, rendered=rendered, names=["Nora"])
    return grade(claim, [SupportingTurn("user", content, "user_stated")])


@pytest.mark.parametrize(("content", "text"), STATED)
def test_what_a_turn_says_in_its_own_words(content: str, text: str) -> None:
    assert told(content, text) == ("user_stated", True)


@pytest.mark.parametrize(("content", "text"), NOT_STATED)
def test_what_it_does_not_say(content: str, text: str) -> None:
    assert told(content, text) == ("agent_inferred", False)


def test_an_agents_own_wording_is_a_guess() -> None:
    content, text = "I release on Tuesdays.", "Nora releases on Tuesdays."
    assert told(content, text, rendered=False) == ("agent_inferred", False)


def test_whom_it_names_counts() -> None:
    turns = [SupportingTurn("user", "I release on Tuesdays.", "user_stated")]
    claim = Claim("Pim releases on Tuesdays.", rendered=True, names=["Nora"])
    assert grade(claim, turns) == ("agent_inferred", False)
