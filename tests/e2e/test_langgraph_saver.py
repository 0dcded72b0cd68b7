"""``MunimentSaver`` against the suite of checkpointers, and beside the one that ships in memory.

| what | then |
|---|---|
| LangGraph's own suite | every capability is there, and all of it passes |
| any history of checkpoints, forks, writes; namespaces, filters, limits | as the saver in memory answers |
| names that are none, too long, broken | InvalidInput, whichever method; nothing is stored |
| a text in the place of a list of names; a number as a name | InvalidInput; its digits, in every method |
| any value: NUL, NaN, bytes, megabytes | comes back as it was |
| a value of more than 64 MiB | TooLarge |
| a piece that was cleared away while the others were on their way | it is sent again |
| tasks that write at once, before their checkpoint is there | nothing is lost, each place once |
| a checkpoint that is put again | the same; with other content, that |
| a value of a channel that stays | is sent and kept once |
"""

import asyncio
import math
from collections.abc import AsyncGenerator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import ALL_CAPABILITIES, DetectedCapabilities
from langgraph.checkpoint.memory import InMemorySaver

from muniment.client import Client
from muniment.errors import InvalidInput, NotFound, TooLarge
from muniment.langgraph import MunimentSaver
from muniment.langgraph.thread_values import MAX_PIECE_BYTES, MAX_PIECES, pack
from muniment.testing import Running
from tests.e2e.graphs import checkpoint, config

pytestmark = pytest.mark.long

SPACES = ["", "a", "ab", "%", "_", "a.b", "a|b:1", "é", "' OR 1=1--"]
FILTERS: list[dict[str, Any] | None] = [
    None, {}, {"source": "loop"}, {"step": 1}, {"step": 1.0}, {"parents": {}}, {"source": "%"},
    {"source": "loop", "step": 2}, {"absent": None}, {"step": [1]}, {"parents": {"a": "b"}},
    {"source' OR 1=1--": "x"}, {"source": {"$ne": "loop"}},
]  # fmt: skip


@pytest.fixture(scope="module")
def admin(running: Running) -> Iterator[Client]:
    with (
        Client(running.url, running.key) as installation,
        Client(running.url, installation.tenants.create(name="graphs").key.secret) as client,
    ):
        yield client


@pytest.fixture
def saver(admin: Client) -> MunimentSaver:
    return MunimentSaver(admin, user_id="sanne")


async def test_the_suite_of_checkpointers(saver: MunimentSaver) -> None:
    @checkpointer_test(name="MunimentSaver")
    async def made() -> AsyncGenerator[Any, None]:
        yield saver

    report = await validate(made)
    failed = {name: one.failures for name, one in report.results.items() if one.failures}
    assert failed == {}
    detected = DetectedCapabilities.from_instance(saver)
    assert detected.detected == ALL_CAPABILITIES
    assert type(saver).aget_delta_channel_history.__module__ == "muniment.langgraph.saver"
    assert {one for one in report.results if report.results[one].passed} == {
        capability.value for capability in ALL_CAPABILITIES
    }


def plain(found: CheckpointTuple | None) -> Any:
    """A tuple as it is compared."""
    if found is None:
        return None
    parent = found.parent_config and found.parent_config["configurable"]
    named = {**found.config["configurable"]}
    return named, found.checkpoint, found.metadata, parent, found.pending_writes


step = st.fixed_dictionaries(
    {
        "what": st.sampled_from(["put", "put", "writes", "get", "list", "delete"]),
        "ns": st.sampled_from(SPACES),
        "at": st.integers(1, 5),
        "parent": st.none() | st.integers(1, 5),
        "channels": st.lists(st.sampled_from("abc"), unique=True),
        "filter": st.sampled_from(FILTERS),
        "limit": st.none() | st.integers(0, 3),
        "task": st.sampled_from(["t", "u"]),
        "any_space": st.booleans(),
    }
)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(step, min_size=4, max_size=14), thread=st.uuids())
def test_as_the_saver_in_memory(saver: MunimentSaver, steps: list[Any], thread: Any) -> None:
    both = (InMemorySaver(), saver)
    for number, one in enumerate(steps):
        answers = [_step(each, one, number, str(thread)) for each in both]
        assert answers[0] == answers[1], one
    saver.delete_thread(str(thread))


