"""Days of a statement that are told from the day on which it is said, Wednesday, 13 May 2026.

| kind | then |
|---|---|
| a weekday counted on: "the Monday after next", "a week on Monday" | that one |
| a length from now, a day of the next month | the day it comes to |
| until the end of a week, month or year; until midnight on a day; up to and including | the day after |
| a stretch of which the last day is a bare weekday, or has no year | behind its first day |
| before, after, around a day; a month, a season; soon | none: it is not exact |
| every week | none |
"""

import pytest

from tests.unit.extraction import days

DAYS: list[tuple[str, str | None, str | None]] = [
    ("I've lived in Ghent since last spring.", None, None),
    ("As of Monday I'm on the night team.", "2026-05-18", None),
    ("From the 3rd on I work at Helio.", "2026-06-03", None),
    ("I'm in Lisbon until the end of next month.", None, "2026-07-01"),
    ("Two weeks ago we moved to Leeds.", "2026-04-29", None),
    ("We moved to Leeds a fortnight ago.", "2026-04-29", None),
    ("I'm moving to Leeds in ten days.", "2026-05-23", None),
    ("I've been at Helio since 1 March.", "2026-03-01", None),
    ("I've worked at Helio since last Monday.", "2026-05-11", None),
    ("I start at Helio next Wednesday.", "2026-05-20", None),
    ("I start at Helio on Monday week.", "2026-05-25", None),
    ("I start at Helio a week on Monday.", "2026-05-25", None),
    ("I start at Helio the Monday after next.", "2026-05-25", None),
    ("I start at Helio in a fortnight.", "2026-05-27", None),
    ("I start at Helio at the beginning of June.", None, None),
    ("I start at Helio first thing Monday.", "2026-05-18", None),
    ("I start at Helio on the first of next month.", "2026-06-01", None),
    ("I start at Helio on the 1st of next month.", "2026-06-01", None),
    ("I left Helio on the last day of April.", None, None),
    ("My rent is 900 euros through 30 June.", None, "2026-07-01"),
    ("I'm on leave from Monday through Friday.", "2026-05-18", "2026-05-23"),
    ("The shop is closed from 20 May up to and including 24 May.", "2026-05-20", "2026-05-25"),
    ("I'm on leave till Friday.", None, "2026-05-16"),
    ("The discount runs until midnight on Friday.", None, "2026-05-16"),
    ("Our office is in Ghent as from 1 June.", "2026-06-01", None),
    ("Our price is 40 euros with effect from 1 June.", "2026-06-01", None),
    ("Our price has been 40 euros since yesterday.", "2026-05-12", None),
    ("From tomorrow our price is 40 euros.", "2026-05-14", None),
    ("From today our price is 40 euros.", "2026-05-13", None),
    ("Our price goes up to 40 euros on the 1st.", "2026-06-01", None),
    ("I've been vegan since the 1st.", "2026-05-01", None),
    ("I became a vegan three days ago.", "2026-05-10", None),
    ("I moved to Leeds last Friday.", "2026-05-08", None),
    ("I moved to Leeds last night.", "2026-05-12", None),
    ("I moved to Leeds earlier today.", "2026-05-13", None),
    ("I moved to Leeds this morning.", "2026-05-13", None),
    ("I moved to Leeds the Friday before last.", "2026-05-01", None),
    ("I moved to Leeds on 3/5/2026.", None, None),
    ("I moved to Leeds on 3.5.2026.", "2026-05-03", None),
    ("I moved to Leeds on May 3rd, 2026.", "2026-05-03", None),
    ("I moved to Leeds on the third of May.", "2026-05-03", None),
    ("I moved to Leeds 3 May.", "2026-05-03", None),
    ("I moved to Leeds in March.", None, None),
    ("I'm moving to Leeds this Saturday.", "2026-05-16", None),
    ("I'm moving to Leeds on Saturday.", "2026-05-16", None),
    ("I'm moving to Leeds the day after tomorrow.", "2026-05-15", None),
    ("I'm moving to Leeds in three weeks' time.", "2026-06-03", None),
    ("I'm moving to Leeds three weeks from now.", "2026-06-03", None),
    ("I'm moving to Leeds three weeks from today.", "2026-06-03", None),
    ("I'm moving to Leeds before 1 June.", None, None),
    ("I'm moving to Leeds after 1 June.", None, None),
    ("I'm moving to Leeds around 1 June.", None, None),
    ("I'm moving to Leeds soon.", None, None),
    ("I'm moving to Leeds some time next week.", None, None),
    ("My visa is valid until 31 August 2027.", None, "2027-09-01"),
    ("My visa expires on 31 August.", None, "2026-09-01"),
    ("I'm team lead from 1 June until 31 August.", "2026-06-01", "2026-09-01"),
    ("I'm team lead between 1 June and 31 August.", "2026-06-01", "2026-09-01"),
    ("I'm in Rome for two weeks from 1 June.", "2026-06-01", "2026-06-15"),
    ("Until the 30th I'm in Rome.", None, "2026-05-31"),
    ("I'm in Rome till the end of the week.", None, "2026-05-18"),
    ("I'm in Rome until the end of the year.", None, "2027-01-01"),
    ("I'm in Rome until the end of May.", None, "2026-06-01"),
    ("We've been closed since New Year's Eve.", "2025-12-31", None),
    ("Since the day before yesterday we deploy to eu-west-3.", "2026-05-11", None),
    ("We've deployed to eu-west-3 as of last Thursday.", "2026-05-07", None),
    ("Starting from 1 June we deploy to eu-west-3.", "2026-06-01", None),
    ("We deploy to eu-west-3 starting 1 June.", "2026-06-01", None),
    ("On 1 June we switch to eu-west-3.", "2026-06-01", None),
    ("Come June 1st we deploy to eu-west-3.", "2026-06-01", None),
    ("My first day at Helio was 4 May.", "2026-05-04", None),
    ("My first day at Helio is Monday.", "2026-05-18", None),
    ("As per 1 June my address is 7 Elm Street.", "2026-06-01", None),
    ("My address changes to 7 Elm Street on 1 June.", "2026-06-01", None),
    ("I'll be at Helio from Monday onwards.", "2026-05-18", None),
    ("I work Mondays at Helio.", None, None),
    ("I work at Helio on Mondays.", None, None),
    ("I work at Helio every Friday.", None, None),
]


@pytest.mark.parametrize(("said", "first", "after"), DAYS)
def test_a_day_is_told_from_the_day_of_saying(
    said: str, first: str | None, after: str | None
) -> None:
    assert (first, after) in days(said)
