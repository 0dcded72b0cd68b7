"""A reranker within its time.

| the model | then |
|---|---|
| gives a weight for each text | these, in the order of the texts |
| is given more texts than it reads at once | a few at a time, all of them |
| takes too long | late; it stops after the few texts that it is at |
| is busy with another call for too long | late, and it never sees the texts |
| raises whatever | failed |
| gives too few weights, or one that is no number | failed |
| after any of these | the next call is weighed |
"""

import asyncio
import math
import threading
from collections.abc import Sequence

import pytest

from muniment.model_ports import RerankFailed
from muniment.providers.reranker import TimedReranker

TEXTS = [f"{'x' * size}" for size in range(1, 11)]


def lengths(question: str, texts: Sequence[str]) -> Sequence[float]:
    return [float(len(text)) for text in texts]


def made(weigh: object, seconds: float = 20.0) -> TimedReranker:
    return TimedReranker("test", weigh, first=10, seconds=seconds)  # type: ignore[arg-type]


async def test_a_weight_for_each_text_a_few_at_a_time() -> None:
    seen: list[int] = []

    def weigh(question: str, texts: Sequence[str]) -> Sequence[float]:
        assert question == "which?"
        seen.append(len(texts))
        return lengths(question, texts)

    assert await made(weigh).weigh("which?", TEXTS) == [float(one) for one in range(1, 11)]
    assert seen == [4, 4, 2]


async def test_one_that_takes_too_long_stops_soon() -> None:
    let_go, calls = threading.Event(), []

    def weigh(question: str, texts: Sequence[str]) -> Sequence[float]:
        calls.append(len(texts))
        let_go.wait(20)
        return lengths(question, texts)

    reranker = made(weigh, seconds=0.05)
    with pytest.raises(RerankFailed) as caught:
        await reranker.weigh("q", TEXTS)
    assert caught.value.late
    # Another call waits for the thread no longer than its own time.
    with pytest.raises(RerankFailed) as caught:
        await reranker.weigh("other", TEXTS)
    assert caught.value.late
    let_go.set()
    await asyncio.get_running_loop().run_in_executor(reranker._thread, lambda: None)
    assert calls == [4]
    assert await reranker.weigh("q", TEXTS[:2]) == [1.0, 2.0]


def raises(question: str, texts: Sequence[str]) -> Sequence[float]:
    raise RuntimeError("of a library")


@pytest.mark.parametrize(
    "weights",
    [[1.0], [math.nan] * 4, [math.inf] * 4],
    ids=["too few", "no number", "endless"],
)
async def test_weights_that_are_none(weights: list[float]) -> None:
    def weigh(question: str, texts: Sequence[str]) -> Sequence[float]:
        return weights

    with pytest.raises(RerankFailed) as caught:
        await made(weigh).weigh("q", TEXTS[:4])
    assert not caught.value.late


async def test_a_model_that_raises() -> None:
    with pytest.raises(RerankFailed) as caught:
        await made(raises).weigh("q", TEXTS)
    assert not caught.value.late
