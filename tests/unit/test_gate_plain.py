"""Plain statements are kept, whatever was learned from talk.

| given | in a session with an assistant | then |
|---|---|---|
| a plain statement of the speaker's own | alone | kept |
| the same | before or after a question or thanks, or led in to | kept |
| a sentence of that form in play, supposed, of the moment, or asked | | dropped |
"""

from pathlib import Path

import pytest

from muniment.domain.gate import GateContext, GateInput, judge

PLAIN = (Path(__file__).parent / "data/gate_plain.txt").read_text(encoding="utf-8").splitlines()
BEFORE = ("Sure, here is the draft.", "Done. The report has 12 rows.", "Where were we?")
AROUND = (
    "{}",
    "{} What's the next step?",
    "{} So, where were we?",
    "Thanks! {}",
    "By the way, {}",
    "While I think of it: {}",
)


def kept(text: str, before: str) -> bool:
    return judge(GateInput("user", text), GateContext(GateInput("assistant", before))).kept


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_statement_is_kept(text: str) -> None:
    for before in BEFORE:
        assert kept(text, before)
    for around in AROUND:
        assert kept(around.format(text), BEFORE[0])


@pytest.mark.parametrize(
    "text",
    [
        "I think so.",
        "I hope that helps.",
        "I'm looking at it now.",
        "If I had a boat I would sail it to Chile.",
        "Would I like weekly reports?",
        "haha my printer is a nurse now",
        "I see.",
        "I'm done.",
        "I'd sell my boat for a coffee lol",
        "Suppose my name is Petra.",
    ],
)
def test_what_only_looks_like_one_is_not(text: str) -> None:
    assert not kept(text, BEFORE[0])
