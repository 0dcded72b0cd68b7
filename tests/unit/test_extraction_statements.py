"""Statements without a slot, one turn each: wishes, likes, rules for data, faults of data, facts.

A row: what is said, the kind, and words that the memory's text has to have.
"""

import pytest

from tests.unit.extraction import given

WISHES = [
    ("I always want weekly grain, not daily.", "weekly grain"),
    ("Exclude test accounts from all my churn reports.", "test accounts"),
    ("From now on, send me the summary on Fridays.", "Fridays"),
    ("Please never use emojis in anything you send.", "emojis"),
    ("Don't give me long explanations.", "long explanations"),
    ("I prefer tables over charts.", "tables"),
    ("I'd rather get one email a week.", "one email"),
    ("Always reply in bullet points.", "bullet points"),
    ("Use metric units in every recipe.", "metric"),
    ("Stop sending me the daily digest.", "daily digest"),
    ("Whenever you write SQL for me, use CTEs.", "CTEs"),
    ("Please round everything to two decimals.", "two decimals"),
    ("No meetings before ten, ever.", "before ten"),
    ("Please address me as Dr. Bergmann.", "Dr. Bergmann"),
    ("For returns it's store credit, always.", "store credit"),
    ("In letters to clients, sign with my full name.", "full name"),
    ("I want all dates written like 2026-03-01.", "2026-03-01"),
    ("Keep answers short by default.", "short"),
    ("Show me only the diff, not the whole file.", "diff"),
    ("Every report must be in English.", "English"),
    ("I never want to see raw JSON.", "raw JSON"),
    ("Don't schedule anything for me on Sundays.", "Sundays"),
    ("When you book flights for me, take an aisle seat.", "aisle"),
    ("I like my reports with a short summary on top.", "summary on top"),
    ("Please don't use my first name in emails.", "first name"),
    ("I love hiking in the Alps.", "hiking"),
    ("My favourite tea is Lapsang.", "Lapsang"),
    ("I'm a big fan of chamber music.", "chamber music"),
    ("I enjoy baking bread on weekends.", "baking bread"),
    ("One summary on Fridays is plenty.", "Fridays"),
    ("Going forward, invoices go out in euros only.", "euros"),
    ("Never put client names in the subject line.", "subject line"),
]
DATA = [
    (
        "The signup_date column is null for all partners before March.",
        "data_quality",
        "signup_date",
    ),
    ("Heads up: the orders export counts refunds twice.", "data_quality", "refunds"),
    (
        (
            "In the sensor feed temperature is in Fahrenheit for the old stations and in "
            "Celsius for the others."
        ),
        "data_quality",
        "Fahrenheit",
    ),
    ("The CRM export is missing rows for Belgium.", "data_quality", "Belgium"),
    ("weekly_active is always late by two days.", "data_quality", "weekly_active"),
    ("The inventory table has duplicates since the migration.", "data_quality", "duplicates"),
    ("page_views resets to zero at midnight.", "data_quality", "page_views"),
    ("The returns feed lags by three days.", "data_quality", "three days"),
    ("The postcode field is blank for all web orders.", "data_quality", "postcode"),
    ("The 2024 survey data is unreliable, half the labels are swapped.", "data_quality", "labels"),
    ("Always dedupe on order_id before you sum the totals.", "domain_pattern", "order_id"),
    ("You must take created_at in place of updated_at for churn.", "domain_pattern", "created_at"),
    ("Multiply the branded values by 1000 before you merge.", "domain_pattern", "1000"),
    ("Never join on customer name, use customer_key.", "domain_pattern", "customer_key"),
    ("For revenue always filter out rows with status void.", "domain_pattern", "void"),
    (
        "Convert amounts to EUR before any join with ledger_entries.",
        "domain_pattern",
        "ledger_entries",
    ),
    ("Exclude sample rows from every median.", "domain_pattern", "sample rows"),
    ("Use net_total, not gross_total.", "domain_pattern", "net_total"),
]
FACTS = [
    ("We use British spelling rather than American.", "British"),
    ("We have two kids.", "two kids"),
    ("I'm vegetarian.", "vegetarian"),
    ("We use Terraform for everything.", "Terraform"),
    ("I don't drive trucks any more.", "trucks"),
    ("We have 26 drivers.", "26 drivers"),
    ("I run a small bakery, Korn & Kruste.", "Korn & Kruste"),
    ("Since Monday the early shift starts at 5am.", "5am"),
    ("Every Thursday I teach a pottery class.", "pottery"),
    ("Backups stay in eu-west-3.", "eu-west-3"),
    ("I use Helix.", "Helix"),
]
NOTHING = [
    "Can you pull the February numbers?",
    "Please send that to Marisol.",
    "Fix the borrow error in src/ledger.rs line 88.",
    "Put it in the diary for Monday.",
    "Make it P2.",
    "Same report as always please.",
    "Thanks, that is perfect.",
    "Don't worry about it.",
    "Don't forward anything.",
    "I love it!",
    "I'd like a coffee.",
    "I want to go home.",
    "My boss wants everything in monthly buckets.",
    "She never eats meat.",
    "Anna always uses tabs.",
    "They prefer quarterly invoices.",
    "If we had more time we'd always test on Fridays.",
    "Would you always round up?",
    "Should I exclude test accounts from all reports?",
    "What is null in signup_date?",
    "Is the orders export counting refunds twice?",
    "No idea.",
    "No problem, thanks.",
    "No rush.",
    "No, that's wrong.",
    "Never mind.",
    "I never said that.",
    "I always knew it.",
    "Always a pleasure.",
    "I can't believe it's Friday.",
    "What a great day for the server to die.",
    "haha I never sleep",
    'She wrote: "Please always use uppercase for me".',
    "The table is booked for eight.",
    "The report is late again?",
    "My column aches.",
    "I lost my keys twice this week.",
    "My computer is broken.",
    "The weather is garbage.",
    "I have two questions.",
    "We have 3 meetings today.",
    "I like that idea.",
    "I like your answer.",
    "Use the second one.",
    "Add a row at the bottom.",
    "Write a poem about rain.",
    "Give me five names for a boat.",
    "Send it to finance, not to sales.",
    "How do I convert UTC to local time in pandas?",
    "Show me the diff.",
    "It has rained since Monday.",
    "I have been waiting since 9.",
    "I've had a headache since yesterday.",
    "Nothing new here.",
    "We should always have listened to him.",
]


