"""By what of its metadata a checkpoint is found, and whose threads a call of a saver is about.

| metadata | labels |
|---|---|
| short plain values | all of them |
| a value of more than 2 KiB, an object, a number that is not finite or has 1,000 digits | left out |
| names that are broken or no text | left out |
| more than 16 KiB together | the largest are left out, then `run_id`, `step`, `source` |
"""

import json
import math
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InvalidInput
from muniment.langgraph.thread_values import labels, unlike_labels
from muniment.langgraph.whose import USER, owner_of

SAID = {"run_id": "r", "step": 3, "source": "loop"}
MOST = 16 * 1024


@pytest.mark.parametrize(
    ("metadata", "left"),
    [
        ({}, {}),
        (SAID | {"parents": {"a": [1, None, True, 1.5]}}, {"parents": {"a": [1, None, True, 1.5]}}),
        ({"a": "x" * 2046}, {"a": "x" * 2046}),
        ({"a": "x" * 2047}, {}),
        ({"a": datetime(2026, 1, 1, tzinfo=UTC), "b": b"x", "c": [object()]}, {}),
        ({"a": math.nan, "b": 10**1000, "c": 10**5000}, {}),
        ({"a\x00": 1, "\ud800": 1, 1: 1, "b": {"\x00": 1}}, {}),
        ({"n" * 20_000: 1, "b": 1}, {"b": 1}),
    ],
)
def test_labels(metadata: dict[str, Any], left: dict[str, Any]) -> None:
    assert labels(SAID | metadata) == SAID | left


def test_the_largest_are_left_out_first() -> None:
    many = {f"k{n:03}": "x" * (100 + n) for n in range(200)}
    found = labels(many | SAID)
    kept = [name for name in found if name not in SAID]
    assert SAID.items() <= found.items()
    assert kept == sorted(many)[: len(kept)]
    assert len(kept) > 80
    large = dict.fromkeys(SAID, "y" * 2000)
    assert large.items() <= labels(many | large).items()


texts = st.text(max_size=900)


@given(st.dictionaries(texts, st.integers() | texts | st.lists(texts, max_size=3), max_size=40))
def test_labels_always_fit(metadata: dict[str, Any]) -> None:
    found = labels(metadata)
    assert found.items() <= metadata.items()
    compact = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    assert len(compact.encode("utf-8", "surrogatepass")) <= MOST


@pytest.mark.parametrize(
    ("metadata", "wanted", "unlike"),
    [
        ({"a": "x" * 5000}, {"a": None}, True),
        ({"a": math.nan}, {"a": None}, True),
        ({"a": None}, {"a": None}, False),
        ({}, {"a": None}, False),
        ({"a": 1.0}, {"a": 1}, False),
        ({"a": 1}, None, False),
    ],
)
def test_a_label_that_was_left_out_is_not_null(
    metadata: dict[str, Any], wanted: dict[str, Any] | None, unlike: bool
) -> None:
    assert unlike_labels(metadata, wanted) is unlike


@pytest.mark.parametrize(
    ("fixed", "named", "owner"),
    [
        (None, None, None),
        (None, "ben", InvalidInput),
        ("ada", None, "ada"),
        ("ada", "ada", "ada"),
        ("ada", "ben", InvalidInput),
        (USER, None, InvalidInput),
        (USER, "ben", "ben"),
    ],
)
def test_whose_threads_a_call_is_about(fixed: str | None, named: str | None, owner: Any) -> None:
    if owner is InvalidInput:
        with pytest.raises(InvalidInput) as refused:
            owner_of(fixed, named, "/user_id")
        assert refused.value.faults[0].pointer == "/user_id"
    else:
        assert owner_of(fixed, named, "/user_id") == owner
