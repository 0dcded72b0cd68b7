"""What a person says beside the point: a sentence, and why it is dropped; None if it is kept."""

import pytest

from muniment.domain.gate import GateInput, Reason, judge

CASES = [
    ("If we had won the bid I would be on a beach now.", Reason.FILLER),
    ("Were I twenty years younger I should move to Lisbon.", Reason.FILLER),
    ("Suppose a second site had this problem.", Reason.FILLER),
    ("It would be lovely if the server were on fire.", Reason.FILLER),
    ("Oh great, another outage.", Reason.FILLER),
    ("Just what I needed today.", Reason.FILLER),
    ("What a lovely moment for the VPN to die.", Reason.FILLER),
    ("I'm exhausted today.", Reason.MOOD),
    ("This week I am very tired.", Reason.MOOD),
    ("cant sleep", Reason.MOOD),
    ("Relieved to be honest", Reason.MOOD),
    ("Thank you for the quick work.", Reason.THANKS),
    ("thanks heaps", Reason.THANKS),
    ("If you need me, use Signal.", None),
    ("If a ticket is open for a week, assign it to Olli.", None),
    ("I would rather fly on Tuesdays.", None),
    ("I am tired of the weekly report.", None),
    ("Thanks, but send it to my office.", None),
    ("Thanks, we moved to Ghent.", None),
    ("What a joy to work at Contoso.", None),
    ("I'm happy with the blue one, order it.", None),
]


@pytest.mark.parametrize(("text", "reason"), CASES)
def test_an_aside_is_dropped_for_its_reason(text: str, reason: Reason | None) -> None:
    verdict = judge(GateInput("user", text))
    assert (None if verdict.kept else verdict.reason) == reason
