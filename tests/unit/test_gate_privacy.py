""" "Don't remember that": which turns are spoken of (RULES 10).

| before it, the latest last | spoken of |
|---|---|
| the user says something | that |
| and the assistant answers | that |
| and the assistant says it again | both |
| the user says something, then thanks | what was said before the thanks |
| the user asks something that was dropped | that |
| another named user says something last | what the one who asks said last |
| the request names a matter | what was said last about that; nothing if nothing was |
| the user asked the same just before | nothing more |
| only others spoke, or nobody | nothing |
"""

import pytest

from muniment.domain.gate import Reason
from muniment.domain.gate.privacy import SaidBefore, asks_privacy, spoken_of
from muniment.domain.text import analyzer_for
from muniment.domain.trust import Role

Turn = tuple[Role, str | None, str, Reason]
ASKS = "Please don't remember that."
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
        ([LIVE, ("user", "Ann", "I snore.", FACT)], [1]),
        ([WORK, LIVE, ("user", None, "Don't store that.", ASK)], []),
        ([WORK, ("user", None, "", ASK), ("user", None, "Don't store that.", ASK)], []),
        ([("assistant", None, "Hello!", FACT), ("tool", None, "I snore.", FACT)], []),
        ([("user", None, "Thanks!", Reason.THANKS)], []),
        ([("user", None, "?!", FACT), ("assistant", None, "What do you mean?", FACT)], [0]),
        ([], []),
    ],
)  # fmt: skip
def test_what_is_spoken_of(before: list[Turn], spoken: list[int]) -> None:
    said = [SaidBefore(at, *turn) for at, turn in enumerate(before)]
    assert spoken_of(ASKS, None, said[::-1], analyzer_for()) == spoken


def test_a_named_speaker_speaks_of_their_own_turn() -> None:
    said = [
        SaidBefore(0, "user", "Ann", "I snore.", FACT),
        SaidBefore(1, "user", "Bo", "Ha.", FACT),
    ]
    assert spoken_of(ASKS, "Ann", said[::-1], analyzer_for()) == [0]


@pytest.mark.parametrize(
    ("asks", "spoken"),
    [
        ("Don't remember what I said about Ghent.", [0]),
        ("Actually, please don't store what I told you about the mill", [1]),
        ("Do not remember my salary.", []),
        ("Don't keep what I mentioned about my work.", [1]),
    ],
)
def test_a_request_that_names_its_matter(asks: str, spoken: list[int]) -> None:
    said = [SaidBefore(at, *turn) for at, turn in enumerate([LIVE, WORK])]
    assert spoken_of(asks, None, said[::-1], analyzer_for()) == spoken


@pytest.mark.parametrize(
    ("text", "asks", "alone"),
    [
        ("Oh, and don't remember that, ok?", True, True),
        ("never mind, please don't save it", True, True),
        ("Thanks! Don't store that. Sorry.", True, True),
        ("Could you forget that I told you?", True, True),
        ("Wipe that from your memory.", True, True),
        ("Strike that from the record, please", True, True),
        ("I'd rather you didn't remember that.", True, True),
        ("Please don't make a note of that", True, True),
        ("Don't commit that to memory.", True, True),
        ("Don't put that in my file", True, True),
        ("don't write down that", True, True),
        ("Leave that out of my profile.", True, True),
        ("Don't remember what I said about my salary.", True, True),
        ("I'm pregnant. Don't remember that.", True, False),
        ("We may be sold, wipe that from your memory.", True, False),
        ("Don't commit that.", False, False),
        ("Don't add that.", False, False),
        ("Don't write it yet", False, False),
        ("Delete that from the database.", False, False),
        ("Remove it from the file.", False, False),
        ("Clear that from the cache.", False, False),
        ("I don't want you to commit that to main.", False, False),
        ("Strike the second paragraph from the record of the meeting.", False, False),
    ],
)
def test_how_it_is_asked(text: str, asks: bool, alone: bool) -> None:
    assert asks_privacy(text) == (asks, alone)
