"""Values of slots, one turn each: what is said, and every value that it gives.

The user writes on Wednesday, 13 May 2026; her name is Nora.
"""

import pytest

from tests.unit.extraction import given, slotted

SAID = [
    # name
    ("My name is Nora Bergmann.", {("name", "Nora Bergmann")}),
    ("Hi, I'm Nora.", {("name", "Nora")}),
    ("Nora here, quick question about the invoices.", {("name", "Nora")}),
    (
        "I'm Nora, a paralegal at Finch & Partner.",
        {("name", "Nora"), ("role", "paralegal"), ("employer", "Finch & Partner")},
    ),
    ("Hello, this is Nora from accounting.", {("name", "Nora")}),
    ("You can call me Nora.", {("name", "Nora")}),
    # city
    ("I live in Ghent.", {("city", "Ghent")}),
    ("I've been living in São Paulo since 2019.", {("city", "São Paulo")}),
    ("I'm based in New York these days.", {("city", "New York")}),
    ("We moved to Aix-en-Provence last spring.", {("city", "Aix-en-Provence")}),
    ("i live in lyon btw", {("city", "lyon")}),
    ("I just relocated to Cape Town for good.", {("city", "Cape Town")}),
    ("My wife and I settled in Bergen.", {("city", "Bergen")}),
    ("I used to live in Porto but now I live in Faro.", {("city", "Faro")}),
    ("Currently I reside in Den Haag, near the beach.", {("city", "Den Haag")}),
    # employer and role
    ("I work at Northwind Traders.", {("employer", "Northwind Traders")}),
    (
        "I work for Siemens as a project manager.",
        {("employer", "Siemens"), ("role", "project manager")},
    ),
    ("I joined Contoso on 4 May.", {("employer", "Contoso")}),
    ("I'm a pediatric nurse.", {("role", "pediatric nurse")}),
    ("I've been promoted to head of logistics.", {("role", "head of logistics")}),
    (
        "I'm the new finance director at Vestas.",
        {("role", "finance director"), ("employer", "Vestas")},
    ),
    ("My job title is senior data analyst.", {("role", "senior data analyst")}),
    ("I work as a freelance translator.", {("role", "freelance translator")}),
    ("As of Monday I'm CTO.", {("role", "CTO")}),
    ("i work at globex, doing sales ops", {("employer", "globex")}),
    # deployment
    ("We deploy to us-east-2.", {("deploy_region", "us-east-2")}),
    ("Production runs in europe-west4 now.", {("deploy_region", "europe-west4")}),
    ("Our deploy region is ap-southeast-1.", {("deploy_region", "ap-southeast-1")}),
    ("We migrated everything to eu-central-2 yesterday.", {("deploy_region", "eu-central-2")}),
    (
        "On 27 September we moved it all from eu-west-1 to eu-central-1.",
        {("deploy_region", "eu-central-1")},
    ),
    # language and time zone
    ("My working language is Dutch.", {("language", "Dutch")}),
    ("In German please.", {("language", "German")}),
    ("Please reply in French from now on.", {("language", "French")}),
    ("I'm on CET.", {("timezone", "CET")}),
    ("My time zone is America/Lima.", {("timezone", "America/Lima")}),
    # contact
    ("Please reach me by email.", {("contact_channel", "email")}),
    ("The best way to reach me is Telegram.", {("contact_channel", "Telegram")}),
    ("I prefer WhatsApp.", {("contact_channel", "WhatsApp")}),
    ("Signal works best for me.", {("contact_channel", "Signal")}),
    ("Just text me.", {("contact_channel", "text")}),
    ("Never contact me by phone.", {("do_not_contact", "phone")}),
    ("Please don't call me on my mobile.", {("do_not_contact", "mobile")}),
    ("Do not email me at my work address.", {("do_not_contact", "work address")}),
    # address
    ("My address is 12 Rue Lepic, Paris.", {("address", "12 Rue Lepic, Paris")}),
    ("We moved to a new flat, 7 Elm Street.", {("address", "7 Elm Street")}),
    ("I live at Bergstraße 14.", {("address", "Bergstraße 14")}),
    # allergies and dislikes
    ("I'm allergic to peanuts and shellfish.", {("allergy", "peanuts"), ("allergy", "shellfish")}),
    ("I have a severe penicillin allergy.", {("allergy", "penicillin")}),
    ("I am gluten intolerant.", {("allergy", "gluten")}),
    ("Cashews give me hives.", {("allergy", "Cashews")}),
    ("I have an allergy to bee stings.", {("allergy", "bee stings")}),
    ("I hate olives.", {("dislike", "olives")}),
    ("I really can't stand Jira.", {("dislike", "Jira")}),
    ("I'm not a fan of open-plan offices.", {("dislike", "open-plan offices")}),
    ("What I really detest is small talk.", {("dislike", "small talk")}),
    ("I don't like coriander at all.", {("dislike", "coriander")}),
    # pets, projects, skills
    ("My dog Rex ate the charger.", {("pet", "Rex")}),
    ("We have two cats, Miso and Tofu.", {("pet", "Miso"), ("pet", "Tofu")}),
    ("We adopted a greyhound called Pixel.", {("pet", "Pixel")}),
    ("I'm working on a project called Nightjar.", {("project", "Nightjar")}),
    ("My main project is Bluebird.", {("project", "Bluebird")}),
    ("I'm building an app called stashbox.", {("project", "stashbox")}),
    ("I'm fluent in Kotlin and Go.", {("skill", "Kotlin"), ("skill", "Go")}),
    ("I know a bit of Python.", {("skill", "Python")}),
    ("I'm proficient in Excel.", {("skill", "Excel")}),
    ("My Italian is quite good.", {("skill", "Italian")}),
    # prices, stock, tiers
    ("The basic plan costs 19 euros a month.", {("price", "19 euros")}),
    ("Our list price is $120.", {("price", "$120")}),
    ("The soap goes for 6€ now.", {("price", "6€")}),
    ("We have 40 crates in stock.", {("stock", "40 crates")}),
    ("We're on the Pro plan.", {("account_tier", "Pro")}),
    ("We upgraded to the Enterprise tier.", {("account_tier", "Enterprise")}),
]

