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

WATCHED = {"city", "employer", "allergy", "pet", "dislike"}

HOLDS = [
    ("I live in Delft.", {("city", "Delft")}),
    ("I've lived in Delft since 2010.", {("city", "Delft")}),
    ("I have lived in Delft for ten years.", {("city", "Delft")}),
    ("I moved to Delft last month.", {("city", "Delft")}),
    ("I moved to Delft.", {("city", "Delft")}),
    ("We moved to Delft in March.", {("city", "Delft")}),
    ("In 2012 I moved to Delft.", {("city", "Delft")}),
    ("I moved to Delft in 2012.", {("city", "Delft")}),
    ("I just moved to Delft.", {("city", "Delft")}),
    ("I recently moved to Delft.", {("city", "Delft")}),
    ("I'm living in Delft now.", {("city", "Delft")}),
    ("I'm based in Delft.", {("city", "Delft")}),
    ("I'm moving to Delft on 1 June.", {("city", "Delft")}),
    ("I will move to Delft on 1 June.", {("city", "Delft")}),
    ("We're settled in Delft.", {("city", "Delft")}),
    ("I relocated to Delft for work.", {("city", "Delft")}),
    ("I came to live in Delft two weeks ago.", {("city", "Delft")}),
    ("I live in Delft and I love it.", {("city", "Delft")}),
    ("I live in Delft, not Gouda.", {("city", "Delft")}),
    ("I don't live in Gouda, I live in Delft.", {("city", "Delft")}),
    ("I used to live in Gouda but now I live in Delft.", {("city", "Delft")}),
    ("I left Gouda and moved to Delft.", {("city", "Delft")}),
    ("I moved from Gouda to Delft.", {("city", "Delft")}),
    ("My wife and I live in Delft.", {("city", "Delft")}),
    ("I live in Delft with my brother.", {("city", "Delft")}),
    ("I live in Delft because my mother lives there.", {("city", "Delft")}),
    ("Actually, I live in Delft.", {("city", "Delft")}),
    ("FYI: I live in Delft.", {("city", "Delft")}),
    ("Note: I live in Delft.", {("city", "Delft")}),
    ("Reminder: I live in Delft.", {("city", "Delft")}),
    ("Update: I live in Delft now.", {("city", "Delft")}),
    ("Correction: I live in Delft.", {("city", "Delft")}),
    ("About me: I live in Delft.", {("city", "Delft")}),
    ("Nora: I live in Delft.", {("city", "Delft")}),
    ("Location: Delft", {("city", "Delft")}),
    ("Don't forget that I live in Delft.", {("city", "Delft")}),
    ("It's true that I live in Delft.", {("city", "Delft")}),
    ("I told you: I live in Delft.", {("city", "Delft")}),
    ("I said I live in Delft.", {("city", "Delft")}),
    ("I confirm that I live in Delft.", {("city", "Delft")}),
    ("Yes, I live in Delft.", {("city", "Delft")}),
    ("I finally live in Delft!", {("city", "Delft")}),
    ("Good news: I live in Delft now.", {("city", "Delft")}),
    ("I work at Globex.", {("employer", "Globex")}),
    ("I've worked at Globex since 2010.", {("employer", "Globex")}),
    ("I have been working at Globex for five years.", {("employer", "Globex")}),
    ("I just started at Globex.", {("employer", "Globex")}),
    ("I started at Globex in 2015.", {("employer", "Globex")}),
    ("I started at Globex on Monday.", {("employer", "Globex")}),
    ("I joined Globex last week.", {("employer", "Globex")}),
    ("I joined Globex in 2019.", {("employer", "Globex")}),
    ("I work for Globex.", {("employer", "Globex")}),
    ("I'm with Globex now.", {("employer", "Globex")}),
    ("I'm working at Globex.", {("employer", "Globex")}),
    ("I got the job at Globex.", {("employer", "Globex")}),
    ("I got hired by Globex.", {("employer", "Globex")}),
    ("I accepted the offer from Globex.", {("employer", "Globex")}),
    ("I took a job at Globex.", {("employer", "Globex")}),
    ("I'm employed by Globex.", {("employer", "Globex")}),
    ("I work at Globex as an engineer.", {("employer", "Globex"), ("role", "engineer")}),
    ("I'm an engineer at Globex.", {("employer", "Globex"), ("role", "engineer")}),
    ("I turned down Acme and joined Globex.", {("employer", "Globex")}),
    ("I will join Globex on 1 June.", {("employer", "Globex")}),
    ("I'm starting at Globex on Monday.", {("employer", "Globex")}),
    ("I've been with Globex for a decade.", {("employer", "Globex")}),
    ("I work at Globex, where my brother worked too.", {("employer", "Globex")}),
    ("My employer is Globex.", {("employer", "Globex")}),
    ("I became a nurse at Globex.", {("employer", "Globex"), ("role", "nurse")}),
    ("I've been promoted to team lead.", {("role", "team lead")}),
    ("I'm allergic to nuts.", {("allergy", "nuts")}),
    ("I have a nut allergy.", {("allergy", "nut")}),
    ("I can't eat nuts, I'm allergic.", {("allergy", "nuts")}),
    ("I thought I was allergic to milk, but I'm allergic to nuts.", {("allergy", "nuts")}),
    ("I am still allergic to nuts.", {("allergy", "nuts")}),
    ("I have been allergic to nuts since I was a child.", {("allergy", "nuts")}),
    ("I've got a dog called Rex.", {("pet", "Rex")}),
    ("My dog is called Rex.", {("pet", "Rex")}),
    ("We got a dog named Rex.", {("pet", "Rex")}),
    ("I adopted a cat named Rex.", {("pet", "Rex")}),
    ("My name is Nora.", {("name", "Nora")}),
    ("I speak Dutch.", {("language", "Dutch")}),
    ("Please reply in Dutch.", {("language", "Dutch")}),
    ("I know Python.", {("skill", "Python")}),
    ("I don't like coriander.", {("dislike", "coriander")}),
    ("I hate coriander.", {("dislike", "coriander")}),
    ("Please don't call me by phone.", {("do_not_contact", "phone")}),
    ("Never call me.", {("do_not_contact", "call")}),
    ("I prefer email.", {("contact_channel", "email")}),
    ("We deploy to eu-west-1.", {("deploy_region", "eu-west-1")}),
    ("We moved to eu-west-1 last week.", {("deploy_region", "eu-west-1")}),
    ("I moved to Delft when I was a child.", {("city", "Delft")}),
    ("I live in Delft while I study.", {("city", "Delft")}),
    ("I live in Delft if you need to know.", {("city", "Delft")}),
    ("If you need my city: I live in Delft.", {("city", "Delft")}),
    ("I decided to move to Delft and I did.", {("city", "Delft")}),
    ("Not sure I said it, but I live in Delft.", {("city", "Delft")}),
    ("As you know, I live in Delft.", {("city", "Delft")}),
    ("My brother lives in Gouda but I live in Delft.", {("city", "Delft")}),
    ("Anna works at Acme, I work at Globex.", {("employer", "Globex")}),
    ("My friends know me as Nora and I live in Delft.", {("city", "Delft")}),
    ('"Rex" is my dog\'s name.', {("pet", "Rex")}),
    ('My team is called "Blue Heron" and I work at Globex.', {("employer", "Globex")}),
    (
        "I read the mail. I live in Delft, so the offer fits.",
        {("city", "Delft"), ("contact_channel", "mail")},
    ),
    ("> Where do you live?\nI live in Delft.", {("city", "Delft")}),
    ('Thanks for "the thing"! I live in Delft.', {("city", "Delft")}),
]

