"""When two values of a slot are the same (RULES 3.1).

| slot | one value | another |
|---|---|---|
| text | spellings by case, spacing, width, invisible characters, punctuation around them | words |
| aliases | what the tenant's table says, and no more | "EU" and "eu-west-1" without it |
| number | ways of writing a number and its unit, and units that turn into each other | another number, currency, unit or sign |
| date | ways of writing a day | another day; what is no day of the calendar stays text |
"""

from collections.abc import Mapping
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.slot import Slot, ValueType

TYPES: list[ValueType] = ["text", "number", "date"]


def key(
    value: str, value_type: ValueType = "text", aliases: Mapping[str, str] = MappingProxyType({})
) -> str:
    return Slot("s", "one", value_type, aliases).key(value)


@pytest.mark.parametrize(
    ("value_type", "spellings"),
    [
        ("text", ["Utrecht", "utrecht", "UTRECHT", " Utrecht ", "utrecht.", '"Utrecht"', "Ｕtrecht"]),
        ("text", ["New York", "new  york", "New\tYork", "New\u00a0York", "New York\n"]),
        ("text", ["Zürich", "Zu\u0308rich", "ZÜRICH"]),
        ("text", ["Straße", "STRASSE", "strasse"]),
        ("text", ["Utrecht", "Utre\u200bcht", "\ufeffUtrecht", "Utrecht\u00ad", "\u202eUtrecht"]),
        ("text", ["?!", " ?! "]),
        ("text", ["", " ", "\u200b"]),
        ("number", ["1000", "1,000", "1 000", "1'000", "1000.0", "1000,00", "01000", "1.000,0"]),
        ("number", ["1234567.5", "1,234,567.50", "1.234.567,5", "1 234 567,5"]),
        ("number", ["10 EUR", "10.00 eur", "EUR 10", "eur10", "１０ EUR"]),
        ("number", ["-5 °C", "−5°c", "-5.0 °C"]),
        ("number", ["0", "-0", "0.00", "000"]),
        ("number", ["€ 1.200", "1200 euro", "1,200 EUR", "EUR 1.200,00", "1200 euros", "1.2k €"]),
        ("number", ["$1.50", "1.5 USD", "1,5 dollars", "1.50 US dollars"]),
        ("number", ["1.200", "1.2", "1,2"]),
        ("number", ["€1.1250", "1.125000 euro"]),
        ("number", ["3 days", "72 hours", "3 day", "4320 min"]),
        ("number", ["12 km", "12,000 m", "12 kilometres", "12km"]),
        ("number", ["1.5 kg", "1500 g", "1500 grams"]),
        ("number", ["5 %", "5 percent", "50 ‰", "5%"]),
        ("number", ["2 years", "24 months", "8 quarters"]),
        ("number", ["450 euros a month", "450 EUR/month", "€450 per month"]),
        ("number", ["3 million euros", "3,000,000 €", "€ 3.000.000"]),
        ("number", ["-5 °C", "-5 degrees Celsius", "−5 celsius"]),
        ("date", ["2026-05-26", "26.05.2026", "26.5.2026"]),
        ("date", ["2026-05-26", "2026/05/26", "2026-5-26", "26 May 2026", "May 26, 2026",
                  "26th of May 2026", "26 may, 2026", "MAY 26TH 2026"]),
        ("date", ["2026-09-03", "3 Sept 2026", "3 Sep. 2026", "September 3, 2026"]),
    ],
)  # fmt: skip
def test_spellings_of_one_value(value_type: ValueType, spellings: list[str]) -> None:
    assert len({key(text, value_type) for text in spellings}) == 1


@pytest.mark.parametrize(
    ("value_type", "values"),
    [
        ("text", ["Utrecht", "Utrecht West", "Utrechts", "U-trecht"]),
        ("text", ["EU", "eu-west-1"]),
        ("text", ["C", "C++", "C#"]),
        ("text", ["1000", "1,000", "10.00"]),
        ("text", ["2026-05-26", "26 May 2026"]),
        ("number", ["10 EUR", "10 USD", "10", "11 EUR", "-10 EUR", "10.5 EUR", "100 EUR"]),
        ("number", ["1.5", "1.05", "15", "1,500"]),
        ("number", ["3-5", "35", "3", "5", "3.5"]),
        ("number", ["10.0.0.1", "10001", "10.0.0.2"]),
        ("number", ["soon", "later", ""]),
        ("number", ["5 euros", "5 dollars", "5 pounds", "5 cents", "5"]),
        ("number", ["5 miles", "5 km", "5 m", "5 min"]),
        ("number", ["1 GB", "1000 MB", "1 MB"]),
        ("number", ["30 days", "1 month", "30 months"]),
        ("number", ["450 euros a month", "450 euros a year", "450 euros"]),
        ("number", ["0.125 euro", "125 euro", "1.25 euro"]),
        ("number", ["10 pieces", "10 boxes", "10"]),
        ("date", ["2026-05-26", "2026-05-27", "2025-05-26", "2026-05"]),
        ("date", ["2026-02-30", "2026-02-28", "30 feb 2026", "2026-03-02"]),
        ("date", ["26 may 2026", "26 mai 2026", "tomorrow", ""]),
    ],
)
def test_values_that_differ(value_type: ValueType, values: list[str]) -> None:
    assert len({key(text, value_type) for text in values}) == len(values)


def test_aliases_are_the_tenants_table() -> None:
    slot = Slot("s", "one", aliases={"EU": "eu-west-1", "Frankfurt ": "EU-CENTRAL-1"})
    assert slot.key("eu") == slot.key("EU-West-1") == slot.key(" EU. ")
    assert slot.key("frankfurt") == slot.key("eu-central-1")
    assert slot.key("EU") != slot.key("frankfurt")
    assert slot.key("EU west") == "eu west"


def test_an_alias_is_not_followed_twice() -> None:
    slot = Slot("s", "one", aliases={"a": "b", "b": "c"})
    assert (slot.key("a"), slot.key("b")) == ("b", "c")


def test_an_alias_may_stand_for_a_number() -> None:
    assert key("a dozen", "number", {"A Dozen": "12.0"}) == key("12", "number")


@given(st.text(), st.sampled_from(TYPES))
def test_a_key_is_its_own_key(value: str, value_type: ValueType) -> None:
    found = key(value, value_type)
    assert key(found, value_type) == found


@given(st.text(), st.sampled_from(TYPES))
def test_case_and_spacing_never_count(value: str, value_type: ValueType) -> None:
    assert key(f"  {value}\t", value_type) == key(value, value_type)
    assert key(value.casefold(), value_type) == key(value, value_type)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_any_number_is_one_value_however_it_is_grouped(number: object) -> None:
    plain, grouped = f"{number:.3f}", f"{number:,.3f}"
    assert key(plain, "number") == key(grouped, "number")
    assert float(key(grouped, "number")) == float(plain)
