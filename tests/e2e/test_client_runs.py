"""client.run: what the SDK makes of a function that calls a tool.

| the function | then |
|---|---|
| returns | recorded; the second time it is not called |
| raises ToolFailed | recorded as failed, raised again with the same; with retry it is called |
| writes, by a tool that is defined as one that reads | ToolFailed, and it is not called |
| raises anything else | a write is in doubt, a read failed; who calls a writing tool a reading one is not believed |
| changes its arguments | the same call again is the same |
| was called by somebody who recorded bytes | the bytes |
| returns what is no JSON, or too long | recorded as done without a result, ResultNotKept |
| returns what JSON writes otherwise: tuples, names that are numbers | the same at first as when it is replayed |
| is async, for a client that is not; a generator, for both; with another effect than read or write | refused, nothing claimed |
| returns what is yet to be run | TypeError, a write is in doubt |
| is not async, for a client that is | called and recorded |
| is cancelled, before it is done, or while it is recorded | in doubt, or recorded as what it was |
| closes its run | recorded |
| of a run that was taken over | LeaseLost |
| writes, and what the run recalled was superseded | StaleInputs, not called, until acknowledged |
"""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from muniment.client import AsyncClient, Client
from muniment.client.runs import ResultNotKept, ToolFailed, ToolInDoubt, ToolInFlight, waits
from muniment.errors import LeaseLost, StaleInputs
from muniment.testing import Running


