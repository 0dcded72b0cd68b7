"""Values of slots by the build of a clause, where none of the slot's cues is in it.

| kind | then |
|---|---|
| a refusal of a channel, in whatever verb; the one channel that is left | refusal, channel |
| what one knows without help, for years, inside out | skill |
| from one number to another | the second |
| the body, a home, a living, a first day, a price put up | the value |
| nothing left in stock, and how many were the last | the stock is taken back |
| a refusal for an hour, harm that is said in fun, a name called | nothing of the slot |
"""

import pytest

from tests.unit.extraction import given, slotted

GIVEN = [
    ("Name: Lotte.", "name", "Lotte"),
    ("You're talking to Piet.", "name", "Piet"),
    ("The name is Ferran.", "name", "Ferran"),
    ("Morning! Sunniva at the keyboard.", "name", "Sunniva"),
    ("Thursday is day one at Plukkers.", "employer", "Plukkers"),
    ("Corvane has taken me on.", "employer", "Corvane"),
    ("I clock in at Corvane every day.", "employer", "Corvane"),
    ("I earn my living as a translator.", "role", "translator"),
    ("I've moved up to shift lead.", "role", "shift lead"),
    ("I make my living as a potter.", "role", "potter"),
    ("We've put down roots in Girona.", "city", "Girona"),
    ("I'm a Leiden resident.", "city", "Leiden"),
    ("I've swapped Ghent for Leiden.", "city", "Leiden"),
    ("I upped sticks to Leiden.", "city", "Leiden"),
    ("We ask 18 euros for a bag.", "price", "18 euros"),
    ("A bag will set you back 18 euros.", "price", "18 euros"),
    ("We've put the bag up to 18 euros.", "price", "18 euros"),
    ("Switch me to the Fibre 40 plan from 1 March.", "account_tier", "Fibre 40"),
    ("We're on Pro.", "account_tier", "Pro"),
    ("Biscuit is a lurcher.", "pet", "Biscuit"),
    ("Cruises are the one thing I can't abide.", "dislike", "Cruises"),
    ("I've never been fond of opera.", "dislike", "opera"),
    ("Anchovies are not for me at all.", "dislike", "Anchovies"),
    ("I can't be doing with opera.", "dislike", "opera"),
    ("Opera leaves me cold.", "dislike", "Opera"),
    ("I know pivot tables well.", "skill", "pivot tables"),
    ("I don't want to be contacted by post.", "do_not_contact", "post"),
    ("Please don't reach out to me by phone.", "do_not_contact", "phone"),
    ("Marigold is one of my projects.", "project", "Marigold"),
    ("I can do Kubernetes without help.", "skill", "Kubernetes"),
    ("I've become quite skilled at Rust.", "skill", "Rust"),
    ("You can assume that I know pivot tables.", "skill", "pivot tables"),
    ("Please do not chase me by text message.", "do_not_contact", "text"),
    ("I'd rather not be contacted via LinkedIn.", "do_not_contact", "LinkedIn"),
    ("You must never ring me, I'm deaf.", "do_not_contact", "ring"),
    ("WhatsApp or nothing.", "contact_channel", "WhatsApp"),
    ("I know survival analysis inside out.", "skill", "survival analysis"),
    ("I can do window functions in my sleep.", "skill", "window functions"),
    ("I have used pivot tables for years.", "skill", "pivot tables"),
    ("Tundra is one of my projects.", "project", "Tundra"),
    ("Our basic haircut has gone up to £38.", "price", "£38"),
    ("Stock is down from 320 to 118.", "stock", "118"),
    ("There are seventeen lamps left on the shelf.", "stock", "seventeen"),
    ("I can't go near ibuprofen, it landed me in hospital once.", "allergy", "ibuprofen"),
    ("Our account is on diamond now.", "account_tier", "diamond"),
    ("My subscription is on the crew plan.", "account_tier", "crew"),
    ("My language has been Dutch since 31 August.", "language", "Dutch"),
    ("Since 3 May I'm best reached on Telegram.", "contact_channel", "Telegram"),
    ("I'm easiest to reach on Signal.", "contact_channel", "Signal"),
    ("For the record: latex brought me out in blisters and a rash.", "allergy", "latex"),
    ("It's kiwi that gets me, my lips swell up.", "allergy", "kiwi"),
    ("We're a Leeds household now.", "city", "Leeds"),
    ("Our jobs run out of eu-north-1 these days.", "deploy_region", "eu-north-1"),
]
NOT_GIVEN = [
    ("Our account is on hold.", "account_tier"),
    ("My account is on autopay.", "account_tier"),
    ("Our plan is on track.", "account_tier"),
    ("My account is on the fritz again.", "account_tier"),
    ("Don't ring me before nine.", "do_not_contact"),
    ("No calls today please.", "do_not_contact"),
    ("Don't call me names.", "do_not_contact"),
    ("Don't write to my daughter's address.", "do_not_contact"),
    ("I'm allergic to ironing.", "allergy"),
    ("Mondays bring me out in a rash, haha.", "allergy"),
    ("There are three days left.", "stock"),
    ("Our refund limit is 350 euros.", "price"),
    ("Remind me at nine to call Ben.", "contact_channel"),
    ("When you write to Larsen, use German.", "language"),
]


@pytest.mark.parametrize(("said", "slot", "value"), GIVEN)
def test_a_build_gives_its_value(said: str, slot: str, value: str) -> None:
    assert (slot, value) in slotted(given(said))


@pytest.mark.parametrize(("said", "slot"), NOT_GIVEN)
def test_what_only_looks_like_a_value_is_none(said: str, slot: str) -> None:
    assert [one for one in given(said) if one.slot == slot] == []


def test_what_is_sold_out_takes_its_stock_back() -> None:
    said = "We have no kits in stock any more, the last 118 went in one order."
    assert [(one.slot, one.value, one.retracts) for one in given(said)] == [("stock", "118", True)]


def test_a_first_person_is_bent_past_its_own_emphasis() -> None:
    assert given("I myself run the Lyon depot.")[0].text == "Nora themselves runs the Lyon depot."
