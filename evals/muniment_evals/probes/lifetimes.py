"""How long things are held and stated as current."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from muniment.errors import NotFound
from muniment_evals.probes.probe import Check, Place

_DAYS = {"user_preference": 365, "finding": 90, "data_quality": 365, "domain_pattern": 180}
_STALE = {"price": (30, "14"), "stock": (1, "118"), "role": (180, "data analyst")}
_MINUTE = timedelta(minutes=1)


def ttl_by_kind(place: Place) -> Iterator[Check]:
    """What is observed lives for the days of its kind, to the second."""
    for kind, days in _DAYS.items():
        life = timedelta(days=days)
        for name, observed in (
            ("alive", place.now - life + 10 * _MINUTE),
            ("over", place.now - life - _MINUTE),
        ):
            user, made = f"ttl-{kind}-{name}", _observed(place, kind, name, observed)
            owner = None if kind == "data_quality" else user
            listed = [i for i in place.items(owner, kinds=[kind]) if i.id == made]
            yield Check(bool(listed) == (name == "alive"), f"{kind}, {name}: listed {len(listed)}")
            yield Check(_there(place, made) == (name == "alive"), f"{kind}, {name}: by its id")
            for item in listed:
                ends = item.expires_at
                yield Check(ends == observed + life, f"{kind} ends {ends}, not {observed + life}")
    made = _observed(place, "fact", "old", place.ago(days=4000))
    yield Check(_there(place, made), "a fact of eleven years ago is gone")


def stale_after(place: Place) -> Iterator[Check]:
    """Past its time a value is marked, before it is not; nobody had to correct it."""
    for slot, (days, value) in _STALE.items():
        for by, stale in ((-0.01, False), (0.01, True)):
            user = f"stale-after-{slot}-{stale}"
            at = place.now - timedelta(days=days) - timedelta(days=by)
            place.state(user, slot, value, at, session="s")
            marks = [item.stale for item in place.items(user) if item.slot == slot]
            yield Check(marks == [stale], f"{slot} after {days + by} days: {marks}")
    place.state("stale-never", "address", "Kade 4", place.ago(days=3000), session="s")
    yield Check(not any(i.stale for i in place.items("stale-never")), "an address is stale")


def pinned_stays(place: Place) -> Iterator[Check]:
    """In ten years' time what is pinned is held; what is not used fades."""
    user = "pinned"
    kept = place.remember(kind="fact", text="The user plays the oboe.", user_id=user)
    place.client.memories.remember(kind="fact", text="The user saw a heron.", user_id=user)
    before = place.client.memories.get(id=kept)
    place.client.memories.pin(id=kept)
    item = place.client.memories.get(id=kept)
    yield Check(item.pinned and not before.pinned, "pinning does not show")
    foreseen: Any = place.client.policy.simulate(until=place.now + timedelta(days=3650))
    facts = {row.kind: row for row in foreseen.kinds}["fact"]
    yield Check(facts.archived + facts.expired >= 1, "nothing fades in ten years")
    yield Check(facts.kept >= 1, "what is pinned fades")


def held_is_kept(place: Place) -> Iterator[Check]:
    """What is forgotten under a legal hold is hidden and kept, and erased with the hold."""
    user = "held"
    place.remember(kind="fact", text="The user keeps bees.", user_id=user)
    hold = place.client.holds.place(user_id=user, reason="Probe.")
    forgotten = place.client.forget(user_id=user)
    yield Check(forgotten.held.get("memory") == 1, "a hold keeps nothing back")
    yield Check(not place.items(user), "what is forgotten under a hold is shown")
    released = place.client.holds.release(hold_id=hold.hold_id, reason="Probe.")
    yield Check(released.counts.get("memory") == 1, "a release erases nothing")
    yield Check(not place.items(user), "what a hold kept comes back")


def _observed(place: Place, kind: str, name: str, at: datetime) -> UUID:
    """The id of a memory of a kind that rests on a turn of that moment."""
    user = f"ttl-{kind}-{name}"
    turn = place.say(user, "s", f"Note {name}: the {kind} feed has a gap on Sundays.", at)
    of_org = kind == "data_quality"
    evidence: Any = turn
    if of_org:
        evidence = {"session_id": "s", "turn": 1, "user_id": user}
    return place.remember(
        kind=kind,
        text=f"The {kind} {name} feed has a gap on Sundays.",
        user_id=None if of_org else user,
        data_source=f"feed-{name}",
        evidence=[evidence],
    )


def _there(place: Place, made: UUID) -> bool:
    try:
        place.client.memories.get(id=made)
    except NotFound:
        return False
    return True
