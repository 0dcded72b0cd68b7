"""What of the candidates of a context is in its text, and why the others are not."""

from collections.abc import Mapping, Sequence
from functools import partial
from uuid import UUID

from muniment.domain.assembly import REQUIRED, Packed, Part, Section, TooSmall, pack
from muniment.domain.context_text import foot, head, preface
from muniment.domain.fence import Fence
from muniment.domain.same_words import Place, Saying, said_again
from muniment.errors import Fault, InvalidInput
from muniment.operations.context_items import Candidate, DroppedItem, Gathered
from muniment.operations.context_parts import Parts
from muniment.ports import Context
from muniment.records.apart import worked_out
from muniment.records.fences import fence_of
from muniment.records.profiles import contested_values

Shown = dict[Section, list[Candidate]]
"""The items that are in, by section, in the order of the text."""


async def packed_within(parts: Parts) -> tuple[Packed, Shown]:
    """What fits, by the policy's order and shares; the others are dropped. Raises InvalidInput
    where required workarounds do not fit.
    """
    ctx, gathered = parts.ctx, parts.gathered
    otherwise = await _said_otherwise(ctx, gathered)
    names = [name for name in ctx.policy.context.order if gathered.sections.get(name)]
    fence = fence_of(ctx, parts.asked.run_id)
    length = sum(len(one.item.text) for name in names for one in gathered.sections[name])
    try:
        packed, twice = await worked_out(length, partial(_packed, parts, names, fence, otherwise))
    except TooSmall as error:
        raise InvalidInput(
            "The required workarounds do not fit into the budget, and are not cut.",
            faults=[Fault("/budget", f"at least {error.needed} tokens are needed")],
            extra={"needed": error.needed},
        ) from None
    shown = _shown(gathered, names, packed, twice)
    _moved_since(parts)
    return packed, shown


async def _said_otherwise(ctx: Context, gathered: Gathered) -> dict[UUID, str]:
    """What is said instead of items, by the memory that says it."""
    contesting: dict[UUID, list[UUID]] = {}
    for one in (one for told in gathered.sections.values() for one in told):
        contesting.setdefault(one.scope_id, []).extend(one.item.contested_by)
    values: dict[UUID, str] = {}
    for scope_id, ids in contesting.items():
        values |= await contested_values(ctx, scope_id, ids)
    return values


def _packed(
    parts: Parts, names: Sequence[Section], fence: Fence, otherwise: Mapping[UUID, str]
) -> tuple[Packed, Mapping[Place, Place]]:
    """What fits, and which items are out for their words, each with the one that says them too."""
    ctx, sections = parts.ctx, parts.gathered.sections
    lines = [[_line(one, otherwise) for one in sections[name]] for name in names]
    sayings = [
        Saying(one.item.text, one.item.trust, (at, place), required=name == REQUIRED)
        for at, name in enumerate(names)
        for place, one in enumerate(sections[name])
        if one.item.tier != "run"
    ]
    missed: set[Place] = set()
    while True:
        twice = said_again(sayings, missed)
        packed = pack(
            preface(fence),
            [
                Part(
                    section=name,
                    head=head(name, fence),
                    foot=foot(fence),
                    lines=lines[at],
                    share=ctx.policy.context.shares.get(name, 0.0),
                    places=[one.place for one in sections[name]],
                    out={place for section, place in (*twice, *missed) if section == at},
                )
                for at, name in enumerate(names)
            ],
            parts.budget,
            ctx.tokens.count,
        )
        # Of what has no room the same words may stand elsewhere.
        kept = {(at, place) for at, places in enumerate(packed.kept) for place in places}
        without_room = {by for by in twice.values() if by not in kept}
        if not without_room:
            return packed, twice
        missed |= without_room


def _line(one: Candidate, otherwise: Mapping[UUID, str]) -> str:
    said = [otherwise[other] for other in one.item.contested_by if other in otherwise]
    return one.line(list(dict.fromkeys(said)))


def _shown(
    gathered: Gathered,
    names: Sequence[Section],
    packed: Packed,
    twice: Mapping[Place, Place],
) -> Shown:
    shown: Shown = {}
    for at, (name, places) in enumerate(zip(names, packed.kept, strict=True)):
        told = gathered.sections[name]
        shown[name] = [told[place] for place in places]
        for place in sorted(set(range(len(told))) - set(places)):
            item, other = told[place].item, twice.get((at, place))
            if other is None:
                gathered.drop(name, item.id, item.tier, "budget")
            else:
                by = gathered.sections[names[other[0]]][other[1]].item.id
                gathered.drop(name, item.id, item.tier, "duplicate", by)
    for name, candidates in shown.items():
        for one in candidates:
            for contesting in one.item.contested_by:
                gathered.drop(name, contesting, one.item.tier, "contested", one.item.id)
    return shown


def _moved_since(parts: Parts) -> None:
    """What the run recalled before and does not hold any more is out, and says why."""
    for row in parts.stale:
        section: Section = "facts" if row.tier == "semantic" else "interactions"
        section = "knowledge" if row.tier == "knowledge" else section
        by = row.superseded_by or next(iter(row.contested_by), None)
        parts.gathered.drop(section, row.id, row.tier, row.why, by)


def dropped_by(
    parts: Parts, shown: Mapping[Section, Sequence[Candidate]]
) -> tuple[DroppedItem, ...]:
    """Each item that is out once, with the first reason; what is in is not out."""
    inside = {one.item.id for told in shown.values() for one in told if one.item.tier != "run"}
    dropped: dict[UUID, DroppedItem] = {}
    runs: list[DroppedItem] = []
    for one in parts.gathered.dropped:
        if one.tier == "run":
            runs.append(one)
        elif one.id not in inside:
            dropped.setdefault(one.id, one)
    return (*dropped.values(), *runs)
