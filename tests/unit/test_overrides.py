"""What a tenant changes of the policy (RULES 3, 6).

| given | then |
|---|---|
| nothing | the policy of the installation |
| numbers of a table | those, and all else as it was |
| a slot that is new, or has a default's name | defined so |
| a slot that is None | not there |
| a name that is not there, another table, a kind's layer, scope, class, owner or writers | its place, and what may be set |
| a value that a rule of the policy refuses | its place |
| slots | refused: they have operations of their own |
| a locked class | longer: taken; shorter: refused |
| what was valid and is not any more | left out, the rest holds |

Whatever JSON is given: a policy or places of it, nothing else.
"""

import tomllib
from datetime import timedelta
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.overrides import (
    effective,
    keep_locks,
    longer_classes,
    origin,
    shorter_classes,
    shorter_lives,
    still_effective,
)
from muniment.domain.policy import Policy, PolicyError

DOCUMENT = tomllib.loads((files("muniment.policy") / "default.toml").read_text(encoding="utf-8"))
BASE = Policy.parse(DOCUMENT)
MANY = {"cardinality": "many"}
BROKEN = {"cardinality": "few"}


def test_nothing_changes_nothing() -> None:
    found = effective(BASE, {}, {}, 1)
    assert found.kinds == BASE.kinds
    assert found.slots == BASE.slots
    assert (found.revision, found.installed) == (1, BASE)


def test_numbers_change_and_all_else_stays() -> None:
    found = effective(
        BASE,
        {
            "kinds": {"finding": {"ttl": 30}, "user_preference": {"ttl": None}},
            "retention": {"episode": {"days": {"personal": 20}}},
            "confidence": {"recall_floor": 0.7},
            "working": {"ttl_hours": 1},
            "importance": {"date": 9},
        },
        {},
        2,
    )
    assert (found.kinds["finding"].ttl, found.kinds["user_preference"].ttl) == (30, None)
    assert found.kinds["finding"].grace == 180
    assert found.retention["episode"].days == {
        "public": 365, "internal": 365, "personal": 20, "regulated": 30,
    }  # fmt: skip
    assert (found.confidence.recall_floor, found.confidence.write_floor) == (0.7, 0.6)
    assert found.working_ttl == timedelta(hours=1)
    assert found.importance == dict(BASE.importance) | {"date": 9}


def test_slots_are_defined_overridden_and_hidden() -> None:
    slots = {"boat": MANY, "city": MANY, "pet": None}
    found = effective(BASE, {}, slots, 1)
    assert found.slots["boat"].cardinality == found.slots["city"].cardinality == "many"
    assert set(found.slots) == {*BASE.slots, "boat"} - {"pet"}
    told = {name: origin(name, BASE, slots) for name in ("boat", "city", "pet", "name")}
    assert told == {"boat": "own", "city": "overrides", "pet": "hidden", "name": "default"}


REFUSED: list[tuple[dict[str, Any], tuple[str | int, ...]]] = [
    ({"colours": {}}, ("colours",)),
    ({"slots": {"city": MANY}}, ("slots",)),
    ({"kinds": 1}, ("kinds",)),
    ({"kinds": {"fact": [1]}}, ("kinds", "fact")),
    ({"kinds": {"incident": {"ttl": 1}}}, ("kinds", "incident")),
    ({"kinds": {"fact": {"layer": "episodic"}}}, ("kinds", "fact", "layer")),
    ({"kinds": {"fact": {"scope": "org"}}}, ("kinds", "fact", "scope")),
    ({"kinds": {"fact": {"retention_class": "audit"}}}, ("kinds", "fact", "retention_class")),
    ({"kinds": {"fact": {"owner": "agent"}}}, ("kinds", "fact", "owner")),
    ({"kinds": {"procedure": {"writers": []}}}, ("kinds", "procedure", "writers")),
    ({"kinds": {"fact": {"ttl": 0}}}, ("kinds", "fact", "ttl")),
    ({"kinds": {"fact": {"ttl": "30"}}}, ("kinds", "fact", "ttl")),
    ({"kinds": {"fact": {"decays": None}}}, ("kinds", "fact", "decays")),
    ({"retention": {"memory": {"days": {"public": 1}}}}, ("retention", "memory")),
    ({"retention": {"audit": {"locked": False}}}, ("retention", "audit", "locked")),
    ({"retention": {"audit": {"days": {"public": 729}}}}, ("retention", "audit", "days", "public")),
    ({"retention": {"episode": {"days": {"secret": 1}}}}, ("retention", "episode", "days", "secret")),
    ({"confidence": {"stated": 1.1}}, ("confidence", "stated")),
    ({"importance": {"weather": 3}}, ("importance", "weather")),
    ({"profile": {"kinds": ["fact", "hunch"]}}, ("profile", "kinds", 1)),
    ({"profile": {"kinds": "fact"}}, ("profile", "kinds")),
    ({"working": {"ttl_hours": True}}, ("working", "ttl_hours")),
]  # fmt: skip


