"""How people say which mode they want, in sayings; each with the mode that it asks for.

| saying | asks for |
|---|---|
| none of what was found, a first look, somebody new | fresh |
| the next, deeper, what is open | extend |
| may we say so, did it end, doubts of others | revalidate |
| the same drill, as we did another time | re-run |
"""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from muniment.domain.mode.decide import choose
from muniment.domain.mode.situation import Known, Mode, Situation

_NOW: Final = datetime(2026, 6, 15, tzinfo=UTC)
_LAST: Final = _NOW - timedelta(days=10)
_FOUND: Final = (
    "Refunds are twice as high on weekends.",
    "Refunds rise with basket size.",
    "Coupons do not change refunds.",
)
SAID: Final[dict[Mode, str]] = {
    "fresh": """
        Act like you've never seen this table and walk me through refunds.
        Question everything. Refunds from the bottom up.
        Treat churn as a blank page for me.
        Don't let what we found colour this: how do refunds behave?
        Start again with a clean sheet on refunds.
        Put everything we believe about refunds to one side and look.
        I don't want to hear what we already know. Refunds, go.
        Without peeking at the old notes, what drives refunds?
        Do refunds as though it were your first day.
        Leave last month's conclusions at the door.
        Approach it like an outsider would.
        I'd like an analysis that owes nothing to the old one.
        Can you take refunds from zero?
        Let's have a do-over, none of the earlier results count.
        Imagine we had no history here. What would you say about refunds?
        Clear your head of what was said on refunds and begin anew.
        Rebuild the picture from the raw data up.
        See where the data leads you with no hints from us.
        A second, independent read of refunds please, don't look at the first.
        Bin the earlier analysis.
        We botched the last one. Begin again.
        I no longer trust anything we did before; new analysis please.
        What would somebody with no background make of refunds?
        I want an untouched perspective on this.
        Blank slate: what's up with refunds?
        Don't reuse any of our earlier work for this.
        Have a look at it unburdened by what came before.
        Would you come to the same conclusion if you hadn't seen ours?
        Give it to a new analyst, so to speak: no prior findings.
        Wipe the board and tell me about refunds.
    """,
    "extend": """
        Take it from where we stopped.
        What should we chase down next?
        Great, now break it out by courier.
        Carry the refund analysis forward to the next question.
        Now that we know weekends are high, which hours?
        And couriers?
        Let's peel back another layer on refunds.
        Tell me more about the weekend pattern.
        Which threads are still dangling?
        Add price to what we have on refunds.
        On the strength of what we found, where do we dig?
        What did we not get to last time?
        Build on the weekend result and look at basket size.
        Good. Go one step deeper.
        Let's get to the bottom of the weekend thing.
        Keep going.
        Could you flesh out the courier part?
        Follow the courier lead.
        Any angles we haven't covered?
        What's the logical next thing to look at?
        With the weekend effect established, does price matter too?
        Assuming the weekend finding, who is affected most?
        Let's widen it to other regions.
        Can you unpack the weekend effect a bit?
        Use last week's findings as your starting point and explore couriers.
        I'd like to take the weekend insight a step further.
        Work through the remaining questions.
        Show me the next cut.
        What lies beneath the weekend effect?
        Round out the picture with couriers.
    """,
    "revalidate": """
        Does the weekend effect hold water today?
        Is what we said about weekends still good?
        Before I show this to the board, is the weekend number right?
        Can I rely on the weekend finding?
        Has the weekend effect worn off?
        Are weekends as bad as they were?
        Make certain that weekends are still the problem.
        Quick sanity check on the weekend claim, nothing more.
        I need reassurance about the weekend figure.
        Would the weekend result come out the same today?
        We rolled out the fix. Did it do anything?
        The warehouse moved last week. Is the weekend story intact?
        Is it safe to quote the weekend number?
        Put the weekend claim through its paces once more, just that.
        Someone doubts the weekend claim. Are they right?
        Did the weekend effect go away?
        Is the weekend effect real or did we get lucky?
        See whether weekends remain the worst.
        Does our headline on weekends stand the test of time?
        How well has the weekend claim aged?
        Can we stand behind the weekend figure?
        Just verify the one on weekends.
        My boss questions the weekend figure. Defend it or kill it.
        Has anything about weekends changed since March?
        Is the weekend rate what we said it was?
        Would you bet on the weekend finding today?
        I'd hate to be wrong about weekends in front of the client. Check.
        Did the new packaging cure the weekend problem?
        Are we out of date on weekends?
        Retest the weekend hypothesis.
    """,
    "re-run": """
        Same drill as last month.
        Give me the September edition of this.
        Crank the handle again on the new export.
        Do the whole shebang once more.
        Run it back.
        Repeat last month's exercise for June.
        Another pass of the standard checks, please.
        Reproduce the table from March with today's rows.
        I want May's numbers produced like April's.
        Could you do June like you did May?
        Rinse and repeat for July.
        The new file landed. Usual treatment.
        Do what you did last time, on the new rows.
        Re-do all of the checks.
        Time for the monthly numbers.
        Go through all the steps again in the same order.
        Let's see the same charts on fresh data.
        Refresh everything.
        New quarter, same questions.
        Replay the battery.
        Roll the report over to Q3.
        Execute the saved steps on this week's load.
        Once more with the July data.
        Please regenerate all the figures.
        Apply last month's steps to this month.
        Fresh data's here, you know what to do.
        Update the pack.
        Like for like with the last run, please.
        Do an identical run for the north.
        The weekly one, please.
    """,
}


@pytest.mark.parametrize(
    ("mode", "question"),
    [(mode, line.strip()) for mode, lines in SAID.items() for line in lines.strip().splitlines()],
)
def test_what_is_said_is_understood(mode: Mode, question: str) -> None:
    situation = Situation(
        question,
        _NOW,
        findings=[Known(text, 0.9, _LAST) for text in _FOUND],
        steps=["refunds by weekday", "refunds by basket size"],
        unknowns=["whether couriers matter"],
        last_at=_LAST,
    )
    assert choose("auto", situation).mode == mode
