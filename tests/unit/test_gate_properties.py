"""Invariants of the write gate over any text, and the bound on its work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.gate.cues import Reason
from muniment.domain.gate.judge import GateContext, GateInput, Role, judge, sentence_digests
from tests.support.growth import grows_linearly

DROPPED = {
    Reason.GREETING,
    Reason.THANKS,
    Reason.FILLER,
    Reason.MOOD,
    Reason.QUESTION,
    Reason.OFFER,
    Reason.BARE_REQUEST,
    Reason.REPETITION,
    Reason.ECHO,
    Reason.PRIVACY,
    Reason.EMPTY,
}
ROLES: tuple[Role, ...] = ("user", "assistant", "tool", "external")
LOW_VALUE = st.sampled_from(
    ["Hi!", "Thanks so much!", "ok", "haha", "I'm so tired.", "What time is it?", "Wow, cool!"]
)
FACTS = st.sampled_from(
    ["My sister lives in Delft.", "We moved the launch to May 3.", "I can't eat gluten."]
)


@given(before=st.lists(LOW_VALUE, max_size=6), fact=FACTS, after=st.lists(LOW_VALUE, max_size=6))
def test_a_turn_with_a_fact_in_it_is_kept(before: list[str], fact: str, after: list[str]) -> None:
    assert judge(GateInput("user", " ".join([*before, fact, *after]))).kept


@given(st.lists(LOW_VALUE, min_size=1, max_size=6))
def test_a_turn_of_low_value_sentences_is_dropped(sentences: list[str]) -> None:
    assert not judge(GateInput("user", " ".join(sentences))).kept


ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=())) | st.text(
    "aI? .!\nmyt'", max_size=99
)


@given(text=ANY_TEXT, after=ANY_TEXT, role=st.sampled_from(ROLES), asker=st.sampled_from(ROLES))
def test_any_text_gets_a_verdict_of_the_vocabulary(
    text: str, after: str, role: Role, asker: Role
) -> None:
    event, context = GateInput(role, text), GateContext(GateInput(asker, after))
    found = judge(event, context)
    assert found == judge(event, context)
    assert found.kept == (found.reason not in DROPPED)
    assert 1 <= found.importance <= 10
    assert found.kept or found.importance == 1
    assert found.rule


@given(text=ANY_TEXT, role=st.sampled_from(ROLES))
def test_said_twice_a_text_is_kept_no_more_than_once_unless_a_tool_said_it(
    text: str, role: Role
) -> None:
    again = judge(GateInput(role, text), GateContext(seen=sentence_digests(GateInput(role, text))))
    assert role == "tool" or not again.kept or again.reason is Reason.ANSWER


@pytest.mark.parametrize(
    "unit",
    [
        "a ",
        "?!",
        "Hi! ",
        "\n",
        "x",
        "my ",
        "don't keep ",
        "Mr. ",
        ". ",
        "what is ",
        "東京。",
        "e\u0301",
        "\ud800",
    ],
)
def test_work_on_64_kib_is_bounded(unit: str) -> None:
    text = (unit * 65_536)[:65_536]

    def read(size: int) -> None:
        said = text[:size]
        before = GateContext(GateInput("assistant", said), frozenset({"none"}))
        judge(GateInput("user", said), before)
        sentence_digests(GateInput("user", said))

    assert grows_linearly(read, 65_536)
