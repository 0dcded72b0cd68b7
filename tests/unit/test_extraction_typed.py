"""Values by their type: one value of a slot's type, and a word of the class that goes with it.

| kind | then |
|---|---|
| an amount beside what is sold, or after a verb that moves a price | price, with its currency |
| a zone, an abbreviation or an offset said of the speaker | time zone |
| an animal, named in the clause, beside it or in the next sentence | pet |
| a channel with reaching or preferring; with refusing | channel; refusal |
| being called, paid by, put in as, at home in | name, employer, role, city |
| how many of something are left | stock |
| the same in a turn without a capital | the same |
| a short reply to what the assistant brings up | its value in the place of the assistant's |
| an order, a fault or a jest of the moment; a choice, a loss, a rule | nothing; a statement |
| what is bought, supposed, of others, for a day, of data | nothing of the slot |
"""

import pytest

from muniment.domain.extraction import Extracted, extract
from tests.unit.extraction import SLOTS, session, slotted

GIVEN = [
    ("The small tin goes up to 14.50 from Friday.", "price", "14.50"),
    ("I'm putting the candle up to 22 from Monday.", "price", "22"),
    ("We've moved the starter plan to $49.", "price", "$49"),
    ("My fee's £250 a session.", "price", "£250"),
    ("Jars go to 21 bucks from tomorrow.", "price", "21 bucks"),
    ("I asked 40 euros an hour of a friend. It's my price now for everyone.", "price", "40 euros"),
    ("I keep Pacific hours.", "timezone", "Pacific"),
    ("Schedule me in SAST.", "timezone", "SAST"),
    ("I'm on cet btw.", "timezone", "cet"),
    ("I have to walk Rufus, our beagle, at six.", "pet", "Rufus"),
    ("Hector barks at the postman. He's a terrier.", "pet", "Hector"),
    ("The vet says Fig, our spaniel, needs insulin.", "pet", "Fig"),
    ("Best to email me.", "contact_channel", "email"),
    ("SMS is where I look first.", "contact_channel", "SMS"),
    ("I only pick up the phone.", "contact_channel", "phone"),
    ("Everything for me goes through Teams.", "contact_channel", "Teams"),
    ("Nobody is ever to phone me.", "do_not_contact", "phone"),
    ("Any way you like except WhatsApp.", "do_not_contact", "WhatsApp"),
    ("Ringing me is pointless, I am deaf.", "do_not_contact", "phone"),
    ("Not a single message on LinkedIn please.", "do_not_contact", "LinkedIn"),
    ("The whole platform runs out of us-east-1.", "deploy_region", "us-east-1"),
    ("Ines is what everyone calls me.", "name", "Ines"),
    ("Hi there. I do analytics. Ingrid, she/her.", "name", "Ingrid"),
    ("Leif's my name.", "name", "Leif"),
    ("I'm on the books of Corvane.", "employer", "Corvane"),
    ("I've gone over to Ostara.", "employer", "Ostara"),
    ("My badge says Brightwell now.", "employer", "Brightwell"),
    ("I take over from Lena as head of data.", "role", "head of data"),
    ("They want me as deputy head from August.", "role", "deputy head"),
    ("My job? School nurse.", "role", "School nurse"),
    ("The transfer makes us a Curitiba household.", "city", "Curitiba"),
    ("We have been Recife people for decades.", "city", "Recife"),
    ("That leaves 18 units in the store.", "stock", "18"),
    ("Right now there are nineteen tubes left.", "stock", "nineteen"),
    ("R holds no secrets for me.", "skill", "R"),
    ("Stay in French with me.", "language", "French"),
    ("I live at Flat 3, 12 Mill Road.", "address", "Flat 3, 12 Mill Road"),
    ("my friends call me tove and so can you", "name", "tove"),
    ("i'm on the books of corvane", "employer", "corvane"),
    ("all my meetings are in lisbon time", "timezone", "lisbon time"),
    ("miso is our cat", "pet", "miso"),
]
NOTHING = [
    ("I paid $40 for the tin.", "price"),
    ("Our budget for the tin is $40.", "price"),
    ("The price would be 40 euros if we moved.", "price"),
    ("That's 9 real customers on the new invoicing.", "price"),
    ("Stock of the small tin goes down to 14 from Friday.", "price"),
    ("The timestamps in the export are in CET.", "timezone"),
    ("Support is 10 to 7 IST.", "timezone"),
    ("Hector barked all night. He's my neighbour's terrier.", "pet"),
    ("She's a whippet.", "pet"),
    ("I'd rather get one email a week.", "contact_channel"),
    ("Send the customers a text about it.", "contact_channel"),
    ("Do not phone me before ten.", "do_not_contact"),
    ("Nobody phoned me yesterday.", "do_not_contact"),
    ("My boss is called Dario.", "employer"),
    ("I take over from Lena on Monday.", "employer"),
    ("You can speak English with me.", "language"),
    ("There are two days left.", "stock"),
    ("the meeting is at ten in the small room", "name"),
]
REPLIES = [
    ("I'll email you when it is done.", "Signal rather than email please.", "contact_channel"),
    ("Email or Signal?", "Signal, always.", "contact_channel"),
    ("Should I text you?", "No, Signal.", "contact_channel"),
    ("Are you still in Eastern time?", "No, Signal.", None),
]
INSTEAD = [
    ("Are you still in Eastern time?", "No, CET since I moved.", ("timezone", "CET")),
    ("A loaf is £8, right?", "£9 now.", ("price", "£9")),
    ("You have 60 crates, right?", "40 now.", ("stock", "40")),
    ("So you work for Lumen.", "Corvane, not Lumen.", ("employer", "Corvane")),
    ("What should I call you?", "Tove is fine.", ("name", "Tove")),
    ("What is your dog called?", "Moss.", ("pet", "Moss")),
]