NOTHING = [
    # third parties
    "My brother lives in Oslo.",
    "She works at Siemens as a nurse.",
    "Pieter is allergic to peanuts.",
    "My boss hates Jira.",
    "My colleague Anna moved to Rome last week.",
    "Her dog Rex is adorable.",
    "Their prod runs in us-east-1.",
    "My neighbour's cat Tom keeps visiting.",
    "The customer works at Contoso.",
    # questions
    "Do I live in Ghent?",
    "Should I move to Lisbon?",
    "What if we deploy to us-east-1?",
    "Is Signal best for me?",
    "Which plan are we on?",
    # hypotheticals and wishes
    "If I lived in Lisbon I would surf every day.",
    "I might move to Berlin.",
    "I'm thinking about moving to Antwerp.",
    "I wish I worked at NASA.",
    "We may deploy to eu-north-1 one day.",
    "Imagine I am the CEO.",
    "I would love to live in Kyoto.",
    "Suppose I was allergic to nuts.",
    # negations and the past
    "I don't live in Ghent.",
    "I'm not allergic to anything.",
    "I used to work at Contoso.",
    "I read that eu-west-1 had an outage on Tuesday, the whole region was down.",
    "The docs use eu-west-1 as the example region.",
    "Latency from eu-west-1 to ap-south-1 is 120 ms.",
    "I was based in Madrid for years.",
    "I never worked at Cloudpeak.",
    "I am no engineer.",
    "We don't deploy to us-east-1.",
    # quotations
    'He wrote: "I live in Austin and I work at Initech."',
    "> I'm allergic to lavender\nWhat do I answer her?",
    'From the form: "I hereby confirm that I live in Modena."',
    # jokes and sarcasm
    "lol I live in the office",
    "Oh great, I am the king of spreadsheets.",
    "I'm moving to Mars, obviously, haha",
    "What a joy, I LOVE yaml.",
    # visits and moods
    "I'm in Vienna this week for a conference.",
    "I'm in a meeting.",
    "I'm at lunch.",
    "I'm a bit tired today.",
    "I'm a morning person.",
    "I'm in trouble.",
    "I work at night.",
    "I live in fear of the audit.",
    "I move to close the ticket.",
    "I'm allergic to meetings.",
    "I hate it when that happens.",
    "I know Peter.",
    "I know what you mean.",
    "I prefer the second one.",
    "I'm working on the deck.",
    "Our project is late.",
    "I'm on the phone.",
    "We are on the train.",
    "I'm good at this.",
    "I paid 40 euros for lunch.",
    "The budget is 5000 dollars.",
    "Call me when it's done.",
    "I am afraid the numbers are wrong.",
    "I'm happy to help.",
    "I am German.",
    "I'm at home today.",
    "My boss said I'm moving to Oslo.",
    "They want me to move to Oslo.",
    "I told my sister that I live in a zoo.",
    "I could live in Oslo.",
    "Do you think I should work at Contoso?",
    "I'm not in Berlin, that's my cousin.",
    "When I was a kid I lived in Rome.",
    "In the film I play a nurse.",
    "I dreamed I was the CEO.",
    "I almost joined Contoso.",
    "I applied at Contoso.",
    "My dog's vet lives in Leeds.",
    "I read that people in Leeds hate olives.",
    "If I'm late, start without me.",
    "The doctor isn't allergic to work.",
    "I was born in Lyon.",
    "I'm off to Paris for the weekend.",
    "I'm in love with Lisbon.",
    "I'd live in Lisbon if I could.",
    "I'm no longer sure I live in Ghent.",
    "Everyone at Contoso hates Jira.",
    "I'm allergic to bullshit.",
    "My ex works at Siemens.",
    "The previous tenant moved to Kent.",
    "Tell Anna I live in Ghent?",
    "I live for Fridays.",
    "I am the walrus.",
    "I'm a mess today.",
    "I'm a huge fan of yours.",
    "I'm the one who broke it.",
    "I'm on it.",
    "I'm from the internet.",
]


