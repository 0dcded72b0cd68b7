"""What is said again: one memory in other words, two with another value, durative in time."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from muniment.client.models import Citation
from muniment_evals.probes.probe import Check, Place

_NOT_CALIBRATED_ON = {2, 3}
# What only an operator may write is left out.
_KINDS = {"fact", "user_preference", "finding", "data_quality", "domain_pattern", "summary"}
_LAG = (
    "The orders feed lags by three days.",
    "Orders arrive with a delay of 3 days.",
    "There is a three-day lag in the orders feed.",
    "The orders feed is always three days behind.",
    "Reporting on orders runs 3 days late.",
    "The orders feed has a reporting lag of three days.",
    "Orders show up three days late.",
    "The feed of orders trails by 3 days.",
    "A three day delay affects the orders feed.",
    "The orders data is three days behind.",
)


@cache
def _pairs() -> list[dict[str, Any]]:
    """Labelled pairs of sentences that no threshold was chosen on."""
    for folder in (Path(__file__).parents[1], Path(__file__).parents[2]):
        file = folder / "cases" / "duplicates.jsonl"
        if file.exists():
            rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            return [
                row for row in rows if row["round"] in _NOT_CALIBRATED_ON and row["kind"] in _KINDS
            ]
    raise FileNotFoundError("the labelled pairs are not there")


def duplicates_on_retry(place: Place) -> Iterator[Check]:
    """The same turn, the same statement, twice: once."""
    for number in range(10):
        user = f"retry-{number}"
        turn = place.say(user, "s", f"We have {number} vans.", place.ago(days=3))
        place.say(user, "s", f"We have {number} vans.", place.ago(days=3))
        events = place.items(user, tiers=["episodic"], standing=["asserted"])
        yield Check(len(events) <= 1, f"a turn is there {len(events)} times")
        given: dict[str, Any] = {
            "kind": "fact",
            "text": f"The user has {number} vans.",
            "user_id": user,
            "evidence": [turn],
        }
        made = {place.client.memories.remember(**given).id for _ in range(3)}
        yield Check(len(made) == 1, f"a statement is {len(made)} memories")
        yield Check(len(place.items(user)) == 1, f"{len(place.items(user))} memories are held")


def duplicates_in_other_words(place: Place) -> Iterator[Check]:
    """A paraphrase reinforces what is held."""
    same = [pair for pair in _pairs() if pair["differs"] is None]
    for number, pair in enumerate(_spread(same, place.pairs)):
        one, other = _both(place, f"again-{number}", pair)
        yield Check(one == other, f"{pair['texts'][0]} | {pair['texts'][1]}")


def values_kept_apart(place: Place) -> Iterator[Check]:
    """Another number, date, unit, polarity or name is another memory, however near the rest is."""
    apart = [pair for pair in _pairs() if pair["differs"] is not None]
    for number, pair in enumerate(_spread(apart, 2 * place.pairs)):
        one, other = _both(place, f"apart-{number}", pair)
        yield Check(one != other, f"{pair['differs']}: {pair['texts'][0]} | {pair['texts'][1]}")


def durative_after_recurrence(place: Place) -> Iterator[Check]:
    """Told in ten wordings over three sessions by two users: one memory, durative in the third."""
    sessions = (("lag-ann", "a1"), ("lag-bob", "b1"), ("lag-ann", "a2"))
    for number, text in enumerate(_LAG):
        user, session = sessions[number * len(sessions) // len(_LAG)]
        place.say(user, f"{session}-{number}", text, place.ago(days=9))
        evidence: Any = {"session_id": f"{session}-{number}", "turn": 1, "user_id": user}
        place.client.memories.remember(
            kind="data_quality", text=text, data_source="orders", evidence=[evidence]
        )
    held = [item for item in place.items(None) if item.data_source == "orders"]
    yield Check(len(held) == 1, f"a lag is {len(held)} memories: {[item.text for item in held]}")
    yield Check(all(item.is_durative for item in held), "a lag of three sessions is not durative")


def _spread(pairs: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """So many of them, from the first to the last."""
    if len(pairs) <= most:
        return pairs
    return [pairs[number * len(pairs) // most] for number in range(most)]


def _both(place: Place, user: str, pair: dict[str, Any]) -> tuple[Any, Any]:
    """The memories of two sentences of one user, each from a session of its own."""
    made = []
    for number, text in enumerate(pair["texts"]):
        turn = place.say(user, f"s{number}", text, place.ago(days=9 - number))
        of_org = pair["kind"] == "data_quality"
        evidence: Any = turn
        if of_org:
            evidence = Citation(session_id=f"s{number}", turn=1, user_id=user)
        sourced = pair["kind"] in {"finding", "data_quality", "domain_pattern"}
        result = place.client.memories.remember(
            kind=pair["kind"],
            text=text,
            user_id=None if of_org else user,
            data_source=user if sourced else None,
            evidence=[evidence],
        )
        made.append(result.id)
    return made[0], made[1]