def _step(saver: Any, one: Mapping[str, Any], number: int, thread: str) -> Any:
    ns, name = one["ns"], f"{one['at']:04}"
    if one["what"] == "put":
        versions = dict.fromkeys(one["channels"], f"{number:04}")
        values = {channel: [channel, number, "x" * number] for channel in one["channels"][:2]}
        parent = None if one["parent"] is None else f"{one['parent']:04}-of"
        metadata: Any = {
            "source": "loop" if number % 2 else "input",
            "step": number % 3,
            "parents": {},
        }
        made = checkpoint(name, values, versions)
        return saver.put(config(thread, ns, parent), made, metadata, versions)
    if one["what"] == "writes":
        writes = [(channel, [number]) for channel in [*one["channels"], "__error__"]]
        return saver.put_writes(config(thread, ns, name), writes, one["task"], f"path {number % 2}")
    if one["what"] == "get":
        named = name if one["any_space"] else None
        return plain(saver.get_tuple(config(thread, ns, named)))
    if one["what"] == "delete":
        return saver.delete_thread(thread) if number % 3 == 0 else None
    at = config(thread, ns)
    if one["any_space"]:
        del at["configurable"]["checkpoint_ns"]
    before = None if one["parent"] is None else config(thread, ns, f"{one['parent']:04}")
    # The one in memory lists graph by graph; which come first is left to each.
    limit = None if one["any_space"] else one["limit"]
    found = [
        plain(each) for each in saver.list(at, filter=one["filter"], before=before, limit=limit)
    ]
    return sorted(found, key=str) if one["any_space"] else found


HOSTILE = ["a\x00b", "\ud800", "x\udfffy", "zero\u200bwidth", "\u202e", "\ufffd"]


@pytest.mark.parametrize("name", [*HOSTILE, " ", "", "x" * 257, "é" * 129])
def test_names_that_are_none(saver: MunimentSaver, admin: Client, name: str) -> None:
    made = checkpoint("1", {}, {})
    tries: list[Any] = [
        lambda: saver.put(config(name), made, {}, {}),
        lambda: saver.put(config("hostile"), made | {"id": name}, {}, {}),
        lambda: saver.put(
            config("hostile"), checkpoint("1", {name: 1}, {name: "1"}), {}, {name: "1"}
        ),
        lambda: saver.put_writes(config(name, "", "1"), [("c", 1)], "t"),
        lambda: saver.put_writes(config("hostile", "", "1"), [(name, 1)], "t"),
        lambda: saver.put_writes(config("hostile", "", "1"), [("c", 1)], name),
        lambda: saver.delete_thread(name),
        lambda: saver.delete_for_runs([name]),
        lambda: saver.prune([name]),
        lambda: saver.copy_thread(name, "other"),
        lambda: saver.get_delta_channel_history(config=config("hostile"), channels=[name]),
        lambda: list(saver.list(config("hostile"), before=config("hostile", "", name or " "))),
        lambda: saver.get_tuple(config(name)),
    ]
    for attempt in tries:
        with pytest.raises(InvalidInput):
            attempt()
    assert not admin.threads.list(user_id="sanne", thread_id="hostile").items


def test_a_text_is_no_list_of_names(saver: MunimentSaver) -> None:
    for name in "ab":
        saver.put(config(name), checkpoint("1", {}, {}), {"run_id": name}, {})
    wrong: Any = "ab"
    tries: list[Any] = [
        lambda: saver.prune(wrong, strategy="delete"),
        lambda: saver.delete_for_runs(wrong),
        lambda: list(saver.list(None, filter=wrong)),
    ]
    for attempt in tries:
        with pytest.raises(InvalidInput):
            attempt()
    assert all(saver.get_tuple(config(name)) for name in "ab")


def test_a_number_names_a_thread_everywhere(saver: MunimentSaver) -> None:
    number: Any = 5
    saver.put(config(number), checkpoint("1", {}, {}), {}, {})
    saver.copy_thread(number, "six")
    saver.delete_thread(number)
    assert saver.get_tuple(config("5")) is None
    assert saver.get_tuple(config("six"))


@pytest.mark.parametrize("ns", [*HOSTILE, " ", "x" * 1025])
def test_namespaces_that_are_none(saver: MunimentSaver, ns: str) -> None:
    for attempt in (
        lambda: saver.put(config("hostile", ns), checkpoint("1", {}, {}), {}, {}),
        lambda: saver.put_writes(config("hostile", ns, "1"), [("c", 1)], "t"),
        lambda: saver.get_tuple(config("hostile", ns)),
    ):
        with pytest.raises(InvalidInput):
            attempt()


def test_a_channel_in_another_normal_form(saver: MunimentSaver) -> None:
    with pytest.raises(InvalidInput, match="normal form"):
        saver.put_writes(config("forms", "", "1"), [("e\u0301", 1)], "t")