@pytest.mark.parametrize(("said", "expected"), SAID)
def test_a_turn_gives_these_values(said: str, expected: set[tuple[str, str]]) -> None:
    assert slotted(given(said)) == expected


@pytest.mark.parametrize("said", NOTHING)
def test_a_turn_gives_no_value(said: str) -> None:
    assert slotted(given(said)) == set()


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        ("I don't live in Delft anymore.", ("city", "Delft")),
        ("I do not live in Gouda any more.", ("city", "Gouda")),
        ("I no longer live in Ghent.", ("city", "Ghent")),
        ("I don't work at Siemens any more.", ("employer", "Siemens")),
        ("We don't deploy to us-east-2 any longer.", ("deploy_region", "us-east-2")),
        ("Our deploy region is not us-east-1 any more.", ("deploy_region", "us-east-1")),
        ("I'm not allergic to nuts any more.", ("allergy", "nuts")),
    ],
)
def test_a_value_that_is_so_no_more_ends(said: str, ended: tuple[str, str]) -> None:
    assert {(one.slot, one.value) for one in given(said) if one.retracts} == {ended}
    assert slotted(given(said)) == set()


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I live in Brno now, not in Prague any more.", ("city", "Brno")),
        ("I work at Globex, not at Siemens any more.", ("employer", "Globex")),
    ],
)
def test_a_value_stays_beside_one_that_is_so_no_more(said: str, value: tuple[str, str]) -> None:
    assert [(one.slot, one.value) for one in given(said) if not one.retracts] == [value]
