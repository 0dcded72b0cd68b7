"""Half a year of facts: what is not used fades on the day that its importance says."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from math import log2

from muniment.client.models import Item
from muniment_evals.probes.probe import Check, Place, Series

_MONTHS = 6
_MONTH = timedelta(days=30)
# RULES 9: strength halves every eight weeks, below a tenth it is archived, ninety days later over.
_HALF_LIFE, _THRESHOLD, _GRACE, _IMMUNE = timedelta(weeks=8), 0.10, timedelta(days=90), 9
_MARGIN = timedelta(minutes=10)
_SAID = (
    ("fact", None, "saw a heron at lot {}"),
    ("fact", "pet", "a cat called Miso {}"),
    ("fact", "allergy", "nuts of sort {}"),
    ("fact", "city", "Gouda {}"),
)


def decay_on_schedule(place: Place) -> Iterator[Check]:
    """Facts of six months, planted with what they are; foreseen day by day for the next six."""
    with place.another() as client:
        own = Place(client, place.another, place.pairs)
        for month in range(_MONTHS):
            at = own.ago(days=30 * (_MONTHS - month))
            for number, (kind, slot, said) in enumerate(_SAID):
                _plant(own, f"half-year-{month}", kind, slot, said.format(month), at, number)
        pinned = own.remember(kind="fact", text="The user plays the oboe.", user_id="half-year-0")
        client.memories.pin(id=pinned)
        items = [i for month in range(_MONTHS) for i in own.items(f"half-year-{month}")]
        yield Check(len(items) == _MONTHS * len(_SAID) + 1, f"{len(items)} facts are held")
        yield from _foreseen(own, items)


def _foreseen(own: Place, items: list[Item]) -> Iterator[Check]:
    """Each change of the schedule, just before and just after it, and the ends of the months."""
    changes = {end for item in items for end in _ends(item) if end is not None}
    until = [at + by for at in sorted(changes) for by in (-_MARGIN, _MARGIN)]
    until += [own.now + _MONTH * number for number in range(1, 2 * _MONTHS + 1)]
    months: list[tuple[float, float, float]] = []
    for at in until:
        kinds = {row.kind: row for row in own.client.policy.simulate(until=at).kinds}
        fact = kinds["fact"]
        found = (fact.kept, fact.archived, fact.expired)
        wanted = _wanted(items, at)
        yield Check(found == wanted, f"at {at:%Y-%m-%d %H:%M}: {found}, not {wanted}")
        if at in until[-2 * _MONTHS :]:
            months.append((float(found[0]), float(found[1]), float(found[2])))
    lines = dict(zip(("kept", "archived", "over"), zip(*months, strict=True), strict=True))
    labels = [str(number) for number in range(1, 2 * _MONTHS + 1)]
    title = "Facts that nobody uses, by month"
    yield Check(True, "", Series(title, labels, lines, "months from now"))


def _plant(
    own: Place, user: str, kind: str, slot: str | None, said: str, at: datetime, number: int
) -> None:
    if slot is not None:
        own.state(user, slot, said, at, session=f"s{number}")
        return
    turn = own.say(user, f"s{number}", f"I {said}.", at)
    own.remember(kind=kind, text=f"The user {said}.", user_id=user, evidence=[turn])


def _ends(item: Item) -> tuple[datetime | None, datetime | None]:
    """When an item fades, and when it is over; never for what does not."""
    single = item.slot == "city"
    if item.pinned or single or item.importance >= _IMMUNE:
        return None, None
    lasts = max(log2(item.importance / 10 / _THRESHOLD), 0.0) * _HALF_LIFE
    fades = item.recorded_at + lasts
    return fades, fades + _GRACE


def _wanted(items: list[Item], at: datetime) -> tuple[int, int, int]:
    kept = archived = over = 0
    for item in items:
        fades, ends = _ends(item)
        if fades is None or ends is None or at <= fades:
            kept += 1
        elif at < ends:
            archived += 1
        else:
            over += 1
    return kept, archived, over
