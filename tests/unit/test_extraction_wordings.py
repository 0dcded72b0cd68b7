"""Many wordings, one turn each: ``data/extraction_wordings.tsv`` says what each gives.

Also what no text may do: raise, cite nobody, or take long.
"""

import csv
from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from muniment.domain.extraction import extract
from tests.unit.extraction import SLOTS, session

DATA = Path(__file__).parent / "data" / "extraction_wordings.tsv"


def rows() -> list[tuple[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as file:
        read = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["gives"], row["said"]) for row in read]


@pytest.mark.parametrize(("gives", "said"), rows())
def test_a_wording_gives_what_the_table_says(gives: str, said: str) -> None:
    values = dict(pair.split("=", 1) for pair in gives.split(";") if "=" in pair)
    name = values.get("name", "Nora").split()[0]
    found = extract(session(said, name=name), SLOTS).candidates
    slotted = {f"{one.slot}={one.value}" for one in found if one.slot and not one.retracts}
    if "=" in gives:
        assert slotted == set(gives.split(";"))
    else:
        assert [one.kind for one in found] == [gives]


WORDS = st.sampled_from(
    [
        "I",
        "we",
        "my",
        "our",
        "the",
        "a",
        "not",
        "never",
        "always",
        "if",
        "since",
        "on",
        "Monday",
        "3",
        "May",
        "live",
        "in",
        "Ghent",
        "moved",
        "to",
        "work",
        "at",
        "Contoso",
        "as",
        "nurse",
        "allergic",
        "nuts",
        "please",
        "use",
        "no",
        "table",
        "order_id",
        "is",
        "null",
        "he",
        "said",
        "?",
        ".",
        ",",
        ";",
        "-",
        ":",
        '"',
        "yes",
    ]
)


@settings(max_examples=300, deadline=2000)
@drawn(st.lists(st.lists(WORDS, max_size=40).map(" ".join), min_size=1, max_size=4))
def test_whatever_is_said_candidates_cite_the_user(turns: list[str]) -> None:
    for one in extract(session(*turns), SLOTS).candidates:
        assert set(one.cited) <= set(range(1, len(turns) + 1))
        assert one.text
        assert (one.slot is None) == (one.value is None)


@pytest.mark.parametrize(
    "blank", ['" "', "' '", '"  ".', '? " "', '"" " "', "\u201c \u201d", "` `", '" ",', '? " " -']
)
@pytest.mark.parametrize("said", ["I live in Ghent. {}", "{}", "{} I live in Ghent.", "He said {}"])
def test_quotations_of_nothing_are_read(said: str, blank: str) -> None:
    values = [one.value for one in extract(session(said.format(blank)), SLOTS).candidates]
    assert values == (["Ghent"] if "Ghent" in said else [])


@settings(max_examples=200, deadline=2000)
@drawn(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    extract(session(text), SLOTS)


@pytest.mark.parametrize("word", ["x", "a_", "no ", "I have ", "1 ", "A-", "x, ", "'", "and so "])
def test_work_is_bounded_whatever_the_length(word: str) -> None:
    assert len(extract(session(word * 20_000), SLOTS).candidates) <= 12
