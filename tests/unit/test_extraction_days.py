"""Days that a statement names, against a Wednesday, 13 May 2026: first day, and first day after.

| kind | then |
|---|---|
| a bare day of a change or an event | from that day on |
| the last day of what ends | until the day after |
| since, from, as of, starting, effective | from |
| until, through, "from … to …" | until the day after |
| feasts, the end of a month | their day |
| a day without a year | the nearest; in no sentence of the past one long ago |
| a day that it is not, before or behind the one that it is | the other |
| a weekday that is so every week | no day |
"""

import pytest

from tests.unit.extraction import days

DAYS = [
    ("I moved to Ghent on Friday.", "2026-05-08", None),
    ("We've lived in Cork since Easter Monday.", "2026-04-06", None),
    ("I'm on parental leave from 1 July to 31 August.", "2026-07-01", "2026-09-01"),
    ("I start at Corvane on the 1st.", "2026-06-01", None),
    ("From the first of June I work at Helio.", "2026-06-01", None),
    ("My last day at Helio is the 29th.", None, "2026-05-30"),
    ("I'm away until the 20th.", None, "2026-05-21"),
    ("Starting next Monday I work from home on Fridays.", "2026-05-18", None),
    ("I'm back at work on the 29th, three days a week.", "2026-05-29", None),
    ("We fly out on December 12 and are back by January 20.", "2026-12-12", None),
    ("I became team lead as of 1 March.", "2026-03-01", None),
    ("Our rent goes up to 900 euros from July 1st.", "2026-07-01", None),
    ("I joined Helio a week ago.", "2026-05-06", None),
    ("I joined Helio three weeks ago.", "2026-04-22", None),
    ("I moved to Leeds yesterday.", "2026-05-12", None),
    ("I'm moving to Leeds tomorrow.", "2026-05-14", None),
    ("I'm moving to Leeds in two weeks.", "2026-05-27", None),
    ("I'm moving to Leeds a week from Friday.", "2026-05-22", None),
    ("I'm moving to Leeds on Friday week.", "2026-05-22", None),
    ("I moved to Leeds the day before yesterday.", "2026-05-11", None),
    ("Our office closed on 30 April for good.", "2026-04-30", None),
    ("The shop is closed from the 24th until the 26th.", "2026-05-24", "2026-05-27"),
    ("I stopped smoking on New Year's Day.", "2026-01-01", None),
    ("I moved to Leeds on 2026-04-02.", "2026-04-02", None),
    ("I took over the team on the 4th of May.", "2026-05-04", None),
    ("I've been a vegetarian since 1 January 2020.", "2020-01-01", None),
    ("I moved here on Christmas Day.", "2025-12-25", None),
    ("We hired a baker last week Thursday.", "2026-05-07", None),
    ("I'll be in Rome until Sunday.", None, "2026-05-18"),
    ("My contract ends on 30 September.", None, "2026-10-01"),
    ("I'm off from tomorrow to Sunday.", "2026-05-14", "2026-05-18"),
    ("We got married on 3 May.", "2026-05-03", None),
    ("Effective 1 June our price is 40 euros.", "2026-06-01", None),
    ("As of Monday I am head of planning.", "2026-05-18", None),
    ("Since Monday I am head of planning.", "2026-05-11", None),
    ("My exam is on 3 June.", "2026-06-03", None),
    ("I passed my level 1 instructor exam on Friday.", "2026-05-08", None),
    ("We adopted Rex this past Saturday.", "2026-05-09", None),
    ("Till the end of June I'm in Lisbon.", None, "2026-07-01"),
    ("I'm moving to Leeds on 5 June, not the 3rd.", "2026-06-05", None),
    ("My exam is no longer on 3 June, it is on 17 June.", "2026-06-17", None),
    ("My exam is not on 3 June but on 17 June.", "2026-06-17", None),
    ("Our launch has moved, not 1 June but 1 July.", "2026-07-01", None),
    ("Come 1 July I work at Helio.", "2026-07-01", None),
    ("Come Monday our office is in Ghent.", "2026-05-18", None),
]


@pytest.mark.parametrize(("said", "first", "after"), DAYS)
def test_a_statement_has_the_days_that_it_names(
    said: str, first: str | None, after: str | None
) -> None:
    assert (first, after) in days(said)