VALUES: list[Any] = [
    None, "", "a\x00b", b"", b"\x00\xff", [math.inf, -math.inf], {"k": {"nested": [1, None]}},
    "😀" * 100_000, b"\x01" * (3 * 1024 * 1024 + 7), ["x" * 1000] * 3000,
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda one: f"{type(one).__name__}")
def test_any_value_comes_back(saver: MunimentSaver, value: Any) -> None:
    thread = f"values {VALUES.index(value)}"
    at = saver.put(config(thread), checkpoint("1", {"c": value}, {"c": "1"}), {}, {"c": "1"})
    saver.put_writes(at, [("c", value)], "t")
    found = saver.get_tuple(config(thread))
    assert found is not None
    assert found.checkpoint["channel_values"] == {"c": value}
    assert found.pending_writes == [("t", "c", value)]
    saver.copy_thread(thread, f"{thread} copy")
    copied = saver.get_tuple(config(f"{thread} copy"))
    assert copied is not None
    assert copied.checkpoint == found.checkpoint


def test_a_number_that_is_none(saver: MunimentSaver) -> None:
    metadata: Any = {"score": math.nan, "source": "loop"}
    saver.put(config("nan"), checkpoint("1", {"c": math.nan}, {"c": "1"}), metadata, {"c": "1"})
    (found,) = saver.list(config("nan"), filter={"source": "loop"})
    assert math.isnan(found.checkpoint["channel_values"]["c"])
    assert math.isnan(found.metadata["score"])  # type: ignore[typeddict-item]
    with pytest.raises(InvalidInput):
        list(saver.list(config("nan"), filter={"score": math.nan}))


def test_a_value_that_is_too_large() -> None:
    with pytest.raises(TooLarge):
        pack([("bytes", bytes(MAX_PIECE_BYTES * MAX_PIECES + 1))])


def test_many_values_that_are_large_together(saver: MunimentSaver) -> None:
    values = {f"c{number}": bytes([number]) * 60_000 for number in range(90)}
    versions: dict[str, str | int | float] = dict.fromkeys(values, "1")
    at = saver.put(config("many"), checkpoint("1", values, versions), {}, versions)
    saver.put_writes(at, [*values.items()], "t")
    found = saver.get_tuple(at)
    assert found is not None
    assert found.checkpoint["channel_values"] == values
    assert found.pending_writes == [("t", name, value) for name, value in values.items()]


def test_a_piece_that_was_cleared_away(saver: MunimentSaver, admin: Client) -> None:
    large = b"".join(bytes([number]) * MAX_PIECE_BYTES for number in range(6))
    put, calls = admin.threads.put, []

    def once_cleared(**given: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            saver.delete_thread("cleared")
        return put(**given)

    admin.threads.put = once_cleared  # type: ignore[method-assign]
    try:
        at = saver.put(config("cleared"), checkpoint("1", {"c": large}, {"c": "1"}), {}, {"c": "1"})
    finally:
        admin.threads.put = put  # type: ignore[method-assign]
    found = saver.get_tuple(at)
    assert found is not None
    assert found.checkpoint["channel_values"] == {"c": large}
    assert len(calls) == 2


def test_tasks_that_write_at_once(saver: MunimentSaver) -> None:
    at = config("at once", "", "1")

    def write(number: int) -> None:
        saver.put_writes(
            at, [("a", number % 4), ("b", "same"), ("__error__", "e")], f"t{number % 4}"
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(16)))
        pool.submit(saver.put, config("at once"), checkpoint("1", {}, {}), {}, {}).result()
    found = saver.get_tuple(config("at once"))
    assert found is not None
    expected = [
        (f"t{task}", channel, value)
        for task in range(4)
        for channel, value in (("__error__", "e"), ("a", task), ("b", "same"))
    ]
    assert found.pending_writes == expected


def test_a_checkpoint_that_is_put_again(saver: MunimentSaver) -> None:
    first = checkpoint("1", {"c": 1}, {"c": "1"})
    for made in (
        first,
        first,
        first | {"channel_versions": {"d": "2"}, "channel_values": {"d": 2}},
    ):
        saver.put(config("again"), made, {"step": 1}, made["channel_versions"])
    (found,) = saver.list(config("again"))
    assert found.checkpoint["channel_values"] == {"d": 2}


def test_a_copy_of_nothing(saver: MunimentSaver) -> None:
    with pytest.raises(NotFound):
        saver.copy_thread("there is none", "other")


def test_pages_of_every_thread(admin: Client) -> None:
    saver = MunimentSaver(admin, user_id="pages", namespace="apart")
    for number in range(25):
        saver.put(
            config(f"t{number % 3}", f"{number % 2 or ''}"),
            checkpoint(f"{number:02}", {}, {}),
            {},
            {},
        )
    found = [one.checkpoint["id"] for one in saver.list(None)]
    assert found == [f"{number:02}" for number in reversed(range(25))]
    assert [one.checkpoint["id"] for one in saver.list(None, limit=12)] == found[:12]


def test_async_calls_in_loops_of_their_own(saver: MunimentSaver) -> None:
    made = checkpoint("1", {}, {})
    asyncio.run(saver.aput(config("loops"), made, {}, {}))
    assert asyncio.run(saver.aget_tuple(config("loops"))) is not None