PASSING = [
    "Take 12 instead of 81 here.",
    "I get a key error when I run the price rounding a second time.",
    "Sure, and I'm the printer.",
    "The team is having a glass of wine on the floor.",
    "We aren't moving to Iceland.",
    "We have the marks, I have pasted them in.",
    "Yes, that has to come with me.",
    "Basket value per shop, same setup as always.",
]
KEPT = [
    "Ghent is the one that shuts, on 31 December.",
    "Spain is off, too much driving.",
    "We go with Redis for the queues.",
    "I've lost most of my hearing.",
    "I'll stay at my post but remote.",
    "All weights in kilos and temps in celsius.",
    "Any revenue query you run for me skips the test namespaces.",
]


def given(*turns: str) -> tuple[Extracted, ...]:
    """Of somebody whose name the session does not know."""
    return extract(session(*turns, name=None), SLOTS).candidates


@pytest.mark.parametrize(("said", "slot", "value"), GIVEN)
def test_a_value_by_its_type(said: str, slot: str, value: str) -> None:
    assert (slot, value) in slotted(given(said))


@pytest.mark.parametrize(("said", "slot"), NOTHING)
def test_no_value_where_it_is_not_the_users_or_not_so(said: str, slot: str) -> None:
    assert slot not in {name for name, _ in slotted(given(said))}


@pytest.mark.parametrize(("assistant", "reply", "slot"), REPLIES)
def test_another_channel_in_reply(assistant: str, reply: str, slot: str | None) -> None:
    found = slotted(given(f"A: {assistant}", reply))
    assert found == (set() if slot is None else {(slot, "Signal")})


@pytest.mark.parametrize(("assistant", "reply", "value"), INSTEAD)
def test_a_value_instead_of_the_assistants(
    assistant: str, reply: str, value: tuple[str, str]
) -> None:
    assert value in slotted(given(f"A: {assistant}", reply))


@pytest.mark.parametrize("said", PASSING)
def test_what_is_of_the_moment_is_no_statement(said: str) -> None:
    assert given(said) == ()


@pytest.mark.parametrize("said", KEPT)
def test_what_stays_is_a_statement(said: str) -> None:
    assert [one for one in given(said) if one.slot is None]


def test_a_changed_job_is_said_by_its_employer_alone() -> None:
    found = given("I've changed jobs, I work at Corvane now.")
    assert [(one.slot, one.value) for one in found] == [("employer", "Corvane")]
