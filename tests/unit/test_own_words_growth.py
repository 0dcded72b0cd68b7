"""Whose words a turn holds is read in time linear in its length, whatever it is made of."""

import pytest

from muniment.domain.own_words import own_words
from muniment.domain.slot import Slot
from muniment.domain.statement import Claim, SupportingTurn, grade
from tests.support.growth import grows_linearly

CITY = Slot("city", "one")
MARKS = [
    "`",
    '"',
    "“",
    "„",
    "«",
    "»",
    "‹",
    "「",
    "‘",
    "‘I’m ",
    "'I ",
    "'I'm ",
    "``` ",
    "~~~\n```\n",
]
TAGS = ["<blockquote>", "<q >", "[quote]", "<quote>a", "</q>", "> a\n"]
LABELS = [
    "Anna: I ",
    "a. B: c. ",
    "x — Y: ",
    "Anna told me: ",
    "Fwd: ",
    "from: a\n",
    "A.b.",
    "A (b ",
]
SAYINGS = [
    "said “",
    "Just kidding! ",
    "not! ",
    "if ",
    "from 2010 to ",
    "I left ",
    "n't ",
    ". ",
    "; ",
]


@pytest.mark.parametrize("unit", [*MARKS, *TAGS, *LABELS, *SAYINGS])
def test_work_on_64_kib_is_bounded(unit: str) -> None:
    text = (unit * 65_536)[:65_536]

    def read(size: int) -> None:
        said = f"{text[:size]} I live in Delft."
        own_words(said)
        claim = Claim("The user lives in Delft.", "Delft", CITY)
        grade(claim, [SupportingTurn("user", said, "user_stated")])

    assert grows_linearly(read, 65_536)
