"""Frameworks on a real service: sessions of OpenAI agents, ADK's memory, tools of Pydantic AI.

| given | when | then |
|---|---|---|
| the example of each | is run | it says what it should |
| items of any kind, NUL and surrogates in them, a long one | are added | they come back exactly, in order |
| ten tasks, two sessions of one name | add at once | none lost, none mixed with another's |
| the last item | is popped, by two at once | once; it is forgotten, and what follows comes behind |
| a session | is cleared | it is empty, and takes items again |
| items with secrets: numbers, over several texts, at a cut, in arguments | are added | nothing of them is stored, and every item is there |
| something that is no JSON object: too deep, an object, bytes, a cycle, a text | is added behind an item | InvalidInput with its place, nothing written |
| an item that somebody spoilt | is the last, or not | the others are given, and popped |
| a memory of another user, namespace, of the organisation | is corrected by a tool | not found, and it stands; one of its own is, also of the past |
| a policy that asks for a dry run | | pops and clears all the same |
| events of an ADK session | are added again, longer | each once, in order |
| some too long, with an author that is no name, or NUL and surrogates in it | are added | the others are there, those under no name; what is too long is not |
| no words | are searched for | nothing |
| one of them | was deleted | stays away, also when the session is added again |
| a name that is none: empty, over-long, NUL, a surrogate | on each surface | InvalidInput |
"""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio
from agents import SessionSettings
from agents.memory.session import Session as AgentSession
from examples.integrations import adk, openai_agents, pydantic_ai
from google.adk.events.event import Event as AgentEvent
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.models.test import TestModel

from muniment import AsyncClient
from muniment.adk import MunimentMemory
from muniment.client.models import Event
from muniment.errors import InvalidInput
from muniment.openai_agents import MunimentSession
from muniment.pydantic_ai import muniment_profile, muniment_toolset
from muniment.testing import Running, new_tenant

ITEMS: list[Any] = [
    {"role": "user", "content": "We deploy to eu-west-1."},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x" * 40_000},
    {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"a": 1}', "id": "fc"},
    {"type": "function_call_output", "call_id": "c", "output": "NUL \x00, half \ud83d, whole 😀"},
    {"role": "assistant", "type": "message", "id": "m", "status": "completed", "content": [
        {"type": "output_text", "text": "Noted.", "annotations": [], "logprobs": []}]},
    {"role": "user", "content": [{"type": "input_text", "text": "é"}, {"type": "input_image", "image_url": "data:,"}]},
    {"role": "system", "content": "Be brief.", "unknown": [1.0, 12345678901234567890, None]},
]  # fmt: skip
HOSTILE = ["", " ", "x" * 300, "a\x00b", "\ud800", "\u202e"]


@pytest_asyncio.fixture
async def memory(running: Running) -> AsyncIterator[AsyncClient]:
    """The admin of a fresh tenant."""
    async with AsyncClient(running.url, new_tenant(running)) as client:
        yield client


def session(memory: AsyncClient, **more: Any) -> MunimentSession:
    return MunimentSession("monday", memory, **({"user_id": "nora"} | more))


SAID = {
    openai_agents: (
        "monday: ['user', 'assistant']\n"
        "tuesday: ['message', 'function_call', 'function_call_output', 'message']\n"
        "recalled: True\nanswered: To eu-west-1.\n"
    ),
    adk: "turns: 2\nloaded: ['We deploy to eu-west-1.']\nanswered: To eu-west-1.\n",
    pydantic_ai: (
        "remembered: inserted\nrecalled: Nora's team deploys to eu-west-1.\n"
        "told: invalid_input: The input breaks a rule of this operation. "
        "/text: does not state the value; give that too\n"
        "corrected: superseded\nwould go: 1 memory; gone: True\nDone; 4 tools.\n"
    ),
}


