"""What the learned odds of a wording add to the signs of a statement.

| odds | sentence | then |
|---|---|---|
| any | the rules keep it | a statement |
| high | one sign speaks for it | a statement |
| none, low | one sign speaks for it | nothing |
| any | nothing speaks for it, or a sign against: of somebody else, of this day, an order, happened | nothing |
"""

import pytest

from muniment.domain.extraction import notes
from tests.unit.extraction import given

ODDS = (4.6, 0.0, -4.6)
RULED = [
    "Our green van does Leeds first.",
    "I walk the long way round.",
    "Our standup is at 9:15.",
    "My passport expires on 9 May.",
    "Invoices go out in euros, not pounds.",
]
ONE_SIGN = ["The kiln fires at ten.", "The second oven heats to 300 degrees."]
NOTHING = [
    "Anna always uses tabs.",
    "Put the heading in blue.",
    "I got a parking ticket yesterday.",
    "We are so tired tonight.",
    "What a morning!",
    "No, that's wrong.",
    "It has rained since Monday.",
    "Only for the demo tomorrow, use the red theme.",
    "My colleague Bert moves to Hasselt on Monday.",
    "What is the time in Lima?",
    "If I won the lottery I'd buy a boat.",
]


def kept(said: str, odds: float, monkeypatch: pytest.MonkeyPatch) -> bool:
    with monkeypatch.context() as patched:
        patched.setattr(notes, "lasting_odds", lambda _text: odds)
        return bool(given(said))


@pytest.mark.parametrize("odds", ODDS)
@pytest.mark.parametrize("said", RULED)
def test_what_rules_keep_is_kept(said: str, odds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept(said, odds, monkeypatch)


@pytest.mark.parametrize("said", ONE_SIGN)
def test_odds_lift_what_a_sign_speaks_for(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [kept(said, odds, monkeypatch) for odds in ODDS] == [True, False, False]


@pytest.mark.parametrize("odds", ODDS)
@pytest.mark.parametrize("said", NOTHING)
def test_odds_lift_nothing_else(said: str, odds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not kept(said, odds, monkeypatch)
