"""The weights of recall are policy (RULES 11.2): the default, what a tenant changes, what is refused.

| given | then |
|---|---|
| the policy that ships | the weights that the ranking has by itself |
| a tenant's weight, or its weights of one tier | that one is another, the rest stay |
| a weight below 0, a share above 1, no number, a name that is none, shares of a tier that are not 1
  together, no weight of words or vectors at all | refused, naming the place |
"""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from muniment.domain.overrides import effective
from muniment.domain.policy import Policy, PolicyError
from muniment.domain.ranking import RankingPolicy

BASE = Policy.parse(
    tomllib.loads((files("muniment.policy") / "default.toml").read_text(encoding="utf-8"))
)
NO_WORDS = dict.fromkeys(("own", "before", "both", "cosine", "context_cosine"), 0.0)


def changed(**ranking: Any) -> RankingPolicy:
    """The weights of a tenant that sets these."""
    return effective(BASE, {"ranking": ranking}, {}, 1).ranking


def test_the_default_is_what_was_measured() -> None:
    assert BASE.ranking == RankingPolicy(tiers=dict(RankingPolicy().tiers))


def test_one_weight_is_another() -> None:
    found = changed(related=0.0)
    assert found.related == 0.0
    assert (found.both, found.tiers) == (BASE.ranking.both, BASE.ranking.tiers)


def test_weights_of_one_tier_are_others() -> None:
    found = changed(tiers={"semantic": {"relevance": 0.5, "recency": 0.3, "importance": 0.2}})
    assert found.tiers["semantic"].recency == 0.3
    assert found.tiers["episodic"] == BASE.ranking.tiers["episodic"]


@pytest.mark.parametrize(
    ("ranking", "place"),
    [
        ({"own": -0.1}, ("ranking", "own")),
        ({"own": 11.0}, ("ranking", "own")),
        ({"own": "0.1"}, ("ranking", "own")),
        ({"own": float("nan")}, ("ranking", "own")),
        ({"related": 1.1}, ("ranking", "related")),
        ({"relevance_floor": 1.5}, ("ranking", "relevance_floor")),
        ({"owns": 0.1}, ("ranking", "owns")),
        ({"tiers": {"working": {}}}, ("ranking", "tiers", "working")),
        ({"tiers": {"semantic": {"recency": 0.5}}}, ("ranking", "tiers", "semantic")),
        (NO_WORDS, ("ranking",)),
    ],
)
def test_what_is_refused(ranking: dict[str, Any], place: tuple[str, ...]) -> None:
    with pytest.raises(PolicyError) as caught:
        changed(**ranking)
    assert tuple(caught.value.faults[0][0])[: len(place)] == place


def test_a_policy_names_every_tier() -> None:
    document = dict(BASE.document)
    document["ranking"] = {**document["ranking"], "tiers": {}}
    with pytest.raises(PolicyError, match="episodic, semantic, knowledge"):
        Policy.parse(document)
