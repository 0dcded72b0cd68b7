"""Taking back (RULES 5): a retraction closes a window, a replacement ends what it names.

Pure, as ``reconcile`` is: under the scope's lock the caller applies the plan.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from muniment.domain.memory import Version
from muniment.domain.reconcile import Candidate, Plan, Remainder
from muniment.domain.slot import Slot
from muniment.domain.timeline import Window, without
from muniment.domain.trust import may_displace, rank


def retract(
    candidate: Candidate, meant: Sequence[Version], held: Sequence[Version], slot: Slot | None
) -> Plan | None:
    """Close what is meant at ``candidate.valid_from``; None if nothing of it holds from then on.

    A lower grade closes nothing. What had not begun by then gives its window back to what it would
    have taken it from, found in ``held``.
    """
    at = candidate.valid_from
    authority = "user" if slot is None else slot.authority
    open_then = [version for version in meant if _goes_on(version, at)]
    asserted = [version for version in open_then if version.standing == "asserted"]
    above = [one for one in asserted if not may_displace(candidate.trust, one.trust, authority)]
    if above:
        best = min(above, key=lambda version: rank(version.trust, authority))
        return Plan(
            "rejected",
            "lower_grade_never_retracts",
            reinforces=best.memory_id,
            incumbent=best.memory_id,
        )
    over = [one for one in open_then if may_displace(candidate.trust, one.trust, authority)]
    if not over:
        return None
    cut = [
        Remainder(v, Window(v.valid.start, at), retracted=True) for v in over if v.valid.start < at
    ]
    back = _given_back([version for version in over if version in asserted], held, at)
    first = (asserted or over)[0]
    plan = Plan(
        "retracted",
        "retraction",
        ends=(*over, *(one.of for one in back)),
        remainders=(*cut, *back),
        reinforces=first.memory_id,
        incumbent=first.memory_id,
    )
    return freeing(plan, held, slot)


def freeing(plan: Plan, held: Sequence[Version], slot: Slot | None) -> Plan:
    """The plan with what was contested and has nothing against it where the plan leaves nothing.

    Of several that exclude each other the highest grade comes first, then the one stated last.
    """
    if slot is None or slot.cardinality == "many":
        return plan
    stays = [one.valid for one in plan.remainders if one.of.standing == "asserted"]
    stays += [one.valid for one in held if one.standing == "asserted" and one not in plan.ends]
    stays += plan.windows if plan.standing == "asserted" else ()
    left = [
        part
        for one in plan.ends
        if one.standing == "asserted"
        for part in without([one.valid], stays)
    ]
    ends, remainders = list(plan.ends), list(plan.remainders)
    for version in in_order_of_grade(held, slot):
        if version in ends:
            continue
        rest = without([version.valid], left)
        freed = without([version.valid], rest)
        if freed:
            ends.append(version)
            remainders += [Remainder(version, part, freed=True) for part in freed]
            remainders += [Remainder(version, part) for part in rest]
            left = without(left, freed)
    return replace(plan, ends=tuple(ends), remainders=tuple(remainders))


def in_order_of_grade(held: Sequence[Version], slot: Slot) -> list[Version]:
    """What is contested: the highest grade first, then the one stated last."""
    contested = [version for version in held if version.standing == "contested"]
    return sorted(
        contested,
        key=lambda one: (
            rank(one.trust, slot.authority),
            -one.recorded.start.timestamp(),
            one.valid.start,
            str(one.value_key),
        ),
    )


def replace_named(candidate: Candidate, meant: Sequence[Version]) -> Plan:
    """The one memory that a statement without a slot names gives way to it.

    None or several named, or one of a higher grade: it stands beside, contested.
    """
    window = Window(candidate.valid_from, candidate.valid_to)
    memories = dict.fromkeys(version.memory_id for version in meant)
    if len(memories) != 1:
        return Plan("contested", "names_no_one_memory", standing="contested", window=window)
    incumbent = next(iter(memories))
    if not all(may_displace(candidate.trust, version.trust) for version in meant):
        return stands_beside(candidate, incumbent, "lower_grade_never_displaces")
    over = [version for version in meant if version.valid.overlaps(window)]
    return Plan(
        "superseded",
        "replaces_named",
        window=window,
        ends=tuple(over),
        remainders=tuple(
            Remainder(version, part, superseded=part.end == window.start)
            for version in over
            for part in version.valid.minus(window)
        ),
        incumbent=incumbent,
    )


def stands_beside(candidate: Candidate, incumbent: UUID, rule: str) -> Plan:
    """A statement that may not end what it is about: it is there too, contested."""
    window = Window(candidate.valid_from, candidate.valid_to)
    return Plan("contested", rule, standing="contested", window=window, incumbent=incumbent)


def undisputed(held: Sequence[Version], slot: Slot) -> list[Version]:
    """Contested versions of a (subject, slot) that nothing stands against any more.

    Of several that exclude each other the highest grade comes first, then the one stated last.
    """
    standing = [version for version in held if version.standing == "asserted"]
    found: list[Version] = []
    for version in in_order_of_grade(held, slot):
        against = [one for one in (*standing, *found) if one.valid.overlaps(version.valid)]
        if slot.cardinality == "many" or not against:
            found.append(version)
    return found


def _goes_on(version: Version, at: datetime) -> bool:
    quarantined = version.standing == "quarantined"
    return not quarantined and (version.valid.end is None or version.valid.end > at)


def _given_back(over: Sequence[Version], held: Sequence[Version], at: datetime) -> list[Remainder]:
    """What other values get back of windows that had not begun: one that follows on another of
    them gives its own to what was before the first.
    """
    found: list[Remainder] = []
    ordered = sorted(over, key=lambda version: version.valid.start)
    for first in ordered:
        if first.valid.start < at or any(one.valid.end == first.valid.start for one in ordered):
            continue
        end = first.valid.end
        for following in ordered:
            if end is not None and following.valid.start == end:
                end = following.valid.end
        found += [
            Remainder(one, Window(one.valid.start, end))
            for one in held
            if one not in over
            and (one.value_key is None or one.value_key != first.value_key)
            and one.standing == "asserted"
            and one.valid.end == first.valid.start
            and one.superseded_by == first.memory_id
        ]
    return found