class Tool:
    """Counts its calls; raises or returns what it was made with."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.calls = list(answers), 0

    def __call__(self, _arguments: Mapping[str, Any]) -> Any:
        self.calls += 1
        answer = self.answers[min(self.calls, len(self.answers)) - 1]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def later(self, arguments: Mapping[str, Any]) -> Any:
        return self(arguments)


@pytest.fixture
def client(running: Running) -> Any:
    with Client(running.url, running.key) as made:
        made.tools.define(name="writes", effect="write")
        made.tools.define(name="reads", effect="read")
        yield made


def test_a_function_is_called_once(client: Client) -> None:
    tool = Tool({"memo": "CM-1", "ü": [1, None]})
    with client.run(agent_id="a", user_id="u", lease_seconds=600) as run:
        for _ in range(2):
            answer = run.tool("writes", {"n": 1}, effect="write", key="k")(tool)
            assert answer == {"memo": "CM-1", "ü": [1, None]}
        assert tool.calls == 1
        run.checkpoint(stage="one", facts={"memo": "CM-1"}, source="erp", cost_usd="0.1")
        run.checkpoint(facts={"memo": "CM-2"}, open_questions=["Why two?"])
        run_id = run.state.run_id
    with client.run(run_id=run_id, take_over=True) as after:
        assert after.state.step == 2
        assert [one.value for one in after.state.view.committed_facts] == ["CM-2"]
        assert after.tool("writes", {"n": 1}, effect="write", key="k")(tool)["memo"] == "CM-1"
        with pytest.raises(LeaseLost):
            run.checkpoint()
        after.checkpoint()
        assert after.close("success").outcome == "success"
    assert tool.calls == 1


def test_a_function_that_raises(client: Client) -> None:
    with client.run(agent_id="a") as run:
        refused = Tool(ToolFailed({"code": 7}), "done")
        for _ in range(2):
            with pytest.raises(ToolFailed) as told:
                run.tool("writes", {}, effect="write", key="refused")(refused)
            assert told.value.result == {"code": 7}
        assert refused.calls == 1
        again = run.tool("writes", {}, effect="write", key="refused", retry=True)(refused)
        assert (again, refused.calls) == ("done", 2)
        broken = Tool(OSError("reset"), "done")
        with pytest.raises(OSError, match="reset"):
            run.tool("writes", {}, effect="write", key="broken")(broken)
        with pytest.raises(ToolInDoubt):
            run.tool("writes", {}, effect="write", key="broken")(broken)
        assert broken.calls == 1
        client.runs.settle_tool(
            run_id=run.state.run_id, tool="writes", key="broken", happened=False, reason="Looked."
        )
        assert run.tool("writes", {}, effect="write", key="broken")(broken) == "done"
        lost = Tool(OSError("reset"), "found")
        with pytest.raises(OSError, match="reset"):
            run.tool("reads", {}, effect="read", key="lost")(lost)
        assert run.tool("reads", {}, effect="read", key="lost", retry=True)(lost) == "found"


def test_a_tool_that_writes_whatever_its_caller_says(client: Client) -> None:
    broken = Tool(OSError("reset"), "done")
    with client.run(agent_id="a") as run:
        with pytest.raises(OSError, match="reset"):
            run.tool("writes", {}, effect="read", key="k")(broken)
        with pytest.raises(ToolInDoubt):
            run.tool("writes", {}, effect="write", key="k", retry=True)(broken)
    assert broken.calls == 1


def test_a_tool_that_reads_whatever_its_caller_says(client: Client) -> None:
    broken = Tool(OSError("reset"), "done")
    with client.run(agent_id="a") as run:
        for _ in range(3):
            with pytest.raises(ToolFailed):
                run.tool("reads", {}, effect="write", key="k", retry=True)(broken)
        assert broken.calls == 0
        client.tools.define(name="reads", effect="write")
        with pytest.raises(OSError, match="reset"):
            run.tool("reads", {}, effect="write", key="k", retry=True)(broken)
        client.tools.define(name="reads", effect="read")
    assert broken.calls == 1


def test_a_function_that_changes_its_arguments(client: Client) -> None:
    def spoils(arguments: Any) -> str:
        arguments["lines"].append(2)
        return "done"

    asked = {"lines": [1]}
    with client.run(agent_id="a") as run:
        for _ in range(2):
            assert run.tool("writes", asked, effect="write", key="k")(spoils) == "done"
    assert asked == {"lines": [1]}


@pytest.mark.parametrize("status", ["succeeded", "failed"])
def test_what_somebody_else_recorded(client: Client, status: Any) -> None:
    raw = b"CM-1 \xff"
    with client.run(agent_id="a") as run:
        place: dict[str, Any] = {"run_id": run.state.run_id, "tool": "writes", "key": "k"}
        client.runs.claim_tool(**place, arguments={}, fence=run.state.fence)
        client.runs.record_tool(**place, attempt=1, status=status, result=b64encode(raw).decode())
        call = run.tool("writes", {}, effect="write", key="k")
        if status == "succeeded":
            assert call(Tool()) == raw
        else:
            with pytest.raises(ToolFailed) as told:
                call(Tool())
            assert told.value.result == raw


def nested(depth: int) -> Any:
    made: Any = []
    for _ in range(depth):
        made = [made]
    return made


@pytest.mark.parametrize(
    "value", [object(), float("nan"), "x" * (1024 * 1024), nested(100_000)], ids=range(4)
)
def test_what_is_not_kept(client: Client, value: Any) -> None:
    tool = Tool(value)
    with client.run(agent_id="a") as run:
        with pytest.raises(ResultNotKept):
            run.tool("writes", {}, effect="write", key="k")(tool)
        assert run.tool("writes", {}, effect="write", key="k")(tool) is None
    assert tool.calls == 1


async def coroutine(_arguments: Any) -> int:
    return 1


def generator(_arguments: Any) -> Iterator[int]:
    yield 1


async def generator_later(_arguments: Any) -> AsyncIterator[int]:
    yield 1


class Called:
    async def __call__(self, arguments: Any) -> int:
        return await coroutine(arguments)


def hands_on(call: Any) -> Any:
    """A function that one does not tell from any other before it is called."""

    def called(arguments: Any) -> Any:
        return call(arguments)

    return called


ASYNC: list[Any] = [coroutine, partial(coroutine), Called(), Tool().later]
LAZY: list[Any] = [generator, partial(generator), generator_later]


@pytest.mark.parametrize("call", [*ASYNC, *LAZY])
def test_a_function_of_which_nothing_would_run(client: Client, call: Any) -> None:
    with client.run(agent_id="a") as run:
        with pytest.raises(TypeError):
            run.tool("writes", {}, effect="write", key="k")(call)
        assert client.runs.get(run_id=run.state.run_id).tool_results == {}
        assert run.tool("writes", {}, effect="write", key="k")(Tool("done")) == "done"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("call", ASYNC + LAZY)
def test_a_function_that_returns_what_is_yet_to_be_run(client: Client, call: Any) -> None:
    with client.run(agent_id="a") as run:
        for name, status in (("writes", "in_doubt"), ("reads", "failed")):
            effect: Any = name.removesuffix("s")
            with pytest.raises(TypeError):
                run.tool(name, {}, effect=effect, key="k")(hands_on(call))
            kept = client.runs.get(run_id=run.state.run_id).tool_results
            assert kept[f"{name}:k"].status == status


@pytest.mark.parametrize("effect", ["WRITE", "", "writes", None])
async def test_an_effect_that_is_none(running: Running, client: Client, effect: Any) -> None:
    tool = Tool("done")
    with client.run(agent_id="a") as run:
        with pytest.raises(ValueError, match="effect"):
            run.tool("reads", {}, effect=effect, key="k")(tool)
        async with AsyncClient(running.url, running.key) as other, other.run(agent_id="a") as more:
            with pytest.raises(ValueError, match="effect"):
                await more.tool("reads", {}, effect=effect, key="k")(tool.later)
    assert tool.calls == 0


@pytest.mark.parametrize(
    "value", [{1: "a"}, {"t": (1, (2,))}, {True: None, None: 1.0}, {1: "a", "1": "b"}, "\ud800"]
)
def test_what_is_returned_at_first_is_what_is_replayed(client: Client, value: Any) -> None:
    tool = Tool(value)
    with client.run(agent_id="a") as run:
        first, again = (run.tool("writes", {}, effect="write", key="k")(tool) for _ in range(2))
    assert (repr(first), tool.calls) == (repr(again), 1)


def test_a_function_that_closes_its_run(client: Client) -> None:
    with client.run(agent_id="a") as run:

        def closes(_arguments: Any) -> str:
            return run.close("partial").outcome

        for _ in range(2):
            assert run.tool("writes", {}, effect="write", key="k")(closes) == "partial"


def test_a_call_within_the_same_call(client: Client) -> None:
    with client.run(agent_id="a") as run:

        def again(_arguments: Mapping[str, Any]) -> Any:
            with pytest.raises(ToolInFlight):
                run.tool("writes", {}, effect="write", key="k")(Tool(1))
            return "once"

        assert run.tool("writes", {}, effect="write", key="k")(again) == "once"


async def test_the_same_for_asyncio(running: Running, client: Client) -> None:
    async with AsyncClient(running.url, running.key) as other:
        tool, broken = Tool("done"), Tool(OSError("reset"))
        async with other.run(agent_id="a", user_id="u") as run:
            for _ in range(2):
                call = run.tool("writes", {"n": 1}, effect="write", key="k")
                assert await call(tool.later) == "done"
            with pytest.raises(ToolFailed):
                await run.tool("writes", {}, effect="write", key="no")(Tool(ToolFailed()).later)
            with pytest.raises(OSError, match="reset"):
                await run.tool("writes", {}, effect="write", key="b")(broken.later)
            with pytest.raises(ToolInDoubt):
                await run.tool("writes", {}, effect="write", key="b")(broken.later)
            await run.checkpoint(facts={"a": 1})
            await run.checkpoint(facts={"a": 2})
            assert (await run.close("partial")).outcome == "partial"
        view = await other.runs.get(run_id=run.state.run_id)
        assert [one.value for one in view.committed_facts] == [2]
    assert (tool.calls, broken.calls) == (1, 1)


async def test_what_an_async_client_calls(running: Running, client: Client) -> None:
    async with AsyncClient(running.url, running.key) as other, other.run(agent_id="a") as run:
        for number, call in enumerate([*ASYNC[:3], Tool(1), hands_on(coroutine)]):
            for _ in range(2):
                made = run.tool("writes", {}, effect="write", key=str(number))
                assert await made(call) == 1
        for call in LAZY:
            with pytest.raises(TypeError):
                await run.tool("writes", {}, effect="write", key="lazy")(call)
        kept = (await other.runs.get(run_id=run.state.run_id)).tool_results
        assert {one.status for one in kept.values()} == {"succeeded"}
        assert len(kept) == 5


@pytest.mark.parametrize(
    ("answer", "status"), [("done", "succeeded"), (ToolFailed("no"), "failed"), (None, "in_doubt")]
)
async def test_a_call_that_is_cancelled(
    running: Running, client: Client, answer: Any, status: str
) -> None:
    async with AsyncClient(running.url, running.key) as other, other.run(agent_id="a") as run:
        begun, telling = asyncio.Event(), asyncio.Event()
        record = other.runs.record_tool

        async def slowly(**told: Any) -> Any:
            telling.set()
            await asyncio.sleep(0.1)
            return await record(**told)

        async def call(_arguments: Any) -> Any:
            begun.set()
            if answer is None:
                await asyncio.sleep(600)
            if isinstance(answer, BaseException):
                raise answer
            return answer

        other.runs.record_tool = slowly  # type: ignore[method-assign]
        task = asyncio.ensure_future(run.tool("writes", {}, effect="write", key="k")(call))
        await (begun if answer is None else telling).wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (kept,) = (await other.runs.get(run_id=run.state.run_id)).tool_results.values()
        assert kept.status == status


def test_pauses_grow_and_end() -> None:
    assert sum(waits(30.0)) == pytest.approx(30.0)
    assert list(waits(0)) == []


async def test_what_a_run_recalled_is_superseded(client: Client, running: Running) -> None:
    told: dict[str, Any] = {"kind": "fact", "user_id": "ina", "slot": "city"}
    client.memories.remember(**told, text="Ina lives in Gouda.", value="Gouda")
    tool = Tool("done")
    async with AsyncClient(running.url, running.key) as other:
        with client.run(agent_id="a", user_id="ina", strict=True) as run:
            (held,) = run.recall("Where does Ina live?").items
            client.memories.remember(**told, text="Ina lives in Breda.", value="Breda")
            with pytest.raises(StaleInputs):
                run.tool("writes", {}, effect="write", key="k")(tool)
            with pytest.raises(StaleInputs):
                run.checkpoint()
            assert tool.calls == 0
            run.acknowledge(held.id)
            assert run.tool("writes", {}, effect="write", key="k")(tool) == "done"
            assert run.checkpoint().stale_inputs == ()
            assert run.recall("Where is Ina?", step=7, k=1).items
        async with other.run(run_id=run.state.run_id, take_over=True) as after:
            assert [item.value for item in (await after.recall("Where is Ina?")).items] == ["Breda"]
            client.memories.remember(**told, text="Ina lives in Delft.", value="Delft")
            with pytest.raises(StaleInputs):
                await after.checkpoint()
            (stale,) = (await other.runs.get(run_id=run.state.run_id)).stale_inputs
            await after.acknowledge(stale.id)
            await after.checkpoint()
