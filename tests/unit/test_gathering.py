"""Many into one (RULES 9), as `domain/gathering.py` has it in a table; and besides:

| | |
|---|---|
| 4 related memories, 5, 12, 13, 17 | none; one of 5, of 12, of 12, of 12 (5 stay for the next time) |
| 5 related ones of two subjects, or grades | none |
| 5 that share one word, or none | none |
| 3 recent ones, turns weigh 151, 150 | one; none |
| 2 recent ones, turns weigh 151; 3 that are not recent | none; none |
| 5 long ones, of which 4 fit | none |
| the text | every sentence under its day, once; every word, number, unit and name of each |
| the order in which they come | does not matter |
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.gathering import Gathering, Loose, gathered, said_together
from muniment.domain.likeness import likeness
from muniment.domain.text import analyzer_for

WARES = (
    "doors", "tiles", "pipes", "lamps", "paint", "hinges", "glass", "grout", "beams", "bricks", "taps", "wires", "rugs", "tins", "nails", "oak", "tar",
)  # fmt: skip
RULE = Gathering(cluster=5, few=3, importance=150, related=0.25, most=12, characters=2000)
START = datetime(2026, 3, 3, 12, tzinfo=UTC)
ENGLISH = analyzer_for("english")
ASIDE = frozenset(ENGLISH.stems("user"))


def loose(
    number: int, text: str, *, group: str = "u", days: float = 0, recent: bool = True
) -> Loose:
    like = likeness(text, ENGLISH, aside=ASIDE)
    return Loose(UUID(int=number), group, text, START + timedelta(days=days), like, recent)


def about(count: int, **more: object) -> list[Loose]:
    """So many related memories, a day apart."""
    texts = [f"The kitchen renovation needs {ware}." for ware in WARES[:count]]
    found = [loose(at, text, days=at) for at, text in enumerate(texts)]
    return [replace(one, **more) for one in found]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (4, []), (5, [5]), (12, [12]), (13, [12]), (17, [12])]
)
def test_how_many_become_one(count: int, sizes: list[int]) -> None:
    made = gathered(about(count), RULE, recent_importance=0)
    assert [len(members) for members in made] == sizes
    assert [one.memory_id.int for members in made for one in members] == [*range(sum(sizes))]


def test_two_clusters_become_two() -> None:
    other = [
        loose(100 + at, f"Bo the dog ate {food}.", days=at)
        for at, food in enumerate(("ham", "fish", "rice", "corn", "beef"))
    ]
    made = gathered([*about(5), *other], RULE, recent_importance=0)
    assert [len(members) for members in made] == [5, 5]


@pytest.mark.parametrize(
    "members",
    [
        [*about(3), *about(5, group="other")[3:]],
        about(1),
        [
            loose(at, text)
            for at, text in enumerate(
                ["Saw a heron.", "Heron paint is blue.", "Ate a heron pie.", "Heron Road is long.", "Sold Heron Ltd."]
            )
        ],
        [loose(at, text) for at, text in enumerate(["Likes tea.", "Rides a bike.", "Sold a boat.", "Has a cat.", "Plays chess."])],
    ],
    ids=["two groups", "one", "one word", "none"],
)  # fmt: skip
def test_what_does_not_belong_together(members: list[Loose]) -> None:
    assert gathered(members, RULE, recent_importance=0) == []


@pytest.mark.parametrize(
    ("count", "recent", "importance", "made"),
    [(3, True, 151, 1), (3, True, 150, 0), (2, True, 151, 0), (3, False, 151, 0)],
)
def test_when_much_was_said(count: int, recent: bool, importance: int, made: int) -> None:
    members = about(count, recent=recent)
    assert len(gathered(members, RULE, recent_importance=importance)) == made


def test_one_says_no_more_than_it_may() -> None:
    text = said_together(about(5))
    exact = replace(RULE, characters=len(text))
    assert [len(one) for one in gathered(about(6), exact, recent_importance=0)] == [5]
    assert gathered(about(6), replace(RULE, characters=len(text) - 1), recent_importance=0) == []


def test_what_one_says() -> None:
    members = [
        loose(1, "The lag is 3 days.  It grew"),
        loose(2, "the lag is 3 days. it grew.", days=0.1),
        loose(3, "Costs € 20 at Jansen?", days=0.2),
        loose(4, "Bo moved to Breda.", days=31),
    ]
    assert said_together(members) == (
        "3 March 2026: The lag is 3 days. It grew. Costs € 20 at Jansen? 3 April 2026: Bo moved to Breda."
    )


WORDS = st.sampled_from(
    ["kitchen", "renovation", "Bo", "Gouda", "3", "days", "12.5", "%", "not", "Monday", "km", "Jansen", "€", "boat"]
)  # fmt: skip
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@given(st.lists(TEXTS, min_size=5, max_size=30), st.integers(0, 400))
def test_nothing_is_lost(texts: list[str], importance: int) -> None:
    members = [loose(at, text, days=at / 3) for at, text in enumerate(texts)]
    made = gathered(members, RULE, recent_importance=importance)
    taken = [one.memory_id for summary in made for one in summary]
    assert len(taken) == len(set(taken))
    for summary in made:
        text = said_together(summary)
        assert len(text) <= RULE.characters
        whole = likeness(text, ENGLISH, aside=ASIDE)
        stems = set(ENGLISH.stems(text))
        for one in summary:
            assert one.like.words <= whole.words
            assert one.like.values <= whole.values
            assert set(ENGLISH.stems(one.text)) <= stems


@given(st.lists(TEXTS, min_size=5, max_size=20), st.integers(0, 2**32))
def test_the_order_does_not_matter(texts: list[str], seed: int) -> None:
    members = [loose(at, text, days=at % 3) for at, text in enumerate(texts)]
    shuffled = members.copy()
    Random(seed).shuffle(shuffled)
    assert gathered(members, RULE, recent_importance=200) == gathered(
        shuffled, RULE, recent_importance=200
    )