NOTHING = [
    "I worked at Globex.",
    "I lived in Delft as a child.",
    "I once lived in Delft.",
    "I lived in Delft for ten years.",
    "I lived in Delft when I was a student.",
    "Back in 2009 I was working at Globex.",
    "I was a nurse at Globex until 2019.",
    "I worked for Globex before I joined Acme.",
    "I had a dog when I was little.",
    "I have lived in Delft before.",
    "I used to work at Globex.",
    "I grew up in Delft.",
    "I was born in Delft.",
    "I had lived in Delft until then.",
    "I was an engineer at Globex back then.",
    "Years ago I lived in Delft.",
    "I turned down the job at Globex.",
    "I refused to move to Delft.",
    "I declined the offer from Globex.",
    "I rejected an offer to work at Globex.",
    "I decided not to move to Delft.",
    "I decided against moving to Delft.",
    "I almost moved to Delft.",
    "I failed to get the job at Globex.",
    "I didn't get the job at Globex.",
    "I won't move to Delft after all.",
    "I am not moving to Delft after all.",
    "I will not be moving to Delft.",
    "We cancelled our move to Delft.",
    "I will live in Delft if I get the job.",
    "I'll move to Delft if they pay me enough.",
    "I will join Globex unless they say no.",
    "If I get the job I will live in Delft.",
    "I would move to Delft in a heartbeat.",
    "I could live in Delft.",
    "I might join Globex.",
    "I was going to move to Delft.",
    "I thought I was allergic to nuts, but I am not.",
    "I thought I lived in Delft.",
    "I assumed I was allergic to nuts.",
    "I doubt that I live in Delft.",
    "I doubt I am allergic to nuts.",
    "I pretended to be allergic to nuts.",
    "I dreamt I lived in Delft.",
    "I'd love to live in Delft.",
    "I hope to live in Delft one day.",
    "I want to live in Delft.",
    "Anna told me: I live in Delft now.",
    "Anna: I live in Delft.",
    "Anna said: I live in Delft.",
    "Anna said I live in Delft.",
    'Anna said "I live in Delft".',
    "Anna said “I live in Delft”.",
    "Anna said «I live in Delft».",
    "'I live in Delft', said Anna.",
    "Fwd: I live in Delft",
    "FW: I live in Delft",
    "Forwarded message: I live in Delft",
    "> I live in Delft",
    "```\nI live in Delft\n```",
    "~~~\nI live in Delft\n~~~",
    "<blockquote>I live in Delft</blockquote>",
    "<quote>I live in Delft.</quote>",
    "She wrote: I live in Delft.",
    "Quote: I live in Delft.",
    "It says here: I live in Delft.",
    "The character says: I live in Delft.",
    "My mother always says I live in Delft.",
    "I live in Delft. Just kidding!",
    "I live in Delft. Kidding.",
    "I live in Delft, just kidding.",
    "I live in Delft... not!",
    "I live in Delft. Not!",
    "I live in Delft. jk",
    "I live in Delft. That was a joke.",
    "I live in Delft. Only joking!",
    "It's false that I live in Delft.",
    "It is not true that I live in Delft.",
    "It isn't the case that I live in Delft.",
    "It's a lie that I live in Delft.",
    "I deny that I live in Delft.",
    "It's a myth that I am allergic to nuts.",
    "I cant live in Delft.",
    "I dont live in Delft.",
    "I aint living in Delft.",
    "I ain't in Delft.",
    "I live anywhere but Delft.",
    "I live everywhere except Delft.",
    "I left Delft.",
    "I left Globex.",
    "I quit Globex.",
    "I have left Globex for good.",
    "My brother's in Delft.",
    "My sister's living in Delft.",
    "My brother's moved to Delft.",
    "My dad's a nurse at Globex.",
    "Anna lives in Delft.",
    "He's allergic to nuts.",
    "I moved to Python.",
    "I moved to Linux.",
    "We moved to Kubernetes.",
    "I switched to Rust.",
    "I moved to management.",
    "I work for free.",
    "I work for myself.",
    "I work for fun.",
    "I work for a living.",
    "I work at night.",
    "I work at home.",
    "I work for peanuts.",
    "I work for two hours a day.",
    "I no longer play tennis.",
    "I am no longer allergic to nuts.",
    "I'm not a vegetarian anymore.",
    "I am not allergic to nuts any more.",
    "I don't live in Delft any more.",
    "I never lived in Delft.",
    "Neither of us lives in Delft.",
    "Nobody believes I live in Delft.",
    "I wish I lived in Delft.",
    "I'm tired of pretending I live in Delft.",
    "Someone claims that I work at Globex.",
    "According to LinkedIn I work at Globex.",
    "Imagine I live in Delft.",
    "Say I live in Delft.",
    "Let's assume I work at Globex.",
    "Should I move to Delft?",
    "Do I live in Delft?",
    "I wonder whether I am allergic to nuts.",
    "I interviewed at Globex.",
    "I applied at Globex.",
    "I rejected Globex.",
    "I only visited Delft.",
    "I stayed in Delft for a week.",
    "I'm in Delft for the weekend.",
    "I'm visiting Delft.",
    "In the novel I live in Delft.",
    "In my dream I lived in Delft.",
    "Write a bio saying I live in Delft.",
    'Translate "I live in Delft" to French.',
    "Please translate: I live in Delft.",
    "My ex works at Globex.",
    "My landlord moved to Delft.",
    "I stopped working at Globex.",
    "I got fired from Globex.",
    "I was laid off by Globex.",
    "I resigned from Globex.",
    "I retired from Globex.",
    "I sold my house in Delft.",
    "I just moved out of Delft.",
    "I moved away from Delft.",
]


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
    ("I lived in Delft from May 2012 to June 2014.", ("Delft", date(2012, 5, 1), date(2014, 6, 1))),
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
