"""A session of ADK that is added again, whole or its latest events, on a real service.

| given | when it is added again | then |
|---|---|---|
| a withdrawn event | whole, longer, its latest events | it ends, and the event stays withdrawn |
| an event that was forgotten: first, in the middle, last, all | whole, its latest events, with new ones | it stays forgotten, and what is new is there, in order |
| more events than were added | its latest ones | each once, in order |
| turns of somebody else at their places | whole, longer | each once, none of one turn |
| times that are none | | written, once |
| ids with NUL, a surrogate, a secret, an endless one; such as the version before kept them | thrice | each once |
| a service that refuses every turn as taken | | TurnConflict, after a few calls |
| an id that is no text | is deleted | InvalidInput |
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio
from google.adk.events.event import Event as AgentEvent
from google.adk.sessions.session import Session
from google.genai import types

from muniment import AsyncClient
from muniment.adk import MunimentMemory
from muniment.client.models import Event
from muniment.errors import Fault, InvalidInput, TurnConflict
from muniment.testing import Running, new_tenant

pytestmark = pytest.mark.long

TEXTS = [f"We deploy number {at} to eu-west-{at}." for at in range(8)]
PLACE: dict[str, Any] = {"user_id": "nora", "session_id": "s", "namespace": "desk"}
BEGUN = 1_760_000_000.0


@pytest_asyncio.fixture
async def memory(running: Running) -> AsyncIterator[AsyncClient]:
    """The admin of a fresh tenant."""
    async with AsyncClient(running.url, new_tenant(running)) as client:
        yield client


def event(text: str, name: str, at: float) -> AgentEvent:
    said = types.Content(role="user", parts=[types.Part(text=text)])
    return AgentEvent(id=name, author="user", timestamp=at, content=said)


def events(texts: Sequence[str]) -> list[AgentEvent]:
    return [event(text, f"e{at}", BEGUN + at) for at, text in enumerate(texts)]


async def add(memory: AsyncClient, some: Sequence[AgentEvent]) -> None:
    whole = Session(id="s", app_name="desk", user_id="nora", events=list(some))
    await asyncio.wait_for(MunimentMemory(memory).add_session_to_memory(whole), 30)


async def said(memory: AsyncClient) -> list[str]:
    return [one.content for one in (await memory.events.list(limit=200, **PLACE)).items]


ASKS = "Don't remember that."


@pytest.mark.parametrize("start", [0, 1, 2])
async def test_withdrawn_stays_withdrawn(memory: AsyncClient, start: int) -> None:
    some = events([TEXTS[0], "My cat is called Rex.", ASKS])
    await add(memory, some)
    for _ in range(2):
        await add(memory, some[start:])
    assert await said(memory) == [TEXTS[0], "", ASKS]
    longer = [*some, event(TEXTS[3], "e3", BEGUN + 3)]
    for _ in range(2):
        await add(memory, longer[start:])
    assert await said(memory) == [TEXTS[0], "", ASKS, TEXTS[3]]
    kept = MunimentMemory(memory)
    await kept.add_events_to_memory(
        app_name="desk", user_id="nora", session_id="s", events=longer[1:2]
    )
    assert await said(memory) == [TEXTS[0], "", ASKS, TEXTS[3]]


def fresh(number: int) -> list[AgentEvent]:
    now = datetime.now(UTC).timestamp() + 30
    return [event(f"New is {at}.", f"n{at}", now + at) for at in range(number)]


@pytest.mark.parametrize("start", [0, 1, 2])
@pytest.mark.parametrize("gone", [{0}, {1}, {2}, {1, 2}, {0, 1, 2}], ids=repr)
async def test_forgotten_stays_forgotten(memory: AsyncClient, gone: set[int], start: int) -> None:
    some = events(TEXTS[:3])
    await add(memory, some)
    there = (await memory.events.list(**PLACE)).items
    for at in gone:
        await MunimentMemory(memory).delete_memory(
            app_name="desk", user_id="nora", memory_id=str(there[at].event_id)
        )
    left = [text for at, text in enumerate(TEXTS[:3]) if at not in gone]
    await add(memory, some[start:])
    assert await said(memory) == left
    more = fresh(2)
    for _ in range(2):
        await add(memory, [*some, *more][start:])
    assert await said(memory) == [*left, "New is 0.", "New is 1."]
    await MunimentMemory(memory).add_events_to_memory(
        app_name="desk", user_id="nora", session_id="s", events=some
    )
    assert await said(memory) == [*left, "New is 0.", "New is 1."]


async def test_new_events_alone_come_behind_what_was_forgotten(memory: AsyncClient) -> None:
    await add(memory, events(TEXTS[:3]))
    first = (await memory.events.list(**PLACE)).items[0]
    await memory.forget(ids=[first.event_id], user_id="nora", namespace="desk")
    await add(memory, fresh(2))
    assert await said(memory) == [*TEXTS[1:3], "New is 0.", "New is 1."]


@pytest.mark.parametrize("latest", [1, 2, 4, 5, 6])
async def test_the_latest_events_of_a_session(memory: AsyncClient, latest: int) -> None:
    some = events(TEXTS[:6])
    await add(memory, some[:3])
    for _ in range(2):
        await add(memory, some[-latest:])
    assert await said(memory) == [*TEXTS[:3], *TEXTS[max(3, 6 - latest) : 6]]


async def test_places_that_others_took(memory: AsyncClient) -> None:
    when = datetime.fromtimestamp(BEGUN + 99, UTC)
    others = [Event(turn=at, role="user", content="Other.", occurred_at=when) for at in (1, 3)]
    await memory.events.write(events=others, **PLACE)
    some = events(TEXTS[:6])
    for end in (3, 3, 6, 6):
        await add(memory, some[:end])
    found = [text for text in await said(memory) if text != "Other."]
    assert sorted(found) == TEXTS[:6]


async def test_times_that_are_none(memory: AsyncClient) -> None:
    times = [float("nan"), float("inf"), 1e18, -1e12]
    some = [event(TEXTS[at], f"e{at}", when) for at, when in enumerate(times)]
    for _ in range(2):
        await add(memory, some)
    assert await said(memory) == TEXTS[:4]
    some = [event("My cat is Rex.", "r", times[0]), event(ASKS, "d", times[1])]
    whole = Session(id="t", app_name="desk", user_id="nora", events=some)
    for _ in range(2):
        await MunimentMemory(memory).add_session_to_memory(whole)
    listed = await memory.events.list(**PLACE | {"session_id": "t"})
    assert [one.content for one in listed.items] == ["", ASKS]


TOKEN = "sk" + "-ant-api03-" + "Qw3rTy9ZxCvB" * 4


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize(
    "name",
    ["a\x00", "\ud800", TOKEN, "a-plain-and-long-id-", "x" * 70_000, " ", "é" * 200],
    ids=ascii,
)
async def test_ids_that_are_not_kept_as_they_are(
    memory: AsyncClient, name: str, before: bool
) -> None:
    some = [event(text, f"{name}{at}", BEGUN + at) for at, text in enumerate(TEXTS[:3])]
    if before and len(name) < 1000:
        turns = [
            Event(
                turn=at, role="user", content=TEXTS[at], metadata={"adk_event": one.id},
                occurred_at=datetime.fromtimestamp(one.timestamp, UTC),
            )
            for at, one in enumerate(some[:2])
        ]  # fmt: skip
        await memory.events.write(events=turns, **PLACE)
    for _ in range(3):
        await add(memory, some)
    assert await said(memory) == TEXTS[:3]


async def test_a_service_that_refuses_every_turn(
    memory: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    async def refuse(**given: Any) -> None:
        calls.append(given["events"])
        raise TurnConflict(faults=[Fault("/events/0/turn", "taken")])

    monkeypatch.setattr(memory.events, "write", refuse)
    with pytest.raises(TurnConflict):
        await add(memory, events(TEXTS))
    assert len(calls) < 10


@pytest.mark.parametrize("name", [5, 1.5, b"x", ["x"], "", "x"], ids=repr)
async def test_an_id_that_is_none(memory: AsyncClient, name: Any) -> None:
    kept = MunimentMemory(memory)
    with pytest.raises(InvalidInput):
        await kept.delete_memory(app_name="desk", user_id="nora", memory_id=name)