@pytest.mark.parametrize(("said", "words"), WISHES)
def test_a_wish_is_a_preference(said: str, words: str) -> None:
    assert [(one.kind, words in one.text) for one in given(said)] == [("user_preference", True)]


@pytest.mark.parametrize(("said", "kind", "words"), DATA)
def test_data(said: str, kind: str, words: str) -> None:
    assert [(one.kind, words in one.text) for one in given(said)] == [(kind, True)]


@pytest.mark.parametrize(("said", "words"), FACTS)
def test_a_fact_without_a_slot(said: str, words: str) -> None:
    found = [one for one in given(said) if not one.retracts]
    assert [(one.kind, words in one.text) for one in found] == [("fact", True)]


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_no_statement_gives_nothing(said: str) -> None:
    assert [(one.rule, one.text) for one in given(said)] == []


FAULTS = [
    ("There is a reporting lag of three days in the orders table.", "orders table"),
    ("There's a two-day delay in the billing feed.", "billing feed"),
    ("We have a lag of three days in orders_daily.", "orders_daily"),
    ("The orders table has a lag of three days.", "orders table"),
    ("The reporting lag of the orders table is three days.", "orders table"),
    ("The orders table is updated with a delay of three days.", "orders table"),
    ("The orders feed is three days behind.", "orders feed"),
    ("The sales report runs two days late.", "sales report"),
    ("There are missing rows in the invoices feed.", "invoices feed"),
    ("We have duplicate rows in the orders table.", "orders table"),
    ("There is an empty column in the products dataset.", "products dataset"),
    ("The orders table contains wrong prices.", "orders table"),
    ("There is double counting in the revenue report.", "revenue report"),
    ("There is no lag in the orders table any more.", "orders table"),
]


@pytest.mark.parametrize(("said", "source"), FAULTS)
def test_a_fault_of_the_data_is_no_fact_of_the_user(said: str, source: str) -> None:
    (one,) = given(said)
    assert (one.kind, one.data_source) == ("data_quality", source)
    assert one.retracts is said.endswith("any more.")


@pytest.mark.parametrize(
    "said",
    [
        "There is a delay of two days in the visa process.",
        "There is no delay in the orders table.",
        "I am two days behind with my report.",
        "I have a two-day delay on my flight.",
        "My team is behind with the report.",
        "We have to delay the report by two days.",
        "Please delay the export until Friday.",
    ],
)
def test_a_delay_of_something_else_is_none(said: str) -> None:
    assert [one.kind for one in given(said) if one.kind == "data_quality"] == []