@pytest.mark.parametrize(("overrides", "place"), REFUSED)
def test_what_is_refused_is_named(overrides: dict[str, Any], place: tuple[str | int, ...]) -> None:
    with pytest.raises(PolicyError) as caught:
        effective(BASE, overrides, {}, 1)
    assert [tuple(at) for at, _ in caught.value.faults] == [place]


def test_every_place_is_named_up_to_a_bound() -> None:
    with pytest.raises(PolicyError) as caught:
        effective(BASE, {str(number): 1 for number in range(100)}, {}, 1)
    assert len(caught.value.faults) == 20


def test_a_locked_class_may_be_kept_longer() -> None:
    found = effective(BASE, {"retention": {"audit": {"days": {"public": 3650}}}}, {}, 1)
    assert (found.retention["audit"].days or {})["public"] == 3650


LONG = {"public": 400, "internal": 400, "personal": 400, "regulated": 400}
LOCKED = {"retention": {"episode": {"days": LONG, "locked": True}}}


@pytest.mark.parametrize(
    ("after", "place"),
    [
        ({}, ("retention", "episode", "locked")),
        ({"retention": {"episode": {"days": LONG}}}, ("retention", "episode", "locked")),
        ({"retention": {"episode": {"days": LONG | {"personal": 399}, "locked": True}}},
         ("retention", "episode", "days", "personal")),
        (LOCKED, None),
        ({"retention": {"episode": {"days": LONG | {"personal": 401}, "locked": True}}}, None),
    ],
)  # fmt: skip
def test_what_a_tenant_locks_stays_locked(
    after: dict[str, Any], place: tuple[str, ...] | None
) -> None:
    before, now = effective(BASE, LOCKED, {}, 1), effective(BASE, after, {}, 2)
    if place is None:
        keep_locks(before, now)
        return
    with pytest.raises(PolicyError) as caught:
        keep_locks(before, now)
    assert caught.value.locked
    assert tuple(caught.value.faults[0][0]) == place


def test_which_classes_are_kept_longer() -> None:
    days = {"public": 10, "internal": 365, "personal": 400}
    after = effective(BASE, {"retention": {"episode": {"days": days}}}, {}, 1)
    assert longer_classes(BASE, after) == [("episode", "personal", 400)]


def test_what_is_not_valid_any_more_is_left_out() -> None:
    overrides = {
        "kinds": {"finding": {"ttl": 30}, "gone": {"ttl": 1}},
        "confidence": {"stated": 7},
        "working": 5,
    }
    found = still_effective(BASE, overrides, {"boat": MANY, "car": BROKEN}, 3)
    assert (found.kinds["finding"].ttl, found.confidence.stated) == (30, 0.9)
    assert ("boat" in found.slots, "car" in found.slots) == (True, False)
    assert found.revision == 3


@pytest.mark.parametrize(
    ("before", "after", "shorter"),
    [(90, 30, True), (90, 90, False), (90, 91, False), (None, 30, True), (30, None, False)],
)
def test_which_lives_are_shorter(before: int | None, after: int | None, shorter: bool) -> None:
    first = effective(
        BASE, {"kinds": {"finding": {"ttl": before}}}, {"boat": MANY | {"ttl": before}}, 1
    )
    second = effective(
        BASE, {"kinds": {"finding": {"ttl": after}}}, {"boat": MANY | {"ttl": after}}, 2
    )
    expected = {"kinds": {"finding": after}, "slots": {"boat": after}}
    assert shorter_lives(first, second) == (expected if shorter else {"kinds": {}, "slots": {}})


def test_which_classes_are_kept_shorter() -> None:
    days = {"public": 10, "internal": 365, "personal": 400}
    after = effective(BASE, {"retention": {"episode": {"days": days}}}, {}, 1)
    assert shorter_classes(BASE, after) == [("episode", "public", 10)]


NAMES = st.sampled_from([*DOCUMENT, "fact", "ttl", "days", "episode", "public", "stated", "x"])
VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, 1, 0.5, -1, "text", [], ["fact"], [1], {}]
)
TABLES = st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=2), max_size=2)


@given(st.dictionaries(NAMES, VALUES | TABLES, max_size=3))
def test_whatever_is_given(overrides: dict[str, Any]) -> None:
    lenient = still_effective(BASE, overrides, {}, 1)
    assert lenient.slots == BASE.slots
    try:
        strict = effective(BASE, overrides, {}, 1)
    except PolicyError:
        return
    assert strict == lenient
