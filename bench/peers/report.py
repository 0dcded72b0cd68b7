"""What was found, as a table and against the targets."""

import statistics
from collections.abc import Mapping, Sequence

from bench.peers.contenders import KINDS, OURS, Kind
from bench.peers.rounds import Figures

# How often as long as ours a search of theirs takes at the least, in p50.
TIMES = {"LangGraph PostgresStore": 2.0, "mem0, pgvector": 4.0, "Hindsight over HTTP": 30.0}
ONE_BY_ONE = 10.0


def table(found: Mapping[str, Figures], kinds: Sequence[Kind] = KINDS) -> str:
    """Markdown: medians of the rounds, with the least and the most; then what each does not do."""
    lines = [
        "| contender | added a second, one by one | … in batches | search p50, ms | p95, ms | hit@10 | p50 over ours |",
        "|---|---|---|---|---|---|---|",
    ]
    ours = found.get(OURS)
    lines += [_row(one.name, found[one.name], ours) for one in kinds if one.name in found]
    lines += ["", "| contender | what it does not do |", "|---|---|"]
    lines += [f"| {one.name} | {one.lacks} |" for one in kinds if one.name in found and one.lacks]
    return "\n".join(lines)


def _row(name: str, figures: Figures, ours: Figures | None) -> str:
    if figures.failed is not None:
        return f"| {name} | {_plain(figures.failed)} | | | | | |"
    over = "" if ours is None or ours.failed else f"{_median(figures.p50) / _median(ours.p50):.2f}"
    cells = [
        spread(figures.singly, 0),
        spread(figures.batched, 0),
        spread(figures.p50, 1),
        spread(figures.p95, 1),
        f"{figures.hits / figures.asked:.3f}",
        over,
    ]
    return f"| {name} | {' | '.join(cells)} |"


def _plain(text: str) -> str:
    return " ".join(text.replace("|", "/").split())[:160]


def spread(values: Sequence[float], digits: int) -> str:
    """The median, and the least and the most."""
    return f"{_median(values):,.{digits}f} ({min(values):,.{digits}f}–{max(values):,.{digits}f})"


def _median(values: Sequence[float]) -> float:
    return statistics.median(values)


def missed(found: Mapping[str, Figures], kinds: Sequence[Kind] = KINDS) -> list[str]:
    """Targets that the figures miss, and who could not be measured."""
    lost = [f"{name}: {_plain(one.failed)}" for name, one in found.items() if one.failed]
    ours = found.get(OURS)
    if ours is None or ours.failed:
        return lost
    durable = {one.name for one in kinds if one.durable} - {OURS}
    peers = {name: one for name, one in found.items() if name != OURS and not one.failed}
    for name, one in peers.items():
        least = TIMES.get(name, 1.0)
        over = _median(one.p50) / _median(ours.p50)
        if name in durable and over < least:
            lost.append(f"p50 of {name} is {over:.2f} times ours, wanted {least:g}")
    return lost + _missed_adds(ours, peers, durable)


def _missed_adds(ours: Figures, peers: Mapping[str, Figures], durable: set[str]) -> list[str]:
    rate, lost = _median(ours.batched), []
    for name, one in peers.items():
        if name in durable and _median(one.batched) > rate:
            lost.append(
                f"{name} adds {_median(one.batched):,.0f} a second in batches, we {rate:,.0f}"
            )
        if rate < ONE_BY_ONE * _median(one.singly):
            lost.append(
                f"in batches we add {rate / _median(one.singly):.1f} times what {name} adds one by one, wanted {ONE_BY_ONE:g}"
            )
    return lost
