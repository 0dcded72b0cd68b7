"""The policy: what the default says (RULES 3.4, 6, 7), and what stops the start.

| rule | shown by |
|---|---|
| 3.3, 3.4 | the slots of the default policy |
| 6 | kinds with their lives, retention by category |
| 7.1 | confidence by label, else by whether a turn states it |
| 6 | a kind without layer, retention class or owner is refused, and so is what cannot be meant |
"""

import copy
import tomllib
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any, get_args

import pytest

from muniment.domain.decay import Cap, Decay
from muniment.domain.gathering import Gathering
from muniment.domain.memory import Label
from muniment.domain.policy import Category, Policy, PolicyError
from muniment.domain.slot import Slot

TEXT = (files("muniment.policy") / "default.toml").read_text(encoding="utf-8")
DOCUMENT = tomllib.loads(TEXT)
DEFAULT = Policy.parse(DOCUMENT)
MOMENT = datetime(2026, 5, 26, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "scope", "ttl", "grace", "refreshed", "decays", "writers"),
    [
        ("fact", "user", None, 0, False, True, ()),
        ("user_preference", "user", 365, 0, False, False, ()),
        ("finding", "user", 90, 180, True, False, ()),
        ("data_quality", "org", 365, 0, False, False, ()),
        ("domain_pattern", "user", 180, 0, False, False, ()),
        ("procedure", "org", None, 0, False, False, ("operator",)),
        ("summary", "user", None, 0, False, True, ()),
    ],
)
def test_kinds(
    kind: str,
    scope: str,
    ttl: int | None,
    grace: int,
    refreshed: bool,
    decays: bool,
    writers: tuple[str, ...],
) -> None:
    found = DEFAULT.kinds[kind]
    assert (found.layer, found.scope, found.ttl, found.grace) == ("semantic", scope, ttl, grace)
    assert (found.refreshed, found.decays, found.writers) == (refreshed, decays, writers)
    life = None if ttl is None else MOMENT + timedelta(days=ttl)
    assert DEFAULT.expiry(kind, None, MOMENT) == life


@pytest.mark.parametrize(
    ("retention_class", "days"),
    [
        ("episode", {"public": 365, "internal": 365, "personal": 180, "regulated": 30}),
        ("quarantine", dict.fromkeys(get_args(Category), 14)),
        ("recall_log", dict.fromkeys(get_args(Category), 90)),
    ],
)
def test_retention_by_category(retention_class: str, days: dict[Category, int]) -> None:
    for category, number in days.items():
        until = DEFAULT.keep_until(retention_class, category, MOMENT)
        assert until == MOMENT + timedelta(days=number)


def test_what_ends_with_something_else_has_no_date() -> None:
    assert DEFAULT.keep_until("memory", "personal", MOMENT) is None


def test_times_of_sessions_and_working_memory() -> None:
    assert (DEFAULT.working_ttl, DEFAULT.session_idle) == (timedelta(days=1), timedelta(days=1))


def test_what_fades_and_how_much_may_go_at_once() -> None:
    decays = {name for name, kind in DEFAULT.kinds.items() if kind.decays}
    assert decays == {"fact", "summary", "session_summary"}
    assert DEFAULT.decay == Decay(timedelta(weeks=8), 0.10, timedelta(days=90), immune=9)
    assert DEFAULT.cap == Cap(share=0.05, floor=50)


@pytest.mark.parametrize(
    ("slot", "cardinality", "authority", "pinned", "importance"),
    [
        ("name", "one", "user", False, 8),
        ("city", "one", "user", False, 8),
        ("employer", "one", "user", False, 8),
        ("role", "one", "user", False, 8),
        ("timezone", "one", "user", False, 6),
        ("language", "one", "user", False, 6),
        ("deploy_region", "one", "user", False, 6),
        ("contact_channel", "one", "user", False, 6),
        ("account_tier", "one", "system", False, 6),
        ("pet", "many", "user", False, 3),
        ("project", "many", "user", False, 5),
        ("skill", "many", "user", False, 5),
        ("dislike", "many", "user", False, 6),
        ("allergy", "many", "user", True, 10),
        ("do_not_contact", "many", "user", True, 10),
    ],
)
def test_slots(slot: str, cardinality: str, authority: str, pinned: bool, importance: int) -> None:
    found = DEFAULT.slots[slot]
    assert (found.name, found.cardinality, found.authority) == (slot, cardinality, authority)
    assert (found.pinned, found.importance) == (pinned, importance)


@pytest.mark.parametrize(
    ("slot", "days"), [("price", 30), ("stock", 1), ("role", 180), ("address", None)]
)
def test_when_a_value_goes_stale(slot: str, days: int | None) -> None:
    expected = None if days is None else timedelta(days=days)
    assert DEFAULT.slots[slot].stale_after == expected


def test_prices_are_numbers() -> None:
    assert DEFAULT.slots["price"].key("10 EUR") == DEFAULT.slots["price"].key("10.00 eur")


@pytest.mark.parametrize(
    ("label", "stated", "confidence"),
    [
        ("confirmatory", False, 0.90),
        ("exploratory", True, 0.70),
        ("exploratory_divergent", True, 0.50),
        (None, True, 0.90),
        (None, False, 0.70),
    ],
)
def test_confidence(label: Label | None, stated: bool, confidence: float) -> None:
    assert DEFAULT.confidence_of(label, stated=stated) == confidence


