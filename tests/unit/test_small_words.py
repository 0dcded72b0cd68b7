"""Small words that keep two statements apart (RULES 8.1), by families of pairs in `data/apart.tsv`.

| family | the two differ in | the same? |
|---|---|---|
| particle | "opted in" and "opted out", "took up" and "gave up" | never |
| preposition | to and from, on and under, from and until, in the place of each other | never |
| verb | wants, has, needs, likes, makes, takes | never |
| order | which of two short names stands where: Go over Python | never |
| sign | C, C++ and C#; IT and it; US and us; pictures | never |
| modal | may, must, should, likely, or none of them | never; of a rule, must and should be unsaid |
| quantifier | both, one of, all, some, many, few, most, always, often | never |
| every other | every week, every other week | never |
| conjunction | and, or; if, because, although | never |
| person | I, you, he, she, we, they; my, your, his, her | never |
| figure | 1,500 and 1.500, which may be either | never |
| other | what stands beside these | never |
| reworded | the same in other words | yes |
"""

from collections import Counter
from pathlib import Path

import pytest

from tests.unit.test_duplicates import same

APART = [
    line.split("\t")
    for line in (Path(__file__).parent / "data/apart.tsv").read_text(encoding="utf-8").splitlines()
]
FAMILIES = Counter(family for family, _, _ in APART)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_apart(family: str) -> None:
    merged = [
        (one, other)
        for name, one, other in APART
        if name == family and (same(one, other) or same(other, one))
    ]
    assert not merged


def test_there_are_enough_of_them() -> None:
    assert sum(FAMILIES.values()) >= 300
    assert len({(one, other) for _, one, other in APART}) == len(APART)


@pytest.mark.parametrize("family", sorted(FAMILIES.keys() - {"modal", "verb"}))
@pytest.mark.parametrize("kind", ["user_preference", "procedure"])
def test_apart_as_rules_too(family: str, kind: str) -> None:
    pairs = [(one, other) for name, one, other in APART if name == family]
    assert not [pair for pair in pairs if same(*pair, kind)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nora's birthday is on 3 May.", "Nora was born on 3 May."),
        ("The user works from home.", "The user works remotely."),
        ("The user hates coriander.", "The user can't stand coriander."),
        ("The reports go out on Fridays.", "The reports are sent out on Fridays."),
        ("The points are off by more than 5 m.", "The points have an error of more than 5 m."),
        ("The user must wear goggles.", "The user has to wear goggles."),
        ("The user opted in to the mails.", "To the mails the user opted in."),
        ("All rows are wrong.", "Every row is wrong."),
        ("Anna or Tom feeds the cat.", "The cat is fed by Anna or Tom."),
        ("My doctor is in Gouda.", "The user's doctor is in Gouda."),
    ],
)
def test_reworded(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("kind", "merged"), [("fact", False), ("user_preference", True), ("procedure", True)]
)
def test_how_a_rule_is_put(kind: str, merged: bool) -> None:
    """What is a rule anyhow may leave "must" and "should" unsaid; a fact may not."""
    assert same("Outages must be escalated.", "Outages are escalated.", kind) is merged
    assert same("Use medians for prices.", "For prices, medians should be used.", kind) is merged
    assert not same("Outages must be escalated.", "Outages should be escalated.", kind)
    assert not same("Outages may be escalated.", "Outages are escalated.", kind)
