""" "Don't remember that": which turns are spoken of (RULES 10).

| before it, the latest last | spoken of |
|---|---|
| the user says something | that |
| and the assistant answers | that |
| and the assistant says it again | both |
| the user says something, then thanks | what was said before the thanks |
| the user asks something that was dropped | that |
| another user says something last | what the one who asks said last |
| the user asked the same just before | nothing more |
| only others spoke, or nobody | nothing |
"""

import pytest

from muniment.domain.gate import Reason
from muniment.domain.gate.privacy import SaidBefore, spoken_of
from muniment.domain.text import analyzer_for
from muniment.domain.trust import Role

Turn = tuple[Role, str | None, str, Reason]
FACT, ASK = Reason.FACT, Reason.PRIVACY
LIVE: Turn = ("user", None, "I live in Ghent with Bo.", FACT)
WORK: Turn = ("user", None, "I work at the mill.", FACT)


@pytest.mark.parametrize(
    ("before", "spoken"),
    [
        ([WORK, LIVE], [1]),
        ([LIVE, ("assistant", None, "Good to know.", FACT)], [0]),
        ([LIVE, ("assistant", None, "So you live in Ghent, with Bo!", FACT)], [0, 1]),
        ([LIVE, ("assistant", None, "Ghent is lovely.", FACT)], [0]),
        ([("assistant", None, "You live in Ghent with Bo.", FACT), LIVE], [1]),
        ([WORK, LIVE, ("user", None, "Thanks!", Reason.THANKS)], [1]),
        ([LIVE, ("user", None, "hm", Reason.FILLER), ("user", None, "hi", Reason.GREETING)], [0]),
        ([LIVE, ("user", None, "Where is the clinic?", Reason.QUESTION)], [1]),
        ([LIVE, ("tool", None, "{}", Reason.TOOL_RESULT), ("external", None, "mail", FACT)], [0]),
        ([LIVE, ("user", "Ann", "I snore.", FACT)], [0]),
        ([WORK, LIVE, ("user", None, "Don't store that.", ASK)], []),
        ([WORK, ("user", None, "", ASK), ("user", None, "Don't store that.", ASK)], []),
        ([("assistant", None, "Hello!", FACT), ("user", "Ann", "I snore.", FACT)], []),
        ([("user", None, "Thanks!", Reason.THANKS)], []),
        ([("user", None, "?!", FACT), ("assistant", None, "What do you mean?", FACT)], [0]),
        ([], []),
    ],
)  # fmt: skip
def test_what_is_spoken_of(before: list[Turn], spoken: list[int]) -> None:
    said = [SaidBefore(at, *turn) for at, turn in enumerate(before)]
    assert spoken_of(None, said[::-1], analyzer_for()) == spoken


def test_a_named_speaker_speaks_of_their_own_turn() -> None:
    said = [
        SaidBefore(0, "user", "Ann", "I snore.", FACT),
        SaidBefore(1, "user", "Bo", "Ha.", FACT),
    ]
    assert spoken_of("Ann", said[::-1], analyzer_for()) == [0]