def test_floors() -> None:
    assert (DEFAULT.confidence.write_floor, DEFAULT.confidence.recall_floor) == (0.60, 0.50)


@pytest.mark.parametrize(
    ("kind_ttl", "slot_ttl", "days"),
    [(None, None, None), (90, None, 90), (None, 30, 30), (90, 30, 30), (30, 90, 30)],
)
def test_the_shorter_life_counts(
    kind_ttl: int | None, slot_ttl: int | None, days: int | None
) -> None:
    document = copy.deepcopy(DOCUMENT)
    if kind_ttl is not None:
        document["kinds"]["fact"]["ttl"] = kind_ttl
    slot = Slot("s", "one", ttl=None if slot_ttl is None else timedelta(days=slot_ttl))
    expected = None if days is None else MOMENT + timedelta(days=days)
    assert Policy.parse(document).expiry("fact", slot, MOMENT) == expected


@pytest.mark.parametrize("look_up", ["kinds", "retention", "slots"])
def test_what_is_not_defined_raises_key_error(look_up: str) -> None:
    with pytest.raises(KeyError):
        getattr(DEFAULT, look_up)["hunch"]


REMOVED = object()
REFUSED: list[tuple[str, Any]] = [
    ("kinds.fact.layer", REMOVED),
    ("kinds.fact.retention_class", REMOVED),
    ("kinds.fact.owner", REMOVED),
    ("kinds.fact.scope", REMOVED),
    ("kinds.fact.duplicates", REMOVED),
    ("kinds.fact.layer", "attic"),
    ("kinds.fact.owner", "nobody"),
    ("kinds.fact.retention_class", "for_ever"),
    ("kinds.fact.ttl", 0),
    ("kinds.fact.ttl", -1),
    ("kinds.fact.ttl", "90"),
    ("kinds.fact.ttl", True),
    ("kinds.fact.ttl", 1.5),
    ("kinds.fact.ttl", 10**9),
    ("kinds.finding.grace", -1),
    ("kinds.fact.colour", "red"),
    ("retention.episode.driver", REMOVED),
    ("retention.episode.driver", "habit"),
    ("retention.episode.ends", REMOVED),
    ("retention.episode.ends", "never"),
    ("retention.episode.owner", REMOVED),
    ("retention.episode.owner", "nobody"),
    ("retention.episode.locked", "yes"),
    ("retention.episode.days", REMOVED),
    ("retention.episode.days.regulated", REMOVED),
    ("retention.episode.days.regulated", 0),
    ("retention.episode.days.regulated", -30),
    ("retention.episode.days.secret", 30),
    ("retention.memory.days", {"public": 1, "internal": 1, "personal": 1, "regulated": 1}),
    ("retention.memory", REMOVED),
    ("slots.city.cardinality", REMOVED),
    ("slots.city.cardinality", "few"),
    ("slots.city.value_type", "colour"),
    ("slots.city.authority", "steward"),
    ("slots.city.importance", 0),
    ("slots.city.importance", 11),
    ("slots.role.stale_after", 0),
    ("slots.city.ttl", False),
    ("confidence.stated", 1.01),
    ("confidence.write_floor", -0.1),
    ("confidence.write_floor", float("nan")),
    ("confidence.recall_floor", REMOVED),
    ("working.ttl_hours", 0),
    ("session.idle_hours", 0),
    ("session.idle_hours", REMOVED),
    ("working", REMOVED),
    ("curiosity", {}),
    ("decay", {}),
    ("decay.half_life", 0),
    ("decay.half_life", 8.0),
    ("decay.half_life", REMOVED),
    ("decay.threshold", 0.0),
    ("decay.threshold", 1.1),
    ("decay.grace", 0),
    ("decay.immune", 0),
    ("decay.immune", 12),
    ("gathering.cluster", 1),
    ("gathering.related", 0.0),
    ("gathering.characters", 100),
    ("upkeep.share", -0.1),
    ("upkeep.floor", -1),
    ("upkeep.floor", REMOVED),
]


@pytest.mark.parametrize(("place", "value"), REFUSED)
def test_what_stops_the_start(place: str, value: Any) -> None:
    document: Any = copy.deepcopy(DOCUMENT)
    *outer, name = place.split(".")
    table = document
    for part in outer:
        table = table[part]
    if value is REMOVED:
        del table[name]
    else:
        table[name] = value
    with pytest.raises(PolicyError) as caught:
        Policy.parse(document)
    assert [*outer, name][-2:][0] in str(caught.value)


def test_the_message_names_the_place_and_the_rule() -> None:
    document = copy.deepcopy(DOCUMENT)
    del document["kinds"]["finding"]["owner"]
    with pytest.raises(PolicyError, match=r"^kinds\.finding\.owner: Field required$"):
        Policy.parse(document)


def test_every_kind_of_the_default_names_layer_class_and_owner() -> None:
    for kind in DEFAULT.kinds.values():
        assert kind.layer
        assert kind.owner
        assert kind.retention_class in DEFAULT.retention


def test_what_makes_one_of_many() -> None:
    assert DEFAULT.gathering == Gathering(
        cluster=5, few=3, importance=150, related=0.25, most=12, characters=2000
    )
