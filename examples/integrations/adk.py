"""An ADK agent with Muniment as its memory: ``python -m examples.integrations.adk``.

One session is added to memory, twice; another loads it with ADK's own tool.
"""

from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.load_memory_tool import load_memory_tool
from google.genai import types

from examples.integrations.place import play
from muniment import AsyncClient
from muniment.adk import MunimentMemory

APP = "desk"


class Scripted(BaseLlm):
    """A model that says what it was given, one part a turn."""

    parts: list[types.Part]

    async def generate_content_async(
        self,
        llm_request: LlmRequest,  # noqa: ARG002 - ADK's signature
        stream: bool = False,  # noqa: ARG002
    ) -> AsyncGenerator[LlmResponse, None]:
        """The next part of the script."""
        yield LlmResponse(content=types.Content(role="model", parts=[self.parts.pop(0)]))


async def example(memory: AsyncClient) -> None:
    """Play both sessions."""
    sessions = InMemorySessionService()
    kept = MunimentMemory(memory)

    async def say(session_id: str, text: str, *parts: types.Part) -> list[Any]:
        agent = LlmAgent(
            name="desk",
            model=Scripted(model="scripted", parts=list(parts)),
            tools=[load_memory_tool],
        )
        runner = Runner(
            app_name=APP, agent=agent, session_service=sessions, memory_service=kept,
            auto_create_session=True,
        )  # fmt: skip
        message = types.Content(role="user", parts=[types.Part(text=text)])
        return [
            event
            async for event in runner.run_async(
                user_id="nora", session_id=session_id, new_message=message
            )
        ]

    await say("monday", "We deploy to eu-west-1.", types.Part(text="Noted."))
    for _ in range(2):  # each event is written once
        session = await sessions.get_session(app_name=APP, user_id="nora", session_id="monday")
        if session is not None:
            await kept.add_session_to_memory(session)
    held = await memory.sessions.get(user_id="nora", session_id="monday", namespace=APP)
    print("turns:", held.events)

    events = await say(
        "tuesday",
        "Where do we deploy?",
        types.Part.from_function_call(name="load_memory", args={"query": "Where do we deploy?"}),
        types.Part(text="To eu-west-1."),
    )
    (answer,) = [one for event in events for one in event.get_function_responses()]
    loaded = answer.response["result"].memories
    print("loaded:", [entry.content.parts[0].text for entry in loaded])
    print("answered:", events[-1].content.parts[0].text)


if __name__ == "__main__":
    play(example)
