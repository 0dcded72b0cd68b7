"""The first items of an answer, ordered anew by a model that reads the question with each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from muniment.errors import Fault
from muniment.model_ports import RerankFailed
from muniment.ports import Context

T = TypeVar("T")
_PLACES = 6
_WHY = {
    True: "The reranker was not done in time: the items are in the order without it.",
    False: "The reranker failed: the items are in the order without it.",
}


@dataclass(frozen=True)
class Ordered(Generic[T]):
    """What there was, in its new order, each with its weight; or as it was, and what is wrong."""

    items: Sequence[tuple[T, float | None]]
    warnings: tuple[Fault, ...] = ()


def candidates_for(ctx: Context, k: int) -> int:
    """How many candidates an answer of ``k`` items is chosen from."""
    return k if ctx.reranker is None else max(k, ctx.reranker.first)


async def reranked(
    ctx: Context, question: str, items: Sequence[T], text: Callable[[T], str]
) -> Ordered[T]:
    """The first of the items by their weights, equal ones as they were; the others behind them.

    They are items that may be answered with: the model sees no other text.
    """
    as_they_are = [(item, None) for item in items]
    if ctx.reranker is None or len(items) < 2:
        return Ordered(as_they_are)
    first = items[: ctx.reranker.first]
    try:
        weights = await ctx.reranker.weigh(question, [text(item) for item in first])
    except RerankFailed as failed:
        return Ordered(as_they_are, (Fault("", _WHY[failed.late]),))
    weighed = [(item, round(weight, _PLACES)) for item, weight in zip(first, weights, strict=True)]
    weighed.sort(key=lambda one: -one[1])
    return Ordered([*weighed, *as_they_are[len(first) :]])