@pytest.mark.parametrize("module", SAID, ids=lambda module: module.__name__)
async def test_the_examples(
    memory: AsyncClient, module: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    await module.example(memory)
    assert capsys.readouterr().out == SAID[module]


async def test_items_come_back_as_they_were(memory: AsyncClient) -> None:
    mine = session(memory)
    assert isinstance(mine, AgentSession)
    assert await mine.get_items() == []
    assert await mine.pop_item() is None
    await mine.add_items([])
    for some in (ITEMS[:3], ITEMS[3:]):
        await mine.add_items(some)
    assert await mine.get_items() == ITEMS
    for limit in (0, 1, 4, 6, 100):
        assert await mine.get_items(limit) == ITEMS[len(ITEMS) - limit if limit < 7 else 0 :]
    assert (
        await session(memory, session_settings=SessionSettings(limit=2)).get_items() == ITEMS[-2:]
    )
    view = await memory.recall(user_id="nora", query="Where do we deploy?")
    assert [item.text for item in view.items] == ["We deploy to eu-west-1."]
    assert await session(memory, user_id="otto").get_items() == []


async def test_items_that_another_only_proposed(memory: AsyncClient, running: Running) -> None:
    made = await memory.keys.create(principal="intern", verbs=["read", "propose"])
    mine = session(memory)
    await mine.add_items(ITEMS[:2])
    async with AsyncClient(running.url, made.secret) as intern:
        theirs = session(intern)
        await theirs.add_items(ITEMS[2:])
        assert await session(intern).get_items() == ITEMS
    for limit in (None, 1, 2):
        assert await mine.get_items(limit) == ITEMS[:2][-(limit or 2) :]
    assert await mine.pop_item() == ITEMS[1]


def nested(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {"a": found}
    return found


CYCLE: dict[str, Any] = {}
CYCLE["a"] = CYCLE


@pytest.mark.parametrize(
    "item",
    [nested(3000), {"a": object()}, {"a": b"x"}, CYCLE, {(1, 2): 1}, "text", 5, None, [], True],
    ids=["deep", "object", "bytes", "cycle", "key", "text", "number", "none", "list", "true"],
)
async def test_what_is_no_item(memory: AsyncClient, item: Any) -> None:
    mine = session(memory)
    with pytest.raises(InvalidInput) as refused:
        await mine.add_items([ITEMS[0], item])
    assert [fault.pointer for fault in refused.value.faults] == ["/items/1"]
    assert await mine.get_items() == []


async def test_many_add_at_once(memory: AsyncClient) -> None:
    both = [session(memory), session(memory)]
    said: list[Any] = [
        [{"role": "user", "content": f"{at}-{n}"} for n in range(3)] for at in range(10)
    ]
    await asyncio.gather(*(both[at % 2].add_items(some) for at, some in enumerate(said)))
    found: list[Any] = [*await both[0].get_items()]
    groups = [found[at : at + 3] for at in range(0, 30, 3)]
    assert sorted(groups, key=str) == sorted(said, key=str)


@pytest.mark.parametrize("confirms", [False, True])
async def test_what_is_taken_back_is_forgotten(memory: AsyncClient, confirms: bool) -> None:
    if confirms:
        await memory.policy.put(document={"forget": {"confirm": True}})
    mine, other = session(memory), session(memory)
    await mine.add_items(ITEMS)
    popped = await asyncio.gather(mine.pop_item(), other.pop_item())
    assert sorted(map(str, popped)) == sorted(map(str, ITEMS[-2:]))
    await mine.add_items(ITEMS[:1])
    assert await other.get_items() == [*ITEMS[:-2], ITEMS[0]]
    await other.clear_session()
    assert await mine.get_items() == []
    assert (await memory.recall(user_id="nora", query="Where do we deploy?")).abstained
    await mine.add_items(ITEMS[:2])
    assert await mine.get_items() == ITEMS[:2]


CARD, TOKEN = 4111111111111111, "sk" + "-ant-api03-" + "Qw3rTy9ZxCvB" * 4
SECRETS: list[Any] = [
    {"type": "x", "id": CARD, "password": 1234567},
    {"type": "x", "a": "-----BEGIN PRIVATE KEY-----", "b": ["-----END PRIVATE KEY-----"]},
    {"role": "user", "content": "x " * 7_480 + TOKEN},
    {"role": "user", "content": "x " * 32_750 + TOKEN},
    {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"password": "hunter2x9"}'},
]  # fmt: skip


async def test_secrets_leave_every_item_readable(memory: AsyncClient) -> None:
    mine = session(memory)
    await mine.add_items([*ITEMS[:1], *SECRETS, *ITEMS[2:3]])
    found: list[Any] = [*await mine.get_items()]
    assert (found[0], found[-1], len(found)) == (ITEMS[0], ITEMS[2], 7)
    assert found[1]["id"] == "[redacted: card-number]"
    assert json.loads(found[5]["arguments"]) == {"password": "[redacted: password]"}
    turns = (await memory.events.list(user_id="nora", session_id="monday", limit=200)).items
    told = repr([(one.content, one.metadata) for one in turns])
    for secret in (str(CARD), TOKEN[:20], TOKEN[-20:], "BEGIN PRIVATE", "hunter2x9", "1234567"):
        assert secret not in told
    spoilt: dict[str, Any] = {"openai_agents": {"id": "i", "piece": 0, "of": 1, "json": ["{"]}}
    other: dict[str, Any] = {"openai_agents": "of another kind"}
    events = [
        Event(turn=500 + at, role="user", content="", occurred_at=datetime.now(UTC), metadata=one)
        for at, one in enumerate((spoilt, other))
    ]
    await memory.events.write(user_id="nora", session_id="monday", events=events)
    assert [await mine.get_items(), await mine.get_items(1)] == [found, found[-1:]]
    assert [await mine.pop_item(), len(await mine.get_items())] == [found[-1], 6]
    await mine.clear_session()
    assert await mine.get_items() == []


async def test_a_tool_corrects_what_is_the_users_alone(memory: AsyncClient) -> None:
    remember = memory.memories.remember
    past: dict[str, Any] = {"valid_from": datetime(2020, 1, 1, tzinfo=UTC)}
    past["valid_to"] = datetime(2021, 1, 1, tzinfo=UTC)
    of_others = [
        await remember(kind="fact", text="Bob is ill.", user_id="bob"),
        await remember(kind="fact", text="Nora is at home.", user_id="nora", namespace="home"),
        await remember(kind="data_quality", text="Orders lag.", data_source="orders"),
    ]
    tools = muniment_toolset(memory, user_id="nora").tools
    for one in of_others:
        with pytest.raises(ModelRetry, match="not_found"):
            await tools["correct"].function(id=one.id, text="Gone.")  # type: ignore[call-arg]
        assert one.id is not None
        assert (await memory.memories.get(id=one.id)).text != "Gone."
    for more in ({}, past):
        own = await remember(kind="fact", text="Nora had flu.", user_id="nora", **more)
        done = await tools["correct"].function(id=own.id, text="Nora had a cold.")  # type: ignore[call-arg]
        assert done["outcome"] == "superseded"


def agent_session(*texts: str) -> Session:
    """A session of ADK with a call between what is said."""
    call = types.Part.from_function_call(name="f", args={})
    events = [
        AgentEvent(
            id=f"e{at}", author="user" if at % 2 == 0 else "desk", timestamp=1_780_000_000.5 + at,
            content=types.Content(parts=[types.Part(text=text)] if text else [call]),
        )
        for at, text in enumerate(texts)
    ]  # fmt: skip
    return Session(id="s", app_name="desk", user_id="nora", events=events)


def said(entries: list[MemoryEntry]) -> list[str | None]:
    return [(entry.content.parts or [types.Part()])[0].text for entry in entries]


async def test_adk_events_are_written_once_and_stay_away(memory: AsyncClient) -> None:
    kept = MunimentMemory(memory)
    place: dict[str, Any] = {"app_name": "desk", "user_id": "nora"}
    whole = agent_session("We deploy to eu-west-1.", "", "My dog is called Bo.", "Noted.")
    await asyncio.gather(*(kept.add_session_to_memory(whole) for _ in range(3)))
    longer = agent_session(
        "We deploy to eu-west-1.", "", "My dog is called Bo.", "Noted.", "I live in Gouda."
    )
    await kept.add_session_to_memory(longer)
    await kept.add_events_to_memory(events=longer.events, session_id="s", **place)
    listed = await memory.events.list(user_id="nora", session_id="s", namespace="desk")
    assert [one.metadata["adk_event"] for one in listed.items] == ["e0", "e2", "e3", "e4"]
    found = (await kept.search_memory(query="What is my dog called?", **place)).memories
    assert said(found)[0] == "My dog is called Bo."
    await kept.delete_memory(memory_id=found[0].id, **place)
    await kept.delete_memory(memory_id=None, **place)
    await kept.add_session_to_memory(longer)
    found = (await kept.search_memory(query="What is my dog called?", **place)).memories
    assert "My dog is called Bo." not in said(found)
    fact = MemoryEntry(content=types.Content(parts=[types.Part(text="Nora keeps bees.")]))
    await kept.add_memory(memories=[fact], custom_metadata={"from": "a form"}, **place)
    found = (await kept.search_memory(query="Who keeps bees?", **place)).memories
    assert found[0].custom_metadata["from"] == "a form"
    other = await kept.search_memory(app_name="other", user_id="nora", query="Who keeps bees?")
    assert other.memories == []


async def test_one_adk_event_does_not_stop_the_others(memory: AsyncClient) -> None:
    kept = MunimentMemory(memory)
    said = [
        ("user", "I live in Gouda."), ("user", "x" * 70_000), ("desk " * 60, "Noted."),
        ("desk \ud800", "Half \ud83d, NUL \x00."), ("a\x00b", "So be it."), ("user", "My dog is called Bo."),
    ]  # fmt: skip
    events = [
        AgentEvent(id=f"e{at}", author=author, content=types.Content(parts=[types.Part(text=text)]))
        for at, (author, text) in enumerate(said)
    ]
    whole = Session(id="s", app_name="desk", user_id="nora", events=events)
    for _ in range(2):
        await kept.add_session_to_memory(whole)
    listed = await memory.events.list(user_id="nora", session_id="s", namespace="desk")
    assert [one.metadata["adk_event"] for one in listed.items] == ["e0", "e2", "e3", "e4", "e5"]
    for query in ("", " \n"):
        found = await kept.search_memory(app_name="desk", user_id="nora", query=query)
        assert found.memories == []


async def test_the_tools_can_be_called_by_any_model(memory: AsyncClient) -> None:
    tools = muniment_toolset(memory, user_id="nora")
    agent = Agent(TestModel(call_tools=["recall", "remember"]), toolsets=[tools])
    assert "inserted" in (await agent.run("Hello")).output
    assert await muniment_profile(memory, user_id="nobody")() == ""


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
async def test_what_is_no_name(memory: AsyncClient, name: str) -> None:
    kept = MunimentMemory(memory)
    tools = muniment_toolset(memory, user_id=name)
    for call in (
        session(memory, user_id=name).add_items(ITEMS[:1]),
        MunimentSession(name, memory, user_id="nora").get_items(),
        session(memory, namespace=name).add_items(ITEMS[:1]),
        kept.add_session_to_memory(
            agent_session("I live in Gouda.").model_copy(update={"id": name})
        ),
        kept.search_memory(app_name="desk", user_id=name, query="Where?"),
        kept.delete_memory(app_name="desk", user_id="nora", memory_id=name),
    ):
        with pytest.raises(InvalidInput):
            await call
    with pytest.raises(ModelRetry, match="invalid_input"):
        await tools.tools["recall"].function(query="Where?")  # type: ignore[call-arg]
